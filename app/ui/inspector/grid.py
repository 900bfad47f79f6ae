"""A grid of words: registers and memory are two of them. One widget that paints, not hundreds of labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.inspector.paint import Palette, draw_centred, draw_left
from app.ui.theme import theme

COLUMNS = 16
DOT = "·"
"""The text of a cell that holds nothing worth a number."""
NAMES, GAP, CELL, HEAD, TITLE = 63, 2, 20, 17, 16
"""Width of the row names, gap between cells, height of a cell, of the column names and of the names above a row."""
STEPS = {Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0)}


@dataclass(frozen=True, slots=True)
class Cell:
    """One word as it is painted. faint: no thread, or no array; dim: nothing happened to it yet."""

    text: str
    changed: bool = False
    read: bool = False
    faint: bool = False
    dim: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """A name above some words of a row."""

    first: int
    count: int
    name: str


@dataclass(frozen=True, slots=True)
class Row:
    """Up to 16 cells, with the row's name and the names above it."""

    name: str
    cells: Sequence[Cell]
    spans: Sequence[Span] = ()
    strong: bool = False


class CellGrid(QWidget):
    """`selected(row, column)` follows pointer and arrows; `asked(row, column, where)` is the context menu.

    title: accessible name of the whole; heads: names of the columns
    """

    selected = Signal(int, int)
    asked = Signal(int, int, QPoint)

    def __init__(self, title: str, heads: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title, self._heads = title, heads
        self._rows: Sequence[Row] = ()
        self._tops: list[float] = []
        self.chosen: tuple[int, int] | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setProperty("own_focus", True)
        self.setAccessibleName(title)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.updateGeometry)

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show other cells. The layout is kept where the rows are of the same shape."""
        same = [bool(row.spans) for row in rows] == [bool(row.spans) for row in self._rows]
        self._rows = rows
        if not same:
            self.updateGeometry()
        self.update()

    def choose(self, row: int, column: int) -> None:
        """Select a cell."""
        self.chosen = (row, column)
        self.update()
        self.selected.emit(row, column)

    def describe(self, text: str) -> None:
        """What a screen reader says of the selected cell."""
        self.setAccessibleDescription(text)

    def sizeHint(self) -> QSize:
        """All rows."""
        return QSize(400, round(self._layout()))

    def minimumSizeHint(self) -> QSize:
        """All rows, however narrow."""
        return QSize(200, round(self._layout()))

    def _layout(self) -> float:
        """Tops of the rows; returns the height."""
        zoom, top = theme().zoom, HEAD * theme().zoom
        self._tops = []
        for row in self._rows:
            top += TITLE * zoom if row.spans else 0
            self._tops.append(top)
            top += (CELL + GAP) * zoom
        return top

    def _box(self, row: int, column: int, count: int = 1) -> QRectF:
        """Where a cell is, on whole device pixels so that all edges are equally sharp."""
        left, width = self._columns(column, count)
        return QRectF(left, round(self._tops[row]), width, round(CELL * theme().zoom))

    def _columns(self, column: int, count: int = 1) -> tuple[int, int]:
        """Left edge and width of columns."""
        names = NAMES * theme().zoom
        pitch = (self.width() - names + GAP) / COLUMNS
        left = round(names + pitch * column)
        return left, round(names + pitch * (column + count) - GAP) - left

    def _cell_at(self, where: QPointF) -> tuple[int, int] | None:
        for row in range(len(self._tops)):
            for column in range(len(self._rows[row].cells)):
                if self._box(row, column).adjusted(-1, -1, 1, 1).contains(where):
                    return row, column
        return None

    # ------------------------------------------------------------ painting
    def paintEvent(self, event: QPaintEvent) -> None:
        """Column names, then every row that is in sight."""
        painter, colors, zoom = QPainter(self), Palette(), theme().zoom
        self._layout()
        plain, mono = theme().font("token"), theme().font("grid")
        painter.setFont(plain)
        painter.setPen(colors["text.tertiary"])
        columns = [self._columns(column) for column in range(COLUMNS)]
        for head, (left, width) in zip(self._heads, columns, strict=True):
            draw_centred(painter, QRectF(left, 0, width, HEAD * zoom - 3), head, "token")
        seen, height = event.rect(), round(CELL * zoom)
        fits = int((columns[0][1] - 4) / QFontMetricsF(mono).horizontalAdvance("0"))
        for number, row in enumerate(self._rows):
            top = round(self._tops[number])
            if top - TITLE * zoom > seen.bottom() or top + height < seen.top():
                continue
            painter.setFont(plain)
            self._names(painter, number, row, colors)
            painter.setFont(mono)
            for cell, (left, width) in zip(row.cells, columns, strict=False):
                self._cell(painter, QRectF(left, top, width, height), cell, fits, colors)
        if self.chosen and self.hasFocus() and self.chosen[0] < len(self._rows):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(colors["accent.focus"], 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(self._box(*self.chosen).adjusted(-1, -1, 1, 1), 3, 3)

    def _names(self, painter: QPainter, number: int, row: Row, colors: Palette) -> None:
        painter.setPen(colors["text.primary" if row.strong else "text.tertiary"])
        box = self._box(number, 0)
        draw_left(painter, QRectF(0, box.top(), box.left() - 4, box.height()), row.name, "token")
        for span in row.spans:
            box = self._box(number, span.first, span.count)
            painter.fillRect(QRectF(box.left(), box.top() - 3, box.width(), 1), colors["border.control"])
            painter.setPen(colors["text.secondary"])
            above = QRectF(box.left() + 3, box.top() - TITLE * theme().zoom, box.width(), TITLE * theme().zoom - 3)
            draw_left(painter, above, span.name, "token")

    def _cell(self, painter: QPainter, box: QRectF, cell: Cell, fits: int, colors: Palette) -> None:
        if cell.changed:
            _framed(painter, box, colors["computed.tint"], colors["computed.line"])
            corner = QPolygonF([box.topRight() - QPointF(6, 0), box.topRight(), box.topRight() + QPointF(0, 6)])
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colors["computed.line"])
            painter.drawPolygon(corner)
            ink = "computed.text"
        elif cell.read:
            _framed(painter, box, colors["bg.raised"], colors["accent.text"])
            ink = "text.primary"
        elif cell.faint:
            painter.setPen(colors["border.subtle"])
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box.adjusted(0, 0, -1, -1))
            ink = "text.disabled"
        else:
            painter.fillRect(box, colors["bg.sunken"])
            ink = "text.tertiary" if cell.dim else "text.primary"
        if cell.text == DOT:
            painter.fillRect(QRectF(round(box.center().x()) - 1, round(box.center().y()) - 1, 2, 2), colors[ink])
        elif cell.text:
            painter.setPen(colors[ink])
            draw_centred(painter, box, cell.text if len(cell.text) <= fits else f"{cell.text[: max(1, fits - 1)]}…", "grid")

    # ------------------------------------------------------------ hands
    def event(self, event: QEvent) -> bool:
        """Arrows belong to the grid while it has the focus, whatever shortcuts there are."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and event.key() in STEPS
            and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move; the menu key and Enter open the cell's menu."""
        key = Qt.Key(event.key())
        row, column = self.chosen or (0, 0)
        if key in STEPS and self._rows:
            down, right = STEPS[key]
            row = min(max(row + down, 0), len(self._rows) - 1)
            self.choose(row, min(max(column + right, 0), len(self._rows[row].cells) - 1))
        elif key in (Qt.Key.Key_Menu, Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.chosen:
            self.asked.emit(row, column, self.mapToGlobal(self._box(row, column).bottomLeft().toPoint()))
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the cell below the pointer."""
        found = self._cell_at(event.position())
        if found:
            self.choose(*found)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the cell's menu."""
        found = self._cell_at(QPointF(event.pos()))
        if found:
            self.choose(*found)
            self.asked.emit(*found, event.globalPos())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """There is always a cell to start from."""
        if self.chosen is None and self._rows:
            self.choose(0, 0)
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The ring goes."""
        super().focusOutEvent(event)
        self.update()


def _framed(painter: QPainter, box: QRectF, fill: QColor, edge: QColor) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(edge, 1.5))
    painter.setBrush(fill)
    painter.drawRoundedRect(box.adjusted(0.75, 0.75, -0.75, -0.75), 2, 2)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
