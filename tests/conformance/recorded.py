"""The recorded kernels through the lowering and the interpreter: python -m tests.conformance.recorded

For every launch of `tests/truth/kernels`, from clang's PTX and from NVIDIA's: exact, refused by which limit, or what is wrong;
and the tokens that it takes. Saves `results/recorded.json`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.machine.errors import LimitExceeded, UnsupportedError
from tests.conformance import engines, results
from toolchain.compiler import compile_cuda
from toolchain.ptx import parse_ptx

KERNELS = Path(__file__).parents[1] / "truth" / "kernels"


def launches() -> Iterator[dict[str, Any]]:
    """{kernel, launch, compiler, tiny, verdict, tokens} of every launch without floating-point arithmetic."""
    for folder in sorted(path.parent for path in KERNELS.glob("*/launches.json")):
        records = json.loads((folder / "launches.json").read_text())
        if any("float" in feature for record in records for feature in record["features"]):
            continue
        texts = {"clang": compile_cuda((folder / "kernel.cu").read_text()).ptx, "nvcc": (folder / "nvcc-sm75.ptx").read_text()}
        for compiler, text in texts.items():
            module = parse_ptx(text)
            for number, record in enumerate(records):
                verdict, tokens = judge(module, record)
                yield {"kernel": folder.name, "launch": number, "compiler": compiler, "tiny": record["tiny"],
                       "verdict": verdict, "tokens": tokens}  # fmt: skip


def shortest(count: int) -> list[tuple[str, int, str, dict[str, Any]]]:
    """(kernel, launch, NVIDIA's PTX, record) of the integer launches with the fewest threads and words, one a kernel."""
    found = []
    for folder in sorted(path.parent for path in KERNELS.glob("*/launches.json")):
        records = json.loads((folder / "launches.json").read_text())
        number, record = min(enumerate(records), key=lambda entry: entry[1]["threads"] + entry[1]["global_words"])
        if record["tiny"] and not any("float" in feature for feature in record["features"]):
            found.append((record["threads"] + record["global_words"], folder, number, record))
    chosen = sorted(found, key=lambda entry: entry[:2])[:count]
    return [(folder.name, number, (folder / "nvcc-sm75.ptx").read_text(), record) for _, folder, number, record in chosen]


def judge(module: Any, record: dict[str, Any]) -> tuple[str, int]:
    """(verdict, generated tokens) of one launch."""
    try:
        arrays, tokens = engines.interpreted(module, record["launch"])
    except LimitExceeded as limit:
        return f"refused: {limit.what}", 0
    except UnsupportedError as refusal:
        return f"unsupported: {refusal.what}", 0
    except (engines.Fault, engines.TooLong) as problem:
        return f"wrong: {problem!r}", 0
    return ("exact" if arrays == record["expect"] else "wrong arrays"), tokens


def main() -> int:
    """Run all, save, print what is not exact."""
    found = list(launches())
    results.save("recorded", {"launches": found})
    for entry in found:
        if entry["verdict"] != "exact":
            print(f"{entry['kernel']}[{entry['launch']}] {entry['compiler']}: {entry['verdict']}")
    exact = sum(entry["verdict"] == "exact" for entry in found)
    print(f"{exact} of {len(found)} exact, {sum(entry['tokens'] for entry in found):,} tokens")
    return int(any(entry["verdict"].startswith("wrong") for entry in found))


if __name__ == "__main__":
    sys.exit(main())
