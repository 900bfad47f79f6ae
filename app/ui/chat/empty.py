"""A chat without messages: what to ask, and what a computed value looks like."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.chatting.launches import Launched
from app.chatting.reply import PLACEHOLDER, Prose, Value
from app.ui.chat.prose import ProseView
from app.ui.theme import paint_icon, theme
from app.ui.widgets import Icon, Label, Paragraph

DRAWN_AFTER = 100
"""Milliseconds after it is first shown when the legend is drawn as a reply is: what draws replies takes a tenth of a second
to come, and the window does not wait for it."""


class _Example(QAbstractButton):
    def __init__(self, icon_name: str, text: str, note: str) -> None:
        super().__init__()
        self._icon_name, self._note = icon_name, note
        self.setText(text)
        self.setAccessibleName(f"{text} {note}")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        return QSize(280, theme().px(84))

    def lines(self, width: float) -> int:
        """How many lines its text needs at a width."""
        return 1 if QFontMetrics(theme().font("ui_medium")).horizontalAdvance(self.text()) <= width - theme().px(57) else 2

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, px = QPainter(self), theme().px
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        fill = "bg.selected" if self.isDown() else "bg.hover" if self.underMouse() else "bg.raised"
        painter.setPen(QPen(theme().color("border.subtle"), 1))
        painter.setBrush(theme().color(fill))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        paint_icon(painter, self._icon_name, "text.secondary", px(15), px(15), px(16))
        left, width = px(43), self.width() - px(43) - px(14)
        painter.setFont(theme().font("ui_medium"))
        painter.setPen(theme().color("text.primary"))
        box = QRectF(left, px(13), width, px(40))
        used = painter.drawText(box, int(Qt.TextFlag.TextWordWrap), self.text())
        painter.setFont(theme().font("small"))
        painter.setPen(theme().color("text.tertiary"))
        shown = painter.fontMetrics().elidedText(self._note, Qt.TextElideMode.ElideRight, width)
        painter.drawText(QRectF(left, min(used.bottom(), box.bottom()) + px(3), width, px(18)), shown)


class EmptyChat(QWidget):
    """asked(text): an example was chosen; playground_asked."""

    asked = Signal(str)
    playground_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._holder = QWidget()
        column = QVBoxLayout(self._holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(Label(self.tr("Ask something with numbers in it"), "display"))
        column.addSpacing(8)
        column.addLayout(self._legend())
        column.addSpacing(12)
        self._examples = [
            _Example("calculator", self.tr("What is the dot product of [1, 2, 3] and [4, 5, 6]?"), self.tr("A short launch")),
            _Example("binary", self.tr("Is 1,000,003 prime?"), self.tr("Division after division, with remainders")),
            _Example("cpu", self.tr("What is 123456789 times 987654321?"), self.tr("All 18 digits")),
            _Example("chevrons-up-down", self.tr("Sort 42, 7, 19, 3 and 28."), self.tr("Every entry finds its place at once")),
        ]
        self._grid = QGridLayout()
        self._grid.setSpacing(12)
        for example in self._examples:
            example.clicked.connect(lambda _=False, chosen=example: self.asked.emit(chosen.text()))
        column.addLayout(self._grid)
        column.addSpacing(16)
        column.addLayout(self._expert())
        row = QHBoxLayout()
        row.setContentsMargins(24, 0, 24, 0)
        row.addStretch(1)
        row.addWidget(self._holder, 1000)
        row.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 16, 0, 16)
        outer.addStretch(1)
        outer.addLayout(row)
        outer.addStretch(1)
        self._columns = 0
        self._arrange(2)
        theme().changed.connect(self._restyle)
        self._restyle()

    def _legend(self) -> QVBoxLayout:
        """What computed values look like: as words, until it can be shown."""
        self._words = self.tr(
            "The model writes the answer. A small GPU compiled into its weights does the arithmetic. Values it "
            "computed look like this: {value} Open one to step through how."
        )
        self._told: Paragraph | None = Paragraph(self._words.format(value="32"), "body")
        self._place = QVBoxLayout()
        self._place.addWidget(self._told)
        self._drawing = QTimer(self)
        self._drawing.setSingleShot(True)
        self._drawing.setInterval(DRAWN_AFTER)
        self._drawing.timeout.connect(self._draw_legend)
        return self._place

    def _draw_legend(self) -> None:
        told, self._told = self._told, None
        if told is None:
            return
        sample = Launched("sample", "dot([1, 2, 3], [4, 5, 6])", "exact", 14)
        view = ProseView(lambda _: sample, told.width())
        view.setAccessibleName(self.tr("What computed values look like"))
        view.document().setDocumentMargin(0)
        view.set_prose(Prose(self._words.format(value=PLACEHOLDER), (Value("32", None),)))
        view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        told.hide()
        told.deleteLater()
        self._place.addWidget(view)

    def showEvent(self, event: QShowEvent) -> None:
        """Draw the legend soon."""
        super().showEvent(event)
        if self._told is not None:
            self._drawing.start()

    def _expert(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(Icon("square-terminal", "text.tertiary", 14))
        text = Paragraph(
            self.tr("Know CUDA? Turn on <b>Advanced</b> below, or open the <a href='playground'>Playground</a>."),
            "small",
            "text.secondary",
            markup=True,
        )
        text.linkActivated.connect(lambda _: self.playground_asked.emit())
        row.addWidget(text, 1)
        return row

    def _arrange(self, columns: int) -> None:
        if columns != self._columns:
            self._columns = columns
            for index, example in enumerate(self._examples):
                self._grid.removeWidget(example)
                self._grid.addWidget(example, index // columns, index % columns)

    def _restyle(self) -> None:
        self._holder.setMaximumWidth(theme().px(theme().size("column_max")))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Two columns where there is room; fewer examples where the window is low."""
        super().resizeEvent(event)
        self._arrange(2 if self.width() >= 520 else 1)
        fitting = 4 if self.height() >= theme().px(390) else 2
        room = (min(self.width() - 48, self._holder.maximumWidth()) - 12 * (self._columns - 1)) / self._columns
        height = theme().px(64 if all(example.lines(room) == 1 for example in self._examples) else 84)
        for index, example in enumerate(self._examples):
            example.setVisible(index < fitting)
            example.setFixedHeight(height)
