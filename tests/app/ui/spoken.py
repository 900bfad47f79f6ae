"""A language in which every translated text stands in brackets, and what a window says in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape

from PySide6.QtCore import QCoreApplication, QTranslator
from PySide6.QtWidgets import QAbstractButton, QComboBox, QGroupBox, QLabel, QLineEdit, QListWidget, QPlainTextEdit, QWidget

OPEN, CLOSE = "⟦", "⟧"
_TAGS = re.compile(r"<style>.*?</style>|<[^>]+>", re.S)


class Brackets(QTranslator):
    """Translates everything."""

    def isEmpty(self):
        return False

    def translate(self, context, source, disambiguation=None, n=-1):
        return f"{OPEN}{source}{CLOSE}"


@contextmanager
def brackets() -> Iterator[None]:
    """While this lasts, what is translated stands in brackets."""
    translator = Brackets()
    QCoreApplication.installTranslator(translator)
    try:
        yield
    finally:
        QCoreApplication.removeTranslator(translator)


def texts(widget: QWidget) -> Iterator[tuple[QWidget, str]]:
    """Everything that a person reads or hears in a window, with the widget that says it."""
    for part in [widget, *widget.findChildren(QWidget)]:
        yield part, part.accessibleName()
        yield part, part.toolTip()
        if isinstance(part, QLabel | QAbstractButton | QLineEdit):
            yield part, part.text()
        if isinstance(part, QLineEdit | QPlainTextEdit):
            yield part, part.placeholderText()
        if isinstance(part, QGroupBox):
            yield part, part.title()
        if isinstance(part, QComboBox):
            yield from ((part, part.itemText(place)) for place in range(part.count()))
        if isinstance(part, QListWidget):
            yield from ((part, part.item(place).text()) for place in range(part.count()))
        if part.isWindow():
            yield part, part.windowTitle()


def untranslated(widget: QWidget, allowed: str = r"(?!)") -> list[str]:
    """Words outside of all brackets. allowed: a pattern of what need not be translated (names, values)."""
    found = set()
    for _, text in texts(widget):
        plain = unescape(_TAGS.sub("", text))
        depth, outside = 0, []
        for sign in plain:
            depth += (sign == OPEN) - (sign == CLOSE)
            outside.append(" " if depth or sign in OPEN + CLOSE else sign)
        left = re.sub(allowed, " ", "".join(outside))
        if re.search(r"[^\W\d_]{2,}", left):
            found.add(plain)
    return sorted(found)
