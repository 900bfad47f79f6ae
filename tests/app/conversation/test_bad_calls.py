"""What a model may write into a call that is none, or too much: the reason goes back in one line, and nothing is launched."""

import pytest

from app.compute.library import load_library
from app.conversation.loop import MAX_CALL, Services, take_turn
from app.conversation.messages import Kernel, Message, messages_of, names_of, next_name
from engine.machine.errors import InputError
from tests.app.conversation.scripted import Scripted
from tests.app.fast import FastMachine

LIBRARY = load_library()


class Free(Scripted):
    """Writes its call as a model without a grammar would."""

    def __init__(self, call, *script):
        super().__init__(f"(call){call}", *script)
        self._call = call

    def grammar(self, messages, names):
        return self

    def allows(self, prefix):
        return self._call.startswith(prefix)

    def complete(self, text):
        return text == self._call


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("nan", "nan"),
        ("add(NaN, 1)", "NaN"),
        ("add(1.5, 2)", "1.5"),
        (f"add({'9' * 40}, 1)", "64 bits"),
        ("", "empty"),
        ("multply(6, 7)", "mul"),
        ("average([1, 2])", "mean"),
        ("add(1, 2", ""),
        ("div(7, 0)", "division by zero"),
        ("add(6, v9)", "v9"),
        ("((((((((", ""),
        ("\x00", ""),
        ("import os", ""),
        ("sort([1, [2]])", ""),
        ("مجموع(1)", ""),
        (f"sort([{'1, ' * 1_999}1])", ""),
        ("add(\ud800, 1)", ""),
        ("primes(99999)", "4,000"),
        ("fact = add(1, 2", ""),
    ],
)
def test_the_reason_goes_back_in_one_line(call, said):
    machine = FastMachine()
    model = Free(call, "I give up.")
    reply = take_turn(model, [], "?", Services(LIBRARY, machine, "0"))
    ((failed, why),) = reply.failures
    assert failed == call[:MAX_CALL] and "\n" not in why and len(why) < 400
    (told,) = [message.text for message in model.prompts[1] if message.role == "tool"]
    assert told == f"error: {why}" and reply.text == "I give up." and not reply.receipts


@pytest.mark.parametrize(
    "entries",
    [
        3,
        "text",
        [3],
        [{}],
        [{"role": "system", "text": ""}],
        [{"role": "user", "text": 3}],
        [{"role": "user", "odd": ""}],
        [{"role": "tool", "text": "", "name": "v1", "value": 0.5}],
        [{"role": "tool", "text": "", "value": [[[1]]]}],
        [{"role": "tool", "text": "", "value": True}],
        [{"role": "assistant", "kernel": {"source": "x"}}],
        [{"role": "assistant", "text": "", "call": ["add"]}],
        [{"role": "assistant", "text": "", "kernel": "x"}],
    ],
)
def test_messages_that_are_none_are_refused(entries):
    with pytest.raises(InputError):
        messages_of(entries)


def test_messages_survive_their_json():
    messages = [
        Message("user", "\u202eمرحبا"),
        Message("assistant", "", "sort([2, 1])", thinking="hm"),
        Message("tool", "[1, 2]", launch="ab", name="v1", value=[1, 2]),
        Message("assistant", kernel=Kernel("s", "{}")),
        Message("tool", "error: no"),
        Message("assistant", "[1, 2]"),
    ]
    assert messages_of([message.to_json() for message in messages]) == messages


def test_names_of_a_branch():
    tools = [
        Message("tool", "1", name="v1", value=1),
        Message("tool", "2", name="v1", value=2),
        Message("tool", "error: x"),
        Message("tool", "0", name="v3", value=0),
    ]
    assert names_of(tools) == {"v1": 2, "v3": 0} and next_name(names_of(tools)) == "v4" and next_name({}) == "v1"
