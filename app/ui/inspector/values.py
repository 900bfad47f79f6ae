"""Values as they are painted outside running text: one computed value, and the entries of an array."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QGuiApplication, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from app.ui.theme import theme
from app.ui.widgets import Elided, IconButton

MOST = 512
"""Entries of an array that are painted; all of them can be copied and saved."""
CELL, GAP = 24, 4


def paint_computed(painter: QPainter, box: QRectF, text: str, font: QFont) -> None:
    """A computed value in a box: tint, mono digits, dotted underline."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme().color("computed.tint"))
    painter.drawRoundedRect(box, 3, 3)
    pen = QPen(theme().color("computed.line"), 2, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.FlatCap)
    pen.setDashPattern([1, 1])
    painter.setPen(pen)
    painter.drawLine(QPointF(box.left() + 3, box.bottom() - 2), QPointF(box.right() - 3, box.bottom() - 2))
    painter.setFont(font)
    painter.setPen(theme().color("computed.text"))
    painter.drawText(box.adjusted(0, 0, 0, -3), Qt.AlignmentFlag.AlignCenter, text)


class ComputedValue(QWidget):
    """One value, elided beyond `most` characters; the whole of it is the accessible name and the tooltip."""

    def __init__(self, style: str = "value", most: int = 12, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style, self._most, self._text = style, most, ""
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.updateGeometry)

    def set_value(self, text: str) -> None:
        """Show another value; nothing where there is none."""
        self._text = text if len(text) <= self._most else f"{text[: self._most - 1]}…"
        self.setAccessibleName(self.tr("{value}, computed in the weights").format(value=text))
        self.setToolTip(text if self._text != text else "")
        self.setVisible(bool(text))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """The text with its padding."""
        metrics = QFontMetricsF(self._font())
        return QSize(round(metrics.horizontalAdvance(self._text)) + 8, round(metrics.height()) + 7)

    def _font(self) -> QFont:
        font = theme().font("value")
        if self._style == "readout":
            font.setPixelSize(theme().font("readout").pixelSize())
        return font

    def paintEvent(self, event: QPaintEvent) -> None:
        """The value."""
        if self._text:
            paint_computed(QPainter(self), QRectF(self.rect()), self._text, self._font())


class Entries(QWidget):
    """The entries of an array in rows as wide as there is room. computed: they came out of the weights."""

    def __init__(self, values: Sequence[int | float], computed: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._texts = [str(value) for value in values[:MOST]]
        if len(values) > MOST:
            self._texts.append(f"… {len(values) - MOST:,}")
        self._computed = computed
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(", ".join(self._texts[:64]))
        theme().changed.connect(self.updateGeometry)

    def _pitch(self) -> float:
        widest = max((len(text) for text in self._texts), default=1)
        return max(theme().px(44), QFontMetricsF(theme().font("code")).horizontalAdvance("0") * widest + 14) + GAP

    def hasHeightForWidth(self) -> bool:
        """Rows wrap."""
        return True

    def heightForWidth(self, width: int) -> int:
        """As many rows as the entries need."""
        across = max(1, int((width + GAP) // self._pitch()))
        return max(1, -(-len(self._texts) // across)) * (theme().px(CELL) + GAP) - GAP

    def sizeHint(self) -> QSize:
        """One row of a few."""
        return QSize(240, self.heightForWidth(self.width() if self.width() > 50 else 420))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Cells, row by row."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pitch, height = self._pitch(), theme().px(CELL)
        across = max(1, int((self.width() + GAP) // pitch))
        font = theme().font("code")
        letter = QFontMetricsF(font).horizontalAdvance("0")
        for number, text in enumerate(self._texts):
            box = QRectF(number % across * pitch, number // across * (height + GAP), pitch - GAP, height)
            if not box.intersects(QRectF(event.rect())):
                continue
            if self._computed and not text.startswith("…"):
                width = len(text) * letter + 8
                paint_computed(painter, QRectF(box.center().x() - width / 2, box.top() + 1, width, height - 2), text, font)
                continue
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme().color("bg.sunken"))
            painter.drawRoundedRect(box, 2, 2)
            painter.setFont(font)
            painter.setPen(theme().color("text.primary"))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


class ArrayRow(QWidget):
    """An array: name, type, entries, and a button that copies them for a spreadsheet."""

    def __init__(
        self, name: str, form: str, values: Sequence[int | float], computed: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 8, 8, 8)
        row.setSpacing(12)
        top = Qt.AlignmentFlag.AlignTop
        named, typed = Elided(name, "code"), Elided(form, "code", "text.tertiary")
        for label, width in ((named, 76), (typed, 92)):
            label.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            label.setFixedSize(theme().px(width), theme().px(CELL))
        copy = IconButton("copy", self.tr("Copy {name}").format(name=name), 28, 14)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText("\n".join(map(str, values))))
        row.addWidget(named, 0, top)
        row.addWidget(typed, 0, top)
        row.addWidget(Entries(values, computed), 1, top)
        row.addWidget(copy, 0, top)
