"""Predicates live inside one machine block, so every one becomes a comparison next to its reader.

Afterwards every predicate node is a `setp` whose readers stand in its own block: conjunctions and predicate phis are computed
as words (0 or 1) and compared with 0; a comparison that another block reads is repeated there, or carried there as a word when
repeating it would keep two values alive.
"""

from __future__ import annotations

from toolchain.fold import simplify
from toolchain.ir import LEAVES, PREDICATE, WORD, Block, Graph, Node, const, substitute, users
from toolchain.ranges import Ranges


def localise_predicates(graph: Graph, ranges: Ranges) -> None:
    """Make every predicate a `setp` in its readers' block."""
    _words_for_phis(graph)
    _words_for_logic(graph, ranges)
    _read_words(graph, ranges)
    _repeat_for_readers(graph)


def as_word(p: Node, line: int | None) -> Node:
    """1 where the predicate holds, else 0."""
    return Node("selp", [const(1), const(0), p], WORD, None, line)


def _holds(word: Node) -> Node:
    return Node("setp.ne", [word, const(0)], PREDICATE, None, word.line)


def _words_for_phis(graph: Graph) -> None:
    """A predicate phi becomes a word phi; its operands are turned into words at the ends of the predecessors."""
    phis = {
        node: Node("phi", [], WORD, None, node.line) for node in graph.nodes() if node.op == "phi" and node.width == PREDICATE
    }
    words: dict[tuple[Block, Node], Node] = {}
    for block in graph.blocks:
        for phi in [node for node in block.nodes if node in phis]:
            for pred, arg in zip(block.preds, phi.args, strict=True):
                if arg.is_const:
                    word = const(arg.attr)
                elif arg in phis:
                    word = phis[arg]
                else:
                    word = words.setdefault((pred, arg), as_word(arg, phi.line))
                    if word not in pred.nodes:
                        pred.nodes.append(word)
                phis[phi].args.append(word)
    mapping: dict[Node, Node] = {}
    for block in graph.blocks:
        replaced = [node for node in block.nodes if node in phis]
        mapping.update({phi: _holds(phis[phi]) for phi in replaced})
        rest = [node for node in block.nodes if node not in phis]
        first = sum(node.op == "phi" for node in rest)
        block.nodes = [*rest[:first], *(phis[phi] for phi in replaced), *(mapping[phi] for phi in replaced), *rest[first:]]
    _replace(graph, mapping)


def _replace(graph: Graph, mapping: dict[Node, Node]) -> None:
    for block in graph.blocks:
        for node in block.nodes:
            node.args = [mapping.get(arg, arg) for arg in node.args]
        if block.condition is not None:
            block.condition = mapping.get(block.condition, block.condition)


def _words_for_logic(graph: Graph, ranges: Ranges) -> None:
    """and, or, xor and not of predicates: as words, then compared."""
    for block in graph.blocks:
        nodes: list[Node] = []
        for node in block.nodes:
            if node.op not in ("pand", "por", "pxor", "pnot"):
                nodes.append(node)
                continue
            if node.op != "pnot" and _bit_tested(node.args[1], ranges) is not None:
                node.args.reverse()  # the first becomes a word, which that one is already
            first = as_word(node.args[0], node.line)
            if node.op == "pnot":
                nodes.append(first)
                node.op, node.args = "setp.eq", [first, const(0)]
                nodes.append(node)
                continue
            second = node.args[1]
            if node.op == "pand":
                word = Node("selp", [first, const(0), second], WORD, None, node.line)
            elif node.op == "por":
                word = Node("selp", [const(1), first, second], WORD, None, node.line)
            else:
                other = as_word(second, node.line)
                nodes.append(other)
                word = Node("xor", [first, other], WORD, None, node.line)
            node.op, node.args = "setp.ne", [word, const(0)]
            nodes += [simplify(first, ranges), word, node]
        block.nodes = nodes


def _read_words(graph: Graph, ranges: Ranges) -> None:
    """A predicate that was made of a word which is 0 or 1, and is turned into one again, is that word."""
    mapping: dict[Node, Node] = {}
    for node in graph.nodes():
        if node.op == "selp" and [arg.attr for arg in node.args[:2] if arg.is_const] == [1, 0]:
            bit = _bit_tested(node.args[2], ranges)
            if bit is not None:
                mapping[node] = bit
        elif node.op == "addp" and node.args[1].is_const and node.args[1].attr == 0:
            bit = _bit_tested(node.args[2], ranges)
            if bit is not None:
                node.op, node.args = "add", [node.args[0], bit]
    substitute(graph, mapping)


def _bit_tested(p: Node, ranges: Ranges) -> Node | None:
    """The word, 0 or 1, of which a predicate says that it is 1; None for another predicate."""
    if p.op != "setp.ne" or not p.args[1].is_const or p.args[1].attr != 0:
        return None
    low, high = ranges.of(p.args[0])
    return p.args[0] if low >= 0 and high <= 1 else None


def _repeat_for_readers(graph: Graph) -> None:
    """Give every block that reads a comparison its own copy of it."""
    reads = users(graph)
    home = {node: block for block in graph.blocks for node in block.nodes}
    for node, block in list(home.items()):
        if node.width != PREDICATE:
            continue
        foreign = {place for place, _ in reads.get(node, []) if place is not block}
        if not foreign:
            continue
        word: Node | None = None
        if sum(arg.op not in LEAVES for arg in node.args) > 1:
            word = as_word(node, node.line)
            block.nodes.insert(block.nodes.index(node) + 1, word)
        for place in foreign:
            copy = _holds(word) if word is not None else Node(node.op, list(node.args), PREDICATE, None, node.line)
            place.nodes.insert(sum(n.op == "phi" for n in place.nodes), copy)
            for other in place.nodes:
                if other is not copy and other.op != "phi":
                    other.args = [copy if arg is node else arg for arg in other.args]
            if place.condition is node:
                place.condition = copy
    leftovers = [node for node, block in home.items() if node.width == PREDICATE and not node.op.startswith("setp")]
    if leftovers:
        raise AssertionError(f"predicates that are no comparisons: {leftovers}")
