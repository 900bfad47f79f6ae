"""The tokens of a short launch as chips: kind and what it carries, in the colour of the kind."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.inspection.words import chip
from app.ui.theme import theme
from engine.machine.tokens import Token

WIDTH, HEIGHT, GAP = 44, 36, 3
COLORS = {
    "EXEC": ("text.secondary", "text.secondary", "bg.canvas"),
    "VAL": ("computed.tint", "computed.line", "computed.text"),
    "MEM1": ("accent.tint", "accent.text", "accent.text"),
    "MEMV": ("accent.tint", "accent.text", "accent.text"),
    "FAULT": ("error.tint", "error.text", "error.text"),
}
"""Fill, edge and ink of a kind; the others are plain."""
PLAIN = ("bg.raised", "border.control", "text.primary")


def read_token(text: str) -> Token:
    """A token as `str` writes one."""
    kind, _, fields = text.rstrip(")").partition("(")
    return Token(kind, tuple(int(field) for field in fields.split(",") if field))


class TokenChips(QWidget):
    """A row of chips in the middle of whatever width there is; a second row where one is too short."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tokens: tuple[str, ...] = ()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme().changed.connect(self.updateGeometry)

    @property
    def tokens(self) -> tuple[str, ...]:
        """What is shown."""
        return self._tokens

    def show_tokens(self, tokens: Sequence[str]) -> None:
        """Show these."""
        self._tokens = tuple(tokens)
        self.setAccessibleName(self.tr("{count} tokens: {tokens}").format(count=len(tokens), tokens=" ".join(tokens)))
        self.updateGeometry()
        self.update()

    def heightForWidth(self, width: int) -> int:
        """Enough for all rows."""
        rows = -(-len(self._tokens) // self._a_row(width)) if self._tokens else 1
        return rows * (theme().px(HEIGHT) + GAP)

    def sizeHint(self) -> QSize:
        """One row."""
        return QSize(theme().px(WIDTH) * 4, self.heightForWidth(self.width()))

    def _a_row(self, width: int) -> int:
        return max(1, (width + GAP) // (theme().px(WIDTH) + GAP))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """All chips."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        wide, high, fit = theme().px(WIDTH), theme().px(HEIGHT), self._a_row(self.width())
        for start in range(0, len(self._tokens), fit):
            row = self._tokens[start : start + fit]
            left = (self.width() - len(row) * (wide + GAP) + GAP) / 2
            for place, token in enumerate(row):
                self._paint_chip(painter, token, QRectF(left + place * (wide + GAP), start // fit * (high + GAP), wide, high))

    def _paint_chip(self, painter: QPainter, token: str, box: QRectF) -> None:
        kind, carried = chip(read_token(token))
        fill, edge, ink = (theme().color(name) for name in COLORS.get(kind, PLAIN))
        painter.setPen(QPen(edge, 1))
        painter.setBrush(fill)
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.setPen(ink)
        painter.setFont(theme().font("token"))
        upper, lower = QRectF(box), QRectF(box)
        if carried:
            upper.setBottom(box.center().y() + 1)
            lower.setTop(box.center().y() - 1)
            plain = theme().font("token")
            plain.setWeight(plain.Weight.Normal)
            painter.drawText(upper, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom, kind)
            painter.setFont(plain)
            painter.drawText(lower, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, carried)
        else:
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, kind)
