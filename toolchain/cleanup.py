"""Passes that shrink a graph: dead nodes, repeated nodes, chains of blocks, nodes that are needed on one path only."""

from __future__ import annotations

from toolchain.fold import is_pure
from toolchain.ir import (
    EFFECTS,
    WORD,
    Block,
    Graph,
    Node,
    const,
    dominates,
    dominators,
    loop_depth,
    reverse_postorder,
    substitute,
    users,
)


def remove_dead(graph: Graph) -> None:
    """Drop nodes whose result nobody needs. A load that nobody needs goes too, as compilers do."""
    needed: set[Node] = set()
    stack: list[Node] = []
    for block in graph.blocks:
        if block.condition is not None:
            stack.append(block.condition)
        stack += [n for n in block.nodes if n.op in EFFECTS and not (n.op == "load" and not n.attr.waits)]
    while stack:
        node = stack.pop()
        if node not in needed:
            needed.add(node)
            stack.extend(node.args)
    for block in graph.blocks:
        block.nodes = [node for node in block.nodes if node in needed]


def merge_repeated(graph: Graph) -> None:
    """One node for all equal pure nodes of which one dominates the others (dominator-tree value numbering)."""
    above = dominators(graph)
    known: dict[tuple[object, ...], list[tuple[Block, Node]]] = {}
    mapping: dict[Node, Node] = {}
    for block in reverse_postorder(graph.blocks[0]):
        for node in block.nodes:
            if not is_pure(node):
                continue
            node.args = [_final(mapping, arg) for arg in node.args]
            key = (node.op, node.width, node.attr, *map(_name, node.args))
            same = next((other for place, other in known.get(key, []) if dominates(above, place, block)), None)
            if same is None:
                known.setdefault(key, []).append((block, node))
            else:
                mapping[node] = same
    substitute(graph, mapping)


def _final(mapping: dict[Node, Node], node: Node) -> Node:
    while node in mapping:
        node = mapping[node]
    return node


def _name(node: Node) -> object:
    """Equal for equal values: leaves by content, the rest by identity."""
    if node.op in ("const", "tid", "cta"):
        return node.op, node.width, node.attr
    if node.op == "addr":
        return node.op, node.attr[0].tag, node.attr[1]
    return node


def merge_blocks(graph: Graph) -> None:
    """Join a block with its only successor when that has no other predecessor, and bypass blocks that only jump."""
    changed = True
    while changed:
        changed = False
        for block in list(graph.blocks):
            if block not in graph.blocks or block.kind != "jump":
                continue
            target = block.targets[0]
            if len(target.preds) == 1 and target is not graph.blocks[0] and target is not block:
                _absorb(graph, block, target)
                changed = True
            elif not block.nodes and block is not graph.blocks[0] and target is not block and _can_bypass(block, target):
                _bypass(graph, block, target)
                changed = True


def _absorb(graph: Graph, block: Block, target: Block) -> None:
    substitute(graph, {phi: phi.args[0] for phi in target.phis})
    block.nodes += target.nodes
    block.kind, block.condition, block.targets, block.line = target.kind, target.condition, target.targets, target.line
    for successor in target.targets:
        successor.preds = [block if pred is target else pred for pred in successor.preds]
    graph.blocks.remove(target)


def _can_bypass(block: Block, target: Block) -> bool:
    """Not when a predecessor would reach `target` twice with different values, and not for a loop's entry or latch."""
    return not any(pred in target.preds and target.phis for pred in block.preds) and len(set(block.preds)) == len(block.preds)


def _bypass(graph: Graph, block: Block, target: Block) -> None:
    index = target.preds.index(block)
    values = [phi.args[index] for phi in target.phis]
    del target.preds[index]
    for phi in target.phis:
        del phi.args[index]
    for pred in block.preds:
        pred.targets = [target if t is block else t for t in pred.targets]
        target.preds.append(pred)
        for phi, value in zip(target.phis, values, strict=True):
            phi.args.append(value)
    graph.blocks.remove(block)


def sink(graph: Graph) -> None:
    """Move a pure node to the one block that reads it, unless that block is in a deeper loop."""
    depth = loop_depth(graph)
    above = dominators(graph)
    reads = users(graph)
    for block in reversed(reverse_postorder(graph.blocks[0])):
        for node in reversed(list(block.nodes)):
            if not is_pure(node):
                continue
            places = {place for place, _ in reads.get(node, [])}
            if len(places) != 1:
                continue
            place = places.pop()
            reads_phi = any(reader is not None and reader.op == "phi" for _, reader in reads[node])
            if place is block or reads_phi or depth[place] > depth[block] or not dominates(above, block, place):
                continue
            block.nodes.remove(node)
            place.nodes.insert(len(place.phis), node)
            for arg in node.args:
                reads[arg] = [(place, node) if reader is node else (at, reader) for at, reader in reads[arg]]


def split_conditions(graph: Graph) -> None:
    """Branch on `a and b` as two branches (likewise `or`): cheaper than computing the conjunction as a word."""
    for block in list(graph.blocks):
        current = block
        while current.kind == "branch" and current.condition is not None and current.condition.op in ("pand", "por"):
            if len(users(graph)[current.condition]) > 1 or current.condition not in current.nodes:
                break
            current = _split_condition(graph, current)


def _split_condition(graph: Graph, block: Block) -> Block:
    condition = block.condition
    assert condition is not None
    first, second = condition.args
    taken, other = block.targets
    rest = graph.new_block(block)
    rest.kind, rest.condition, rest.targets, rest.preds, rest.line = "branch", second, [taken, other], [block], block.line
    block.nodes.remove(condition)
    block.condition = first
    early = other if condition.op == "pand" else taken
    block.targets = [rest, other] if condition.op == "pand" else [taken, rest]
    for target in (taken, other):
        index = target.preds.index(block)
        if target is early:  # reached from both blocks now
            target.preds.insert(index + 1, rest)
            for phi in target.phis:
                phi.args.insert(index + 1, phi.args[index])
        else:
            target.preds[index] = rest
    return block if first.op in ("pand", "por") else rest


def contract(graph: Graph) -> None:
    """Two operations as one: a product that only one sum reads, a comparison that is counted.

    The three operands of a `mad` may hold one constant that the instruction has no name for.
    """
    reads = users(graph)
    for node in [node for node in graph.nodes() if node.op in ("add", "sub", "selp")]:
        if node.op == "selp":
            _contract_step(node)
            continue
        for inner, other in (node.args[::-1],) if node.op == "sub" else (node.args, node.args[::-1]):
            if len(reads[inner]) != 1 if inner in reads else True:
                continue
            constants = {arg.attr for arg in (*inner.args, other) if arg.is_const and arg.attr > 1}
            if inner.op == "mul" and node.op == "add" and len(constants) <= 1:
                node.op, node.args = "mad", [*inner.args, other]
                break
            if inner.op == "selp" and [arg.attr for arg in inner.args[:2]] == [1, 0] and inner.args[0].is_const:
                node.op, node.args = COUNTING[node.op], [other, const(0), inner.args[2]]
                break
    remove_dead(graph)


COUNTING = {"add": "addp", "sub": "subp"}
"""What adds or subtracts a predicate."""


def _contract_step(node: Node) -> None:
    """`p ? x + 1 : x` and `p ? x - 1 : x`."""
    changed, kept, p = node.args
    if changed.op == "add" and changed.args[0] is kept and changed.args[1].is_const:
        step = changed.args[1].attr
        if step in (1, (1 << WORD) - 1):
            node.op, node.args = "addp" if step == 1 else "subp", [kept, const(0), p]
