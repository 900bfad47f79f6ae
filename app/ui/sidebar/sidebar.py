"""The sidebar in its two forms: wide with the list of chats, and as a rail of icons."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.ui.sidebar.chats import ChatList
from app.ui.theme import paint_icon, theme
from app.ui.widgets import Elided, IconButton, Label, line

MOST = 340
"""Greatest width of the sidebar, however large the text is, px."""
_BARS = ((1, 6, 8, False), (6, 1, 18, True), (11, 3, 14, False), (16, 7, 6, False))
"""The mark on a grid of 20: left, top, height, whether it is the one that computed."""


class Mark(QWidget):
    """The mark: four bars, one amber."""

    def __init__(self, side: int = 20, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedSize(side, side)
        theme().changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw it."""
        paint_mark(QPainter(self), QRectF(self.rect()))


def paint_mark(painter: QPainter, box: QRectF) -> None:
    """Draw the mark in a square."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    unit = box.width() / 20
    for left, top, height, computed in _BARS:
        painter.setBrush(theme().color("computed.fill" if computed else "text.primary"))
        painter.drawRoundedRect(QRectF(box.left() + left * unit, box.top() + top * unit, 3 * unit, height * unit), unit, unit)


class StatusDot(QWidget):
    """Ready, busy or stopped."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._color = "text.disabled"
        self.setFixedSize(8, 8)
        theme().changed.connect(self.update)

    def set_state(self, state: str) -> None:
        """Show a state of the engine."""
        self._color = {"ready": "success.fill", "stopped": "error.fill"}.get(state, "accent.fill")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A dot."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().color(self._color))
        painter.drawEllipse(self.rect())


class _Field(QAbstractButton):
    """A button that looks like the search field it opens."""

    def __init__(self, text: str, keys: str) -> None:
        super().__init__()
        self._keys = keys
        self.setText(text)
        self.setAccessibleName(text)
        self.setToolTip(f"{text}  {keys}")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(120, theme().px(32))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, px = QPainter(self), theme().px
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme().color("border.control" if self.underMouse() else "border.default"), 1))
        painter.setBrush(theme().color("bg.raised"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        middle = self.height() / 2
        paint_icon(painter, "search", "text.tertiary", px(10), middle - px(7), px(14))
        painter.setFont(theme().font("ui"))
        painter.setPen(theme().color("text.tertiary"))
        painter.drawText(self.rect().adjusted(px(32), 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, self.text())
        font = theme().font("label")
        painter.setFont(font)
        width = QFontMetrics(font).horizontalAdvance(self._keys) + px(10)
        key = QRectF(self.width() - width - px(10), middle - px(9), width, px(18))
        painter.setPen(QPen(theme().color("border.default"), 1))
        painter.drawRoundedRect(key.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.setPen(theme().color("text.secondary"))
        painter.drawText(key, Qt.AlignmentFlag.AlignCenter, self._keys)


class _Link(QAbstractButton):
    """A line with an icon that leads to another screen."""

    def __init__(self, icon_name: str, text: str) -> None:
        super().__init__()
        self._icon_name = icon_name
        self.setText(text)
        self.setAccessibleName(text)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(120, theme().px(theme().size("row_list")))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, px = QPainter(self), theme().px
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.isChecked() or self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme().color("bg.selected" if self.isChecked() else "bg.hover"))
            painter.drawRoundedRect(self.rect(), 6, 6)
        color = "text.primary" if self.isChecked() else "text.secondary"
        paint_icon(painter, self._icon_name, color, px(8), (self.height() - px(16)) / 2, px(16))
        painter.setFont(theme().font("ui_medium" if self.isChecked() else "ui"))
        painter.setPen(theme().color(color))
        painter.drawText(self.rect().adjusted(px(32), 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, self.text())


class Sidebar(QWidget):
    """The wide form."""

    folded, new_asked, search_asked, playground_asked, settings_asked = Signal(), Signal(), Signal(), Signal(), Signal()

    def __init__(self, search_keys: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("surface", "sidebar")
        self.setProperty("edge", "right")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Sidebar"))
        theme().changed.connect(self._restyle)
        self._restyle()
        self.chats = ChatList()
        self.empty = Label(self.tr("No chats yet."), "ui", "text.tertiary")
        self.empty.setContentsMargins(16, 12, 16, 0)
        fold = IconButton("panel-left", self.tr("Hide the sidebar"))
        self.new = IconButton("square-pen", self.tr("New chat"))
        fold.clicked.connect(self.folded)
        self.new.clicked.connect(self.new_asked)
        brand = Label("qwenGPU", "ui_medium")
        top = QHBoxLayout()
        top.setContentsMargins(16, 10, 8, 10)
        top.setSpacing(8)
        top.addWidget(Mark())
        top.addWidget(brand, 1)
        top.addWidget(fold)
        top.addWidget(self.new)
        search = _Field(self.tr("Search"), search_keys)
        search.clicked.connect(self.search_asked)
        holder = QHBoxLayout()
        holder.setContentsMargins(12, 4, 12, 4)
        holder.addWidget(search)
        self.playground = _Link("square-terminal", self.tr("Playground"))
        self.settings = _Link("settings", self.tr("Settings"))
        self.playground.clicked.connect(self.playground_asked)
        self.settings.clicked.connect(self.settings_asked)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addLayout(holder)
        column.addWidget(self.empty)
        column.addWidget(self.chats, 1)
        column.addWidget(line())
        column.addLayout(self._foot())

    def _foot(self) -> QVBoxLayout:
        self._dot, self._status = StatusDot(), Label("", "small", "text.secondary")
        self._place = Elided("", "small", "text.tertiary")
        self._place.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        state = QHBoxLayout()
        state.setContentsMargins(8, 8, 8, 4)
        state.setSpacing(8)
        state.addWidget(self._dot)
        state.addWidget(self._status)
        state.addWidget(self._place, 1)
        foot = QVBoxLayout()
        foot.setContentsMargins(8, 8, 8, 8)
        foot.setSpacing(0)
        foot.addWidget(self.playground)
        foot.addWidget(self.settings)
        foot.addLayout(state)
        return foot

    def _restyle(self) -> None:
        self.setFixedWidth(min(theme().px(theme().size("sidebar")), MOST))

    def show_state(self, state: str, status: str, place: str) -> None:
        """The engine's state, in words and as a dot."""
        self._dot.set_state(state)
        self._status.setText(status)
        self._place.setText(place)
        self._place.setToolTip(place)

    def show_chats_left(self, any_left: bool) -> None:
        """Say it when there are none."""
        self.empty.setVisible(not any_left)


class Rail(QWidget):
    """The narrow form: icons only."""

    unfolded, new_asked, search_asked, chats_asked, playground_asked, settings_asked = (
        Signal(),
        Signal(),
        Signal(),
        Signal(),
        Signal(),
        Signal(),
    )

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("surface", "sidebar")
        self.setProperty("edge", "right")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Sidebar"))
        self.setFixedWidth(theme().size("rail"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 10, 0, 12)
        column.setSpacing(4)
        holder = QWidget()
        inside = QHBoxLayout(holder)
        inside.setContentsMargins(0, 8, 0, 8)
        inside.addWidget(Mark())
        column.addWidget(holder, 0, Qt.AlignmentFlag.AlignHCenter)

        def button(icon_name: str, name: str, signal: object, checkable: bool = False) -> IconButton:
            made = IconButton(icon_name, name, 36, 18, checkable)
            made.clicked.connect(signal)
            column.addWidget(made, 0, Qt.AlignmentFlag.AlignHCenter)
            return made

        button("panel-left", self.tr("Show the sidebar"), self.unfolded)
        button("square-pen", self.tr("New chat"), self.new_asked)
        button("search", self.tr("Search"), self.search_asked)
        self.chats = button("messages-square", self.tr("Chats"), self.chats_asked, True)
        column.addStretch(1)
        self.playground = button("square-terminal", self.tr("Playground"), self.playground_asked, True)
        self.settings = button("settings", self.tr("Settings"), self.settings_asked, True)
        self._dot = StatusDot()
        column.addSpacing(8)
        column.addWidget(self._dot, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(4)

    def show_state(self, state: str, status: str, place: str) -> None:
        """The engine's state as a dot; its words are the tooltip."""
        self._dot.set_state(state)
        self._dot.setToolTip(f"{status}\n{place}".strip())
        self._dot.setAccessibleName(status)
