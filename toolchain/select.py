"""From graph nodes to operations of the machine.

Folded into one operation where possible: the address of a load or store, the value that a store stores. A value that follows
from the thread id and constants in an operation or two is *cheap*: it is computed again wherever it is needed, since a register
costs tokens and an operation in a block that runs anyway does not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.machine.instructions import INSTRUCTIONS
from engine.machine.program import Access, Exit
from toolchain.ir import EFFECTS, LEAVES, PREDICATE, Block, Graph, Node, loop_depth, loops, users
from toolchain.layout import MemoryObject
from toolchain.machine_ir import ALWAYS, THREAD, Code, Compare, Ending, Group, Op, Operand, Piece, Value
from toolchain.ranges import Ranges

INVALID_ADDRESS = 0xFFFFFFFF
UNCONDITIONAL = frozenset(
    entry.mnemonic
    for entry in INSTRUCTIONS
    if entry.operands and "p" not in entry.operands and not entry.predicate and entry.stages is None
)
"""Operations without predicate that any stage has: those that can be an address or a stored value."""
CONDITIONAL = frozenset(entry.mnemonic for entry in INSTRUCTIONS if "p" in entry.operands)
"""Operations that read the predicate."""
CHEAP_COST = 2
"""Operations that a cheap value may take; inside loops, 1."""
RELOADS = 4
"""Most readers that each load a word again; more of them read a register, and a single one has its load beside it anyway."""
DIRECT = frozenset({"add", "min.s", "min.u", "max.s", "max.u", "and", "or", "xor"})
"""Atomics whose change is one operation on the old word."""
NEARER = {
    "min.s": ("setp.lt.s", True),
    "min.u": ("setp.lt.u", True),
    "max.s": ("setp.lt.s", False),
    "max.u": ("setp.lt.u", False),
}
"""Atomics that change the word where a comparison holds: how, and whether the operand comes before the old word."""


def select(graph: Graph, ranges: Ranges, indices: dict[int, MemoryObject], stages: int) -> Code:
    """The kernel as operations, for machine blocks of `stages`. `indices`: where the block index of each axis lies."""
    return _Selector(graph, ranges, indices, stages).run()


def immediates(op: Op) -> set[int]:
    """The constants of an operation that need its one immediate field."""
    return {o for o in (*op.operands, op.c) if isinstance(o, int) and o not in (0, 1)}


def slots(group: Group, cheap: dict[Value, Op], cost: dict[Value, int]) -> int:
    """Operations that a group takes in a machine block, with comparisons and cheap operands; without a `mulhi` itself."""
    conditions = [op.condition for op in group.ops if op.condition is not None]
    compares = sum(a != b for a, b in zip(conditions, [None, *conditions], strict=False))
    inside = sum(cost[value] for value in {v for op in group.ops for v in op.reads()} if value in cheap)
    return sum(not op.mnemonic.startswith("mulhi") for op in group.ops) + compares + inside


class _Selector:
    """Which nodes are folded into others, and the value of every node that is not."""

    def __init__(self, graph: Graph, ranges: Ranges, indices: dict[int, MemoryObject], stages: int) -> None:
        self.graph, self.ranges, self.indices, self.stages = graph, ranges, indices, stages
        self.uses = users(graph)
        self.depth = loop_depth(graph)
        self.home = {node: block for block in graph.blocks for node in block.nodes}
        self.uniform = _uniform_nodes(graph)
        self.values: dict[Node, Value] = {}
        self.index_values: dict[int, Value] = {}
        self.cheap_cost: dict[Value, int] = {}
        self.code = Code(graph.kernel, [])
        self.folded: set[Node] = set()

    def run(self) -> Code:
        first: dict[Block, Piece] = {}
        last: dict[Block, Piece] = {}
        self.find_cheap()
        self.find_folded()
        for block in self.graph.blocks:
            pieces = self.block_pieces(block)
            first[block], last[block] = pieces[0], pieces[-1]
            self.code.pieces += pieces
        for block in self.graph.blocks:
            self.finish(block, first, last)
        for body in loops(self.graph).values():
            if any(self.is_waiting(node) for block in body for node in block.nodes):
                for piece in self.code.pieces:
                    piece.waits |= piece.origin in body
        return self.code

    def is_waiting(self, node: Node) -> bool:
        """Whether a loop with this node may wait for what another thread does."""
        if node.op == "atom":
            return node.attr.operation != "insert" and bool(self.uses.get(node))
        return node.op == "load" and node.attr.waits and not node.attr.joined

    # ------------------------------------------------------------ cheap and folded nodes
    def find_cheap(self) -> None:
        """Values that follow from constants, thread id, block index and memory that nothing writes in an operation or two."""
        for block in self.graph.blocks:
            for node in block.nodes:
                op = self.cheap_operation(node)
                if op is None:
                    continue
                cost = 1 + sum(self.cheap_cost[value] for value in dict.fromkeys(op.reads()))
                deepest = max((self.depth[place] for place, _ in self.uses.get(node, [])), default=0)
                dear = cost > 1 or node.op == "load"
                if cost > CHEAP_COST or (dear and deepest > self.depth[block]):
                    continue
                if node.op == "load" and not 1 < len(self.uses.get(node, [])) <= RELOADS:
                    continue
                value = self.value(node)
                self.code.cheap[value] = replace(op, result=value)
                self.cheap_cost[value] = cost
                if node.op == "load" or not self.code.risky.isdisjoint(op.reads()):
                    self.code.risky.add(value)

    def cheap_operation(self, node: Node) -> Op | None:
        """The one operation that computes a node from cheap values, None where there is none."""
        if node.op in UNCONDITIONAL:
            op = self.folded_computation(node.op, node.args, node.line)
        elif node.op == "load" and node.attr.constant and not node.attr.guarded:
            address = node.args[0]
            access = {"access": Access.LOAD, "tag": node.attr.tag}
            if address.op in UNCONDITIONAL and self.uses.get(address, []) == [(self.home[node], node)]:
                op = self.folded_computation(address.op, address.args, node.line)
            else:
                op = self.folded_computation("mov", [address], node.line)
            op = None if op is None else replace(op, **access)
        else:
            return None
        return None if op is None or len(immediates(op)) > 1 else op

    def folded_computation(self, mnemonic: str, args: list[Node], line: int | None) -> Op | None:
        """An operation on cheap values and constants, None where one of them is neither."""
        for arg in args:
            if arg.op not in ("const", "tid", "cta") and not self.is_cheap(arg):
                return None
        return Op(mnemonic, tuple(self.operand(arg) for arg in args), line=line)

    def is_cheap(self, node: Node) -> bool:
        return node in self.values and self.values[node] in self.code.cheap

    def find_folded(self) -> None:
        """Nodes that are computed inside each of their readers."""
        for block in self.graph.blocks:
            for node in reversed(block.nodes):
                if self.is_only_address(node) or self.is_stored_once(node):
                    self.folded.add(node)

    def single_reader(self, node: Node) -> Node | None:
        """The one node that reads this one, when it stands in the same block."""
        readers = self.uses.get(node, [])
        if len(readers) != 1 or readers[0][0] is not self.home[node]:
            return None
        reader = readers[0][1]
        return None if reader is None or reader.op == "phi" else reader

    def is_only_address(self, node: Node) -> bool:
        """An operation that only loads and stores read, as their address."""
        readers = self.uses.get(node, [])
        if not readers or not all(r is not None and r.op in ("load", "store") and r.args[0] is node for _, r in readers):
            return False
        if any(r is not None and node in r.args[1:] for _, r in readers):
            return False
        if node.op == "add" and node.args[1].is_const and node.args[0] not in self.folded:
            return True
        if node.op not in UNCONDITIONAL | {"selp"} or self.is_cheap(node):
            return False
        reader = self.single_reader(node)
        if reader is None or (node.op == "mad" and reader.op == "store"):  # both need operand c
            return False
        return not (node.op == "selp" and reader.attr.guarded)

    def is_stored_once(self, node: Node) -> bool:
        """An operation whose only reader stores it at an address that needs no operation."""
        reader = self.single_reader(node)
        if reader is None or reader.op != "store" or reader.args[0] is node or self.is_cheap(node):
            return False
        if node.op not in UNCONDITIONAL - {"mad"} | {"selp"} or (node.op == "selp" and reader.attr.guarded):
            return False
        address = reader.args[0]
        if address.op not in LEAVES and (self.is_cheap(address) or self.is_only_address(address)):
            return False
        constants = {arg.attr for arg in (*node.args, address) if arg.is_const and arg.attr > 1}
        return len(constants) <= 1

    # ------------------------------------------------------------ operands
    def value(self, node: Node) -> Value:
        if node not in self.values:
            low, high = self.ranges.of(node)
            size = 1 if low >= -128 and high < 128 else 2 if low >= -(1 << 15) and high < 1 << 15 else 2.5
            self.values[node] = Value(size if node in self.uniform else 4 * size, f":{node.op}")
        return self.values[node]

    def operand(self, node: Node) -> Operand:
        if node.is_const:
            return node.attr
        if node.op == "tid":
            return THREAD
        if node.op == "cta":
            return self.block_index(node.attr)
        return self.value(node)

    def block_index(self, axis: int) -> Value:
        """The block's index is a word of memory; loading it is cheap."""
        if axis not in self.index_values:
            value = Value(1.0, f":cta{axis}")
            place = self.indices[axis]
            self.code.cheap[value] = Op("mov", (place.base,), value, access=Access.LOAD, tag=place.tag)
            self.cheap_cost[value] = 1
            self.index_values[axis] = value
        return self.index_values[axis]

    def compare(self, node: Node) -> Compare:
        if node.is_const:
            return ALWAYS if node.attr else Compare("setp.ne", 0, 0)
        return Compare(node.op, self.operand(node.args[0]), self.operand(node.args[1]))

    def computation(self, node: Node) -> Op:
        """The operation that computes a node, without result."""
        if node.op in CONDITIONAL:
            a, b, p = node.args
            return Op(node.op, (self.operand(a), self.operand(b)), condition=self.compare(p), line=node.line)
        return Op(node.op, tuple(self.operand(arg) for arg in node.args), line=node.line)

    def address(self, node: Node) -> Op:
        """The operation whose result is an address."""
        foldable = node.op not in LEAVES and (node in self.folded or (self.is_cheap(node) and node.op in UNCONDITIONAL))
        return self.computation(node) if foldable else Op("mov", (self.operand(node),), line=node.line)

    # ------------------------------------------------------------ blocks
    def block_pieces(self, block: Block) -> list[Piece]:
        """The block's operations, cut behind every barrier and around accesses that are joined."""
        pieces = [Piece(block, [], Ending(Exit.EXIT), depth=self.depth[block])]
        epoch = 0

        def cut(node: Node, joined: bool) -> None:
            nonlocal epoch
            following = Piece(block, [], Ending(Exit.EXIT), depth=self.depth[block], joined=joined)
            pieces[-1].ending = Ending(Exit.JUMP, [following], line=node.line)
            pieces.append(following)
            epoch = 0

        for node in block.nodes:
            access = node.attr if node.op in ("load", "store", "atom") else None
            if access is not None and access.joined and not pieces[-1].joined:
                cut(node, joined=True)
            if node.op in ("barrier", "warp barrier"):
                following = Piece(block, [], Ending(Exit.EXIT), depth=self.depth[block])
                kind = Exit.CTA_BARRIER if node.op == "barrier" else Exit.WARP_BARRIER
                pieces[-1].ending = Ending(kind, [following], None, node.attr or 0, node.line)
                pieces.append(following)
                epoch = 0
            elif node.op == "fence":
                epoch += 1
            else:
                for made in self.node_groups(node):
                    for group in self.fitting(made):
                        group.epoch = epoch
                        pieces[-1].groups.append(group)
            if pieces[-1].joined and access is not None:
                epoch += 1
                if not access.joined:
                    cut(node, joined=False)
        return pieces

    def node_groups(self, node: Node) -> Iterable[Group]:
        if node.op == "phi" or node.width == PREDICATE or node in self.folded or self.is_cheap(node):
            return []
        if node.op not in EFFECTS:
            op = self.computation(node)
            made = Op(op.mnemonic, op.operands, self.value(node), condition=op.condition, line=node.line)
            return self.legal(made)
        handler = {"load": self.load, "store": self.store, "atom": self.atom, "trap": self.trap}[node.op]
        return handler(node)

    def fitting(self, group: Group) -> list[Group]:
        """The group, with cheap operands computed beforehand where computing them inside would not fit one machine block."""
        before: list[Group] = []
        limit = self.stages - 2 if any(op.mnemonic.startswith("mulhi") for op in group.ops) else self.stages
        while slots(group, self.code.cheap, self.cheap_cost) > limit:
            cheap = [v for op in group.ops for v in op.reads() if v in self.code.cheap]
            costly = max(cheap, key=lambda v: self.cheap_cost[v])
            kept = Value(costly.cost, costly.name)
            before += self.fitting(Group((replace(self.code.cheap[costly], result=kept),)))
            group = Group(tuple(op.renamed({costly: kept}) for op in group.ops), group.serial)
        return [*before, group]

    def legal(self, op: Op) -> list[Group]:
        """An operation with at most one immediate: the others become cheap constants."""
        wanted = sorted(immediates(op))
        names: list[Operand] = []
        for constant in wanted[1:]:
            names.append(self.constant(constant))
        swap = dict(zip(wanted[1:], names, strict=True))
        if not swap:
            return [Group((op,))]
        operands = tuple(swap.get(o, o) if isinstance(o, int) else o for o in op.operands)
        c = swap.get(op.c, op.c) if isinstance(op.c, int) else op.c
        return [
            Group((Op(op.mnemonic, operands, op.result, c, op.condition, op.access, op.guarded, op.tag, op.line, op.waits),))
        ]

    def constant(self, number: int) -> Value:
        """A constant as a value."""
        value = Value(2.0, f":{number}")
        self.code.cheap[value] = Op("mov", (number,), value)
        self.cheap_cost[value] = 1
        return value

    def load(self, node: Node) -> list[Group]:
        address, access = self.address(node.args[0]), node.attr
        condition = self.compare(node.args[-1]) if access.guarded else address.condition
        result = self.value(node) if self.uses.get(node) else None
        return self.legal(
            Op(
                address.mnemonic,
                address.operands,
                result,
                None,
                condition,
                Access.LOAD,
                access.guarded,
                access.tag,
                node.line,
                access.waits,
            )
        )

    def store(self, node: Node) -> list[Group]:
        where, what, access = node.args[0], node.args[1], node.attr
        condition = self.compare(node.args[-1]) if access.guarded else None
        if what in self.folded:
            op = self.computation(what)
            return self.legal(
                Op(
                    op.mnemonic,
                    op.operands,
                    None,
                    self.operand(where),
                    condition or op.condition,
                    Access.STORE_SWAPPED,
                    access.guarded,
                    access.tag,
                    node.line,
                    access.waits,
                )
            )
        address = self.address(where)
        if address.mnemonic == "mad":
            address = Op("mov", (self.operand(where),), line=node.line)
        return self.legal(
            Op(
                address.mnemonic,
                address.operands,
                None,
                self.operand(what),
                condition or address.condition,
                Access.STORE,
                access.guarded,
                access.tag,
                node.line,
                access.waits,
            )
        )

    def trap(self, node: Node) -> list[Group]:
        return [Group((Op("mov", (INVALID_ADDRESS,), None, access=Access.LOAD, line=node.line),))]

    # ------------------------------------------------------------ atomics
    def atom(self, node: Node) -> list[Group]:
        """Load, change, store in one serial block: lanes with the same address take turns."""
        access, operation = node.attr, node.attr.operation
        args = node.args[:-1] if access.guarded else node.args
        guard = self.compare(node.args[-1]) if access.guarded else None
        place: Operand = self.operand(args[0])
        operands: list[Operand] = [self.operand(arg) for arg in args[1:]]
        before: list[Group] = []
        ops: list[Op] = []
        changes = operation in DIRECT or operation in ("exch", "cas", "insert", "claim")
        clash = isinstance(place, int) and any(isinstance(o, int) and o not in (0, 1, place) for o in operands)
        if changes and (clash or self.is_cheap(args[0])):
            inner = Value(1.0, ":address")
            address = self.address(args[0])
            ops.append(Op(address.mnemonic, address.operands, inner, line=node.line))
            place = inner
        elif clash:
            for number, operand in enumerate(operands):
                if isinstance(operand, int) and operand not in (0, 1):
                    operands[number] = Value(2.0, ":operand")
                    before.append(Group((Op("mov", (operand,), operands[number], line=node.line),)))  # type: ignore[arg-type]
        old = self.value(node)

        def load() -> Op:
            return Op("mov", (place,), old, None, guard, Access.LOAD, guard is not None, access.tag, node.line)

        def put(mnemonic: str, values: tuple[Operand, ...], condition: Compare | None, guarded: bool) -> Op:
            return Op(mnemonic, values, None, place, condition, Access.STORE_SWAPPED, guarded, access.tag, node.line)

        ops.append(load())
        alone = guard is None and not access.joined
        if operation in NEARER and alone:  # most of them change nothing, and then nothing is written
            mnemonic, first = NEARER[operation]
            sides = (operands[0], old) if first else (old, operands[0])
            ops.append(put("mov", (operands[0],), Compare(mnemonic, *sides), True))
        elif operation in ("or", "and") and alone and len(ops) == 1:
            changed = Value(8.0, ":changed")
            ops.append(Op(operation, (old, operands[0]), changed, line=node.line))
            ops.append(put("mov", (changed,), Compare("setp.ne", changed, old), True))
        elif operation in DIRECT:
            ops.append(put(operation, (old, operands[0]), guard, guard is not None))
        elif operation == "claim":  # the word stays as it is, but lanes that want the same one take turns
            ops.append(put("mov", (old,), guard, guard is not None))
        elif operation == "exch":
            ops.append(put("mov", (operands[0],), guard, guard is not None))
        elif operation == "cas":
            ops.append(put("mov", (operands[1],), Compare("setp.eq", old, operands[0]), True))
        elif operation == "insert":
            kept = Value(8.0, ":kept")
            ops.append(Op("and", (old, operands[0]), kept, line=node.line))
            ops.append(put("or", (kept, operands[1]), None, False))
        else:
            step = Value(8.0, ":step")
            if operation == "inc":  # old >= limit ? 0 : old + 1
                ops.append(Op("add", (old, 1), step, line=node.line))
                ops.append(put("selp", (0, step), Compare("setp.le.u", operands[0], old), False))
            else:  # old == 0 or old > limit ? limit : old - 1
                ops.append(Op("sub", (old, 1), step, line=node.line))
                ops.append(put("selp", (operands[0], step), Compare("setp.le.u", operands[0], step), False))
        return [*before, Group(tuple(ops), serial=True)]

    # ------------------------------------------------------------ endings
    def finish(self, block: Block, first: dict[Block, Piece], last: dict[Block, Piece]) -> None:
        """The block's own ending, and its phis."""
        piece = last[block]
        if block.kind == "jump" and not block.targets[0].nodes and block.targets[0].kind == "exit":
            piece.ending = Ending(Exit.EXIT, line=block.line)  # rather than a jump to a block that only exits
        elif block.kind == "jump":
            piece.ending = Ending(Exit.JUMP, [first[block.targets[0]]], line=block.line)
        elif block.kind == "branch":
            assert block.condition is not None
            targets = [first[target] for target in block.targets]
            if targets[0] is targets[1]:
                raise AssertionError("both ways of a branch lead to the same phis")
            piece.ending = Ending(Exit.BRANCH, targets, self.compare(block.condition), line=block.line)
        for phi in block.phis:
            if phi.width == PREDICATE:
                raise AssertionError("a predicate phi")
            sources = {last[pred]: self.operand(arg) for pred, arg in zip(block.preds, phi.args, strict=True)}
            first[block].phis[self.value(phi)] = sources


def _uniform_nodes(graph: Graph) -> set[Node]:
    """Words that are likely equal in all lanes (an estimate: of the costs of keeping them)."""
    varying: set[Node] = set()
    changed = True
    while changed:
        changed = False
        for node in graph.nodes():
            if node in varying:
                continue
            if node.op in ("load", "atom") or any(arg.op == "tid" or arg in varying for arg in node.args):
                varying.add(node)
                changed = True
    return {node for node in graph.nodes() if node not in varying}
