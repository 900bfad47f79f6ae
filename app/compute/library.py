"""The function library: each function is a `.cu` file whose first comment is its manifest. Adding one is adding a file.

The manifest is TOML between `/*---` and `---*/`:

    arguments = ["a: list[n]", "b: list[n]"]    kinds: int, list[axis], matrix[axis,axis], each (integers, lists entry by entry)
    result = "int"                              or list[n+k-1], list[<=n] (the kernel says how many), matrix[r,c], each
    store = "int64"                             the result's type: int32, int64, or T, the type of the arguments
    doc, example, limits                        what it gives; a call and its value; what it refuses
    threads = "n"                               one thread an entry of this axis (also a product r*c or a sum n+k) of the grid;
                                                "block": one block with a thread an entry, at most 64 threads;
                                                "one": a single thread
    split = ["n"]                               axes along which a larger input is cut into several launches
    combine = "sum"                             the function that makes one value of such launches' results
    largest = { n = 256 }                       longest axes of one launch
    shared = 256                                words of shared memory
    refusals = ["..."]                          what the status codes from 3 on mean
    words = ["times"]                           other words for the function, to suggest it by
    extra = ["remainder"]                       further integers that the kernel gives

The kernel is a template `NAME_kernel<T>` with T = int, or long long where an argument needs it. Its parameters: the arguments
as pointers, `result`, `count` (for `<=`), the extra results, `status`, then the axes as int in the order of their appearance.
The contents of arguments are never passed by value: the lowering folds scalars, and nothing may be computed there.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

from app.expressions.checker import Kind

FOLDER = "kernels"
COMMON = "common.cuh"
STATUS = {1: "the result needs more than 64 bits", 2: "division by zero"}
"""What every kernel's status codes mean; codes from `FIRST_REFUSAL` on are the function's own."""
FIRST_REFUSAL = 3
_MANIFEST = re.compile(r"/\*---\n(.*?)---\*/\n", re.DOTALL)
_KINDS = {"int": Kind.INTEGER, "list": Kind.LIST, "matrix": Kind.MATRIX, "each": Kind.EACH}
EACH_AXIS = "n"
"""The axis of entries that are treated one by one."""


@dataclass(frozen=True)
class Extent:
    """How long something is: the sum of some axes and a number."""

    axes: tuple[str, ...]
    plus: int = 0

    def of(self, axes: Mapping[str, int]) -> int:
        """The length for known axes."""
        return sum(axes[axis] for axis in self.axes) + self.plus


@dataclass(frozen=True)
class Form:
    """Kind and extents of an argument or a result. most: a result that may be shorter."""

    kind: Kind
    extents: tuple[Extent, ...]
    most: bool = False


@dataclass(frozen=True)
class Function:
    """A function of the library: its manifest and its CUDA source."""

    name: str
    parameters: Mapping[str, Form]
    result: Form
    source: str
    store: str
    doc: str
    example: str
    threads: str
    limits: tuple[str, ...] = ()
    split: tuple[str, ...] = ()
    combine: str | None = None
    largest: Mapping[str, int] = field(default_factory=dict)
    shared: int = 0
    refusals: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Of the arguments."""
        return tuple(form.kind for form in self.parameters.values())

    @property
    def gives(self) -> Kind:
        """The kind of the result."""
        return self.result.kind

    @property
    def usage(self) -> str:
        """A call with the names of the arguments."""
        return f"{self.name}({', '.join(self.parameters)})"

    @property
    def axes(self) -> tuple[str, ...]:
        """All axes in the order of their appearance."""
        forms = (*self.parameters.values(), self.result)
        return tuple(dict.fromkeys(axis for form in forms for extent in form.extents for axis in extent.axes))

    def explain(self, status: int) -> str:
        """What a status other than 0 means."""
        return STATUS.get(status) or self.refusals[status - FIRST_REFUSAL]


@functools.cache
def load_library() -> Mapping[str, Function]:
    """All functions by name."""
    folder = resources.files("resources") / FOLDER
    common = (folder / COMMON).read_text(encoding="utf-8")
    files = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".cu")), key=lambda entry: entry.name)
    read = (read_function(entry.name.removesuffix(".cu"), entry.read_text(encoding="utf-8"), common) for entry in files)
    return {function.name: function for function in read}


def read_function(name: str, text: str, common: str = "") -> Function:
    """The function in a file's text. Raises ValueError for a manifest that says nothing sensible: a defect of the file."""
    found = _MANIFEST.match(text)
    if found is None:
        raise ValueError(f"{name}.cu does not begin with a manifest")
    manifest: dict[str, Any] = tomllib.loads(found[1])
    parameters = dict(_parameter(text) for text in manifest.pop("arguments"))
    lists: dict[str, Any] = {key: tuple(manifest.pop(key, ())) for key in ("limits", "split", "refusals", "words", "extra")}
    try:
        function = Function(
            name=name, parameters=parameters, result=_form(manifest.pop("result")), source=common + text, **lists, **manifest
        )
    except TypeError as error:
        raise ValueError(f"{name}.cu: {error}") from None
    known = set(function.axes)
    if not known >= {*function.split, *function.largest}:
        raise ValueError(f"{name}.cu splits or bounds an axis that it does not have")
    return function


def _parameter(text: str) -> tuple[str, Form]:
    name, _, form = text.partition(":")
    return name.strip(), _form(form.strip())


def _form(text: str) -> Form:
    found = re.fullmatch(r"(\w+)(?:\[(<=)?([^\]]+)\])?", text)
    if found is None or found[1] not in _KINDS:
        raise ValueError(f"'{text}' is not the form of a value")
    kind = _KINDS[found[1]]
    extents = tuple(_extent(part) for part in found[3].split(",")) if found[3] else ()
    return Form(kind, (Extent((EACH_AXIS,)),) if kind is Kind.EACH else extents, bool(found[2]))


def _extent(text: str) -> Extent:
    terms = re.findall(r"[+-]?\w+", text)
    numbers = [int(term) for term in terms if term.lstrip("+-").isdigit()]
    return Extent(tuple(term.lstrip("+") for term in terms if not term.lstrip("+-").isdigit()), sum(numbers))
