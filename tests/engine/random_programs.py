"""Random valid programs: every instruction, operand source, access form and way out of a block, on any number of threads.

Blocks only jump forward, so every program ends; each thread's registers are stored at the end, so that a wrong value anywhere
shows in memory as well as in the token stream.
"""

from __future__ import annotations

import random

from engine.machine.instructions import COMMON_CORNERS, INSTRUCTIONS
from engine.machine.program import Access, Allocation, Block, Exit, Operation, Program, Register, Source, Special, Terminator
from engine.machine.spec import SPEC

INPUT_WORDS, TABLE_WORDS, SCRATCH_WORDS = 256, 64, 64
INPUT, TABLE, SCRATCH, OUT = 0, 256, 320, 384
LOADED = 4
REGISTERS = 8


def random_program(seed: int) -> Program:
    """A program of up to 64 threads, one CTA."""
    rng = random.Random(seed)
    threads = rng.choice([1, 2, 3, 4, 5, 7, 8, 13, 16, 31, 32, 64])
    body = rng.randint(2, 10)
    start = tuple(
        Operation(
            "add", a=Special.THREAD, b=Special.IMMEDIATE, immediate=INPUT + 64 * k, destination=k, access=Access.LOAD, tag=1
        )
        for k in range(LOADED)
    )
    blocks = [Block(start, Terminator(Exit.JUMP, 1))]
    blocks += [_block(rng, 1 + n, body + 1) for n in range(body)]
    blocks += [_store(rng, r, last=r == REGISTERS - 1, following=body + 2 + r) for r in range(REGISTERS)]
    width = -(-threads // SPEC.lanes) * SPEC.lanes
    arrays = (
        Allocation("input", INPUT, INPUT_WORDS, 1, tuple(_word(rng) for _ in range(INPUT_WORDS))),
        Allocation("table", TABLE, TABLE_WORDS, 2, tuple(_word(rng) for _ in range(TABLE_WORDS))),
        Allocation("scratch", SCRATCH, SCRATCH_WORDS, 3),
        Allocation("out", OUT, 64 * REGISTERS, 4, (1,) * width),
    )
    return Program(f"random{seed}", tuple(blocks), arrays, threads)


def _word(rng: random.Random) -> int:
    return rng.choice([rng.choice(COMMON_CORNERS), rng.getrandbits(32), rng.randrange(40), -rng.randrange(300) & 0xFFFFFFFF])


def _store(rng: random.Random, register: int, last: bool, following: int) -> Block:
    """out[64 * register + thread] = the register, in either form of a store."""
    end = Terminator(Exit.EXIT) if last else Terminator(Exit.JUMP, following)
    place = Operation("add", a=Special.THREAD, b=Special.IMMEDIATE, immediate=OUT + 64 * register)
    if rng.random() < 0.5:
        return Block((Operation(**{**vars(place), "c": Register(register), "access": Access.STORE, "tag": 4}),), end)
    swapped = Operation(
        "or", a=Register(register), b=Special.ZERO, c=Special.T0, access=Access.STORE_SWAPPED, tag=rng.choice([0, 4])
    )
    return Block((place, swapped), end)


def _block(rng: random.Random, number: int, final: int) -> Block:
    kind = rng.random()
    if kind < 0.2:
        return Block(_atomic(rng), Terminator(Exit.JUMP, number + 1), serial=True, yields=rng.random() < 0.2)
    operations: list[Operation] = []
    for stage in range(rng.randint(1, SPEC.stages)):
        operations.append(_operation(rng, stage, operations))
    ends = [Terminator(Exit.BRANCH, rng.randint(number + 1, final), rng.randint(number + 1, final))] * 5
    ends += [Terminator(Exit.JUMP, number + 1), Terminator(Exit.JUMP, rng.randint(number + 1, final))]
    return Block(tuple(operations), rng.choice(ends), yields=rng.random() < 0.1)


def _atomic(rng: random.Random) -> tuple[Operation, ...]:
    """scratch[random register & 7] op= a register; the old value goes to a register that the block does not read."""
    first, second, kept = rng.sample(range(REGISTERS), 3)
    operation = rng.choice([i for i in INSTRUCTIONS if not i.predicate and i.stages is None and i.mnemonic != "nop"])
    return (
        Operation("and", a=Register(first), b=Special.IMMEDIATE, immediate=rng.choice([0, 1, 7])),
        Operation(
            "add",
            a=Special.T0,
            b=Special.IMMEDIATE,
            immediate=SCRATCH,
            access=Access.LOAD,
            tag=3,
            destination=kept if rng.random() < 0.5 else None,
        ),
        Operation(operation.mnemonic, a=Special.T1, b=Register(second), c=Special.THREAD),
        Operation("add", a=Special.T0, b=Special.IMMEDIATE, c=Special.T2, immediate=SCRATCH, access=Access.STORE, tag=3),
    )


def _operation(rng: random.Random, stage: int, earlier: list[Operation]) -> Operation:
    results = [Special(k) for k, o in enumerate(earlier) if not _wordless(o)]
    taken = {o.destination for o in earlier}

    def source() -> Source:
        return rng.choice(
            [
                Register(rng.randrange(REGISTERS)),
                Register(rng.randrange(LOADED)),
                *results,
                Special.IMMEDIATE,
                Special.THREAD,
                Special.ONE,
                Special.ZERO,
            ]
        )

    free = [r for r in range(REGISTERS) if r not in taken]
    destination = rng.choice([None, rng.choice(free)])
    if rng.random() < 0.15 and results:
        return (
            Operation("and", a=results[-1], b=Special.IMMEDIATE, immediate=TABLE | TABLE_WORDS - 1, destination=destination)
            if rng.random() < 0.5
            else Operation(
                "add",
                a=Special.THREAD,
                b=Special.IMMEDIATE,
                immediate=TABLE,
                access=Access.LOAD,
                guarded=rng.random() < 0.5,
                tag=rng.choice([0, 2]),
                destination=destination,
            )
        )
    instruction = rng.choice([i for i in INSTRUCTIONS if i.stages is None or stage in i.stages])
    if instruction.predicate or instruction.mnemonic == "nop":
        destination = None
    immediate = rng.choice([rng.choice(COMMON_CORNERS), rng.randrange(34)])
    return Operation(instruction.mnemonic, source(), source(), source(), immediate, destination)


def _wordless(operation: Operation) -> bool:
    return operation.mnemonic == "nop" or operation.mnemonic.startswith("setp")
