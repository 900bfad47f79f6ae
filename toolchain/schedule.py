"""Packing operations into machine blocks.

A block costs one token, a value that leaves it in a register several (`Value.cost`), a value that is used up inside it none. So
the scheduler looks for the partition of a piece's operations into blocks of at most four that has the fewest values in between:
a beam search over the order in which groups are placed. Cheap values are computed again in each block that reads them, a
comparison is repeated in each block that needs its predicate.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from engine.machine.instructions import BY_MNEMONIC
from engine.machine.program import Access
from toolchain.machine_ir import Code, Compare, Ending, Group, Op, Operand, Piece, Value, compare_reads

BEAM = 10
"""States kept at each step of the search for ordinary pieces; fewer for long ones."""
ESTIMATE_BEAM = 4
"""States kept where only the costs of two ways are compared."""
WORK = 300
"""About how many states times groups are looked at."""
STAGES_OF = {mnemonic: instruction.stages for mnemonic, instruction in BY_MNEMONIC.items() if instruction.stages is not None}
"""The stages of the instructions that not every stage has."""


@dataclass(frozen=True, slots=True)
class Placed:
    """An operation in its stage; None in `op` is an empty stage, `compare` a setp."""

    op: Op | None = None
    compare: Compare | None = None


@dataclass(eq=False, slots=True)
class Pack:
    """A machine block before registers: what stands in its stages, and how it ends (None: it falls into the next)."""

    placed: tuple[Placed, ...]
    serial: bool
    ending: Ending | None = None
    piece: Piece | None = None

    def results(self) -> list[Value]:
        """Values made in it."""
        return [p.op.result for p in self.placed if p.op is not None and p.op.result is not None]


class Infeasible(Exception):
    """No order satisfies the constraints of shared variables; `values` are those whose sharing made them."""

    def __init__(self, values: set[Value]) -> None:
        super().__init__("no order of operations")
        self.values = values


@dataclass(eq=False, slots=True)
class _State:
    """A partial schedule. done: groups in closed blocks; here: groups in the open one, whose stages are `placed`.

    closed: the last closed block and those before it, as a linked list
    """

    cost: float
    done: int
    here: int
    placed: tuple[Placed, ...] = ()
    inside: frozenset[Value] = frozenset()
    condition: Compare | None = None
    stores: bool = False
    serial: bool = False
    closed: tuple[Any, Pack] | None = None

    def packs(self) -> list[Pack]:
        """The closed blocks in order."""
        found, link = [], self.closed
        while link is not None:
            found.append(link[1])
            link = link[0]
        return found[::-1]


class _Open:
    """The open block of a state while a group is added to it."""

    __slots__ = ("condition", "inside", "placed", "stores")

    def __init__(self, state: _State) -> None:
        self.placed, self.inside = list(state.placed), set(state.inside)
        self.condition, self.stores = state.condition, state.stores


def schedule(code: Code, piece: Piece, live_out: set[Value], variable: dict[Value, Value], stages: int,
             window: int, beam: int = BEAM) -> tuple[list[Pack], float]:  # fmt: skip
    """The blocks of one piece, and their estimated tokens. Raises Infeasible.

    live_out: variables read behind it; window: how many of the next groups may be placed (few keeps fewer values alive)
    beam: how many states the search keeps
    """
    return _Scheduler(code, piece, live_out, variable, stages, window).run(beam)


class _Scheduler:
    """The dependences of one piece, as bit masks over its groups."""

    def __init__(self, code: Code, piece: Piece, live_out: set[Value], variable: dict[Value, Value], stages: int,
                 window: int) -> None:  # fmt: skip
        self.cheap, self.piece, self.stages, self.window = code.cheap, piece, stages, window
        self.groups = piece.groups
        self.variable = variable
        count = len(self.groups)
        self.all = (1 << count) - 1
        self.before, self.strict, self.beside = [0] * count, [0] * count, [0] * count
        self.with_end = 0
        self.results = [group.results() for group in self.groups]
        self.cheap_reads = {
            id(op): tuple(v for v in op.reads() if v in code.cheap)
            for op in (*code.cheap.values(), *(op for group in self.groups for op in group.ops))
        }
        self.maker = {value: number for number, results in enumerate(self.results) for value in results}
        self.readers: dict[Value, int] = {}
        for number, group in enumerate(self.groups):
            for value in group.reads():
                self.readers[value] = self.readers.get(value, 0) | 1 << number
        self.read_at_end = piece.reads_at_end()
        self.leaving = self.leaving_values(live_out)
        self.lives = [
            [(v, v.cost, self.readers.get(v, 0), v in self.leaving, v in self.read_at_end) for v in results]
            for results in self.results
        ]
        self.alone: dict[int, _Open | None] = {}
        self.needs_data()
        self.needs_memory()
        self.needs_variables()
        self.demanding = self.with_end | sum(1 << number for number, mask in enumerate(self.beside) if mask)

    def leaving_values(self, live_out: set[Value]) -> set[Value]:
        """Values made here that are read behind the piece: of each variable the last one made."""
        last = {self.variable.get(value, value): value for group in self.groups for value in group.results()}
        return {value for name, value in last.items() if name in live_out}

    def needs_data(self) -> None:
        for number, group in enumerate(self.groups):
            for value in group.reads():
                if value in self.maker:
                    self.before[number] |= 1 << self.maker[value]

    def needs_memory(self) -> None:
        accesses = [(n, op, g) for n, g in enumerate(self.groups) for op in g.ops if op.access is not Access.NONE]
        for index, (later, after, group) in enumerate(accesses):
            for earlier, first, other in accesses[:index]:
                if earlier == later:
                    continue
                ordered = group.epoch != other.epoch or (first.waits and after.waits)
                if not ordered and not (may_alias(first, after) and (first.stores or after.stores)):
                    continue
                if first.stores or (ordered and not after.stores):
                    self.strict[later] |= 1 << earlier
                else:
                    self.beside[later] |= 1 << earlier  # a load sees memory as it was when the block began

    def needs_variables(self) -> None:
        """The readers of a variable's old value must not come after the block that makes its new one."""
        by_variable: dict[Value, list[Value]] = {}
        for value in {*self.maker, *self.readers, *self.read_at_end}:
            if value in self.variable:
                by_variable.setdefault(self.variable[value], []).append(value)
        for values in by_variable.values():
            values.sort(key=lambda value: self.maker.get(value, -1))
            for position, new in enumerate(values):
                if new not in self.maker:
                    continue
                number = self.maker[new]
                for old in values[:position]:
                    self.beside[number] |= self.readers.get(old, 0) & ~(1 << number)
                    if old in self.maker:
                        self.strict[number] |= 1 << self.maker[old]
                    if old in self.read_at_end:
                        self.with_end |= 1 << number

    # ------------------------------------------------------------ search
    def run(self, beam: int) -> tuple[list[Pack], float]:
        states = [_State(0.0, 0, 0)]
        width = max(4, min(beam, WORK // max(1, len(self.groups))))
        for _ in self.groups:
            found: dict[tuple[object, ...], _State] = {}
            for state in states:
                for following in self.steps(state):
                    key = (following.done, following.here, len(following.placed), following.condition)
                    if key not in found or following.cost < found[key].cost:
                        found[key] = following
            states = sorted(found.values(), key=self.rank)[:width]
            if not states:
                raise Infeasible(self.constrained())
        finished = [end for state in states for end in self.finish(state)]
        if not finished:
            raise Infeasible(self.constrained())
        best = min(finished, key=lambda state: state.cost)
        return best.packs(), best.cost

    def rank(self, state: _State) -> float:
        """Cost so far, the open block's share, and half of what its values will cost if their readers come later."""
        taken = state.done | state.here
        waiting = 0.0
        for number in _bits(state.here):
            for _, cost, readers, leaves, _ in self.lives[number]:
                if leaves or readers & ~taken:
                    waiting += cost
        return state.cost + len(state.placed) / self.stages + waiting / 2

    def constrained(self) -> set[Value]:
        """The values whose sharing of a variable constrains the order."""
        return {value for value in self.maker if value in self.variable}

    def steps(self, state: _State) -> Iterable[_State]:
        """Every way to place one more group: in the open block, or in the next one."""
        closed: _State | None = None
        if state.placed:
            closed = self.close(state, None)
        rest = self.all & ~(state.done | state.here)
        left, found = rest, 0
        while left and found < self.window:
            low = left & -left
            left ^= low
            number = low.bit_length() - 1
            if self.before[number] & rest:
                continue
            strict, fits = self.strict[number], False
            for start in (state, closed):
                if start is None or strict & ~start.done:
                    continue
                following = self.place(start, number)
                if following is not None:
                    fits = True
                    yield following
            found += fits

    def can_close_later(self, here: int, done: int, free: int) -> bool:
        """Whether what the open block's variables still demand of it can fit into its free stages."""
        if not here & self.demanding:
            return True
        taken = here | done
        if here & self.with_end:
            return (self.all & ~taken).bit_count() <= free
        demanded = 0
        for number in _bits(here):
            demanded |= self.beside[number] & ~taken
        return demanded.bit_count() <= free and not any(self.strict[n] & ~done for n in _bits(demanded))

    def finish(self, state: _State) -> Iterable[_State]:
        """Close the last block with the piece's ending; the ending's comparison may need one more block."""
        condition = self.piece.ending.condition
        if condition is None:
            end = self.close(state, self.piece.ending)
            return [end] if end is not None else []
        found = []
        for start in (state, self.close(state, None) if state.placed else None):
            if start is None:
                continue
            block = _Open(start)
            compared = self.state(start, block, start.here, start.serial) if self.compare(block, condition) else None
            end = self.close(compared, self.piece.ending) if compared is not None else None
            if end is not None:
                found.append(end)
        return found

    # ------------------------------------------------------------ one step
    def place(self, state: _State, number: int) -> _State | None:
        """The state with a group in the open block, None when it does not fit."""
        group = self.groups[number]
        if (group.serial and state.serial) or len(state.placed) + len(group.ops) > self.stages:
            return None
        if state.placed:
            block = self.filled(_Open(state), group)
        else:  # an empty block takes a group always in the same way
            if number not in self.alone:
                self.alone[number] = self.filled(_Open(state), group)
            block = self.alone[number]
        if block is None:
            return None
        here = state.here | 1 << number
        if not self.can_close_later(here, state.done, self.stages - len(block.placed)):
            return None
        return self.state(state, block, here, state.serial or group.serial)

    def filled(self, block: _Open, group: Group) -> _Open | None:
        """The block with the group's operations, None when they do not fit."""
        for op in group.ops:
            if not self.add(block, op):
                return None
        return block

    def state(self, before: _State, block: _Open, here: int, serial: bool) -> _State:
        """The state whose open block has become `block`."""
        placed, inside = tuple(block.placed), frozenset(block.inside)
        return _State(before.cost, before.done, here, placed, inside, block.condition, block.stores, serial, before.closed)

    def add(self, block: _Open, op: Op) -> bool:
        """Append one operation with what it needs in front; False when it does not fit."""
        if op.stores and block.stores:
            return False
        needed = self.cheap_reads[id(op)]
        if needed and not self.provide(block, needed):
            return False
        if op.condition is not None and not self.compare(block, op.condition):
            return False
        placed, limits = block.placed, STAGES_OF.get(op.mnemonic)
        if limits is not None:
            first = min((stage for stage in limits if stage >= len(placed)), default=self.stages)
            placed += [Placed()] * (first - len(placed))
        if len(placed) >= self.stages:
            return False
        is_last = len(placed) == self.stages - 1
        if is_last and op.result is not None and block.stores and self.is_read(op.result):
            return False  # the stored word travels as result 3
        if op.result is not None:
            block.inside.add(op.result)
        placed.append(Placed(op))
        block.stores = block.stores or op.stores
        return True

    def is_read(self, value: Value) -> bool:
        return bool(self.readers.get(value)) or value in self.leaving or value in self.read_at_end

    def provide(self, block: _Open, values: Iterable[Value]) -> bool:
        """Compute the cheap ones among some values in the open block; False when they do not fit."""
        return all(v in block.inside or v not in self.cheap or self.add(block, self.cheap[v]) for v in values)

    def compare(self, block: _Open, condition: Compare) -> bool:
        """Make a condition the current predicate of the open block; False when it does not fit."""
        if block.condition == condition:
            return True
        if not self.provide(block, compare_reads(condition)) or len(block.placed) >= self.stages:
            return False
        block.placed.append(Placed(compare=condition))
        block.condition = condition
        return True

    def close(self, state: _State, ending: Ending | None) -> _State | None:
        """Close the open block, None when that breaks a constraint of a shared variable."""
        done = state.done | state.here
        at_end = ending is not None and done == self.all
        if state.here & self.with_end and not at_end:
            return None
        for number in _bits(state.here & self.demanding):
            if self.beside[number] & ~done:
                return None
        kept = [
            (value, cost)
            for number in _bits(state.here)
            for value, cost, readers, leaves, ends in self.lives[number]
            if leaves or readers & ~done or (ends and not at_end)
        ]
        if state.serial and self.overwrites_source(state, [value for value, _ in kept]):
            return None
        cost = state.cost + 1 + sum(cost for _, cost in kept)
        pack = Pack(state.placed, state.serial, ending, self.piece)
        return _State(cost, done, 0, closed=(state.closed, pack))

    def overwrites_source(self, state: _State, kept: list[Value]) -> bool:
        """Whether a block writes a variable that it reads. A serial one may not: lanes held back run it again."""
        wanted = [p.op.reads() if p.op else compare_reads(p.compare) if p.compare else () for p in state.placed]
        read = {self.variable.get(v, v) for values in wanted for v in values if v not in state.inside}
        return any(self.variable.get(value, value) in read for value in kept)


@lru_cache(maxsize=1 << 14)
def _bits(mask: int) -> tuple[int, ...]:
    """The positions of a mask's bits, from the lowest; the same few masks are asked for all the time."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return tuple(found)


def may_alias(a: Op, b: Op) -> bool:
    """Whether two accesses may touch the same word: not with different tags, nor at different constant distances."""
    if a.tag and b.tag and a.tag != b.tag:
        return False
    left, right = _address(a), _address(b)
    return left is None or right is None or left[0] != right[0] or left[1] == right[1]


def _address(op: Op) -> tuple[Operand, int] | None:
    """(base, constant) of an access's address, None when it is something else."""
    if op.access is Access.STORE_SWAPPED:
        return _plain(op.c)
    if op.mnemonic == "mov":
        return _plain(op.operands[0])
    if op.mnemonic == "add" and isinstance(op.operands[1], int):
        return op.operands[0], op.operands[1]
    return None


def _plain(operand: Operand | None) -> tuple[Operand, int] | None:
    if isinstance(operand, int):
        return 0, operand
    return (operand, 0) if operand is not None else None
