"""Loads that the launch lets us move: of memory that nothing writes, and of those that a branch only guards.

The arrays of a launch are different memory, whatever the kernel's pointers could point to in another program. So a load from an
array that no store and no atomic of the kernel reaches is a function of its address.
"""

from __future__ import annotations

from dataclasses import replace

from toolchain.addresses import pointees
from toolchain.fold import is_pure
from toolchain.ir import PREDICATE, Block, Graph, Node, remove_edge, substitute
from toolchain.layout import MemoryObject

MAX_GUARDED = 4
"""Most nodes of a way that is computed on both ways for the sake of its load."""
IDEMPOTENT = {"add": 0, "or": 0, "xor": 0, "max.u": 0, "min.u": 0xFFFFFFFF, "and": 0xFFFFFFFF}
"""Atomics that change nothing with this operand."""


def mark_constant_loads(graph: Graph) -> None:
    """Mark the loads of what nothing in the kernel writes."""
    written: set[MemoryObject] = set()
    for node in graph.nodes():
        if node.op in ("store", "atom"):
            found = pointees(node.args[0])
            if not found:
                return
            written |= found
    for node in graph.nodes():
        if node.op == "load" and not node.attr.waits:
            found = pointees(node.args[0])
            if found and found.isdisjoint(written):
                node.attr = replace(node.attr, constant=True)


def read_instead(graph: Graph) -> None:
    """Atomics that change nothing are loads that see what other threads wrote."""
    mapping: dict[Node, Node] = {}
    for block in graph.blocks:
        for number, node in enumerate(block.nodes):
            if node.op != "atom" or node.attr.guarded or node.attr.joined or node.attr.bytes != 4 or len(node.args) != 2:
                continue
            operand = node.args[1]
            if operand.is_const and IDEMPOTENT.get(node.attr.operation) == operand.attr:
                load = Node("load", [node.args[0]], node.width, replace(node.attr, operation="", waits=True), node.line)
                block.nodes[number] = mapping[node] = load
    substitute(graph, mapping)


def guard_loads(graph: Graph) -> None:
    """`condition ? array[i] : 0` without a branch: a load whose guard does not hold gives 0."""
    for block in list(graph.blocks):
        if block in graph.blocks and block.kind == "branch":
            for way in range(2):
                if _guard(graph, block, way):
                    break


def _guard(graph: Graph, block: Block, way: int) -> bool:
    side, other = block.targets[way], block.targets[1 - way]
    if side is other or side.kind != "jump" or side.targets[0] is not other or side.preds != [block] or side.phis:
        return False
    loads = [node for node in side.nodes if node.op == "load" and not node.attr.waits and not node.attr.guarded]
    if not loads or len(side.nodes) > MAX_GUARDED or any(n not in loads and not is_pure(n) for n in side.nodes):
        return False
    with_side, without = other.preds.index(side), other.preds.index(block)
    for phi in other.phis:
        taken, skipped = phi.args[with_side], phi.args[without]
        if taken is not skipped and not (taken in loads and skipped.is_const and skipped.attr == 0):
            return False
    condition = block.condition
    assert condition is not None
    if way == 1:
        condition = Node("pnot", [condition], PREDICATE, None, block.line)
        block.nodes.append(condition)
    for load in loads:
        load.args = [*load.args, condition]
        load.attr = replace(load.attr, guarded=True, constant=False)
    block.nodes += side.nodes
    for phi in other.phis:
        phi.args[without] = phi.args[with_side]
    remove_edge(side, other)
    block.kind, block.condition, block.targets = "jump", None, [other]
    graph.blocks.remove(side)
    return True
