"""The machine's tokens: one entry a kind, with its fields and its 16-bit code.

A token's code is four nibbles. Its embedding row holds, on 64 residual axes, the Walsh row of each nibble: axis 16 g + i of
group g is +1 where popcount(nibble_g & i) is odd or i is 0, else -1. Axes 1, 2, 4 and 8 of a group are the nibble's bits
themselves (+1 for a 1 bit); axis 0 is +1 in every token, which gives four constant lanes for nothing; two codes have an inner
product of at most 48 of 64.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Final, NamedTuple

from .spec import SPEC, MachineSpec

CODE_BITS: Final = 16
NIBBLES: Final = 4
ALL_LANES: Final = 0
"""VAL's lane field: 0 means every active lane, 1 + j means lane j."""
BARRIER_FAULT: Final = 16
"""FAULT's reason beyond stage * 4 + lane: a barrier that cannot complete."""
CTA_SCOPE: Final = 0
"""BAR's scope 0 is the CTA; 1 + g is CUDA warp g."""


class Token(NamedTuple):
    """A token of the machine: its kind and the values of the kind's fields."""

    kind: str
    fields: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.kind}({','.join(map(str, self.fields))})" if self.fields else self.kind


@dataclass(frozen=True)
class Field:
    """A field of a token kind: `width` bits of the code from bit `low`, holding first .. first + count - 1."""

    name: str
    low: int
    width: int
    count: int
    first: int = 0


@dataclass(frozen=True)
class TokenKind:
    """One kind of token: code = base | fields at their bits."""

    name: str
    base: int
    fields: tuple[Field, ...]
    doc: str

    def code(self, values: tuple[int, ...]) -> int:
        """The 16-bit code of these field values. Raises ValueError on a value outside its field."""
        if len(values) != len(self.fields):
            raise ValueError(f"{self.name} has {len(self.fields)} fields, not {len(values)}")
        code = self.base
        for field, value in zip(self.fields, values, strict=True):
            if not field.first <= value < field.first + field.count:
                raise ValueError(
                    f"{self.name}.{field.name} = {value} is outside {field.first}..{field.first + field.count - 1}"
                )
            code |= value << field.low
        return code

    def tokens(self) -> Iterator[Token]:
        """Every token of this kind, fields counted up with the last one fastest."""
        ranges = (range(field.first, field.first + field.count) for field in self.fields)
        return (Token(self.name, values) for values in product(*ranges))


def token_kinds(spec: MachineSpec) -> tuple[TokenKind, ...]:
    """The kinds of a machine, in the order of their ids."""
    block = Field("block", 0, 8, spec.blocks)
    return (
        TokenKind("PAD", 0xB800, (), "erases what is staged; three of them also clear the convolution's taps after text"),
        TokenKind(
            "VAL",
            0x0000,
            (
                Field("result", 13, 2, spec.stages),
                Field("lane", 10, 3, spec.lanes + 1),
                Field("byte", 8, 2, 4),
                Field("value", 0, 8, 256),
            ),
            "a byte of a result or of a host record; lane 0 is every active lane, 1 + j is lane j",
        ),
        TokenKind(
            "PROG",
            0x9000,
            (block, Field("part", 8, 3, spec.stages + 1)),
            "commits the staged 128 bits as one part of a block: instruction 0..3, terminator 4",
        ),
        TokenKind(
            "TAGROW", 0xB000, (Field("row", 0, 8, spec.tag_rows),), "commits the staged 128 bits as the array ids of 32 words"
        ),
        TokenKind(
            "MEMV",
            0xA000,
            (Field("line", 0, 12, spec.lines),),
            "commits the staged words of the active lanes to the words of one memory line",
        ),
        TokenKind(
            "MEM1",
            0xC000,
            (Field("lane", 11, 2, spec.lanes), Field("address", 0, 11, spec.words)),
            "commits the staged word of one lane to one word of memory",
        ),
        TokenKind(
            "START",
            0x9800,
            (Field("threads", 0, 7, spec.threads, 1), Field("many", 8, 1, 2)),
            "starts a launch of CTAs of so many threads; many: block 1 says whether another CTA follows",
        ),
        TokenKind(
            "EXEC",
            0x8000,
            (block, Field("mask", 8, 4, 2**spec.lanes - 1, 1)),
            "runs one block for the masked lanes of the current hardware warp",
        ),
        TokenKind("WARP", 0xB900, (Field("warp", 0, 8, spec.warps),), "makes a hardware warp the current one"),
        TokenKind(
            "BAR",
            0xBA00,
            (Field("scope", 1, 3, 1 + spec.cuda_warps), Field("phase", 0, 1, 2)),
            "completes a barrier: scope 0 is the CTA, 1 + g is CUDA warp g",
        ),
        TokenKind("CTAEND", 0xB802, (), "every thread of this CTA has exited; block 1 runs next, on lane 0"),
        TokenKind("RESTART", 0xB803, (), "the next CTA begins"),
        TokenKind(
            "FAULT",
            0xBB00,
            (Field("reason", 0, 5, BARRIER_FAULT + 1),),
            "stops the launch: 4 * stage + lane of an access outside its array, or 16, a barrier that cannot complete",
        ),
        TokenKind("END", 0xB801, (), "every thread of every CTA has exited"),
    )


@dataclass(frozen=True)
class TokenSet:
    """All tokens of a machine; the id of a token is its position, counted from the first id behind the base's rows."""

    spec: MachineSpec

    @cached_property
    def kinds(self) -> dict[str, TokenKind]:
        """The kinds by name."""
        return {kind.name: kind for kind in token_kinds(self.spec)}

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """Every token in the order of its id."""
        return tuple(token for kind in self.kinds.values() for token in kind.tokens())

    @cached_property
    def ids(self) -> dict[Token, int]:
        """The id of every token."""
        return {token: number for number, token in enumerate(self.tokens)}

    @cached_property
    def codes(self) -> tuple[int, ...]:
        """The 16-bit code of every token, by id. All are different."""
        codes = tuple(self.kinds[token.kind].code(token.fields) for token in self.tokens)
        if len(set(codes)) != len(codes):
            raise AssertionError("two tokens share a code")
        return codes

    @cached_property
    def by_code(self) -> dict[int, Token]:
        """The token of every code in use."""
        return dict(zip(self.codes, self.tokens, strict=True))

    def code(self, token: Token) -> int:
        """The 16-bit code of a token."""
        return self.kinds[token.kind].code(token.fields)


TOKENS: Final = TokenSet(SPEC)


def code_signs(code: int) -> tuple[int, ...]:
    """The 64 signs (+1 or -1) of a 16-bit code on the code axes, group by group."""
    nibbles = ((code >> 4 * group) & 15 for group in range(NIBBLES))
    return tuple(1 if axis == 0 or (nibble & axis).bit_count() & 1 else -1 for nibble in nibbles for axis in range(16))


def slot_position(result: int, lane: int, byte: int) -> int:
    """The place of a VAL in the order of write-out: 20 * result + 4 * lane + byte, linear in the code's bits."""
    return 20 * result + 4 * lane + byte


MEMV_POSITION: Final = 80
MEM1_POSITION: Final = 81
"""MEM1 of lane j stands at 81 + j, behind MEMV; a block uses one or the other."""
POSITIONS: Final = 85
