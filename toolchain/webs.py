"""Out of SSA: which values share a variable, and the copies that remain.

A phi and what its predecessors bring share a variable where their lives do not overlap; otherwise a copy is put at the end of
the predecessor. Lives are judged on pieces: the scheduler may still move the readers of an old value before, or into, the block
that makes the new one, since a block reads registers as they were when it began.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import replace

from engine.machine.program import Access, Exit
from toolchain.machine_ir import Code, Ending, Group, Op, Operand, Piece, Value


def copied(code: Code) -> Code:
    """The same code in new pieces and groups, so that one can be changed and the other kept."""
    pieces = {piece: Piece(piece.origin, [], piece.ending, {}, piece.depth, piece.waits, piece.joined) for piece in code.pieces}
    for old, new in pieces.items():
        new.groups = [Group(group.ops, group.serial, group.epoch) for group in old.groups]
        new.ending = replace(old.ending, targets=[pieces[target] for target in old.ending.targets])
        new.phis = {phi: {pieces[pred]: operand for pred, operand in sources.items()} for phi, sources in old.phis.items()}
    return Code(code.kernel, list(pieces.values()), dict(code.cheap), set(code.risky))


def reads_and_makes(piece: Piece, cheap: Container[Value], name: Callable[[Value], Value]) -> tuple[set[Value], set[Value]]:
    """What a piece needs from before it, its phis' operands aside, and what it makes. Cheap values are never kept.

    A value from before may be read behind the group that makes the next value of the same variable: the order of groups says
    nothing about variables until the scheduler has seen them.
    """
    made: set[Value] = set()
    read: set[Value] = set()
    for group in piece.groups:
        read.update(v for v in group.reads() if v not in cheap and v not in made)
        made.update(group.results())
    read.update(v for v in piece.reads_at_end() if v not in cheap and v not in made)
    return set(map(name, read)), set(map(name, made))


def liveness(code: Code, variable: dict[Value, Value] | None = None,
             known: dict[Piece, tuple[set[Value], set[Value]]] | None = None) -> dict[Piece, set[Value]]:  # fmt: skip
    """What is read behind each piece, as values or as variables. `known`: what each piece reads and makes, if it is known."""

    def name(value: Value) -> Value:
        return value if variable is None else variable.get(value, value)

    local = {piece: reads_and_makes(piece, code.cheap, name) for piece in code.pieces} if known is None else known
    reads, makes = ({piece: local[piece][part] for piece in code.pieces} for part in range(2))
    out: dict[Piece, set[Value]] = {piece: set() for piece in code.pieces}
    phis = {piece: {name(phi) for phi in piece.phis} for piece in code.pieces}
    changed = True
    while changed:
        changed = False
        for piece in reversed(code.pieces):
            live: set[Value] = set()
            for target in piece.ending.targets:
                live |= (reads[target] | (out[target] - makes[target])) - phis[target]
                for sources in target.phis.values():
                    operand = sources[piece]
                    if isinstance(operand, Value) and operand not in code.cheap:
                        live.add(name(operand))
            if live != out[piece]:
                out[piece] = live
                changed = True
    return out


def live_into(code: Code, piece: Piece, target: Piece, out: set[Value]) -> set[Value]:
    """The values that a piece must leave for one of its targets, behind which `out` are read."""
    live = out | {v for v in target.reads_at_end() if v not in code.cheap}
    for group in reversed(target.groups):
        live.difference_update(group.results())
        live.update(v for v in group.reads() if v not in code.cheap)
    live.difference_update(target.phis)
    brought = (sources[piece] for sources in target.phis.values())
    return live | {v for v in brought if isinstance(v, Value) and v not in code.cheap}


def leave_ssa(code: Code, separate: set[Value]) -> dict[Value, Value]:
    """Remove all phis; returns the variable of every value that shares one.

    Values in `separate` are copied in any case, through a value of its own, so that nothing depends on the order of operations.
    """
    return _Webs(code, separate).run()


class _Webs:
    """The classes of values that share a variable, and where each value is made."""

    def __init__(self, code: Code, separate: set[Value]) -> None:
        self.code, self.separate = code, separate
        self.members: dict[Value, set[Value]] = {}
        self.variable: dict[Value, Value] = {}
        self.made: dict[Value, tuple[Piece, int]] = {}
        self.local: dict[Piece, tuple[set[Value], set[Value]]] = {}
        self.last_copies: set[Value] = set()
        self.copies: dict[Value, Piece] = {}

    def run(self) -> dict[Value, Value]:
        self.locate(self.code.pieces)
        for piece in list(self.code.pieces):
            for phi in list(piece.phis):
                for pred in sorted(piece.phis[phi], key=lambda pred: not self.is_kept(piece.phis[phi][pred])):
                    self.join(piece, phi, pred)
        for piece in self.code.pieces:
            piece.phis.clear()
        return self.variable

    def locate(self, changed: list[Piece]) -> None:
        """Bring up to date what is known of some pieces, and what lives behind every one."""
        for piece in changed:
            self.made.update({phi: (piece, -1) for phi in piece.phis})
            for index, group in enumerate(piece.groups):
                self.made.update({value: (piece, index) for value in group.results()})
            self.local[piece] = reads_and_makes(piece, self.code.cheap, lambda value: value)
        self.out = liveness(self.code, known=self.local)

    def class_of(self, value: Value) -> set[Value]:
        return self.members.get(self.variable.get(value, value), {value})

    def merge(self, a: Value, b: Value) -> None:
        union = self.class_of(a) | self.class_of(b)
        representative = self.variable.get(a, a)
        self.members[representative] = union
        for value in union:
            self.variable[value] = representative

    def is_kept(self, operand: Operand) -> bool:
        """Whether an operand is a value in a register, not a constant or something that is computed again."""
        return isinstance(operand, Value) and operand not in self.code.cheap

    def join(self, piece: Piece, phi: Value, pred: Piece) -> None:
        operand = piece.phis[phi][pred]
        if isinstance(operand, Value) and self.is_kept(operand):
            if self.variable.get(operand, operand) is self.variable.get(phi, phi):
                return
            if operand not in self.separate and not self.overlap(self.class_of(phi), self.class_of(operand)):
                self.merge(phi, operand)
                return
        known = self.copied_before(pred, piece, operand, self.class_of(phi))
        if known is not None:
            piece.phis[phi][pred] = known
            self.locate([])
            return
        place = self.place_for_copy(piece, phi, pred)
        copy = Value(phi.cost, ":copy")
        if operand in self.separate or phi in self.separate:
            between = Value(phi.cost, ":between")
            place.groups.insert(self.first_copy(place), self.group_at_end(place, self.copy_of(operand, between)))
            operand = between
            self.last_copies.add(copy)
            self.copies[between] = piece
        made = self.taken_along(operand, pred, place) if place is not pred else None
        op = self.copy_of(operand, copy) if made is None else replace(made, result=copy)
        place.groups.insert(self.place_of_copy(place, phi), self.group_at_end(place, op))
        piece.phis[phi][place] = copy
        self.copies[copy] = piece
        self.locate([place] if made is None else [place, pred])
        if any(self.needed_in(value, piece) for value in self.class_of(phi) - {phi}):
            raise AssertionError("a value of a phi's variable is needed where the phi is made")
        self.merge(phi, copy)

    def taken_along(self, operand: Operand, pred: Piece, edge: Piece) -> Op | None:
        """The operation that makes what a copy on an edge copies, taken out of the piece in front of the edge.

        Nobody else may read it, and what it reads must be kept on the other way anyhow.
        """
        if not isinstance(operand, Value) or self.made.get(operand, (None, 0))[0] is not pred:
            return None
        group = next((group for group in pred.groups if operand in group.results()), None)
        if group is None:  # a phi of that piece
            return None
        op = group.ops[0]
        if len(group.ops) > 1 or op.access is not Access.NONE or op.condition is not None or op.mnemonic.startswith("mulhi"):
            return None
        ways = [target for target in pred.ending.targets if target is not edge]
        kept = {value for target in ways for value in live_into(self.code, pred, target, self.out[target])}
        if any(v not in self.code.cheap and v not in kept for v in op.reads()):
            return None
        if operand in self.variable or sum(self.readings(operand)) != 1:
            return None
        pred.groups.remove(group)
        del self.made[operand]
        return op

    def readings(self, value: Value) -> Iterator[int]:
        """How often each piece reads a value, its phis' operands included."""
        for piece in self.code.pieces:
            yield sum(value in group.reads() for group in piece.groups) + (value in piece.reads_at_end())
            yield sum(operand is value for sources in piece.phis.values() for operand in sources.values())

    def group_at_end(self, piece: Piece, op: Op) -> Group:
        return Group((op,), epoch=max((group.epoch for group in piece.groups), default=0))

    def first_copy(self, piece: Piece) -> int:
        """Where the copies of separated values begin in a piece: behind everything else."""
        return next((n for n, group in enumerate(piece.groups) if group.ops[0].result in self.last_copies), len(piece.groups))

    def place_of_copy(self, piece: Piece, phi: Value) -> int:
        """The end of a piece, but before the copies whose variable the ending still reads."""
        ends = piece.reads_at_end()
        if self.class_of(phi) & ends:
            return len(piece.groups)
        late = {
            value
            for value in self.last_copies
            for old in ends
            if self.variable.get(value, value) is self.variable.get(old, old)
        }
        return next((n for n, group in enumerate(piece.groups) if group.ops[0].result in late), len(piece.groups))

    def copied_before(self, pred: Piece, piece: Piece, operand: Operand, members: set[Value]) -> Value | None:
        """A copy of the same operand for the same piece that is in the phi's variable already."""
        for group in pred.groups:
            op = group.ops[0]
            if op.result is None or self.copies.get(op.result, piece) is not piece:
                continue
            if op.result in members and op.mnemonic == "mov" and op.access is Access.NONE and op.operands == (operand,):
                return op.result
        return None

    def copy_of(self, operand: Operand, result: Value) -> Op:
        if isinstance(operand, Value) and operand in self.code.cheap:
            return replace(self.code.cheap[operand], result=result)
        return Op("mov", (operand,), result)

    def place_for_copy(self, piece: Piece, phi: Value, pred: Piece) -> Piece:
        """The predecessor, or a new piece on the edge when the variable's old value is read on the predecessor's other way."""
        old = self.class_of(phi)
        others = [target for target in pred.ending.targets if target is not piece]
        leaves_loop = pred.depth > piece.depth
        if not others or (
            not leaves_loop and not any(self.live_into(value, target, pred) for value in old for target in others)
        ):
            return pred
        depth, waits = min(pred.depth, piece.depth), pred.waits and piece.waits
        copies = [group for group in pred.groups if self.copies.get(group.ops[0].result) is piece]  # type: ignore[arg-type]
        pred.groups = [group for group in pred.groups if group not in copies]  # all copies of an edge happen at once
        edge = Piece(pred.origin, copies, Ending(Exit.JUMP, [piece]), depth=depth, waits=waits)
        self.code.pieces.insert(self.code.pieces.index(pred) + 1, edge)
        pred.ending.targets = [edge if target is piece else target for target in pred.ending.targets]
        for sources in piece.phis.values():
            sources[edge] = sources.pop(pred)
        self.locate([pred, edge])
        return edge

    def live_into(self, value: Value, target: Piece, pred: Piece) -> bool:
        return value not in target.phis and (
            any(sources.get(pred) is value for sources in target.phis.values()) or self.needed_in(value, target)
        )

    def needed_in(self, value: Value, target: Piece) -> bool:
        """Whether a value from before a piece is read in it or behind it, its phis aside."""
        if value in target.phis:
            return False
        for group in target.groups:
            if value in group.reads():
                return True
            if value in group.results():
                return False
        return value in target.reads_at_end() or value in self.out[target]

    def overlap(self, left: set[Value], right: set[Value]) -> bool:
        return any(self.alive_at_birth(x, y) or self.alive_at_birth(y, x) for x in left for y in right if x is not y)

    def alive_at_birth(self, old: Value, new: Value) -> bool:
        """Whether `old` is needed when `new` is made, and no order of operations avoids it."""
        if old not in self.made or new not in self.made:
            return False
        piece, index = self.made[new]
        old_piece, old_index = self.made[old]
        if old_piece is piece and old_index > index:
            return False  # made later
        if old_piece is piece and old_index == index:
            return True  # both at once
        if old in self.out[piece]:
            return True
        if index < 0:
            return old in piece.reads_at_end() or any(old in group.reads() for group in piece.groups)
        after = self.dependent(piece, index)
        return any(old in group.reads() for number, group in enumerate(piece.groups) if number in after)

    def dependent(self, piece: Piece, index: int) -> set[int]:
        """The groups of a piece that need, directly or not, what one of them makes; without that one."""
        found: set[int] = set()
        made = set(piece.groups[index].results())
        for number in range(index + 1, len(piece.groups)):
            if not made.isdisjoint(piece.groups[number].reads()):
                found.add(number)
                made |= set(piece.groups[number].results())
        return found
