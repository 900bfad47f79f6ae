"""LAUNCH.json: which kernel runs, on which grid, with which arguments.

`parse_launch` turns the JSON object of the contract into a `Launch` or says what is wrong with it and where. Sizes that the
machine bounds (threads, words) are judged by the lowering, which knows the machine; here only the contract is judged.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from engine.machine.errors import InputError

MAX_ELEMENTS = 1 << 20
"""Longest array that is read at all. The machine's memory holds far less; the lowering says by how much."""

MAX_GRID = (2**31 - 1, 65535, 65535)
"""CUDA's own limits of a grid."""


@dataclass(frozen=True, slots=True)
class ElementType:
    """A type of the contract: `int8` to `uint64`, and `float32`, whose values travel as their bits."""

    name: str
    bytes: int
    signed: bool
    real: bool = False

    @property
    def code(self) -> str:
        """What `struct` calls it."""
        letter = {1: "b", 2: "h", 4: "i", 8: "q"}[self.bytes]
        return "f" if self.real else letter if self.signed else letter.upper()

    def encode(self, value: int | float) -> int:
        """The unsigned bits of a value that `check` accepted."""
        if self.real:
            return int.from_bytes(struct.pack("<f", value), "little")
        return int(value) & (1 << 8 * self.bytes) - 1

    def decode(self, bits: int) -> int | float:
        """The value of these bits."""
        if self.real:
            return float(struct.unpack("<f", bits.to_bytes(4, "little"))[0])
        return bits - (1 << 8 * self.bytes) if self.signed and bits >> 8 * self.bytes - 1 else bits

    @property
    def range(self) -> tuple[int, int]:
        """The least and the greatest value of an integer type."""
        bits = 8 * self.bytes
        return (-(1 << bits - 1), (1 << bits - 1) - 1) if self.signed else (0, (1 << bits) - 1)

    def holds(self, values: list[Any]) -> bool:
        """Whether these are integers of this integer type, all looked at together."""
        low, high = self.range
        return not self.real and set(map(type, values)) == {int} and low <= min(values) and max(values) <= high

    def check(self, value: Any, where: str) -> int | float:
        """The value itself. Raises InputError when it is not one of this type."""
        if isinstance(value, bool) or not isinstance(value, (int, float) if self.real else int):
            raise InputError(f"{json.dumps(value)[:40]} is no {self.name}", where, "give a number of that type")
        low, high = self.range
        if not self.real and not low <= value <= high:
            raise InputError(f"{value} is outside {low}..{high}, the range of {self.name}", where, "give a value in the range")
        if self.real:
            try:
                self.encode(value)
            except (OverflowError, struct.error):
                raise InputError(
                    f"{json.dumps(value)[:40]} is too large for {self.name}", where, "give a value in the range"
                ) from None
        return value


TYPES = {entry.name: entry for entry in (
    ElementType("int8", 1, True), ElementType("uint8", 1, False), ElementType("int16", 2, True),
    ElementType("uint16", 2, False), ElementType("int32", 4, True), ElementType("uint32", 4, False),
    ElementType("int64", 8, True), ElementType("uint64", 8, False), ElementType("float32", 4, True, real=True),
)}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ArrayArgument:
    """A pointer argument: the array that the host passes, and its first content; given: it was said, not zeros by a size."""

    name: str
    type: ElementType
    values: tuple[int | float, ...]
    given: bool = True

    @property
    def content(self) -> bytes:
        """The array's bytes, little endian."""
        return struct.pack(f"<{len(self.values)}{self.type.code}", *self.values)


@dataclass(frozen=True, slots=True)
class ValueArgument:
    """A scalar or a struct passed by value: its bytes, as C lays them out."""

    name: str
    type: str
    content: bytes


Argument = ArrayArgument | ValueArgument


@dataclass(frozen=True, slots=True)
class Launch:
    """One launch: `grid` and `block` are (x, y, z); `shared` is the number of bytes of dynamic shared memory."""

    kernel: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared: int
    arguments: tuple[Argument, ...]

    @property
    def threads(self) -> int:
        """Threads of a block."""
        return prod(self.block)

    @property
    def arrays(self) -> tuple[ArrayArgument, ...]:
        """The pointer arguments."""
        return tuple(a for a in self.arguments if isinstance(a, ArrayArgument))


def load_launch(path: Path) -> Launch:
    """The launch in a file. Raises InputError for a file that cannot be read, is no JSON (where) or no launch."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise InputError(f"cannot read the launch: {reason}", str(path), "give a LAUNCH.json") from None
    return parse_launch_text(text, path.name)


def parse_launch_text(text: str, where: str = "launch") -> Launch:
    """The launch that a JSON text says. Raises InputError naming line and column of malformed JSON."""
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(
            f"malformed JSON: {error.msg}",
            f"{where}, line {error.lineno}, column {error.colno}",
            "correct the file",
            line=error.lineno,
            column=error.colno,
        ) from None
    except RecursionError:
        raise InputError("malformed JSON: nested too deeply", where, "correct the file") from None
    return parse_launch(document, where)


def parse_launch(document: Any, where: str = "launch") -> Launch:
    """The launch that a JSON object says. Raises InputError naming the field that is missing, unknown or wrong."""
    fields = _object(document, where, {"kernel", "block", "args"}, {"grid", "shared"})
    kernel = fields["kernel"]
    if not isinstance(kernel, str) or not kernel.strip():
        raise InputError("'kernel' is no name", where, 'give the kernel\'s name, as in "kernel": "dot"')
    arguments = fields["args"]
    if not isinstance(arguments, list):
        raise InputError("'args' is no list", where, "give one object per parameter of the kernel")
    parsed = tuple(_argument(entry, f"{where}, argument {number}") for number, entry in enumerate(arguments, 1))
    names = [argument.name for argument in parsed]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two arguments are called '{name}'", where, "give each argument its own name")
    shared = _count(fields.get("shared", 0), f"{where}, 'shared'", 0, 1 << 20)
    grid = _dimensions(fields.get("grid", [1]), f"{where}, 'grid'", MAX_GRID)
    return Launch(kernel, grid, _dimensions(fields["block"], f"{where}, 'block'", (1024, 1024, 64)), shared, parsed)


def _object(document: Any, where: str, required: set[str], optional: set[str]) -> Mapping[str, Any]:
    """The JSON object itself, when it has all required fields and no unknown one."""
    if not isinstance(document, dict):
        raise InputError("not a JSON object", where, f"give an object with {', '.join(sorted(required))}")
    for name in sorted(required - document.keys()):
        raise InputError(f"'{name}' is missing", where, "add it")
    for name in sorted(document.keys() - required - optional):
        raise InputError(f"unknown field '{name}'", where, f"known: {', '.join(sorted(required | optional))}")
    return document


def _count(value: Any, where: str, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(f"{json.dumps(value)[:40]} is no whole number", where, "give a whole number")
    if not low <= value <= high:
        raise InputError(f"{value} is outside {low}..{high}", where, "give a number in the range")
    return value


def _dimensions(value: Any, where: str, limits: tuple[int, int, int]) -> tuple[int, int, int]:
    """Three dimensions; missing trailing ones are 1, a bare number is x."""
    listed = value if isinstance(value, list) else [value]
    if not 1 <= len(listed) <= 3:
        raise InputError(f"{len(listed)} dimensions", where, "give one to three")
    sizes = [_count(size, where, 1, limit) for size, limit in zip(listed, limits, strict=False)]
    x, y, z = [*sizes, 1, 1][:3]
    return x, y, z


def _argument(entry: Any, where: str) -> Argument:
    fields = _object(entry, where, {"name", "type"}, {"value", "size", "fields"})
    name, kind = fields["name"], fields["type"]
    if not isinstance(name, str) or not name:
        raise InputError("'name' is no name", where, "name the argument")
    where = f"{where} '{name}'"
    if kind == "struct":
        return _struct(name, fields, where)
    element = TYPES.get(kind.removesuffix("*")) if isinstance(kind, str) else None
    if element is None:
        known = ", ".join(TYPES)
        raise InputError(f"unknown type {json.dumps(kind)[:40]}", where, f"use one of {known}, one of these with *, or struct")
    if kind.endswith("*"):
        return ArrayArgument(name, element, _array(fields, element, where), "value" in fields)
    if "value" not in fields or "size" in fields or "fields" in fields:
        raise InputError("a scalar takes exactly a 'value'", where, 'give "value"')
    bits = element.encode(element.check(fields["value"], where))
    return ValueArgument(name, element.name, bits.to_bytes(element.bytes, "little"))


def _array(fields: Mapping[str, Any], element: ElementType, where: str) -> tuple[int | float, ...]:
    if ("value" in fields) == ("size" in fields) or "fields" in fields:
        raise InputError("an array takes either a 'value' or a 'size'", where, "give one of them")
    if "size" in fields:
        return (0,) * _count(fields["size"], f"{where}, 'size'", 0, MAX_ELEMENTS)
    values = fields["value"]
    if not isinstance(values, list) or len(values) > MAX_ELEMENTS:
        raise InputError("'value' of an array is no list, or too long", where, f"give at most {MAX_ELEMENTS:,} values")
    if element.holds(values):
        return tuple(values)
    return tuple(element.check(value, f"{where}, element {number}") for number, value in enumerate(values))


def _struct(name: str, fields: Mapping[str, Any], where: str) -> ValueArgument:
    """A struct of scalars, each at a multiple of its size, padded to a multiple of the largest (the C rule)."""
    kinds, values = fields.get("fields"), fields.get("value")
    if (
        not isinstance(kinds, list)
        or not isinstance(values, list)
        or len(kinds) != len(values)
        or not kinds
        or "size" in fields
    ):
        raise InputError("a struct takes 'fields' and as many values", where, 'give "fields": [types], "value": [values]')
    content = bytearray()
    elements = []
    for number, (kind, value) in enumerate(zip(kinds, values, strict=True)):
        element = TYPES.get(kind) if isinstance(kind, str) else None
        if element is None:
            raise InputError(
                f"unknown type {json.dumps(kind)[:40]}", f"{where}, field {number}", f"use one of {', '.join(TYPES)}"
            )
        content += bytes(-len(content) % element.bytes)
        bits = element.encode(element.check(value, f"{where}, field {number}"))
        content += bits.to_bytes(element.bytes, "little")
        elements.append(element)
    content += bytes(-len(content) % max(element.bytes for element in elements))
    return ValueArgument(name, "struct", bytes(content))
