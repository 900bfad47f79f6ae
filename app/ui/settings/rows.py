"""A row of the settings: what it is at the left, the control at the right, why a value was refused below."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.preferences import Kind, Setting
from app.ui.choices import Choices
from app.ui.language import shown
from app.ui.settings.controls import Control, control_for
from app.ui.theme import theme
from app.ui.widgets import Card, Elided, Label, Paragraph, line


class Row(QWidget):
    """A title, a sentence, a control. below: the control needs the full width; dense: a line of a long list."""

    def __init__(
        self,
        title: str,
        about: str,
        control: QWidget | None = None,
        below: bool = False,
        dense: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.title, self.about = Label(title, "ui_medium"), Paragraph(about, "small", "text.tertiary")
        self.refusal = Paragraph("", "small", "error.text")
        self.refusal.hide()
        self.setMinimumHeight(theme().px(34 if dense else 56))
        words = QVBoxLayout()
        words.setSpacing(2)
        for widget in (self.title, self.about, self.refusal):
            words.addWidget(widget)
        if not about:
            self.about.hide()  # nothing is shown before it has a parent: it would be a window of its own
        head = QHBoxLayout()
        head.setSpacing(24)
        head.addLayout(words, 1)
        column = self.column = QVBoxLayout(self)
        column.setContentsMargins(*((16, 4, 16, 4) if dense else (16, 12, 16, 12)))
        column.setSpacing(10)
        column.addLayout(head)
        if control is not None and below:
            column.addWidget(control)
        elif control is not None:
            head.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)

    def refuse(self, why: str) -> None:
        """Say why a value was not taken; "" takes it back."""
        self.refusal.setText(why)
        self.refusal.setVisible(bool(why))

    def matches(self, words: str) -> bool:
        """Whether a search for these words finds this row."""
        text = f"{self.title.text()} {self.about.accessibleName()}".lower()
        return all(word in text for word in words.lower().split())


class SettingRow(Row):
    """The row of an entry of `app.preferences`. note: what stands below the sentence, such as the folder in force."""

    def __init__(
        self, setting: Setting[Any], choices: Choices, default: Path | None = None, parent: QWidget | None = None
    ) -> None:
        self.control: Control = control_for(setting, choices)
        super().__init__(
            shown(setting.title), shown(setting.about), self.control, setting.kind is Kind.LONG_TEXT, parent=parent
        )
        self.control.refused.connect(self.refuse)
        self._setting, self._choices, self._default = setting, choices, default
        self.note = Elided("", "grid", "text.secondary")
        if setting.kind is Kind.FOLDER:
            self.column.addWidget(self.note)
            choices.changed.connect(self._show_folder)
            self._show_folder()
        elif setting.restart:
            self.about.setText(f"{shown(setting.about)} {self.tr('Takes effect at the next start.')}")

    def _show_folder(self) -> None:
        self.note.setText(str(self._choices.get(self._setting) or self._default or ""))


class Group(QWidget):
    """A heading over a card of rows. It hides when none of its rows is found."""

    def __init__(self, title: str, rows: list[Row], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = rows
        self._lines = [line() for _ in rows[1:]]
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addWidget(Label(title, "title"))
        card = Card(0, 0)
        for place, row in enumerate(rows):
            if place:
                card.body.addWidget(self._lines[place - 1])
            card.body.addWidget(row)
        column.addWidget(card)

    def filter(self, words: str) -> int:
        """Show only rows that match; how many do."""
        found = [row for row in self.rows if row.matches(words)]
        for place, row in enumerate(self.rows):
            row.setVisible(row in found)
            if place:
                self._lines[place - 1].setVisible(row in found and row is not found[0])
        self.setVisible(bool(found))
        return len(found)
