"""The Proof tab: the verdict, who did what, the fingerprints, and how to check it all again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QProgressBar, QScrollArea, QVBoxLayout, QWidget

from app.inspection.ledger import Entry, Verdict, fingerprints, grouped, ledger, verify_command
from app.inspection.records import Launch, Record, save_record
from app.ui.inspector.machine import Heading
from app.ui.inspector.result import Actions
from app.ui.language import shown
from app.ui.theme import paint_icon, theme
from app.ui.widgets import Button, Card, Chip, Elided, Icon, IconButton, Label, Paragraph
from app.ui.widgets.controls import Tone, line
from engine.machine.errors import InputError

TONES: dict[str, Tone] = {"Host": "neutral", "Model": "computed", "Replay": "accent"}


class VerdictBanner(QFrame):
    """What the replay found, in one sentence: icon, word, tint."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = ("bg.sunken", "loader-circle", "text.secondary")
        self.setMinimumHeight(theme().px(66))
        row = QVBoxLayout(self)
        row.setContentsMargins(theme().px(52), 10, 16, 10)
        row.setSpacing(2)
        self._title, self._text = Label("", "heading"), Paragraph("", "ui", "text.secondary")
        row.addWidget(self._title)
        row.addWidget(self._text)

    def show_verdict(self, verdict: Verdict) -> None:
        """Say what is known."""
        if verdict.exact is None:
            self._look = ("bg.sunken", "loader-circle", "text.secondary")
            self._say(
                self.tr("Being worked out again"),
                self.tr("{checked} of {total} tokens are the same so far.").format(
                    checked=f"{verdict.checked:,}", total=f"{verdict.total:,}"
                ),
            )
        elif verdict.exact:
            self._look = ("success.tint", "shield-check", "success.text")
            exact = self.tr("Worked out again without the model, the launch gives the same {total} tokens.")
            self._say(self.tr("Exact"), exact.format(total=f"{verdict.total:,}"))
        else:
            difference = verdict.difference
            assert difference is not None
            self._look = ("error.tint", "circle-x", "error.text")
            self._say(
                self.tr("Not exact"),
                self.tr(
                    "The replay differs at token {index}: model {got}, replay {expected}. Save the receipt and report it."
                ).format(index=f"{difference.index + 1:,}", got=str(difference.got), expected=str(difference.expected)),
            )

    def _say(self, title: str, text: str) -> None:
        self._title.setText(title)
        self._text.setText(text)
        self.setAccessibleName(f"{title}. {text}")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The tint and the icon."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tint, icon_name, ink = self._look
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().color(tint))
        painter.drawRoundedRect(self.rect(), 10, 10)
        side = theme().px(22)
        paint_icon(painter, icon_name, ink, 16, (self.height() - side) / 2, side)


class Figures(QFrame):
    """Three numbers side by side: what the host, the model and the replay did."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "card")
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._numbers: list[tuple[Label, Label]] = []
        texts = (
            (self.tr("Host"), self.tr("Wrote the program and the numbers. Computed nothing.")),
            (self.tr("Model"), self.tr("Every step, one pass through the 45 compiled layers each.")),
            (self.tr("Replay"), self.tr("A separate program that does not use the model's weights.")),
        )
        for number, (name, text) in enumerate(texts):
            if number:
                self._row.addWidget(line(vertical=True))
            part = QVBoxLayout()
            part.setContentsMargins(16, 10, 16, 10)
            part.setSpacing(2)
            figure, unit = Label("", "readout"), Label("", "small", "text.secondary")
            pair = QHBoxLayout()
            pair.setSpacing(6)
            pair.addWidget(figure)
            pair.addWidget(unit, 1, Qt.AlignmentFlag.AlignBottom)
            unit.setContentsMargins(0, 0, 0, 5)
            self._numbers.append((figure, unit))
            part.addWidget(Label(name, "label", "text.secondary"))
            part.addLayout(pair)
            part.addWidget(Paragraph(text, "small", "text.secondary"))
            self._row.addLayout(part, 1)

    def show_numbers(self, host: int, verdict: Verdict) -> None:
        """Show the counts."""
        tokens = self.tr("tokens")
        texts = (
            (f"{host:,}", tokens),
            (f"{verdict.total:,}", tokens),
            (f"{verdict.checked:,}", self.tr("of {total} equal").format(total=f"{verdict.total:,}")),
        )
        for (figure, unit), (number, word) in zip(self._numbers, texts, strict=True):
            figure.setText(number)
            unit.setText(word)


class LedgerRow(QWidget):
    """Number, who, what with its details below, and a tick where it holds."""

    def __init__(self, number: int, entry: Entry, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumHeight(theme().px(44))
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 12, 4)
        row.setSpacing(12)
        index = Label(str(number), "grid", "text.tertiary")
        index.setFixedWidth(theme().px(16))
        self._who = {"Host": self.tr("Host"), "Model": self.tr("Model"), "Replay": self.tr("Replay")}[entry.who]
        chip = Chip(self._who, TONES[entry.who])
        holder = QWidget()
        holder.setFixedWidth(theme().px(64))
        inside = QHBoxLayout(holder)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.addWidget(chip)
        inside.addStretch(1)
        words = QVBoxLayout()
        words.setSpacing(0)
        self._what, self._details = Elided("", "ui"), Elided("", "small", "text.tertiary")
        words.addWidget(self._what)
        words.addWidget(self._details)
        self._tick = Icon("check", "success.text", 16)
        row.addWidget(index)
        row.addWidget(holder)
        row.addLayout(words, 1)
        row.addWidget(self._tick)
        self.show_entry(entry)

    def show_entry(self, entry: Entry) -> None:
        """Say what is known now."""
        what, details = shown(entry.what), shown(entry.details)
        self._what.setText(what)
        self._details.setText(details)
        icon_name, color = {
            True: ("check", "success.text"),
            False: ("circle-x", "error.text"),
            None: ("loader-circle", "text.tertiary"),
        }[entry.holds]
        self._tick.set_icon(icon_name, color)
        holds = {True: self.tr("holds"), False: self.tr("does not hold"), None: self.tr("being checked")}[entry.holds]
        self._tick.setAccessibleName(holds)
        self.setAccessibleName(f"{self._who}: {what}. {details}. {holds}")


class ProofView(QWidget):
    """`verify_asked`, `stop_asked`: redo the launch in the weights; `open_asked(path)`: another record; `failed(str)`."""

    verify_asked = Signal()
    stop_asked = Signal()
    open_asked = Signal(str)
    failed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._record: Record | None = None
        self._launch: Launch | None = None
        self._rows: list[LedgerRow] = []
        self._verifying = False
        self._banner, self._figures = VerdictBanner(), Figures()
        self._ledger_box, self._prints = Card(0, 0), QVBoxLayout()
        self._command = Elided("", "code")
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self._page())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._scroll, 1)
        column.addWidget(self._actions())

    def _page(self) -> QWidget:
        page = QWidget()
        page.setProperty("transparent", True)
        column = QVBoxLayout(page)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addWidget(self._banner)
        column.addWidget(self._figures)
        part = QVBoxLayout()
        part.setSpacing(6)
        part.addWidget(Heading(self.tr("Who did what")))
        part.addWidget(self._ledger_box)
        column.addLayout(part)
        part = QVBoxLayout()
        part.setSpacing(2)
        head = Heading(self.tr("Fingerprints"))
        head.caption.setText("sha256")
        part.addWidget(head)
        self._prints.setSpacing(0)
        part.addLayout(self._prints)
        column.addLayout(part)
        part = QVBoxLayout()
        part.setSpacing(6)
        head = Heading(self.tr("Redo it with stock transformers"))
        head.caption.setText(self.tr("the unmodified library runs the same weights"))
        part.addWidget(head)
        box = QFrame()
        box.setProperty("kind", "panel")
        row = QHBoxLayout(box)
        row.setContentsMargins(12, 4, 4, 4)
        row.addWidget(self._command, 1)
        copy = IconButton("copy", self.tr("Copy the command"), 28, 14)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._command.text()))
        row.addWidget(copy)
        part.addWidget(box)
        column.addLayout(part)
        column.addStretch(1)
        return page

    def _actions(self) -> QWidget:
        actions = Actions()
        actions.row.setContentsMargins(16, 8, 16, 8)
        actions.row.setSpacing(8)
        self._status = Elided("", "small", "text.secondary")
        self._progress = QProgressBar()
        self._progress.setAccessibleName(self.tr("Tokens redone"))
        self._progress.hide()
        self._again = Button(self.tr("Verify again"), "secondary", "refresh-cw")
        self._again.clicked.connect(self._verify)
        load = Button(self.tr("Open receipt…"), "quiet", "folder-open")
        load.clicked.connect(self._choose)
        save = Button(self.tr("Save receipt…"), "primary", "download")
        save.clicked.connect(self._save)
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addStretch(1)
        words.addWidget(self._status)
        words.addWidget(self._progress)
        words.addStretch(1)
        actions.row.addLayout(words, 1)
        for button in (load, self._again, save):
            actions.add(button)
        return actions

    def show_record(self, record: Record, launch: Launch, verdict: Verdict) -> None:
        """Show a launch of a record."""
        self._record, self._launch = record, launch
        _clear(self._ledger_box.body)
        self._rows = [LedgerRow(number, entry) for number, entry in enumerate(ledger(record, launch, verdict), 1)]
        for number, row in enumerate(self._rows):
            if number:
                self._ledger_box.body.addWidget(line())
            self._ledger_box.body.addWidget(row)
        _clear(self._prints)
        for name, digest in fingerprints(record, launch):
            self._prints.addWidget(_fingerprint(shown(name), digest))
        self._command.setText(verify_command(record.path, stock=True))
        receipt = record.receipt
        self._finish(
            self.tr("Made {created} · {compiler} · version {version}").format(
                created=receipt.created[:16].replace("T", " "), compiler=launch.record.compiler or "-", version=receipt.program
            )
        )
        self.show_verdict(verdict)

    def show_verdict(self, verdict: Verdict) -> None:
        """What the replay beside this picture has found up to now."""
        if self._record is None or self._launch is None:
            return
        self._banner.show_verdict(verdict)
        self._figures.show_numbers(len(self._launch.prompt), verdict)
        for row, entry in zip(self._rows, ledger(self._record, self._launch, verdict), strict=True):
            row.show_entry(entry)

    # ------------------------------------------------------------ verifying in the weights
    def _verify(self) -> None:
        if self._verifying:
            self.stop_asked.emit()
            return
        self._verifying = True
        self._again.setText(self.tr("Stop"))
        self._again.set_icon("square")
        self._status.set_color("text.secondary")
        self._status.setText(self.tr("Running the launch in the weights again…"))
        self._progress.setRange(0, 0)
        self._progress.show()
        self.verify_asked.emit()

    def verify(self) -> None:
        """Start verifying, unless that is going on."""
        if not self._verifying:
            self._verify()

    def show_verifying(self, done: int, total: int) -> None:
        """Live progress."""
        self._progress.setRange(0, max(total, 1))
        self._progress.setValue(done)
        redone = self.tr("{done} of {total} tokens redone in the weights")
        self._status.setText(redone.format(done=f"{done:,}", total=f"{total:,}"))

    def show_verification(self, result: Mapping[str, Any]) -> None:
        """How it ended: the worker's result, or its error."""
        if result.get("kind"):
            stopped = result["kind"] == "cancelled"
            self._finish(self.tr("Stopped.") if stopped else str(result.get("message", "")), "" if stopped else "error.text")
        else:
            found = result.get("found") or {}
            where = " · ".join(str(found[key]) for key in ("runtime", "device") if found.get(key))
            self._finish(self.tr("Redone in the weights: exact · {where}").format(where=where), "success.text")

    def _finish(self, text: str, color: str = "text.secondary") -> None:
        self._verifying = False
        self._progress.hide()
        self._again.setText(self.tr("Verify again"))
        self._again.set_icon("refresh-cw")
        self._status.set_color(color or "text.secondary")
        self._status.setText(text)

    # ------------------------------------------------------------ files
    def _save(self) -> None:
        if self._record is None:
            return
        dialog = QFileDialog(self, self.tr("Save the receipt"), f"{self._record.receipt.id}.json", self.tr("Receipt (*.json)"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.save_to)
        dialog.open()

    def save_to(self, path: str) -> None:
        """Write the record to a file."""
        assert self._record is not None
        try:
            save_record(self._record, Path(path))
            self._status.setText(self.tr("Saved as {name}").format(name=Path(path).name))
        except InputError as error:
            self.failed.emit(str(error))

    def _choose(self) -> None:
        dialog = QFileDialog(self, self.tr("Open a receipt"), "", self.tr("Receipt (*.json);;All files (*)"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.open_asked)
        dialog.open()


def _fingerprint(name: str, digest: str) -> QWidget:
    part = QWidget()
    row = QHBoxLayout(part)
    row.setContentsMargins(0, 0, 4, 0)
    row.setSpacing(8)
    label = Label(name, "small", "text.secondary")
    label.setFixedWidth(theme().px(128))
    copy = IconButton("copy", f"{name}: copy", 24, 13)
    copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(digest))
    value = Elided(grouped(digest), "grid")
    value.setToolTip(digest)
    row.addWidget(label)
    row.addWidget(value, 1)
    row.addWidget(copy)
    return part


def _clear(layout: QVBoxLayout) -> None:
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.deleteLater()
