"""A small Qwen3.5 on the CPU in float32: bit for bit what stock `transformers` computes, whose import takes longer than an
answer.

One sequence at a time, no padding, no training. Names of parameters, shapes and the order of operations are the stock modules'.
A test holds every logit against the stock model's, read whole, in pieces and token by token.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from torch import Tensor
from torch.nn import functional

CHUNK = 64
"""Tokens that the delta rule takes in at a time, as the stock module does."""
LENGTH_EPS = 1e-6
"""What the stock module adds to the squared length of a key or query."""


@dataclass
class Memory:
    """What a model keeps of what it has read.

    layers: the keys and values of an attention layer, the last inputs of the convolution and the state of a linear one
    """

    length: int = 0
    layers: dict[int, tuple[Tensor, Tensor]] = field(default_factory=dict)


class SmallModel:
    """Weights and configuration of a folder that stock `transformers` loads, too.

    vocabulary: how many tokens; context: how many it reads; ends: tokens that end a reply
    Raises OSError, ValueError, KeyError, SafetensorError for a folder that holds no such model.
    """

    def __init__(self, folder: Path) -> None:
        self.config: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        if self.config["model_type"] != "qwen3_5_text":
            raise ValueError(f"model type {self.config['model_type']!r}")
        self._weights = {name: tensor.float() for name, tensor in load_file(folder / "model.safetensors").items()}
        self._embedding = self._weights["model.embed_tokens.weight"]
        self._head = self._weights.get("lm_head.weight", self._embedding)
        self._turns = _turns(self.config)
        self.vocabulary: int = self.config["vocab_size"]
        self.context: int = self.config["max_position_embeddings"]
        self.layers: int = self.config["num_hidden_layers"]
        self.ends = frozenset({int(self.config["eos_token_id"])})
        self.device = "cpu"

    def empty(self) -> Memory:
        """The memory of a model that has read nothing."""
        return Memory()

    @torch.no_grad()
    def read(self, tokens: Sequence[int], memory: Memory) -> Tensor:
        """Read further tokens; the logits of the next one. memory: brought up to date."""
        x = functional.embedding(torch.tensor([list(tokens)]), self._embedding)
        rotation = _rotation(self._turns, memory.length, len(tokens))
        for layer, kind in enumerate(self.config["layer_types"]):
            weights = _Layer(self._weights, f"model.layers.{layer}.")
            normed = self._norm(x, weights["input_layernorm"])
            before = memory.layers.get(layer)
            if kind == "linear_attention":
                mixed, memory.layers[layer] = self._delta(normed, weights, before)
            else:
                mixed, memory.layers[layer] = self._attention(normed, weights, before, rotation)
            x = x + mixed
            normed = self._norm(x, weights["post_attention_layernorm"])
            hidden = functional.silu(weights.linear("mlp.gate_proj", normed)) * weights.linear("mlp.up_proj", normed)
            x = x + weights.linear("mlp.down_proj", hidden)
        memory.length += len(tokens)
        return functional.linear(self._norm(x, self._weights["model.norm.weight"])[:, -1:], self._head)[0, -1]

    def _norm(self, x: Tensor, weight: Tensor) -> Tensor:
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.config["rms_norm_eps"]) * (1.0 + weight)

    # ------------------------------------------------------------ attention
    def _attention(
        self, x: Tensor, weights: _Layer, before: tuple[Tensor, Tensor] | None, rotation: tuple[Tensor, Tensor]
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """Gated attention over everything read so far; its keys and values."""
        count, size = x.shape[1], self.config["head_dim"]
        query, gate = weights.linear("self_attn.q_proj", x).view(1, count, -1, 2 * size).chunk(2, dim=-1)
        key, value = (weights.linear(f"self_attn.{name}", x).view(1, count, -1, size) for name in ("k_proj", "v_proj"))
        query = _rotated(self._norm(query, weights["self_attn.q_norm"]).transpose(1, 2), *rotation)
        key = _rotated(self._norm(key, weights["self_attn.k_norm"]).transpose(1, 2), *rotation)
        value = value.transpose(1, 2)
        if before is not None:
            key, value = (torch.cat(pair, dim=-2) for pair in zip(before, (key, value), strict=True))
        mixed = _attended(query, key, value).transpose(1, 2).reshape(1, count, -1)
        return weights.linear("self_attn.o_proj", mixed * gate.reshape(1, count, -1).sigmoid()), (key, value)

    # ------------------------------------------------------------ the gated delta rule
    def _delta(self, x: Tensor, weights: _Layer, before: tuple[Tensor, Tensor] | None) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """Linear attention; the last inputs of its convolution, and its state."""
        count, config = x.shape[1], self.config
        keys = config["linear_num_key_heads"] * config["linear_key_head_dim"]
        inputs = weights.linear("linear_attn.in_proj_qkv", x).transpose(1, 2)
        kernel = weights["linear_attn.conv1d"]
        last = inputs.new_zeros(1, len(kernel), max(kernel.shape[-1] - count, 0)) if before is None else before[0]
        joined = torch.cat([last, inputs], dim=-1)
        convolved = _convolved(joined, kernel, count)
        heads = (config["linear_num_key_heads"], config["linear_num_key_heads"], config["linear_num_value_heads"])
        query, key, value = (
            part.reshape(1, count, number, -1)
            for part, number in zip(convolved.split([keys, keys, convolved.shape[-1] - 2 * keys], dim=-1), heads, strict=True)
        )
        repeats = heads[2] // heads[0]
        query, key = (part.repeat_interleave(repeats, dim=2) if repeats > 1 else part for part in (query, key))
        beta = weights.linear("linear_attn.in_proj_b", x).sigmoid()
        rate = functional.softplus(weights.linear("linear_attn.in_proj_a", x) + weights["linear_attn.dt_bias"])
        decay = -weights["linear_attn.A_log"].exp() * rate
        query, key, value, decay, beta = (part.transpose(1, 2) for part in (query, key, value, decay, beta))
        rows = (_unit(query), _unit(key), value, decay, beta)
        mixed, state = _step(*rows, before[1]) if before is not None and count == 1 else _chunks(*rows, before and before[1])
        z = weights.linear("linear_attn.in_proj_z", x).reshape(-1, config["linear_value_head_dim"])
        mixed = mixed.transpose(1, 2).reshape(z.shape)
        mixed = mixed * torch.rsqrt(mixed.pow(2).mean(-1, keepdim=True) + config["rms_norm_eps"])
        mixed = weights["linear_attn.norm"] * mixed * functional.silu(z)
        return weights.linear("linear_attn.out_proj", mixed.reshape(1, count, -1)), (joined[..., -kernel.shape[-1] :], state)


@dataclass(frozen=True)
class _Layer:
    """The weights of a layer by the rest of their names; `.weight` is left out."""

    weights: Mapping[str, Tensor]
    prefix: str

    def __getitem__(self, name: str) -> Tensor:
        whole = self.prefix + name
        return self.weights[whole] if whole in self.weights else self.weights[f"{whole}.weight"]

    def linear(self, name: str, x: Tensor) -> Tensor:
        return functional.linear(x, self[name])


def _turns(config: Mapping[str, Any]) -> Tensor:
    """By how much a position turns each pair of a head's first dimensions."""
    rope = config["rope_parameters"]
    turned = int(config["head_dim"] * rope["partial_rotary_factor"])
    return 1.0 / (rope["rope_theta"] ** (torch.arange(0, turned, 2, dtype=torch.float) / turned))


def _rotation(turns: Tensor, start: int, count: int) -> tuple[Tensor, Tensor]:
    """Cosines and sines for positions [start, start + count)."""
    angles = torch.arange(start, start + count).expand(3, 1, -1)[..., None].float() * turns
    cos, sin = angles.cos()[0], angles.sin()[0]
    return torch.cat((cos, cos), dim=-1), torch.cat((sin, sin), dim=-1)


def _rotated(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Heads [1, heads, tokens, size] turned by their positions."""
    turned, rest = x[..., : cos.shape[-1]], x[..., cos.shape[-1] :]
    first, second = turned.chunk(2, dim=-1)
    return torch.cat((turned * cos + torch.cat((-second, first), dim=-1) * sin, rest), dim=-1)


def _attended(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Softmax attention; a token sees itself and what was read before it."""
    count, known = query.shape[2], key.shape[2]
    if count in (1, known):
        return functional.scaled_dot_product_attention(query, key, value, is_causal=count > 1, enable_gqa=True)
    seen = torch.ones(count, known, dtype=torch.bool).tril(known - count)[None, None]
    key, value = (part.repeat_interleave(query.shape[1] // part.shape[1], dim=1) for part in (key, value))
    return functional.scaled_dot_product_attention(query, key, value, attn_mask=seen)


def _convolved(joined: Tensor, kernel: Tensor, count: int) -> Tensor:
    """silu of the convolution over each channel's last inputs, for the last tokens of `joined` [1, channels, tokens]."""
    spread = functional.conv1d(joined, kernel, padding=kernel.shape[-1] - 1, groups=len(kernel))
    return functional.silu(spread[:, :, : joined.shape[-1]])[:, :, -count:].transpose(1, 2)


def _unit(x: Tensor) -> Tensor:
    return x * torch.rsqrt((x * x).sum(dim=-1, keepdim=True) + LENGTH_EPS)


def _step(query: Tensor, key: Tensor, value: Tensor, decay: Tensor, beta: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
    """The delta rule for one token: [1, heads, 1, size] and the state [1, heads, key size, value size]."""
    query = query / query.shape[-1] ** 0.5
    state = state * decay[:, :, 0].exp()[..., None, None]
    known = (state * key[:, :, 0].unsqueeze(-1)).sum(dim=-2)
    state = state + key[:, :, 0].unsqueeze(-1) * ((value[:, :, 0] - known) * beta[:, :, 0].unsqueeze(-1)).unsqueeze(-2)
    return (state * query[:, :, 0].unsqueeze(-1)).sum(dim=-2)[:, :, None], state


def _chunks(
    query: Tensor, key: Tensor, value: Tensor, decay: Tensor, beta: Tensor, state: Tensor | None
) -> tuple[Tensor, Tensor]:
    """The delta rule for many tokens, a chunk at a time: within one it is a triangular system of equations."""
    _, heads, count, size = key.shape
    short = -count % CHUNK
    query, key, value = (functional.pad(part, (0, 0, 0, short)) for part in (query * size**-0.5, key, value))
    beta, decay = (functional.pad(part, (0, short)) for part in (beta, decay))
    parts = (query, key, key * beta.unsqueeze(-1), value * beta.unsqueeze(-1))
    query, key, written, values = (part.reshape(1, heads, -1, CHUNK, part.shape[-1]) for part in parts)
    faded = decay.reshape(1, heads, -1, CHUNK).cumsum(dim=3)
    later = torch.ones(CHUNK, CHUNK, dtype=torch.bool).triu(1)
    between = (faded.unsqueeze(4) - faded.unsqueeze(3)).masked_fill(later, float("-inf")).exp()
    system = (written @ key.transpose(-1, -2)) * between
    inside = (query @ key.transpose(-1, -2)) * between
    new, read = (
        torch.linalg.solve_triangular(system, side, upper=False, unitriangular=True)
        for side in (values, written * faded.exp().unsqueeze(-1))
    )
    if state is None:
        state = key.new_zeros(1, heads, size, value.shape[-1])
    query = query * faded.exp().unsqueeze(-1)
    key = key * (faded[..., -1:] - faded).exp().unsqueeze(-1)
    kept = faded[..., -1].exp()[..., None, None]
    mixed = torch.zeros_like(new)
    for chunk in range(new.shape[2]):
        change = new[:, :, chunk] - read[:, :, chunk] @ state
        mixed[:, :, chunk] = query[:, :, chunk] @ state + inside[:, :, chunk] @ change
        state = state * kept[:, :, chunk] + key[:, :, chunk].transpose(-1, -2) @ change
    return mixed.reshape(1, heads, -1, mixed.shape[-1])[:, :, :count], state
