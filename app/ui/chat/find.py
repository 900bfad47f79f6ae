"""Finding words in the chat that is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QKeyEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QTextEdit, QWidget
from shiboken6 import isValid

from app.ui.chat.transcript import Transcript
from app.ui.theme import theme
from app.ui.widgets import IconButton, Label, Paragraph
from app.ui.widgets.text import Mark


class _Written:
    """The text or the code of a reply. find: how often it has the words; place: of a hit; mark: all, and the one looked at."""

    def __init__(self, view: QTextEdit) -> None:
        self.view = view
        self._found: list[QTextCursor] = []

    def find(self, words: str) -> int:
        cursor, self._found = self.view.document().find(words), []
        while not cursor.isNull():
            self._found.append(cursor)
            cursor = self.view.document().find(words, cursor)
        return len(self._found)

    def place(self, number: int) -> QRect:
        return self.view.cursorRect(self._found[number])

    def mark(self, current: int | None) -> None:
        self.view.setExtraSelections([_selection(cursor, number == current) for number, cursor in enumerate(self._found)])


class _Asked:
    """A question, which is a label: the same three."""

    def __init__(self, view: Paragraph) -> None:
        self.view = view
        self._found: list[tuple[int, int]] = []

    def find(self, words: str) -> int:
        matches = re.finditer(re.escape(words), self.view.plain, re.IGNORECASE) if words else ()
        self._found = [match.span() for match in matches]
        return len(self._found)

    def place(self, number: int) -> QRect:
        """About where it is: a label does not say where its lines are."""
        line = theme().px(24)
        top = round((self.view.height() - line) * self._found[number][0] / len(self.view.plain))
        return QRect(0, max(0, top), self.view.width(), line)

    def mark(self, current: int | None) -> None:
        self.view.mark([Mark(start, end, number == current) for number, (start, end) in enumerate(self._found)])


def _selection(cursor: QTextCursor, current: bool) -> QTextEdit.ExtraSelection:
    selection = QTextEdit.ExtraSelection()
    selection.cursor = cursor
    form = QTextCharFormat()
    form.setBackground(theme().color("accent.fill" if current else "accent.tint"))
    form.setForeground(theme().color("accent.on" if current else "text.primary"))
    selection.format = form
    return selection


class FindBar(QWidget):
    """A line below the header; Enter and Shift Enter go on and back, Esc leaves.

    In a long chat it begins with the messages that are there; the ones above follow, and one stays where one is.
    """

    def __init__(self, transcript: Transcript, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._transcript = transcript
        self._hits: list[tuple[_Written | _Asked, int]] = []
        self._place = 0
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("Find in this chat"))
        self.field.setAccessibleName(self.tr("Find in this chat"))
        self.field.textChanged.connect(self._search)
        transcript.completed.connect(self._extend)
        self._count = Label("", "small", "text.tertiary")
        back, on = IconButton("chevron-up", self.tr("Previous"), 28, 14), IconButton("chevron-down", self.tr("Next"), 28, 14)
        close = IconButton("x", self.tr("Close"), 28, 14)
        back.clicked.connect(lambda: self._go(-1))
        on.clicked.connect(lambda: self._go(1))
        close.clicked.connect(self.leave)
        row = QHBoxLayout(self)
        row.setContentsMargins(24, 8, 12, 8)
        row.setSpacing(4)
        row.addWidget(self.field, 1)
        row.addWidget(self._count)
        for button in (back, on, close):
            row.addWidget(button)
        self.hide()

    def begin(self) -> None:
        """Show it and write in it."""
        self._transcript.complete()
        self.show()
        self.field.setFocus()
        self.field.selectAll()
        self._search()

    def leave(self) -> None:
        """Hide it and its marks."""
        self.hide()
        self._search()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes on, Shift Enter back, Esc leaves."""
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._go(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        else:
            super().keyPressEvent(event)

    def _search(self) -> None:
        self._place = 0
        self._look()
        self._go(0)

    def _extend(self) -> None:
        """More messages are there, above those that were searched."""
        before = len(self._hits)
        self._look()
        if before:
            self._place += len(self._hits) - before
            text, number = self._hits[self._place]
            text.mark(number)
            self._say()
        else:
            self._go(0)

    def _look(self) -> None:
        """Find the words in every text that is there."""
        words = self.field.text() if self.isVisible() else ""
        found = [(text, text.find(words)) for text in self._texts()]
        self._hits = [(text, number) for text, count in found for number in range(count)]
        for text, _ in found:
            text.mark(None)

    def _texts(self) -> Iterator[_Written | _Asked]:
        """Everything in which words can be found, in order."""
        for message in self._transcript.messages():
            for view in message.texts():
                yield _Asked(view) if isinstance(view, Paragraph) else _Written(view)

    def _go(self, step: int) -> None:
        if not all(isValid(text.view) for text, _ in self._hits):
            self._search()  # other messages are shown than those that were searched
            return
        if self._hits:
            self._hits[self._place][0].mark(None)
            self._place = (self._place + step) % len(self._hits)
            text, number = self._hits[self._place]
            self._transcript.see(text.view, text.place(number))
            text.mark(number)
        self._say()

    def _say(self) -> None:
        found = f"{self._place + 1} / {len(self._hits)}" if self._hits else self.tr("Nothing found")
        self._count.setText(found if self.field.text() else "")
