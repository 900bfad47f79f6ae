"""Random changes of definition, programs and weights, and whether the checks notice.

python -m tests.conformance.mutation [--machine MACHINE.safetensors] [--weights N] [--encodings N] [--definition N] [--seed N]

definition: one token of an instruction's line in `engine/machine/instructions.py`, held against numpy on corners and random
            words.
encodings:  one bit of a program row that the prompt stages, held against the recorded arrays of small kernels.
weights:    one nonzero of the compiled layers, held against the replay of small kernels and of programs that use every
            instruction, block, lane mask and memory word.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from engine.launch import launch
from engine.machine import instructions as definition
from engine.machine.errors import GpuError
from engine.machine.instructions import COMMON_CORNERS, INSTRUCTIONS
from engine.machine.interpreter import Interpreter
from engine.machine.program import Program, operation_row, terminator_row
from engine.machine.tokens import Token
from engine.native import NativeRuntime
from engine.replay import require_exact
from engine.weights import Machine, read_machine
from tests.conformance import engines, machine_programs, results
from tests.conformance.recorded import KERNELS
from tests.engine.random_programs import random_program
from tests.truth.instructions import REFERENCE
from toolchain.launch import parse_launch
from toolchain.lower import Lowered, lower
from toolchain.ptx import parse_ptx

Mutation = dict[str, str]
PROBES = ("vec_add", "reduce_minmax", "signed_divmod", "early_return", "scan_hillis_steele", "bytes_signed_unsigned")
"""Kernels that look at encodings: loops, barriers, atomics, narrow accesses, division."""
TOKENS = 100_000


# ---------------------------------------------------------------- definition
EXCHANGES = {
    "+": "-", "-": "+", "*": "+", "&": "|", "|": "^", "^": "&", "<<": ">>", ">>": "<<", "<": "<=", "<=": "<", ">": ">=",
    "==": "!=", "!=": "==", "min": "max", "max": "min", "signed(a)": "a", "signed(b)": "b", "a": "b", "b": "a", "p": "0",
    "1": "2", "0": "1", "WORD_BITS": "31",
}  # fmt: skip
"""What takes the place of a token of an instruction's line."""
EQUIVALENT = {
    ("min.s", "<"): "equal operands give either", ("max.s", ">"): "equal operands give either",
    ("shl", "<"): "a << 32 has no bit in the low word", ("shr", "<"): "a >> 32 is 0",
    ("sar", "-"): "a shift by 31 and by more give the sign",
}  # fmt: skip
"""Changes that change nothing, by instruction and exchanged token."""


def definition_mutations(rng: random.Random, count: int) -> Iterator[Mutation]:
    """Changed semantics of instructions."""
    text = Path(definition.__file__).read_text(encoding="utf-8")
    lines = re.findall(r'_i\("([\w.]+)", "\w*", lambda a, b, c, p: ([^"]*?), "', text)
    pattern = re.compile(r"signed\([ab]\)|WORD_BITS|<<|>>|<=|>=|==|!=|\b(?:min|max|a|b|p|0|1)\b|[-+*&|^<>]")
    places = [(name, body, found) for name, body in lines if name != "nop" for found in pattern.finditer(body)
              if found[0] in EXCHANGES]  # fmt: skip
    for name, body, found in rng.sample(places, min(count, len(places))):
        changed = body[: found.start()] + EXCHANGES[found[0]] + body[found.end() :]
        what = f"{name}: `{body}` becomes `{changed}`"
        function = eval(f"lambda a, b, c, p: {changed}", vars(definition))
        wrong = differs(name, function)
        same = EQUIVALENT.get((name, found[0]), "")
        verdict, why = ("caught", wrong) if wrong else ("equivalent", same) if same else ("missed", "no operand tried differs")
        yield {"kind": "definition", "what": what, "verdict": verdict, "why": why}


@cache
def words() -> tuple[np.ndarray, ...]:
    """Operands: all pairs of corners and 2,000 random rows, with both values of the predicate."""
    rng = random.Random(7)
    rows = [(a, b, (a * 31 + b) % 2**32, (a ^ b) & 1) for a, b in product((*COMMON_CORNERS, 31, 32, 33), repeat=2)]
    rows += [(rng.getrandbits(32), rng.getrandbits(32), rng.getrandbits(32), rng.getrandbits(1)) for _ in range(2000)]
    return tuple(np.array(column, np.uint32) for column in zip(*rows, strict=True))


def differs(name: str, function: Callable[..., int]) -> str:
    """Where a changed instruction gives something else than numpy says, "" where it never does."""
    entry = replace(next(entry for entry in INSTRUCTIONS if entry.mnemonic == name), semantics=function)
    a, b, c, p = words()
    want = REFERENCE[name](a, b, c, p)
    for number, row in enumerate(zip(a.tolist(), b.tolist(), c.tolist(), p.tolist(), strict=True)):
        try:
            got = entry.apply(*row)
        except (ValueError, OverflowError, MemoryError) as error:
            return f"{row}: {error}"
        if got != int(want[number]):
            return f"{row} gives {got}, not {int(want[number])}"
    return ""


# ---------------------------------------------------------------- encodings
@cache
def probes() -> tuple[tuple[str, Lowered, dict[str, Any]], ...]:
    """(name, lowered, recorded arrays) of small launches of NVIDIA's PTX."""
    found = []
    for name in PROBES:
        record = results.json.loads((KERNELS / name / "launches.json").read_text())[-1 if name == "vec_add" else 0]
        if record["tiny"]:
            module = parse_ptx((KERNELS / name / "nvcc-sm75.ptx").read_text())
            found.append((name, lower(module, parse_launch(record["launch"])), record["expect"]))
    return tuple(found)


def encoding_mutations(rng: random.Random, count: int) -> Iterator[Mutation]:
    """One bit of the words of a program row, as the prompt stages them."""
    for _ in range(count):
        name, lowered, want = rng.choice(probes())
        number = rng.randrange(len(lowered.program.blocks))
        block = lowered.program.blocks[number]
        part = rng.randrange(len(block.operations) + 1)
        row = terminator_row(block) if part == len(block.operations) else operation_row(block.operations[part])
        used = [(word, bit) for word in range(4) for bit in range(32) if row[word] >> bit & 1]
        word, bit = rng.choice(used)
        what = f"{name}, block {number}, part {part}: bit {bit} of word {word} cleared"
        wrong = run_with_row(lowered, want, number, part, word, bit)
        verdict = "caught" if wrong else "equivalent"
        why = wrong or why_equal(word, bit)
        yield {"kind": "encodings", "what": what, "verdict": verdict, "why": why}


def why_equal(word: int, bit: int) -> str:
    """Why a launch does not miss a bit."""
    from engine.machine import program as encoding

    zero = encoding.REGISTER_BITS + 1 + encoding.Special.ZERO.value
    if (word, bit % encoding.OPERAND_BITS) in ((encoding.OPERAND_WORD, zero), (encoding.MEMORY_WORD, zero)) and bit < 24:
        return "an operand that names no source is zero, too"
    return "this launch's arrays are the same: the bit decides nothing that it reads"


def run_with_row(lowered: Lowered, want: dict[str, Any], number: int, part: int, word: int, bit: int) -> str:
    """How a launch ends when a bit of a row is missing: "" when as recorded."""
    machine = Interpreter()
    tokens = machine.load(lowered.program)
    block = lowered.program.blocks[number]
    if part == len(block.operations):
        text = change_terminator(block, word, bit)
        if isinstance(text, str):
            return text
        machine.terminators[number] = text
    else:
        changed = change_operation(block.operations[part], word, bit)
        if isinstance(changed, str):
            return changed
        machine.program[number, part] = changed
    token, following, count = tokens[-1], machine.step(tokens[-1]), 0
    while following is not None and count < TOKENS:
        count, token = count + 1, following
        try:
            following = machine.step(token)
        except (KeyError, IndexError, AssertionError, ValueError) as error:
            return f"the interpreter stops: {type(error).__name__}"
    if following is not None:
        return "it does not end"
    if token != Token("END"):
        return f"it ends with {token}"
    got = lowered.read_outputs(machine.memory)
    return next((f"array {name} differs" for name in want if got[name] != want[name]), "")


def change_operation(operation: Any, word: int, bit: int) -> Any:
    """The operation that a row without one bit means; a text where it means none."""
    from engine.machine import program as encoding

    one_hot = {1: "no opcode: nothing is computed"}
    if word == encoding.IMMEDIATE_WORD:
        return replace(operation, immediate=operation.immediate ^ 1 << bit)
    if word in one_hot:
        return one_hot[word]
    if word == encoding.OPERAND_WORD:
        if bit == encoding.LIVE_BIT:
            return replace(operation, destination=None)
        if bit >= encoding.DESTINATION_SHIFT:
            return replace(operation, destination=operation.destination ^ 1 << bit - encoding.DESTINATION_SHIFT)
        field, low = ("a", bit) if bit < encoding.B_SHIFT else ("b", bit - encoding.B_SHIFT)
        return change_source(operation, field, low)
    if bit < encoding.LOAD_BIT:
        return change_source(operation, "c", bit)
    if bit >= encoding.TAG_SHIFT:
        return replace(operation, tag=operation.tag ^ 1 << bit - encoding.TAG_SHIFT)
    if bit == encoding.GUARD_BIT:
        return replace(operation, guarded=False)
    if bit == encoding.SWAP_BIT:
        return replace(operation, access=encoding.Access.STORE)
    return replace(operation, access=encoding.Access.NONE)


def change_source(operation: Any, field: str, low: int) -> Any:
    """An operand without one of its bits: another register, or none."""
    from engine.machine import program as encoding

    source = getattr(operation, field)
    if isinstance(source, encoding.Register) and low < encoding.REGISTER_BITS:
        return replace(operation, **{field: encoding.Register(source.number ^ 1 << low)})
    return replace(operation, **{field: encoding.Special.ZERO})


def change_terminator(block: Any, word: int, bit: int) -> Any:
    """The block whose terminator row lacks a bit; a text where it has no ending."""
    from engine.machine import program as encoding

    end = block.terminator
    if bit == encoding.SERIAL_BIT:
        return replace(block, serial=False)
    if bit == encoding.YIELD_BIT:
        return replace(block, yields=False)
    if bit >= encoding.SITE_SHIFT:
        return replace(block, terminator=replace(end, site=end.site ^ 1 << bit - encoding.SITE_SHIFT))
    if bit >= encoding.EXIT_SHIFT:
        return "no ending: the lanes stay where they are"
    if bit >= encoding.OTHER_SHIFT:
        return replace(block, terminator=replace(end, other=end.other ^ 1 << bit - encoding.OTHER_SHIFT))
    return replace(block, terminator=replace(end, taken=end.taken ^ 1 << bit))


# ---------------------------------------------------------------- weights
def trials() -> list[Program]:
    """What a changed weight must get through, the shortest first: small kernels, then programs that use the whole machine."""
    rng = np.random.default_rng
    short = [lowered.program for name, lowered, _ in probes() if name in ("vec_add", "early_return")]
    barriers = [lowered.program for name, lowered, _ in probes() if name in ("reduce_minmax", "scan_hillis_steele")]
    lanes = [machine_programs.overwriting(rng(2)), *machine_programs.masks(rng(3))]
    whole = [next(machine_programs.pairs(rng(1))), machine_programs.rows(rng(41)), machine_programs.sweep(rng(40))]
    whole += [machine_programs.registers(rng(42)), machine_programs.loads(rng(43))]
    return [*short, *lanes, *map(random_program, range(300, 304)), *barriers, *whole]


def weight_mutations(rng: random.Random, count: int, path: Path) -> Iterator[Mutation]:
    """One nonzero set to zero, negated or doubled."""
    machine, programs = read_machine(path), trials()
    places = [
        (at, name, len(matrix.values))
        for at, layer in enumerate(machine.layers)
        for name, matrix in sorted(layer.matrices.items())
        if len(matrix.values)
    ]
    for _ in range(count):
        at, name, values = rng.choices(places, [size for _, _, size in places])[0]
        place, factor = rng.randrange(values), rng.choice([0.0, -1.0, 2.0])
        wrong = run_with_weight(machine, at, name, place, factor, programs)
        what = f"layer {at}, {name}, nonzero {place} times {factor:g}"
        why = wrong or "every launch tried is the same, token for token"
        yield {"kind": "weights", "what": what, "verdict": "caught" if wrong else "missed", "why": why[:160]}


def run_with_weight(machine: Machine, at: int, name: str, place: int, factor: float, programs: list[Program]) -> str:
    """The first launch that a changed weight spoils, and how; "" where none is."""
    layer = machine.layers[at]
    matrix = layer.matrices[name]
    values = matrix.values.copy()
    values[place] *= factor
    changed = replace(layer, matrices={**layer.matrices, name: replace(matrix, values=values)})
    altered = replace(machine, layers=(*machine.layers[:at], changed, *machine.layers[at + 1 :]))
    runtime = NativeRuntime(altered, engines.library())
    for program in programs:
        try:
            require_exact(program, launch(runtime, program, max_tokens=TOKENS).generated)
        except GpuError as problem:
            return f"{program.kernel}: {problem.what}"
    return ""


def main() -> None:
    """Mutate, print, save."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--machine", type=Path)
    parser.add_argument("--weights", type=int, default=30)
    parser.add_argument("--encodings", type=int, default=40)
    parser.add_argument("--definition", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    found = [*definition_mutations(rng, options.definition), *encoding_mutations(rng, options.encodings)]
    if options.machine:
        found += weight_mutations(rng, options.weights, options.machine)
    results.save("mutation", {"mutations": found})
    for entry in found:
        print(f"{entry['kind']:12}{entry['verdict']:12}{entry['what']}: {entry['why']}")


if __name__ == "__main__":
    main()
