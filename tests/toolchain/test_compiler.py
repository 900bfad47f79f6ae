"""The prelude's CUDA against results computed in Python from the CUDA documentation's definitions, through the PTX
oracle; compile errors with the user's line numbers; the kernels of `tests/truth/kernels`."""

import functools
import json
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from engine.machine.errors import CompileError, EnvironmentProblem, InputError
from tests.truth.ptxsim import run
from toolchain.compiler import CompiledPtx, compile_cuda, find_compilers, load_kernel
from toolchain.ptx import Instruction, find_entry, parse_ptx

KERNELS = sorted(p.parent for p in (Path(__file__).parents[1] / "truth" / "kernels").glob("*/kernel.cu"))
MASK32, MASK64 = (1 << 32) - 1, (1 << 64) - 1


def launch(source, args, threads=1, grid=1, shared=0, name="k"):
    module = parse_ptx(compile_cuda(source).ptx)
    return run(module, find_entry(module, name), [grid], [threads], args, shared)


def array(name, kind, values):
    return {"name": name, "type": f"{kind}*", "value": list(values)}


def signed(value, bits=32):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


# ------------------------------------------------------------------------------------------------ the collection


@functools.cache
def compiled(folder):
    return load_kernel(folder / "kernel.cu")


@pytest.mark.parametrize("folder", KERNELS, ids=lambda p: p.name)
def test_the_collection_gives_the_expected_arrays(folder):
    """Both compilers' PTX of a kernel, run by the oracle; `expect` comes from native execution on a CPU."""
    records = json.loads((folder / "launches.json").read_text())
    for ptx in (compiled(folder), load_kernel(folder / "nvcc-sm75.ptx")):
        module = parse_ptx(ptx.ptx, ptx.source_name)
        entry = find_entry(module, records[0]["launch"]["kernel"])
        assert entry.body
        for record in records:
            if record["tiny"] and "float" not in record["features"]:
                job = record["launch"]
                out = run(module, entry, job["grid"], job["block"], job["args"], job.get("shared", 0))
                assert out == record["expect"]


@pytest.mark.parametrize("folder", KERNELS, ids=lambda p: p.name)
def test_every_instruction_knows_its_source_line(folder):
    source = (folder / "kernel.cu").read_text()
    entry = find_entry(parse_ptx(compiled(folder).ptx), folder.name)
    lines = [item.line for item in entry.body if isinstance(item, Instruction)]
    assert all(line is not None and 1 <= line <= source.count("\n") + 1 for line in lines)


# ------------------------------------------------------------------------------------------------ intrinsics

RNG = random.Random(75)
CORNERS = [0, 1, 2, 3, 31, 32, 33, 255, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF, 0xFFFFFFFE, 0x12345678]
WORDS = CORNERS + [RNG.getrandbits(32) for _ in range(18)]
DOUBLES = [a << 32 | b for a, b in zip(WORDS, reversed(WORDS), strict=True)]


def byte_perm(a, b, s):
    pool = (a | b << 32).to_bytes(8, "little")
    return int.from_bytes(bytes(pool[s >> (4 * i) & 7] for i in range(4)), "little")


def dot4(a, b, c, is_signed):
    total = c
    for i in range(4):
        x, y = a >> (8 * i) & 255, b >> (8 * i) & 255
        total += signed(x, 8) * signed(y, 8) if is_signed else x * y
    return total


def sx24(x):
    return signed(x, 24)


def funnel_left(low, high, s):
    return (high << 32 | low) << s >> 32


def funnel_right(low, high, s):
    return (high << 32 | low) >> s


# expression over the unsigned words a, b, c -> its definition in Python (result taken modulo 2^32)
THREE_WORDS = {
    "__popc(a)": lambda a, b, c: a.bit_count(),
    "__clz((int)a)": lambda a, b, c: 32 - a.bit_length(),
    "__ffs((int)a)": lambda a, b, c: (a & -a).bit_length(),
    "__brev(a)": lambda a, b, c: int(f"{a:032b}"[::-1], 2),
    "__byte_perm(a, b, c)": byte_perm,
    "__mulhi((int)a, (int)b)": lambda a, b, c: signed(a) * signed(b) >> 32,
    "__umulhi(a, b)": lambda a, b, c: a * b >> 32,
    "__mul24((int)a, (int)b)": lambda a, b, c: sx24(a) * sx24(b),
    "__umul24(a, b)": lambda a, b, c: (a & 0xFFFFFF) * (b & 0xFFFFFF),
    "__sad((int)a, (int)b, c)": lambda a, b, c: abs(signed(a) - signed(b)) + c,
    "__usad(a, b, c)": lambda a, b, c: abs(a - b) + c,
    "__hadd((int)a, (int)b)": lambda a, b, c: (signed(a) + signed(b)) >> 1,
    "__rhadd((int)a, (int)b)": lambda a, b, c: (signed(a) + signed(b) + 1) >> 1,
    "__uhadd(a, b)": lambda a, b, c: (a + b) >> 1,
    "__urhadd(a, b)": lambda a, b, c: (a + b + 1) >> 1,
    "__funnelshift_l(a, b, c)": lambda a, b, c: funnel_left(a, b, c & 31),
    "__funnelshift_r(a, b, c)": lambda a, b, c: funnel_right(a, b, c & 31),
    "__funnelshift_lc(a, b, c)": lambda a, b, c: funnel_left(a, b, min(c, 32)),
    "__funnelshift_rc(a, b, c)": lambda a, b, c: funnel_right(a, b, min(c, 32)),
    "__funnelshift_lc(a, b, c & 63)": lambda a, b, c: funnel_left(a, b, min(c & 63, 32)),
    "__funnelshift_rc(a, b, c & 63)": lambda a, b, c: funnel_right(a, b, min(c & 63, 32)),
    "__dp4a((int)a, (int)b, (int)c)": lambda a, b, c: dot4(a, b, c, True),
    "__dp4a(a, b, c)": lambda a, b, c: dot4(a, b, c, False),
    "min((int)a, (int)b)": lambda a, b, c: min(signed(a), signed(b)),
    "max((int)a, (int)b)": lambda a, b, c: max(signed(a), signed(b)),
    "min(a, b)": lambda a, b, c: min(a, b),
    "max((int)a, b)": lambda a, b, c: max(a, b),
    "min(a, (int)b)": lambda a, b, c: min(a, b),
    "umax(a, b)": lambda a, b, c: max(a, b),
    "abs((int)a)": lambda a, b, c: abs(signed(a)),
    "(unsigned)min((short)a, (short)b)": lambda a, b, c: min(signed(a, 16), signed(b, 16)),
    "INT_MIN + CHAR_BIT + (UINT32_MAX == UINT_MAX)": lambda a, b, c: -(1 << 31) + 9,
    "make_uint3(a, b, c).z + make_int2((int)a, (int)b).x": lambda a, b, c: a + c,
    "dim3(a, b).z + dim3(make_uint3(a, b, c)).y": lambda a, b, c: 1 + b,
    "__ldg(&a) + __ldcg(&b)": lambda a, b, c: a + b,
}

# the same over unsigned long long words a, b (modulo 2^64)
TWO_LONGS = {
    "__popcll(a)": lambda a, b: a.bit_count(),
    "__clzll((long long)a)": lambda a, b: 64 - a.bit_length(),
    "__ffsll((long long)a)": lambda a, b: (a & -a).bit_length(),
    "__brevll(a)": lambda a, b: int(f"{a:064b}"[::-1], 2),
    "__mul64hi((long long)a, (long long)b)": lambda a, b: signed(a, 64) * signed(b, 64) >> 64,
    "__umul64hi(a, b)": lambda a, b: a * b >> 64,
    "min((long long)a, (long long)b)": lambda a, b: min(signed(a, 64), signed(b, 64)),
    "max((long)a, (long)b)": lambda a, b: max(signed(a, 64), signed(b, 64)),
    "max(a, b)": lambda a, b: max(a, b),
    "ullmin(a, b)": lambda a, b: min(a, b),
    "abs((long long)a)": lambda a, b: abs(signed(a, 64)),
    "llabs((long long)a) + labs((long)b)": lambda a, b: abs(signed(a, 64)) + abs(signed(b, 64)),
    "sizeof(long) + 16 * sizeof(size_t) + 256 * sizeof(void *) + 4096 * sizeof(longlong4)": lambda a, b: 0x20888,
    "INT64_MAX + UINT64_C(2)": lambda a, b: (1 << 63) + 1,
}


def test_word_intrinsics_follow_their_definitions():
    count = len(THREE_WORDS)
    lines = "\n".join(f"o[{count} * i + {k}] = (unsigned)({text});" for k, text in enumerate(THREE_WORDS))
    source = f"""__global__ void k(const unsigned *x, unsigned *o, int n) {{
        int i = threadIdx.x; unsigned a = x[i], b = x[(7 * i + 3) % n], c = x[(5 * i + 1) % n];
        {lines} }}"""
    n = len(WORDS)
    out = launch(source, [array("x", "uint32", WORDS), {"name": "o", "type": "uint32*", "size": n * count},
                          {"name": "n", "type": "int32", "value": n}], threads=n)["o"]  # fmt: skip
    for i in range(n):
        operands = WORDS[i], WORDS[(7 * i + 3) % n], WORDS[(5 * i + 1) % n]
        for k, (text, definition) in enumerate(THREE_WORDS.items()):
            assert out[count * i + k] == definition(*operands) & MASK32, (text, operands)


def test_long_intrinsics_follow_their_definitions():
    count = len(TWO_LONGS)
    lines = "\n".join(f"o[{count} * i + {k}] = (unsigned long long)({t});" for k, t in enumerate(TWO_LONGS))
    source = f"""__global__ void k(const unsigned long long *x, unsigned long long *o, int n) {{
        int i = threadIdx.x; unsigned long long a = x[i], b = x[(7 * i + 3) % n];
        {lines} }}"""
    n = len(DOUBLES)
    out = launch(source, [array("x", "uint64", DOUBLES), {"name": "o", "type": "uint64*", "size": n * count},
                          {"name": "n", "type": "int32", "value": n}], threads=n)["o"]  # fmt: skip
    for i in range(n):
        operands = DOUBLES[i], DOUBLES[(7 * i + 3) % n]
        for k, (text, definition) in enumerate(TWO_LONGS.items()):
            assert out[count * i + k] == definition(*operands) & MASK64, (text, operands)


def wrap(kind, value):
    bits = 64 if kind.endswith("long") else 32
    return value & ((1 << bits) - 1) if kind.startswith("unsigned") else signed(value, bits)


UPDATES = {
    "atomicAdd": lambda old, v: old + v, "atomicSub": lambda old, v: old - v, "atomicExch": lambda old, v: v,
    "atomicMin": min, "atomicMax": max, "atomicAnd": lambda old, v: old & v, "atomicOr": lambda old, v: old | v,
    "atomicXor": lambda old, v: old ^ v, "atomicInc": lambda old, v: 0 if old >= v else old + 1,
    "atomicDec": lambda old, v: v if old == 0 or old > v else old - 1,
}  # fmt: skip
ATOMICS = (
    [(name, kind) for name in UPDATES for kind in ("int", "unsigned int") if name not in ("atomicInc", "atomicDec")]
    + [("atomicInc", "unsigned int"), ("atomicDec", "unsigned int")]
    + [(name, "unsigned long long") for name in UPDATES if name[6:] not in ("Sub", "Inc", "Dec")]
    + [(name, "long long") for name in ("atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor")]
)
JSON_TYPES = {"int": "int32", "unsigned int": "uint32", "long long": "int64", "unsigned long long": "uint64"}


def test_every_atomic_form_updates_and_returns_as_documented():
    """Ten values one after another through each form, its _block and its _system variant; old values and final one."""
    lines, arguments, parameters, expected = [], [], [], {}
    for number, (name, kind) in enumerate(ATOMICS):
        values = [wrap(kind, v) for v in (3, 5, 0, MASK64, 1 << 31, 1 << 63, 7, 0x123456789ABCDEF, 2, 2)]
        cell, olds = wrap(kind, 9), []
        for step, value in enumerate(values):
            suffix = ("", "_block", "_system")[step % 3]
            lines.append(f"o{number}[{step + 1}] = {name}{suffix}(o{number}, ({kind})v{number}[{step}]);")
            olds.append(cell)
            cell = wrap(kind, UPDATES[name](cell, value))
        parameters += [f"{kind} *o{number}", f"const {kind} *v{number}"]
        arguments += [array(f"o{number}", JSON_TYPES[kind], [wrap(kind, 9), *[0] * len(values)]),
                      array(f"v{number}", JSON_TYPES[kind], values)]  # fmt: skip
        expected[f"o{number}"] = [cell, *olds]
    out = launch(f"__global__ void k({', '.join(parameters)}) {{ {' '.join(lines)} }}", arguments)
    for number, form in enumerate(ATOMICS):
        assert out[f"o{number}"] == expected[f"o{number}"], form


def test_compare_and_swap_in_every_width_and_in_shared_memory():
    source = """__global__ void k(int *i, unsigned *u, unsigned long long *l, unsigned short *h, int *s) {
        __shared__ int cell; cell = 4; i[1] = atomicCAS(i, 5, -6); i[2] = atomicCAS_block(i, 5, 8);
        u[1] = atomicCAS(u, 7u, 9u); l[1] = atomicCAS(l, 1ull << 40, 3ull); l[2] = atomicCAS_system(l, 4ull, 5ull);
        h[2] = atomicCAS(h + 1, (unsigned short)3, (unsigned short)65535);
        s[0] = atomicCAS(&cell, 4, 11); s[1] = cell; s[2] = atomicAdd(&cell, 2); s[3] = cell; }"""
    out = launch(source, [array("i", "int32", [5, 0, 0]), array("u", "uint32", [7, 0]),
                          array("l", "uint64", [1 << 40, 0, 0]), array("h", "uint16", [1, 3, 0, 0]),
                          array("s", "int32", [0] * 4)])  # fmt: skip
    assert out["i"] == [-6, 5, -6] and out["u"] == [9, 7] and out["l"] == [3, 1 << 40, 3]
    assert out["h"] == [1, 65535, 3, 0] and out["s"] == [4, 11, 11, 13]


def shuffle(mode, lane, amount, width):
    """CUDA Programming Guide, "Warp Shuffle Functions": the source lane, or the own one where it lies outside."""
    first = lane // width * width
    if mode == "__shfl_sync":
        return first + amount % width
    source = {"__shfl_up_sync": lane - amount, "__shfl_down_sync": lane + amount, "__shfl_xor_sync": lane ^ amount}[mode]
    if mode == "__shfl_xor_sync":
        return source if source < first + width else lane
    return source if first <= source < first + width else lane


@pytest.mark.parametrize("mode", ["__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync"])
def test_shuffles_in_every_width_and_type(mode):
    cases = [(amount, width) for width in (2, 4, 8, 16, 32) for amount in (0, 1, 3, 7, 16, 31) if amount < width]
    lines = "".join(
        f"o[{k} * 32 + t] = {mode}(~0u, (int)t * 3, {amount}, {width});"
        f"l[{k} * 32 + t] = {mode}(~0u, ((long long)t << 40) - 7, {amount}, {width});"
        for k, (amount, width) in enumerate(cases)
    )
    source = f"""__global__ void k(int *o, long long *l, unsigned *u) {{ unsigned t = threadIdx.x; {lines}
        u[t] = {mode}(0xffffffffu, t * 0x10000001u, 1); }}"""
    out = launch(source, [{"name": "o", "type": "int32*", "size": 32 * len(cases)},
                          {"name": "l", "type": "int64*", "size": 32 * len(cases)},
                          {"name": "u", "type": "uint32*", "size": 32}], threads=32)  # fmt: skip
    for k, (amount, width) in enumerate(cases):
        sources = [shuffle(mode, lane, amount, width) for lane in range(32)]
        assert out["o"][32 * k : 32 * k + 32] == [3 * source for source in sources], (amount, width)
        assert out["l"][32 * k : 32 * k + 32] == [(source << 40) - 7 for source in sources], (amount, width)
    assert out["u"] == [shuffle(mode, lane, 1, 32) * 0x10000001 & MASK32 for lane in range(32)]


def test_votes_matches_and_block_wide_votes():
    source = """__global__ void k(unsigned *o, const int *x, unsigned long long *w) { int t = threadIdx.x; int p;
        unsigned *r = o + 12 * t; bool odd = x[t] & 1;
        r[0] = __ballot_sync(~0u, odd); r[1] = __any_sync(~0u, x[t] == 5); r[2] = __all_sync(~0u, x[t] < 8);
        r[3] = __match_any_sync(~0u, x[t]); r[4] = __match_all_sync(~0u, x[t], &p); r[5] = p;
        r[6] = __match_all_sync(~0u, t / 64, &p); r[7] = p; r[8] = __activemask();
        __syncwarp(); r[9] = __syncthreads_count(odd); r[10] = __syncthreads_and(x[t] >= 0);
        r[11] = __syncthreads_or(x[t] == 99); w[t] = __match_any_sync(~0u, (long long)x[t] << 40); }"""
    x = [RNG.randrange(8) for _ in range(64)]
    out = launch(source, [{"name": "o", "type": "uint32*", "size": 12 * 64}, array("x", "int32", x),
                          {"name": "w", "type": "uint64*", "size": 64}], threads=64)  # fmt: skip
    for t in range(64):
        warp = x[t // 32 * 32 : t // 32 * 32 + 32]
        equal = sum(1 << lane for lane, value in enumerate(warp) if value == x[t])
        ballot = sum(1 << lane for lane, value in enumerate(warp) if value & 1)
        assert out["o"][12 * t : 12 * t + 12] == [
            ballot, int(5 in warp), 1, equal, 0, 0, MASK32, 1, MASK32, sum(v & 1 for v in x), 1, 0
        ]  # fmt: skip
        assert out["w"][t] == equal


def test_built_in_variables_convert_to_their_types():
    source = """__device__ int sum(uint3 v) { return v.x + 100 * v.y + 10000 * v.z; }
        __device__ int size(dim3 d) { return d.x * d.y * d.z; }
        __global__ void k(int *o) { const uint3 t = threadIdx; dim3 b = blockDim;
          int i = t.x + b.x * (t.y + b.y * t.z); o[4 * i] = sum(threadIdx); o[4 * i + 1] = size(blockDim);
          o[4 * i + 2] = sum(blockIdx) + size(gridDim); o[4 * i + 3] = warpSize; }"""
    module = parse_ptx(compile_cuda(source).ptx)
    out = run(module, find_entry(module, "k"), [1, 1, 1], [2, 3, 2], [{"name": "o", "type": "int32*", "size": 48}])["o"]
    places = [(x, y, z) for z in range(2) for y in range(3) for x in range(2)]
    assert out == [v for x, y, z in places for v in (x + 100 * y + 10000 * z, 12, 1, 32)]


# ------------------------------------------------------------------------------------------------ what compiles


def test_usual_headers_host_code_and_qualifiers_are_accepted():
    source = """#include <cuda_runtime.h>
#include <cstdint>
#include "stdint.h"
#include <stdio.h>
#include <cassert>
#include "device_launch_parameters.h"
#define CHECK(call) do { cudaError_t e = call; if (e) printf("%s", cudaGetErrorString(e)); } while (0)
__constant__ int table[4] = {1, 2, 3, 4};
__device__ __noinline__ int far(int x) { return x * 3; }
__host__ __device__ __forceinline__ int near(int x) { return min(x, 5); }
template <int N, typename T> __global__ void __launch_bounds__(64, 2) scale(T *__restrict__ o, std::uint8_t m) {
  extern __shared__ int room[];
  room[threadIdx.x] = table[threadIdx.x & 3];
  __syncthreads();
  assert(o != nullptr);
  o[threadIdx.x] = near(far(room[threadIdx.x])) * N + m;
}
int main() {
  int *d; CHECK(cudaMalloc(&d, 64)); dim3 grid(1), block(4);
  scale<3, int><<<grid, block, 16>>>(d, 7);
  scale<4, int><<<1, 4, 16, 0>>>(d, 7);
  CHECK(cudaMemcpy(d, d, 64, cudaMemcpyHostToDevice)); CHECK(cudaGetLastError()); cudaFree(d);
  return cudaDeviceSynchronize();
}
"""
    args = [{"name": "o", "type": "int32*", "size": 4}, {"name": "m", "type": "uint8", "value": 7}]
    assert launch(source, args, 4, shared=16, name="scale<3, int>") == {"o": [3 * 3 + 7, 5 * 3 + 7, 5 * 3 + 7, 5 * 3 + 7]}
    assert launch(source, args, 4, shared=16, name="scale<4,int>")["o"][0] == 3 * 4 + 7


def test_floating_point_compiles_so_that_its_refusal_has_a_line():
    source = "__global__ void k(float *x) {\n  int i = threadIdx.x;\n  x[i] = sqrtf(fmaxf(x[i], 2.f)) + sinf(x[i]);\n}\n"
    entry = parse_ptx(compile_cuda(source).ptx).entries[0]
    floats = [i for i in entry.body if isinstance(i, Instruction) and "f32" in i.opcode]
    assert {i.line for i in floats} == {3}
    calls = [i for i in entry.body if isinstance(i, Instruction) and i.opcode[0] == "call"]
    assert len(calls) == 1 and "sinf" in str(calls[0].operands)


def test_a_template_is_instantiated_on_request():
    source = "template <int N, class T> __global__ void poly(T *o) {\n  o[threadIdx.x] += N;\n}\n"
    assert parse_ptx(compile_cuda(source).ptx).entries == ()
    module = parse_ptx(compile_cuda(source, instantiate="poly<3, unsigned int>").ptx)
    entry = find_entry(module, "poly<3, unsigned>")
    assert run(module, entry, [1], [2], [array("o", "uint32", [5, 6])]) == {"o": [8, 9]}
    assert {i.line for i in entry.body if isinstance(i, Instruction)} <= {1, 2, 3}
    with pytest.raises(InputError, match="'poly<x>' cannot be instantiated"):
        compile_cuda(source, instantiate="poly<x>")
    for text in ("poly<3>(0); }", 'p"', "p\nq", "", "p; int x"):
        with pytest.raises(InputError, match="not the name of a kernel"):
            compile_cuda(source, instantiate=text)


def test_an_instantiation_that_cannot_be_made_leaves_the_kernels_of_the_source():
    source = """template <int N, class T> __global__ void poly(T *o) { o[threadIdx.x] += N; }
    template __global__ void poly<4, int>(int *);"""
    for wanted in ("poly<4>", "poly<(int)4>", "poly<4, int>"):
        module = parse_ptx(compile_cuda(source, instantiate=wanted).ptx)
        assert str(find_entry(module, wanted).demangled) == "poly<4, int>(int*)"
    with pytest.raises(InputError, match=r"it has: poly<4, int>\(int\*\)"):
        find_entry(parse_ptx(compile_cuda(source, instantiate="cube<4>").ptx), "cube<4>")


def test_arithmetic_wraps_and_64_bit_types_are_64_bits_wide():
    source = (
        """__global__ void k(int *o, long *l, size_t n) { o[0] = o[0] + 1 > o[0]; l[0] = sizeof(long) * n; l[1] = 1L << 40; }"""
    )
    out = launch(source, [array("o", "int32", [2**31 - 1]), array("l", "int64", [0, 0]),
                          {"name": "n", "type": "uint64", "value": 1 << 33}])  # fmt: skip
    assert out == {"o": [0], "l": [1 << 36, 1 << 40]}


def test_output_is_deterministic_and_names_no_machine():
    source = (KERNELS[0] / "kernel.cu").read_text()
    first = compile_cuda(source)
    assert first == compile_cuda(source)
    assert str(Path.cwd()) not in first.ptx and "/tmp" not in first.ptx
    assert first.compiler.startswith("zig clang 21")


# ------------------------------------------------------------------------------------------------ errors


def refusal(source, name="kernel.cu"):
    with pytest.raises(CompileError) as caught:
        compile_cuda(source, name)
    return caught.value


@pytest.mark.parametrize(
    ("source", "where", "what"),
    [
        ("__global__ void k(int *p) {\n  p[0] = y;\n}\n", "mine.cu:2:10", "use of undeclared identifier 'y'"),
        ("\n\n__global__ void k(int *p) { p[0] = 1 }\n", "mine.cu:3:37", "expected ';' after expression"),
        ("__global__ void k(int *p) {\n p[0] = atomicAdd(p, 1, 2); }", "mine.cu:2:9", "no matching function"),
        ("__global__ void k(int *p) {\n p[0] = __ldg(1); }", "mine.cu:2:9", "no matching function"),
        ("__global__ void k(int *p) {\n  __stcg(p, 3.0f * p[0], 1); }", "mine.cu:2:3", "no matching function"),
        ("__global__ int k() {\n return 1; }", "mine.cu:1:12", "kernel function type 'int ()' must have void return type"),
        ("#error my own\n", "mine.cu:1:2", "my own"),
        ("__global__ void k(int *p) {\r\n  p[0] = y;\r\n}\r\n", "mine.cu:2:10", "use of undeclared identifier 'y'"),
        ("#include <cooperative_groups.h>\n", "mine.cu:1:10", "'cooperative_groups.h' cannot be included"),
        ("int h() {\n  return zzz; }\n__global__ void k() {}", "mine.cu:2:10", "use of undeclared identifier 'zzz'"),
    ],
)  # fmt: skip
def test_errors_carry_the_users_line_and_nothing_of_the_prelude(source, where, what):
    error = refusal(source, "mine.cu")
    assert error.where == where and what in error.what
    assert error.exit_code == 2 and error.kind == "compile"
    said = json.dumps(error.as_json())
    assert "__qg" not in said and "<stdin>" not in said and "prelude" not in said


def test_an_error_inside_the_prelude_is_shown_where_the_user_caused_it():
    error = refusal("struct S {};\n__global__ void k(S *s, int *p) {\n  __stcg(p, 1);\n  *p = max(s[0], s[1]);\n}\n")
    assert error.where == "kernel.cu:4:8"
    error = refusal("struct S { S &operator=(const S &) = delete; };\n__global__ void k(S *s, S *t) {\n  __stcg(s, *t);\n}\n")
    assert error.where.startswith("kernel.cu:3:")


def test_the_list_of_messages_is_short():
    error = refusal("__global__ void k(int *p) {\n" + "".join(f"  p[0] = y{i};\n" for i in range(40)) + "}\n")
    assert (
        len(error.extra["messages"]) == 5 and error.extra["messages"][1] == "kernel.cu:3:10: use of undeclared identifier 'y1'"
    )
    assert error.extra["line"] == 2 and "more errors" in error.remedy


def test_inline_assembly_is_refused_by_name():
    error = refusal('__global__ void k(int *p) {\n  asm volatile("mov.u32 %0, 1;" : "=r"(*p));\n}\n')
    assert error.what == "inline assembly is not supported" and error.where == "kernel.cu:2:7"


# ------------------------------------------------------------------------------------------------ files and compilers


def test_a_ptx_file_is_taken_as_it_is(tmp_path):
    path = tmp_path / "mine.PTX"
    path.write_text(".version 6.3\n")
    assert load_kernel(path) == CompiledPtx(".version 6.3\n", "given", None)


def test_files_that_cannot_be_kernels_are_refused(tmp_path):
    with pytest.raises(InputError, match=r"No such file"):
        load_kernel(tmp_path / "none.cu")
    (tmp_path / "large.ptx").write_bytes(b" " * (1 << 21))
    with pytest.raises(InputError, match="too large"):
        load_kernel(tmp_path / "large.ptx")
    (tmp_path / "latin.cu").write_bytes(b"// a\n// \xe9\n")
    with pytest.raises(InputError, match="not UTF-8") as caught:
        load_kernel(tmp_path / "latin.cu")
    assert caught.value.where == "latin.cu:2"
    (tmp_path / "mark.cu").write_bytes(b"\xef\xbb\xbf__global__ void k(int *p) { *p = 1; }\n")
    assert "_Z1kPi" in load_kernel(tmp_path / "mark.cu").ptx


def test_the_bundled_compiler_is_found_and_a_wrong_choice_is_named(tmp_path):
    found = find_compilers()
    assert found[0].usable and found[0].name == "zig clang" and found[0].version.startswith("21.")
    missing = tmp_path / "clang"
    assert not find_compilers(missing)[0].usable
    with pytest.raises(EnvironmentProblem):
        compile_cuda("__global__ void k() {}", compiler=missing)
    missing.write_text("#!/bin/sh\necho no compiler\n")
    missing.chmod(0o755)
    assert find_compilers(missing)[0].problem == "is no clang"
    missing.chmod(0o644)
    assert not find_compilers(missing)[0].usable


@pytest.mark.skipif(shutil.which("ptxas") is None, reason="NVIDIA's assembler is not installed")
def test_nvidias_assembler_accepts_the_ptx(tmp_path):
    for folder in KERNELS[::8]:
        (tmp_path / "k.ptx").write_text(compile_cuda((folder / "kernel.cu").read_text()).ptx)
        answer = subprocess.run(["ptxas", "-arch=sm_75", "k.ptx", "-o", "k.cubin"], cwd=tmp_path, capture_output=True)
        assert answer.returncode == 0, answer.stderr
