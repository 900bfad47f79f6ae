"""64-bit values as pairs of words: the machine has 32-bit registers.

Sums carry through the predicate (`addp`, `subp`), products go through `mulhi.u`, shifts use that the machine's shifts give 0
(or the sign) for amounts of 32 and more.

A 64-bit atomic is several accesses that are *joined*: nobody comes between them. Two rules of the machine's scheduler do that
(`engine.machine.interpreter`, `_held_back` and `_schedule`; docs/machine.md):

* Of the lanes of a serial block which store to the same word one goes on; the others stay in front of the block. The first
  access of a joined row is such a block, and it stores to the atomic's low word. So lanes that went on hold different words.
* Behind a block that yields, the lanes that stand further on go first, the lowest block first, and no other warp comes in while
  there are any. All blocks of the row but the last yield and are numbered in a row. So behind each of them the next one runs,
  with the lanes that went on and no others: not those that were held back, not those that lag behind in a loop.

Hence the row is one step for all other threads. It needs no lock, and lanes with different words take it together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine.machine.spec import WORD_BITS
from toolchain.fold import simplify
from toolchain.ir import (
    LEAVES,
    PREDICATE,
    WIDE,
    WORD,
    Builder,
    Graph,
    Node,
    const,
    insert_before,
    reverse_postorder,
    substitute,
)
from toolchain.ranges import Ranges

Pair = tuple[Node, Node]
Maker = Callable[..., Node]


def split_wide_values(graph: Graph, ranges: Ranges) -> None:
    """Replace every 64-bit node by two of 32 bits."""
    pairs: dict[Node, Pair] = {}
    mapping: dict[Node, Node] = {}
    wide_phis: list[Node] = []
    for block in reverse_postorder(graph.blocks[0]):
        for node in list(block.nodes):
            reads_wide = any(arg.width == WIDE for arg in node.args)
            if node.width != WIDE and not reads_wide:
                continue
            if node.op == "phi":
                pairs[node] = (Node("phi", [], WORD, None, node.line), Node("phi", [], WORD, None, node.line))
                wide_phis.append(node)
                block.nodes[0:0] = pairs[node]
                continue
            build = Builder(node.line, lambda fresh: simplify(fresh, ranges))
            operands = [pair_of(arg, pairs) if arg.width == WIDE else (arg, arg) for arg in node.args]
            result = RULES[node.op](build.make, *operands)
            insert_before(block, node, build.nodes)
            if isinstance(result, tuple):
                pairs[node] = result
            else:
                mapping[node] = result
    for phi in wide_phis:
        for half in range(2):
            pairs[phi][half].args = [pair_of(arg, pairs)[half] for arg in phi.args]
    for block in graph.blocks:
        block.nodes = [node for node in block.nodes if node.width != WIDE]
    substitute(graph, mapping)


COMMUTES = ("add", "and", "or", "xor")


def separate_halves(graph: Graph) -> None:
    """Unjoin the halves of 64-bit atomics where no order shows: one commuting operation in all of them, no old value read."""
    joined = [node for node in graph.nodes() if node.op in ("load", "store", "atom") and node.attr.joined]
    operations = {node.attr.operation for node in joined}
    if len(operations) != 1 or operations.isdisjoint(COMMUTES) or any(node.op == "old64" for node in graph.nodes()):
        return
    for node in joined:
        node.attr = replace(node.attr, joined=False)


def pair_of(node: Node, pairs: dict[Node, Pair]) -> Pair:
    """The low and the high word of a 64-bit value."""
    if node.op in LEAVES:
        value = node.attr if node.is_const else node.attr[0].address + node.attr[1]
        return const(value), const(value >> WORD_BITS)
    return pairs[node]


def _compare(op: str) -> Callable[[Maker, Pair, Pair], Node]:
    """eq and ne look at all bits; an order looks at the high words unless they are equal."""

    def equal(make: Maker, a: Pair, b: Pair) -> Node:
        differs = make("or", make("xor", a[0], b[0]), make("xor", a[1], b[1]))
        return make(f"setp.{op}", differs, 0, width=PREDICATE)

    def order(make: Maker, a: Pair, b: Pair) -> Node:
        same = make("setp.eq", a[1], b[1], width=PREDICATE)
        low_a, low_b = a[0], b[0]
        if op.endswith(".s"):  # the low words are unsigned: move them so that a signed comparison orders them
            low_a, low_b = (make("xor", x, 1 << 31) for x in (low_a, low_b))
        return make(f"setp.{op}", make("selp", low_a, a[1], same), make("selp", low_b, b[1], same), width=PREDICATE)

    return equal if op in ("eq", "ne") else order


def _add(make: Maker, a: Pair, b: Pair) -> Pair:
    low = make("add", a[0], b[0])
    carry = make("setp.lt.u", low, b[0], width=PREDICATE)
    return low, make("addp", a[1], b[1], carry)


def _sub(make: Maker, a: Pair, b: Pair) -> Pair:
    borrow = make("setp.lt.u", a[0], b[0], width=PREDICATE)
    return make("sub", a[0], b[0]), make("subp", a[1], b[1], borrow)


def _mul(make: Maker, a: Pair, b: Pair) -> Pair:
    if b[0].is_const and b[1].is_const:
        factor = b[0].attr | b[1].attr << WORD_BITS
        if factor and factor & factor - 1 == 0:
            return _shl(make, a, (const(factor.bit_length() - 1), const(0)))
    high = make("mulhi.u", a[0], b[0])
    high = make("add", make("mul", a[0], b[1]), high)
    return make("mul", a[0], b[0]), make("add", make("mul", a[1], b[0]), high)


def _shl(make: Maker, a: Pair, amount: Pair) -> Pair:
    n = amount[0]
    high = make("or", make("shl", a[1], n), make("shr", a[0], make("sub", 32, n)))
    return make("shl", a[0], n), make("or", high, make("shl", a[0], make("add", n, -32)))


def _shr(make: Maker, a: Pair, amount: Pair) -> Pair:
    n = amount[0]
    low = make("or", make("shr", a[0], n), make("shl", a[1], make("sub", 32, n)))
    return make("or", low, make("shr", a[1], make("add", n, -32))), make("shr", a[1], n)


def _sar(make: Maker, a: Pair, amount: Pair) -> Pair:
    n = amount[0]
    near = make("or", make("shr", a[0], n), make("shl", a[1], make("sub", 32, n)))
    far = make("sar", a[1], make("add", n, -32))
    return make("selp", near, far, make("setp.lt.u", n, 32, width=PREDICATE)), make("sar", a[1], n)


def _select(make: Maker, a: Pair, b: Pair, p: Pair) -> Pair:
    return make("selp", a[0], b[0], p[0]), make("selp", a[1], b[1], p[0])


RULES: dict[str, Callable[..., Node | Pair]] = {
    "add64": _add,
    "sub64": _sub,
    "mul64": _mul,
    "shl64": _shl,
    "shr64": _shr,
    "sar64": _sar,
    "sel64": _select,
    "ext.s": lambda make, a: (a[0], make("sar", a[0], 31)),
    "ext.u": lambda make, a: (a[0], const(0)),
    "mulw.s": lambda make, a, b: (make("mul", a[0], b[0]), make("mulhi.s", a[0], b[0])),
    "mulw.u": lambda make, a, b: (make("mul", a[0], b[0]), make("mulhi.u", a[0], b[0])),
    "pack": lambda make, a, b: (a[0], b[0]),
    "old64": lambda make, a, b: (a[0], b[0]),
    "lo": lambda make, a: a[0],
    "hi": lambda make, a: a[1],
    **{f"cmp64.{op}": _compare(op) for op in ("eq", "ne", "lt.s", "lt.u", "le.s", "le.u")},
}
"""How each operation with a 64-bit operand or result is made of words. A word operand comes as a pair of itself."""
