"""Every instruction at every stage through the compiled layers: corner values squared and random operands, against numpy."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from engine.launch import launch
from engine.machine.instructions import COMMON_CORNERS, INSTRUCTIONS, Instruction
from engine.machine.program import Access, Allocation, Block, Exit, Operation, Program, Register, Special, Terminator
from engine.machine.spec import SPEC
from engine.native import NativeRuntime
from tests.truth.instructions import REFERENCE

U = np.uint32
THREADS, ROUNDS = 64, 2
CASES = THREADS * ROUNDS
"""Cases of one launch: every thread computes some, one after another."""
A, B, C, P, OUT = (
    Allocation(name, CASES * number, CASES, number + 1) for number, name in enumerate(("a", "b", "c", "p", "out"))
)
COMPUTING = tuple(entry for entry in INSTRUCTIONS if entry.mnemonic != "nop")


@pytest.fixture(scope="module")
def runtime(machine, native_library):
    return NativeRuntime(machine, native_library)


def program(instruction: Instruction, stage: int, operands: np.ndarray) -> Program:
    """out[i] = instruction(a[i], b[i], c[i], p[i]); the instruction stands at `stage` of its block. operands: [4, CASES].

    Stage 0 has no predicate yet. One that is set at the last stage is told by the branch that it decides.
    """
    blocks: list[Block] = []

    def add(*operations: Operation, end: Exit = Exit.JUMP, skip: int = 1, other: int = 0) -> None:
        blocks.append(Block(operations, Terminator(end, len(blocks) + skip, len(blocks) + other)))

    before = (Operation("setp.ne", Register(3)), Operation("nop"), Operation("nop"))[:stage]
    tested = Operation(instruction.mnemonic, *map(Register, range(3)), destination=None if instruction.predicate else 4)
    for first in range(0, CASES, THREADS):
        add(
            *(
                Operation(
                    "add",
                    Special.THREAD,
                    Special.IMMEDIATE,
                    immediate=array.base + first,
                    destination=register,
                    access=Access.LOAD,
                    tag=array.tag,
                )
                for register, array in enumerate((A, B, C, P))
            )
        )
        if instruction.predicate and stage == SPEC.stages - 1:
            add(*before, tested, end=Exit.BRANCH, skip=1, other=2)
            add(Operation("mov", Special.ONE, destination=4), skip=2)
            add(Operation("mov", Special.ZERO, destination=4))
        else:
            add(*before, tested, *[Operation("selp", Special.ONE, destination=4)] * instruction.predicate)
        add(
            Operation(
                "add",
                Special.THREAD,
                Special.IMMEDIATE,
                Register(4),
                immediate=OUT.base + first,
                access=Access.STORE,
                tag=OUT.tag,
            )
        )
    blocks[-1] = Block(blocks[-1].operations, Terminator(Exit.EXIT))
    given = (
        Allocation(array.name, array.base, CASES, array.tag, tuple(map(int, values)))
        for array, values in zip((A, B, C, P), operands, strict=True)
    )
    return Program(instruction.mnemonic, tuple(blocks), (*given, OUT), THREADS)


def check(runtime: NativeRuntime, instruction: Instruction, stage: int, operands: np.ndarray) -> None:
    found = launch(runtime, program(instruction, stage, operands)).memory["out"]
    a, b, c, p = operands
    expected = REFERENCE[instruction.mnemonic](a, b, c, p if stage else np.zeros_like(p))
    np.testing.assert_array_equal(np.array(found, U), expected.astype(U))


def random_operands(rng: np.random.Generator, count: int) -> np.ndarray:
    """a, b, c and p [4, count]: words of every magnitude, a predicate."""
    words = rng.integers(0, 1 << 32, (3, count), dtype=U) >> rng.integers(0, 32, (3, count)).astype(U)
    words = np.where(rng.random((3, count)) < 0.3, ~words, words)
    return np.concatenate([words, rng.integers(0, 2, (1, count), dtype=U)])


def all_operands(instruction: Instruction, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Corner values squared and at least 1,000 random operands, a launch at a time."""
    corners = np.array(sorted({*COMMON_CORNERS, *instruction.corners}), U)
    pairs = np.stack(np.meshgrid(corners, corners)).reshape(2, -1)
    count = -(-(pairs.shape[1] + 1000) // CASES) * CASES
    operands = random_operands(rng, count)
    operands[:2, : pairs.shape[1]] = pairs
    yield from np.split(operands, count // CASES, axis=1)


@pytest.mark.parametrize("instruction", COMPUTING, ids=lambda instruction: instruction.mnemonic)
def test_instruction(runtime, instruction):
    """A launch's worth: corners with corners, and random operands."""
    rng = np.random.default_rng(len(instruction.mnemonic))
    operands = random_operands(rng, CASES)
    corners = np.array(sorted({*COMMON_CORNERS, *instruction.corners}), U)
    operands[:2, : CASES // 2] = rng.choice(corners, (2, CASES // 2))
    stage = int(rng.choice(instruction.stages if instruction.stages is not None else range(SPEC.stages)))
    check(runtime, instruction, stage, operands)


@pytest.mark.slow
@pytest.mark.parametrize("stage", range(SPEC.stages))
@pytest.mark.parametrize("instruction", COMPUTING, ids=lambda instruction: instruction.mnemonic)
def test_instruction_with_all_corners(runtime, instruction, stage):
    if instruction.stages is not None and stage not in instruction.stages:
        return
    for operands in all_operands(instruction, np.random.default_rng(stage)):
        check(runtime, instruction, stage, operands)
