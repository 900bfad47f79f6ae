"""Muting: the direction that keeps every compiled layer silent on text, found and proved over the whole vocabulary.

A text token's residual is its embedding row x, and stays x as long as every compiled layer adds exactly 0; so one static
pass over the table decides. With the mute term K d on every gate, z, b and a row (d lives on axes where machine tokens are
exactly 0), a layer adds exactly 0 to x and leaves its own memory as it is when all of these pre-activations are so negative
that in bfloat16 silu(gate) = silu(z) = 0 and sigmoid(b) = 0 (all: at most -89) and softplus(a + dt_bias) = 0 in float32
(at most -104, so the decay is exactly 1). Measured thresholds: notes/numerics, section 2; integrated run: section 7.

The proof bounds the pre-activation of the worst row of each kind of matrix from above for each text row t:

    p <= K D_t + G_t + g_n (K A_t + G_t)

D_t  d . x_hat, every lane rounded to bf16 in whichever direction is worse for any rms that float32 summation can give
A_t  sum of |d_l x_hat_l|;  G_t = max_r |W_r| |x_hat|, what the circuits' own weights can make of text (Cauchy-Schwarz)
g_n  n 2^-23: float32 accumulation of n terms in any order, with a factor 2 for accumulators that truncate

A row x and its negative cannot both be muted, so a table may have rows that no direction closes. For these there is a guard,
where the machine leaves places for it (`machinefile.Guard`). It reads d alone, hence nothing on machine tokens, and needs no
separation: a row that d opens as surely as it closes the others is recognised by just that.

    layer 0, mixer   one head, whose query, key, value and z rows are K d: silent on muted rows, on the others it writes a
                     huge negative number on the guard axis g, a mute axis. d_g > 0, so from here on all layers are shut
    layer 1, MLP     one neuron with K d, but -K d_g, in its gate: open on guarded rows only. Adds -P, a constant: next to it
                     the unknown number of the mixer is rounded away, and the axis holds exactly -P
    last layer, MLP  the same neuron adds +P

So a guarded row reaches the language model with one axis 0 instead of what it was, and is otherwise untouched; machine state
and memory are as if it had been muted. The guard axis is the one on which these rows have least.

Rows that can be neither muted nor guarded are named, never passed over.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import torch

from builder.machinefile import GATED, GUARD_LEVEL, GUARD_WEIGHT, NORMS, Fit, Machine, compiled, sparse, vector

MARGIN = 0.02
"""What the search must reach: -d . x_hat on the worst row, for rms 1 and |d| = 1."""
GOAL = 0.5
"""Where the search stops early: ample, and usually reached by the starting direction."""
CLOSED = 89.0
DECAY_CLOSED = 104.0
OPENED = 2.0**30
"""Pre-activations of the guard's head must reach this, times the row's length if that is above 1, on a guarded row: sigmoid
is then 1, the decay 0, silu the identity, and nothing is seen of the row beside what the head writes."""
OVERFLOW = 2.0**120
"""Bound on every pre-activation: below the bf16 limit of 2^128, since silu(-inf) and inf x 0 are NaN."""
TERM_ERROR = 2.0**-23
BF16_ERROR = 2.0**-7
ROWS = 512
"""Table rows handled at a time: 4 MB of float32 at hidden 2048, so that the passes over a chunk stay in the cache."""

NEAR = 0.005
"""A row whose -d . x_hat is nearer to 0 than this may be neither closed nor opened for certain."""

EFFECT_ROWS = 32
"""Rows at a time when violators are run: the stock code pads each to a chunk of 64 tokens."""

Read = Callable[[int, int], torch.Tensor]
Ask = Callable[[], None]
"""Called between steps; raises to stop."""
Moved = Callable[[int], None]
"""Called with the rows of every chunk; raises to stop."""


@dataclass(frozen=True)
class Table:
    """Embedding rows of text tokens: bf16 [count, hidden], read on demand."""

    count: int
    hidden: int
    read: Read

    def chunks(self) -> Iterator[tuple[slice, torch.Tensor]]:
        """Consecutive pieces as (which rows, float32 [n, hidden])."""
        for start in range(0, self.count, ROWS):
            stop = min(start + ROWS, self.count)
            yield slice(start, stop), self.read(start, stop).float()


@dataclass(frozen=True)
class Lanes:
    """The mute axes of the table, all that search and proof need of it.

    values: bf16 [rows, axes] as stored; square: float64 [rows], mean square over all hidden axes (summed in float32, which
    the proof allows for); hidden: how many axes.
    """

    values: torch.Tensor
    square: torch.Tensor
    hidden: int

    @property
    def scale(self) -> torch.Tensor:
        """float32 [rows], 1 / rms; 0 for rows of zeros."""
        return torch.where(self.square > 0, self.square.rsqrt(), 0.0).float()

    def without(self, axis: int) -> Lanes:
        """The same with one of the axes dead, so that a search leaves it alone."""
        return replace(self, values=self.values.index_fill(1, torch.tensor([axis]), 0.0))

    def scores(self, direction: torch.Tensor) -> torch.Tensor:
        """float32 [rows]: d . x / rms. Rows of zeros score -inf: there is nothing in them to mute."""
        scored = torch.cat([part.float() @ direction for part in self.values.split(ROWS)] or [torch.zeros(0)])
        return torch.where(self.square > 0, scored * self.scale, -math.inf)


@dataclass(frozen=True)
class View:
    """What one kind of layer norm hands on, and the worst that its layers make of it.

    norm:     float64 [axes], 1 + w on the mute axes; widest: largest |1 + w| of any lane
    gated:    largest 2-norm of a gated row's own weights; terms: most nonzeros in one (mute term not counted)
    passive:  largest 2-norm of an ungated row, times the sum of its conv taps
    threshold: pre-activations must not exceed minus this
    """

    layers: tuple[str, ...]
    norm: torch.Tensor
    widest: float
    gated: float
    terms: int
    passive: float
    threshold: float


@dataclass(frozen=True)
class MuteProof:
    """The outcome for every text row.

    rows:         rows of the table; margin: -max of d . x_hat (rms 1) and worst_row where it is
    preactivation: upper bound of the largest gated pre-activation over all rows and layers that are muted
    guarded:      rows that lose their guard axis and nothing else; loss: relative change of each one's residual by that
    violators:    rows that are provably neither; effect: relative change of each one's residual by the compiled layers
    texts:        text of the tokens of guarded rows and violators, by row (in decimal), where the base has a tokenizer
    zero_rows:    rows of zeros: no tokenizer emits them, layers add 0 to them, but their writes are not closed
    """

    rows: int
    gain: float
    margin: float
    worst_row: int
    preactivation: float
    violators: tuple[int, ...]
    zero_rows: tuple[int, ...]
    effect: tuple[float, ...] = ()
    guarded: tuple[int, ...] = ()
    loss: tuple[float, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether text is provably untouched."""
        return not self.violators and not self.guarded

    def as_json(self) -> dict[str, Any]:
        """For the build report."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> MuteProof:
        """The proof that `as_json` wrote."""
        fields: dict[str, Any] = {name: tuple(item) if isinstance(item, list) else item for name, item in value.items()}
        return cls(**fields)


def separation(table: Table, moved: Moved) -> torch.Tensor:
    """How far text lies to one side on each residual axis: float64 [hidden], |mean| / deviation of rms-1 rows."""
    total, squares = torch.zeros(table.hidden).double(), torch.zeros(table.hidden).double()
    for _, rows in table.chunks():
        moved(len(rows))
        rows *= torch.where((square := rows.square().mean(1, keepdim=True)) > 0, square.rsqrt(), 0.0)
        total += rows.sum(0)
        squares += rows.square().sum(0)
    mean = total / max(table.count, 1)
    deviation = (squares / max(table.count, 1) - mean.square()).clamp_min(1e-12).sqrt()
    return mean.abs() / deviation


def quietest(table: Table, rows: Sequence[int]) -> int:
    """The residual axis on which these rows, each at rms 1, have least in the mean of squares."""
    power = torch.zeros(table.hidden).double()
    for row in rows:
        values = table.read(row, row + 1).double()[0]
        power += values.square() / values.square().mean().clamp_min(1e-30)
    return int(power.argmin())


def lanes(table: Table, axes: torch.Tensor, moved: Moved) -> Lanes:
    """The table on the given residual axes."""
    values = torch.empty(table.count, axes.numel(), dtype=torch.bfloat16)
    square = torch.empty(table.count, dtype=torch.float64)
    for where, rows in table.chunks():
        moved(len(rows))
        values[where] = rows[:, axes].bfloat16()
        square[where] = rows.square().mean(1).double()
    return Lanes(values, square, table.hidden)


def find_direction(text: Lanes, ask: Ask) -> torch.Tensor:
    """A direction that is negative on as many rows as it can be, then as far negative as it can be: bf16 [axes], |d| = 1.

    Starts from the Gaussian optimum (inverse covariance times mean) and the plain one, improves the worst rows by a softmin
    gradient over a working set, and, where no direction is negative on all rows, turns to the number of violators.
    A table without rows gives zeros.
    """
    if not text.square.any():
        return torch.zeros(text.values.shape[1], dtype=torch.bfloat16)
    best = max(_starts(text, ask), key=lambda d: _rank(text, d))
    if _rank(text, best)[1] < GOAL:
        best = max([best, *_improved(text, best, ask)], key=lambda d: _rank(text, d))
    if _rank(text, best)[0] < 0:
        best = max([best, *_fewest(text, best, ask)], key=lambda d: _rank(text, d))
    return best.bfloat16()


def _rank(text: Lanes, direction: torch.Tensor) -> tuple[int, float]:
    """(minus the violators, margin) of a direction as it will be stored."""
    scores = text.scores(direction.bfloat16().float())
    return -int((scores > -MARGIN).sum()), -float(scores.max())


def _unit(direction: torch.Tensor) -> torch.Tensor:
    return (direction / direction.norm().clamp_min(1e-30)).float()


def _starts(text: Lanes, ask: Ask) -> list[torch.Tensor]:
    axes = text.values.shape[1]
    mean, second = torch.zeros(axes).double(), torch.zeros(axes, axes).double()
    for part, scale in zip(text.values.split(ROWS), text.scale.split(ROWS), strict=True):
        ask()
        rows = part.float() * scale[:, None]
        mean += rows.sum(0)
        second += (rows.T @ rows).double()
    live = int((text.square > 0).sum())
    mean, second = mean / live, second / live
    covariance = second - mean[:, None] * mean
    variance = covariance.diagonal().clamp_min(1e-12)
    # a ridge of 1 % of the mean variance: keeps the solution finite on dead or duplicate lanes
    ridge = torch.eye(axes).double() * variance.mean() * 0.01
    return [_unit(-torch.linalg.solve(covariance + ridge, mean)), _unit(-mean / variance), _unit(-mean)]


def _improved(text: Lanes, direction: torch.Tensor, ask: Ask, outer: int = 10, inner: int = 150) -> list[torch.Tensor]:
    """Directions after each round of softmin descent on the worst rows."""
    working, found = torch.empty(0, dtype=torch.long), []
    for turn in range(outer):
        scores = text.scores(direction)
        worst = scores.topk(min(3000, scores.numel())).indices
        working = torch.unique(torch.cat([working, worst]))
        if working.numel() > 15000:
            working = working[scores[working].topk(15000).indices]
        rows = text.values[working].float() * text.scale[working, None]
        temperature, momentum = max(0.03, 0.3 * 0.6**turn), torch.zeros_like(direction)
        for _ in range(inner):
            ask()
            gradient = torch.softmax(rows @ direction / temperature, 0) @ rows
            gradient -= gradient.dot(direction) * direction
            momentum = 0.9 * momentum - gradient
            direction = _unit(direction + 0.003 / (1 + 0.3 * turn) * momentum)
        found.append(direction)
        if _rank(text, direction)[1] >= GOAL:
            break
    return found


def _fewest(text: Lanes, direction: torch.Tensor, ask: Ask, steps: int = 60) -> list[torch.Tensor]:
    """Directions along a descent on a smooth count of violators, ever sharper."""
    found = []
    for temperature in (0.3, 0.1, 0.03):
        scores = text.scores(direction)
        near = (scores > -8 * temperature - MARGIN).nonzero()[:, 0]
        near = near[scores[near].topk(min(60000, near.numel())).indices]
        rows = text.values[near].float() * text.scale[near, None]
        momentum = torch.zeros_like(direction)
        for step in range(steps):
            ask()
            passed = torch.sigmoid((rows @ direction + MARGIN) / temperature)
            gradient = (passed * (1 - passed)) @ rows
            gradient -= gradient.dot(direction) * direction
            momentum = 0.8 * momentum - _unit(gradient)
            direction = _unit(direction + 0.02 * 0.95**step * momentum)
            if step % 10 == 9:
                found.append(direction)
    return found


def keep_clear(text: Lanes, direction: torch.Tensor, ask: Ask, turns: int = 60) -> torch.Tensor:
    """A direction near the given one with as few rows as possible near 0, hence certain on as many as possible: bf16 [axes].

    For fits with a guard, which a row on either side is safe with, and one in between is not. Steps are random and repeatable.
    """

    def cost(candidate: torch.Tensor) -> tuple[int, int]:
        scores = text.scores(candidate.bfloat16().float())
        return int((scores.abs() < NEAR).sum()), int((scores > 0).sum())

    source = torch.Generator().manual_seed(0)
    best = direction.float()
    least = cost(best)
    for turn in range(turns):
        if not least[0]:
            break
        ask()
        step = torch.randn(len(best), generator=source) * (best != 0) * len(best) ** -0.5
        candidate = _unit(best + 0.02 * 0.95**turn * step)
        if (found := cost(candidate)) < least:
            best, least = candidate, found
    return best.bfloat16()


def views(machine: Machine) -> list[View]:
    """The distinct layer norms of the compiled layers, each with the worst weights behind it."""
    merged: dict[tuple[bytes, float], View] = {}
    for layer in range(machine.layers):
        for view in _layer_views(machine, layer):
            key = (view.norm.numpy().tobytes(), view.widest)
            merged[key] = _worse(merged[key], view) if key in merged else view
    return list(merged.values())


def _worse(one: View, other: View) -> View:
    return View(
        one.layers + other.layers,
        one.norm,
        one.widest,
        max(one.gated, other.gated),
        max(one.terms, other.terms),
        max(one.passive, other.passive),
        max(one.threshold, other.threshold),
    )


def _layer_views(machine: Machine, layer: int) -> list[View]:
    """Attention and MLP side of one compiled layer."""
    found = []
    taps = vector(machine, layer, "linear_attn.conv1d.weight").float().abs().sum((1, 2)).max()
    decay = DECAY_CLOSED + float(vector(machine, layer, "linear_attn.dt_bias").max())
    for norm, prefix, passive, factor in zip(
        NORMS, ("linear_attn.", "mlp."), ("linear_attn.in_proj_qkv", "mlp.up_proj"), (float(taps), 1.0), strict=True
    ):
        widths = [_widest_row(machine, layer, name) for name in GATED if name.startswith(prefix)]
        scale = 1.0 + vector(machine, layer, norm).double()
        threshold = max(CLOSED, decay) if prefix == "linear_attn." else CLOSED
        found.append(
            View(
                (f"layers.{layer}.{norm}",),
                scale[machine.mute_axes],
                float(scale.abs().max()),
                max(width for width, _ in widths),
                max(terms for _, terms in widths),
                _widest_row(machine, layer, passive)[0] * max(1.0, factor),
                threshold * (1 + BF16_ERROR),
            )
        )
    return found


def _widest_row(machine: Machine, layer: int, name: str) -> tuple[float, int]:
    """Largest 2-norm of a row and the most nonzeros in one."""
    matrix = sparse(machine, layer, name)
    squares = torch.zeros(matrix.shape[0], dtype=torch.float64)
    squares.index_add_(0, matrix.row_ids(), matrix.values.double().square())
    return float(squares.max().sqrt()), int(matrix.offsets.diff().max())


def prove(
    text: Lanes,
    direction: torch.Tensor,
    gain: float,
    epsilon: float,
    seen: list[View],
    moved: Moved,
    guard: Guarding | None = None,
) -> MuteProof:
    """Decide every text row for every view. `direction` is bf16 [axes] as stored; guard: the guard of a fit that has one."""
    rows, length = text.square.numel(), (text.hidden * text.square).sqrt()
    closed, opened, highest = torch.ones(rows, dtype=torch.bool), torch.zeros(rows, dtype=torch.bool), -math.inf
    for view in seen:
        for start in range(0, rows, ROWS):
            moved(min(ROWS, rows - start))
            where = slice(start, start + ROWS)
            part = text.values[where].float(), text.square[where], text.hidden
            low, high, largest = _bounds(*part, direction.float(), gain, epsilon, view)
            if guard is not None:
                _, other, _ = _bounds(*part, guard.neurons(direction).float(), gain, epsilon, view)
                opened[where] |= (low >= OPENED * length[where].clamp_min(1.0)) & (guard.layer in view.layers)
                high = torch.maximum(high, other)
            fine = (high <= -view.threshold) & (largest < OVERFLOW)
            closed[where] &= fine
            highest = max(highest, float(high[fine].max()) if fine.any() else -math.inf)
    zero = text.square == 0
    scores = text.scores(direction.float())
    worst = int(scores.argmax()) if rows and not zero.all() else -1
    if guard is not None and not guard.holds(text.hidden, gain, seen):
        opened[:] = False
    guarded = opened.nonzero()[:, 0]
    lost = text.values[guarded, guard.axis].double().abs() / length[guarded] if guard is not None else torch.zeros(0)
    return MuteProof(
        rows,
        gain,
        -float(scores[worst]) if worst >= 0 else 0.0,
        worst,
        highest if math.isfinite(highest) else 0.0,
        tuple((~closed & ~opened & ~zero).nonzero()[:, 0].tolist()),
        tuple(zero.nonzero()[:, 0].tolist()),
        guarded=tuple(guarded.tolist()),
        loss=tuple(round(value, 6) for value in lost.tolist()),
    )


@dataclass(frozen=True)
class Guarding:
    """What a fit's guard adds to the proof.

    axis: index of the guard axis among the mute axes; layer: the norm that its head reads; head: channels of a head
    """

    axis: int
    head: int
    layer: str = f"layers.0.{NORMS[0]}"

    def neurons(self, direction: torch.Tensor) -> torch.Tensor:
        """The direction in the gates of the guard's two neurons."""
        flipped = direction.clone()
        flipped[self.axis] = -flipped[self.axis]
        return flipped

    def holds(self, hidden: int, gain: float, seen: list[View]) -> bool:
        """Whether a row that the guard's head has written on is seen by no layer and restored by the last.

        Beside the guard axis, whose normalised value is sqrt(hidden), at most `rest` is left of a row after the head has
        written, since it writes at least OPENED times the row's length.
        """
        rest = hidden**0.5 / OPENED
        # the head writes at most this: one channel of its normalised output, gated by z
        shaken = 1.1 * self.head**0.5 * gain * hidden**0.5 >= 2.0 ** (GUARD_LEVEL - 9)
        return not shaken and all(self._shut(view, hidden**0.5, rest, gain) for view in seen)

    def _shut(self, view: View, full: float, rest: float, gain: float) -> bool:
        value = full * float(view.norm[self.axis])
        drive = gain * GUARD_WEIGHT * value * (1 - BF16_ERROR)
        # |d| may exceed 1 by its rounding
        others = (1.1 * gain + view.gated) * rest * view.widest * (1 + BF16_ERROR)
        error = TERM_ERROR * (view.terms + full**2) * (drive + others)
        # one rounding decides what the neurons see, and it must not hang on the last bits
        steady = len({float(torch.tensor(value * (1 + slack)).bfloat16()) for slack in (-(2.0**-11), 2.0**-11)}) == 1
        return steady and value > 0 and others < drive * 2.0**-12 and -drive + others + error <= -view.threshold


def _bounds(
    values: torch.Tensor, square: torch.Tensor, hidden: int, direction: torch.Tensor, gain: float, epsilon: float, view: View
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Lower and upper bound of the gated pre-activations, and upper bound of the magnitude of any: float64 [rows] each."""
    scale = (square + epsilon).rsqrt()
    normed = values * scale.float()[:, None] * view.norm.float()
    # float32: summing `hidden` squares in any order is off by hidden 2^-24, its root by half of that; 64 more for our own
    # sum (pairwise) and for the few products here and there
    slack = (hidden / 2 + 64) * 2.0**-24
    one, other = ((normed * (1 + sign * slack)).bfloat16().float() * direction for sign in (-1, 1))
    # products of two bf16 are exact in float32, the sums are taken in float64
    least, most = torch.minimum(one, other).sum(1, dtype=torch.float64), torch.maximum(one, other).sum(1, dtype=torch.float64)
    size = (normed.abs() @ direction.abs()).double() * (1 + BF16_ERROR)
    length = (hidden * square).sqrt() * scale * view.widest * (1 + BF16_ERROR)
    circuits = view.gated * length
    doubt = circuits + TERM_ERROR * (view.terms + direction.numel()) * (gain * size + circuits)
    largest = torch.maximum(gain * size + circuits, view.passive * length)
    return gain * least - doubt, gain * most + doubt, largest * (1 + BF16_ERROR)


def effect(machine: Machine, fit: Fit, config: Mapping[str, Any], rows: torch.Tensor, ask: Ask) -> tuple[float, ...]:
    """How much the compiled layers change each residual row ([n, hidden] bf16), relative to its length.

    Each row alone through the stock layers, on an untouched machine. Infinite where the result is not finite.
    config: the base's text config, of which only the layer dimensions matter here.
    """
    from transformers import Qwen3_5TextConfig
    from transformers.models.qwen3_5.modeling_qwen3_5 import Qwen3_5DecoderLayer

    single = Qwen3_5TextConfig(**{**config, "num_hidden_layers": 1, "layer_types": ["linear_attention"]})
    residual = rows
    for layer in range(machine.layers):
        with torch.device("meta"):
            stock = Qwen3_5DecoderLayer(single, 0)
        weights = {name: compiled(machine, fit, layer, name) for name in machine.shape.tensors()}
        stock.load_state_dict(weights, assign=True)
        parts = []
        for part in residual.split(EFFECT_ROWS):
            ask()
            with torch.no_grad():
                parts.append(stock(part[:, None], position_embeddings=None)[:, 0])
        residual = torch.cat(parts)
    change = (residual.double() - rows.double()).norm(dim=1) / rows.double().norm(dim=1).clamp_min(1e-30)
    return tuple(change.nan_to_num(nan=math.inf).tolist())
