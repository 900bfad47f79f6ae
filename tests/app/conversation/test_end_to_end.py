"""From plain words to a launch in the weights and back, with the language model that the product carries."""

import pytest

from app.checkpoints import Checkpoint, Origin
from app.compute.library import load_library
from app.compute.receipts import replay
from app.conversation.loop import Services, launch_turn, take_turn
from app.conversation.messages import Kernel
from app.conversation.opening import open_text, text_identity
from app.engines import Engine
from engine.compact import CompactRuntime
from engine.weights import read_machine
from tests.app.conversation.kernels import LAUNCH, SQUARES

LIBRARY = load_library()
QUESTION = "what is the dot product of [1, 2, 3] and [4, 5, 6]?"


@pytest.fixture(scope="module")
def checkpoint(machine_file):
    return Checkpoint(machine_file.parent, Origin.EMBEDDED)


@pytest.fixture(scope="module")
def text(checkpoint):
    return open_text(checkpoint, LIBRARY)


def services(checkpoint, runtime):
    return Services(LIBRARY, Engine(checkpoint, runtime, runtime.machine.content), "0.1.0")


def check(reply, value):
    """One computed value, shown as such, in a sentence."""
    (receipt,) = reply.receipts
    assert receipt.value == value and all(launch.replay == "exact" for launch in receipt.launches)
    shown = list(reply.shown())
    assert (shown[0].text, shown[0].source, shown[0].launch) == (str(value), "computed", receipt.id)
    assert shown[1].source == "sampled" and reply.ended == "complete"
    return receipt


def test_through_the_compact_runtime(checkpoint, text, machine_file):
    offered = services(checkpoint, CompactRuntime(read_machine(machine_file)))
    first = take_turn(text, [], QUESTION, offered)
    receipt = check(first, 32)
    assert receipt.expression == "dot([1, 2, 3], [4, 5, 6])"
    replay(receipt, LIBRARY, offered.machine)
    history = [*first.messages]
    hello = take_turn(text, history, "hello", offered)
    assert not hello.receipts and hello.text and hello.context.used > first.context.used
    launched = launch_turn(Kernel(SQUARES, LAUNCH), "squares.cu", "Launch it.", [*history, *hello.messages], offered)
    assert launched.receipts[0].value == [9, 16, 25]
    last = take_turn(text, [*history, *hello.messages, *launched.messages], QUESTION, offered)
    assert check(last, 32).id != receipt.id and last.messages[2].name == "v3"


def test_the_language_model_has_a_name(checkpoint):
    assert len(text_identity(checkpoint)) == 64


@pytest.mark.slow
def test_through_stock_transformers(checkpoint, text, machine_file):
    from engine.dense import DenseRuntime

    check(take_turn(text, [], QUESTION, services(checkpoint, DenseRuntime.embedded(read_machine(machine_file)))), 32)
