"""The report of a finished build, to read and to copy."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout, QWidget

from app.assistant.report import read_facts
from app.checkpoints import REPORT
from app.ui.language import shown
from app.ui.widgets import Beside, Dialog, Paragraph
from engine.machine.errors import InputError


class ReportDialog(Dialog):
    """Facts of a checkpoint in two columns; "Copy" gives the whole `build_report.json`."""

    def __init__(self, checkpoint: Path, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Build report"), parent, 560)
        self._path = checkpoint / REPORT
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        try:
            for row, fact in enumerate(read_facts(checkpoint)):
                grid.addWidget(Beside(shown(fact.name), "ui", "text.secondary"), row, 0, Qt.AlignmentFlag.AlignTop)
                grid.addWidget(Paragraph(shown(fact.value)), row, 1)
        except InputError as error:
            grid.addWidget(Paragraph(str(error), "ui", "error.text"), 0, 0)
        self.body.addLayout(grid)
        copy = self.add_button(self.tr("Copy the full report"), "quiet", "copy", left=True)
        copy.setEnabled(self._path.is_file())
        copy.clicked.connect(self._copy)
        self.add_button(self.tr("Close"), "primary").clicked.connect(self.accept)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._path.read_text(encoding="utf-8"))
