"""Intervals of values: what a word, taken as a signed number, and an address, taken as an unbounded one, can be.

Known from the launch (thread and block indices, constants) and from operations whose results are small. They decide bound
checks that always hold and prove that narrow address arithmetic reaches the same words as 64-bit arithmetic.
"""

from __future__ import annotations

from engine.machine.instructions import BY_MNEMONIC, signed
from engine.machine.spec import WORD_MASK
from toolchain.ir import WIDE, Node

Interval = tuple[int, int]
FULL: Interval = (-(1 << 31), (1 << 31) - 1)
FULL_WIDE: Interval = (-(1 << 63), (1 << 64) - 1)
MAX_STEP_BYTES = 1 << 13
MAX_ITERATION_BYTES = 1 << 32
"""How far a pointer that moves by at most `MAX_STEP_BYTES` an iteration gets from its start: 2^19 iterations at that step, 2^30
at 4 bytes. An iteration costs at least two tokens (a block, and the pointer's new value), and a launch has a million."""
MAX_DEPTH = 60
ENUMERATED = frozenset({"add", "sub", "mul", "mad", "and", "xor", "shl", "shr", "sar", "mulhi.u", "mulhi.s"})
MAX_ENUMERATED, MAX_ENUMERATED_DEPTH = 256, 6
"""How many values of one source are tried, and how far it may be."""


class Ranges:
    """Intervals of nodes for a launch of `threads` threads a block on `grid`; memoised until `forget`.

    counters: what is known of phis for good
    """

    def __init__(self, threads: int, grid: tuple[int, int, int]) -> None:
        self.threads, self.grid = threads, grid
        self.counters: dict[Node, Interval] = {}
        self._known: dict[Node, Interval] = {}
        self._busy: set[Node] = set()

    def forget(self) -> None:
        """Drop what is known: the graph has changed."""
        self._known.clear()

    def unsigned(self, node: Node) -> Interval:
        """The interval of a word taken as an unsigned number."""
        low, high = self.of(node)
        if low >= 0:
            return low, high
        return (low & WORD_MASK, high & WORD_MASK) if high < 0 else (0, WORD_MASK)

    def of(self, node: Node) -> Interval:
        """The interval of a word taken as a signed number; of a wide value as a number that never wraps."""
        full = FULL_WIDE if node.width == WIDE else FULL
        if node in self._known:
            return self._known[node]
        if node in self._busy or len(self._busy) > MAX_DEPTH:
            return full
        self._busy.add(node)
        found = self._wide(node) if node.width == WIDE else self._word(node)
        self._busy.discard(node)
        if not (full[0] <= found[0] and found[1] <= full[1]):
            found = full
        self._known[node] = found  # inside a cycle it may be wider than need be, never too narrow
        return found

    def _word(self, node: Node) -> Interval:
        args = node.args
        match node.op:
            case "const":
                return signed(node.attr), signed(node.attr)
            case "tid":
                return 0, self.threads - 1
            case "cta":
                return 0, self.grid[node.attr] - 1
            case "load":
                bits = 8 * node.attr.bytes
                if bits == 32:
                    return FULL
                return (-(1 << bits - 1), (1 << bits - 1) - 1) if node.attr.signed else (0, (1 << bits) - 1)
            case "add":
                return self._sum(self.of(args[0]), self.of(args[1]))
            case "sub":
                low, high = self.of(args[1])
                found = self._sum(self.of(args[0]), (-high, -low))
                return found if found[0] >= 0 else self._enumerated(node) or found
            case "mul":
                return _product(self.of(args[0]), self.of(args[1]))
            case "mad":
                product = _product(self.of(args[0]), self.of(args[1]))
                inside = FULL[0] <= product[0] and product[1] <= FULL[1]
                return self._sum(product, self.of(args[2])) if inside else FULL
            case "and":
                highs = [high for low, high in map(self.of, args) if low >= 0]
                return (0, min(highs)) if highs else FULL
            case "or" | "xor":
                intervals = [self.of(arg) for arg in args]
                if all(low >= 0 for low, _ in intervals):
                    return 0, (1 << max(high.bit_length() for _, high in intervals)) - 1
                return FULL
            case "shr" if args[1].is_const and args[1].attr < 32:
                low, high = self.unsigned(args[0])
                low, high = low >> args[1].attr, high >> args[1].attr
                return (low, high) if high <= FULL[1] else FULL
            case "shr" if self.of(args[0])[0] >= 0:
                return 0, self.of(args[0])[1]
            case "sar":
                low, high = self.of(args[0])
                if args[1].is_const:
                    return low >> min(args[1].attr, 31), high >> min(args[1].attr, 31)
                return min(low, 0), high if high >= 0 else -1
            case "min.s":
                (a, b), (c, d) = self.of(args[0]), self.of(args[1])
                return min(a, c), min(b, d)
            case "max.s":
                (a, b), (c, d) = self.of(args[0]), self.of(args[1])
                return max(a, c), max(b, d)
            case "min.u":
                highs = [self.unsigned(arg)[1] for arg in args]
                return (0, min(highs)) if min(highs) <= FULL[1] else FULL
            case "clz" | "popc":
                return 0, 32
            case "div.u":
                high = self.unsigned(args[0])[1]
                low_b = max(1, self.unsigned(args[1])[0])
                zero = self.unsigned(args[1])[0] == 0
                return (0, high // low_b) if not zero and high // low_b <= FULL[1] else FULL
            case "rem.u":
                (_, high), (low_b, high_b) = self.unsigned(args[0]), self.unsigned(args[1])
                top = min(high, high_b - 1) if low_b > 0 else high
                return (0, top) if top <= FULL[1] else FULL
            case "rem.s" if args[1].is_const and args[1].attr:
                size = abs(signed(args[1].attr)) - 1
                low, high = self.of(args[0])
                return (-size if low < 0 else 0), (size if high > 0 else 0)
            case "mulhi.u":
                top = self.unsigned(args[0])[1] * self.unsigned(args[1])[1] >> 32
                return (0, top) if top <= FULL[1] else FULL
            case "mulhi.s":
                low, high = _product(self.of(args[0]), self.of(args[1]))
                return low >> 32, high >> 32
            case "selp":
                return _join(self.of(args[0]), self.of(args[1]))
            case "phi" if args:  # one whose operands are still to come can be anything
                return self._phi(node)
        return FULL

    def _enumerated(self, node: Node) -> Interval | None:
        """Of a remainder and the like: a function of one value that can be few things, computed for each."""
        source = _source(node, MAX_ENUMERATED_DEPTH)
        if source is None or source.is_const:
            return None
        low, high = self.of(source)
        if high - low >= MAX_ENUMERATED:
            return None
        results = [signed(_evaluate(node, source, value & WORD_MASK)) for value in range(low, high + 1)]
        return min(results), max(results)

    def _phi(self, node: Node) -> Interval:
        if node in self.counters:
            return self.counters[node]
        found = self.of(node.args[0])
        for arg in node.args[1:]:
            found = _join(found, self.of(arg))
        return found

    def _sum(self, a: Interval, b: Interval) -> Interval:
        low, high = a[0] + b[0], a[1] + b[1]
        return (low, high) if FULL[0] <= low and high <= FULL[1] else FULL

    def _wide(self, node: Node) -> Interval:
        """Of a wide value whose low end is far from 2^63, as an unwrapped number; FULL_WIDE when it may wrap."""
        args = node.args
        match node.op:
            case "const":
                value = node.attr - (1 << WIDE) if node.attr >> WIDE - 1 else node.attr
                return value, value
            case "addr":
                obj, offset = node.attr
                return obj.address + offset, obj.address + offset
            case "ext.s":
                return self.of(args[0])
            case "ext.u":
                return self.unsigned(args[0])
            case "mulw.s":
                return _product(self.of(args[0]), self.of(args[1]))
            case "mulw.u":
                return _product(self.unsigned(args[0]), self.unsigned(args[1]))
            case "add64":
                a, b = self.of(args[0]), self.of(args[1])
                return a[0] + b[0], a[1] + b[1]
            case "sub64":
                a, b = self.of(args[0]), self.of(args[1])
                return a[0] - b[1], a[1] - b[0]
            case "mul64":
                return _product(self.of(args[0]), self.of(args[1]))
            case "sel64":
                return _join(self.of(args[0]), self.of(args[1]))
            case "shr64" if args[1].is_const and self.of(args[0])[0] >= 0:
                low, high = self.of(args[0])
                return low >> args[1].attr, high >> args[1].attr
            case "phi":
                return self._wide_phi(node)
        return FULL_WIDE

    def _wide_phi(self, node: Node) -> Interval:
        """Of a pointer that starts somewhere and moves by constants."""
        found: Interval | None = None
        moving = False
        for arg in node.args:
            if _is_step(arg, node):
                moving = True
            else:
                found = self.of(arg) if found is None else _join(found, self.of(arg))
        if found is None:
            return FULL_WIDE
        return (found[0] - MAX_ITERATION_BYTES, found[1] + MAX_ITERATION_BYTES) if moving else found


def _source(node: Node, depth: int) -> Node | None:
    """The one value, or a constant, that a node is a function of; None where there are several or it is far away."""
    if node.is_const or node.op not in ENUMERATED:
        return node
    if depth == 0:
        return None
    found: Node | None = None
    for arg in node.args:
        source = _source(arg, depth - 1)
        if source is None or not (found is None or found.is_const or source.is_const or _is_same(found, source)):
            return None
        if found is None or found.is_const:
            found = source
    return found


def _is_same(a: Node, b: Node) -> bool:
    return a is b or (a.op == b.op and a.op in ("tid", "cta") and a.attr == b.attr)


def _evaluate(node: Node, source: Node, value: int) -> int:
    """A node's word where its source has some value."""
    if node.is_const:
        return int(node.attr)
    if node.op not in ENUMERATED:
        return value
    a, b, c, *_ = [*(_evaluate(arg, source, value) for arg in node.args), 0, 0]
    return BY_MNEMONIC[node.op].apply(a, b, c, 0)


def _is_step(arg: Node, phi: Node) -> bool:
    """Whether `arg` is the phi itself, moved by a small constant."""
    if arg is phi:
        return True
    if arg.op != "add64" or not arg.args[1].is_const:
        return False
    value = arg.args[1].attr - (1 << WIDE) if arg.args[1].attr >> WIDE - 1 else arg.args[1].attr
    return abs(value) <= MAX_STEP_BYTES and _is_step(arg.args[0], phi)


def _product(a: Interval, b: Interval) -> Interval:
    corners = [x * y for x in a for y in b]
    return min(corners), max(corners)


def _join(a: Interval, b: Interval) -> Interval:
    return min(a[0], b[0]), max(a[1], b[1])
