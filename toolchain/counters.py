"""What a loop's counters can be: from where they start, how they step, and the test that lets the loop go on.

A phi of a loop's header that one latch changes is looked at. Facts stay true however the graph is rewritten, since a phi keeps
its meaning as long as it lives.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.machine.instructions import signed
from toolchain.fold import INVERSE
from toolchain.ir import WORD, Block, Graph, Node, dominates, dominators, loops, reverse_postorder
from toolchain.ranges import FULL, Interval, Ranges


def find_counters(graph: Graph, ranges: Ranges) -> None:
    """Tell `ranges` the interval of every counter that can be bounded, outer loops first."""
    nests = loops(graph)
    above = dominators(graph)
    for header in reverse_postorder(graph.blocks[0]):
        body = nests.get(header)
        if body is None or sum(pred in body for pred in header.preds) != 1:
            continue
        latch = next(pred for pred in header.preds if pred in body)
        tests = list(_tests(body, latch, above))
        for phi in header.phis:
            if phi.width == WORD and phi not in ranges.counters:
                found = _bounded(phi, header.preds.index(latch), tests, ranges)
                if found is not None:
                    ranges.counters[phi] = found
        ranges.forget()


def _tests(body: set[Block], latch: Block, above: dict[Block, Block]) -> Iterator[tuple[str, Node, Node]]:
    """(mnemonic, a, b) of the comparisons that hold whenever the loop goes on."""
    for block in body:
        if block.kind != "branch" or not dominates(above, block, latch):
            continue
        staying = [target in body for target in block.targets]
        condition = block.condition
        if staying[0] == staying[1] or condition is None or condition.op not in INVERSE:
            continue
        if staying[0]:
            yield condition.op, condition.args[0], condition.args[1]
        else:
            opposite, swapped = INVERSE[condition.op]
            a, b = condition.args[::-1] if swapped else condition.args
            yield opposite, a, b


def _bounded(phi: Node, back: int, tests: list[tuple[str, Node, Node]], ranges: Ranges) -> Interval | None:
    """The interval of a counter, None when no test bounds it."""
    following = phi.args[back]
    starts = [ranges.of(arg) for number, arg in enumerate(phi.args) if number != back]
    low, high = min(start[0] for start in starts), max(start[1] for start in starts)
    if following.op in ("shr", "sar") and following.args[0] is phi and low >= 0:
        return 0, high
    if following.op != "add" or following.args[0] is not phi or not following.args[1].is_const:
        return None
    step = signed(following.args[1].attr)
    if step == 0:
        return None
    for test in tests:
        end = _end(test, phi, following, step, (low, high), ranges)
        if end is None:
            continue
        found = (low, max(high, end)) if step > 0 else (min(low, end), high)
        if FULL[0] <= found[0] + min(step, 0) and found[1] + max(step, 0) <= FULL[1]:
            return found
    return None


def _end(test: tuple[str, Node, Node], phi: Node, following: Node, step: int, start: Interval, ranges: Ranges) -> int | None:
    """The last value in the direction of the step that a counter has, None when the test does not say."""
    op, a, b = test
    if op == "setp.ne":
        if b in (phi, following):
            a, b = b, a
        if a not in (phi, following) or not b.is_const or start[0] != start[1]:
            return None
        last = signed(b.attr) - (step if a is following else 0)
        steps, rest = divmod(last - start[0], step)
        return last if rest == 0 and steps >= 0 else None
    if op == "setp.eq":
        return None
    counter, limit = (a, b) if step > 0 else (b, a)
    if counter not in (phi, following):
        return None
    low, high = ranges.of(limit)
    if op.endswith(".u") and low < 0:
        return None
    if op.endswith(".u") and step < 0:
        return None
    strict = 1 if ".lt" in op else 0
    last = high - strict if step > 0 else low + strict
    return last + (step if counter is phi else 0)
