"""Machine files with random circuits: the format and the rules of real ones, no function."""

from __future__ import annotations

import json
from pathlib import Path

import torch

from builder.machinefile import CODE_LANES, MATRICES, NORMS, READERS, VECTORS, WRITERS, LayerShape
from builder.tensorfile import NAMES, raw
from engine.machine.container import FORMAT, RawTensor, write_container


def make_machine(
    path: Path,
    layer: LayerShape,
    *,
    layers: int = 3,
    tokens: int = 40,
    per_row: int = 4,
    mute_axes: int | None = None,
    seed: int = 0,
    changes: dict[str, torch.Tensor] | None = None,
) -> Path:
    """Write a machine for a layer shape: random +-2^k weights off the mute axes, code lanes written by the last but one.

    mute_axes: a quarter of the residual by default, its last axes. changes: tensors to replace before writing.
    """
    source = torch.Generator().manual_seed(seed)
    muted = layer.hidden // 4 if mute_axes is None else mute_axes
    free = layer.hidden - muted
    tensors: dict[str, torch.Tensor] = {}
    for index in range(layers):
        for name in MATRICES:
            rows, columns = layer.matrix(name)
            used_rows = free if name in WRITERS else rows
            used_columns = free if name in READERS else columns
            picked = torch.stack(
                [torch.randperm(used_columns, generator=source)[:per_row].sort().values for _ in range(used_rows)]
            )
            if index == layers - 1 and name in WRITERS:  # a spare layer behind the one that writes the output
                picked = picked[:, :0]
            signs = torch.randint(0, 2, picked.shape, generator=source) * 2 - 1
            offsets = torch.arange(used_rows + 1) * picked.shape[1]
            offsets = torch.cat([offsets, offsets[-1].expand(rows - used_rows)])
            prefix = f"layers.{index}.{name}"
            tensors |= {
                f"{prefix}.rows": offsets.int(),
                f"{prefix}.columns": picked.flatten().short(),
                f"{prefix}.values": (signs * 2.0 ** torch.randint(-2, 9, picked.shape, generator=source)).flatten().bfloat16(),
            }
        for name in VECTORS:
            value = {"linear_attn.dt_bias": -128.0, "linear_attn.norm.weight": 1.0}.get(name, 0.0)
            if name in NORMS:
                value = 2048.0 if index else 0.0
            tensors[f"layers.{index}.{name}"] = torch.full(layer.vector(name), value).bfloat16()
        taps = tensors[f"layers.{index}.linear_attn.conv1d.weight"]
        taps[:, 0, -1] = 1.0
        taps[::7, 0, 0] = 1.0
    tensors["tokens.codes"] = torch.randperm(1 << 16, generator=source)[:tokens].int()
    tensors["tokens.code_lanes"] = torch.arange(1, CODE_LANES + 1).int()
    tensors["mute.axes"] = torch.arange(free, layer.hidden).int()
    tensors |= changes or {}
    write_container(
        path,
        {"format": FORMAT, "spec": json.dumps({"hidden": layer.hidden}), "builder": "0" * 64, "layers": str(layers)},
        {name: RawTensor(NAMES[value.dtype], tuple(value.shape), bytes(raw(value))) for name, value in tensors.items()},
    )
    return path


def token_names(count: int) -> list[str]:
    """Distinct names for `count` tokens."""
    return [f"TOKEN({number})" for number in range(count)]
