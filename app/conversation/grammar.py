"""What may stand in a call, decided letter by letter, so that a call that has begun stays well-formed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Protocol

from app.compute.library import Function
from app.expressions.checker import Kind, kind_of
from app.expressions.parser import MAX_DEPTH
from app.expressions.tree import Value

_LITERAL = re.compile(r"-?(?:0x[0-9a-fA-F]{0,16}|\d{0,19})")
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)


class Grammar(Protocol):
    """Which texts a call may be."""

    def allows(self, prefix: str) -> bool:
        """Whether a call can begin like this."""

    def complete(self, text: str) -> bool:
        """Whether this is a whole call."""


class _Open(Exception):
    """The text ends within something that can go on."""


class _Wrong(Exception):
    """No call goes on like this."""


class ExpressionGrammar:
    """Calls of the library's functions with arguments of the right kinds; names are values bound earlier."""

    def __init__(self, functions: Mapping[str, Function], names: Mapping[str, Value]) -> None:
        self._functions = functions
        self._names = {name: kind_of(value) for name, value in names.items()}

    def allows(self, prefix: str) -> bool:
        """Whether a call can begin like this."""
        try:
            return self._call(prefix) == len(prefix)
        except _Open:
            return True
        except _Wrong:
            return False

    def complete(self, text: str) -> bool:
        """Whether this is a whole call."""
        try:
            return self._call(text) == len(text)
        except (_Open, _Wrong):
            return False

    def _call(self, text: str) -> int:
        """Where the call that a text begins with ends."""
        if text and not text[0].isalpha():
            raise _Wrong
        return self._value(text, 0, Kind.EACH, 0, calls_only=True)

    def _value(self, text: str, place: int, kind: Kind, depth: int, calls_only: bool = False) -> int:
        if place >= len(text):
            raise _Open
        if depth > MAX_DEPTH:
            raise _Wrong
        if text[place] == "[" and kind is not Kind.INTEGER:
            inner = {Kind.LIST: Kind.INTEGER, Kind.MATRIX: Kind.LIST}.get(kind, Kind.EACH)
            return self._items(text, place + 1, inner, depth)
        if name := _NAME.match(text, place):
            return self._named(text, name, kind, depth, calls_only)
        literal = _LITERAL.match(text, place)
        if literal is None or not literal[0] or kind not in (Kind.INTEGER, Kind.EACH):
            raise _Wrong
        if literal.end() == len(text):
            raise _Open
        if literal[0] == "-" or literal[0].endswith("0x"):
            raise _Wrong
        return literal.end()

    def _named(self, text: str, name: re.Match[str], kind: Kind, depth: int, calls_only: bool) -> int:
        fitting = [f for f in self._functions.values() if kind is Kind.EACH or f.gives in (kind, Kind.EACH)]
        names = [] if calls_only else [n for n, got in self._names.items() if kind.takes(got)]
        if name.end() == len(text):
            if any(known.startswith(name[0]) for known in (*names, *(f.name for f in fitting))):
                raise _Open
            raise _Wrong
        function = next((f for f in fitting if f.name == name[0]), None)
        if text[name.end()] != "(":
            if name[0] in names:
                return name.end()
            raise _Wrong
        if function is None:
            raise _Wrong
        return self._arguments(text, name.end() + 1, function, depth)

    def _arguments(self, text: str, place: int, function: Function, depth: int) -> int:
        for number, kind in enumerate(function.kinds):
            place = self._value(text, place, kind, depth + 1)
            place = _mark(text, place, ")" if number == len(function.kinds) - 1 else ",")
        return place

    def _items(self, text: str, place: int, kind: Kind, depth: int) -> int:
        while True:
            place = self._value(text, place, kind, depth + 1)
            if text[place : place + 1] == "]":
                return place + 1
            place = _mark(text, place, ",")


def _mark(text: str, place: int, mark: str) -> int:
    """Behind a mark; a blank may follow a comma."""
    if place >= len(text):
        raise _Open
    if text[place] != mark:
        raise _Wrong
    place += 1
    return place + 1 if mark == "," and text[place : place + 1] == " " else place
