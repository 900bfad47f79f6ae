"""Functions of one integer form, built from neurons and exact at every integer.

A neuron gives max(0, gate), and the magnitude of a gate passes bf16 exactly only up to 256 (`EXACT`). So a rise that lies
further than that from one end of the form's range is measured from the other end; what that leaves over is a constant.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from builder.netlist import CircuitError, Form, Lane, Linear, Netlist, linear, total

EXACT = 256
"""Largest integer up to which bf16 holds every integer."""


class Rises:
    """Rises of one layer under one enabling form (1 or 0), and the constants that they leave over.

    span: at least as large as any gate gets where the enabling form is 0, so that nothing fires there
    """

    def __init__(self, netlist: Netlist, layer: int, enable: Form, span: float) -> None:
        self._netlist, self._layer, self._enable = netlist, layer, linear(enable)
        self._disable = (self._enable - 1.0) * span
        self._constants: dict[Lane, float] = {}

    def constant(self, out: Mapping[Lane, float]) -> None:
        """out lane += coefficient."""
        for lane, coefficient in out.items():
            self._constants[lane] = self._constants.get(lane, 0.0) + coefficient

    def rise(self, x: Form, low: int, high: int, start: int, height: int, out: Mapping[Lane, float]) -> None:
        """out lane += coefficient * clamp(x - start, 0, height) for every integer x in low .. high."""
        x, end = linear(x), start + height
        if not height:
            return
        if high - start <= EXACT:
            self._neuron(x - start, 1.0, out)
            if end < high:
                self._neuron(x - end, -1.0, out)
        elif end - low <= EXACT:
            self._neuron(end - x, -1.0, out)
            if start > low:
                self._neuron(start - x, 1.0, out)
            self.constant({lane: coefficient * height for lane, coefficient in out.items()})
        else:
            raise CircuitError(
                f"a rise at {start} is more than {EXACT} from both ends of {low}..{high}", f"layer {self._layer}"
            )

    def step(self, x: Form, low: int, high: int, threshold: int, out: Mapping[Lane, float]) -> None:
        """out lane += coefficient where x >= threshold, for every integer x in low .. high."""
        self.rise(x, low, high, threshold - 1, 1, out)

    def _neuron(self, gate: Form, sign: float, out: Mapping[Lane, float]) -> None:
        self._netlist.neuron(self._layer, linear(gate) + self._disable, sign, out)

    def finish(self) -> None:
        """Write the constants; one of more than 8 significant bits takes a second neuron."""
        rest = {lane: value for lane, value in self._constants.items() if value}
        while rest:
            part = {lane: _leading(value) for lane, value in rest.items()}
            self._netlist.neuron(self._layer, self._enable, 1.0, part)
            rest = {lane: value - part[lane] for lane, value in rest.items() if value != part[lane]}


@contextmanager
def rises(netlist: Netlist, layer: int, enable: Form = 1.0, span: float = 0.0) -> Iterator[Rises]:
    """Rises of one layer; their constants are written at the end of the block."""
    collected = Rises(netlist, layer, enable, span)
    yield collected
    collected.finish()


def _leading(value: float) -> float:
    """The 8 leading bits of a number: a bf16 number."""
    unit = 2.0 ** (math.frexp(value)[1] - 8)
    return math.trunc(value / unit) * unit


def table(netlist: Netlist, layer: int, x: Form, values: Mapping[Lane, Sequence[int]], disable: Form = 0.0) -> None:
    """out lane += values[lane][x] for every integer x from 0 on; values[lane][0] must be 0.

    Written as the piecewise linear curve through the points: its change of slope at t is a neuron with gate x - t.
    disable: 0, or so negative that no neuron fires
    """
    if any(points[0] for points in values.values()):
        raise CircuitError("a table that does not begin with 0", f"layer {layer}")
    for t in range(max(map(len, values.values())) - 1):
        bends = {
            lane: float(points[t + 1] - 2 * points[t] + (points[t - 1] if t else 0))
            for lane, points in values.items()
            if t + 1 < len(points)
        }
        if any(bends.values()):
            netlist.neuron(layer, linear(x) - t + disable, 1.0, bends)


def bits_of(value: int, width: int) -> list[int]:
    """The bits of an integer, least significant first."""
    return [value >> i & 1 for i in range(width)]


def any_set(netlist: Netlist, layer: int, x: Form, out: Mapping[Lane, float], disable: Form = 0.0) -> None:
    """out lane += coefficient where the integer x, at most 256, is at least 1."""
    netlist.neuron(layer, linear(x) + disable, 1.0, out)
    netlist.neuron(layer, linear(x) - 1.0 + disable, -1.0, out)


def first_of(lanes: Iterable[Lane], position: int) -> Linear:
    """1 where the bit lane at this position is the first of the list that is 1, <= 0 otherwise."""
    listed = list(lanes)
    return total([listed[position], *(-lane for lane in listed[:position])])


def zero_where_absent(netlist: Netlist, layer: int, enable: Lane, word: Sequence[Lane], target: Sequence[Lane]) -> None:
    """target := value 0 (all lanes -1, added) where the enabling bit is 1 and nothing was read into `word` (all lanes 0).

    By the first lane x of the word: -max(0, 2 enable + x - 1) + max(0, x) * 2 enable is -1 for x = 0 and 0 for x = +-1.
    """
    x = linear(word[0])
    netlist.neuron(layer, enable * 2.0 + x - 1.0, -1.0, dict.fromkeys(target, 1.0))
    netlist.neuron(layer, x, enable * 2.0, dict.fromkeys(target, 1.0))
