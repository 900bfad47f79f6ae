"""The Playground's page: editor at the left, launch, arguments and result at the right."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QRunnable, Qt, QThreadPool, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeyEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QBoxLayout,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from app.files import read_text
from app.paths import Paths
from app.playground.drafts import EMPTY, Draft, Drafts
from app.playground.fit import Fit, fit
from app.playground.gallery import examples, library
from app.ui.playground.arguments import LaunchForm
from app.ui.playground.compiled import CompiledView
from app.ui.playground.editor import CodeEditor
from app.ui.playground.outcome import OutcomeView
from app.ui.theme import theme
from app.ui.widgets import Button, Chip, Elided, IconButton, Label, line
from engine.machine.errors import GpuError, InputError

COMPILE_AFTER, KEEP_AFTER = 700, 1500
"""Milliseconds without typing after which the source is compiled, and the draft is written."""
SETTLED = 30
"""Milliseconds after which the widgets of an outcome have their sizes."""
NARROW = 860
"""Below this width the launch stands below the editor."""
SIDE, SHARE = 424, 0.5
"""Width of the launch beside the editor; its share of the height below it."""
SMALLEST = (420, 320)
"""It can be so small, for the parts are laid out anew before there is no room for them."""
_PLACE = re.compile(r"^[^:]*:(\d+):\d+: (.*)$")


class _FitDone(QObject):
    done = Signal(int, object)


class _FitJob(QRunnable):
    """Lowers a kernel beside the interface: it takes up to a second."""

    def __init__(self, number: int, ptx: str, filename: str, launch: Mapping[str, Any], told: _FitDone) -> None:
        super().__init__()
        self._work, self._number, self._told = (ptx, filename, launch), number, told

    def run(self) -> None:
        self._told.done.emit(self._number, fit(*self._work))


class PlaygroundPage(QWidget):
    """Write a kernel, launch it, see what comes of it. It starts no work of its own: requests leave as signals.

    compile_requested(source, filename, kernel): worker `compile`, kernel being a template's instantiation or ""; answer with
        `show_compiled` or `show_error`
    launch_requested(source, filename, launch): worker `launch` of this LAUNCH.json object; answer with `show_progress`, then
        `show_result` or `show_error`
    stop_requested: stop what runs
    inspect_requested(path): open this launch record in the inspector
    """

    compile_requested = Signal(str, str, str)
    launch_requested = Signal(str, str, object)
    stop_requested = Signal()
    inspect_requested = Signal(str)

    def __init__(self, paths: Paths, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("surface", "canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Playground"))
        self.setMinimumSize(*SMALLEST)
        self._paths, self._drafts = paths, Drafts(paths.data / "playground")
        self._draft, self._changed, self._running, self._stepping = EMPTY, False, False, False
        self._record: Path | None = None
        self._ptx, self._instance, self._fits = "", "", 0
        self._pool, self._told = QThreadPool(self), _FitDone(self)
        self._pool.setMaxThreadCount(1)
        self._told.done.connect(self._show_fit)
        self._build()
        self._compile_timer = self._timer(COMPILE_AFTER, self._compile)
        self._keep_timer = self._timer(KEEP_AFTER, self.keep)
        self._fit_timer = self._timer(200, self._start_fit)
        self.editor.edited.connect(self._source_edited)
        self._name.textEdited.connect(lambda _: self._edited())
        self._form.changed.connect(self._launch_edited)
        self._form.said.connect(self._say)
        for keys, action in (("Ctrl+Return", self._run), ("Ctrl+Shift+Return", self._step), ("Ctrl+.", self._stop)):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(action)
        kept = self._drafts.all()
        self.open(kept[0] if kept else EMPTY)

    # ------------------------------------------------------------ what the window calls
    def open(self, draft: Draft) -> None:
        """Show another draft; the one that was shown is kept."""
        self.keep()
        self._draft, self._changed, self._record = draft, False, None
        self.editor.blockSignals(True)
        self.editor.setPlainText(draft.source)
        self.editor.blockSignals(False)
        self._name.setText(draft.filename)
        self._form.show_source("")
        self._form.show_launch(draft.launch, draft.expected)
        self._form.show_source(draft.source)
        self._outcome.show_idle()
        self._ptx = ""
        self._compiled.show_error("", "")
        self._compiled.fit.show_idle(self.tr("Not compiled yet"))
        self._say("")
        self._changed = False
        for timer in (self._keep_timer, self._fit_timer):
            timer.stop()
        self._compile_timer.start()

    def show_compiled(self, result: Mapping[str, Any]) -> None:
        """The worker's `result` to `compile`."""
        self._ptx = str(result.get("ptx", ""))
        self.editor.show_errors({})
        self._say("")
        if result.get("kernels"):
            self._start_fit()
        else:
            self._compiled.fit.show_idle(self.tr("Compiles"), self.tr("A template needs its types in the launch's kernel."))

    def show_progress(self, progress: Mapping[str, Any]) -> None:
        """A `launch` progress message: tokens, prompt, block, warp."""
        self._outcome.show_progress(progress)

    def show_result(self, result: Mapping[str, Any]) -> None:
        """The worker's `result` to `launch`: SUMMARY and outputs."""
        self._end_run()
        summary = result.get("launch", {})
        self._record = self._paths.launches / f"{summary.get('id', '')}.json"
        self._outcome.show_result(summary, result.get("outputs", {}), self._expected())
        self._show_outcome()
        if self._stepping:
            self._stepping = False
            self.inspect_requested.emit(str(self._record))

    def show_error(self, error: Mapping[str, Any]) -> None:
        """The worker's `error` (kind, message, where, remedy) to either request; compiler errors go to their lines."""
        ran, self._stepping = self._running, False
        if error.get("kind") == "compile":
            lines = _lines_of(error)
            self.editor.show_errors(lines)
            first = min(lines) if lines else 0
            title = self.tr("Line {line}").format(line=first) if first else self.tr("It does not compile")
            text = lines.get(first, str(error.get("message", "")))
            self._compiled.show_error(title, text)
            self._say(f"{title}: {text}")
        if ran:
            self._end_run()
            record = error.get("facts", {}).get("record")
            self._record = self._paths.launches / f"{record}.json" if record else None
            self._outcome.show_error(error, self._record is not None)
            self._show_outcome()
        elif error.get("kind") not in ("compile", "cancelled"):
            self._compiled.show_error(self.tr("Cannot compile"), str(error.get("message", "")))

    def keep(self) -> None:
        """Write the draft, if there is anything new in it."""
        if not self._changed:
            return
        try:
            self._draft = self._drafts.keep(self._present())
            self._changed = False
            self._saved.setText(self.tr("Kept"))
        except GpuError as error:
            self._say(str(error))

    # ------------------------------------------------------------ building
    def _build(self) -> None:
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self._header())
        outer.addWidget(line())
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._row.addWidget(self._left(), 1)
        self._between = line(vertical=True)
        self._row.addWidget(self._between)
        self._right_part = self._right()
        self._row.addWidget(self._right_part)
        outer.addLayout(self._row, 1)

    def _header(self) -> QWidget:
        head = QWidget()
        head.setFixedHeight(theme().px(52))
        row = QHBoxLayout(head)
        row.setContentsMargins(24, 0, 12, 0)
        row.setSpacing(8)
        row.addWidget(Label(self.tr("Playground"), "heading"))
        row.addStretch(1)
        self._hint = Elided(self.tr("No language model is used here"), "small", "text.tertiary")
        self._hint.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._hint, 1)
        row.addSpacing(8)
        gallery = Button(self.tr("Examples"), "secondary", "book-open")
        gallery.clicked.connect(lambda: self._gallery(gallery))
        load = Button(self.tr("Open…"), "secondary", "folder-open")
        load.clicked.connect(self._choose_file)
        more = IconButton("ellipsis", self.tr("Drafts and more"))
        more.clicked.connect(lambda: self._more(more))
        for button in (gallery, load, more):
            row.addWidget(button)
        return head

    def _left(self) -> QWidget:
        self.editor = CodeEditor()
        bar = QWidget()
        bar.setFixedHeight(theme().px(40))
        row = QHBoxLayout(bar)
        row.setContentsMargins(16, 0, 16, 0)
        row.setSpacing(8)
        self._name = QLineEdit()
        self._name.setAccessibleName(self.tr("File name; .ptx for PTX"))
        self._name.setFont(theme().font("code"))
        self._name.setStyleSheet("QLineEdit { border: none; background: transparent; min-height: 0; padding: 0 8px; }")
        self._saved = Label("", "small", "text.tertiary")
        row.addWidget(self._name, 1)
        row.addWidget(self._saved)
        row.addWidget(Chip("CUDA C++"))
        above = QWidget()
        column = QVBoxLayout(above)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (bar, line()):
            column.addWidget(widget)
        holder = QWidget()
        holder.setProperty("surface", "sunken")
        holder.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        inside = QVBoxLayout(holder)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.addWidget(self.editor)
        column.addWidget(holder, 1)
        self._compiled = CompiledView()
        split = QSplitter(Qt.Orientation.Vertical)
        split.setHandleWidth(1)
        split.setChildrenCollapsible(False)
        split.addWidget(above)
        split.addWidget(self._compiled)
        split.setStretchFactor(0, 1)
        split.setSizes([430, 280])
        self.editor.setMinimumHeight(theme().px(96))
        self._compiled.setMinimumHeight(theme().px(180))
        return split

    def _right(self) -> QWidget:
        part = QWidget()
        part.setFixedWidth(theme().px(SIDE))
        column = QVBoxLayout(part)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._form, self._outcome = LaunchForm(), OutcomeView()
        self._outcome.inspect_asked.connect(lambda: self._record and self.inspect_requested.emit(str(self._record)))
        self._outcome.copy_asked.connect(self._copy_launch)
        self._side = scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget()
        inside.setProperty("transparent", True)
        box = QVBoxLayout(inside)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        for widget in (self._form, line(), self._outcome):
            box.addWidget(widget)
        box.addStretch(1)
        scroll.setWidget(inside)
        column.addWidget(scroll, 1)
        column.addWidget(line())
        row = QHBoxLayout()
        row.setContentsMargins(20, 11, 20, 11)
        row.setSpacing(8)
        self._note = Elided("", "small", "error.text")
        self._step_button = Button(self.tr("Step"), "secondary", "step-forward")
        self._step_button.setToolTip(self.tr("Run, then step through the launch in the inspector"))
        self._step_button.clicked.connect(self._step)
        self._run_button = Button(self.tr("Run"), "primary", "play")
        self._run_button.setToolTip(QKeySequence("Ctrl+Return").toString(QKeySequence.SequenceFormat.NativeText))
        self._run_button.clicked.connect(self._run)
        row.addWidget(self._note, 1)
        row.addWidget(self._step_button)
        row.addWidget(self._run_button)
        column.addLayout(row)
        return part

    def _timer(self, milliseconds: int, action: Any) -> QTimer:
        timer = QTimer(self, singleShot=True, interval=milliseconds)
        timer.timeout.connect(action)
        return timer

    # ------------------------------------------------------------ editing
    def _source_edited(self) -> None:
        self._form.show_source(self.editor.toPlainText())
        self._compile_timer.start()
        self._edited()

    def _launch_edited(self) -> None:
        (self._fit_timer if self._form.instance() == self._instance else self._compile_timer).start()
        self._say("")
        self._edited()

    def _edited(self) -> None:
        self._changed = True
        self._saved.setText("")
        self._keep_timer.start()

    def _present(self) -> Draft:
        """What is shown now. A launch that cannot be read is kept as it was."""
        try:
            said = replace(self._draft, launch=self._form.launch(), expected=self._form.expected())
        except InputError:
            said = self._draft
        filename = self._name.text().strip() or "kernel.cu"
        return replace(said, title=filename, source=self.editor.toPlainText(), filename=filename)

    def _expected(self) -> Mapping[str, list[int | float]]:
        try:
            return self._form.expected()
        except InputError as error:
            self._say(f"{error.what} ({error.where})")
            return {}

    def _say(self, text: str) -> None:
        self._note.setText(text)

    # ------------------------------------------------------------ compiling
    def _compile(self) -> None:
        source = self.editor.toPlainText()
        if self._running or not source.strip():
            return
        self._compiled.fit.show_idle(self.tr("Compiling…"))
        self._instance = self._form.instance()
        self.compile_requested.emit(source, self._name.text().strip() or "kernel.cu", self._instance)

    def _start_fit(self) -> None:
        if not self._ptx:
            return
        try:
            launch = self._form.launch()
        except InputError as error:
            self._compiled.fit.show_idle(self.tr("The launch cannot be read"), f"{error.what} ({error.where})")
            return
        self._fits += 1
        self._pool.clear()
        self._pool.start(_FitJob(self._fits, self._ptx, self._name.text(), launch, self._told))

    def _show_fit(self, number: int, found: Fit) -> None:
        if number == self._fits:
            self._compiled.show_compiled(self._ptx, found)

    # ------------------------------------------------------------ running
    def _run(self) -> None:
        if self._running:
            self._stop()
            return
        try:
            launch = self._form.launch()
            self._form.expected()
        except InputError as error:
            self._stepping = False
            self._say(f"{error.what} ({error.where})")
            return
        self._compile_timer.stop()
        self.keep()
        self._running = True
        self._run_button.setText(self.tr("Stop"))
        self._run_button.set_icon("square")
        self._step_button.setEnabled(False)
        self._say("")
        self._outcome.show_running()
        self.launch_requested.emit(self.editor.toPlainText(), self._name.text().strip() or "kernel.cu", launch)

    def _step(self) -> None:
        if not self._running:
            self._stepping = True
            self._run()

    def _stop(self) -> None:
        if self._running:
            self.stop_requested.emit()

    def _end_run(self) -> None:
        self._running = False
        self._run_button.setText(self.tr("Run"))
        self._run_button.set_icon("play")
        self._step_button.setEnabled(True)
        if not self._ptx:
            self._compile_timer.start()

    def _show_outcome(self) -> None:
        """Bring what came of it into sight, once it has its size."""
        QTimer.singleShot(SETTLED, self, lambda: self._side.verticalScrollBar().setValue(self._outcome.y()))

    def _copy_launch(self) -> None:
        try:
            QGuiApplication.clipboard().setText(json.dumps(self._form.launch(), indent=1))
        except InputError as error:
            self._say(f"{error.what} ({error.where})")

    # ------------------------------------------------------------ drafts, examples, files
    def _gallery(self, button: QWidget) -> None:
        menu = self._menu()
        for draft in examples():
            menu.addAction(f"{draft.filename.removesuffix('.cu')}  ·  {draft.title}", partial(self.open, draft))
        menu.addSeparator()
        more = menu.addMenu(self.tr("The library's kernels"))
        for draft in library():
            more.addAction(draft.title, partial(self.open, draft))
        menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

    def _more(self, button: QWidget) -> None:
        menu = self._menu()
        menu.addAction(self.tr("New kernel"), partial(self.open, EMPTY))
        menu.addAction(self.tr("Save as…"), self._choose_save)
        kept = self._drafts.all()
        if kept:
            menu.addSection(self.tr("Drafts"))
            for draft in kept[:20]:
                menu.addAction(draft.title, partial(self.open, draft))
            menu.addSeparator()
            menu.addAction(self.tr("Delete this draft"), self._discard).setEnabled(bool(self._draft.id))
        menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

    def _menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        return menu

    def _discard(self) -> None:
        self._drafts.discard(self._draft.id)
        self._changed = False
        kept = self._drafts.all()
        self.open(kept[0] if kept else EMPTY)

    def _choose_file(self) -> None:
        dialog = QFileDialog(self, self.tr("Open a kernel"), "", self.tr("Kernels (*.cu *.cuh *.ptx);;All files (*)"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.open_file)
        dialog.open()

    def open_file(self, name: str) -> None:
        """Show a kernel's file; a LAUNCH.json of the same name beside it comes along."""
        path, launch = Path(name), {}
        try:
            source = read_text(path)
            beside = path.with_suffix(".json")
            if beside.is_file():
                launch = json.loads(read_text(beside))
        except (GpuError, ValueError) as error:
            self._say(str(error))
            return
        self.open(Draft("", path.name, source, path.name, launch if isinstance(launch, dict) else {}))
        self._form.match()
        self._edited()

    def _choose_save(self) -> None:
        dialog = QFileDialog(self, self.tr("Save the kernel"), self._name.text(), self.tr("Kernels (*.cu *.ptx)"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.save_to)
        dialog.open()

    def save_to(self, name: str) -> None:
        """Write the source to a file, and the launch beside it as .json."""
        path = Path(name)
        try:
            path.write_text(self.editor.toPlainText(), encoding="utf-8")
            path.with_suffix(".json").write_text(json.dumps(self._form.launch()) + "\n", encoding="utf-8")
        except (OSError, InputError) as error:
            self._say(str(error))

    # ------------------------------------------------------------ the window
    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow window the launch stands below the editor."""
        super().resizeEvent(event)
        narrow = self.width() < NARROW
        direction = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        if self._row.direction() != direction:
            self._row.setDirection(direction)
            self._between.setVisible(not narrow)
            self._right_part.setMinimumWidth(0 if narrow else theme().px(SIDE))
            self._right_part.setMaximumWidth(16777215 if narrow else theme().px(SIDE))
            self._right_part.setMinimumHeight(theme().px(160) if narrow else 0)
            self._compiled.setVisible(not narrow)
        self._right_part.setMaximumHeight(round(self.height() * SHARE) if narrow else 16777215)
        self._hint.setVisible(self.width() > 560)

    def hideEvent(self, event: QHideEvent) -> None:
        """Whoever leaves has kept everything."""
        self.keep()
        super().hideEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc stops what runs."""
        if event.key() == Qt.Key.Key_Escape and self._running:
            self._stop()
        else:
            super().keyPressEvent(event)


def _lines_of(error: Mapping[str, Any]) -> dict[int, str]:
    """The compiler's messages by line."""
    facts = error.get("facts") or {}
    found: dict[int, str] = {}
    for message in facts.get("messages") or ():
        place = _PLACE.match(str(message))
        if place and int(place[1]) not in found:
            found[int(place[1])] = place[2]
    if not found and isinstance(facts.get("line"), int):
        found[facts["line"]] = str(error.get("message", ""))
    return found
