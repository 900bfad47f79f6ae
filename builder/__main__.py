"""`python -m builder`: compile the machine, prove that it is exact, and keep the verdict beside the sources."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from builder.check import find_problems
from builder.identity import RECORD, proof_record
from builder.machine import compile_machine
from engine.machine.spec import SPEC


def main() -> int:
    """Write the verdict; returns 4 and lists the problems when a bound cannot be shown."""
    problems = find_problems(compile_machine(SPEC))
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        print(f"{len(problems)} bounds cannot be shown", file=sys.stderr)
        return 4
    Path(__file__).with_name(RECORD).write_text(json.dumps(proof_record(SPEC), indent=1, sort_keys=True) + "\n", "utf-8")
    print("proven: every sum, product, delta, row and norm")
    return 0


if __name__ == "__main__":
    sys.exit(main())
