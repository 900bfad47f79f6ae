"""Code in colours: Pygments decides what is what, the theme decides the colour."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat, QTextDocument

from app.ui.theme import theme

if TYPE_CHECKING:
    from pygments.lexer import Lexer

MAX_HIGHLIGHTED = 60_000
"""Characters; longer code stays plain, so that no text makes the window stop."""
_COLORS = (
    ("Comment.Preproc", "preproc"),
    ("Comment", "comment"),
    ("Keyword.Type", "type"),
    ("Keyword.Constant", "number"),
    ("Keyword", "keyword"),
    ("Name.Function", "function"),
    ("Name.Builtin", "function"),
    ("Name.Class", "type"),
    ("Name.Decorator", "preproc"),
    ("Literal.Number", "number"),
    ("Literal.String", "string"),
    ("Operator.Word", "keyword"),
    ("Operator", "operator"),
    ("Punctuation", "operator"),
)
"""Kinds of Pygments and our colours; the first that fits counts."""


@dataclass(frozen=True)
class Span:
    """A stretch of a line in UTF-16 units, as Qt counts, and the token of its colour."""

    start: int
    length: int
    color: str


@cache
def lexer_of(language: str) -> Lexer | None:
    """The lexer for a fence's language; None when there is none."""
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    name = language.lower()
    try:
        return get_lexer_by_name({"cu": "cuda", "": "text"}.get(name, name), stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


def spans(code: str, language: str) -> list[list[Span]]:
    """What to colour on each line of the code; nothing when the language is unknown."""
    lines: list[list[Span]] = [[]]
    lexer, place = lexer_of(language), 0
    if lexer is None or len(code) > MAX_HIGHLIGHTED:
        return [[] for _ in code.split("\n")]
    for kind, text in lexer.get_tokens(code):
        color = _color(kind)
        for index, part in enumerate(text.split("\n")):
            if index:
                lines.append([])
                place = 0
            length = len(part.encode("utf-16-le")) // 2
            if color and length:
                lines[-1].append(Span(place, length, color))
            place += length
    return lines


@cache
def _color(kind: Any) -> str | None:
    name = f"{kind}."
    return next((f"syntax.{color}" for parent, color in _COLORS if name.startswith(f"Token.{parent}.")), None)


class Highlighter(QSyntaxHighlighter):
    """Colours a document. The whole code is read again when its text changed, since a comment may span lines."""

    def __init__(self, document: QTextDocument, language: str) -> None:
        super().__init__(document)
        self._language = language
        self._code: str | None = None
        self._lines: list[list[Span]] = []
        theme().changed.connect(self.rehighlight)

    def set_language(self, language: str) -> None:
        """Read it as another language."""
        self._language, self._code = language, None
        self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        """Colour one line."""
        block = self.currentBlock().blockNumber()
        code = self.document().toPlainText()
        if code != self._code:
            self._code, self._lines = code, spans(code, self._language)
        for span in self._lines[block] if block < len(self._lines) else ():
            form = QTextCharFormat()
            form.setForeground(theme().color(span.color))
            self.setFormat(span.start, span.length, form)
