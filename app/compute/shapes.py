"""How arguments lie in memory: their axes, the pieces that they are cut into, the values put together again.

Only copying happens here: nothing looks at what an entry is worth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from app.compute.library import EACH_AXIS, Form, Function
from app.expressions.checker import Kind
from app.expressions.errors import ExpressionError
from app.expressions.tree import Value


@dataclass(frozen=True)
class Block:
    """Entries in row-major order. sizes: the length along each axis; () is a single integer."""

    sizes: tuple[int, ...]
    entries: tuple[int, ...]

    def cut(self, axis: int, start: int, end: int) -> Block:
        """A slice along one of one or two axes."""
        if len(self.sizes) == 1:
            return Block((end - start,), self.entries[start:end])
        rows, columns = self.sizes
        if axis == 0:
            return Block((end - start, columns), self.entries[start * columns : end * columns])
        kept = chain.from_iterable(self.entries[row * columns + start : row * columns + end] for row in range(rows))
        return Block((rows, end - start), tuple(kept))

    def value(self) -> Value:
        """As the expression language has it."""
        if not self.sizes:
            return self.entries[0]
        if len(self.sizes) == 1:
            return list(self.entries)
        rows, columns = self.sizes
        return [list(self.entries[row * columns : (row + 1) * columns]) for row in range(rows)]


def block_of(value: Value, what: str = "the matrix") -> Block:
    """A value's entries. Raises ExpressionError for none and for rows of different lengths; `what` names the value."""
    if not isinstance(value, list):
        return Block((), (value,))
    if not value or [] in value:
        raise ExpressionError(f"{what} has no entries", None, "give at least one")
    rows = [row for row in value if isinstance(row, list)]
    if not rows:
        return Block((len(value),), tuple(entry for entry in value if isinstance(entry, int)))
    lengths = {len(row) for row in rows}
    if len(lengths) > 1:
        raise ExpressionError(
            f"the rows of {what} have different lengths ({', '.join(map(str, sorted(lengths)))})",
            None,
            "give rows of equal length",
        )
    return Block((len(rows), lengths.pop()), tuple(chain.from_iterable(rows)))


def join(parts: Sequence[Block], axis: int) -> Block:
    """Slices along an axis in order, put together."""
    total = sum(part.sizes[axis] for part in parts)
    if axis == 0:
        return Block((total, *parts[0].sizes[1:]), tuple(chain.from_iterable(part.entries for part in parts)))
    rows = parts[0].sizes[0]
    entries = chain.from_iterable(
        part.entries[row * part.sizes[1] : (row + 1) * part.sizes[1]] for row in range(rows) for part in parts
    )
    return Block((rows, total), tuple(entries))


@dataclass(frozen=True)
class Arranged:
    """The arguments of a call, as a kernel takes them.

    axes: the length of every axis; each: what a result of entries one by one is shaped like
    """

    blocks: tuple[Block, ...]
    axes: Mapping[str, int]
    each: tuple[int, ...]


def arrange(function: Function, arguments: Sequence[Value]) -> Arranged:
    """Bring arguments of the right kinds into their forms. Raises ExpressionError where their lengths do not fit."""
    forms = list(function.parameters.items())
    blocks = [block_of(value, f"{name} in {function.name}") for (name, _), value in zip(forms, arguments, strict=True)]
    each = _common(function, [block for (_, form), block in zip(forms, blocks, strict=True) if form.kind is Kind.EACH])
    count = each[0] * (each[1] if len(each) > 1 else 1) if each else 1
    spread = [
        _spread(block, count) if form.kind is Kind.EACH else block for (_, form), block in zip(forms, blocks, strict=True)
    ]
    return Arranged(tuple(spread), _axes(function, spread), each)


def _spread(block: Block, count: int) -> Block:
    """Entries in a row; a single integer meets all of the others."""
    return Block((count,), block.entries if block.sizes else block.entries * count)


def _common(function: Function, blocks: Sequence[Block]) -> tuple[int, ...]:
    """The shape that all lists or matrices among the blocks have; () when all are integers."""
    shapes = list(dict.fromkeys(block.sizes for block in blocks if block.sizes))
    if len(shapes) > 1:
        raise ExpressionError(
            f"{function.name} has {_size(shapes[0])} beside {_size(shapes[1])}", None, "give arguments of equal length"
        )
    return shapes[0] if shapes else ()


def _size(sizes: Sequence[int]) -> str:
    return f"{sizes[0]} entries" if len(sizes) == 1 else f"{sizes[0]} x {sizes[1]} entries"


def _axes(function: Function, blocks: Sequence[Block]) -> dict[str, int]:
    axes: dict[str, int] = {}
    named: dict[str, str] = {}
    for (name, form), block in zip(function.parameters.items(), blocks, strict=True):
        for extent, size in zip(form.extents, block.sizes, strict=True):
            axis = extent.axes[0]
            length = size - extent.plus
            if length < 1:
                raise ExpressionError(
                    f"{function.name} needs at least {extent.plus + 1} entries, {name} has {size}",
                    None,
                    f"see {function.example}",
                )
            if axes.setdefault(axis, length) != length:
                raise ExpressionError(
                    f"{function.name}: {named[axis]} has length {axes[axis]}, {name} has length {length}",
                    None,
                    f"see {function.example}",
                )
            named.setdefault(axis, name)
    return axes


def place_of(form: Form, axis: str) -> int | None:
    """Along which of its axes a form has this one."""
    return next((place for place, extent in enumerate(form.extents) if axis in extent.axes), None)


def piece(function: Function, arranged: Arranged, axis: str, start: int, end: int) -> Arranged:
    """The part of a call that concerns a range of an axis. Extents that are longer than the axis overlap."""
    blocks = []
    for form, block in zip(function.parameters.values(), arranged.blocks, strict=True):
        place = place_of(form, axis)
        blocks.append(block if place is None else block.cut(place, start, end + form.extents[place].plus))
    each = (end - start,) if axis == EACH_AXIS and arranged.each else arranged.each
    return Arranged(tuple(blocks), {**arranged.axes, axis: end - start}, each)
