"""An array as a table of eight columns: typed, or pasted from a spreadsheet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from app.playground.forms import read_numbers
from app.ui.theme import theme
from engine.machine.errors import InputError

COLUMNS = 8
ROW = 27
MOST_ROWS = 5
"""Rows that are shown without scrolling."""
Index = QModelIndex | QPersistentModelIndex


class ArrayModel(QAbstractTableModel):
    """The entries, and one empty cell behind them. `changed` after every edit, `refused(str)` for what is no number."""

    changed = Signal()
    refused = Signal(str)

    def __init__(self, name: str, kind: str, values: Sequence[int | float]) -> None:
        super().__init__()
        self.name, self.kind, self.values = name, kind, list(values)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Rows of eight."""
        return 0 if parent.isValid() else len(self.values) // COLUMNS + 1

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Eight."""
        return 0 if parent.isValid() else COLUMNS

    def place(self, index: Index) -> int:
        """Which entry a cell is."""
        return index.row() * COLUMNS + index.column()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The entry, centred, in mono digits."""
        place = self.place(index)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return str(self.values[place]) if place < len(self.values) else ""
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignCenter
        if role == Qt.ItemDataRole.FontRole:
            return theme().font("code")
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self.name}[{place}] {self.values[place]}" if place < len(self.values) else f"{self.name}[{place}] empty"
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The place of a row's first entry."""
        if orientation == Qt.Orientation.Vertical and role == Qt.ItemDataRole.DisplayRole:
            return str(section * COLUMNS)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Entries and the cell behind them can be written."""
        base = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return base | Qt.ItemFlag.ItemIsEditable if self.place(index) <= len(self.values) else Qt.ItemFlag.NoItemFlags

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Write one entry."""
        return bool(str(value).strip()) and self.put(self.place(index), str(value))

    def put(self, place: int, text: str) -> bool:
        """Write numbers from a place on; the array grows as far as they go."""
        try:
            numbers = read_numbers(text, self.kind, self.name)
        except InputError as error:
            self.refused.emit(f"{error.what} ({error.where})")
            return False
        self.beginResetModel()
        self.values[place : place + len(numbers)] = numbers
        self.endResetModel()
        self.changed.emit()
        return True

    def remove(self, places: Sequence[int]) -> None:
        """Take entries out."""
        gone = set(places)
        self.beginResetModel()
        self.values = [value for place, value in enumerate(self.values) if place not in gone]
        self.endResetModel()
        self.changed.emit()


class ArrayTable(QTableView):
    """Shows and edits an array. Paste puts numbers from the chosen cell on, Delete takes entries out."""

    def __init__(self, model: ArrayModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._array = model
        self.setModel(model)
        self.setProperty("kind", "array")
        self.setAccessibleName(self.tr("Entries of {name}").format(name=model.name))
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.AnyKeyPressed
            | QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        rows = self.verticalHeader()
        rows.setFixedWidth(theme().px(38))
        rows.setDefaultAlignment(Qt.AlignmentFlag.AlignCenter)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        model.modelReset.connect(self._fit)
        theme().changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        color = {
            name: theme().color(name).name()
            for name in (
                "border.default",
                "border.control",
                "bg.raised",
                "bg.sunken",
                "text.tertiary",
                "text.primary",
                "accent.focus",
                "bg.selected",
            )
        }
        self.setStyleSheet(
            f"QTableView {{ background: {color['bg.raised']}; border: 1px solid {color['border.control']}; border-radius: 6px;"
            f" gridline-color: {color['border.default']}; selection-background-color: {color['bg.selected']};"
            f" selection-color: {color['text.primary']}; }}"
            f"QTableView::item:focus {{ border: 2px solid {color['accent.focus']}; }}"
            f"QHeaderView {{ background: {color['bg.sunken']}; border: none; border-radius: 6px; }}"
            f"QHeaderView::section {{ background: {color['bg.sunken']}; color: {color['text.tertiary']}; border: none;"
            f" border-right: 1px solid {color['border.default']}; }}"
            "QTableView QLineEdit { min-height: 0; border: none; padding: 0; border-radius: 0; }"
        )
        self.verticalHeader().setFont(theme().font("token"))
        self.verticalHeader().setDefaultSectionSize(theme().px(ROW))
        self._fit()

    def _fit(self) -> None:
        rows = min(self._array.rowCount(), MOST_ROWS)
        self.setFixedHeight(rows * theme().px(ROW) + 2)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Paste, copy, delete; everything else as tables do."""
        if event.matches(QKeySequence.StandardKey.Paste):
            self.paste(QGuiApplication.clipboard().text())
        elif event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText("\t".join(str(self._array.values[p]) for p in self._chosen()))
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            row, column = self.currentIndex().row(), self.currentIndex().column()
            self._array.remove(self._chosen())
            self._go(row * COLUMNS + column)
        elif event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def paste(self, text: str) -> None:
        """Put numbers from the chosen cell on."""
        place = self._array.place(self.currentIndex()) if self.currentIndex().isValid() else 0
        if self._array.put(min(place, len(self._array.values)), text):
            self._go(place)

    def _chosen(self) -> list[int]:
        places = sorted(self._array.place(index) for index in self.selectedIndexes())
        return [place for place in places if place < len(self._array.values)]

    def _go(self, place: int) -> None:
        place = min(place, len(self._array.values))
        self.setCurrentIndex(self._array.index(place // COLUMNS, place % COLUMNS))
