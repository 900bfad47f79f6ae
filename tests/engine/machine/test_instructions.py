"""Every instruction of the table against numpy, written separately from the table: corner values squared, and random ones."""

import numpy as np
import pytest

from engine.machine.instructions import BY_MNEMONIC, COMMON_CORNERS, INSTRUCTIONS, OPCODE, signed
from engine.machine.program import Access

RANDOM_CASES = 500
U, S = np.uint32, np.int32


def wide(x):
    return x.astype(np.uint64)


def signed_wide(x):
    return x.view(S).astype(np.int64)


def low(x):
    return (x & np.uint64(0xFFFFFFFF)).astype(U)


def leading_zeros(x):
    # the number of powers of two that are greater than x
    return np.sum(x[:, None] < (1 << np.arange(32, dtype=np.uint64)), axis=1).astype(U)


def reversed_bits(x):
    bits = np.unpackbits(x.astype(">u4").view(np.uint8).reshape(-1, 4), axis=1)
    return np.packbits(bits[:, ::-1], axis=1).reshape(-1).view(">u4").astype(U)


def shifted_left(x, amount):
    return np.where(amount < 32, low(wide(x) << np.minimum(wide(amount), np.uint64(32))), U(0))


REFERENCE = {
    "nop": lambda a, b, c, p: np.zeros_like(a),
    "add": lambda a, b, c, p: a + b,
    "sub": lambda a, b, c, p: a - b,
    "addp": lambda a, b, c, p: a + b + p,
    "subp": lambda a, b, c, p: a - b - p,
    "mul": lambda a, b, c, p: a * b,
    "mad": lambda a, b, c, p: a * b + c,
    "mulhi.u": lambda a, b, c, p: (wide(a) * wide(b) >> np.uint64(32)).astype(U),
    "mulhi.s": lambda a, b, c, p: (signed_wide(a) * signed_wide(b) >> np.int64(32)).astype(S).view(U),
    "and": lambda a, b, c, p: np.bitwise_and(a, b),
    "or": lambda a, b, c, p: np.bitwise_or(a, b),
    "xor": lambda a, b, c, p: np.bitwise_xor(a, b),
    "not": lambda a, b, c, p: np.invert(a),
    "mov": lambda a, b, c, p: a,
    "shl": lambda a, b, c, p: shifted_left(a, b),
    "shr": lambda a, b, c, p: np.where(b < 32, a >> np.minimum(b, U(31)), U(0)),
    "sar": lambda a, b, c, p: (a.view(S) >> np.minimum(b, U(31)).view(S)).view(U),
    "min.s": lambda a, b, c, p: np.minimum(a.view(S), b.view(S)).view(U),
    "min.u": lambda a, b, c, p: np.minimum(a, b),
    "max.s": lambda a, b, c, p: np.maximum(a.view(S), b.view(S)).view(U),
    "max.u": lambda a, b, c, p: np.maximum(a, b),
    "selp": lambda a, b, c, p: np.where(p == 1, a, b),
    "setp.eq": lambda a, b, c, p: a == b,
    "setp.ne": lambda a, b, c, p: a != b,
    "setp.lt.s": lambda a, b, c, p: a.view(S) < b.view(S),
    "setp.lt.u": lambda a, b, c, p: a < b,
    "setp.le.s": lambda a, b, c, p: a.view(S) <= b.view(S),
    "setp.le.u": lambda a, b, c, p: a <= b,
    "clz": lambda a, b, c, p: leading_zeros(a),
    "popc": lambda a, b, c, p: np.bitwise_count(a).astype(U),
    "brev": lambda a, b, c, p: reversed_bits(a),
}


def operands(instruction):
    """Corner values squared, each with a third operand and both predicates; then random words."""
    corners = np.array(sorted({*COMMON_CORNERS, *instruction.corners}), U)
    a, b = (axis.ravel() for axis in np.meshgrid(corners, corners))
    random = np.random.default_rng(OPCODE[instruction.mnemonic]).integers(0, 1 << 32, (4, RANDOM_CASES), dtype=U)
    a, b = np.concatenate([a, random[0]]), np.concatenate([b, random[1]])
    c = np.concatenate([np.resize(corners[::-1], len(a) - RANDOM_CASES), random[2]])
    return [(a, b, c, np.full(len(a), p, U)) for p in (0, 1)]


def test_every_instruction_has_a_reference():
    assert set(REFERENCE) == set(BY_MNEMONIC)


@pytest.mark.parametrize("instruction", INSTRUCTIONS, ids=lambda entry: entry.mnemonic)
def test_semantics_against_numpy(instruction):
    for a, b, c, p in operands(instruction):
        want = REFERENCE[instruction.mnemonic](a, b, c, p).astype(U)
        got = np.array([instruction.apply(*row) for row in zip(*(x.tolist() for x in (a, b, c, p)), strict=True)], U)
        wrong = np.flatnonzero(got != want)
        assert not len(wrong), f"{instruction.mnemonic}({a[wrong[0]]:#x}, {b[wrong[0]]:#x}, {c[wrong[0]]:#x}, {p[0]})"


@pytest.mark.parametrize("instruction", INSTRUCTIONS, ids=lambda entry: entry.mnemonic)
def test_only_named_operands_matter(instruction):
    a, b, c, p = 0x89ABCDEF, 0x13, 0x7FFFFFFF, 1
    base = {"a": a, "b": b, "c": c, "p": p}
    want = instruction.apply(a, b, c, p)
    for name in base:
        changed = base | {name: 0 if name == "p" else base[name] ^ 0x5A5A5A5A}
        if name not in instruction.operands:
            assert instruction.apply(**changed) == want
    assert set(instruction.operands) <= set("abcp")


def test_a_result_is_a_word_or_a_bit():
    for instruction in INSTRUCTIONS:
        result = instruction.apply(0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 1)
        assert 0 <= result < (2 if instruction.predicate else 1 << 32)


def test_each_ptx_form_has_one_instruction():
    forms = [form for instruction in INSTRUCTIONS for form in instruction.ptx]
    assert len(forms) == len(set(forms))


def test_signed_is_two_complement():
    assert [signed(word) for word in (0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)] == [0, 1, 2**31 - 1, -(2**31), -1]


def test_the_opcode_field_is_one_word():
    assert sorted(OPCODE.values()) == list(range(len(INSTRUCTIONS))) and len(INSTRUCTIONS) <= 32
    assert {access.value for access in Access} == {"none", "load", "store", "store swapped"}
