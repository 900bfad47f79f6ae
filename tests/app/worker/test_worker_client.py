"""The client against a worker that crashes, floods, talks nonsense, stays silent or does not let go."""

import asyncio
import os
import signal
import sys

import pytest

from app.worker.client import Call, Patience, WorkerClient, WorkerError
from app.worker.death import OUT_OF_MEMORY, Evidence, classify
from app.worker.inbox import together
from app.worker.process import TAIL
from app.worker.protocol import ChatResult, Error, LaunchProgress, LoadResult, Progress, Result, Segment, Token

FAKE = (sys.executable, "-m", "tests.app.worker.fakeworker")
HASTY = Patience(answer=0.05, stop=0.2, leave=0.3)


def run(scenario, *arguments, patience=HASTY):
    """Run a scenario with a client of a fake worker; the deaths it was told of."""
    deaths = []

    async def main():
        client = WorkerClient((*FAKE, *arguments), deaths.append, patience)
        try:
            await asyncio.wait_for(scenario(client), 60)
        finally:
            await client.close()
        assert client.condition == "off"

    asyncio.run(main())
    return deaths


async def events_of(call: Call):
    return [event async for event in call]


def test_an_answer_begins_with_the_worker_and_ends_once():
    async def scenario(client):
        assert client.condition == "off"
        ready = await client.start()
        assert (ready.version, ready.protocol, client.condition) == ("test", 1, "ready")
        events = await events_of(client.request("chat", text="hello"))
        assert [type(event) for event in events] == [ChatResult]
        assert await events_of(client.request("compile", source="a/b.cu", filename="b.cu"))

    assert run(scenario) == []


def test_a_request_starts_the_worker_by_itself():
    async def scenario(client):
        result = await client.request("chat", text="hello").result()
        assert isinstance(result, ChatResult) and result.segments[0].text == f"hello of {client.pid}"

    run(scenario)


def test_fields_that_an_operation_does_not_have_are_refused_here():
    async def scenario(client):
        with pytest.raises(TypeError):
            client.request("chat", words="hello")

    run(scenario)


def test_a_flood_of_tokens_arrives_whole_in_few_events():
    async def scenario(client):
        call = client.request("chat", text="flood 100000")
        while not call.over:
            await asyncio.sleep(0.01)
        events = await events_of(call)
        assert "".join(event.text for event in events if isinstance(event, Token)) == "ab" * 100_000
        assert isinstance(events[-1], ChatResult) and len(events) < 2_000

    run(scenario)


def test_garbage_is_kept_for_the_report_and_harms_nothing():
    async def scenario(client):
        assert isinstance(await client.request("chat", text="garbage").result(), ChatResult)
        await client.close()
        assert "not JSON" in client.stderr and "Expected `str`" in client.stderr

    run(scenario)


def test_of_stderr_the_last_part_is_kept():
    async def scenario(client):
        await client.request("chat", text="noise").result()
        await client.close()
        assert client.stderr.endswith("xthe end") and TAIL / 2 < len(client.stderr) <= TAIL

    run(scenario)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("crash", "crashed"),
        ("memory", "out of memory"),
        (f"signal {int(signal.SIGSEGV)}", "crashed"),
        pytest.param(f"signal {int(signal.SIGTERM)}", "killed", marks=pytest.mark.skipif(os.name == "nt", reason="no signals")),
    ],
)
def test_a_death_in_mid_answer_ends_the_call_and_says_why(text, kind):
    async def scenario(client):
        call = client.request("chat", text=text)
        events = await events_of(call)
        last = events[-1]
        assert isinstance(last, Error) and last.kind == "worker" and last.facts["death"] == kind
        assert last.message and last.remedy
        assert [event.text for event in events[:-1]] == ([] if text == "memory" else [events[0].text])
        again = await client.request("chat", text="hello").result()  # by a new process
        assert isinstance(again, ChatResult)

    deaths = run(scenario)
    assert [death.kind for death in deaths] == [kind]
    assert text != "crash" or "the weights are gone" in deaths[0].detail


def test_stop_that_the_worker_answers_is_the_workers_own_end():
    async def scenario(client):
        await client.start()
        call = client.request("chat", text="silent")
        await asyncio.sleep(0.1)
        await call.stop()
        result = await call.result()
        assert result.segments[0].text == "stopped"
        pid = client.pid
        await asyncio.sleep(HASTY.stop * 2)
        assert client.pid == pid

    run(scenario, patience=Patience(answer=5.0, stop=0.1))


def test_stop_that_the_worker_ignores_ends_the_call_and_then_the_worker():
    async def scenario(client):
        assert isinstance(await client.request("load", checkpoint="there").result(), LoadResult)
        pid = client.pid
        call = client.request("chat", text="deaf")
        events = [await anext(call)]
        while not any(isinstance(event, Token) and event.launch for event in events):
            events.append(await anext(call))
        await client.stop(call.id)
        result = (await events_of(call))[-1]
        assert isinstance(result, ChatResult) and result.ended == "stopped"
        assert result.messages == (
            {"role": "user", "text": "deaf"},
            {"role": "assistant", "text": "so far32", "thinking": "hm"},
        )
        assert result.segments == (
            Segment("hm", "sampled", part="thinking"),
            Segment("so far", "sampled"),
            Segment("32", "computed", "a1"),
        )
        assert client.pid == pid
        after = client.request("chat", text="hello")  # waits in the deaf worker, then goes to the next one
        told = await events_of(after)
        assert isinstance(told[-1], ChatResult) and client.pid != pid
        assert isinstance(told[0], Progress) and told[0].id == after.id, "the checkpoint is opened again, and the call told"
        assert client.loaded.checkpoint.path == "there"

    assert run(scenario) == []


def test_stop_while_a_new_worker_opens_what_the_one_before_had_open(tmp_path):
    checkpoint = tmp_path / "checkpoint"

    async def scenario(client):
        await client.request("load", checkpoint=checkpoint).result()
        await events_of(client.request("chat", text="crash"))
        checkpoint.write_text("from now on nobody gets on with it")
        call = client.request("chat", text="hello")
        assert isinstance(await anext(call), Progress)
        pid = client.pid
        await call.stop()
        result = (await events_of(call))[-1]
        assert isinstance(result, ChatResult) and result.ended == "stopped"
        while client.pid == pid:
            await asyncio.sleep(0.01)
        checkpoint.unlink()
        assert (await client.request("chat", text="again").result()).segments[0].text.startswith("again")

    assert [death.kind for death in run(scenario)] == ["crashed"]


def test_stop_before_the_worker_is_there():
    async def scenario(client):
        call = client.request("build", base="embedded")
        await call.stop()
        last = (await events_of(call))[-1]
        assert isinstance(last, Error) and last.kind == "cancelled"
        await client.stop(call.id)
        await client.stop("never heard of")

    run(scenario, "mute")


def test_close_ends_calls_on_their_way_and_a_worker_that_does_not_go():
    async def scenario(client):
        await client.start()
        call = client.request("compile", source="x", filename="x.cu")
        first = client.request("chat", text="deaf")
        await anext(first)
        await client.close()
        assert isinstance((await events_of(first))[-1], ChatResult)
        assert isinstance((await events_of(call))[-1], Result | Error)

    assert run(scenario, "obstinate") == []


def test_restart_gives_another_process():
    async def scenario(client):
        await client.start()
        pid = client.pid
        await client.restart()
        assert client.pid != pid and client.condition == "ready"

    assert run(scenario) == []


@pytest.mark.parametrize(("mode", "words"), [("broken", "exit code 1"), ("foreign", "protocol 99"), ("mute", "not answer")])
def test_a_worker_that_does_not_begin_is_an_error_of_the_call(mode, words):
    async def scenario(client):
        with pytest.raises(WorkerError, match=words):
            await client.start()
        with pytest.raises(WorkerError, match=words):
            await client.request("chat", text="hello").result()

    assert run(scenario, mode, patience=Patience(start=60.0 if mode != "mute" else 0.3, leave=0.3)) == []


def test_a_command_that_is_not_there():
    async def main():
        client = WorkerClient(("no-such-program-here",))
        with pytest.raises(WorkerError, match="cannot be started"):
            await client.start()
        await client.close()

    asyncio.run(main())


# ---------------------------------------------------------------- parts
def test_neighbours_become_one():
    def token(text, launch=None):
        return Token("r", text, "computed" if launch else "sampled", launch)

    def launch(tokens):
        return LaunchProgress("r", "a", "dot", 1, 0, tokens, 3)

    events = [
        token("a"),
        token("b"),
        token("3", "l"),
        token("c"),
        token("d"),
        Progress("r", "write", 1, 9),
        Progress("r", "write", 2, 9),
        Progress("r", "verify", 1, 9),
        launch(1),
        launch(2),
    ]
    assert together(events) == [
        token("ab"),
        token("3", "l"),
        token("cd"),
        Progress("r", "write", 2, 9),
        Progress("r", "verify", 1, 9),
        launch(2),
    ]
    assert together([]) == []


@pytest.mark.parametrize(
    ("code", "before", "after", "asked", "kind"),
    [
        (-9, Evidence(3), Evidence(4), False, "out of memory"),
        (-9, Evidence(3), Evidence(3, 0.001), False, "killed"),
        (-9, Evidence(None), Evidence(None, 0.001), False, "out of memory"),
        (-9, Evidence(None), Evidence(None, 0.5), False, "killed"),
        (-9, Evidence(3), Evidence(4), True, "cancelled"),
        (OUT_OF_MEMORY, Evidence(None), Evidence(None), False, "out of memory"),
        (-11, Evidence(3), Evidence(3), False, "crashed"),
        (-6, Evidence(3), Evidence(3), False, "crashed"),
        (1, Evidence(3), Evidence(3), False, "crashed"),
        (0, Evidence(3), Evidence(3), False, "crashed"),
        (0xC0000005, Evidence(None), Evidence(None), False, "crashed"),
        (-15, Evidence(3), Evidence(3), False, "killed"),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="signal numbers of POSIX")
def test_causes_of_death(code, before, after, asked, kind):
    death = classify(code, before, after, asked, "")
    assert death.kind == kind and death.detail
    assert bool(death.remedy) == (kind != "cancelled")


def test_a_death_for_memory_says_how_much_there_was():
    death = classify(OUT_OF_MEMORY, Evidence(None), Evidence(None, 0.01, 5 << 30, 16 << 30), False, "")
    assert (death.held, death.free) == (5 << 30, round(0.01 * (16 << 30)))
