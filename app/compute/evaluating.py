"""An expression, computed: innermost calls first, each by as many launches as it needs.

The host slices, pads and copies. Every number of a result was computed by a launch.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from app.compute.launching import MAX_TOKENS, UNWATCHED, Launcher, LaunchRecord, Watch, result_of, run
from app.compute.library import Function
from app.compute.planning import MAX_LAUNCHES, Planned, fits, plan, refuse
from app.compute.shapes import Arranged, Block, arrange, join, piece, place_of
from app.expressions.checker import Kind, check
from app.expressions.errors import ExpressionError
from app.expressions.parser import parse
from app.expressions.tree import Call, Expression, Name, Number, Series, Statement, Value, write

Run = Callable[[Planned], LaunchRecord]


@dataclass(frozen=True)
class Computed:
    """A value and where it comes from.

    extra: further results of the outermost call, as the remainder of a mean; launches: in the order in which they ran
    """

    value: Value
    extra: Mapping[str, int]
    launches: tuple[LaunchRecord, ...]
    seconds: float

    def text(self) -> str:
        """The value as it is shown."""
        return " ".join([write(self.value), *(f"{name} {number}" for name, number in self.extra.items())])


def read(text: str, functions: Mapping[str, Function], names: Mapping[str, Value]) -> Statement:
    """The statement in a text, checked. Raises ExpressionError."""
    statement = parse(text)
    check(statement.expression, functions, names)
    if statement.name in functions:
        raise ExpressionError(f"'{statement.name}' is a function and cannot name a value", 0, "choose another name")
    return statement


def compute(
    statement: Statement,
    functions: Mapping[str, Function],
    names: Mapping[str, Value],
    launcher: Launcher,
    max_tokens: int = MAX_TOKENS,
    watch: Watch = UNWATCHED,
) -> Computed:
    """The value of a checked statement.

    Raises ExpressionError (lengths that do not fit), FaultError (overflow, division by zero, endless loop), LimitExceeded,
    MismatchError, Cancelled, and what compiling raises.
    """
    begin = time.perf_counter()
    evaluation = Evaluation(functions, names, lambda planned: run(planned, launcher, max_tokens, watch))
    value = evaluation.value(statement.expression)
    launches = tuple(evaluation.launches)
    extra = {}
    if isinstance(statement.expression, Call):
        extra = {name: launches[-1].outputs[name][0] for name in functions[statement.expression.function].extra}
    return Computed(value, extra, launches, round(time.perf_counter() - begin, 4))


class Evaluation:
    """The launches of one expression as they come about."""

    def __init__(self, functions: Mapping[str, Function], names: Mapping[str, Value], run: Run) -> None:
        self.launches: list[LaunchRecord] = []
        self._functions, self._names, self._run = functions, names, run

    def value(self, expression: Expression) -> Value:
        """What an expression gives."""
        match expression:
            case Number(value):
                return value
            case Name(name):
                return self._names[name]
            case Series(items):
                return [self.value(item) for item in items]  # type: ignore[return-value]
            case Call(function, arguments, position):
                try:
                    return self.call(self._functions[function], [self.value(argument) for argument in arguments])
                except ExpressionError as error:
                    if error.position is not None:
                        raise
                    raise ExpressionError(error.what, position, error.remedy) from None

    def call(self, function: Function, arguments: list[Value]) -> Value:
        """A function of values."""
        arranged = arrange(function, arguments)
        result = self._apply(function, arranged)
        if function.result.kind is Kind.EACH:
            result = Block(arranged.each, result.entries)
        return result.value()

    def _apply(self, function: Function, arranged: Arranged) -> Block:
        """The result of a call, in pieces where one launch cannot hold it."""
        if fits(function, arranged):
            planned = plan(function, arranged)
            self.launches.append(self._run(planned))
            return result_of(planned, self.launches[-1])
        for axis in function.split:
            length = arranged.axes[axis]
            if length > 1:
                size = longest_piece(function, arranged, axis)
                if -(-length // size) > MAX_LAUNCHES:
                    raise refuse(function, arranged)
                parts = [
                    self._apply(function, piece(function, arranged, axis, start, min(start + size, length)))
                    for start in range(0, length, size)
                ]
                return self._together(function, parts, axis)
        raise refuse(function, arranged)

    def _together(self, function: Function, parts: list[Block], axis: str) -> Block:
        """One result of the results of pieces: in a row, or by a further launch where each is a part of the whole."""
        place = place_of(function.result, axis)
        if place is not None:
            return join(parts, place)
        combine = self._functions[function.combine or function.name]
        return self._apply(combine, arrange(combine, [[entry for part in parts for entry in part.entries]]))


def longest_piece(function: Function, arranged: Arranged, axis: str) -> int:
    """The longest piece along an axis that fits one launch; 1 if none does, to be cut along another axis."""
    low, high = 1, arranged.axes[axis]
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(function, piece(function, arranged, axis, 0, middle)) else (low, middle)
    return low
