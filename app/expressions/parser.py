"""From text to a tree.

    statement  = [ name "=" ] expression
    expression = integer | name | name "(" expression { "," expression } ")" | "[" expression { "," expression } "]"
    integer    = [ "-" ] ( digits | "0x" hexadecimal digits )

Any text may come: from a model, from a user, from a paste. Whatever is no expression is refused with the place and a remedy.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from app.expressions.errors import ExpressionError
from app.expressions.tree import Call, Expression, Name, Number, Series, Statement

MAX_CHARACTERS = 65_536
MAX_ITEMS = 4_096
"""Longest list that may be written out."""
MAX_DEPTH = 32
LOW, HIGH = -(2**63), 2**63 - 1

_SPACE = " \t\r\n"
_TOKEN = re.compile(
    r"""
    [ \t\r\n]*
    (?: (?P<number>-?(?:0[xX][0-9a-fA-F]+|[0-9]+)(?P<rest>[.\w]*))
      | (?P<name>[A-Za-z_]\w*)
      | (?P<mark>[()\[\],=])
    )
""",
    re.VERBOSE | re.ASCII,
)
_OPERATORS = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "div",
    "%": "mod",
    "^": "pow",
    "<": "lt",
    ">": "gt",
    "&": "and",
    "|": "or",
    "~": "not",
    "!": "factorial",
}
_NO_NUMBERS = {"nan", "inf", "infinity", "none", "null", "true", "false"}


class _Token(NamedTuple):
    kind: str
    text: str
    position: int


def parse(text: str) -> Statement:
    """The statement that a text says. Raises ExpressionError."""
    if len(text) > MAX_CHARACTERS:
        raise ExpressionError(f"the expression has {len(text):,} characters", None, f"write at most {MAX_CHARACTERS:,}")
    tokens = _tokens(text)
    if not tokens:
        raise ExpressionError("the expression is empty", None, "write a call such as add(2, 3)")
    return _Parser(tokens, len(text)).statement()


def _tokens(text: str) -> list[_Token]:
    found, place, end = [], 0, len(text.rstrip(_SPACE))
    while place < end:
        match = _TOKEN.match(text, place)
        if match is None:
            rest = text[place:].lstrip(_SPACE)
            raise _unexpected_character(rest[0], len(text) - len(rest))
        kind = match.lastgroup or ""
        if match["rest"]:
            raise _no_integer(match[kind], match.start(kind))
        found.append(_Token(kind, match[kind], match.start(kind)))
        place = match.end()
    return found


def _unexpected_character(character: str, place: int) -> ExpressionError:
    if character in _OPERATORS:
        return ExpressionError(f"there are no operators, found '{character}'", place, f"write {_OPERATORS[character]}(..)")
    shown = f"'{character}'" if character.isprintable() else f"U+{ord(character):04X}"
    return ExpressionError(f"unexpected character {shown}", place, "use integers, lists, names and calls")


def _no_integer(text: str, place: int) -> ExpressionError:
    shown = text if len(text) <= 24 else f"{text[:20]}.."
    return ExpressionError(f"{shown} is no integer", place, "write integers only, decimal or hex such as 0xff")


class _Parser:
    """Reads tokens from left to right."""

    def __init__(self, tokens: list[_Token], length: int) -> None:
        self._tokens = tokens
        self._next = 0
        self._end = _Token("end", "the end", length)

    def statement(self) -> Statement:
        """Everything."""
        name = None
        if len(self._tokens) > 1 and self._tokens[0].kind == "name" and self._tokens[1].text == "=":
            name, self._next = self._tokens[0].text, 2
        expression = self._expression(1)
        rest = self._take()
        if rest is not self._end:
            raise ExpressionError(f"unexpected '{rest.text}' behind the expression", rest.position, "write one expression only")
        return Statement(name, expression)

    def _take(self) -> _Token:
        token = self._tokens[self._next] if self._next < len(self._tokens) else self._end
        self._next += 1
        return token

    def _expression(self, depth: int) -> Expression:
        token = self._take()
        if depth > MAX_DEPTH:
            raise ExpressionError("the expression is nested too deeply", token.position, f"nest at most {MAX_DEPTH} levels")
        if token.kind == "number":
            return Number(_integer(token), token.position)
        if token.text == "[":
            if self._next < len(self._tokens) and self._tokens[self._next].text == "]":
                raise ExpressionError("a list without entries", token.position, "write at least one entry")
            return Series(self._series("]", depth), token.position)
        if token.kind == "name":
            if token.text.lower() in _NO_NUMBERS:
                raise _no_integer(token.text, token.position)
            if self._next < len(self._tokens) and self._tokens[self._next].text == "(":
                self._next += 1
                return Call(token.text, self._series(")", depth), token.position)
            return Name(token.text, token.position)
        found = token.text if token is self._end else f"'{token.text}'"
        raise ExpressionError(f"expected a number, list, name or call, found {found}", token.position)

    def _series(self, closing: str, depth: int) -> tuple[Expression, ...]:
        items: list[Expression] = []
        while True:
            if len(items) == MAX_ITEMS:
                raise ExpressionError(
                    f"a list of more than {MAX_ITEMS:,} entries",
                    self._tokens[self._next - 1].position,
                    f"write at most {MAX_ITEMS:,} entries",
                )
            items.append(self._expression(depth + 1))
            token = self._take()
            if token.text == closing:
                return tuple(items)
            if token.text != ",":
                found = token.text if token is self._end else f"'{token.text}'"
                raise ExpressionError(f"expected ',' or '{closing}', found {found}", token.position)


def _integer(token: _Token) -> int:
    digits = token.text.lstrip("-")
    # Python converts long decimal texts slowly and refuses very long ones.
    value = None if len(digits.lstrip("0xX")) > 20 else int(token.text, 16 if digits[:2].lower() == "0x" else 10)
    if value is None or not LOW <= value <= HIGH:
        shown = token.text if len(token.text) <= 24 else f"{token.text[:12]}.. ({len(digits)} digits)"
        raise ExpressionError(f"{shown} needs more than 64 bits", token.position, f"write integers from {LOW} to {HIGH}")
    return value
