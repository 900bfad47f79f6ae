"""Alter single weights of a machine file on purpose, with its hash made to match."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np

from engine import weights
from engine.compact import CompactRuntime
from engine.machine.container import RawTensor, rewrite_with_hash
from engine.residual import csr


def bf16_tensor(values: np.ndarray) -> RawTensor:
    """A bf16 tensor of float32 values that are bf16 numbers."""
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    assert not (bits & 0xFFFF).any(), "not a bf16 number"
    return RawTensor("BF16", values.shape, (bits >> 16).astype("<u2").tobytes())


def altered(source: Path, target: Path, layer: int, matrix: str, nonzero: int, change: Callable[[float], float]) -> Path:
    """A copy of a machine file in which one nonzero of one matrix is changed."""
    name = f"layers.{layer}.{matrix}.values"

    def replace(tensors: dict[str, RawTensor]) -> None:
        values = tensors[name].numbers().copy()
        values[nonzero] = change(float(values[nonzero]))
        tensors[name] = bf16_tensor(values)

    rewrite_with_hash(source, target, replace)
    return target


def flip_byte(source: Path, target: Path, tensor: str, byte: int = 0) -> Path:
    """A copy of a machine file with one byte of a tensor changed and everything else, its hash too, as it was."""
    content = bytearray(source.read_bytes())
    length = struct.unpack_from("<Q", content)[0]
    start = json.loads(content[8 : 8 + length])[tensor]["data_offsets"][0]
    content[8 + length + start + byte] ^= 1
    target.write_bytes(content)
    return target


def live(runtime: CompactRuntime, layer: int, matrix: str) -> np.ndarray:
    """Nonzeros of a matrix that took part in what the runtime has computed lately.

    Of an MLP, those of neurons whose output was not 0; of the q and k rows, those of rows that were hit; and of these, those
    that met an input that was not 0. Inputs are found from the bytes by which the runtime keeps its results.
    """
    source, spec = runtime.machine.layers[layer].matrices, runtime.machine.spec
    mixer, mlp = runtime.layers[layer]
    if matrix == weights.QKV:
        lanes, keys, tables = mixer.lanes[mixer.address.at], mixer.touches, [csr(source[weights.QKV])]
        tables[0].data[tables[0].indptr[2 * spec.heads * spec.head_dim] :] = 0
    else:
        lanes, keys, tables = mlp.lanes[: mlp.read], mlp.known, [csr(source[weights.GATE]), csr(source[weights.UP])]
    rows, columns = source[matrix].rows(), source[matrix].columns
    met = np.zeros(len(rows), bool)
    for key in keys:
        x = np.zeros(spec.hidden, np.float32)
        x[lanes] = np.frombuffer(key, np.float32, len(lanes))
        sums = [table @ x for table in tables]
        hit = (sums[0] > 0) & (sums[-1] != 0)
        met |= hit[columns] if matrix == weights.DOWN else hit[rows] & (x[columns] != 0)
    return np.flatnonzero(met)
