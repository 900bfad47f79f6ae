"""Circuits over virtual residual lanes: what a circuit author writes, before any axis, head or neuron number exists.

A *lane* is one named value of the residual stream with a declared domain; a token starts with every lane at 0. A circuit
reads lanes through linear forms and adds to lanes, at an explicit layer, with the two devices of a stock layer:

- a *neuron* of the MLP: ``out += max(0, gate) * up * coefficient``;
- a *head* of the mixer (gated DeltaNet): 128 rows of 128 dims, one write and one query a token.

Inside a layer the order is: mixer reads, mixer writes, MLP reads, MLP writes. `builder.place` gives lanes their axes and
clears them, `builder.check` proves the numeric margins, `builder.tensors` writes the weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from builder.geometry import GATED_NORM_Z, KEY_GAIN, RESET_GAIN, SPIN_OFFSET, SPIN_SLOPE
from engine.machine.errors import GpuError

ONE_LANES = 4
"""Lanes that hold +1 on every machine token: Walsh lane 0 of each nibble of the token code."""


class CircuitError(GpuError):
    """A circuit that is wrong or whose exactness cannot be shown: names circuit, layer and lane."""

    kind: ClassVar[str] = "internal"


@dataclass(frozen=True)
class Domain:
    """The values a lane may hold besides 0 (not written on this token): low, low + step, .. high."""

    name: str
    low: float
    high: float
    step: float

    @property
    def is_spin(self) -> bool:
        """Holds -1 or +1 (or 0 where it is not written)."""
        return self.low == -1 and self.high == 1

    @property
    def is_bit(self) -> bool:
        """Holds 0 or 1."""
        return self.low == 0 and self.high == 1

    def values(self) -> list[float]:
        """Every value of the domain, 0 included."""
        count = round((self.high - self.low) / self.step)
        return sorted({0.0, *(self.low + self.step * i for i in range(count + 1))})


SPIN = Domain("spin", -1.0, 1.0, 2.0)
"""-1 or +1 on every token that reads it."""
BIT = Domain("bit", 0.0, 1.0, 1.0)
SPIN_OR_ZERO = Domain("spin or zero", -1.0, 1.0, 1.0)
"""-1, +1, or 0 also on tokens that read it (a memory row never written, an operand not selected)."""


def INT(low: int, high: int) -> Domain:
    """Integers low .. high; |value| <= 256, the largest range in which bf16 holds every integer."""
    if not -256 <= low <= high <= 256:
        raise CircuitError(f"an integer lane of {low}..{high}", "", "bf16 holds every integer only up to 256")
    return Domain(f"int {low}..{high}", float(low), float(high), 1.0)


class Lane:
    """One virtual residual lane. Compared by identity; `name` is ``group[offset]``, or the group for a single lane."""

    __slots__ = ("domain", "group", "index", "offset", "width")

    def __init__(self, group: str, offset: int, width: int, domain: Domain, index: int) -> None:
        self.group, self.offset, self.width, self.domain, self.index = group, offset, width, domain, index

    @property
    def name(self) -> str:
        """`group[offset]`, or the group for a single lane."""
        return self.group if self.width == 1 else f"{self.group}[{self.offset}]"

    def __repr__(self) -> str:
        return f"Lane({self.name})"

    def __add__(self, other: Form) -> Linear:
        return linear(self) + other

    def __sub__(self, other: Form) -> Linear:
        return linear(self) - other

    def __mul__(self, factor: float) -> Linear:
        return linear(self) * factor

    def __rsub__(self, other: Form) -> Linear:
        return linear(other) - self

    def __neg__(self) -> Linear:
        return linear(self) * -1.0

    __radd__ = __add__
    __rmul__ = __mul__


class Linear:
    """An affine form over lanes: sum of coefficient * lane + constant. Immutable."""

    __slots__ = ("constant", "terms")

    def __init__(self, terms: Mapping[Lane, float] | None = None, constant: float = 0.0) -> None:
        self.terms: dict[Lane, float] = {k: float(v) for k, v in terms.items() if v} if terms else {}
        self.constant = float(constant)

    def __add__(self, other: Form) -> Linear:
        if isinstance(other, (int, float)):
            return Linear(self.terms, self.constant + other)
        other = linear(other)
        terms = dict(self.terms)
        for lane, coefficient in other.terms.items():
            terms[lane] = terms.get(lane, 0.0) + coefficient
        return Linear(terms, self.constant + other.constant)

    def __mul__(self, factor: float) -> Linear:
        return Linear({k: v * factor for k, v in self.terms.items()}, self.constant * factor)

    def __neg__(self) -> Linear:
        return self * -1.0

    def __sub__(self, other: Form) -> Linear:
        return Linear(self.terms, self.constant - other) if isinstance(other, (int, float)) else self + linear(other) * -1.0

    def __rsub__(self, other: Form) -> Linear:
        return linear(other) - self

    __radd__ = __add__
    __rmul__ = __mul__

    def __repr__(self) -> str:
        parts = [f"{coefficient:+g} {lane.name}" for lane, coefficient in self.terms.items()]
        return " ".join([*parts, f"{self.constant:+g}"] if self.constant or not parts else parts)


Form = Linear | Lane | float | int
"""Whatever can stand for an affine form."""


def linear(form: Form) -> Linear:
    """The form as a `Linear`."""
    if isinstance(form, Linear):
        return form
    return Linear({form: 1.0}) if isinstance(form, Lane) else Linear(None, form)


def total(forms: Iterable[Form]) -> Linear:
    """Sum of forms (linear time, unlike a chain of +)."""
    terms: dict[Lane, float] = {}
    constant = 0.0
    for form in forms:
        if isinstance(form, (int, float)):
            constant += form
            continue
        part = linear(form)
        constant += part.constant
        for lane, coefficient in part.terms.items():
            terms[lane] = terms.get(lane, 0.0) + coefficient
    return Linear(terms, constant)


def bit(lane: Lane) -> Linear:
    """The 0/1 value of a lane: the lane itself if it holds bits, (1 + lane) / 2 if it holds spins."""
    weight, offset = _as_bit(lane)
    return Linear({lane: weight}, offset)


def _as_bit(lane: Lane) -> tuple[float, float]:
    """Weight and offset with which the lane is a bit."""
    if lane.domain.is_bit:
        return 1.0, 0.0
    if lane.domain.is_spin:
        return 0.5, 0.5
    raise CircuitError(f"lane {lane.name} ({lane.domain.name}) is used as a bit", lane.group)


def word(lanes: Iterable[Lane]) -> Linear:
    """The unsigned integer whose bits the lanes hold, least significant first."""
    return total(bit(lane) * float(2**i) for i, lane in enumerate(lanes))


# ---------------------------------------------------------------- conditions


class Literal(NamedTuple):
    """One lane with the bit it must hold."""

    lane: Lane
    wanted: bool = True


Condition = Literal | Lane | Linear | Iterable["Condition"]
"""A lane (must be 1), a literal, a form (1 when it holds, <= 0 otherwise), or any nesting of those (all must hold)."""


def unset(lane: Lane) -> Literal:
    """The lane must hold bit 0 (spin -1)."""
    return Literal(lane, False)


def equals(lanes: Iterable[Lane], value: int) -> tuple[Literal, ...]:
    """The lanes (least significant first) must hold the bits of value."""
    literals = tuple(Literal(lane, bool(value >> i & 1)) for i, lane in enumerate(lanes))
    if value >> len(literals):
        raise CircuitError(f"{value} does not fit {len(literals)} bits", ", ".join(x.lane.name for x in literals))
    return literals


def _parts(conditions: Iterable[Condition]) -> Iterator[Literal | Linear]:
    """Conditions flattened to literals and forms."""
    for condition in conditions:
        if isinstance(condition, Lane):
            yield Literal(condition)
        elif isinstance(condition, (Literal, Linear)):
            yield condition
        else:
            yield from _parts(condition)


def all_of(*conditions: Condition) -> Linear:
    """A form that is exactly 1 when everything holds and <= 0 otherwise (1/2 when one spin is 0 and the rest hold)."""
    terms: dict[Lane, float] = {}
    constant = 1.0
    for part in _parts(conditions):
        if isinstance(part, Linear):
            constant += part.constant - 1.0
            for lane, coefficient in part.terms.items():
                terms[lane] = terms.get(lane, 0.0) + coefficient
            continue
        lane, wanted = part
        weight, offset = _as_bit(lane)
        terms[lane] = terms.get(lane, 0.0) + (weight if wanted else -weight)
        constant += offset - 1.0 if wanted else -offset
    return Linear(terms, constant)


def any_of(*lanes: Lane) -> Linear:
    """A form that is 1 when one of the lanes, of which at most one is 1 at a time, is 1."""
    return total(bit(lane) for lane in lanes)


# ---------------------------------------------------------------- devices


@dataclass(frozen=True)
class Neuron:
    """One MLP neuron: out lane += max(0, gate) * up * coefficient. A raw neuron's numbers are the weights themselves."""

    circuit: str
    gate: Linear
    up: Linear
    out: dict[Lane, float]
    raw: bool = False


@dataclass(frozen=True)
class RowCode:
    """How the values of one memory row are coded.

    The gated norm divides a row by its root mean square, so that must not depend on the data: either all 128 dims are
    +-1/4 (`pins` = 0), or `pins` dims of the constant `pin` dominate it. `weight` is the out_proj weight that turns a
    read dim into the stored lane value.
    """

    name: str
    pins: int
    pin: float
    weight: float


SIGNED = RowCode("128 signed bits", 0, 0.0, 1 / 128)
"""All 128 dims hold +-1/4: every dim has a value form, no pins. Reads +-1; a row never written reads 0."""
SIGNED_PINNED = RowCode("signed bits and 8 pins", 8, 64.0, 1 / 2)
"""Dims hold +-1/4 or 0, 8 pin dims of 64 in the same row or in one always-read row. Root mean square 16."""
CODED = RowCode("0/16 and 8 pins", 8, 1024.0, 1 / 8)
"""Dims hold 0 or 16 (a bit), 8 pin dims of 1024. Root mean square 256. Reads 0 or 1."""


@dataclass
class Head:
    """One head of the mixer at one layer. Forms are pre-activations as the stock projections compute them.

    queries, keys: row -> form; values, gates (z): dim -> form; outs: (dim, lane, weight); decay: the a-row form;
    taps: value dim -> conv tap; several_rows: largest number of rows that one token may read at once.
    """

    circuit: str
    layer: int
    name: str
    queries: dict[int, Linear] = field(default_factory=dict)
    keys: dict[int, Linear] = field(default_factory=dict)
    values: dict[int, Linear] = field(default_factory=dict)
    gates: dict[int, Linear] = field(default_factory=dict)
    outs: list[tuple[int, Lane, float]] = field(default_factory=list)
    decay: Linear = field(default_factory=Linear)
    taps: dict[int, int] = field(default_factory=dict)
    several_rows: int = 1

    def _at(self, what: str, position: int, taken: Mapping[int, object]) -> int:
        if not 0 <= position < 128:
            raise CircuitError(f"{what} {position} of head {self.name}", self.where, "a head has rows and dims 0..127")
        if position in taken:
            raise CircuitError(f"{what} {position} of head {self.name} is given twice", self.where)
        return position

    @property
    def where(self) -> str:
        """Circuit and layer, for messages."""
        return f"{self.circuit}, layer {self.layer}"

    def key(self, row: int, *conditions: Condition) -> None:
        """Write the token's row `row` when the conditions hold. No key hit = no write (k = 0)."""
        self.keys[self._at("key row", row, self.keys)] = all_of(*conditions) * (2.0 * KEY_GAIN) - KEY_GAIN

    def query(self, row: int, *conditions: Condition) -> None:
        """Read row `row` when the conditions hold. No query hit = every output exactly 0."""
        self.queries[self._at("query row", row, self.queries)] = all_of(*conditions) * (2.0 * KEY_GAIN) - KEY_GAIN

    def reset(self, *conditions: Condition) -> None:
        """Erase the whole head on this token, before its write and read. Bit lanes only (a half would decay partly)."""
        self.decay = self.decay + all_of(*conditions) * RESET_GAIN

    def spin(self, dim: int, lane: Lane, *enable: Condition) -> None:
        """Value of `dim` := lane / 4 (spin lane) where the enabling bits hold, else exactly 0."""
        self.value(dim, lane * SPIN_SLOPE + SPIN_OFFSET + self._disable(enable))

    def flag(self, dim: int, *enable: Condition) -> None:
        """Value of `dim` := +1/4 where the enabling bits hold, else exactly 0."""
        self.value(dim, SPIN_SLOPE + SPIN_OFFSET + self._disable(enable))

    @staticmethod
    def _disable(enable: tuple[Condition, ...]) -> Linear:
        """0 when all hold, <= -128 otherwise, where silu of the value form is exactly 0."""
        return (all_of(*enable) - 1.0) * 128.0 if enable else Linear()

    def bit(self, dim: int, *conditions: Condition) -> None:
        """Value of `dim` := 16 where the conditions hold, else exactly 0 (for CODED rows)."""
        self.value(dim, all_of(*conditions) * 144.0 - 128.0)

    def pins(self, code: RowCode, dims: Iterable[int], *enable: Lane) -> None:
        """Pin dims of the code: its pin value where one of the enabling bits is 1 (at most one is), or always."""
        for dim in dims:
            self.value(dim, total(lane * code.pin for lane in enable) if enable else code.pin)

    def value(self, dim: int, form: Form) -> None:
        """Value of `dim` := silu(form); the form is the pre-activation itself."""
        self.values[self._at("value dim", dim, self.values)] = linear(form)

    def gate(self, dim: int, *conditions: Condition) -> None:
        """Let `dim` out only where the conditions hold (z gate); without one a dim that is read is always let out."""
        self.gates[self._at("z dim", dim, self.gates)] = all_of(*conditions) * (2.0 * GATED_NORM_Z) - GATED_NORM_Z

    def out(self, dim: int, lane: Lane, code: RowCode | float) -> None:
        """lane += the read value of `dim` in the code's units (a number is the out_proj weight itself)."""
        self.outs.append((dim, lane, code.weight if isinstance(code, RowCode) else float(code)))

    def tap(self, dim: int, index: int) -> None:
        """Value dim `dim` takes the token `3 - index` positions back (conv tap index 0..3; 3 = this token)."""
        self.taps[dim] = index

    def forms(self) -> Iterator[tuple[str, Linear]]:
        """Every form the head reads, with a name for messages."""
        for kind, table in (("query", self.queries), ("key", self.keys), ("value", self.values), ("z", self.gates)):
            for position, form in table.items():
                yield f"{kind} {position}", form
        yield "reset", self.decay


@dataclass
class Layer:
    """The devices of one layer, in the order they were written. `norm_weight` is that of both RMSNorms."""

    index: int
    heads: list[Head] = field(default_factory=list)
    neurons: list[Neuron] = field(default_factory=list)
    norm_weight: float | None = None


@dataclass(frozen=True)
class Assumption:
    """Where all literals of `when` hold, the lanes are all written (+-1 or 1, `present`) or all 0.

    layer: before the MLP of this layer, or before its mixer (`before_mixer`); None: from the lanes' last write on (see
    `Netlist.together`), but not before the mixer of layer `since`.
    A fact about how circuits work together that no local analysis can see; the bench tests it on every run.
    """

    when: tuple[Literal, ...]
    lanes: tuple[Lane, ...]
    present: bool
    layer: int | None
    before_mixer: bool
    since: int


class Netlist:
    """All lanes and devices of a machine (or of a piece under test)."""

    def __init__(self) -> None:
        self.groups: dict[str, list[Lane]] = {}
        self.layers: dict[int, Layer] = {}
        self.one_hot: list[tuple[str, tuple[Lane, ...]]] = []
        self.presence: dict[str, str] = {}
        self.present_since: dict[str, int] = {}
        self.assumptions: list[Assumption] = []
        self.impossible: list[tuple[Literal, ...]] = []
        self._lanes = 0
        self._circuit = ""
        self.pin = self.lane("PIN", Domain("pin", 0.0, 92672.0, 92672.0))
        self.code = self.lanes("CODE", 64, SPIN)
        self.one = [self.code[16 * nibble] for nibble in range(ONE_LANES)]
        self.token_bits = [self.code[16 * nibble + (1 << i)] for nibble in range(4) for i in range(4)]

    def lanes(self, name: str, width: int, domain: Domain) -> list[Lane]:
        """`width` new lanes of one domain; they hold 0 until a circuit adds to them."""
        if name in self.groups:
            raise CircuitError(f"lanes '{name}' exist already", self._circuit)
        group = [Lane(name, i, width, domain, self._lanes + i) for i in range(width)]
        self._lanes += width
        self.groups[name] = group
        return group

    def lane(self, name: str, domain: Domain) -> Lane:
        """One new lane."""
        return self.lanes(name, 1, domain)[0]

    def exclusive(self, name: str, lanes: Iterable[Lane]) -> None:
        """Declare that at most one of these bit lanes is 1 on any token. Bounds then take the largest, not the sum."""
        members = tuple(lanes)
        for lane in members:
            if not lane.domain.is_bit:
                raise CircuitError(f"lane {lane.name} of exclusive group '{name}' does not hold a bit", self._circuit)
        self.one_hot.append((name, members))

    def together(self, name: str, *groups: Iterable[Lane], since: int | None = None) -> None:
        """Declare that the spin lanes of these groups are written on the same tokens (all +-1 or all 0).

        True from their last write on, or from the mixer of layer `since` on, also while lanes are changed in place.
        """
        for group in {lane.group for lanes in groups for lane in lanes}:
            self.presence[group] = name
            if since is not None:
                self.present_since[group] = since

    def assume(
        self,
        when: Condition,
        lanes: Iterable[Lane],
        *,
        present: bool,
        layer: int | None = None,
        before_mixer: bool = False,
        since: int = 0,
    ) -> None:
        """Declare what lanes hold where all literals hold; see `Assumption`."""
        literals = tuple(part for part in _parts([when]) if isinstance(part, Literal))
        self.assumptions.append(Assumption(literals, tuple(lanes), present, layer, before_mixer, since))

    def never(self, *conditions: Condition) -> None:
        """Declare that no token has all of these literals, from the lanes' last write on."""
        self.impossible.append(tuple(part for part in _parts(conditions) if isinstance(part, Literal)))

    @contextmanager
    def circuit(self, name: str) -> Iterator[None]:
        """Everything written inside belongs to circuit `name` (for messages and statistics)."""
        before, self._circuit = self._circuit, name
        try:
            yield
        finally:
            self._circuit = before

    def layer(self, index: int) -> Layer:
        """The layer's devices (created when first named)."""
        if index not in self.layers:
            self.layers[index] = Layer(index)
        return self.layers[index]

    def neuron(self, layer: int, gate: Form, up: Form, out: Mapping[Lane, float]) -> None:
        """out lane += max(0, gate) * up * coefficient at the MLP of `layer`. Gates are integers or half-integers."""
        kept = {lane: float(coefficient) for lane, coefficient in out.items() if coefficient}
        if not kept:
            raise CircuitError("a neuron without an output", f"{self._circuit}, layer {layer}")
        self.layer(layer).neurons.append(Neuron(self._circuit, linear(gate), linear(up), kept))

    def raw_neuron(self, layer: int, gate: Mapping[Lane, float], up: Mapping[Lane, float], down: Mapping[Lane, float]) -> None:
        """A neuron given by its weights (the boot layer, whose norm has no pin yet)."""
        self.layer(layer).neurons.append(Neuron(self._circuit, Linear(gate), Linear(up), dict(down), raw=True))

    def copy(self, layer: int, condition: Form, source: Form, target: Lane) -> None:
        """target += source where the condition form is 1."""
        self.neuron(layer, condition, source, {target: 1.0})

    def head(self, layer: int, name: str) -> Head:
        """A new head at the mixer of `layer`."""
        head = Head(self._circuit, layer, name)
        self.layer(layer).heads.append(head)
        return head
