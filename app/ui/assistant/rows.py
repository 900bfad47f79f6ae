"""The rows of a step: as a list of checks, as a list of files, as phases side by side. One `Row` of the logic each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from app.assistant.model import Mark, Row
from app.ui.assistant.offers import OfferRow
from app.ui.assistant.parts import Bar, State, StateIcon, TintBox
from app.ui.language import shown
from app.ui.theme import theme
from app.ui.widgets import Card, Elided, Label, Paragraph, line

STATES: dict[Mark, State] = {
    Mark.TODO: "todo",
    Mark.RUNNING: "running",
    Mark.DONE: "done",
    Mark.WARNING: "warning",
    Mark.PROBLEM: "error",
    Mark.PAUSED: "paused",
}
TONES = {Mark.WARNING: "warning", Mark.PROBLEM: "error"}


class RowWidget(Protocol):
    """A widget for a row."""

    def show_row(self, row: Row) -> None:
        """Show how the row stands now."""


class CheckRow(QWidget):
    """State, title, a sentence, a value at the right; below them a box with notes and what can be done about it."""

    acted = Signal(object)

    def __init__(self, parent: QWidget | None = None, margin: int = 14) -> None:
        super().__init__(parent)
        self.icon, self.title, self.value = StateIcon(), Label("", "ui_medium"), Label("", "grid")
        self.sentence = Paragraph("", "ui", "text.secondary")
        self.box, self.offers = TintBox("warning"), OfferRow("secondary", "small")
        self.first_note, self.notes = Paragraph("", "ui_medium"), Paragraph("", "ui", "text.secondary")
        self.offers.acted.connect(self.acted)
        inside = QHBoxLayout()
        inside.setSpacing(8)
        inside.addWidget(self.first_note, 1)
        inside.addWidget(self.offers)
        self.box.body.addLayout(inside)
        self.box.body.addWidget(self.notes)
        head = QHBoxLayout()
        head.setSpacing(12)
        head.addWidget(self.title)
        head.addStretch(1)
        head.addWidget(self.value)
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addLayout(head)
        column.addWidget(self.sentence)
        self.box.setContentsMargins(0, 6, 0, 0)
        column.addWidget(self.box)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, margin, 16, margin)
        row.setSpacing(12)
        row.addWidget(self.icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(column, 1)

    def show_row(self, row: Row) -> None:
        """Show how the row stands now."""
        self.icon.set_state(STATES[row.mark])
        self.title.setText(shown(row.title))
        self.value.setText(shown(row.value))
        sentence, notes = shown(row.sentence), [shown(note) for note in row.notes]
        for paragraph, text in (
            (self.sentence, sentence),
            (self.first_note, "".join(notes[:1])),
            (self.notes, "\n".join(notes[1:])),
        ):
            paragraph.setText(text)
            paragraph.setVisible(bool(text))
        self.offers.show_offers(row.offers)
        self.box.set_tone(TONES.get(row.mark, "accent"))
        self.box.setVisible(bool(row.notes or row.offers))
        self.setAccessibleName(" ".join([f"{shown(row.title)}: {self.icon.accessibleName()}.", sentence, *notes]))


class FileRow(QWidget):
    """State, file name, a bar while it comes, a word, its size."""

    acted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.icon, self.name, self.bar = StateIcon(), Elided("", "grid"), Bar(self.tr("Progress of this file"))
        self.word, self.amount = Label("", "small", "text.tertiary"), Label("", "grid", "text.secondary")
        self.offers = OfferRow("secondary", "small")
        self.offers.acted.connect(self.acted)
        self.bar.setFixedWidth(120)
        for label, width in ((self.word, 88), (self.amount, 72)):
            label.setMinimumWidth(theme().px(width))
            label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 16, 0)
        row.setSpacing(12)
        for widget in (self.icon, self.name, self.bar, self.offers, self.word, self.amount):
            row.addWidget(widget, 1 if widget is self.name else 0)
        self.setMinimumHeight(theme().px(40))

    def show_row(self, row: Row) -> None:
        """Show how far the file is; no bar without a fraction."""
        self.icon.set_state(STATES[row.mark])
        self.name.setText(shown(row.title))
        self.word.setText(shown(row.sentence))
        self.amount.setText(shown(row.value))
        self.bar.setVisible(row.fraction is not None)
        if row.fraction is not None:
            self.bar.set_fraction(row.fraction)
        self.offers.show_offers(row.offers)
        self.setAccessibleName(f"{shown(row.title)}: {shown(row.sentence)}, {shown(row.value)}")


class PhaseCell(QWidget):
    """State, name and a few words, narrow enough for five in a row."""

    acted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.icon, self.name, self.word = StateIcon(), Elided("", "small_medium"), Elided("", "small", "text.tertiary")
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(self.name)
        column.addWidget(self.word)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 10, 8, 10)
        row.setSpacing(8)
        row.addWidget(self.icon)
        row.addLayout(column, 1)

    def show_row(self, row: Row) -> None:
        """Show how the phase stands."""
        self.icon.set_state(STATES[row.mark])
        self.name.setText(shown(row.title))
        self.word.setText(shown(row.sentence) or shown(row.value))
        self.setAccessibleName(f"{shown(row.title)}: {self.icon.accessibleName()}. {self.word.text()}")


class RowsCard(Card):
    """Rows in a card with dividers; widgets of rows that were there before stay. `acted(Action)` for the buttons in them."""

    acted = Signal(object)

    def __init__(self, make: type[CheckRow | FileRow | PhaseCell] = CheckRow, parent: QWidget | None = None) -> None:
        super().__init__(0, 0, parent)
        self._make = make
        self._rows: dict[str, CheckRow | FileRow | PhaseCell] = {}
        self._sideways = make is PhaseCell
        if self._sideways:
            self.body.setDirection(QBoxLayout.Direction.LeftToRight)

    def row(self, key: str) -> CheckRow | FileRow | PhaseCell:
        """The widget of a row."""
        return self._rows[key]

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show these rows in this order."""
        if list(self._rows) != [row.key for row in rows]:
            self._rebuild([row.key for row in rows])
        for row in rows:
            self._rows[row.key].show_row(row)
        self.setVisible(bool(rows))

    def _rebuild(self, keys: Sequence[str]) -> None:
        kept = {key: self._rows.pop(key) for key in keys if key in self._rows}
        while (item := self.body.takeAt(0)) is not None:
            if (widget := item.widget()) is not None and widget not in kept.values():
                widget.hide()
                widget.deleteLater()
        self._rows = {}
        for key in keys:
            if self._rows:
                self.body.addWidget(line(vertical=self._sideways))
            if key not in kept:
                kept[key] = self._make()
                kept[key].acted.connect(self.acted)
            self._rows[key] = kept[key]
            self.body.addWidget(kept[key], 1 if self._sideways else 0)
