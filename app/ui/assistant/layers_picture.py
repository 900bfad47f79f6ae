"""The 69 layers as columns: mixer above the line, MLP below, lit as the build writes them."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.layers import Group, Layer, groups, height, layers, purpose
from app.ui.language import shown
from app.ui.theme import theme

COLUMN, GAP, BETWEEN_GROUPS, BEFORE_QWEN = 8.0, 2.0, 4.0, 12.0
"""Widths in logical px at the picture's natural width."""
TALLEST, TALLEST_LOW = 88.0, 40.0
"""Of a bar, in windows with and without much height."""
MARKER_SPACE = 16.0
"""Room above the tallest bar for the marker of the layer in work."""
MIDDLE_GAP = 3.0
STUB = 2.0
"""Height of a part without weights."""
AXIS = 12.0
CAPTION = 16.0


@dataclass(frozen=True)
class Column:
    """Where a layer stands, in natural px. left: of its bars."""

    layer: Layer
    left: float


def columns() -> tuple[Column, ...]:
    """All layers from left to right."""
    found: list[Column] = []
    left = 0.0
    for group in groups():
        if found:
            left += BETWEEN_GROUPS if layers()[group.first].compiled else BEFORE_QWEN
        for layer in layers()[group.first : group.last + 1]:
            found.append(Column(layer, left))
            left += COLUMN + GAP
    return tuple(found)


class LayersPicture(QWidget):
    """Shows how far a build is, and nothing that no event said. Colours change at once: what is lit has been written."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._columns = columns()
        self._natural = self._columns[-1].left + COLUMN
        self._tallest = TALLEST
        self._finished = 0
        self._current: int | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumHeight(self.sizeHint().height())
        theme().changed.connect(self._theme_changed)
        self.show_layers(0, None)

    @property
    def finished(self) -> int:
        """Layers that are lit, counted from the first."""
        return self._finished

    @property
    def current(self) -> int | None:
        """The layer in work."""
        return self._current

    def show_layers(self, finished: int, current: int | None) -> None:
        """Light the first `finished` layers and mark the one in work."""
        self._finished, self._current = finished, current
        said = self.tr("{count} of {total} layers are written.").format(count=finished, total=len(self._columns))
        if current is not None:
            said += " " + self.layer_name(current)
        self.setAccessibleName(said)
        self.update()

    def set_low(self, low: bool) -> None:
        """Shorter bars, for low windows."""
        tallest = TALLEST_LOW if low else TALLEST
        if tallest != self._tallest:
            self._tallest = tallest
            self._theme_changed()

    def layer_name(self, index: int) -> str:
        """Such as "Layer 30 · Stage 4, arithmetic"."""
        return self.tr("Layer {number} · {purpose}").format(number=index, purpose=shown(purpose(layers()[index])))

    def sizeHint(self) -> QSize:
        """The natural width and the height that it needs."""
        captions = theme().px(2 * CAPTION)
        return QSize(round(self._natural), round(MARKER_SPACE + 2 * self._tallest + MIDDLE_GAP + AXIS) + captions)

    def layer_at(self, position: QPointF) -> int | None:
        """The layer under a point of the widget."""
        scale = self.width() / self._natural
        for column in self._columns:
            if 0 <= position.x() / scale - column.left < COLUMN + GAP:
                return column.layer.index
        return None

    def event(self, event: QEvent) -> bool:
        """Tooltips name the layer under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            index = self.layer_at(QPointF(event.pos()))
            if index is None:
                QToolTip.hideText()
            else:
                layer = layers()[index]
                QToolTip.showText(
                    event.globalPos(),
                    self.layer_name(index)
                    + "\n"
                    + self.tr("{mixer} weights in the mixer, {mlp} in the MLP").format(
                        mixer=f"{layer.mixer:,}", mlp=f"{layer.mlp:,}"
                    ),
                )
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Bars, marker, axis and captions."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        scale = self.width() / self._natural
        for column in self._columns:
            self._paint_column(painter, column, scale)
        for group in groups():
            self._paint_caption(painter, group, scale)

    def _paint_column(self, painter: QPainter, column: Column, scale: float) -> None:
        layer, ratio = column.layer, self.devicePixelRatioF()
        left = round(column.left * scale * ratio) / ratio
        right = round((column.left + COLUMN) * scale * ratio) / ratio
        middle = MARKER_SPACE + self._tallest
        up, down = (max(STUB, height(weights) * self._tallest) for weights in (layer.mixer, layer.mlp))
        fill, edge = self._colors(layer)
        painter.setBrush(fill)
        painter.setPen(QPen(edge, 1))
        for top, tall in ((middle - up, up), (middle + MIDDLE_GAP, down)):
            painter.drawRoundedRect(QRectF(left, top, right - left, tall).adjusted(0.5, 0.5, -0.5, -0.5), 1.5, 1.5)
        if layer.index == self._current:
            tip = QPointF((left + right) / 2, middle - up - 5)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme().color("text.primary"))
            painter.drawPolygon(QPolygonF([tip, tip + QPointF(-4, -6), tip + QPointF(4, -6)]))

    def _colors(self, layer: Layer) -> tuple[QColor, QColor]:
        look = theme()
        if layer.index < self._finished:
            lit = look.color("computed.fill" if layer.compiled else "layer.base")
            return lit, lit
        if layer.index == self._current:
            return (
                (look.color("computed.idle"), look.color("computed.line"))
                if layer.compiled
                else (look.color("bg.selected"), look.color("layer.base"))
            )
        return QColor(Qt.GlobalColor.transparent), look.color("border.control")

    def _paint_caption(self, painter: QPainter, group: Group, scale: float) -> None:
        left = self._columns[group.first].left * scale
        right = (self._columns[group.last].left + COLUMN) * scale
        y = MARKER_SPACE + 2 * self._tallest + MIDDLE_GAP + AXIS - 4.5
        painter.setPen(QPen(theme().color("border.control"), 1))
        painter.drawLine(QPointF(left, y), QPointF(right, y))
        line = theme().px(CAPTION)
        spot = QRectF(left, y + 3, right - left, line).adjusted(-4, 0, 4, 0)
        painter.setFont(theme().font("label"))
        name = shown(group.name)
        if painter.fontMetrics().horizontalAdvance(name) <= spot.width():
            painter.setPen(theme().color("text.secondary"))
            painter.drawText(spot, Qt.AlignmentFlag.AlignCenter, name)
        painter.setFont(theme().font("token"))
        painter.setPen(theme().color("text.tertiary"))
        numbers = f"{group.first}–{group.last}" if group.last > group.first else str(group.first)
        painter.drawText(spot.translated(0, line - 1), Qt.AlignmentFlag.AlignCenter, numbers)

    def _theme_changed(self) -> None:
        self.setMinimumHeight(self.sizeHint().height())
        self.updateGeometry()
        self.update()
