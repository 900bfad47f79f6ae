"""What came of a launch: progress while it runs, arrays with what was expected, or the error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLayout, QProgressBar, QSizePolicy, QVBoxLayout, QWidget

from app.playground.forms import differences
from app.ui.inspector.machine import Strong
from app.ui.inspector.values import Entries
from app.ui.theme import theme
from app.ui.widgets import Button, Chip, Elided, FaultCard, Label, Paragraph

MOST_DIFFERENCES = 5


class OutcomeView(QWidget):
    """`inspect_asked`, `copy_asked`: the buttons below a result."""

    inspect_asked = Signal()
    copy_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 12, 20, 12)
        column.setSpacing(8)
        head = QHBoxLayout()
        head.addWidget(Strong(self.tr("Result")))
        head.addStretch(1)
        self._chip = Chip("")
        self._chip.hide()
        head.addWidget(self._chip)
        column.addLayout(head)
        self._body = QVBoxLayout()
        self._body.setSpacing(8)
        column.addLayout(self._body)
        self._progress: tuple[QProgressBar, Label] | None = None
        self.show_idle()

    def show_idle(self) -> None:
        """Nothing was run yet."""
        self._clear()
        self._body.addWidget(
            Paragraph(
                self.tr(
                    "Run the kernel to see what it writes. "
                    "Every number will have been computed in the weights and worked out again."
                ),
                "ui",
                "text.tertiary",
            )
        )

    def show_running(self) -> None:
        """It begins."""
        self._clear()
        bar, text = QProgressBar(), Label(self.tr("Compiling and loading…"), "small", "text.secondary")
        bar.setRange(0, 0)
        bar.setProperty("tone", "computed")
        bar.setAccessibleName(self.tr("The launch is running"))
        self._progress = bar, text
        self._body.addWidget(bar)
        self._body.addWidget(text)

    def show_progress(self, progress: Mapping[str, Any]) -> None:
        """Tokens so far, and where the machine is."""
        if self._progress is None:
            self.show_running()
        assert self._progress is not None
        tokens, prompt, block = progress.get("tokens", 0), progress.get("prompt", 0), progress.get("block")
        if block is None:
            self._progress[1].setText(self.tr("The host writes: {tokens} tokens").format(tokens=f"{tokens:,}"))
        else:
            self._progress[1].setText(
                self.tr("The model computes: {tokens} tokens, block {block}, warp {warp}").format(
                    tokens=f"{max(0, tokens - prompt):,}", block=block, warp=progress.get("warp")
                )
            )

    def show_result(
        self,
        summary: Mapping[str, Any],
        outputs: Mapping[str, Sequence[int | float]],
        expected: Mapping[str, Sequence[int | float]],
    ) -> None:
        """Arrays, whether they are as expected, and what the launch took."""
        self._clear()
        self._chip.set_content(self.tr("Replay exact"), "success", "check")
        self._chip.show()
        for name, values in outputs.items():
            row = QHBoxLayout()
            row.setSpacing(8)
            label = Elided(name, "code")
            label.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            label.setFixedSize(theme().px(76), theme().px(24))
            row.addWidget(label, 0, Qt.AlignmentFlag.AlignTop)
            row.addWidget(Entries(values, computed=True), 1, Qt.AlignmentFlag.AlignTop)
            self._body.addLayout(row)
        if expected:
            self._compare(outputs, expected)
        self._body.addWidget(
            Paragraph(
                self.tr("{prompt} host tokens, then {tokens} by the model. {seconds} s.").format(
                    prompt=f"{summary.get('prompt', 0):,}",
                    tokens=f"{summary.get('tokens', 0):,}",
                    seconds=f"{summary.get('seconds', 0):.2f}",
                ),
                "small",
                "text.secondary",
            )
        )
        buttons = QHBoxLayout()
        inspect = Button(self.tr("Open in the inspector"), "secondary", "panel-right")
        inspect.clicked.connect(self.inspect_asked)
        copy = Button(self.tr("Copy launch"), "quiet", "copy")
        copy.clicked.connect(self.copy_asked)
        buttons.addWidget(inspect)
        buttons.addWidget(copy)
        buttons.addStretch(1)
        self._body.addLayout(buttons)

    def _compare(self, outputs: Mapping[str, Sequence[int | float]], expected: Mapping[str, Sequence[int | float]]) -> None:
        found = differences(outputs, expected)
        names = ", ".join(expected)
        row = QHBoxLayout()
        row.addWidget(
            Chip(self.tr("As expected"), "success", "check")
            if not found
            else Chip(self.tr("Not as expected"), "warning", "triangle-alert")
        )
        row.addWidget(Elided(names, "code", "text.secondary"), 1)
        self._body.addLayout(row)
        for text in found[:MOST_DIFFERENCES]:
            self._body.addWidget(Paragraph(text, "ui", "warning.text"))
        if len(found) > MOST_DIFFERENCES:
            more = self.tr("and {count} more").format(count=len(found) - MOST_DIFFERENCES)
            self._body.addWidget(Label(more, "small", "text.tertiary"))

    def show_error(self, error: Mapping[str, Any], inspectable: bool = False) -> None:
        """What went wrong, where, and what to do. Stopping is no error. inspectable: there is a record up to there."""
        self._clear()
        if error.get("kind") == "cancelled":
            self._body.addWidget(Label(self.tr("Stopped. Nothing was written."), "ui", "text.secondary"))
            return
        card = FaultCard()
        titles = {
            "compile": self.tr("The compiler found an error"),
            "fault": self.tr("The launch was stopped by a fault"),
            "unsupported": self.tr("The machine cannot run this kernel"),
            "input": self.tr("The launch cannot be read"),
            "mismatch": self.tr("The replay differs. Do not rely on this launch."),
        }
        card.body.addWidget(Label(titles.get(str(error.get("kind")), self.tr("The launch did not run")), "ui_medium"))
        for key, color in (("message", "text.primary"), ("where", "text.tertiary"), ("remedy", "text.secondary")):
            text = str(error.get(key) or "")
            if text:
                card.body.addWidget(Paragraph(text[:1].upper() + text[1:] + ("" if text.endswith(".") else "."), "ui", color))
        if inspectable:
            inspect = Button(self.tr("Step to the fault"), "secondary", "panel-right")
            inspect.clicked.connect(self.inspect_asked)
            card.body.addWidget(inspect, 0, Qt.AlignmentFlag.AlignLeft)
        self._body.addWidget(card)

    def _clear(self) -> None:
        self._progress = None
        self._chip.hide()
        _empty(self._body)


def _empty(layout: QLayout) -> None:
    while (item := layout.takeAt(0)) is not None:
        widget, inside = item.widget(), item.layout()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
        elif inside is not None:
            _empty(inside)
