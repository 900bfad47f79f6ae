"""Speed and time left, from bytes that arrived and nothing else."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

WINDOW = 8.0
"""Seconds that the speed is taken over."""
TRACE = 120
"""Seconds that the trace shows."""


class Rate:
    """Counts bytes. clock: monotonic seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: deque[tuple[float, int]] = deque()
        self._begun = self._last = clock()
        self._seconds: deque[int] = deque([0], maxlen=TRACE)
        self._second = int(self._begun)

    def moved(self, count: int) -> None:
        """So many bytes arrived now."""
        now = self._clock()
        self._advance(now)
        self._seen.append((now, count))
        self._seconds[-1] += count
        self._last = now

    def started(self) -> None:
        """A connection begins: what was before says nothing of its speed."""
        self._seen.clear()
        self._begun = self._last = self._clock()

    @property
    def quiet(self) -> float:
        """Seconds since bytes arrived last, or since the connection began."""
        return self._clock() - self._last

    @property
    def speed(self) -> float:
        """Bytes a second of the last seconds; 0 when nothing came in them."""
        now = self._clock()
        while self._seen and self._seen[0][0] < now - WINDOW:
            self._seen.popleft()
        span = min(WINDOW, now - self._begun)
        return sum(count for _, count in self._seen) / span if self._seen and span > 0 else 0.0

    def trace(self) -> tuple[float, ...]:
        """Bytes of each of the last seconds, the present one last."""
        self._advance(self._clock())
        return tuple(map(float, self._seconds))

    def _advance(self, now: float) -> None:
        for _ in range(min(int(now) - self._second, TRACE)):
            self._seconds.append(0)
        self._second = int(now)
