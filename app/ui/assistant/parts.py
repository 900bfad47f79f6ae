"""What the assistant's pages are made of: state icons, bars that only move when told, the trace of a speed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QSizePolicy, QStackedLayout, QVBoxLayout, QWidget

from app.ui.theme import theme
from app.ui.widgets import Icon, Label, Paragraph, Spinner

State = Literal["todo", "running", "done", "warning", "error", "paused"]
ICONS = {
    "todo": ("circle-dashed", "text.tertiary"),
    "running": ("loader-circle", "accent.text"),
    "done": ("circle-check", "success.text"),
    "warning": ("triangle-alert", "warning.text"),
    "error": ("circle-x", "error.text"),
    "paused": ("pause", "text.secondary"),
}
STEPS = 1000
"""How finely a bar is divided."""


class StateIcon(QWidget):
    """To do, running, done, warning or error: an icon of its own for each."""

    def __init__(self, side: int = 18, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._side = side
        self._state: State = "todo"
        self._icon, self._spinner = Icon("circle-dashed", "text.tertiary", side), Spinner(side)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._icon)
        self._stack.addWidget(self._spinner)
        theme().changed.connect(self.restyle)
        self.restyle()

    @property
    def state(self) -> State:
        """What it shows."""
        return self._state

    def restyle(self) -> None:
        """Take size and motion from the theme."""
        self.setFixedSize(theme().px(self._side), theme().px(self._side))
        self.set_state(self._state)

    def set_state(self, state: State) -> None:
        """Show another state. Nothing turns where the user wants no motion."""
        self._state = state
        names = {
            "todo": self.tr("Not started"),
            "running": self.tr("Running"),
            "done": self.tr("Done"),
            "warning": self.tr("Warning"),
            "error": self.tr("Error"),
            "paused": self.tr("Paused"),
        }
        self.setAccessibleName(names[state])
        turning = state == "running" and not theme().reduced_motion
        if not turning:
            self._icon.set_icon(*ICONS[state])
        self._stack.setCurrentWidget(self._spinner if turning else self._icon)


class Bar(QProgressBar):
    """A bar that stands where it was put and never moves by itself."""

    def __init__(self, name: str, computed: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextVisible(False)
        self.setRange(0, STEPS)
        self.setAccessibleName(name)
        if computed:
            self.setProperty("tone", "computed")

    def set_fraction(self, fraction: float) -> None:
        """Show a share from 0 to 1."""
        self.setValue(int(fraction * STEPS))


class TintBox(QFrame):
    """A box in a tone's tint with room for text; lay out inside `body`."""

    def __init__(self, tone: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tone = tone
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(12, 10, 12, 10)
        self.body.setSpacing(6)
        theme().changed.connect(self.update)

    def set_tone(self, tone: str) -> None:
        """Use another tint."""
        self._tone = tone
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The tint."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().color(f"{self._tone}.tint"))
        painter.drawRoundedRect(self.contentsRect(), 6, 6)


class SpeedTrace(QWidget):
    """Bytes a second over the last two minutes as a line; a gap in the network is a gap in the line's height."""

    SECONDS = 120
    HEIGHT = 46

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._trace: tuple[float, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.update)

    @property
    def trace(self) -> tuple[float, ...]:
        """What is drawn."""
        return self._trace

    def show_trace(self, trace: Sequence[float]) -> None:
        """Draw these numbers, one a second, the newest last."""
        self._trace = tuple(trace[-self.SECONDS :])
        self.update()

    def sizeHint(self) -> QSize:
        """As wide as there is room."""
        return QSize(200, self.HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The line above its axis."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        bottom = self.height() - 0.5
        painter.setPen(QPen(theme().color("border.default"), 1))
        painter.drawLine(QPointF(0, bottom), QPointF(self.width(), bottom))
        if len(self._trace) < 2:
            return
        top = max(self._trace) or 1.0
        step = self.width() / (self.SECONDS - 1)
        left = self.width() - step * (len(self._trace) - 1)
        line = QPolygonF(
            [QPointF(left + step * i, bottom - 1 - value / top * (self.height() - 8)) for i, value in enumerate(self._trace)]
        )
        painter.setPen(QPen(theme().color("accent.text"), 1.5))
        painter.drawPolyline(line)


class Readout(QWidget):
    """A large percentage with what it means beside it, and what is left at the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.percent, self.detail = Label("", "readout"), Label("", "ui", "text.secondary")
        self.aside, self.left = Label("", "ui", "text.secondary"), Label("", "ui", "text.secondary")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(16)
        row.addWidget(self.percent, 0, Qt.AlignmentFlag.AlignBaseline)
        row.addWidget(self.detail, 0, Qt.AlignmentFlag.AlignBaseline)
        row.addStretch(1)
        row.addWidget(self.aside, 0, Qt.AlignmentFlag.AlignBaseline)
        row.addWidget(self.left, 0, Qt.AlignmentFlag.AlignBaseline)

    def show_texts(self, percent: str, detail: str, aside: str = "", left: str = "") -> None:
        """Show other texts."""
        for label, text in ((self.percent, percent), (self.detail, detail), (self.aside, aside), (self.left, left)):
            label.setText(text)
            label.setVisible(bool(text))
        self.setAccessibleName(", ".join(text for text in (percent, detail, aside, left) if text))


class InfoLine(QWidget):
    """A sentence with a small icon before it."""

    def __init__(self, text: str, icon_name: str = "info", style: str = "ui", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.icon, self.text = Icon(icon_name, "text.secondary"), Paragraph(text, style, "text.secondary")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addLayout(level_with_text(self.icon))
        row.addWidget(self.text, 1)

    def show_note(self, text: str, icon_name: str, color: str) -> None:
        """Show another sentence with another sign."""
        self.icon.set_icon(icon_name, color)
        self.text.setText(text)
        self.text.set_color(color)


def level_with_text(icon: Icon) -> QVBoxLayout:
    """An icon beside the first line of a paragraph."""
    column = QVBoxLayout()
    column.setContentsMargins(0, 4, 0, 0)
    column.addWidget(icon)
    column.addStretch(1)
    return column
