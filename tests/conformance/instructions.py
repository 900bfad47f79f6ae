"""Every PTX instruction x modifier x type: what is refused by name, and what is accepted and gives the right results.

`python -m tests.conformance.instructions` runs every accepted form on all pairs of corner values and on 1,000 random operands
and saves `results/instructions.json`. A form that is accepted but that no truth here knows is a gap, and an error.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from engine.machine.errors import UnsupportedError
from tests.conformance import engines, results
from tests.truth.ptxsim import PtxFault
from toolchain.ptx import parse_ptx

U, S, B = (tuple(f"{kind}{bits}" for bits in (16, 32, 64)) for kind in "usb")
INTEGERS = (*U, *S)
COMPARISONS, UNSIGNED_ONLY = ("eq", "ne", "lt", "le", "gt", "ge"), ("lo", "ls", "hi", "hs")
RELATIONS = [*product(COMPARISONS, INTEGERS), *product(("eq", "ne"), B), *product(UNSIGNED_ONLY, U)]
CORNERS = {
    16: (0, 1, 2, 3, 7, 15, 16, 17, 31, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0x8001, 0xFFFE, 0xFFFF),
    32: (0, 1, 2, 3, 7, 31, 32, 33, 64, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0x80000001,
         0xFFFFFFFE, 0xFFFFFFFF, 0x12345678),
    64: (0, 1, 2, 31, 32, 63, 64, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 63) + 1,
         (1 << 64) - 1, (1 << 64) - 2, 0xFFFFFFFF00000000, 0x0123456789ABCDEF, 0xFEDCBA9876543210),
}  # fmt: skip
M32 = (1 << 32) - 1
CHUNK = 192
"""Operand triples of one launch: what the machine's memory holds."""


FORMLESS = {
    "addc": "carries need two instructions", "subc": "carries need two instructions", "cvta": "addresses",
    "ld": "memory", "ldu": "memory", "st": "memory", "atom": "memory", "red": "memory", "membar": "order", "fence": "order",
    "prefetch": "hint", "prefetchu": "hint", "pragma": "hint", "nop": "hint", "nanosleep": "hint", "discard": "hint",
    "applypriority": "hint", "bra": "control", "ret": "control", "exit": "control", "trap": "control", "bar": "threads",
    "barrier": "threads", "shfl": "threads", "vote": "threads", "match": "threads", "activemask": "threads",
}  # fmt: skip
"""Instructions that are no function of their operands; the tests of the lowering look at each of them."""


@dataclass(frozen=True)
class Form:
    """An instruction form.

    opcode:   as PTX writes it; {..} operands are filled in
    operands: bits of each source operand, 1 for a predicate
    result:   bits of the result, 1 for a predicate
    tail:     operands behind the sources (an immediate)
    """

    opcode: str
    operands: tuple[int, ...]
    result: int
    tail: str = ""


def forms() -> Iterator[Form]:
    """Everything that PTX has for integers, predicates and bits, whether the machine has it or not."""
    bits = {kind: int(kind[1:]) for kind in (*U, *S, *B)}

    def each(names: str, kinds: Sequence[str], operands: int, result: Callable[[int], int] = lambda n: n) -> Iterator[Form]:
        for name, kind in product(names.split(), kinds):
            yield Form(f"{name}.{kind}", (bits[kind],) * operands, result(bits[kind]))

    yield from each("add sub mul.lo mul.hi div rem min max", INTEGERS, 2)
    yield from each("mul.wide", ("u16", "s16", "u32", "s32"), 2, lambda n: 2 * n)
    yield from each("mad.lo mad.hi sad", INTEGERS, 3)
    yield from (
        Form(f"mad.wide.{kind}", (bits[kind], bits[kind], 2 * bits[kind]), 2 * bits[kind])
        for kind in ("u16", "s16", "u32", "s32")
    )
    yield from each("mul24.lo mul24.hi", ("u32", "s32"), 2)
    yield from each("mad24.lo mad24.hi", ("u32", "s32"), 3)
    yield from each("abs neg", S, 1)
    yield from each("and or xor", B, 2)
    yield from (Form(f"{name}.pred", (1, 1), 1) for name in ("and", "or", "xor"))
    yield from each("not cnot", B, 1)
    yield Form("not.pred", (1,), 1)
    yield from (Form(f"shl.{kind}", (bits[kind], 32), bits[kind]) for kind in B)
    yield from (Form(f"shr.{kind}", (bits[kind], 32), bits[kind]) for kind in (*U, *S, *B))
    yield from (Form(f"shf.{side}.{mode}.b32", (32, 32, 32), 32) for side in "lr" for mode in ("wrap", "clamp"))
    yield from each("popc clz", ("b32", "b64"), 1, lambda n: 32)
    yield from each("brev", ("b32", "b64"), 1)
    yield from each("bfind bfind.shiftamt", ("u32", "s32", "u64", "s64"), 1, lambda n: 32)
    yield from (Form(f"bfe.{kind}", (bits[kind], 32, 32), bits[kind]) for kind in ("u32", "s32", "u64", "s64"))
    yield from (Form(f"bfi.{kind}", (bits[kind], bits[kind], 32, 32), bits[kind]) for kind in ("b32", "b64"))
    yield from (Form(f"prmt.b32{mode}", (32, 32, 32), 32) for mode in ("", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"))
    yield from (Form("lop3.b32", (32, 32, 32), 32, f", {table}") for table in range(0, 256, 5))
    yield from (
        Form(f"{name}.{x}.{y}", (32, 32, 32), 32)
        for name in ("dp4a", "dp2a.lo", "dp2a.hi")
        for x in ("u32", "s32")
        for y in ("u32", "s32")
    )
    for relation, kind in RELATIONS:
        yield Form(f"setp.{relation}.{kind}", (bits[kind], bits[kind]), 1)
        yield Form(f"set.{relation}.u32.{kind}", (bits[kind], bits[kind]), 32)
        for join in ("and", "or", "xor") if relation in ("lt", "eq") else ():
            yield Form(f"setp.{relation}.{join}.{kind}", (bits[kind], bits[kind], 1), 1)
    yield from (Form(f"selp.{kind}", (bits[kind], bits[kind], 1), bits[kind]) for kind in (*U, *S, *B))
    yield from (Form(f"slct.{kind}.s32", (bits[kind], bits[kind], 32), bits[kind]) for kind in (*U, *S, *B))
    yield from each("mov", (*U, *S, *B), 1)
    for target, source in product(INTEGERS, repeat=2):
        if target[1:] != source[1:] or target[0] != source[0]:
            yield Form(f"cvt.{target}.{source}", (bits[source],), bits[target])
            yield Form(f"cvt.sat.{target}.{source}", (bits[source],), bits[target])
    yield from (Form(f"{name}.sat.s32", (32, 32), 32) for name in ("add", "sub"))
    yield Form("szext.wrap.s32", (32, 32), 32)
    yield Form("bmsk.clamp.b32", (32, 32), 32)
    yield Form("fns.b32", (32, 32, 32), 32)


def bytes_of(word: int, is_signed: bool, bits: int) -> list[int]:
    """The parts of a word."""
    parts = [word >> bits * i & (1 << bits) - 1 for i in range(32 // bits)]
    return [part - (1 << bits) if is_signed and part >> bits - 1 else part for part in parts]


def truth_in_python(form: Form) -> Callable[..., int] | None:
    """What the forms that the PTX interpreter does not know give; None for others."""
    parts = form.opcode.split(".")
    signed32 = lambda word: word - (1 << 32) if word >> 31 else word  # noqa: E731
    if parts[0] == "lop3":
        table = int(form.tail[2:])
        row = lambda a, b, c, i: (a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)  # noqa: E731
        return lambda a, b, c: sum((table >> row(a, b, c, i) & 1) << i for i in range(32))
    if parts[0] in ("dp4a", "dp2a"):
        first, second = (part == "s32" for part in parts[-2:])
        width, skip = (8, 0) if parts[0] == "dp4a" else (16, 2 * (parts[1] == "hi"))

        def dot(a: int, b: int, c: int) -> int:
            pairs = zip(bytes_of(a, first, width), bytes_of(b, second, 8)[skip:], strict=False)
            return c + sum(x * y for x, y in pairs)

        return dot
    if parts[0] in ("mul24", "mad24") and parts[1] == "lo":
        is_signed = parts[2] == "s32"
        low = lambda x: (x & 0xFFFFFF) - (1 << 24 if is_signed and x >> 23 & 1 else 0)  # noqa: E731
        return lambda a, b, c=0: low(a) * low(b) + c
    if parts[0] == "set":
        width, is_signed = form.operands[0], parts[-1][0] == "s"
        typed = lambda x: x - (1 << width) if is_signed and x >> width - 1 else x  # noqa: E731
        order = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}.get(parts[1], parts[1])
        compare = {"eq": int.__eq__, "ne": int.__ne__, "lt": int.__lt__, "le": int.__le__, "gt": int.__gt__, "ge": int.__ge__}
        return lambda a, b: M32 if compare[order](typed(a), typed(b)) else 0
    if parts[0] == "slct":
        return lambda a, b, c: a if signed32(c) >= 0 else b
    return None


REGISTERS = {1: "%p{}", 16: "%h{}", 32: "%r{}", 64: "%d{}"}


def write_kernel(form: Form) -> str:
    """A kernel that applies a form to element i of the arrays p0, p1, .. and stores into the last array."""
    count = len(form.operands)
    text = ["mov.u32 %r0, %tid.x;", "mov.u32 %r1, %ctaid.x;", "mov.u32 %r2, %ntid.x;", "mad.lo.u32 %r0, %r1, %r2, %r0;"]
    text += [f"ld.param.u64 %d{i}, [p{i}];" for i in range(count + 1)]
    names = []
    for i, bits in enumerate(form.operands):
        stored = 32 if bits == 1 else bits
        register = REGISTERS[stored].format(20 + i)
        text += [f"mul.wide.u32 %d10, %r0, {stored // 8};", f"add.u64 %d10, %d{i}, %d10;",
                 f"ld.global.u{stored} {register}, [%d10];"]  # fmt: skip
        if bits == 1:
            text += [f"and.b32 {register}, {register}, 1;", f"setp.ne.u32 %p{20 + i}, {register}, 0;"]
        names.append(REGISTERS[bits].format(20 + i))
    target = REGISTERS[form.result].format(30)
    text.append(f"{form.opcode} {target}, {', '.join(names)}{form.tail};")
    stored = 32 if form.result == 1 else form.result
    if form.result == 1:
        text.append("selp.u32 %r30, 1, 0, %p30;")
    text += [f"mul.wide.u32 %d10, %r0, {stored // 8};", f"add.u64 %d10, %d{count}, %d10;",
             f"st.global.u{stored} [%d10], {REGISTERS[stored].format(30)};"]  # fmt: skip
    parameters = ", ".join(f".param .u64 p{i}" for i in range(count + 1))
    return (f".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k({parameters})\n{{\n.reg .pred %p<40>;\n"
            f".reg .b16 %h<40>;\n.reg .b32 %r<40>;\n.reg .b64 %d<40>;\n" + "\n".join(text) + "\nret;\n}\n")  # fmt: skip


def document_of(form: Form, columns: Sequence[Sequence[int]]) -> dict[str, object]:
    """The launch on some operands, by column; their number is a multiple of the block's threads."""
    total = len(columns[0])
    threads = 64 if total % 64 == 0 else total
    widths = [32 if bits == 1 else bits for bits in (*form.operands, form.result)]
    args = [{"name": f"p{i}", "type": f"uint{width}*", "value": list(values)}
            for i, (width, values) in enumerate(zip(widths, (*columns, [0] * total), strict=True))]  # fmt: skip
    return {"kernel": "k", "grid": [total // threads], "block": [threads], "args": args}


def operands(form: Form, squared: bool, rng: random.Random) -> list[list[int]]:
    """Columns of operands: all pairs of corners for the first two (others cycle) and 1,000 random rows, or a sample."""
    corners = [CORNERS.get(bits, (0, 1)) for bits in form.operands]
    rows = [list(row) for row in product(*corners[:2])]
    for number, row in enumerate(rows):
        row += [values[(7 * number + 3 * k + number // 5) % len(values)] for k, values in enumerate(corners[2:])]
    if squared:
        rows += [[rng.getrandbits(bits) for bits in form.operands] for _ in range(1000)]
    else:
        rows = rng.sample(rows, min(24, len(rows))) + [[rng.getrandbits(bits) for bits in form.operands] for _ in range(8)]
    return [list(column) for column in zip(*rows, strict=True)]


def check(form: Form, squared: bool = False) -> str:
    """ "exact", "refused" or what is wrong; "gap" for a form that is accepted and that no truth knows."""
    module = parse_ptx(write_kernel(form))
    columns = operands(form, squared, random.Random(form.opcode + form.tail))
    size = CHUNK if squared else len(columns[0])
    for first in range(0, len(columns[0]), size):
        part = [column[first : first + size] for column in columns]
        spare = -len(part[0]) % (64 if squared else 1)
        document = document_of(form, [[*column, *column[:1] * spare] for column in part])
        try:
            got = engines.interpreted(module, document)[0]
        except UnsupportedError:
            return "refused"
        in_python = truth_in_python(form)
        name = f"p{len(form.operands)}"
        if in_python is not None:
            mask = (1 << max(form.result, 32 if form.result == 1 else form.result)) - 1
            rows = zip(*(arg["value"] for arg in document["args"][:-1]), strict=True)  # type: ignore[index]
            want = [in_python(*row) & mask for row in rows]
        else:
            try:
                want = engines.simulated(module, document)[name]  # type: ignore[assignment]
            except (PtxFault, KeyError):
                return "gap"
        if got[name] != want:
            at = next(k for k, (x, y) in enumerate(zip(got[name], want, strict=True)) if x != y)
            row = [arg["value"][at] for arg in document["args"][:-1]]  # type: ignore[index]
            return f"{row} gives {got[name][at]}, not {want[at]}"
    return "exact"


def main() -> int:
    """Check every form on all of its operands (`--sample`: on some); save after each, and go on where a run was stopped."""
    squared = "--sample" not in sys.argv
    which = EVERYTHING if squared else SAMPLE
    found = verdicts_so_far(which)
    for form in forms():
        if (name := form.opcode + form.tail) not in found:
            found[name] = check(form, squared)
            save(which, found)
    bad = {name: verdict for name, verdict in found.items() if verdict not in GOOD}
    for name, verdict in bad.items():
        print(f"{name}: {verdict}")
    counts = Counter(found.values())
    print(f"{counts['exact']} forms exact, {counts['refused']} refused by name, {len(bad)} wrong or unknown")
    return 1 if bad else 0


SAMPLE, EVERYTHING = "24 pairs of corner values and 8 random ones", "all pairs of corner values and 1,000 random ones"
GOOD = ("exact", "refused")


def save(which: str, found: dict[str, str]) -> None:
    """Keep the verdicts of now."""
    named = {verdict: [name for name, v in found.items() if v == verdict] for verdict in GOOD}
    results.save("instructions", {"operands": which, **named, "bad": {n: v for n, v in found.items() if v not in GOOD}})


def verdicts_so_far(which: str) -> dict[str, str]:
    """Those that a run on the same operands and the same sources has left."""
    kept = results.load("instructions")
    if kept is None or (kept["operands"], kept["sources"]) != (which, results.sources()):
        return {}
    return {name: verdict for verdict in GOOD for name in kept[verdict]} | kept["bad"]


if __name__ == "__main__":
    sys.exit(main())
