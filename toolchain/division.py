"""Division and remainder without a divider.

By a constant: a multiplication with a reciprocal (Granlund and Montgomery, "Division by Invariant Integers using
Multiplication", 1994). By a variable: shift and subtract, from the first bit that the quotient can have. By zero as on
silicon: the quotient is all ones, the remainder the dividend; the most negative number divided by -1 is itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.machine.instructions import signed
from toolchain.fold import simplify
from toolchain.ir import (
    PREDICATE,
    WIDE,
    WORD,
    Block,
    Builder,
    Graph,
    Node,
    branch,
    const,
    insert_before,
    split_after,
    substitute,
)
from toolchain.ranges import Ranges

DIVISIONS = ("div.u", "rem.u", "div.s", "rem.s", "div64.u", "rem64.u", "div64.s", "rem64.s")


HIGH_PRODUCTS = ("mulhi.u", "mulhi.s")
"""How compilers write a division by a constant."""
MAX_TRIED = 512
"""Numbers below are tried one by one."""


def expand_divisions(graph: Graph, ranges: Ranges) -> None:
    """Replace every division and remainder, and what compilers have made of those by constants where less will do."""
    _share_quotients(graph)
    for block in list(graph.blocks):
        current = block
        for node in list(block.nodes):
            if node.op not in (*DIVISIONS, *HIGH_PRODUCTS) or node not in current.nodes:
                continue
            ranges.forget()
            build = Builder(node.line, lambda fresh: simplify(fresh, ranges))
            a, b = node.args
            if node.op in HIGH_PRODUCTS:
                small = _small_factor(node.op, b, *ranges.of(a))
                if small is not None:
                    result = build.make("shr", build.make("mul", a, small[0]), small[1])
                    insert_before(current, node, build.nodes)
                    substitute(graph, {node: result})
                continue
            if b.is_const and b.attr and node.width == WORD:
                result = _by_constant(build, node.op, a, b.attr, ranges)
                insert_before(current, node, build.nodes)
                substitute(graph, {node: result})
            else:
                current = _by_variable(graph, current, node, ranges)


def _share_quotients(graph: Graph) -> None:
    """Where quotient and remainder of the same operands are computed, the remainder follows from the quotient."""
    for block in graph.blocks:
        quotients = {(n.op, *n.args): n for n in block.nodes if n.op in DIVISIONS and n.op.startswith("div")}
        for node in list(block.nodes):
            key = (node.op.replace("rem", "div"), *node.args)
            quotient = quotients.get(key) if node.op.startswith("rem") and node.op in DIVISIONS else None
            if quotient is None or (node.args[1].is_const and not node.args[1].attr):
                continue
            if block.nodes.index(quotient) > block.nodes.index(node):
                block.nodes.remove(quotient)
                block.nodes.insert(block.nodes.index(node), quotient)
            wide = "64" if node.width == WIDE else ""
            product = Node(f"mul{wide}", [quotient, node.args[1]], node.width, None, node.line)
            rest = Node(f"sub{wide}", [node.args[0], product], node.width, None, node.line)
            insert_before(block, node, [product, rest])
            substitute(graph, {node: rest})  # by zero too: all ones times zero is zero, which leaves the dividend


# ---------------------------------------------------------------- constant divisors
def _by_constant(build: Builder, op: str, a: Node, divisor: int, ranges: Ranges) -> Node:
    quotient = (
        _unsigned_constant(build, a, divisor, ranges) if op.endswith(".u") else _signed_constant(build, a, signed(divisor))
    )
    if op.startswith("div"):
        return quotient
    if op == "rem.u" and divisor & divisor - 1 == 0:
        return build.make("and", a, divisor - 1)
    return build.make("sub", a, build.make("mul", quotient, divisor))


def _unsigned_constant(build: Builder, a: Node, divisor: int, ranges: Ranges) -> Node:
    high = ranges.unsigned(a)[1]
    if divisor & divisor - 1 == 0:
        return build.make("shr", a, divisor.bit_length() - 1)
    small = _small_reciprocal(high, divisor)
    if small is not None:
        return build.make("shr", build.make("mul", a, small[0]), small[1])
    length = (divisor - 1).bit_length()
    factor = -(-(1 << 32 + length) // divisor)
    if factor < 1 << 32:
        return build.make("shr", build.make("mulhi.u", a, factor), length)
    top = build.make("mulhi.u", a, factor - (1 << 32))
    half = build.make("shr", build.make("sub", a, top), 1)
    return build.make("shr", build.make("add", half, top), length - 1)


def _small_reciprocal(high: int, divisor: int) -> tuple[int, int] | None:
    """(factor, shift) with a * factor >> shift == a // divisor for 0 <= a <= high, all products within a word."""
    for shift in range(32):
        factor = -(-(1 << shift) // divisor)
        excess = factor * divisor - (1 << shift)
        if high * factor >= 1 << 32:
            return None
        if excess * high < 1 << shift and excess * (high // divisor * divisor + divisor - 1) < 1 << shift:
            return factor, shift
    return None


def _small_factor(op: str, factor: Node, low: int, high: int) -> tuple[int, int] | None:
    """(factor, shift) that give the high word of a product of a small number, with all products within a signed word."""
    if not factor.is_const or low < 0 or high >= MAX_TRIED or (op == "mulhi.s" and factor.attr >> 31):
        return None
    for shift in range(1, 32):
        short = (factor.attr >> 32 - shift) + 1
        if high * short >> 31:
            return None
        if all(x * short >> shift == x * factor.attr >> 32 for x in range(high + 1)):
            return short, shift
    return None


def _signed_constant(build: Builder, a: Node, divisor: int) -> Node:
    size = abs(divisor)
    if size & size - 1 == 0:
        shift = size.bit_length() - 1
        bias = build.make("shr", build.make("sar", a, 31), 32 - shift) if shift else const(0)
        quotient = build.make("sar", build.make("add", a, bias), shift)
    else:
        length = size.bit_length() - 1
        factor = (1 << 32 + length) // size + 1
        top = build.make("mulhi.s", a, factor)
        if factor >= 1 << 31:
            top = build.make("add", top, a)
        shifted = build.make("sar", top, length)
        quotient = build.make("sub", shifted, build.make("sar", a, 31))
    return quotient if divisor > 0 else build.make("sub", 0, quotient)


# ---------------------------------------------------------------- variable divisors
@dataclass(frozen=True, slots=True)
class _Arithmetic:
    """The operations of one width that shift and subtract needs."""

    build: Builder
    width: int

    def zero(self) -> Node:
        return const(0, self.width)

    def sub(self, a: Node, b: Node) -> Node:
        return self.build.make("sub64" if self.width == WIDE else "sub", a, b, width=self.width)

    def compare(self, relation: str, a: Node, b: Node) -> Node:
        prefix = "cmp64" if self.width == WIDE else "setp"
        return self.build.make(f"{prefix}.{relation}", a, b, width=PREDICATE)

    def select(self, a: Node, b: Node, p: Node) -> Node:
        return self.build.make("sel64" if self.width == WIDE else "selp", a, b, p, width=self.width)

    def leading_zeros(self, a: Node) -> Node:
        """Of a wide number."""
        make = self.build.make
        low, high = make("lo", a), make("hi", a)
        empty = make("setp.eq", high, 0, width=PREDICATE)
        return make("selp", make("add", make("clz", low), 32), make("clz", high), empty)

    def negative(self, a: Node) -> Node:
        top = self.build.make("hi", a) if self.width == WIDE else a
        return self.build.make("setp.lt.s", top, 0, width=PREDICATE)

    def magnitude(self, a: Node) -> Node:
        """|a| as an unsigned number, which fits for the most negative one too."""
        negated = self.sub(self.zero(), a)
        if self.width == WORD:  # the most negative number is its own negative, so that it stays
            return self.build.make("max.s", a, negated)
        return self.select(negated, a, self.negative(a))

    def twice_plus(self, q: Node, p: Node) -> Node:
        """2 q + p of a wide number."""
        make = self.build.make
        low, high = make("lo", q), make("hi", q)
        carry = make("setp.lt.s", low, 0, width=PREDICATE)
        return make("pack", make("addp", low, low, p), make("addp", high, high, carry), width=WIDE)


def _by_variable(graph: Graph, block: Block, node: Node, ranges: Ranges) -> Block:
    """Put the loop of a division in place of `node`; returns the block that now holds what followed it."""
    after = split_after(graph, block, node)
    loop = graph.new_block(block)
    block.nodes.remove(node)

    def builder() -> _Arithmetic:
        return _Arithmetic(Builder(node.line, lambda fresh: simplify(fresh, ranges)), node.width)

    before = builder()
    a, b = node.args
    if node.op.endswith(".s"):
        dividend, divisor = (before.magnitude(x) for x in (a, b))
    else:
        dividend, divisor = a, b
    end = builder()
    shape = _wide_loop if node.width == WIDE else _word_loop
    phis, quotient, rest = shape(builder, before, end, (dividend, divisor), (block, loop, after), node.line)
    result = _finish(end, node, quotient, rest, ranges)
    after.nodes[:0] = [*phis, *end.build.nodes]
    substitute(graph, {node: result})
    return after


def _word_loop(builder: Callable[[], _Arithmetic], before: _Arithmetic, end: _Arithmetic, operands: tuple[Node, Node],
               blocks: tuple[Block, Block, Block], line: int | None) -> tuple[list[Node], Node, Node]:  # fmt: skip
    """(phis behind the loop, quotient, rest). One bit a round: subtract for the last bit, then look at the next one.

    The divisor stays where it begins and is shifted anew: a number of places costs fewer tokens to keep than a word.
    """
    (dividend, divisor), (block, loop, after) = operands, blocks
    make = before.build.make
    places = make("max.s", make("sub", make("clz", divisor), make("clz", dividend)), 0)
    aligned = make("shl", divisor, places)
    first = make("selp", 1, 0, make("setp.le.u", aligned, dividend, width=PREDICATE))
    more = make("setp.ne", aligned, divisor, width=PREDICATE)
    block.nodes += before.build.nodes
    branch(block, more, loop, after, line)

    quotient, rest, place = (Node("phi", [], WORD, None, line) for _ in range(3))
    body = builder()
    make = body.build.make
    # a difference that does not fit wraps to something larger than the rest
    next_rest = make("min.u", rest, make("sub", rest, make("shr", aligned, place)))
    next_place = make("add", place, 1)
    step = make("shr", aligned, next_place)
    next_quotient = make("addp", quotient, quotient, make("setp.le.u", step, next_rest, width=PREDICATE))
    again = make("setp.ne", step, divisor, width=PREDICATE)
    loop.nodes = [quotient, rest, place, *body.build.nodes]
    branch(loop, again, loop, after, line)
    values = {block: (first, dividend, const(0)), loop: (next_quotient, next_rest, next_place)}
    for number, phi in enumerate((quotient, rest, place)):
        phi.args = [values[pred][number] for pred in loop.preds]
    phis = [Node("phi", [values[pred][number] for pred in after.preds], WORD, None, line) for number in range(2)]
    return phis, phis[0], end.build.make("min.u", phis[1], end.build.make("sub", phis[1], divisor))


def _wide_loop(builder: Callable[[], _Arithmetic], before: _Arithmetic, end: _Arithmetic, operands: tuple[Node, Node],
               blocks: tuple[Block, Block, Block], line: int | None) -> tuple[list[Node], Node, Node]:  # fmt: skip
    """(phis behind the loop, quotient, rest): shift and subtract."""
    (dividend, divisor), (block, loop, after) = operands, blocks
    places = before.build.make("sub", before.leading_zeros(divisor), before.leading_zeros(dividend))
    aligned = before.build.make("shl64", divisor, places, width=WIDE)
    reaches = before.compare("le.u", divisor, dividend)
    block.nodes += before.build.nodes
    branch(block, reaches, loop, after, line)

    quotient, rest, step = (Node("phi", [], WIDE, None, line) for _ in range(3))
    body = builder()
    fits = body.compare("le.u", step, rest)
    next_quotient = body.twice_plus(quotient, fits)
    next_rest = body.select(body.sub(rest, step), rest, fits)
    next_step = body.build.make("shr64", step, const(1), width=WIDE)
    again = body.compare("ne", step, divisor)
    loop.nodes = [quotient, rest, step, *body.build.nodes]
    branch(loop, again, loop, after, line)
    values = {block: (before.zero(), dividend, aligned), loop: (next_quotient, next_rest, next_step)}
    for number, phi in enumerate((quotient, rest, step)):
        phi.args = [values[pred][number] for pred in loop.preds]
    phis = [Node("phi", [values[pred][number] for pred in after.preds], WIDE, None, line) for number in range(2)]
    return phis, phis[0], phis[1]


def _finish(end: _Arithmetic, node: Node, quotient: Node, rest: Node, ranges: Ranges) -> Node:
    """Signs, and what a division by zero gives."""
    a, b = node.args
    is_signed = node.op.endswith(".s")
    if node.op.startswith("rem"):
        return end.select(end.sub(end.zero(), rest), rest, end.negative(a)) if is_signed else rest
    if is_signed:
        top = _sign_difference(end, a, b)
        quotient = end.select(end.sub(end.zero(), quotient), quotient, top)
    low, high = ranges.of(b) if node.width == WORD else (0, 0)
    if low <= 0 <= high:
        quotient = end.select(quotient, const(-1, node.width), end.compare("ne", b, end.zero()))
    return quotient


def _sign_difference(end: _Arithmetic, a: Node, b: Node) -> Node:
    """Whether exactly one of two numbers is negative."""
    make = end.build.make
    tops = [make("hi", x) if end.width == WIDE else x for x in (a, b)]
    return make("setp.lt.s", make("xor", *tops), 0, width=PREDICATE)
