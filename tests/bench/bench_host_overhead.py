"""What the host adds to a launch beside compiling and the tokens: python -m tests.bench.bench_host_overhead [CALL ..]

For each call, in milliseconds of this thread (other programs have no part in them, nor has waiting for the disk): compiling
and lowering (once a shape), what the launch itself took (here on the reference interpreter; in the weights it takes longer),
and everything else, repeated with warm caches: parsing, checking, planning,
filling arrays, reading results, the record and writing it. The target is 10 ms a launch.
"""

from __future__ import annotations

import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from statistics import median

from app.compute.evaluating import compute, read
from app.compute.launching import compile_kernel, lower_shape
from app.compute.library import load_library
from app.compute.receipts import receipt_of
from engine.machine.tokens import TOKENS
from tests.app.fast import FastMachine

CALLS = (
    "add(2, 3)",
    "mul([1, 2, 3], 7)",
    "dot([1, 2, 3], [4, 5, 6])",
    "sort([3, 1, 2])",
    "gcd(12, 18)",
    "matmul([[1, 2], [3, 4]], [[5, 6], [7, 8]])",
    f"sum({list(range(400))})",
    f"add({list(range(300))}, 1)",
    "add(mul(2, 3), mul(4, 5))",
)
ROUNDS = 15
TARGET = 10.0


class Timed(FastMachine):
    """A machine that counts the seconds of its launches; it answers with the token set's own tokens, as the engine does."""

    seconds = 0.0

    def launch(self, *arguments, **options):
        """Run a program."""
        began = time.thread_time()
        try:
            launched = super().launch(*arguments, **options)
            return replace(launched, generated=tuple(TOKENS.tokens[TOKENS.ids[token]] for token in launched.generated))
        finally:
            self.seconds += time.thread_time() - began


def round_of(call: str, folder: Path) -> tuple[float, float, int]:
    """Milliseconds of launches and of everything else, and how many launches there were."""
    library, machine = load_library(), Timed()
    began = time.thread_time()
    found = compute(read(call, library, {}), library, {}, machine)
    receipt_of("bench", call, {}, found, machine.identity, "", "").write(folder / "bench.json")
    total = time.thread_time() - began
    return 1e3 * machine.seconds, 1e3 * (total - machine.seconds), machine.launches


def main(calls: list[str]) -> None:
    """Print the table."""
    print(f"{'call':<46}{'launches':>9}{'compile':>10}{'launch':>10}{'host':>9}{'a launch':>10}")
    with tempfile.TemporaryDirectory() as name:
        for call in calls or CALLS:
            compile_kernel.cache_clear()
            lower_shape.cache_clear()
            _, first, launches = round_of(call, Path(name))
            rounds = [round_of(call, Path(name)) for _ in range(ROUNDS)]
            inside, host = (median(column) for column in list(zip(*rounds, strict=True))[:2])
            shown = call if len(call) <= 44 else f"{call[:41]}..."
            print(
                f"{shown:<46}{launches:>9}{first - host:>10.1f}{inside:>10.1f}{host:>9.2f}{host / launches:>10.2f}"
                + ("" if host / launches <= TARGET else "  above the target")
            )


if __name__ == "__main__":
    main(sys.argv[1:])
