"""What the launch row and the tooltips say."""

from dataclasses import replace

from app.chats.model import Message, Segment
from app.chatting.launches import (
    Launched,
    launched_at_all,
    launches_of,
    row_detail,
    row_state,
    row_title,
    running_detail,
    spoken_value,
    tooltip_of,
)
from app.worker.protocol import LaunchProgress

SUMMARY = {
    "id": "a",
    "title": "dot([1, 2, 3], [4, 5, 6])",
    "tokens": 14,
    "prompt": 71,
    "passes": 85,
    "replay": "exact",
    "outputs": "32",
    "seconds": 0.2,
}
REPLY = Message("m", "q", "assistant", 0.0)
HEARD = LaunchProgress("r", "b", "sort(scores)", 6, 1, 483, 71)


def test_a_finished_launch_is_exact():
    (launch,) = launches_of(replace(REPLY, launches=(SUMMARY,)), {}, False)
    assert (launch.state, launch.tokens, launch.function, str(launch.status)) == ("exact", 14, "dot", "replay exact")
    assert [str(text) for text in tooltip_of(launch)] == [
        "Computed in the weights",
        "dot · 14 tokens · replay exact",
        "Click to see how",
    ]
    assert str(spoken_value("32", launch)) == "32, computed in the weights by dot, replay exact"


def test_a_replay_that_differs_is_told_everywhere():
    (launch,) = launches_of(replace(REPLY, launches=({**SUMMARY, "replay": "differs at token 9"},)), {}, False)
    assert launch.state == "differs" and "Do not rely" in str(tooltip_of(launch)[0])
    assert "differs" in str(spoken_value("3", launch))


def test_an_overflow_is_a_fault():
    (launch,) = launches_of(
        replace(REPLY, launches=({**SUMMARY, "overflow": "the result does not fit in 64 bits"},)), {}, False
    )
    assert launch.state == "fault" and "64 bits" in str(launch.status)


def test_a_running_launch_says_where_it_is():
    (launch,) = launches_of(REPLY, {"b": HEARD}, True)
    assert launch.state == "running" and str(running_detail(launch)) == "412 tokens · block 6 · warp 1"
    assert str(running_detail(replace(launch, block=None))) == "reading 71 tokens"
    assert str(running_detail(replace(launch, warp=None))) == "412 tokens · block 6"


def test_a_launch_that_was_stopped_says_how_far_it_came():
    (launch,) = launches_of(REPLY, {"b": HEARD}, False)
    assert launch.state == "stopped" and str(launch.status) == "stopped after 412 tokens"


def test_a_launch_with_a_value_is_over_before_its_summary_comes():
    written = replace(REPLY, segments=(Segment("7", "computed", "b"),))
    assert launches_of(written, {"b": HEARD}, True)[0].state == "exact"


def test_a_call_that_gave_no_value_says_why():
    turn = ({"role": "assistant", "text": "", "call": "hist(x, 4)"}, {"role": "tool", "text": "error: bins has 4 words"})
    (launch,) = launches_of(replace(REPLY, turn=turn), {}, False)
    assert (launch.title, launch.state, str(launch.status)) == ("hist(x, 4)", "fault", "bins has 4 words")
    assert launched_at_all(replace(REPLY, turn=turn), {}) and not launched_at_all(REPLY, {})


def test_several_launches_share_a_row():
    other = {**SUMMARY, "id": "c", "title": "sum([1])", "tokens": 1_041}
    both = launches_of(replace(REPLY, launches=(SUMMARY, other)), {}, False)
    assert row_title(both) == "dot([1, 2, 3], [4, 5, 6]), sum([1])"
    assert str(row_detail(both)) == "2 launches · 1,055 tokens" and row_state(both) == "exact"
    assert row_state((*both, Launched("", "x", "fault"))) == "fault"


def test_one_token_is_one_token():
    assert str(row_detail((Launched("a", "f", "exact", 1),))) == "1 token"
