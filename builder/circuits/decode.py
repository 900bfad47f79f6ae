"""Layer 1: the 16 bits of the token code become kind bits, one-hots, the write-out position and the line address."""

from __future__ import annotations

from dataclasses import dataclass

from builder.circuits.bus import Bus
from builder.netlist import BIT, Condition, Form, Lane, Literal, Netlist, all_of, equals, total, word
from engine.machine.spec import MachineSpec
from engine.machine.tokens import ALL_LANES, CODE_BITS, MEM1_POSITION, MEMV_POSITION, POSITIONS, TokenKind, token_kinds

LAYER = 1
UNIONS = {"MEM": ("MEM1", "MEMV"), "RESET": ("START", "CTAEND", "RESTART")}
"""Kind lanes of the bus that stand for several kinds."""


@dataclass(frozen=True)
class Decoded:
    """Lanes that decode makes for the other head circuits alone.

    stop:     END or FAULT
    anew:     PAD, START or EXEC: staging begins empty
    commit:   MEM1, MEMV, PROG or TAGROW: the token takes what is staged as result 3
    row:      PROG or TAGROW: the staged 128 bits themselves are broadcast
    staged:   one-hot result whose bytes the token reads: VAL its own, a commit result 3
    val_byte: one-hot byte of a VAL; val_lane: which lanes a VAL concerns (all for ALL_LANES)
    mem1:     one-hot lane of a MEM1
    """

    stop: Lane
    anew: Lane
    commit: Lane
    row: Lane
    staged: list[Lane]
    val_byte: list[Lane]
    val_lane: list[Lane]
    mem1: list[Lane]


class TokenBits:
    """Conditions on the token's code, from the definition of the token kinds."""

    def __init__(self, net: Netlist, spec: MachineSpec) -> None:
        self.bits = net.token_bits
        self.kinds: dict[str, TokenKind] = {kind.name: kind for kind in token_kinds(spec)}

    def is_kind(self, name: str) -> list[Literal]:
        """The bits that no field of the kind covers have the kind's values."""
        kind = self.kinds[name]
        covered = {bit for field in kind.fields for bit in range(field.low, field.low + field.width)}
        return [Literal(self.bits[i], bool(kind.base >> i & 1)) for i in range(CODE_BITS) if i not in covered]

    def field(self, kind: str, name: str) -> list[Lane]:
        """The bits of a field, least significant first."""
        field = next(f for f in self.kinds[kind].fields if f.name == name)
        return self.bits[field.low : field.low + field.width]


def decode(net: Netlist, spec: MachineSpec, bus: Bus) -> Decoded:
    """Write layer 1."""
    token = TokenBits(net, spec)
    decoded = Decoded(
        net.lane("decode.stop", BIT),
        net.lane("decode.anew", BIT),
        net.lane("decode.commit", BIT),
        net.lane("decode.row", BIT),
        net.lanes("decode.staged", spec.stages, BIT),
        net.lanes("decode.val_byte", 4, BIT),
        net.lanes("decode.val_lane", spec.lanes, BIT),
        net.lanes("decode.mem1", spec.lanes, BIT),
    )
    with net.circuit("decode"):
        _kinds(net, spec, token, bus, decoded)
        _fields(net, spec, token, decoded)
        _position(net, token, bus)
        _line(net, token, bus)
    _facts(net, spec, token, bus, decoded)
    return decoded


def _when(net: Netlist, condition: Condition, up: Form, *targets: Lane) -> None:
    net.neuron(LAYER, all_of(condition), up, dict.fromkeys(targets, 1.0))


def _kinds(net: Netlist, spec: MachineSpec, token: TokenBits, bus: Bus, decoded: Decoded) -> None:
    union = {member: bus.kind[name] for name, members in UNIONS.items() for member in members}
    last = spec.stages - 1
    internal: dict[str, list[Lane]] = {
        "PAD": [decoded.anew],
        "EXEC": [decoded.anew],
        "START": [decoded.anew],
        "END": [decoded.stop],
        "FAULT": [decoded.stop],
        "MEM1": [decoded.commit, decoded.staged[last]],
        "MEMV": [decoded.commit, decoded.staged[last]],
        "TAGROW": [decoded.commit, decoded.row, decoded.staged[last]],
    }
    for name in token.kinds:
        own = [lane for lane in (bus.kind.get(name), union.get(name)) if lane is not None]
        targets = own + internal.get(name, [])
        if targets:
            _when(net, token.is_kind(name), 1, *targets)
    for part in range(spec.stages + 1):
        condition = [*token.is_kind("PROG"), *equals(token.field("PROG", "part"), part)]
        _when(net, condition, 1, bus.kind[f"PROG{part}"], decoded.commit, decoded.row, decoded.staged[last])


def _fields(net: Netlist, spec: MachineSpec, token: TokenBits, decoded: Decoded) -> None:
    val = token.is_kind("VAL")
    for result in range(spec.stages):
        _when(net, [val, equals(token.field("VAL", "result"), result)], 1, decoded.staged[result])
    for byte in range(4):
        _when(net, [val, equals(token.field("VAL", "byte"), byte)], 1, decoded.val_byte[byte])
    _when(net, [val, equals(token.field("VAL", "lane"), ALL_LANES)], 1, *decoded.val_lane)
    for lane in range(spec.lanes):
        _when(net, [val, equals(token.field("VAL", "lane"), 1 + lane)], 1, decoded.val_lane[lane])
        _when(net, [token.is_kind("MEM1"), equals(token.field("MEM1", "lane"), lane)], 1, decoded.mem1[lane])


def _position(net: Netlist, token: TokenBits, bus: Bus) -> None:
    """POSITIONS everywhere, corrected on the kinds that have a place; a VAL's is linear in its bits (20, 4, 1)."""
    result, lane, byte = (word(token.field("VAL", name)) for name in ("result", "lane", "byte"))
    places: dict[str, Form] = {
        "EXEC": -1,
        "VAL": result * 20.0 + lane * 4.0 + byte,
        "MEMV": MEMV_POSITION,
        "MEM1": word(token.field("MEM1", "lane")) + MEM1_POSITION,
    }
    net.neuron(LAYER, net.one[0], POSITIONS, {bus.position: 1})
    for name, place in places.items():
        _when(net, token.is_kind(name), total([place, -POSITIONS]), bus.position)


def _line(net: Netlist, token: TokenBits, bus: Bus) -> None:
    """Line of a MEM1 = word address without its lowest bits; of a MEMV and a TAGROW their field."""
    address = token.field("MEM1", "address")
    sources = {
        "MEM1": address[len(address) - len(bus.line) :],
        "MEMV": token.field("MEMV", "line"),
        "TAGROW": token.field("TAGROW", "row"),
    }
    for name, source in sources.items():
        for i, lane in enumerate(bus.line):
            _when(net, token.is_kind(name), source[i] if i < len(source) else -1, lane)


def _facts(net: Netlist, spec: MachineSpec, token: TokenBits, bus: Bus, decoded: Decoded) -> None:
    """What is true of any token by its code: it is of one kind, however kinds are taken together."""
    single = {name: lane for name, lane in bus.kind.items() if name not in UNIONS}
    parts = [lane for name, lane in single.items() if name.startswith("PROG")]
    shared = [bus.kind[name] for name in ("VAL", "WARP", "BAR")]
    net.exclusive("token kind", [*single.values(), decoded.stop])
    net.exclusive(
        "token kind with unions",
        [*shared, bus.kind["MEM"], bus.kind["TAGROW"], bus.kind["RESET"], bus.kind["EXEC"], decoded.stop, *parts],
    )
    net.exclusive("commit or not", [*shared, decoded.commit, bus.kind["RESET"], bus.kind["EXEC"], decoded.stop])
    net.exclusive("row or not", [*shared, decoded.row, bus.kind["MEM"], decoded.anew, decoded.stop])
    net.exclusive("result staged by the token", decoded.staged)
    net.exclusive("byte of a VAL", decoded.val_byte)
    net.exclusive("lane of a MEM1, or a MEMV", [*decoded.mem1, bus.kind["MEMV"]])
    for kind in ("MEM", "TAGROW"):
        net.assume(bus.kind[kind], bus.line, present=True)
    val = token.is_kind("VAL")
    for lane in range(spec.lanes + 1, 1 << len(token.field("VAL", "lane"))):
        net.never(val, equals(token.field("VAL", "lane"), lane))
    for other in (decoded.anew, decoded.commit, decoded.row):
        net.never(val, other)
