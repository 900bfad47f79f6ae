"""Fewer blocks at the borders of pieces: a block costs a token however little it does.

`share_endings`: a piece that jumps to a piece without operations ends as that one does. `cross_barriers`: operations go to the
side of a barrier where they belong to what they read or to who reads them. `hoist`: operations behind a branch
move in front of it, into stages that are free there, where the schedule gets cheaper: pure ones as they are (their results are
read on that way only), accesses under a guard. A way that has no operations left and joins the other one is no branch any more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from engine.machine.program import Access, Exit
from toolchain.machine_ir import Code, Compare, Ending, Group, Piece, Value
from toolchain.schedule import ESTIMATE_BEAM, Infeasible, schedule
from toolchain.webs import live_into, liveness

INVERSE = {"setp.eq": ("setp.ne", False), "setp.ne": ("setp.eq", False), "setp.lt.s": ("setp.le.s", True),
           "setp.lt.u": ("setp.le.u", True), "setp.le.s": ("setp.lt.s", True), "setp.le.u": ("setp.lt.u", True)}  # fmt: skip
MAX_HOISTED = 4
SEARCH_WINDOW = 4
LOOKED_AT = 16
"""Groups at the end of the piece in front of a branch that an estimate schedules: those before them stay as they are."""
LOOP_CHANCE = 0.5
"""How often a way inside a loop is taken, for the estimate; a way outside is mostly the guard that a kernel begins with."""


def share_endings(code: Code) -> None:
    """Let jumps and branches to pieces without operations go where those go, or end as they do."""
    changed = True
    while changed:
        changed = any([_share_ending(code, piece) for piece in code.pieces])
    _drop_unreachable(code)


def _share_ending(code: Code, piece: Piece) -> bool:
    ending = piece.ending
    for number, target in enumerate(ending.targets):
        if target.groups or target.phis or target is piece:
            continue
        if ending.exit is Exit.JUMP and not (target.ending.exit is Exit.BRANCH and piece in target.ending.targets):
            _copy_sources(target, piece, target.ending.targets)
            piece.ending = replace(target.ending, targets=list(target.ending.targets))
            return True
        beyond = target.ending.targets[0] if target.ending.exit is Exit.JUMP else None
        if ending.exit is Exit.BRANCH and beyond is not None and beyond is not target and not _would_meet(piece, beyond):
            _copy_sources(target, piece, [beyond])
            ending.targets[number] = beyond
            return True
    return False


def _would_meet(piece: Piece, beyond: Piece) -> bool:
    """Whether a piece would reach phis twice."""
    return beyond in piece.ending.targets and bool(beyond.phis)


def _copy_sources(via: Piece, piece: Piece, targets: list[Piece]) -> None:
    for target in targets:
        for sources in target.phis.values():
            sources[piece] = sources[via]


def _drop_unreachable(code: Code) -> None:
    seen = {code.pieces[0]}
    stack = [code.pieces[0]]
    while stack:
        for target in stack.pop().ending.targets:
            if target not in seen:
                seen.add(target)
                stack.append(target)
    code.pieces = [piece for piece in code.pieces if piece in seen]
    for piece in code.pieces:
        before = code.predecessors()[piece] if piece.phis else []
        for sources in piece.phis.values():
            for pred in [p for p in sources if p not in before]:
                del sources[pred]


def cross_barriers(code: Code) -> None:
    """Move operations to the side of a barrier where fewer values are kept across it."""
    before, out = code.predecessors(), liveness(code)
    for piece in code.pieces:
        if piece.ending.exit not in (Exit.CTA_BARRIER, Exit.WARP_BARRIER):
            continue
        after = piece.ending.targets[0]
        if before[after] == [piece] and not after.phis:
            _delay(code, piece, after, live_into(code, piece, after, out[after]))
            _advance(code, piece, after)


def _delay(code: Code, piece: Piece, after: Piece, kept: set[Value]) -> None:
    """To behind the barrier: what is read there only, and reads what is kept anyway."""
    readers = _readers(code)
    for group in reversed(list(piece.groups)):
        if not _is_plain(group) or any(v not in code.cheap and v not in kept - set(group.results()) for v in group.reads()):
            continue
        if all(readers.get(value) and set(readers[value]) == {after} for value in group.results()):
            piece.groups.remove(group)
            after.groups.insert(0, replace_epoch(group, 0))
            for value in group.reads():
                readers[value] = [*readers[value], after]
                readers[value].remove(piece)


def _advance(code: Code, piece: Piece, after: Piece) -> None:
    """To in front of the barrier: what is the only reader of values made there."""
    for group in list(after.groups):
        if not _is_plain(group):
            continue
        readers = _readers(code)
        made = {value for other in piece.groups for value in other.results()}
        late = {value for other in after.groups for value in other.results()}
        used_up = [v for v in group.reads() if v in made and v not in code.cheap and len(readers[v]) == 1]
        gain = sum(value.cost for value in used_up) - sum(value.cost for value in group.results())
        if used_up and gain >= 0 and late.isdisjoint(group.reads()):
            after.groups.remove(group)
            piece.groups.append(replace_epoch(group, max((other.epoch for other in piece.groups), default=0)))


def _is_plain(group: Group) -> bool:
    """Operations without access: they may be computed anywhere."""
    return all(op.access is Access.NONE for op in group.ops)


def _readers(code: Code) -> dict[Value, list[Piece]]:
    """The pieces that read each value, once for every group, ending or phi that does; a phi reads behind its predecessor."""
    found: dict[Value, list[Piece]] = {}
    for piece in code.pieces:
        for group in piece.groups:
            for value in group.reads():
                found.setdefault(value, []).append(piece)
        for value in piece.reads_at_end():
            found.setdefault(value, []).append(piece)
        for sources in piece.phis.values():
            for pred, operand in sources.items():
                if isinstance(operand, Value):
                    found.setdefault(operand, []).append(pred)
    return found


@dataclass
class _Estimates:
    """The scheduler's estimates while operations move: what is read behind each piece, and what is known already."""

    code: Code
    stages: int
    out: dict[Piece, set[Value]] = field(default_factory=dict)
    known: dict[tuple[object, ...], tuple[float, int] | None] = field(default_factory=dict)

    def forget(self) -> None:
        """The code has changed."""
        self.out = liveness(self.code)

    def of(self, piece: Piece, side: Piece) -> tuple[float, int] | None:
        """Tokens of a piece and of a way behind it, and the piece's blocks; None when there is no schedule."""
        live = {value for target in piece.ending.targets for value in live_into(self.code, piece, target, self.out[target])}
        first = self.schedule(piece, live, piece.groups[-LOOKED_AT:])
        rest = (0.0, 0) if _is_free(side) else self.schedule(side, self.out[side], side.groups[:LOOKED_AT])
        if first is None or rest is None:
            return None
        return first[0] + rest[0] * (LOOP_CHANCE if piece.depth else 1.0), first[1]

    def schedule(self, piece: Piece, live: set[Value], groups: list[Group]) -> tuple[float, int] | None:
        """Tokens and blocks of some groups with the piece's ending."""
        made = {value for group in groups for value in group.results()}
        key = (piece.ending.condition, *(group.ops for group in groups), frozenset(made & live))
        if key not in self.known:
            shown = Piece(piece.origin, groups, piece.ending)
            try:
                packs, cost = schedule(self.code, shown, live, {}, self.stages, SEARCH_WINDOW, ESTIMATE_BEAM)
                self.known[key] = cost, len(packs)
            except Infeasible:
                self.known[key] = None
        return self.known[key]


def hoist(code: Code, stages: int) -> None:
    """Move operations in front of branches where that saves tokens by the scheduler's own estimate."""
    estimates = _Estimates(code, stages)
    estimates.forget()
    for piece in reversed(list(code.pieces)):
        while piece in code.pieces and piece.ending.exit is Exit.BRANCH and _hoist_into(code, piece, estimates):
            estimates.forget()
    share_endings(code)


def _hoist_into(code: Code, piece: Piece, estimates: _Estimates) -> bool:
    """Hoist from one of the ways of a branch, if it pays."""
    for way in range(2):
        side, other = piece.ending.targets[way], piece.ending.targets[1 - way]
        condition = _holds_on(piece.ending.condition, way)
        if side is other or side.phis or code.predecessors()[side] != [piece] or side.depth != piece.depth:
            continue
        before = estimates.of(piece, side)
        if before is None:
            continue
        written = piece.ending.condition, piece.ending.targets
        piece.ending.condition, piece.ending.targets = (
            condition,
            [side, other],
        )  # so that guards and the branch share a predicate
        trials = [trial for trial in _trials(code, piece, side, condition, estimates) if trial[1] <= before[1]]
        best = min(trials, key=lambda trial: trial[0], default=None)
        if best is not None and best[0] < before[0]:
            _move(code, piece, side, best[2], condition)
            _drop_empty_way(code, piece)
            return True
        piece.ending.condition, piece.ending.targets = written
    return False


def _trials(
    code: Code, piece: Piece, side: Piece, condition: Compare, estimates: _Estimates
) -> Iterator[tuple[float, int, int]]:
    """(estimate, blocks in front of the branch, number of groups moved) of the moves that are allowed."""
    kept, rest, ending = piece.groups, side.groups, piece.ending
    merged = {
        operand
        for target in side.ending.targets
        for sources in target.phis.values()
        if isinstance(operand := sources[side], Value)
    }
    for count in range(1, min(MAX_HOISTED, len(rest)) + 1):
        if _guarded(code, rest[count - 1], condition) is None or merged & set(rest[count - 1].results()):
            return  # what a phi takes would need a copy behind the branch
        _move(code, piece, side, count, condition)
        joins = not side.groups and side.ending.exit is Exit.JUMP and side.ending.targets[0] in ending.targets
        estimate = estimates.of(piece, side)
        piece.groups, side.groups = kept, rest
        if estimate is not None:
            cost, blocks = estimate
            yield (cost - 1, 0, count) if joins else (cost, blocks, count)


def _move(code: Code, piece: Piece, side: Piece, count: int, condition: Compare) -> None:
    """Move the first groups of a way to the end of the piece in front of the branch."""
    epoch = max((group.epoch for group in piece.groups), default=0)
    moved = [replace_epoch(_guarded(code, group, condition), epoch + group.epoch) for group in side.groups[:count]]
    piece.groups, side.groups = [*piece.groups, *moved], side.groups[count:]


def replace_epoch(group: Group | None, epoch: int) -> Group:
    """The group behind so many fences."""
    assert group is not None
    return Group(group.ops, group.serial, epoch)


def _guarded(code: Code, group: Group, condition: Compare) -> Group | None:
    """A group with its accesses guarded by a condition; None when it has conditions, waits or loads what is risky."""
    if (
        not code.risky.isdisjoint(group.reads())
        or group.serial
        or any(op.condition is not None or op.waits for op in group.ops)
    ):
        return None
    return Group(
        tuple(op if op.access is Access.NONE else replace(op, condition=condition, guarded=True) for op in group.ops),
        False,
        group.epoch,
    )


def _holds_on(condition: Compare | None, way: int) -> Compare:
    """The comparison that holds on a way of the branch: itself on the first, its opposite on the second."""
    assert condition is not None
    if way == 0:
        return condition
    mnemonic, swapped = INVERSE[condition.mnemonic]
    a, b = (condition.b, condition.a) if swapped else (condition.a, condition.b)
    return Compare(mnemonic, a, b)


def _is_free(piece: Piece) -> bool:
    """A piece without operations whose ending others take over."""
    return not piece.groups and piece.ending.exit is not Exit.BRANCH


def _drop_empty_way(code: Code, piece: Piece) -> None:
    """Where nothing is left of a way, both ways may be the same now."""
    share_endings(code)
    first, second = piece.ending.targets if piece.ending.exit is Exit.BRANCH else (piece, piece)
    same = first is second or _end_alike(first, second)
    if piece.ending.exit is Exit.BRANCH and same and not first.phis:
        piece.ending = Ending(Exit.JUMP, [first], line=piece.ending.line)
        share_endings(code)


def _end_alike(first: Piece, second: Piece) -> bool:
    """Two pieces without operations that exit."""
    return all(not p.groups and p.ending.exit is Exit.EXIT for p in (first, second))
