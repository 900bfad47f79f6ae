"""What helps to find out what is wrong, to read, to copy, and the folder of the log files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QSize, Qt, QUrl, qVersion
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from app.diagnostics import Part, as_text, collect
from app.paths import Paths
from app.ui.background import run
from app.ui.widgets import Beside, Button, Card, Dialog, Icon, Label, Paragraph, Spinner


def window_facts() -> dict[str, Any]:
    """What Qt knows: its version and platform, the screens and their scales."""
    screens = [
        f"{screen.size().width()} x {screen.size().height()} at {screen.devicePixelRatio():g}"
        for screen in QGuiApplication.screens()
    ]
    return {"Qt": qVersion(), "platform": QGuiApplication.platformName(), "screens": ", ".join(screens)}


class DiagnosticsView(QWidget):
    """A card a part. worker: asked for what is known of the worker when the report is made."""

    def __init__(self, paths: Paths, worker: Callable[[], dict[str, Any]] = dict, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._paths, self.worker = paths, worker
        self._parts: Sequence[Part] = ()
        self.copy = Button(self.tr("Copy all"), icon_name="copy")
        self.logs = Button(self.tr("Open the log folder"), icon_name="folder-open")
        self.again = Button(self.tr("Look again"), "quiet", "refresh-cw")
        self.copy.setEnabled(False)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(as_text(tuple(self._parts))))
        self.logs.clicked.connect(self._open_logs)
        self.again.clicked.connect(self.look)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self.copy, self.logs, self.again):
            buttons.addWidget(button)
        buttons.addStretch(1)
        self._spinner = Spinner(18)
        buttons.addWidget(self._spinner)
        self._cards = QVBoxLayout()
        self._cards.setSpacing(16)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(16)
        column.addWidget(Label(self.tr("Diagnostics"), "title"))
        column.addWidget(
            Paragraph(
                self.tr("What to send along when something does not work. No token, no password, nothing that anybody wrote."),
                "ui",
                "text.secondary",
            )
        )
        column.addLayout(buttons)
        column.addLayout(self._cards)

    def look(self) -> None:
        """Make the report, in another thread."""
        self._spinner.show()
        worker, window = self.worker(), window_facts()
        run(lambda: collect(self._paths, worker, window), self, self.show_parts)

    def show_parts(self, parts: Sequence[Part]) -> None:
        """Show a report."""
        self._spinner.hide()
        self._parts = parts
        self.copy.setEnabled(True)
        while (item := self._cards.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for part in parts:
            if part.items:
                self._cards.addWidget(self._card(part))

    def _card(self, part: Part) -> Card:
        card = Card(16, 8)
        card.body.addWidget(Label(part.title, "ui_medium"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(2, 1)
        for row, item in enumerate(part.items):
            if item.problem:
                sign = Icon("triangle-alert", "warning.text", 14, self.tr("Problem"))
                grid.addWidget(sign, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(Beside(item.title, "ui", "text.secondary"), row, 1, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(Paragraph(item.value, "ui", "warning.text" if item.problem else "text.primary"), row, 2)
        card.body.addLayout(grid)
        return card

    def _open_logs(self) -> None:
        self._paths.logs.mkdir(parents=True, exist_ok=True)
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._paths.logs)))


class DiagnosticsDialog(Dialog):
    """The same in a window of its own, for when the settings cannot be reached."""

    def __init__(self, paths: Paths, worker: Callable[[], dict[str, Any]] = dict, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Diagnostics"), parent, 640)
        self.view = DiagnosticsView(paths, worker)
        self.body.addWidget(self.view)
        self.add_button(self.tr("Close"), "primary").clicked.connect(self.accept)
        self.view.look()

    def sizeHint(self) -> QSize:
        """Room for the report."""
        return QSize(640, 560)
