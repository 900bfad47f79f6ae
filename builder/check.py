"""Static proof that a placed netlist computes exactly in bf16: every sum, product, delta, row and norm.

Random tests miss these bugs (a delta of 251 + 7 was seen once in 1,280 random products), so each bound is shown from the
domains of the lanes and the facts that circuits declare (`builder.ranges`). A bound that cannot be shown is a problem
that names circuit, layer and lane. What is shown, with the reason:

- a gate is a multiple of 1/2 (gain 256: the pre-activation is a multiple of 128, so silu is exactly 0 or the identity),
  and where positive at most 256 of its units (bf16 holds 8 bits);
- `up` is at most 256 units, gate x up too, so all three roundings of a neuron keep every value;
- what an MLP adds to a lane is at most 256 units (the output is rounded before the residual add), and the lane stays in
  its domain;
- a key or query is exactly 128 on a hit and <= -128 or 0 otherwise, at most one key row is hit, and at most as many
  query rows as the head declares;
- a value is exactly 0, +-1/4, 16 or a pin, and the root mean square of a read row cannot move a read value;
- the decay is exactly 0 or 1;
- the pin dominates the norm whatever the live lanes hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from torch.nn import functional

from builder.geometry import DT_BIAS, GATE_GAIN, KEY_GAIN, NORM_WEIGHT, PIN
from builder.netlist import CircuitError, Head, Lane, Layer, Linear, Neuron
from builder.place import MIXER_WRITE, MLP_WRITE, Placed
from builder.ranges import Facts
from builder.sums import Sum, Term, lane_sums
from builder.tensors import to_bf16

SIGNIFICANT = 256.0
"""bf16 holds every multiple of a unit up to 256 units."""
ACCUMULATOR = 2.0**23
"""fp32 sums are exact up to so many units (measured; 2**24 by the format)."""
HALF_STEP = 0.5
NEURON_CASES = 60_000
VALUE_CASES = 20_000
SPIN_VALUE, BIT_VALUE = 0.25, 16.0
PIN_LEAST = 64.0
ALPHA_KEEPS, ALPHA_ERASES = -103.0, 104.0
"""softplus is exactly 0 (alpha 1) below the first, alpha is exactly 0 above the second (measured)."""
NORM_DRIFT = 2.0**-9
"""Largest |scale - 1| at which every integer up to 256 still rounds to itself (half a bf16 step)."""


@dataclass(frozen=True)
class Problem:
    """A bound that cannot be shown."""

    circuit: str
    layer: int
    what: str

    def __str__(self) -> str:
        return f"{self.circuit}, layer {self.layer}: {self.what}"


@dataclass
class _Memory:
    """Verdicts of forms, sums and heads that were seen before, up to the names of their lanes (circuits repeat per bit and
    per lane), and the stored values (least, most) of every head's dims, by head (id) and by what was seen before."""

    verdicts: dict[tuple, list] = field(default_factory=dict)
    stored: dict[object, dict[int, tuple[float, float]]] = field(default_factory=dict)


def prove(placed: Placed) -> None:
    """Raise CircuitError for the first bounds that cannot be shown."""
    problems = find_problems(placed)
    if problems:
        shown = "; ".join(str(problem) for problem in problems[:5])
        raise CircuitError(
            f"{len(problems)} bounds cannot be shown: {shown}",
            str(problems[0].circuit),
            "declare the fact that makes it true, or change the circuit",
        )


def find_problems(placed: Placed, layers: Iterable[int] | None = None) -> list[Problem]:
    """Every bound that cannot be shown, by layer."""
    memory = _Memory()
    found: list[Problem] = []
    for index in sorted(placed.netlist.layers) if layers is None else layers:
        layer = placed.netlist.layers[index]
        if layer.norm_weight is not None:
            continue  # the boot layer has no pin yet: its weights are searched for exactness (`builder.circuits.boot`)
        found += _neurons(placed, layer, memory)
        found += _sums(placed, layer, memory)
        found += _heads(placed, layer, memory)
        found += _norm(placed, index)
    return found


# ---------------------------------------------------------------- signatures
class _Names:
    """Numbers lanes in the order of first use, with everything that the facts say about them."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.number: dict[Lane, int] = {}

    def form(self, form: Linear) -> tuple:
        return (form.constant, *((self.lane(lane), c) for lane, c in form.terms.items()))

    def lane(self, lane: Lane) -> int:
        return self.number.setdefault(lane, len(self.number))

    def facts_key(self) -> tuple:
        facts, known = self.facts, self.number
        classes: dict[object, int] = {}

        def local(key: object) -> int:
            return classes.setdefault(key, len(classes))

        lanes = tuple(
            (
                lane.domain.name,
                lane in facts.fresh,
                lane in facts.code,
                lane in facts.one,
                local(("p", facts.presence(lane) or lane)),
                tuple(local(g) for g in facts.groups.get(lane, ())),
            )
            for lane in known
        )
        assumed = tuple(
            (
                tuple((known[x.lane], x.wanted) for x in fact.when),
                fact.present,
                tuple(known[lane] for lane in fact.lanes if lane in known),
            )
            for fact in facts.assumptions
            if all(x.lane in known for x in fact.when) and any(lane in known for lane in fact.lanes)
        )
        return lanes, assumed


# ---------------------------------------------------------------- neurons
def _neurons(placed: Placed, layer: Layer, memory: _Memory) -> Iterator[Problem]:
    facts = Facts(placed, layer.index)
    for neuron in placed.neurons(layer.index):
        if neuron.raw:
            continue
        names = _Names(facts)
        key = ("neuron", names.form(neuron.gate), names.form(neuron.up), names.facts_key())
        if key not in memory.verdicts:
            memory.verdicts[key] = list(_neuron(facts, neuron))
        for what in memory.verdicts[key]:
            lanes = ", ".join(lane.name for lane in list(neuron.out)[:3])
            yield Problem(neuron.circuit, layer.index, f"neuron into {lanes}: {what}; gate {neuron.gate!r}; up {neuron.up!r}")


def _neuron(facts: Facts, neuron: Neuron) -> list[str]:
    """Problems of one neuron's gate, up and product: by bounds, and where those fail by every combination of values."""
    problems = list(_neuron_bounds(facts, neuron))
    if not problems:
        return []
    found = facts.cases([*neuron.gate.terms, *neuron.up.terms], NEURON_CASES)
    if found is None:
        return problems
    gate, up = (_evaluate(form, *found) for form in (neuron.gate, neuron.up))
    on = gate > 0
    for name, values in (("gate", gate[on]), ("up", up[on]), ("gate x up", gate[on] * up[on])):
        wrong = _inexact(values)
        if len(wrong):
            return [f"{name} can be {wrong[0]:g}, which bf16 rounds"]
    if (gate * GATE_GAIN % (GATE_GAIN * HALF_STEP) != 0).any():
        return ["the gate is not a multiple of 1/2"]
    return []


def _neuron_bounds(facts: Facts, neuron: Neuron) -> Iterator[str]:
    if _magnitude(facts, neuron.gate) >= ACCUMULATOR * HALF_STEP:
        yield "the gate's sum exceeds the fp32 accumulator"
    for present in facts.presences(neuron.gate, neuron.up):
        _, gate, gate_unit = facts.lattice(neuron.gate, present)
        low, high, unit = facts.lattice(neuron.up, present)
        size = max(-low, high)
        if gate_unit % HALF_STEP:
            yield f"the gate moves in steps of {gate_unit:g}, not of 1/2"
        if gate > SIGNIFICANT * gate_unit:
            yield f"the gate reaches {gate:g} in steps of {gate_unit:g}"
        if size > SIGNIFICANT * unit:
            yield f"up reaches {size:g} in steps of {unit:g}"
        if gate * size > SIGNIFICANT * gate_unit * unit:
            yield f"gate x up reaches {gate * size:g} in steps of {gate_unit * unit:g}"


def _magnitude(facts: Facts, form: Linear) -> float:
    """Largest partial sum of a form in any order."""
    return abs(form.constant) + sum(abs(c) * max(map(abs, facts.ends(lane))) for lane, c in form.terms.items())


def _evaluate(form: Linear, order: Sequence[Lane], table: np.ndarray) -> np.ndarray:
    """The form's value per case."""
    column = {lane: i for i, lane in enumerate(order)}
    return form.constant + sum((c * table[:, column[lane]] for lane, c in form.terms.items()), np.zeros(len(table)))


def _inexact(values: np.ndarray) -> np.ndarray:
    """Those of the values that are no bf16 numbers."""
    return values[to_bf16(values.astype(np.float32)).astype(np.float64) != values]


# ---------------------------------------------------------------- what the MLP adds to a lane
def _sums(placed: Placed, layer: Layer, memory: _Memory) -> Iterator[Problem]:
    moment = 4 * layer.index + MLP_WRITE
    terms: dict[Lane, list[Term]] = {}
    writer: dict[Lane, str] = {}
    for neuron in placed.neurons(layer.index):
        for lane, coefficient in neuron.out.items():
            terms.setdefault(lane, []).append(Term(neuron.gate, neuron.up, coefficient))
            writer.setdefault(lane, neuron.circuit)
    for lane, parts in terms.items():
        fresh = frozenset([lane] if placed.lives[lane].birth == moment else [])
        facts = Facts(placed, layer.index, fresh=fresh)
        names = _Names(facts)
        names.lane(lane)
        forms = tuple((names.form(t.gate), names.form(t.up), t.coefficient) for t in parts)
        key = ("sum", forms, names.facts_key())
        if key not in memory.verdicts:
            memory.verdicts[key] = list(_lane_sum(facts, lane, parts))
        for what in memory.verdicts[key]:
            yield Problem(writer[lane], layer.index, f"lane {lane.name} ({lane.domain.name}): {what}")


def _lane_sum(facts: Facts, lane: Lane, terms: Sequence[Term]) -> Iterator[str]:
    for added in lane_sums(facts, lane, terms):
        yield from _added(facts, lane, added)


def _added(facts: Facts, lane: Lane, added: Sum) -> Iterator[str]:
    size = np.maximum(-added.low, added.high)
    worst = int(size.argmax())
    if size[worst] > SIGNIFICANT * added.unit:
        yield (f"the MLP adds up to {size[worst]:g} in steps of {added.unit:g}, which bf16 rounds, when {added.case(worst)}")
        return
    if lane in facts.code or lane.domain.name == "pin":
        return  # the output layer overwrites these; nothing reads them after it
    values = np.array(lane.domain.values())
    low, high = added.before + added.low, added.before + added.high
    outside = (low < values.min()) | (high > values.max()) | ((added.low == added.high) & ~np.isin(low, values))
    if outside.any():
        at = int(outside.argmax())
        yield f"it becomes {low[at]:g}..{high[at]:g}, outside its domain, when {added.case(at)}"


# ---------------------------------------------------------------- heads
def _heads(placed: Placed, layer: Layer, memory: _Memory) -> Iterator[Problem]:
    facts = Facts(placed, layer.index, before_mixer=True)
    for head in layer.heads:
        names = _Names(facts)
        forms = tuple((kind, names.form(form)) for kind, form in head.forms())
        outs = tuple((dim, names.lane(lane), weight) for dim, lane, weight in head.outs)
        key = ("head", forms, outs, head.several_rows, tuple(head.taps.items()), names.facts_key())
        if key not in memory.verdicts:
            memory.verdicts[key] = list(_head(facts, head, memory))
            memory.stored[key] = memory.stored.get(id(head), {})
        memory.stored[id(head)] = memory.stored[key]
        for what in memory.verdicts[key]:
            yield Problem(head.circuit, layer.index, f"head {head.name}: {what}")
    yield from _head_outputs(placed, layer, memory)


def _head(facts: Facts, head: Head, memory: _Memory) -> Iterator[str]:
    for kind, forms in (("key", head.keys), ("query", head.queries), ("z", head.gates)):
        for position, form in forms.items():
            yield from (f"{kind} {position}: {what}" for what in _select(facts, form))
    yield from _one_row(facts, "key", head.keys, 1)
    yield from _one_row(facts, "query", head.queries, head.several_rows)
    found = facts.cases(head.decay.terms, VALUE_CASES)
    if found is None:
        yield "the reset has too many cases"
    else:
        decay = _evaluate(head.decay, *found) + DT_BIAS
        if ((decay > ALPHA_KEEPS) & (decay < ALPHA_ERASES)).any():
            yield "the reset can decay the rows partly"
    if head.keys:
        yield from _values(facts, head, memory)


def _select(facts: Facts, form: Linear) -> Iterator[str]:
    """A row form may be 128 (hit), 0 or at most -128: silu is exactly 128 or 0, and l2norm gives exactly 1."""
    for present in facts.presences(form):
        _, high, unit = facts.lattice(form, present)
        if high != KEY_GAIN or unit % KEY_GAIN:
            yield f"reaches {high:g} in steps of {unit:g}; a hit must be exactly {KEY_GAIN:g} and a miss <= 0 in such steps"
    if _magnitude(facts, form) >= ACCUMULATOR * KEY_GAIN:
        yield "the sum exceeds the fp32 accumulator"


def _one_row(facts: Facts, kind: str, rows: dict[int, Linear], most: int) -> Iterator[str]:
    """At most `most` of the row forms are positive on a token."""
    if most > 1:
        found = facts.cases(dict.fromkeys(lane for form in rows.values() for lane in form.terms), VALUE_CASES)
        hits = None if found is None else sum((_evaluate(form, *found) > 0).astype(int) for form in rows.values())
        if hits is None or hits.max(initial=0) > most:
            yield f"more than {most} {kind} rows can be hit"
        return
    lanes = list(dict.fromkeys(lane for form in rows.values() for lane in form.terms))
    column = {lane: i for i, lane in enumerate(lanes)}
    weights, constants = np.zeros((len(rows), len(lanes))), np.array([form.constant for form in rows.values()])
    for i, form in enumerate(rows.values()):
        for lane, coefficient in form.terms.items():
            weights[i, column[lane]] = coefficient
    ends = np.array([facts.ends(lane) for lane in lanes]).reshape(-1, 2)
    both = weights[:, None] + weights[None]
    high = np.maximum(both * ends[:, 0], both * ends[:, 1]).sum(2) + constants[:, None] + constants[None]
    numbers = list(rows)
    for i, j in np.argwhere(np.triu(high >= 2 * KEY_GAIN, 1)):
        first, second = numbers[i], numbers[j]
        if _both_hit(facts, rows[first], rows[second]):
            yield f"{kind} rows {first} and {second} can be hit together"
            return


def _both_hit(facts: Facts, one: Linear, other: Linear) -> bool:
    """Whether two row forms can be positive on one token: by bounds, then by every combination."""
    if facts.bounds(one + other)[1] < 2 * KEY_GAIN:
        return False
    found = facts.cases([*one.terms, *other.terms], VALUE_CASES)
    return found is None or bool(((_evaluate(one, *found) > 0) & (_evaluate(other, *found) > 0)).any())


def _reduced(facts: Facts, form: Linear, keep: set[Lane]) -> Linear:
    """A row form with every lane outside `keep` at its best: where it is still a miss, the row is not hit."""
    inside = {lane: c for lane, c in form.terms.items() if lane in keep}
    outside = Linear({lane: c for lane, c in form.terms.items() if lane not in keep})
    return Linear(inside, form.constant + facts.bounds(outside)[1])


def _related(facts: Facts, lanes: Iterable[Lane]) -> set[Lane]:
    """The lanes, those that assumptions about them name, and those exclusive with any of these."""
    related = set(lanes)
    for fact in facts.assumptions:
        if related.intersection(fact.lanes):
            related.update(literal.lane for literal in fact.when)
    for group in {g for lane in related for g in facts.groups.get(lane, ())}:
        related |= facts.members[group]
    return related


def _values(facts: Facts, head: Head, memory: _Memory) -> Iterator[str]:
    """Every value of a written row is exact, and the row's root mean square cannot move a read value."""
    ranges: list[tuple[float, float]] = []
    written = frozenset(lane for key in head.keys.values() for lane in key.terms)
    reduced: dict[frozenset[Lane], list[Linear]] = {}
    for dim, form in head.values.items():
        related = written & _related(facts, form.terms)
        if related not in reduced:
            forms = [_reduced(facts, key, related) for key in head.keys.values()]
            reduced[related] = list({(r.constant, *r.terms.items()): r for r in forms}.values())
        tapped = dim in head.taps and head.taps[dim] != 3
        values: list[np.ndarray] = []
        for hit in reduced[related]:
            names = _Names(facts)
            key = ("value", names.form(form), names.form(hit), tapped, names.facts_key())
            if key not in memory.verdicts:
                memory.verdicts[key] = list(_value(facts, form, Linear(None, KEY_GAIN) if tapped else hit))
            verdict = memory.verdicts[key]
            if verdict and isinstance(verdict[0], str):
                yield f"value {dim}: {verdict[0]}"
                return
            values += verdict
        found = np.concatenate(values) if values else np.zeros(1)
        memory.stored.setdefault(id(head), {})[dim] = float(found.min()), float(found.max())
        ranges.append((float(abs(found).min()), float(abs(found).max())))
    yield from _row_scale(head, ranges)


def _value(facts: Facts, form: Linear, hit: Linear) -> Iterator[str | np.ndarray]:
    """The values a dim can take where the row is written, or what is wrong with them."""
    found = facts.cases(dict.fromkeys([*form.terms, *hit.terms]), VALUE_CASES)
    if found is None:
        yield "too many cases"
        return
    written = _evaluate(hit, *found) >= KEY_GAIN
    exact = np.unique(_evaluate(form, *found)[written])
    silu = functional.silu(torch.from_numpy(to_bf16(exact.astype(np.float32))).bfloat16()).double().numpy()
    fine = (
        (silu == 0)
        | (abs(silu) == SPIN_VALUE)
        | (silu == BIT_VALUE)
        | ((silu >= PIN_LEAST) & (np.log2(np.maximum(silu, 1)) % 1 == 0))
    )
    yield f"it can be {silu[~fine][0]:g}, from {exact[~fine][0]:g}" if not fine.all() else silu


def _row_scale(head: Head, ranges: Sequence[tuple[float, float]]) -> Iterator[str]:
    """With everything but the pins at its smallest and at its largest, reads must come out as the same numbers."""
    pins = [high for _, high in ranges if high >= PIN_LEAST]
    data = [(low, high) for low, high in ranges if high < PIN_LEAST]
    if not pins:
        if len(data) != 128 or any(low != high or high != data[0][1] for low, high in data):
            yield "without pins all 128 dims of a written row must have the same magnitude"
            return
    elif head.several_rows == 1 and any(low != high for low, high in ranges if high >= PIN_LEAST):
        yield "a written row can lack its pins"
        return
    least, most = (sum(end[i] ** 2 for end in data) for i in (0, 1))
    stored = {dim: high for dim, (_, high) in zip(head.values, ranges, strict=True)}
    reads = {(stored[dim], weight, lane.domain.name): (dim, lane) for dim, lane, weight in head.outs if stored.get(dim)}
    for rows in range(1, head.several_rows + 1):
        query = np.float32(1 / np.sqrt(rows) * 128**-0.5)
        for rest in (least, most):
            for (value, weight, _), (dim, lane) in reads.items():
                read = _read(value, pins, rest, query) * weight
                if read not in lane.domain.values():
                    yield (
                        f"a value of {value:g} reads {read:g} into {lane.name} ({lane.domain.name}) from dim {dim} of a "
                        f"row whose other dims have {rest:g} squared in all"
                    )
                    return


def _read(value: float, pins: Sequence[float], rest: float, query: np.float32) -> float:
    """What the gated norm makes of a stored value: core output, norm, z = 128, with the layer's bf16 roundings."""
    core, *others = to_bf16(np.array([value, *pins], np.float32) * query).astype(np.float64)
    mean = (sum(x * x for x in others) + max(rest, 0.0 if value >= PIN_LEAST else value**2) * float(query) ** 2) / 128
    normed = to_bf16(np.array([core / np.sqrt(mean + 1e-6)], np.float32))
    return float(to_bf16(normed * np.float32(128))[0])


def _head_outputs(placed: Placed, layer: Layer, memory: _Memory) -> Iterator[Problem]:
    """What the heads add to a lane stays in its domain, and the lane is 0 before."""
    fresh = frozenset(x for x, life in placed.lives.items() if life.birth == 4 * layer.index + MIXER_WRITE)
    facts = Facts(placed, layer.index, before_mixer=True, fresh=fresh)
    queries = {id(head): _common(head.queries.values(), facts) for head in layer.heads if head.outs}
    sources: dict[Lane, list[tuple[Head, int, float]]] = {}
    for head in layer.heads:
        for dim, lane, weight in head.outs:
            sources.setdefault(lane, []).append((head, dim, weight))
    together: dict[tuple, bool] = {}

    def at_once(one: tuple[Head, int, float], other: tuple[Head, int, float]) -> bool:
        (head, dim, _), (second, second_dim, _) = one, other
        key = (id(head), id(second)) if head is not second else (id(head), dim, second_dim)
        if key not in together:
            together[key] = _both_hit(facts, queries[id(head)], queries[id(second)]) and (
                head is not second or _both_hit(facts, _gate(head, dim), _gate(head, second_dim))
            )
        return together[key]

    for lane, readers in sources.items():
        cliques: list[list[tuple[Head, int, float]]] = []
        for reader in readers:
            for clique in cliques:
                if not any(at_once(reader, other) for other in clique):
                    clique.append(reader)
                    break
            else:
                cliques.append([reader])
        bounds = [
            [_read_range(memory.stored.get(id(head), {}), dim, weight) for head, dim, weight in clique] for clique in cliques
        ]
        low = sum(min(0.0, *(least for least, _ in clique)) for clique in bounds)
        high = sum(max(0.0, *(most for _, most in clique)) for clique in bounds)
        if low < min(lane.domain.values()) or high > max(lane.domain.values()):
            names = " and ".join(dict.fromkeys(f"{head.name}" for head, _, _ in readers))
            yield Problem(
                readers[0][0].circuit,
                layer.index,
                f"lane {lane.name} ({lane.domain.name}): {names} can read {low:g}..{high:g} into it at once",
            )
        if lane not in fresh and any(_occupied(facts, queries[id(head)], lane) for head, _, _ in readers):
            yield Problem(
                readers[0][0].circuit,
                layer.index,
                f"lane {lane.name} may hold something when head "
                f"{readers[0][0].name} is read into it; say when it is 0 (Netlist.assume, before_mixer)",
            )


def _read_range(stored: dict[int, tuple[float, float]], dim: int, weight: float) -> tuple[float, float]:
    """Bounds of what a dim of a head adds to a lane, 0 included: the stored values over the row's root mean square."""
    pins = [high for _, high in stored.values() if high >= PIN_LEAST]
    scale = 128 / np.sqrt(sum(pin**2 for pin in pins) / 128) if pins else 128 / SPIN_VALUE
    ends = [float(scale * value * weight) for value in (0.0, *stored.get(dim, (0.0, 0.0)))]
    return min(ends), max(ends)


def _gate(head: Head, dim: int) -> Linear:
    """The z form of a dim; without one it is always let out."""
    return head.gates.get(dim, Linear(None, KEY_GAIN))


def _common(forms: Iterable[Linear], facts: Facts) -> Linear:
    """A form >= every one of the given ones: their common literals, everything else at its best."""
    forms = list(forms)
    same = set.intersection(*(set(form.terms.items()) for form in forms))
    keep = {lane for lane, _ in same}
    reduced = [_reduced(facts, form, keep) for form in forms]
    return Linear(dict(same), max(form.constant for form in reduced))


def _occupied(facts: Facts, query: Linear, lane: Lane) -> bool:
    """Whether the lane can be nonzero on a token that may read a head."""
    found = facts.cases([lane, *query.terms], VALUE_CASES)
    if found is None:
        return True
    order, table = found
    return bool((table[_evaluate(query, order, table) >= KEY_GAIN, order.index(lane)] != 0).any())


# ---------------------------------------------------------------- norm
def _norm(placed: Placed, layer: int) -> Iterator[Problem]:
    """The RMSNorm scale with nothing and with everything on the live lanes stays within half a bf16 step of 1."""
    squares = sum(
        max(map(abs, lane.domain.values())) ** 2
        for lane, life in placed.lives.items()
        if layer in life.layers and lane is not placed.netlist.pin
    )
    for rest in (0.0, squares):
        scale = (1 + NORM_WEIGHT) / np.sqrt((PIN**2 + rest) / placed.geometry.hidden + 1e-6)
        if abs(scale - 1) >= NORM_DRIFT:
            yield Problem("norm", layer, f"live lanes of up to {rest:g} squared move the norm's scale to {scale:g}")
