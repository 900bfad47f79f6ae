"""Loops that the launch counts, words that only their thread writes, atomics without effect, against Python's arithmetic."""

from dataclasses import replace

import pytest

from engine.machine.program import Exit
from engine.machine.spec import SPEC
from tests.toolchain.lowered import array, launch, one_dimensional, scalar
from toolchain.compiler import compile_cuda
from toolchain.launch import parse_launch
from toolchain.lower import lower
from toolchain.ptx import parse_ptx

WORD = 0xFFFFFFFF


def run(source, threads, *args, blocks=1):
    outcome = launch(compile_cuda(source).ptx, one_dimensional(threads, list(args), blocks=blocks))
    assert outcome.fault is None, outcome.fault
    return outcome


def has_loop(outcome):
    """Whether some block leads back."""
    ends = [(number, block.terminator) for number, block in enumerate(outcome.lowered.program.blocks)]
    jumps = [end.taken <= number for number, end in ends if end.exit is Exit.JUMP]
    branches = [min(end.taken, end.other) <= number for number, end in ends if end.exit is Exit.BRANCH]
    return any(jumps + branches)


LOOPS = {
    "up": ("for (int k = 0; k < n; k++)", lambda n: range(n)),
    "down": ("for (int k = n - 1; k >= 0; k--)", lambda n: range(n - 1, -1, -1)),
    "until": ("for (unsigned k = 0xFFFFFFFEu; k != n; k++)", lambda n: [WORD - 1, WORD, *range(n)]),
    "halving": ("for (int k = 1 << n; k > 0; k >>= 1)", lambda n: [1 << m for m in range(n, -1, -1)]),
    "doubling": ("for (unsigned k = 1; k < 1u << n; k *= 2)", lambda n: [1 << m for m in range(n)]),
    "once or more": ("int k = 5; do", lambda n: [5 + m for m in range(max(1, n - 5))]),
}


@pytest.mark.parametrize("rounds", [0, 1, 2, 6, 9])
@pytest.mark.parametrize("loop", LOOPS)
def test_a_counted_loop(loop, rounds):
    """Two values live through the rounds, and the counter is asked for behind them."""
    head, counted = LOOPS[loop]
    tail = "while (++k < n);" if loop == "once or more" else ""
    source = f"""__global__ void k(const int *a, unsigned *o, int n) {{
        int t = blockIdx.x * blockDim.x + threadIdx.x;
        unsigned x = a[t], y = 1;
        {head} {{ x = x * 3 + k; y ^= x >> (k & 7); }} {tail}
        o[2 * t] = x; o[2 * t + 1] = y;
    }}"""
    values = [7 * t - 50 for t in range(96)]
    want = []
    for value in values:
        x, y = value & WORD, 1
        for k in counted(rounds):
            x = (x * 3 + k) & WORD
            y ^= x >> (k & 7)
        want += [x, y]
    args = array("a", "int32", values), array("o", "uint32", 192), scalar("n", "int32", rounds)
    outcome = run(source, 48, *args, blocks=2)
    assert outcome.outputs["o"] == want
    assert not has_loop(outcome)


def test_the_counter_behind_its_loop_and_one_that_depends_on_an_outer_one():
    source = """__global__ void k(unsigned *o, int n) {
        int t = blockIdx.x * blockDim.x + threadIdx.x, i = 0, j = 0;
        unsigned x = t;
        for (i = 0; i < n; i++) { for (j = i; j < 4; j++) x = x * 5 + i * 10 + j; if (x & 1) x += j; }
        o[t] = x + 1000 * i;
    }"""
    want = []
    for t in range(128):
        x = t
        for i in range(3):
            for j in range(i, 4):
                x = (x * 5 + i * 10 + j) & WORD
            x = (x + (4 if x & 1 else 0)) & WORD
        want.append((x + 3000) & WORD)
    outcome = run(source, 64, array("o", "uint32", 128), scalar("n", "int32", 3), blocks=2)
    assert outcome.outputs["o"] == want
    assert not has_loop(outcome)


@pytest.mark.parametrize("body", ["if (x > 900) break; x = x * 2 + k;", "if (x & 1) continue; x = x / 2 + 7 * k;"])
def test_rounds_that_end_early(body):
    source = f"""__global__ void k(unsigned *o) {{
        int t = blockIdx.x * blockDim.x + threadIdx.x;
        unsigned x = t * 9;
        for (int k = 0; k < 5; k++) {{ {body} }}
        o[t] = x;
    }}"""
    want = []
    for t in range(128):
        x = t * 9
        for k in range(5):
            if "break" in body:
                if x > 900:
                    break
                x = x * 2 + k
            elif not x & 1:
                x = x // 2 + 7 * k
        want.append(x)
    assert run(source, 64, array("o", "uint32", 128), blocks=2).outputs["o"] == want


def test_rounds_with_barriers_and_shared_memory():
    source = """__global__ void k(const int *a, int *o) {
        __shared__ int s[2][64];
        int t = threadIdx.x, side = 0;
        s[0][t] = a[t];
        __syncthreads();
        for (int d = 1; d < 64; d *= 2) {
            s[1 - side][t] = s[side][t] + (t >= d ? s[side][t - d] : 0);
            side = 1 - side;
            __syncthreads();
        }
        o[t] = s[side][t];
    }"""
    values = [3 * t - 70 for t in range(64)]
    outcome = run(source, 64, array("a", "int32", values), array("o", "int32", 64))
    assert outcome.outputs["o"] == [sum(values[: t + 1]) for t in range(64)]


@pytest.mark.parametrize(("threads", "width"), [(32, 32), (64, 32), (32, 8), (48, 8), (64, 8)])
def test_a_butterfly_keeps_its_sums_in_the_exchange(threads, width):
    """Each step loads two words and stores one: nothing is kept in a register, and one barrier is enough."""
    source = f"""__global__ void k(const int *a, int *o) {{
        int t = threadIdx.x, v = a[t];
        for (int m = {width} / 2; m > 0; m >>= 1) v += 3 * __shfl_xor_sync(0xffffffff, v, m, {width});
        o[t] = v;
    }}"""
    values = [(t * 2654435761 & WORD) - (1 << 31) for t in range(threads)]
    now = values
    for step in (16, 8, 4, 2, 1):
        if step < width:
            now = [(v + 3 * now[t ^ step]) & WORD for t, v in enumerate(now)]
    outcome = run(source, threads, array("a", "int32", values), array("o", "int32", threads))
    assert [v & WORD for v in outcome.outputs["o"]] == now
    barriers = [block for block in outcome.lowered.program.blocks if block.terminator.exit is Exit.WARP_BARRIER]
    assert len(barriers) == (5 if width == 32 else 3)
    assert not any(o.destination is not None for block in barriers[1:] for o in block.operations if o.mnemonic != "mul")


@pytest.mark.parametrize("distance", [1, 7, 8, 9])
def test_a_word_that_another_thread_writes_is_no_own_word(distance):
    source = f"""__global__ void k(const int *a, int *o) {{
        __shared__ int s[64];
        int t = threadIdx.x, v = a[t] * a[t];
        s[t] = v;
        __syncthreads();
        int w = s[(t + 1) % 8];
        __syncthreads();
        s[t + {distance}] = w;
        __syncthreads();
        o[t] = v * 1000 + s[t];
    }}"""
    a = [5, 2, 9, 4, 1, 7, 3, 8]
    shared = [x * x for x in a] + [0] * 56
    brought = [shared[(t + 1) % 8] for t in range(8)]
    for t, value in enumerate(brought):
        shared[t + distance] = value
    outcome = run(source, 8, array("a", "int32", a), array("o", "int32", 8))
    assert outcome.outputs["o"] == [a[t] * a[t] * 1000 + shared[t] for t in range(8)]


def test_a_word_that_is_stored_again_is_read_where_it_holds_the_value():
    source = """__global__ void k(const int *a, int *o) {
        __shared__ int s[8], r[8];
        int t = threadIdx.x, v = a[t] * 7, w = a[t] + 1;
        s[t] = v;
        __syncthreads();
        int x = s[t ^ 1];
        __syncthreads();
        s[t] = w;
        r[t] = v;
        __syncthreads();
        o[t] = v + 100 * x + 10000 * s[t ^ 2] + 1000000 * r[t ^ 3] + w;
    }"""
    a = [5, 2, 9, 4, 1, 7, 3, 8]
    want = [7 * a[t] + 700 * a[t ^ 1] + 10000 * (a[t ^ 2] + 1) + 7000000 * a[t ^ 3] + a[t] + 1 for t in range(8)]
    assert run(source, 8, array("a", "int32", a), array("o", "int32", 8)).outputs["o"] == want


def test_a_kernel_that_is_too_long_with_its_loops_laid_out_keeps_them():
    source = """__global__ void k(unsigned *o) {
        int t = blockIdx.x * blockDim.x + threadIdx.x;
        unsigned x = t;
        for (int k = 0; k < 12; k++) x = (x ^ (x << 3)) * 5 + k;
        o[t] = x;
    }"""
    module = parse_ptx(compile_cuda(source).ptx, "kernel.cu")
    document = parse_launch(one_dimensional(64, [array("o", "uint32", 128)], blocks=2))
    long = lower(module, document).program
    short = lower(module, document, replace(SPEC, blocks=len(long.blocks) - 1)).program
    assert len(short.blocks) < len(long.blocks) / 2


ATOMICS = {"Max": max, "Min": min, "Or": lambda a, b: a | b, "And": lambda a, b: a & b}


@pytest.mark.parametrize("kind", ["signed", "unsigned"])
@pytest.mark.parametrize("name", ATOMICS)
def test_an_atomic_writes_nothing_where_it_changes_nothing(name, kind):
    """Every thread takes part twice at a place that others share; what it finds is what some order would have left."""
    word = "int" if kind == "signed" else "unsigned"
    source = f"""__global__ void k(const {word} *a, {word} *m, {word} *o) {{
        int t = threadIdx.x;
        o[t] = atomic{name}(&m[t % 3], a[t]);
        __syncthreads();
        atomic{name}(&m[t % 3], a[t]);
        atomic{name}(&m[3], a[t]);
    }}"""
    low = -(1 << 31) if kind == "signed" else 0
    values = [((t * 2654435761 ^ t << 7) & WORD) + low for t in range(15)]
    start = [values[5] ^ 1, values[6], values[7], values[8]]
    types = "int32" if kind == "signed" else "uint32"
    outcome = run(source, 15, array("a", types, values), array("m", types, start), array("o", types, 15))
    change = ATOMICS[name]
    for place in range(4):
        want = start[place]
        for t in range(15):
            if place in (t % 3, 3):
                want = change(want, values[t])
        assert outcome.outputs["m"][place] == want
        left = [start[place], *(change(outcome.outputs["o"][t], values[t]) for t in range(15) if t % 3 == place)]
        assert all(outcome.outputs["o"][t] in left for t in range(15) if t % 3 == place)


def test_an_atomic_that_changes_nothing_costs_no_write():
    source = "__global__ void k(int *m) { atomicMax(m, (int)threadIdx.x); }"
    still = run(source, 32, array("m", "int32", [99])).tokens
    moving = run(source, 32, array("m", "int32", [-1])).tokens
    assert still < moving / 2
