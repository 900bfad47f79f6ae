"""The palette: search in all chats, and every command by its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.chats.search import Hit
from app.ui.theme import icon, theme
from app.ui.widgets import Label

WIDTH, ROWS = 560, 9
MOST_COMMANDS = 4


@dataclass(frozen=True)
class Command:
    """Something that can be done. keys: as people read them."""

    name: str
    keys: str
    action: Callable[[], None]


class Palette(QFrame):
    """A window of its own over the main one. chat_chosen(chat, message): the message is "" when only the title was found."""

    chat_chosen = Signal(str, str)

    def __init__(
        self,
        search: Callable[[str], Sequence[Hit]],
        recent: Callable[[], Sequence[Hit]],
        commands: Callable[[], Sequence[Command]],
        parent: QWidget,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self._search, self._recent, self._commands = search, recent, commands
        self.setAccessibleName(self.tr("Search chats and commands"))
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("Search chats and commands"))
        self.field.setAccessibleName(self.tr("Search chats and commands"))
        self.field.installEventFilter(self)
        self.found = QListWidget()
        self.found.setFrameShape(QFrame.Shape.NoFrame)
        self.found.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.found.setIconSize(QSize(theme().px(16), theme().px(16)))
        self.found.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.found.setAccessibleName(self.tr("Found"))
        self.found.itemActivated.connect(self._activate)
        self.found.itemClicked.connect(self._activate)
        self._nothing = Label("", "ui", "text.tertiary")
        self._nothing.setContentsMargins(8, 4, 8, 8)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(8)
        column.addWidget(self.field)
        column.addWidget(self.found)
        column.addWidget(self._nothing)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(60)
        self._soon.timeout.connect(self.refresh)
        self.field.textChanged.connect(self._soon.start)

    def show_over(self, window: QWidget) -> None:
        """Show it in the upper middle of a window."""
        self.field.clear()
        self.refresh()
        width = min(theme().px(WIDTH), window.width() - 32)
        self.setFixedWidth(width)
        self.move(window.mapToGlobal(QPoint((window.width() - width) // 2, min(88, window.height() // 8))))
        self.show()
        self.field.setFocus()

    def refresh(self) -> None:
        """Search again."""
        words = self.field.text().strip()
        self.found.clear()
        for hit in (self._search(words) if words else self._recent())[:ROWS]:
            self._add(
                "message-square", _title(hit), _snippet(hit), "", partial(self.chat_chosen.emit, hit.chat, hit.message or "")
            )
        lowered = words.lower()
        for command in [each for each in self._commands() if lowered in each.name.lower()][: ROWS if words else MOST_COMMANDS]:
            self._add("chevron-right", escape(command.name), "", command.keys, command.action)
        if self.found.count():
            self.found.setCurrentRow(0)
        self.found.setVisible(self.found.count() > 0)
        height = sum(self.found.sizeHintForRow(row) for row in range(min(ROWS, self.found.count())))
        self.found.setFixedHeight(height + 2)
        self._nothing.setVisible(not self.found.count())
        nothing = self.tr('Nothing found for "{words}". Search looks at titles and messages.')
        self._nothing.setText(nothing.format(words=words))
        self.adjustSize()

    def _add(self, icon_name: str, title: str, snippet: str, keys: str, action: Callable[[], None]) -> None:
        item = QListWidgetItem(self.found)
        item.setData(Qt.ItemDataRole.UserRole, action)
        label = QLabel()
        dim, strong = theme().color("text.tertiary").name(), theme().color("text.primary").name()
        lines = f"<span style='color:{strong}'>{title}</span>"
        if keys:
            right = f"<td align='right' style='color:{dim}'>{escape(keys)}</td>"
            lines = f"<table width='100%'><tr><td>{lines}</td>{right}</tr></table>"
        if snippet:
            lines += f"<br><span style='color:{dim}; font-size:{theme().px(12)}px'>{snippet}</span>"
        label.setText(lines)
        label.setTextFormat(Qt.TextFormat.RichText)
        label.setFont(theme().font("ui"))
        label.setContentsMargins(4, 4, 8, 4)
        label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        item.setIcon(icon(icon_name))
        item.setData(Qt.ItemDataRole.AccessibleTextRole, title)
        item.setSizeHint(QSize(10, theme().px(48 if snippet else 32)))
        self.found.setItemWidget(item, label)

    def _activate(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            action = item.data(Qt.ItemDataRole.UserRole)
            self.close()
            action()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrows move in the list while one writes."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
            if step is not None and self.found.count():
                self.found.setCurrentRow((self.found.currentRow() + step) % self.found.count())
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._soon.stop()
                self._activate(self.found.currentItem())
                return True
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        """The surface."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().color("bg.raised"))
        painter.setPen(QPen(theme().color("border.default"), 1))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))


def _title(hit: Hit) -> str:
    return _marked(hit.title, hit.title_ranges)


def _snippet(hit: Hit) -> str:
    return _marked(hit.snippet.replace("\n", " "), hit.ranges)


def _marked(text: str, ranges: Sequence[tuple[int, int]]) -> str:
    """Text as rich text, with ranges strong."""
    parts, place = [], 0
    for start, end in sorted(ranges):
        parts += [escape(text[place:start]), "<b>", escape(text[start:end]), "</b>"]
        place = end
    return "".join(parts) + escape(text[place:])
