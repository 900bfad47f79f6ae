"""The compiler's graph: SSA values in basic blocks, and the facts about control flow that passes ask for.

A `Node` is an operation and its result. Operations on 32-bit words carry the machine's own mnemonics (`add`, `shl`,
`setp.lt.s`, ..), so that selection is one to one; those on 64-bit values end in "64" and are gone after `split64`
("old64": what a 64-bit atomic found). Nodes without effects may be dropped, merged or moved; nodes in EFFECTS keep their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from engine.machine.errors import UnsupportedError

PREDICATE, WORD, WIDE = 1, 32, 64
"""Widths of a result in bits; 0 for none."""

EFFECTS = frozenset(
    {"load", "store", "atom", "barrier", "warp barrier", "fence", "trap", "shfl", "vote", "match", "activemask", "count"}
)
"""Operations that touch memory or other threads; the last five are gone after `warp`."""

LEAVES = frozenset({"const", "addr", "tid", "cta"})
"""Nodes without operands that stand in no block: constants, addresses, the linear thread id, the block index (attr: axis)."""


@dataclass(frozen=True, slots=True)
class MemoryAccess:
    """What a load, a store or an atomic says beside its operands.

    space:     "global", "shared", "const", "local", or "" for a generic address
    bytes:     1, 2 or 4
    signed:    a narrow load extends the sign
    waits:     volatile: another thread may change the word while this one loops
    operation: of an atomic: "add", "min.s", "exch", "cas", ..
    tag:       array id, set once the address is known; 0 is any array
    words:     the address operand is a 32-bit word address
    align:     bytes that the address must be a multiple of; an access elsewhere faults
    guarded:   the last operand is a predicate; where it does not hold, nothing happens, and a load gives 0
    constant:  nothing in the launch writes what this load reads
    joined:    no other thread may come between this access and the next one
    """

    space: str
    bytes: int = 4
    signed: bool = False
    waits: bool = False
    operation: str = ""
    tag: int = 0
    words: bool = False
    align: int = 1
    guarded: bool = False
    constant: bool = False
    joined: bool = False


@dataclass(eq=False, slots=True)
class Node:
    """An operation: `args` are its operands, `attr` what it says beside them (a constant's value, a memory access, ..)."""

    op: str
    args: list[Node]
    width: int = WORD
    attr: Any = None
    line: int | None = None

    def __repr__(self) -> str:
        return f"{self.op}#{id(self) & 0xFFFF:x}({self.attr if self.attr is not None else ''})"

    @property
    def is_const(self) -> bool:
        """Whether it is a constant; `attr` is then its unsigned value."""
        return self.op == "const"


@dataclass(eq=False, slots=True)
class Block:
    """A basic block. Its phis come first in `nodes`, their operands in the order of `preds`.

    kind:    "jump" (one target), "branch" (targets: taken, other; `condition` decides) or "exit"
    """

    number: int
    nodes: list[Node] = field(default_factory=list)
    preds: list[Block] = field(default_factory=list)
    targets: list[Block] = field(default_factory=list)
    kind: str = "exit"
    condition: Node | None = None
    line: int | None = None

    def __repr__(self) -> str:
        return f"B{self.number}"

    @property
    def phis(self) -> list[Node]:
        """The block's phis."""
        return [node for node in self.nodes if node.op == "phi"]


@dataclass(eq=False)
class Graph:
    """A kernel: `blocks[0]` is the entry."""

    kernel: str
    blocks: list[Block]

    def refuse(self, what: str, line: int | None, remedy: str) -> UnsupportedError:
        """The error that says that the machine lacks something, with the user's line."""
        where = f"kernel {self.kernel}" + (f", line {line}" if line else "")
        return UnsupportedError(what, where, remedy, line=line, kernel=self.kernel)

    def nodes(self) -> Iterator[Node]:
        """Every node of every block."""
        return (node for block in self.blocks for node in block.nodes)

    def new_block(self, after: Block) -> Block:
        """A new block behind `after` in the list."""
        block = Block(max(b.number for b in self.blocks) + 1)
        self.blocks.insert(self.blocks.index(after) + 1, block)
        return block


def const(value: int, width: int = WORD) -> Node:
    """A constant. Constants stand in no block."""
    return Node("const", [], width, value & (1 << width) - 1)


def jump(block: Block, target: Block) -> None:
    """End `block` with a jump."""
    block.kind, block.condition, block.targets = "jump", None, [target]
    target.preds.append(block)


def branch(block: Block, condition: Node, taken: Block, other: Block, line: int | None = None) -> None:
    """End `block` with a branch."""
    block.kind, block.condition, block.targets, block.line = "branch", condition, [taken, other], line
    taken.preds.append(block)
    other.preds.append(block)


def remove_edge(block: Block, target: Block) -> None:
    """Forget one edge: the operands of the target's phis go with it. The block's own ending is the caller's."""
    index = target.preds.index(block)
    del target.preds[index]
    for phi in target.phis:
        del phi.args[index]


def reverse_postorder(entry: Block) -> list[Block]:
    """The reachable blocks, every block before its successors except along back edges."""
    order: list[Block] = []
    seen = {id(entry)}
    stack: list[tuple[Block, Iterator[Block]]] = [(entry, iter(entry.targets))]
    while stack:
        block, targets = stack[-1]
        target = next((t for t in targets if id(t) not in seen), None)
        if target is None:
            order.append(block)
            stack.pop()
        else:
            seen.add(id(target))
            stack.append((target, iter(target.targets)))
    return order[::-1]


def remove_unreachable(graph: Graph) -> None:
    """Drop blocks that control never reaches."""
    reachable = {id(block) for block in reverse_postorder(graph.blocks[0])}
    for block in graph.blocks:
        if id(block) not in reachable:
            for target in block.targets:
                if id(target) in reachable:
                    remove_edge(block, target)
    graph.blocks = [block for block in graph.blocks if id(block) in reachable]


def dominators(graph: Graph) -> dict[Block, Block]:
    """The immediate dominator of every reachable block; the entry's is itself (Cooper, Harvey, Kennedy 2001)."""
    order = reverse_postorder(graph.blocks[0])
    index = {block: number for number, block in enumerate(order)}
    above: dict[Block, Block] = {order[0]: order[0]}

    def meet(a: Block, b: Block) -> Block:
        while a is not b:
            while index[a] > index[b]:
                a = above[a]
            while index[b] > index[a]:
                b = above[b]
        return a

    changed = True
    while changed:
        changed = False
        for block in order[1:]:
            known = [pred for pred in block.preds if pred in above]
            new = known[0]
            for pred in known[1:]:
                new = meet(pred, new)
            if above.get(block) is not new:
                above[block] = new
                changed = True
    return above


def dominates(above: dict[Block, Block], a: Block, b: Block) -> bool:
    """Whether every path to `b` passes `a`."""
    while b is not a and above[b] is not b:
        b = above[b]
    return b is a


def loops(graph: Graph) -> dict[Block, set[Block]]:
    """The natural loops: header to the blocks of its loop. Raises UnsupportedError for a loop with two entries."""
    above = dominators(graph)
    order = {block: number for number, block in enumerate(reverse_postorder(graph.blocks[0]))}
    found: dict[Block, set[Block]] = {}
    for block in graph.blocks:
        for target in block.targets:
            if order[target] > order[block]:
                continue
            if not dominates(above, target, block):
                raise graph.refuse("a loop that is entered in two places", block.line, "use for, while or do, not goto")
            body = found.setdefault(target, {target})
            stack = [block]
            while stack:
                member = stack.pop()
                if member not in body:
                    body.add(member)
                    stack.extend(member.preds)
    return found


def loop_depth(graph: Graph) -> dict[Block, int]:
    """How many loops each block is in."""
    nests = loops(graph)
    return {block: sum(block in body for body in nests.values()) for block in graph.blocks}


def users(graph: Graph) -> dict[Node, list[tuple[Block, Node | None]]]:
    """Who reads each node: (block, node), or (block, None) for the block's branch. A phi reads at the end of its pred."""
    result: dict[Node, list[tuple[Block, Node | None]]] = {}
    for block in graph.blocks:
        for node in block.nodes:
            for number, arg in enumerate(node.args):
                place = block.preds[number] if node.op == "phi" else block
                result.setdefault(arg, []).append((place, node))
        if block.condition is not None:
            result.setdefault(block.condition, []).append((block, None))
    return result


def substitute(graph: Graph, mapping: dict[Node, Node]) -> None:
    """Replace nodes by others everywhere; chains in `mapping` are followed."""
    if not mapping:
        return

    def final(node: Node) -> Node:
        while node in mapping:
            node = mapping[node]
        return node

    for block in graph.blocks:
        for node in block.nodes:
            node.args = [final(arg) for arg in node.args]
        if block.condition is not None:
            block.condition = final(block.condition)
        block.nodes = [node for node in block.nodes if node not in mapping]


def split_after(graph: Graph, block: Block, node: Node) -> Block:
    """Cut `block` behind `node`; returns the new block that holds the rest. The first part has no ending yet."""
    rest = graph.new_block(block)
    cut = block.nodes.index(node) + 1
    rest.nodes, block.nodes = block.nodes[cut:], block.nodes[:cut]
    rest.kind, rest.condition, rest.targets, rest.line = block.kind, block.condition, block.targets, block.line
    for target in rest.targets:
        target.preds = [rest if pred is block else pred for pred in target.preds]
    block.kind, block.condition, block.targets = "exit", None, []
    return rest


def insert_before(block: Block, node: Node, new: Iterable[Node]) -> None:
    """Put nodes in front of one of the block's nodes."""
    at = block.nodes.index(node)
    block.nodes[at:at] = list(new)


class Builder:
    """Appends nodes to a list, each with the same source line; a callback may simplify a node as it is made."""

    def __init__(self, line: int | None, simplify: Callable[[Node], Node] = lambda node: node) -> None:
        self.line = line
        self.nodes: list[Node] = []
        self._simplify = simplify

    def make(self, op: str, *args: Node | int, width: int = WORD, attr: Any = None) -> Node:
        """A new node; whole numbers stand for word constants."""
        fresh = Node(op, [a if isinstance(a, Node) else const(a) for a in args], width, attr, self.line)
        node = self._simplify(fresh)
        if node is fresh:
            self.nodes.append(node)
        return node
