"""The groups of the list of chats."""

from datetime import datetime, timedelta

from app.chats.model import Summary
from app.chatting.groups import grouped

NOW = datetime(2026, 11, 30, 14, 0)


def chat(name, age, pinned=False):
    at = (NOW - age).timestamp()
    return Summary(name, name, pinned, at, at, "")


def test_groups_are_in_the_order_of_the_list():
    listed = [
        chat("p", timedelta(days=90), True),
        chat("a", timedelta(hours=1)),
        chat("b", timedelta(hours=13, minutes=59)),
        chat("c", timedelta(hours=15)),
        chat("d", timedelta(days=3)),
        chat("e", timedelta(days=40)),
        chat("f", timedelta(days=400)),
    ]
    found = [(str(heading), [one.id for one in group]) for heading, group in grouped(listed, NOW)]
    assert found == [
        ("Pinned", ["p"]),
        ("Today", ["a", "b"]),
        ("Yesterday", ["c"]),
        ("Previous 7 days", ["d"]),
        ("October", ["e"]),
        ("October 2025", ["f"]),
    ]


def test_no_chats_no_groups():
    assert grouped([], NOW) == []


def test_a_clock_that_was_set_back_harms_nothing():
    assert [str(heading) for heading, _ in grouped([chat("future", timedelta(days=-2))], NOW)] == ["Today"]
