"""The settings screen: sections at the left, rows at the right, a search over all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QKeySequence
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QListWidget, QListWidgetItem, QScrollArea, QVBoxLayout, QWidget

from app.keychain import Keychain
from app.paths import Paths
from app.preferences import MODELS_FOLDER, Section, of_section
from app.ui.assistant.parts import InfoLine
from app.ui.choices import Choices
from app.ui.diagnostics.view import DiagnosticsView
from app.ui.settings.rows import Group, Row, SettingRow
from app.ui.settings.storage import StorageGroups
from app.ui.settings.token import TokenRow
from app.ui.theme import icon, theme
from app.ui.widgets import Button, IconButton, Label, Paragraph, line

SECTIONS = ("appearance", "model", "chat", "network", "storage", "shortcuts", "diagnostics")
ICONS = {
    "appearance": "sun-moon",
    "model": "cpu",
    "chat": "message-square",
    "network": "globe",
    "storage": "hard-drive",
    "shortcuts": "keyboard",
    "diagnostics": "activity",
}
COLUMN, LIST = 680, 200


@dataclass(frozen=True)
class Shortcut:
    """A key and what it does. keys: as QKeySequence writes them portably, such as "Ctrl+K"."""

    keys: str
    does: str


@dataclass(frozen=True)
class ModelInfo:
    """The model in use. built: it is one of the user's, which can be verified."""

    name: str
    about: str
    built: bool


class SettingsPage(QWidget):
    """Everything that can be chosen, applied at once.

    closed: the user is done; setup_requested: open the assistant; verify_requested: verify the built model
    cleared(Kept): something was deleted from the disk
    """

    closed = Signal()
    setup_requested = Signal()
    verify_requested = Signal()
    cleared = Signal(object)

    def __init__(
        self, paths: Paths, choices: Choices, shortcuts: Sequence[Shortcut] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._paths, self._choices = paths, choices
        self.setProperty("surface", "canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.storage, self.diagnostics = StorageGroups(paths, choices), DiagnosticsView(paths)
        self.storage.cleared.connect(self.cleared)
        self.token = TokenRow(Keychain(paths.config), choices)
        self.groups: dict[str, list[Group]] = {
            "appearance": [Group(self.tr("Appearance"), self._rows(Section.APPEARANCE))],
            "model": [
                Group(self.tr("Model and device"), [self._model_row(), *self._rows(Section.MODEL)]),
                Group(self.tr("Computed values"), self._rows(Section.COMPUTED)),
            ],
            "chat": [Group(self.tr("Chat"), self._rows(Section.CHAT))],
            "network": [Group(self.tr("Network"), [*self._rows(Section.NETWORK), self.token])],
            "storage": [Group(self.tr("Trash"), self._rows(Section.STORAGE))],
            "shortcuts": [Group(self.tr("Shortcuts"), [self._shortcut_row(shortcut) for shortcut in shortcuts])],
            "diagnostics": [],
        }
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addLayout(self._header())
        outer.addWidget(line())
        row = QHBoxLayout()
        row.setSpacing(0)
        row.addWidget(self._list())
        row.addWidget(line(vertical=True))
        row.addWidget(self._column(), 1)
        outer.addLayout(row, 1)
        self.setFocusProxy(self.sections)
        self.show_section("appearance")

    # ------------------------------------------------------------ what the window says
    def show_section(self, name: str) -> None:
        """Show one of `SECTIONS`."""
        with QSignalBlocker(self.search), QSignalBlocker(self.sections):
            self.search.clear()
            self.sections.setCurrentRow(SECTIONS.index(name))
        self._show([name])

    def show_model(self, info: ModelInfo) -> None:
        """Say which model is in use."""
        self.model_name.setText(info.name)
        self.model_row.about.setText(info.about)
        self.verify.setVisible(info.built)

    # ------------------------------------------------------------ parts
    def _header(self) -> QHBoxLayout:
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search settings"))
        self.search.setAccessibleName(self.tr("Search settings"))
        self.search.setClearButtonEnabled(True)
        self.search.setFixedWidth(theme().px(220))
        self.search.addAction(QIcon(icon("search", "text.tertiary")), QLineEdit.ActionPosition.LeadingPosition)
        self.search.textChanged.connect(self._searched)
        close = IconButton("x", self.tr("Close the settings"))
        close.clicked.connect(self.closed)
        row = QHBoxLayout()
        row.setContentsMargins(24, 9, 12, 10)
        row.setSpacing(8)
        row.addWidget(Label(self.tr("Settings"), "heading"), 1)
        row.addWidget(self.search)
        row.addWidget(close)
        return row

    def _list(self) -> QListWidget:
        names = {
            "appearance": self.tr("Appearance"),
            "model": self.tr("Model and device"),
            "chat": self.tr("Chat"),
            "network": self.tr("Network"),
            "storage": self.tr("Storage"),
            "shortcuts": self.tr("Shortcuts"),
            "diagnostics": self.tr("Diagnostics"),
        }
        self.sections = QListWidget()
        self.sections.setAccessibleName(self.tr("Sections"))
        self.sections.setFixedWidth(theme().px(LIST))
        self.sections.setIconSize(QSize(16, 16))
        self.sections.setStyleSheet("QListWidget::item { padding-left: 5px }")
        self.sections.setViewportMargins(16, 16, 8, 0)
        for name in SECTIONS:
            item = QListWidgetItem(icon(ICONS[name]), names[name])
            item.setSizeHint(QSize(0, theme().px(34)))
            self.sections.addItem(item)
        self.sections.currentRowChanged.connect(self._chosen)
        return self.sections

    def _column(self) -> QScrollArea:
        self.nothing = Paragraph("", "body", "text.secondary")
        self.nothing.hide()
        self.promise = InfoLine(self.tr("qwenGPU sends no usage data."), "shield-check", "small")
        body = QVBoxLayout()
        body.setSpacing(24)
        for name in SECTIONS:
            for group in self.groups[name]:
                body.addWidget(group)
            if name == "storage":
                body.addWidget(self.storage)
        body.addWidget(self.diagnostics)
        body.addWidget(self.nothing)
        body.addWidget(self.promise)
        body.addStretch(1)
        holder = QWidget()
        holder.setMaximumWidth(theme().px(COLUMN))
        holder.setLayout(body)
        body.setContentsMargins(0, 0, 0, 0)
        page = QWidget()
        page.setProperty("transparent", True)
        row = QHBoxLayout(page)
        row.setContentsMargins(32, 24, 32, 24)
        row.addWidget(holder, 1000)
        row.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(page)
        return scroll

    def _rows(self, section: Section) -> list[Row]:
        defaults: dict[str, Path] = {MODELS_FOLDER.name: self._paths.models}
        return [SettingRow(setting, self._choices, defaults.get(setting.name)) for setting in of_section(section)]

    def _model_row(self) -> Row:
        self.model_name = Label("", "ui_medium")
        self.verify, setup = Button(self.tr("Verify")), Button(self.tr("Set up…"))
        self.verify.clicked.connect(self.verify_requested)
        setup.clicked.connect(self.setup_requested)
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for widget in (self.model_name, self.verify, setup):
            row.addWidget(widget)
        self.model_row = Row(self.tr("Model"), " ", holder)
        return self.model_row

    def _shortcut_row(self, shortcut: Shortcut) -> Row:
        keys = QKeySequence(shortcut.keys).toString(QKeySequence.SequenceFormat.NativeText)
        return Row(shortcut.does, "", Label(keys, "grid", "text.secondary"), dense=True)

    # ------------------------------------------------------------ what the user does
    def _chosen(self, place: int) -> None:
        if place >= 0:
            with QSignalBlocker(self.search):
                self.search.clear()
            self._show([SECTIONS[place]])

    def _searched(self, words: str) -> None:
        if words.strip():
            self.sections.setCurrentRow(-1)
            self._show(SECTIONS[:-1], words)
        elif self.sections.currentRow() < 0:
            self.show_section("appearance")

    def _show(self, names: Sequence[str], words: str = "") -> None:
        found = 0
        for name, groups in self.groups.items():
            for group in groups:
                if name in names and group.rows:
                    found += group.filter(words)
                else:
                    group.hide()
        alone = not words.strip()
        self.storage.setVisible(alone and "storage" in names)
        self.diagnostics.setVisible("diagnostics" in names)
        if self.storage.isVisibleTo(self):
            self.storage.look()
        if self.diagnostics.isVisibleTo(self):
            self.diagnostics.look()
        self.promise.setVisible(alone and "diagnostics" not in names)
        self.nothing.setVisible(not found and not alone)
        self.nothing.setText(self.tr("Nothing found for “{words}”.").format(words=words.strip()))
