"""What threads do together: shuffles, votes, matches, barriers with a count, spinning, in loops, in grids, in partial warps."""

import functools

import pytest

from tests.toolchain.lowered import array, launch, one_dimensional, scalar
from tests.truth.ptxsim import run
from toolchain.compiler import compile_cuda
from toolchain.ptx import find_entry, parse_ptx

SHUFFLES = """
__global__ void shuffles(const int *a, int *o, int n) {
    int t = threadIdx.x + blockIdx.x * blockDim.x, v = a[t];
    int *p = o + 8 * t;
    p[0] = __shfl_sync(~0u, v, 5, 8);
    p[1] = __shfl_xor_sync(~0u, v, 3, 4);
    p[2] = __shfl_up_sync(~0u, v, 2, 16);
    p[3] = __shfl_down_sync(~0u, v, 3, 8);
    p[4] = __shfl_sync(~0u, v, threadIdx.x * 7, 4);
    for (int d = 1; d < 4; d *= 2) v += __shfl_xor_sync(~0u, v, d);
    p[5] = v;
    for (int k = 0; k < n; k++) { v = v * 3 + __shfl_sync(~0u, v, k, 4); if (v & 1) v++; }
    p[6] = v;
    p[7] = __shfl_sync(~0u, v, 0);
}
"""
VOTES = """
__global__ void votes(const int *a, unsigned *o, int n) {
    int t = threadIdx.x + blockIdx.x * blockDim.x, v = a[t];
    unsigned *p = o + 8 * t;
    p[0] = __ballot_sync(~0u, v > 3);
    p[1] = __any_sync(~0u, v == 7) * 2 + __all_sync(~0u, v < 9);
    p[2] = __match_any_sync(~0u, v);
    int same;
    p[3] = __match_all_sync(~0u, v < 100, &same) + same;
    unsigned sum = 0;
    for (int k = 0; k < n; k++) { sum = sum * 5 + __ballot_sync(~0u, (v >> k & 1) != 0); if (__all_sync(~0u, k > v)) sum++; }
    p[4] = sum;
    p[5] = __syncthreads_count(v & 1);
    p[6] = __syncthreads_or(v == 5) * 2 + __syncthreads_and(v < 8);
    sum = 0;
    for (int k = 0; k < n; k++) sum = sum * 7 + __syncthreads_count(v > k);
    p[7] = sum;
}
"""
LEAVING = """
__global__ void leaving(const int *a, unsigned *o, int n) {
    int t = threadIdx.x;
    unsigned sum = 0;
    for (int k = 0; k < n; k++) {
        if (a[t] < k) { o[t] = sum; return; }
        sum = sum * 3 + __ballot_sync(~0u, a[t] > k + 1);
        __syncwarp();
    }
    o[t] = sum + __match_any_sync(~0u, a[t] & 1);
}
"""
EXCHANGE = """
__global__ void rounds(const int *a, int *o, int n) {
    __shared__ int s[2][64];
    int t = threadIdx.x;
    s[0][t] = a[t + blockIdx.x * blockDim.x];
    __syncthreads();
    for (int k = 0; k < n; k++) {
        s[(k + 1) & 1][t] = s[k & 1][(t + 1) % blockDim.x] * 3 + s[k & 1][t];
        __syncthreads();
    }
    o[t + blockIdx.x * blockDim.x] = s[n & 1][t];
}
"""


@functools.cache
def compiled(source):
    return compile_cuda(source).ptx


def check(source, kernel, threads, blocks, args):
    """The lowered launch against the PTX interpreter."""
    ptx = compiled(source)
    module = parse_ptx(ptx)
    outcome = launch(ptx, one_dimensional(threads, args, kernel, blocks))
    assert outcome.fault is None
    assert outcome.outputs == run(module, find_entry(module, kernel), [blocks], [threads], args)


def values(count, limit=9):
    return [(i * i * 7 + 3 * i + 1) % limit for i in range(count)]


@pytest.mark.parametrize(("threads", "blocks"), [(32, 1), (64, 1), (16, 2)])
def test_shuffles(threads, blocks):
    args = [
        array("a", "int32", values(threads * blocks, 1000)),
        array("o", "int32", 8 * threads * blocks),
        scalar("n", "int32", 3),
    ]
    check(SHUFFLES, "shuffles", threads, blocks, args)


@pytest.mark.parametrize(("threads", "blocks"), [(32, 1), (64, 1), (24, 1), (40, 1), (4, 2)])
def test_votes_and_counts(threads, blocks):
    args = [array("a", "int32", values(threads * blocks)), array("o", "uint32", 8 * threads * blocks), scalar("n", "int32", 3)]
    check(VOTES, "votes", threads, blocks, args)


@pytest.mark.parametrize("threads", [32, 20])
def test_threads_that_leave_take_no_part(threads):
    check(
        LEAVING,
        "leaving",
        threads,
        1,
        [array("a", "int32", values(threads, 6)), array("o", "uint32", threads), scalar("n", "int32", 4)],
    )


@pytest.mark.parametrize(("threads", "blocks"), [(64, 1), (13, 3)])
def test_barriers_in_a_loop(threads, blocks):
    count = threads * blocks
    check(
        EXCHANGE,
        "rounds",
        threads,
        blocks,
        [array("a", "int32", values(count)), array("o", "int32", count), scalar("n", "int32", 3)],
    )


def test_a_thread_waits_for_one_of_a_later_warp():
    source = """
    __global__ void wait(volatile int *flag, int *o) {
        if (threadIdx.x == 0) { while (*flag == 0) { } o[0] = *flag; }
        if (threadIdx.x == 9) *flag = 5;
    }"""
    outcome = launch(compiled(source), one_dimensional(12, [array("flag", "int32", 1), array("o", "int32", 1)], "wait"), 5000)
    assert outcome.outputs == {"flag": [5], "o": [5]}


def test_a_spin_lock_among_lanes_and_warps():
    source = """
    __global__ void add(int *lock, int *sum) {
        for (;;) {
            if (atomicCAS(lock, 0, 1) == 0) {
                *(volatile int *)sum = *(volatile int *)sum * 2 + 1;
                __threadfence();
                atomicExch(lock, 0);
                return;
            }
        }
    }"""
    outcome = launch(
        compiled(source), one_dimensional(10, [array("lock", "int32", 1), array("sum", "int32", 1)], "add"), 20_000
    )
    assert outcome.outputs == {"lock": [0], "sum": [1023]}


def test_the_grid_runs_all_blocks_of_three_axes():
    source = """__global__ void g(int *o) {
        o[blockIdx.x + 2 * (blockIdx.y + 3 * blockIdx.z)] = 100 * blockIdx.z + 10 * blockIdx.y + blockIdx.x + 1;
    }"""
    document = {"kernel": "g", "grid": [2, 3, 2], "block": [1], "args": [array("o", "int32", 12)]}
    assert launch(compiled(source), document).outputs["o"] == [
        100 * z + 10 * y + x + 1 for z in range(2) for y in range(3) for x in range(2)
    ]


def test_device_variables_keep_their_value_between_blocks_and_structs_and_templates_are_passed():
    source = """
    struct Pair { signed char a; long long b; short c; };
    __device__ int total = 5;
    __device__ int table[4] = {10, 20, 30, 40};
    template <int N, class T> __global__ void k(T *o, Pair p) {
        if (threadIdx.x == 0) { total += table[blockIdx.x & 3]; o[blockIdx.x] = total + p.a + p.b * N + p.c; }
    }
    template __global__ void k<3, long long>(long long *, Pair);"""
    pair = {"name": "p", "type": "struct", "fields": ["int8", "int64", "int16"], "value": [-1, 1 << 33, 7]}
    outcome = launch(compiled(source), one_dimensional(4, [array("o", "int64", 3), pair], "k<3, long long>", 3))
    assert outcome.outputs["o"] == [total + 6 + 3 * (1 << 33) for total in (15, 35, 65)]


def test_dot_of_three_takes_fourteen_tokens():
    source = """__global__ void dot(const int *a, const int *b, int *out, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) atomicAdd(out, a[i] * b[i]);
    }"""
    for threads, bound in ((3, 14), (4, 15), (8, 19)):
        args = [
            array("a", "int32", [1, 2, 3]),
            array("b", "int32", [4, 5, 6]),
            array("out", "int32", 1),
            scalar("n", "int32", 3),
        ]
        outcome = launch(compiled(source), one_dimensional(threads, args, "dot"))
        assert outcome.outputs["out"] == [32]
        assert outcome.tokens <= bound
