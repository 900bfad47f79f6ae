"""The list of chats with its headings, drawn by one delegate."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QLineEdit,
    QListView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.chats.model import UNTITLED, Summary
from app.chatting.groups import grouped
from app.ui.language import shown
from app.ui.theme import icon, theme

SUMMARY = Qt.ItemDataRole.UserRole + 1
"""Role of a row's summary; None for a heading."""
Index = QModelIndex | QPersistentModelIndex


class ChatModel(QAbstractListModel):
    """Headings and chats, one a row. renamed(chat, title): the user edited a title."""

    renamed = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: list[str | Summary] = []

    def set_chats(self, summaries: Sequence[Summary], now: datetime) -> None:
        """Show these."""
        rows: list[str | Summary] = []
        for heading, group in grouped(summaries, now):
            rows += [shown(heading), *group]
        if rows != self._rows:
            self.beginResetModel()
            self._rows = rows
            self.endResetModel()

    def row_of(self, chat: str) -> int | None:
        """The row of a chat."""
        return next((row for row, entry in enumerate(self._rows) if isinstance(entry, Summary) and entry.id == chat), None)

    def rowCount(self, parent: Index | None = None) -> int:
        """How many rows there are."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """A row's text, its summary, and its words for people who listen."""
        entry = self._rows[index.row()]
        if isinstance(entry, str):
            return entry if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole) else None
        title = self.tr("New chat") if entry.title == UNTITLED else entry.title
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            counted = self.tr("{title}, {count} computed values").format(title=title, count=entry.computed)
            return counted if entry.computed else title
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{title}\n{entry.snippet}" if entry.snippet else title
        return entry if role == SUMMARY else None

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """A title was edited."""
        entry = self._rows[index.row()]
        if role != Qt.ItemDataRole.EditRole or not isinstance(entry, Summary):
            return False
        if str(value) != entry.title:
            self.renamed.emit(entry.id, str(value))
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Headings cannot be chosen."""
        if isinstance(self._rows[index.row()], str):
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable


class _Delegate(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        heading = index.data(SUMMARY) is None
        return QSize(100, theme().px(32 if heading else theme().size("row_list")))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        summary, px = index.data(SUMMARY), theme().px
        box = option.rect.adjusted(8, 0, -8, 0)
        if summary is None:
            painter.setFont(theme().font("label"))
            painter.setPen(theme().color("text.tertiary"))
            painter.drawText(box.adjusted(8, px(12), 0, 0), Qt.AlignmentFlag.AlignVCenter, str(index.data()))
        else:
            self._paint_chat(painter, option, index, summary, box)
        painter.restore()

    def _paint_chat(self, painter: QPainter, option: QStyleOptionViewItem, index: Index, summary: Summary, box: QRect) -> None:
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        pointed = bool(option.state & QStyle.StateFlag.State_MouseOver)
        if chosen or pointed:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme().color("bg.selected" if chosen else "bg.hover"))
            painter.drawRoundedRect(box, 6, 6)
        view = option.widget
        if chosen and isinstance(view, ChatList) and view.hasFocus() and view.by_key:
            painter.setPen(QPen(theme().color("accent.focus"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 6, 6)
        right = box.right() - 8
        if summary.computed:
            right = self._paint_count(painter, str(summary.computed), right, box)
        elif summary.draft and not chosen:
            painter.setFont(theme().font("label"))
            painter.setPen(theme().color("text.tertiary"))
            words = self.tr("Draft")
            width = painter.fontMetrics().horizontalAdvance(words)
            painter.drawText(QRect(right - width, box.top(), width + 1, box.height()), Qt.AlignmentFlag.AlignVCenter, words)
            right -= width + 8
        font = theme().font("ui_medium" if chosen else "ui")
        painter.setFont(font)
        painter.setPen(theme().color("text.primary" if chosen else "text.secondary"))
        room = QRect(box.left() + 8, box.top(), right - box.left() - 8, box.height())
        title = QFontMetrics(font).elidedText(str(index.data()), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, title)

    def _paint_count(self, painter: QPainter, count: str, right: int, box: QRect) -> int:
        """The number of computed values, with their dots; where the title may end."""
        font = theme().font("token")
        painter.setFont(font)
        width = QFontMetrics(font).horizontalAdvance(count) + 4
        left = right - width
        painter.setPen(theme().color("computed.text"))
        painter.drawText(QRect(left, box.top() - 1, width, box.height()), Qt.AlignmentFlag.AlignCenter, count)
        pen = QPen(theme().color("computed.line"), 2, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.FlatCap)
        pen.setDashPattern([1, 1])
        painter.setPen(pen)
        base = box.center().y() + theme().px(9)
        painter.drawLine(left, base, right, base)
        return left - 8

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = QLineEdit(parent)
        editor.setFont(theme().font("ui"))
        editor.setMaxLength(200)
        editor.setAccessibleName(self.tr("Title"))
        return editor

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        editor.setGeometry(option.rect.adjusted(8, 1, -8, -1))


class ChatList(QListView):
    """chosen(chat), rename, pin, delete and export asked for a chat."""

    chosen = Signal(str)
    renamed = Signal(str, str)
    pin_asked = Signal(str, bool)
    delete_asked = Signal(str, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.by_key = False
        self._current = ""
        self.rows = ChatModel(self)
        self.rows.renamed.connect(self.renamed)
        self.setModel(self.rows)
        self.setItemDelegate(_Delegate(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._menu)
        self.setAccessibleName(self.tr("Chats"))
        self.clicked.connect(self._choose)
        theme().changed.connect(self.doItemsLayout)

    def set_chats(self, summaries: Sequence[Summary], now: datetime) -> None:
        """Show these; what is chosen stays chosen."""
        if self.state() == QAbstractItemView.State.EditingState:
            return
        place = self.verticalScrollBar().value()
        self.rows.set_chats(summaries, now)
        self.set_current(self._current)
        self.verticalScrollBar().setValue(place)

    def set_current(self, chat: str) -> None:
        """Mark the chat that is shown."""
        self._current = chat
        row = self.rows.row_of(chat)
        if row is None:
            self.clearSelection()
            self.setCurrentIndex(QModelIndex())
        else:
            self.setCurrentIndex(self.rows.index(row))

    def rename(self, chat: str) -> None:
        """Edit a title in its row."""
        row = self.rows.row_of(chat)
        if row is not None:
            self.edit(self.rows.index(row))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens, F2 renames, Delete asks."""
        self.by_key = True
        summary = self.currentIndex().data(SUMMARY)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and summary:
            self._choose(self.currentIndex())
        elif event.key() == Qt.Key.Key_F2 and summary:
            self.edit(self.currentIndex())
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and summary:
            self.delete_asked.emit(summary.id, True)
        else:
            super().keyPressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """Pointing is not typing."""
        if event.type() == QEvent.Type.MouseButtonPress:
            self.by_key = False
        return super().viewportEvent(event)

    def _choose(self, index: Index) -> None:
        summary = index.data(SUMMARY)
        if summary is not None:
            self.chosen.emit(summary.id)

    def _menu(self, place: QPoint) -> None:
        summary = self.indexAt(place).data(SUMMARY)
        if summary is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(icon("message-square"), self.tr("Open"), lambda: self.chosen.emit(summary.id))
        menu.addAction(icon("pencil"), self.tr("Rename"), lambda: self.rename(summary.id))
        menu.addAction(
            icon("pin-off" if summary.pinned else "pin"),
            self.tr("Unpin") if summary.pinned else self.tr("Pin"),
            lambda: self.pin_asked.emit(summary.id, not summary.pinned),
        )
        menu.addSeparator()
        menu.addAction(icon("trash-2"), self.tr("Delete"), lambda: self.delete_asked.emit(summary.id, False))
        menu.popup(self.viewport().mapToGlobal(place))
