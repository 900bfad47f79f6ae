"""Doing something soon, in the background, once, however often it is asked for."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


class Later:
    """Runs actions in one thread of its own, each at most `seconds` after it was first asked for.

    Asking again for a key before its action ran changes nothing: an action saves whatever is there when it runs.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._due: dict[str, tuple[float, Callable[[], None]]] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False

    def soon(self, key: str, action: Callable[[], None]) -> None:
        """Have an action run; at once when this is closed. It must not raise."""
        with self._changed:
            closed = self._closed
            if key in self._due:
                return
            if not closed:
                self._add(key, action)
        if closed:
            action()

    def _add(self, key: str, action: Callable[[], None]) -> None:
        self._due[key] = (time.monotonic() + self._seconds, action)
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="saving chats", daemon=True)
            self._thread.start()
        self._changed.notify()

    def flush(self) -> None:
        """Run everything that is due or will be, now, in the caller's thread."""
        with self._changed:
            actions = [action for _, action in self._due.values()]
            self._due.clear()
        for action in actions:
            action()

    def close(self) -> None:
        """Run what is left and end the thread."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self.flush()

    def _work(self) -> None:
        while True:
            with self._changed:
                if self._closed:
                    return
                now = time.monotonic()
                ready = [key for key, (due, _) in self._due.items() if due <= now]
                actions = [self._due.pop(key)[1] for key in ready]
                if not actions:
                    next_due = min((due for due, _ in self._due.values()), default=None)
                    self._changed.wait(None if next_due is None else next_due - now)
            for action in actions:
                action()
