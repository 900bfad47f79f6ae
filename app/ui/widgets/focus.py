"""The focus ring: around whatever has the keyboard focus, but only after a key moved it there."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractScrollArea, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from app.ui.theme import application, theme

_DRAW_THEIR_OWN = (QLineEdit, QPlainTextEdit, QTextEdit, QAbstractScrollArea)
_FOLLOWED = {QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.ParentChange}


def _holder(target: QWidget) -> QWidget | None:
    """Where a ring around it is painted: what is scrolled with it, else its window. None for a window."""
    holder = target.parentWidget()
    while holder is not None and not holder.isWindow():
        outer = holder.parentWidget()
        if outer is not None and isinstance(outer.parentWidget(), QAbstractScrollArea):
            break
        holder = outer
    return holder


class FocusRing(QWidget):
    """One ring for one window. Widgets that draw their own focus have the dynamic property `own_focus`."""

    RADIUS = 10

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window, self._by_key = window, False
        self._target: QWidget | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.hide()
        window.installEventFilter(self)
        application().focusChanged.connect(self._focus_changed)
        theme().changed.connect(self.update)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Learn how the focus moves, and follow the widget that has it."""
        kind = event.type()
        if watched is self._window and kind == QEvent.Type.Show and self._window.windowHandle():
            self._window.windowHandle().installEventFilter(self)
        elif kind == QEvent.Type.KeyPress:
            self._by_key = True
        elif kind in (QEvent.Type.MouseButtonPress, QEvent.Type.TouchBegin):
            self._by_key = False
            self.hide()
        elif watched is self._target and kind in _FOLLOWED:
            self._place()
        return False

    def _focus_changed(self, _: QWidget | None, now: QWidget | None) -> None:
        if self._target is not None:
            self._target.removeEventFilter(self)
        self._target = None
        if now is not None and now.window() is self._window and self._by_key:
            self._target = None if isinstance(now, _DRAW_THEIR_OWN) or now.property("own_focus") else now
        if self._target is not None:
            self._target.installEventFilter(self)
        self._place()

    def _place(self) -> None:
        target = self._target
        if target is None or not target.isVisible():
            self.hide()
            return
        holder = _holder(target)
        if holder is None:
            self.hide()
            return
        if self.parentWidget() is not holder:
            self.setParent(holder)
        grown = theme().size("focus_gap") + theme().size("focus_width")
        corner = target.mapTo(holder, QPoint(0, 0))
        self.setGeometry(corner.x() - grown, corner.y() - grown, target.width() + 2 * grown, target.height() + 2 * grown)
        self.raise_()
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ring."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width = theme().size("focus_width")
        painter.setPen(QPen(theme().color("accent.focus"), width))
        half = width / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(half, half, -half, -half), self.RADIUS, self.RADIUS)
