"""The compact runtime: the compiled layers without their zeros, exact and fast.

It is a sparse transformer executor. It knows lanes, heads, keys and neurons, nothing of what they mean: no token kinds, no
registers. It shares no code with the reference interpreter. Every value it computes equals the stock bf16 module's, bit for
bit, because it rounds where the stock code (transformers 5.24, `modeling_qwen3_5.py`) rounds:

| step | stock code | here |
|---|---|---|
| projections | bf16 x bf16, fp32 sums, one rounding | float32 CSR product, `round_bf16` |
| silu, sigmoid of bf16 | float32 inside, rounded to bf16 | tables over all 65,536 bf16 numbers, filled by torch itself |
| RMSNorm | float32, times 1 + w, rounded | same |
| l2norm, delta rule | float32 | same, on the rows that a key or a query touches |
| gated norm | float32, rounded, times w in bf16, times silu(z) in float32, rounded | same, on heads that are read |
| residual | bf16 sum | float32 sum of bf16 numbers, rounded once |

Only the order of float32 sums differs. The circuits' sums are integers (or quarters) far below 2**24 in units of their last
place, so every order gives the same sum; where a sum is rounded (norms), the builder asserts margins of 2**-9 relative
against the 2**-22 that an order can change.

What is skipped is exactly zero: a head whose query is 0 reads 0; a head whose key is 0 and whose decay is 1 keeps its state; a
neuron whose gate's silu is 0 adds 0. A layer's projections and its MLP are functions of their normalised input lanes alone,
so results are kept by those lanes' bytes: on most tokens most layers see nothing new.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Generic, NamedTuple, TypeVar

import numpy as np
import scipy.sparse
import torch
from torch.nn import functional

from . import weights
from .machine.tokens import code_signs
from .weights import LayerWeights, Machine, Matrix

EPSILON: Final = np.float32(1e-6)
"""`rms_norm_eps` of the family, and the stock l2norm's own constant."""
TOKEN_SCALE: Final = np.float32(2.0**-5)
"""A machine token's embedding row holds its code's signs times this on the code lanes, 0 elsewhere."""
KEPT: Final = 128
"""Results kept per projection. A token visits each once; the kinds that alternate in a loop are far fewer."""
PIECE: Final = 256
"""Tokens that run through the layers together: bounds memory, and the time until a cancellation is noticed."""

Watch = Callable[[int, np.ndarray], None]
"""Called with (layer, residual [tokens, hidden] float32) after every layer."""


# ---------------------------------------------------------------- bf16 arithmetic
def _bf16_bits(x: np.ndarray) -> np.ndarray:
    """The 16 bits of float32 values rounded to bf16, nearest even, as uint32."""
    bits = x.view(np.uint32)
    return (bits + (np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1)))) >> np.uint32(16)


def round_bf16(x: np.ndarray) -> np.ndarray:
    """float32 values rounded to bf16 (nearest even), as float32. Finite values only."""
    return (_bf16_bits(x) << np.uint32(16)).view(np.float32)


def _table(function: Callable[[torch.Tensor], torch.Tensor], inner: torch.dtype) -> np.ndarray:
    """function(x) as float32 for every bf16 number x by its bits, computed in `inner` as the stock code does."""
    every = torch.arange(1 << 16, dtype=torch.int32).to(torch.uint16).view(torch.bfloat16)
    return function(every.to(inner)).float().numpy()


SILU: Final = _table(functional.silu, torch.bfloat16)
SILU_FLOAT: Final = _table(functional.silu, torch.float32)
SIGMOID: Final = _table(torch.sigmoid, torch.bfloat16)


def _inverse_root(mean_square: np.ndarray) -> np.ndarray:
    """1 / sqrt(x + eps) in float32; torch's rsqrt is the same two correctly rounded operations on the CPU."""
    return np.float32(1) / np.sqrt(mean_square + EPSILON)


# ---------------------------------------------------------------- compiled form
Result = TypeVar("Result")


@dataclass
class Recent(Generic[Result]):
    """The last `KEPT` results of a pure function, by the bytes of its argument."""

    known: dict[bytes, Result] = field(default_factory=dict)

    def rows(self, x: np.ndarray, compute: Callable[[np.ndarray], Sequence[Result]]) -> list[Result]:
        """The result of every row of x; `compute` is called once, with the rows not known yet, each once."""
        keys = [row.tobytes() for row in x]
        missing = {key: row for row, key in enumerate(keys) if key not in self.known}
        fresh = dict(zip(missing, compute(x[list(missing.values())]), strict=True)) if missing else {}
        results = [self._use(key) if key in self.known else fresh[key] for key in keys]
        for key, result in fresh.items():
            self._keep(key, result)
        return results

    def _use(self, key: bytes) -> Result:
        result = self.known.pop(key)
        self.known[key] = result
        return result

    def _keep(self, key: bytes, result: Result) -> None:
        if len(self.known) >= KEPT:
            self.known.pop(next(iter(self.known)))
        self.known[key] = result


@dataclass(frozen=True)
class Product:
    """A sparse product over the input lanes that it needs: y = matrix @ x[columns]."""

    columns: np.ndarray
    matrix: scipy.sparse.csr_array

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """float32 sums [tokens, rows] for x [tokens, columns]."""
        if len(x) == 1:
            return (self.matrix @ x[0])[None]
        return np.ascontiguousarray((self.matrix @ np.ascontiguousarray(x.T)).T)


def _csr(matrix: Matrix) -> scipy.sparse.csr_array:
    return scipy.sparse.csr_array((matrix.values, matrix.columns, matrix.offsets), matrix.shape)


def _product(*parts: tuple[Matrix, np.ndarray]) -> Product:
    """The product of the given rows of the matrices, stacked, over the columns that occur."""
    stacked = scipy.sparse.csr_array(scipy.sparse.vstack([_csr(matrix)[rows] for matrix, rows in parts], format="csr"))
    columns = np.unique(stacked.indices)
    return Product(columns, scipy.sparse.csr_array(
        (stacked.data, np.searchsorted(columns, stacked.indices).astype(np.int32), stacked.indptr.astype(np.int32)),
        (stacked.shape[0], len(columns))))


def _filled(matrix: Matrix) -> np.ndarray:
    """Rows that hold a nonzero."""
    return np.flatnonzero(np.diff(matrix.offsets))


@dataclass(frozen=True)
class Norm:
    """A layer's RMSNorm on the lanes that are read: `gain` is 1 + w of `columns`."""

    columns: np.ndarray
    gain: np.ndarray

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """bf16 values (as float32) [tokens, columns] of the normalised residual x [tokens, hidden]."""
        mean_square = np.vecdot(x, x)[:, None] / np.float32(x.shape[1])
        return round_bf16(x.take(self.columns, axis=1) * _inverse_root(mean_square) * self.gain)


@dataclass(frozen=True)
class Pairs:
    """Nonzeros of the normalised keys (or queries) of one token: slot [n] ascending, row [n], value float32 [n, 1].

    slots: the different slots. first: where each begins in `slot`; None when each has one nonzero.
    """

    slot: np.ndarray
    row: np.ndarray
    value: np.ndarray
    slots: np.ndarray
    first: np.ndarray | None

    def read(self, heads: np.ndarray) -> np.ndarray:
        """sum over rows of state * value, float32 [slots, dims], from the state `heads` [all slots, rows, dims]."""
        rows = heads[self.slot, self.row] * self.value
        return rows if self.first is None else np.add.reduceat(rows, self.first, axis=0)

    def write(self, heads: np.ndarray, values: np.ndarray, beta: np.ndarray) -> None:
        """The delta rule on the keyed rows: state += key * (value - read) * beta, in place. values [all slots, dims]."""
        delta = (values[self.slots] - self.read(heads)) * beta[self.slots]
        if self.first is not None:
            delta = delta[np.searchsorted(self.slots, self.slot)]
        heads[self.slot, self.row] += self.value * delta


@dataclass(frozen=True)
class Touch:
    """What a token does to the heads of a layer.

    decays: (head slot, factor) where the factor is not exactly 1. keys, queries: None where nothing is written or read
    """

    decays: tuple[tuple[int, np.float32], ...] = ()
    keys: Pairs | None = None
    queries: Pairs | None = None


NOTHING: Final = Touch()


class Written(NamedTuple):
    """What a token offers to write: values float32 [slots, dims] and beta float32 [slots, 1]."""

    values: np.ndarray
    beta: np.ndarray


@dataclass(frozen=True)
class Projection:
    """Some rows of a layer's input projections, and the conv over their past.

    Rows come in two parts: *placed* ones belong to a dim of a head (q, k, v, z), the rest to a head (a, b).

    at:    where the product's lanes stand among the norm's
    place: where the placed rows stand in [kinds, slots, head_dim], flat; kinds are q and k, or one
    slots: the slot of each row of the rest
    taps:  conv weights float32 [taps, placed rows]; None when no row looks back (weights 0, .., 0, 1)
    """

    product: Product
    at: np.ndarray
    place: np.ndarray
    slots: np.ndarray
    taps: np.ndarray | None

    def lanes(self, normed: np.ndarray, past: Sequence[np.ndarray], tokens: Sequence[int]) -> np.ndarray:
        """All lanes that the results of `tokens` depend on [len(tokens), lanes]: the token's, or also the past ones'."""
        if self.taps is None:
            return (normed if len(tokens) == len(normed) else normed[tokens]).take(self.at, axis=1)
        rows = np.concatenate([np.stack(past)[1:], normed]).take(self.at, axis=1)
        return rows[np.add.outer(tokens, np.arange(len(self.taps)))].reshape(len(tokens), -1)

    def bits(self, lanes: np.ndarray) -> np.ndarray:
        """bf16 bits uint32 [tokens, rows] of the projections, the conv behind them."""
        if self.taps is None:
            return _bf16_bits(self.product(lanes))
        taps, placed = self.taps.shape
        every = round_bf16(self.product(lanes.reshape(len(lanes) * taps, -1))).reshape(len(lanes), taps, -1)
        now = every[:, -1].copy()
        now[:, :placed] = (every[:, :, :placed] * self.taps).sum(1, dtype=np.float32)
        return _bf16_bits(now)

    def spread(self, values: np.ndarray, slots: int, dims: int) -> np.ndarray:
        """Placed values [placed rows] as [slots, dims], 0 where there is no row."""
        full = np.zeros(slots * dims, np.float32)
        full[self.place] = values
        return full.reshape(slots, dims)


@dataclass(frozen=True)
class Mixer:
    """The gated DeltaNet of one layer, its used heads numbered by slot.

    heads:   head number of every slot
    norm:    lanes that any projection reads
    address: q and k rows (kinds 0 and 1), then a rows
    value:   v rows, then b rows; needed where a key is not 0
    gate:    z rows; needed where a query is not 0
    a_log, dt_bias: float32 [slots]. gated_norm: float32 [head_dim].
    out:     over columns slot * head_dim + dim, onto the residual lanes `rows`
    """

    heads: np.ndarray
    head_dim: int
    taps: int
    norm: Norm
    address: Projection
    value: Projection
    gate: Projection
    a_log: np.ndarray
    dt_bias: np.ndarray
    gated_norm: np.ndarray
    out: Product
    rows: np.ndarray
    touches: Recent[Touch] = field(default_factory=Recent)
    decays: Recent[tuple[tuple[int, np.float32], ...]] = field(default_factory=Recent)
    written: Recent[Written] = field(default_factory=Recent)
    gates: Recent[np.ndarray] = field(default_factory=Recent)


@dataclass(frozen=True)
class Mlp:
    """The MLP of one layer without its dead neurons: gate and up rows stacked (`inner`), then `down` onto the
    residual lanes `rows`."""

    norm: Norm
    inner: Product
    down: Product
    rows: np.ndarray
    deltas: Recent[np.ndarray] = field(default_factory=Recent)


@dataclass(frozen=True)
class CompiledLayer:
    """One layer as the runtime executes it; a part that adds 0 is absent."""

    mixer: Mixer | None
    mlp: Mlp | None


@dataclass
class LayerState:
    """State of one layer between tokens.

    heads: float32 [slots, key rows, value dims]. past: normalised lanes of the last `taps` tokens, from which the conv state
    follows; each [lanes of the mixer's norm], never changed once they are in here.
    """

    heads: np.ndarray
    past: deque[np.ndarray]

    def copy(self) -> LayerState:
        """An independent copy."""
        return LayerState(self.heads.copy(), self.past.copy())


# ---------------------------------------------------------------- compilation
def compile_layer(layer: LayerWeights, head_dim: int) -> CompiledLayer:
    """The executable form of a layer's weights."""
    return CompiledLayer(_compile_mixer(layer, head_dim), _compile_mlp(layer))


def _restrict(matrix: Matrix, columns: np.ndarray) -> Matrix:
    """The matrix with only these columns, renumbered."""
    part = scipy.sparse.csr_array(_csr(matrix)[:, columns])
    return Matrix((matrix.shape[0], len(columns)), part.indptr, part.indices, part.data)


def _norm(columns: np.ndarray, weight: np.ndarray) -> Norm:
    return Norm(columns, np.float32(1) + weight[columns])


def _compile_mlp(layer: LayerWeights) -> Mlp | None:
    gate, up, down = (layer.matrices[name] for name in (weights.GATE, weights.UP, weights.DOWN))
    neurons = np.intersect1d(np.intersect1d(_filled(gate), _filled(up)), down.columns)
    if not len(neurons):
        return None
    inner, outer = _product((gate, neurons), (up, neurons)), _restrict(down, neurons)
    rows = _filled(outer)
    return Mlp(_norm(inner.columns, layer.vectors[weights.POST_NORM]), inner, _product((outer, rows)), rows)


def _compile_mixer(layer: LayerWeights, head_dim: int) -> Mixer | None:
    qkv, z, a, b, out = (layer.matrices[name] for name in (weights.QKV, weights.Z, weights.A, weights.B, weights.OUT))
    width, filled = qkv.shape[0] // 3, _filled(qkv)
    heads = np.unique(filled % width // head_dim)
    if not len(heads):
        return None
    slot_of = np.full(width // head_dim, -1)
    slot_of[heads] = np.arange(len(heads))
    conv = layer.vectors[weights.CONV][:, 0]
    mixed = filled[slot_of[filled % width // head_dim] >= 0]
    pair, values = mixed[mixed < 2 * width], mixed[mixed >= 2 * width]
    gates = _filled(z)[slot_of[_filled(z) // head_dim] >= 0]
    decays, betas = (_filled(m)[slot_of[_filled(m)] >= 0] for m in (a, b))
    products = _product((qkv, pair), (a, decays)), _product((qkv, values), (b, betas)), _product((z, gates))
    norm = _norm(np.unique(np.concatenate([p.columns for p in products])), layer.vectors[weights.INPUT_NORM])

    def projection(product: Product, placed: np.ndarray, rest: np.ndarray, taps: np.ndarray | None) -> Projection:
        kind, slot = placed // width % 2, slot_of[placed % width // head_dim]
        looks_back = taps is not None and bool((taps[:, -1] != 1).any() or taps[:, :-1].any())
        return Projection(product, np.searchsorted(norm.columns, product.columns),
                          (kind * len(heads) + slot) * head_dim + placed % head_dim, slot_of[rest],
                          np.ascontiguousarray(taps.T) if looks_back else None)

    read = _restrict(out, (heads[:, None] * head_dim + np.arange(head_dim)).ravel())
    rows = _filled(read)
    return Mixer(heads, head_dim, conv.shape[1], norm, projection(products[0], pair, decays, conv[pair]),
                 projection(products[1], values, betas, conv[values]),
                 projection(products[2], gates, decays[:0], None),
                 layer.vectors[weights.A_LOG][heads], layer.vectors[weights.DT_BIAS][heads],
                 layer.vectors[weights.GATED_NORM], _product((read, rows)), rows)


# ---------------------------------------------------------------- execution
def fresh_state(layer: CompiledLayer) -> LayerState:
    """The state before the first token."""
    mixer = layer.mixer
    if mixer is None:
        return LayerState(np.zeros((0, 0, 0), np.float32), deque())
    blank = np.zeros(len(mixer.norm.columns), np.float32)
    return LayerState(np.zeros((len(mixer.heads), mixer.head_dim, mixer.head_dim), np.float32),
                      deque([blank] * mixer.taps, maxlen=mixer.taps))


def run_layer(layer: CompiledLayer, state: LayerState, x: np.ndarray) -> None:
    """Take the residual x [tokens, hidden] (bf16 numbers as float32) through a layer, in place; updates the state."""
    if layer.mixer is not None:
        change = _mix(layer.mixer, state, x)
        if change is not None:
            _add(x, layer.mixer.rows, change)
    if layer.mlp is not None:
        mlp = layer.mlp
        normed = mlp.norm(x)
        _add(x, mlp.rows, np.stack(mlp.deltas.rows(normed, lambda lanes: _mlp(mlp, lanes))))


def _add(x: np.ndarray, lanes: np.ndarray, change: np.ndarray) -> None:
    """The residual sum: bf16 of the float32 sum of two bf16 numbers."""
    x[:, lanes] = round_bf16(x.take(lanes, axis=1) + change)


def _mlp(mlp: Mlp, lanes: np.ndarray) -> Sequence[np.ndarray]:
    """What the MLP adds, by row, for every row of normalised lanes."""
    bits = _bf16_bits(mlp.inner(lanes))
    neurons = bits.shape[1] // 2
    up = (bits[:, neurons:] << np.uint32(16)).view(np.float32)
    return list(round_bf16(mlp.down(round_bf16(SILU.take(bits[:, :neurons]) * up))))


def _mix(mixer: Mixer, state: LayerState, x: np.ndarray) -> np.ndarray | None:
    """What the mixer adds on its output lanes [tokens, lanes]; None when it adds 0 to every token. Updates the state."""
    normed, past = mixer.norm(x), tuple(state.past)
    state.past.extend(normed)
    everyone = range(len(x))
    touches = mixer.touches.rows(mixer.address.lanes(normed, past, everyone), lambda lanes: _touches(mixer, lanes))
    writers = [t for t in everyone if touches[t].keys is not None]
    written = dict(zip(writers, mixer.written.rows(
        mixer.value.lanes(normed, past, writers), lambda lanes: _written(mixer, lanes)), strict=True)) if writers else {}
    readers, reads = [], []
    for t in everyone:
        touch = touches[t]
        if touch is NOTHING:
            continue
        for slot, factor in touch.decays:
            state.heads[slot] *= factor
        if touch.keys is not None:
            touch.keys.write(state.heads, *written[t])
        if touch.queries is not None:
            readers.append((t, touch.queries.slots))
            reads.append(touch.queries.read(state.heads))
    return _output(mixer, normed, readers, reads) if readers else None


def _touches(mixer: Mixer, lanes: np.ndarray) -> list[Touch]:
    bits = mixer.address.bits(lanes)
    placed = len(mixer.address.place)
    pre = np.zeros((len(lanes), len(mixer.heads)), np.float32)
    pre[:, mixer.address.slots] = (bits[:, placed:] << np.uint32(16)).view(np.float32)
    factors = mixer.decays.rows(pre, lambda rows: _decays(mixer, rows))
    size = len(mixer.heads) * mixer.head_dim
    touches = []
    for row, decay in zip(SILU.take(bits[:, :placed]), factors, strict=True):
        hit = np.flatnonzero(row)
        place, values = mixer.address.place[hit], row[hit]
        keyed = place >= size
        queries = _unit(place[~keyed], values[~keyed], mixer.head_dim)
        if queries is not None:
            queries = replace(queries, value=queries.value / np.float32(mixer.head_dim**0.5))
        keys = _unit(place[keyed] - size, values[keyed], mixer.head_dim)
        touches.append(Touch(decay, keys, queries) if decay or len(hit) else NOTHING)
    return touches


def _decays(mixer: Mixer, pre: np.ndarray) -> list[tuple[tuple[int, np.float32], ...]]:
    """exp(-exp(A_log) * softplus(a + dt_bias)) of every slot where it is not exactly 1, for rows of bf16 a."""
    step = functional.softplus(torch.from_numpy(pre + mixer.dt_bias))
    factors = (-torch.from_numpy(mixer.a_log).exp() * step).exp().numpy()
    return [tuple((int(slot), row[slot]) for slot in np.flatnonzero(row != 1)) for row in factors]


def _unit(place: np.ndarray, values: np.ndarray, dims: int) -> Pairs | None:
    """l2-normalised heads of the nonzero `values` at flat `place` (slot * dims + row, ascending)."""
    if not len(place):
        return None
    slot, row = np.divmod(place, dims)
    slots, first, counts = np.unique(slot, return_index=True, return_counts=True)
    inverse = _inverse_root(np.add.reduceat(values * values, first))
    return Pairs(slot, row, (values * np.repeat(inverse, counts))[:, None], slots, None if len(slots) == len(slot) else first)


def _written(mixer: Mixer, lanes: np.ndarray) -> list[Written]:
    bits = mixer.value.bits(lanes)
    placed, slots = len(mixer.value.place), len(mixer.heads)
    beta = np.full((len(lanes), slots, 1), SIGMOID[0], np.float32)
    beta[:, mixer.value.slots, 0] = SIGMOID.take(bits[:, placed:])
    return [Written(mixer.value.spread(row, slots, mixer.head_dim), strength)
            for row, strength in zip(SILU.take(bits[:, :placed]), beta, strict=True)]


def _gates(mixer: Mixer, lanes: np.ndarray) -> list[np.ndarray]:
    """silu(z) float32 [slots, head_dim] for every row of lanes."""
    return [mixer.gate.spread(row, len(mixer.heads), mixer.head_dim) for row in SILU_FLOAT.take(mixer.gate.bits(lanes))]


def _output(mixer: Mixer, normed: np.ndarray, readers: Sequence[tuple[int, np.ndarray]],
            reads: Sequence[np.ndarray]) -> np.ndarray:
    """Gated norm and output projection [tokens, output lanes] of what the readers (token, slots) read [slots, dims]."""
    tokens = [t for t, _ in readers]
    gates = mixer.gates.rows(mixer.gate.lanes(normed, (), tokens), lambda lanes: _gates(mixer, lanes))
    core = round_bf16(np.concatenate(reads))
    scale = _inverse_root(np.vecdot(core, core)[:, None] / np.float32(mixer.head_dim))
    unit = round_bf16(mixer.gated_norm * round_bf16(core * scale))
    gate = np.concatenate([table[slots] for table, (_, slots) in zip(gates, readers, strict=True)])
    full = np.zeros((len(normed), len(mixer.heads), mixer.head_dim), np.float32)
    full[np.repeat(tokens, [len(slots) for _, slots in readers]), np.concatenate([slots for _, slots in readers])] = (
        round_bf16(unit * gate))
    return round_bf16(mixer.out(full.reshape(len(normed), -1).take(mixer.out.columns, axis=1)))


class CompactRuntime:
    """A machine file's layers as an engine: feed tokens, get the token that the machine says next.

    first_id: id of the machine's first token in the checkpoint (the base's vocabulary size; 0 without a base).
    Tokens are counted from 0 here.
    """

    name: Final = "compact"
    device: Final = "cpu"
    piece: Final = PIECE

    def __init__(self, machine: Machine, first_id: int = 0, watch: Watch | None = None) -> None:
        spec = machine.spec
        self.machine, self.first_id, self._watch = machine, first_id, watch
        self._layers = [compile_layer(layer, spec.head_dim) for layer in machine.layers]
        nibbles = np.array([code_signs(nibble)[:16] for nibble in range(16)], np.float32)
        self._signs = nibbles[machine.codes[:, None] >> np.arange(0, 16, 4) & 15].reshape(len(machine.codes), -1)
        self._by_signs = {key.tobytes(): token for token, key in enumerate(np.packbits(self._signs > 0, axis=1))}
        self._states = [fresh_state(layer) for layer in self._layers]

    def feed(self, tokens: Sequence[int]) -> int:
        """Consume tokens; return the argmax of the machine's logits behind the last one."""
        for start in range(0, len(tokens), self.piece):
            x = self._forward(tokens[start:start + self.piece])
        return self._argmax(x[-1, self.machine.code_lanes])

    def _forward(self, tokens: Sequence[int]) -> np.ndarray:
        x = np.zeros((len(tokens), self.machine.spec.hidden), np.float32)
        x[:, self.machine.code_lanes] = self._signs[np.asarray(tokens)] * TOKEN_SCALE
        for index, (layer, state) in enumerate(zip(self._layers, self._states, strict=True)):
            run_layer(layer, state, x)
            if self._watch is not None:
                self._watch(index, x)
        return x

    def _argmax(self, lanes: np.ndarray) -> int:
        """The first token with the largest inner product of its code's signs with the code lanes."""
        size = np.abs(lanes)
        known = self._by_signs.get(np.packbits(lanes > 0).tobytes())
        if known is not None and size[0] > 0 and (size == size[0]).all():
            return known  # the lanes are its code itself: no other code reaches 64 equal terms of one sign
        return int(np.argmax(self._signs @ lanes))

    def snapshot(self) -> list[LayerState]:
        """The state now, for `restore`."""
        return [state.copy() for state in self._states]

    def restore(self, snapshot: Sequence[LayerState]) -> None:
        """Go back to a state that `snapshot` gave."""
        self._states = [state.copy() for state in snapshot]

    def recurrent_state(self, layer: int, head: int) -> np.ndarray:
        """State of a head [key rows, value dims], float32."""
        mixer, dims = self._layers[layer].mixer, self.machine.spec.head_dim
        slots = np.flatnonzero(mixer.heads == head) if mixer is not None else ()
        return self._states[layer].heads[slots[0]].copy() if len(slots) else np.zeros((dims, dims), np.float32)

    def conv_state(self, layer: int) -> np.ndarray:
        """Conv state [channels, taps] of a layer, float32 holding bf16: the qkv projections of the last tokens."""
        mixer, spec = self._layers[layer].mixer, self.machine.spec
        matrix = self.machine.layers[layer].matrices[weights.QKV]
        full = np.zeros((spec.conv_kernel, spec.hidden), np.float32)
        if mixer is not None:
            full[:, mixer.norm.columns] = np.stack(self._states[layer].past)
        return round_bf16(_csr(matrix) @ np.ascontiguousarray(full.T))
