"""The advanced mode: a model that writes CUDA. Its script is made up; compiler, lowering and launches are real."""

from dataclasses import replace

import pytest

from app.compute.library import load_library
from app.compute.receipts import read_receipt, replay
from app.conversation.loop import NO_KERNELS, Services, launch_turn, take_turn
from app.conversation.messages import Kernel, Message
from app.conversation.options import Listener, Options
from app.inspection.records import read_record
from app.inspection.timeline import Timeline
from engine.machine.errors import CompileError, FaultError, InputError, MismatchError
from tests.app.conversation.kernels import BEYOND, BROKEN, ENDLESS, GOOD, LAUNCH, SQUARES
from tests.app.conversation.scripted import Scripted, kernel
from tests.app.fast import FastMachine

LIBRARY = load_library()


def turn(model, history=(), **told):
    services = Services(LIBRARY, FastMachine(), "0.1.0", max_tokens=2_000)
    return take_turn(model, history, "square 3, 4 and 5 with a kernel", services, Options(advanced=True), Listener(**told))


def test_a_kernel_is_compiled_launched_and_its_result_computed():
    told, tried = [], []
    model = Scripted("Here: " + GOOD, " are the squares.")
    reply = turn(model, on_segment=told.append, on_attempt=tried.append)
    (receipt,) = reply.receipts
    assert [(s.text, s.source) for s in reply.shown()] == [
        ("Here: ", "sampled"),
        ("[9, 16, 25]", "computed"),
        (" are the squares.", "sampled"),
    ]
    assert reply.messages[1] == Message("assistant", "Here: ", kernel=Kernel(SQUARES, LAUNCH))
    assert reply.messages[2] == Message("tool", "[9, 16, 25]", launch=receipt.id, name="v1", value=[9, 16, 25])
    assert tried == reply.attempts and tried[0].error is None and tried[0].source == SQUARES
    assert model.asked[0].advanced and receipt.title == "squares" and receipt.launches[0].cuda == SQUARES
    written = "".join(s.text for s in told if s.part == "call")
    assert written.startswith(SQUARES) and written.endswith(LAUNCH) and "tool_call" not in written


def test_values_of_kernels_are_names_in_expressions():
    first = turn(Scripted(GOOD, "."))
    reply = take_turn(Scripted("(call)sum(v1)", "."), first.messages, "and their sum?", Services(LIBRARY, FastMachine(), "0"))
    assert reply.receipts[0].value == 50


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (kernel(BROKEN, LAUNCH), "kernel.cu:3"),
        (kernel(BEYOND, LAUNCH), "line 3"),
        (kernel(SQUARES, LAUNCH[:-1]), "malformed JSON"),
        (kernel(SQUARES, LAUNCH.replace('"squares"', '"cubes"')), "cubes"),
        (kernel(SQUARES, "[]"), "not a JSON object"),
        (kernel(SQUARES, LAUNCH.replace("[3]", "[2048]")), "2048 is outside"),
        (kernel("", LAUNCH), ""),
        (kernel(ENDLESS, LAUNCH), "has not ended after 2,000 tokens"),
        (kernel('#include "/etc/passwd"\n' + SQUARES, LAUNCH), "kernel.cu:1"),
    ],
)
def test_what_went_wrong_goes_back_and_is_corrected(wrong, said):
    model = Scripted(wrong, GOOD, ".")
    reply = turn(model)
    assert [bool(attempt.error) for attempt in reply.attempts] == [True, False] and reply.receipts[0].value == [9, 16, 25]
    (told,) = [message.text for message in model.prompts[1] if message.role == "tool"]
    assert told == f"error: {reply.attempts[0].error}" and said in told and "\n" not in told


def test_a_launch_that_faults_leaves_a_record_up_to_there(tmp_path):
    kept = []
    services = Services(LIBRARY, FastMachine(), "0.1.0", keep=kept.append)
    reply = take_turn(Scripted(kernel(BEYOND, LAUNCH), GOOD, "."), (), "square", services, Options(advanced=True))
    stopped, worked = kept
    assert [attempt.record for attempt in reply.attempts] == [stopped.id, None] and reply.receipts == [worked]
    stopped.write(tmp_path / "r.json")
    receipt = read_receipt(tmp_path / "r.json")
    record = read_record(tmp_path / "r.json")
    assert record.launches[0].faulted and not receipt.launches[0].outputs and receipt.value is None
    timeline = Timeline(record.launches[0].program, record.launches[0].prompt, record.launches[0].generated)
    assert timeline.moment(len(timeline) - 1).token.kind == "FAULT" and timeline.complete
    replay(receipt, LIBRARY, FastMachine())
    last = replace(receipt.launches[0], generated=receipt.launches[0].generated[:-1])
    with pytest.raises(MismatchError):
        replay(replace(receipt, launches=(last,)), LIBRARY, FastMachine())


def test_after_three_failures_the_reply_says_so_and_keeps_them():
    reply = turn(Scripted(kernel(BROKEN, LAUNCH), kernel(BEYOND, LAUNCH), kernel(BROKEN, LAUNCH), GOOD))
    assert len(reply.attempts) == 3 and all(attempt.error for attempt in reply.attempts) and not reply.receipts
    (said,) = reply.shown()
    assert said.source == "forced" and said.text.startswith("I could not write a kernel that runs. The last of 3 attempts: ")
    assert [message.kernel.source for message in reply.messages if message.kernel] == [BROKEN, BEYOND, BROKEN]
    assert reply.messages[-1].text == said.text


def test_a_kernel_that_never_ends_is_cut(monkeypatch):
    monkeypatch.setattr("app.conversation.loop.MAX_SOURCE", 200)
    reply = turn(Scripted("(kernel)" + "x" * 10_000, "(kernel)" + "y" * 10_000, "(kernel)" + "z" * 10_000))
    assert len(reply.attempts) == 3 and all(len(attempt.source) <= 201 for attempt in reply.attempts)


def test_writing_a_kernel_can_be_stopped():
    asked = iter(range(10**9))
    reply = turn(Scripted("Here: " + GOOD), cancelled=lambda: next(asked) > 60)
    assert reply.ended == "stopped" and reply.text == "Here: " and not reply.attempts
    assert [message.role for message in reply.messages] == ["user", "assistant"]


def test_a_model_that_writes_no_kernels_is_not_asked():
    class Small(Scripted):
        writes_kernels = False

    reply = turn(Small(GOOD))
    assert [(s.text, s.source) for s in reply.segments] == [(NO_KERNELS, "forced")]


def test_several_results_have_their_names_and_no_value():
    launch = LAUNCH.replace('"type": "int32*", "value": [3, 4, 5]', '"type": "int32*", "size": 3')
    reply = turn(Scripted(kernel(SQUARES, launch), "."))
    assert reply.text == "a = [0, 0, 0], out = [0, 0, 0]." and reply.messages[2].name is None


# ---------------------------------------------------------------- a kernel of the user's
def test_a_pasted_kernel_is_a_turn_whose_record_can_be_redone(tmp_path):
    services = Services(LIBRARY, FastMachine(), "0.1.0")
    reply = launch_turn(Kernel(SQUARES, LAUNCH), "squares.cu", "Launch squares.cu.", [], services)
    assert [message.role for message in reply.messages] == ["user", "assistant", "tool", "assistant"]
    assert reply.text == "[9, 16, 25]" and reply.spans()[0]["source"] == "computed"
    path = tmp_path / "record.json"
    reply.receipts[0].write(path)
    record = read_receipt(path)
    replay(record, LIBRARY, FastMachine())
    wrong = replace(record, launches=(replace(record.launches[0], outputs={"out": [9, 16, 26]}),))
    with pytest.raises(MismatchError, match="recorded outputs"):
        replay(wrong, LIBRARY, FastMachine())


@pytest.mark.parametrize(
    ("source", "launch", "error", "said"),
    [
        (BROKEN, LAUNCH, CompileError, "squares.cu:3"),
        (BEYOND, LAUNCH, FaultError, "line 3"),
        (SQUARES, "{", InputError, "JSON"),
    ],
)
def test_what_is_wrong_with_it_is_said(source, launch, error, said):
    with pytest.raises(error, match=said):
        launch_turn(Kernel(source, launch), "squares.cu", "Launch it.", [], Services(LIBRARY, FastMachine(), "0"))


def test_ptx_is_taken_as_it_is():
    first = launch_turn(Kernel(SQUARES, LAUNCH), "squares.cu", "x", [], Services(LIBRARY, FastMachine(), "0"))
    ptx = first.receipts[0].launches[0].ptx
    reply = launch_turn(Kernel(ptx, LAUNCH), "squares.ptx", "x", [], Services(LIBRARY, FastMachine(), "0"))
    assert reply.receipts[0].value == [9, 16, 25] and reply.receipts[0].launches[0].compiler == "given"
