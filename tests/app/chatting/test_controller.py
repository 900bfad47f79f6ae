"""Asking, stopping, asking again: with a real store on disk and a worker that is a fake."""

import asyncio

import pytest

from app.chats.model import FAILED, STOPPED
from app.chats.store import ChatStore
from app.chatting.controller import Chatting, Observer, Options, last_question
from app.chatting.engine import Engine
from app.computer import Program
from app.worker.death import Death
from app.worker.protocol import DIED, ChatResult, Context, Error, LaunchProgress, Note, Sampling, Segment, Token
from tests.app.fake_client import LOADED, FakeClient


class Desk:
    """A store, an engine and a controller, and what the observer was told."""

    def __init__(self, folder, **scripts):
        self.client = FakeClient(**scripts)
        self.store = ChatStore.open(folder / "chats", folder / "index.sqlite")
        self.engine = Engine(self.client, hungry=lambda: (Program("Firefox", 3 << 30),))
        self.client.on_exit = self.engine.died
        self.told = []
        self.chatting = Chatting(
            self.store,
            self.engine,
            lambda: Options("Be brief.", Sampling(0.5, 0.9, 40, 7)),
            Observer(
                lambda chat: self.told.append("branch"),
                lambda chat, message: self.told.append("reply"),
                lambda chat, text: self.told.append(text),
                lambda error: self.told.append(error),
            ),
        )
        self.chat = self.store.create()

    async def close(self):
        await self.chatting.close()
        await self.engine.close()
        self.store.close()


def played(scene, folder, **scripts):
    """Run a scene with a desk."""

    async def run():
        desk = Desk(folder, **scripts)
        try:
            await scene(desk)
        finally:
            await desk.close()

    asyncio.run(asyncio.wait_for(run(), 120))


async def settled():
    for _ in range(12):
        await asyncio.sleep(0)


async def until(condition):
    while not condition():
        await asyncio.sleep(0.01)


def said(fault):
    return [(str(name), value) for name, value in fault.facts]


def done(text="32", ended="complete"):
    said = {"role": "assistant", "text": text}
    return ChatResult("", (said,), (Segment(text, "sampled"),), (), Context(59, 2048), 20.0, ended)


def test_a_question_is_saved_asked_and_answered(tmp_path):
    async def scene(desk):
        await desk.engine.open()
        desk.chatting.ask(desk.chat, "what is 1 + 1?")
        await settled()
        call = desk.client.last()
        assert call.fields == {
            "text": "what is 1 + 1?",
            "messages": (),
            "advanced": False,
            "thinking": False,
            "system": "Be brief.",
            "sampling": Sampling(0.5, 0.9, 40, 7),
        }
        call.tell(Token("", "2", "sampled"))
        await settled()
        assert desk.chatting.running(desk.chat.state.id).phase == "writing"
        call.tell(done("2"))
        await settled()
        reply = desk.chat.state.branch()[-1]
        assert (reply.said, reply.ended, reply.model) == ("2", "complete", "built-in model")
        assert desk.chatting.running(desk.chat.state.id) is None and not desk.chatting.busy

    played(scene, tmp_path)


def test_a_question_waits_until_the_model_is_loaded(tmp_path):
    async def scene(desk):
        opening = asyncio.ensure_future(desk.engine.open())
        await settled()
        assert desk.engine.state == "loading"
        desk.chatting.ask(desk.chat, "early")
        await settled()
        assert desk.chatting.running(desk.chat.state.id).phase == "waiting"
        assert [call.op for call in desk.client.calls] == ["load"]
        desk.client.last("load").tell(LOADED)
        assert await opening
        await settled()
        assert desk.client.last().fields["text"] == "early"

    played(scene, tmp_path, loads=False)


def test_the_next_request_carries_the_branch(tmp_path):
    async def scene(desk):
        await desk.engine.open()
        for text in ("first", "second"):
            desk.chatting.ask(desk.chat, text)
            await settled()
            desk.client.last().tell(done(f"answer to {text}"))
            await settled()
        assert [dict(message) for message in desk.client.last().fields["messages"]] == [
            {"role": "user", "text": "first"},
            {"role": "assistant", "text": "answer to first"},
        ]

    played(scene, tmp_path)


def test_one_chat_is_answered_after_the_other(tmp_path):
    async def scene(desk):
        await desk.engine.open()
        other = desk.store.create()
        desk.chatting.ask(desk.chat, "one")
        desk.chatting.ask(other, "two")
        await settled()
        assert [call.fields["text"] for call in desk.client.calls if call.op == "chat"] == ["one"]
        desk.client.last().tell(done())
        await settled()
        assert desk.client.last().fields["text"] == "two"

    played(scene, tmp_path)


def test_stopping_keeps_what_was_written(tmp_path):
    async def scene(desk):
        await desk.engine.open()
        desk.chatting.ask(desk.chat, "long")
        await settled()
        desk.client.last().tell(Token("", "half an ans", "sampled"))
        await settled()
        assert desk.chatting.stop(desk.chat.state.id)
        await settled()
        reply = desk.chat.state.branch()[-1]
        assert (reply.said, reply.ended) == ("half an ans", STOPPED)
        assert not desk.chatting.stop(desk.chat.state.id)

    played(scene, tmp_path)


def test_a_question_that_waits_can_be_stopped(tmp_path):
    async def scene(desk):
        desk.chatting.ask(desk.chat, "early")
        assert desk.chatting.stop(desk.chat.state.id)
        assert desk.chat.state.branch()[-1].ended == STOPPED
        await desk.engine.open()
        await settled()
        assert [call.op for call in desk.client.calls] == ["load"]

    played(scene, tmp_path)


def test_a_new_question_stops_the_reply_before(tmp_path):
    async def scene(desk):
        await desk.engine.open()
        desk.chatting.ask(desk.chat, "one")
        await settled()
        first = desk.client.last()
        desk.chatting.ask(desk.chat, "two")
        await settled()
        assert first.stopped.is_set() and desk.client.last().fields["text"] == "two"

    played(scene, tmp_path)


def test_asking_again_makes_another_version(tmp_path):
    async def scene(desk):
        await desk.engine.open()
        desk.chatting.ask(desk.chat, "again")
        await settled()
        desk.client.last().tell(done("one"))
        await settled()
        first = desk.chat.state.branch()[-1]
        desk.chatting.regenerate(desk.chat, first.id)
        await settled()
        desk.client.last().tell(done("two"))
        await settled()
        assert [desk.chat.state.messages[number].said for number in desk.chat.state.siblings(first.id)] == ["one", "two"]
        assert desk.chat.state.branch()[-1].said == "two"

    played(scene, tmp_path)


def test_editing_a_question_keeps_the_old_one(tmp_path):
    async def scene(desk):
        await desk.engine.open()
        asked = desk.chatting.ask(desk.chat, "fro")
        await settled()
        desk.client.last().tell(done())
        await settled()
        desk.chatting.edit(desk.chat, asked.id, "from")
        await settled()
        assert desk.client.last().fields["text"] == "from" and desk.client.last().fields["messages"] == ()
        assert len(desk.chat.state.siblings(asked.id)) == 2
        assert last_question(desk.chat).text == "from"

    played(scene, tmp_path)


def test_death_in_mid_reply_keeps_everything_and_restart_answers(tmp_path):
    async def scene(desk):
        await desk.engine.open()
        desk.chatting.ask(desk.chat, "ask me")
        await settled()
        desk.client.last().tell(Token("", "I was just", "sampled"))
        await settled()
        desk.client.die(Death("out of memory", "signal 9", held=5 << 30, free=300 << 20))
        await settled()
        failed = desk.chat.state.branch()[-1]
        assert (failed.said, failed.ended, failed.error["kind"]) == ("I was just", FAILED, DIED)
        assert desk.engine.state == "stopped" and desk.engine.death.kind == "out of memory"
        await until(lambda: "Firefox 3 GB" in dict(said(desk.engine.fault())).values())
        assert said(desk.engine.fault()) == [
            ("The model held", "5 GB"),
            ("Free when it stopped", "300 MB"),
            ("Using the most now", "Firefox 3 GB"),
        ]
        assert "Close something large" in str(desk.engine.fault().advice)
        desk.chatting.restart(desk.chat, failed.id)
        await settled()
        assert desk.engine.state == "ready" and desk.client.last().fields["text"] == "ask me"
        assert len(desk.chat.state.siblings(failed.id)) == 2

    played(scene, tmp_path)


def test_a_question_asked_of_a_dead_model_waits_for_the_restart(tmp_path):
    async def scene(desk):
        await desk.engine.open()
        desk.client.die(Death("crashed", "signal 11"))
        desk.chatting.ask(desk.chat, "still there?")
        await settled()
        assert desk.chatting.running(desk.chat.state.id).phase == "waiting"
        desk.chatting.restart()
        await settled()
        assert desk.client.last().fields["text"] == "still there?"

    played(scene, tmp_path)


def test_a_model_that_cannot_be_opened_says_why(tmp_path):
    async def scene(desk):
        assert not await desk.engine.open()
        assert desk.engine.state == "stopped" and str(desk.engine.fault().safe) == "No machine in it."
        assert str(desk.engine.status()) == "Stopped"

    played(scene, tmp_path, scripts={"load": lambda call: [Error("", "input", "no machine in it")]})


def test_progress_of_launches_and_notes_are_told(tmp_path):
    async def scene(desk):
        await desk.engine.open()
        desk.chatting.ask(desk.chat, "sort")
        await settled()
        heard = LaunchProgress("", "b", "sort(x)", 6, 0, 100, 71)
        desk.client.last().tell(heard, Note("", "the conversation fills 90 %"))
        await settled()
        running = desk.chatting.running(desk.chat.state.id)
        assert desk.chatting.progress(running.message)["b"].tokens == 100 and "the conversation fills 90 %" in desk.told
        desk.client.last().tell(done())
        await settled()
        assert desk.chatting.progress(running.message)["b"].tokens == 100  # stays for the row of a stopped launch

    played(scene, tmp_path)


def test_a_model_that_nobody_asks_gives_its_memory_back_and_comes_when_asked(tmp_path):
    async def scene(desk):
        desk.chatting._idle_seconds = lambda: 0.05
        await desk.engine.open()
        desk.chatting.ask(desk.chat, "one")
        await settled()
        await asyncio.sleep(0.15)
        assert desk.engine.state == "ready"  # it is answering
        desk.client.last().tell(done())
        await asyncio.sleep(0.2)
        assert desk.engine.state == "resting" and desk.client.condition == "off"
        desk.chatting.ask(desk.chat, "two")
        await settled()
        assert desk.engine.state == "ready" and desk.client.last().fields["text"] == "two"

    played(scene, tmp_path)


def test_closing_saves_what_is_being_written(tmp_path):
    async def scene(desk):
        await desk.engine.open()
        desk.chatting.ask(desk.chat, "long")
        await settled()
        desk.client.last().tell(Token("", "unfinished", "sampled"))
        await settled()

    played(scene, tmp_path)
    store = ChatStore.open(tmp_path / "chats", tmp_path / "index.sqlite")
    try:
        reply = store.chat(store.summaries()[0].id).state.branch()[-1]
        assert (reply.said, reply.ended) == ("unfinished", STOPPED)
    finally:
        store.close()


@pytest.mark.parametrize("state, said", [("starting", "Starting..."), ("ready", "Ready"), ("off", "Not started")])
def test_the_status_says_what_is_going_on(state, said):
    engine = Engine(FakeClient())
    engine.state = state
    assert str(engine.status()) == said


def test_loading_counts_the_seconds():
    now = [100.0]
    engine = Engine(FakeClient(), clock=lambda: now[0])
    engine._become("loading")
    now[0] += 4.2
    assert str(engine.status()) == "Loading the model... 4 s"
