"""Random kernels through the engines.

python -m tests.conformance.random_kernels FIRST LAST [--native] [--variants] [--compact FILE] [--save NAME] runs the kernels of
the seeds FIRST to LAST - 1 and writes `results/random.json`: how many agree, what was refused by which limit, and every failure
with its reduced source.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from engine.machine.errors import LimitExceeded
from tests.conformance import engines, results
from tests.conformance.generator import Kernel, Statement, kernel
from tests.conformance.variants import VARIANTS
from toolchain.compiler import compile_cuda
from toolchain.ptx import parse_ptx

BATCH = 10
"""Kernels of one source: starting the compiler costs more than compiling one of them."""


@dataclass
class Tally:
    """What came out of a run. `failures`: (seed, what, source)."""

    kernels: int = 0
    launches: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    tokens: Counter[str] = field(default_factory=Counter)
    too_long: int = 0
    failures: list[tuple[int, str, str]] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """For the report."""
        return {"kernels": self.kernels, "launches": dict(self.launches), "refused": dict(self.refused),
                "tokens": dict(self.tokens), "too long": self.too_long, "failures": self.failures}  # fmt: skip


def batches(seeds: range) -> Iterator[list[Kernel]]:
    """Kernels named after their seeds."""
    for first in range(seeds.start, seeds.stop, BATCH):
        yield [kernel(seed, f"k{seed}") for seed in range(first, min(first + BATCH, seeds.stop))]


def compare(made: Kernel, module: Any, want: engines.Arrays | None, tally: Tally, engine: str) -> engines.Arrays | None:
    """Interpret one kernel; compare it with `want` or the simulated arrays, which are returned."""
    document = made.launch()
    if want is None:
        want = engines.simulated(module, document)
    try:
        got, tokens = engines.interpreted(module, document)
    except LimitExceeded as limit:
        tally.refused[limit.extra["limit"]] += 1
        return want
    except engines.TooLong:
        tally.too_long += 1
        return want
    except Exception as problem:
        tally.failures.append((made.seed, f"{engine}: {problem!r}", reduced(made).source()))
        return want
    tally.launches[engine] += 1
    tally.tokens[engine] += tokens
    if got != want:
        tally.failures.append((made.seed, f"{engine}: {[k for k in want if want[k] != got[k]]} differ", reduced(made).source()))
    return want


def run(seeds: range, tally: Tally, native: bool = False, variants: bool = False, runtime: Any = None) -> Tally:
    """All engines that were asked for, on the kernels of some seeds."""
    for group in batches(seeds):
        module = parse_ptx(compile_cuda("\n".join(made.source() for made in group)).ptx)
        wanted = [compare(made, module, None, tally, "interpreted") for made in group]
        tally.kernels += len(group)
        if native:
            check_native(group, wanted, tally)
        for made, want in zip(group, wanted, strict=True) if variants else ():
            check_variants(made, want, tally)
        for made, want in zip(group, wanted, strict=True) if runtime is not None else ():
            check_compact(made, module, want, tally, runtime)
    return tally


def check_native(group: list[Kernel], wanted: list[engines.Arrays | None], tally: Tally) -> None:
    """The CPU's arrays of some kernels of one source."""
    answers = engines.native("\n".join(made.source() for made in group), [made.launch() for made in group])
    for made, want, got in zip(group, wanted, answers, strict=True):
        tally.launches["native"] += 1
        if got != want:
            tally.failures.append((made.seed, f"native: {str(got)[:80]}", made.source()))


def check_variants(made: Kernel, want: engines.Arrays | None, tally: Tally) -> None:
    """Every variant gives the original's arrays."""
    changed = [(name, replace(vary(made, random.Random(made.seed)), name=f"k{k}"))
               for k, (name, vary) in enumerate(VARIANTS.items())]  # fmt: skip
    module = parse_ptx(compile_cuda("\n".join(variant.source() for _, variant in changed)).ptx)
    for name, variant in changed:
        compare(variant, module, want, tally, name)


def check_compact(made: Kernel, module: Any, want: engines.Arrays | None, tally: Tally, runtime: Any) -> None:
    """In the compiled layers, where the launch is short enough to wait for."""
    try:
        _, tokens = engines.interpreted(module, made.launch(), 4000)
        got, tokens = engines.compact(runtime, module, made.launch())
    except (LimitExceeded, engines.TooLong):
        return
    tally.launches["compact"] += 1
    tally.tokens["compact"] += tokens
    if got != want:
        tally.failures.append((made.seed, "compact", made.source()))


# ---------------------------------------------------------------- reduction
def fails(made: Kernel) -> bool:
    """Whether the interpreter still disagrees with the PTX interpreter, or crashes."""
    try:
        module = parse_ptx(compile_cuda(made.source()).ptx)
        want = engines.simulated(module, made.launch())
    except Exception:
        return False
    try:
        return engines.interpreted(module, made.launch())[0] != want
    except (LimitExceeded, engines.TooLong):
        return False
    except Exception:
        return True


def reduced(made: Kernel) -> Kernel:
    """A smaller kernel that fails, too: statements go, bodies take the place of what surrounds them, until nothing more can."""
    shrinking = True
    while shrinking:
        shrinking = False
        for body in smaller(made.body):
            if fails(replace(made, body=body)):
                made, shrinking = replace(made, body=body), True
                break
    return made


def smaller(body: tuple[Statement, ...]) -> Iterator[tuple[Statement, ...]]:
    """Everything that is one step smaller."""
    for place, part in enumerate(body):
        before, after = body[:place], body[place + 1 :]
        yield (*before, *after)
        if part.body is not None:
            if "k" not in part.text.split("=")[0]:
                yield (*before, *part.body, *after)
            for inner in smaller(part.body):
                yield (*before, replace(part, body=inner), *after)


def main() -> None:
    """Run, print, save."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--native", action="store_true")
    parser.add_argument("--variants", action="store_true")
    parser.add_argument("--compact", type=Path, help="machine.safetensors")
    parser.add_argument("--save", default="random")
    arguments = parser.parse_args()
    runtime = None
    if arguments.compact:
        from engine.native import NativeRuntime
        from engine.weights import read_machine

        runtime = NativeRuntime(read_machine(arguments.compact), engines.library())
    tally, start = Tally(), time.perf_counter()
    for first in range(arguments.first, arguments.last, 100):
        run(range(first, min(first + 100, arguments.last)), tally, arguments.native, arguments.variants, runtime)
        seeds = [arguments.first, min(first + 100, arguments.last)]
        results.save(arguments.save, {"seeds": seeds, **tally.as_json()})
        print(f"{seeds}: {tally.kernels} kernels, {dict(tally.launches)}, refused {dict(tally.refused)}, "
              f"{len(tally.failures)} failures, {time.perf_counter() - start:.0f} s", flush=True)  # fmt: skip
    for seed, what, source in tally.failures:
        print(f"seed {seed}: {what}\n{source}")


if __name__ == "__main__":
    main()
