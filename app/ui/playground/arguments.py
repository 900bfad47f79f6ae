"""The launch at the right of the Playground: sizes, and an argument for every parameter of the kernel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from app.playground.forms import arguments_for, kernels_of, read_numbers, read_sizes, write_sizes
from app.ui.inspector.machine import Strong
from app.ui.playground.array_table import ArrayModel, ArrayTable
from app.ui.theme import paint_icon, theme
from app.ui.widgets import Button, Elided, IconButton, Label, line
from engine.machine.errors import InputError
from toolchain.launch import TYPES

VALUES, SIZE = 0, 1
"""What an array begins with: entries of its own, or zeros."""


class Choice(QComboBox):
    """A list that opens, with the theme's own arrow; the wheel is left to the page."""

    def __init__(self, name: str, mono: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        if mono:
            self.setFont(theme().font("code"))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The field, and an arrow at its right."""
        super().paintEvent(event)
        side = theme().px(13)
        paint_icon(QPainter(self), "chevron-down", "text.secondary", self.width() - side - 7, (self.height() - side) / 2, side)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scrolling past it must not change it."""
        event.ignore()


class ArgumentRow(QWidget):
    """One argument. `changed` after every edit; `removed(row)`; `said(str)` for what cannot be read."""

    changed = Signal()
    removed = Signal(object)
    said = Signal(str)

    def __init__(self, argument: Mapping[str, Any], expected: list[int | float] | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kept = dict(argument)
        self._struct = argument["type"] == "struct"
        self._model: ArrayModel | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 6, 0, 6)
        self._column.setSpacing(6)
        self._column.addLayout(self._head(argument))
        self._table: ArrayTable | None = None
        self._expected = QLineEdit()
        self._expected.setPlaceholderText(self.tr("not compared"))
        self._expected.setAccessibleName(self.tr("Expected entries of {name}").format(name=argument["name"]))
        self._expected.setText(", ".join(map(str, expected)) if expected else "")
        self._expected.setFont(theme().font("grid"))
        self._expected.setCursorPosition(0)
        self._expected.textChanged.connect(self.changed)
        self._wanted = QWidget()
        wanted = QHBoxLayout(self._wanted)
        wanted.setContentsMargins(0, 0, 0, 0)
        wanted.setSpacing(6)
        label = Label(self.tr("expected"), "small", "text.tertiary")
        label.setFixedWidth(theme().px(74))
        label.setContentsMargins(10, 0, 0, 0)
        wanted.addWidget(label)
        wanted.addWidget(self._expected, 1)
        self._column.addWidget(self._wanted)
        self._show_kind()

    def _head(self, argument: Mapping[str, Any]) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setSpacing(6)
        self._name = QLineEdit(str(argument["name"]))
        self._name.setAccessibleName(self.tr("Name of the argument"))
        self._type = Choice(self.tr("Type of {name}").format(name=argument["name"]), mono=True)
        self._type.addItems(["struct"] if self._struct else [f"{name}*" for name in TYPES] + list(TYPES))
        self._type.setCurrentText(str(argument["type"]))
        self._begins = Choice(self.tr("What {name} begins with").format(name=argument["name"]))
        self._begins.addItems([self.tr("values"), self.tr("zeros")])
        self._begins.setCurrentIndex(SIZE if "size" in argument else VALUES)
        self._count = QLineEdit(str(argument.get("size", "")) if "size" in argument else self._scalar(argument))
        self._note = Elided("", "small", "text.tertiary")
        remove = IconButton("x", self.tr("Remove {name}").format(name=argument["name"]), 28, 14)
        remove.clicked.connect(lambda: self.removed.emit(self))
        for field, width in ((self._name, 74), (self._type, 98), (self._begins, 92), (self._count, 58)):
            field.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            field.setFixedWidth(theme().px(width))
            head.addWidget(field)
        for field in (self._name, self._count):
            field.setFont(theme().font("code"))
            field.setCursorPosition(0)
        head.addWidget(self._note, 1)
        head.addWidget(remove)
        self._name.textChanged.connect(self.changed)
        self._count.textChanged.connect(self.changed)
        self._type.currentTextChanged.connect(self._show_kind)
        self._begins.currentIndexChanged.connect(self._show_kind)
        return head

    @staticmethod
    def _scalar(argument: Mapping[str, Any]) -> str:
        value = argument.get("value", 0)
        return "" if isinstance(value, list) else str(value)

    def _show_kind(self) -> None:
        """Table, size or single value, by type."""
        array = self._type.currentText().endswith("*")
        values = array and self._begins.currentIndex() == VALUES
        self._begins.setVisible(array)
        self._count.setVisible(not values and not self._struct)
        self._count.setAccessibleName(self.tr("Size of {name}") if array else self.tr("Value of {name}"))
        self._wanted.setVisible(array and (not values or bool(self._expected.text())))
        if self._table is not None:
            self._column.removeWidget(self._table)
            self._table.deleteLater()
            self._table = None
        if values:
            kind = self._type.currentText().removesuffix("*")
            before = self._model.values if self._model else self._kept.get("value", [])
            self._model = ArrayModel(self._name.text(), kind, before if isinstance(before, list) else [])
            self._model.changed.connect(self._count_values)
            self._model.changed.connect(self.changed)
            self._model.refused.connect(self.said)
            self._table = ArrayTable(self._model)
            self._column.insertWidget(1, self._table)
        elif not self._count.text():
            self._count.setText("4" if array else "0")
        self._count_values()
        self.changed.emit()

    def _count_values(self) -> None:
        shown = self._model if self._table is not None else None
        self._note.setText("" if shown is None else self.tr("{count} values").format(count=len(shown.values)))

    def argument(self) -> dict[str, Any]:
        """The argument as LAUNCH.json has it. Raises InputError for a size or a value that is none."""
        name, kind = self._name.text().strip(), self._type.currentText()
        if self._struct:
            return self._kept | {"name": name}
        if not kind.endswith("*"):
            return {"name": name, "type": kind, "value": self._one(kind, name)}
        if self._table is not None and self._model is not None:
            return {"name": name, "type": kind, "value": list(self._model.values)}
        size = self._count.text().strip()
        if not size.isdecimal():
            raise InputError(f"'{size}' is no size", f"argument {name}", "write how many entries it has")
        return {"name": name, "type": kind, "size": int(size)}

    def _one(self, kind: str, name: str) -> int | float:
        numbers = read_numbers(self._count.text(), kind, f"argument {name}")
        if len(numbers) != 1:
            raise InputError("a scalar takes one number", f"argument {name}", "write one number")
        return numbers[0]

    def expected(self) -> list[int | float] | None:
        """What it should hold in the end; None where nothing was written. Raises InputError."""
        if not self._type.currentText().endswith("*") or not self._expected.text().strip():
            return None
        kind = self._type.currentText().removesuffix("*")
        return read_numbers(self._expected.text(), kind, f"expected {self._name.text()}")

    def name(self) -> str:
        """What it is called."""
        return self._name.text().strip()

    def kind(self) -> str:
        """Its type, as LAUNCH.json writes it."""
        return self._type.currentText()


class LaunchForm(QWidget):
    """Kernel, grid, block, shared bytes and arguments. `changed` after every edit; `said(str)` for what cannot be read."""

    changed = Signal()
    said = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: list[ArgumentRow] = []
        self._known: dict[str, list[tuple[str, str]]] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 12, 20, 12)
        column.setSpacing(8)
        head = QHBoxLayout()
        head.setSpacing(12)
        head.addWidget(Strong(self.tr("Launch")))
        self._kernel = Choice(self.tr("Kernel"), mono=True)
        self._kernel.setEditable(True)
        self._kernel.currentTextChanged.connect(self.changed)
        head.addWidget(self._kernel, 1)
        column.addLayout(head)
        column.addLayout(self._sizes())
        column.addWidget(line())
        head = QHBoxLayout()
        head.addWidget(Strong(self.tr("Arguments")))
        head.addStretch(1)
        self._match = Button(self.tr("Match the kernel"), "quiet", "refresh-cw", "small")
        self._match.setToolTip(self.tr("Make an argument for every parameter of the kernel; values are kept"))
        self._match.clicked.connect(self.match)
        add = Button(self.tr("Add"), "quiet", "plus", "small")
        add.clicked.connect(lambda: self._add({"name": f"x{len(self._rows)}", "type": "int32*", "size": 4}, None))
        head.addWidget(self._match)
        head.addWidget(add)
        column.addLayout(head)
        self._arguments = QVBoxLayout()
        self._arguments.setSpacing(0)
        column.addLayout(self._arguments)

    def _sizes(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        self._grid, self._block, self._shared = QLineEdit("1 × 1 × 1"), QLineEdit("1 × 1 × 1"), QLineEdit("0")
        for text, field, stretch in (
            (self.tr("Grid"), self._grid, 3),
            (self.tr("Block"), self._block, 3),
            (self.tr("Shared bytes"), self._shared, 2),
        ):
            part = QVBoxLayout()
            part.setSpacing(4)
            label = Label(text, "label", "text.secondary")
            label.setBuddy(field)
            field.setAccessibleName(text)
            field.setFont(theme().font("code"))
            field.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            part.addWidget(label)
            part.addWidget(field)
            row.addLayout(part, stretch)
        for field in (self._grid, self._block, self._shared):
            field.textChanged.connect(self.changed)
        return row

    def show_launch(self, launch: Mapping[str, Any], expected: Mapping[str, list[int | float]]) -> None:
        """Show another launch."""
        self.blockSignals(True)
        self._kernel.setCurrentText(str(launch.get("kernel", "")))
        self._grid.setText(write_sizes(launch.get("grid", [1])))
        self._block.setText(write_sizes(launch.get("block", [1])))
        self._shared.setText(str(launch.get("shared", 0)))
        for field in (self._grid, self._block):
            field.setCursorPosition(0)
        for row in list(self._rows):
            self._remove(row)
        arguments = launch.get("args", [])
        for argument in arguments if isinstance(arguments, list) else []:
            if isinstance(argument, dict) and isinstance(argument.get("name"), str) and isinstance(argument.get("type"), str):
                self._add(argument, expected.get(argument["name"]))
        self.blockSignals(False)

    def show_source(self, source: str) -> None:
        """Learn the kernels of a source; one that is alone is launched."""
        self._known = kernels_of(source)
        chosen = self._kernel.currentText()
        if set(self._known) != {self._kernel.itemText(i) for i in range(self._kernel.count())}:
            self._kernel.blockSignals(True)
            self._kernel.clear()
            self._kernel.addItems(list(self._known))
            only = next(iter(self._known)) if len(self._known) == 1 and "<" not in chosen else chosen
            self._kernel.setCurrentText(only)
            self._kernel.blockSignals(False)
        parameters = self._known.get(self._kernel.currentText())
        names = [(row.name(), row.kind()) for row in self._rows]
        self._match.setVisible(parameters is not None and parameters != names)

    def match(self) -> None:
        """Make the arguments those of the kernel."""
        parameters = self._known.get(self._kernel.currentText(), [])
        known = []
        for row in self._rows:
            try:
                known.append(row.argument())
            except InputError:
                continue
        expected = {row.name(): wanted for row in self._rows if (wanted := self._wanted(row))}
        for row in list(self._rows):
            self._remove(row)
        for argument in arguments_for(parameters, known):
            self._add(argument, expected.get(argument["name"]))
        self._match.hide()
        self.changed.emit()

    def instance(self) -> str:
        """The template instantiation that is launched; "" for a kernel that is no template."""
        kernel = self._kernel.currentText().strip()
        return kernel if "<" in kernel else ""

    def launch(self) -> dict[str, Any]:
        """The launch as LAUNCH.json has it. Raises InputError naming the field that cannot be read."""
        shared = self._shared.text().strip() or "0"
        if not shared.isdecimal():
            raise InputError(f"'{shared}' is no number of bytes", "shared bytes", "write a whole number")
        grid, block = read_sizes(self._grid.text(), "grid"), read_sizes(self._block.text(), "block")
        made: dict[str, Any] = {
            "kernel": self._kernel.currentText().strip(),
            "grid": grid,
            "block": block,
            "args": [row.argument() for row in self._rows],
        }
        return made | ({"shared": int(shared)} if int(shared) else {})

    def expected(self) -> dict[str, list[int | float]]:
        """What outputs should be. Raises InputError."""
        return {row.name(): wanted for row in self._rows if (wanted := row.expected()) is not None}

    def _wanted(self, row: ArgumentRow) -> list[int | float] | None:
        try:
            return row.expected()
        except InputError:
            return None

    def _add(self, argument: Mapping[str, Any], expected: list[int | float] | None) -> None:
        row = ArgumentRow(argument, expected)
        row.changed.connect(self.changed)
        row.said.connect(self.said)
        row.removed.connect(lambda gone: (self._remove(gone), self.changed.emit()))
        self._rows.append(row)
        self._arguments.addWidget(row)
        self.changed.emit()

    def _remove(self, row: ArgumentRow) -> None:
        self._rows.remove(row)
        self._arguments.removeWidget(row)
        row.hide()
        row.deleteLater()
