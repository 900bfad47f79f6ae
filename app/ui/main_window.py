"""The window: sidebar, chat, inspector; Playground, settings and set-up take the chat's place."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from PySide6.QtCore import QEasingCurve, QPropertyAnimation, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QPainter, QPaintEvent, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QHBoxLayout, QMainWindow, QSplitter, QStackedWidget, QWidget
from shiboken6 import isValid

from app.chats.export import import_json
from app.chats.model import UNTITLED, Attempt
from app.chats.search import Hit
from app.chats.store import OpenChat
from app.chatting.controller import Observer
from app.geometry import SMALLEST, Area, placed
from app.preferences import DEVICE, FONT_SIZE, LAST_CHAT, SET_UP, SIDEBAR, WINDOW, Window
from app.ui import actions
from app.ui.chat.page import ChatPage
from app.ui.chat.prose import ProseView
from app.ui.desk import Desk
from app.ui.language import shown
from app.ui.sidebar.palette import Command, Palette
from app.ui.sidebar.sidebar import Rail, Sidebar
from app.ui.theme import TEXT_SIZES, theme
from app.ui.widgets import Dialog, FocusRing, Notice, Paragraph
from app.worker.protocol import EMBEDDED
from engine.machine.errors import GpuError

if TYPE_CHECKING:
    from app.ui.inspector import InspectorPanel
    from app.ui.playground import PlaygroundPage

Page = TypeVar("Page", bound=QWidget)
NARROW = 1000
"""Below this width the sidebar is a rail and the inspector takes the chat's place."""
CROWDED = 1480
"""Below this width the sidebar is a rail while the inspector is open."""
UNDO_SECONDS = 10


class _Scrim(QWidget):
    """Darkens what lies behind the sidebar when it is laid over a narrow window."""

    pressed = Signal()

    def mousePressEvent(self, event: object) -> None:
        self.pressed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().color("bg.scrim"))


class MainWindow(QMainWindow):
    """One window. closing: it was closed, and what it shows is saved; before_end: awaited before the event loop ends.

    Pages that are seldom needed are made when they are first shown.
    """

    closing = Signal()
    _listed = Signal(str)

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self.before_end: list[Callable[[], Coroutine[Any, Any, None]]] = []
        self._tasks: set[asyncio.Task[Any]] = set()
        self._pages: dict[str, QWidget] = {}
        self._inspector: InspectorPanel | None = None
        self._inspected: str | None = None
        self._opened_from: tuple[ProseView, int] | None = None
        self._undo: tuple[str, Notice] | None = None
        self._closed = False
        self.setWindowTitle("qwenGPU")
        self.setMinimumSize(*SMALLEST)
        self.chat = ChatPage(desk)
        self.actions_by_name = actions.make(self, self._work())
        self.sidebar = Sidebar(actions.keys_of(self.actions_by_name["search"]))
        self.rail = Rail()
        self._overlay: Sidebar | None = None
        self._stack = QStackedWidget()
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.setHandleWidth(1)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self.chat)
        self._stack.addWidget(self._split)
        self._pages["chat"] = self._split
        central = self._central = QWidget()
        row = QHBoxLayout(central)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.sidebar)
        row.addWidget(self.rail)
        row.addWidget(self._stack, 1)
        self.setCentralWidget(central)
        self._scrim = _Scrim(central)
        self._scrim.pressed.connect(self._lift_overlay)
        self._scrim.hide()
        actions.fill(self.menuBar(), self.actions_by_name)
        self.actions_by_name["undo_delete"].setEnabled(False)
        self.palette_window = Palette(desk.store.search, self._recent, self._commands, self)
        self.palette_window.chat_chosen.connect(self._open_hit)
        self.ring = FocusRing(self)
        escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        escape.activated.connect(self.leave_something)
        self._wire()
        self._list_soon = QTimer(self)
        self._list_soon.setSingleShot(True)
        self._list_soon.setInterval(120)
        self._list_soon.timeout.connect(self._show_list)
        self._listed.connect(self._list_changed, Qt.ConnectionType.QueuedConnection)
        desk.store.changed = self._listed.emit
        desk.engine.changed.append(self._engine_changed)
        desk.choices.changed.connect(self._choice_changed)
        self._clock = QTimer(self)
        self._clock.setInterval(1000)
        self._clock.timeout.connect(self._show_engine)
        self._place()
        self._show_list()
        self._engine_changed()

    # ------------------------------------------------------------ making and wiring
    def _work(self) -> dict[str, Callable[[], object]]:
        """What every action does."""
        return {
            "new": self.new_chat,
            "search": self.search,
            "import": self.import_chats,
            "export": self.chat.save_json,
            "settings": self.show_settings,
            "quit": self.close,
            "find": self._find,
            "undo_delete": self.undo_delete,
            "rename": lambda: self._rename(self._current()),
            "delete": lambda: self.delete(self._current(), True),
            "stop": self.chat.stop,
            "regenerate": self.chat.regenerate,
            "edit_last": self.chat.edit_last,
            "advanced": self.chat.composer.advanced.toggle,
            "thinking": self.chat.composer.thinking.toggle,
            "restart": self._desk.chatting.restart,
            "sidebar": self.toggle_sidebar,
            "inspector": self.toggle_inspector,
            "playground": self.show_playground,
            "larger": lambda: self._zoom(5),
            "smaller": lambda: self._zoom(-5),
            "normal": lambda: self._desk.choices.set(FONT_SIZE, FONT_SIZE.default),
            "full_screen": self._full_screen,
            "next_pane": lambda: self._next_pane(1),
            "previous_pane": lambda: self._next_pane(-1),
            "setup": self.show_setup,
            "diagnostics": lambda: self.show_settings("diagnostics"),
            "about": self._about,
        }

    def _wire(self) -> None:
        self._wire_sidebar(self.sidebar)
        self.sidebar.folded.connect(self.toggle_sidebar)
        rail = self.rail
        rail.unfolded.connect(self.toggle_sidebar)
        rail.new_asked.connect(self.new_chat)
        rail.search_asked.connect(self.search)
        rail.chats_asked.connect(self.show_chat_page)
        rail.playground_asked.connect(self.show_playground)
        rail.settings_asked.connect(self.show_settings)
        chat = self.chat
        chat.inspect_requested.connect(self.inspect)
        chat.playground_requested.connect(self._play)
        chat.value_playground_requested.connect(self._play_record)
        chat.small_model_requested.connect(self.use_small_model)
        chat.settings_requested.connect(self.show_settings)
        chat.rename_requested.connect(self._rename)
        chat.delete_requested.connect(lambda number: self.delete(number, False))
        chat.chat_shown.connect(self._chat_shown)
        chat.inspector_toggled.connect(self._inspector_toggled)

    def _wire_sidebar(self, sidebar: Sidebar) -> None:
        sidebar.new_asked.connect(self.new_chat)
        sidebar.search_asked.connect(self.search)
        sidebar.playground_asked.connect(self.show_playground)
        sidebar.settings_asked.connect(self.show_settings)
        sidebar.chats.chosen.connect(self.open_chat)
        sidebar.chats.renamed.connect(self._renamed)
        sidebar.chats.pin_asked.connect(self._pin)
        sidebar.chats.delete_asked.connect(self.delete)

    def run(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do something in the event loop; its errors reach the one error dialog."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        failure = None if task.cancelled() else task.exception()
        if failure is not None:
            raise failure  # the loop's handler shows it

    # ------------------------------------------------------------ chats
    def start(self) -> None:
        """Show what was shown last, or a new chat, or the set-up when nothing is set up."""
        known = {summary.id for summary in self._desk.store.summaries()}
        last = self._desk.choices.get(LAST_CHAT)
        if last in known:
            self.open_chat(last)
        else:
            self.new_chat()
        if self._desk.store.obstacle is not None:
            self.chat.notify(self._desk.store.obstacle)
        for repair in self._desk.store.repairs:
            self.chat.notice(f"{repair.what[:1].upper()}{repair.what[1:]}.", "warning")
        if self._desk.choices.damage is not None:
            self.chat.notify(self._desk.choices.damage)
        if not self._desk.choices.get(SET_UP):
            self.show_setup()

    def new_chat(self) -> None:
        """Show an empty chat; an empty one that is shown already stays."""
        self.show_chat_page()
        if self.chat.chat is None or self.chat.chat.state.messages:
            self.chat.show_chat(self._desk.store.create())
        self.chat.composer.setFocus()

    def open_chat(self, number: str) -> None:
        """Show a chat."""
        self.show_chat_page()
        self._lift_overlay()
        if number == self._current():
            return
        try:
            chat = self._desk.store.chat(number)
        except GpuError as error:
            self.chat.notify(error)
            return
        self.chat.show_chat(chat)
        self.chat.composer.setFocus()

    def delete(self, number: str, ask: bool) -> None:
        """Move a chat to the trash, with a way back. ask: say first what it holds."""
        chat = self._stored(number)
        if chat is None:
            return
        if not ask:
            self._delete(number)
            return
        title = chat.state.title or self.tr("New chat")
        dialog = Dialog(self.tr('Delete "{title}"?').format(title=title), self)
        summary = chat.state.summary()
        words = self.tr("{messages} messages, {values} computed values. It goes to the trash and can be restored.")
        dialog.body.addWidget(Paragraph(words.format(messages=len(chat.state.branch()), values=summary.computed)))
        cancel, agree = dialog.add_button(self.tr("Keep it")), dialog.add_button(self.tr("Delete"), "danger")
        cancel.clicked.connect(dialog.reject)
        agree.clicked.connect(dialog.accept)
        dialog.accepted.connect(lambda: self._delete(number))
        dialog.open()

    def _delete(self, number: str) -> None:
        self._desk.chatting.stop(number)
        try:
            self._desk.store.delete(number)
        except GpuError as error:
            self.chat.notify(error)
            return
        if number == self._current():
            self.chat.show_chat(self._desk.store.create())
        self._forget_undo()
        words, undo = self.tr("Chat moved to the trash."), self.tr("Undo")
        notice = self.chat.notice(words, "accent", undo, self.undo_delete, UNDO_SECONDS)
        notice.closed.connect(self._forget_undo)
        self._undo = number, notice
        self.actions_by_name["undo_delete"].setEnabled(True)
        self._show_list()

    def undo_delete(self) -> None:
        """Take the last deleted chat out of the trash."""
        if self._undo is None:
            return
        number, notice = self._undo
        self._undo = None
        notice.close_notice()
        try:
            self._desk.store.restore(number)
        except GpuError as error:
            self.chat.notify(error)
            return
        self._show_list()
        self.open_chat(number)
        self.chat.notice(self.tr("Restored. The chat is back."), "success", seconds=4)

    def _forget_undo(self) -> None:
        self._undo = None
        self.actions_by_name["undo_delete"].setEnabled(False)

    def _rename(self, number: str) -> None:
        if self._stored(number) is None:
            return
        if not self.sidebar.isVisible():
            self.toggle_sidebar()
        (self._overlay or self.sidebar).chats.rename(number)

    def _renamed(self, number: str, title: str) -> None:
        chat = self._stored(number)
        if chat is not None:
            self._guarded(lambda: chat.rename(title))
            self.chat.refresh_title()

    def _pin(self, number: str, pinned: bool) -> None:
        chat = self._stored(number)
        if chat is not None:
            self._guarded(lambda: chat.pin(pinned))

    def _guarded(self, action: Callable[[], object]) -> None:
        try:
            action()
        except GpuError as error:
            self.chat.notify(error)

    def _stored(self, number: str) -> OpenChat | None:
        """A chat of the list; None for one that nothing was said in."""
        if number not in {summary.id for summary in self._desk.store.summaries()}:
            return None
        return self._desk.store.chat(number)

    def _current(self) -> str:
        return self.chat.chat.state.id if self.chat.chat is not None else ""

    def _chat_shown(self, number: str) -> None:
        for sidebar in self._sidebars():
            sidebar.chats.set_current(number)
        title = self.chat.chat.state.title if self.chat.chat is not None else ""
        self.setWindowTitle(f"{title or self.tr('New chat')} · qwenGPU")
        if self._inspected is not None:
            self.close_inspector()

    def _list_changed(self, number: str) -> None:
        if not self._list_soon.isActive():
            self._list_soon.start()
        if number == self._current():
            self.chat.refresh_title()

    def _show_list(self) -> None:
        summaries = self._desk.store.summaries()
        for sidebar in self._sidebars():
            sidebar.chats.set_chats(summaries, datetime.fromtimestamp(time.time()))
            sidebar.chats.set_current(self._current())
            sidebar.show_chats_left(bool(summaries))

    def _sidebars(self) -> list[Sidebar]:
        return [self.sidebar, *([self._overlay] if self._overlay is not None else [])]

    def _holders(self) -> list[Sidebar | Rail]:
        return [*self._sidebars(), self.rail]

    def import_chats(self) -> None:
        """Ask for an exported file and add its chats."""
        dialog = QFileDialog(self, self.tr("Import chats"), "", "JSON (*.json)")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self._import)
        dialog.open()

    def _import(self, path: str) -> None:
        try:
            added = import_json(Path(path), self._desk.store, self._desk.paths.launches)
        except GpuError as error:
            self.chat.notify(error)
            return
        self.chat.notice(self.tr("{count} chats were added.").format(count=len(added.chats)), "success", seconds=6)

    # ------------------------------------------------------------ search
    def search(self) -> None:
        """Show the palette."""
        self.palette_window.show_over(self)

    def _recent(self) -> list[Hit]:
        return [
            Hit(one.id, self.tr("New chat") if one.title == UNTITLED else one.title, one.updated, None, "", (), (), 0)
            for one in sorted(self._desk.store.summaries(), key=lambda each: -each.updated)[:5]
        ]

    def _commands(self) -> list[Command]:
        return [
            Command(action.text(), actions.keys_of(action), action.trigger)
            for name, action in self.actions_by_name.items()
            if name != "search" and action.isEnabled()
        ]

    def _open_hit(self, chat: str, message: str) -> None:
        self.open_chat(chat)
        if message:
            self.chat.show_message(message)

    def _find(self) -> None:
        self.show_chat_page()
        self.chat.finder.begin()

    # ------------------------------------------------------------ pages
    def show_page(self, name: str, make: Callable[[], Page]) -> Page:
        """Show a page in the chat's place, making it the first time."""
        if name not in self._pages:
            self._pages[name] = make()
            self._stack.addWidget(self._pages[name])
        page = cast(Page, self._pages[name])  # a name has one maker
        self._stack.setCurrentWidget(page)
        self._lift_overlay()
        for holder in self._holders():
            holder.playground.setChecked(name == "playground")
            holder.settings.setChecked(name == "settings")
        self.rail.chats.setChecked(name == "chat")
        self._arrange()
        return page

    def show_chat_page(self) -> None:
        """Show the chat."""
        self.show_page("chat", lambda: self._split)

    def show_settings(self, section: str = "") -> None:
        """Show the settings, or one section of them."""
        from app.ui.pages import settings_page

        page = self.show_page("settings", lambda: settings_page(self, self._desk))
        if section:
            page.show_section(section)

    def show_playground(self) -> PlaygroundPage:
        """Show the Playground."""
        from app.ui.pages import playground_page

        return self.show_page("playground", lambda: playground_page(self, self._desk))

    def show_setup(self) -> None:
        """Show the first-run assistant."""
        from app.ui.pages import setup_page

        self.show_page("setup", lambda: setup_page(self, self._desk))

    def _play(self, attempt: Attempt | None) -> None:
        from app.ui.pages import open_attempt

        page = self.show_playground()
        if attempt is not None:
            open_attempt(page, attempt)

    def _play_record(self, path: str) -> None:
        from app.ui.pages import open_record

        open_record(self.show_playground(), Path(path))

    def _about(self) -> None:
        from app.ui.pages import about

        about(self)

    def use_small_model(self) -> None:
        """Open the built-in model and show the chat."""
        self._desk.choices.set(SET_UP, True)
        self.show_chat_page()
        self.chat.composer.setFocus()
        self.open_model(EMBEDDED)

    def open_model(self, checkpoint: str | None) -> None:
        """Open a checkpoint in the worker: a folder, "embedded", or the user's own."""
        loaded = self._desk.engine.loaded
        same = loaded is not None and checkpoint == EMBEDDED and loaded.checkpoint.kind == EMBEDDED
        self._desk.engine.checkpoint = checkpoint
        if not (same and self._desk.engine.state == "ready"):
            self.run(self._desk.engine.open())

    # ------------------------------------------------------------ inspector
    def inspect(self, launch: str, place: str = "") -> None:
        """Show a launch's record beside the chat."""
        from app.ui.pages import open_launch

        panel = self._inspector = self._inspector or self._make_inspector()
        self._inspected = launch
        self._remember_focus(panel)
        panel.show()
        open_launch(panel, self._desk.paths.launches / f"{launch}.json", place)
        self.chat.set_open_launch(launch)
        self._mark_inspector(True)
        self._arrange()
        self._split.setSizes([self._split.width() - theme().size("inspector"), theme().size("inspector")])

    def close_inspector(self) -> None:
        """Give the chat its room back."""
        if self._inspector is None or not self._inspector.isVisibleTo(self):
            return
        self._inspected = None
        self._inspector.hide()
        self.chat.set_open_launch(None)
        self.chat.show()
        self._mark_inspector(False)
        self._arrange()
        self._return_focus()

    def _remember_focus(self, panel: InspectorPanel) -> None:
        """A value that was opened by a key gets the focus back."""
        focused = QApplication.focusWidget()
        if isinstance(focused, ProseView) and focused.focused is not None:
            self._opened_from = focused, focused.focused
            QTimer.singleShot(0, panel, lambda: panel.setFocus(Qt.FocusReason.OtherFocusReason))

    def _return_focus(self) -> None:
        opened_from, self._opened_from = self._opened_from, None
        if opened_from is not None and isValid(opened_from[0]) and opened_from[1] < len(opened_from[0].anchors):
            view, index = opened_from
            view.focus_anchor(index)
            view.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.chat.composer.setFocus()

    def toggle_inspector(self) -> None:
        """Open the last value's record, or close the inspector."""
        self._inspector_toggled(self._inspected is None)

    def _inspector_toggled(self, on: bool) -> None:
        if not on:
            self.close_inspector()
            return
        if self._inspected is not None:
            return
        launches = self.chat.launches()
        if launches:
            self.chat.inspect(launches[-1].id)
        else:
            self._mark_inspector(False)
            self.chat.notice(self.tr("Open a computed value to see its launch. This chat has none yet."), seconds=6)

    def _step_inspector(self, step: int) -> None:
        known = [launch.id for launch in self.chat.launches()]
        if self._inspected in known:
            place = known.index(self._inspected) + step
            if 0 <= place < len(known):
                self.chat.inspect(known[place])

    def _make_inspector(self) -> InspectorPanel:
        from app.ui.pages import inspector_panel

        panel = inspector_panel(self, self._desk)
        panel.closed.connect(self.close_inspector)
        panel.previous_requested.connect(lambda: self._step_inspector(-1))
        panel.next_requested.connect(lambda: self._step_inspector(1))
        panel.setMinimumWidth(min(theme().size("inspector_min"), 480))
        panel.setMaximumWidth(16777215)
        self._split.addWidget(panel)
        self._split.setStretchFactor(0, 1)
        return panel

    def _mark_inspector(self, on: bool) -> None:
        button = self.chat.header.inspector
        button.blockSignals(True)
        button.setChecked(on)
        button.blockSignals(False)

    # ------------------------------------------------------------ the model
    def _engine_changed(self) -> None:
        self._show_engine()
        busy = self._desk.engine.state in ("starting", "loading")
        if busy != self._clock.isActive():
            (self._clock.start if busy else self._clock.stop)()

    def _show_engine(self) -> None:
        engine = self._desk.engine
        for holder in self._holders():
            holder.show_state(engine.state, shown(engine.status()), engine.place())

    def _choice_changed(self, name: str) -> None:
        if name == DEVICE.name:
            self.run(self._desk.engine.open())
        theme().set_appearance(self._desk.choices.appearance())

    def _zoom(self, step: int) -> None:
        size = min(max(self._desk.choices.get(FONT_SIZE) + step, TEXT_SIZES[0]), TEXT_SIZES[1])
        self._desk.choices.set(FONT_SIZE, size)

    # ------------------------------------------------------------ leaving and moving
    def leave_something(self) -> None:
        """Esc: stop what runs, else close what lies over the chat."""
        if self._overlay is not None:
            self._lift_overlay()
        elif self.chat.finder.isVisible():
            self.chat.finder.leave()
        elif self.chat.stop():
            return
        elif self._inspected is not None:
            self.close_inspector()
        elif self._stack.currentWidget() is not self._split and self._desk.choices.get(SET_UP):
            self.show_chat_page()

    def _next_pane(self, step: int) -> None:
        panes = [
            pane
            for pane in (
                self.sidebar.chats,
                self.chat.header.share,
                self.chat.transcript,
                self.chat.composer.field,
                self._inspector,
            )
            if pane is not None and pane.isVisible()
        ]
        focused = QApplication.focusWidget()
        here = next(
            (
                place
                for place, pane in enumerate(panes)
                if focused is not None and (pane is focused or pane.isAncestorOf(focused))
            ),
            -1 if step > 0 else 0,
        )
        pane = panes[(here + step) % len(panes)]
        if pane is self.chat.transcript:
            self.chat.transcript.next_value(1)
        else:
            pane.setFocus(Qt.FocusReason.TabFocusReason)

    def toggle_sidebar(self) -> None:
        """Show or hide the list of chats; a narrow window lays it over the chat."""
        if self._crowded():
            if self._overlay is None:
                self._lay_overlay()
            else:
                self._lift_overlay()
            return
        self._desk.choices.set(SIDEBAR, not self._desk.choices.get(SIDEBAR))
        self._arrange()

    def _crowded(self) -> bool:
        width = self.width()
        return width < NARROW or (self._inspected is not None and width < CROWDED)

    def _lay_overlay(self) -> None:
        central = self._central
        overlay = Sidebar(actions.keys_of(self.actions_by_name["search"]), central)
        self._overlay = overlay
        self._wire_sidebar(overlay)
        overlay.folded.connect(self._lift_overlay)
        self._show_list()
        self._show_engine()
        self._scrim.setGeometry(central.rect())
        self._scrim.raise_()
        self._scrim.show()
        overlay.setGeometry(-overlay.width(), 0, overlay.width(), central.height())
        overlay.raise_()
        overlay.show()
        motion = QPropertyAnimation(overlay, b"geometry", overlay)
        motion.setDuration(theme().duration("slow"))
        motion.setEasingCurve(QEasingCurve.Type.OutCubic)
        motion.setEndValue(QRect(0, 0, overlay.width(), central.height()))
        motion.start()
        overlay.chats.setFocus()

    def _lift_overlay(self) -> None:
        self._scrim.hide()
        if self._overlay is not None:
            self._overlay.hide()
            self._overlay.deleteLater()
            self._overlay = None

    def _full_screen(self) -> None:
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    # ------------------------------------------------------------ place and size
    def _place(self) -> None:
        """Where it was, but never off the screens."""
        screens = [
            QApplication.primaryScreen(),
            *(one for one in QApplication.screens() if one is not QApplication.primaryScreen()),
        ]
        rooms = [screen.availableGeometry() for screen in screens]
        areas = [Area(room.x(), room.y(), room.width(), room.height()) for room in rooms]
        place = placed(self._desk.choices.get(WINDOW), areas)
        self.setGeometry(place.x, place.y, place.width, place.height)
        if place.maximized:
            self.setWindowState(Qt.WindowState.WindowMaximized)

    def _arrange(self) -> None:
        """Sidebar or rail, chat or inspector, as the width allows."""
        setting_up = self._stack.currentWidget() is self._pages.get("setup")
        rail = self._crowded() or not self._desk.choices.get(SIDEBAR)
        self.sidebar.setVisible(not rail and not setting_up)
        self.rail.setVisible(rail and not setting_up)
        if not self._crowded():
            self._lift_overlay()
        instead = self.width() < NARROW and self._inspected is not None
        self.chat.setVisible(not instead)
        if self._inspector is not None:
            self._inspector.set_alone(instead)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width, another arrangement."""
        super().resizeEvent(event)
        self._arrange()
        if self._overlay is not None:
            self._scrim.setGeometry(self._central.rect())
            self._overlay.setFixedHeight(self._central.height())

    def showEvent(self, event: QShowEvent) -> None:
        """Arrange before anything is seen."""
        super().showEvent(event)
        self._arrange()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Save where it was and what it showed."""
        if not self._closed:
            self._closed = True
            self._desk.engine.changed.remove(self._engine_changed)
            box = self.normalGeometry() if self.isMaximized() else self.geometry()
            self._desk.choices.set(WINDOW, Window(box.x(), box.y(), box.width(), box.height(), self.isMaximized()))
            chat = self.chat.chat
            if chat is not None:
                chat.keep_draft(self.chat.composer.text())
                self._desk.choices.set(LAST_CHAT, chat.state.id if chat.state.messages or chat.state.draft else "")
            self._desk.chatting.observer = Observer()
            self.closing.emit()
        super().closeEvent(event)
