"""Operations among the threads of a CUDA warp or of a block, in terms of memory, atomics and barriers.

The machine runs a CUDA warp as several hardware warps, so a shuffle goes through memory: every thread stores its word, all
meet at the warp's barrier, every thread loads. A later use of the same words must not begin before all have loaded; where no
other barrier lies on the way, one is added. Votes set bits of a word with serial blocks; after the vote each thread takes back
what it set (where the word is used again: in a loop, or by the next block of the grid).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from toolchain.fold import simplify
from toolchain.ir import (
    PREDICATE,
    WORD,
    Block,
    Builder,
    Graph,
    MemoryAccess,
    Node,
    const,
    dominates,
    dominators,
    insert_before,
    loop_depth,
    substitute,
)
from toolchain.layout import MemoryMap, MemoryObject
from toolchain.ranges import Ranges

AREAS = 2
"""Exchange areas. Two that alternate need no second barrier in straight-line code."""

MEETINGS = ("barrier", "warp barrier")


def shuffle_source(make: Callable[..., Node], node: Node, warp_size: int) -> tuple[Node, Node]:
    """(whether the source lane lies in the segment, the source lane) of a `shfl` (PTX ISA, shfl.sync)."""
    mode, clamp = node.attr
    by = make("and", node.args[1], warp_size - 1)
    lane = make("and", Node("tid", []), warp_size - 1)
    segment = clamp >> 8 & 31
    first = make("and", lane, segment)
    last = make("or", first, clamp & 31 & ~segment)
    if mode == "up":
        source = make("sub", lane, by)
        return make("setp.le.s", last, source, width=PREDICATE), source
    if mode == "idx":
        source = make("or", first, make("and", by, 31 & ~segment))
    else:
        source = make("add" if mode == "down" else "xor", lane, by)
    return make("setp.le.s", source, last, width=PREDICATE), source


class _Expansion:
    """What the expansions share: the launch's threads, memory for exchange and votes, and facts about the graph."""

    def __init__(self, graph: Graph, memory: MemoryMap, ranges: Ranges) -> None:
        self.graph, self.memory, self.ranges = graph, memory, ranges
        self.threads, self.warp_size = ranges.threads, memory.spec.warp_size
        self.warps = -(-self.threads // self.warp_size)
        self.many = any(size > 1 for size in ranges.grid)
        self.depth = loop_depth(graph)
        self.above = dominators(graph)
        self.exits = [block for block in graph.blocks if block.kind == "exit"]
        self.exchange: MemoryObject | None = None
        self.next_area = 0
        self.votes: MemoryObject | None = None

    def builder(self, node: Node) -> Builder:
        return Builder(node.line, lambda fresh: simplify(fresh, self.ranges))

    def all_pass(self, block: Block) -> bool:
        """Whether every thread of the launch comes through a block."""
        return all(dominates(self.above, block, end) for end in self.exits)

    def existing(self, build: Builder) -> Node:
        """The mask of the lanes that the thread's warp has."""
        rest = self.threads % self.warp_size
        full = (1 << self.warp_size) - 1
        if rest == 0:
            return const(full)
        if self.warps == 1:
            return const((1 << rest) - 1)
        earlier = build.make("setp.lt.u", Node("tid", []), self.threads - rest, width=PREDICATE)
        return build.make("selp", full, (1 << rest) - 1, earlier)

    def area(self) -> tuple[int, int]:
        """(first word, tag) of the exchange area for the next operation."""
        size = self.warps * self.warp_size
        if self.exchange is None:
            self.exchange = self.memory.allocate("warp exchange", "system", AREAS * size * 4, multiple=size)
        self.next_area = (self.next_area + 1) % AREAS
        return self.exchange.base + self.next_area * size, self.exchange.tag

    def shared_values(self, build: Builder, node: Node, value: Node) -> tuple[Callable[[Node], Node], Node]:
        """Store every thread's value and meet; returns what loads the value of a lane of the own warp, and the store."""
        base, tag = self.area()
        access = MemoryAccess("system", tag=tag, words=True)
        store = Node("store", [build.make("add", Node("tid", []), base), value], 0, access, node.line)
        build.nodes += [store, Node("warp barrier", [], 0, None, node.line)]
        first = build.make("and", Node("tid", []), -self.warp_size) if self.warps > 1 else const(0)

        def load(lane: Node) -> Node:
            address = build.make("add", build.make("add", first, lane), base)
            loaded = Node("load", [address], WORD, access, node.line)
            build.nodes.append(loaded)
            return loaded

        return load, store

    def shuffle(self, node: Node) -> tuple[Builder, Node]:
        build = self.builder(node)
        inside, source = shuffle_source(build.make, node, self.warp_size)
        lane = build.make("and", Node("tid", []), self.warp_size - 1)
        load, _ = self.shared_values(build, node, node.args[0])
        return build, load(build.make("selp", source, lane, inside))

    def match(self, node: Node, block: Block) -> tuple[Builder, Node]:
        """Compare with every lane from the last to the first, shifting one bit in each time."""
        build = self.builder(node)
        value = node.args[0]
        present = self.existing(build)
        if not self.all_pass(block):  # a lane that has exited left an old value behind
            present = self.ballot(build, node, const(1, PREDICATE), block)
        load, _ = self.shared_values(build, node, value)
        bits: Node = const(0)
        for lane in reversed(range(min(self.threads, self.warp_size))):
            same = build.make("setp.eq", load(const(lane)), value, width=PREDICATE)
            bits = build.make("addp", bits, bits, same)
        bits = build.make("and", bits, present)
        if node.attr == "all":
            bits = build.make("selp", bits, 0, build.make("setp.eq", bits, present, width=PREDICATE))
        return build, bits

    def vote_word(self, warps: int) -> tuple[int, int]:
        """(first word, tag) of words of their own for one vote; they begin as zero."""
        if self.votes is None:
            self.votes = self.memory.allocate("votes", "system", self.vote_count() * 4)
            self.free_vote = self.votes.base
        first, self.free_vote = self.free_vote, self.free_vote + warps
        return first, self.votes.tag

    def vote_count(self) -> int:
        warps = {"vote": self.warps, "match": self.warps, "count": 1}
        return sum(warps.get(node.op, 0) for node in self.graph.nodes())

    def ballot(self, build: Builder, node: Node, p: Node, block: Block) -> Node:
        """The mask of the lanes whose predicate holds."""
        first, tag = self.vote_word(self.warps)
        warp = build.make("shr", Node("tid", []), self.warp_size.bit_length() - 1)
        address = build.make("add", warp, first)
        bit = build.make("shl", 1, build.make("and", Node("tid", []), self.warp_size - 1))
        meet = Node("warp barrier", [], 0, None, node.line)
        return self.tally(build, p, address, tag, ("or", bit), ("xor", bit), meet, block)

    def tally(self, build: Builder, p: Node, address: Node, tag: int, put: tuple[str, Node], take: tuple[str, Node],
              meet: Node, block: Block) -> Node:  # fmt: skip
        """Where p holds, put something into a word; meet; load the word; where it is used again, meet and take it back."""
        access = MemoryAccess("system", tag=tag, words=True)

        def atomic(operation: str, value: Node) -> Node:
            return Node("atom", [address, value, p], WORD, replace(access, operation=operation, guarded=True), build.line)

        loaded = Node("load", [address], WORD, access, build.line)
        build.nodes += [atomic(*put), meet, loaded]
        if self.many or self.depth[block]:
            build.nodes += [Node(meet.op, [], 0, meet.attr, build.line), atomic(*take)]
        return loaded

    def vote(self, node: Node, block: Block) -> tuple[Builder, Node]:
        build = self.builder(node)
        p = node.args[0]
        if node.attr == "all":
            p = build.make("pnot", p, width=PREDICATE)
        word = self.ballot(build, node, p, block)
        if node.attr == "ballot":
            return build, word
        return build, build.make("setp.eq" if node.attr == "all" else "setp.ne", word, 0, width=PREDICATE)

    def count(self, node: Node, block: Block) -> tuple[Builder, Node]:
        """`__syncthreads_count`, `_and` and `_or`."""
        build = self.builder(node)
        kind, site = node.attr
        p = node.args[0]
        if kind == "and":
            p = build.make("pnot", p, width=PREDICATE)
        first, tag = self.vote_word(1)
        meet = Node("barrier", [], 0, site, node.line)
        word = self.tally(build, p, const(first), tag, ("add", const(1)), ("add", const(-1)), meet, block)
        if kind == "popc":
            return build, word
        return build, build.make("setp.eq" if kind == "and" else "setp.ne", word, 0, width=PREDICATE)

    def active(self, node: Node, block: Block) -> tuple[Builder, Node]:
        build = self.builder(node)
        if not self.all_pass(block):
            raise self.graph.refuse(
                "__activemask() where some threads may be elsewhere", node.line, "use 0xffffffff, or __ballot_sync"
            )
        return build, self.existing(build)


def expand_warp_operations(graph: Graph, memory: MemoryMap, ranges: Ranges) -> None:
    """Replace shuffles, votes, matches, counts and active masks.

    Raises UnsupportedError for an active mask in divergent code.
    """
    expansion = _Expansion(graph, memory, ranges)
    handlers: dict[str, Callable[[Node, Block], tuple[Builder, Node]]] = {
        "shfl": lambda node, block: expansion.shuffle(node), "match": expansion.match, "vote": expansion.vote,
        "count": expansion.count, "activemask": expansion.active,
    }  # fmt: skip
    mapping: dict[Node, Node] = {}
    for block in graph.blocks:
        for node in list(block.nodes):
            if node.op in handlers:
                build, result = handlers[node.op](node, block)
                insert_before(block, node, build.nodes)
                mapping[node] = result
    substitute(graph, mapping)
    if expansion.exchange is not None:
        _protect_exchange(graph, expansion.exchange)


def _protect_exchange(graph: Graph, exchange: MemoryObject) -> None:
    """Behind an exchange's loads add a barrier where its area could be stored again before all have loaded."""
    for block in graph.blocks:
        for node in [n for n in block.nodes if n.op == "store" and n.attr.tag == exchange.tag]:
            last = _last_load(block.nodes[block.nodes.index(node) :], exchange.tag)
            behind = block.nodes.index(last) + 1
            if _reaches(block, behind, node):
                block.nodes.insert(behind, Node("warp barrier", [], 0, None, node.line))


def _last_load(nodes: list[Node], tag: int) -> Node:
    """The last load of the exchange that begins with nodes[0]."""
    found = nodes[0]
    for node in nodes[1:]:
        if node.op == "store" and node.attr.tag == tag:
            break
        if node.op == "load" and node.attr.tag == tag:
            found = node
    return found


def _reaches(block: Block, start: int, store: Node) -> bool:
    """Whether control can come from a place to a store of the same area without a barrier on the way."""
    area = store.args[0]

    def scan(nodes: Iterable[Node]) -> bool | None:
        for node in nodes:
            if node.op in MEETINGS:
                return False
            if node.op == "store" and node.attr.tag == store.attr.tag and _same_area(node.args[0], area):
                return True
        return None

    found = scan(block.nodes[start:])
    if found is not None:
        return found
    seen: set[Block] = set()
    stack = list(block.targets)
    while stack:
        current = stack.pop()
        if current in seen:
            continue
        seen.add(current)
        found = scan(current.nodes)
        if found:
            return True
        if found is None:
            stack.extend(current.targets)
    return False


def _same_area(a: Node, b: Node) -> bool:
    """Exchange addresses are thread id + first word."""
    return a.args[1].attr == b.args[1].attr
