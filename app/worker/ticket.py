"""A request on its way through the worker: whom it tells, and whether it was stopped."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event as Flag

from app.worker.protocol import Event, Note, Progress
from engine.machine.errors import Cancelled

OFTEN = 0.04
"""Seconds between two events of progress: 25 a second."""


class Ticket:
    """What the work on one request is given."""

    def __init__(self, request: str, tell: Callable[[Event], None], clock: Callable[[], float] = time.monotonic) -> None:
        self.id = request
        self.tell = tell
        self._stopped = Flag()
        self._clock = clock
        self._last: Progress | None = None
        self._told = self._began = -OFTEN

    def stop(self) -> None:
        """Ask the work to end, from any thread."""
        self._stopped.set()

    def cancelled(self) -> bool:
        """Whether it was asked to end."""
        return self._stopped.is_set()

    def check(self) -> None:
        """Raise Cancelled if it was asked to end."""
        if self._stopped.is_set():
            raise Cancelled("stopped")

    def note(self, text: str) -> None:
        """Tell the user something."""
        self.tell(Note(self.id, text))

    def stage(self, name: str, done: int, total: int) -> None:
        """A stage of unknown length begins, `done` of `total` stages being over."""
        self.check()
        self.tell(Progress(self.id, name, done, total))

    def progress(self, stage: str, done: int, total: int, moved: int = 0, layer: int | None = None) -> None:
        """A unit of a stage is done. Told at most 25 times a second, but for a stage's first and last unit and every layer."""
        now, last = self._clock(), self._last
        if last is None or last.stage != stage or done < last.done:
            self._began, last = now, None
        elapsed = now - self._began
        eta = elapsed / done * (total - done) if elapsed > 0 and done else None
        self._last = Progress(self.id, stage, done, total, moved, eta, layer)
        if last is None or done >= total or layer != last.layer or self.often():
            self._told = now
            self.tell(self._last)

    def often(self) -> bool:
        """Whether it is time to tell something again that changes all the time."""
        now = self._clock()
        if now - self._told < OFTEN:
            return False
        self._told = now
        return True
