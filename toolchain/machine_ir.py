"""Operations of the machine on values that have no register yet.

A predicate is no value here: an operation or an ending that needs one carries the comparison itself, and the scheduler puts a
`setp` in front. A `Group` is what must stay in one machine block: a single operation, or an atomic's load, change and store.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from engine.machine.program import Access, Exit
from toolchain.ir import Block


@dataclass(eq=False, slots=True)
class Value:
    """A word that an operation computes. `cost` estimates the tokens of keeping it in a register, a write-out each time."""

    cost: float = 8.0
    name: str = ""

    def __repr__(self) -> str:
        return f"v{id(self) >> 4 & 0xFFFF:x}{self.name}"


@dataclass(frozen=True, slots=True)
class Thread:
    """The linear thread id."""


Operand = Value | Thread | int
"""An int is a word constant."""
THREAD = Thread()


@dataclass(frozen=True, slots=True)
class Compare:
    """A comparison (`setp.*`) of two operands."""

    mnemonic: str
    a: Operand
    b: Operand


ALWAYS = Compare("setp.eq", 0, 0)


@dataclass(frozen=True, slots=True)
class Op:
    """One operation; `operands` in the order a, b, c of its mnemonic (for a store, c is the data, or swapped: the address)."""

    mnemonic: str
    operands: tuple[Operand, ...]
    result: Value | None = None
    c: Operand | None = None
    condition: Compare | None = None
    access: Access = Access.NONE
    guarded: bool = False
    tag: int = 0
    line: int | None = None
    waits: bool = False

    @property
    def stores(self) -> bool:
        """True when it writes memory."""
        return self.access in (Access.STORE, Access.STORE_SWAPPED)

    def reads(self) -> Iterator[Value]:
        """The values that it needs."""
        for operand in (*self.operands, self.c):
            if isinstance(operand, Value):
                yield operand
        if self.condition is not None:
            yield from compare_reads(self.condition)

    def renamed(self, names: dict[Value, Operand]) -> Op:
        """The same operation on other operands; its result stays."""
        condition = self.condition
        if condition is not None:
            condition = Compare(condition.mnemonic, _renamed(condition.a, names), _renamed(condition.b, names))
        c = None if self.c is None else _renamed(self.c, names)
        return replace(self, operands=tuple(_renamed(o, names) for o in self.operands), c=c, condition=condition)


def _renamed(operand: Operand, names: dict[Value, Operand]) -> Operand:
    return names.get(operand, operand) if isinstance(operand, Value) else operand


def compare_reads(compare: Compare) -> Iterator[Value]:
    """The values that a comparison needs."""
    return (operand for operand in (compare.a, compare.b) if isinstance(operand, Value))


class Group:
    """Operations that share one machine block, in order; they never change. epoch: fences before it in its block."""

    __slots__ = ("_reads", "_results", "epoch", "ops", "serial")

    def __init__(self, ops: tuple[Op, ...], serial: bool = False, epoch: int = 0) -> None:
        self.ops, self.serial, self.epoch = ops, serial, epoch
        self._results = [op.result for op in ops if op.result is not None]
        self._reads: list[Value] | None = None

    def reads(self) -> list[Value]:
        """Values that come from outside the group, each once, in the order of the operands."""
        if self._reads is None:
            read = dict.fromkeys(value for op in self.ops for value in op.reads())
            self._reads = [value for value in read if value not in self._results]
        return self._reads

    def results(self) -> list[Value]:
        """Values that the group computes."""
        return self._results


@dataclass(eq=False, slots=True)
class Ending:
    """How a straight piece of code ends; `targets` are pieces (a branch: taken, other)."""

    exit: Exit
    targets: list[Piece] = field(default_factory=list)
    condition: Compare | None = None
    site: int = 0
    line: int | None = None


@dataclass(eq=False, slots=True)
class Piece:
    """Straight code: groups, then an ending. `phis`: value -> what each predecessor brings. `depth`: loops around it.

    waits: it is in a loop that may wait for another thread. joined: from its serial block on no other thread comes in between
    """

    origin: Block | None
    groups: list[Group]
    ending: Ending
    phis: dict[Value, dict[Piece, Operand]] = field(default_factory=dict)
    depth: int = 0
    waits: bool = False
    joined: bool = False

    def reads_at_end(self) -> set[Value]:
        """Values that the ending compares."""
        return set(compare_reads(self.ending.condition)) if self.ending.condition else set()


@dataclass(eq=False)
class Code:
    """A kernel as pieces, the first one is the entry.

    cheap: values that any block may compute again, and how
    risky: those of them that load what the kernel may have checked before, so that they stay behind that branch
    """

    kernel: str
    pieces: list[Piece]
    cheap: dict[Value, Op] = field(default_factory=dict)
    risky: set[Value] = field(default_factory=set)

    def predecessors(self) -> dict[Piece, list[Piece]]:
        """The pieces that lead to each piece."""
        found: dict[Piece, list[Piece]] = {piece: [] for piece in self.pieces}
        for piece in self.pieces:
            for target in dict.fromkeys(piece.ending.targets):
                found[target].append(piece)
        return found
