"""Packing operations into machine blocks.

A block costs one token, a value that leaves it in a register several (`Value.cost`), a value that is used up inside it none. So
the scheduler looks for the partition of a piece's operations into blocks of at most four that has the fewest values in between:
a beam search over the order in which groups are placed. Cheap values are computed again in each block that reads them, a
comparison is repeated in each block that needs its predicate.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.machine.instructions import BY_MNEMONIC
from engine.machine.program import Access
from toolchain.machine_ir import Code, Compare, Ending, Op, Operand, Piece, Value, compare_reads

BEAM = 10
"""States kept at each step of the search for ordinary pieces; fewer for long ones."""
WORK = 300
"""About how many states times groups are looked at."""


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


@dataclass(frozen=True, slots=True)
class _State:
    """A partial schedule. done: groups in closed blocks; here: groups in the open one, whose stages are `placed`."""

    cost: float
    done: int
    here: int
    placed: tuple[Placed, ...] = ()
    inside: frozenset[Value] = frozenset()
    condition: Compare | None = None
    stores: bool = False
    serial: bool = False
    closed: tuple[Pack, ...] = field(default=(), compare=False)


def schedule(code: Code, piece: Piece, live_out: set[Value], variable: dict[Value, Value], stages: int,
             window: int) -> tuple[list[Pack], float]:  # fmt: skip
    """The blocks of one piece, and their estimated tokens. Raises Infeasible.

    live_out: variables read behind it; window: how many of the next groups may be placed (few keeps fewer values alive)
    """
    return _Scheduler(code, piece, live_out, variable, stages, window).run()


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
        self.needs_data()
        self.needs_memory()
        self.needs_variables()

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
    def run(self) -> tuple[list[Pack], float]:
        states = [_State(0.0, 0, 0)]
        width = max(4, min(BEAM, WORK // max(1, len(self.groups))))
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
        return list(best.closed), best.cost

    def rank(self, state: _State) -> float:
        """Cost so far, the open block's share, and half of what its values will cost if their readers come later."""
        taken = state.done | state.here
        waiting = sum(
            value.cost
            for number in _bits(state.here)
            for value in self.results[number]
            if self.readers.get(value, 0) & ~taken or value in self.leaving
        )
        return state.cost + len(state.placed) / self.stages + waiting / 2

    def constrained(self) -> set[Value]:
        """The values whose sharing of a variable constrains the order."""
        return {value for value in self.maker if value in self.variable}

    def steps(self, state: _State) -> Iterable[_State]:
        """Every way to place one more group: in the open block, or in the next one."""
        closed: _State | None = None
        if state.placed:
            closed = self.close(state, None)
        taken = state.done | state.here
        found = 0
        for number in _bits(self.all & ~taken):
            if self.before[number] & ~taken or found == self.window:
                continue
            ways = [start for start in (state, closed) if start is not None and not self.strict[number] & ~start.done]
            placed = [following for start in ways if (following := self.place(start, number)) is not None]
            found += bool(placed)
            yield from placed

    def can_close_later(self, here: int, done: int, free: int) -> bool:
        """Whether what the open block's variables still demand of it can fit into its free stages."""
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
            compared = self.compare(start, condition)
            end = self.close(compared, self.piece.ending) if compared is not None else None
            if end is not None:
                found.append(end)
        return found

    # ------------------------------------------------------------ one step
    def place(self, state: _State, number: int) -> _State | None:
        """The state with a group in the open block, None when it does not fit."""
        group = self.groups[number]
        if group.serial and state.serial:
            return None
        current: _State | None = state
        for op in group.ops:
            current = self.add(current, op) if current is not None else None
        if current is None or not self.can_close_later(
            current.here | 1 << number, current.done, self.stages - len(current.placed)
        ):
            return None
        return _State(
            current.cost,
            current.done,
            current.here | 1 << number,
            current.placed,
            current.inside,
            current.condition,
            current.stores,
            current.serial or group.serial,
            current.closed,
        )

    def add(self, state: _State, op: Op) -> _State | None:
        """Append one operation with what it needs in front."""
        if op.stores and state.stores:
            return None
        needed = self.cheap_reads[id(op)]
        current: _State | None = self.provide(state, needed) if needed else state
        if current is not None and op.condition is not None:
            current = self.compare(current, op.condition)
        if current is None:
            return None
        placed, instruction = current.placed, BY_MNEMONIC[op.mnemonic]
        if instruction.stages is not None:
            first = min((stage for stage in instruction.stages if stage >= len(placed)), default=self.stages)
            placed += (Placed(),) * (first - len(placed))
        if len(placed) >= self.stages:
            return None
        is_last = len(placed) == self.stages - 1
        if is_last and op.result is not None and current.stores and self.is_read(op.result):
            return None  # the stored word travels as result 3
        inside = current.inside | {op.result} if op.result is not None else current.inside
        return _State(
            current.cost,
            current.done,
            current.here,
            (*placed, Placed(op)),
            inside,
            current.condition,
            current.stores or op.stores,
            current.serial,
            current.closed,
        )

    def is_read(self, value: Value) -> bool:
        return bool(self.readers.get(value)) or value in self.leaving or value in self.read_at_end

    def provide(self, state: _State, values: Iterable[Value]) -> _State | None:
        """Compute the cheap ones among some values in the open block."""
        current: _State | None = state
        for value in values:
            if value in self.cheap and current is not None and value not in current.inside:
                current = self.add(current, self.cheap[value])
        return current

    def compare(self, state: _State, condition: Compare) -> _State | None:
        """Make a condition the current predicate of the open block."""
        if state.condition == condition:
            return state
        current = self.provide(state, compare_reads(condition))
        if current is None or len(current.placed) >= self.stages:
            return None
        return _State(
            current.cost,
            current.done,
            current.here,
            (*current.placed, Placed(compare=condition)),
            current.inside,
            condition,
            current.stores,
            current.serial,
            current.closed,
        )

    def close(self, state: _State, ending: Ending | None) -> _State | None:
        """Close the open block, None when that breaks a constraint of a shared variable."""
        done = state.done | state.here
        at_end = ending is not None and done == self.all
        if state.here & self.with_end and not at_end:
            return None
        for number in _bits(state.here):
            if self.beside[number] & ~done:
                return None
        kept = [
            value
            for number in _bits(state.here)
            for value in self.results[number]
            if self.readers.get(value, 0) & ~done or value in self.leaving or (value in self.read_at_end and not at_end)
        ]
        if state.serial and self.overwrites_source(state, kept):
            return None
        cost = state.cost + 1 + sum(value.cost for value in kept)
        pack = Pack(state.placed, state.serial, ending, self.piece)
        return _State(cost, done, 0, closed=(*state.closed, pack))

    def overwrites_source(self, state: _State, kept: list[Value]) -> bool:
        """Whether a block writes a variable that it reads. A serial one may not: lanes held back run it again."""
        read = {
            self.variable.get(v, v) for p in state.placed if p.op is not None for v in p.op.reads() if v not in state.inside
        }
        return any(self.variable.get(value, value) in read for value in kept)


def _bits(mask: int) -> Iterable[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


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
