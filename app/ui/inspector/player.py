"""Where in a launch one looks, and how that moves: steps, play, breakpoints, search. Works ahead while nothing else happens."""

from __future__ import annotations

from time import perf_counter

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.inspection.finding import Index, Place, Query
from app.inspection.ledger import Verdict
from app.inspection.records import Launch
from app.inspection.timeline import Moment, Timeline

SPEEDS = (1, 4, 16, 60)
"""Tokens a second."""
FRAME = 16
"""Milliseconds between two slices of background work."""
SLICE = 0.008
"""Seconds of a slice: half a frame, so that painting has the rest."""
AT_ONCE = 0.06
"""Seconds that going to a position may take; what is further away is waited for, with the window alive."""
CHUNK = 16
"""Tokens between two looks at the clock."""


class Player(QObject):
    """One launch and the present token. `moved(Moment)` is emitted for every position that is shown.

    worked: further positions were worked out (for the track, the verdict, and whoever waits)
    waiting(position): this position is not reached yet and will be shown as soon as it is; -1 when nothing is waited for
    """

    moved = Signal(object)
    playing_changed = Signal(bool)
    worked = Signal()
    waiting = Signal(int)
    breakpoints_changed = Signal()
    stopped_at = Signal(object)

    def __init__(self, launch: Launch, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.launch = launch
        self.timeline = Timeline(launch.program, launch.prompt, launch.generated)
        self.index = Index(launch.program, self.timeline.tokens)
        self.breakpoints: dict[Place, Query] = {}
        self.moment: Moment | None = None
        self._wanted: int | None = None
        self._speed = SPEEDS[1]
        self._clock = QTimer(self, timerType=Qt.TimerType.PreciseTimer)
        self._clock.timeout.connect(self._tick)
        self._ahead = QTimer(self, interval=FRAME)
        self._ahead.timeout.connect(self._work)
        self._ahead.start()

    @property
    def position(self) -> int:
        """The token that is shown, from 0."""
        return self.moment.index if self.moment else 0

    @property
    def last(self) -> int:
        """The last position that there is."""
        return len(self.timeline) - 1

    @property
    def verdict(self) -> Verdict:
        """What replaying has found up to now."""
        known = max(0, self.timeline.known - self.timeline.host)
        return Verdict(known, len(self.timeline.tokens) - self.timeline.host, self.timeline.difference)

    # ------------------------------------------------------------ moving
    def go(self, position: int) -> None:
        """Show a position; one that is far ahead is shown when it has been worked out."""
        position = min(max(position, 0), self.last)
        self._work_out(position + 1, perf_counter() + AT_ONCE)
        if position >= self.timeline.known and not self.timeline.complete:
            if self.moment is None:
                self.moment = self.timeline.moment(0)
                self.moved.emit(self.moment)
            self._wanted = position
            self.waiting.emit(position)
            return
        self._stop_waiting()
        try:
            self.moment = self.timeline.moment(position)
        except IndexError:  # the stream leaves the machine here
            self.moment = self.timeline.moment(self.last)
        self.moved.emit(self.moment)

    def step(self, tokens: int) -> None:
        """So many tokens forwards, or backwards."""
        self.pause()
        self.go(self.position + tokens)

    def step_block(self, direction: int) -> None:
        """To the next EXEC, or to the one before."""
        self.pause()
        tokens = self.timeline.tokens
        there = range(self.position + 1, self.last + 1) if direction > 0 else range(self.position - 1, -1, -1)
        self.go(next((i for i in there if tokens[i].kind == "EXEC"), self.last if direction > 0 else 0))

    def find(self, query: Query, direction: int) -> bool:
        """Go to the next (or previous) token that touches what was asked for; False when there is none."""
        self.pause()
        if query.position is not None:
            self.go(query.position)
            return True
        assert query.place is not None
        found = (self.index.after if direction > 0 else self.index.before)(query.place, self.position)
        if found is not None:
            self.go(found)
        return found is not None

    # ------------------------------------------------------------ playing
    @property
    def playing(self) -> bool:
        """Whether it moves by itself."""
        return self._clock.isActive()

    @property
    def speed(self) -> int:
        """Tokens a second."""
        return self._speed

    def set_speed(self, speed: int) -> None:
        """Tokens a second, one of SPEEDS."""
        self._speed = speed
        self._clock.setInterval(round(1000 / speed))

    def play(self) -> None:
        """Move on by itself; at the end, from the model's first token."""
        if self.position >= self.last:
            self.go(min(self.timeline.host, self.last))
        self._clock.start(round(1000 / self._speed))
        self.playing_changed.emit(True)

    def pause(self) -> None:
        """Stand still."""
        if self.playing:
            self._clock.stop()
            self.playing_changed.emit(False)

    def toggle(self) -> None:
        """Play or pause."""
        (self.pause if self.playing else self.play)()

    def toggle_breakpoint(self, query: Query) -> None:
        """Stop whenever this block runs or this cell is written, or no longer."""
        if query.place is None:
            return
        if self.breakpoints.pop(query.place, None) is None:
            self.breakpoints[query.place] = query
        self.breakpoints_changed.emit()

    def _tick(self) -> None:
        if self._wanted is not None:
            return
        if self.position >= self.last:
            self.pause()
            return
        self.go(self.position + 1)
        hit = next((query for place, query in self.breakpoints.items() if self._touches(place)), None)
        if hit is not None:
            self.pause()
            self.stopped_at.emit(hit)

    def _touches(self, place: Place) -> bool:
        moment = self.moment
        if moment is None:
            return False
        if place[0] == "block":
            return moment.token.kind == "EXEC" and moment.token.fields[0] == place[1]
        return any(place == (c.place[0], c.place[1] if c.place[0] == "memory" else c.place[2]) for c in moment.changes)

    # ------------------------------------------------------------ working ahead
    def _work(self) -> None:
        self._work_out(len(self.timeline), perf_counter() + SLICE * (1.6 if self._wanted is not None else 1.0))
        if not self.index.complete:
            self.index.extend(100 * CHUNK)
        self.worked.emit()
        if self._wanted is not None and (self.timeline.known > self._wanted or self.timeline.complete):
            self.go(self._wanted)
        if self.timeline.complete and self.index.complete:
            self._ahead.stop()

    def _work_out(self, positions: int, until: float) -> None:
        """Work out positions until there are so many, or until it is that late."""
        while self.timeline.known < positions and not self.timeline.complete and perf_counter() < until:
            self.timeline.advance(min(CHUNK, positions - self.timeline.known))

    def _stop_waiting(self) -> None:
        if self._wanted is not None:
            self._wanted = None
            self.waiting.emit(-1)
