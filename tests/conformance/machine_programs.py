"""Programs that try the machine's instructions, alone and beside each other, and what numpy says of them.

`corners`: one instruction at every stage, on all pairs of corner values and on random ones; `pairs`: every instruction in
front of every other in one block, the second reading what the first gave; `overwriting`: results that go where an operand
came from; `masks`: every instruction under each of the 16 lane masks; `sweep`, `loads`, `registers`, `rows`: every place of
every copy of memory, registers and program that the machine has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count

import numpy as np

from engine.machine.instructions import BY_MNEMONIC, COMMON_CORNERS, INSTRUCTIONS, Instruction
from engine.machine.program import Access, Allocation, Block, Exit, Operation, Program, Register, Source, Special, Terminator
from engine.machine.spec import SPEC
from tests.truth.instructions import REFERENCE

U = np.uint32
LANES, STAGES, LAST = SPEC.lanes, SPEC.stages, SPEC.stages - 1
COMPUTING = tuple(entry for entry in INSTRUCTIONS if entry.mnemonic != "nop")
A, B, C, P = map(Register, range(4))
"""Registers that hold operands; results go to those from `FREE` on."""
FREE = 8
NOTHING = Operation("nop")
RANDOM_BLOCKS = 16
"""Blocks whose second operand is random, with a thread each on 64 first ones: 1,024 pairs."""


class Expected:
    """What the registers and the memory hold after every block, by numpy, and which block each thread comes to next."""

    def __init__(self, program: Program) -> None:
        self.blocks = program.blocks
        self.registers = np.zeros((SPEC.warps, SPEC.registers, LANES), U)
        self.memory = np.zeros(SPEC.words, U)
        self.next = np.zeros((SPEC.warps, LANES), int)
        for array in program.allocations:
            self.memory[array.base : array.base + len(array.data)] = array.data

    def run(self, number: int, warp: int, mask: int) -> None:
        """A block on some lanes of a warp. Raises AssertionError where one of them should be elsewhere."""
        block, active = self.blocks[number], (mask >> np.arange(LANES) & 1).astype(bool)
        assert (self.next[warp, active] == number).all(), f"block {number} runs, {self.next[warp]} are due"
        entry, words, holds = self.registers[warp].copy(), [np.zeros(LANES, U)] * STAGES, np.zeros(LANES, U)

        def read(source: Source, operation: Operation) -> np.ndarray:
            if isinstance(source, Register):
                return entry[source.number]
            constants = {Special.IMMEDIATE: operation.immediate, Special.ONE: 1, Special.ZERO: 0}
            if source in constants:
                return np.full(LANES, constants[source], U)
            return (warp * LANES + np.arange(LANES)).astype(U) if source is Special.THREAD else words[source.value]

        for stage, operation in enumerate(block.operations):
            a, b, c = (read(source, operation) for source in (operation.a, operation.b, operation.c))
            with np.errstate(over="ignore"):
                result = REFERENCE[operation.mnemonic](a, b, c, holds).astype(U)
            if BY_MNEMONIC[operation.mnemonic].predicate:
                holds = result
                continue
            if operation.access is Access.LOAD:
                result = self.memory[np.minimum(result, SPEC.words - 1)]
            elif operation.access is Access.STORE:
                self.memory[result[active]] = c[active]
            words[stage] = result
            if operation.destination is not None:
                self.registers[warp, operation.destination, active] = result[active]
        end = block.terminator
        there = np.where(holds == 1, end.taken, end.other) if end.exit is Exit.BRANCH else np.full(LANES, end.taken)
        self.next[warp, active] = -1 if end.exit is Exit.EXIT else there[active]


def chained(blocks: Sequence[tuple[Operation, ...]], after: dict[int, Terminator] | None = None) -> tuple[Block, ...]:
    """One block after another; `after` says where the way is another one."""
    last = len(blocks) - 1
    ends = {last: Terminator(Exit.EXIT), **(after or {})}
    return tuple(Block(parts, ends.get(k) or Terminator(Exit.JUMP, k + 1)) for k, parts in enumerate(blocks))


def loading(arrays: Sequence[Allocation]) -> tuple[Operation, ...]:
    """Register k = arrays[k][thread]."""
    place = Operation("add", Special.THREAD, Special.IMMEDIATE, access=Access.LOAD)
    return tuple(replace(place, immediate=array.base, destination=k, tag=array.tag) for k, array in enumerate(arrays))


def operands(rng: np.random.Generator, threads: int, corners: Sequence[int] = ()) -> tuple[Allocation, ...]:
    """Arrays a, b, c and p with a word a thread: `corners` first in a, then words of every magnitude; p is 0 or 1."""
    words = rng.integers(0, 1 << 32, (4, threads), dtype=U) >> rng.integers(0, 32, (4, threads)).astype(U)
    words[0, : len(corners)] = corners[:threads]
    words[3] = rng.integers(0, 2, threads)
    width = -(-threads // LANES) * LANES
    return tuple(
        Allocation(name, width * k, threads, k + 1, tuple(map(int, row)))
        for k, (name, row) in enumerate(zip("abcp", words, strict=True))
    )


# ---------------------------------------------------------------- one instruction
def corners(instruction: Instruction, rng: np.random.Generator) -> Program:
    """Every pair of corner values, and random ones, at every stage that has the instruction; 64 threads.

    a is a thread's, b an immediate of the block. Stage 0 has no predicate yet; one that is set at the last stage is told by a
    branch.
    """
    values = sorted({*COMMON_CORNERS, *instruction.corners})
    arrays = operands(rng, SPEC.threads, values)
    seconds = [*values, *map(int, rng.integers(0, 1 << 32, RANDOM_BLOCKS))]
    stages = instruction.stages or tuple(range(STAGES))
    blocks: list[tuple[Operation, ...]] = [loading(arrays)]
    after: dict[int, Terminator] = {}

    def tested(second: int, destination: int | None = None) -> Operation:
        return Operation(instruction.mnemonic, A, Special.IMMEDIATE, C, second, destination)

    told = Operation("selp", Special.ONE, Special.ZERO, destination=FREE)
    for k in range(len(seconds)):
        four = [seconds[(k + 7 * stage) % len(seconds)] for stage in range(STAGES)]
        if instruction.predicate:
            other = Operation("selp", Special.ONE, Special.ZERO, destination=FREE + 1)
            blocks.append((tested(four[0]), told, tested(four[2]), other))
            blocks.append((NOTHING, tested(four[1]), told))
            after[len(blocks)] = Terminator(Exit.BRANCH, len(blocks) + 1, len(blocks) + 2)
            blocks.append((Operation("mov", Special.ZERO, destination=FREE), NOTHING, NOTHING, tested(four[3])))
            blocks.append((Operation("mov", Special.ONE, destination=FREE),))
        elif "p" in instruction.operands:
            blocks.append((tested(four[0], FREE),))
            holding = Operation("setp.ne", P)
            blocks.append((holding, *(tested(four[stage], FREE + stage) for stage in range(1, STAGES))))
        else:
            blocks.append(tuple(tested(four[s], FREE + s) if s in stages else NOTHING for s in range(max(stages) + 1)))
    return Program(instruction.mnemonic, chained([*blocks, (NOTHING,)], after), arrays, SPEC.threads)


# ---------------------------------------------------------------- two instructions
def couple(first: Instruction, second: Instruction, turn: int) -> tuple[Operation, ...] | None:
    """A block in which `second` follows `first` and reads what it gave; None where no stages have both."""
    stages = [
        s for s in range(LAST)
        if (first.stages is None or s in first.stages) and (second.stages is None or s + 1 in second.stages)
        and not (second.predicate and s + 1 == LAST)
    ]  # fmt: skip
    if not stages:
        return None
    stage = stages[turn % len(stages)]
    given = A if first.predicate else Special(stage)
    block = [NOTHING] * stage
    block.append(Operation(first.mnemonic, A, B, C, destination=None if first.predicate else FREE))
    block.append(Operation(second.mnemonic, given, B, C, destination=None if second.predicate else FREE + 1))
    if len(block) < STAGES and (first.predicate or second.predicate):
        block.append(Operation("selp", A, B, destination=FREE + 2))
    return tuple(block)


def pairs(rng: np.random.Generator, threads: int = LANES) -> Iterator[Program]:
    """Every instruction in front of every other, at changing stages; as many programs as the blocks need."""
    turn = count()
    blocks = [block for first in COMPUTING for second in COMPUTING if (block := couple(first, second, next(turn)))]
    room = SPEC.blocks - 1
    for start in range(0, len(blocks), room):
        arrays = operands(rng, threads)
        yield Program("pairs", chained([loading(arrays), *blocks[start : start + room]]), arrays, threads)


def overwriting(rng: np.random.Generator, threads: int = LANES) -> Program:
    """Every instruction with its result where an operand came from, while the operations behind it still read the old word."""
    arrays, blocks = operands(rng, threads), []
    for k, instruction in enumerate(entry for entry in COMPUTING if not entry.predicate):
        stage = instruction.stages[0] if instruction.stages else k % LAST
        place = k % 3
        block = [NOTHING] * stage
        block.append(Operation(instruction.mnemonic, A, B, C, destination=place))
        block.append(Operation("xor", Register(place), Special(stage), destination=FREE))
        blocks += [tuple(block), (Operation("add", Register(place), Special.IMMEDIATE, immediate=k, destination=FREE + 1),)]
    return Program("overwriting", chained([loading(arrays), *blocks]), arrays, threads)


# ---------------------------------------------------------------- masks
def masks(rng: np.random.Generator) -> Iterator[Program]:
    """Under each lane mask, all instructions by lanes of the mask, a few of them by the others, and a store by both."""
    words = [entry for entry in COMPUTING if not entry.predicate]
    groups: list[tuple[Operation, ...]] = []
    waiting = words.copy()
    while waiting:
        block: list[Operation] = []
        for stage in range(STAGES):
            fitting = next((entry for entry in waiting if entry.stages is None or stage in entry.stages), None)
            if fitting is not None:
                waiting.remove(fitting)
                block.append(Operation(fitting.mnemonic, A, B, C, destination=FREE + stage))
            else:
                block.append(NOTHING)
        groups.append(tuple(block))
    groups += [
        (Operation(entry.mnemonic, A, B), Operation("selp", Special.ONE, Special.ZERO, destination=FREE))
        for entry in COMPUTING
        if entry.predicate
    ]
    for half in (range(8), range(8, 16)):
        arrays = operands(rng, LANES)
        out = Allocation("out", 4 * LANES, 2 * 16 * LANES, 5)
        blocks, after = [loading(arrays)], {}
        for mask in half:
            test = len(blocks)
            blocks.append(
                (
                    Operation("shr", Special.IMMEDIATE, Special.THREAD, immediate=mask),
                    Operation("and", Special.T0, Special.ONE),
                    Operation("setp.ne", Special.T1, Special.ZERO),
                )
            )
            inside = [*groups, storing(out, 2 * mask)]
            outside = [groups[mask % len(groups)], storing(out, 2 * mask + 1)]
            after[test] = Terminator(Exit.BRANCH, test + 1, test + 1 + len(inside))
            after[test + len(inside)] = Terminator(Exit.JUMP, test + 1 + len(inside) + len(outside))
            blocks += [*inside, *outside]
        yield Program(f"masks {half.start}..", chained([*blocks, (NOTHING,)], after), (*arrays, out), LANES)


def storing(out: Allocation, line: int) -> tuple[Operation, ...]:
    """out[line][thread] = the last result."""
    place = out.base + LANES * line
    return (
        Operation("add", Special.THREAD, Special.IMMEDIATE, Register(FREE), place, access=Access.STORE, tag=out.tag),
    )  # fmt: skip


# ---------------------------------------------------------------- memory
def sweep(rng: np.random.Generator) -> Program:
    """Every word of the memory but the operands' stored, then loaded by another thread, 64 threads at a time."""
    threads = SPEC.threads
    arrays = operands(rng, threads)
    first = arrays[-1].base + threads
    out = Allocation("out", first, SPEC.words - first, len(arrays) + 1)
    blocks = [loading(arrays)]
    place = Operation("add", Special.THREAD, Special.IMMEDIATE, A, tag=out.tag)
    mirrored = Operation("sub", Special.IMMEDIATE, Special.THREAD, destination=FREE, access=Access.LOAD, tag=out.tag)
    for base in range(first, SPEC.words, threads):
        blocks.append((replace(place, immediate=base, access=Access.STORE),))
        blocks.append((replace(mirrored, immediate=base + threads - 1),))
    after = {k: Terminator(Exit.CTA_BARRIER, k + 1) for k in range(1, len(blocks), 2)}
    return Program("sweep", chained([*blocks, (NOTHING,)], after), (*arrays, out), threads)


def loads(rng: np.random.Generator) -> Program:
    """Every line of the memory loaded by every lane at every stage, which has a copy of the memory of its own.

    Register s holds the address for stage s: lane j reads word (j + s) mod 4 of the line, in another turn word j + s + 1.
    """
    data = Allocation("data", 0, SPEC.words, 1, tuple(map(int, rng.integers(1, 1 << 32, SPEC.words, dtype=U))))
    blocks: list[tuple[Operation, ...]] = []
    after: dict[int, Terminator] = {}
    for turn in range(2):
        for first in range(0, STAGES, 2):
            blocks.append(
                tuple(
                    operation
                    for stage in (first, first + 1)
                    for operation in (
                        Operation("add", Special.THREAD, Special.IMMEDIATE, immediate=stage + turn),
                        Operation(
                            "and", Special(2 * (stage - first)), Special.IMMEDIATE, immediate=LANES - 1, destination=stage
                        ),
                    )
                )
            )
        again = len(blocks)
        load = Operation("mov", access=Access.LOAD, tag=data.tag)
        blocks.append(tuple(replace(load, a=Register(stage), destination=FREE + stage) for stage in range(STAGES)))
        blocks.append(
            tuple(Operation("add", Register(s), Special.IMMEDIATE, immediate=LANES, destination=s) for s in range(STAGES))
        )
        blocks.append((Operation("setp.lt.u", Register(0), Special.IMMEDIATE, immediate=SPEC.words),))
        after[again + 2] = Terminator(Exit.BRANCH, again, again + 3)
    return Program("loads", chained([*blocks, (NOTHING,)], after), (data,), LANES)


# ---------------------------------------------------------------- registers, program rows
def registers(rng: np.random.Generator) -> Program:
    """Every register of all warps read as every operand at every stage, each of which has a copy of them."""
    count, threads = SPEC.registers, SPEC.threads
    words = rng.integers(0, 1 << 32, count * threads, dtype=U)
    data = Allocation("data", 0, count * threads, 1, tuple(map(int, words)))
    load = Operation("add", Special.THREAD, Special.IMMEDIATE, access=Access.LOAD, tag=data.tag)
    filled = [replace(load, immediate=threads * k, destination=k) for k in range(count)]
    blocks = [tuple(filled[first : first + STAGES]) for first in range(0, count, STAGES)]
    for turn in range(count):
        sources = [[Register((turn + step * stage + 3 * step) % count) for step in (1, 5, 7)] for stage in range(STAGES)]
        blocks.append(tuple(Operation("mad", *sources[s], 0, (turn + LANES * s) % count) for s in range(STAGES)))
    return Program("registers", chained([*blocks, (NOTHING,)]), (data,), threads)


def rows(rng: np.random.Generator) -> Program:
    """An operation at every stage of every block: other instructions that keep words apart, registers and immediates."""
    arrays = operands(rng, LANES)
    blocks = [loading(arrays)]
    mixing = ("add", "sub", "xor", "mad", "not", "brev")
    while len(blocks) < SPEC.blocks - 1:
        block = []
        for destination in rng.permutation(SPEC.registers)[:STAGES].tolist():
            name, immediate = mixing[rng.integers(len(mixing))], int(rng.integers(0, 1 << 32))
            a, c = map(Register, rng.integers(0, SPEC.registers, 2).tolist())
            block.append(Operation(name, a, Special.IMMEDIATE, c, immediate, destination))
        blocks.append(tuple(block))
    return Program("rows", chained([*blocks, (NOTHING,)]), arrays, LANES)
