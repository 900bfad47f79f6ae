"""The same model in the dimensions of a stock checkpoint: zeros around it, scales where a zero would change a mean.

- A norm over the padded width takes its mean over more entries: its gain shrinks by sqrt(small / large).
- ``eps`` does not shrink with it. The model is trained with four times the stock eps; the gated norms of DeltaNet, padded from
  64 to 128, see half the mean square, the residual stream sees hidden / HIDDEN of it. The residual stream is therefore
  doubled (embedding and all output projections) and the last norm's gain halved, which makes the stock eps right where it
  shows.
- Rotary pair j of a small head turns as pair j * (large / small) of a large one does.
- The small heads that share a key head must share one in the large model.
- Layers that only fill the stock pattern have output projections of zero and add nothing.
"""

import math
from dataclasses import dataclass

import torch
from torch import nn
from transformers import Qwen3_5ForCausalLM, Qwen3_5TextConfig

STREAM_SCALE = 2.0


@dataclass(frozen=True)
class StockShape:
    """The dimensions to pad to: those of Qwen3.5-2B unless told otherwise."""

    hidden: int = 2048
    intermediate: int = 6144
    heads: int = 8
    key_value_heads: int = 2
    head: int = 256
    linear_heads: int = 16
    linear_head: int = 128
    eps: float = 1e-6


def layer_places(small: list[str], pattern: tuple[str, ...]) -> tuple[list[str], list[int]]:
    """The stock pattern repeated until the small model's layers fit into it in order, and where each one goes."""
    types: list[str] = []
    places = []
    for kind in small:
        while True:
            types.append(pattern[len(types) % len(pattern)])
            if types[-1] == kind:
                places.append(len(types) - 1)
                break
    while len(types) % len(pattern):
        types.append(pattern[len(types) % len(pattern)])
    return types, places


def padded_config(config: Qwen3_5TextConfig, shape: StockShape, types: list[str]) -> Qwen3_5TextConfig:
    """The configuration of the padded model."""
    values = config.to_dict() | {
        "hidden_size": shape.hidden,
        "intermediate_size": shape.intermediate,
        "num_hidden_layers": len(types),
        "num_attention_heads": shape.heads,
        "num_key_value_heads": shape.key_value_heads,
        "head_dim": shape.head,
        "linear_num_key_heads": shape.linear_heads,
        "linear_num_value_heads": shape.linear_heads,
        "linear_key_head_dim": shape.linear_head,
        "linear_value_head_dim": shape.linear_head,
        "layer_types": types,
        "rms_norm_eps": shape.eps,
    }
    return Qwen3_5TextConfig(**values)


@torch.no_grad()
def pad(
    small: Qwen3_5ForCausalLM, shape: StockShape | None = None, pattern: tuple[str, ...] | None = None
) -> Qwen3_5ForCausalLM:
    """The model in stock dimensions, its layers in the given pattern; the same greedy replies."""
    shape = shape or StockShape()
    config = small.config
    types, places = layer_places(config.layer_types, pattern or tuple(config.layer_types))
    large = Qwen3_5ForCausalLM(padded_config(config, shape, types))
    for parameter in large.parameters():
        parameter.zero_()
    width = config.hidden_size
    large.model.embed_tokens.weight[:, :width] = STREAM_SCALE * small.model.embed_tokens.weight
    _shrink_gain(large.model.norm.weight, small.model.norm.weight, shape.hidden, STREAM_SCALE)
    for source, place in zip(small.model.layers, places, strict=True):
        target = large.model.layers[place]
        for name in ("input_layernorm", "post_attention_layernorm"):
            _shrink_gain(getattr(target, name).weight, getattr(source, name).weight, shape.hidden)
        inner = config.intermediate_size
        target.mlp.gate_proj.weight[:inner, :width] = source.mlp.gate_proj.weight
        target.mlp.up_proj.weight[:inner, :width] = source.mlp.up_proj.weight
        target.mlp.down_proj.weight[:width, :inner] = STREAM_SCALE * source.mlp.down_proj.weight
        if hasattr(source, "self_attn"):
            _pad_attention(source.self_attn, target.self_attn, config, shape)
        else:
            _pad_delta(source.linear_attn, target.linear_attn, config, shape)
    return large.eval()


def _shrink_gain(target: torch.Tensor, source: torch.Tensor, size: int, divisor: float = 1.0) -> None:
    """A norm's gain, stored as what is above 1, for a mean over ``size`` entries instead of its own."""
    target[: source.numel()] = (1 + source) * math.sqrt(source.numel() / size) / divisor - 1


def _rotary_places(small: int, large: int, partial: float) -> torch.Tensor:
    turned, turned_large = int(small * partial), int(large * partial)
    step = turned_large // turned
    pairs = [pair * step for pair in range(turned // 2)]
    return torch.tensor(
        [*pairs, *(turned_large // 2 + pair for pair in pairs), *range(turned_large, turned_large + small - turned)]
    )


def _pad_attention(source: nn.Module, target: nn.Module, config: Qwen3_5TextConfig, shape: StockShape) -> None:
    size, large, width = config.head_dim, shape.head, config.hidden_size
    places = _rotary_places(size, large, config.rope_parameters["partial_rotary_factor"])
    sharing, sharing_large = config.num_attention_heads // config.num_key_value_heads, shape.heads // shape.key_value_heads
    for head in range(config.num_attention_heads):
        row = (head // sharing) * sharing_large + head % sharing
        queries = source.q_proj.weight[head * 2 * size : (head + 1) * 2 * size]
        target.q_proj.weight[row * 2 * large + places, :width] = queries[:size]
        target.q_proj.weight[row * 2 * large + large + places, :width] = queries[size:]
        target.o_proj.weight[:width, row * large + places] = (
            STREAM_SCALE * source.o_proj.weight[:, head * size : (head + 1) * size]
        )
    for head in range(config.num_key_value_heads):
        for name in ("k_proj", "v_proj"):
            rows = getattr(source, name).weight[head * size : (head + 1) * size]
            getattr(target, name).weight[head * large + places, :width] = rows
    # The query's smaller gain and the softmax's smaller scale cancel; only the key's gain shrinks.
    target.q_norm.weight[places] = source.q_norm.weight
    target.k_norm.weight[places] = (1 + source.k_norm.weight) * math.sqrt(size / large) - 1


def _pad_delta(source: nn.Module, target: nn.Module, config: Qwen3_5TextConfig, shape: StockShape) -> None:
    heads, width, large = config.linear_num_key_heads, config.hidden_size, shape.linear_head
    keys, values = config.linear_key_head_dim, config.linear_value_head_dim
    # Queries, keys and values lie behind each other, each a block of heads.
    starts = (
        (0, 0, keys),
        (heads * keys, shape.linear_heads * large, keys),
        (2 * heads * keys, 2 * shape.linear_heads * large, values),
    )
    for head in range(heads):
        for start, start_large, size in starts:
            rows = slice(start + head * size, start + (head + 1) * size)
            rows_large = slice(start_large + head * large, start_large + head * large + size)
            target.in_proj_qkv.weight[rows_large, :width] = source.in_proj_qkv.weight[rows]
            target.conv1d.weight[rows_large] = source.conv1d.weight[rows]
        own, padded = slice(head * values, (head + 1) * values), slice(head * large, head * large + values)
        target.in_proj_z.weight[padded, :width] = source.in_proj_z.weight[own]
        target.out_proj.weight[:width, padded] = STREAM_SCALE * source.out_proj.weight[:, own]
    for name in ("in_proj_b", "in_proj_a"):
        getattr(target, name).weight[:heads, :width] = getattr(source, name).weight
    target.dt_bias[:heads] = source.dt_bias
    target.A_log[:heads] = source.A_log
    # The gated norm's gain is plain, not above 1.
    target.norm.weight[:values] = source.norm.weight * math.sqrt(values / large)
