"""What compiling and lowering cost: python -m tests.bench.bench_lowering

For every recorded integer kernel: instructions of clang's PTX, wall-clock milliseconds of compiling (a process of its own) and
processor milliseconds of lowering its first launch, the least of three; and what lowering takes for 300 instructions.
"""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path

from engine.machine.errors import GpuError
from toolchain.compiler import compile_cuda
from toolchain.launch import parse_launch
from toolchain.lower import lower
from toolchain.ptx import Module, parse_ptx

KERNELS = Path(__file__).parents[1] / "truth" / "kernels"
SHOWN, ROUNDS = 12, 3


def instructions(ptx: str) -> int:
    """Statements of a PTX text that are no declarations or directives."""
    lines = (line.strip() for line in ptx.splitlines())
    return sum(line.endswith(";") and not line.startswith((".", "//")) for line in lines)


def lowering(module: Module, document: dict[str, object]) -> float:
    """Milliseconds of lowering a launch, the least of some; a refusal counts, it takes as long."""
    times = []
    for _ in range(ROUNDS):
        began = time.process_time()
        with suppress(GpuError):
            lower(module, parse_launch(document))
        times.append(time.process_time() - began)
    return 1000 * min(times)


def main() -> None:
    """Measure all; print the longest kernels."""
    rows = []
    for path in sorted(KERNELS.glob("*/launches.json")):
        records = json.loads(path.read_text())
        if any("float" in feature for record in records for feature in record["features"]):
            continue
        began = time.perf_counter()
        ptx = compile_cuda((path.parent / "kernel.cu").read_text()).ptx
        compiling = 1000 * (time.perf_counter() - began)
        rows.append((instructions(ptx), path.parent.name, compiling, lowering(parse_ptx(ptx), records[0]["launch"])))
    print("| kernel | PTX instructions | compiling | lowering |\n|---|---|---|---|")
    for count, name, compiling, took in sorted(rows, reverse=True)[:SHOWN]:
        print(f"| {name} | {count} | {compiling:.0f} | {took:.0f} |")
    compiled = sorted(compiling for _, _, compiling, _ in rows)
    per = 300 * sum(took for *_, took in rows) / sum(count for count, *_ in rows)
    print(
        f"\n{len(rows)} kernels: compiling {compiled[len(rows) // 2]:.0f} ms in the middle, {compiled[-1]:.0f} at most;",
        end=" ",
    )
    print(f"lowering {per:.0f} ms for 300 instructions")


if __name__ == "__main__":
    main()
