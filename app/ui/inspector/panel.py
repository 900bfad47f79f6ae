"""The inspector's frame: header, tabs, and the four views of one launch record."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QMenu, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from app.compute.library import load_library
from app.compute.receipts import Receipt
from app.inspection.finding import Query
from app.inspection.records import Record, check_record, read_record
from app.inspection.timeline import Moment
from app.playground.drafts import draft_of
from app.ui.inspector.kernel import KernelView
from app.ui.inspector.machine import MachineView
from app.ui.inspector.player import Player
from app.ui.inspector.proof import ProofView
from app.ui.inspector.result import ResultView, value_text
from app.ui.inspector.transport import Transport
from app.ui.inspector.values import ComputedValue
from app.ui.theme import theme
from app.ui.widgets import Button, Chip, Elided, FaultCard, IconButton, Label, Paragraph
from app.ui.widgets.controls import line
from app.ui.widgets.highlight import lexer_of
from engine.machine.errors import GpuError
from engine.machine.tokens import TOKENS

TABS = ("result", "kernel", "machine", "proof")
SHORT = 640
"""Below this height the tokens around the present one make room for the picture."""


def warm() -> None:
    """Make what every launch needs, so that the first one opens as quickly as the others."""
    _ = TOKENS.tokens
    load_library()
    lexer_of("cuda")


class Tabs(QTabBar):
    """Left and right choose a tab while the tabs have the focus, whatever they do elsewhere."""

    def event(self, event: QEvent) -> bool:
        """Keep the arrows."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right)
        ):
            event.accept()
            return True
        return super().event(event)


class InspectorPanel(QWidget):
    """Shows one launch record. It starts no work of its own: what the worker must do leaves as a signal.

    closed: the user is done (close button, Esc, the "Chat" button of a narrow window)
    previous_requested, next_requested: the header's arrows; the window opens the neighbouring value of the chat
    verify_requested(path): redo the record at this path in the worker (`verify {receipt}`), then call `show_verification`
    stop_requested: stop that verification
    playground_requested(draft): open this `app.playground.drafts.Draft` in the Playground
    """

    closed = Signal()
    previous_requested = Signal()
    next_requested = Signal()
    verify_requested = Signal(str)
    stop_requested = Signal()
    playground_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("surface", "canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Launch inspector"))
        self.record: Record | None = None
        self.player: Player | None = None
        self._launch = 0
        self._result, self._kernel, self._machine, self._proof = ResultView(), KernelView(), MachineView(), ProofView()
        self._views = (self._result, self._kernel, self._machine, self._proof)
        self._filled: set[QWidget] = set()
        self.transport = Transport()
        self._build()
        self._connect()
        self._shortcuts()
        self.clear()

    # ------------------------------------------------------------ what the window calls
    def open(self, receipt: Receipt | Path, launch: int = 0, place: str = "") -> None:
        """Show a record, or the record in a file. A file that is none shows its error in the panel, nothing is raised.

        launch: which launch of the record is shown first, from 0; place: "Launch 1 of 5 in this chat", may be empty
        """
        try:
            record = read_record(receipt) if isinstance(receipt, Path) else check_record(receipt)
        except GpuError as error:
            self._show_error(error)
            return
        if not record.launches:
            self._show_empty(self.tr("Nothing was launched for this value"), self.tr("It was given, not computed."))
            return
        self.record = record
        self._place.setText(place)
        self._show_launch(min(max(launch, 0), len(record.launches) - 1))

    def clear(self) -> None:
        """Show the empty state."""
        self._drop_player()
        self.record = None
        self._show_empty(self.tr("Launch inspector"), self.tr("Open a computed value to see its launch."))

    def show_tab(self, name: str) -> None:
        """Select "result", "kernel", "machine" or "proof"."""
        self._tabs.setCurrentIndex(TABS.index(name))

    def set_alone(self, alone: bool) -> None:
        """Whether the panel stands in place of the chat; it then has a button that leads back."""
        self._back.setVisible(alone)

    def show_verifying(self, done: int, total: int) -> None:
        """Progress of a verification: tokens redone, of how many."""
        self._proof.show_verifying(done, total)

    def show_verification(self, result: Mapping[str, Any]) -> None:
        """The worker's `result` to `verify`, or its `error` (a mapping with "kind" and "message")."""
        self._proof.show_verification(result)

    # ------------------------------------------------------------ building
    def _build(self) -> None:
        self._tabs = Tabs()
        self._tabs.setDrawBase(False)
        self._tabs.setExpanding(False)
        self._tabs.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._tabs.setAccessibleName(self.tr("Views of the launch"))
        self.setFocusProxy(self._tabs)
        for text in (self.tr("Result"), self.tr("Kernel"), self.tr("Machine"), self.tr("Proof")):
            self._tabs.addTab(text)
        self._pages, self._body = QStackedWidget(), QStackedWidget()
        for view in self._views:
            self._pages.addWidget(view)
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._tab_row = QHBoxLayout()
        self._tab_row.setContentsMargins(12, 0, 16, 0)
        self._tab_row.addWidget(self._tabs)
        self._tab_row.addStretch(1)
        self._choice = Button("", "quiet", size="small")
        self._choice.clicked.connect(self._choose_launch)
        self._tab_row.addWidget(self._choice)
        column.addLayout(self._tab_row)
        column.addWidget(line())
        column.addWidget(self._pages, 1)
        self._rule = line()
        column.addWidget(self._rule)
        column.addWidget(self.transport)
        self._empty = QWidget()
        self._body.addWidget(whole)
        self._body.addWidget(self._empty)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self._header())
        outer.addWidget(line())
        outer.addWidget(self._body, 1)

    def _header(self) -> QWidget:
        head = QWidget()
        head.setFixedHeight(theme().px(52))
        row = QHBoxLayout(head)
        row.setContentsMargins(16, 0, 8, 0)
        row.setSpacing(8)
        self._back = Button(self.tr("Chat"), "secondary", "arrow-left", "small")
        self._back.clicked.connect(self.closed)
        self._back.hide()
        self._value = ComputedValue(most=10)
        self._title, self._place = Elided("", "code"), Elided("", "small", "text.tertiary")
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addStretch(1)
        words.addWidget(self._title)
        words.addWidget(self._place)
        words.addStretch(1)
        self._chip = Chip("")
        row.addWidget(self._back)
        row.addWidget(self._value)
        row.addLayout(words, 1)
        row.addWidget(self._chip)
        row.addSpacing(4)
        self._up = IconButton("chevron-up", self.tr("Previous computed value"), 28)
        self._down = IconButton("chevron-down", self.tr("Next computed value"), 28)
        self._up.set_name(self._up.accessibleName(), "[")
        self._down.set_name(self._down.accessibleName(), "]")
        close = IconButton("x", self.tr("Close the inspector"))
        close.set_name(close.accessibleName(), "Esc")
        for button, signal in ((self._up, self.previous_requested), (self._down, self.next_requested), (close, self.closed)):
            button.clicked.connect(signal)
            row.addWidget(button)
        return head

    def _connect(self) -> None:
        self._tabs.currentChanged.connect(self._tab_changed)
        self._result.step_asked.connect(self._step_through)
        self._result.playground_asked.connect(self._to_playground)
        self._proof.verify_asked.connect(self._verify)
        self._proof.stop_asked.connect(self.stop_requested)
        self._proof.open_asked.connect(lambda path: self.open(Path(path)))
        for view in (self._machine, self._kernel):
            view.search_asked.connect(self._find)
        self._machine.breakpoint_asked.connect(self._toggle_breakpoint)
        self.transport.finder.asked.connect(self._find)
        self.transport.finder.breakpoint_asked.connect(self._toggle_breakpoint)
        self._result.failed.connect(self._say_failure)
        self._proof.failed.connect(self._say_failure)
        self._tabs.setCurrentIndex(TABS.index("machine"))

    def _shortcuts(self) -> None:
        moves = {
            "Left": lambda p: p.step(-1),
            "Right": lambda p: p.step(1),
            "Shift+Left": lambda p: p.step_block(-1),
            "Shift+Right": lambda p: p.step_block(1),
            "Home": lambda p: p.step(-p.position),
            "End": lambda p: p.step(p.last - p.position),
        }
        for keys, move in moves.items():
            self._shortcut(keys, lambda move=move: self.player and self._steps() and move(self.player))
        for number, name in enumerate(TABS, 1):
            self._shortcut(f"Ctrl+{number}", lambda name=name: self.show_tab(name))
        self._shortcut("+", lambda: self.transport.change_speed(1))
        self._shortcut("-", lambda: self.transport.change_speed(-1))
        self._shortcut("G", self._open_find)
        self._shortcut("V", self._verify_now)

    def _shortcut(self, keys: str, action: object) -> None:
        shortcut = QShortcut(QKeySequence(keys), self)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(action)  # type: ignore[arg-type]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space plays or pauses, [ and ] go to the neighbours, Esc closes; unless a part took the key."""
        key = event.key()
        if key == Qt.Key.Key_Space and self.player and self._steps():
            self.player.toggle()
        elif key == Qt.Key.Key_Escape:
            self.closed.emit()
        elif key in (Qt.Key.Key_BracketLeft, Qt.Key.Key_BracketRight):
            (self.previous_requested if key == Qt.Key.Key_BracketLeft else self.next_requested).emit()
        else:
            super().keyPressEvent(event)

    # ------------------------------------------------------------ showing
    def _show_launch(self, number: int) -> None:
        assert self.record is not None
        self._drop_player()
        launch, self._launch = self.record.launches[number], number
        self.player = player = Player(launch, self)
        self._title.setText(self.record.title)
        self._value.set_value(value_text(self.record))
        many = len(self.record.launches) > 1
        self._choice.setVisible(many)
        self._choice.setText(
            self.tr("Launch {number} of {count} of this value").format(number=number + 1, count=len(self.record.launches))
        )
        self._filled.clear()
        self.transport.show_player(player)
        player.moved.connect(self._moved)
        player.worked.connect(self._show_verdict)
        self._body.setCurrentIndex(0)
        self._chip.show()
        self._tab_changed()
        self._show_verdict()
        player.go(len(player.timeline) - 1 if player.launch.faulted else player.timeline.host)

    def _fill(self, view: QWidget) -> None:
        """Give a view the present launch, when it is first looked at."""
        if view in self._filled or self.player is None or self.record is None:
            return
        self._filled.add(view)
        launch = self.player.launch
        if view is self._result:
            function = load_library().get(launch.record.function) if self.record.receipt.expression else None
            self._result.show_record(self.record, launch, function.doc if function else "")
        elif view is self._proof:
            self._proof.show_record(self.record, launch, self.player.verdict)
        elif isinstance(view, MachineView | KernelView):
            view.show_player(self.player)

    def _drop_player(self) -> None:
        if self.player:
            self.player.pause()
            self.player.deleteLater()
            self.player = None

    def _moved(self, moment: Moment) -> None:
        view = self._pages.currentWidget()
        if view in (self._machine, self._kernel):
            view.show_moment(moment)
        self.transport.show_moment(moment)

    def _tab_changed(self) -> None:
        index = self._tabs.currentIndex()
        self._fill(self._views[index])
        self._pages.setCurrentIndex(index)
        steps = self._steps()
        self.transport.setVisible(steps)
        self._rule.setVisible(steps)
        self._arrange()
        if not steps and self.player:
            self.player.pause()
        if self.player and self.player.moment:
            self._moved(self.player.moment)

    def _steps(self) -> bool:
        """Whether this tab follows the present token."""
        return TABS[self._tabs.currentIndex()] in ("kernel", "machine")

    def _arrange(self) -> None:
        machine = TABS[self._tabs.currentIndex()] == "machine"
        self.transport.strip.setVisible(machine and self.height() >= SHORT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a low window the tokens leave, the track stays."""
        super().resizeEvent(event)
        self._arrange()

    def _show_verdict(self) -> None:
        if self.player is None:
            return
        verdict = self.player.verdict
        if verdict.exact is None:
            self._chip.set_content(self.tr("Replaying…"), "neutral", "loader-circle")
        elif verdict.exact:
            self._chip.set_content(self.tr("Replay exact"), "success", "check")
        else:
            assert verdict.difference is not None
            self._chip.set_content(
                self.tr("Replay differs at token {index}").format(index=f"{verdict.difference.index + 1:,}"),
                "error",
                "triangle-alert",
            )
        if self._proof in self._filled:
            self._proof.show_verdict(verdict)

    def _show_error(self, error: GpuError) -> None:
        self._drop_player()
        self.record = None
        card = FaultCard()
        card.body.addWidget(Label(self.tr("This record cannot be shown"), "heading"))
        card.body.addWidget(Paragraph(self.tr("Nothing of it was executed, and nothing was changed."), "ui", "text.secondary"))
        for text, color in ((error.what, "text.primary"), (error.where, "text.tertiary"), (error.remedy, "text.secondary")):
            if text:
                card.body.addWidget(Paragraph(text[:1].upper() + text[1:] + ("" if text.endswith(".") else "."), "ui", color))
        self._fill_empty(card)

    def _show_empty(self, title: str, text: str) -> None:
        part = QWidget()
        column = QVBoxLayout(part)
        column.addWidget(Label(title, "heading"), 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(Label(text, "ui", "text.secondary"), 0, Qt.AlignmentFlag.AlignHCenter)
        self._fill_empty(part)

    def _fill_empty(self, content: QWidget) -> None:
        self._body.removeWidget(self._empty)
        self._empty.deleteLater()
        self._empty = QWidget()
        column = QVBoxLayout(self._empty)
        column.setContentsMargins(24, 24, 24, 24)
        column.addStretch(1)
        column.addWidget(content)
        column.addStretch(2)
        self._body.addWidget(self._empty)
        self._body.setCurrentWidget(self._empty)
        self._title.setText("")
        self._place.setText("")
        self._value.set_value("")
        self._chip.hide()

    def _say_failure(self, text: str) -> None:
        self._place.setText(text)

    # ------------------------------------------------------------ acting
    def _find(self, query: Query, direction: int) -> None:
        if self.player and not self.player.find(query, direction):
            self.transport.finder.show()
            later, earlier = self.tr("no later token touches {place}"), self.tr("no earlier token touches {place}")
            self.transport.finder.say((later if direction > 0 else earlier).format(place=query.text))

    def _toggle_breakpoint(self, query: Query) -> None:
        if self.player:
            self.player.toggle_breakpoint(query)
            self.transport.finder.show()

    def _open_find(self) -> None:
        if self._steps():
            self.transport.open_find()

    def _step_through(self) -> None:
        """From where one is; to its last token where that is a fault."""
        self.show_tab("machine")
        if self.player and self.player.launch.faulted:
            self.player.go(len(self.player.timeline.tokens) - 1)

    def _verify_now(self) -> None:
        if self.record:
            self.show_tab("proof")
            self._proof.verify()

    def _verify(self) -> None:
        if self.record and self.record.path:
            self.verify_requested.emit(str(self.record.path))
        else:
            self._proof.show_verification({"kind": "input", "message": self.tr("Save the receipt first, then open it here.")})

    def _to_playground(self) -> None:
        if self.record:
            self.playground_requested.emit(draft_of(self.record.launches[self._launch].record))

    def _choose_launch(self) -> None:
        assert self.record is not None
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for number, launch in enumerate(self.record.launches):
            text = self.tr("{number}. {kernel}, {tokens} tokens").format(
                number=number + 1, kernel=launch.record.function, tokens=f"{len(launch.generated):,}"
            )
            menu.addAction(text, partial(self._show_launch, number))
        menu.popup(self._choice.mapToGlobal(self._choice.rect().bottomLeft()))
