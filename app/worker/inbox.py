"""Events on their way from the thread that reads them to the event loop, few of them however slow the loop is."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Iterable
from dataclasses import replace
from threading import Lock

from app.worker.protocol import Event, LaunchProgress, Progress, Token

CROWDED = 1024
"""Events that wait before neighbours are made one."""


class Inbox:
    """A queue between a thread and an event loop. Made in the loop's thread."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._lock = Lock()
        self._waiting: deque[Event] = deque()
        self._news = asyncio.Event()
        self._told = False

    def put(self, event: Event) -> None:
        """Add an event, from any thread; once the loop is closed nobody will take it."""
        with self._lock:
            self._waiting.append(event)
            if len(self._waiting) > CROWDED:
                self._waiting = deque(together(self._waiting))
            if self._told:
                return
            self._told = True
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._news.set)

    async def take(self) -> list[Event]:
        """What has come, at least one event, neighbours of one kind made one."""
        await self._news.wait()
        with self._lock:
            self._news.clear()
            self._told = False
            taken, self._waiting = self._waiting, deque()
        return together(taken)


def together(events: Iterable[Event]) -> list[Event]:
    """The same news in fewer events: tokens of one source as one text, only the newest of a work's progress."""
    found: list[Event] = []
    texts: list[str] = []

    def close() -> None:
        if len(texts) > 1 and isinstance(found[-1], Token):
            found[-1] = replace(found[-1], text="".join(texts))
        texts.clear()

    for event in events:
        if found and _same_kind(found[-1], event):
            if isinstance(event, Token):
                texts.append(event.text)
            else:
                found[-1] = event
            continue
        close()
        found.append(event)
        if isinstance(event, Token):
            texts.append(event.text)
    close()
    return found


def _same_kind(before: Event, after: Event) -> bool:
    """Whether two neighbours can be told as one."""
    match before, after:
        case Token(), Token():
            return (before.id, before.source, before.launch, before.part) == (after.id, after.source, after.launch, after.part)
        case Progress(), Progress():
            return (before.id, before.stage) == (after.id, after.stage)
        case LaunchProgress(), LaunchProgress():
            return (before.id, before.launch) == (after.id, after.launch)
        case _:
            return False
