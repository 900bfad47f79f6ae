"""The tail alone against the reference interpreter: what it emits after every token of random launches and real programs."""

from __future__ import annotations

from collections import Counter

import pytest
from harness import Bench, run_both
from tail_stream import Moment, differences, emitted, program_stream, random_stream, scenario, tail_bench

from engine.machine.program import Exit
from engine.machine.tokens import BARRIER_FAULT, TOKENS, Token
from tests.truth import programs

EXAMPLES = (
    programs.dot_atomic([1, 2, 3], [4, 5, 6]),
    programs.dot_loop([1, 2, 3], [4, 5, 6]),
    programs.reduction_guarded([i * 2654435761 % 2**32 for i in range(16)]),
    programs.collatz([3, 7, 6, 1]),
    programs.histogram([2] * 12),
    programs.histogram([0, 1, 7, 2]),
    programs.grid(3, 6),
    programs.exchange([i * i for i in range(32)]),
    programs.spin_lock(8),
    programs.early_exit(8),
    programs.two_barriers(8, (Exit.CTA_BARRIER, Exit.CTA_BARRIER), (3, 5)),
    programs.two_barriers(40, (Exit.CTA_BARRIER, Exit.WARP_BARRIER), (0, 0)),
    programs.two_barriers(40, (Exit.WARP_BARRIER, Exit.WARP_BARRIER), (0, 0), odd=32),
)


@pytest.fixture(scope="module")
def bench() -> Bench:
    return tail_bench()


def check(bench: Bench, moments: list[Moment], seed: int = 0) -> None:
    """The emulator emits what the interpreter does, and every lane and axis is as declared."""
    given = scenario(moments, seed)
    trace = bench.emulate(given)
    wrong = differences(moments, emitted(bench, trace))
    assert not wrong, "\n".join(wrong[:8])
    bench.check(trace, given)


def answers(moments: list[Moment]) -> Counter[str]:
    """How often the machine emits each kind; barriers by scope, faults by what they are."""
    names: Counter[str] = Counter()
    for moment in moments:
        if moment.following is not None:
            kind, fields = moment.following
            barrier = "barrier" if fields == (BARRIER_FAULT,) else "access"
            names[{"BAR": f"BAR {fields[:1]}", "FAULT": f"FAULT {barrier}"}.get(kind, kind)] += 1
    return names


def test_random_launches(bench: Bench):
    moments = [moment for seed in range(10) for moment in random_stream(250, seed)]
    assert len(answers(moments)) >= 10, answers(moments)
    check(bench, moments)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 120))
def test_many_random_launches(bench: Bench, seed: int):
    check(bench, random_stream(4000, seed), seed)


def test_example_kernels(bench: Bench):
    check(bench, [moment for example in EXAMPLES for moment in program_stream(example.program)])


@pytest.mark.slow
@pytest.mark.parametrize("branches", [False, True])
def test_random_programs_on_real_stages(bench: Bench, branches: bool):
    for first in range(0, 40, 8):
        examples = [programs.random_blocks(seed, branches=branches) for seed in range(first, first + 8)]
        check(bench, [moment for example in examples for moment in program_stream(example.program)])


def test_random_streams_reach_every_token(bench: Bench):
    """What the slow tests cover: every kind of answer, every scope, every warp, every block half, every mask."""
    moments = [moment for seed in range(100, 106) for moment in random_stream(4000, seed)]
    counts = answers(moments)
    kinds = {"VAL", "MEM1", "MEMV", "EXEC", "WARP", "CTAEND", "RESTART", "END", "FAULT barrier", "FAULT access"}
    assert kinds | {f"BAR ({scope},)" for scope in range(3)} <= counts.keys(), counts
    following = {moment.following for moment in moments}
    assert {token.fields[0] for token in following if token and token.kind == "WARP"} == set(range(16))
    assert {token.fields[1] for token in following if token and token.kind == "EXEC"} == set(range(1, 16))
    assert {token.fields[:3] for token in following if token and token.kind == "VAL"} == {
        token.fields[:3] for token in TOKENS.kinds["VAL"].tokens()
    }


def stock(bench: Bench, moments: list[Moment], pieces: list[int]) -> None:
    """Stock layers emit what the interpreter does, in one chunk and in pieces, bit for bit as the emulator."""
    for name, trace in run_both(bench, scenario(moments), pieces).items():
        assert not differences(moments, emitted(bench, trace)), name


def test_stock_modules_in_one_chunk_and_in_single_steps(bench: Bench):
    moments = random_stream(40, 80)  # a short one with eight kinds of answers
    assert len(answers(moments)) == 8, answers(moments)
    stock(bench, moments, [len(moments) - 40, 1, 32, *[1] * 7])


@pytest.mark.slow
def test_stock_modules_on_many_tokens(bench: Bench):
    moments = [moment for seed in range(3) for moment in random_stream(300, seed)]
    stock(bench, moments, [len(moments) - 327, 1, 63, 1, 64, 65, 1, 128, *[1] * 4])


def test_a_token_that_is_not_answered_leaves_a_readable_state(bench: Bench):
    """A launch cut short by the host, then another program: START must forget the first one."""
    first = program_stream(programs.collatz([3, 7, 6, 1]).program)[:120]
    assert first[-1].following is not None
    second = program_stream(programs.grid(2, 6).program)
    assert second[-1].token == Token("END")
    check(bench, first + second)
