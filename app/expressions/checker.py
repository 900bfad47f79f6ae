"""Whether an expression can be computed at all: known functions and names, as many arguments as they take, of the right kind.

Lengths are judged when a function is called, since some of them are known only then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from enum import Enum
from typing import Protocol

from app.expressions.errors import ExpressionError
from app.expressions.tree import Call, Expression, Name, Number, Series, Value


class Kind(Enum):
    """What a value is; the text is how messages call it."""

    INTEGER = "an integer"
    LIST = "a list"
    MATRIX = "a matrix"
    EACH = "an integer or a list"

    def takes(self, other: Kind) -> bool:
        """Whether an argument of this kind may be one of the other."""
        return self is Kind.EACH or self is other


class Typed(Protocol):
    """What the checker needs to know of a function. `words`: what else people may call it."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def kinds(self) -> Sequence[Kind]:
        """Of its arguments."""

    @property
    def gives(self) -> Kind:
        """The kind of its result; EACH gives what its arguments are."""

    @property
    def words(self) -> Sequence[str]:
        """Other words for it, to suggest it by."""

    @property
    def usage(self) -> str:
        """How it is called, as one writes it."""


def kind_of(value: Value) -> Kind:
    """The kind of a value."""
    if not isinstance(value, list):
        return Kind.INTEGER
    return Kind.MATRIX if value and isinstance(value[0], list) else Kind.LIST


def check(expression: Expression, functions: Mapping[str, Typed], names: Mapping[str, Value]) -> Kind:
    """The kind of an expression's value. Raises ExpressionError."""
    match expression:
        case Number():
            return Kind.INTEGER
        case Name(name, position):
            if name not in names:
                raise _unknown_name(name, position, functions, names)
            return kind_of(names[name])
        case Series(items, position):
            return _check_series([check(item, functions, names) for item in items], position)
        case Call():
            return _check_call(expression, functions, names)


def _check_series(kinds: Sequence[Kind], position: int) -> Kind:
    if len(set(kinds)) > 1 or kinds[0] is Kind.MATRIX:
        raise ExpressionError("a list holds either integers or lists of integers", position)
    return Kind.MATRIX if kinds[0] is Kind.LIST else Kind.LIST


def _check_call(call: Call, functions: Mapping[str, Typed], names: Mapping[str, Value]) -> Kind:
    function = functions.get(call.function)
    if function is None:
        raise _unknown_function(call, functions)
    if len(call.arguments) != len(function.kinds):
        count = len(function.kinds)
        raise ExpressionError(
            f"{function.name} takes {count} argument{'s' if count > 1 else ''}, not {len(call.arguments)}",
            call.position,
            f"write {function.usage}",
        )
    kinds = [check(argument, functions, names) for argument in call.arguments]
    for number, (wanted, got, argument) in enumerate(zip(function.kinds, kinds, call.arguments, strict=True), 1):
        if not wanted.takes(got):
            raise ExpressionError(
                f"argument {number} of {function.name} is {got.value}, it takes {wanted.value}",
                argument.position,
                f"write {function.usage}",
            )
    return _result(function, kinds, call)


def _result(function: Typed, kinds: Sequence[Kind], call: Call) -> Kind:
    if function.gives is not Kind.EACH:
        return function.gives
    given = {got for wanted, got in zip(function.kinds, kinds, strict=True) if got is not Kind.INTEGER}
    if len(given) > 1:
        raise ExpressionError(f"{function.name} has a list beside a matrix", call.position, "give arguments of one form")
    return given.pop() if given else Kind.INTEGER


def _unknown_function(call: Call, functions: Mapping[str, Typed]) -> ExpressionError:
    return ExpressionError(
        f"there is no function '{call.function[:40]}'",
        call.position,
        _suggest(call.function, functions) or f"known: {', '.join(sorted(functions))}",
    )


def _unknown_name(name: str, position: int, functions: Mapping[str, Typed], names: Mapping[str, Value]) -> ExpressionError:
    if name in functions:
        return ExpressionError(f"{name} is a function without arguments", position, f"write {functions[name].usage}")
    near = get_close_matches(name, names, 1)
    known = f"did you mean {near[0]}?" if near else f"known: {', '.join(list(names)[-8:])}" if names else "nothing is bound yet"
    return ExpressionError(f"nothing is called '{name[:40]}'", position, known)


def _suggest(text: str, functions: Mapping[str, Typed]) -> str:
    """The function that was probably meant."""
    meant = {word: function for function in functions.values() for word in (function.name, *function.words)}
    near = get_close_matches(text.lower(), meant, 1, 0.7)
    return f"did you mean {meant[near[0]].usage}?" if near else ""
