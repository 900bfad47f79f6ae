"""One long launch without drift: python -m tests.conformance.endurance MACHINE.safetensors [ROUNDS]

A kernel whose every value hangs on all before it: 32 threads with a generator each, exchanged through shared memory between
barriers, counted by atomics. The final arrays are held against Python, every token against the interpreter, and the state of
every memory head must be as clean as after one token. Saves `results/endurance.json`.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

from engine.launch import launch
from engine.native import NativeRuntime
from engine.replay import require_exact
from engine.weights import read_machine
from tests.conformance import results
from tests.conformance.engines import library
from toolchain.compiler import compile_cuda
from toolchain.launch import parse_launch
from toolchain.lower import lower
from toolchain.ptx import parse_ptx

ROUNDS = 150
"""Rounds that give more than 100,000 tokens."""
THREADS, M32 = 32, (1 << 32) - 1
SOURCE = """__global__ void k(const unsigned *a, unsigned *out, unsigned *counts) {
    __shared__ unsigned s[32];
    int t = threadIdx.x; unsigned x = a[t];
    for (int left = a[32]; left > 0; left--) {
        x = x * 1664525u + 1013904223u;
        s[t] = x; __syncthreads();
        x ^= s[(t + 1) & 31] >> 7; __syncthreads();
        atomicAdd(&counts[x >> 29], 1u);
    }
    out[t] = x;
}"""


def expected(given: list[int], rounds: int) -> dict[str, list[int]]:
    """The arrays, in Python."""
    x, counts = given[:THREADS], [0] * 8
    for _ in range(rounds):
        x = [(value * 1664525 + 1013904223) & M32 for value in x]
        x = [value ^ x[(t + 1) % THREADS] >> 7 for t, value in enumerate(x)]
        for value in x:
            counts[value >> 29] += 1
    return {"out": x, "counts": counts}


class Kept(NativeRuntime):
    """Keeps the final state of a launch, which goes back to the state before it."""

    last: list[tuple[np.ndarray, ...]]

    def restore(self, snapshot: object) -> None:
        """Note what there is first."""
        self.last = self.snapshot()
        super().restore(snapshot)  # type: ignore[arg-type]


def main() -> int:
    """Run, judge, save."""
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else ROUNDS
    given = [*np.random.default_rng(9).integers(0, 1 << 32, THREADS).tolist(), rounds]
    arguments = [("a", given), ("out", [0] * THREADS), ("counts", [0] * 8)]
    args = [{"name": name, "type": "uint32*", "value": value} for name, value in arguments]
    document = {"kernel": "k", "grid": [1], "block": [THREADS], "args": args}
    lowered = lower(parse_ptx(compile_cuda(SOURCE).ptx), parse_launch(document))
    machine = read_machine(Path(sys.argv[1]))
    runtime, began = Kept(machine, library()), time.process_time()
    result = launch(runtime, lowered.program)
    seconds = time.process_time() - began
    require_exact(lowered.program, result.generated)
    arrays, want = lowered.read_outputs(list(result.words)), expected(given, rounds)
    wrong = [name for name, values in want.items() if arrays[name] != values]
    levels = sorted({float(x) for state in runtime.last for x in np.unique(np.abs(state[0]))})
    results.save("endurance", {
        "machine": machine.content[:12], "rounds": rounds, "prompt": len(result.prompt), "tokens": len(result.generated),
        "seconds": round(seconds, 1), "wrong": wrong, "levels": levels,
    })  # fmt: skip
    print(f"{len(result.generated):,} tokens in {seconds:.0f} s; wrong: {wrong or 'nothing'}; levels of the states: {levels}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
