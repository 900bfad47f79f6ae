"""Questions on their way to the model and replies on their way to the screen and the disk.

A question is saved before anything else happens. It waits while the model is loading or answers in another chat, and it is not
lost when the worker dies: the reply ends as failed, and asking again makes another version beside it.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal

from app.chats.model import ASSISTANT, USER, Message
from app.chats.store import ChatStore, OpenChat, Reply
from app.chatting.engine import Engine
from app.worker.client import Call
from app.worker.protocol import ChatResult, Error, Event, LaunchProgress, Note, Sampling, Token
from engine.machine.errors import GpuError

Phase = Literal["waiting", "reading", "thinking", "writing"]


@dataclass(frozen=True)
class Options:
    """What the settings say about replies."""

    system: str = ""
    sampling: Sampling = field(default_factory=Sampling)


@dataclass
class Running:
    """A reply that is waited for or written.

    message: its id; phase: "waiting" for the model, "reading" the question, then what it writes
    progress: of its launches, the last that was heard; tokens: how many came so far; first: when the first came
    """

    chat: OpenChat
    question: str
    reply: Reply
    phase: Phase = "waiting"
    call: Call | None = None
    stopping: bool = False
    progress: dict[str, LaunchProgress] = field(default_factory=dict)
    tokens: int = 0
    first: float | None = None

    @property
    def message(self) -> str:
        """The id of the reply's message."""
        return self.reply.message


def ignore(*_: object) -> None:
    """Nobody listens."""


@dataclass
class Observer:
    """Who is told. branch(chat): other messages are shown; reply(chat, message): a reply has changed; note(chat, text);

    failed(error): something could not be saved; state(): what runs and waits has changed
    """

    branch: Callable[[str], None] = ignore
    reply: Callable[[str, str], None] = ignore
    note: Callable[[str, str], None] = ignore
    failed: Callable[[GpuError], None] = ignore
    state: Callable[[], None] = ignore


class Chatting:
    """Sends, stops, asks again. Everything but `close` returns at once; call it in the event loop's thread.

    idle_seconds: after which the model gives its memory back; 0 is never
    """

    def __init__(
        self,
        store: ChatStore,
        engine: Engine,
        options: Callable[[], Options] = Options,
        observer: Observer | None = None,
        idle_seconds: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self.store, self.engine, self.observer = store, engine, observer or Observer()
        self._options, self._idle_seconds = options, idle_seconds
        self._idle: asyncio.TimerHandle | None = None
        self._queue: deque[Running] = deque()
        self._current: Running | None = None
        self._task: asyncio.Task[None] | None = None
        self._finished: dict[str, dict[str, LaunchProgress]] = {}
        engine.changed.append(self._engine_changed)

    # ------------------------------------------------------------ what is going on
    def running(self, chat: str) -> Running | None:
        """The reply that is waited for or written in a chat."""
        return next((each for each in (self._current, *self._queue) if each is not None and each.chat.state.id == chat), None)

    def progress(self, message: str) -> dict[str, LaunchProgress]:
        """What was heard of the launches of a reply of this session."""
        live = next((each for each in (self._current, *self._queue) if each is not None and each.message == message), None)
        return live.progress if live else self._finished.get(message, {})

    @property
    def busy(self) -> bool:
        """Whether a reply is being written."""
        return self._current is not None

    def speed(self, chat: str) -> float | None:
        """Tokens a second of the reply that is being written; None while there is nothing to measure."""
        current = self.running(chat)
        if current is None or current.first is None or current.tokens < 2:
            return None
        return (current.tokens - 1) / max(1e-6, time.monotonic() - current.first)

    # ------------------------------------------------------------ what the user does
    def ask(self, chat: OpenChat, text: str) -> Message:
        """Save a question and have it answered. Raises EnvironmentProblem when it cannot be saved; nothing happens then."""
        question = chat.ask(text)
        self._answer(chat, question.id)
        return question

    def edit(self, chat: OpenChat, message: str, text: str) -> Message:
        """Save another version of a question and have it answered. Raises EnvironmentProblem."""
        question = chat.edit(message, text)
        self._answer(chat, question.id)
        return question

    def regenerate(self, chat: OpenChat, message: str) -> None:
        """Ask again what a reply answered; the other replies stay as versions beside it. Raises EnvironmentProblem."""
        found = chat.state.messages[message]
        question = found.parent if found.role == ASSISTANT else found.id
        if question is not None:
            self._answer(chat, question)

    def restart(self, chat: OpenChat | None = None, message: str | None = None) -> None:
        """Start the model again and, when asked, answer again what a failed reply did not answer."""
        if chat is not None and message is not None:
            self.regenerate(chat, message)
        self._restarting = asyncio.ensure_future(self.engine.restart())

    def stop(self, chat: str) -> bool:
        """Stop the reply of a chat, in whatever state; whether there was one. What was written stays."""
        found = self.running(chat)
        if found is None:
            return False
        found.stopping = True
        if found is self._current and found.call is not None:
            self._stopping = asyncio.ensure_future(found.call.stop())
        elif found in self._queue:
            self._queue.remove(found)
            self._save(found.reply.stop)
            self._tell(found)
        return True

    async def close(self) -> None:
        """Stop everything; what was written is saved."""
        if self._idle is not None:
            self._idle.cancel()
        for waiting in list(self._queue):
            self.stop(waiting.chat.state.id)
        if self._current is not None:
            self.stop(self._current.chat.state.id)
        if self._task is not None:
            done, _ = await asyncio.wait({self._task}, timeout=1.0)
            if not done:
                self._task.cancel()
                with suppress(asyncio.CancelledError):
                    await self._task

    def rest_soon(self) -> None:
        """Count the idle time anew: after it, the model gives its memory back."""
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None
        seconds = self._idle_seconds()
        if seconds:
            self._idle = asyncio.get_running_loop().call_later(seconds, self._rest)

    def _rest(self) -> None:
        self._idle = None
        if self.busy or self._queue or self.engine.client.busy or self.engine.state != "ready":
            self.rest_soon()
        else:
            self._resting = asyncio.ensure_future(self.engine.rest())

    # ------------------------------------------------------------ the queue
    def _answer(self, chat: OpenChat, question: str) -> None:
        loaded = self.engine.loaded
        earlier = self.running(chat.state.id)
        if earlier is not None:
            self.stop(chat.state.id)
        reply = chat.reply(question, loaded.checkpoint.name if loaded else "")
        self._queue.append(Running(chat, question, reply))
        self.rest_soon()
        if self.engine.state == "resting":
            self._waking = asyncio.ensure_future(self.engine.open())
        self.observer.branch(chat.state.id)
        self.observer.state()
        self._go_on()

    def _engine_changed(self) -> None:
        self._go_on()
        self.observer.state()

    def _go_on(self) -> None:
        if self._current is None and self._queue and self.engine.state == "ready":
            self._current = self._queue.popleft()
            self._task = asyncio.ensure_future(self._run(self._current))

    async def _run(self, running: Running) -> None:
        chat, options = running.chat, self._options()
        question = chat.state.messages[running.question]
        running.phase = "reading"
        self._tell(running)
        running.call = self.engine.client.request(
            "chat",
            text=question.text,
            messages=chat.state.before(running.question),
            advanced=chat.state.advanced,
            thinking=chat.state.thinking,
            system=options.system,
            sampling=options.sampling,
        )
        try:
            async for event in running.call:
                self._take(running, event)
        finally:
            self._save(running.reply.stop)
            self._finished[running.message] = running.progress
            self._current = None
            self.rest_soon()
            self._tell(running)
            self._go_on()

    def _take(self, running: Running, event: Event) -> None:
        if isinstance(event, Token):
            running.phase = "thinking" if event.part == "thinking" else "writing"
            running.tokens += 1
            running.first = running.first or time.monotonic()
        elif isinstance(event, LaunchProgress):
            running.progress[event.launch] = event
        elif isinstance(event, Note):
            self.observer.note(running.chat.state.id, event.text)
            return
        self._save(lambda: running.reply.take(event))
        if isinstance(event, ChatResult | Error):
            return  # told when it has ended
        self.observer.reply(running.chat.state.id, running.message)

    def _tell(self, running: Running) -> None:
        self.observer.reply(running.chat.state.id, running.message)
        self.observer.state()

    def _save(self, action: Callable[[], None]) -> None:
        """Do what writes; a disk that refuses is told, and the reply goes on."""
        try:
            action()
        except GpuError as error:
            self.observer.failed(error)


def last_question(chat: OpenChat) -> Message | None:
    """The last question of the branch that is shown."""
    return next((message for message in reversed(chat.state.branch()) if message.role == USER), None)
