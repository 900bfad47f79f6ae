"""The Result tab: what was computed from what, as arrays; copying and saving."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QFileDialog, QFormLayout, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app.inspection.records import Launch, Record
from app.inspection.tables import as_text, inputs, save_table
from app.ui.inspector.machine import Heading
from app.ui.inspector.values import ArrayRow, ComputedValue
from app.ui.theme import theme
from app.ui.widgets import Button, Card, Elided, FaultCard, Label, Paragraph
from app.ui.widgets.controls import line
from engine.machine.errors import InputError

LONGEST = 46
"""Characters of an expression that stand beside its value; a longer one stands above it."""


class Actions(QFrame):
    """The row of buttons at the foot of a tab. Where there is no room for all texts, quiet buttons are icons."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("surface", "canvas")
        self.setMinimumHeight(theme().px(56))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(line())
        self.row = QHBoxLayout()
        self.row.setContentsMargins(8, 8, 16, 8)
        self.row.setSpacing(4)
        column.addLayout(self.row, 1)
        self._texts: dict[Button, str] = {}

    def add(self, button: Button) -> Button:
        """Put a button at the right end."""
        self.row.addWidget(button)
        if button.property("kind") == "quiet":
            self._texts[button] = button.text()
            button.setAccessibleName(button.text())
            button.setToolTip(button.text())
        return button

    def minimumSizeHint(self) -> QSize:
        """The buttons without their texts."""
        return QSize(theme().px(320), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """See whether there is room for all texts."""
        super().resizeEvent(event)
        for button, text in self._texts.items():
            button.setText(text)
        if self.row.minimumSize().width() > event.size().width():
            for button in self._texts:
                button.setText("")


class ResultView(QWidget):
    """step_asked: show the machine; playground_asked: show the kernel in the Playground; failed: a file cannot be written."""

    step_asked = Signal()
    playground_asked = Signal()
    failed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._record: Record | None = None
        self._launch: Launch | None = None
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        actions = Actions()
        for text, icon_name, slot in (
            (self.tr("Copy as text"), "copy", self._copy),
            (self.tr("Save…"), "download", self._save),
            (self.tr("Open in Playground"), "square-terminal", self.playground_asked.emit),
        ):
            button = Button(text, "quiet", icon_name)
            button.clicked.connect(slot)
            actions.add(button)
        actions.row.addStretch(1)
        self._step = Button(self.tr("Step through it"), "primary", "step-forward")
        self._step.clicked.connect(self.step_asked)
        actions.add(self._step)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._scroll, 1)
        column.addWidget(actions)

    def show_record(self, record: Record, launch: Launch, doc: str) -> None:
        """Show a launch of a record. doc: what its kernel does, one sentence, may be empty."""
        self._record, self._launch = record, launch
        page = QWidget()
        page.setProperty("transparent", True)
        column = QVBoxLayout(page)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        self._step.setText(self.tr("Step to the fault") if launch.faulted else self.tr("Step through it"))
        column.addWidget(self._fault() if launch.faulted else self._summary(record, launch, doc))
        forms = {array.name: array.form for array in launch.arrays}
        column.addSpacing(4)
        column.addWidget(self._arrays(self.tr("Inputs"), self.tr("written by the host"), inputs(launch), forms, False))
        column.addSpacing(4)
        read = self.tr("read from the machine's memory")
        column.addWidget(self._arrays(self.tr("Output"), read, launch.record.outputs, forms, True))
        column.addSpacing(4)
        column.addWidget(self._facts(record, launch))
        column.addStretch(1)
        self._scroll.setWidget(page)

    def _fault(self) -> QWidget:
        card = FaultCard()
        card.body.addWidget(Paragraph(self.tr("The machine stopped this launch"), "heading"))
        said = self.tr("It did something that no launch may do, so it has no result. The last token says what, and where.")
        card.body.addWidget(Paragraph(said, "ui", "text.secondary"))
        return card

    def _summary(self, record: Record, launch: Launch, doc: str) -> QWidget:
        summary, title, value = Card(20, 8), record.title, value_text(record)
        formula = QHBoxLayout()
        formula.setSpacing(8)
        expression: Elided | Label = Elided(f"{title} =" if value else title, "value")
        shown = ComputedValue("readout", 24, summary)
        shown.set_value(value)
        if len(title) <= LONGEST:
            expression = Label(expression.text(), "value")
            formula.addStretch(1)
            formula.addWidget(expression)
            formula.addWidget(shown)
            formula.addStretch(1)
            summary.body.addLayout(formula)
        else:
            summary.body.addWidget(expression)
            summary.body.addWidget(shown, 0, Qt.AlignmentFlag.AlignHCenter)
        if doc:
            about = Paragraph(doc[:1].upper() + doc[1:].rstrip(".") + ".", "ui", "text.secondary")
            about.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            summary.body.addWidget(about)
        return summary

    def _arrays(
        self, title: str, caption: str, arrays: Mapping[str, Sequence[int | float]], forms: dict[str, str], computed: bool
    ) -> QWidget:
        part = QWidget()
        column = QVBoxLayout(part)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        head = Heading(title)
        head.caption.setText(caption)
        column.addWidget(head)
        box = Card(0, 0)
        for number, (name, values) in enumerate(arrays.items()):
            if number:
                box.body.addWidget(line())
            box.body.addWidget(ArrayRow(name, forms.get(name, ""), values, computed))
        if not arrays:
            nothing = Label(self.tr("None."), "ui", "text.tertiary")
            nothing.setContentsMargins(16, 10, 16, 10)
            box.body.addWidget(nothing)
        column.addWidget(box)
        return part

    def _facts(self, record: Record, launch: Launch) -> QWidget:
        part = QWidget()
        column = QVBoxLayout(part)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(Heading(self.tr("Launch")))
        box = Card(12, 4)
        form = QFormLayout()
        form.setHorizontalSpacing(24)
        form.setVerticalSpacing(8)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        grid, block = launch.record.launch.get("grid", [1]), launch.record.launch.get("block", [1])
        threads = launch.program.threads
        kernel = self.tr("{name}.cu from the library") if record.receipt.expression else self.tr("{name}, written by hand")
        layers = self.tr("45 compiled. Qwen's 24 were not needed.")
        for name, value in (
            (self.tr("Kernel"), kernel.format(name=launch.record.function)),
            (
                self.tr("Threads"),
                self.tr("{threads} in a block, grid {grid}, block {block}").format(
                    threads=threads, grid=" × ".join(map(str, grid)), block=" × ".join(map(str, block))
                ),
            ),
            (
                self.tr("Tokens"),
                self.tr("{host} from the host, {model} by the model").format(
                    host=f"{len(launch.prompt):,}", model=f"{len(launch.generated):,}"
                ),
            ),
            (self.tr("Layers"), layers),
            (self.tr("Time"), self.tr("{seconds} s").format(seconds=f"{launch.record.seconds:.2f}")),
        ):
            left = Label(name, "ui", "text.secondary")
            left.setMinimumWidth(theme().px(112))
            form.addRow(left, Elided(value))
        box.body.addLayout(form)
        column.addWidget(box)
        return part

    def _copy(self) -> None:
        if self._record:
            QGuiApplication.clipboard().setText(as_text(self._record))

    def _save(self) -> None:
        if self._record is None or self._launch is None:
            return
        dialog = QFileDialog(
            self, self.tr("Save the arrays"), f"{self._launch.record.function}.csv", self.tr("Table (*.csv);;JSON (*.json)")
        )
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.save_to)
        dialog.open()

    def save_to(self, path: str) -> None:
        """Write the arrays to a file; its ending chooses CSV or JSON."""
        assert self._record is not None and self._launch is not None
        try:
            save_table(self._record, self._launch, Path(path))
        except InputError as error:
            self.failed.emit(str(error))


def value_text(record: Record) -> str:
    """The value of a record in few characters; empty where it has none."""
    value: object = record.receipt.value
    if value is None:
        outputs = list(record.launches[-1].record.outputs.values()) if record.launches else []
        value = outputs[0] if len(outputs) == 1 else None
    if isinstance(value, list | tuple) and len(value) == 1 and not isinstance(value[0], list):
        value = value[0]
    return "" if value is None else str(value)
