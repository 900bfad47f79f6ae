"""The app's side of the worker process: asyncio, no Qt, no torch.

    client = WorkerClient(on_exit=show_death)
    await client.start()
    call = client.request("chat", text="what is dot([1,2,3],[4,5,6])?", messages=branch)
    async for event in call:                  # Token, Attempt, LaunchProgress, Said, Note; the last is a ChatResult or an Error
        ...
    await client.stop(call.id)                # or call.stop(): its last event comes within 100 ms

A call ends with exactly one `Result` or `Error`, whatever happens to the process.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from app.worker.protocol import Error, Event, LoadResult, Ready, Result

Condition = Literal["off", "starting", "ready"]


@dataclass(frozen=True)
class Death:
    """Why a worker ended. detail: a sentence for the user; stderr: the last 64 KiB of what it wrote there."""

    kind: Literal["out of memory", "crashed", "killed", "cancelled"]
    detail: str
    stderr: str


class WorkerError(Exception):
    """A call ended badly. error: its last event."""

    def __init__(self, error: Error) -> None:
        super().__init__(error.message)
        self.error = error


class Call(AsyncIterator[Event]):
    """A request on its way: iterate over its events; the last one is a Result or an Error.

    A reader who is slow gets neighbouring tokens as one and only the newest progress, so nothing piles up.
    """

    id: str
    op: str

    async def __anext__(self) -> Event:
        """The next event. Raises StopAsyncIteration behind the last one."""
        raise NotImplementedError

    async def result(self) -> Result:
        """Read everything; the last event. Raises WorkerError where that is an Error."""
        raise NotImplementedError

    async def stop(self) -> None:
        """End it: its last event comes within 100 ms."""
        raise NotImplementedError


class WorkerClient:
    """A worker process and the calls that it answers.

    command: what starts it; by default this executable
    on_exit: told in the event loop when the process is gone without having been asked to go
    """

    def __init__(self, command: Sequence[str] | None = None, on_exit: Callable[[Death], None] = lambda death: None) -> None:
        raise NotImplementedError

    @property
    def condition(self) -> Condition:
        """Whether there is a process that takes requests."""
        raise NotImplementedError

    @property
    def loaded(self) -> LoadResult | None:
        """The checkpoint that is open; after a restart it is opened again before the first request that needs one."""
        raise NotImplementedError

    @property
    def stderr(self) -> str:
        """The last 64 KiB that the present or last process wrote there."""
        raise NotImplementedError

    async def start(self) -> Ready:
        """Start the process and wait until it is ready. Raises WorkerError (kind "worker") when it does not get so far."""
        raise NotImplementedError

    def request(self, op: str, **fields: Any) -> Call:
        """Send a request (fields as in `app.worker.protocol`). A worker that is gone is started again first."""
        raise NotImplementedError

    async def stop(self, request: str) -> None:
        """End a call by its id; its last event comes within 100 ms. One that has ended already is left alone."""
        raise NotImplementedError

    async def restart(self) -> Ready:
        """End the process, start another. Calls on their way end with an Error."""
        raise NotImplementedError

    async def close(self) -> None:
        """End the process: asked first, killed if it does not go. Calls on their way end with an Error of kind "cancelled"."""
        raise NotImplementedError
