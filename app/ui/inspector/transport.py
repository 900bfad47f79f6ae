"""The timeline below the picture: what the token does, the tokens around it, the track of all of them, and the buttons."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractSlider, QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from app.inspection.finding import Query, read_query
from app.inspection.timeline import Moment
from app.inspection.words import chip, describe, written
from app.ui.inspector.paint import Palette, draw_centred, draw_left, draw_right
from app.ui.inspector.player import SPEEDS, Player
from app.ui.language import shown
from app.ui.theme import theme
from app.ui.widgets import Button, Elided, IconButton, Label, Segmented
from engine.machine.errors import InputError
from engine.machine.tokens import Token

CHIPS, CHIP, CHIP_GAP = 14, (44, 36), 3
NARROWEST = 2.5
"""Tokens have a mark each while a mark with its gap is so wide, in px; more tokens are a bar."""
HOST_SHARE = 0.16
LOOKS = {
    "EXEC": ("text.secondary", "text.secondary", "bg.canvas"),
    "VAL": ("computed.tint", "computed.line", "computed.text"),
    "MEM1": ("accent.tint", "accent.text", "accent.text"),
    "MEMV": ("accent.tint", "accent.text", "accent.text"),
    "FAULT": ("error.tint", "error.fill", "error.text"),
}
"""Fill, edge and ink by kind; all others are plain."""
PLAIN = ("bg.raised", "border.control", "text.primary")
BEYOND = ("bg.sunken", "border.subtle", "text.disabled")
HOST = ("bg.sunken", "border.default", "text.tertiary")


class TokenStrip(QWidget):
    """The tokens around the present one. `picked(position)` when one is clicked."""

    picked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tokens: tuple[Token, ...] = ()
        self._host = self._end = self._position = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Tokens"))

    def sizeHint(self) -> QSize:
        """One row of chips with room for the outline of the present one."""
        return QSize(CHIPS * CHIP[0], theme().px(CHIP[1]) + 6)

    def show_tokens(self, tokens: tuple[Token, ...], host: int, end: int, position: int) -> None:
        """Show the neighbourhood of a position. end: positions behind it cannot be reached"""
        self._tokens, self._host, self._end, self._position = tokens, host, end, position
        self.update()

    def _first(self) -> int:
        """The leftmost token; the present one stands in the middle where it can. Host tokens and the model's do not mix."""
        count = self._fits()
        low, high = (self._host, len(self._tokens)) if self._position >= self._host else (0, self._host)
        return min(max(self._position - count // 2, low), max(low, high - count))

    def _fits(self) -> int:
        return min(CHIPS, max(1, int((self.width() + CHIP_GAP) // (theme().px(CHIP[0]) + CHIP_GAP))))

    def _box(self, place: int) -> QRectF:
        width, count = theme().px(CHIP[0]), self._fits()
        pitch = (self.width() - 4 - width) / (count - 1) if count == CHIPS else width + CHIP_GAP
        return QRectF(round(2 + place * pitch) + 0.5, 3.5, width - 1, theme().px(CHIP[1]) - 1)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The chips."""
        painter, colors, font = QPainter(self), Palette(), theme().font("token")
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font)
        first = self._first()
        fits = int(theme().px(CHIP[0]) / QFontMetricsF(font).horizontalAdvance("0"))
        limit = len(self._tokens) if self._position >= self._host else self._host
        for place in range(min(self._fits(), limit - first)):
            index, box = first + place, self._box(place)
            token = self._tokens[index]
            fill, edge, ink = HOST if index < self._host else LOOKS.get(token.kind, PLAIN)
            if index >= self._end:
                fill, edge, ink = BEYOND
            painter.setPen(QPen(colors[edge], 1))
            painter.setBrush(colors[fill])
            painter.drawRoundedRect(box, 4, 4)
            if index == self._position:
                painter.setPen(QPen(colors["text.primary"], 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(box.adjusted(-1.5, -1.5, 1.5, 1.5), 5, 5)
            painter.setPen(colors[ink])
            kind, rest = chip(token)
            if not rest:
                draw_centred(painter, box, kind, "token")
                continue
            half = box.height() / 2
            draw_centred(painter, QRectF(box.left(), box.top() + 3, box.width(), half - 2), kind, "token")
            rest = rest if len(rest) <= fits else f"{rest[: fits - 1]}…"
            draw_centred(painter, QRectF(box.left(), box.top() + half, box.width(), half - 3), rest, "token")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the token below the pointer."""
        first = self._first()
        for place in range(self._fits()):
            if self._box(place).contains(event.position()) and first + place < self._end:
                self.picked.emit(first + place)


class Track(QAbstractSlider):
    """All tokens from left to right: the host's in a sixth, the model's in the rest. Drag the knob."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._host = self._known = self._total = 0
        self._painted: tuple[object, tuple[QPixmap, QPixmap]] | None = None
        self.setOrientation(Qt.Orientation.Horizontal)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Token"))

    def sizeHint(self) -> QSize:
        """Marks above, numbers below."""
        return QSize(400, theme().px(40))

    def show_progress(self, host: int, total: int, known: int) -> None:
        """host, total: numbers of tokens; known: positions that can be shown at once."""
        self._host, self._total, self._known = host, total, known
        self.setRange(0, max(0, total - 1))
        self.update()

    def _ends(self) -> tuple[float, float, float]:
        """Right edge of the host's part, left edge and right edge of the model's."""
        width = self.width() - 14
        return 7 + width * HOST_SHARE, 7 + width * HOST_SHARE + 8, 7 + width

    def _x(self, position: float) -> float:
        host_end, left, right = self._ends()
        if position < self._host:
            return 7 + (host_end - 7) * position / max(1, self._host)
        return left + (right - left) * (position - self._host) / max(1, self._total - self._host)

    def _position(self, x: float) -> int:
        host_end, left, right = self._ends()
        if x < (host_end + left) / 2:
            return int((x - 7) / (host_end - 7) * self._host)
        return self._host + int((x - left) / (right - left) * (self._total - self._host))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Marks, knob, numbers."""
        painter, colors, zoom = QPainter(self), Palette(), theme().zoom
        now, middle = self._x(self.value() + 0.5), 13 * zoom
        ahead, passed = self._marks()
        painter.drawPixmap(0, 0, ahead)
        painter.setClipRect(QRectF(0, 0, now, self.height()))
        painter.drawPixmap(0, 0, passed)
        painter.setClipping(False)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colors["accent.focus" if self.hasFocus() else "accent.fill"], 3 if self.hasFocus() else 2))
        painter.setBrush(colors["bg.raised"])
        painter.drawEllipse(QPointF(now, middle), 7, 7)
        painter.setFont(theme().font("token"))
        painter.setPen(colors["text.tertiary"])
        below = QRectF(0, 24 * zoom, self.width(), 16 * zoom)
        draw_left(painter, below, self.tr("host 1–{count}").format(count=self._host), "token")
        model = self.tr("model {first}").format(first=f"{self._host + 1:,}")
        draw_left(painter, below.translated(self._ends()[1], 0), model, "token")
        known = (
            self.tr("{known} of {total} worked out").format(known=f"{self._known:,}", total=f"{self._total:,}")
            if self._known < self._total
            else f"{self._total:,}"
        )
        draw_right(painter, below, known, "token")

    def _marks(self) -> tuple[QPixmap, QPixmap]:
        """The whole track as it looks before and after it was passed; painted anew only when it would look otherwise."""
        wanted = (self.size().toTuple(), self.devicePixelRatioF(), self._host, self._known, self._total, theme().scheme)
        if self._painted is None or self._painted[0] != wanted:
            self._painted = (
                wanted,
                (self._track(("border.default", "border.default")), self._track(("layer.base", "computed.fill"))),
            )
        return self._painted[1]

    def _track(self, colors: tuple[str, str]) -> QPixmap:
        ratio = self.devicePixelRatioF()
        drawn = QPixmap(self.size() * ratio)
        drawn.setDevicePixelRatio(ratio)
        drawn.fill(Qt.GlobalColor.transparent)
        painter = QPainter(drawn)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for first, end, color in ((0, self._host, colors[0]), (self._host, self._total, colors[1])):
            for left, right, known in self._pieces(first, end):
                painter.setBrush(theme().color(color if known else "border.subtle"))
                painter.drawRoundedRect(QRectF(left, 13 * theme().zoom - 3, right - left, 6), 1, 1)
        painter.end()
        return drawn

    def _pieces(self, first: int, end: int) -> list[tuple[float, float, bool]]:
        """Left edge, right edge, and whether it can be shown at once: a mark a token where there is room, else two bars."""
        if first == end:
            return []
        width = (self._x(end - 1e-6) - self._x(first)) / (end - first)
        if width < NARROWEST:
            known = min(max(self._known, first), end)
            bars = ((first, known, True), (known, end, False))
            return [(self._x(a), self._x(b - 1e-6), is_known) for a, b, is_known in bars if b > a]
        gap = 2.0 if width > 5 else width * 0.4
        return [(self._x(i), self._x(i + 1 - 1e-6) - gap, i < self._known) for i in range(first, end)]

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the knob there."""
        self.setSliderDown(True)
        self.mouseMoveEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag."""
        if self.isSliderDown():
            self.setSliderPosition(min(max(self._position(event.position().x()), 0), self.maximum()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go."""
        self.setSliderDown(False)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """A notch is a token."""
        self.setSliderPosition(self.value() - (1 if event.angleDelta().y() > 0 else -1))


class FindBar(QWidget):
    """Search and breakpoints. `asked(Query, direction)`, `breakpoint_asked(Query)`, `closed`."""

    asked = Signal(object, int)
    breakpoint_asked = Signal(object)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._player: Player | None = None
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 6)
        row.setSpacing(4)
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("out[2], word 520, r3, block 4 or token 120"))
        self.field.setAccessibleName(self.tr("Find a cell, a block or a token"))
        self.field.returnPressed.connect(lambda: self._ask(1))
        self._note = Elided("", "small", "text.tertiary")
        back = IconButton("chevron-up", self.tr("The one before"), 28)
        forth = IconButton("chevron-down", self.tr("The next one"), 28)
        self._stop = Button(self.tr("Stop there"), "secondary", size="small")
        self._stop.setToolTip(self.tr("Playing stops whenever this block runs or this cell is written"))
        close = IconButton("x", self.tr("Close"), 28)
        back.clicked.connect(lambda: self._ask(-1))
        forth.clicked.connect(lambda: self._ask(1))
        self._stop.clicked.connect(self._toggle)
        close.clicked.connect(self.closed)
        row.addWidget(self.field, 3)
        for widget in (back, forth, self._stop):
            row.addWidget(widget)
        row.addWidget(self._note, 2)
        row.addWidget(close)

    def show_player(self, player: Player) -> None:
        """Search this launch."""
        self._player = player
        self.show_breakpoints()

    def show_breakpoints(self) -> None:
        """Say where playing stops."""
        stops = [query.text for query in self._player.breakpoints.values()] if self._player else []
        self.say(self.tr("stops at {places}").format(places=", ".join(stops)) if stops else "")

    def say(self, text: str, error: bool = False) -> None:
        """A short note beside the field."""
        self._note.set_color("error.text" if error else "text.tertiary")
        self._note.setText(text)

    def _query(self) -> Query | None:
        if self._player is None:
            return None
        launch = self._player.launch
        try:
            return read_query(self.field.text(), launch.arrays, launch.program, len(self._player.timeline.tokens))
        except InputError as error:
            self.say(error.remedy, error=True)
            return None

    def _ask(self, direction: int) -> None:
        query = self._query()
        if query:
            self.asked.emit(query, direction)

    def _toggle(self) -> None:
        query = self._query()
        if query and query.place:
            self.breakpoint_asked.emit(query)
        elif query:
            self.say(self.tr("playing stops at blocks and cells, not at a token"), error=True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes it."""
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)


class Transport(QWidget):
    """All of the timeline for one player. The strip of tokens is shown where there is room for it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._player: Player | None = None
        self.setProperty("surface", "raised")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._code, self._words = Label("", "code"), Elided("", "ui", "text.secondary")
        self._count = Label("", "grid", "text.tertiary")
        self.strip, self.track, self.finder = TokenStrip(), Track(), FindBar()
        self.finder.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 8, 16, 8)
        column.setSpacing(4)
        line = QHBoxLayout()
        line.setSpacing(12)
        line.addWidget(self._code)
        line.addWidget(self._words, 1)
        line.addWidget(self._count)
        column.addWidget(self.finder)
        column.addLayout(line)
        column.addWidget(self.strip)
        column.addWidget(self.track)
        column.addLayout(self._buttons())
        self.track.valueChanged.connect(self._dragged)
        self.strip.picked.connect(self._picked)
        self.finder.closed.connect(self.finder.hide)

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(4)
        self._play = Button(self.tr("Play"), "primary", "play", "small")
        self._play.setMinimumWidth(theme().px(84))
        self._play.clicked.connect(lambda: self._player and self._player.toggle())
        row.addWidget(self._button("skip-back", self.tr("To the beginning"), "Home", lambda player: -player.position))
        row.addWidget(self._button("step-back", self.tr("One token back"), "←", lambda player: -1))
        row.addWidget(self._play)
        row.addWidget(self._button("step-forward", self.tr("One token on"), "→", lambda player: 1))
        row.addWidget(self._button("skip-forward", self.tr("To the end"), "End", lambda player: player.last - player.position))
        row.addSpacing(8)
        search = IconButton("search", self.tr("Find a cell, a block or a token"))
        search.set_name(search.accessibleName(), "G")
        search.clicked.connect(self.open_find)
        row.addWidget(search)
        row.addStretch(1)
        self._speed = Segmented([str(speed) for speed in SPEEDS], self.tr("Speed, tokens a second"))
        self._speed.set_index(1)
        self._units = (Label(self.tr("Speed"), "small", "text.tertiary"), Label(self.tr("tokens/s"), "small", "text.tertiary"))
        row.addWidget(self._units[0])
        row.addSpacing(4)
        row.addWidget(self._speed)
        row.addSpacing(4)
        row.addWidget(self._units[1])
        self._speed.chosen.connect(lambda index: self._player and self._player.set_speed(SPEEDS[index]))
        return row

    def _button(self, icon_name: str, name: str, keys: str, distance: Callable[[Player], int]) -> IconButton:
        """A button that moves by so many tokens."""
        button = IconButton(icon_name, name)
        button.set_name(name, keys)
        button.clicked.connect(lambda: self._player and self._player.step(distance(self._player)))
        return button

    def minimumSizeHint(self) -> QSize:
        """The buttons and the speeds."""
        return QSize(theme().px(440), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Units are said where there is room for them."""
        super().resizeEvent(event)
        for label in self._units:
            label.setVisible(event.size().width() >= theme().px(590))

    def show_player(self, player: Player) -> None:
        """Control another launch."""
        self._player = player
        self.finder.show_player(player)
        self._speed.set_index(SPEEDS.index(player.speed))
        player.playing_changed.connect(self._show_playing)
        player.worked.connect(self._show_worked)
        player.breakpoints_changed.connect(self.finder.show_breakpoints)
        player.waiting.connect(self._show_waiting)
        player.stopped_at.connect(self._show_stop)
        self._show_playing(False)
        self._show_worked()

    def open_find(self) -> None:
        """Show the search, ready to type."""
        self.finder.show()
        self.finder.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.finder.field.selectAll()

    def change_speed(self, direction: int) -> None:
        """The next faster or slower speed."""
        if self._player:
            index = min(max(self._speed.index() + direction, 0), len(SPEEDS) - 1)
            self._speed.set_index(index)
            self._player.set_speed(SPEEDS[index])

    def show_moment(self, moment: Moment) -> None:
        """Say what a token does, and where it stands."""
        player = self._player
        if player is None:
            return
        timeline = player.timeline
        self._code.setText(written(moment.token))
        text = shown(describe(moment, player.launch.program, player.launch.arrays))
        self._words.setText(text)
        own, of = (
            (moment.index + 1, timeline.host)
            if moment.source == "host"
            else (moment.index + 1 - timeline.host, len(timeline.tokens) - timeline.host)
        )
        what = self.tr("host token {own} of {of}") if moment.source == "host" else self.tr("token {own} of {of}")
        self._count.setText(what.format(own=f"{own:,}", of=f"{of:,}"))
        self.track.setAccessibleDescription(f"{written(moment.token)}. {text}")
        self.track.blockSignals(True)
        self.track.setValue(moment.index)
        self.track.blockSignals(False)
        if self.strip.isVisible() or not self.isVisible():
            self.strip.show_tokens(timeline.tokens, timeline.host, len(timeline), moment.index)

    def _show_worked(self) -> None:
        if self._player:
            timeline = self._player.timeline
            self.track.show_progress(timeline.host, len(timeline.tokens), timeline.known)

    def _show_playing(self, playing: bool) -> None:
        self._play.setText(self.tr("Pause") if playing else self.tr("Play"))
        self._play.set_icon("pause" if playing else "play")

    def _show_waiting(self, position: int) -> None:
        if position >= 0:
            self._words.setText(self.tr("Working out the machine up to token {position}…").format(position=f"{position + 1:,}"))

    def _show_stop(self, query: Query) -> None:
        self.finder.show()
        self.finder.say(self.tr("stopped at {place}").format(place=query.text))

    def _dragged(self, position: int) -> None:
        if self._player:
            self._player.pause()
            self._player.go(position)

    def _picked(self, position: int) -> None:
        if self._player:
            self._player.step(position - self._player.position)
