"""A worker client without a process: a test tells the events of a call, or a script does at once."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from app.worker.client import WorkerError
from app.worker.death import Death
from app.worker.protocol import (
    DIED,
    LAST,
    STOPPED,
    ChatResult,
    CheckpointInfo,
    Context,
    Error,
    Event,
    LoadResult,
    Ready,
    Result,
    Segment,
)

LOADED = LoadResult("r0", CheckpointInfo("machine", "9f3c51d27a", "embedded", "built-in model", (45, 4)), "cpu", "cpu", 2048)
Script = Callable[["FakeCall"], Iterable[Event]]


class FakeCall:
    """A request; `tell` gives an event to whoever iterates. fields: what was asked for."""

    def __init__(self, client: FakeClient, number: str, op: str, fields: dict[str, Any]) -> None:
        self.id, self.op, self.fields = number, op, fields
        self.over = self.begun = False
        self.stopped = asyncio.Event()
        self._client = client
        self._events: asyncio.Queue[Event] = asyncio.Queue()
        self._written: list[Segment] = []

    def tell(self, *events: Event) -> None:
        """Events with this call's id; what comes behind the last one is dropped."""
        for event in events:
            if self.over:
                return
            if event.event == "token":
                self._written.append(Segment(event.text, event.source, event.launch, event.part))
            self.over = isinstance(event, LAST)
            self._events.put_nowait(replace(event, id=self.id))

    def __aiter__(self) -> FakeCall:
        return self

    async def __anext__(self) -> Event:
        if self.over and self._events.empty():
            raise StopAsyncIteration
        return await self._events.get()

    async def result(self) -> Result:
        last = None
        async for event in self:
            last = event
        if isinstance(last, Error):
            raise WorkerError(last)
        return last

    async def stop(self) -> None:
        self.stopped.set()
        if self.op == "chat":
            self.tell(ChatResult(self.id, (), tuple(self._written), (), Context(0, 0), 0.0, "stopped"))
        else:
            self.tell(Error(self.id, STOPPED, "stopped"))


class FakeClient:
    """Takes requests as the real client does. scripts: by operation, what to tell at once; the test tells the rest."""

    def __init__(self, scripts: dict[str, Script] | None = None, loads: bool = True) -> None:
        self.on_exit: Callable[[Death], None] = lambda death: None
        self.condition = "off"
        self.loaded: LoadResult | None = None
        self.stderr = ""
        self.calls: list[FakeCall] = []
        self.starts = 0
        self._numbers = itertools.count(1)
        self._scripts: dict[str, Script] = {**({"load": lambda call: [LOADED]} if loads else {}), **(scripts or {})}

    async def start(self) -> Ready:
        self.starts += 1
        self.condition = "ready"
        return Ready("test")

    def request(self, op: str, **fields: Any) -> FakeCall:
        call = FakeCall(self, f"r{next(self._numbers)}", op, fields)
        self.calls.append(call)
        if op in self._scripts:
            call.tell(*self._scripts[op](call))
        return call

    @property
    def busy(self) -> bool:
        return any(not call.over for call in self.calls)

    def answer(self, op: str, *events: Event) -> None:
        """Tell these at once from now on, whenever an operation is asked for."""
        self._scripts[op] = lambda call: events

    def asked(self, op: str) -> bool:
        """Whether an operation was asked for."""
        return any(call.op == op for call in self.calls)

    def last(self, op: str = "chat") -> FakeCall:
        """The newest request of a kind."""
        return [call for call in self.calls if call.op == op][-1]

    def die(self, death: Death) -> None:
        """The process ends by itself."""
        self.condition = "off"
        for call in self.calls:
            call.tell(Error(call.id, DIED, death.detail))
        self.on_exit(death)

    async def restart(self) -> Ready:
        await self.close()
        return await self.start()

    async def close(self) -> None:
        self.condition = "off"
        for call in self.calls:
            if not call.over:
                await call.stop()
