"""Variables that change places, more variables than registers, and programs that must not depend on the run."""

import os
import subprocess
import sys

import pytest

from engine.machine.errors import LimitExceeded
from tests.toolchain.lowered import KERNELS, array, launch, one_dimensional, scalar
from tests.truth.ptxsim import run
from toolchain.compiler import compile_cuda
from toolchain.ptx import find_entry, parse_ptx

NUMBERS = [-1181166810, -156324839, 383496217, 280758716, 1623431342, 1101242789, -1248497452, 24084998]


def check(body, threads=8):
    """Run a kernel of `a` (8 words), `b` (8 longs) and n = 3, and compare with the PTX interpreter."""
    source = f"__global__ void k(const int *a, long long *b, int n) {{ int t = threadIdx.x; {body} }}"
    ptx = compile_cuda(source).ptx
    args = [array("a", "int32", NUMBERS), array("b", "int64", 8), scalar("n", "int32", 3)]
    outcome = launch(ptx, one_dimensional(threads, args))
    module = parse_ptx(ptx)
    assert outcome.fault is None
    assert outcome.outputs == run(module, find_entry(module, "k"), [1], [threads], args)
    return outcome


@pytest.mark.parametrize("kind", ["int", "long long"])
def test_two_loop_variables_that_change_places(kind):
    check(f"""{kind} x = a[t], y = a[t ^ 3]; unsigned m = a[t];
        for (int i = 0; i < m % 5; i++) {{ m += i; {kind} old = x; x = y; y = old; }} b[t] = x - 3 * y;""")


@pytest.mark.parametrize("kind", ["int", "long long"])
def test_three_loop_variables_that_go_round_and_leave_early(kind):
    check(f"""{kind} x = a[t], y = a[t ^ 3], z = t; int i = 0;
        while (true) {{ {kind} old = x; x = y; y = z; if (((unsigned)x >> 3) % 7 == i) break; z = old; if (++i > t) break; }}
        b[t] = x + 5 * y - 3 * z + i;""")


def test_variables_that_change_places_when_some_are_spilled():
    names = [f"v{i}" for i in range(22)]
    check(
        " ".join(f"int {v} = a[(t + {i}) & 7] + {i};" for i, v in enumerate(names))
        + """
        if (v17 > v21) { for (int i = 0; i < v12 % 5; i++) { v4 += i; for (int k = 0; k < v8 % 5; k++) v10 += k; }
          for (int i = 0; i < v6 % 5; i++) { v11 += i; int old = v1; v1 = v8; v8 = old; v20 = v0 ^ v12; } v8 = v7 * v2; }
        b[t] = """
        + "+".join(f"{i + 1} * {v}" for i, v in enumerate(names))
        + ";"
    )


def test_values_of_a_variable_that_is_read_behind_its_next_value():
    """Its liveness was once judged by the order of operations before scheduling."""
    names = [f"v{i}" for i in range(18)]
    check(
        " ".join(f"int {v} = a[(t + {i}) & 7];" for i, v in enumerate(names))
        + """
        for (int i = 0; i < (v3 & 7); i++) { v1 = v0 * v2 + i; v0 = v1 ^ v4; if (v5 > v6) { int old = v5; v5 = v6; v6 = old; }
          for (int k = 0; k < (v7 & 3); k++) { v8 += v9 * k; v9 = v10 - v8; v10 ^= v1; } b[t] = v8; v11 = b[t] + v12; }
        b[t] = """
        + "+".join(f"{i + 1} * {v}" for i, v in enumerate(names))
        + ";"
    )


def test_a_kernel_beyond_the_program_memory_says_what_it_needs():
    steps = (f"x = x * {k + 3} + (y ^ {k * 77}); y += x >> {k % 13 + 1};" for k in range(400))
    body = "int x = a[t], y = x + n;" + "".join(steps)
    source = f"__global__ void k(const int *a, int *b, int n) {{ int t = threadIdx.x; {body} b[t] = x; }}"
    args = [array("a", "int32", NUMBERS), array("b", "int32", 8), scalar("n", "int32", 3)]
    with pytest.raises(LimitExceeded, match="program blocks") as refused:
        launch(compile_cuda(source).ptx, one_dimensional(8, args))
    assert refused.value.extra["needed"] > refused.value.extra["available"]


LOWER_ALL = """
import json, sys
from pathlib import Path
from engine.machine.program import disassemble
from toolchain.launch import parse_launch
from toolchain.lower import lower
from toolchain.ptx import parse_ptx
for folder in sorted(Path(sys.argv[1]).iterdir()):
    record = json.loads((folder / "launches.json").read_text())[0]
    if not any("float" in feature for feature in record["features"]):
        program = lower(parse_ptx((folder / "nvcc-sm75.ptx").read_text()), parse_launch(record["launch"])).program
        print(folder.name, disassemble(program), program.allocations)
"""


def test_two_runs_give_the_same_programs():
    """Objects lie elsewhere in each process and strings hash otherwise: no order may come from a set."""
    runs = [
        subprocess.run([sys.executable, "-c", LOWER_ALL, str(KERNELS)], env={**os.environ, "PYTHONHASHSEED": seed},
                       capture_output=True, text=True, check=True).stdout
        for seed in ("1", "2")
    ]  # fmt: skip
    assert runs[0] == runs[1]
    assert runs[0].count("block 0:") > 50


def test_wide_atomics_whose_old_value_nobody_reads():
    """Sums and bit operations of 64 bits, each half by itself: lanes, warps and blocks all on the same words."""
    source = """__global__ void k(const long long *a, unsigned long long *b) {
        __shared__ unsigned long long s; unsigned long long v = a[threadIdx.x];
        if (threadIdx.x == 0) s = 5;
        __syncthreads();
        atomicAdd(b, v); atomicAnd(b + 1, v); atomicOr(b + 2, v); atomicXor(b + 3, v); atomicAdd(&s, v);
        __syncthreads();
        if (threadIdx.x == 3) b[4] = s; }"""
    values = [n * 0x9E3779B97F4A7C15 % (1 << 63) - (1 << 62) for n in range(19)] + [-1]
    args = [array("a", "int64", values), array("b", "uint64", [2**64 - 7, 2**64 - 1, 0, 9, 0])]
    ptx = compile_cuda(source).ptx
    module = parse_ptx(ptx)
    outcome = launch(ptx, one_dimensional(20, args, blocks=2))
    assert outcome.outputs == run(module, find_entry(module, "k"), [2], [20], args)
