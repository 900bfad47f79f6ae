"""The app's side of the worker process: asyncio, no Qt, no torch.

    client = WorkerClient(on_exit=show_death)
    await client.start()
    call = client.request("chat", text="what is dot([1,2,3],[4,5,6])?", messages=branch)
    async for event in call:                  # Token, Attempt, LaunchProgress, Said, Note; the last is a ChatResult or an Error
        ...
    await client.stop(call.id)                # or call.stop(): its last event comes within 100 ms

A call ends with exactly one `Result` or `Error`, whatever happens to the process. A worker that does not stop by itself is
ended and started anew, and what it had opened is opened again when somebody needs it.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from app.worker.death import Death, Evidence, classify, kills_for_memory
from app.worker.inbox import Inbox
from app.worker.process import Process, worker_command
from app.worker.protocol import (
    DIED,
    LAST,
    PROTOCOL,
    REQUESTS,
    STOPPED,
    Chat,
    ChatResult,
    Context,
    Error,
    Event,
    Json,
    Load,
    LoadResult,
    Note,
    Progress,
    Ready,
    Request,
    Result,
    Said,
    Segment,
    Shutdown,
    Stop,
    Token,
    read_event,
)
from engine.machine.errors import UsageError

Condition = Literal["off", "starting", "ready"]
NEED_CHECKPOINT = frozenset(("chat", "launch", "verify"))
"""Operations before which a restarted worker opens again what was open."""


@dataclass(frozen=True)
class Patience:
    """How long the client waits, in seconds.

    answer: for a stopped request's own end, before the client ends it itself; stop: until a worker that is still busy with a
    stopped request is ended; start: for a new worker's first word; leave: for one that was asked to go
    """

    answer: float = 0.06
    stop: float = 3.0
    start: float = 60.0
    leave: float = 2.0


class WorkerError(Exception):
    """A call ended badly. error: its last event."""

    def __init__(self, error: Error) -> None:
        super().__init__(error.message)
        self.error = error


class Call(AsyncIterator[Event]):
    """A request on its way: iterate over its events; the last one is a Result or an Error.

    A reader who is slow gets neighbouring tokens as one and only the newest progress, so nothing piles up.
    begun: the worker has told something; over: the last event is there; opening: the load that it waits for
    """

    def __init__(self, client: WorkerClient, request: Request) -> None:
        self.id, self.op, self.request = request.id, request.op, request
        self.begun = self.over = False
        self.opening: Call | None = None
        self._client = client
        self._inbox = Inbox()
        self._taken: deque[Event] = deque()
        self._written = Written()
        self._read = False

    def put(self, event: Event) -> None:
        """Take an event. What comes behind the last one is dropped."""
        if self.over:
            return
        if isinstance(event, Error) and event.kind == STOPPED and isinstance(self.request, Chat):
            event = self._written.result(self.request)  # stopped before it had begun
        self.begun, self.over = True, isinstance(event, LAST)
        self._written.add(event)
        self._inbox.put(event)

    def give_up(self) -> None:
        """End it without the worker: a chat with what was written, anything else as cancelled."""
        if isinstance(self.request, Chat):
            self.put(self._written.result(self.request))
        else:
            self.put(Error(self.id, STOPPED, "stopped"))

    async def __anext__(self) -> Event:
        """The next event. Raises StopAsyncIteration behind the last one."""
        if self._read:
            raise StopAsyncIteration
        if not self._taken:
            self._taken.extend(await self._inbox.take())
        event = self._taken.popleft()
        self._read = isinstance(event, LAST)
        return event

    async def result(self) -> Result:
        """Read everything; the last event. Raises WorkerError where that is an Error."""
        last: Event | None = None
        async for event in self:
            last = event
        if isinstance(last, Error):
            raise WorkerError(last)
        if not isinstance(last, Result):
            raise AssertionError("a call is read to its end once")
        return last

    async def stop(self) -> None:
        """End it: its last event comes within 100 ms."""
        await self._client.stop(self.id)


class Written:
    """What a chat has told so far, for a reply that ends without its worker."""

    def __init__(self) -> None:
        self._messages: list[Json] = []
        self._segments: list[tuple[Segment, list[str]]] = []
        self._told = 0

    def add(self, event: Event) -> None:
        """Take the next event."""
        if isinstance(event, Said):
            self._messages.append(event.message)
            self._told = len(self._segments)
        elif isinstance(event, Token):
            segment = Segment("", event.source, event.launch, event.part)
            if len(self._segments) > self._told and self._segments[-1][0] == segment:
                self._segments[-1][1].append(event.text)
            else:
                self._segments.append((segment, [event.text]))

    def result(self, request: Chat) -> ChatResult:
        """The stopped reply: finished messages, then one of the text behind them."""
        segments = tuple(replace(segment, text="".join(texts)) for segment, texts in self._segments)
        rest = segments[self._told :]
        messages = list(self._messages) or [{"role": "user", "text": request.text}]
        said = {part: "".join(segment.text for segment in rest if segment.part == part) for part in ("text", "thinking")}
        if any(said.values()):
            messages.append(
                {"role": "assistant", "text": said["text"]} | ({"thinking": said["thinking"]} if said["thinking"] else {})
            )
        return ChatResult(request.id, tuple(messages), segments, (), Context(0, 0), 0.0, "stopped")


class WorkerClient:
    """A worker process and the calls that it answers. Made in the event loop that it is used in.

    command: what starts it; by default this program itself
    on_exit: told in the event loop when the process is gone without having been asked to go
    """

    def __init__(
        self,
        command: Sequence[str] | None = None,
        on_exit: Callable[[Death], None] = lambda death: None,
        patience: Patience = Patience(),
    ) -> None:
        self.on_exit = on_exit
        self.loaded: LoadResult | None = None
        self.stderr = ""
        self._command = tuple(command or worker_command())
        self._patience = patience
        self._numbers = itertools.count(1)
        self._calls: dict[str, Call] = {}
        self._stuck: set[str] = set()
        self._session: _Session | None = None
        self._open: Load | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._starting = asyncio.Lock()
        self._opening = asyncio.Lock()

    @property
    def condition(self) -> Condition:
        """Whether there is a process that takes requests."""
        if self._session is None:
            return "off"
        return "ready" if self._session.ready.done() else "starting"

    @property
    def busy(self) -> bool:
        """Whether a call is on its way."""
        return bool(self._calls)

    @property
    def pid(self) -> int | None:
        """The process's number."""
        return self._session.process.pid if self._session else None

    # ------------------------------------------------------------ the process
    async def start(self) -> Ready:
        """Start the process and wait until it is ready. Raises WorkerError (kind "worker") when it does not get so far."""
        async with self._starting:
            if self._session is None:
                self._session = self._begin()
            session = self._session
            try:
                return await asyncio.wait_for(asyncio.shield(session.ready), self._patience.start)
            except TimeoutError:
                await session.leave(0)
                raise _failed("the worker does not answer", "end other programs that keep the computer busy") from None
            except WorkerError:
                await session.leave(0)
                raise

    def _begin(self) -> _Session:
        try:
            return _Session(self._command, self._deliver, self._gone)
        except OSError as error:
            raise _failed(f"the worker cannot be started: {error.strerror or error}", "install the program again") from error

    async def restart(self) -> Ready:
        """End the process, start another. Calls on their way end as stopped ones."""
        await self.close()
        return await self.start()

    async def close(self) -> None:
        """End the process: asked first, killed if it does not go. Calls on their way end as stopped ones."""
        for task in tuple(self._tasks):
            task.cancel()
        for call in tuple(self._calls.values()):
            call.give_up()
        self._calls.clear()
        self._stuck.clear()
        if self._session is not None:
            await self._session.leave(self._patience.leave)

    # ------------------------------------------------------------ requests
    def request(self, op: str, **fields: Any) -> Call:
        """Send a request (fields as in `app.worker.protocol`). A worker that is gone is started again first.

        Raises TypeError for fields that the operation does not have.
        """
        kind = REQUESTS[op]
        call = Call(self, kind(id=f"r{next(self._numbers)}", **fields))
        self._calls[call.id] = call
        self._spawn(self._send(call))
        return call

    async def stop(self, request: str) -> None:
        """End a call by its id; its last event comes within 100 ms. One that has ended already is left alone."""
        call = self._calls.get(request)
        if call is None:
            return
        if self._session is None or request not in self._session.sent:
            self._give_up(call)
            if call.opening is not None:
                await call.opening.stop()
            return
        self._session.send(Stop(f"s{next(self._numbers)}", request))
        asyncio.get_running_loop().call_later(self._patience.answer, self._give_up, call)

    def _spawn(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _send(self, call: Call) -> None:
        """Bring a request to a worker that can answer it."""
        try:
            await self.start()
            if call.op in NEED_CHECKPOINT:
                await self._reopen(call)
        except WorkerError as failure:
            self._end(call, replace(failure.error, id=call.id))
            return
        if call.over or self._session is None:
            return
        self._session.sent.add(call.id)
        self._session.send(call.request)

    async def _reopen(self, waiting: Call) -> None:
        """Open in a new process what was open in the one before, telling the call that waits for it. Raises WorkerError."""
        async with self._opening:
            if self._open is None or self._session is None or self._session.opened or waiting.over:
                return
            call = waiting.opening = Call(self, replace(self._open, id=f"r{next(self._numbers)}"))
            self._calls[call.id] = call
            self._session.sent.add(call.id)
            self._session.send(call.request)
            async for event in call:
                if isinstance(event, Progress | Note):
                    waiting.put(replace(event, id=waiting.id))
                elif isinstance(event, Error):
                    raise WorkerError(event)

    # ------------------------------------------------------------ what comes back
    def _deliver(self, session: _Session, event: Event) -> None:
        """Hand an event to its call."""
        request = getattr(event, "id", "")
        call = self._calls.get(request)
        if isinstance(event, LAST):
            self._stuck.discard(request)
            self._calls.pop(request, None)
        if call is None:
            return
        if isinstance(event, LoadResult) and isinstance(call.request, Load):
            session.opened = True
            self.loaded = event
            built = event.checkpoint.kind == "built"  # the user's default may be another one by the time of a restart
            self._open = replace(call.request, checkpoint=event.checkpoint.path) if built else call.request
        call.put(event)

    def _end(self, call: Call, last: Error) -> None:
        self._calls.pop(call.id, None)
        call.put(last)

    def _give_up(self, call: Call) -> None:
        """End a stopped call whose worker has not ended it; watch that worker."""
        if self._calls.pop(call.id, None) is None:
            return
        call.give_up()
        if self._session is not None and call.id in self._session.sent:
            self._stuck.add(call.id)
            asyncio.get_running_loop().call_later(self._patience.stop, self._end_stuck, self._session)

    def _end_stuck(self, session: _Session) -> None:
        """End a worker that is still busy with what was stopped, unless it does other work at the same time."""
        if session is not self._session or not self._stuck:
            return
        if any(call.begun for call in self._calls.values()):
            asyncio.get_running_loop().call_later(self._patience.stop, self._end_stuck, session)
        else:
            session.end()

    def _gone(self, session: _Session, code: int) -> None:
        """The process has ended. What it was sent has failed; or, where we ended it, is sent to the next one."""
        death = session.death(code)
        self.stderr = death.stderr
        if session is self._session:
            self._session = None
            self._stuck.clear()
        calls = [call for call in self._calls.values() if call.id in session.sent]
        if death.kind == "cancelled":
            for call in calls:
                self._spawn(self._send(call))
            return
        for call in calls:
            self._end(call, Error(call.id, DIED, death.detail, "", death.remedy, {"death": death.kind}))
        if session.was_ready:
            self.on_exit(death)


@dataclass(frozen=True)
class _Gone(Event):
    """The last of a process's events. code: its exit code."""

    code: int


class _Session:
    """One process from its start to its end, seen from the event loop. sent: ids that it was sent; opened: a checkpoint is."""

    def __init__(
        self, command: Sequence[str], deliver: Callable[[_Session, Event], None], gone: Callable[[_Session, int], None]
    ) -> None:
        """Raises OSError."""
        self._loop = asyncio.get_running_loop()
        self.ready: asyncio.Future[Ready] = self._loop.create_future()
        self.sent: set[str] = set()
        self.opened = self._asked = False
        self._before = Evidence(kills_for_memory())
        self._memory = MemoryWatch()
        self._inbox = Inbox()
        self.process = Process(command, self._take, lambda code: self._inbox.put(_Gone(code)))
        self._reader = self._loop.create_task(self._read(deliver, gone))
        self._loop.call_later(1.0, self._look)

    @property
    def was_ready(self) -> bool:
        """Whether it has ever taken requests."""
        return self.ready.done() and self.ready.exception() is None

    def send(self, request: Request) -> None:
        """Write a request, without waiting."""
        self.process.send(request.to_json())

    def end(self) -> None:
        """End it at once."""
        self._asked = True
        self.process.kill()

    async def leave(self, seconds: float) -> None:
        """Ask it to go; end it if it does not."""
        self._asked = True
        self.send(Shutdown("shutdown"))
        self.process.close_input()
        try:
            await asyncio.wait_for(asyncio.shield(self._reader), seconds)
        except TimeoutError:
            self.process.kill()
            await self._reader

    def death(self, code: int) -> Death:
        """Why it ended."""
        after = Evidence(kills_for_memory(), self._memory.free, self._memory.resident, self._memory.total)
        return classify(code, self._before, after, self._asked, self.process.tail.text())

    def _take(self, line: bytes) -> None:
        """A line of the process, in the reader's thread."""
        try:
            self._inbox.put(read_event(line))
        except UsageError as error:
            self.process.tail.add(f"{error.what}\n".encode())  # nothing but messages should come; the report will show it

    async def _read(self, deliver: Callable[[_Session, Event], None], gone: Callable[[_Session, int], None]) -> None:
        """The one task that hands on what the process tells, to its end."""
        while True:
            for event in await self._inbox.take():
                if isinstance(event, Ready):
                    self._is_ready(event)
                elif isinstance(event, _Gone):
                    self._is_over(event.code)
                    gone(self, event.code)
                    return
                else:
                    deliver(self, event)

    def _is_ready(self, ready: Ready) -> None:
        if self.ready.done():
            return
        if ready.protocol == PROTOCOL:
            self.ready.set_result(ready)
        else:
            self._refuse(f"the worker speaks protocol {ready.protocol}, the app {PROTOCOL}", "install the program again")

    def _is_over(self, code: int) -> None:
        self.process.join(1.0)
        if not self.ready.done():
            death = self.death(code)
            self._refuse(death.detail, death.remedy)

    def _refuse(self, what: str, remedy: str) -> None:
        self.ready.set_exception(_failed(what, remedy))
        self.ready.exception()  # nobody may be waiting any more

    def _look(self) -> None:
        """Note the state of memory, once a second while the process lives."""
        if not self._reader.done():
            self._memory.look(self.process.pid)
            self._loop.call_later(1.0, self._look)


class MemoryWatch:
    """The least memory that was free in the last seconds, and what the worker held."""

    def __init__(self, seconds: int = 3) -> None:
        self._shares: deque[float] = deque(maxlen=seconds)
        self.resident = self.total = 0

    @property
    def free(self) -> float:
        """The smallest free share of memory; 1 before the first look."""
        return min(self._shares, default=1.0)

    def look(self, pid: int) -> None:
        """Look again."""
        import psutil

        with contextlib.suppress(psutil.Error, OSError):
            memory = psutil.virtual_memory()
            self._shares.append(memory.available / memory.total)
            self.total = memory.total
            self.resident = psutil.Process(pid).memory_info().rss


def _failed(what: str, remedy: str) -> WorkerError:
    return WorkerError(Error("", DIED, what, "", remedy))
