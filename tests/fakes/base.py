"""Random bases in the layouts of the real repositories, at any size.

`python -m tests.fakes.base FOLDER [--full] [--layout vision|text]` writes one by hand (about 4.5 GB with --full).
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from builder.base import EMBEDDING, expected_tensors, read_dimensions
from builder.tensorfile import Entry, entry, raw, write

ROWS = 4096


@dataclass(frozen=True)
class Size:
    """Dimensions of a base; the defaults are tiny, FULL has those of Qwen3.5-2B."""

    hidden: int = 256
    intermediate: int = 192
    layers: int = 4
    heads: int = 2
    key_values: int = 1
    head: int = 64
    linear_heads: int = 2
    linear_head: int = 32
    vocabulary: int = 600

    def text_config(self, tied: bool = True) -> dict[str, Any]:
        """The `text_config` of the real repository with these dimensions."""
        return {
            "attention_bias": False,
            "attention_dropout": 0.0,
            "attn_output_gate": True,
            "dtype": "bfloat16",
            "eos_token_id": self.vocabulary - 1,
            "full_attention_interval": 4,
            "head_dim": self.head,
            "hidden_act": "silu",
            "hidden_size": self.hidden,
            "initializer_range": 0.02,
            "intermediate_size": self.intermediate,
            "layer_types": ["full_attention" if i % 4 == 3 else "linear_attention" for i in range(self.layers)],
            "linear_conv_kernel_dim": 4,
            "linear_key_head_dim": self.linear_head,
            "linear_num_key_heads": self.linear_heads,
            "linear_num_value_heads": self.linear_heads,
            "linear_value_head_dim": self.linear_head,
            "max_position_embeddings": 4096,
            "mlp_only_layers": [],
            "model_type": "qwen3_5_text",
            "mtp_num_hidden_layers": 1,
            "mtp_use_dedicated_embeddings": False,
            "num_attention_heads": self.heads,
            "num_hidden_layers": self.layers,
            "num_key_value_heads": self.key_values,
            "rms_norm_eps": 1e-06,
            "tie_word_embeddings": tied,
            "use_cache": True,
            "vocab_size": self.vocabulary,
            "rope_parameters": {
                "mrope_interleaved": True,
                "mrope_section": [3, 3, 2],
                "rope_type": "default",
                "rope_theta": 10000000,
                "partial_rotary_factor": 0.25,
            },
        }


FULL = Size(2048, 6144, 24, 8, 2, 256, 16, 128, 248320)


def make_base(
    folder: Path,
    size: Size = Size(),
    *,
    layout: str = "vision",
    tied: bool = True,
    shards: int = 3,
    seed: int = 0,
    offset: float = 0.4,
    embedding: torch.Tensor | None = None,
) -> Path:
    """Write a random base: layout "vision" (real repository) or "text"; `shards` 1 means a single file.

    offset: common mean of the embedding rows in units of their deviation; it is what makes text separable.
    embedding: bf16 [vocabulary, hidden], the whole table instead.
    """
    folder.mkdir(parents=True)
    text, vision = size.text_config(tied), layout == "vision"
    config = (
        {
            "architectures": ["Qwen3_5ForConditionalGeneration"],
            "image_token_id": 1,
            "model_type": "qwen3_5",
            "text_config": text,
            "tie_word_embeddings": tied,
            "transformers_version": "5.2.0",
            "video_token_id": 2,
            "vision_config": {"depth": 1, "hidden_size": 32, "model_type": "qwen3_5", "out_hidden_size": size.hidden},
            "vision_start_token_id": 3,
            "vision_end_token_id": 4,
        }
        if vision
        else text | {"architectures": ["Qwen3_5ForCausalLM"]}
    )
    (folder / "config.json").write_text(json.dumps(config, indent=2))
    prefix = "model.language_model." if vision else "model."
    entries = [
        entry(prefix + name, embedding)
        if embedding is not None and name == EMBEDDING
        else random_entry(name if name.startswith("lm_head") else prefix + name, name, shape, seed, offset)
        for name, shape in expected_tensors(read_dimensions(text, folder), tied).items()
    ]
    if vision:
        entries += [
            random_entry(name, name, (32, 8), seed, offset)
            for name in ("model.visual.patch_embed.proj.weight", "mtp.fc.weight")
        ]
    write_weights(folder, entries, shards)
    write_companions(folder)
    return folder


def random_entry(name: str, plain: str, shape: tuple[int, ...], seed: int, offset: float) -> Entry:
    """A random bf16 tensor, the same for the same plain name and seed; norms near 0, embedding rows around a mean."""
    number = (seed << 32) ^ int.from_bytes(plain.encode()[-48:], "little") % (1 << 31)

    def chunks() -> Iterator[memoryview]:
        source = torch.Generator().manual_seed(number)
        mean = torch.randn(shape[-1], generator=source) * offset
        for start in range(0, shape[0], ROWS):
            rows = torch.randn(min(ROWS, shape[0] - start), *shape[1:], generator=source)
            yield raw(_scaled(plain, rows, mean).bfloat16())

    return Entry(name, "BF16", shape, chunks)


def _scaled(plain: str, rows: torch.Tensor, mean: torch.Tensor) -> torch.Tensor:
    if plain == "embed_tokens.weight":
        return (rows + mean) * 0.02
    if plain.endswith(("norm.weight", "A_log", "dt_bias")):
        return rows * 0.1 + (1.0 if "linear_attn.norm" in plain else 0.0)
    return rows * (0.5 / math.sqrt(rows.shape[-1] * max(1, rows[0, 0].numel() if rows.dim() > 2 else 1)))


def write_weights(folder: Path, entries: list[Entry], shards: int) -> None:
    """Write tensors into one file, or into shards of equal count with an index."""
    if shards == 1:
        write(folder / "model.safetensors", entries, {"format": "pt"}, lambda _: None)
        return
    placed, count = {}, -(-len(entries) // shards)
    for number in range(shards):
        title = f"model.safetensors-{number + 1:05d}-of-{shards:05d}.safetensors"
        part = entries[number * count : (number + 1) * count]
        write(folder / title, part, {"format": "pt"}, lambda _: None)
        placed |= {item.name: title for item in part}
    (folder / "model.safetensors.index.json").write_text(
        json.dumps({"metadata": {"total_size": sum(item.size for item in entries)}, "weight_map": placed})
    )


def write_companions(folder: Path) -> None:
    """The files that lie beside the weights of the real repository, in miniature."""
    for name, text in {
        "tokenizer.json": '{"version": "1.0"}',
        "tokenizer_config.json": "{}",
        "vocab.json": "{}",
        "merges.txt": "",
        "chat_template.jinja": "{{ messages }}",
        "generation_config.json": '{"do_sample": false}',
        "LICENSE": "Apache License, Version 2.0",
        "README.md": "card",
        "preprocessor_config.json": "{}",
    }.items():
        (folder / name).write_text(text)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="write a random base")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--full", action="store_true", help="dimensions of Qwen3.5-2B, 4.5 GB")
    parser.add_argument("--layout", choices=("vision", "text"), default="vision")
    options = parser.parse_args()
    torch.set_num_threads(1)
    make_base(options.folder, FULL if options.full else Size(), layout=options.layout)
