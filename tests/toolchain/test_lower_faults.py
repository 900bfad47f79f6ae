"""Accesses outside their array fault by name, however far outside: nothing aliases. Every refusal names what it refuses."""

import pytest

from engine.machine.errors import InputError, LimitExceeded, UnsupportedError
from tests.toolchain.lowered import HEAD, array, kernel_ptx, launch, one_dimensional, scalar
from tests.truth.ptxsim import run
from toolchain.ptx import find_entry, parse_ptx


def load_from(kind, address, element="u32"):
    """A kernel whose thread 0 reads index p1[0] (of type `kind`) of p0 by the PTX `address` (%d20), and stores it in p2."""
    bits = kind[1:]
    register = "%d10" if bits == "64" else "%r1"
    target = {"u64": "%d21", "u8": "%r2", "s16": "%r2"}.get(element, "%r2")
    store = "st.global.u64 [%d2], %d21;" if element == "u64" else "st.global.u32 [%d2], %r2;"
    return kernel_ptx(f"ld.global.{kind} {register}, [%d1];\n{address}\nld.global.{element} {target}, [%d20];\n{store}", 3)


BASE = "\nadd.s64 %d20, %d20, %d0;"
WORD_INDEX = "mul.wide.s32 %d20, %r1, 4;" + BASE
FORMS = [
    # (index type, address, element type, elements, indices in bounds, indices out of bounds)
    ("s32", WORD_INDEX, "u32", 6, [0, 5], [6, -1, 1 << 30, -(1 << 30), (1 << 31) - 1, -(1 << 31), 2048]),
    ("u32", "mul.wide.u32 %d20, %r1, 4;" + BASE, "u32", 6, [0, 5], [6, 1 << 30, 1 << 31, (1 << 32) - 1]),
    ("s32", WORD_INDEX + "\nadd.s64 %d20, %d20, 40;", "u32", 6, [-10, -5],
     [-4, -11, (1 << 30) - 10, (1 << 31) - 1, -(1 << 31)]),
    ("u32", "cvt.u64.u32 %d20, %r1;\nadd.s64 %d20, %d20, 5;\nshl.b64 %d20, %d20, 2;" + BASE, "u32", 12, [0, 6],
     [7, (1 << 32) - 1, (1 << 32) - 5, (1 << 30) - 5, 1 << 30]),
    ("s64", "shl.b64 %d20, %d10, 2;" + BASE, "u32", 6, [0, 5],
     [6, -1, 1 << 30, 1 << 32, (1 << 32) + 1, 1 << 60, 1 << 61]),
    ("s64", "mad.lo.s64 %d20, %d10, 12, %d0;", "u32", 9, [0, 2], [3, -1, 1 << 32, 0x55555556, 1 << 30, 1 << 59]),
    ("s32", "mul.wide.s32 %d20, %r1, 8;" + BASE, "u64", 3, [0, 2],
     [3, -1, 1 << 29, 1 << 30, -(1 << 31), (1 << 29) + 1]),
    ("s32", "mul.wide.s32 %d20, %r1, 12;" + BASE, "u32", 9, [0, 2],
     [3, -1, 0x55555556, 0x15555556, 1 << 30, 357913942]),
    ("s32", "cvt.s64.s32 %d20, %r1;" + BASE, "u8", 6, [0, 5], [6, 7, -1, 8, 1 << 30, -(1 << 31)]),
    ("s32", "mul.wide.s32 %d20, %r1, 2;" + BASE, "s16", 3, [0, 2], [3, -1, 4, 1 << 30, 1 << 31 - 1, -(1 << 31)]),
    ("s64", "add.s64 %d20, %d10, %d0;", "u8", 6, [0, 5], [6, 7, -1, 1 << 32, 1 << 63 - 1]),
    ("s64", "add.s64 %d20, %d10, %d0;", "u32", 3, [0, 4, 8], [1, 2, 3, 5, 9, 10, 11, 12, 1 << 32]),
    ("s32", WORD_INDEX + "\nmul.wide.s32 %d21, %r1, 4;\nadd.s64 %d20, %d20, %d21;\nadd.s64 %d20, %d20, %d21;", "u32", 9, [0, 2],
     [3, -1, 1 << 30, 0x55555556, (1 << 31) - 1, -(1 << 31)]),
]  # fmt: skip
TYPES = {"u32": "uint32", "u8": "uint8", "s16": "int16", "u64": "uint64"}


def arguments(kind, element, count, index):
    values = [(7 * i + 3) % 120 for i in range(count)]
    name = {"s32": "int32", "u32": "uint32", "s64": "int64"}[kind]
    signed = 1 << int(kind[1:]) - 1
    if kind[0] == "s" and index >= signed:
        index -= 2 * signed
    return [
        array("data", TYPES[element], values),
        array("index", name, [index]),
        array("o", "uint64" if element == "u64" else "uint32", 1),
    ]


@pytest.mark.parametrize("form", FORMS, ids=[f"{f[2]}-{n}" for n, f in enumerate(FORMS)])
def test_bounds_hold_for_every_index(form):
    kind, address, element, count, inside, outside = form
    ptx = load_from(kind, address, element)
    module = parse_ptx(ptx)
    for index in inside:
        args = arguments(kind, element, count, index)
        outcome = launch(ptx, one_dimensional(1, args))
        assert outcome.fault is None, index
        assert outcome.outputs == run(module, find_entry(module, "k"), [1], [1], args)
    for index in outside:
        outcome = launch(ptx, one_dimensional(1, arguments(kind, element, count, index)))
        assert outcome.fault is not None, f"index {index} is not seen"
        assert outcome.fault.extra["array"] == "data"


def test_a_fault_names_kernel_array_index_thread_and_line():
    from toolchain.compiler import compile_cuda

    compiled = compile_cuda("__global__ void off(int *a,\n  const int *b) {\n  a[threadIdx.x] =\n    b[threadIdx.x + 3];\n}\n")
    args = [array("a", "int32", 8), array("b", "int32", [1, 2, 3, 4, 5, 6, 7, 8])]
    fault = launch(compiled.ptx, one_dimensional(6, args, "off")).fault
    assert fault is not None
    assert "read of b[8], which has 8 elements" in fault.what
    assert fault.where == "kernel off, line 4, thread 5"
    assert (fault.extra["array"], fault.extra["index"], fault.extra["thread"], fault.extra["line"]) == ("b", 8, 5, 4)


def test_a_write_outside_leaves_memory_alone_and_names_the_thread_in_three_dimensions():
    body = "mul.wide.u32 %d9, %r0, 4;\nadd.s64 %d9, %d9, %d0;\nmov.u32 %r1, %tid.y;\nst.global.u32 [%d9+8], %r1;"
    document = {"kernel": "k", "block": [2, 2, 1], "args": [array("a", "uint32", [9, 9, 9])]}
    outcome = launch(kernel_ptx(body, 1), document)
    assert outcome.fault is not None
    assert "write of a[3]" in outcome.fault.what
    assert outcome.fault.where == "kernel k, thread (1, 0, 0)"
    assert outcome.outputs["a"] == [9, 9, 9]


@pytest.mark.parametrize("offset", [-4, 20, 1 << 20])
def test_a_local_array_has_bounds_of_its_own(offset):
    body = """
        ld.global.u64 %d9, [%d1];
        add.u64 %d10, %SPL, %d9;
        st.local.u32 [%d10], %r0;
        ld.local.u32 %r1, [%d10];
        st.global.u32 [%d0], %r1;
    """
    declarations = ".local .align 4 .b8 depot[20];\n.reg .b64 %SPL;\nmov.u64 %SPL, depot;"
    ptx = kernel_ptx(body, 2, declarations=declarations)
    args = [array("o", "uint32", 1), array("i", "int64", [offset])]
    fault = launch(ptx, one_dimensional(1, args)).fault
    assert fault is not None
    assert fault.extra["array"] == "local memory"


def test_a_pointer_to_a_local_variable_or_elsewhere_is_told_apart_when_it_is_used():
    body = """
        mov.u64 %d8, depot;
        st.local.u32 [%d8+4], 77;
        and.b32 %r1, %r0, 1;
        setp.eq.u32 %p1, %r1, 1;
        selp.b64 %d9, %d8, %d0, %p1;
        ld.global.u64 %d10, [%d2];
        add.u64 %d9, %d9, %d10;
        ld.u32 %r2, [%d9+4];
        mul.wide.u32 %d11, %r0, 4;
        add.u64 %d11, %d11, %d1;
        st.global.u32 [%d11], %r2;
    """
    ptx = kernel_ptx(body, 3, declarations=".local .align 4 .b8 depot[8];")
    for offset, array_name in ((0, None), (4, "nothing"), (-8, "nothing"), (1 << 34, "nothing")):
        args = [array("a", "uint32", [5, 6]), array("o", "uint32", 6), array("i", "int64", [offset])]
        outcome = launch(ptx, one_dimensional(6, args))
        if array_name is None:
            assert outcome.outputs["o"] == [6, 77] * 3
        else:
            assert outcome.fault is not None


def test_a_null_pointer_and_a_trap_fault():
    assert (
        launch(
            kernel_ptx("mov.u64 %d9, 0;\nld.global.u32 %r1, [%d9];\nst.global.u32 [%d0], %r1;", 1),
            one_dimensional(1, [array("o", "uint32", 1)]),
        ).fault
        is not None
    )
    outcome = launch(
        kernel_ptx("setp.ne.u32 %p1, %r0, 2;\n@%p1 bra L;\ntrap;\nL:", 1), one_dimensional(4, [array("o", "uint32", 1)])
    )
    assert outcome.fault is not None
    assert outcome.fault.extra["thread"] == 2


def test_a_barrier_in_two_places_at_once_is_a_fault():
    body = "setp.eq.u32 %p1, %r0, 1;\n@%p1 bra A;\nbar.sync 0;\nbra B;\nA:\nbar.sync 0;\nB:\nst.global.u32 [%d0], %r0;"
    fault = launch(kernel_ptx(body, 1), one_dimensional(4, [array("o", "uint32", 1)])).fault
    assert fault is not None
    assert "barrier" in fault.what


REFUSED = {
    "floating-point arithmetic (add.f32)": "add.f32 %f1, %f1, %f1;",
    "floating-point arithmetic (cvt.rn.f32.s32)": "cvt.rn.f32.s32 %f1, %r0;",
    "the PTX form bmsk.clamp.b32": "bmsk.clamp.b32 %r1, %r0, %r0;",
    "the PTX form add.sat.s32": "add.sat.s32 %r1, %r0, %r0;",
    "the special register %clock": "mov.u32 %r1, %clock;",
    "a barrier other than __syncthreads()": "bar.sync 1;",
    "a barrier for some of the block's threads": "bar.sync 0, 32;",
    "a member mask (0x1) that leaves out threads of the warp": "shfl.sync.idx.b32 %r1, %r0, 0, 31, 1;",
    "a member mask that is not known at launch": "shfl.sync.idx.b32 %r1, %r0, 0, 31, %r5;",
    "a shuffle whose width is not known at launch": "shfl.sync.idx.b32 %r1, %r0, 0, %r5, -1;",
    "a call of vprintf": "{\n.param .b32 v0;\ncall.uni (v0), vprintf, ();\n}",
    "__activemask() where some threads may be elsewhere": "setp.eq.u32 %p1, %r0, 1;\n@%p1 bra A;\nactivemask.b32 %r1;\n"
    "st.global.u32 [%d0], %r1;\nA:",
    "a local address that was computed from no local variable": "st.local.u32 [%r5], %r0;",
    "a write to constant memory": "mov.u64 %d9, table;\nst.u32 [%d9], %r0;",
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_the_machine_lacks_is_refused_by_name(what):
    body = "ld.global.u32 %r5, [%d0];\n" + REFUSED[what]
    ptx = kernel_ptx(
        body,
        1,
        ".const .align 4 .b8 table[4] = {1, 0, 0, 0};\n.extern .func (.param .b32 v) vprintf ();",
        ".local .align 4 .b8 depot[8];",
    )
    with pytest.raises(UnsupportedError) as caught:
        launch(ptx, one_dimensional(64, [array("o", "uint64", 8)]))
    assert what in caught.value.what


def test_refusals_carry_the_source_line():
    text = f"""{HEAD}.file 1 "kernel.cu"
        .visible .entry k(.param .u64 a) {{ .reg .f32 %f<3>; .loc 1 17 3
        add.f32 %f1, %f1, %f2; ret; }}"""
    with pytest.raises(UnsupportedError) as caught:
        launch(text, one_dimensional(1, [array("a", "uint32", 1)]))
    assert caught.value.extra["line"] == 17
    assert "line 17" in caught.value.where


def test_recursion_is_refused():
    text = f"""{HEAD}
        .func (.param .b32 r) f (.param .b32 n) {{ .reg .b32 %r<3>; .reg .pred %p; ld.param.b32 %r1, [n];
        {{ .param .b32 x; st.param.b32 [x], %r1; .param .b32 y; call.uni (y), f, (x); ld.param.b32 %r2, [y]; }}
        st.param.b32 [r], %r2; ret; }}
        .visible .entry k(.param .u64 a) {{ .reg .b32 %r<3>;
        {{ .param .b32 x; st.param.b32 [x], 1; .param .b32 y; call.uni (y), f, (x); ld.param.b32 %r2, [y]; }} ret; }}"""
    with pytest.raises(UnsupportedError, match="recursion"):
        launch(text, one_dimensional(1, [array("a", "uint32", 1)]))


def test_numbers_of_the_machine_are_named_with_what_is_needed():
    store = kernel_ptx("st.global.u32 [%d0], %r0;", 1)
    many = kernel_ptx("st.global.u32 [%d0], %r0;", 16)
    barriers = kernel_ptx("bar.sync 0;\n" * 17, 1)
    long_code = kernel_ptx(
        "ld.global.u32 %r1, [%d0];\n"
        + "xor.b32 %r1, %r1, %r0;\nmul.lo.u32 %r1, %r1, %r1;\n" * 600
        + "st.global.u32 [%d0], %r1;",
        1,
    )
    for ptx, threads, args, limit, needed, available in (
        (store, 65, [array("o", "uint32", 1)], "threads of a block", 65, 64),
        (store, 1, [array("o", "uint32", 2048)], "memory words", 2052, 2048),
        (many, 1, [array(f"o{i}", "uint32", 1) for i in range(16)], "arrays", 16, 15),
        (barriers, 4, [array("o", "uint32", 1)], "__syncthreads sites", 17, 16),
        (long_code, 64, [array("o", "uint32", 1)], "program blocks", None, 256),
    ):
        with pytest.raises(LimitExceeded) as caught:
            launch(ptx, one_dimensional(threads, args))
        extra = caught.value.extra
        assert (extra["limit"], extra["available"]) == (limit, available)
        assert extra["needed"] == needed or (needed is None and extra["needed"] > available)


@pytest.mark.parametrize(("args", "message"), [
    ([], "has 2 parameters, the launch gives 0"),
    ([scalar("a", "int32", 1), scalar("n", "int32", 1)], "a int32 is given for a parameter of type int*"),
    ([array("a", "int32", 1), array("n", "int32", 1)], "an array is given for a parameter of type int"),
    ([array("a", "int64", 1), scalar("n", "int32", 1)], "an array of int64 is given for a parameter of type int*"),
    ([array("a", "int32", 1), scalar("n", "int64", 1)], "8 bytes (int64) are given for a parameter of type int"),
])  # fmt: skip
def test_arguments_that_do_not_fit_the_kernel(args, message):
    text = f"{HEAD}.visible .entry _Z1kPii(.param .u64 _p0, .param .u32 _p1) {{ ret; }}"
    with pytest.raises(InputError) as caught:
        launch(text, one_dimensional(1, args))
    assert message in caught.value.what
