"""The recorded kernels in the machine's weights: python -m tests.conformance.compiled_layers MACHINE.safetensors [NAME ..]

Every launch without floating-point arithmetic, from clang's PTX and then from NVIDIA's, through the compact runtime; each is
judged by replay and by the recorded arrays. Saves `results/compact.json` after every launch.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.launch import launch
from engine.machine.errors import GpuError, LimitExceeded, UnsupportedError
from engine.native import NativeRuntime
from engine.replay import require_exact
from engine.weights import read_machine
from tests.conformance import results
from tests.conformance.engines import library
from tests.conformance.recorded import KERNELS
from toolchain.compiler import compile_cuda
from toolchain.launch import parse_launch
from toolchain.lower import lower
from toolchain.ptx import Module, parse_ptx


def run(runtime: Any, names: list[str]) -> Iterator[dict[str, Any]]:
    """{kernel, launch, compiler, tiny, verdict, tokens} of every launch."""
    for compiler in ("clang", "nvcc"):
        for folder in sorted(path.parent for path in KERNELS.glob("*/launches.json")):
            records = json.loads((folder / "launches.json").read_text())
            if (names and folder.name not in names) or any("float" in f for record in records for f in record["features"]):
                continue
            nvidia = compiler == "nvcc"
            text = (folder / "nvcc-sm75.ptx").read_text() if nvidia else compile_cuda((folder / "kernel.cu").read_text()).ptx
            module = parse_ptx(text)
            for number, record in enumerate(records):
                verdict, tokens = judge(runtime, module, record)
                yield {"kernel": folder.name, "launch": number, "compiler": compiler, "tiny": record["tiny"],
                       "verdict": verdict, "tokens": tokens}  # fmt: skip


def judge(runtime: Any, module: Module, record: dict[str, Any]) -> tuple[str, int]:
    """("exact", "refused: which limit" or what is wrong, generated tokens) of a launch."""
    try:
        lowered = lower(module, parse_launch(record["launch"]))
    except (LimitExceeded, UnsupportedError) as refusal:
        return f"refused: {refusal.what}", 0
    try:
        result = launch(runtime, lowered.program)
        require_exact(lowered.program, result.generated)
    except GpuError as problem:
        return f"wrong: {problem}", 0
    same = lowered.read_outputs(list(result.words)) == record["expect"]
    return ("exact" if same else "wrong arrays"), len(result.generated)


def main() -> int:
    """Run, save, print what is not exact."""
    machine = read_machine(Path(sys.argv[1]))
    found: list[dict[str, Any]] = []
    for entry in run(NativeRuntime(machine, library()), sys.argv[2:]):
        found.append(entry)
        results.save("compact", {"machine": machine.content[:12], "launches": found})
        if entry["verdict"] != "exact":
            print(f"{entry['kernel']}[{entry['launch']}], {entry['compiler']}: {entry['verdict']}", flush=True)
    exact, refused = (sum(entry["verdict"].startswith(word) for entry in found) for word in ("exact", "refused"))
    print(f"{exact} of {len(found)} exact, {refused} refused, {sum(entry['tokens'] for entry in found):,} tokens")
    return int(exact + refused < len(found))


if __name__ == "__main__":
    sys.exit(main())
