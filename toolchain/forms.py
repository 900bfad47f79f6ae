"""The meaning of each PTX instruction in terms of graph nodes. Importing this module fills `translate.HANDLERS`.

Reference: NVIDIA "PTX ISA", chapter 9, section by section. An instruction that is missing here, or a form of one that is not
handled, is refused by the caller with line and form.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from toolchain import ptx
from toolchain.ir import PREDICATE, WIDE, WORD, MemoryAccess, Node, const
from toolchain.launch import ArrayArgument
from toolchain.ptx import Immediate, Instruction, Register, Symbol
from toolchain.translate import CARRY, _Translator, barrier_site, handles
from toolchain.warp import shuffle_source

FULL_MASK = 0xFFFFFFFF


# ---------------------------------------------------------------- integer arithmetic
@handles("add", "sub")
def _add(t: _Translator, item: Instruction) -> None:
    kind, bits = t.types()
    extra = item.opcode[1:-1]
    if extra not in ((), ("cc",)) or kind[0] == "f":
        raise t.unknown()
    a, b = (t.operand(o, bits) for o in item.operands[1:])
    op = item.opcode[0]
    result = t.wide(f"{op}64", a, b) if bits == 64 else t.make(op, a, b)
    if extra:
        if bits != 32:
            raise t.unknown()
        t.write(CARRY, t.predicate("setp.lt.u", result, a) if op == "add" else t.predicate("setp.lt.u", a, b))
    t.result(result)


@handles("addc", "subc")
def _add_carry(t: _Translator, item: Instruction) -> None:
    _, bits = t.types()
    if bits != 32 or item.opcode[1:-1] not in ((), ("cc",)):
        raise t.unknown()
    a, b = (t.operand(o, 32) for o in item.operands[1:])
    carry = t.read(CARRY)
    result = t.make("addp" if item.opcode[0] == "addc" else "subp", a, b, carry)
    if "cc" in item.opcode:
        first, second = (result, a) if item.opcode[0] == "addc" else (a, b)
        wraps = t.predicate("setp.lt.u", first, second)
        ties = t.predicate("pand", carry, t.predicate("setp.eq", first, second))
        t.write(CARRY, t.predicate("por", wraps, ties))
    t.result(result)


@handles("mul")
def _mul(t: _Translator, item: Instruction) -> None:
    t.result(_product(t, item))


@handles("mad")
def _mad(t: _Translator, item: Instruction) -> None:
    _, bits = t.types()
    product = _product(t, item)
    c = t.operand(item.operands[3], 64 if product.width == WIDE else bits)
    t.result(t.wide("add64", product, c) if product.width == WIDE else t.make("add", product, c))


def _product(t: _Translator, item: Instruction) -> Node:
    kind, bits = t.types()
    mode = item.opcode[1:-1]
    if mode not in (("lo",), ("hi",), ("wide",)) or kind[0] not in "us":
        raise t.unknown()
    sign = kind[0]
    if mode == ("lo",):
        a, b = (t.operand(o, bits) for o in item.operands[1:3])
        return t.wide("mul64", a, b) if bits == 64 else t.make("mul", a, b)
    a, b = (t.extended(o, kind) for o in item.operands[1:3])
    if bits == 16:
        product = t.make("mul", a, b)
        return product if mode == ("wide",) else t.make("shr", product, 16)
    if bits == 32:
        return t.wide(f"mulw.{sign}", a, b) if mode == ("wide",) else t.make(f"mulhi.{sign}", a, b)
    if mode == ("hi",):
        return _high_product(t, a, b, sign == "s")
    raise t.unknown()


def _high_product(t: _Translator, a: Node, b: Node, is_signed: bool) -> Node:
    """The high 64 bits of a 64 x 64 product, from four 32 x 32 products."""
    a0, a1, b0, b1 = t.make("lo", a), t.make("hi", a), t.make("lo", b), t.make("hi", b)
    middle = t.wide("add64", t.wide("mulw.u", a1, b0), t.wide("ext.u", t.make("mulhi.u", a0, b0)))
    cross = t.wide("add64", t.wide("mulw.u", a0, b1), t.wide("ext.u", t.make("lo", middle)))
    high = t.wide("add64", t.wide("mulw.u", a1, b1), t.wide("ext.u", t.make("hi", middle)))
    high = t.wide("add64", high, t.wide("ext.u", t.make("hi", cross)))
    if is_signed:
        for x, y in ((a, b), (b, a)):
            negative = t.predicate("setp.lt.s", t.make("hi", x), 0)
            high = t.wide("sub64", high, t.wide("sel64", y, const(0, WIDE), negative))
    return high


@handles("mul24", "mad24")
def _mul24(t: _Translator, item: Instruction) -> None:
    kind, bits = t.types()
    if item.opcode[1] != "lo" or bits != 32:
        raise t.unknown()
    a, b = (t.extend(t.operand(o, 32), 24, kind[0] == "s") for o in item.operands[1:3])
    product = t.make("mul", a, b)
    t.result(t.make("add", product, t.operand(item.operands[3], 32)) if item.opcode[0] == "mad24" else product)


@handles("div", "rem")
def _div(t: _Translator, item: Instruction) -> None:
    kind, bits = t.types()
    if len(item.opcode) != 2 or kind[0] not in "us":
        raise t.unknown()
    a, b = (t.extended(o, kind) for o in item.operands[1:])
    op = item.opcode[0]
    t.result(t.wide(f"{op}64.{kind[0]}", a, b) if bits == 64 else t.make(f"{op}.{kind[0]}", a, b))


@handles("abs", "neg")
def _abs(t: _Translator, item: Instruction) -> None:
    kind, bits = t.types()
    if kind[0] != "s" or len(item.opcode) != 2:
        raise t.unknown()
    a = t.extended(item.operands[1], kind)
    if bits == 64:
        negated = t.wide("sub64", const(0, WIDE), a)
        negative = t.predicate("setp.lt.s", t.make("hi", a), 0)
        t.result(negated if item.opcode[0] == "neg" else t.wide("sel64", negated, a, negative))
        return
    negated = t.make("sub", 0, a)
    t.result(negated if item.opcode[0] == "neg" else t.make("max.s", a, negated))


@handles("min", "max")
def _min(t: _Translator, item: Instruction) -> None:
    kind, bits = t.types()
    if kind[0] not in "us" or len(item.opcode) != 2:
        raise t.unknown()
    a, b = (t.extended(o, kind) for o in item.operands[1:])
    op = item.opcode[0]
    if bits == 64:
        below = t.predicate(f"cmp64.lt.{kind[0]}", a, b)
        t.result(t.wide("sel64", *((a, b) if op == "min" else (b, a)), below))
        return
    t.result(t.make(f"{op}.{kind[0]}", a, b))


@handles("sad")
def _sad(t: _Translator, item: Instruction) -> None:
    kind, bits = t.types()
    if bits == 64:
        raise t.unknown()
    a, b = (t.extended(o, kind) for o in item.operands[1:3])
    distance = t.make("sub", t.make(f"max.{kind[0]}", a, b), t.make(f"min.{kind[0]}", a, b))
    t.result(t.make("add", distance, t.operand(item.operands[3], bits)))


@handles("dp4a", "dp2a")
def _dot_bytes(t: _Translator, item: Instruction) -> None:
    """dp4a: four byte products; dp2a: two products of a half of `a` with a byte of `b` (low or high pair)."""
    kinds = [part[0] for part in item.opcode if part in ("u32", "s32")]
    if len(kinds) != 2:
        raise t.unknown()
    a, b, total = (t.operand(o, 32) for o in item.operands[1:4])
    wide = item.opcode[0] == "dp2a"
    first = 2 if wide and "hi" in item.opcode else 0
    for index in range(2 if wide else 4):
        bits = 16 if wide else 8
        x = t.extend(t.make("shr", a, bits * index), bits, kinds[0] == "s")
        y = t.extend(t.make("shr", b, 8 * (index + first)), 8, kinds[1] == "s")
        total = t.make("add", t.make("mul", x, y), total)
    t.result(total)


# ---------------------------------------------------------------- bits
@handles("and", "or", "xor")
def _logic(t: _Translator, item: Instruction) -> None:
    _, bits = t.types()
    a, b = (t.operand(o, bits) for o in item.operands[1:])
    op = item.opcode[0]
    if bits == 1:
        t.result(t.predicate(f"p{op}", a, b))
    else:
        t.result(t.by_halves(op, a, b) if bits == 64 else t.make(op, a, b))


@handles("not")
def _not(t: _Translator, item: Instruction) -> None:
    _, bits = t.types()
    a = t.operand(item.operands[1], bits)
    t.result(t.predicate("pnot", a) if bits == 1 else t.by_halves("not", a) if bits == 64 else t.make("not", a))


@handles("cnot")
def _cnot(t: _Translator, item: Instruction) -> None:
    _, bits = t.types()
    if bits == 64:
        raise t.unknown()
    a = t.extended(item.operands[1], f"u{bits}")
    t.result(t.make("selp", 1, 0, t.predicate("setp.eq", a, 0)))


@handles("lop3")
def _lop3(t: _Translator, item: Instruction) -> None:
    """Any function of three bits, as the xor of the products (algebraic normal form) of its 8-bit table."""
    table = item.operands[4] if len(item.operands) == 5 else None
    if item.opcode != ("lop3", "b32") or not isinstance(table, Immediate):
        raise t.unknown()
    a, b, c = (t.operand(o, 32) for o in item.operands[1:4])
    coefficients = [table.value >> row & 1 for row in range(8)]
    for bit in (1, 2, 4):
        coefficients = [v ^ (coefficients[row ^ bit] if row & bit else 0) for row, v in enumerate(coefficients)]
    result: Node = const(-1 if coefficients[0] else 0)
    for row in range(1, 8):
        if coefficients[row]:
            factors = [x for x, bit in ((a, 4), (b, 2), (c, 1)) if row & bit]
            product = factors[0]
            for factor in factors[1:]:
                product = t.make("and", product, factor)
            result = t.make("xor", result, product)
    t.result(result)


@handles("shl", "shr")
def _shift(t: _Translator, item: Instruction) -> None:
    kind, bits = t.types()
    amount = t.operand(item.operands[2], 32)
    if item.opcode[0] == "shl":
        a = t.operand(item.operands[1], bits)
        t.result(t.wide("shl64", a, amount) if bits == 64 else t.make("shl", a, amount))
        return
    a = t.extended(item.operands[1], kind)
    arithmetic = kind[0] == "s"
    if bits == 64:
        t.result(t.wide("sar64" if arithmetic else "shr64", a, amount))
    else:
        t.result(t.make("sar" if arithmetic else "shr", a, amount))


@handles("shf")
def _funnel(t: _Translator, item: Instruction) -> None:
    """The high (left) or low (right) word of a 64-bit value shifted by an amount that wraps or is clamped at 32."""
    if item.opcode[1] not in ("l", "r") or item.opcode[2] not in ("wrap", "clamp") or item.opcode[3:] != ("b32",):
        raise t.unknown()
    a, b, amount = (t.operand(o, 32) for o in item.operands[1:])
    amount = t.make("and", amount, 31) if item.opcode[2] == "wrap" else t.make("min.u", amount, 32)
    rest = t.make("sub", 32, amount)
    if item.opcode[1] == "l":
        t.result(t.make("or", t.make("shl", b, amount), t.make("shr", a, rest)))
    else:
        t.result(t.make("or", t.make("shr", a, amount), t.make("shl", b, rest)))


@handles("popc", "clz")
def _count(t: _Translator, item: Instruction) -> None:
    _, bits = t.types()
    a = t.operand(item.operands[1], bits)
    op = item.opcode[0]
    if bits != 64:
        t.result(t.make(op, a))
        return
    low, high = t.make(op, t.make("lo", a)), t.make(op, t.make("hi", a))
    if op == "popc":
        t.result(t.make("add", low, high))
    else:
        t.result(t.make("selp", t.make("add", low, 32), high, t.predicate("setp.eq", t.make("hi", a), 0)))


@handles("brev")
def _brev(t: _Translator, item: Instruction) -> None:
    _, bits = t.types()
    a = t.operand(item.operands[1], bits)
    if bits == 64:
        t.result(t.wide("pack", t.make("brev", t.make("hi", a)), t.make("brev", t.make("lo", a))))
    else:
        t.result(t.make("brev", a))


@handles("bfind")
def _bfind(t: _Translator, item: Instruction) -> None:
    """The position of the highest bit that differs from the sign, all ones when there is none; shiftamt counts from the top."""
    kind, bits = t.types()
    if bits != 32 or item.opcode[1:-1] not in ((), ("shiftamt",)):
        raise t.unknown()
    a = t.operand(item.operands[1], 32)
    if kind[0] == "s":
        a = t.make("xor", a, t.make("sar", a, 31))
    zeros = t.make("clz", a)
    if "shiftamt" in item.opcode:
        t.result(t.make("selp", -1, zeros, t.predicate("setp.eq", a, 0)))
    else:
        t.result(t.make("sub", 31, zeros))  # 31 - 32 is all ones


@handles("bfe")
def _bfe(t: _Translator, item: Instruction) -> None:
    """Bits pos .. pos + len - 1; signed: bits above are the field's top bit, or the value's sign beyond the value."""
    kind, bits = t.types()
    if bits != 32:
        raise t.unknown()
    a = t.operand(item.operands[1], 32)
    position, length = (t.make("and", t.operand(o, 32), 255) for o in item.operands[2:])
    if kind[0] == "u":
        mask = t.make("sub", t.make("shl", 1, length), 1)  # 32 and more bits: 0 - 1 is the full mask
        t.result(t.make("and", t.make("shr", a, position), mask))
        return
    top = t.make("min.u", t.make("add", position, length), 32)
    left = t.make("sub", 32, top)
    right = t.make("add", left, t.make("min.u", position, 32))
    field = t.make("sar", t.make("shl", a, left), right)
    beyond = t.make("sar", a, 31)
    inside = t.make("selp", field, beyond, t.predicate("setp.lt.u", position, 32))
    t.result(t.make("selp", 0, inside, t.predicate("setp.eq", length, 0)))


@handles("bfi")
def _bfi(t: _Translator, item: Instruction) -> None:
    _, bits = t.types()
    if bits != 32:
        raise t.unknown()
    a, b = (t.operand(o, 32) for o in item.operands[1:3])
    position, length = (t.make("and", t.operand(o, 32), 255) for o in item.operands[3:])
    mask = t.make("shl", t.make("sub", t.make("shl", 1, length), 1), position)
    inserted = t.make("and", t.make("shl", a, position), mask)
    t.result(t.make("or", t.make("and", b, t.make("not", mask)), inserted))


@handles("prmt")
def _prmt(t: _Translator, item: Instruction) -> None:
    """Each result byte is a byte of {b, a} that a nibble of c names; its bit 3 asks for the byte's sign instead."""
    if item.opcode != ("prmt", "b32"):
        raise t.unknown()
    a, b, selector = (t.operand(o, 32) for o in item.operands[1:])
    result: Node = const(0)
    for index in range(4):
        nibble = t.make("and", t.make("shr", selector, 4 * index), 15)
        word = t.make("selp", a, b, t.predicate("setp.eq", t.make("and", nibble, 4), 0))
        byte = t.make("and", t.make("shr", word, t.make("mul", t.make("and", nibble, 3), 8)), 255)
        sign = t.make("mul", t.make("shr", byte, 7), 255)
        byte = t.make("selp", byte, sign, t.predicate("setp.lt.u", nibble, 8))
        result = t.make("or", result, t.make("shl", byte, 8 * index))
    t.result(result)


# ---------------------------------------------------------------- comparison and choice
@handles("setp", "set")
def _setp(t: _Translator, item: Instruction) -> None:
    """setp.CMP[.BOOL].type p[|q], a, b[, c]; set.CMP[.BOOL].u32.type d, a, b[, c] gives all ones or zero."""
    kind, bits = t.types()
    parts = list(item.opcode[1:-1])
    if item.opcode[0] == "set" and (not parts or parts.pop() not in ("u32", "s32")):
        raise t.unknown()
    if not parts or kind[0] == "f":
        raise t.unknown()
    holds = _compare(t, parts[0], kind, bits, *item.operands[1:3])
    others = [holds, t.predicate("pnot", holds)]
    if len(parts) == 2:
        c = t.operand(item.operands[3], 1)
        if parts[1] not in ("and", "or", "xor"):
            raise t.unknown()
        others = [t.predicate(f"p{parts[1]}", p, c) for p in others]
    elif len(parts) != 1:
        raise t.unknown()
    if item.opcode[0] == "set":
        t.result(t.make("selp", -1, 0, others[0]))
        return
    target = item.operands[0]
    if isinstance(target, ptx.Pair):
        t.assign(target.first, others[0])
        t.assign(target.second, others[1])
    else:
        t.assign(target, others[0])


def _compare(t: _Translator, relation: str, kind: str, bits: int, left: ptx.Operand, right: ptx.Operand) -> Node:
    unsigned_only = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}
    sign = "u" if relation in unsigned_only or kind[0] != "s" else "s"
    relation = unsigned_only.get(relation, relation)
    a, b = (t.extended(o, kind) for o in (left, right))
    if relation in ("gt", "ge"):
        a, b, relation = b, a, {"gt": "lt", "ge": "le"}[relation]
    if relation not in ("eq", "ne", "lt", "le"):
        raise t.unknown()
    suffix = "" if relation in ("eq", "ne") else f".{sign}"
    return t.predicate(f"cmp64.{relation}{suffix}" if bits == 64 else f"setp.{relation}{suffix}", a, b)


@handles("selp")
def _selp(t: _Translator, item: Instruction) -> None:
    _, bits = t.types()
    a, b = (t.operand(o, bits) for o in item.operands[1:3])
    t.result(t.choose(t.operand(item.operands[3], 1), a, b))


@handles("slct")
def _slct(t: _Translator, item: Instruction) -> None:
    if item.opcode[-1] != "s32":
        raise t.unknown()
    bits = int(item.opcode[1][1:])
    a, b = (t.operand(o, bits) for o in item.operands[1:3])
    t.result(t.choose(t.predicate("setp.le.s", 0, t.operand(item.operands[3], 32)), a, b))


# ---------------------------------------------------------------- moves and conversions
@handles("mov")
def _mov(t: _Translator, item: Instruction) -> None:
    _, bits = t.types()
    target, source = item.operands
    if isinstance(target, ptx.Vector):
        _unpack(t, target, source, bits)
        return
    t.result(t.operand(source, bits))


def _unpack(t: _Translator, target: ptx.Vector, source: ptx.Operand, bits: int) -> None:
    value = t.operand(source, bits)
    if len(target.items) != 2 or bits not in (32, 64):
        raise t.unknown()
    halves = [t.make("lo", value), t.make("hi", value)] if bits == 64 else [value, t.make("shr", value, 16)]
    for item, half in zip(target.items, halves, strict=True):
        t.assign(item, half)


@handles("cvt")
def _cvt(t: _Translator, item: Instruction) -> None:
    """Integer conversions: cut or extended by the source's type. Saturation is refused."""
    if len(item.opcode) != 3 or item.opcode[1][0] not in "us" or item.opcode[2][0] not in "us":
        raise t.unknown()
    into, source = item.opcode[1:]
    bits = int(into[1:])
    value = t.extended(item.operands[1], source)
    if value.width == WORD and bits == 64:
        value = t.wide(f"ext.{source[0]}", value)
    elif value.width == WIDE and bits <= 32:
        value = t.make("lo", value)
    if bits < 32:
        value = t.extend(value, bits, into[0] == "s")
    target = item.operands[0]
    if isinstance(target, Register) and value.width == WORD and t.width(target.name) == WIDE:
        value = t.wide(f"ext.{into[0]}", value)
    t.result(value)


@handles("cvta")
def _cvta(t: _Translator, item: Instruction) -> None:
    """All spaces are one memory, so that an address is the same in each."""
    t.result(t.operand(item.operands[1], t.types()[1]))


# ---------------------------------------------------------------- memory
SPACES = ("global", "shared", "const", "local", "param")
IGNORED = frozenset({
    "weak", "relaxed", "acquire", "release", "acq_rel", "sc", "sys", "gpu", "cta", "cluster", "nc", "ca", "cg", "cs", "lu",
    "cv",
    "wb", "wt", "L1::evict_last", "L1::no_allocate", "L1::evict_first", "L1::evict_normal", "L2::64B", "L2::128B",
    "L2::256B", "volatile", "shared::cta", "param::entry", "unified",
})  # fmt: skip
"""Qualifiers of ordering, scope and caching: every access here is complete when the next begins, for all threads."""


def _access(t: _Translator, item: Instruction, parts: tuple[str, ...]) -> tuple[str, int, bool]:
    """(space, vector length, whether another thread may change the word at any time) of a load or store."""
    spaces = [p.removesuffix("::cta").removesuffix("::entry") for p in parts if p.split("::")[0] in SPACES]
    vectors = [int(p[1:]) for p in parts if p in ("v2", "v4")]
    rest = [p for p in parts if p.split("::")[0] not in SPACES and p not in ("v2", "v4") and p not in IGNORED]
    if rest or len(spaces) > 1 or len(vectors) > 1:
        raise t.unknown()
    waits = "volatile" in parts or "relaxed" in parts or "acquire" in parts
    return spaces[0] if spaces else "", vectors[0] if vectors else 1, waits


def _address(t: _Translator, operand: ptx.Operand) -> Node:
    """The 64-bit address of a memory operand."""
    if not isinstance(operand, ptx.Address):
        raise t.unknown()
    if operand.base is None:
        return const(operand.offset, WIDE)
    base = t.operand(operand.base, 64)
    return t.wide("add64", base, const(operand.offset, WIDE))


def _piece(t: _Translator, address: Node, offset: int) -> Node:
    return t.wide("add64", address, const(offset, WIDE))


@handles("ld", "ldu")
def _ld(t: _Translator, item: Instruction) -> None:
    kind, bits = t.types()
    space, count, waits = _access(t, item, item.opcode[1:-1])
    target = item.operands[0]
    targets = target.items if isinstance(target, ptx.Vector) else (target,)
    if len(targets) != count:
        raise t.unknown()
    size = bits // 8
    if space == "param":
        values = _parameter(t, item.operands[1], kind, count)
    else:
        address = _address(t, item.operands[1])
        values = [
            _load(t, _piece(t, address, k * size), kind, space, waits, size * count if k == 0 else 1) for k in range(count)
        ]
    for one, value in zip(targets, values, strict=True):
        if isinstance(one, Register) and value.width == WORD and t.width(one.name) == WIDE:
            value = t.wide(f"ext.{'s' if kind[0] == 's' else 'u'}", value)
        t.assign(one, value)


def _load(t: _Translator, address: Node, kind: str, space: str, waits: bool, align: int) -> Node:
    size = int(kind[1:]) // 8
    if size == 8:
        low = _load_word(t, address, MemoryAccess(space, 4, waits=waits, align=align))
        return t.wide("pack", low, _load_word(t, _piece(t, address, 4), MemoryAccess(space, 4, waits=waits)))
    return _load_word(t, address, MemoryAccess(space, size, signed=kind[0] == "s", waits=waits, align=align))


def _load_word(t: _Translator, address: Node, access: MemoryAccess) -> Node:
    node = Node("load", [address], WORD, access, t.item.line)
    t.block.nodes.append(node)
    return node


def _parameter(t: _Translator, operand: ptx.Operand, kind: str, count: int) -> list[Node]:
    """Scalar parameters are constants of the launch; a pointer parameter is the address of its array."""
    size = int(kind[1:]) // 8
    if isinstance(operand, ptx.Address) and isinstance(operand.base, Symbol) and operand.base.name in t.parameters:
        name, offset = operand.base.name, operand.offset + operand.base.offset
        argument = t.parameters[name]
        if isinstance(argument, ArrayArgument):
            if size != 8 or offset or count != 1:
                raise t.refuse("a pointer parameter that is read in pieces", "read it whole")
            return [Node("addr", [], WIDE, (t.object_of(name), 0), t.item.line)]
        return [_constant(t, argument.content, offset + k * size, kind) for k in range(count)]
    address = _address(t, operand)
    return [_load(t, _piece(t, address, k * size), kind, "const", False, size) for k in range(count)]


def _constant(t: _Translator, content: bytes, offset: int, kind: str) -> Node:
    size = int(kind[1:]) // 8
    if not 0 <= offset <= len(content) - size:
        raise t.refuse("a read beyond a parameter", "read inside it")
    value = int.from_bytes(content[offset : offset + size], "little", signed=kind[0] == "s")
    return const(value, WIDE if size == 8 else WORD)


@handles("st")
def _st(t: _Translator, item: Instruction) -> None:
    _, bits = t.types()
    space, count, waits = _access(t, item, item.opcode[1:-1])
    source = item.operands[1]
    sources = source.items if isinstance(source, ptx.Vector) else (source,)
    if len(sources) != count or space in ("const", "param"):
        raise t.unknown()
    address, size = _address(t, item.operands[0]), bits // 8
    for number, one in enumerate(sources):
        value = t.operand(one, bits)
        align = size * count if number == 0 else 1
        place = _piece(t, address, number * size)
        if bits == 64:
            _store(t, place, t.make("lo", value), MemoryAccess(space, 4, waits=waits, align=align))
            _store(t, _piece(t, place, 4), t.make("hi", value), MemoryAccess(space, 4, waits=waits))
        else:
            _store(t, place, value, MemoryAccess(space, size, waits=waits, align=align))


def _store(t: _Translator, address: Node, value: Node, access: MemoryAccess) -> None:
    t.block.nodes.append(Node("store", [address, value], 0, access, t.item.line))


ATOMICS = {
    ("add", "u32"): "add", ("add", "s32"): "add", ("min", "s32"): "min.s", ("min", "u32"): "min.u", ("max", "s32"): "max.s",
    ("max", "u32"): "max.u", ("inc", "u32"): "inc", ("dec", "u32"): "dec", ("exch", "b32"): "exch", ("cas", "b32"): "cas",
    ("and", "b32"): "and", ("or", "b32"): "or", ("xor", "b32"): "xor", ("exch", "u32"): "exch", ("cas", "u32"): "cas",
}  # fmt: skip


BY_HALVES = ("add", "and", "or", "xor", "exch")
"""64-bit atomics whose high half does not decide what becomes of the low one."""


@handles("atom", "red")
def _atom(t: _Translator, item: Instruction) -> None:
    _, bits = t.types()
    plain = tuple(p for p in item.opcode[1:-1] if p not in IGNORED and p.split("::")[0] not in SPACES)
    spaces = [p.split("::")[0] for p in item.opcode if p.split("::")[0] in SPACES]
    if bits == 64 and len(plain) == 1 and len(spaces) <= 1:
        _wide_atom(t, item, plain[0], spaces[0] if spaces else "")
        return
    operation = ATOMICS.get((plain[0], item.opcode[-1])) if len(plain) == 1 else None
    if operation is None or len(spaces) > 1:
        raise t.unknown()
    operands = list(item.operands)
    target = operands.pop(0) if item.opcode[0] == "atom" else ptx.Discard()
    access = MemoryAccess(spaces[0] if spaces else "", 4, waits=True, operation=operation, align=4)
    args = [_address(t, operands[0]), *(t.operand(o, 32) for o in operands[1:])]
    node = Node("atom", args, WORD, access, item.line)
    t.block.nodes.append(node)
    t.assign(target, node)


def _wide_atom(t: _Translator, item: Instruction, operation: str, space: str) -> None:
    """A 64-bit atomic as accesses to its two words, joined so that nobody sees one without the other (see `split64`)."""
    kind, _ = t.types()
    operands = list(item.operands)
    target = operands.pop(0) if item.opcode[0] == "atom" else ptx.Discard()
    address, *values = _address(t, operands[0]), *(t.operand(o, 64) for o in operands[1:])
    beyond = _piece(t, address, 4)
    first = MemoryAccess(space, 4, waits=True, operation=operation, align=8, joined=True)

    def put(op: str, place: Node, values: list[Node], access: MemoryAccess) -> Node:
        node = Node(op, [place, *values], WORD if op != "store" else 0, access, item.line)
        t.block.nodes.append(node)
        return node

    if operation in BY_HALVES:
        low, high = t.make("lo", values[0]), t.make("hi", values[0])
        old_low = put("atom", address, [low], first)
        if operation == "add":
            carry = t.predicate("setp.lt.u", t.make("add", old_low, low), low)
            high = t.make("addp", high, 0, carry)
        old = t.wide("old64", old_low, put("atom", beyond, [high], replace(first, align=1, joined=False)))
    else:
        changes = _wide_change(t, operation, kind)
        part = replace(first, operation="", align=1)
        old = t.wide("pack", put("atom", address, [], replace(first, operation="claim")), put("load", beyond, [], part))
        new = changes(old, *values)
        put("store", address, [t.make("lo", new)], part)
        put("store", beyond, [t.make("hi", new)], replace(part, joined=False))
    t.assign(target, old)


def _wide_change(t: _Translator, operation: str, kind: str) -> Callable[..., Node]:
    """What a 64-bit atomic makes of the old value and its operands."""
    if operation == "cas":
        return lambda old, expected, value: t.wide("sel64", value, old, t.predicate("cmp64.eq", old, expected))
    if operation not in ("min", "max") or kind[0] not in "us":
        raise t.unknown()
    compare = f"cmp64.lt.{kind[0]}"
    if operation == "min":
        return lambda old, value: t.wide("sel64", value, old, t.predicate(compare, value, old))
    return lambda old, value: t.wide("sel64", value, old, t.predicate(compare, old, value))


@handles("membar", "fence")
def _fence(t: _Translator, item: Instruction) -> None:
    t.block.nodes.append(Node("fence", [], 0, None, item.line))


@handles("prefetch", "prefetchu", "pragma", "nop", "nanosleep", "discard", "applypriority")
def _nothing(t: _Translator, item: Instruction) -> None:
    """A hint. Time is no part of the machine."""


# ---------------------------------------------------------------- control
@handles("bra")
def _bra(t: _Translator, item: Instruction) -> None:
    if item.guard is not None:
        t.block.condition = t.read(item.guard.register)


@handles("ret", "exit")
def _ret(t: _Translator, item: Instruction) -> None:
    """The block's ending says it."""


@handles("trap")
def _trap(t: _Translator, item: Instruction) -> None:
    t.block.nodes.append(Node("trap", [], 0, None, item.line))


# ---------------------------------------------------------------- barriers, votes, shuffles
@handles("bar", "barrier")
def _bar(t: _Translator, item: Instruction) -> None:
    parts = tuple(p for p in item.opcode[1:] if p not in ("cta", "aligned"))
    if parts == ("warp", "sync"):
        _check_mask(t, item.operands[0])
        t.block.nodes.append(Node("warp barrier", [], 0, None, item.line))
    elif parts == ("sync",):
        _check_barrier(t, item.operands)
        t.block.nodes.append(Node("barrier", [], 0, barrier_site(t, item), item.line))
    elif len(parts) == 3 and parts[0] == "red":
        operands = list(item.operands)
        target, p = operands[0], operands[-1]
        _check_barrier(t, operands[1:-1])
        node = Node(
            "count", [t.operand(p, 1)], WORD if parts[1] == "popc" else PREDICATE, (parts[1], barrier_site(t, item)), item.line
        )
        t.block.nodes.append(node)
        t.assign(target, node)
    else:
        raise t.unknown()


def _check_barrier(t: _Translator, operands: list[ptx.Operand] | tuple[ptx.Operand, ...]) -> None:
    """Only barrier 0, for all threads of the block."""
    numbers = [t.operand(o, 32) for o in operands]
    threads = -(-t.launch.threads // t.spec.warp_size) * t.spec.warp_size
    if not numbers or not numbers[0].is_const or numbers[0].attr != 0:
        raise t.refuse("a barrier other than __syncthreads()", "use __syncthreads()")
    if len(numbers) > 1 and not (numbers[1].is_const and numbers[1].attr >= threads):
        raise t.refuse("a barrier for some of the block's threads", "use __syncthreads()")


def _check_mask(t: _Translator, operand: ptx.Operand) -> None:
    """A member mask must name, in each warp, every thread that exists: waiting by mask is not built."""
    mask = t.operand(operand, 32)
    existing = (1 << min(t.launch.threads, t.spec.warp_size)) - 1
    if not mask.is_const:
        raise t.refuse("a member mask that is not known at launch", f"use 0x{FULL_MASK:x}")
    if mask.attr & existing != existing:
        raise t.refuse(f"a member mask (0x{mask.attr:x}) that leaves out threads of the warp", f"use 0x{FULL_MASK:x}")


@handles("shfl")
def _shfl(t: _Translator, item: Instruction) -> None:
    if item.opcode[1] != "sync" or item.opcode[2] not in ("idx", "up", "down", "bfly") or item.opcode[3:] != ("b32",):
        raise t.unknown()
    value, by, clamp, _ = (t.operand(o, 32) for o in item.operands[1:])
    _check_mask(t, item.operands[4])
    if not clamp.is_const:
        raise t.refuse("a shuffle whose width is not known at launch", "use a constant width")
    node = Node("shfl", [value, by], WORD, (item.opcode[2], clamp.attr), item.line)
    t.block.nodes.append(node)
    target = item.operands[0]
    if not isinstance(target, ptx.Pair):
        t.assign(target, node)
        return
    t.assign(target.first, node)
    if not isinstance(target.second, ptx.Discard):
        t.assign(target.second, shuffle_source(t.make, node, t.spec.warp_size)[0])


@handles("vote")
def _vote(t: _Translator, item: Instruction) -> None:
    form = item.opcode[1:]
    if form[0] != "sync" or form[1:] not in (("ballot", "b32"), ("any", "pred"), ("all", "pred")):
        raise t.unknown()
    _check_mask(t, item.operands[2])
    width = WORD if form[1] == "ballot" else PREDICATE
    node = Node("vote", [t.operand(item.operands[1], 1)], width, form[1], item.line)
    t.block.nodes.append(node)
    t.assign(item.operands[0], node)


@handles("match")
def _match(t: _Translator, item: Instruction) -> None:
    if item.opcode[1] not in ("any", "all") or item.opcode[2:] != ("sync", "b32"):
        raise t.unknown()
    value = t.operand(item.operands[1], 32)
    _check_mask(t, item.operands[2])
    node = Node("match", [value], WORD, item.opcode[1], item.line)
    t.block.nodes.append(node)
    target = item.operands[0]
    if isinstance(target, ptx.Pair):
        t.assign(target.first, node)
        t.assign(target.second, t.predicate("setp.ne", node, 0))
    else:
        t.assign(target, node)


@handles("activemask")
def _activemask(t: _Translator, item: Instruction) -> None:
    node = Node("activemask", [], WORD, None, item.line)
    t.block.nodes.append(node)
    t.assign(item.operands[0], node)
