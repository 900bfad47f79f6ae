"""The compact runtime's inner loop, compiled: `layers.c` over the same nonzeros, bit for bit the same and many times faster.

`CompactRuntime` says what is computed; this one lays its layers out in memory for C. Where no library can be compiled or
loaded, `CompactRuntime` serves.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_double, c_float, c_int32, c_void_p
from importlib import resources
from pathlib import Path
from typing import Final

import numpy as np
import scipy.sparse
import torch
from torch.nn import functional

from .compact import PIECE
from .machine.errors import EnvironmentProblem
from .residual import Norm
from .sparse_mixer import Mixer, Projection, compile_mixer
from .sparse_mlp import Mlp, compile_mlp
from .vocabulary import Vocabulary
from .weights import Machine

KNOWN_DECAYS: Final = 16
"""Decay factors kept of a head; a machine's heads have one or two, of which more are asked again each time."""


def source() -> str:
    """The text of `layers.c`."""
    return resources.files("engine").joinpath("layers.c").read_text(encoding="utf-8")


# ---------------------------------------------------------------- the structures of layers.c
class _Sparse(Structure):
    _fields_ = (("rows", c_int32), ("columns", c_int32), ("offsets", c_void_p), ("row", c_void_p), ("value", c_void_p))


class _Runs(Structure):
    _fields_ = (
        ("rows", c_int32),
        ("columns", c_int32),
        ("offsets", c_void_p),
        ("row", c_void_p),
        ("start", c_void_p),
        ("value", c_void_p),
    )


class _Norm(Structure):
    _fields_ = (("count", c_int32), ("lanes", c_void_p), ("gain", c_void_p), ("low", c_double), ("high", c_double))


class _Mlp(Structure):
    _fields_ = (
        ("live", c_int32),
        ("neurons", c_int32),
        ("written_count", c_int32),
        ("norm", _Norm),
        ("inner", _Sparse),
        ("down", _Sparse),
        ("written", c_void_p),
        ("read", c_void_p),
        ("before", c_void_p),
        ("pre", c_void_p),
        ("added", c_void_p),
    )


class _Projection(Structure):
    _fields_ = (
        ("matrix", _Runs),
        ("at", c_void_p),
        ("read", c_void_p),
        ("placed", c_int32),
        ("rest", c_int32),
        ("place", c_void_p),
        ("slots", c_void_p),
        ("taps", c_void_p),
        ("sums", c_void_p),
    )


class _Mixer(Structure):
    _fields_ = (
        ("live", c_int32),
        ("slots", c_int32),
        ("written_count", c_int32),
        ("read_count", c_int32),
        ("pairs_count", c_int32),
        ("decays_count", c_int32),
        ("norm", _Norm),
        ("address", _Projection),
        ("value", _Projection),
        ("gate", _Projection),
        ("out", _Sparse),
        ("gated_norm", c_void_p),
        ("written", c_void_p),
        ("read", c_void_p),
        ("pairs", c_void_p),
        ("decays", c_void_p),
        ("factors", c_void_p),
        ("factors_count", c_void_p),
        ("offered", c_void_p),
        ("core", c_void_p),
        ("opened", c_void_p),
        ("gated", c_void_p),
        ("added", c_void_p),
        ("heads", c_void_p),
        ("past", c_void_p),
        ("newest", c_void_p),
    )


_ASK_DECAY = CFUNCTYPE(c_float, c_int32, c_int32, c_float)


class _Machine(Structure):
    _fields_ = (
        ("layers", c_int32),
        ("hidden", c_int32),
        ("dims", c_int32),
        ("taps", c_int32),
        ("known", c_int32),
        ("mixers", POINTER(_Mixer)),
        ("mlps", POINTER(_Mlp)),
        ("silu", c_void_p),
        ("sigmoid", c_void_p),
        ("silu_single", c_void_p),
        ("ask", _ASK_DECAY),
        ("residual", c_void_p),
    )


class _State:
    """State of a mixer between tokens, in place: heads [slots, rows, dims], past [taps, lanes], the newest at `newest`."""

    def __init__(self, mixer: Mixer, taps: int) -> None:
        self.heads = np.zeros((len(mixer.heads), mixer.head_dim, mixer.head_dim), np.float32)
        self.past = np.zeros((taps, len(mixer.lanes)), np.float32)
        self.newest = np.zeros(1, np.int32)

    def arrays(self) -> tuple[np.ndarray, ...]:
        """All of it."""
        return self.heads, self.past, self.newest


class _Memory:
    """Arrays that C points into, kept alive."""

    def __init__(self) -> None:
        self._held: list[np.ndarray] = []

    def hold(self, array: np.ndarray, kind: type[np.generic]) -> int:
        """The address of an array's content as `kind`."""
        held = np.ascontiguousarray(array, kind)
        self._held.append(held)
        return held.ctypes.data

    def floats(self, count: int, value: float = 0.0) -> int:
        """The address of new float32 numbers."""
        return self.hold(np.full(count, value, np.float32), np.float32)

    def sparse(self, matrix: scipy.sparse.csr_array) -> _Sparse:
        """A matrix by columns."""
        columns = scipy.sparse.csc_array(matrix)
        return _Sparse(
            *columns.shape,
            self.hold(columns.indptr, np.int32),
            self.hold(columns.indices, np.int32),
            self.hold(columns.data, np.float32),
        )

    def norm(self, norm: Norm, lanes: np.ndarray) -> _Norm:
        """A norm on residual lanes."""
        return _Norm(len(lanes), self.hold(lanes, np.int32), self.hold(norm.gain, np.float32), norm.low, norm.high)

    def mlp(self, mlp: Mlp) -> _Mlp:
        """An MLP with room for its results."""
        read, written = mlp.lanes[: mlp.read], mlp.lanes[mlp.read :]
        return _Mlp(
            1,
            mlp.inner.shape[0] // 2,
            len(written),
            self.norm(mlp.norm, read),
            self.sparse(mlp.inner),
            self.sparse(mlp.down),
            self.hold(written, np.int32),
            self.floats(len(read), np.nan),
            self.floats(len(read)),
            self.floats(mlp.inner.shape[0]),
            self.floats(len(written)),
        )

    def runs(self, matrix: scipy.sparse.csr_array) -> _Runs:
        """A matrix by columns and runs of neighbouring rows."""
        columns = scipy.sparse.csc_array(matrix)
        columns.sort_indices()
        column = np.repeat(np.arange(matrix.shape[1]), np.diff(columns.indptr))
        begins = np.flatnonzero((np.diff(columns.indices, prepend=-2) != 1) | (np.diff(column, prepend=-1) != 0))
        offsets = np.searchsorted(column[begins], np.arange(matrix.shape[1] + 1))
        return _Runs(
            *matrix.shape,
            self.hold(offsets, np.int32),
            self.hold(columns.indices[begins], np.int32),
            self.hold(np.append(begins, columns.nnz), np.int32),
            self.hold(columns.data, np.float32),
        )

    def projection(self, projection: Projection) -> _Projection:
        """A projection with room for its results."""
        (rows, lanes), placed = projection.matrix.shape, len(projection.place)
        taps = None if projection.taps is None else self.hold(projection.taps, np.float32)
        return _Projection(
            self.runs(projection.matrix),
            self.hold(projection.at, np.int32),
            self.floats(lanes, np.nan),
            placed,
            len(projection.slots),
            self.hold(projection.place, np.int32),
            self.hold(projection.slots, np.int32),
            taps,
            self.floats(rows + placed),
        )

    def mixer(self, mixer: Mixer, state: _State) -> _Mixer:
        """A mixer with its state and room for its results."""
        slots, dims = len(mixer.heads), mixer.head_dim
        return _Mixer(
            1,
            slots,
            len(mixer.written),
            len(mixer.read),
            0,
            0,
            self.norm(mixer.norm, mixer.lanes),
            self.projection(mixer.address),
            self.projection(mixer.value),
            self.projection(mixer.gate),
            self.sparse(mixer.out),
            self.hold(mixer.gated_norm.float().numpy(), np.float32),
            self.hold(mixer.written, np.int32),
            self.hold(mixer.read, np.int32),
            self.floats(2 * slots * dims * 4),
            self.floats(slots * 2),
            self.floats(slots * KNOWN_DECAYS * 2),
            self.hold(np.zeros(slots), np.int32),
            self.floats(slots * dims),
            self.floats(dims),
            self.floats(slots * dims),
            self.floats(slots * dims),
            self.floats(len(mixer.written)),
            *(array.ctypes.data for array in state.arrays()),
        )


def _tables() -> tuple[np.ndarray, ...]:
    """silu and sigmoid of every bf16 number as the stock bf16 modules give them, and silu in float32, by the number's bits."""
    every = torch.arange(-(2**15), 2**15, dtype=torch.int32).to(torch.int16).roll(2**15).view(torch.bfloat16)
    return tuple(x.float().numpy() for x in (functional.silu(every), every.sigmoid(), functional.silu(every.float())))


class NativeRuntime:
    """A machine file's layers as an engine, run by a library compiled from `source()`. Tokens are counted from 0 here.

    Raises EnvironmentProblem when the library cannot be loaded.
    """

    name: Final = "compact"
    device: Final = "cpu"
    piece: Final = PIECE

    def __init__(self, machine: Machine, library: Path, first_id: int = 0) -> None:
        self.machine, self.first_id = machine, first_id
        self._forward = _load(library)
        spec, memory, count = machine.spec, _Memory(), len(machine.layers)
        self._mixers = [compile_mixer(layer, spec.head_dim) for layer in machine.layers]
        self._states = [None if mixer is None else _State(mixer, spec.conv_kernel) for mixer in self._mixers]
        mixers = [
            _Mixer() if mixer is None or state is None else memory.mixer(mixer, state)
            for mixer, state in zip(self._mixers, self._states, strict=True)
        ]
        mlps = [_Mlp() if mlp is None else memory.mlp(mlp) for mlp in map(compile_mlp, machine.layers)]
        self._residual = np.zeros(spec.hidden, np.float32)
        self._memory, self._ask = memory, _ASK_DECAY(self._decay)  # C points into them
        self._structure = _Machine(
            count,
            spec.hidden,
            spec.head_dim,
            spec.conv_kernel,
            KNOWN_DECAYS,
            (_Mixer * count)(*mixers),
            (_Mlp * count)(*mlps),
            *(memory.hold(table, np.float32) for table in _tables()),
            self._ask,
            self._residual.ctypes.data,
        )
        self._vocabulary = Vocabulary(machine)

    def _decay(self, layer: int, slot: int, a: float) -> float:
        """exp(-exp(A_log) * softplus(a + dt_bias)) of a head, as the stock module computes it."""
        mixer = self._mixers[layer]
        if mixer is None:
            return 1.0
        pre = torch.tensor(a, dtype=torch.float32) + mixer.dt_bias[slot]
        return float((-mixer.a_log[slot].exp() * functional.softplus(pre)).exp())

    def feed(self, tokens: Sequence[int]) -> int:
        """Consume tokens; return the argmax of the machine's logits behind the last one."""
        for start in range(0, len(tokens), self.piece):
            embedded = self._vocabulary.embed(tokens[start : start + self.piece])
            self._forward(byref(self._structure), embedded.ctypes.data, len(embedded))
        return self._vocabulary.argmax(self._residual)

    def snapshot(self) -> list[tuple[np.ndarray, ...]]:
        """The state now, for `restore`."""
        return [tuple(array.copy() for array in state.arrays()) for state in self._states if state]

    def restore(self, snapshot: Sequence[tuple[np.ndarray, ...]]) -> None:
        """Go back to a state that `snapshot` gave."""
        states = [state for state in self._states if state is not None]
        for state, kept in zip(states, snapshot, strict=True):
            for array, values in zip(state.arrays(), kept, strict=True):
                array[...] = values

    def recurrent_state(self, layer: int, head: int) -> np.ndarray:
        """State of a head [key rows, value dims], float32."""
        mixer, state, dims = self._mixers[layer], self._states[layer], self.machine.spec.head_dim
        if mixer is None or state is None or head not in mixer.heads:
            return np.zeros((dims, dims), np.float32)
        return state.heads[np.searchsorted(mixer.heads, head)].copy()


def _load(library: Path) -> Callable[..., None]:
    """`forward` of layers.c."""
    try:
        forward = ctypes.CDLL(str(library)).forward
    except (OSError, AttributeError) as error:
        raise EnvironmentProblem(f"the executor cannot be loaded: {error}", str(library), "delete this file") from error
    forward.argtypes, forward.restype = (c_void_p, c_void_p, c_int32), None
    return forward
