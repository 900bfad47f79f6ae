"""Loops whose number of rounds the launch decides, laid out round by round.

In a round of its own a counter is a constant: nobody keeps it in a register, what follows from it is folded, and the shuffles
of neighbouring rounds take turns with their exchange areas. Rounds are peeled off in front of the loop, which is right however
many they are; the loop itself is left as the last round. A round costs program, which is read like every other token, and saves
tokens of each warp that comes through.
"""

from __future__ import annotations

from dataclasses import dataclass

from toolchain.fold import PURE, evaluate, fold
from toolchain.ir import PREDICATE, Block, Graph, Node, const, dominates, dominators, loops, users
from toolchain.ranges import Ranges

MAX_ROUNDS = 64
"""Most rounds that a loop may have."""
NODE_PRICE = 3.0
"""Tokens that a node of one more round costs: about 8 of program, which are read faster than others are generated."""
OUTER_ROUNDS = 4
"""How often a loop around is taken to be run."""
SHUFFLE_GAIN = 8.0
"""Tokens that a shuffle saves outside of a loop: its second barrier, and what the barrier keeps in registers."""


@dataclass(frozen=True, slots=True)
class _Loop:
    """A loop with one way out that is closed by one latch.

    entry, latch: the two predecessors of the header; counters: its phis that are constants in every round
    rounds: how many go before the last one, in which the branch of `test` has the condition `way`
    """

    header: Block
    body: frozenset[Block]
    entry: Block
    latch: Block
    counters: tuple[Node, ...]
    rounds: int
    test: Block
    way: int


def unroll(graph: Graph, ranges: Ranges, warps: int, growth: int) -> None:
    """Lay out loops, inner ones first, while that pays.

    warps: how many hardware warps come through the kernel, in all blocks of the grid; growth: nodes that may be added at most
    """
    limit = sum(len(block.nodes) for block in graph.blocks) + growth
    refused: set[Block] = set()
    found = True
    while found:
        nests = loops(graph)
        found = False
        for header in sorted(nests, key=lambda header: (len(nests[header]), header.number)):
            if header in refused:
                continue
            loop = _counted(graph, header, nests[header])
            if loop is not None and _grown(graph, loop) <= limit and _pays(loop, nests, warps) and _close(graph, loop):
                _lay_out(graph, loop)
                fold(graph, ranges)
                refused -= loop.body
                found = True
                break
            refused.add(header)


def _counted(graph: Graph, header: Block, body: set[Block]) -> _Loop | None:
    """The loop, where constants alone decide how often it is run."""
    leaving = [block for block in body if any(target not in body for target in block.targets)]
    if len(leaving) != 1 or len(header.preds) != 2 or sum(pred in body for pred in header.preds) != 1:
        return None
    latch, entry = sorted(header.preds, key=lambda pred: pred not in body)
    test = leaving[0]
    if test.condition is None or not dominates(dominators(graph), test, latch):
        return None
    back = header.preds.index(latch)
    state = {phi: phi.args[1 - back].attr for phi in header.phis if phi.args[1 - back].is_const}
    for number in range(MAX_ROUNDS):
        way = _computed(test.condition, state, {})
        if way is None:
            return None
        if test.targets[1 - way] not in body:
            return _Loop(header, frozenset(body), entry, latch, tuple(state), number, test, way)
        known: dict[Node, int | None] = {}
        following = {phi: _computed(phi.args[back], state, known) for phi in state}
        state = {phi: value for phi, value in following.items() if value is not None}
    return None


def _computed(node: Node, state: dict[Node, int], known: dict[Node, int | None]) -> int | None:
    """What a node is where some phis have these values, None where that does not decide it."""
    if node.is_const:
        return int(node.attr)
    if node in state:
        return state[node]
    if node.op not in PURE:
        return None
    if node not in known:
        values = [_computed(arg, state, known) for arg in node.args]
        given = [value for value in values if value is not None]
        known[node] = evaluate(node.op, given, node.width) if len(given) == len(values) else None
    return known[node]


def _grown(graph: Graph, loop: _Loop) -> int:
    """The graph's nodes with the loop laid out."""
    return sum(len(block.nodes) for block in graph.blocks) + loop.rounds * sum(len(block.nodes) for block in loop.body)


def _pays(loop: _Loop, nests: dict[Block, set[Block]], warps: int) -> bool:
    """Whether a round saves more than it costs."""
    nodes = [node for block in loop.body for node in block.nodes if node.op != "phi"]
    state = dict.fromkeys(loop.counters, 0)
    constants = sum(_computed(node, state, {}) is not None for node in nodes)
    shuffles = sum(node.op == "shfl" for node in nodes)
    around = sum(loop.header in body for body in nests.values()) - 1
    saved = 1 + len(loop.counters) + constants / 2 + SHUFFLE_GAIN * shuffles
    return warps * OUTER_ROUNDS**around * saved > NODE_PRICE * (len(nodes) - constants)


def _close(graph: Graph, loop: _Loop) -> bool:
    """Let phis behind the loop take what is read there; False where other ways lead to the same place."""
    end = next(target for target in loop.test.targets if target not in loop.body)
    reads = users(graph)
    escaping = [node for block in graph.blocks if block in loop.body for node in block.nodes
                if any(place not in loop.body for place, _ in reads.get(node, []))]  # fmt: skip
    if escaping and end.preds != [loop.test]:
        return False
    for node in escaping:
        phi = Node("phi", [node], node.width, None, node.line)
        for place, reader in reads[node]:
            if place not in loop.body and reader is None:
                place.condition = phi
            elif place not in loop.body and reader is not None:
                reader.args = [phi if arg is node else arg for arg in reader.args]
        end.nodes.insert(0, phi)
    return True


def _lay_out(graph: Graph, loop: _Loop) -> None:
    """Peel the rounds off, and end the loop in its last one."""
    back = loop.header.preds.index(loop.latch)
    brought = {phi: phi.args[1 - back] for phi in loop.header.phis}
    before = loop.entry
    for _ in range(loop.rounds):
        names = dict(brought)
        copies = _copied(graph, loop, names)
        _turn(before, loop.header, copies[loop.header])
        copies[loop.header].preds = [before]
        before = copies[loop.latch]
        brought = {phi: names.get(phi.args[back], phi.args[back]) for phi in loop.header.phis}
    loop.header.preds[1 - back] = before
    for phi, value in brought.items():
        phi.args[1 - back] = value
    loop.test.condition = const(loop.way, PREDICATE)


def _turn(block: Block, old: Block, new: Block) -> None:
    """Let a block lead elsewhere; the targets' predecessors are the caller's."""
    block.targets = [new if target is old else target for target in block.targets]


def _copied(graph: Graph, loop: _Loop, names: dict[Node, Node]) -> dict[Block, Block]:
    """The blocks of one round, whose latch leads to the loop. `names`: what the header's phis are; copies are added."""
    place, first = graph.blocks.index(loop.header), max(block.number for block in graph.blocks) + 1
    originals = [block for block in graph.blocks if block in loop.body]
    copies = {block: Block(first + number) for number, block in enumerate(originals)}
    for old, new in copies.items():
        nodes = [node for node in old.nodes if node not in names]
        new.nodes = [Node(node.op, node.args, node.width, node.attr, node.line) for node in nodes]
        names.update(zip(nodes, new.nodes, strict=True))
    for old, new in copies.items():
        for node in new.nodes:
            node.args = [names.get(arg, arg) for arg in node.args]
        new.kind, new.line = old.kind, old.line
        new.condition = None if old.condition is None else names.get(old.condition, old.condition)
        new.preds = [copies[pred] for pred in old.preds if pred in copies]
        new.targets = [target if target is loop.header else copies.get(target, target) for target in old.targets]
    _enter(loop, copies[loop.test], names)
    graph.blocks[place:place] = copies.values()
    return copies


def _enter(loop: _Loop, copy: Block, names: dict[Node, Node]) -> None:
    """Let the place behind the loop know one more way to it."""
    end = next(target for target in loop.test.targets if target not in loop.body)
    index = end.preds.index(loop.test)
    end.preds.append(copy)
    for phi in end.phis:
        phi.args.append(names.get(phi.args[index], phi.args[index]))
