"""What values lanes can hold together: domains, declared facts, exact enumeration and bounds of linear forms.

The facts are those of the netlist: once its last write is done (or earlier, where `Netlist.together` says so), a group of
spin lanes is wholly written or wholly 0 on a token (a *presence class*, which `Netlist.together` makes of several groups), at
most one lane of an exclusive group is 1,
`Netlist.assume` says what lanes hold at one layer when some bits are set, `Netlist.never` what no token has. Everything
here is pure: forms in, bounds out.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass

import numpy as np

from builder.netlist import Assumption, CircuitError, Lane, Linear
from builder.place import MIXER_READ, MLP_READ, Placed

FINEST = 2.0**40
"""Coefficients are multiples of 1 / FINEST."""
SPLIT_CLASSES = 6
"""Up to so many presence classes are told apart."""
LISTED = 12
"""Presence classes up to this many lanes are enumerated together; larger ones lane by lane (sound, less sharp)."""


def unit_of(numbers: Iterable[float]) -> float:
    """Largest number of which all given ones are integer multiples (0 when all are 0)."""
    scaled = [number * FINEST for number in numbers]
    if any(number % 1 for number in scaled):
        raise CircuitError(f"a coefficient is no multiple of {1 / FINEST:g}", "bounds of a form")
    return math.gcd(*(int(number) for number in scaled)) / FINEST


@dataclass(frozen=True)
class Atom:
    """Lanes that vary together: `rows` lists every combination of their values [count, len(lanes)]."""

    lanes: tuple[Lane, ...]
    rows: np.ndarray


class Facts:
    """The facts of a placed netlist before the MLP (or the mixer) of one layer.

    fresh: lanes that are 0 there. signs: lanes that are +-1 there, the token's code among them.
    """

    def __init__(self, placed: Placed, layer: int, *, before_mixer: bool = False, fresh: frozenset[Lane] = frozenset()) -> None:
        netlist, moment = placed.netlist, 4 * layer + (MIXER_READ if before_mixer else MLP_READ)
        self.fresh = fresh
        self._ends: dict[Lane, tuple[float, float]] = {}
        self.code = self.signs = frozenset(netlist.code)
        self._unsettled = (
            frozenset(
                lane
                for lane, last in placed.settled.items()
                if last > moment and moment < 4 * netlist.present_since.get(lane.group, math.inf)
            )
            - self.code
        )
        self.one = frozenset(netlist.one)
        self.groups: dict[Lane, list[int]] = {}
        self.members = [frozenset(lanes) for _, lanes in netlist.one_hot]
        for number, (_, lanes) in enumerate(netlist.one_hot):
            for lane in lanes:
                self.groups.setdefault(lane, []).append(number)
        self._joined = netlist.presence
        self.assumptions: list[Assumption] = [
            fact
            for fact in netlist.assumptions
            if (fact.layer == layer and fact.before_mixer == before_mixer)
            or (fact.layer is None and layer >= fact.since and not self._unsettled.intersection(fact.lanes))
        ]
        self._written_when: dict[str, set[Lane]] = {}
        for fact in self.assumptions:
            if fact.present and len(fact.when) == 1 and fact.when[0].wanted:
                for name in {c for lane in fact.lanes if (c := self.presence(lane)) is not None}:
                    self._written_when.setdefault(name, set()).add(fact.when[0].lane)
        self.impossible = [
            literals for literals in netlist.impossible if not any(literal.lane in self._unsettled for literal in literals)
        ]

    def presence(self, lane: Lane) -> str | None:
        """Name of the presence class of a spin lane that is not written on every token (None for other lanes)."""
        if lane.domain.name != "spin" or lane in self.signs or lane in self.fresh or lane in self._unsettled:
            return None
        return self._joined.get(lane.group, lane.group)

    def values(self, lane: Lane) -> list[float]:
        """Every value a lane alone may hold."""
        if lane in self.fresh:
            return [0.0]
        if lane in self.one:
            return [1.0]
        return [-1.0, 1.0] if lane in self.signs else lane.domain.values()

    def ends(self, lane: Lane) -> tuple[float, float]:
        """Smallest and largest value a lane alone may hold."""
        if lane not in self._ends:
            values = self.values(lane)
            self._ends[lane] = min(values), max(values)
        return self._ends[lane]

    def _grouping(self, lanes: Iterable[Lane]) -> dict[Lane, int]:
        """One exclusive group per lane: the one that has most of these lanes."""
        grouped = [lane for lane in lanes if lane in self.groups]
        if len(grouped) < 2:
            return {}
        count = Counter(group for lane in grouped for group in self.groups[lane])
        return {lane: max(self.groups[lane], key=lambda group: (count[group], -group)) for lane in grouped}

    def atoms(self, lanes: Iterable[Lane]) -> list[Atom]:
        """The lanes split into atoms, each with every combination its facts allow."""
        lanes = list(dict.fromkeys(lanes))
        grouping = self._grouping(lanes)
        together: dict[object, list[Lane]] = {}
        for lane in lanes:
            key = None if lane in self.fresh else self.presence(lane) or grouping.get(lane)
            together.setdefault(lane if key is None else key, []).append(lane)
        atoms = []
        for key, members in together.items():
            count = len(members)
            if isinstance(key, Lane):
                atoms.append(Atom((key,), np.array(self.values(key))[:, None]))
            elif isinstance(key, int):
                atoms.append(Atom(tuple(members), np.concatenate([np.zeros((1, count)), np.eye(count)])))
            elif count <= LISTED:
                every = (np.arange(1 << count)[:, None] >> np.arange(count) & 1) * 2.0 - 1
                atoms.append(Atom(tuple(members), np.concatenate([np.zeros((1, count)), every])))
            else:
                atoms += [Atom((lane,), np.array([[-1.0], [0.0], [1.0]])) for lane in members]
        return atoms

    def cases(self, lanes: Iterable[Lane], limit: int) -> tuple[list[Lane], np.ndarray] | None:
        """Every consistent combination of the lanes' values [count, lanes], or None when there may be more than
        `limit`."""
        atoms = self.atoms(lanes)
        if math.prod(len(atom.rows) for atom in atoms) > limit:
            return None
        order = [lane for atom in atoms for lane in atom.lanes]
        table = np.zeros((1, 0))
        for atom in atoms:
            table = np.concatenate([np.repeat(table, len(atom.rows), 0), np.tile(atom.rows, (len(table), 1))], 1)
        return order, table[self._allowed(order, table)]

    def _allowed(self, order: Sequence[Lane], table: np.ndarray) -> np.ndarray:
        """Which rows the facts allow; a fact that names a lane outside the table rules nothing out."""
        column = {lane: i for i, lane in enumerate(order)}
        keep = np.ones(len(table), bool)
        for group in {g for lane in order for g in self.groups.get(lane, ())}:
            keep &= table[:, [i for lane, i in column.items() if lane in self.members[group]]].sum(1) <= 1
        for fact in self.assumptions:
            then = [column[lane] for lane in fact.lanes if lane in column and lane not in self.fresh]
            if then and all(literal.lane in column for literal in fact.when):
                holds = np.ones(len(table), bool)
                for literal in fact.when:
                    holds &= (table[:, column[literal.lane]] > 0) == literal.wanted
                right = table[:, then] != 0 if fact.present else table[:, then] == 0
                keep &= ~holds | right.all(1)
        for literals in self.impossible:
            if all(literal.lane in column for literal in literals):
                keep &= ~np.logical_and.reduce([(table[:, column[x.lane]] > 0) == x.wanted for x in literals])
        return keep

    def bounds(self, form: Linear) -> tuple[float, float]:
        """Smallest and largest value of a form: exclusive lanes as one, everything else independent (sound)."""
        low = high = form.constant
        grouping = self._grouping(form.terms)
        best: dict[int, tuple[float, float]] = {}
        for lane, coefficient in form.terms.items():
            group = grouping.get(lane)
            if group is not None:
                below, above = best.get(group, (0.0, 0.0))
                best[group] = min(below, coefficient), max(above, coefficient)
            else:
                least, most = self.ends(lane)
                if coefficient < 0:
                    least, most = most, least
                low, high = low + coefficient * least, high + coefficient * most
        return low + sum(below for below, _ in best.values()), high + sum(above for _, above in best.values())

    def scenarios(self, lanes: Iterable[Lane]) -> list[Facts]:
        """These facts once for every set of the lanes' presence classes that may be written: there its lanes are +-1 and
        those of the others 0. With many classes the facts as they are, which know less."""
        lanes = list(lanes)
        classes = sorted({name for lane in lanes if (name := self.presence(lane)) is not None})
        if not classes or len(classes) > SPLIT_CLASSES:
            return [self]
        subsets = ({name for i, name in enumerate(classes) if chosen >> i & 1} for chosen in range(1 << len(classes)))
        return [self._given(lanes, written) for written in subsets]

    def _given(self, lanes: Iterable[Lane], written: set[str]) -> Facts:
        """These facts where of the lanes' presence classes just these are written; bits that assume otherwise are 0."""
        classes = {lane: name for lane in lanes if (name := self.presence(lane)) is not None}
        present = {lane for lane, name in classes.items() if name in written}
        absent = classes.keys() - present
        refuted = {
            fact.when[0].lane
            for fact in self.assumptions
            if len(fact.when) == 1 and fact.when[0].wanted and not (absent if fact.present else present).isdisjoint(fact.lanes)
        }
        given = copy(self)
        given.fresh, given.signs, given._ends = self.fresh | absent | refuted, self.signs | present, {}
        return given

    def presences(self, gate: Linear, *others: Linear) -> list[frozenset[str]]:
        """Sets of presence classes that may be written where the gate is positive, over the classes of all the forms.

        A class is not absent where a bit is 1 that says it is written, so with those bits 0 the gate must still open.
        """
        classes = sorted({c for form in (gate, *others) for lane in form.terms if (c := self.presence(lane)) is not None})
        if len(classes) > 6:
            raise CircuitError(
                f"a neuron reads {len(classes)} groups of spins: {', '.join(classes[:7])}",
                "bounds of a form",
                "declare which are written together (Netlist.together)",
            )
        found = []
        for chosen in range(1 << len(classes)):
            present = frozenset(name for i, name in enumerate(classes) if chosen >> i & 1)
            if self.lattice(gate, present)[1] > 0:
                found.append(present)
        return found

    def lattice(self, form: Linear, present: frozenset[str]) -> tuple[float, float, float]:
        """(low, high, unit) of a form where exactly these presence classes are written: its values are multiples of the
        unit."""
        off = {
            lane
            for name in map(self.presence, form.terms)
            if name is not None and name not in present
            for lane in self._written_when.get(name, ())
        }
        offset, steps, kept = form.constant, [], {}
        for lane, coefficient in form.terms.items():
            own = self.presence(lane)
            if lane in self.fresh or lane in off or (own is not None and own not in present):
                continue
            kept[lane] = coefficient
            if own is not None or lane in self.signs:
                offset += coefficient  # odd values: +1, and steps of 2 below
                steps += [] if lane in self.one else [2 * coefficient]
            else:
                steps.append(coefficient * unit_of(lane.domain.values()))
        low, high = self.bounds(Linear(kept, form.constant))
        return low, high, unit_of([offset, *steps]) or 1.0

    def unit(self, gate: Linear, *forms: Linear) -> float:
        """A number of which every value of the forms is a multiple wherever the gate is positive (of the gate itself
        when no forms are given)."""
        present = self.presences(gate, *forms)
        return unit_of(self.lattice(form, chosen)[2] for form in forms or (gate,) for chosen in present) or 1.0
