"""Liveness and placement: virtual lanes get axes, heads and neurons their numbers, dead lanes their clearing neuron.

A lane lives from its first write to its last read. At the MLP of its last read's layer one neuron (gate ONE, up -lane)
returns it to 0, so its axis can carry another lane in later layers. Fixed axes (pin, 64 code lanes) are never shared.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from builder.geometry import Axes, Geometry
from builder.netlist import CircuitError, Lane, Linear, Netlist, Neuron, linear
from engine.machine.errors import LimitExceeded

PHASES = ("mixer reads", "mixer writes", "MLP reads", "MLP writes")
"""Order inside a layer; a moment is layer * 4 + phase."""
MIXER_READ, MIXER_WRITE, MLP_READ, MLP_WRITE = range(4)


@dataclass(frozen=True)
class Life:
    """A lane's life in moments (layer * 4 + phase), both inclusive."""

    birth: int
    death: int

    @property
    def layers(self) -> range:
        """Layers in which the lane occupies its axis."""
        return range(max(self.birth, 0) // 4, self.death // 4 + 1)


@dataclass(frozen=True)
class Placed:
    """A netlist with an axis per lane.

    axis: lane -> residual axis. lives: lane -> life. clears: layer -> lanes that its MLP returns to 0.
    settled: lane -> moment of the circuits' last write to it.
    Lanes that no device uses are absent.
    """

    netlist: Netlist
    geometry: Geometry
    axes: Axes
    axis: dict[Lane, int]
    lives: dict[Lane, Life]
    clears: dict[int, list[Lane]]
    settled: dict[Lane, int]

    def neurons(self, layer: int) -> list[Neuron]:
        """Neurons of a layer in their final order: the circuits', then the clearing ones."""
        written = self.netlist.layers[layer].neurons if layer in self.netlist.layers else []
        one = linear(self.netlist.one[0])
        return [*written, *(Neuron("clear", one, -lane, {lane: 1.0}) for lane in self.clears.get(layer, []))]

    def occupancy(self) -> dict[int, int]:
        """Layer -> axes in use (lanes, code lanes and pin)."""
        count: Counter[int] = Counter()
        for life in self.lives.values():
            count.update(life.layers)
        return dict(sorted(count.items()))


def place(
    netlist: Netlist,
    *,
    geometry: Geometry | None = None,
    axes: Axes | None = None,
    partial: bool = False,
    keep: Mapping[Lane, int] | None = None,
) -> Placed:
    """Place every lane that some device uses.

    partial: the netlist is a piece of a machine (tests): lanes read before they are written hold a value before the
    first layer, lanes written last stay until the end of that layer. Otherwise both are errors.
    keep: lane -> layer up to whose end it must not be cleared (tests that look at it there).
    Raises CircuitError for a lane read before it is written or written without a reader, LimitExceeded when a layer
    needs more axes, heads or neurons than there are.
    """
    geometry, axes = geometry or Geometry(), axes or Axes()
    lives = _lives(netlist, partial, dict(keep or {}))
    clears = _clears(netlist, lives)
    axis = _axes(netlist, geometry, axes, lives)
    settled = {lane: max(moments) for lane, moments in _moments(netlist)[1].items()}
    placed = Placed(netlist, geometry, axes, axis, lives, clears, settled)
    _check_counts(placed)
    return placed


def _moments(netlist: Netlist) -> tuple[dict[Lane, list[int]], dict[Lane, list[int]], dict[tuple[Lane, int], str]]:
    """Lane -> moments it is read at, lane -> moments it is written at, (lane, moment) -> circuit that does."""
    reads: dict[Lane, list[int]] = {}
    writes: dict[Lane, list[int]] = {}
    owner: dict[tuple[Lane, int], str] = {}

    def note(table: dict[Lane, list[int]], lanes: Iterable[Lane], moment: int, circuit: str) -> None:
        for lane in lanes:
            known = table.setdefault(lane, [])
            if not known or known[-1] != moment:
                known.append(moment)
            owner.setdefault((lane, moment), circuit)

    def constants(form: Linear) -> list[Lane]:
        return netlist.one if form.constant else []

    for index, layer in sorted(netlist.layers.items()):
        base = 4 * index
        for head in layer.heads:
            for _, form in head.forms():
                note(reads, [*form.terms, *constants(form)], base + MIXER_READ, head.circuit)
            note(writes, (lane for _, lane, _ in head.outs), base + MIXER_WRITE, head.circuit)
        for neuron in layer.neurons:
            for form in (neuron.gate, neuron.up):
                note(reads, [*form.terms, *constants(form)], base + MLP_READ, neuron.circuit)
            note(writes, neuron.out, base + MLP_WRITE, neuron.circuit)
    return reads, writes, owner


def _lives(netlist: Netlist, partial: bool, keep: dict[Lane, int]) -> dict[Lane, Life]:
    reads, writes, owner = _moments(netlist)
    fixed = {netlist.pin, *netlist.code}
    last = max(netlist.layers, default=0) * 4 + MLP_WRITE
    lives: dict[Lane, Life] = {lane: Life(0, last) for lane in fixed}
    for lane in (lane for group in netlist.groups.values() for lane in group if lane not in fixed):
        births = writes.get(lane, [])
        ends = [*reads.get(lane, ()), *([4 * keep[lane] + MLP_WRITE] if lane in keep else [])]
        if not births and not ends:
            continue
        if not births or (ends and min(ends) < min(births)):
            moment = min(ends)
            if not partial:
                raise CircuitError(
                    f"lane {lane.name} is read before it is written",
                    f"{owner.get((lane, moment), 'kept')}, layer {moment // 4}, {PHASES[moment % 4]}",
                )
            births = [-1, *births]
        final = max(births)
        if not ends or final > max(ends):
            if not partial:
                raise CircuitError(
                    f"lane {lane.name} is written but never read after that",
                    f"{owner[lane, final]}, layer {final // 4}, {PHASES[final % 4]}",
                )
            ends.append(final // 4 * 4 + MLP_WRITE)
        lives[lane] = Life(min(births), max(ends))
    return lives


def _clears(netlist: Netlist, lives: dict[Lane, Life]) -> dict[int, list[Lane]]:
    """Each lane is cleared in the layer of its last read; one that is alive at the end of a layer in the next one."""
    clears: dict[int, list[Lane]] = {}
    final = max(netlist.layers, default=0)
    fixed = {netlist.pin, *netlist.code}
    for lane, life in lives.items():
        layer, phase = divmod(life.death, 4)
        if lane in fixed or (phase == MLP_WRITE and layer >= final):
            continue
        if phase == MLP_WRITE:
            layer += 1
            lives[lane] = Life(life.birth, 4 * layer + MLP_READ)
        clears.setdefault(layer, []).append(lane)
    return {layer: sorted(lanes, key=lambda lane: lane.index) for layer, lanes in sorted(clears.items())}


def _axes(netlist: Netlist, geometry: Geometry, axes: Axes, lives: dict[Lane, Life]) -> dict[Lane, int]:
    """Greedy interval placement: lanes by birth, smallest free axis first (optimal for intervals, deterministic)."""
    axis = {netlist.pin: axes.pin, **dict(zip(netlist.code, axes.code, strict=True))}
    free = axes.free(geometry)
    heapq.heapify(free)
    _check_lanes(netlist, lives, len(free))
    occupied: list[tuple[int, int]] = []  # (last layer, axis)
    for lane in sorted((x for x in lives if x not in axis), key=lambda x: (lives[x].layers.start, x.index)):
        layers = lives[lane].layers
        while occupied and occupied[0][0] < layers.start:
            heapq.heappush(free, heapq.heappop(occupied)[1])
        axis[lane] = heapq.heappop(free)
        heapq.heappush(occupied, (layers[-1], axis[lane]))
    return axis


def _check_lanes(netlist: Netlist, lives: dict[Lane, Life], available: int) -> None:
    fixed = {netlist.pin, *netlist.code}
    alive: dict[int, Counter[str]] = {}
    for lane, life in lives.items():
        if lane not in fixed:
            for layer in life.layers:
                alive.setdefault(layer, Counter())[lane.group] += 1
    worst = max(alive, key=lambda layer: alive[layer].total(), default=None)
    if worst is None or alive[worst].total() <= available:
        return
    biggest = ", ".join(f"{group} {count}" for group, count in alive[worst].most_common(8))
    raise LimitExceeded(
        f"residual lanes in layer {worst}",
        alive[worst].total(),
        available,
        biggest,
        "free lanes earlier or move a circuit to another layer",
    )


def _check_counts(placed: Placed) -> None:
    for index, layer in placed.netlist.layers.items():
        for what, items, available in (
            ("heads", layer.heads, placed.geometry.heads),
            ("neurons", placed.neurons(index), placed.geometry.neurons),
        ):
            if len(items) > available:
                users = ", ".join(f"{name} {count}" for name, count in Counter(item.circuit for item in items).most_common(8))
                raise LimitExceeded(f"{what} in layer {index}", len(items), available, users, "move a circuit to another layer")
