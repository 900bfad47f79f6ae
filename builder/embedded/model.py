"""The small model's shape: Qwen3.5's architecture, one linear and three full-attention layers."""

import math

import torch
from tokenizers import Tokenizer
from transformers import Qwen3_5ForCausalLM, Qwen3_5TextConfig

from builder.embedded.chat import END, PAD

# The gated norm of DeltaNet divides by small numbers, so eps shows. Padded to the stock head size of 128 the mean square
# halves; trained with four times the stock eps, the padded model gives the same replies with the stock one (see padding.py).
NORM_EPS = 4e-6
LONGEST_CONTEXT = 2048


def config(tokenizer: Tokenizer) -> Qwen3_5TextConfig:
    """The configuration that goes into the checkpoint."""
    return Qwen3_5TextConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=128,
        intermediate_size=256,
        num_hidden_layers=4,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=64,
        linear_num_key_heads=2,
        linear_num_value_heads=2,
        linear_key_head_dim=64,
        linear_value_head_dim=64,
        layer_types=["linear_attention", "full_attention", "full_attention", "full_attention"],
        tie_word_embeddings=True,
        max_position_embeddings=LONGEST_CONTEXT,
        rms_norm_eps=NORM_EPS,
        rope_parameters={"rope_type": "default", "rope_theta": 1e7, "partial_rotary_factor": 0.25},
        pad_token_id=tokenizer.token_to_id(PAD),
        bos_token_id=None,
        eos_token_id=tokenizer.token_to_id(END),
    )


def new_model(tokenizer: Tokenizer, seed: int) -> Qwen3_5ForCausalLM:
    """An untrained model; the same one for the same seed."""
    torch.manual_seed(seed)
    model = Qwen3_5ForCausalLM(config(tokenizer))
    with torch.no_grad():
        for layer in model.model.layers:
            if hasattr(layer, "linear_attn"):
                # Memories from a few to about a thousand tokens, rather than the default's spread up to 16.
                decay = layer.linear_attn.A_log
                decay.copy_(torch.linspace(math.log(1e-3), math.log(1.0), decay.numel()))
    return model
