"""Every instruction of the table against numpy, written separately from the table: corner values squared, and random ones."""

import numpy as np
import pytest

from engine.machine.instructions import BY_MNEMONIC, COMMON_CORNERS, INSTRUCTIONS, OPCODE, signed
from engine.machine.program import Access
from tests.truth.instructions import REFERENCE

RANDOM_CASES = 500
U = np.uint32


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
