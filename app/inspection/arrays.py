"""The arrays in the machine's memory as the user knows them: names, element types, values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.machine.instructions import signed
from engine.machine.program import Program
from engine.machine.spec import BYTES_PER_WORD
from toolchain.launch import TYPES, ElementType

WORD = TYPES["int32"]


@dataclass(frozen=True)
class Array:
    """An array: its id, first word, how many words, its elements, and whether it is an argument of the kernel.

    values: the host's content of an argument, None for one that begins as zeros
    """

    name: str
    tag: int
    base: int
    words: int
    type: ElementType
    count: int
    argument: bool
    values: tuple[int | float, ...] | None = None

    @property
    def form(self) -> str:
        """Its type as it is written: int32[3]."""
        return f"{self.type.name}[{self.count}]"

    def label(self, address: int) -> str:
        """What a word of it is called: out[2], wide[1] high half, bytes[4..7]."""
        offset = address - self.base
        size = self.type.bytes
        if size == BYTES_PER_WORD:
            return f"{self.name}[{offset}]"
        if size > BYTES_PER_WORD:
            index, half = divmod(offset, size // BYTES_PER_WORD)
            return f"{self.name}[{index}], {'high' if half else 'low'} half"
        first = offset * BYTES_PER_WORD // size
        return f"{self.name}[{first}..{first + BYTES_PER_WORD // size - 1}]"

    def show(self, word: int) -> str:
        """A word's value in the array's type; halves of wide elements and packed elements as they lie there."""
        if self.type.bytes == BYTES_PER_WORD:
            return str(self.type.decode(word))
        return str(signed(word)) if self.type.bytes > BYTES_PER_WORD else f"0x{word:08x}"

    def elements(self, memory: Sequence[int]) -> list[int | float]:
        """Its elements in a memory."""
        content = b"".join(word.to_bytes(BYTES_PER_WORD, "little") for word in memory[self.base : self.base + self.words])
        size = self.type.bytes
        return [self.type.decode(int.from_bytes(content[i * size : (i + 1) * size], "little")) for i in range(self.count)]


def arrays_of(program: Program, launch: Mapping[str, Any]) -> tuple[Array, ...]:
    """Every array of a program, by address. Types are those of the launch's arguments; others are words.

    Raises KeyError, TypeError, AttributeError where the arguments are none.
    """
    arguments = {a["name"]: a for a in launch["args"] if a["type"].endswith("*")}
    found = []
    for place in program.allocations:
        argument = arguments.pop(place.name, None)
        if argument is None:
            found.append(Array(place.name, place.tag, place.base, place.words, WORD, place.words, False))
            continue
        values = argument.get("value")
        count = len(values) if isinstance(values, list) else int(argument["size"])
        kind = TYPES[argument["type"].removesuffix("*")]
        found.append(
            Array(
                place.name,
                place.tag,
                place.base,
                place.words,
                kind,
                count,
                True,
                tuple(values) if isinstance(values, list) else None,
            )
        )
    return tuple(sorted(found, key=lambda array: array.base))


def array_at(arrays: Sequence[Array], address: int) -> Array | None:
    """The array that a word belongs to."""
    return next((array for array in arrays if array.base <= address < array.base + array.words), None)


def label_of(arrays: Sequence[Array], address: int) -> str:
    """What a word is called."""
    array = array_at(arrays, address)
    return array.label(address) if array else f"word {address}"


def value_of(arrays: Sequence[Array], address: int, word: int) -> str:
    """A word's value in the type of its array."""
    array = array_at(arrays, address)
    return array.show(word) if array else str(signed(word))
