"""Tokens of every recorded launch, by what they do, on the interpreter (any exact engine generates the same).

python -m tests.bench.bench_tokens [--since COMMIT] [--compiler clang|nvcc] [--save FILE] [KERNEL ..]

`--since` measures the toolchain of an older commit as well, with its own compiler flags, and prints both.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from engine.machine.errors import LimitExceeded, UnsupportedError
from engine.machine.interpreter import Interpreter
from toolchain.compiler import compile_cuda
from toolchain.launch import parse_launch
from toolchain.lower import lower
from toolchain.ptx import parse_ptx

KERNELS = Path(__file__).parents[1] / "truth" / "kernels"
REPOSITORY = Path(__file__).parents[2]
KINDS = ("prompt", "VAL", "EXEC", "MEM1", "MEMV", "WARP", "BAR")


def tokens_of(ptx: str, record: dict) -> dict[str, int] | None:
    """Tokens of one launch by kind, `prompt` and `generated`; None where it is refused. Arrays must be the recorded ones."""
    try:
        lowered = lower(parse_ptx(ptx), parse_launch(record["launch"]))
    except (LimitExceeded, UnsupportedError):
        return None
    machine = Interpreter()
    prompt = machine.load(lowered.program)
    kinds: Counter[str] = Counter()
    following = machine.step(prompt[-1])
    while following is not None:
        kinds[following.kind] += 1
        following = machine.step(following)
    assert lowered.read_outputs(machine.memory) == record["expect"], "wrong arrays"
    return {"prompt": len(prompt), "generated": kinds.total(), **kinds}


def measured(names: list[str], compiler: str) -> dict[str, dict[str, int] | None]:
    """Tokens of every launch of some kernels without floating-point arithmetic; all of them where none is named."""
    found = {}
    for folder in sorted(path.parent for path in KERNELS.glob("*/launches.json") if not names or path.parent.name in names):
        records = json.loads((folder / "launches.json").read_text())
        if any("float" in feature for record in records for feature in record["features"]):
            continue
        source = (folder / "kernel.cu").read_text()
        ptx = compile_cuda(source).ptx if compiler == "clang" else (folder / "nvcc-sm75.ptx").read_text()
        for number, record in enumerate(records):
            found[f"{folder.name}[{number}]"] = tokens_of(ptx, record)
    return found


def measured_at(commit: str, arguments: list[str]) -> dict[str, dict[str, int] | None]:
    """The same with the sources of an older commit."""
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(["git", "archive", commit], cwd=REPOSITORY, check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
        saved = Path(folder) / "tokens.json"
        command = [sys.executable, __file__, "--save", str(saved), *arguments]
        subprocess.run(command, env={**os.environ, "PYTHONPATH": folder}, check=True, stdout=subprocess.DEVNULL)
        return json.loads(saved.read_text())


def main() -> None:
    """Measure, print a row a kernel, save."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernels", nargs="*")
    parser.add_argument("--since")
    parser.add_argument("--compiler", choices=("clang", "nvcc"), default="clang")
    parser.add_argument("--save", type=Path)
    options = parser.parse_args()
    now = measured(options.kernels, options.compiler)
    before = measured_at(options.since, ["--compiler", options.compiler, *options.kernels]) if options.since else {}
    if options.save:
        options.save.write_text(json.dumps(now, indent=1))
    table(now, before)


def table(now: dict[str, dict[str, int] | None], before: dict[str, dict[str, int] | None]) -> None:
    """Sums of the launches of each kernel that both versions take; refused launches do not count."""
    rows: dict[str, Counter[str]] = {}
    for name, launch in now.items():
        other = before.get(name) if before else {"generated": 0, "prompt": 0}
        if launch is None or other is None:
            continue
        old = {f"old {key}": other[key] for key in ("prompt", "generated")}
        rows.setdefault(name.split("[")[0], Counter()).update({**launch, **old, "launches": 1})
    total = sum(rows.values(), Counter())
    heads = ("launches", "generated", *KINDS)
    print(f"{'kernel':24}" + "".join(f"{head:>10}" for head in heads) + (f"{'before':>10}{'saved':>8}" if before else ""))
    for name, row in [*rows.items(), ("sum", total)]:
        line = f"{name:24}" + "".join(f"{row[head]:10,}" for head in heads)
        if before:
            line += f"{row['old generated']:10,}{1 - row['generated'] / row['old generated']:8.1%}"
        print(line)
    if before:
        print(f"prompt tokens before: {total['old prompt']:,}")


if __name__ == "__main__":
    main()
