"""The recorded kernels in the machine's weights: python -m tests.conformance.compiled_layers MACHINE.safetensors [NAME ..]

Every small launch without floating-point arithmetic through the compact runtime; `launch` judges each by replay. Saves
`results/compact.json` after every kernel.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.launch import launch
from engine.machine.errors import GpuError
from engine.native import NativeRuntime
from engine.weights import read_machine
from tests.conformance import results
from tests.conformance.engines import library
from tests.conformance.recorded import KERNELS
from toolchain.compiler import compile_cuda
from toolchain.launch import parse_launch
from toolchain.lower import lower
from toolchain.ptx import parse_ptx


def run(runtime: Any, names: list[str]) -> Iterator[dict[str, Any]]:
    """{kernel, launch, verdict, tokens} of every small launch."""
    for folder in sorted(path.parent for path in KERNELS.glob("*/launches.json")):
        records = json.loads((folder / "launches.json").read_text())
        if (names and folder.name not in names) or any("float" in f for record in records for f in record["features"]):
            continue
        module = parse_ptx(compile_cuda((folder / "kernel.cu").read_text()).ptx)
        for number, record in enumerate(records):
            if not record["tiny"]:
                continue
            lowered = lower(module, parse_launch(record["launch"]))
            try:
                result = launch(runtime, lowered.program)
                same = lowered.read_outputs(list(result.words)) == record["expect"]
                verdict = "exact" if same else "wrong arrays"
            except GpuError as problem:
                verdict, result = f"wrong: {problem}", None
            yield {"kernel": folder.name, "launch": number, "verdict": verdict,
                   "tokens": len(result.generated) if result else 0}  # fmt: skip


def main() -> int:
    """Run, save, print what is not exact."""
    machine = read_machine(Path(sys.argv[1]))
    found: list[dict[str, Any]] = []
    for entry in run(NativeRuntime(machine, library()), sys.argv[2:]):
        found.append(entry)
        results.save("compact", {"machine": machine.content[:12], "launches": found})
        if entry["verdict"] != "exact":
            print(f"{entry['kernel']}[{entry['launch']}]: {entry['verdict']}", flush=True)
    exact = sum(entry["verdict"] == "exact" for entry in found)
    print(f"{exact} of {len(found)} exact, {sum(entry['tokens'] for entry in found):,} tokens")
    return int(exact < len(found))


if __name__ == "__main__":
    sys.exit(main())
