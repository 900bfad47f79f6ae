"""The compiled layers' nonzeros, read from `machine.safetensors` and checked; nothing else is needed to run the machine.

Reading refuses a file whose content does not match its hash, so a weight cannot change unnoticed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from .machine.container import FORMAT, HASH, REBUILD, RawTensor, content_hash, read_container
from .machine.errors import GpuError, InputError
from .machine.spec import MachineSpec
from .machine.state_map import StateMap
from .machine.tokens import CODE_BITS

QKV, Z, A, B, OUT = (f"linear_attn.{name}" for name in ("in_proj_qkv", "in_proj_z", "in_proj_a", "in_proj_b", "out_proj"))
GATE, UP, DOWN = (f"mlp.{name}" for name in ("gate_proj", "up_proj", "down_proj"))
CONV, A_LOG, DT_BIAS, GATED_NORM = (f"linear_attn.{name}" for name in ("conv1d.weight", "A_log", "dt_bias", "norm.weight"))
INPUT_NORM, POST_NORM = "input_layernorm.weight", "post_attention_layernorm.weight"


@dataclass(frozen=True)
class Matrix:
    """A sparse matrix by rows (CSR).

    offsets: int32 [rows + 1]. columns: int32 [nonzeros]. values: float32 [nonzeros], each exactly a bf16 number.
    """

    shape: tuple[int, int]
    offsets: np.ndarray
    columns: np.ndarray
    values: np.ndarray

    def rows(self) -> np.ndarray:
        """The row of every nonzero, int64 [nonzeros]."""
        return np.repeat(np.arange(self.shape[0]), np.diff(self.offsets))


@dataclass(frozen=True)
class LayerWeights:
    """One compiled layer: matrices by stock name (`linear_attn.in_proj_qkv`, ..), vectors by stock parameter name."""

    matrices: Mapping[str, Matrix]
    vectors: Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Machine:
    """A machine file's content.

    codes:      int64 [tokens], the 16-bit code of every machine token, by id
    code_lanes: int64 [64], residual axes of the token code
    mute_axes:  int64 [spec.mute_axes], axes that no machine token and no circuit touches
    state:      where the memory lies in the recurrent state; None in a piece of a machine that has none
    content:    the file's content hash
    """

    spec: MachineSpec
    layers: tuple[LayerWeights, ...]
    codes: np.ndarray
    code_lanes: np.ndarray
    mute_axes: np.ndarray
    state: StateMap | None
    builder: str
    content: str


def layer_shapes(spec: MachineSpec) -> dict[str, tuple[int, ...]]:
    """Shape of every tensor of a compiled layer, matrices and vectors, by stock name."""
    value, hidden, neurons = spec.heads * spec.head_dim, spec.hidden, spec.intermediate
    return {
        QKV: (3 * value, hidden),
        Z: (value, hidden),
        A: (spec.heads, hidden),
        B: (spec.heads, hidden),
        OUT: (hidden, value),
        GATE: (neurons, hidden),
        UP: (neurons, hidden),
        DOWN: (hidden, neurons),
        CONV: (3 * value, 1, spec.conv_kernel),
        A_LOG: (spec.heads,),
        DT_BIAS: (spec.heads,),
        GATED_NORM: (spec.head_dim,),
        INPUT_NORM: (hidden,),
        POST_NORM: (hidden,),
    }


MATRICES: Final = (QKV, Z, A, B, OUT, GATE, UP, DOWN)
VECTORS: Final = (CONV, A_LOG, DT_BIAS, GATED_NORM, INPUT_NORM, POST_NORM)


def read_machine(path: Path) -> Machine:
    """Read and check a machine file. Raises InputError: missing, foreign, truncated, altered, malformed (names the tensor)."""
    metadata, tensors = read_container(path)
    where = str(path)
    if metadata.get("format") != FORMAT:
        raise InputError(f"not a machine file of this version (format {metadata.get('format')!r})", where, REBUILD)
    content = content_hash(metadata, tensors)
    if metadata.get(HASH) != content:
        raise InputError("altered file: its content does not match its hash", where, REBUILD)
    try:
        spec = MachineSpec.from_json(metadata["spec"])
        layers = tuple(_layer(tensors, index, spec) for index in range(int(metadata["layers"])))
        state = StateMap.from_json(metadata["map"]) if "map" in metadata else None
        codes, code_lanes, mute_axes = (_integers(tensors, name) for name in ("tokens.codes", "tokens.code_lanes", "mute.axes"))
        _check_tokens(codes, code_lanes, spec)
    except GpuError as error:
        raise InputError(error.what, where, REBUILD) from error
    except (KeyError, ValueError, TypeError) as error:
        raise InputError(f"the machine file is malformed ({error})", where, REBUILD) from error
    return Machine(spec, layers, codes, code_lanes, mute_axes, state, metadata.get("builder", ""), content)


def _integers(tensors: Mapping[str, RawTensor], name: str) -> np.ndarray:
    return tensors[name].numbers().astype(np.int64)


def _check_tokens(codes: np.ndarray, code_lanes: np.ndarray, spec: MachineSpec) -> None:
    if len(np.unique(codes)) != len(codes) or codes.min() < 0 or codes.max() >> CODE_BITS:
        raise ValueError("tokens.codes: a code is repeated or longer than 16 bits")
    if code_lanes.shape != (spec.code_lanes,) or code_lanes.min() < 0 or code_lanes.max() >= spec.hidden:
        raise ValueError("tokens.code_lanes: not one residual axis a lane")


def _layer(tensors: Mapping[str, RawTensor], index: int, spec: MachineSpec) -> LayerWeights:
    shapes, prefix = layer_shapes(spec), f"layers.{index}."
    return LayerWeights(
        {name: _matrix(tensors, prefix + name, shapes[name]) for name in MATRICES},
        {name: _vector(tensors, prefix + name, shapes[name]) for name in VECTORS},
    )


def _vector(tensors: Mapping[str, RawTensor], name: str, shape: tuple[int, ...]) -> np.ndarray:
    tensor = tensors[name]
    if tensor.shape != shape or tensor.dtype != "BF16":
        raise ValueError(f"{name} is {tensor.dtype} {list(tensor.shape)}, not BF16 {list(shape)}")
    return tensor.numbers()


def _matrix(tensors: Mapping[str, RawTensor], name: str, shape: tuple[int, ...]) -> Matrix:
    offsets, columns = (tensors[f"{name}.{part}"].numbers().astype(np.int32) for part in ("rows", "columns"))
    values = _vector(tensors, f"{name}.values", columns.shape)
    if (
        offsets.shape != (shape[0] + 1,)
        or offsets[0]
        or offsets[-1] != len(columns)
        or (np.diff(offsets) < 0).any()
        or (columns.size and not 0 <= columns.min() <= columns.max() < shape[1])
        or not np.isfinite(values).all()
    ):
        raise ValueError(f"{name}: rows, columns and values do not form a {shape[0]} x {shape[1]} matrix")
    return Matrix((shape[0], shape[1]), offsets, columns, values)


def total_nonzeros(layers: Iterable[LayerWeights]) -> int:
    """Nonzero weights of the matrices."""
    return sum(len(matrix.values) for layer in layers for matrix in layer.matrices.values())
