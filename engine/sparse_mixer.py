"""The gated DeltaNet of one compiled layer: the heads that are used, and of them the rows that a token touches."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
import scipy.sparse
import torch
from torch.nn import functional

from . import weights
from .residual import (
    EPSILON,
    Change,
    Norm,
    Residual,
    bf16,
    csr,
    filled_rows,
    inverse_root,
    norm_of,
    product,
    remember,
    residual_sums,
    resolve,
    round_bf16,
    silu,
    stack,
)
from .weights import LayerWeights


# ---------------------------------------------------------------- what a token does to the heads
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
        """The delta rule on the keyed rows, in place: state += key * (value - read) * beta. values [all slots, dims]."""
        delta = (values[self.slots] - self.read(heads)) * beta[self.slots]
        if self.first is not None:
            delta = delta[np.searchsorted(self.slots, self.slot)]
        heads[self.slot, self.row] += self.value * delta


Decays = tuple[tuple[int, np.float32], ...]
"""(head slot, factor) where the factor is not exactly 1."""


class Touch(NamedTuple):
    """What a token does to the heads of a layer.

    keys, queries: None where nothing is written or read
    """

    decays: Decays
    keys: Pairs | None
    queries: Pairs | None

    def move(self, heads: np.ndarray, offer: Offer | None) -> None:
        """Decay and write the heads [slots, rows, dims], in place. offer: what the keyed heads get."""
        for slot, factor in self.decays:
            heads[slot] *= factor
        if self.keys is not None and offer is not None:
            self.keys.write(heads, *offer)


NOTHING: Final = Touch((), None, None)


class Offer(NamedTuple):
    """What a token offers to write: values float32 [slots, dims] and beta float32 [slots, 1]."""

    values: np.ndarray
    beta: np.ndarray


class Read(NamedTuple):
    """What a token read, and all that its way to the residual depends on.

    gate: lanes of the z rows. before: the residual lanes that are written. slots, core: what was read [slots, dims] where
    """

    gate: np.ndarray
    before: np.ndarray
    slots: np.ndarray
    core: np.ndarray

    def key(self) -> bytes:
        """The bytes of all of it."""
        return b"".join([part.tobytes() for part in self])


def unit_pairs(place: np.ndarray, values: np.ndarray, slots: int, dims: int) -> tuple[Pairs | None, Pairs | None]:
    """Queries and keys, l2-normalised by head, of the nonzero `values` at flat `place` in [2, slots, dims] (ascending).

    Queries are divided by sqrt(dims), as the stock delta rule does.
    """
    slot, row = place // dims, place % dims
    first = np.flatnonzero(np.diff(slot, prepend=-1))
    inverse = inverse_root(np.add.reduceat(values * values, first))
    if len(first) < len(slot):
        inverse = np.repeat(inverse, np.diff(first, append=len(slot)))
    unit, cut, heads = (values * inverse)[:, None], int(np.searchsorted(slot, slots)), int(np.searchsorted(slot[first], slots))
    return (
        _pairs(slot[:cut], row[:cut], unit[:cut] / np.float32(dims**0.5), first[:heads]),
        _pairs(slot[cut:] - slots, row[cut:], unit[cut:], first[heads:] - cut),
    )


def _pairs(slot: np.ndarray, row: np.ndarray, value: np.ndarray, first: np.ndarray) -> Pairs | None:
    if not len(slot):
        return None
    return Pairs(slot, row, value, slot, None) if len(first) == len(slot) else Pairs(slot, row, value, slot[first], first)


# ---------------------------------------------------------------- projections
@dataclass(frozen=True)
class Projection:
    """Some rows of a layer's input projections, and the conv over their past.

    Rows come in two parts: *placed* ones belong to a dim of a head (q, k, v, z), the rest to a head (a, b).

    matrix: over the lanes at `at` of those that the mixer reads
    place:  where the placed rows stand in [kinds, slots, head_dim], flat; kinds are q and k, or one
    slots:  the slot of each row of the rest
    taps:   conv weights float32 [taps, placed rows]; None when no row looks back (weights 0, .., 0, 1)
    """

    matrix: scipy.sparse.csr_array
    at: np.ndarray
    place: np.ndarray
    slots: np.ndarray
    taps: np.ndarray | None

    def lanes(self, past: Sequence[np.ndarray]) -> np.ndarray:
        """The lanes that the result depends on: of the token, last in `past`, or of it and those before, one after another."""
        if self.taps is None:
            return past[-1].take(self.at)
        return np.concatenate([lanes.take(self.at) for lanes in past])

    def sums(self, lanes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Placed rows, the conv behind them, and the rest, float32 [tokens, rows], both still to be rounded to bf16."""
        placed = len(self.place)
        if self.taps is None:
            now = product(self.matrix, lanes)
            return now[:, :placed], now[:, placed:]
        every = product(self.matrix, lanes.reshape(len(lanes) * len(self.taps), -1)).reshape(len(lanes), len(self.taps), -1)
        mixed = (round_bf16(np.ascontiguousarray(every[:, :, :placed])) * self.taps).sum(1, dtype=np.float32)
        return mixed, every[:, -1, placed:]

    def spread(self, values: np.ndarray, slots: int, dims: int) -> np.ndarray:
        """Placed values [tokens, placed rows] as [tokens, slots, dims], 0 where there is no row."""
        full = np.zeros((len(values), slots * dims), np.float32)
        full[:, self.place] = values
        return full.reshape(-1, slots, dims)


# ---------------------------------------------------------------- mixer
@dataclass
class MixerState:
    """State of a mixer between tokens.

    heads: float32 [slots, key rows, value dims]. past: normalised lanes of the last tokens, from which the conv state follows;
    arrays in it are never changed.
    """

    heads: np.ndarray
    past: deque[np.ndarray]

    def copy(self) -> MixerState:
        """An independent copy."""
        return MixerState(self.heads.copy(), self.past.copy())


@dataclass(frozen=True)
class Mixer:
    """The gated DeltaNet of one layer, its used heads numbered by slot.

    heads:   head number of every slot
    lanes:   residual lanes that any projection reads
    address: q and k rows (kinds 0 and 1), then a rows
    value:   v rows, then b rows; needed where a key is not 0
    gate:    z rows; needed where a query is not 0
    a_log, dt_bias: float32 [slots]. gated_norm: bf16 [head_dim]
    out:     over slot * head_dim + dim at `read`, onto the residual lanes `written`
    """

    heads: np.ndarray
    head_dim: int
    lanes: np.ndarray
    norm: Norm
    address: Projection
    value: Projection
    gate: Projection
    a_log: torch.Tensor
    dt_bias: torch.Tensor
    gated_norm: torch.Tensor
    out: scipy.sparse.csr_array
    read: np.ndarray
    written: np.ndarray
    touches: dict[bytes, Touch] = field(default_factory=dict)
    decays: dict[bytes, Decays] = field(default_factory=dict)
    offers: dict[bytes, Offer] = field(default_factory=dict)
    changes: dict[bytes, Change] = field(default_factory=dict)

    def fresh_state(self, taps: int) -> MixerState:
        """The state before the first token."""
        blank = np.zeros(len(self.lanes), np.float32)
        return MixerState(
            np.zeros((len(self.heads), self.head_dim, self.head_dim), np.float32), deque([blank] * taps, maxlen=taps)
        )

    def run(self, state: MixerState, residual: Residual) -> None:
        """Let a token decay, write and read the heads, in this order, and add what it reads to the residual."""
        state.past.append(self.norm(residual.lanes.take(self.lanes), residual.squares))
        lanes = self.address.lanes(state.past)
        key = lanes.tobytes()
        touch = self.touches.get(key)
        if touch is None:
            touch = remember(self.touches, key, self._touches(lanes[None])[0])
        if touch is NOTHING:
            return
        offer = self._offers([self.value.lanes(state.past)])[0] if touch.keys is not None else None
        touch.move(state.heads, offer)
        if touch.queries is not None:
            read = Read(
                self.gate.lanes(state.past),
                residual.lanes.take(self.written),
                touch.queries.slots,
                touch.queries.read(state.heads),
            )
            self._read_out([read])[0].apply(residual)

    def run_many(self, state: MixerState, residuals: Sequence[Residual]) -> None:
        """The same for many tokens one after another, computing together what does not depend on the state."""
        pasts = []
        for residual in residuals:
            state.past.append(self.norm(residual.lanes.take(self.lanes), residual.squares))
            pasts.append(tuple(state.past))
        lanes = [self.address.lanes(past) for past in pasts]
        touches = resolve(
            self.touches, [row.tobytes() for row in lanes], lambda new: self._touches(np.stack([lanes[i] for i in new]))
        )
        writers = [t for t, touch in enumerate(touches) if touch.keys is not None]
        offers = dict(zip(writers, self._offers([self.value.lanes(pasts[t]) for t in writers]), strict=True))
        reads = {}
        for t, (touch, residual) in enumerate(zip(touches, residuals, strict=True)):
            if touch is not NOTHING:
                touch.move(state.heads, offers.get(t))
            if touch.queries is not None:
                reads[t] = Read(
                    self.gate.lanes(pasts[t]),
                    residual.lanes.take(self.written),
                    touch.queries.slots,
                    touch.queries.read(state.heads),
                )
        for t, change in zip(reads, self._read_out(list(reads.values())), strict=True):
            change.apply(residuals[t])

    def _touches(self, lanes: np.ndarray) -> list[Touch]:
        """What tokens with these address lanes [tokens, lanes] do to the heads."""
        placed, rest = self.address.sums(lanes)
        decays = resolve(self.decays, [row.tobytes() for row in rest], lambda new: [self._decays(rest[i]) for i in new])
        touches = []
        for row, decay in zip(silu(placed), decays, strict=True):
            hit = np.flatnonzero(row)
            if len(hit):
                queries, keys = unit_pairs(self.address.place[hit], row[hit], len(self.heads), self.head_dim)
                touches.append(Touch(decay, keys, queries))
            else:
                touches.append(Touch(decay, None, None) if decay else NOTHING)
        return touches

    def _decays(self, rest: np.ndarray) -> Decays:
        """exp(-exp(A_log) * softplus(a + dt_bias)) of the slots where it is not exactly 1."""
        a = np.zeros(len(self.heads), np.float32)
        a[self.address.slots] = round_bf16(rest)
        factors = (-self.a_log.exp() * functional.softplus(torch.from_numpy(a) + self.dt_bias)).exp().numpy()
        return tuple((int(slot), factors[slot]) for slot in np.flatnonzero(factors != 1))

    def _offers(self, lanes: Sequence[np.ndarray]) -> list[Offer]:
        """What tokens with these value lanes offer to write."""

        def compute(new: list[int]) -> list[Offer]:
            placed, rest = self.value.sums(np.stack([lanes[i] for i in new]))
            beta = np.full((len(new), len(self.heads), 1), 0.5, np.float32)  # sigmoid(0), where there is no b row
            beta[:, self.value.slots, 0] = bf16(rest).sigmoid().float().numpy()
            return [
                Offer(*pair) for pair in zip(self.value.spread(silu(placed), len(self.heads), self.head_dim), beta, strict=True)
            ]

        return resolve(self.offers, [row.tobytes() for row in lanes], compute)

    def _read_out(self, reads: Sequence[Read]) -> list[Change]:
        """What reads become behind gated norm and output projection."""

        def compute(new: list[int]) -> list[Change]:
            chosen = [reads[i] for i in new]
            token = np.repeat(np.arange(len(chosen)), [len(read.slots) for read in chosen])
            slot = np.concatenate([read.slots for read in chosen])
            core = bf16(np.concatenate([read.core for read in chosen])).float()
            unit = core * torch.rsqrt(core.pow(2).mean(-1, keepdim=True) + EPSILON)
            z = bf16(self.gate.sums(np.stack([read.gate for read in chosen]))[0]).float()
            opened = self.gate.spread(functional.silu(z).numpy(), len(self.heads), self.head_dim)[token, slot]
            full = np.zeros((len(chosen), len(self.heads), self.head_dim), np.float32)
            gated = self.gated_norm * unit.bfloat16() * torch.from_numpy(opened)
            full[token, slot] = gated.bfloat16().float().numpy()
            added = product(self.out, full.reshape(len(chosen), -1).take(self.read, axis=1))
            return residual_sums(self.written, np.stack([read.before for read in chosen]), added)

        return resolve(self.changes, [read.key() for read in reads], compute)


# ---------------------------------------------------------------- compilation
def compile_mixer(layer: LayerWeights, head_dim: int) -> Mixer | None:
    """A layer's mixer; None when it neither keeps a state nor adds anything."""
    qkv, z, a, b, out = (csr(layer.matrices[name]) for name in (weights.QKV, weights.Z, weights.A, weights.B, weights.OUT))
    width, mixed = qkv.shape[0] // 3, filled_rows(qkv)
    heads = np.unique(mixed % width // head_dim)
    if not len(heads):
        return None
    slot_of = np.full(width // head_dim, -1)
    slot_of[heads] = np.arange(len(heads))
    pair, values = mixed[mixed < 2 * width], mixed[mixed >= 2 * width]
    gates = filled_rows(z)[slot_of[filled_rows(z) // head_dim] >= 0]
    decays, betas = (filled_rows(matrix)[slot_of[filled_rows(matrix)] >= 0] for matrix in (a, b))
    stacked = stack(qkv[pair], a[decays]), stack(qkv[values], b[betas]), stack(z[gates])
    lanes = np.unique(np.concatenate([matrix.indices for matrix in stacked]))
    conv = layer.vectors[weights.CONV][:, 0]

    def projection(matrix: scipy.sparse.csr_array, placed: np.ndarray, rest: np.ndarray, taps: np.ndarray | None) -> Projection:
        columns = np.unique(matrix.indices)
        kind, slot = placed // width % 2, slot_of[placed % width // head_dim]
        if taps is not None and (taps[:, -1] == 1).all() and not taps[:, :-1].any():
            taps = None  # it looks at nothing but the present token
        return Projection(
            scipy.sparse.csr_array(matrix[:, columns]),
            np.searchsorted(lanes, columns),
            (kind * len(heads) + slot) * head_dim + placed % head_dim,
            slot_of[rest],
            None if taps is None else np.ascontiguousarray(taps.T),
        )

    outer = scipy.sparse.csr_array(out[:, (heads[:, None] * head_dim + np.arange(head_dim)).ravel()])
    read, written = np.unique(outer.indices), filled_rows(outer)
    return Mixer(
        heads,
        head_dim,
        lanes,
        norm_of(layer.vectors[weights.INPUT_NORM], lanes),
        projection(stacked[0], pair, decays, conv[pair]),
        projection(stacked[1], values, betas, conv[values]),
        projection(stacked[2], gates, decays[:0], None),
        torch.from_numpy(layer.vectors[weights.A_LOG][heads]),
        torch.from_numpy(layer.vectors[weights.DT_BIAS][heads]),
        bf16(layer.vectors[weights.GATED_NORM]),
        scipy.sparse.csr_array(outer[:, read][written]),
        read,
        written,
    )
