"""The error card: what stopped, what is safe, what to do, and one primary action."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from app.faults import Fault, Remedy
from app.ui.language import shown
from app.ui.widgets import Beside, Button, CodeText, FaultCard, FoldButton, Icon, Paragraph
from app.ui.widgets.buttons import Kind

ICONS = {Remedy.RESTART: "rotate-cw", Remedy.TRY_AGAIN: "refresh-cw", Remedy.SETTINGS: "settings", Remedy.COPY: "copy"}


def remedy_name(remedy: Remedy) -> str:
    """What a button says."""
    return {
        Remedy.RESTART: QCoreApplication.translate("ErrorCard", "Restart and continue"),
        Remedy.SMALL_MODEL: QCoreApplication.translate("ErrorCard", "Use the small model"),
        Remedy.TRY_AGAIN: QCoreApplication.translate("ErrorCard", "Try again"),
        Remedy.SETTINGS: QCoreApplication.translate("ErrorCard", "Open the settings"),
        Remedy.COPY: QCoreApplication.translate("ErrorCard", "Copy details"),
    }[remedy]


class ErrorCard(FaultCard):
    """Shows a `Fault` where the work stopped. `acted(Remedy)` for everything but copying, which the card does itself."""

    acted = Signal(object)

    def __init__(self, fault: Fault, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._fault = fault
        self.setAccessibleName(f"{shown(fault.title)}. {shown(fault.safe)}")
        self.buttons: dict[Remedy, Button] = {}
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(Paragraph(shown(fault.title), "heading"))
        column.addSpacing(4)
        column.addWidget(Paragraph(shown(fault.safe)))
        if fault.facts:
            column.addSpacing(12)
            column.addLayout(self._facts())
        if fault.advice:
            column.addSpacing(12)
            column.addWidget(Paragraph(shown(fault.advice)))
        column.addSpacing(16)
        column.addLayout(self._actions())
        if fault.technical:
            column.addSpacing(8)
            column.addLayout(self._technical())
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(Icon("circle-x", "error.text", 20, self.tr("Error")), 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(column, 1)
        self.body.addLayout(row)

    def _facts(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        for row, (name, value) in enumerate(self._fault.facts):
            grid.addWidget(Beside(shown(name), "ui", "text.secondary"), row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(Paragraph(value, "ui"), row, 1)
        return grid

    def _actions(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        for remedy in self._fault.remedies:
            if remedy is Remedy.COPY:
                row.addStretch(1)
            kind: Kind = "quiet" if remedy is Remedy.COPY else "primary" if not self.buttons else "secondary"
            button = Button(remedy_name(remedy), kind, ICONS.get(remedy))
            button.clicked.connect(lambda _=False, chosen=remedy: self._act(chosen))
            self.buttons[remedy] = button
            row.addWidget(button)
        if Remedy.COPY not in self.buttons:
            row.addStretch(1)
        return row

    def _act(self, remedy: Remedy) -> None:
        if remedy is Remedy.COPY:
            QGuiApplication.clipboard().setText(self._fault.details or shown(self._fault.title))
        else:
            self.acted.emit(remedy)

    def _technical(self) -> QVBoxLayout:
        technical = shown(self._fault.technical)
        fold = FoldButton(self.tr("Technical details: {details}").format(details=technical))
        text = CodeText("text", max_lines=12, style="grid")
        text.set_code(self._fault.details or technical)
        text.hide()
        fold.toggled.connect(text.setVisible)
        column = QVBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(fold)
        column.addWidget(text)
        return column
