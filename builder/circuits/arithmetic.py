"""Sums and products in octal digits: add, addp, sub, subp, mul, mad and, where the stage has it, mulhi.

A word is 11 octal digits (the top one has 2 bits). Digit products are summed into columns, column w of weight 8**w. Radix 8 is
what the residual lanes allow: a column is below 512 = 8**3, so it splits into three octal digits at once, and every threshold
of it lies within 256 of one end. The passes, one MLP each:

1. `add_columns`    products: digit products and the addend -> columns; sums: digit sums -> digits
2. `split_columns`  products: column w -> digits w, w+1, w+2; a digit is then at most 7 + 7 + 7
3. `code_carries`   two digits are a chunk of 6 bits; how far it is from carrying 1 and 2, as a code 0..6
4. `look_ahead`     carries into chunks, from the codes of the chunks below as one base-3 number
   (`finish_look_ahead`: carries into chunks 6..10 of a 64-bit product take one more pass)
5. `write_digits`   digit + carry -> result bits
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from builder.circuits.functions import EXACT, bits_of, rises, table
from builder.circuits.program_rom import Row
from builder.netlist import INT, Lane, Linear, Netlist, all_of, bit, linear, total, word
from engine.machine.spec import WORD_BITS

DIGIT_BITS, RADIX = 3, 8
DIGITS = -(-WORD_BITS // DIGIT_BITS)
TOP_BITS = WORD_BITS - DIGIT_BITS * (DIGITS - 1)
CHUNK = RADIX * RADIX
"""Two digits."""
SPLIT = 3 * (RADIX - 1)
"""Largest digit after the split: its own column's, one handed on from the column below, one from the column below that."""
CARRY = 2
"""Largest carry between chunks: a chunk and its carry are at most 21 + 8 * 21 + 2 = 191 < 3 * 64."""
CODE = 3 * CARRY
"""Largest carry code: 3 for every multiple of 64 that the chunk reaches, 2 or 1 where a carry of 1 or 2 makes it reach it."""
AHEAD = 5
"""Carries that one pass looks ahead: the base-3 number of 5 codes is at most 3 * (3**5 - 1) = 726, and its thresholds 243 and
486 lie within 256 of its ends."""

PRODUCTS = ("mul", "mad")
HIGH_PRODUCTS = ("mulhi.u", "mulhi.s")
SUMS = ("add", "addp")
DIFFERENCES = ("sub", "subp")
LOW_RESULTS = (*SUMS, *DIFFERENCES, *PRODUCTS)
INSTRUCTIONS = (*LOW_RESULTS, *HIGH_PRODUCTS)
NEVER = 1024
"""Subtracted from a gate that must not fire: columns and their thresholds are below 512 each."""


@dataclass(frozen=True)
class Columns:
    """What the arithmetic of one lane works on.

    columns: the columns of a product, each stored `offset` short, so that its lane stays within +-256
    largest: largest value of each column
    digits: octal digits, not yet below 8, of a sum or a product
    carries: carry into chunk 1, 2, ..
    prefix: the codes of chunks 5 .. 5 + m as one code, for the carries that need a second pass
    """

    columns: list[Lane]
    largest: list[int]
    offset: list[int]
    digits: list[Lane]
    codes: list[Lane]
    carries: list[Lane]
    prefix: list[Lane]

    def chunk(self, number: int) -> Linear:
        """The value of a chunk, without its carry."""
        return self.digits[2 * number] + self.digits[2 * number + 1] * RADIX

    def carry(self, number: int) -> Linear:
        """The carry into a chunk."""
        return linear(self.carries[number - 1]) if number else Linear()


def digits_of(lanes: Sequence[Lane]) -> list[Sequence[Lane]]:
    """The octal digits of a word, low first."""
    return [lanes[i : i + DIGIT_BITS] for i in range(0, len(lanes), DIGIT_BITS)]


def declare_columns(netlist: Netlist, name: str, a: Sequence[Lane], b: Sequence[Lane], high: bool) -> Columns:
    """The columns of one lane; `high`: of a 64-bit product."""
    largest = _largest(a, b, high)
    offset = [value // 2 if value > EXACT else 0 for value in largest]
    top = largest[-1] + SPLIT - (RADIX - 1)
    carries = len(largest) // 2 - high
    return Columns(
        [
            netlist.lane(f"{name}.column{w}", INT(-short, value - short))
            for w, (value, short) in enumerate(zip(largest, offset, strict=True))
        ],
        largest,
        offset,
        [*netlist.lanes(f"{name}.digit", len(largest) - 1, INT(0, SPLIT)), netlist.lane(f"{name}.top_digit", INT(0, top))],
        netlist.lanes(f"{name}.carry_code", carries, INT(0, CODE)),
        netlist.lanes(f"{name}.carry", carries, INT(0, CARRY)),
        netlist.lanes(f"{name}.prefix", carries - AHEAD, INT(0, CODE)) if high else [],
    )


# ---------------------------------------------------------------- bounds
def _factors(high: bool) -> Iterator[tuple[int, int, int]]:
    """(digit of A, digit of B, bits taken of each) of every product that is needed.

    The top column of a low word counts mod 4 and is not split, so two bits of each digit do: it is at most 11 * 9 + 3.
    """
    for column in range(2 * DIGITS - 1 if high else DIGITS):
        taken = DIGIT_BITS if high or column < DIGITS - 1 else TOP_BITS
        for i in range(max(0, column - DIGITS + 1), min(column, DIGITS - 1) + 1):
            yield i, column - i, taken


def _negated_high(lanes: Sequence[Lane]) -> dict[int, Linear]:
    """The word, negated (~x + 1), times 2**32, as digits by column (mod 2**64)."""
    first, place = divmod(WORD_BITS, DIGIT_BITS)
    digits = {first: Linear(None, 2.0**place)}
    for i, lane in enumerate(lanes):
        column, place = divmod(WORD_BITS + i, DIGIT_BITS)
        digits[column] = digits.get(column, Linear()) + (1.0 - bit(lane)) * float(2**place)
    return digits


def _largest(a: Sequence[Lane], b: Sequence[Lane], high: bool) -> list[int]:
    """Largest value of each column of a product, with the addend of mad or the sign correction of mulhi.s."""
    full = [2 ** len(digit) - 1 for digit in digits_of(a)]
    largest = [0] * (2 * DIGITS if high else DIGITS)
    for i, j, taken in _factors(high):
        largest[i + j] += min(full[i], 2**taken - 1) * min(full[j], 2**taken - 1)
    extra = [*full, *[0] * (len(largest) - DIGITS)]
    for column, form in _negated_high(b).items() if high else ():
        extra[column] = max(extra[column], 2 * round(form.constant + sum(map(abs, form.terms.values()))))
    return [product + more for product, more in zip(largest, extra, strict=True)]


# ---------------------------------------------------------------- passes
def add_columns(
    netlist: Netlist,
    layer: int,
    row: Row,
    columns: Columns,
    a: Sequence[Lane],
    b: Sequence[Lane],
    c: Sequence[Lane],
    predicate: Lane,
) -> None:
    """Sum digit products into the columns, and the digits of sums into the digits."""
    da, db, dc = digits_of(a), digits_of(b), digits_of(c)
    product = row.any_of(*PRODUCTS, *HIGH_PRODUCTS)
    for i, j, taken in _factors(bool(columns.prefix)):
        # the gate is a digit, 0..7, of a selected product and at most -1 otherwise; digit * digit is at most 49
        netlist.neuron(layer, word(da[i][:taken]) + (product - 1.0) * RADIX, word(db[j][:taken]), {columns.columns[i + j]: 1.0})
    netlist.neuron(
        layer, product, -1.0, {lane: float(short) for lane, short in zip(columns.columns, columns.offset, strict=True)}
    )
    for lane, addend in zip(columns.columns, dc, strict=False):
        netlist.neuron(layer, row.any_of("mad"), word(addend), {lane: 1.0})
    if columns.prefix:
        for negative, other in ((a[-1], b), (b[-1], a)):
            for column, form in _negated_high(other).items():
                netlist.neuron(layer, all_of(row.any_of("mulhi.s"), negative), form, {columns.columns[column]: 1.0})
    for lane, left, right in zip(columns.digits, da, db, strict=False):
        inverted = 2.0 ** len(right) - 1.0 - word(right)
        netlist.neuron(layer, row.any_of(*SUMS), word(left) + word(right), {lane: 1.0})
        netlist.neuron(layer, row.any_of(*DIFFERENCES), word(left) + inverted, {lane: 1.0})
    # the carry-in: a - b is a + ~b + 1; the predicate adds, or takes away, one more
    lowest = {columns.digits[0]: 1.0}
    netlist.neuron(layer, all_of(row.any_of("addp"), predicate), 1.0, lowest)
    netlist.neuron(layer, row.any_of("sub"), 1.0, lowest)
    netlist.neuron(layer, row.any_of("subp"), 1.0 - bit(predicate), lowest)


def split_columns(netlist: Netlist, layer: int, row: Row, columns: Columns) -> None:
    """A product's columns become digits: each keeps its lowest octal digit and hands on the other two."""
    digits = columns.digits
    for name in (*PRODUCTS, *HIGH_PRODUCTS):
        if name in row.opcode:
            netlist.assume(row.opcode[name], digits, present=False, layer=layer)
    with rises(netlist, layer, row.any_of(*PRODUCTS, *HIGH_PRODUCTS), NEVER) as rise:
        for w, (lane, short, largest) in enumerate(zip(columns.columns, columns.offset, columns.largest, strict=True)):
            rise.constant({digits[w]: float(short)})
            rise.rise(lane, -short, largest - short, 0, largest - short, {digits[w]: 1.0})
            rise.rise(-lane, short - largest, short, 0, short, {digits[w]: -1.0})
            if w + 1 < len(digits):
                for multiple in range(RADIX, largest + 1, RADIX):
                    rise.step(lane + float(short), 0, largest, multiple, _handed_on(digits, w, multiple))


def _handed_on(digits: Sequence[Lane], w: int, multiple: int) -> dict[Lane, float]:
    """Where column w reaches a multiple of 8: 8 less here, 1 more above; of 64: 8 less there, 1 more above that."""
    out = {digits[w]: -float(RADIX), digits[w + 1]: 1.0}
    if multiple % CHUNK == 0:
        out[digits[w + 1]] -= RADIX
        if w + 2 < len(digits):
            out[digits[w + 2]] = 1.0
    return out


def code_carries(netlist: Netlist, layer: int, columns: Columns) -> None:
    """How near each chunk is to carrying 1 and 2."""
    with rises(netlist, layer) as rise:
        for chunk, code in enumerate(columns.codes):
            for carry in range(1, CARRY + 1):
                rise.rise(columns.chunk(chunk), 0, SPLIT + RADIX * SPLIT, CHUNK * carry - 3, 3, {code: 1.0})


def look_ahead(netlist: Netlist, layer: int, columns: Columns) -> None:
    """Carries into chunks 1 .. 5 from the codes below; of the chunks above, their codes as one.

    With carry c, a chunk of code k carries floor((k + c) / 3); so n chunks carry floor((sum of 3**i * code + c) / 3**n).
    """
    with rises(netlist, layer) as rise:
        for count in range(1, AHEAD + 1):
            number, highest = _base_three(columns.codes[:count])
            for carry in range(1, CARRY + 1):
                rise.step(number, 0, highest, carry * 3**count, {columns.carries[count - 1]: 1.0})
        for count, lane in enumerate(columns.prefix, 1):
            number, highest = _base_three(columns.codes[AHEAD : AHEAD + count])
            for carry in range(1, CARRY + 1):
                rise.rise(number, 0, highest, carry * 3**count - 3, 3, {lane: 1.0})


def _base_three(codes: Sequence[Lane]) -> tuple[Linear, int]:
    """The codes as one base-3 number, and its largest value."""
    return total(code * float(3**i) for i, code in enumerate(codes)), CODE * (3 ** len(codes) - 1) // 2


def finish_look_ahead(netlist: Netlist, layer: int, columns: Columns) -> None:
    """Carries into the chunks above the fifth: the code of all chunks from there on, and the carry into the first of them."""
    with rises(netlist, layer) as rise:
        for lane, code in zip(columns.carries[AHEAD:], columns.prefix, strict=True):
            for carry in range(1, CARRY + 1):
                rise.step(code + columns.carry(AHEAD), 0, CODE + CARRY, 3 * carry, {lane: 1.0})


def write_digits(netlist: Netlist, layer: int, row: Row, columns: Columns, result: Sequence[Lane]) -> None:
    """Result bits, which hold -1, from the digits and carries: the low word of products and sums, the high word of mulhi."""
    for mnemonics, first in ((LOW_RESULTS, 0), (HIGH_PRODUCTS, WORD_BITS)) if columns.prefix else ((LOW_RESULTS, 0),):
        for w in range(len(columns.digits)):
            targets = {
                place - DIGIT_BITS * w: result[place - first]
                for place in range(DIGIT_BITS * w, DIGIT_BITS * (w + 1))
                if first <= place < first + WORD_BITS
            }
            if targets:
                _write_digit(netlist, layer, row.any_of(*mnemonics), columns, w, targets)


def _write_digit(netlist: Netlist, layer: int, enable: Linear, columns: Columns, w: int, targets: dict[int, Lane]) -> None:
    """Set the bits (bit of the digit -> result lane) of digit w."""
    chunk, upper = divmod(w, 2)
    carry = columns.carry(chunk)
    if upper:
        _write_upper_digit(netlist, layer, enable, columns.chunk(chunk) + carry, targets)
        return
    largest = round(columns.digits[w].domain.high) + CARRY
    values = {lane: [2 * bits_of(value, DIGIT_BITS)[place] for value in range(largest + 1)] for place, lane in targets.items()}
    table(netlist, layer, columns.digits[w] + carry, values, (enable - 1.0) * EXACT)


def _write_upper_digit(netlist: Netlist, layer: int, enable: Linear, value: Linear, targets: dict[int, Lane]) -> None:
    """Bits of floor(value / 8), a digit or up to 23: what changes at each multiple of 8."""
    highest = SPLIT + RADIX * SPLIT + CARRY
    with rises(netlist, layer, enable, EXACT) as rise:
        for multiple in range(RADIX, highest + 1, RADIX):
            now, before = (bits_of(n, DIGIT_BITS) for n in (multiple // RADIX, multiple // RADIX - 1))
            out = {lane: 2.0 * (now[place] - before[place]) for place, lane in targets.items() if now[place] != before[place]}
            if out:
                rise.step(value, 0, highest, multiple, out)
