"""From 64-bit byte addresses to 32-bit word addresses, without changing which accesses are in bounds.

The machine addresses words with 32 bits and checks that the word carries the array's tag. CUDA computes addresses with 64
bits, so an index that is far out of bounds must not come back into the array when the upper bits are dropped. Let t be the
true word address as an unbounded number and W the number of words. The low 32 bits of t name a word of memory only if
t = r + k 2^32 with 0 <= r < W; if t is known to lie in (W - 2^32, 2^32), then k = 0, and dropping the bits is exact. Three
cases:

* The interval of the address (`ranges`) lies in there: drop the bits. So does every `array[i]` with a 32-bit i and elements of
  4 bytes.
* The address is one 32-bit index times an element size plus constants: clamp the index, unsigned, to a number that is far
  beyond every array; a negative index becomes the clamp too. One operation.
* Otherwise: compute all 64 bits, and use an address that no memory has where the upper 32 are not zero.

The same holds for byte addresses with 4 W. An address must be a multiple of the access's size; where that is not known, a
wrong one becomes an address that no memory has. Where an array's last word is only partly its own, accesses are compared with
its size.

A thread's local variables are interleaved: slot s of thread i is word base + s * threads + i, so that the same slot of four
lanes is one line. A pointer that may point there or elsewhere is told apart by its value when it is used.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.machine.spec import BYTES_PER_WORD, MachineSpec
from toolchain.fold import PURE, simplify
from toolchain.ir import PREDICATE, WIDE, WORD, Block, Builder, Graph, MemoryAccess, Node, const, insert_before, substitute
from toolchain.layout import MemoryObject
from toolchain.ranges import Ranges

INVALID = 0xFFFFFFFF
"""A word address that no memory has."""
CLAMP = 1 << 20
"""An index beyond every array. Times any element size it does not wrap, as `MAX_SCALE` says."""
MAX_SCALE = 1 << 11
MAX_SHIFT = 1 << 20
"""Largest constant index offset that the clamp's proof allows."""
TOP_ALIGNMENT = 1 << 12


def lower_addresses(graph: Graph, ranges: Ranges, spec: MachineSpec) -> None:
    """Give every load, store and atomic a word address and a tag; cut narrow accesses out of words.

    Raises UnsupportedError for a local access through a pointer that comes from no local variable.
    """
    _Lowering(graph, ranges, spec).run()


@dataclass(frozen=True, slots=True)
class _Term:
    """An address as `scale` * index + `offset` bytes, index being a word taken as signed or not."""

    index: Node
    is_signed: bool
    scale: int
    offset: int


class _Lowering:
    """The pass's memory: which pointers have been narrowed, what pointers may point to."""

    def __init__(self, graph: Graph, ranges: Ranges, spec: MachineSpec) -> None:
        self.graph, self.ranges, self.spec = graph, ranges, spec
        self.words: dict[Node, Node | None] = {}
        self.home: dict[Node, Block] = {node: block for block in graph.blocks for node in block.nodes}
        addresses = [arg.attr[0] for node in graph.nodes() for arg in node.args if arg.op == "addr"]
        self.locals = {obj for obj in addresses if obj.space == "local"}

    def run(self) -> None:
        mapping: dict[Node, Node] = {}
        for block in self.graph.blocks:
            for node in list(block.nodes):
                if node.op in ("load", "store", "atom") and not node.attr.words:
                    build = Builder(node.line, lambda fresh: simplify(fresh, self.ranges))
                    result = self.access(build, node)
                    insert_before(block, node, build.nodes)
                    if result is not node:
                        mapping[node] = result
                        block.nodes.remove(node)
        substitute(self.graph, mapping)

    # ------------------------------------------------------------ what a pointer may point to
    def target(self, node: Node) -> tuple[MemoryObject | None, list[MemoryObject]]:
        """The one array that an access's address points to (None for several or unknown ones), and local ones among several."""
        found = pointees(node.args[0])
        if len(found) == 1:
            return found.pop(), []
        if not found and node.attr.space in ("", "local"):
            found = self.locals
        local = sorted((o for o in found if o.space == "local"), key=lambda o: o.base)
        if node.attr.space == "local" and not local:
            raise self.graph.refuse("a local address that was computed from no local variable", node.line, "use the variable")
        return None, local

    # ------------------------------------------------------------ one access
    def access(self, build: Builder, node: Node) -> Node:
        (obj, local), access = self.target(node), node.attr
        if obj is not None and obj.space == "const" and node.op != "load":
            raise self.graph.refuse("a write to constant memory", node.line, "write to global memory")
        tag = obj.tag if obj else 0
        words = replace(access, words=True, tag=tag, align=1)
        if access.bytes == BYTES_PER_WORD:
            node.args[0] = self.place(build, obj, local, self.word_address(build, node, obj))
            node.attr = words
            return node
        bytes_ = self.byte_address(build, node, obj)
        word = self.place(build, obj, local, build.make("shr", bytes_, 2), self.whole_bytes(build, bytes_, access, obj))
        shift = build.make("mul", build.make("and", bytes_, 3), 8)
        if node.op == "load":
            return self.narrow_load(build, node, word, shift, words)
        return self.narrow_store(build, node, word, shift, words)

    def narrow_load(self, build: Builder, node: Node, word: Node, shift: Node, access: MemoryAccess) -> Node:
        loaded = Node("load", [word], WORD, replace(access, bytes=4), node.line)
        build.nodes.append(loaded)
        bits = 8 * access.bytes
        if not access.signed:
            return build.make("and", build.make("shr", loaded, shift), (1 << bits) - 1)
        return build.make("sar", build.make("shl", loaded, build.make("sub", 32 - bits, shift)), 32 - bits)

    def narrow_store(self, build: Builder, node: Node, word: Node, shift: Node, access: MemoryAccess) -> Node:
        """Replace some bits of a word: a read, a change and a write that no other lane may divide."""
        ones = (1 << 8 * access.bytes) - 1
        keep = build.make("not", build.make("shl", ones, shift))
        value = build.make("shl", build.make("and", node.args[1], ones), shift)
        made = Node("atom", [word, keep, value], WORD, replace(access, bytes=4, operation="insert"), node.line)
        build.nodes.append(made)
        return made

    def place(self, build: Builder, obj: MemoryObject | None, local: list[MemoryObject], word: Node,
              allowed: Node | None = None) -> Node:  # fmt: skip
        """The word address in memory; `allowed` False forces one that no memory has."""
        if obj is not None and obj.space == "local":
            slot = build.make("sub", word, obj.base)
            low, high = self.ranges.of(slot)
            if low < 0 or high >= CLAMP:
                slot = build.make("min.u", slot, CLAMP)
            word = self.own_word(build, obj, slot)
        for other in local:
            word = self.mixed_word(build, other, word)
        return word if allowed is None else build.make("selp", word, INVALID, allowed)

    def own_word(self, build: Builder, obj: MemoryObject, slot: Node) -> Node:
        """The thread's own word of a slot of local memory."""
        return build.make("add", build.make("add", build.make("mul", slot, self.padded_threads()), Node("tid", [])), obj.base)

    def padded_threads(self) -> int:
        return -(-self.ranges.threads // self.spec.lanes) * self.spec.lanes

    def mixed_word(self, build: Builder, obj: MemoryObject, word: Node) -> Node:
        """The word behind a pointer that may be a local one: the first words of local memory stand for its slots."""
        slot = build.make("sub", word, obj.base)
        inside = build.make("setp.lt.u", slot, obj.words // self.padded_threads(), width=PREDICATE)
        others = build.make("setp.lt.u", slot, obj.words, width=PREDICATE)
        elsewhere = build.make("selp", INVALID, word, others)
        return build.make("selp", self.own_word(build, obj, slot), elsewhere, inside)

    def word_address(self, build: Builder, node: Node, obj: MemoryObject | None) -> Node:
        """The word address of a 4-byte access, before local memory's interleaving."""
        address = node.args[0]
        if alignment(address) % BYTES_PER_WORD or (obj is not None and not self.is_whole(obj)):
            bytes_ = self.byte_address(build, node, obj)
            allowed = self.whole_bytes(build, bytes_, node.attr, obj)
            whole = build.make("shr", bytes_, 2)
            return whole if allowed is None else build.make("selp", whole, INVALID, allowed)
        low, high = self.ranges.of(address)
        reach = 1 << 32
        word = self.word(address)
        exact = self.spec.words - reach < low >> 2 and high >> 2 < reach
        if word is None or not exact:
            word = self.clamped(build, address, BYTES_PER_WORD) or self.checked_word(build, address)
        if alignment(address) % node.attr.align:
            mask = node.attr.align // BYTES_PER_WORD - 1
            aligned = build.make("setp.eq", build.make("and", word, mask), 0, width=PREDICATE)
            word = build.make("selp", word, INVALID, aligned)
        return word

    def byte_address(self, build: Builder, node: Node, obj: MemoryObject | None) -> Node:
        """The byte address of an access in 32 bits; all ones where the true one is beyond them."""
        address = node.args[0]
        low, high = self.ranges.of(address)
        if BYTES_PER_WORD * self.spec.words - (1 << 32) < low and high < 1 << 32:
            return build.make("lo", address)
        found = self.clamped(build, address, 1)
        if found is not None:
            return found
        beyond = build.make("setp.ne", build.make("hi", address), 0, width=PREDICATE)
        return build.make("selp", INVALID, build.make("lo", address), beyond)

    def whole_bytes(self, build: Builder, bytes_: Node, access: MemoryAccess, obj: MemoryObject | None) -> Node | None:
        """Whether a byte address is aligned and the access ends inside its array; None where it always is or does."""
        allowed: Node | None = None
        size = max(access.bytes, access.align)
        if size > 1 and not self.is_multiple(bytes_, size):
            rest = build.make("and", bytes_, size - 1)
            allowed = build.make("setp.eq", rest, 0, width=PREDICATE)
        if obj is not None and not self.is_whole(obj):
            inside = build.make(
                "setp.lt.u", build.make("sub", bytes_, obj.address), obj.bytes - access.bytes + 1, width=PREDICATE
            )
            allowed = inside if allowed is None else build.make("pand", allowed, inside, width=PREDICATE)
        if allowed is not None and allowed.is_const and allowed.attr:
            return None
        return allowed

    def is_multiple(self, bytes_: Node, size: int) -> bool:
        return alignment(bytes_) % size == 0

    def is_whole(self, obj: MemoryObject) -> bool:
        return obj.bytes % BYTES_PER_WORD == 0

    def clamped(self, build: Builder, address: Node, unit: int) -> Node | None:
        """The address in units of `unit` bytes with a clamped index, None when it is not one index with a known scale."""
        term = single_term(address)
        if term is None or term.scale % unit or term.offset % unit:
            return None
        scale = term.scale // unit
        shift, rest = divmod(term.offset // unit, scale)
        if not 0 < scale <= MAX_SCALE or abs(shift) > MAX_SHIFT or (shift > 0 and not term.is_signed):
            return None
        index = build.make("min.u", build.make("add", term.index, shift), CLAMP)
        return build.make("add", build.make("mul", index, scale), rest)

    def checked_word(self, build: Builder, address: Node) -> Node:
        """The word address from all 64 bits."""
        inside = build.make("setp.eq", build.make("hi", address), 0, width=PREDICATE)
        return build.make("selp", build.make("shr", build.make("lo", address), 2), INVALID, inside)

    # ------------------------------------------------------------ narrow pointers
    def word(self, node: Node) -> Node | None:
        """A quarter of a 64-bit value that is a multiple of 4, modulo 2^32, from narrow operations beside the wide ones."""
        if node.op == "const":
            return const(node.attr >> 2) if node.attr % 4 == 0 else None
        if node.op == "addr":
            address = node.attr[0].address + node.attr[1]
            return const(address >> 2) if address % 4 == 0 else None
        if node not in self.words:
            self.words[node] = self.phi_word(node) if node.op == "phi" else self.derived_word(node)
        return self.words[node]

    def phi_word(self, node: Node) -> Node | None:
        if alignment(node) % BYTES_PER_WORD:
            return None
        phi = Node("phi", [], WORD, None, node.line)
        self.words[node] = phi
        narrow = [self.word(arg) for arg in node.args]
        if any(arg is None for arg in narrow):
            self.forget(phi)
            return None
        phi.args = [arg for arg in narrow if arg is not None]
        self.home[node].nodes.insert(0, phi)
        return phi

    def forget(self, phi: Node) -> None:
        """A pointer that cannot be narrowed: neither can those that were narrowed on the assumption that it can."""
        depends = {phi}
        changed = True
        while changed:
            changed = False
            for known in self.words.values():
                if known is not None and known not in depends and any(arg in depends for arg in known.args):
                    depends.add(known)
                    changed = True
        for node, known in self.words.items():
            if known in depends:
                self.words[node] = None
                self.home[node].nodes = [n for n in self.home[node].nodes if n is not known]

    def derived_word(self, node: Node) -> Node | None:
        block = self.home[node]
        made: Node | None = None
        if node.op in ("add64", "sub64", "sel64"):
            parts = [self.word(arg) for arg in node.args[:2]]
            if any(part is None for part in parts):
                return None
            ops = {"add64": "add", "sub64": "sub", "sel64": "selp"}
            made = Node(ops[node.op], [p for p in parts if p is not None] + node.args[2:], WORD, None, node.line)
        elif node.op in ("mulw.s", "mulw.u") and node.args[1].is_const and node.args[1].attr % 4 == 0:
            factor = node.args[1].attr // 4
            if node.op == "mulw.s" and node.args[1].attr >> 31:
                factor = (node.args[1].attr - (1 << 32)) // 4
            made = Node("mul", [node.args[0], const(factor)], WORD, None, node.line)
        elif node.op == "mul64" and node.args[1].is_const and node.args[1].attr % 4 == 0:
            low = Node("lo", [node.args[0]], WORD, None, node.line)
            simple = simplify(low, self.ranges)
            if simple is low:
                block.nodes.insert(block.nodes.index(node) + 1, low)
            made = Node("mul", [simple, const(node.args[1].attr >> 2)], WORD, None, node.line)
            simplified = simplify(made, self.ranges)
            if simplified is made:
                block.nodes.insert(block.nodes.index(node) + (2 if simple is low else 1), made)
            return simplified
        if made is None:
            return None
        simplified = simplify(made, self.ranges)
        if simplified is made:
            block.nodes.insert(block.nodes.index(node) + 1, made)
        return simplified


def pointees(node: Node) -> set[MemoryObject]:
    """The arrays that an address may point to; none where it may be an unknown one, as a pointer that was loaded."""
    found, choices = _arrays_and_choices(node)
    for choice in choices:
        ways = [arg for arg in _sources(choice) if not arg.is_const]
        if len({bool(_arrays_and_choices(way)[0]) for way in ways}) > 1:
            return set()
    return found


def _arrays_and_choices(node: Node) -> tuple[set[MemoryObject], list[Node]]:
    """The arrays whose address is part of a value (a shared one may have been a word), and the choices among values in it."""
    found: set[MemoryObject] = set()
    seen: dict[Node, None] = {}
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if node.op == "addr":
            found.add(node.attr[0])
        elif node not in seen and _may_hold_address(node):
            seen[node] = None
            waiting += _sources(node)
    return found, [node for node in seen if node.op in ("phi", "sel64", "selp")]


def _sources(node: Node) -> list[Node]:
    """The operands that can be part of a node's value."""
    return node.args[:2] if node.op in ("sel64", "selp") else node.args


def _may_hold_address(node: Node) -> bool:
    """Whether an address among a node's operands can be part of its value: not of an index, nor of what is loaded."""
    if node.width == WIDE:
        return node.op not in ("ext.s", "mulw.s", "mulw.u", "const")
    return node.width == WORD and (node.op == "phi" or node.op in PURE)


def alignment(node: Node, seen: frozenset[Node] = frozenset()) -> int:
    """A power of two that divides a value, `TOP_ALIGNMENT` at most. A phi is assumed to keep what all its operands have."""
    if node in seen or len(seen) > 40:
        return TOP_ALIGNMENT if node in seen else 1
    match node.op:
        case "const":
            return min(TOP_ALIGNMENT, node.attr & -node.attr) if node.attr else TOP_ALIGNMENT
        case "addr":
            address = node.attr[0].address + node.attr[1]
            return min(TOP_ALIGNMENT, address & -address) if address else TOP_ALIGNMENT
        case "mul" | "mul64" | "mulw.s" | "mulw.u":
            return min(TOP_ALIGNMENT, alignment(node.args[0], seen | {node}) * alignment(node.args[1], seen | {node}))
        case "add" | "sub" | "add64" | "sub64" | "phi":
            return min(alignment(arg, seen | {node}) for arg in node.args)
        case "sel64" | "selp":
            return min(alignment(arg, seen | {node}) for arg in node.args[:2])
        case "and":
            return max(alignment(arg, seen | {node}) for arg in node.args)
        case "ext.s" | "ext.u" | "lo":
            return alignment(node.args[0], seen | {node})
    return 1


def single_term(node: Node) -> _Term | None:
    """The address as one scaled index plus constants, None when it is not of that form."""
    if node.op in ("add64", "sub64"):
        a, b = node.args
        offset = _constant(b)
        term = single_term(a) if offset is not None else None
        if term is None and node.op == "add64" and _constant(a) is not None:
            term, offset = single_term(b), _constant(a)
        if term is None or offset is None:
            return None
        return replace(term, offset=term.offset + (offset if node.op == "add64" else -offset))
    if node.op == "mul64":
        factor, term = _constant(node.args[1]), single_term(node.args[0])
        if factor is None or term is None:
            return None
        return replace(term, scale=term.scale * factor, offset=term.offset * factor)
    if node.op in ("ext.s", "ext.u"):
        return _Term(node.args[0], node.op == "ext.s", 1, 0)
    if node.op in ("mulw.s", "mulw.u") and node.args[1].is_const:
        factor = node.args[1].attr
        return _Term(
            node.args[0], node.op == "mulw.s", factor - (1 << 32) if node.op == "mulw.s" and factor >> 31 else factor, 0
        )
    return None


def _constant(node: Node) -> int | None:
    if node.op == "addr":
        return int(node.attr[0].address + node.attr[1])
    if node.is_const:
        return int(node.attr - (1 << WIDE) if node.attr >> WIDE - 1 else node.attr)
    return None
