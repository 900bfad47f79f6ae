"""What stands above an answer: the row of its launches, and the attempts of the advanced mode."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QSizePolicy, QVBoxLayout, QWidget

from app.chats.model import Attempt
from app.chatting.launches import Launched, State, row_detail, row_state, row_title, running_detail
from app.ui.language import shown
from app.ui.theme import paint_icon, theme
from app.ui.widgets import Button, CodeText, CodeView, line

_ICONS: dict[State, tuple[str, str]] = {
    "running": ("cpu", "text.secondary"),
    "exact": ("cpu", "text.secondary"),
    "fault": ("circle-x", "error.text"),
    "differs": ("triangle-alert", "error.text"),
    "stopped": ("circle-slash", "text.secondary"),
}
_INKS: dict[State, str] = {
    "running": "text.secondary",
    "exact": "success.text",
    "fault": "error.text",
    "differs": "error.text",
    "stopped": "text.secondary",
}


class _Row(QAbstractButton):
    """One line of 32: icon, expression, what came of it, chevron; while something runs, its progress and a stop button."""

    stop_asked = Signal()

    def __init__(self, framed: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._framed = framed
        self._launches: Sequence[Launched] = ()
        self._opened = self._unfolds = False
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._stop = Button(self.tr("Stop"), "secondary", "square", "small", self)
        self._stop.setAccessibleName(self.tr("Stop this launch"))
        self._stop.clicked.connect(self.stop_asked)
        self._stop.hide()
        theme().changed.connect(self.updateGeometry)

    def show_launches(self, launches: Sequence[Launched], opened: bool, unfolds: bool) -> None:
        self._launches, self._opened, self._unfolds = launches, opened, unfolds
        if not launches:
            return
        self._stop.setVisible(self._state == "running")
        self._place_stop()
        self.setAccessibleName(f"{row_title(launches)}: {shown(row_detail(launches))}, {self._status()}")
        self.setToolTip(row_title(launches) if len(row_title(launches)) > 60 else "")
        self.update()

    @property
    def _state(self) -> State:
        return row_state(self._launches) if self._launches else "exact"

    def _status(self) -> str:
        worst = next(launch for launch in self._launches if launch.state == self._state)
        return shown(running_detail(worst) if self._state == "running" else worst.status)

    def sizeHint(self) -> QSize:
        return QSize(200, theme().px(32))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place_stop()

    def _place_stop(self) -> None:
        hint = self._stop.sizeHint()
        self._stop.resize(hint)
        self._stop.move(self.width() - hint.width() - 3, (self.height() - hint.height()) // 2)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._launches:
            return
        colors, state, px = theme(), self._state, theme().px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        if self._framed:
            painter.setBrush(colors.color("bg.hover" if self.underMouse() and state != "running" else "bg.raised"))
            painter.setPen(QPen(colors.color("computed.line" if self._opened else "border.subtle"), 1))
            painter.drawRoundedRect(box, 6, 6)
        elif self.underMouse() or self._opened:
            painter.fillRect(self.rect(), colors.color("computed.tint" if self._opened else "bg.hover"))
        middle, right = self.height() / 2, float(self.width() - px(10))
        name, ink = _ICONS[state]
        paint_icon(painter, name, ink, px(9), middle - px(16) / 2, px(16))
        if state == "running":
            right = self._stop.x() - px(8)
        else:
            side = px(14)
            if self._unfolds or any(launch.id for launch in self._launches):
                chevron = "chevron-down" if self._unfolds and self._opened else "chevron-right"
                paint_icon(painter, chevron, "text.secondary", right - side, middle - side / 2, side)
                right -= side + px(6)
        right = self._paint_status(painter, state, right)
        left = px(33)
        font = colors.font("grid")
        painter.setFont(font)
        painter.setPen(colors.color("text.primary"))
        room = max(0, int(right - px(12) - left))
        title = QFontMetrics(font).elidedText(row_title(self._launches), Qt.TextElideMode.ElideRight, room)
        painter.drawText(QRectF(left, 0, room, self.height()), Qt.AlignmentFlag.AlignVCenter, title)

    def _paint_status(self, painter: QPainter, state: State, right: float) -> float:
        """Draws from the right; where the next thing may end."""
        colors, px = theme(), theme().px
        font = colors.font("small")
        painter.setFont(font)
        metrics, middle = QFontMetrics(font), self.height() / 2

        def text(words: str, ink: str, right: float, most: float) -> float:
            words = metrics.elidedText(words, Qt.TextElideMode.ElideRight, int(most))
            width = metrics.horizontalAdvance(words)
            painter.setPen(colors.color(ink))
            painter.drawText(QRectF(right - width, 0, width + 1, self.height()), Qt.AlignmentFlag.AlignVCenter, words)
            return right - width

        right = text(self._status(), _INKS[state], right, self.width() * 0.55)
        if state == "exact":
            side = px(14)
            paint_icon(painter, "check", "success.text", right - side - px(4), middle - side / 2, side)
            right = text(f"{shown(row_detail(self._launches))} · ", "text.secondary", right - side - px(4), self.width() * 0.4)
        elif state == "running":
            right = self._paint_progress(painter, right - px(12))
        return right

    def _paint_progress(self, painter: QPainter, right: float) -> float:
        """The share of the prompt that is read; then a mark that moves when a token comes, and only then."""
        running = next(launch for launch in self._launches if launch.state == "running")
        width, height, px = theme().px(48), 4, theme().px
        track = QRectF(right - width, self.height() / 2 - height / 2, width, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().color("bg.selected"))
        painter.drawRoundedRect(track, 2, 2)
        painter.setBrush(theme().color("computed.fill"))
        share = (running.tokens % 64) / 64
        mark = QRectF(track.left() + share * (width - px(14)), track.top(), px(14), height)
        painter.drawRoundedRect(mark, 2, 2)
        return track.left()


class LaunchRow(QFrame):
    """The launches of a reply: one opens its record, several unfold to a list. opened(launch), stop_asked."""

    opened = Signal(str)
    stop_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._launches: tuple[Launched, ...] = ()
        self._open: frozenset[str] = frozenset()
        self._unfolded = False
        self._head = _Row(True)
        self._head.clicked.connect(self._clicked)
        self._head.stop_asked.connect(self.stop_asked)
        self._rows: list[_Row] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self._head)

    def show_launches(self, launches: Sequence[Launched], opened: frozenset[str]) -> None:
        """Show these. opened: which are open in the inspector."""
        self._launches, self._open = tuple(launches), opened
        several = len(launches) > 1
        self._head.show_launches(launches, self._unfolded if several else bool(launches) and launches[0].id in opened, several)
        while len(self._rows) > (len(launches) if several and self._unfolded else 0):
            self._rows.pop().deleteLater()
        if several and self._unfolded:
            for index, launch in enumerate(launches):
                if index == len(self._rows):
                    row = _Row(False)
                    row.clicked.connect(lambda _=False, place=index: self._open_one(place))
                    self._rows.append(row)
                    self._column.addWidget(row)
                self._rows[index].show_launches((launch,), launch.id in opened, False)

    def _clicked(self) -> None:
        if len(self._launches) > 1:
            self._unfolded = not self._unfolded
            self.show_launches(self._launches, self._open)
        elif self._launches:
            self._open_one(0)

    def _open_one(self, place: int) -> None:
        if place < len(self._launches) and self._launches[place].id and self._launches[place].state != "running":
            self.opened.emit(self._launches[place].id)


class _AttemptHead(QAbstractButton):
    def __init__(self, attempt: Attempt, detail: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._attempt, self._detail = attempt, detail
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(f"{self._title()}: {self._outcome()}")

    def _title(self) -> str:
        return self.tr("Attempt {number}").format(number=self._attempt.number)

    def _outcome(self) -> str:
        return self._attempt.error.splitlines()[0] if self._attempt.error else self.tr("ran, replay exact")

    def sizeHint(self) -> QSize:
        return QSize(200, theme().px(36))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, px, middle = QPainter(self), theme().px, self.height() / 2
        if self.underMouse():
            painter.fillRect(self.rect().adjusted(1, 1, -1, -1), theme().color("bg.hover"))
        side = px(14)
        chevron = "chevron-down" if self.isChecked() else "chevron-right"
        paint_icon(painter, chevron, "text.secondary", px(9), middle - side / 2, side)
        name, ink = ("circle-x", "error.text") if self._attempt.error else ("circle-check", "success.text")
        paint_icon(painter, name, ink, px(32), middle - px(9), px(18))
        left, right = px(59), self.width() - px(12)
        painter.setFont(theme().font("small"))
        metrics = QFontMetrics(painter.font())
        width = metrics.horizontalAdvance(self._detail)
        painter.setPen(theme().color("text.tertiary"))
        painter.drawText(QRectF(right - width, 0, width + 1, self.height()), Qt.AlignmentFlag.AlignVCenter, self._detail)
        for words, style, color in ((self._title(), "ui_medium", "text.primary"), (self._outcome(), "ui", "text.secondary")):
            painter.setFont(theme().font(style))
            painter.setPen(theme().color(color))
            metrics = QFontMetrics(painter.font())
            room = max(0, right - width - px(12) - left)
            words = metrics.elidedText(words, Qt.TextElideMode.ElideRight, room)
            painter.drawText(QRectF(left, 0, room, self.height()), Qt.AlignmentFlag.AlignVCenter, words)
            left += metrics.horizontalAdvance(words) + px(8)


class _AttemptItem(QWidget):
    opened = Signal(str)

    def __init__(self, attempt: Attempt, detail: str, open_now: bool) -> None:
        super().__init__()
        self.attempt = attempt
        self._head = _AttemptHead(attempt, detail)
        self._body: QWidget | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self._head)
        self._head.toggled.connect(self._toggle)
        self._head.setChecked(open_now)

    def fold(self) -> None:
        self._head.setChecked(False)

    def _toggle(self, on: bool) -> None:
        if on and self._body is None:
            self._body = QWidget()
            column = QVBoxLayout(self._body)
            column.setContentsMargins(theme().px(35), 0, 12, 12)
            column.setSpacing(8)
            if self.attempt.error:
                frame = QFrame()
                frame.setProperty("kind", "panel")
                inside = QVBoxLayout(frame)
                inside.setContentsMargins(1, 1, 1, 1)
                message = CodeText("text", max_lines=8, style="grid")
                message.set_code(self.attempt.error)
                message.setAccessibleName(self.tr("What the compiler said"))
                inside.addWidget(message)
                column.addWidget(frame)
            if self.attempt.record:
                step = Button(self.tr("Step to the fault"), "secondary", "panel-right", "small")
                step.clicked.connect(lambda: self.opened.emit(self.attempt.record))
                column.addWidget(step, 0, Qt.AlignmentFlag.AlignLeft)
            title = f"attempt {self.attempt.number}.cu"
            column.addWidget(CodeView(self.attempt.source.rstrip(), "cuda", title, numbers=True, max_lines=16))
            self._column.addWidget(self._body)
        elif self._body is not None:
            self._body.setVisible(on)


class AttemptsCard(QFrame):
    """The kernels that the model wrote, folded except the last failed one while the next is being written.

    opened(record): show the launch of an attempt that the machine stopped
    """

    opened = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "card")
        self.setAccessibleName(self.tr("Attempts"))
        self._items: list[_AttemptItem] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(1, 1, 1, 1)
        self._column.setSpacing(0)

    def show_attempts(self, attempts: Sequence[Attempt], running: bool, tokens: int) -> None:
        """Show these. tokens: of the launch that worked."""
        for attempt in attempts[len(self._items) :]:
            for item in self._items:
                item.fold()
            if self._items:
                self._column.addWidget(line())
            detail = "" if attempt.error or not tokens else self.tr("{tokens} tokens").format(tokens=f"{tokens:,}")
            item = _AttemptItem(attempt, detail, running and attempt.error is not None)
            item.opened.connect(self.opened)
            self._items.append(item)
            self._column.addWidget(item)
        if not running:
            for item in self._items if not self._settled else ():
                item.fold()
            self._settled = True

    _settled = False
