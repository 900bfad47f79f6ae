"""Writes Markdown into a text document in the theme's formats, and notes where computed values and links stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextList,
    QTextListFormat,
    QTextTableCell,
    QTextTableCellFormat,
    QTextTableFormat,
)

from app.chatting.markdown import Block
from app.chatting.reply import PLACEHOLDER, Value
from app.ui.theme import theme
from app.ui.widgets.highlight import spans

if TYPE_CHECKING:
    from markdown_it.token import Token

QUOTE = QTextFormat.Property.UserProperty + 2
"""Block property: the depth of a quotation; the view draws its bar."""
RULE = QTextFormat.Property.UserProperty + 3
"""Block property: a rule; the view draws it."""
TAIL = QTextFormat.Property.UserProperty + 4
"""Block property: the block that Qt keeps behind a table, where the next one is written."""
PADDING = 3
"""Space beside a computed value, px."""
SIGN = 16
"""Room for the sign behind a value that must not be relied on, px."""
LONGEST_UNBROKEN = 24
"""Characters of a value that never breaks across lines."""
_HEADINGS = {"h1": "title", "h2": "title", "h3": "heading"}
_FIXED = QTextBlockFormat.LineHeightTypes.FixedHeight.value


@dataclass(frozen=True)
class Anchor:
    """A stretch that can be opened: a computed value, or a link when there is none. start, end: positions in the document."""

    start: int
    end: int
    href: str
    value: Value | None = None


class Writer:
    """Writes blocks at the end of a document. `anchors` lists what can be opened, in order.

    doubtful: whether a value must not be relied on; it has the colour of errors, and room for the view's sign
    """

    def __init__(self, document: QTextDocument, doubtful: Callable[[Value], bool] = lambda value: False) -> None:
        self._document, self._doubtful = document, doubtful
        self.anchors: list[Anchor] = []
        document.setIndentWidth(theme().px(24))

    def clear(self) -> None:
        """Empty the document."""
        self._document.clear()
        self._document.setIndentWidth(theme().px(24))
        self.anchors.clear()

    def end(self) -> int:
        """Where the document ends now; give it to `cut` to take away what is written afterwards."""
        return self._document.characterCount() - 1

    def cut(self, place: int) -> None:
        """Take away everything behind a place."""
        cursor = QTextCursor(self._document)
        cursor.setPosition(place)
        kept = cursor.blockFormat()  # an empty block would take over the format of what is removed
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        cursor.setBlockFormat(kept)
        while self.anchors and self.anchors[-1].start >= place:
            self.anchors.pop()

    def write(self, blocks: Sequence[Block], values: Iterator[Value]) -> None:
        """Write blocks at the end; `values` are what the placeholders stand for."""
        _Pass(self._document, self.anchors, values, self._doubtful).write(blocks)


@dataclass
class _List:
    """A list that is being written. made: None until it has an item."""

    form: QTextListFormat
    made: QTextList | None = None


class _Pass:
    def __init__(
        self, document: QTextDocument, anchors: list[Anchor], values: Iterator[Value], doubtful: Callable[[Value], bool]
    ) -> None:
        self._cursor = QTextCursor(document)
        self._cursor.movePosition(QTextCursor.MoveOperation.End)
        self._anchors, self._values, self._doubtful = anchors, values, doubtful
        behind_table = self._cursor.blockFormat().hasProperty(TAIL) and self._cursor.block().length() == 1
        self._fresh = document.isEmpty() or behind_table  # the block that is there already is the next one
        self._lists: list[_List] = []
        self._item: _List | None = None  # the list an item of which begins with the next block
        self._quotes = 0
        self._style, self._color = "body", "text.primary"

    def write(self, blocks: Sequence[Block]) -> None:
        self._cursor.beginEditBlock()
        for block in blocks:
            self._tokens(block.tokens)
        self._cursor.endEditBlock()

    # ------------------------------------------------------------ blocks
    def _tokens(self, tokens: Sequence[Token]) -> None:
        place = 0
        while place < len(tokens):
            token = tokens[place]
            if token.type == "table_open":
                end = next(index for index in range(place, len(tokens)) if tokens[index].type == "table_close")
                self._table(tokens[place:end])
                place = end
            else:
                self._token(token)
            place += 1

    def _token(self, token: Token) -> None:
        kind = token.type
        if kind in ("bullet_list_open", "ordered_list_open"):
            self._open_list(token)
        elif kind in ("bullet_list_close", "ordered_list_close"):
            self._lists.pop()
            if not self._lists:
                self._space_below(12)
        elif kind == "list_item_open":
            self._item = self._lists[-1]
        elif kind == "list_item_close" and self._item is not None:
            self._block("body")  # an item without anything in it
        elif kind == "blockquote_open":
            self._quotes += 1
        elif kind == "blockquote_close":
            self._quotes -= 1
        elif kind == "heading_open":
            self._style = _HEADINGS.get(token.tag, "body_strong")
        elif kind == "heading_close":
            self._style = "body"
        elif kind == "inline":
            self._block(self._style)
            self._inline(token.children or [], self._base())
        elif kind in ("fence", "code_block"):
            self._code(token)
        elif kind == "hr":
            self._block("body")
            form = self._cursor.blockFormat()
            form.setProperty(RULE, True)
            self._cursor.setBlockFormat(form)

    def _open_list(self, token: Token) -> None:
        form = QTextListFormat()
        form.setIndent(len(self._lists) + 1)
        if token.type == "ordered_list_open":
            form.setStyle(QTextListFormat.Style.ListDecimal)
            form.setStart(int(token.attrs.get("start", 1)))
        else:
            form.setStyle((QTextListFormat.Style.ListDisc, QTextListFormat.Style.ListCircle)[len(self._lists) % 2])
        self._lists.append(_List(form))

    def _block(self, style: str) -> None:
        """Begin a block: a paragraph, a heading, an item of a list."""
        form = QTextBlockFormat()
        form.setLineHeight(theme().line_height(style), _FIXED)
        form.setBottomMargin(theme().px(4 if self._lists else 8 if style in ("title", "heading") else 12))
        form.setTopMargin(0 if self._fresh or self._lists else theme().px(6) if style != "body" else 0)
        if self._quotes:
            form.setLeftMargin(theme().px(16) * self._quotes)
            form.setProperty(QUOTE, self._quotes)
        item, self._item = self._item, None
        if self._lists and item is None:
            form.setIndent(len(self._lists))
        if self._fresh:
            if self._cursor.blockFormat().hasProperty(TAIL):
                form.setProperty(TAIL, True)
            self._cursor.setBlockFormat(form)
        else:
            self._cursor.insertBlock(form, QTextCharFormat())
        self._fresh = False
        if item is not None and item.made is None:
            item.made = self._cursor.createList(item.form)
        elif item is not None and item.made is not None:
            item.made.add(self._cursor.block())

    def _space_below(self, pixels: int) -> None:
        form = QTextBlockFormat()
        form.setBottomMargin(theme().px(pixels))
        self._cursor.mergeBlockFormat(form)

    def _code(self, token: Token) -> None:
        """Code within a list or a quotation, or an indented block; fences of the outermost level are widgets of their own."""
        code = token.content.removesuffix("\n")
        for line, colored in zip(code.split("\n"), spans(code, token.info.split(" ")[0]), strict=False):
            self._block("code")
            form = self._cursor.blockFormat()
            form.setBottomMargin(0)
            form.setNonBreakableLines(True)
            form.setBackground(theme().color("bg.sunken"))
            self._cursor.setBlockFormat(form)
            plain = _char(theme().font("code"), theme().color("syntax.plain"))
            start = self._cursor.position()
            self._text(line, plain)
            for span in colored:
                cursor = QTextCursor(self._cursor)
                cursor.setPosition(start + span.start)
                cursor.setPosition(start + span.start + span.length, QTextCursor.MoveMode.KeepAnchor)
                ink = QTextCharFormat()
                ink.setForeground(theme().color(span.color))
                cursor.mergeCharFormat(ink)
        self._space_below(4 if self._lists else 12)

    def _table(self, tokens: Sequence[Token]) -> None:
        rows: list[list[tuple[Token, Token]]] = []
        for index, token in enumerate(tokens):
            if token.type == "tr_open":
                rows.append([])
            elif token.type in ("th_open", "td_open"):
                rows[-1].append((token, tokens[index + 1]))
        form = QTextTableFormat()
        form.setBorder(0)
        form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_None)
        form.setCellSpacing(0)
        form.setCellPadding(0)
        form.setTopMargin(0)
        form.setBottomMargin(theme().px(12))
        form.setHeaderRowCount(1)
        columns = max((len(row) for row in rows), default=0)
        if not columns:
            return
        if not self._fresh:
            self._cursor.insertBlock(QTextBlockFormat(), QTextCharFormat())
        table = self._cursor.insertTable(len(rows), columns, form)
        for number, row in enumerate(rows):
            for column, (opening, inline) in enumerate(row):
                self._cell(table.cellAt(number, column), opening, inline, column == columns - 1)
        self._cursor.movePosition(QTextCursor.MoveOperation.End)
        tail = QTextBlockFormat()
        tail.setLineHeight(1, _FIXED)
        tail.setProperty(TAIL, True)
        self._cursor.setBlockFormat(tail)
        self._fresh = True

    def _cell(self, cell: QTextTableCell, opening: Token, inline: Token, last: bool) -> None:
        head = opening.type == "th_open"
        form = QTextTableCellFormat()
        form.setRightPadding(0 if last else theme().px(24))
        form.setTopPadding(theme().px(0 if head else 4))
        form.setBottomPadding(theme().px(4))
        form.setBottomBorder(1)
        form.setBottomBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        form.setBottomBorderBrush(theme().color("border.default" if head else "border.subtle"))
        cell.setFormat(form)
        outside, self._cursor = self._cursor, cell.firstCursorPosition()
        block = QTextBlockFormat()
        style = "small_medium" if head else "body"
        block.setLineHeight(theme().line_height("ui" if head else "body"), _FIXED)
        wanted = str(opening.attrs.get("style", ""))
        block.setAlignment(
            Qt.AlignmentFlag.AlignRight
            if "right" in wanted
            else Qt.AlignmentFlag.AlignHCenter
            if "center" in wanted
            else Qt.AlignmentFlag.AlignLeft
        )
        self._cursor.setBlockFormat(block)
        color = "text.secondary" if head else "text.primary"
        self._inline(inline.children or [], _char(theme().font(style), theme().color(color)))
        self._cursor = outside

    # ------------------------------------------------------------ within a block
    def _base(self) -> QTextCharFormat:
        color = "text.secondary" if self._quotes else "text.primary"
        return _char(theme().font(self._style), theme().color(color))

    def _inline(self, tokens: Sequence[Token], base: QTextCharFormat) -> None:
        stack, link = [base], ""
        for token in tokens:
            kind, form = token.type, QTextCharFormat(stack[-1])
            if kind == "text":
                self._text(token.content, form, link)
            elif kind == "softbreak":
                self._text(" ", form, link)
            elif kind == "hardbreak":
                self._text("\u2028", form)
            elif kind == "code_inline":
                self._text(token.content, _inline_code(form), link)
            elif kind == "image":
                self._text(token.content or str(token.attrs.get("src", "")), form)
            elif token.nesting == 1:
                link = str(token.attrs.get("href", "")) if kind == "link_open" else link
                stack.append(_CHANGES.get(kind, lambda kept: kept)(form))
            elif token.nesting == -1:
                link = "" if kind == "link_close" else link
                stack.pop()

    def _text(self, text: str, form: QTextCharFormat, link: str = "") -> None:
        for index, piece in enumerate(text.split(PLACEHOLDER)):
            if index:
                self._value(next(self._values), form)
            if not piece:
                continue
            start = self._cursor.position()
            if link:
                form.setAnchor(True)
                form.setAnchorHref(link)
            self._cursor.insertText(piece, form)
            if link:
                self._anchors.append(Anchor(start, self._cursor.position(), link))

    def _value(self, value: Value, around: QTextCharFormat) -> None:
        """A computed value. The view paints its tint and dots; its padding is letter spacing, so the text stays pure."""
        if not value.text:
            return
        self._pad_before()
        font = theme().font("value")
        font.setPixelSize(max(1, round(around.font().pixelSize() * 0.934)))
        doubtful = self._doubtful(value)
        form = _char(font, theme().color("error.text" if doubtful else "computed.text"))
        form.setAnchor(True)
        form.setAnchorHref(f"value:{len(self._anchors)}")
        form.setFontUnderline(False)
        last = QTextCharFormat(form)
        last.setFont(_spaced(font, PADDING + (theme().px(SIGN) if doubtful else 0)))
        shown = value.text if len(value.text) > LONGEST_UNBROKEN else value.text.replace(" ", "\u00a0")
        start = self._cursor.position()
        self._cursor.insertText(shown[:-1], form)
        self._cursor.insertText(shown[-1], last)
        self._anchors.append(Anchor(start, self._cursor.position(), form.anchorHref(), value))

    def _pad_before(self) -> None:
        if self._cursor.positionInBlock() == 0:
            return
        before = QTextCursor(self._cursor)
        before.movePosition(QTextCursor.MoveOperation.PreviousCharacter, QTextCursor.MoveMode.KeepAnchor)
        form = before.charFormat()
        spaced = QTextCharFormat()
        spaced.setFont(_spaced(form.font()))
        form.setFont(spaced.font())
        before.setCharFormat(form)


def _char(font: QFont, color: QColor) -> QTextCharFormat:
    form = QTextCharFormat()
    form.setFont(font)
    form.setForeground(color)
    return form


def _spaced(font: QFont, pixels: int = PADDING) -> QFont:
    wide = QFont(font)
    wide.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, pixels)
    return wide


def _inline_code(form: QTextCharFormat) -> QTextCharFormat:
    font = theme().font("code")
    font.setPixelSize(max(1, round(form.font().pixelSize() * 0.9)))
    changed = QTextCharFormat(form)
    changed.setFont(font)
    changed.setBackground(theme().color("bg.sunken"))
    return changed


def _bold(form: QTextCharFormat) -> QTextCharFormat:
    form.setFontWeight(QFont.Weight.DemiBold)
    return form


def _italic(form: QTextCharFormat) -> QTextCharFormat:
    form.setFontItalic(True)
    return form


def _struck(form: QTextCharFormat) -> QTextCharFormat:
    form.setFontStrikeOut(True)
    return form


def _linked(form: QTextCharFormat) -> QTextCharFormat:
    form.setForeground(theme().color("accent.text"))
    form.setFontUnderline(True)
    return form


_CHANGES: dict[str, Callable[[QTextCharFormat], QTextCharFormat]] = {
    "strong_open": _bold,
    "em_open": _italic,
    "s_open": _struck,
    "link_open": _linked,
}
