"""From a call and its arguments to one launch: types, sizes, threads. Whether a call fits one launch, and how to cut it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from app.compute.library import Form, Function
from app.compute.shapes import Arranged, Block
from engine.machine.errors import LimitExceeded
from engine.machine.spec import SPEC, MachineSpec

MAX_LAUNCHES = 64
"""Most pieces that one call is cut into."""
SPARE_WORDS = 160
"""Memory that is left to the kernel: spilled registers, the index of the block, line 0."""
THREADS = 64
"""Threads of a block where a grid has several."""
NARROW, WIDE = ("int", "int32"), ("long long", "int64")
"""The template argument and the array type of 32-bit and 64-bit arguments."""
RESULT, COUNT, STATUS = "result", "count", "status"


@dataclass(frozen=True)
class Planned:
    """One launch. document: as LAUNCH.json has it; sizes: the extents of its result."""

    function: Function
    document: Mapping[str, Any]
    sizes: tuple[int, ...]

    @property
    def kernel(self) -> str:
        """The template instantiation."""
        return str(self.document["kernel"])


def plan(function: Function, arranged: Arranged) -> Planned:
    """The launch of a call that fits one."""
    words = _type_of(arranged.blocks)
    arrays = [
        {"name": name, "type": f"{words[1]}*", "value": list(block.entries)}
        for name, block in zip(function.parameters, arranged.blocks, strict=True)
    ]
    sizes = tuple(extent.of(arranged.axes) for extent in function.result.extents)
    results = [{"name": RESULT, "type": f"{_stored(function, words)}*", "size": prod(sizes)}]
    results += [{"name": COUNT, "type": "int32*", "size": 1}] if function.result.most else []
    results += [{"name": name, "type": "int64*", "size": 1} for name in function.extra]
    results += [{"name": STATUS, "type": "int32*", "size": 1}]
    lengths = [{"name": f"length {axis}", "type": "int32", "value": arranged.axes[axis]} for axis in function.axes]
    threads = _threads(function, arranged.axes)
    block = min(threads, THREADS)
    document = {
        "kernel": f"{function.name}_kernel<{words[0]}>",
        "grid": [-(-threads // block)],
        "block": [block],
        "args": arrays + results + lengths,
    }
    return Planned(function, document, sizes)


def fits(function: Function, arranged: Arranged, spec: MachineSpec = SPEC) -> bool:
    """Whether one launch can hold a call."""
    if any(arranged.axes[axis] > most for axis, most in function.largest.items()):
        return False
    words = _type_of(arranged.blocks)
    needed = sum(_words(prod(_extents(form, arranged.axes)), words[1]) for form in function.parameters.values())
    result = _words(prod(_extents(function.result, arranged.axes)), _stored(function, words))
    return needed + result + function.shared + SPARE_WORDS <= spec.words


def refuse(function: Function, arranged: Arranged) -> LimitExceeded:
    """That a call is too large for the machine, whatever one cuts."""
    where, remedy = f"function {function.name}", "give shorter lists"
    for axis, most in function.largest.items():
        if arranged.axes[axis] > most:
            return LimitExceeded("list entries", arranged.axes[axis], most, where, remedy)
    words = _type_of(arranged.blocks)
    needed = sum(_words(prod(_extents(form, arranged.axes)), words[1]) for form in function.parameters.values())
    needed += _words(prod(_extents(function.result, arranged.axes)), _stored(function, words)) + SPARE_WORDS
    return LimitExceeded("memory words", needed, SPEC.words, where, remedy)


def _extents(form: Form, axes: Mapping[str, int]) -> Sequence[int]:
    return [extent.of(axes) for extent in form.extents]


def _type_of(blocks: Sequence[Block]) -> tuple[str, str]:
    """32-bit arguments where all entries have so few bits: half the memory, fewer steps."""
    low, high = -(1 << 31), 1 << 31
    return NARROW if all(low <= min(block.entries) and max(block.entries) < high for block in blocks) else WIDE


def _stored(function: Function, words: tuple[str, str]) -> str:
    return words[1] if function.store == "T" else function.store


def _words(count: int, kind: str) -> int:
    """Words of an array, rounded up to a line of the memory."""
    return -(-count * (2 if kind == WIDE[1] else 1) // SPEC.lanes) * SPEC.lanes


def _threads(function: Function, axes: Mapping[str, int]) -> int:
    match function.threads:
        case "one":
            return 1
        case "block":
            return min(THREADS, max(axes.values()))
        case text if "+" in text:
            return sum(axes[axis] for axis in text.split("+"))
        case text:
            return prod(axes[axis] for axis in text.split("*"))
