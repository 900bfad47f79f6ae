"""Constant folding and algebraic simplification, one node at a time.

What is folded are values derived from the launch (its scalars, grid, block, array sizes) and from literals; the content of
arrays is never read, so no kernel is computed here. `simplify` returns a constant, one of the operands, or the node itself,
possibly rewritten in place.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.machine.instructions import BY_MNEMONIC, signed
from engine.machine.spec import WORD_BITS, WORD_MASK
from toolchain.ir import PREDICATE, WIDE, WORD, Block, Graph, Node, const, remove_edge, remove_unreachable, substitute
from toolchain.ranges import Ranges

WIDE_MASK = (1 << WIDE) - 1

INVERSE = {
    "setp.eq": ("setp.ne", False),
    "setp.ne": ("setp.eq", False),
    "setp.lt.s": ("setp.le.s", True),
    "setp.lt.u": ("setp.le.u", True),
    "setp.le.s": ("setp.lt.s", True),
    "setp.le.u": ("setp.lt.u", True),
}
"""The opposite of a comparison, and whether its operands change places."""

COMMUTATIVE = frozenset(
    {
        "add",
        "mul",
        "and",
        "or",
        "xor",
        "min.s",
        "min.u",
        "max.s",
        "max.u",
        "setp.eq",
        "setp.ne",
        "add64",
        "mul64",
        "mulw.s",
        "mulw.u",
        "mulhi.s",
        "mulhi.u",
        "pand",
        "por",
        "pxor",
        "cmp64.eq",
        "cmp64.ne",
    }
)


def signed64(value: int) -> int:
    """The two's complement value of a 64-bit word."""
    return value - (1 << WIDE) if value >> WIDE - 1 else value


def _shift64(value: int, amount: int, left: bool) -> int:
    if amount >= WIDE:
        return 0
    return value << amount if left else value >> amount


def _quotient(a: int, b: int, bits: int) -> int:
    """Truncating division as on silicon: by zero gives all ones."""
    if b == 0:
        return (1 << bits) - 1
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _remainder(a: int, b: int) -> int:
    return a if b == 0 else a - b * _quotient(a, b, WIDE)


WIDE_EVALUATION: dict[str, Callable[..., int]] = {
    "add64": lambda a, b: a + b,
    "sub64": lambda a, b: a - b,
    "mul64": lambda a, b: a * b,
    "shl64": lambda a, b: _shift64(a, b, True),
    "shr64": lambda a, b: _shift64(a, b, False),
    "sar64": lambda a, b: signed64(a) >> min(b, WIDE - 1),
    "ext.s": lambda a: signed(a),
    "ext.u": lambda a: a,
    "mulw.s": lambda a, b: signed(a) * signed(b),
    "mulw.u": lambda a, b: a * b,
    "pack": lambda a, b: a | b << WORD_BITS,
    "lo": lambda a: a,
    "hi": lambda a: a >> WORD_BITS,
    "sel64": lambda a, b, p: a if p else b,
    "cmp64.eq": lambda a, b: a == b,
    "cmp64.ne": lambda a, b: a != b,
    "cmp64.lt.s": lambda a, b: signed64(a) < signed64(b),
    "cmp64.lt.u": lambda a, b: a < b,
    "cmp64.le.s": lambda a, b: signed64(a) <= signed64(b),
    "cmp64.le.u": lambda a, b: a <= b,
    "pand": lambda a, b: a & b,
    "por": lambda a, b: a | b,
    "pxor": lambda a, b: a ^ b,
    "pnot": lambda a: 1 - a,
    "div.u": lambda a, b: _quotient(a, b, WORD),
    "div.s": lambda a, b: _quotient(signed(a), signed(b), WORD),
    "rem.u": _remainder,
    "rem.s": lambda a, b: _remainder(signed(a), signed(b)),
    "div64.u": lambda a, b: _quotient(a, b, WIDE),
    "div64.s": lambda a, b: _quotient(signed64(a), signed64(b), WIDE),
    "rem64.u": _remainder,
    "rem64.s": lambda a, b: _remainder(signed64(a), signed64(b)),
}
"""What the operations that the machine does not have alone give on constants."""

PURE = frozenset(BY_MNEMONIC) | frozenset(WIDE_EVALUATION)
"""Operations without effects. A phi is pure too, but bound to its block."""


def is_pure(node: Node) -> bool:
    """Whether a node is a function of its operands alone, so that it may be merged, moved to its reader and dropped."""
    return node.op in PURE or (node.op == "load" and node.attr.constant)


def evaluate(op: str, values: list[int], width: int) -> int:
    """The result of an operation on constants."""
    if op in WIDE_EVALUATION:
        return int(WIDE_EVALUATION[op](*values)) & (1 << width) - 1
    entry = BY_MNEMONIC[op]
    named = dict(zip(entry.operands, values, strict=True))
    return entry.apply(named.get("a", 0), named.get("b", 0), named.get("c", 0), named.get("p", 0))


def simplify(node: Node, ranges: Ranges) -> Node:
    """The node in its simplest form."""
    if node.op == "phi":
        others = {id(a): a for a in node.args if a is not node}
        return next(iter(others.values())) if len(others) == 1 else _same_constant(node)
    if node.op not in PURE:
        return node
    if all(arg.is_const for arg in node.args):
        return const(evaluate(node.op, [arg.attr for arg in node.args], node.width), node.width)
    if node.op in COMMUTATIVE and node.args[0].is_const:
        node.args[:2] = node.args[1], node.args[0]
    rule = RULES.get(node.op)
    result = rule(node, ranges) if rule else node
    if result is node and node.width == PREDICATE and node.op.startswith("setp"):
        return _decided(node, ranges)
    return result


def _same_constant(node: Node) -> Node:
    first = next((a for a in node.args if a is not node), node)
    if first.is_const and all(a is node or (a.is_const and a.attr == first.attr) for a in node.args):
        return first
    return node


def _value(node: Node) -> int | None:
    return node.attr if node.is_const else None


def _rewrite(node: Node, op: str, *args: Node) -> Node:
    node.op, node.args = op, list(args)
    return node


def _add(node: Node, ranges: Ranges) -> Node:
    a, b = node.args
    if _value(b) == 0:
        return a
    if b.is_const and a.op == "add" and a.args[1].is_const:
        return _rewrite(node, "add", a.args[0], const(a.args[1].attr + b.attr))
    return _disjoint_sum(node, ranges)


def _disjoint_sum(node: Node, ranges: Ranges) -> Node:
    """Sums of words that share no bit, one of which is changed by an xor with a constant: the xor does it all."""
    for a, b in (node.args, node.args[::-1]):
        if a.op != "xor" or not a.args[1].is_const:
            continue
        inner, change = a.args[0], a.args[1].attr
        low, high = ranges.of(a)
        if b.is_const and low >= 0 and b.attr & ((1 << high.bit_length()) - 1) == 0:
            return _rewrite(node, "xor", inner, const(change ^ b.attr))
        if inner.op == b.op == "and" and _is_same(inner.args[0], b.args[0]) and inner.args[1].is_const and b.args[1].is_const:
            kept, rest = inner.args[1].attr, b.args[1].attr
            if kept ^ rest == WORD_MASK and change & rest == 0:
                return _rewrite(node, "xor", b.args[0], const(change))
    return node


def _is_same(a: Node, b: Node) -> bool:
    return a is b or a.op == b.op == "tid"


def _sub(node: Node, ranges: Ranges) -> Node:
    a, b = node.args
    if a is b:
        return const(0)
    if b.is_const:
        return _add(_rewrite(node, "add", a, const(-b.attr)), ranges)
    return node


def _mul(node: Node, ranges: Ranges) -> Node:
    a, b = node.args
    if _value(b) == 0:
        return b
    if _value(b) == 1:
        return a
    if b.is_const and a.op == "mul" and a.args[1].is_const:
        return _rewrite(node, "mul", a.args[0], const(a.args[1].attr * b.attr))
    return node


def _mad(node: Node, ranges: Ranges) -> Node:
    a, b, c = node.args
    if a.is_const and not b.is_const:
        a, b = b, a
        node.args = [a, b, c]
    if a.is_const and b.is_const:
        return _add(_rewrite(node, "add", c, const(a.attr * b.attr)), ranges)
    if _value(b) == 0:
        return c
    if _value(b) == 1:
        return simplify(_rewrite(node, "add", a, c), ranges)
    return _mul(_rewrite(node, "mul", a, b), ranges) if _value(c) == 0 else node


def _and(node: Node, ranges: Ranges) -> Node:
    a, b = node.args
    if a is b:
        return a
    mask = _value(b)
    if mask is None:
        return node
    if a.op == "and" and a.args[1].is_const:
        return _and(_rewrite(node, "and", a.args[0], const(a.args[1].attr & mask)), ranges)
    if mask == 0:
        return const(0)
    low, high = ranges.of(a)
    covered = (1 << high.bit_length()) - 1
    if mask == WORD_MASK or (low >= 0 and covered & ~mask == 0):
        return a
    return node


def _or(node: Node, ranges: Ranges) -> Node:
    a, b = node.args
    if a is b or _value(b) == 0:
        return a
    return b if _value(b) == WORD_MASK else node


def _xor(node: Node, ranges: Ranges) -> Node:
    a, b = node.args
    if a is b:
        return const(0)
    if _value(b) == 0:
        return a
    return _rewrite(node, "not", a) if _value(b) == WORD_MASK else node


def _not(node: Node, ranges: Ranges) -> Node:
    return node.args[0].args[0] if node.args[0].op == "not" else node


def _shl(node: Node, ranges: Ranges) -> Node:
    a, amount = node.args[0], _value(node.args[1])
    if amount is None:
        return node
    if amount >= WORD_BITS:
        return const(0)
    return _mul(_rewrite(node, "mul", a, const(1 << amount)), ranges)


def _shr(node: Node, ranges: Ranges) -> Node:
    a, amount = node.args[0], _value(node.args[1])
    if amount == 0:
        return a
    low, high = ranges.of(a)
    if amount is not None and low >= 0 and high >> min(amount, WORD_BITS) == 0:
        return const(0)
    if node.op == "shr" and amount is not None and amount >= WORD_BITS:
        return const(0)
    if node.op == "sar" and low >= 0:
        return _rewrite(node, "shr", a, const(min(amount, 32)) if amount is not None else node.args[1])
    if amount is not None and a.op == node.op and a.args[1].is_const and a.args[1].attr + amount < WORD_BITS:
        return _rewrite(node, node.op, a.args[0], const(a.args[1].attr + amount))
    return node


def _extreme(node: Node, ranges: Ranges) -> Node:
    """min and max whose operands' ranges do not overlap."""
    a, b = node.args
    if a is b:
        return a
    (low_a, high_a), (low_b, high_b) = ranges.of(a), ranges.of(b)
    if node.op.endswith(".u") and (low_a < 0 or low_b < 0):
        return node
    if high_a <= low_b:
        return a if node.op.startswith("min") else b
    if high_b <= low_a:
        return b if node.op.startswith("min") else a
    return node


def _selp(node: Node, ranges: Ranges) -> Node:
    a, b, p = node.args
    if a is b or (a.is_const and b.is_const and a.attr == b.attr):
        return a
    if p.is_const:
        return a if p.attr else b
    if p.op == "pnot":
        return _rewrite(node, node.op, b, a, p.args[0])
    return node


def _carry(node: Node, ranges: Ranges) -> Node:
    """addp and subp with a predicate that is known."""
    a, b, p = node.args
    if not p.is_const:
        return node
    if p.attr == 0:
        return simplify(_rewrite(node, "add" if node.op == "addp" else "sub", a, b), ranges)
    if b.is_const:
        amount = b.attr + 1 if node.op == "addp" else -b.attr - 1
        return _add(_rewrite(node, "add", a, const(amount)), ranges)
    return node


def _pnot(node: Node, ranges: Ranges) -> Node:
    p = node.args[0]
    if p.op == "pnot":
        return p.args[0]
    if p.op in INVERSE:
        op, swapped = INVERSE[p.op]
        return _decided(_rewrite(node, op, *(reversed(p.args) if swapped else p.args)), ranges)
    return node


def _pand(node: Node, ranges: Ranges) -> Node:
    a, b = node.args
    if a is b:
        return a
    if b.is_const:
        return a if b.attr else b
    both = _bounds(a, b)
    return node if both is None else _decided(_rewrite(node, "setp.lt.u", *both), ranges)


def _bounds(a: Node, b: Node) -> tuple[Node, Node] | None:
    """(x, limit) when a and b together say 0 <= x < limit with a constant limit that is no negative number."""
    for lower, upper in ((a, b), (b, a)):
        x = _at_least_zero(lower)
        if x is None:
            continue
        if upper.op == "setp.lt.s" and upper.args[0] is x and upper.args[1].is_const and signed(upper.args[1].attr) >= 0:
            return x, upper.args[1]
        if (
            upper.op == "setp.le.s"
            and upper.args[0] is x
            and upper.args[1].is_const
            and 0 <= signed(upper.args[1].attr) < 2**31 - 1
        ):
            return x, const(upper.args[1].attr + 1)
    return None


def _at_least_zero(p: Node) -> Node | None:
    """x when the predicate says 0 <= x."""
    if p.op == "setp.le.s" and _value(p.args[0]) == 0:
        return p.args[1]
    if p.op == "setp.lt.s" and _value(p.args[0]) == WORD_MASK:
        return p.args[1]
    return None


def _por(node: Node, ranges: Ranges) -> Node:
    a, b = node.args
    if a is b:
        return a
    if b.is_const:
        return b if b.attr else a
    if a.op in INVERSE and b.op in INVERSE:
        inside = _bounds(*(_pnot(Node("pnot", [Node(p.op, list(p.args), PREDICATE)], PREDICATE), ranges) for p in (a, b)))
        if inside is not None:
            return _decided(_rewrite(node, "setp.le.u", inside[1], inside[0]), ranges)
    return node


def _pxor(node: Node, ranges: Ranges) -> Node:
    a, b = node.args
    if b.is_const:
        return _pnot(_rewrite(node, "pnot", a), ranges) if b.attr else a
    return const(0, PREDICATE) if a is b else node


def _equal(node: Node, ranges: Ranges) -> Node:
    """Comparisons of a predicate's word, of a sum with a constant, of a value with itself."""
    a, b = node.args
    if a is b:
        return const(int(node.op == "setp.eq"), PREDICATE)
    value = _value(b)
    if value is not None and a.op == "selp" and a.args[0].is_const and a.args[1].is_const:
        hits = [int(arm.attr == value) ^ (node.op == "setp.ne") for arm in a.args[:2]]
        if hits[0] == hits[1]:
            return const(hits[0], PREDICATE)
        return a.args[2] if hits[0] else _pnot(_rewrite(node, "pnot", a.args[2]), ranges)
    if value is not None and a.op == "add" and a.args[1].is_const:
        return _equal(_rewrite(node, node.op, a.args[0], const(value - a.args[1].attr)), ranges)
    return node


def _order(node: Node, ranges: Ranges) -> Node:
    if node.args[0] is node.args[1]:
        return const(int(".le" in node.op), PREDICATE)
    return node


def _decided(node: Node, ranges: Ranges) -> Node:
    """A comparison that the operands' ranges decide."""
    if node.op not in INVERSE:
        return node
    (low_a, high_a), (low_b, high_b) = ranges.of(node.args[0]), ranges.of(node.args[1])
    if node.op.endswith(".u"):
        a, b = ranges.unsigned(node.args[0]), ranges.unsigned(node.args[1])
        (low_a, high_a), (low_b, high_b) = a, b
    if node.op in ("setp.eq", "setp.ne"):
        if high_a < low_b or high_b < low_a:
            return const(int(node.op == "setp.ne"), PREDICATE)
        return node
    strict = ".lt" in node.op
    if high_a < low_b or (not strict and high_a <= low_b):
        return const(1, PREDICATE)
    if low_a > high_b or (strict and low_a >= high_b):
        return const(0, PREDICATE)
    return node


def _add64(node: Node, ranges: Ranges) -> Node:
    a, b = node.args
    if a.op == "addr" and b.op != "addr":
        a, b = b, a
    if a.is_const:
        a, b = b, a
    node.args = [a, b]
    if _value(b) == 0:
        return a
    if b.is_const and a.op == "addr":
        obj, offset = a.attr
        return Node("addr", [], WIDE, (obj, offset + signed64(b.attr)), node.line)
    if b.is_const and a.op == "add64" and a.args[1].is_const:
        return _add64(_rewrite(node, "add64", a.args[0], const(a.args[1].attr + b.attr, WIDE)), ranges)
    if b.is_const and a.op == "add64" and a.args[1].op == "addr":
        obj, offset = a.args[1].attr
        moved = Node("addr", [], WIDE, (obj, offset + signed64(b.attr)), node.line)
        return _rewrite(node, "add64", a.args[0], moved)
    if b.op == "addr" and a.op == "add64" and a.args[1].is_const:
        obj, offset = b.attr
        moved = Node("addr", [], WIDE, (obj, offset + signed64(a.args[1].attr)), node.line)
        return _rewrite(node, "add64", a.args[0], moved)
    return node


def _sub64(node: Node, ranges: Ranges) -> Node:
    a, b = node.args
    if a is b:
        return const(0, WIDE)
    if b.is_const:
        return _add64(_rewrite(node, "add64", a, const(-b.attr, WIDE)), ranges)
    return node


def _mul64(node: Node, ranges: Ranges) -> Node:
    a, b = node.args
    if _value(b) == 0:
        return b
    return a if _value(b) == 1 else node


def _shift_wide(node: Node, ranges: Ranges) -> Node:
    a, amount = node.args[0], _value(node.args[1])
    if amount == 0:
        return a
    if node.op == "shl64" and amount is not None:
        return const(0, WIDE) if amount >= WIDE else _rewrite(node, "mul64", a, const(1 << amount, WIDE))
    return node


def _extend(node: Node, ranges: Ranges) -> Node:
    if node.op == "ext.s" and ranges.of(node.args[0])[0] >= 0:
        node.op = "ext.u"
    return node


def _product(node: Node, ranges: Ranges) -> Node:
    """mulw with the constant 1 or 0."""
    if _value(node.args[1]) == 0:
        return const(0, WIDE)
    if _value(node.args[1]) == 1:
        return _extend(_rewrite(node, "ext" + node.op[4:], node.args[0]), ranges)
    if node.op == "mulw.s" and all(ranges.of(arg)[0] >= 0 for arg in node.args):
        node.op = "mulw.u"
    return node


def _lo(node: Node, ranges: Ranges) -> Node:
    a = node.args[0]
    if a.op in ("ext.s", "ext.u", "pack"):
        return a.args[0]
    if a.op == "shr64" and _value(a.args[1]) == WORD_BITS:
        return _hi(_rewrite(node, "hi", a.args[0]), ranges)
    return node


def _hi(node: Node, ranges: Ranges) -> Node:
    a = node.args[0]
    if a.op == "pack":
        return a.args[1]
    if a.op == "ext.u":
        return const(0)
    return _shr(_rewrite(node, "sar", a.args[0], const(WORD_BITS - 1)), ranges) if a.op == "ext.s" else node


def _divide(node: Node, ranges: Ranges) -> Node:
    """Division by 1 and of nonnegative numbers; other constant divisors are the division pass's."""
    a, b = node.args
    if _value(b) == 1:
        return a if node.op.startswith("div") else const(0, node.width)
    if node.op.endswith(".s") and node.width == WORD and ranges.of(a)[0] >= 0 and ranges.of(b)[0] >= 0:
        node.op = node.op[:-1] + "u"
    if node.op in ("div.u", "rem.u"):
        (_, high), (low, _) = ranges.unsigned(a), ranges.unsigned(b)
        if high < low:
            return const(0) if node.op == "div.u" else a
    return node


RULES: dict[str, Callable[[Node, Ranges], Node]] = {
    "add": _add, "sub": _sub, "mul": _mul, "mad": _mad, "and": _and, "or": _or, "xor": _xor, "not": _not, "shl": _shl,
    "shr": _shr, "sar": _shr, "min.s": _extreme, "min.u": _extreme, "max.s": _extreme, "max.u": _extreme, "selp": _selp,
    "sel64": _selp, "addp": _carry, "subp": _carry, "pnot": _pnot, "pand": _pand, "por": _por, "pxor": _pxor,
    "setp.eq": _equal, "setp.ne": _equal, "setp.lt.s": _order, "setp.lt.u": _order, "setp.le.s": _order, "setp.le.u": _order,
    "add64": _add64, "sub64": _sub64, "mul64": _mul64, "shl64": _shift_wide, "shr64": _shift_wide, "sar64": _shift_wide,
    "ext.s": _extend, "ext.u": _extend, "mulw.s": _product, "mulw.u": _product, "lo": _lo, "hi": _hi, "div.s": _divide,
    "div.u": _divide, "rem.s": _divide, "rem.u": _divide, "div64.s": _divide, "div64.u": _divide, "rem64.s": _divide,
    "rem64.u": _divide,
}  # fmt: skip


def fold(graph: Graph, ranges: Ranges) -> None:
    """Simplify every node and every branch until nothing changes; unreachable blocks go."""
    changed = True
    while changed:
        changed = False
        ranges.forget()
        mapping: dict[Node, Node] = {}
        for block in graph.blocks:
            for node in block.nodes:
                before = (node.op, tuple(map(id, node.args)))
                node.args = [_follow(mapping, arg) for arg in node.args]
                simpler = simplify(node, ranges)
                if simpler is not node:
                    mapping[node] = simpler
                changed |= simpler is not node or before != (node.op, tuple(map(id, node.args)))
        substitute(graph, mapping)
        changed |= _fold_branches(graph)


def _follow(mapping: dict[Node, Node], node: Node) -> Node:
    while node in mapping:
        node = mapping[node]
    return node


def _brings_the_same(block: Block, target: Block) -> bool:
    """Whether a target's phis take the same from both ways of a branch."""
    ways = [number for number, pred in enumerate(target.preds) if pred is block]
    return all(len({_identity(phi.args[number]) for number in ways}) == 1 for phi in target.phis)


def _identity(node: Node) -> object:
    return (node.width, node.attr) if node.is_const else node


def _fold_branches(graph: Graph) -> bool:
    changed = False
    for block in graph.blocks:
        if block.kind != "branch":
            continue
        taken, other = block.targets
        condition = block.condition
        assert condition is not None
        if condition.op == "pnot":
            block.condition, block.targets = condition.args[0], [other, taken]
            changed = True
        elif condition.is_const or (taken is other and _brings_the_same(block, taken)):
            keep, drop = (taken, other) if not condition.is_const or condition.attr else (other, taken)
            remove_edge(block, drop)
            block.kind, block.condition, block.targets = "jump", None, [keep]
            changed = True
    if changed:
        remove_unreachable(graph)
    return changed
