"""Four small tasks as CUDA kernels, whole launches: python -m tests.bench.bench_tasks MACHINE.safetensors

The tasks are those for which times of another computer inside a transformer are known (a WebAssembly machine with an engine
of its own in C++, measured on a computer of this kind, not in this run): the last column. Inputs are array contents, so
nothing is folded on the host. A launch is timed from its first prompt token to its words, prompt and state included.
"""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.launch import launch
from engine.native import NativeRuntime
from engine.replay import require_exact
from engine.weights import read_machine
from tests.conformance.engines import library
from toolchain.compiler import compile_cuda
from toolchain.launch import parse_launch
from toolchain.lower import lower
from toolchain.ptx import parse_ptx

RUNS = 7
FIRST, SECOND = "48151623426180", "99887766554433"
COSTS = (9, 2, 7, 6, 4, 3, 5, 8, 1)


@dataclass(frozen=True)
class Task:
    """A kernel with what goes in (a) and what must come out (out). elsewhere: seconds of the other machine."""

    name: str
    source: str
    given: tuple[int, ...]
    expected: Callable[[], list[int]]
    elsewhere: float
    threads: int = 1


def digits(text: str) -> list[int]:
    """Least first."""
    return [int(digit) for digit in reversed(text)]


def fibonacci() -> list[int]:
    a, b = 0, 1
    for _ in range(10):
        a, b = b, a + b
    return [a]


def collatz() -> list[int]:
    n, steps = 7, 0
    while n != 1:
        n, steps = 3 * n + 1 if n % 2 else n // 2, steps + 1
    return [steps]


def matching() -> list[int]:
    return [min(sum(COSTS[3 * row + order[row]] for row in range(3)) for order in itertools.permutations(range(3)))]


TASKS = (
    Task(
        f"{len(FIRST)}-digit decimal addition",
        """__global__ void k(const int *a, int *out) {
            int carry = 0;
            for (int i = 0; i < DIGITS; i++) {
                int s = a[i] + a[DIGITS + i] + carry;
                carry = s > 9; out[i] = carry ? s - 10 : s; }
            out[DIGITS] = carry; }""".replace("DIGITS", str(len(FIRST))),
        (*digits(FIRST), *digits(SECOND)),
        lambda: [*digits(str(int(FIRST) + int(SECOND))), 0][: len(FIRST) + 1],
        0.26,
    ),
    Task(
        "fibonacci(10)",
        """__global__ void k(const int *a, int *out) {
            int x = 0, y = 1; for (int i = a[0]; i > 0; i--) { int z = x + y; x = y; y = z; } out[0] = x; }""",
        (10,),
        fibonacci,
        0.40,
    ),
    Task(
        "collatz(7)",
        """__global__ void k(const int *a, int *out) {
            int n = a[0], steps = 0; while (n != 1) { n = n & 1 ? 3 * n + 1 : n >> 1; steps++; } out[0] = steps; }""",
        (7,),
        collatz,
        2.2,
    ),
    Task(
        "3x3 minimum-cost matching",
        """__global__ void k(const int *a, int *out) {
            int p = threadIdx.x, first = p >> 1, second = (first + 1 + (p & 1)) % 3, third = 3 - first - second;
            int cost = a[first] + a[3 + second] + a[6 + third];
            atomicMin(out, cost); }""",
        COSTS,
        matching,
        9.4,
        6,
    ),
)  # fmt: skip


def document(task: Task) -> dict[str, Any]:
    """LAUNCH.json."""
    begin = [2**31 - 1] if task.threads > 1 else [0] * len(task.expected())
    args = [{"name": "a", "type": "int32*", "value": list(task.given)}, {"name": "out", "type": "int32*", "value": begin}]
    return {"kernel": "k", "grid": [1], "block": [task.threads], "args": args}


def main() -> None:
    """Run every task, check what it gives, print the table."""
    runtime = NativeRuntime(read_machine(Path(sys.argv[1])), library())
    print(
        "| task | prompt | generated | passes | seconds, median | least | processor seconds | elsewhere |\n" + "|---" * 8 + "|"
    )
    for task in TASKS:
        lowered = lower(parse_ptx(compile_cuda(task.source).ptx), parse_launch(document(task)))
        wall, processor = [], []
        for _ in range(RUNS):
            began, spent = time.perf_counter(), time.process_time()
            result = launch(runtime, lowered.program)
            wall.append(time.perf_counter() - began)
            processor.append(time.process_time() - spent)
        require_exact(lowered.program, result.generated)
        found = lowered.read_outputs(list(result.words))["out"]
        if found != task.expected():
            raise SystemExit(f"{task.name}: {found}, not {task.expected()}")
        print(
            f"| {task.name} | {len(result.prompt)} | {len(result.generated)} | {result.passes} | {sorted(wall)[RUNS // 2]:.3f} "
            f"| {min(wall):.3f} | {min(processor):.3f} | {task.elsewhere} |"
        )


if __name__ == "__main__":
    main()
