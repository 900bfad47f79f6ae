"""Kernels to begin with: classic exercises with launch data, and the library's functions with theirs."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources

from app.compute.library import Function, load_library
from app.compute.planning import plan
from app.compute.shapes import arrange
from app.expressions.parser import parse
from app.expressions.tree import Call, Expression, Number, Series, Value
from app.playground.drafts import Draft

FOLDER = "examples"


@cache
def examples() -> tuple[Draft, ...]:
    """The classic exercises. Each is a .cu with its launch beside it; `expected` in the launch's file says what comes out."""
    folder = resources.files("resources") / FOLDER
    names = sorted(entry.name.removesuffix(".cu") for entry in folder.iterdir() if entry.name.endswith(".cu"))
    return tuple(
        _example(
            name,
            (folder / f"{name}.cu").read_text("utf-8"),
            (folder / f"{name}.json").read_text("utf-8"),
            folder / f"{name}.expected.json",
        )
        for name in names
    )


def _example(name: str, source: str, launch: str, expected: object) -> Draft:
    first = source.splitlines()[0].removeprefix("//").strip()
    known = json.loads(expected.read_text("utf-8")) if expected.is_file() else {}  # type: ignore[attr-defined]
    return Draft("", first.rstrip("."), source, f"{name}.cu", json.loads(launch), known)


@cache
def library() -> tuple[Draft, ...]:
    """The functions of the library, each with the arguments of its own example."""
    return tuple(draft for draft in map(_of_function, load_library().values()) if draft is not None)


def _of_function(function: Function) -> Draft | None:
    """None where the example is more than one call."""
    call = parse(function.example.partition(" = ")[0]).expression
    if not isinstance(call, Call) or call.function != function.name:
        return None
    values = [_value(argument) for argument in call.arguments]
    if None in values:
        return None
    planned = plan(function, arrange(function, values))  # type: ignore[arg-type]
    return Draft("", f"{function.name}: {function.doc}", function.source, f"{function.name}.cu", dict(planned.document))


def _value(expression: Expression) -> Value | None:
    match expression:
        case Number(value):
            return value
        case Series(items):
            values = [_value(item) for item in items]
            return None if None in values else values  # type: ignore[return-value]
    return None
