"""A placed netlist as weights: per-layer sparse matrices, their fill into stock layers, and `machine.safetensors`.

The file holds exactly the nonzeros, so its bytes depend on the netlist, the spec and the axes alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn

from builder.geometry import DT_BIAS, GATE_GAIN, GATED_NORM_Z, NORM_WEIGHT, WRITE_BETA
from builder.netlist import CircuitError, Head, Lane, Linear, Neuron
from builder.place import Placed
from engine.machine.container import FORMAT, RawTensor, write_container

MATRICES = (
    "linear_attn.in_proj_qkv",
    "linear_attn.in_proj_z",
    "linear_attn.in_proj_a",
    "linear_attn.in_proj_b",
    "linear_attn.out_proj",
    "mlp.gate_proj",
    "mlp.up_proj",
    "mlp.down_proj",
)
"""The sparse matrices of a layer, by their name below the layer in the stock model (each has a `.weight`)."""


@dataclass(frozen=True)
class Csr:
    """A sparse matrix by rows: `columns[offsets[r]:offsets[r + 1]]` and the values (float32 holding exact bf16)."""

    shape: tuple[int, int]
    offsets: np.ndarray
    columns: np.ndarray
    values: np.ndarray

    def dense(self) -> np.ndarray:
        """float32 [rows, columns]."""
        full = np.zeros(self.shape, np.float32)
        full[np.repeat(np.arange(self.shape[0]), np.diff(self.offsets)), self.columns] = self.values
        return full


@dataclass(frozen=True)
class SparseLayer:
    """All weights of one compiled layer: the eight sparse matrices and the small dense tensors (float32, exact bf16)."""

    matrices: dict[str, Csr]
    conv: np.ndarray
    a_log: np.ndarray
    dt_bias: np.ndarray
    gated_norm: np.ndarray
    norm_weight: float

    @property
    def nonzeros(self) -> int:
        """Nonzero weights of the matrices."""
        return sum(len(matrix.values) for matrix in self.matrices.values())


def to_bf16(values: np.ndarray) -> np.ndarray:
    """float32 values rounded to bf16 (nearest even)."""
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) & np.uint32(0xFFFF0000)
    return rounded.view(np.float32)


class _Rows:
    """Collects the entries of one matrix."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self.shape = shape
        self.rows: list[int] = []
        self.columns: list[int] = []
        self.values: list[float] = []

    def add(self, row: int, column: int, value: float) -> None:
        self.rows.append(row)
        self.columns.append(column)
        self.values.append(value)

    def csr(self, where: str) -> Csr:
        rows, columns = np.array(self.rows, np.int64), np.array(self.columns, np.int64)
        exact, inverse = np.unique(rows * self.shape[1] + columns, return_inverse=True)
        summed = np.bincount(inverse, np.array(self.values, np.float64), len(exact)) if len(exact) else np.zeros(0)
        exact, summed = exact[summed != 0], summed[summed != 0]
        values = summed.astype(np.float32)
        wrong = np.flatnonzero(to_bf16(values).astype(np.float64) != summed)
        if len(wrong):
            position = int(exact[wrong[0]])
            raise CircuitError(
                f"weight {summed[wrong[0]]} is not a bf16 number",
                f"{where}, row {position // self.shape[1]}, axis {position % self.shape[1]}",
            )
        offsets = np.searchsorted(exact, np.arange(self.shape[0] + 1) * self.shape[1]).astype(np.int32)
        return Csr(self.shape, offsets, (exact % self.shape[1]).astype(np.int16), values)


def _constant_parts(constant: float, lanes: int, where: str) -> list[float]:
    """The constant as a sum of at most `lanes` bf16 numbers, largest first (one weight on each ONE lane)."""
    parts: list[float] = []
    rest = constant
    while rest:
        if len(parts) == lanes:
            raise CircuitError(f"constant {constant!r} needs more than {lanes} weights of 8 bits", where)
        part = float(to_bf16(np.array([rest], np.float32))[0])
        parts.append(part)
        rest -= part
    return parts


class _LayerWriter:
    """Writes the devices of one layer into matrix rows."""

    def __init__(self, placed: Placed, index: int) -> None:
        g = placed.geometry
        self.placed, self.index = placed, index
        shapes = (
            (3 * g.key_rows, g.hidden),
            (g.key_rows, g.hidden),
            (g.heads, g.hidden),
            (g.heads, g.hidden),
            (g.hidden, g.key_rows),
            (g.neurons, g.hidden),
            (g.neurons, g.hidden),
            (g.hidden, g.neurons),
        )
        self.matrix = {name: _Rows(shape) for name, shape in zip(MATRICES, shapes, strict=True)}
        self.conv = np.zeros((3 * g.key_rows, g.conv_taps), np.float32)
        self.conv[:, -1] = 1.0
        self.ones = [placed.axis[lane] for lane in placed.netlist.one]

    def form(self, matrix: str, row: int, form: Linear, gain: float = 1.0) -> None:
        target = self.matrix[matrix]
        for lane, coefficient in form.terms.items():
            target.add(row, self.placed.axis[lane], coefficient * gain)
        where = f"layer {self.index}, {matrix}, row {row}"
        for axis, part in zip(self.ones, _constant_parts(form.constant * gain, len(self.ones), where), strict=False):
            target.add(row, axis, part)

    def head(self, number: int, head: Head) -> None:
        g = self.placed.geometry
        base = number * g.head_dim
        for offset, table in ((0, head.queries), (g.key_rows, head.keys), (2 * g.key_rows, head.values)):
            for position, form in table.items():
                self.form("linear_attn.in_proj_qkv", offset + base + position, form)
        read = dict.fromkeys(dim for dim, _, _ in head.outs)
        for dim in [*read, *(dim for dim in head.gates if dim not in read)]:
            self.form("linear_attn.in_proj_z", base + dim, head.gates.get(dim, Linear(None, GATED_NORM_Z)))
        self.form("linear_attn.in_proj_a", number, head.decay)
        self.form("linear_attn.in_proj_b", number, Linear(None, WRITE_BETA))
        for dim, lane, weight in head.outs:
            self.matrix["linear_attn.out_proj"].add(self.placed.axis[lane], base + dim, weight)
        for dim, tap in head.taps.items():
            self.conv[2 * g.key_rows + base + dim] = 0.0
            self.conv[2 * g.key_rows + base + dim, tap] = 1.0

    def neuron(self, number: int, neuron: Neuron) -> None:
        gain = 1.0 if neuron.raw else GATE_GAIN
        self.form("mlp.gate_proj", number, neuron.gate, gain)
        self.form("mlp.up_proj", number, neuron.up)
        for lane, coefficient in neuron.out.items():
            self.matrix["mlp.down_proj"].add(self.placed.axis[lane], number, coefficient / gain)


def sparse_layer(placed: Placed, index: int) -> SparseLayer:
    """The weights of layer `index`. Raises CircuitError when one of them is not exactly a bf16 number."""
    writer = _LayerWriter(placed, index)
    layer = placed.netlist.layers.get(index)
    for number, head in enumerate(layer.heads if layer else []):
        writer.head(number, head)
    for number, neuron in enumerate(placed.neurons(index)):
        writer.neuron(number, neuron)
    g = placed.geometry
    norm = NORM_WEIGHT if layer is None or layer.norm_weight is None else layer.norm_weight
    return SparseLayer(
        {name: rows.csr(f"layer {index}, {name}") for name, rows in writer.matrix.items()},
        writer.conv,
        np.zeros(g.heads, np.float32),
        np.full(g.heads, DT_BIAS, np.float32),
        np.ones(g.head_dim, np.float32),
        norm,
    )


def sparse_layers(placed: Placed, indices: Iterable[int] | None = None) -> dict[int, SparseLayer]:
    """Every layer that has devices (or the given ones)."""
    return {index: sparse_layer(placed, index) for index in (sorted(placed.netlist.layers) if indices is None else indices)}


def fill_stock_layer(module: nn.Module, sparse: SparseLayer) -> None:
    """Set every parameter of a stock `Qwen3_5DecoderLayer` (linear attention) to the compiled weights, densely."""
    values = {f"{name}.weight": matrix.dense() for name, matrix in sparse.matrices.items()}
    values.update(small_tensors(sparse))
    parameters = dict(module.named_parameters())
    if parameters.keys() != values.keys():
        raise CircuitError(
            f"the layer has parameters {sorted(parameters.keys() ^ values.keys())} that differ",
            type(module).__name__,
            "use the transformers release that pyproject.toml names",
        )
    with torch.no_grad():
        for name, parameter in parameters.items():
            parameter.copy_(torch.from_numpy(np.ascontiguousarray(values[name])))


def small_tensors(sparse: SparseLayer) -> dict[str, np.ndarray]:
    """The dense tensors of a layer by stock name (float32 holding exact bf16)."""
    hidden = sparse.matrices["mlp.gate_proj"].shape[1]
    norm = np.full(hidden, sparse.norm_weight, np.float32)
    return {
        "linear_attn.conv1d.weight": sparse.conv[:, None, :],
        "linear_attn.A_log": sparse.a_log,
        "linear_attn.dt_bias": sparse.dt_bias,
        "linear_attn.norm.weight": sparse.gated_norm,
        "input_layernorm.weight": norm,
        "post_attention_layernorm.weight": norm,
    }


def write_layers(
    path: Path,
    layers: Mapping[int, SparseLayer],
    *,
    metadata: Mapping[str, str],
    token_codes: Iterable[int],
    code_axes: Iterable[int],
    mute_axes: Iterable[int],
) -> None:
    """Write `machine.safetensors` with its content hash. Equal arguments give equal bytes.

    layers: 0 .. n-1, all present. metadata: spec, builder and map (see `builder.machine`).
    token_codes: 16-bit code per machine token, in id order.
    """
    if sorted(layers) != list(range(len(layers))):
        raise CircuitError(f"layers {sorted(layers)} are not 0 .. {len(layers) - 1}", str(path))
    tensors: dict[str, RawTensor] = {}
    for index, layer in sorted(layers.items()):
        for name, matrix in layer.matrices.items():
            tensors[f"layers.{index}.{name}.rows"] = _raw("I32", matrix.offsets.astype("<i4"))
            tensors[f"layers.{index}.{name}.columns"] = _raw("I16", matrix.columns.astype("<i2"))
            tensors[f"layers.{index}.{name}.values"] = _raw("BF16", bf16_bits(matrix.values))
        for name, value in small_tensors(layer).items():
            tensors[f"layers.{index}.{name}"] = _raw("BF16", bf16_bits(value))
    for name, numbers in (("tokens.codes", token_codes), ("tokens.code_lanes", code_axes), ("mute.axes", mute_axes)):
        tensors[name] = _raw("I32", np.array(list(numbers), "<i4"))
    write_container(path, {"format": FORMAT, "layers": str(len(layers)), **metadata}, tensors)


def _raw(dtype: str, values: np.ndarray) -> RawTensor:
    return RawTensor(dtype, values.shape, values.tobytes())


def bf16_bits(values: np.ndarray) -> np.ndarray:
    """The 16 bits of float32 values that are exactly bf16 numbers, little-endian."""
    return (np.ascontiguousarray(values, np.float32).view(np.uint32) >> np.uint32(16)).astype("<u2")


def lane_axes(placed: Placed, lanes: Iterable[Lane]) -> list[int]:
    """Axes of lanes, in order."""
    return [placed.axis[lane] for lane in lanes]
