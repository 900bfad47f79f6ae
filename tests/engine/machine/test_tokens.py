"""Tokens and codes: a bijection for every machine, and codes far enough apart on their axes."""

import itertools
import random

import pytest

from engine.machine.spec import SPEC, MachineSpec
from engine.machine.tokens import (
    CODE_BITS,
    MEM1_POSITION,
    MEMV_POSITION,
    POSITIONS,
    TOKENS,
    Token,
    TokenSet,
    code_signs,
    slot_position,
)

MACHINES = [SPEC, MachineSpec(words=512, threads=32, blocks=16, registers=8), MachineSpec(lanes=2, words=1024, threads=16)]


@pytest.mark.parametrize("spec", MACHINES, ids=["default", "small", "two lanes"])
def test_tokens_ids_and_codes_are_one_to_one(spec):
    tokens = TokenSet(spec)
    assert list(tokens.ids.values()) == list(range(len(tokens.tokens)))
    assert len(tokens.by_code) == len(tokens.codes) == len(tokens.tokens)
    assert all(0 <= code < 1 << CODE_BITS for code in tokens.codes)
    for token, code in zip(tokens.tokens, tokens.codes, strict=True):
        assert tokens.by_code[code] == token and tokens.code(token) == code


def test_the_number_of_tokens_follows_from_the_fields():
    counts = {kind.name: sum(1 for _ in kind.tokens()) for kind in TOKENS.kinds.values()}
    assert counts == {
        "PAD": 1,
        "VAL": 4 * 5 * 4 * 256,
        "PROG": 256 * 5,
        "TAGROW": 64,
        "MEMV": 512,
        "MEM1": 4 * 2048,
        "START": 64 * 2,
        "EXEC": 256 * 15,
        "WARP": 16,
        "BAR": 3 * 2,
        "CTAEND": 1,
        "RESTART": 1,
        "FAULT": 17,
        "END": 1,
    }


def test_fields_do_not_overlap_and_leave_the_base_alone():
    for kind in TOKENS.kinds.values():
        taken = 0
        for field in kind.fields:
            bits = ((1 << field.width) - 1) << field.low
            assert not taken & bits and not kind.base & bits, f"{kind.name}.{field.name}"
            assert field.first + field.count - 1 < 1 << field.width, f"{kind.name}.{field.name}"
            taken |= bits


@pytest.mark.parametrize(
    "token",
    [
        Token("VAL", (4, 0, 0, 0)),
        Token("VAL", (0, 5, 0, 0)),
        Token("VAL", (0, 0, 4, 0)),
        Token("VAL", (0, 0, 0, 256)),
        Token("VAL", (0, 0, 0, -1)),
        Token("EXEC", (0, 0)),
        Token("EXEC", (256, 1)),
        Token("START", (0, 0)),
        Token("START", (65, 0)),
        Token("WARP", (16,)),
        Token("MEM1", (0, 2048)),
        Token("PAD", (0,)),
        Token("WARP", ()),
    ],
)
def test_a_value_outside_its_field_has_no_code(token):
    with pytest.raises(ValueError, match=token.kind):
        TOKENS.code(token)


def test_token_names():
    assert str(Token("PAD")) == "PAD"
    assert str(Token("VAL", (3, 0, 1, 255))) == "VAL(3,0,1,255)"


def test_axes_1_2_4_8_of_a_group_are_the_nibble():
    for code in (0, 0xFFFF, 0x1234, 0xB803, 0x8421):
        signs = code_signs(code)
        bits = [signs[16 * group + (1 << bit)] == 1 for group in range(4) for bit in range(4)]
        assert sum(bit << i for i, bit in enumerate(bits)) == code
        assert [signs[16 * group] for group in range(4)] == [1] * 4


def test_two_codes_agree_on_at_most_three_of_four_groups():
    chooser = random.Random(1)
    codes = [*chooser.sample(TOKENS.codes, 200), TOKENS.codes[0]]
    rows = {code: code_signs(code) for code in codes}
    for one, other in itertools.combinations(set(codes), 2):
        product = sum(a * b for a, b in zip(rows[one], rows[other], strict=True))
        agreeing = sum((one >> 4 * group) & 15 == (other >> 4 * group) & 15 for group in range(4))
        assert product == 16 * agreeing <= 48


def test_places_in_the_write_out_are_all_different():
    places = [slot_position(result, lane, byte) for result in range(4) for lane in range(5) for byte in range(4)]
    assert places == list(range(80))
    assert [MEMV_POSITION, *(MEM1_POSITION + lane for lane in range(4)), POSITIONS] == list(range(80, 86))
