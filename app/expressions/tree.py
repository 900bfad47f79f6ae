"""What an expression is made of. Every node knows where in the text it begins, counted from 0."""

from __future__ import annotations

from dataclasses import dataclass

Value = int | list[int] | list[list[int]]
"""What an expression gives: an integer, a list, or a matrix as a list of rows."""


@dataclass(frozen=True, slots=True)
class Number:
    """An integer."""

    value: int
    position: int


@dataclass(frozen=True)
class Name:
    """A value bound earlier in the conversation."""

    name: str
    position: int


@dataclass(frozen=True)
class Series:
    """A list; with lists as items, a matrix."""

    items: tuple[Expression, ...]
    position: int


@dataclass(frozen=True)
class Call:
    """A library function and its arguments."""

    function: str
    arguments: tuple[Expression, ...]
    position: int


Expression = Number | Name | Series | Call


@dataclass(frozen=True)
class Statement:
    """An expression, and the name that its value gets, if any."""

    name: str | None
    expression: Expression


def write(value: Value) -> str:
    """A value as the language writes it."""
    return "[" + ", ".join(map(write, value)) + "]" if isinstance(value, list) else str(value)
