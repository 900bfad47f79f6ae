"""What holds other widgets: card, fault card, notice bar, dialog."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QEnterEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.ui.theme import pixmap, theme
from app.ui.widgets.buttons import Button, IconButton
from app.ui.widgets.controls import TONE_ICONS, Tone
from app.ui.widgets.text import Elided, Label


class Icon(QLabel):
    """An icon that only shows something. name: what it means, when no text beside it says so."""

    def __init__(
        self, icon_name: str, color: str = "text.secondary", side: int = 16, name: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._icon_name, self._color, self._side = icon_name, color, side
        self.setAccessibleName(name)
        theme().changed.connect(self.restyle)
        self.restyle()

    def set_icon(self, icon_name: str, color: str | None = None) -> None:
        """Show another one."""
        self._icon_name, self._color = icon_name, color or self._color
        self.restyle()

    def restyle(self) -> None:
        """Take size and colour from the theme."""
        side = theme().px(self._side)
        self.setFixedSize(side, side)
        self.setPixmap(pixmap(self._icon_name, self._color, side, self.devicePixelRatioF()))


class Card(QFrame):
    """A raised surface with an edge; lay out inside `body`."""

    def __init__(self, margin: int = 16, spacing: int = 8, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "card")
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(margin, margin, margin, margin)
        self.body.setSpacing(spacing)


class FaultCard(QFrame):
    """A card with a bar at its left in the error's colour."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(20, 14, 20, 14)
        self.body.setSpacing(8)
        theme().changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The surface, its edge and the bar."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        path = QPainterPath()
        path.addRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        painter.fillPath(path, theme().color("bg.raised"))
        painter.setPen(QPen(theme().color("border.subtle"), 1))
        painter.drawPath(path)
        painter.setClipPath(path)
        painter.fillRect(0, 0, 4, self.height(), theme().color("error.fill"))


class Notice(QFrame):
    """A tinted line with an icon, at most one action and a way to close it. `acted` when the action is taken.

    With `seconds` it leaves by itself, but never while the pointer is over it.
    """

    acted = Signal()
    closed = Signal()

    def __init__(
        self, text: str, tone: Tone = "accent", action: str = "", seconds: float | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._tone = tone
        self.setMinimumHeight(theme().px(36))
        self.setAccessibleName(text)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 2, 4, 2)
        row.setSpacing(8)
        row.addWidget(Icon(TONE_ICONS.get(tone, "info"), f"{tone}.text"))
        row.addWidget(Elided(text), 1)
        if action:
            button = Button(action, "link")
            button.clicked.connect(self._act)
            row.addWidget(button)
        dismiss = IconButton("x", self.tr("Dismiss"), 28, 14)
        dismiss.clicked.connect(self.close_notice)
        row.addWidget(dismiss)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.close_notice)
        if seconds is not None:
            self._timer.setInterval(round(seconds * 1000))
            self._timer.start()
        self._timed = seconds is not None
        theme().changed.connect(self.update)

    def close_notice(self) -> None:
        """Take it away."""
        self._timer.stop()
        self.hide()
        self.closed.emit()

    def _act(self) -> None:
        self.acted.emit()
        self.close_notice()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Whoever points at it is still reading."""
        self._timer.stop()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Count again from the start."""
        if self._timed:
            self._timer.start()
        super().leaveEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The tint."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().color(f"{self._tone}.tint"))
        painter.drawRoundedRect(self.rect(), 6, 6)


class Dialog(QDialog):
    """Title, `body`, and a row of buttons at the right. Show it with `open()`: in a nested loop no answer would arrive."""

    def __init__(self, title: str, parent: QWidget | None = None, width: int = 440) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(theme().px(width))
        outer = QVBoxLayout(self)
        outer.setContentsMargins(24, 20, 24, 20)
        outer.setSpacing(16)
        outer.addWidget(Label(title, "title"))
        self.body = QVBoxLayout()
        self.body.setSpacing(12)
        outer.addLayout(self.body, 1)
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(8)
        self._buttons.addStretch(1)
        outer.addLayout(self._buttons)

    def add_button(self, text: str, kind: str = "secondary", icon_name: str | None = None, left: bool = False) -> Button:
        """A button of the row; connect its `clicked`. The primary one answers Enter."""
        button = Button(text, kind, icon_name)  # type: ignore[arg-type]
        if kind in ("primary", "danger"):
            button.setAutoDefault(True)
            button.setDefault(True)
        self._buttons.insertWidget(0 if left else self._buttons.count(), button)
        return button
