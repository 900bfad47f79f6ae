"""Lucide icons, recoloured and rendered for one size and one screen, each once."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from app.ui.theme.theme import theme
from app.ui.theme.tokens import FOLDER

STROKE = "1.75"


def pixmap(name: str, color: str | QColor, size: int, ratio: float) -> QPixmap:
    """An icon at `size` logical px on a screen of this device pixel ratio. color: a token's name or a colour."""
    shade = theme().color(color) if isinstance(color, str) else color
    return _rendered(name, shade.name(QColor.NameFormat.HexArgb), size, ratio)


def paint_icon(painter: QPainter, name: str, color: str | QColor, x: float, y: float, size: int) -> None:
    """Draw an icon with its upper left corner at (x, y)."""
    ratio = painter.device().devicePixelRatio()
    painter.drawPixmap(QRectF(x, y, size, size), drawn := pixmap(name, color, size, ratio), QRectF(drawn.rect()))


def icon(name: str, color: str = "text.secondary", disabled: str = "text.disabled") -> QIcon:
    """An icon for Qt's own widgets; it follows the theme and every screen."""
    return QIcon(_Engine(name, color, disabled))


class _Engine(QIconEngine):
    def __init__(self, name: str, color: str, disabled: str) -> None:
        super().__init__()
        self._name, self._color, self._disabled = name, color, disabled

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        size = min(rect.width(), rect.height())
        left, top = rect.x() + (rect.width() - size) / 2, rect.y() + (rect.height() - size) / 2
        paint_icon(painter, self._name, self._disabled if mode == QIcon.Mode.Disabled else self._color, left, top, size)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self.scaledPixmap(size, mode, state, 1.0)

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        drawn = QPixmap(size)
        drawn.fill(Qt.GlobalColor.transparent)
        painter = QPainter(drawn)
        self.paint(painter, drawn.rect(), mode, state)
        painter.end()
        return drawn

    def clone(self) -> QIconEngine:
        return _Engine(self._name, self._color, self._disabled)


@cache
def _source(name: str) -> str:
    drawn = (FOLDER / "icons" / f"{name}.svg").read_text(encoding="utf-8")
    return drawn.replace('stroke-width="2"', f'stroke-width="{STROKE}"')


@cache
def _rendered(name: str, argb: str, size: int, ratio: float) -> QPixmap:
    color = QColor(argb)
    renderer = QSvgRenderer(QByteArray(_source(name).replace("currentColor", color.name()).encode()))
    drawn = QPixmap(max(1, round(size * ratio)), max(1, round(size * ratio)))
    drawn.fill(Qt.GlobalColor.transparent)
    painter = QPainter(drawn)
    painter.setOpacity(color.alphaF())
    renderer.render(painter)
    painter.end()
    drawn.setDevicePixelRatio(ratio)
    return drawn
