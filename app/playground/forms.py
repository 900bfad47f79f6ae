"""What people type into the launch's fields: sizes, numbers from a spreadsheet, parameters of a kernel; and the comparison."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from engine.machine.errors import InputError
from toolchain.launch import TYPES, ElementType

ELEMENTS = {
    "char": "int8",
    "signed char": "int8",
    "unsigned char": "uint8",
    "short": "int16",
    "unsigned short": "uint16",
    "int": "int32",
    "unsigned int": "uint32",
    "unsigned": "uint32",
    "long long": "int64",
    "long": "int64",
    "unsigned long long": "uint64",
    "unsigned long": "uint64",
    "float": "float32",
    "int8_t": "int8",
    "uint8_t": "uint8",
    "int16_t": "int16",
    "uint16_t": "uint16",
    "int32_t": "int32",
    "uint32_t": "uint32",
    "int64_t": "int64",
    "uint64_t": "uint64",
    "size_t": "uint64",
}
"""The types of CUDA C++ and what LAUNCH.json calls them."""
_BOUNDS = r"(?:__launch_bounds__\([^)]*\)\s*)?"
_KERNEL = re.compile(rf"__global__\s+{_BOUNDS}void\s+{_BOUNDS}(\w+)\s*\(([^)]*)\)")
_SEPARATORS = re.compile(r"[\s,;|]+")


def read_sizes(text: str, where: str) -> list[int]:
    """One to three sizes: "16", "4 x 4", "2 × 3 × 1". Raises InputError."""
    parts = [part for part in re.split(r"[\s,x×*]+", text.strip().lower()) if part]
    if not 1 <= len(parts) <= 3 or not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise InputError(f"'{text[:40]}' is no size", where, "write one to three numbers, as in 16 or 4 × 4")
    return [*map(int, parts), 1, 1][:3]


def write_sizes(sizes: Any) -> str:
    """Sizes as they are shown; ones at the end are kept, so that the field says what it is."""
    listed = sizes if isinstance(sizes, list | tuple) else [sizes]
    return " × ".join(map(str, [*listed, 1, 1][:3]))


def read_numbers(text: str, kind: str, where: str) -> list[int | float]:
    """Numbers, whatever a spreadsheet or a person puts between them. Raises InputError naming the first wrong one."""
    element = TYPES[kind]
    parts = [part for part in _SEPARATORS.split(text.strip().strip("[](){}")) if part.strip("[](){}")]
    return [_number(part.strip("[](){}"), element, f"{where}, entry {number}") for number, part in enumerate(parts)]


def _number(text: str, element: ElementType, where: str) -> int | float:
    plain = text.replace("_", "").replace("\u2212", "-")
    try:
        value: int | float = float(plain) if element.real else int(plain, 0) if plain[:2].lower() == "0x" else int(plain)
    except ValueError:
        raise InputError(f"'{text[:30]}' is no {element.name}", where, "write numbers, as many as there are entries") from None
    return element.check(value, where)


def kernels_of(source: str) -> dict[str, list[tuple[str, str]]]:
    """The kernels of a CUDA source as far as their text shows: name -> (parameter, type of LAUNCH.json)."""
    plain = re.sub(r"//[^\n]*|/\*.*?\*/", "", source, flags=re.DOTALL)
    return {
        name: [found for part in parameters.split(",") if (found := _parameter(part)) is not None]
        for name, parameters in _KERNEL.findall(plain)
    }


def _parameter(text: str) -> tuple[str, str] | None:
    words = re.sub(r"\b(const|volatile|__restrict__|restrict)\b|\[\s*\]", " ", text).replace("*", " * ").split()
    if len(words) < 2:
        return None
    *kind, name = words
    pointer = "*" in kind or "[" in text
    element = ELEMENTS.get(" ".join(word for word in kind if word != "*"))
    return None if element is None else (name, element + ("*" if pointer else ""))


def arguments_for(parameters: Sequence[tuple[str, str]], known: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Arguments for a kernel's parameters: those that are there keep their values, new ones begin as zeros."""
    kept = {(a["name"], a["type"]): dict(a) for a in known}
    made = []
    for name, kind in parameters:
        made.append(
            kept.get((name, kind)) or {"name": name, "type": kind, **({"size": 4} if kind.endswith("*") else {"value": 0})}
        )
    return made


def differences(outputs: Mapping[str, Sequence[int | float]], expected: Mapping[str, Sequence[int | float]]) -> list[str]:
    """Where outputs are not what was expected: "bins[2] is 3, expected 2". Empty when all agree."""
    found = []
    for name, wanted in expected.items():
        got = outputs.get(name)
        if got is None:
            found.append(f"there is no output {name}")
        elif len(got) != len(wanted):
            found.append(f"{name} has {len(got)} entries, expected {len(wanted)}")
        else:
            found += [f"{name}[{i}] is {a}, expected {b}" for i, (a, b) in enumerate(zip(got, wanted, strict=True)) if a != b]
    return found
