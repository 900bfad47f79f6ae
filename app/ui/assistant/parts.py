"""What the assistant's pages are made of: state icons, rows of a check, bars that only move when told, the trace of a speed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLayout, QProgressBar, QSizePolicy, QStackedLayout, QVBoxLayout, QWidget

from app.ui.theme import theme
from app.ui.widgets import Elided, Icon, Label, Paragraph, Spinner

State = Literal["todo", "running", "done", "warning", "error"]
ICONS = {"todo": ("circle-dashed", "text.tertiary"), "done": ("circle-check", "success.text"),
         "warning": ("triangle-alert", "warning.text"), "error": ("circle-x", "error.text")}
STEPS = 1000
"""How finely a bar is divided."""


class StateIcon(QWidget):
    """To do, running, done, warning or error: an icon of its own for each."""

    def __init__(self, side: int = 18, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon, self._spinner = Icon("circle-dashed", "text.tertiary", side), Spinner(side)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._icon)
        self._stack.addWidget(self._spinner)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_state("todo")

    @property
    def state(self) -> State:
        """What it shows."""
        return self._state

    def set_state(self, state: State) -> None:
        """Show another state."""
        self._state = state
        names = {"todo": self.tr("Not started"), "running": self.tr("Running"), "done": self.tr("Done"),
                 "warning": self.tr("Warning"), "error": self.tr("Error")}
        self.setAccessibleName(names[state])
        if state != "running":
            self._icon.set_icon(*ICONS[state])
        self._stack.setCurrentWidget(self._spinner if state == "running" else self._icon)


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

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The tint."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().color(f"{self._tone}.tint"))
        painter.drawRoundedRect(self.rect(), 6, 6)


class CheckRow(QWidget):
    """A row of a card: state, title, a sentence, a value at the right, and below them whatever `extra` holds."""

    def __init__(self, title: str, parent: QWidget | None = None, dense: bool = False) -> None:
        super().__init__(parent)
        self.icon = StateIcon()
        self.title = Label(title, "ui_medium")
        self.sentence = Paragraph("", "ui", "text.secondary")
        self.value = Label("", "grid")
        self.extra = QVBoxLayout()
        self.extra.setContentsMargins(0, 4, 0, 0)
        head = QHBoxLayout()
        head.setSpacing(12)
        head.addWidget(self.title)
        head.addStretch(1)
        head.addWidget(self.value)
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addLayout(head)
        column.addWidget(self.sentence)
        column.addLayout(self.extra)
        row = QHBoxLayout(self)
        margin = 10 if dense else 14
        row.setContentsMargins(16, margin, 16, margin)
        row.setSpacing(12)
        row.addWidget(self.icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(column, 1)

    def show_state(self, state: State, sentence: str = "", value: str = "") -> None:
        """Show how the check went."""
        self.icon.set_state(state)
        self.sentence.setText(sentence)
        self.sentence.setVisible(bool(sentence))
        self.value.setText(value)
        self.setAccessibleName(f"{self.title.text()}: {self.icon.accessibleName()}. {sentence}")


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
        self._trace = tuple(trace[-self.SECONDS:])
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
        line = QPolygonF([QPointF(left + step * i, bottom - 1 - value / top * (self.height() - 8))
                          for i, value in enumerate(self._trace)])
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
        self.text = Paragraph(text, style, "text.secondary")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(Icon(icon_name, "text.secondary"), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.text, 1)


class FileRow(QWidget):
    """A file of the download: state, name, a bar while it comes, a word, its size."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(theme().px(40))
        self.icon, self.name = StateIcon(), Elided(name, "grid")
        self.bar = Bar(self.tr("Progress of {file}").format(file=name))
        self.bar.setFixedWidth(120)
        self.word, self.size = Label("", "small", "text.tertiary"), Label("", "grid", "text.secondary")
        for label, width in ((self.word, 110), (self.size, 72)):
            label.setMinimumWidth(theme().px(width))
            label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 16, 0)
        row.setSpacing(12)
        for widget in (self.icon, self.name, self.bar, self.word, self.size):
            row.addWidget(widget, 1 if widget is self.name else 0)

    def show_state(self, state: State, word: str, size: str, fraction: float | None = None) -> None:
        """Show how far the file is; no bar without a fraction."""
        self.icon.set_state(state)
        self.word.setText(word)
        self.size.setText(size)
        self.bar.setVisible(fraction is not None)
        if fraction is not None:
            self.bar.set_fraction(fraction)
        self.setAccessibleName(f"{self.name.text()}: {word}, {size}")


def clear(layout: QLayout) -> None:
    """Take everything out of a layout and delete it."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
        elif (inner := item.layout()) is not None:
            clear(inner)
