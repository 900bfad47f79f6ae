"""Finding words in the chat that is shown."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QTextEdit, QWidget

from app.ui.chat.transcript import Transcript
from app.ui.theme import theme
from app.ui.widgets import IconButton, Label


@dataclass(frozen=True)
class _Hit:
    view: QTextEdit
    cursor: QTextCursor
    message: str


class FindBar(QWidget):
    """A line below the header; Enter and Shift Enter go on and back, Esc leaves."""

    def __init__(self, transcript: Transcript, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._transcript = transcript
        self._hits: list[_Hit] = []
        self._place = 0
        self._marked: set[QTextEdit] = set()
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("Find in this chat"))
        self.field.setAccessibleName(self.tr("Find in this chat"))
        self.field.textChanged.connect(self._search)
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
        self._transcript.make_all()
        self.show()
        self.field.setFocus()
        self.field.selectAll()
        self._search()

    def leave(self) -> None:
        """Hide it and its marks."""
        self.hide()
        self._hits.clear()
        self._mark()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes on, Shift Enter back, Esc leaves."""
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._go(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        else:
            super().keyPressEvent(event)

    def _search(self) -> None:
        words, self._hits, self._place = self.field.text(), [], 0
        if words and self.isVisible():
            for reply in self._transcript.replies():
                for view in reply.texts():
                    cursor = view.document().find(words)
                    while not cursor.isNull():
                        self._hits.append(_Hit(view, cursor, reply.message.id))
                        cursor = view.document().find(words, cursor)
        self._mark()
        self._go(0)

    def _go(self, step: int) -> None:
        if self._hits:
            self._place = (self._place + step) % len(self._hits)
            hit = self._hits[self._place]
            self._transcript.see(hit.view, hit.view.cursorRect(hit.cursor))
            self._mark()
        found = f"{self._place + 1} / {len(self._hits)}" if self._hits else self.tr("Nothing found")
        self._count.setText(found if self.field.text() else "")

    def _mark(self) -> None:
        marked: dict[QTextEdit, list[QTextEdit.ExtraSelection]] = {}
        for number, hit in enumerate(self._hits):
            selection = QTextEdit.ExtraSelection()
            selection.cursor = hit.cursor
            form = QTextCharFormat()
            current = number == self._place
            form.setBackground(theme().color("accent.fill" if current else "accent.tint"))
            form.setForeground(theme().color("accent.on" if current else "text.primary"))
            selection.format = form
            marked.setdefault(hit.view, []).append(selection)
        for reply in self._transcript.replies():
            for view in reply.texts():
                if view in marked or view in self._marked:
                    view.setExtraSelections(marked.get(view, []))
        self._marked = set(marked)
