"""Choices and states: switch, segmented control, chip, spinner, line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import (
    Property,
    QEasingCurve,
    QElapsedTimer,
    QPoint,
    QPointF,
    QPropertyAnimation,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QHideEvent, QKeyEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QFrame, QHBoxLayout, QSizePolicy, QWidget

from app.ui.theme import paint_icon, theme

Tone = Literal["neutral", "success", "warning", "error", "accent", "computed"]
TONE_ICONS = {"success": "circle-check", "warning": "triangle-alert", "error": "circle-x", "accent": "info"}
"""What stands beside the colour, since colour never speaks alone."""


class Switch(QAbstractButton):
    """On or off, at once. name: its accessible name; a label beside it says the same."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._place = 0.0
        self._motion = QPropertyAnimation(self, b"place", self)
        self._motion.setEasingCurve(QEasingCurve.Type.OutCubic)
        self.setCheckable(True)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.toggled.connect(self._move)
        theme().changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        """The tokens' size."""
        return theme().extent("switch")

    def hitButton(self, place: QPoint) -> bool:
        """All of it can be clicked."""
        return self.rect().contains(place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter switches it, as Space does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.toggle()
        else:
            super().keyPressEvent(event)

    def _get_place(self) -> float:
        return self._place

    def _set_place(self, place: float) -> None:
        self._place = place
        self.update()

    place = Property(float, _get_place, _set_place)

    def _move(self, on: bool) -> None:
        self._motion.stop()
        self._motion.setDuration(theme().duration("base") if self.isVisible() else 0)
        self._motion.setEndValue(1.0 if on else 0.0)
        self._motion.start()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A track and a knob."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        on, colors = self.isChecked(), theme()
        edge = colors.color("border.subtle" if not self.isEnabled() else "accent.fill" if on else "border.control")
        track = QRectF(self.rect()).adjusted(0.75, 0.75, -0.75, -0.75)
        painter.setPen(QPen(edge, 1.5))
        painter.setBrush(colors.color("accent.fill") if on and self.isEnabled() else colors.color("bg.raised"))
        painter.drawRoundedRect(track, track.height() / 2, track.height() / 2)
        knob = self.height() - theme().px(8)
        left = theme().px(4) + self._place * (self.width() - knob - 2 * theme().px(4))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colors.color("accent.on") if on and self.isEnabled() else edge)
        painter.drawEllipse(QRectF(left, (self.height() - knob) / 2, knob, knob))


class _Segment(QAbstractButton):
    def __init__(self, text: str, first: bool, last: bool) -> None:
        super().__init__()
        self._first, self._last = first, last
        self.setText(text)
        self.setCheckable(True)
        self.setAccessibleName(text)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def sizeHint(self) -> QSize:
        width = QFontMetrics(theme().font("ui_medium")).horizontalAdvance(self.text())
        return QSize(width + theme().px(28), theme().px(32))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        beyond = 12  # round corners that fall outside are not seen
        box = QRectF(self.rect()).adjusted(0.5 if self._first else -beyond, 0.5, -0.5 if self._last else beyond, -0.5)
        fill = "bg.selected" if self.isChecked() else "bg.hover" if self.underMouse() and self.isEnabled() else "bg.raised"
        painter.setBrush(theme().color(fill))
        painter.setPen(QPen(theme().color("border.control"), 1))
        painter.drawRoundedRect(box, 6, 6)
        if not self._first:
            painter.setPen(QPen(theme().color("border.default"), 1))
            painter.drawLine(QPointF(0.5, 1), QPointF(0.5, self.height() - 1.5))
        painter.setFont(theme().font("ui_medium"))
        ink = "text.disabled" if not self.isEnabled() else "text.primary" if self.isChecked() else "text.secondary"
        painter.setPen(theme().color(ink))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())


class Segmented(QWidget):
    """One of a few, all in sight. `chosen(index)` is emitted when the user picks another; arrows move."""

    chosen = Signal(int)

    def __init__(self, texts: Sequence[str], name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self._group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for index, text in enumerate(texts):
            button = _Segment(text, index == 0, index == len(texts) - 1)
            self._group.addButton(button, index)
            row.addWidget(button)
        self._group.idClicked.connect(self.chosen)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_index(0)

    def index(self) -> int:
        """Which one is chosen."""
        return self._group.checkedId()

    def set_index(self, index: int) -> None:
        """Choose one, silently."""
        self._group.button(index).setChecked(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right choose the neighbour."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        wanted = self._group.button(self.index() + step) if step else None
        if wanted is None:
            super().keyPressEvent(event)
            return
        wanted.setFocus(Qt.FocusReason.TabFocusReason)
        wanted.click()


class Chip(QWidget):
    """A few words on a tint: a verdict, a count, a kind."""

    def __init__(self, text: str, tone: Tone = "neutral", icon_name: str | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_content(text, tone, icon_name)
        theme().changed.connect(self.updateGeometry)

    def set_content(self, text: str, tone: Tone = "neutral", icon_name: str | None = None) -> None:
        """Say something else."""
        self._text, self._tone, self._icon_name = text, tone, icon_name
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """The text with its padding."""
        width = QFontMetrics(theme().font("small_medium")).horizontalAdvance(self._text)
        return QSize(width + theme().px(16 + (18 if self._icon_name else 0)), theme().px(20))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Tint, icon, text."""
        neutral = self._tone == "neutral"
        tint, ink = ("bg.hover", "text.secondary") if neutral else (f"{self._tone}.tint", f"{self._tone}.text")
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().color(tint))
        painter.drawRoundedRect(self.rect(), 4, 4)
        left = theme().px(8)
        if self._icon_name:
            side = theme().px(14)
            paint_icon(painter, self._icon_name, ink, left, (self.height() - side) / 2, side)
            left += theme().px(18)
        painter.setFont(theme().font("small_medium"))
        painter.setPen(theme().color(ink))
        painter.drawText(left, 0, self.width() - left, self.height(), Qt.AlignmentFlag.AlignVCenter, self._text)


class Spinner(QWidget):
    """Something is running. It shows after 300 ms only; with reduced motion it stands still and says "Working..."."""

    DELAY, TURN, FRAME = 300, 1200, 40

    def __init__(self, side: int = 16, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._side, self._since = side, QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setInterval(self.FRAME)
        self._timer.timeout.connect(self._step)
        self.setAccessibleName(self.tr("Working"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        """A square, or the words."""
        if theme().reduced_motion:
            metrics = QFontMetrics(theme().font("small"))
            return QSize(metrics.horizontalAdvance(self.tr("Working...")) + 2, max(metrics.height(), theme().px(self._side)))
        return QSize(theme().px(self._side), theme().px(self._side))

    def showEvent(self, event: QShowEvent) -> None:
        """Run only while it can be seen."""
        self._since.start()
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Run only while it can be seen."""
        self._timer.stop()

    @property
    def _elapsed(self) -> int:
        """Milliseconds for which it has been seen."""
        return self._since.elapsed() if self._since.isValid() else 0

    def _step(self) -> None:
        if self._elapsed >= self.DELAY:
            self.update()
            if theme().reduced_motion:
                self._timer.stop()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Three quarters of a circle, turned."""
        if self._elapsed < self.DELAY:
            return
        painter = QPainter(self)
        if theme().reduced_motion:
            painter.setFont(theme().font("small"))
            painter.setPen(theme().color("text.secondary"))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter, self.tr("Working..."))
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme().color("accent.text"), 1.75, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        turned = (self._elapsed % self.TURN) / self.TURN * 360
        painter.drawArc(QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5), round((90 - turned) * 16), -270 * 16)


def line(vertical: bool = False) -> QFrame:
    """A divider of one pixel."""
    drawn = QFrame()
    drawn.setProperty("kind", "line")
    if vertical:
        drawn.setFixedWidth(1)
    else:
        drawn.setFixedHeight(1)
    return drawn
