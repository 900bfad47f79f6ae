"""Registers for variables: colouring the interference graph of the machine blocks, spilling what does not fit.

A block reads all registers before it writes any, so a variable that is read last in a block may share its register with one
that the block makes (except in a serial block, which may run again). A spilled variable lives in a word of memory per thread;
every
group that reads it loads it first.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.machine.program import Access
from toolchain.machine_ir import THREAD, Code, Group, Op, Piece, Value, compare_reads
from toolchain.schedule import Pack


class TooManyValues(Exception):
    """More values are needed at once than there are registers, and nothing may be spilled; `needed`: how many."""

    def __init__(self, needed: int) -> None:
        super().__init__(needed)
        self.needed = needed


@dataclass(eq=False, slots=True)
class Traffic:
    """What a pack does to variables: those it reads from registers, those it makes that somebody reads later.

    Lists where an order is taken from them, so that a launch always gives the same program.
    """

    reads: list[Value]
    writes: list[Value]
    serial: bool
    after: set[Value]


def traffic_of(packs: list[Pack], following: dict[Pack, list[Pack]], cheap: dict[Value, Op],
               variable: dict[Value, Value]) -> dict[Pack, Traffic]:  # fmt: skip
    """Reads, writes and what is live behind every pack."""
    found: dict[Pack, Traffic] = {}
    for pack in packs:
        made: set[Value] = set()
        reads: dict[Value, None] = {}
        for placed in pack.placed:
            wanted = placed.op.reads() if placed.op else compare_reads(placed.compare) if placed.compare else ()
            reads |= dict.fromkeys(variable.get(v, v) for v in wanted if v not in made and v not in cheap)
            if placed.op is not None and placed.op.result is not None:
                made.add(placed.op.result)
        writes = dict.fromkeys(variable.get(v, v) for v in pack.results() if v not in cheap)
        found[pack] = Traffic(list(reads), list(writes), pack.serial, set())
    changed = True
    while changed:
        changed = False
        for pack in reversed(packs):
            after: set[Value] = set()
            for target in following[pack]:
                after |= found[target].after.difference(found[target].writes)
                after.update(found[target].reads)
            if after != found[pack].after:
                found[pack].after = after
                changed = True
    for traffic in found.values():
        traffic.writes = [name for name in traffic.writes if name in traffic.after]
    return found


def interference(traffic: dict[Pack, Traffic]) -> dict[Value, set[Value]]:
    """Which variables may not share a register."""
    graph: dict[Value, set[Value]] = {}
    for entry in traffic.values():
        for name in (*entry.reads, *entry.writes):
            graph.setdefault(name, set())
    for entry in traffic.values():
        for name in entry.writes:
            others = entry.after.union(entry.writes, entry.reads if entry.serial else ()) - {name}
            graph[name] |= others
            for other in others:
                graph[other].add(name)
    return graph


def colour(graph: dict[Value, set[Value]], registers: int, weight: dict[Value, float]) -> tuple[dict[Value, int], list[Value]]:
    """(register of each variable, variables to spill), by simplification (Chaitin, Briggs).

    Raises TooManyValues when a variable gets no register and no neighbour may be spilled for it.
    """
    found: dict[Value, int] = {}
    victims: dict[Value, None] = {}
    position = {name: number for number, name in enumerate(graph)}
    for name in reversed(_simplified(graph, registers, weight)):
        taken = {found[other] for other in graph[name] if other in found}
        free = next((number for number in range(registers) if number not in taken), None)
        if free is not None:
            found[name] = free
            continue
        rivals = [n for n in (name, *graph[name]) if (n is name or n in found) and weight.get(n, 0.0) < float("inf")]
        if not rivals:
            raise TooManyValues(1 + len(taken))
        victim = min(rivals, key=lambda n: (weight.get(n, 0.0) / max(1, len(graph[n])), position[n]))
        victims[victim] = None
        found.pop(victim, None)
        taken = {found[other] for other in graph[name] if other in found}
        free = next((number for number in range(registers) if number not in taken), None)
        if victim is not name and free is not None:
            found[name] = free
    return found, list(victims)


def _simplified(graph: dict[Value, set[Value]], registers: int, weight: dict[Value, float]) -> list[Value]:
    """The variables, those with few neighbours left first."""
    degree = {name: len(others) for name, others in graph.items()}
    left = dict.fromkeys(graph)
    stack: list[Value] = []
    while left:
        name = next((n for n in left if degree[n] < registers), None)
        if name is None:
            name = min(left, key=lambda n: weight.get(n, 0.0) / max(1, degree[n]))
        del left[name]
        stack.append(name)
        for other in graph[name]:
            degree[other] -= 1
    return stack


def weights(traffic: dict[Pack, Traffic], short: set[Value]) -> dict[Value, float]:
    """What spilling a variable costs: its reads and writes, weighted by loops. Variables made by spilling stay."""
    found: dict[Value, float] = {}
    for pack, entry in traffic.items():
        factor = 10.0 ** (pack.piece.depth if pack.piece else 0)
        for name in (*entry.reads, *entry.writes):
            found[name] = found.get(name, 0.0) + factor
    return {name: float("inf") if name in short else value for name, value in found.items()}


def spill(code: Code, members: set[Value], place: int, tag: int) -> tuple[set[Value], set[Piece]]:
    """Keep some values in the word `place` + thread id.

    Returns the short-lived values that take their place, and the pieces that changed.
    """
    short: set[Value] = set()
    changed = [piece for piece in code.pieces if _mentions(piece, members)]
    for piece in changed:
        _spill_in(piece, members, place, tag, short)
    return short, set(changed)


def _mentions(piece: Piece, members: set[Value]) -> bool:
    return any(not members.isdisjoint((*group.reads(), *group.results())) for group in piece.groups) or bool(
        members & piece.reads_at_end()
    )


def _spill_in(piece: Piece, members: set[Value], place: int, tag: int, short: set[Value]) -> None:
    """Load the values in front of every group that reads them: inside one machine block a load costs no token.

    A value of the variable that is read behind the group that makes the next one is loaded before that, or kept.
    """
    groups: list[Group] = []
    made: dict[Value, Value] = {}
    first_made = 0

    def reload(wanted: Iterable[Value]) -> dict[Value, Value]:
        found = {}
        for value in (value for value in wanted if value in members):
            latest = next(reversed(made), None)
            if value in made and value is not latest:
                found[value] = made[value]
                continue
            found[value] = Value(value.cost, ":reload")
            at = first_made if latest not in (None, value) else len(groups)
            groups.insert(at, _reload(found[value], place, tag))
        short.update(found.values())
        return found

    for group in piece.groups:
        current = reload(group.reads())
        results = {value: Value(value.cost, ":spilled") for value in group.results() if value in members}
        if results and not made:
            first_made = len(groups)
        ops = tuple(_with_result(op.renamed({**current, **results}), results) for op in group.ops)
        groups.append(Group(ops, group.serial, group.epoch))
        for kept in results.values():
            store = Op("add", (THREAD, place), None, kept, access=Access.STORE, tag=tag)
            groups.append(Group((store,), epoch=group.epoch))
        short.update(results.values())
        made |= results
    condition = piece.ending.condition
    if condition is not None:
        current = reload(dict.fromkeys(compare_reads(condition)))
        a, b = (current.get(o, o) if isinstance(o, Value) else o for o in (condition.a, condition.b))
        piece.ending.condition = replace(condition, a=a, b=b)
    piece.groups = groups


def _with_result(op: Op, results: dict[Value, Value]) -> Op:
    return replace(op, result=results.get(op.result, op.result)) if op.result is not None else op


def _reload(value: Value, place: int, tag: int) -> Group:
    return Group((Op("add", (THREAD, place), value, access=Access.LOAD, tag=tag),))
