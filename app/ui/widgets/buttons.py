"""Buttons: with a text, with an icon alone, and the row that unfolds what is below it."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QCursor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QPushButton, QSizePolicy, QToolButton, QWidget

from app.ui.theme import icon, paint_icon, theme

Kind = Literal["secondary", "primary", "quiet", "danger", "link"]
_ICON_COLORS = {
    "primary": "accent.on",
    "secondary": "text.primary",
    "quiet": "text.secondary",
    "link": "accent.text",
    "danger": "text.primary",
}


class Button(QPushButton):
    """A push button. A screen has at most one primary one."""

    def __init__(
        self,
        text: str,
        kind: Kind = "secondary",
        icon_name: str | None = None,
        size: Literal["small", "normal", "large"] = "normal",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, parent)
        self._kind, self._size, self._icon_name = kind, size, icon_name
        self.setProperty("kind", kind)
        self.setProperty("size", size)
        self.setAutoDefault(False)
        if kind == "link":
            self.setCursor(QCursor(Qt.CursorShape.PointingHandCursor))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.restyle)
        self.restyle()

    def set_icon(self, name: str | None) -> None:
        """Show another icon of the theme, or none."""
        self._icon_name = name
        self.restyle()

    def restyle(self) -> None:
        """Take font and icon from the theme."""
        font = theme().font("small_medium" if self._size == "small" else "ui_medium")
        font.setUnderline(self._kind == "link")
        self.setFont(font)
        if self._icon_name:
            self.setIcon(icon(self._icon_name, _ICON_COLORS[self._kind]))
            side = theme().px(14 if self._size == "small" else 16)
            self.setIconSize(QSize(side + 6, side))  # what is wider than high is space beside the icon


class IconButton(QToolButton):
    """A button that is an icon. name: what it does; it is the tooltip and the accessible name."""

    def __init__(
        self,
        icon_name: str,
        name: str,
        side: int = 32,
        icon_side: int = 16,
        checkable: bool = False,
        color: str = "text.secondary",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._icon_name, self._side, self._icon_side, self._color = icon_name, side, icon_side, color
        self.setCheckable(checkable)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.set_name(name)
        theme().changed.connect(self.restyle)
        self.restyle()

    def set_name(self, name: str, shortcut: str = "") -> None:
        """Say what it does, and by which keys as well."""
        self.setToolTip(f"{name}  {shortcut}" if shortcut else name)
        self.setAccessibleName(name)

    def set_icon(self, icon_name: str, color: str | None = None) -> None:
        """Show another icon."""
        self._icon_name, self._color = icon_name, color or self._color
        self.restyle()

    def restyle(self) -> None:
        """Take size and icon from the theme."""
        self.setFixedSize(theme().px(self._side), theme().px(self._side))
        self.setIconSize(QSize(theme().px(self._icon_side), theme().px(self._icon_side)))
        self.setIcon(icon(self._icon_name, self._color))


class FoldButton(QAbstractButton):
    """A line with a chevron that opens and closes something: checked is open."""

    def __init__(self, text: str, icon_name: str | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon_name = icon_name
        self.setText(text)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(text)
        theme().changed.connect(self.updateGeometry)

    def setText(self, text: str) -> None:
        """Show another text."""
        super().setText(text)
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """A line of small text, at least as high as what can be clicked comfortably."""
        width = QFontMetrics(theme().font("small")).horizontalAdvance(self.text())
        return QSize(theme().px(22 + (22 if self._icon_name else 0) + 8) + width, theme().px(28))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Chevron, icon, text."""
        painter = QPainter(self)
        color = "text.primary" if self.underMouse() else "text.tertiary"
        side, middle, left = theme().px(14), self.height() / 2, 0
        paint_icon(painter, "chevron-down" if self.isChecked() else "chevron-right", color, left, middle - side / 2, side)
        left += theme().px(22)
        if self._icon_name:
            paint_icon(painter, self._icon_name, color, left, middle - side / 2, side)
            left += theme().px(22)
        painter.setFont(theme().font("small"))
        painter.setPen(theme().color(color))
        painter.drawText(left, 0, self.width() - left, self.height(), Qt.AlignmentFlag.AlignVCenter, self.text())
