"""The reference interpreter against plain Python: example kernels and random programs end with the right memory, in as many
tokens as the machine is meant to need."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from engine.machine.interpreter import Interpreter
from engine.machine.program import Access, Allocation, Block, Exit, Operation, Program, Special, Terminator, sent_bytes
from engine.machine.tokens import Token
from tests.truth import programs
from tests.truth.programs import Example

MIXED = [(i * 2654435761) % 2**32 for i in range(64)]


def run(program: Program, machine: Interpreter | None = None, limit: int = 20_000) -> tuple[Interpreter, list[Token]]:
    """Launch; returns the machine after it and what it emitted."""
    machine = machine or Interpreter()
    token: Token | None = machine.load(program)[-1]
    emitted: list[Token] = []
    while token is not None:
        token = machine.step(token)
        if token is not None:
            emitted.append(token)
        assert len(emitted) < limit, "the launch does not end"
    return machine, emitted


def check(example: Example) -> list[Token]:
    """Run an example; its arrays and its last token must be right. Returns the emitted tokens."""
    machine, emitted = run(example.program)
    assert emitted[-1] == (Token("END") if example.fault is None else Token("FAULT", (example.fault,)))
    for allocation in example.program.allocations:
        if allocation.name in example.arrays:
            words = machine.memory[allocation.base : allocation.base + allocation.words]
            assert words == example.arrays[allocation.name], allocation.name
    return emitted


def test_dot_product_takes_14_tokens():
    emitted = check(programs.dot_atomic([1, 2, 3], [4, 5, 6]))
    assert emitted == [
        Token("EXEC", (0, 0b0111)),
        Token("VAL", (3, 1, 0, 4)),
        Token("VAL", (3, 2, 0, 10)),
        Token("VAL", (3, 3, 0, 18)),
        Token("EXEC", (1, 0b0111)),
        Token("VAL", (3, 1, 0, 4)),
        Token("MEM1", (0, 520)),
        Token("EXEC", (1, 0b0110)),
        Token("VAL", (3, 2, 0, 14)),
        Token("MEM1", (1, 520)),
        Token("EXEC", (1, 0b0100)),
        Token("VAL", (3, 3, 0, 32)),
        Token("MEM1", (2, 520)),
        Token("END"),
    ]


@pytest.mark.parametrize(
    ("example", "tokens"),
    [
        (programs.dot_loop([1, 2, 3], [4, 5, 6]), 18),
        (programs.dot_atomic(list(range(1, 65)), list(range(65, 129))), None),
        (programs.reduction(list(range(1, 33))), 346),
        (programs.reduction(MIXED[:32]), None),
        (programs.reduction_guarded(list(range(1, 33))), 289),
        (programs.reduction_guarded(list(range(1, 65))), 640),
        (programs.collatz([3, 7, 6, 1]), 144),
        (programs.collatz([27, 1, 5, 9, 3, 12, 7, 2]), 957),
        (programs.histogram([1, 3, 0, 2, 2, 2, 1, 0, 3, 3, 3, 1, 0, 0, 2, 1]), None),
        (programs.histogram([2] * 64), 240),
        (programs.grid(3, 6), None),
        (programs.grid(20, 4), None),
        (programs.exchange(MIXED), None),
        (programs.exchange(list(range(32))), None),
        (programs.spin_lock(4), None),
        (programs.spin_lock(8), 118),
        (programs.early_exit(8), None),
    ],
    ids=lambda value: value.program.kernel if isinstance(value, Example) else "",
)
def test_example_kernels(example: Example, tokens: int | None):
    emitted = check(example)
    assert tokens is None or len(emitted) == tokens


def test_an_index_beyond_its_array_is_a_fault_of_its_lane():
    machine, _ = run(programs.histogram([0, 1, 7, 2]).program)
    check(programs.histogram([0, 1, 7, 2]))
    assert machine.faulted is not None and machine.faulted.lane == 2
    assert machine.memory[programs.BASE + 4 : programs.BASE + 8] == [0] * 4, "a faulting block must write nothing"


@pytest.mark.parametrize("threads", [2, 8, 40])
@pytest.mark.parametrize(
    "scopes", [(a, b) for a in (Exit.CTA_BARRIER, Exit.WARP_BARRIER) for b in (Exit.CTA_BARRIER, Exit.WARP_BARRIER)]
)
@pytest.mark.parametrize("sites", [(0, 0), (3, 5), (0, 15)])
@pytest.mark.parametrize("odd", [1, 4])
def test_barriers_complete_together_or_fault(threads: int, scopes: tuple[Exit, Exit], sites: tuple[int, int], odd: int):
    if odd < threads:
        check(programs.two_barriers(threads, scopes, sites, odd=odd))


def test_cuda_warps_pass_their_barriers_alone():
    """Threads of the second CUDA warp wait for their own barrier only, while the first waits at the CTA's."""
    blocks = (
        Block((Operation("setp.lt.u", Special.THREAD, Special.IMMEDIATE, immediate=32),), Terminator(Exit.BRANCH, 1, 2)),
        Block((), Terminator(Exit.CTA_BARRIER, 4)),
        Block((), Terminator(Exit.WARP_BARRIER, 3)),
        Block((), Terminator(Exit.CTA_BARRIER, 4)),
        Block((), Terminator(Exit.EXIT)),
    )
    _, emitted = run(Program("two_warps", blocks, (), 64))
    assert [token.fields for token in emitted if token.kind == "BAR"] == [(2, 1), (0, 1)]
    assert emitted[-1] == Token("END")


def test_every_cta_passes_a_barrier_again():
    blocks = (
        Block((), Terminator(Exit.CTA_BARRIER, 2)),
        Block(
            (
                Operation("mov", Special.IMMEDIATE, immediate=512, access=Access.LOAD),
                Operation("add", Special.T0, Special.ONE),
                Operation("setp.lt.s", Special.T1, Special.IMMEDIATE, immediate=3),
                Operation("mov", Special.IMMEDIATE, c=Special.T1, immediate=512, access=Access.STORE),
            ),
            Terminator(Exit.NEXT_CTA),
        ),
        Block((), Terminator(Exit.EXIT)),
    )
    _, emitted = run(Program("ctas", blocks, (Allocation("cta", 512, 1, 1),), 5, many=True))
    counts = Counter(token.kind for token in emitted)
    assert counts["BAR"] == counts["CTAEND"] == 3 and counts["RESTART"] == 2
    assert [token.fields for token in emitted if token.kind == "BAR"] == [(0, 1)] * 3, "phases begin anew with a CTA"


def test_a_coalesced_store_names_the_line_of_its_active_lanes():
    """Lanes 2 and 3 store to one line while idle lane 0 computes an address in another."""
    r = programs.Register(0)
    blocks = (
        Block(
            (
                Operation("shl", Special.THREAD, Special.IMMEDIATE, immediate=8),
                Operation("setp.lt.u", Special.THREAD, Special.IMMEDIATE, immediate=2),
                Operation("selp", Special.T0, Special.THREAD, destination=0),
            ),
            Terminator(Exit.BRANCH, 2, 1),
        ),
        Block(
            (Operation("add", r, Special.IMMEDIATE, Special.ONE, immediate=520, access=Access.STORE),), Terminator(Exit.EXIT)
        ),
        Block((), Terminator(Exit.EXIT)),
    )
    machine, emitted = run(Program("line", blocks, (Allocation("a", 512, 600, 1),), 4))
    assert Token("MEMV", (130,)) in emitted and machine.memory[520:524] == [0, 0, 1, 1]


@pytest.mark.parametrize("branches", [False, True])
def test_random_programs_leave_every_register_right(branches: bool):
    for seed in range(40):
        check(programs.random_blocks(seed, branches=branches))


@pytest.mark.slow
@pytest.mark.parametrize("branches", [False, True])
def test_many_random_programs(branches: bool):
    for seed in range(40, 1500):
        check(programs.random_blocks(seed, branches=branches))


def test_a_second_launch_begins_with_empty_staging_and_fresh_schedules():
    """The machine is not made anew between launches: PAD and START must leave nothing of the first one but memory."""
    first, second = programs.collatz([3, 7, 6, 1]), programs.dot_atomic([1, 2, 3], [4, 5, 6])
    machine, _ = run(first.program)
    machine.memory, machine.tags = [0] * 2048, [0] * 2048
    _, emitted = run(second.program, machine)
    assert emitted == run(second.program)[1]


def test_the_order_of_write_out_is_that_of_the_positions():
    for example in (programs.exchange(MIXED), programs.histogram([2] * 64), programs.random_blocks(5, branches=True)):
        machine, position = Interpreter(), -1
        token: Token | None = machine.load(example.program)[-1]
        while token is not None:
            here = machine._position(token)
            assert here > position or token.kind not in ("VAL", "MEM1", "MEMV")
            position = here
            token = machine.step(token)


def test_a_result_of_zero_costs_one_token_and_signs_are_not_sent():
    """Every word of a result arrives in the registers from the bytes that are sent."""
    for word in (0, 1, 0x7F, 0x80, 0xFF, 0x100, 0xFFFFFFFF, 0xFFFFFF80, 0x80000000, 0xFFFF00FF, 0x00800000):
        blocks = (Block((Operation("mov", Special.IMMEDIATE, immediate=word, destination=3),), Terminator(Exit.EXIT)),)
        machine, emitted = run(Program("word", blocks, (), 4))
        values = [token for token in emitted if token.kind == "VAL"]
        assert len(values) == max(1, sum(sent_bytes(word)))
        assert machine.registers[0][3] == [word] * 4


def test_threads_beyond_the_cta_do_not_run():
    for threads in (1, 3, 4, 5, 63, 64):
        example = programs.early_exit(threads)
        _, emitted = run(replace(example.program, threads=threads))
        active = {(0, token.fields[1]) for token in emitted[:1]}
        assert active == {(0, (1 << min(threads, 4)) - 1)}
        check(example)
