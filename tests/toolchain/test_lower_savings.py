"""What the lowering leaves out: every saving on its own, against Python's arithmetic, and where it must not happen."""

import pytest

from tests.toolchain.lowered import array, launch, one_dimensional, scalar
from toolchain.compiler import compile_cuda


def run(source, threads, *args, blocks=1):
    """The outcome of a kernel `k` with the mistake named, if there is one."""
    outcome = launch(compile_cuda(source).ptx, one_dimensional(threads, list(args), blocks=blocks))
    assert outcome.fault is None, outcome.fault
    return outcome


def operations(outcome):
    return [operation for block in outcome.lowered.program.blocks for operation in block.operations]


def test_a_stored_sum_of_a_product_keeps_its_third_operand():
    source = """__global__ void k(int *a, int *b, int *o) {
        int i = threadIdx.x;
        o[0] = a[0] * b[0] + a[1];
        __syncthreads();
        o[i * 3 + 1] = a[i] * b[i] + i;
    }"""
    a, b = [5, 6, 7, 8], [3, 2, 4, 1]
    want = [0] * 14
    want[0] = a[0] * b[0] + a[1]
    for i in range(4):
        want[3 * i + 1] = a[i] * b[i] + i
    outcome = run(source, 4, array("a", "int32", a), array("b", "int32", b), array("o", "int32", 14))
    assert outcome.outputs["o"] == want


def test_a_word_that_nothing_writes_is_loaded_only_where_the_kernel_checked_the_index():
    """Threads 3 and 4 have no element: moving or repeating the load in front of the check would fault."""
    source = """__global__ void k(const int *a, int *o, int n) {
        int i = threadIdx.x;
        o[i] = -1;
        if (i < n) { if (a[i] > 4) o[i] = a[i] + 1; else o[i] = a[i] * 2; }
    }"""
    outcome = run(source, 5, array("a", "int32", [3, 9, 4]), array("o", "int32", 5), scalar("n", "int32", 3))
    assert outcome.outputs["o"] == [6, 10, 8, -1, -1]


def test_a_word_that_the_kernel_writes_is_loaded_again():
    source = """__global__ void k(int *a, int *o) {
        int i = threadIdx.x, x = a[i];
        __syncthreads();
        a[(i + 1) % 4] = x + 10;
        __syncthreads();
        o[i] = a[i] + x;
    }"""
    a = [1, 2, 3, 4]
    outcome = run(source, 4, array("a", "int32", a), array("o", "int32", 4))
    assert outcome.outputs["o"] == [a[(i - 1) % 4] + 10 + a[i] for i in range(4)]


def test_quotient_and_remainder_of_elements_share_a_loop():
    source = """__global__ void k(const int *a, const int *b, int *q, int *r) {
        int i = threadIdx.x;
        q[i] = a[i] / b[i];
        r[i] = a[i] % b[i];
    }"""
    a, b = [100, -100, 7, -(2**31)], [7, 7, -9, -1]
    outcome = run(source, 4, array("a", "int32", a), array("b", "int32", b), array("q", "int32", 4), array("r", "int32", 4))
    assert outcome.outputs["q"] == [14, -14, 0, -(2**31)]
    assert outcome.outputs["r"] == [2, -2, 7, 0]
    assert [operation.mnemonic for operation in operations(outcome)].count("min.u") == 1


@pytest.mark.parametrize("divisors", [[1, 2, 3, 5], [2**31, 2**32 - 1, 2**31 + 1, 7], [0, 1, 0, 2**32 - 2]])
def test_division_by_a_variable(divisors):
    source = """__global__ void k(const unsigned *a, const unsigned *b, unsigned *q, unsigned *r) {
        int i = threadIdx.x;
        q[i] = a[i / 4] / b[i % 4];
        r[i] = a[i / 4] % b[i % 4];
    }"""
    dividends = [0, 1, 2**31, 2**32 - 1, 2**31 - 1, 123456789, 6, 7]
    pairs = [(dividend, divisor) for dividend in dividends for divisor in divisors]
    arrays = [array("a", "uint32", dividends), array("b", "uint32", divisors), array("q", "uint32", 32)]
    outcome = run(source, 32, *arrays, array("r", "uint32", 32))
    assert outcome.outputs["q"] == [a // b if b else 2**32 - 1 for a, b in pairs]
    assert outcome.outputs["r"] == [a % b if b else a for a, b in pairs]


def test_an_element_or_zero_needs_no_branch():
    source = "__global__ void k(const int *a, int *o, int n) { int i = threadIdx.x; o[i] = i < n ? a[i] : 0; }"
    outcome = run(source, 8, array("a", "int32", [5, -6, 7]), array("o", "int32", 8), scalar("n", "int32", 3))
    assert outcome.outputs["o"] == [5, -6, 7, 0, 0, 0, 0, 0]
    assert not any(block.terminator.exit.name == "BRANCH" for block in outcome.lowered.program.blocks)


def test_an_element_or_something_else_than_zero():
    source = "__global__ void k(const int *a, int *o, int n) { int i = threadIdx.x; o[i] = i < n ? a[i] : 9; }"
    outcome = run(source, 8, array("a", "int32", [5, -6, 7]), array("o", "int32", 8), scalar("n", "int32", 3))
    assert outcome.outputs["o"] == [5, -6, 7, 9, 9, 9, 9, 9]


@pytest.mark.parametrize(
    ("atomic", "serial"),
    [
        ("atomicOr(p, 0u)", 0),
        ("atomicAdd(p, 0u)", 0),
        ("atomicAnd(p, ~0u)", 0),
        ("atomicOr(p, 1u)", 1),
        ("atomicAnd(p, 0u)", 1),
    ],
)
def test_an_atomic_that_changes_nothing_is_a_load(atomic, serial):
    source = f"""__global__ void k(unsigned *p, unsigned *o) {{
        if (threadIdx.x == 0) atomicExch(p, 6u);
        __syncthreads();
        o[threadIdx.x] = {atomic};
    }}"""
    outcome = run(source, 1, array("p", "uint32", [3]), array("o", "uint32", 1))
    assert outcome.outputs["o"] == [6]
    assert sum(block.serial for block in outcome.lowered.program.blocks) == 1 + serial


def test_predicates_are_added_as_they_are():
    source = """__global__ void k(const int *a, int *o, int n) {
        int i = threadIdx.x, r = 0, x = a[i];
        for (int j = 0; j < n; j++) r += (a[j] < x) || (a[j] == x && j < i);
        o[r] = x;
    }"""
    a = [5, 3, 5, -1, 3, 8, 5, 0]
    outcome = run(source, 8, array("a", "int32", a), array("o", "int32", 8), scalar("n", "int32", 8))
    assert outcome.outputs["o"] == sorted(a)


@pytest.mark.parametrize(
    ("loop", "values", "is_short"),
    [
        ("for (int k = 0; k < 20; k++)", range(20), True),
        ("for (unsigned k = 3; k <= 21; k += 3)", range(3, 22, 3), True),
        ("for (int k = 19; k >= 0; k--)", range(19, -1, -1), False),
        ("for (int k = 0; k != 18; k += 3)", range(0, 18, 3), False),
        ("for (int k = 16; k > 0; k >>= 1)", [16, 8, 4, 2, 1], False),
    ],
)
def test_a_counter_that_can_be_few_things_is_divided_without_long_products(loop, values, is_short):
    """Where clang leaves the loop as it is written (`is_short`); the others must be right all the same."""
    source = f"""__global__ void k(const int *a, int *o) {{
        int s = threadIdx.x;
        {loop} s = (s * 3 + a[k % 7] - (int)(k / 5)) & 0xffff;
        o[threadIdx.x] = s;
    }}"""
    a = [4, -9, 2, 7, -30, 11, 1]
    want = [0, 1]
    for k in values:
        want = [(s * 3 + a[k % 7] - k // 5) & 0xFFFF for s in want]
    outcome = run(source, 2, array("a", "int32", a), array("o", "int32", 2))
    assert outcome.outputs["o"] == want
    if is_short:
        assert not any(operation.mnemonic.startswith("mulhi") for operation in operations(outcome))


def test_a_counter_without_a_bound_is_anything():
    """The loop ends by its data: the counter passes every small number."""
    source = """__global__ void k(const int *a, int *o) {
        int k = 0;
        while (a[k % 5] != a[4] || k < 300) k++;
        o[threadIdx.x] = k;
    }"""
    a = [1, 2, 3, 4, 5]
    k = 0
    while a[k % 5] != a[4] or k < 300:
        k += 1
    outcome = run(source, 1, array("a", "int32", a), array("o", "int32", 1))
    assert outcome.outputs["o"] == [k]


def test_a_loop_that_halves_while_even():
    source = """__global__ void k(const unsigned *a, unsigned *o) {
        unsigned v = a[threadIdx.x], n = 0;
        while (!(v & 1)) { v >>= 1; n += 2; }
        o[threadIdx.x] = v * 100 + n;
    }"""
    a = [96, 7, 1024, 12]
    want = []
    for v in a:
        n = 0
        while v % 2 == 0:
            v, n = v // 2, n + 2
        want.append(v * 100 + n)
    outcome = run(source, 4, array("a", "uint32", a), array("o", "uint32", 4))
    assert outcome.outputs["o"] == want


def test_sums_of_a_warp_across_its_barriers():
    source = """__global__ void k(const int *a, int *o) {
        int v = a[threadIdx.x];
        for (int m = 16; m > 0; m >>= 1) v = v * 3 + __shfl_xor_sync(0xffffffff, v, m);
        o[threadIdx.x] = v;
    }"""
    a = [(7 * i) % 11 - 5 for i in range(32)]
    v = a
    for m in (16, 8, 4, 2, 1):
        v = [v[i] * 3 + v[i ^ m] for i in range(32)]
    outcome = run(source, 32, array("a", "int32", a), array("o", "int32", 32))
    assert outcome.outputs["o"] == v
