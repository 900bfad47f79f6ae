"""The 69 layers as bars: full height wrote state for this token, two thirds took part, low is at rest."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.inspection.layers import Activity
from app.layers import BASE_LAYERS, groups
from app.ui.inspector.paint import Palette
from app.ui.language import shown
from app.ui.theme import theme

UNITS = 653
"""Width of the picture in units of the design: a compiled layer is 7 and 2 gap, a base layer 6 and 2 gap."""
HEIGHTS = (8, 18, 26)
BASELINE = 28


class LayersPicture(QWidget):
    """Paints an `Activity`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._activity: Activity | None = None
        self._compiled = groups()[:-1]  # painted sixty times a second; the base model's layers are drawn otherwise
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        """As high as the design says."""
        return QSize(UNITS, theme().px(50))

    def show_activity(self, activity: Activity) -> None:
        """Show what the layers do for a token."""
        self._activity = activity
        self.setAccessibleName(self.tr("Layers: {summary}").format(summary=shown(activity.summary)))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Bars, group lines, group names."""
        painter, colors = QPainter(self), Palette()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        unit, zoom = self.width() / UNITS, theme().zoom
        painter.setFont(theme().font("label"))
        left = 0.0
        for group in self._compiled:
            right = left + 9 * (group.last + 1 - group.first) - 2
            for number, layer in enumerate(range(group.first, group.last + 1)):
                self._bar(painter, (left + 9 * number) * unit, 7 * unit, layer, colors)
            name = shown(group.name) if group.last > group.first else ""  # no room under a single bar
            self._group(painter, left * unit, right * unit, name)
            left = right + 10
        left = UNITS - 8 * BASE_LAYERS + 2
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme().color("layer.base"), 1))
        for number in range(BASE_LAYERS):
            x = round((left + 8 * number) * unit) + 0.5
            painter.drawRoundedRect(QRectF(x, 20.5 * zoom, round(5 * unit), 7 * zoom), 1, 1)
        self._group(painter, left * unit, self.width(), self.tr("Qwen's 24, not used"))

    def _bar(self, painter: QPainter, x: float, width: float, layer: int, colors: Palette) -> None:
        activity = self._activity
        level = 0 if activity is None else 2 if layer in activity.writes else 1 if layer in activity.takes_part else 0
        height = HEIGHTS[level] * theme().zoom
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colors["computed.fill" if level else "computed.idle"])
        painter.drawRoundedRect(QRectF(x, BASELINE * theme().zoom - height, width, height), 1, 1)

    def _group(self, painter: QPainter, left: float, right: float, name: str) -> None:
        zoom = theme().zoom
        painter.setPen(QPen(theme().color("border.control"), 1))
        painter.drawLine(QPointF(left, round(31 * zoom) + 0.5), QPointF(right, round(31 * zoom) + 0.5))
        painter.setPen(theme().color("text.tertiary"))
        painter.drawText(QRectF(left - 40, 34 * zoom, right - left + 80, 15 * zoom), Qt.AlignmentFlag.AlignCenter, name)
