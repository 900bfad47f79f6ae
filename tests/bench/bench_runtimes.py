"""Speed of the runtimes on one machine file, in one run: python -m tests.bench.bench_runtimes MACHINE.safetensors

Prints milliseconds a machine token for the compact runtime with its compiled loop (as users run it), without it, and for stock
transformers, their ratios, tokens a second of a whole launch, and where the time goes by kind of token and by layer.
Wall-clock times on one core; say what else the computer was doing.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "engine"))

import programs

from engine.compact import CompactRuntime
from engine.dense import DenseRuntime
from engine.launch import Runtime, launch, token_set
from engine.machine.program import Program, prompt
from engine.native import NativeRuntime
from engine.weights import read_machine, total_nonzeros
from tests.conformance.engines import library


def token_times(runtime: Runtime, program: Program, steps: int) -> list[tuple[str, float]]:
    """(kind of token fed, seconds) of generated tokens; stops at the launch's end."""
    tokens = token_set(runtime.machine.spec)
    before, times = runtime.snapshot(), []
    answer = runtime.feed([tokens.ids[token] for token in prompt(program, runtime.machine.spec)])
    while len(times) < steps and tokens.tokens[answer].kind not in ("END", "FAULT"):
        began, kind = time.perf_counter(), tokens.tokens[answer].kind
        answer = runtime.feed([answer])
        times.append((kind, time.perf_counter() - began))
    runtime.restore(before)
    return times


def milliseconds(times: list[float]) -> str:
    """Mean, median and least, in ms."""
    return f"mean {1e3 * np.mean(times):7.2f}  median {1e3 * np.median(times):7.2f}  least {1e3 * min(times):7.2f} ms"


def layer_times(runtime: CompactRuntime, program: Program) -> dict[int, float]:
    """Seconds spent in every layer during a launch."""
    spent: Counter[int] = Counter()
    last = [time.perf_counter()]

    def watch(layer: int, x: np.ndarray) -> None:
        now = time.perf_counter()
        spent[layer] += now - last[0] if layer else 0.0
        last[0] = now

    launch(CompactRuntime(runtime.machine, watch=watch), program)
    return dict(spent)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("machine", type=Path)
    parser.add_argument("--dense-steps", type=int, default=8, help="tokens to time in the dense runtime; 0 skips it")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    began = time.perf_counter()
    machine = read_machine(arguments.machine)
    read = time.perf_counter()
    compact = CompactRuntime(machine)
    print(
        f"{total_nonzeros(machine.layers):,} nonzeros; read in {read - began:.2f} s, "
        f"made executable in {time.perf_counter() - read:.2f} s"
    )
    program = programs.stepping(machine.spec.threads)
    host = len(prompt(program, machine.spec))
    native = NativeRuntime(machine, library())
    for runtime in (native, compact):
        name = "compact" if runtime is native else "compact without its compiled loop"
        for visit in ("first", "second"):
            began = time.perf_counter()
            token_times(runtime, program, 0)
            print(f"{name}: prompt, {visit} time {1e3 * (time.perf_counter() - began) / host:.2f} ms a token ({host} tokens)")
        times = token_times(runtime, program, 2000)
        print(f"{name}, {len(times)} tokens: {milliseconds([seconds for _, seconds in times])}")
    fast = [seconds for _, seconds in token_times(native, program, 2000)]
    result = launch(native, program)
    tokens = len(result.prompt) + len(result.generated)
    print(f"a whole launch: {tokens / result.seconds:,.0f} tokens a second ({tokens} tokens, states read and checked)")
    for kind in sorted({kind for kind, _ in times}):
        of_kind = [seconds for name, seconds in times if name == kind]
        print(f"  {kind:5} {len(of_kind):5}: {milliseconds(of_kind)}")
    spent = layer_times(compact, program)
    slowest = sorted(spent, key=spent.get, reverse=True)[:10]
    print("  layers: " + ", ".join(f"{layer}: {100 * spent[layer] / sum(spent.values()):.0f} %" for layer in slowest))
    if arguments.dense_steps:
        dense = [seconds for _, seconds in token_times(DenseRuntime.embedded(machine), program, arguments.dense_steps)]
        print(f"transformers, {len(dense)} tokens: {milliseconds(dense)}")
        print(
            f"ratio of the medians: {np.median(dense) / np.median(fast):,.0f}; without the compiled loop "
            f"{np.median(dense) / np.median([seconds for _, seconds in times]):,.0f}"
        )


if __name__ == "__main__":
    main()
