"""The timeline against the reference interpreter run afresh: forwards, backwards, and jumping about."""

import random

import pytest

from app.inspection.timeline import Timeline
from engine.machine.tokens import Token
from tests.app.inspection.made import barriers, counting, dot, fresh, state_of


def timeline_of(record):
    launch = record.launches[0]
    return Timeline(launch.program, launch.prompt, launch.generated)


@pytest.mark.parametrize("record", [dot, barriers])
def test_any_order_gives_the_state_of_a_fresh_run(record):
    record = record()
    timeline, shuffled = timeline_of(record), random.Random(1)
    positions = shuffled.sample(range(len(timeline)), 40)
    for position in [*positions, *sorted(positions, reverse=True), 0, len(timeline) - 1]:
        moment = timeline.moment(position)
        assert moment.token == timeline.tokens[position] and moment.index == position
        assert state_of(moment.machine) == state_of(fresh(record, position)), position


def test_stepping_back_over_the_border_of_two_copies():
    record = counting(200)
    timeline = timeline_of(record)
    timeline.advance(10**6)
    states = {p: state_of(timeline.moment(p).machine) for p in range(55, 135)}
    for position in range(134, 54, -1):
        assert state_of(timeline.moment(position).machine) == states[position]
    assert states[70] == state_of(fresh(record, 70)) and states[128] == state_of(fresh(record, 128))


def test_a_moment_stays_as_it_was():
    timeline = timeline_of(barriers())
    early = timeline.moment(100)
    before = state_of(early.machine.copy())
    timeline.moment(len(timeline) - 1)
    assert state_of(early.machine) == before


def test_changes_hold_the_words_before_and_after():
    record = barriers()
    timeline = timeline_of(record)
    for position in range(record.launches[0].prompt.index(Token("START", (8, 1))), len(timeline)):
        moment, before = timeline.moment(position), fresh(record, position - 1)
        for change in moment.changes:
            if change.place[0] == "memory":
                assert change.before == before.memory[change.place[1]]
                assert change.after == moment.machine.memory[change.place[1]]
            else:
                _, warp, register, lane = change.place
                assert change.before == before.registers[warp][register][lane]
                assert change.after == moment.machine.registers[warp][register][lane]


def test_what_a_block_reads():
    timeline = timeline_of(dot())
    first = timeline.moment(timeline.host)
    assert first.token.kind == "EXEC" and first.lanes == (0, 1, 2)
    assert {timeline.moment(timeline.host).machine.memory[a] for a in first.words_read()} == {1, 2, 3, 4, 5, 6}


def test_the_timeline_ends_where_the_stream_leaves_the_machine():
    launch = dot().launches[0]
    altered = list(launch.generated)
    altered[5] = Token("VAL", (3, 1, 0, 5))
    timeline = Timeline(launch.program, launch.prompt, altered)
    timeline.advance(10**6)
    assert timeline.difference.index == len(launch.prompt) + 5
    assert (timeline.difference.got, timeline.difference.expected) == (altered[5], launch.generated[5])
    assert timeline.complete and len(timeline) == len(launch.prompt) + 5
    with pytest.raises(IndexError):
        timeline.moment(len(launch.prompt) + 5)


def test_tokens_after_the_end_are_no_part_of_the_launch():
    launch = dot().launches[0]
    timeline = Timeline(launch.program, launch.prompt, [*launch.generated, Token("END")])
    timeline.advance(10**6)
    assert timeline.difference is not None and timeline.difference.index == len(launch.prompt) + len(launch.generated)


@pytest.mark.parametrize("rounds", [3, 3_400, pytest.param(34_000, marks=pytest.mark.slow)])
def test_traces_of_ten_to_a_hundred_thousand_tokens(rounds):
    timeline = timeline_of(counting(rounds))
    assert timeline.moment(len(timeline) - 1).token.kind == "END" and timeline.complete
    again = Token("EXEC", (1, 1))
    position = timeline.tokens.index(again, (timeline.host + len(timeline)) // 2 - 3)
    before = timeline.tokens[:position].count(again)
    assert timeline.moment(position).machine.registers[0][0][0] == rounds - before > 0
    assert len(timeline._copies) <= 900


def test_the_running_block_is_that_of_the_program():
    """Two blocks that end alike are still two."""
    launch = barriers().launches[0]
    timeline = Timeline(launch.program, launch.prompt, launch.generated)
    for position in range(timeline.host, len(timeline)):
        moment = timeline.moment(position)
        assert moment.block is (launch.program.blocks[moment.machine.block] if moment.running else None)
