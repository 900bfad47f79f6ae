"""The ALU of a stage: every instruction on every lane, in as many MLP layers as the stage has (5, or 6 with mulhi).

All instructions share the layers; a neuron fires only when its instruction is the row's. The pass that writes a result adds -1
to every lane of it and +2 wherever a bit is 1. Operand A is also the place where shifts happen. A row never written selects no
instruction and leaves results and predicates alone.

| pass | first | second | third | fourth | last |
|---|---|---|---|---|---|
| logic, brev | bits | | | | |
| counts | | | | bits | |
| compare, select | bytes compared | choice | predicate | | chosen operand |
| shift | by 8, 16, 24 | choice | by 2, 4, 6 | by 1 | shifted operand |
| arithmetic | columns | digits | carry codes | carries | bits |

With mulhi the last pass moves to the sixth layer and the fifth finishes the carries.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from builder.circuits import arithmetic
from builder.circuits.arithmetic import Columns
from builder.circuits.bus import LOAD_LAYERS, OPERAND_LAYERS, Bus
from builder.circuits.functions import any_set, bits_of, rises, table
from builder.circuits.operands import Operands
from builder.circuits.program_rom import Row
from builder.netlist import BIT, INT, Form, Lane, Linear, Netlist, all_of, bit, total, unset, word
from engine.machine.instructions import BY_MNEMONIC
from engine.machine.spec import WORD_BITS, MachineSpec

LOGIC: dict[str, tuple[tuple[int, int], ...]] = {
    "and": ((1, 1),),
    "or": ((1, 1), (1, 0), (0, 1)),
    "xor": ((1, 0), (0, 1)),
    "not": ((0, 0), (0, 1)),
    "mov": ((1, 0), (1, 1)),
}
"""Bitwise instructions: the bits of (A, B) for which the result's bit is 1."""

COMPARE: dict[str, str] = {
    "setp.eq": "=",
    "setp.ne": "<>",
    "setp.lt.s": "<",
    "setp.lt.u": "<",
    "setp.le.s": "<=",
    "setp.le.u": "<=",
    "min.s": "<",
    "min.u": "<",
    "max.s": ">",
    "max.u": ">",
}
"""Comparing instructions: relations of A and B for which the predicate is 1, or operand A is the result."""

COUNTS = ("clz", "popc")
PICKS = ("min.s", "min.u", "max.s", "max.u", "selp")
"""Instructions whose result is operand A where the choice is 1, else B."""
SHIFTS = ("shl", "shr", "sar")
SHIFT_PASSES = (((3, 4), 0), ((1, 2), 2), ((0,), 3))
"""Bits of the amount that a pass shifts by, and which pass that is."""

WIRED = (*LOGIC, "brev")
"""Instructions whose result the first pass writes."""
LATE = (*PICKS, *SHIFTS, *arithmetic.INSTRUCTIONS)
"""Instructions whose result the last pass writes."""
CIRCUITS = frozenset({*WIRED, *COUNTS, *LATE, *COMPARE})
"""Every instruction that has a circuit."""

BYTE = 8
EQUAL = sum(3**k for k in range(WORD_BITS // BYTE))
"""`order` of two equal words."""


@dataclass(frozen=True)
class Thread:
    """What the ALU of one lane works on.

    order: 3**k times 0, 1 or 2 where byte k of A is below, equal to or above B's, summed: 40 for equal words
    chosen: the comparison holds; the predicate of selp; the shift amount is below 32
    far: the shift amount is 32 or more
    """

    a: list[Lane]
    b: list[Lane]
    c: list[Lane]
    result: list[Lane]
    predicate: Lane
    columns: Columns
    order: Lane
    chosen: Lane
    far: Lane


def build_alu(netlist: Netlist, bus: Bus, spec: MachineSpec, stage: int, row: Row, operands: Operands) -> None:
    """All passes for all lanes of a stage."""
    layers = range(OPERAND_LAYERS[stage] + 1, LOAD_LAYERS[stage])
    _declare_facts(netlist, bus, stage, row, operands, layers)
    high = any(name in row.opcode for name in arithmetic.HIGH_PRODUCTS)
    for j in range(spec.lanes):
        name = f"s{stage}.{j}"
        a, b = operands.a[j], operands.b[j]
        thread = Thread(
            a,
            b,
            operands.c[j],
            bus.results[stage][j],
            bus.predicates[j],
            arithmetic.declare_columns(netlist, name, a, b, high),
            netlist.lane(f"{name}.order", INT(0, 2 * EQUAL)),
            netlist.lane(f"{name}.chosen", BIT),
            netlist.lane(f"{name}.far", BIT),
        )
        for layer, names in ((layers[0], WIRED), (layers[3], COUNTS), (layers[-1], LATE)):
            _begin_result(netlist, layer, row, names, thread.result)
        _logic(netlist, layers[0], row, thread)
        _counts(netlist, layers[3], row, thread)
        _compare(netlist, layers[0], row, thread)
        _choose(netlist, layers[1], row, thread)
        _set_predicate(netlist, layers[2], row, thread)
        for amount, position in SHIFT_PASSES:
            _shift(netlist, layers[position], row, thread, amount)
        _pick(netlist, layers[-1], row, thread)
        arithmetic.add_columns(netlist, layers[0], row, thread.columns, a, b, thread.c, thread.predicate)
        arithmetic.split_columns(netlist, layers[1], row, thread.columns)
        arithmetic.code_carries(netlist, layers[2], thread.columns)
        arithmetic.look_ahead(netlist, layers[3], thread.columns)
        if high:
            arithmetic.finish_look_ahead(netlist, layers[4], thread.columns)
        arithmetic.write_digits(netlist, layers[-1], row, thread.columns, thread.result)


def _declare_facts(netlist: Netlist, bus: Bus, stage: int, row: Row, operands: Operands, layers: range) -> None:
    """What a written row implies, for the static checks: operands and predicates are there, a late result is not yet."""
    there = [*(lane for word in (*operands.a, *operands.b, *operands.c) for lane in word), *bus.predicates]
    results = [lane for word in bus.results[stage] for lane in word]
    for name, lane in row.opcode.items():
        netlist.assume(lane, there, present=True, since=layers[0])
        if name in (*COUNTS, *LATE):
            netlist.assume(lane, results, present=False, layer=layers[3] if name in COUNTS else layers[-1])


def _begin_result(netlist: Netlist, layer: int, row: Row, names: Iterable[str], result: Sequence[Lane]) -> None:
    """A word of -1 (value 0) for these instructions, whose bits the same layer sets."""
    netlist.neuron(layer, row.any_of(*names), -1.0, dict.fromkeys(result, 1.0))


def _logic(netlist: Netlist, layer: int, row: Row, thread: Thread) -> None:
    """Bitwise instructions by the four combinations of A and B; brev is a wire."""
    for i, target in enumerate(thread.result):
        for left, right in ((0, 0), (0, 1), (1, 0), (1, 1)):
            chosen = row.any_of(*(name for name, ones in LOGIC.items() if (left, right) in ones))
            conditions = (thread.a[i] if left else unset(thread.a[i]), thread.b[i] if right else unset(thread.b[i]))
            netlist.neuron(layer, all_of(chosen, *conditions), 2.0, {target: 1.0})
        netlist.neuron(layer, all_of(row.any_of("brev"), thread.a[WORD_BITS - 1 - i]), 2.0, {target: 1.0})


def _counts(netlist: Netlist, layer: int, row: Row, thread: Thread) -> None:
    """clz: the highest 1 bit is the one that exceeds the number of 1 bits above it. popc: a table of that number."""
    bits = [bit(lane) for lane in thread.a]
    for i in range(WORD_BITS):
        zeros = {thread.result[place]: 2.0 for place, one in enumerate(bits_of(WORD_BITS - 1 - i, WORD_BITS)) if one}
        if zeros:
            netlist.neuron(layer, bits[i] - total(bits[i + 1 :]) + row.any_of("clz") - 1.0, 1.0, zeros)
    netlist.neuron(layer, row.any_of("clz") - total(bits), 2.0, {thread.result[WORD_BITS.bit_length() - 1]: 1.0})
    ones = {
        thread.result[place]: [2 * bits_of(count, WORD_BITS)[place] for count in range(WORD_BITS + 1)]
        for place in range(WORD_BITS.bit_length())
    }
    table(netlist, layer, total(bits), ones, (row.any_of("popc") - 1.0) * (WORD_BITS + 1))


def _compare(netlist: Netlist, layer: int, row: Row, thread: Thread) -> None:
    """order += 3**k * (0, 1 or 2) for byte k of the comparing instructions; a signed top byte is read as such."""
    signed = row.any_of(*(name for name in COMPARE if name.endswith(".s")))
    unsigned = row.any_of(*(name for name in COMPARE if not name.endswith(".s")))
    for k in range(0, WORD_BITS, BYTE):
        difference = word(thread.a[k : k + BYTE]) - word(thread.b[k : k + BYTE])
        out = {thread.order: float(3 ** (k // BYTE))}
        if k + BYTE < WORD_BITS:
            _sign(netlist, layer, difference, signed + unsigned, out)
        else:
            _sign(netlist, layer, difference, unsigned, out)
            _sign(netlist, layer, difference + (bit(thread.b[-1]) - bit(thread.a[-1])) * 256.0, signed, out)


def _sign(netlist: Netlist, layer: int, difference: Form, enable: Form, out: dict[Lane, float]) -> None:
    """out lane += coefficient * (0, 1 or 2) for a negative, zero or positive difference, if enabled.

    A difference of bytes is -255 .. 255, so both ramps end below 256, and 512 less keeps them at 0.
    """
    disable = (enable - 1.0) * 512.0
    netlist.neuron(layer, difference + disable + 1.0, 1.0, out)
    netlist.neuron(layer, difference + disable - 1.0, -1.0, out)


def _choose(netlist: Netlist, layer: int, row: Row, thread: Thread) -> None:
    """chosen: whether the comparison of the instruction holds; the predicate for selp; not too far for shifts."""

    def of(relation: str) -> Linear:
        return row.any_of(*(name for name, relations in COMPARE.items() if relation in relations))

    highest, out = 2 * EQUAL, {thread.chosen: 1.0}
    never = highest + 1
    with rises(netlist, layer, of(">"), never) as above:
        above.step(thread.order, 0, highest, EQUAL + 1, out)
    with rises(netlist, layer, of("<"), never) as below:
        below.step(highest - thread.order, 0, highest, EQUAL + 1, out)
    with rises(netlist, layer, of("="), never) as equal:
        equal.step(thread.order, 0, highest, EQUAL, out)
        equal.step(thread.order, 0, highest, EQUAL + 1, {thread.chosen: -1.0})
    netlist.neuron(layer, all_of(row.any_of("selp"), thread.predicate), 1.0, out)
    netlist.neuron(layer, row.any_of(*SHIFTS) - thread.far, 1.0, out)


def _set_predicate(netlist: Netlist, layer: int, row: Row, thread: Thread) -> None:
    """setp replaces the predicate."""
    setters = row.any_of(*(name for name in COMPARE if BY_MNEMONIC[name].predicate))
    netlist.neuron(layer, setters, thread.chosen * 2.0 - 1.0 - thread.predicate, {thread.predicate: 1.0})


def _shift(netlist: Netlist, layer: int, row: Row, thread: Thread, amount: Sequence[int]) -> None:
    """Shift operand A in place by the given bits of B: each bit becomes new - old, which is exact for spins."""
    a, zero = thread.a, Linear(None, -1.0)
    if amount == SHIFT_PASSES[0][0]:
        any_set(netlist, layer, total(bit(lane) for lane in thread.b[WORD_BITS.bit_length() - 1 :]), {thread.far: 1.0})
    for value in range(1, 2 ** len(amount)):
        places = value << amount[0]
        here = [thread.b[b] if value >> i & 1 else unset(thread.b[b]) for i, b in enumerate(amount)]
        for i, lane in enumerate(a):
            lower = a[i - places] if i >= places else zero
            netlist.neuron(layer, all_of(row.any_of("shl"), *here), lower - lane, {lane: 1.0})
            if i + places < WORD_BITS:
                netlist.neuron(layer, all_of(row.any_of("shr", "sar"), *here), a[i + places] - lane, {lane: 1.0})
            else:
                netlist.neuron(layer, all_of(row.any_of("shr"), *here), zero - lane, {lane: 1.0})
                if i < WORD_BITS - 1:
                    netlist.neuron(layer, all_of(row.any_of("sar"), *here), a[-1] - lane, {lane: 1.0})


def _pick(netlist: Netlist, layer: int, row: Row, thread: Thread) -> None:
    """Result bits from A or B; a shift by 32 or more leaves 0, or the sign."""
    for target, left, right in zip(thread.result, thread.a, thread.b, strict=True):
        netlist.neuron(layer, all_of(row.any_of(*PICKS, *SHIFTS), thread.chosen), left + 1.0, {target: 1.0})
        netlist.neuron(layer, row.any_of(*PICKS) - thread.chosen, right + 1.0, {target: 1.0})
    netlist.neuron(layer, row.any_of("sar") - thread.chosen, thread.a[-1] + 1.0, dict.fromkeys(thread.result, 1.0))
