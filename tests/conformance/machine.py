"""The machine's own instructions in the compiled layers: python -m tests.conformance.machine MACHINE.safetensors

Every instruction at every stage on all pairs of corner values and 1,000 random ones, every pair of instructions in a block,
results that overwrite operands, all lane masks. Every token must be the interpreter's, every register that the tokens write
and every word of memory what numpy says. Saves `results/machine.json` after every program and goes on where it was stopped.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from engine.launch import Runtime, token_set
from engine.machine.interpreter import Interpreter
from engine.machine.program import Program
from engine.native import NativeRuntime
from engine.state import read_words
from engine.weights import read_machine
from tests.conformance import machine_programs, results
from tests.conformance.engines import library
from tests.conformance.machine_programs import COMPUTING, Expected

ENDS = ("EXEC", "WARP", "END")
"""Tokens in front of which a block has written out all that it gave."""


def check(runtime: Runtime, program: Program) -> int:
    """Run a program on the machine's own answers; the number of generated tokens. Raises AssertionError where they differ.

    The interpreter reads the registers out of the tokens; what they must hold is numpy's.
    """
    tokens, before = token_set(runtime.machine.spec), runtime.snapshot()
    reader, expected = Interpreter(), Expected(program)
    host = reader.load(program)
    due, number, warp = reader.step(host[-1]), 0, 0
    answer = runtime.feed([tokens.ids[token] for token in host])
    while due is not None:
        assert tokens.tokens[answer] == due, f"{program.kernel}, token {number}: {tokens.tokens[answer]}, not {due}"
        if due.kind in ENDS and number:
            where = f"{program.kernel}, token {number}, block {reader.block}"
            np.testing.assert_array_equal(np.array(reader.registers[warp], np.uint32), expected.registers[warp], where)
        token, number = due, number + 1
        due, warp = reader.step(token), reader.warp
        if token.kind == "EXEC":
            expected.run(token.fields[0], warp, token.fields[1])
        if due is not None:
            answer = runtime.feed([tokens.ids[token]])
    assert token.kind == "END", f"{program.kernel} ends with {token}"
    memory = runtime.machine.state.memory  # type: ignore[union-attr]
    found = read_words(runtime.recurrent_state, memory, range(memory.words))
    words = np.array([found.get(word, 0) for word in range(memory.words)], np.uint32)
    np.testing.assert_array_equal(words, expected.memory, f"{program.kernel}: memory")
    runtime.restore(before)
    return number


def programs() -> Iterator[tuple[str, Program]]:
    """(kind, program)."""
    rng = np.random.default_rng
    yield from (("pairs", program) for program in machine_programs.pairs(rng(1)))
    yield "overwriting", machine_programs.overwriting(rng(2))
    yield from (("masks", program) for program in machine_programs.masks(rng(3)))
    yield from (("corners", machine_programs.corners(entry, rng(4 + k))) for k, entry in enumerate(COMPUTING))
    yield "memory", machine_programs.sweep(rng(40))
    yield "copies", machine_programs.rows(rng(41))
    yield "copies", machine_programs.registers(rng(42))
    yield "copies", machine_programs.loads(rng(43))


def main() -> int:
    """Run, save, print."""
    machine = read_machine(Path(sys.argv[1]))
    runtime = NativeRuntime(machine, library())
    kept = results.load("machine")
    found = kept["programs"] if kept and kept["machine"] == machine.content[:12] else []
    for kind, program in list(programs())[len(found) :]:
        try:
            entry = {"kind": kind, "name": program.kernel, "tokens": check(runtime, program), "verdict": "exact"}
        except AssertionError as difference:
            entry = {"kind": kind, "name": program.kernel, "tokens": 0, "verdict": str(difference)}
            runtime = NativeRuntime(machine, library())
        found.append(entry)
        results.save("machine", {"machine": machine.content[:12], "programs": found})
        print(f"{kind} {program.kernel}: {entry['verdict']}, {entry['tokens']:,} tokens", flush=True)
    return int(any(entry["verdict"] != "exact" for entry in found))


if __name__ == "__main__":
    sys.exit(main())
