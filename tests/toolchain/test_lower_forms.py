"""Every PTX form that the lowering knows, on corner values, against an independent PTX interpreter or plain Python."""

import random

import pytest

from tests.toolchain.lowered import array, kernel_ptx, launch, one_dimensional
from tests.truth.ptxsim import run
from toolchain.ptx import find_entry, parse_ptx

M32, M64 = (1 << 32) - 1, (1 << 64) - 1
CORNERS = [
    0,
    1,
    2,
    3,
    7,
    31,
    32,
    33,
    63,
    64,
    127,
    128,
    255,
    256,
    0x7FFF,
    0x8000,
    0xFFFF,
    0x10000,
    0x7FFFFFFF,
    0x80000000,
    0x80000001,
    0xFFFFFFFF,
    0xFFFFFFFE,
    0x12345678,
    0xDEADBEEF,
    0x7FFFFFFFFFFFFFFF,
    0x8000000000000000,
    0xFFFFFFFFFFFFFFFF,
    0xFFFFFFFF00000000,
    0x00000001FFFFFFFF,
    0x0123456789ABCDEF,
    0xFEDCBA9876543210,
]


def operands(seed, bits):
    rng = random.Random(seed)
    pool = [value & ((1 << bits) - 1) for value in CORNERS] + [rng.getrandbits(bits) for _ in range(8)]
    return [rng.choice(pool) for _ in range(16)]


def loads(bits):
    """The operands: %a, %b, %c of the form's width as %r1..%r3, %d11..%d13 or %h1..%h3; %p1 is a's lowest bit."""
    size = {16: 2, 32: 4, 64: 8}[bits]
    register = {16: "%h{}", 32: "%r{}", 64: "%d1{}"}[bits]
    text = f"mul.wide.u32 %d30, %r0, {size};\n"
    for number in (1, 2, 3):
        text += f"add.u64 %d31, %d{number - 1}, %d30;\nld.global.b{bits} {register.format(number)}, [%d31];\n"
    low = {16: "cvt.u32.u16 %r30, %h1;\n", 32: "mov.b32 %r30, %r1;\n", 64: "cvt.u32.u64 %r30, %d11;\n"}[bits]
    return text + low + "and.b32 %r30, %r30, 1;\nsetp.ne.u32 %p1, %r30, 0;\n"


def stores(bits):
    size = {16: 2, 32: 4, 64: 8}[bits]
    register = {16: "%h9", 32: "%r9", 64: "%d29"}[bits]
    return f"mul.wide.u32 %d30, %r0, {size};\nadd.u64 %d31, %d3, %d30;\nst.global.b{bits} [%d31], {register};\n"


def form(text, bits, result):
    """A kernel that applies a form; @ stands for an operand register of the input width, $ for the result."""
    names = {16: ("%h1", "%h2", "%h3"), 32: ("%r1", "%r2", "%r3"), 64: ("%d11", "%d12", "%d13")}[bits]
    target = {16: "%h9", 32: "%r9", 64: "%d29"}[result]
    for letter, name in zip("ABC", names, strict=True):
        text = text.replace(f"@{letter}", name)
    return kernel_ptx(loads(bits) + text.replace("$", target) + "\n" + stores(result))


def arguments(bits, result, seed):
    return [array(n, f"uint{bits}", operands(seed + i, bits)) for i, n in enumerate("abc")] + [array("o", f"uint{result}", 16)]


FORMS = [
    # (text, operand bits, result bits)
    *[(f"{op}.{t} $, @A, @B;", int(t[1:]), int(t[1:])) for op in ("add", "sub", "min", "max", "div", "rem")
      for t in ("s16", "u16", "s32", "u32", "s64", "u64")],
    *[(f"mul.lo.{t} $, @A, @B;", int(t[1:]), int(t[1:])) for t in ("s16", "u16", "s32", "u32", "s64", "u64")],
    *[(f"mul.hi.{t} $, @A, @B;", int(t[1:]), int(t[1:])) for t in ("s16", "u16", "s32", "u32", "s64", "u64")],
    *[(f"mad.lo.{t} $, @A, @B, @C;", int(t[1:]), int(t[1:])) for t in ("s16", "s32", "u32", "s64")],
    *[(f"mul.wide.{t} $, @A, @B;", int(t[1:]), 2 * int(t[1:])) for t in ("s16", "u16", "s32", "u32")],
    ("mul.wide.s32 %d20, @A, @B;\nmad.wide.s32 $, @A, @B, %d20;", 32, 64),
    *[(f"{op}.{t} $, @A, @B;", int(t[1:]), int(t[1:])) for op in ("and", "or", "xor") for t in ("b16", "b32", "b64")],
    *[(f"{op}.{t} $, @A;", int(t[1:]), int(t[1:])) for op in ("not",) for t in ("b16", "b32", "b64")],
    *[(f"{op}.{t} $, @A;", int(t[1:]), int(t[1:])) for op in ("neg", "abs") for t in ("s16", "s32", "s64")],
    *[(f"cvt.u32.u16 %r20, @B;\n{op}.{t} $, @A, %r20;", 16, 16) for op, t in (("shl", "b16"), ("shr", "u16"), ("shr", "s16"))],
    *[(f"{op}.{t} $, @A, @B;", 32, 32) for op, t in (("shl", "b32"), ("shr", "u32"), ("shr", "s32"))],
    *[(f"cvt.u32.u64 %r20, @B;\n{op}.{t} $, @A, %r20;", 64, 64) for op, t in (("shl", "b64"), ("shr", "u64"), ("shr", "s64"))],
    *[(f"cvt.u32.u64 %r20, @B;\nand.b32 %r20, %r20, 63;\n{op}.{t} $, @A, %r20;", 64, 64)
      for op, t in (("shl", "b64"), ("shr", "u64"), ("shr", "s64"))],
    *[(f"{op}.{t} $, @A, {n};", 64, 64) for op, t in (("shl", "b64"), ("shr", "u64"), ("shr", "s64"))
      for n in (0, 1, 31, 32, 33, 63, 64)],
    *[(f"shf.{d}.{m}.b32 $, @A, @B, @C;", 32, 32) for d in "lr" for m in ("wrap", "clamp")],
    *[(f"{op} %r9, @A;", bits, 32) for op, bits in (("popc.b32", 32), ("popc.b64", 64), ("clz.b32", 32), ("clz.b64", 64))],
    ("brev.b32 $, @A;", 32, 32), ("brev.b64 $, @A;", 64, 64),
    *[(f"bfind{s}.{t} $, @A;", 32, 32) for s in ("", ".shiftamt") for t in ("u32", "s32")],
    *[(f"bfe.{t} $, @A, @B, @C;", 32, 32) for t in ("u32", "s32")],
    *[(f"and.b32 %r20, @B, 31;\nand.b32 %r21, @C, 31;\nbfe.{t} $, @A, %r20, %r21;", 32, 32) for t in ("u32", "s32")],
    ("bfi.b32 $, @A, @B, @C, 8;", 32, 32), ("and.b32 %r20, @C, 31;\nbfi.b32 $, @A, @B, %r20, @C;", 32, 32),
    ("prmt.b32 $, @A, @B, @C;", 32, 32), ("prmt.b32 $, @A, @B, 0x6240;", 32, 32), ("prmt.b32 $, @A, @B, 0x9D3F;", 32, 32),
    ("sad.u32 $, @A, @B, @C;", 32, 32), ("sad.s32 $, @A, @B, @C;", 32, 32), ("cnot.b32 $, @A;", 32, 32),
    *[(f"setp.{c}.{t} %p2, @A, @B;\nselp.b32 %r9, 3, 5, %p2;", int(t[1:]), 32) for c in ("eq", "ne", "lt", "le", "gt", "ge")
      for t in ("s16", "u16", "s32", "u32", "s64", "u64")],
    *[(f"setp.{c}.u32 %p2, @A, @B;\nselp.b32 $, 3, 5, %p2;", 32, 32) for c in ("lo", "ls", "hi", "hs")],
    *[(f"setp.lt.{b}.s32 %p2|%p3, @A, @B, %p1;\nselp.b32 %r20, 1, 0, %p2;\nselp.b32 %r21, 2, 0, %p3;\n"
       "add.u32 $, %r20, %r21;", 32, 32)
      for b in ("and", "or", "xor")],
    *[(f"setp.lt.s32 %p2, @A, @B;\n{op}.pred %p3, %p1, %p2;\nselp.b32 $, @A, @C, %p3;", 32, 32) for op in ("and", "or", "xor")],
    ("not.pred %p2, %p1;\nselp.b32 $, @A, @B, %p2;", 32, 32), ("selp.b64 $, @A, @B, %p1;", 64, 64),
    ("setp.gt.u64 %p2, @A, @B;\nselp.b64 $, @A, @B, %p2;", 64, 64),
    *[(f"cvt.{to}.{t} {reg}, @A;", int(t[1:]), res) for t in ("s16", "u16", "s32", "u32", "s64", "u64")
      for to, reg, res in (("s32", "%r9", 32), ("u32", "%r9", 32), ("s64", "%d29", 64), ("u64", "%d29", 64), ("u16", "%h9", 16))
      if int(to[1:]) != int(t[1:])],
    *[(f"cvt.{to}.{t} %r9, @A;", 32, 32) for to, t in (("s32", "s8"), ("u32", "u8"), ("s32", "s16"))],
    ("mov.b64 $, {@A, @B};", 32, 64), ("mov.b64 {%r20, %r21}, @A;\nxor.b32 %r9, %r20, %r21;", 64, 32),
    ("mov.b32 $, {@A, @B};", 16, 32), ("mov.b32 {%h5, %h6}, @A;\nsub.u16 %h9, %h5, %h6;", 32, 16),
    ("@%p1 mov.b32 $, @A;", 32, 32), ("mov.b32 $, @B;\n@!%p1 add.s32 $, @A, @B;", 32, 32),
    ("mov.b64 $, @B;\n@%p1 mov.b64 $, @A;", 64, 64),
    ("setp.lt.s32 %p2, @A, @B;\n@%p1 mov.pred %p2, 1;\nselp.b32 $, 1, 0, %p2;", 32, 32),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "bits", "result"), FORMS, ids=lambda value: str(value).replace("\n", " ") if isinstance(value, str) else None
)
def test_form_agrees_with_the_ptx_interpreter(text, bits, result):
    ptx = form(text, bits, result)
    args = arguments(bits, result, len(text))
    module = parse_ptx(ptx)
    outcome = launch(ptx, one_dimensional(16, args))
    assert outcome.fault is None
    assert outcome.outputs == run(module, find_entry(module, "k"), [1], [16], args)


def s32(value):
    return value - (1 << 32) if value >> 31 else value


def bytes_of(word, is_signed, bits=8):
    parts = [word >> bits * i & ((1 << bits) - 1) for i in range(32 // bits)]
    return [p - (1 << bits) if is_signed and p >> bits - 1 else p for p in parts]


def bit_select(a, b, c, table):
    return sum((table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i for i in range(32))


PYTHON_FORMS = [
    ("add.cc.u32 %r20, @A, @B;\naddc.u32 $, @A, @C;", lambda a, b, c: a + c + (a + b >> 32)),
    ("sub.cc.u32 %r20, @A, @B;\nsubc.u32 $, @A, @C;", lambda a, b, c: a - c - (a < b)),
    ("add.cc.u32 %r20, @A, @B;\naddc.cc.u32 %r21, @A, @C;\naddc.u32 $, @B, 0;",
     lambda a, b, c: b + (a + c + (a + b >> 32) >> 32)),
    ("sub.cc.u32 %r20, @A, @B;\nsubc.cc.u32 %r21, @A, @C;\nsubc.u32 $, @B, 0;",
     lambda a, b, c: b - (a - c - (a < b) < 0)),
    ("dp4a.s32.s32 $, @A, @B, @C;",
     lambda a, b, c: c + sum(x * y for x, y in zip(bytes_of(a, True), bytes_of(b, True), strict=True))),
    ("dp4a.u32.u32 $, @A, @B, @C;",
     lambda a, b, c: c + sum(x * y for x, y in zip(bytes_of(a, False), bytes_of(b, False), strict=True))),
    ("dp2a.lo.s32.u32 $, @A, @B, @C;",
     lambda a, b, c: c + sum(x * y for x, y in zip(bytes_of(a, True, 16), bytes_of(b, False)[:2], strict=True))),
    ("dp2a.hi.s32.u32 $, @A, @B, @C;",
     lambda a, b, c: c + sum(x * y for x, y in zip(bytes_of(a, True, 16), bytes_of(b, False)[2:], strict=True))),
    ("mul24.lo.u32 $, @A, @B;", lambda a, b, c: (a & 0xFFFFFF) * (b & 0xFFFFFF)),
    *[(f"lop3.b32 $, @A, @B, @C, {table};", lambda a, b, c, table=table: bit_select(a, b, c, table))
      for table in (0x00, 0xFF, 0x80, 0x96, 0xE8, 0xCA, 0x01, 0x3C)],
    ("set.lt.s32.s32 $, @A, @B;", lambda a, b, c: -(s32(a) < s32(b))),
    ("slct.b32.s32 $, @A, @B, @C;", lambda a, b, c: a if s32(c) >= 0 else b),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "truth"), PYTHON_FORMS, ids=lambda value: str(value).replace("\n", " ") if isinstance(value, str) else None
)
def test_form_agrees_with_python(text, truth):
    args = arguments(32, 32, len(text))
    outcome = launch(form(text, 32, 32), one_dimensional(16, args))
    a, b, c = (arg["value"] for arg in args[:3])
    assert outcome.outputs["o"] == [truth(*values) & M32 for values in zip(a, b, c, strict=True)]


DIVISORS = [
    1,
    2,
    3,
    5,
    6,
    7,
    10,
    12,
    13,
    16,
    100,
    641,
    1000,
    4096,
    65535,
    65536,
    0x7FFFFFFF,
    0x80000000,
    0x80000001,
    0xFFFFFFFE,
    M32,
]


@pytest.mark.parametrize("divisor", DIVISORS)
def test_division_by_a_launch_constant_is_exact(divisor):
    text = "".join(
        f"{op}.{t} %r{20 + i}, @A, {divisor};\n"
        for i, (op, t) in enumerate((("div", "u32"), ("rem", "u32"), ("div", "s32"), ("rem", "s32")))
    )
    values = [v & M32 for v in CORNERS[:24]] + [
        divisor & M32,
        divisor - 1,
        divisor + 1 & M32,
        2 * divisor & M32,
        -divisor & M32,
        2 * divisor - 1 & M32,
        M32 // divisor * divisor,
        M32 // divisor * divisor - 1,
    ]
    ptx = kernel_ptx(
        "mul.wide.u32 %d30, %r0, 4;\nadd.u64 %d31, %d0, %d30;\nld.global.u32 %r1, [%d31];\n"
        + text.replace("@A", "%r1")
        + "mul.wide.u32 %d30, %r0, 16;\nadd.u64 %d31, %d1, %d30;\nst.global.v4.u32 [%d31], {%r20, %r21, %r22, %r23};\n",
        2,
    )
    outcome = launch(ptx, one_dimensional(32, [array("a", "uint32", values), array("o", "uint32", 128)]))
    wanted = []
    for value in values:
        x, y = s32(value), s32(divisor)
        quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
        wanted += [value // divisor, value % divisor, quotient & M32, x - quotient * y & M32]
    assert outcome.outputs["o"] == wanted


ATOMS = [
    ("add.u32", lambda old, v, w: old + v), ("min.s32", lambda old, v, w: old if s32(old) < s32(v) else v),
    ("max.s32", lambda old, v, w: old if s32(old) > s32(v) else v), ("min.u32", lambda old, v, w: min(old, v)),
    ("max.u32", lambda old, v, w: max(old, v)), ("and.b32", lambda old, v, w: old & v), ("or.b32", lambda old, v, w: old | v),
    ("xor.b32", lambda old, v, w: old ^ v), ("exch.b32", lambda old, v, w: v),
    ("inc.u32", lambda old, v, w: 0 if old >= v else old + 1),
    ("dec.u32", lambda old, v, w: v if old == 0 or old > v else old - 1), ("cas.b32", lambda old, v, w: w if old == v else old),
]  # fmt: skip


@pytest.mark.parametrize("space", ["global", "shared", ""])
@pytest.mark.parametrize(("name", "truth"), ATOMS)
def test_atomics_of_all_threads_on_one_word(name, truth, space):
    """The old values and the final one must be those of some order of the threads; lanes take turns from the lowest on."""
    third = ", %r2" if name.startswith("cas") else ""
    middle = f".{space}" if space else ""
    place = "%d20" if space == "shared" else "%d0"
    body = f"""
        mul.wide.u32 %d30, %r0, 4;
        add.u64 %d31, %d1, %d30;
        ld.global.u32 %r1, [%d31];
        xor.b32 %r2, %r1, 77;
        mov.u64 %d20, word;
        setp.ne.u32 %p1, %r0, 0;
        @%p1 bra L1;
        ld.global.u32 %r3, [%d0];
        st.shared.u32 [%d20], %r3;
        L1:
        bar.sync 0;
        atom{middle}.{name} %r4, [{place}], %r1{third};
        add.u64 %d31, %d2, %d30;
        st.global.u32 [%d31], %r4;
        bar.sync 0;
        @%p1 bra L2;
        ld.shared.u32 %r3, [%d20];
        {"st.global.u32 [%d0], %r3;" if space == "shared" else ""}
        L2:
    """
    ptx = kernel_ptx(body, 3, declarations=".shared .align 4 .b8 word[4];")
    rng = random.Random(name)
    values = [rng.choice([0, 1, 5, 7, 0x80000000, M32, rng.getrandbits(32)]) for _ in range(10)]
    start = values[0]
    outcome = launch(
        ptx, one_dimensional(10, [array("w", "uint32", [start]), array("v", "uint32", values), array("o", "uint32", 10)])
    )
    assert outcome.fault is None

    def ends(word, pending):
        """The final words of all orders of the threads that explain the old values."""
        if not pending:
            return {word}
        found = set()
        for thread in pending:
            if outcome.outputs["o"][thread] == word:
                found |= ends(truth(word, values[thread], values[thread] ^ 77) & M32, pending - {thread})
                if truth(word, values[thread], values[thread] ^ 77) & M32 == word:
                    break  # it changes nothing, so that it may as well come first
        return found

    assert outcome.outputs["w"][0] in ends(start, frozenset(range(10)))
