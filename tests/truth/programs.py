"""Example kernels as machine programs, each with the answer that plain Python gives: reductions, divergent loops, atomics,
grids, locks, warp exchanges, barriers that cannot complete, and random programs.

Arrays begin at word 512; words 0 to 511 stand for shared memory.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.machine.instructions import BY_MNEMONIC, INSTRUCTIONS
from engine.machine.program import Access, Allocation, Block, Exit, Operation, Program, Register, Source, Special, Terminator
from engine.machine.tokens import BARRIER_FAULT
from tests.truth.instructions import REFERENCE

T0, T1, T2, IMMEDIATE, THREAD, ONE, ZERO = Special
BASE = 512
SHARED_TAG = 15
EDGES = (
    0,
    1,
    2,
    127,
    128,
    255,
    256,
    0x7FFF,
    0x8000,
    0xFFFF,
    0x10000,
    0x7FFFFFFF,
    0x80000000,
    0xFFFFFFFF,
    0xFFFFFF80,
    0xFFFFFF7F,
    0xFF000000,
    0x00FF00FF,
    0xFF00FF00,
    0x800000,
    0xFF8000,
)
RANDOM_REGISTERS = 8


@dataclass(frozen=True)
class Example:
    """A program, what its arrays hold after it, and the reason of the fault that it ends with (None: it ends with END)."""

    program: Program
    arrays: dict[str, list[int]]
    fault: int | None = None


def load(tag: int, a: Source, b: Source = ZERO, *, at: int = 0, to: int | None = None, guarded: bool = False) -> Operation:
    """register := word at a + b (IMMEDIATE stands for `at`)."""
    return Operation("add", a, b, immediate=at, destination=to, access=Access.LOAD, tag=tag, guarded=guarded)


def store(tag: int, word: Source, a: Source, b: Source = ZERO, *, at: int = 0, guarded: bool = False) -> Operation:
    """Word at a + b := word."""
    return Operation("add", a, b, word, immediate=at, access=Access.STORE, tag=tag, guarded=guarded)


def compute(
    mnemonic: str, a: Source, b: Source = ZERO, c: Source = ZERO, *, value: int = 0, to: int | None = None
) -> Operation:
    """register := mnemonic(a, b, c), IMMEDIATE being `value`."""
    return Operation(mnemonic, a, b, c, value, to)


NOP = Operation("nop")


def block(*operations: Operation, end: Terminator, serial: bool = False, yields: bool = False) -> Block:
    """A block."""
    return Block(operations, end, serial, yields)


def end(exit_: Exit, taken: int = 0, other: int = 0, site: int = 0) -> Terminator:
    """A terminator."""
    return Terminator(exit_, taken, other, site)


DONE = Terminator(Exit.EXIT)


def _lines(words: int) -> int:
    return -(-words // 4) * 4


def _arrays(*arrays: tuple[str, int, Sequence[int], int]) -> tuple[Allocation, ...]:
    """(name, tag, data, words): one after another from BASE on; tag 15 lies in shared memory, at 0."""
    made, base = [], BASE
    for name, tag, data, words in arrays:
        place = 0 if tag == SHARED_TAG else base
        made.append(Allocation(name, place, words, tag, tuple(word % 2**32 for word in data)))
        base += 0 if tag == SHARED_TAG else _lines(words)
    return tuple(made)


def dot_atomic(a: Sequence[int], b: Sequence[int]) -> Example:
    """A thread a product, added to one word atomically."""
    n = len(a)
    second, out = BASE + _lines(n), BASE + 2 * _lines(n)
    blocks = (
        block(
            compute("setp.lt.s", THREAD, IMMEDIATE, value=n),
            load(1, THREAD, IMMEDIATE, at=BASE, guarded=True),
            load(2, THREAD, IMMEDIATE, at=second, guarded=True),
            compute("mul", T1, T2, to=1),
            end=end(Exit.BRANCH, 1, 2),
        ),
        block(
            load(3, IMMEDIATE, at=out),
            compute("add", T0, Register(1)),
            NOP,
            store(3, T1, IMMEDIATE, at=out),
            end=DONE,
            serial=True,
        ),
        block(end=DONE),
    )
    return Example(
        Program("dot_atomic", blocks, _arrays(("a", 1, a, n), ("b", 2, b, n), ("out", 3, (), 1)), n),
        {"out": [sum(x * y for x, y in zip(a, b, strict=True)) % 2**32]},
    )


def dot_loop(a: Sequence[int], b: Sequence[int]) -> Example:
    """One thread, a loop."""
    n = len(a)
    second, out = BASE + _lines(n), BASE + 2 * _lines(n)
    i, total = Register(0), Register(1)
    blocks = (
        block(
            compute("setp.lt.s", i, IMMEDIATE, value=n),
            load(1, i, IMMEDIATE, at=BASE, guarded=True),
            load(2, i, IMMEDIATE, at=second, guarded=True),
            compute("mad", T1, T2, total, to=1),
            end=end(Exit.BRANCH, 1, 2),
        ),
        block(compute("add", i, ONE, to=0), end=end(Exit.JUMP, 0)),
        block(store(3, total, IMMEDIATE, at=out), end=DONE),
    )
    return Example(
        Program("dot_loop", blocks, _arrays(("a", 1, a, n), ("b", 2, b, n), ("out", 3, (), 1)), 1),
        {"out": [sum(x * y for x, y in zip(a, b, strict=True)) % 2**32]},
    )


def reduction(data: Sequence[int]) -> Example:
    """A tree in shared memory, with branches around the additions."""
    n, stride = len(data), Register(0)
    out = BASE + n
    blocks = (
        block(
            load(1, THREAD, IMMEDIATE, at=BASE),
            NOP,
            compute("mov", IMMEDIATE, value=n // 2, to=0),
            store(SHARED_TAG, T0, THREAD),
            end=end(Exit.CTA_BARRIER, 1),
        ),
        block(compute("setp.lt.s", THREAD, stride), end=end(Exit.BRANCH, 2, 3)),
        block(
            load(SHARED_TAG, THREAD, stride),
            load(SHARED_TAG, THREAD),
            compute("add", T0, T1),
            store(SHARED_TAG, T2, THREAD),
            end=end(Exit.JUMP, 3),
        ),
        block(end=end(Exit.CTA_BARRIER, 4)),
        block(compute("shr", stride, IMMEDIATE, value=1, to=0), compute("setp.ne", T0, ZERO), end=end(Exit.BRANCH, 1, 5)),
        block(compute("setp.eq", THREAD, ZERO), end=end(Exit.BRANCH, 6, 7)),
        block(load(SHARED_TAG, ZERO), store(2, T0, IMMEDIATE, at=out), end=DONE),
        block(end=DONE),
    )
    arrays = _arrays(("shared", SHARED_TAG, (), n), ("a", 1, data, n), ("out", 2, (), 1))
    return Example(Program("reduction", blocks, arrays, n), {"out": [sum(data) % 2**32]})


def reduction_guarded(data: Sequence[int]) -> Example:
    """The same, with guarded accesses in place of branches: one block a level."""
    n, stride = len(data), Register(0)
    out = BASE + n
    swapped = Operation("add", T1, T2, THREAD, access=Access.STORE_SWAPPED, guarded=True, tag=SHARED_TAG)
    blocks = (
        block(
            load(1, THREAD, IMMEDIATE, at=BASE),
            NOP,
            compute("mov", IMMEDIATE, value=n // 2, to=0),
            store(SHARED_TAG, T0, THREAD),
            end=end(Exit.CTA_BARRIER, 1),
        ),
        block(
            compute("setp.lt.s", THREAD, stride),
            load(SHARED_TAG, THREAD, stride, guarded=True),
            load(SHARED_TAG, THREAD, guarded=True),
            swapped,
            end=end(Exit.CTA_BARRIER, 2),
        ),
        block(compute("shr", stride, IMMEDIATE, value=1, to=0), compute("setp.ne", T0, ZERO), end=end(Exit.BRANCH, 1, 3)),
        block(
            compute("setp.eq", THREAD, ZERO),
            load(SHARED_TAG, ZERO, guarded=True),
            NOP,
            store(2, T1, IMMEDIATE, at=out, guarded=True),
            end=DONE,
        ),
    )
    arrays = _arrays(("shared", SHARED_TAG, (), n), ("a", 1, data, n), ("out", 2, (), 1))
    return Example(Program("reduction_guarded", blocks, arrays, n), {"out": [sum(data) % 2**32]})


def collatz(numbers: Sequence[int]) -> Example:
    """Steps to 1 of every thread's number: loops of different lengths, with a branch in each step."""
    n, out = len(numbers), BASE + _lines(len(numbers))
    x, steps = Register(0), Register(1)
    blocks = (
        block(load(1, THREAD, IMMEDIATE, at=BASE, to=0), end=end(Exit.JUMP, 1)),
        block(compute("setp.ne", x, ONE), end=end(Exit.BRANCH, 2, 6)),
        block(compute("and", x, ONE), compute("setp.ne", T0, ZERO), end=end(Exit.BRANCH, 3, 4)),
        block(compute("mad", x, IMMEDIATE, ONE, value=3, to=0), end=end(Exit.JUMP, 5)),
        block(compute("shr", x, ONE, to=0), end=end(Exit.JUMP, 5)),
        block(compute("add", steps, ONE, to=1), end=end(Exit.JUMP, 1)),
        block(store(2, steps, THREAD, IMMEDIATE, at=out), end=DONE),
    )
    return Example(
        Program("collatz", blocks, _arrays(("a", 1, numbers, n), ("out", 2, (), n)), n),
        {"out": [_collatz_steps(number) for number in numbers]},
    )


def _collatz_steps(x: int) -> int:
    steps = 0
    while x != 1:
        x, steps = 3 * x + 1 if x % 2 else x // 2, steps + 1
    return steps


def histogram(data: Sequence[int], bins: int = 4) -> Example:
    """Atomic additions, many threads to one bin; an index beyond the bins is a fault."""
    n, counts = len(data), BASE + _lines(len(data))
    value = Register(0)
    blocks = (
        block(load(1, THREAD, IMMEDIATE, at=BASE, to=0), end=end(Exit.JUMP, 1)),
        block(
            load(2, value, IMMEDIATE, at=counts),
            compute("add", T0, ONE),
            NOP,
            store(2, T1, value, IMMEDIATE, at=counts),
            end=DONE,
            serial=True,
        ),
    )
    program = Program("histogram", blocks, _arrays(("a", 1, data, n), ("bins", 2, (), bins)), n)
    wrong = [thread for thread, index in enumerate(data) if not 0 <= index < bins]
    if wrong:
        return Example(program, {}, fault=wrong[0] % 4)  # the load, operation 0, of the lane
    return Example(program, {"bins": [list(data).count(i) for i in range(bins)]})


def grid(ctas: int, threads: int) -> Example:
    """out[cta * threads + thread] = 100 * cta + thread; block 1 counts the CTAs."""
    counter, out = BASE, BASE + 4
    cta = load(3, IMMEDIATE, at=counter)
    blocks = (
        block(
            cta,
            compute("mad", T0, IMMEDIATE, THREAD, value=threads, to=0),
            compute("mad", T0, IMMEDIATE, THREAD, value=100, to=1),
            end=end(Exit.JUMP, 2),
        ),
        block(
            cta,
            compute("add", T0, ONE),
            compute("setp.lt.s", T1, IMMEDIATE, value=ctas),
            store(3, T1, IMMEDIATE, at=counter),
            end=end(Exit.NEXT_CTA),
        ),
        block(store(1, Register(1), Register(0), IMMEDIATE, at=out), end=DONE),
    )
    arrays = _arrays(("cta", 3, (0,), 1), ("out", 1, (), ctas * threads))
    return Example(
        Program("grid", blocks, arrays, threads, many=True),
        {"out": [i // threads * 100 + i % threads for i in range(ctas * threads)]},
    )


def exchange(data: Sequence[int]) -> Example:
    """Every thread gets the square of the value of thread ^ 16, through shared memory and a barrier of its CUDA warp."""
    n, out = len(data), BASE + len(data)
    blocks = (
        block(
            load(1, THREAD, IMMEDIATE, at=BASE),
            compute("mul", T0, T0),
            NOP,
            store(SHARED_TAG, T1, THREAD),
            end=end(Exit.WARP_BARRIER, 1),
        ),
        block(
            Operation("xor", THREAD, IMMEDIATE, immediate=16, destination=0, access=Access.LOAD, tag=SHARED_TAG),
            end=end(Exit.WARP_BARRIER, 2),
        ),
        block(store(2, Register(0), THREAD, IMMEDIATE, at=out), end=DONE),
    )
    return Example(
        Program("exchange", blocks, _arrays(("shared", SHARED_TAG, (), n), ("a", 1, data, n), ("out", 2, (), n)), n),
        {"out": [data[thread ^ 16] ** 2 % 2**32 for thread in range(n)]},
    )


def spin_lock(threads: int) -> Example:
    """A counter behind a lock: threads that spin must let the one that holds it go on."""
    lock, counter = BASE, BASE + 4
    blocks = (
        block(
            load(1, IMMEDIATE, at=lock),
            compute("setp.eq", T0, ZERO),
            compute("selp", ONE, T0),
            store(1, T2, IMMEDIATE, at=lock),
            end=end(Exit.BRANCH, 1, 0),
            serial=True,
            yields=True,
        ),
        block(load(2, IMMEDIATE, at=counter, to=0), end=end(Exit.JUMP, 2)),
        block(compute("add", Register(0), ONE), store(2, T0, IMMEDIATE, at=counter), end=end(Exit.JUMP, 3)),
        block(store(1, ZERO, IMMEDIATE, at=lock), end=DONE),
    )
    return Example(
        Program("spin_lock", blocks, _arrays(("lock", 1, (0,), 1), ("counter", 2, (0,), 1)), threads),
        {"lock": [0], "counter": [threads]},
    )


def early_exit(threads: int) -> Example:
    """Thread 0 exits before the barrier that all others reach: an exited thread counts as arrived."""
    blocks = (
        block(compute("setp.eq", THREAD, ZERO), end=end(Exit.BRANCH, 1, 2)),
        block(end=DONE),
        block(end=end(Exit.CTA_BARRIER, 3)),
        block(store(1, THREAD, THREAD, IMMEDIATE, at=BASE), end=DONE),
    )
    return Example(Program("early_exit", blocks, _arrays(("out", 1, (), threads)), threads), {"out": list(range(threads))})


def two_barriers(threads: int, scopes: tuple[Exit, Exit], sites: tuple[int, int], *, odd: int = 1) -> Example:
    """Threads with `thread & odd` wait at one barrier, the others at another."""
    blocks = (
        block(compute("and", THREAD, IMMEDIATE, value=odd), compute("setp.ne", T0, ZERO), end=end(Exit.BRANCH, 1, 2)),
        block(end=end(scopes[0], 3, site=sites[0])),
        block(end=end(scopes[1], 3, site=sites[1])),
        block(store(1, ONE, THREAD, IMMEDIATE, at=BASE), end=DONE),
    )
    program = Program("two_barriers", blocks, _arrays(("out", 1, (), threads)), threads)
    if scopes[0] is scopes[1] and (sites[0] == sites[1] or scopes[0] is Exit.WARP_BARRIER):
        return Example(program, {"out": [1] * threads})
    return Example(program, {}, fault=BARRIER_FAULT)


# ---------------------------------------------------------------- random programs


def random_blocks(seed: int, *, branches: bool) -> Example:
    """Random operations on 8 registers, one block after another or (branches) any block further on by a predicate."""
    rng = random.Random(seed)
    threads, count = rng.choice((1, 2, 3, 4, 5, 7, 8, 13, 16)), rng.randint(2, 9)
    data = [rng.choice(EDGES) if rng.random() < 0.6 else rng.getrandbits(32) for _ in range(64)]
    if rng.random() < 0.4:
        data = [data[i // 4 * 4] for i in range(64)]
    loads = [load(1, THREAD, IMMEDIATE, at=BASE + 16 * k, to=k) for k in range(4)]
    blocks = [block(*loads, end=end(Exit.JUMP, 1))]
    for number in range(1, count + 1):
        following = [rng.randint(number + 1, count + 1) for _ in range(2)] if branches else [number + 1] * 2
        blocks.append(block(*_random_operations(rng), end=end(Exit.BRANCH, *following)))
    for k in range(RANDOM_REGISTERS):
        last = DONE if k == RANDOM_REGISTERS - 1 else end(Exit.JUMP, len(blocks) + 1)
        blocks.append(block(store(2, Register(k), THREAD, IMMEDIATE, at=BASE + 64 + 16 * k), end=last))
    arrays = _arrays(("a", 1, data, 64), ("out", 2, (), 16 * RANDOM_REGISTERS))
    program = Program(f"random_{seed}", tuple(blocks), arrays, threads)
    registers = np.zeros((16, threads), np.uint32)
    registers[:4] = np.array(data, np.uint32).reshape(4, 16)[:, :threads]
    for thread in range(threads):
        number = 1
        while number <= count:
            number = _run(blocks[number], registers[:, thread], thread)
    out = np.zeros((RANDOM_REGISTERS, 16), np.uint32)
    out[:, :threads] = registers[:RANDOM_REGISTERS]
    return Example(program, {"out": out.reshape(-1).tolist()})


def _random_operations(rng: random.Random) -> list[Operation]:
    made: list[Operation] = []
    for stage in range(4):
        entry = rng.choice([i for i in INSTRUCTIONS if i.operands and (i.stages is None or stage in i.stages)])
        earlier = [(T0, T1, T2)[k] for k in range(stage) if not BY_MNEMONIC[made[k].mnemonic].predicate]
        a, b, c = (
            rng.choice([Register(rng.randrange(8)), Register(rng.randrange(4)), IMMEDIATE, THREAD, *earlier]) for _ in range(3)
        )
        value = rng.choice(EDGES) if rng.random() < 0.5 else rng.randrange(34)
        free = [r for r in range(8) if r not in [o.destination for o in made]]
        to = rng.choice(free) if rng.random() < 0.7 and not entry.predicate else None
        made.append(compute(entry.mnemonic, a, b, c, value=value, to=to))
    return made


def _run(code: Block, registers: np.ndarray, thread: int) -> int:
    """Run a block for one thread with the separately written instructions; returns the next block."""
    before, results, predicate = registers.copy(), [np.uint32(0)] * 4, 0
    for stage, operation in enumerate(code.operations):

        def operand(source: Source, immediate: int = operation.immediate) -> np.uint32:
            if isinstance(source, Register):
                return before[source.number]
            if source in (T0, T1, T2):
                return results[source.value]
            return np.uint32({IMMEDIATE: immediate, THREAD: thread, ONE: 1, ZERO: 0}[source])

        a, b, c = (np.array([operand(source)], np.uint32) for source in (operation.a, operation.b, operation.c))
        result = REFERENCE[operation.mnemonic](a, b, c, np.array([predicate], np.uint32))[0]
        if BY_MNEMONIC[operation.mnemonic].predicate:
            predicate = int(result)
            continue
        results[stage] = np.uint32(result)
        if operation.destination is not None:
            registers[operation.destination] = results[stage]
    return code.terminator.taken if predicate else code.terminator.other
