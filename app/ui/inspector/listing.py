"""Lines of code beside each other: numbers, colours, the lines that belong to the present token, a bar at their left."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.ui.theme import theme
from app.ui.widgets import Elided, IconButton, Label
from app.ui.widgets.controls import line
from app.ui.widgets.highlight import Span, spans

ROW, PAD = 20, 8


@dataclass(frozen=True)
class Line:
    """A line: what stands in its margin, its text, whether it is a heading or something quiet."""

    margin: str
    text: str
    heading: bool = False
    quiet: bool = False


class Listing(QAbstractScrollArea):
    """Paints the lines in sight. `picked(index)` when one is clicked or Enter is pressed on it."""

    picked = Signal(int)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: Sequence[Line] = ()
        self._spans: Sequence[Sequence[Span]] = ()
        self._marked: frozenset[int] = frozenset()
        self._faint: frozenset[int] = frozenset()
        self._stops: frozenset[int] = frozenset()
        self._chosen = -1
        self._gutter = 3
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.viewport().setAutoFillBackground(False)
        theme().changed.connect(self._restyle)
        self._restyle()

    def show_lines(self, lines: Sequence[Line], language: str = "") -> None:
        """Show other lines."""
        self._lines = lines
        self._spans = spans("\n".join(each.text for each in lines), language) if language else [()] * len(lines)
        self._gutter = max([len(each.margin) for each in lines], default=1)
        self._marked = self._faint = frozenset()
        self._chosen = -1
        self._restyle()

    def mark(self, marked: Collection[int], faint: Collection[int] = ()) -> None:
        """Which lines belong to the present token, and which only lead to them; brings the first into sight."""
        if (frozenset(marked), frozenset(faint)) == (self._marked, self._faint):
            return
        self._marked, self._faint = frozenset(marked), frozenset(faint)
        if self._marked:
            self.reveal(min(self._marked), max(self._marked))
        self.viewport().update()
        said = "; ".join(self._lines[i].text.strip() for i in sorted(self._marked)[:6] if i < len(self._lines))
        self.setAccessibleDescription(said)

    def show_stops(self, stops: Collection[int]) -> None:
        """Lines where playing stops have a dot."""
        self._stops = frozenset(stops)
        self.viewport().update()

    def reveal(self, first: int, last: int) -> None:
        """Scroll so that these lines can be seen, with a little of what is around."""
        bar, height, room = self.verticalScrollBar(), self._row(), self.viewport().height()
        top, bottom = PAD + first * height, PAD + (min(last, first + 8) + 1) * height
        if top - height < bar.value() or bottom + height > bar.value() + room:
            bar.setValue(round(top - max(height, (room - (bottom - top)) / 3)))

    def sizeHint(self) -> QSize:
        """All lines, up to a dozen."""
        return QSize(280, round(min(len(self._lines), 12) * self._row()) + 2 * PAD)

    def _row(self) -> float:
        return theme().px(ROW)

    def _restyle(self) -> None:
        self._metrics = QFontMetricsF(theme().font("grid"))
        self._letter = self._metrics.horizontalAdvance("0")
        widest = max((len(each.text.expandtabs(4)) for each in self._lines), default=0)
        self._content = QSize(round(self._left() + widest * self._letter + 16), round(len(self._lines) * self._row()) + 2 * PAD)
        self._ranges()
        self.updateGeometry()
        self.viewport().update()

    def _left(self) -> float:
        return 12 + self._gutter * self._letter + 14

    def _ranges(self) -> None:
        view = self.viewport().size()
        self.verticalScrollBar().setRange(0, max(0, self._content.height() - view.height()))
        self.verticalScrollBar().setPageStep(view.height())
        self.verticalScrollBar().setSingleStep(round(self._row()))
        self.horizontalScrollBar().setRange(0, max(0, self._content.width() - view.width()))
        self.horizontalScrollBar().setPageStep(view.width())
        self.horizontalScrollBar().setSingleStep(round(4 * self._letter))

    def resizeEvent(self, event: object) -> None:
        """Other ranges to scroll."""
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._ranges()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The lines in sight."""
        painter = QPainter(self.viewport())
        colors, height = theme(), self._row()
        scrolled, aside = self.verticalScrollBar().value(), self.horizontalScrollBar().value()
        first = max(0, int((event.rect().top() + scrolled - PAD) // height))
        last = min(len(self._lines), int((event.rect().bottom() + scrolled - PAD) // height) + 1)
        mono, ui = colors.font("grid"), colors.font("small_medium")
        width, left = self.viewport().width(), self._left()
        for index in range(first, last):
            box = QRectF(0, PAD + index * height - scrolled, width, height)
            if index in self._marked or index in self._faint:
                tint = colors.color("computed.tint")
                if index in self._faint:
                    tint.setAlphaF(0.45)
                painter.fillRect(box, tint)
            if index in self._marked:
                painter.fillRect(QRectF(0, box.top(), 4, height), colors.color("computed.line"))
            if index == self._chosen and self.hasFocus():
                painter.setPen(colors.color("accent.focus"))
                painter.drawRect(box.adjusted(1, 0, -2, -1))
            self._line(painter, index, box, left - aside, mono, ui)
            painter.fillRect(QRectF(4, box.top(), left - 12, height), self._ground(index))
            painter.setFont(mono)
            painter.setPen(colors.color("text.tertiary"))
            right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
            painter.drawText(QRectF(0, box.top(), left - 14, height), right, self._lines[index].margin)
            if index in self._stops:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(colors.color("accent.fill"))
                painter.drawEllipse(QRectF(7, box.center().y() - 4, 8, 8))

    def _ground(self, index: int) -> object:
        tint = theme().color("computed.tint" if index in self._marked else "bg.sunken")
        if index in self._faint:
            tint = theme().color("computed.tint")
            tint.setAlphaF(0.45)
        return tint

    def _line(self, painter: QPainter, index: int, box: QRectF, left: float, mono: object, ui: object) -> None:
        entry = self._lines[index]
        painter.setFont(ui if entry.heading else mono)  # type: ignore[arg-type]
        place = box.adjusted(left, 0, 10_000, 0)
        color = "text.primary" if entry.heading else "text.tertiary" if entry.quiet else "syntax.plain"
        painter.setPen(theme().color(color))
        if not self._spans[index]:
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, entry.text.expandtabs(4))
            return
        at = 0
        for span in self._spans[index]:
            if span.start > at:
                painter.setPen(theme().color("syntax.plain"))
                self._piece(painter, place, entry.text, at, span.start)
            painter.setPen(theme().color(span.color))
            self._piece(painter, place, entry.text, span.start, span.start + span.length)
            at = span.start + span.length
        painter.setPen(theme().color("syntax.plain"))
        self._piece(painter, place, entry.text, at, len(entry.text))

    def _piece(self, painter: QPainter, place: QRectF, text: str, start: int, end: int) -> None:
        """Part of a line at its column; tabs are four columns wide."""
        if start < end:
            column = len(text[:start].expandtabs(4))
            painter.drawText(
                place.adjusted(column * self._letter, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text[start:end].expandtabs(4)
            )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Pick the line below the pointer."""
        index = int((event.position().y() + self.verticalScrollBar().value() - PAD) // self._row())
        if 0 <= index < len(self._lines):
            self._chosen = index
            self.viewport().update()
            self.picked.emit(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and down choose a line, Enter picks it."""
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0)
        if step and self._lines:
            self._chosen = min(max(self._chosen + step, 0), len(self._lines) - 1)
            self.reveal(self._chosen, self._chosen)
            self.viewport().update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._chosen >= 0:
            self.picked.emit(self._chosen)
        else:
            super().keyPressEvent(event)


class ListingFrame(QFrame):
    """A listing with its title, a note at the right, and copying."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "panel")
        self.listing = Listing(title)
        self._title, self._note = Elided(title, "small_medium", "text.secondary"), Label("", "small", "text.tertiary")
        self._text = ""
        copy = IconButton("copy", self.tr("Copy {title}").format(title=title), 28, 14)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._text))
        head = QHBoxLayout()
        head.setContentsMargins(12, 1, 2, 1)
        head.setSpacing(8)
        head.addWidget(self._title, 1)
        head.addWidget(self._note)
        head.addWidget(copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(line())
        column.addWidget(self.listing, 1)

    def show_lines(self, title: str, note: str, lines: Sequence[Line], language: str = "") -> None:
        """Show other lines under another title."""
        self._title.setText(title)
        self._note.setText(note)
        self._text = "\n".join(f"{each.text}" for each in lines)
        self.listing.show_lines(lines, language)
