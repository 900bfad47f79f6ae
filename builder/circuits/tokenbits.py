"""Bits of a token's code that circuits write, from the one definition of the token kinds."""

from __future__ import annotations

from collections.abc import Mapping

from engine.machine.tokens import CODE_BITS, TokenKind


def field_bits(kind: TokenKind, name: str) -> range:
    """Code bits that a field's values use, least significant first (without those that are 0 in every value)."""
    field = next(field for field in kind.fields if field.name == name)
    return range(field.low, field.low + (field.first + field.count - 1).bit_length())


def fixed_bits(kind: TokenKind, values: Mapping[str, int]) -> dict[int, int]:
    """Code bit -> +1 or -1, for all bits that do not depend on the fields left out of `values`."""
    free = {i for field in kind.fields if field.name not in values for i in field_bits(kind, field.name)}
    code = kind.base
    for field in kind.fields:
        code |= values.get(field.name, 0) << field.low
    return {i: 1 if code >> i & 1 else -1 for i in range(CODE_BITS) if i not in free}
