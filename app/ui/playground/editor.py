"""A code editor: line numbers, colours, the compiler's errors at their lines, indentation and brackets."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTextEdit, QToolTip, QWidget

from app.ui.theme import paint_icon, theme
from app.ui.widgets import Highlighter

INDENT = 4
PAIRS = {"(": ")", "[": "]", "{": "}"}
CLOSING = {close: opened for opened, close in PAIRS.items()}
FAR = 20_000
"""Characters that are searched for the other bracket, so that no text makes typing slow."""


class CodeEditor(QPlainTextEdit):
    """`edited` when the text changes by hand. Esc, then Tab, leaves it by keyboard; else Tab indents."""

    edited = Signal()

    def __init__(self, language: str = "cuda", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._errors: dict[int, str] = {}
        self._leaving = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setAccessibleName(self.tr("Kernel source. Esc, then Tab leaves the editor."))
        self.setProperty("surface", "sunken")
        self.document().setDocumentMargin(6)
        self.highlighter = Highlighter(self.document(), language)
        self._margin = _Margin(self)
        self.blockCountChanged.connect(self._place_margin)
        self.updateRequest.connect(self._scrolled)
        self.cursorPositionChanged.connect(self._mark)
        self.textChanged.connect(self._changed)
        theme().changed.connect(self.restyle)
        self.restyle()

    def restyle(self) -> None:
        """Take font and colours from the theme."""
        self.setFont(theme().font("code"))
        self.setTabStopDistance(INDENT * QFontMetricsF(self.font()).horizontalAdvance(" "))
        self._place_margin()
        self._mark()

    def show_errors(self, errors: Mapping[int, str]) -> None:
        """What the compiler said, by line from 1."""
        self._errors = dict(errors)
        self._mark()
        self._margin.update()
        if errors:
            first = self.document().findBlockByNumber(min(errors) - 1)
            if first.isValid():
                self.setTextCursor(QTextCursor(first))
                self.centerCursor()

    def errors(self) -> Mapping[int, str]:
        """What is marked now."""
        return self._errors

    # ------------------------------------------------------------ writing
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Tab and Enter indent, brackets come in pairs."""
        key, text = event.key(), event.text()
        plain = not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier & ~Qt.KeyboardModifier.KeypadModifier
        leaving, self._leaving = self._leaving, False
        if key == Qt.Key.Key_Escape:
            self._leaving = True
            event.accept()
        elif key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            if leaving:
                QWidget.focusNextPrevChild(self, key == Qt.Key.Key_Tab)  # a text edit's own keeps the focus
            else:
                self._indent(1 if key == Qt.Key.Key_Tab else -1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and plain:
            self._new_line()
        elif plain and text in PAIRS and self._may_close():
            self._surround(text)
        elif plain and text in CLOSING and self._following() == text:
            self.moveCursor(QTextCursor.MoveOperation.Right)
        elif plain and text == "}" and not self._before().strip():
            self._indent(-1)
            super().keyPressEvent(event)
        elif (
            key == Qt.Key.Key_Backspace
            and plain
            and PAIRS.get(self._before()[-1:]) == (self._following() or None)
            and not self.textCursor().hasSelection()
        ):
            cursor = self.textCursor()
            cursor.deleteChar()
            cursor.deletePreviousChar()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Tab is a key of the editor, not one that moves the focus."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and event.key() == Qt.Key.Key_Escape
            and not self._leaving
        ):
            event.accept()  # the first Esc is the editor's, whatever it does in the window
            return True
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab)
        ):
            self.keyPressEvent(event)
            return True
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            line = self.cursorForPosition(event.pos()).blockNumber() + 1
            QToolTip.showText(event.globalPos(), self._errors.get(line, ""), self)
            return True
        return super().event(event)

    def _before(self) -> str:
        cursor = self.textCursor()
        return cursor.block().text()[: cursor.positionInBlock()]

    def _following(self) -> str:
        cursor = self.textCursor()
        return cursor.block().text()[cursor.positionInBlock() :][:1]

    def _may_close(self) -> bool:
        following = self._following()
        return self.textCursor().hasSelection() or not following.strip() or following in CLOSING or following == ";"

    def _surround(self, opened: str) -> None:
        cursor = self.textCursor()
        inside = cursor.selectedText()
        cursor.insertText(f"{opened}{inside}{PAIRS[opened]}")
        cursor.movePosition(QTextCursor.MoveOperation.Left)
        self.setTextCursor(cursor)

    def _new_line(self) -> None:
        before = self._before()
        indent = len(before) - len(before.lstrip(" "))
        opens = before.rstrip().endswith(("{", "(", "["))
        closes = self._following() in CLOSING and opens
        cursor = self.textCursor()
        cursor.beginEditBlock()
        cursor.insertText("\n" + " " * (indent + (INDENT if opens else 0)))
        if closes:
            place = cursor.position()
            cursor.insertText("\n" + " " * indent)
            cursor.setPosition(place)
        cursor.endEditBlock()
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def _indent(self, direction: int) -> None:
        """Move the selected lines, or write spaces up to the next stop."""
        cursor = self.textCursor()
        if not cursor.hasSelection() and direction > 0:
            cursor.insertText(" " * (INDENT - cursor.positionInBlock() % INDENT))
            return
        document = self.document()
        first, last = (document.findBlock(place).blockNumber() for place in (cursor.selectionStart(), cursor.selectionEnd()))
        cursor.beginEditBlock()
        for number in range(first, last + 1):
            block = document.findBlockByNumber(number)
            edit = QTextCursor(block)
            if direction > 0:
                edit.insertText(" " * INDENT)
            else:
                spaces = min(INDENT, len(block.text()) - len(block.text().lstrip(" ")))
                edit.movePosition(QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.KeepAnchor, spaces)
                edit.removeSelectedText()
        cursor.endEditBlock()

    def _changed(self) -> None:
        if self._errors:
            self._errors = {}
            self._mark()
        self.edited.emit()

    # ------------------------------------------------------------ marks
    def _mark(self) -> None:
        """The present line, the lines with errors, and the two brackets of a pair."""
        marks = [self._line_mark(self.textCursor(), theme().color("bg.hover"))]
        for line in self._errors:
            block = self.document().findBlockByNumber(line - 1)
            if block.isValid():
                marks.append(self._line_mark(QTextCursor(block), theme().color("error.tint")))
        for place in self._brackets():
            cursor = QTextCursor(self.document())
            cursor.setPosition(place)
            cursor.movePosition(QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.KeepAnchor)
            mark = QTextEdit.ExtraSelection()
            form = QTextCharFormat()
            form.setBackground(theme().color("bg.selected"))
            mark.cursor, mark.format = cursor, form
            marks.append(mark)
        self.setExtraSelections(marks)

    def _line_mark(self, cursor: QTextCursor, color: QColor) -> QTextEdit.ExtraSelection:
        mark = QTextEdit.ExtraSelection()
        mark.cursor = cursor
        mark.cursor.clearSelection()
        form = QTextCharFormat()
        form.setBackground(color)
        form.setProperty(QTextFormat.Property.FullWidthSelection, True)
        mark.format = form
        return mark

    def _brackets(self) -> tuple[int, ...]:
        """Positions of the bracket beside the cursor and of the other one."""
        text, cursor = self.toPlainText(), self.textCursor().position()
        for place in (cursor - 1, cursor):
            sign = text[place : place + 1] if place >= 0 else ""
            if sign in PAIRS and sign:
                other = _matching(text, place, 1, sign, PAIRS[sign])
            elif sign in CLOSING and sign:
                other = _matching(text, place, -1, sign, CLOSING[sign])
            else:
                continue
            if other is not None:
                return place, other
        return ()

    # ------------------------------------------------------------ margin
    def margin_width(self) -> int:
        """Room for the line numbers and for the sign of an error."""
        digits = max(2, len(str(self.blockCount())))
        return round(QFontMetricsF(self.font()).horizontalAdvance("0") * digits) + 36

    def _place_margin(self) -> None:
        self.setViewportMargins(self.margin_width(), 0, 0, 0)
        self._margin.setGeometry(QRect(0, 0, self.margin_width(), self.height()))

    def _scrolled(self, rect: QRect, moved: int) -> None:
        if moved:
            self._margin.scroll(0, moved)
        else:
            self._margin.update(0, rect.y(), self._margin.width(), rect.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The margin is as high as the editor."""
        super().resizeEvent(event)
        self._place_margin()

    def lines_in_sight(self) -> list[tuple[int, QRectF]]:
        """Numbers from 1 and places of the lines that can be seen."""
        found, block = [], self.firstVisibleBlock()
        while block.isValid():
            box = self.blockBoundingGeometry(block).translated(self.contentOffset())
            if box.top() > self.viewport().height():
                break
            found.append((block.blockNumber() + 1, box))
            block = block.next()
        return found


class _Margin(QWidget):
    """Line numbers, and a sign where the compiler has something to say."""

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__(editor)
        self._editor = editor

    def sizeHint(self) -> QSize:
        return QSize(self._editor.margin_width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), theme().color("bg.sunken"))
        painter.setFont(self._editor.font())
        now, errors = self._editor.textCursor().blockNumber() + 1, self._editor.errors()
        for number, box in self._editor.lines_in_sight():
            place = QRectF(0, box.top(), self.width() - 10, box.height())
            if number in errors:
                side = theme().px(14)
                paint_icon(painter, "circle-x", "error.text", 5, box.center().y() - side / 2, side)
            color = "error.text" if number in errors else "text.primary" if number == now else "text.tertiary"
            painter.setPen(QPen(theme().color(color)))
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, str(number))

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            where = QPointF(event.pos())
            line = next((number for number, box in self._editor.lines_in_sight() if box.top() <= where.y() <= box.bottom()), 0)
            QToolTip.showText(event.globalPos(), self._editor.errors().get(line, ""), self)
            return True
        return super().event(event)


def _matching(text: str, place: int, step: int, own: str, other: str) -> int | None:
    depth, at = 0, place
    while 0 <= at < len(text) and abs(at - place) < FAR:
        depth += (text[at] == own) - (text[at] == other)
        if depth == 0:
            return at
        at += step
    return None
