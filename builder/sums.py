"""Bounds of what a layer's neurons add to one lane: exact enumeration where the lanes involved have few combinations,
otherwise a split into cases, exact evaluation of ramps that share a form, and intervals for the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from builder.netlist import Lane, Linear
from builder.ranges import Facts, unit_of

EXACT_CASES = 60_000
"""Up to so many combinations of the lanes involved are enumerated outright."""
SPLIT_CASES = 3_000
"""Otherwise the most shared lanes are split into at most so many cases."""
RAMP_POINTS = 4_096
WORK = 20_000_000
"""Most numbers evaluated at once for one lane."""


@dataclass(frozen=True)
class Term:
    """max(0, gate) * up * coefficient."""

    gate: Linear
    up: Linear
    coefficient: float


@dataclass(frozen=True)
class Sum:
    """Per case: the lane's value before, and bounds of what is added. unit: everything added is a multiple of it."""

    before: np.ndarray
    low: np.ndarray
    high: np.ndarray
    unit: float
    lanes: list[Lane]
    cases: np.ndarray

    def case(self, index: int) -> str:
        """A case in words."""
        return ", ".join(f"{lane.name} = {value:g}" for lane, value in zip(self.lanes, self.cases[index], strict=True))


def lane_sums(facts: Facts, lane: Lane, terms: Sequence[Term]) -> Iterator[Sum]:
    """Bounds of the sum of the terms, with the lane's own value before them; all cases in one, or by what is written."""
    involved = dict.fromkeys([lane, *(x for t in terms for form in (t.gate, t.up) for x in form.terms)])
    found = facts.cases(involved, EXACT_CASES)
    if found is not None:
        yield _sum(facts, lane, terms, *found)
        return
    for given in facts.scenarios(involved):
        found = given.cases(_split(given, lane, terms), EXACT_CASES)
        assert found is not None, "the split is chosen to fit"
        yield _sum(given, lane, terms, *found)


def _sum(facts: Facts, lane: Lane, terms: Sequence[Term], order: list[Lane], table: np.ndarray) -> Sum:
    column = {x: i for i, x in enumerate(order)}
    low, high = _intervals(facts, terms, column, table)
    unit = unit_of(_term_unit(facts, term) for term in terms)
    return Sum(table[:, column[lane]], low, high, unit, order, table)


def _term_unit(facts: Facts, term: Term) -> float:
    return facts.unit(term.gate) * facts.unit(term.gate, term.up) * term.coefficient


def _split(facts: Facts, lane: Lane, terms: Sequence[Term]) -> list[Lane]:
    """The lane itself and the atoms that most terms share, exclusive groups first, while their cases stay few."""
    shared = Counter(x for term in terms for x in {**term.gate.terms, **term.up.terms})
    shared[lane] = len(terms) + 1
    atoms = facts.atoms(shared)
    weight = [max(shared[x] for x in atom.lanes) for atom in atoms]
    worth = [(any(x in facts.groups or x is lane for x in atom.lanes), weight[i]) for i, atom in enumerate(atoms)]
    chosen: list[Lane] = []
    cases = 1
    for index in sorted(range(len(atoms)), key=worth.__getitem__, reverse=True):
        count = len(atoms[index].rows)
        if cases * count <= SPLIT_CASES and (weight[index] > 1 or len(terms) == 1):
            chosen += atoms[index].lanes
            cases *= count
    return chosen or [lane]


def _part(form: Linear, column: dict[Lane, int], table: np.ndarray) -> tuple[np.ndarray, Linear]:
    """Value of the form's known lanes and constant per case, and the form that remains."""
    value = np.full(len(table), form.constant)
    rest = {}
    for lane, coefficient in form.terms.items():
        if lane in column:
            value += coefficient * table[:, column[lane]]
        else:
            rest[lane] = coefficient
    return value, Linear(rest)


def _intervals(
    facts: Facts, terms: Sequence[Term], column: dict[Lane, int], table: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of the sum per case."""
    low, high = np.zeros(len(table)), np.zeros(len(table))
    ramps: dict[tuple, list[tuple[np.ndarray, float, np.ndarray]]] = {}
    loose: list[tuple[Term, np.ndarray, np.ndarray]] = []
    for term in terms:
        gate, gate_rest = _part(term.gate, column, table)
        up, up_rest = _part(term.up, column, table)
        if not gate_rest.terms and not up_rest.terms:
            exact = np.maximum(gate, 0) * up * term.coefficient
            low, high = low + exact, high + exact
        elif not up_rest.terms:
            scale = next(iter(gate_rest.terms.values()))
            key = tuple((lane, coefficient / scale) for lane, coefficient in gate_rest.terms.items())
            ramps.setdefault(key, []).append((gate, scale, up * term.coefficient))
        else:
            gate_low, gate_high = facts.bounds(gate_rest)
            up_low, up_high = facts.bounds(up_rest)
            opened = np.maximum(gate + gate_low, 0), np.maximum(gate + gate_high, 0)
            ends = [g * (up + u) * term.coefficient for g in opened for u in (up_low, up_high)]
            loose.append((term, np.minimum.reduce(ends), np.maximum.reduce(ends)))
    for key, members in ramps.items():
        bounds = _ramp(facts, Linear(dict(key)), members)
        if len(members) == 1:
            gate, scale, _ = members[0]
            term = next(t for t in terms if _is_ramp(t, key, column, scale))
            loose.append((term, *bounds))
        else:
            low, high = low + bounds[0], high + bounds[1]
    for clique in _cliques(facts, [term for term, _, _ in loose]):
        low = low + np.minimum.reduce([np.minimum(loose[i][1], 0) if len(clique) > 1 else loose[i][1] for i in clique])
        high = high + np.maximum.reduce([np.maximum(loose[i][2], 0) if len(clique) > 1 else loose[i][2] for i in clique])
    return low, high


def _is_ramp(term: Term, key: tuple, column: dict[Lane, int], scale: float) -> bool:
    rest = {lane: c for lane, c in term.gate.terms.items() if lane not in column}
    return tuple((lane, c / scale) for lane, c in rest.items()) == key


def _ramp(facts: Facts, form: Linear, members: Sequence[tuple[np.ndarray, float, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """Bounds per case of sum max(0, gate + scale * form) * up over the form's values."""
    low, high = facts.bounds(form)
    unit = facts.unit(Linear(None, 1.0), form)
    cases = len(members[0][0])
    if (high - low) / unit >= RAMP_POINTS or (high - low) / unit * cases > WORK:
        parts = [[np.maximum(gate + scale * end, 0) * up for end in (low, high)] for gate, scale, up in members]
        return (sum(np.minimum(*p) for p in parts), sum(np.maximum(*p) for p in parts))
    points = np.arange(low, high + unit / 2, unit)
    total = np.zeros((cases, len(points)))
    for gate, scale, up in members:
        total += np.maximum(gate[:, None] + scale * points, 0) * up[:, None]
    return total.min(1), total.max(1)


def _cliques(facts: Facts, terms: Sequence[Term]) -> list[list[int]]:
    """Terms split into sets of which at most one gate is positive on any token."""
    units = [facts.unit(term.gate) for term in terms]
    cliques: list[list[int]] = []
    for i, term in enumerate(terms):
        for clique in cliques:
            if all(facts.bounds(term.gate + terms[j].gate)[1] < units[i] + units[j] for j in clique):
                clique.append(i)
                break
        else:
            cliques.append([i])
    return cliques
