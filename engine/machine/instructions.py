"""The instruction set: one entry an instruction, from which everything else is derived.

An instruction works on 32-bit words. Its semantics are a Python expression over unsigned operands `a`, `b`, `c` and the
predicate `p`; the assembler, the reference interpreter, the circuit compiler (through the mnemonic), the documentation and
the per-instruction tests all read this table. PTX rules are those of NVIDIA's PTX ISA, sections "Integer Arithmetic
Instructions", "Comparison and Selection" and "Logic and Shift Instructions".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from .spec import WORD_BITS, WORD_MASK


def signed(word: int) -> int:
    """The two's complement value of a 32-bit word."""
    return word - (1 << WORD_BITS) if word >> (WORD_BITS - 1) else word


@dataclass(frozen=True)
class Instruction:
    """One instruction of the machine.

    mnemonic:  its name, in PTX style
    operands:  which of "a", "b", "c" and "p" (the lane's predicate) it reads
    semantics: f(a, b, c, p) -> result; words are 0..2**32-1, p is 0 or 1; the machine keeps the low 32 bits
    predicate: True when the result is the lane's predicate instead of a word
    ptx:       PTX instructions that lower to it alone
    corners:   operand values worth a test of their own, beyond the common ones
    doc:       one line
    stages:    pipeline stages that have it; None means all
    """

    mnemonic: str
    operands: str
    semantics: Callable[[int, int, int, int], int]
    ptx: tuple[str, ...]
    doc: str
    corners: tuple[int, ...] = ()
    predicate: bool = False
    stages: tuple[int, ...] | None = None

    def apply(self, a: int, b: int, c: int, p: int) -> int:
        """The result on unsigned 32-bit operands: a word, or 0 or 1 for a predicate."""
        result = self.semantics(a, b, c, p)
        return int(result) if self.predicate else result & WORD_MASK


def _i(
    mnemonic: str,
    operands: str,
    semantics: Callable[[int, int, int, int], int],
    ptx: str,
    doc: str,
    corners: tuple[int, ...] = (),
    predicate: bool = False,
    stages: tuple[int, ...] | None = None,
) -> Instruction:
    return Instruction(mnemonic, operands, semantics, tuple(ptx.split()), doc, corners, predicate, stages)


_SHIFT_CORNERS: Final = (1, 7, 8, 15, 16, 23, 24, 30, 31, 32, 33, 63, 64, 255, 256, 0x80000000, 0xFFFFFFFF)
_HIGH_STAGE: Final = (2,)
"""mul.hi needs one MLP layer more than the rest; one stage has it, which leaves a layer to spare."""

# fmt: off
INSTRUCTIONS: Final[tuple[Instruction, ...]] = (
    _i("nop", "", lambda a, b, c, p: 0, "", "no result; may not be named as an operand"),
    _i("add", "ab", lambda a, b, c, p: a + b, "add.s32 add.u32", "a + b, wrapping"),
    _i("sub", "ab", lambda a, b, c, p: a - b, "sub.s32 sub.u32 neg.s32", "a - b, wrapping"),
    _i("addp", "abp", lambda a, b, c, p: a + b + p, "addc.u32", "a + b + predicate: the high half of a 64-bit sum"),
    _i("subp", "abp", lambda a, b, c, p: a - b - p, "subc.u32",
       "a - b - predicate: the high half of a 64-bit difference"),
    _i("mul", "ab", lambda a, b, c, p: a * b, "mul.lo.s32 mul.lo.u32", "low word of a * b"),
    _i("mad", "abc", lambda a, b, c, p: a * b + c, "mad.lo.s32 mad.lo.u32", "low word of a * b + c"),
    _i("mulhi.u", "ab", lambda a, b, c, p: a * b >> WORD_BITS, "mul.hi.u32", "high word of the unsigned product",
       stages=_HIGH_STAGE),
    _i("mulhi.s", "ab", lambda a, b, c, p: signed(a) * signed(b) >> WORD_BITS, "mul.hi.s32",
       "high word of the signed product", stages=_HIGH_STAGE),
    _i("and", "ab", lambda a, b, c, p: a & b, "and.b32", "bitwise and"),
    _i("or", "ab", lambda a, b, c, p: a | b, "or.b32", "bitwise or"),
    _i("xor", "ab", lambda a, b, c, p: a ^ b, "xor.b32", "bitwise exclusive or"),
    _i("not", "a", lambda a, b, c, p: ~a, "not.b32", "bitwise complement"),
    _i("mov", "a", lambda a, b, c, p: a, "mov.b32 mov.u32 mov.s32", "a; the way to an address that is a constant"),
    _i("shl", "ab", lambda a, b, c, p: a << b if b < WORD_BITS else 0, "shl.b32",
       "a << b; 0 for amounts of 32 and more", _SHIFT_CORNERS),
    _i("shr", "ab", lambda a, b, c, p: a >> b if b < WORD_BITS else 0, "shr.u32 shr.b32",
       "a >> b, zero fill; 0 for amounts of 32 and more", _SHIFT_CORNERS),
    _i("sar", "ab", lambda a, b, c, p: signed(a) >> min(b, WORD_BITS - 1), "shr.s32",
       "a >> b, sign fill; the sign for amounts of 32 and more", _SHIFT_CORNERS),
    _i("min.s", "ab", lambda a, b, c, p: a if signed(a) < signed(b) else b, "min.s32", "signed minimum"),
    _i("min.u", "ab", lambda a, b, c, p: min(a, b), "min.u32", "unsigned minimum"),
    _i("max.s", "ab", lambda a, b, c, p: a if signed(a) > signed(b) else b, "max.s32", "signed maximum"),
    _i("max.u", "ab", lambda a, b, c, p: max(a, b), "max.u32", "unsigned maximum"),
    _i("selp", "abp", lambda a, b, c, p: a if p else b, "selp.b32 selp.s32 selp.u32", "a if the predicate holds else b"),
    _i("setp.eq", "ab", lambda a, b, c, p: a == b, "setp.eq.s32 setp.eq.u32 setp.eq.b32", "predicate: a == b",
       predicate=True),
    _i("setp.ne", "ab", lambda a, b, c, p: a != b, "setp.ne.s32 setp.ne.u32 setp.ne.b32", "predicate: a != b",
       predicate=True),
    _i("setp.lt.s", "ab", lambda a, b, c, p: signed(a) < signed(b), "setp.lt.s32 setp.gt.s32",
       "predicate: a < b, signed", predicate=True),
    _i("setp.lt.u", "ab", lambda a, b, c, p: a < b, "setp.lt.u32 setp.gt.u32 setp.lo.u32 setp.hi.u32",
       "predicate: a < b, unsigned", predicate=True),
    _i("setp.le.s", "ab", lambda a, b, c, p: signed(a) <= signed(b), "setp.le.s32 setp.ge.s32",
       "predicate: a <= b, signed", predicate=True),
    _i("setp.le.u", "ab", lambda a, b, c, p: a <= b, "setp.le.u32 setp.ge.u32 setp.ls.u32 setp.hs.u32",
       "predicate: a <= b, unsigned", predicate=True),
    _i("clz", "a", lambda a, b, c, p: WORD_BITS - a.bit_length(), "clz.b32", "leading zeros; 32 for 0"),
    _i("popc", "a", lambda a, b, c, p: a.bit_count(), "popc.b32", "number of one bits"),
    _i("brev", "a", lambda a, b, c, p: int(f"{a:032b}"[::-1], 2), "brev.b32", "bits in reverse order"),
)
# fmt: on

BY_MNEMONIC: Final[dict[str, Instruction]] = {entry.mnemonic: entry for entry in INSTRUCTIONS}
OPCODE: Final[dict[str, int]] = {entry.mnemonic: number for number, entry in enumerate(INSTRUCTIONS)}
"""The number of an instruction: its position in the one-hot field of the program row."""

# fmt: off
COMMON_CORNERS: Final[tuple[int, ...]] = (
    0, 1, 2, 3, 7, 8, 0x3F, 0x40, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000,
    0x80000001, 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFF00, 0x00FFFFFF, 0x55555555, 0xAAAAAAAA, 0x3FFFFFFF, 0x40000000,
    0xC0000000, 0x01010101, 0xFEFEFEFE, 0x12345678, 0x49249249, 0xDB6DB6DB,
)
# fmt: on
"""Operand values at which carries, signs, octal digits and byte borders change; every pair is tested."""

if len(BY_MNEMONIC) != len(INSTRUCTIONS) or len(INSTRUCTIONS) > WORD_BITS:
    raise AssertionError("instruction mnemonics overlap, or their one-hot field exceeds a word")
