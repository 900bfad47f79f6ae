"""A block of code to read: language, copy, colours, its own sideways scrolling."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import (
    QFontMetricsF,
    QGuiApplication,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QTextEdit, QVBoxLayout, QWidget

from app.ui.theme import theme
from app.ui.widgets.buttons import IconButton
from app.ui.widgets.controls import line
from app.ui.widgets.highlight import Highlighter
from app.ui.widgets.text import Elided

LANGUAGES = {
    "py": "Python",
    "python": "Python",
    "cuda": "CUDA",
    "cu": "CUDA",
    "ptx": "PTX",
    "cpp": "C++",
    "c": "C",
    "json": "JSON",
    "sh": "Shell",
    "bash": "Shell",
    "text": "Text",
    "": "Code",
}


class CodeText(QTextEdit):
    """Read-only code as high as its lines, or as `max_lines` of them; the page around it gets the wheel."""

    PADDING = 8

    def __init__(
        self,
        language: str,
        numbers: bool = False,
        max_lines: int | None = None,
        style: str = "code",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._max_lines, self._style, self._laid_out = max_lines, style, False
        self.setReadOnly(True)
        self.setAcceptRichText(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QTextEdit.LineWrapMode.NoWrap)
        self.setVerticalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAlwaysOff if max_lines is None else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        )
        flags = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Code"))
        self.document().setDocumentMargin(0)
        self.document().setUndoRedoEnabled(False)
        self._highlighter = Highlighter(self.document(), language)
        self._margin = _Numbers(self) if numbers else None
        self.viewport().setAutoFillBackground(False)
        if self._margin:
            self.verticalScrollBar().valueChanged.connect(self._margin.update)
        theme().changed.connect(self.restyle)
        self.restyle()

    def set_code(self, code: str) -> None:
        """Show this. While it is being written, only what was added is inserted."""
        shown = self.toPlainText()
        if code == shown:
            return
        if shown and code.startswith(shown):
            cursor = QTextCursor(self.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText(code[len(shown) :])
        else:
            self.setPlainText(code)
            self._set_line_height()
        self._resize()

    def restyle(self) -> None:
        """Take font and size from the theme."""
        self.setFont(theme().font(self._style))
        self.setTabStopDistance(4 * QFontMetricsF(self.font()).horizontalAdvance(" "))
        self._set_line_height()
        self._resize()

    def line_height(self) -> float:
        """Height of a line in px."""
        return theme().line_height(self._style)

    def _set_line_height(self) -> None:
        form = QTextBlockFormat()
        form.setLineHeight(self.line_height(), QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(form)

    def _resize(self) -> None:
        lines = self.document().blockCount()
        shown = lines if self._max_lines is None else min(lines, self._max_lines)
        gutter = self._margin.wanted() if self._margin else 0
        self.setViewportMargins(gutter or 12, self.PADDING, 4, self.PADDING)
        bar = self.horizontalScrollBar().sizeHint().height() if self._too_wide(gutter or 12) else 0
        self.setFixedHeight(round(shown * self.line_height()) + 2 * self.PADDING + bar)
        if self._margin:
            self._margin.setGeometry(QRect(0, 0, gutter, self.height()))

    def _too_wide(self, left: int) -> bool:
        """Whether it must scroll sideways; not known before it is laid out."""
        return self._laid_out and self.document().idealWidth() > self.width() - left - 4

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrower place may need a scroll bar."""
        super().resizeEvent(event)
        self._laid_out = True
        if event.oldSize().width() != event.size().width():
            self._resize()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Sideways here, up and down in the page, unless this box scrolls itself."""
        turned, shift = event.angleDelta(), event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        sideways = abs(turned.x()) > abs(turned.y()) or shift
        if sideways or self.verticalScrollBar().maximum() > 0:
            super().wheelEvent(event)
        else:
            event.ignore()


class _Numbers(QWidget):
    """Line numbers beside the code; not part of what is selected."""

    def __init__(self, code: CodeText) -> None:
        super().__init__(code)
        self._code = code

    def wanted(self) -> int:
        digits = max(2, len(str(self._code.document().blockCount())))
        return round(QFontMetricsF(self._code.font()).horizontalAdvance("0") * digits) + 26

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setClipRect(0, CodeText.PADDING, self.width(), self.height() - 2 * CodeText.PADDING)
        painter.setFont(self._code.font())
        painter.setPen(theme().color("text.tertiary"))
        height, scrolled = self._code.line_height(), self._code.verticalScrollBar().value()
        for number in range(self._code.document().blockCount()):
            top = CodeText.PADDING + number * height - scrolled
            box = QRectF(0, top + 2, self.width() - 12, height)  # Qt leads a fixed line height from above
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(number + 1))


class CodeView(QFrame):
    """Code in a frame with a title line. `header` is the title line's layout, for further buttons."""

    def __init__(
        self,
        code: str,
        language: str = "",
        title: str | None = None,
        numbers: bool = False,
        max_lines: int | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setProperty("kind", "panel")
        self.text = CodeText(language, numbers, max_lines)
        shown = title or LANGUAGES.get(language.lower(), language)
        self.setAccessibleName(self.tr("{language} code").format(language=shown))
        copy = IconButton("copy", self.tr("Copy code"), 28, 14)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text.toPlainText()))
        self.header = QHBoxLayout()
        self.header.setContentsMargins(12, 1, 2, 1)
        self.header.addWidget(Elided(shown, "small_medium", "text.secondary"), 1)
        self.header.addWidget(copy)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(1, 1, 1, 1)
        outer.setSpacing(0)
        outer.addLayout(self.header)
        outer.addWidget(line())
        outer.addWidget(self.text)
        self.text.set_code(code)

    def set_code(self, code: str) -> None:
        """Show other code."""
        self.text.set_code(code)

    def code(self) -> str:
        """What is shown."""
        return self.text.toPlainText()
