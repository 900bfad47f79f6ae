"""Text in the theme's styles: one line, one elided line, a paragraph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from app.ui.theme import theme


@dataclass(frozen=True)
class Mark:
    """A stretch of a text that was looked for. current: the one that is looked at."""

    start: int
    end: int
    current: bool


class Label(QLabel):
    """One line in a type style and a colour of the tokens; it follows the theme."""

    def __init__(self, text: str = "", style: str = "ui", color: str = "text.primary", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._style, self._color = style, color
        self.setTextFormat(Qt.TextFormat.PlainText)
        theme().changed.connect(self.restyle)
        self.restyle()

    def set_color(self, name: str) -> None:
        """Use another colour of the tokens."""
        if name != self._color:
            self._color = name
            self.restyle()

    def set_style(self, name: str) -> None:
        """Use another type style of the tokens."""
        if name != self._style:
            self._style = name
            self.restyle()

    def restyle(self) -> None:
        """Take font and colour from the theme."""
        self.setFont(theme().font(self._style))
        palette = self.palette()
        palette.setColor(self.foregroundRole(), theme().color(self._color))
        self.setPalette(palette)


class Beside(Label):
    """One line that stands level with the first line of a paragraph beside it, whose line height leads from above."""

    def restyle(self) -> None:
        """Take font and colour from the theme, and the room above that a paragraph's line has."""
        super().restyle()
        leading = round(theme().line_height(self._style)) - QFontMetrics(self.font()).height()
        self.setContentsMargins(0, max(0, leading), 0, 0)


class Elided(Label):
    """One line that ends in an ellipsis when there is no room; the whole text is in the tooltip then."""

    def __init__(self, text: str = "", style: str = "ui", color: str = "text.primary", parent: QWidget | None = None) -> None:
        super().__init__(text, style, color, parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def setText(self, text: str) -> None:
        """Show another text."""
        if text != self.text():
            super().setText(text)
            self._offer_tooltip()

    def minimumSizeHint(self) -> QSize:
        """Any width is enough."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Offer the tooltip only when something is cut off."""
        super().resizeEvent(event)
        self._offer_tooltip()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw what fits."""
        painter = QPainter(self)
        painter.setFont(self.font())
        painter.setPen(self.palette().color(self.foregroundRole()))
        shown = QFontMetrics(self.font()).elidedText(self.text(), Qt.TextElideMode.ElideRight, self.contentsRect().width())
        painter.drawText(self.contentsRect(), int(self.alignment()) | Qt.TextFlag.TextSingleLine, shown)

    def _offer_tooltip(self) -> None:
        cut = QFontMetrics(self.font()).horizontalAdvance(self.text()) > self.contentsRect().width()
        self.setToolTip(self.text() if cut else "")


class Paragraph(Label):
    """Wrapped text with the style's line height. `markup` takes Qt's rich text, for links and bold words."""

    def __init__(
        self,
        text: str = "",
        style: str = "ui",
        color: str = "text.primary",
        parent: QWidget | None = None,
        markup: bool = False,
    ) -> None:
        self._plain, self._markup = text, markup
        self._marks: tuple[Mark, ...] = ()
        super().__init__("", style, color, parent)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        flags = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flags.TextBrowserInteraction)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if markup and "<a " in text else Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(text if not markup else "")

    @property
    def plain(self) -> str:
        """What it says, without any formatting of ours."""
        return self._plain

    def mark(self, marks: Sequence[Mark]) -> None:
        """Lay a colour under stretches of it, in order and apart."""
        if tuple(marks) != self._marks:
            self._marks = tuple(marks)
            self.restyle()

    def setText(self, text: str) -> None:
        """Show another text."""
        self._plain, self._marks = text, ()
        self.setAccessibleName("" if self._markup else text)
        self.restyle()

    def restyle(self) -> None:
        """Take font, colour and line height from the theme."""
        super().restyle()
        shown = self._plain if self._markup else self._html()
        link = theme().color("accent.text").name()
        height = round(theme().line_height(self._style))
        wrapped = f"<style>a {{ color: {link} }}</style><div style='line-height: {height}px'>{shown}</div>"
        super().setText(wrapped if self._plain else "")

    def _html(self) -> str:
        parts, end = [], 0
        for mark in self._marks:
            ground, ink = ("accent.fill", "accent.on") if mark.current else ("accent.tint", "text.primary")
            style = f"background-color: {theme().color(ground).name()}; color: {theme().color(ink).name()}"
            parts += [escape(self._plain[end : mark.start])]
            parts += [f'<span style="{style}">{escape(self._plain[mark.start : mark.end])}</span>']
            end = mark.end
        return "".join([*parts, escape(self._plain[end:])]).replace("\n", "<br>")
