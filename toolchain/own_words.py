"""Words that only their thread writes, so that a value stored there need not be kept in a register as well.

A register costs tokens in the block that makes its value, a load in a block that runs anyway costs none. What a thread puts
into its own word of an exchange or of shared memory is therefore loaded again where it is read behind a barrier.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from toolchain.ir import LEAVES, Block, Graph, Node, users
from toolchain.warp import MEETINGS

Place = tuple[int, int]
"""Tag of an array, and the distance of a thread's own word from the thread id."""
MAX_READERS = 6
"""Most readers of a value that is loaded again: more of them read a register."""


def read_back(graph: Graph, threads: int) -> None:
    """Load again behind a barrier what a thread stored in a word of its own before it, rather than keep it in a register."""
    places = _own_places(graph, threads)
    if not places:
        return
    reads = users(graph)
    for block in graph.blocks:
        stored = dict.fromkeys(node.args[1] for node in block.nodes if _own_place(node) in places)
        for value in stored:
            if value.op in LEAVES or value.op == "phi":  # a phi has a register anyhow
                continue
            readers = [reader for place, reader in reads[value] if place is block and reader is not None and reader.op != "phi"]
            if len(readers) == len(reads[value]) <= MAX_READERS:
                _read_back(block, value, readers, places)


def _read_back(block: Block, value: Node, readers: list[Node], places: set[Place]) -> None:
    """Let the readers behind barriers read a word; all of them, or nothing is won."""
    position = {node: number for number, node in enumerate(block.nodes)}
    meetings = [number for number, node in enumerate(block.nodes) if node.op in MEETINGS]
    made = position.get(value, -1)
    sources: dict[Node, tuple[int, Node]] = {}
    for reader in readers:
        barrier = max((number for number in meetings if made < number < position.get(reader, -1)), default=None)
        if barrier is not None:
            store = _last_store(block.nodes[:barrier], value, places)
            if store is None:
                return
            sources[reader] = barrier, store
    loads: dict[int, Node] = {}
    for reader, (barrier, store) in sources.items():
        if barrier not in loads:
            loads[barrier] = Node("load", [store.args[0]], value.width, replace(store.attr, waits=False), store.line)
        reader.args = [loads[barrier] if arg is value else arg for arg in reader.args]
    for barrier in sorted(loads, reverse=True):
        block.nodes.insert(barrier + 1, loads[barrier])


def _last_store(before: list[Node], value: Node, places: set[Place]) -> Node | None:
    """A store of the value to a thread's own word that holds it still."""
    overwritten: set[Place] = set()
    for node in reversed(before):
        place = _own_place(node)
        if place not in places or place is None:
            continue
        if node.args[1] is value and place not in overwritten:
            return node
        overwritten.add(place)
    return None


def _own_place(node: Node) -> Place | None:
    """(tag, distance from the thread id) of a store to a word that follows from the thread id, None for any other access."""
    if node.op != "store" or node.attr.guarded or not node.attr.tag:
        return None
    address = node.args[0]
    if address.op == "add" and address.args[0].op == "tid" and address.args[1].is_const:
        return node.attr.tag, address.args[1].attr
    return None


def _own_places(graph: Graph, threads: int) -> set[Place]:
    """Words that only one thread writes: the array's stores are all to such words, and those of two stores never meet."""
    found: dict[int, set[int] | None] = {}
    for node in graph.nodes():
        if node.op in ("store", "atom"):
            place = _own_place(node)
            if place is None and not node.attr.tag:
                return set()
            known = found.setdefault(node.attr.tag, set())
            if place is None:
                found[node.attr.tag] = None
            elif known is not None:
                known.add(place[1])
    apart = {tag: sorted(known) for tag, known in found.items() if known}
    return {
        (tag, distance) for tag, known in apart.items() for distance in known
        if all(second - first >= threads for first, second in pairwise(known))
    }  # fmt: skip
