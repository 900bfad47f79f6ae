"""What the app keeps on this computer, in bytes, with a button to clear each; and all settings back to their defaults."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.paths import Paths
from app.quantities import size
from app.storage import Amount, clear, measure
from app.ui.background import run
from app.ui.choices import Choices
from app.ui.language import shown
from app.ui.settings.rows import Group, Row
from app.ui.widgets import Button, Dialog, Paragraph
from engine.machine.errors import GpuError


class AmountRow(Row):
    """How much there is of one thing. `clear_requested(Amount)` when the user wants it gone."""

    clear_requested = Signal(object)

    def __init__(self, amount: Amount, parent: QWidget | None = None) -> None:
        self.button = Button("")
        super().__init__(shown(amount.title), shown(amount.about), self.button, parent=parent)
        self.button.setText(self.tr("Clear {size}…").format(size=size(amount.bytes)) if amount.bytes else self.tr("Empty"))
        self.button.setAccessibleName(self.tr("Clear {what}, {size}").format(what=shown(amount.title), size=size(amount.bytes)))
        self.button.setEnabled(amount.bytes > 0)
        self.button.clicked.connect(lambda: self.clear_requested.emit(amount))


class StorageGroups(QWidget):
    """Measured when shown; measured again after something was cleared. `cleared(Kept)` tells the rest of the app."""

    cleared = Signal(object)

    def __init__(self, paths: Paths, choices: Choices, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._paths, self._choices = paths, choices
        self.groups: list[Group] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(24)

    def look(self) -> None:
        """Measure all folders, in another thread."""
        settings = self._choices.settings
        run(lambda: measure(self._paths, settings), self, self.show_amounts)

    def show_amounts(self, amounts: Sequence[Amount]) -> None:
        """Show what was measured."""
        for group in self.groups:
            group.hide()
            group.deleteLater()
        rows: list[Row] = []
        for amount in amounts:
            row = AmountRow(amount)
            row.clear_requested.connect(self.ask)
            rows.append(row)
        reset = Button(self.tr("Reset…"))
        reset.clicked.connect(self.ask_reset)
        settings = Row(self.tr("Settings"), self.tr("Back to what they were at the first start. Chats and models stay."), reset)
        self.groups = [Group(self.tr("On this computer"), rows), Group(self.tr("Start afresh"), [settings])]
        for group in self.groups:
            self._column.addWidget(group)

    def ask(self, amount: Amount) -> None:
        """Say what would be deleted, and delete it only then."""
        dialog = Dialog(self.tr("Clear {what}?").format(what=shown(amount.title)), self)
        count = self.tr("%n file(s)", "", amount.files)
        again = self.tr("The app makes it again when it needs it.") if amount.again else self.tr("It cannot be brought back.")
        told = self.tr("{size} in {count} will be deleted.").format(size=size(amount.bytes), count=count)
        dialog.body.addWidget(Paragraph(told))
        dialog.body.addWidget(Paragraph(f"{shown(amount.about)} {again}", "ui", "text.secondary"))
        dialog.add_button(self.tr("Keep it")).clicked.connect(dialog.reject)
        delete = dialog.add_button(self.tr("Delete {size}").format(size=size(amount.bytes)), "danger")
        delete.clicked.connect(dialog.accept)
        dialog.accepted.connect(lambda: self._clear(amount))
        dialog.open()

    def _clear(self, amount: Amount) -> None:
        settings = self._choices.settings

        def done(_: int) -> None:
            self.cleared.emit(amount.kept)
            self.look()

        run(lambda: clear(amount.kept, self._paths, settings), self, done, self._fail)

    def _fail(self, error: Exception) -> None:
        if not isinstance(error, GpuError):
            raise error
        self.groups[0].rows[0].refuse(str(error))

    def ask_reset(self) -> None:
        """Say what a reset means, and do it only then."""
        dialog = Dialog(self.tr("Reset all settings?"), self)
        dialog.body.addWidget(Paragraph(self.tr("Chats, models and the access token stay.")))
        dialog.add_button(self.tr("Keep them")).clicked.connect(dialog.reject)
        dialog.add_button(self.tr("Reset"), "danger").clicked.connect(dialog.accept)
        dialog.accepted.connect(self._reset)
        dialog.open()

    def _reset(self) -> None:
        try:
            self._choices.settings.reset().write(self._paths.settings)
        except GpuError as error:
            self.groups[-1].rows[0].refuse(str(error))
        self._choices.reload()
