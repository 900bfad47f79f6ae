"""Kernels that violate what the lowering would like to assume of loops, own words, atomics and pointers, against Python."""

import pytest

from tests.toolchain.lowered import HEAD, array, launch, one_dimensional, scalar
from toolchain.compiler import compile_cuda

WORD = 0xFFFFFFFF
THREADS = 9
VALUES = [(i * 37 + i * i * 11 + 5) % 101 for i in range(32)]


def kernel(name, body):
    return (
        f'extern "C" __global__ void {name}(const int *a, unsigned *o, unsigned long long *w, int n, int m) '
        f"{{ int t = threadIdx.x; {body} }}\n"
    )


def two_exits(x, t, n, m):
    i = 0
    while i < n and x & 7 != 3:
        x, i = x * 5 + i & WORD, i + 1
    return x, i


def wrapping(x, t, n, m):
    i = 0xFFFFFFFD
    while i != m:
        x, i = x * 3 + i & WORD, i + 1 & WORD
    return x, i


def multiplied(x, t, n, m):
    i = 1
    while i < 1000 * n:
        x, i = x * 3 + i & WORD, i * 7 + m
    return x, i


def long_counter(x, t, n, m):
    for i in range((1 << 33) - n, (1 << 33) + m):
        x = x * 3 + i & (1 << 64) - 1
    return x & WORD, x >> 32


def triangle(x, t, n, m):
    for i in range(m):
        for j in range(i + 1):
            for k in range(j, -1, -1):
                x = x * 3 + i * 9 + j * 3 + k & WORD
        x ^= i
    return x, 0


def swapped(x, t, n, m):
    p, q = x, t
    for i in range(n):
        p, q = q, p + i
    return p, q


def rotated(x, t, n, m):
    p, q, r = 1, 2, 3
    for i in range(n):
        p, q, r = q, r, p
        if i == m:
            x += p * 100 + q * 10 + r
    return x, p * 100 + q * 10 + r


def rounds_apart(x, t, n, m):
    last = before = i = 0
    for i in range(n + 1):
        if i < n:
            before, last, x = last, x, x * 3 + i & WORD
    return x + before * 3 & WORD, last + i & WORD


def alternating(x, t, n, m):
    flag = True
    for i in range(n):
        x = x * 3 + 1 & WORD if flag else (x >> 1) + i
        flag = not flag
    return x, flag


def in_a_branch(x, t, n, m):
    for i in range(n):
        if t > i:
            for j in range(m):
                x = x * 3 + j * i & WORD
            if x & 1:
                continue
            x = x + 9 & WORD
        else:
            x ^= i
    return x, 0


def euclid(x, t, n, m):
    i, j = n + 1, m
    while i != j:
        i, j = (i - j, j) if i > j else (i, j - i)
        x = x * 3 + i & WORD
    return x, i + j


ALONE = {
    two_exits: "unsigned x = a[t]; int i = 0; for (; i < n; i++) { if ((x & 7) == 3) break; x = x * 5 + i; }"
    "o[t] = x; o[16 + t] = i;",
    wrapping: "unsigned x = a[t], i; for (i = 0xfffffffdu; i != m; i++) x = x * 3 + i; o[t] = x; o[16 + t] = i;",
    multiplied: "unsigned x = a[t], i; for (i = 1; i < 1000u * n; i = i * 7 + m) x = x * 3 + i; o[t] = x; o[16 + t] = i;",
    long_counter: "unsigned long long x = a[t]; for (long long i = (1ll << 33) - n; i < (1ll << 33) + m; i++) x = x * 3 + i;"
    "o[t] = x; o[16 + t] = x >> 32;",
    triangle: "unsigned x = a[t]; for (int i = 0; i < m; i++) { for (int j = 0; j <= i; j++) for (int k = j; k >= 0; k--)"
    "x = x * 3 + i * 9 + j * 3 + k; x ^= i; } o[t] = x;",
    swapped: "unsigned p = a[t], q = t; for (int i = 0; i < n; i++) { unsigned r = p; p = q; q = r + i; }"
    "o[t] = p; o[16 + t] = q;",
    rotated: "int x = a[t], p = 1, q = 2, r = 3; for (int i = 0; i < n; i++) { int s = p; p = q; q = r; r = s;"
    "if (i == m) x += p * 100 + q * 10 + r; } o[t] = x; o[16 + t] = p * 100 + q * 10 + r;",
    rounds_apart: "unsigned x = a[t], last = 0, before = 0; int i; for (i = 0; i < n; i++) { before = last; last = x;"
    "x = x * 3 + i; } o[t] = x + before * 3; o[16 + t] = last + i;",
    alternating: "unsigned x = a[t]; bool f = true; for (int i = 0; i < n; i++) { if (f) x = x * 3 + 1; else x = (x >> 1) + i;"
    "f = !f; } o[t] = x; o[16 + t] = f;",
    in_a_branch: "unsigned x = a[t]; for (int i = 0; i < n; i++) { if (t > i) { for (int j = 0; j < m; j++) x = x * 3 + j * i;"
    "if (x & 1) continue; x += 9; } else x ^= i; } o[t] = x;",
    euclid: "unsigned x = a[t]; int i = n + 1, j = m; while (i != j) { if (i > j) i -= j; else j -= i; x = x * 3 + i; }"
    "o[t] = x; o[16 + t] = i + j;",
}
"""What every thread does for itself: the two words it gives, and the kernel."""


def stored_twice(a, n, m):
    v = [3 * x + 1 for x in a]
    s = [9 * x if t < 4 else x for t, x in enumerate(v)]
    return [s[(t + 1) % THREADS] + v[t] * 3 for t in range(THREADS)]


def branches_between(a, n, m):
    s = v = [3 * x + 1 for x in a]
    u = [s[(t + 1) % THREADS] for t in range(THREADS)]
    s = [u[t] + 1 if t & 1 else v[t] for t in range(THREADS)]
    return [u[t] * 5 + v[t] + s[(t + 2) % THREADS] for t in range(THREADS)]


def by_others(a, n, m):
    v = [3 * x + 1 for x in a]
    u = [v[(t + 1) % THREADS] for t in range(THREADS)]
    return [u[t] * 5 + v[t] + u[(t - 1) % THREADS] * 7 for t in range(THREADS)]


def foreign_bytes(a, n, m):
    v = [3 * x + 1 for x in a]
    s = [x & 0xFF00FFFF | 5 << 16 for x in v]
    return [v[(t + 1) % THREADS] * 5 + v[t] + s[t] for t in range(THREADS)]


def overlapping(a, n, m):
    v = [3 * x for x in a]
    u = [v[8 - t] for t in range(THREADS)]
    s = [*v, *[0] * 20]
    s[n : n + THREADS] = [x * 5 for x in u]
    return [v[t] + u[t] + s[t] * 7 + s[n + (t + 1) % THREADS] for t in range(THREADS)]


def loop_with_barriers(a, n, m):
    x = list(a)
    for i in range(n):
        v = [e * 7 + i for e in x]
        y = [v[(t + i + 1) % THREADS] for t in range(THREADS)]
        s = [y[t] if t > i else v[t] for t in range(THREADS)]
        x = [v[t] + s[(t + 2) % THREADS] * 3 + s[t] for t in range(THREADS)]
    return x


def double_buffer(a, n, m):
    s = list(a)
    for i in range(n):
        s = [s[(t + 1) % THREADS] * 3 + i for t in range(THREADS)]
    return s


MEET = "__syncthreads();"
SHARED = f"__shared__ int s[64]; int v = a[t] * 3 + 1, u; s[t] = v; {MEET} u = s[(t + 1) % 9];"
TOGETHER = {
    stored_twice: f"__shared__ int s[64]; int v = a[t] * 3 + 1; s[t] = v; if (t < 4) s[t] = v * 9; {MEET}"
    "o[t] = s[(t + 1) % 9] + v * 3;",
    branches_between: f"{SHARED} {MEET} if (t & 1) s[t] = u + 1; {MEET} o[t] = u * 5 + v + s[(t + 2) % 9];",
    by_others: f"{SHARED} {MEET} s[(t + 1) % 9] = u * 7; {MEET} o[t] = u * 5 + v + s[t];",
    foreign_bytes: f"{SHARED} {MEET} ((char *)s)[t * 4 + 2] = 5; {MEET} o[t] = u * 5 + v + s[t];",
    overlapping: f"__shared__ int s[64]; int *y = s + n; int v = a[t] * 3; s[t] = v; {MEET} int u = s[8 - t]; {MEET}"
    f"y[t] = u * 5; {MEET} o[t] = v + u + s[t] * 7 + y[(t + 1) % 9];",
    loop_with_barriers: f"__shared__ int s[64]; int x = a[t]; for (int i = 0; i < n; i++) {{ int v = x * 7 + i;"
    f"s[t] = v; {MEET} int y = s[(t + i + 1) % 9]; {MEET} if (t > i) s[t] = y; "
    f"{MEET} x = v + s[(t + 2) % 9] * 3 + s[t]; {MEET} }} o[t] = x;",
    double_buffer: f"__shared__ int s[2][16]; int b = 0; s[0][t] = a[t]; {MEET} for (int i = 0; i < n; i++) {{"
    f"s[1 - b][t] = s[b][(t + 1) % 9] * 3 + i; b = 1 - b; {MEET} }} o[t] = s[b][t];",
}
"""What the threads of a block do with each other's words: the array's beginning, and the kernel."""


def kept_in_an_array(x, t, n, m):
    first, second = VALUES[t : t + 4], [3 * v for v in VALUES[t : t + 4]]
    places = [(first, 0), (second, 0), (first, 2)]
    x = 0
    for i in range(n):
        array, start = places[VALUES[t + i] % 3]
        array[start + (i & 1)] += i
        array, start = places[VALUES[t + i + 1] % 3]
        x = x * 3 + array[start]
    for i in range(4):
        x = x * 5 + first[i] - second[i]
    return x & WORD, 0


def kept_beside(x, t, n, m):
    values = VALUES[t : t + 4]
    place = 1 + (x & 1)
    values[place + m] += 9
    return sum(v * 5**k for k, v in enumerate(values)), values[place]


def loaded_or_not(x, t, n, m):
    values, other = VALUES[t : t + 4], [0] * 4
    chosen = values if not x & 1 else other if VALUES[t + 1] & 1 else None
    for i in range(4 if chosen else 0):
        chosen[i] += i + 7
    return sum(v * 5**k for k, v in enumerate(values)), other[3]


FILL = "for (int i = 0; i < 4; i++) l[i] = a[t + i];"
FOLD = "int x = 0; for (int i = 3; i >= 0; i--) x = x * 5 + l[i];"
POINTERS = {
    kept_in_an_array: f"int l[4], k[4], x = 0; {FILL}"
    f"for (int i = 0; i < 4; i++) k[i] = a[t + i] * 3; int *p[3] = {{l, k, l + 2}};"
    "for (int i = 0; i < n; i++) { p[a[t + i] % 3][i & 1] += i; x = x * 3 + p[a[t + i + 1] % 3][0]; }"
    "for (int i = 0; i < 4; i++) x = x * 5 + l[i] - k[i]; o[t] = x;",
    kept_beside: f"struct {{ int v[4], *p; }} s; int *l = s.v; {FILL} s.p = l + 1; if (a[t] & 1) s.p++; s.p[m] += 9;"
    f"{FOLD} o[t] = x; o[16 + t] = *s.p;",
    loaded_or_not: f"int l[4]; {FILL} int *none = (int *)w; int *p[2] = {{none, (int *)o + 32 + 4 * t}};"
    "int *q = a[t] & 1 ? p[a[t + 1] & 1] : l; if (q != none) for (int i = 0; i < 4; i++) q[i] += i + 7;"
    f"{FOLD} o[t] = x; o[16 + t] = o[35 + 4 * t];",
}
"""Pointers to local variables that lie in memory themselves."""

WIDE = {
    "add": "for (int i = 0; i < n; i++) atomicAdd(&w[t & 1], 0x80000001ull + i + a[t]);",
    "exchange loop": "for (int i = 0; i < n; i++) { unsigned long long e = w[t & 1], f; do { f = e;"
    "e = atomicCAS(&w[t & 1], f, f + 0x80000001ull + i + a[t]); } while (e != f); }",
    "both ways": "if (t & 2) for (int i = 0; i < n; i++) atomicAdd(&w[t & 1], 0x80000001ull + i + a[t]); else { int i = n;"
    "while (i) { i--; unsigned long long e = w[t & 1]; while (true) { unsigned long long f = atomicCAS(&w[t & 1], e, "
    "e + 0x80000001ull + i + a[t]); if (f == e) break; e = f; } } }",
}
"""Kernels that add the same to two 64-bit words."""


@pytest.fixture(scope="module")
def ptx():
    made = [kernel(work.__name__, body) for work, body in (ALONE | TOGETHER | POINTERS).items()]
    made += [kernel(name.replace(" ", "_"), body) for name, body in WIDE.items()]
    return compile_cuda("".join(made)).ptx


def outputs(ptx, name, n, m):
    args = [array("a", "int32", VALUES), array("o", "uint32", 68), array("w", "uint64", 2), scalar("n", "int32", n),
            scalar("m", "int32", m)]  # fmt: skip
    outcome = launch(ptx, one_dimensional(THREADS, args, kernel=name))
    assert outcome.fault is None, outcome.fault
    return outcome.outputs


@pytest.mark.parametrize(("n", "m"), [(0, 3), (1, 1), (5, 3), (9, 2)])
@pytest.mark.parametrize("work", ALONE, ids=lambda work: work.__name__)
def test_a_loop_that_is_not_the_usual_one(ptx, work, n, m):
    got = outputs(ptx, work.__name__, n, m)["o"]
    want = [work(VALUES[t], t, n, m) for t in range(THREADS)]
    assert list(zip(got[:THREADS], got[16 : 16 + THREADS], strict=True)) == want


@pytest.mark.parametrize(("n", "m"), [(0, 0), (5, 1)])
@pytest.mark.parametrize("work", POINTERS, ids=lambda work: work.__name__)
def test_a_pointer_that_was_loaded(ptx, work, n, m):
    got = outputs(ptx, work.__name__, n, m)["o"]
    want = [work(VALUES[t], t, n, m) for t in range(THREADS)]
    assert list(zip(got[:THREADS], got[16 : 16 + THREADS], strict=True)) == want


@pytest.mark.parametrize(("n", "m"), [(0, 3), (4, 3), (9, 2)])
@pytest.mark.parametrize("work", TOGETHER, ids=lambda work: work.__name__)
def test_a_word_that_is_not_only_its_threads(ptx, work, n, m):
    want = [value & WORD for value in work(VALUES[:THREADS], n, m)]
    assert outputs(ptx, work.__name__, n, m)["o"][:THREADS] == want


@pytest.mark.parametrize("n", [0, 1, 5])
@pytest.mark.parametrize("name", WIDE)
def test_a_contended_64_bit_word(ptx, name, n):
    want = [sum(0x80000001 + i + VALUES[t] for t in range(k, THREADS, 2) for i in range(n)) for k in range(2)]
    assert outputs(ptx, name.replace(" ", "_"), n, 0)["w"] == want


@pytest.mark.parametrize("first", [4, 7])
def test_a_pointer_to_shared_or_global_memory_that_was_a_word(first):
    """nvcc takes a shared address as a word and widens it; then a pointer may be to this array or to another one."""
    ptx = f"""{HEAD}.visible .entry k(.param .u64 a, .param .u64 o) {{
        .reg .pred %p; .reg .b32 %r<9>; .reg .b64 %rd<9>; .shared .align 4 .b8 s[64];
        ld.param.u64 %rd0, [a]; ld.param.u64 %rd1, [o];
        ld.global.u32 %r0, [%rd0]; and.b32 %r0, %r0, 1; setp.eq.s32 %p, %r0, 1;
        mov.u32 %r1, s; cvt.u64.u32 %rd2, %r1; cvta.shared.u64 %rd3, %rd2;
        @%p bra BEHIND;
        add.s64 %rd3, %rd1, 32;
        BEHIND:
        mov.u32 %r2, %tid.x; shl.b32 %r3, %r2, 2; add.s32 %r4, %r1, %r3; st.shared.u32 [%r4], 0;
        mul.wide.s32 %rd4, %r2, 4; add.s64 %rd5, %rd3, %rd4; st.u32 [%rd5], 5;
        bar.sync 0;
        ld.shared.u32 %r5, [%r4]; add.s64 %rd6, %rd1, %rd4; st.global.u32 [%rd6], %r5;
        ret;
    }}"""
    outcome = launch(ptx, one_dimensional(8, [array("a", "int32", [first]), array("o", "int32", 16)]))
    assert outcome.fault is None, outcome.fault
    assert outcome.outputs["o"] == ([5] * 8 + [0] * 8 if first & 1 else [0] * 8 + [5] * 8)
