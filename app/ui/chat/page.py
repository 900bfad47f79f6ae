"""The chat: header, messages, notices, composer. It connects what is seen to `Chatting`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QGuiApplication, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QMenu, QStackedWidget, QVBoxLayout, QWidget

from app.chats.export import export_json, export_markdown, markdown, message_markdown
from app.chats.model import CALL, FAILED, UNTITLED, USER, Attempt, Message
from app.chats.store import OpenChat
from app.chatting.controller import Observer, Running, last_question
from app.chatting.launches import Launched, launches_of
from app.chatting.reply import Value
from app.faults import Fault, Remedy, of_error
from app.preferences import HIGHLIGHT
from app.ui.chat.composer import Composer
from app.ui.chat.empty import EmptyChat
from app.ui.chat.find import FindBar
from app.ui.chat.messages import QuestionView, ReplyView
from app.ui.chat.transcript import NARROW_MARGIN, PLAIN_MARGIN, MessageView, Transcript
from app.ui.desk import Desk
from app.ui.language import shown
from app.ui.theme import icon, theme
from app.ui.widgets import Elided, IconButton, Label, Notice, Tone, line
from app.worker.protocol import DIED, EMBEDDED, Error
from engine.machine.errors import GpuError

COALESCED = 40
"""Milliseconds between two updates of what is being written."""
LOW = 480
"""Below this height of the window the composer is one line."""


class Header(QWidget):
    """Title, context, and what can be done with the chat."""

    renamed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = Elided("", "heading")
        self.context = Label("", "small", "text.tertiary")
        self.share = IconButton("share", self.tr("Export this chat"))
        self.inspector = IconButton("panel-right", self.tr("Inspector"), checkable=True)
        self.more = IconButton("ellipsis", self.tr("More"))
        self._row = QHBoxLayout(self)
        self._row.setSpacing(8)
        self._row.addWidget(self.title, 1)
        self._row.addWidget(self.context)
        self._row.addSpacing(8)
        for button in (self.share, self.inspector, self.more):
            self._row.addWidget(button)
        self.set_low(False)

    def set_low(self, low: bool) -> None:
        """Less high in low windows."""
        self._row.setContentsMargins(24, 0, 12, 0)
        self.setFixedHeight(44 if low else theme().size("header"))


class _Hop(QObject):
    """Brings what other threads tell into this one."""

    failed = Signal(str, object)


class ChatPage(QWidget):
    """One chat at a time.

    inspect_requested(launch, place): show this record; playground_requested(attempt): None opens it as it is
    restart_small_requested: go on with the small model; settings_requested; rename_requested, delete_requested(chat)
    shown(chat): another chat is shown; inspector_toggled(on)
    """

    inspect_requested = Signal(str, str)
    playground_requested = Signal(object)
    value_playground_requested = Signal(str)
    small_model_requested = Signal()
    settings_requested = Signal()
    rename_requested = Signal(str)
    delete_requested = Signal(str)
    chat_shown = Signal(str)
    inspector_toggled = Signal(bool)

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._chat: OpenChat | None = None
        self._dirty: set[str] = set()
        self._opened: frozenset[str] = frozenset()
        self.setProperty("surface", "canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.header = Header()
        self.transcript = Transcript(self._make_view, self._refresh)
        self.empty = EmptyChat()
        self.empty.asked.connect(self.send)
        self.empty.playground_asked.connect(lambda: self.playground_requested.emit(None))
        self._middle = QStackedWidget()
        self._middle.addWidget(self.empty)
        self._middle.addWidget(self.transcript)
        self.finder = FindBar(self.transcript)
        self.composer = Composer()
        self._notices = QVBoxLayout()
        self._notices.setSpacing(8)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self.header)
        outer.addWidget(line())
        outer.addWidget(self.finder)
        outer.addWidget(self._middle, 1)
        outer.addLayout(self._make_bottom())
        self._wire_composer()
        self._wire_header()
        self._tick = QTimer(self)
        self._tick.setInterval(COALESCED)
        self._tick.timeout.connect(self._update_dirty)
        self._seconds = QTimer(self)
        self._seconds.setInterval(1000)
        self._seconds.timeout.connect(self._show_state)
        self._hop = _Hop()
        self._hop.failed.connect(lambda _, error: self.notify(error))
        desk.store.failed = self._hop.failed.emit
        desk.chatting.observer = Observer(self._branch_changed, self._reply_changed, self._noted, self.notify, self._show_state)
        desk.choices.changed.connect(self._choice_changed)
        for keys, step in (("]", 1), ("[", -1)):
            shortcut = QShortcut(QKeySequence(keys), self.transcript)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(lambda step=step: self.transcript.next_value(step))

    def _make_bottom(self) -> QHBoxLayout:
        self._bottom = QWidget()
        column = QVBoxLayout(self._bottom)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(self._notices)
        column.addWidget(self.composer)
        row = QHBoxLayout()
        row.setSpacing(0)
        row.addStretch(1)
        row.addWidget(self._bottom, 1000)
        row.addStretch(1)
        self._bottom_row = row
        theme().changed.connect(self._restyle)
        self._restyle()
        return row

    def _restyle(self) -> None:
        self._bottom.setMaximumWidth(theme().px(theme().size("column_max")))

    def _wire_composer(self) -> None:
        composer = self.composer
        composer.sent.connect(self.send)
        composer.stopped.connect(self.stop)
        composer.changed.connect(self._keep_draft)
        composer.recalled.connect(self.edit_last)
        composer.advanced_chosen.connect(lambda on: self._choose(advanced=on))
        composer.thinking_chosen.connect(lambda on: self._choose(thinking=on))

    def _wire_header(self) -> None:
        self.header.inspector.toggled.connect(self.inspector_toggled)
        share = QMenu(self.header.share)
        share.addAction(icon("file-text"), self.tr("Save as Markdown..."), self.save_markdown)
        share.addAction(icon("download"), self.tr("Save with records (JSON)..."), self.save_json)
        share.addAction(icon("copy"), self.tr("Copy as Markdown"), self._copy_chat)
        self.header.share.setMenu(share)
        more = QMenu(self.header.more)
        more.addAction(icon("pencil"), self.tr("Rename..."), lambda: self._ask(self.rename_requested))
        more.addAction(icon("pin"), self.tr("Pin or unpin"), self._toggle_pin)
        more.addAction(icon("search"), self.tr("Find in this chat"), self.finder.begin)
        self._thinking_action = more.addAction(icon("brain"), "")
        self._thinking_action.setCheckable(True)
        self._thinking_action.setText(self.tr("Think before answering"))
        self._thinking_action.triggered.connect(self.composer.thinking.setChecked)
        more.addSeparator()
        more.addAction(icon("trash-2"), self.tr("Delete"), lambda: self._ask(self.delete_requested))
        more.aboutToShow.connect(lambda: self._thinking_action.setChecked(self.composer.thinking.isChecked()))
        self.header.more.setMenu(more)

    def _ask(self, signal: SignalInstance) -> None:
        """Tell the window what is asked for with this chat."""
        if self._chat is not None:
            signal.emit(self._chat.state.id)

    # ------------------------------------------------------------ which chat
    @property
    def chat(self) -> OpenChat | None:
        """What is shown."""
        return self._chat

    def show_chat(self, chat: OpenChat) -> None:
        """Show another chat, at its end."""
        if self._chat is not None:
            self._chat.keep_draft(self.composer.text())
        self._chat = chat
        self._dirty.clear()
        self.finder.leave()
        self.transcript.show_branch([])
        self.composer.set_text(chat.state.draft)
        self.composer.set_choices(chat.state.advanced, chat.state.thinking)
        self._show_branch()
        self._show_state()
        self.chat_shown.emit(chat.state.id)

    def show_message(self, message: str) -> None:
        """Scroll to a message of the chat, on whatever branch it is."""
        if self._chat is None or message not in self._chat.state.messages:
            return
        if message not in {one.id for one in self._chat.state.branch()}:
            self._guarded(partial(self._chat.show, message))
            self._show_branch()
        self.transcript.scroll_to(message)

    def refresh_title(self) -> None:
        """The chat may have another title."""
        title = (self._chat.state.title if self._chat else "") or UNTITLED
        self.header.title.setText(self.tr("New chat") if title == UNTITLED else title)

    # ------------------------------------------------------------ what the user does
    def send(self, text: str) -> None:
        """Ask this."""
        if self._chat is None or not text.strip():
            return
        chat = self._chat
        if self._guarded(lambda: self._desk.chatting.ask(chat, text)):
            self.composer.set_text("")
            chat.keep_draft("")
            self.transcript.to_end()

    def stop(self) -> bool:
        """Stop the reply of this chat; whether there was one."""
        return self._chat is not None and self._desk.chatting.stop(self._chat.state.id)

    def regenerate(self, message: str | None = None) -> None:
        """Answer the last question again, or the one that a reply answered."""
        chat = self._chat
        if chat is None:
            return
        chosen = message or chat.state.leaf
        if chosen is not None:
            self._guarded(lambda: self._desk.chatting.regenerate(chat, chosen))
            self.transcript.to_end()

    def edit_last(self) -> None:
        """Edit the last question."""
        question = last_question(self._chat) if self._chat else None
        view = self.transcript.view(question.id) if question else None
        if isinstance(view, QuestionView):
            view.edit()

    def set_open_launch(self, launch: str | None) -> None:
        """Which record the inspector shows."""
        self._opened = frozenset((launch,)) if launch else frozenset()
        for reply in self.transcript.replies():
            reply.set_open(self._opened)

    def launches(self) -> list[Launched]:
        """All finished launches of the branch that is shown, in order."""
        messages = self._chat.state.branch() if self._chat else []
        return [launch for message in messages for launch in launches_of(message, {}, False) if launch.id]

    def notify(self, error: GpuError) -> None:
        """Tell an error above the composer."""
        self.notice(f"{error.what[:1].upper()}{error.what[1:]}. {error.remedy}".strip(), "error")

    def notice(
        self,
        text: str,
        tone: Tone = "accent",
        action: str = "",
        acted: Callable[[], None] | None = None,
        seconds: float | None = None,
    ) -> Notice:
        """Say something above the composer."""
        notice = Notice(text, tone, action, seconds)
        if acted is not None:
            notice.acted.connect(acted)
        notice.closed.connect(notice.deleteLater)
        self._notices.addWidget(notice)
        return notice

    def _guarded(self, action: Callable[[], object]) -> bool:
        """Do what the disk may refuse, and tell it."""
        try:
            action()
        except GpuError as error:
            self.notify(error)
            return False
        return True

    def _keep_draft(self) -> None:
        if self._chat is not None:
            self._chat.keep_draft(self.composer.text())

    def _choose(self, advanced: bool | None = None, thinking: bool | None = None) -> None:
        if self._chat is not None:
            chat = self._chat
            self._guarded(lambda: chat.choose(advanced, thinking))
        self._show_hint()

    def _toggle_pin(self) -> None:
        if self._chat is not None:
            chat = self._chat
            self._guarded(lambda: chat.pin(not chat.state.pinned))

    def _edited(self, message: str, text: str) -> None:
        chat = self._chat
        if chat is not None:
            self._guarded(lambda: self._desk.chatting.edit(chat, message, text))
            self.transcript.to_end()

    def _version(self, message: str, step: int) -> None:
        chat = self._chat
        if chat is None:
            return
        versions = chat.state.siblings(message)
        place = versions.index(message) + step
        if 0 <= place < len(versions):
            self._guarded(lambda: chat.show(versions[place]))
            self._show_branch()

    def _remedy(self, message: str, remedy: Remedy) -> None:
        chatting = self._desk.chatting
        waiting = self._chat is not None and chatting.running(self._chat.state.id) is not None
        if waiting and remedy in (Remedy.RESTART, Remedy.TRY_AGAIN):
            chatting.restart()
        elif waiting and remedy is Remedy.SMALL_MODEL:
            self.small_model_requested.emit()
        elif remedy is Remedy.RESTART:
            self._guarded(lambda: chatting.restart(self._chat, message))
        elif remedy is Remedy.SMALL_MODEL:
            self.small_model_requested.emit()
            self.regenerate(message)
        elif remedy is Remedy.TRY_AGAIN:
            self.regenerate(message)
        else:
            self.settings_requested.emit()

    # ------------------------------------------------------------ export
    def save_markdown(self) -> None:
        """Ask where, then write the branch that is shown."""
        chat = self._chat
        if chat is not None:
            where = self.tr("Where to save the chat as Markdown")
            self._ask_folder(where, lambda folder: export_markdown([chat.state], folder))

    def save_json(self) -> None:
        """Ask where, then write the chat with its launch records."""
        chat = self._chat
        if chat is None:
            return
        dialog = QFileDialog(self, self.tr("Save the chat"), f"{chat.state.title or 'chat'}.json", "JSON (*.json)")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("json")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(
            lambda path: self._save(lambda: export_json([chat.state], self._desk.paths.launches, Path(path)))
        )
        dialog.open()

    def _ask_folder(self, title: str, action: Callable[[Path], object]) -> None:
        dialog = QFileDialog(self, title)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda path: self._save(lambda: action(Path(path))))
        dialog.open()

    def _save(self, action: Callable[[], object]) -> None:
        if self._guarded(action):
            self.notice(self.tr("Saved."), "success", seconds=4)

    def _copy_chat(self) -> None:
        if self._chat is not None:
            _copy(markdown(self._chat.state))

    def _copy_message(self, number: str) -> None:
        if self._chat is not None:
            _copy(message_markdown(self._chat.state, number))

    # ------------------------------------------------------------ views of messages
    def _make_view(self, message: Message) -> MessageView:
        view = self._make_question(message) if message.role == USER else self._make_reply(message)
        view.version_asked.connect(self._version)
        self._show_versions(view, message)
        return view

    def _show_versions(self, view: MessageView, message: Message) -> None:
        if self._chat is not None:
            versions = self._chat.state.siblings(message.id)
            view.show_place(versions.index(message.id), len(versions))

    def _make_question(self, message: Message) -> QuestionView:
        view = QuestionView(message)
        view.edited.connect(self._edited)
        view.copy_asked.connect(_copy)
        return view

    def _make_reply(self, message: Message) -> ReplyView:
        view = ReplyView(message, self.transcript.column_width())
        view.set_highlighted(self._desk.choices.get(HIGHLIGHT))
        view.set_open(self._opened)
        view.opened.connect(self.inspect)
        view.stop_asked.connect(self.stop)
        view.regenerate_asked.connect(self.regenerate)
        view.copy_asked.connect(_copy)
        view.markdown_asked.connect(self._copy_message)
        view.remedy_asked.connect(self._remedy)
        view.playground_asked.connect(self._play_attempt)
        view.value_menu.connect(self._fill_value_menu)
        return view

    def inspect(self, launch: str) -> None:
        """Open a launch's record."""
        known = [one.id for one in self.launches()]
        place = (
            self.tr("Launch {place} of {count} in this chat").format(place=known.index(launch) + 1, count=len(known))
            if launch in known
            else ""
        )
        self.inspect_requested.emit(launch, place)

    def _play_attempt(self, attempt: Attempt) -> None:
        self.playground_requested.emit(attempt)

    def _fill_value_menu(self, menu: QMenu, value: Value) -> None:
        if not value.launch:
            return
        record = self._desk.paths.launches / f"{value.launch}.json"
        if record.exists():
            menu.addAction(self.tr("Copy receipt"), lambda: _copy(record.read_text(encoding="utf-8")))
            menu.addAction(
                icon("square-terminal"),
                self.tr("Show in Playground"),
                lambda: self.value_playground_requested.emit(str(record)),
            )

    def _refresh(self, view: ReplyView) -> None:
        """Fill a reply's view with what its message says now."""
        chat = self._chat
        if chat is None or view.message.id not in chat.state.messages:
            return
        message = chat.state.messages[view.message.id]
        running = self._running(message)
        launches = launches_of(message, self._desk.chatting.progress(message.id), running is not None)
        view.show_reply(
            message,
            launches,
            running.phase if running else None,
            self._waiting_words(running, message, launches),
            self._fault(message, running),
        )

    def _running(self, message: Message) -> Running | None:
        running = self._desk.chatting.running(self._chat.state.id) if self._chat else None
        return running if running is not None and running.message == message.id else None

    def _waiting_words(self, running: Running | None, message: Message, launches: Sequence[Launched]) -> str:
        """What is said while nothing else moves; "" when something does."""
        engine = self._desk.engine
        if running is None:
            return ""
        if running.phase == "reading":
            return self.tr("Reading the question...")
        if running.phase != "waiting":
            return self._writing_words(message, launches)
        if engine.state in ("starting", "loading"):
            return self.tr("{status} Your question is sent then.").format(status=shown(engine.status()) + ".")
        if engine.state == "stopped":
            return self.tr("The model has stopped. Your question is saved.")
        return self.tr("Waiting for the reply in another chat...")

    def _writing_words(self, message: Message, launches: Sequence[Launched]) -> str:
        if not message.segments:
            return "" if message.attempts else self.tr("Reading the question...")
        last = message.segments[-1]
        if last.part != CALL or any(launch.state == "running" for launch in launches):
            return ""
        if message.advanced:
            return self.tr("Writing a kernel, line {count}...").format(count=last.text.count("\n") + 1)
        return self.tr("Writing a calculation...")

    def _fault(self, message: Message, running: Running | None) -> Fault | None:
        """What a failed reply shows, and one that waits for a model that has stopped."""
        engine = self._desk.engine
        if running is not None and running.phase == "waiting" and engine.state == "stopped":
            return engine.fault()
        if message.ended != FAILED or message.error is None:
            return None
        if message.error.get("kind") == DIED and engine.death is not None:
            return engine.fault()
        told = message.error
        return of_error(
            Error(
                "",
                str(told.get("kind", "")),
                str(told.get("message", "")),
                str(told.get("where", "")),
                str(told.get("remedy", "")),
            )
        )

    # ------------------------------------------------------------ what has changed
    def _branch_changed(self, chat: str) -> None:
        if self._chat is not None and chat == self._chat.state.id:
            self._show_branch()

    def _show_branch(self) -> None:
        messages = self._chat.state.branch() if self._chat else []
        self._middle.setCurrentWidget(self.transcript if messages else self.empty)
        self.transcript.show_branch(messages)
        for message in messages[-2:]:
            view = self.transcript.view(message.id)
            if view is not None:
                self._show_versions(view, message)
        self.refresh_title()

    def _reply_changed(self, chat: str, message: str) -> None:
        if self._chat is not None and chat == self._chat.state.id:
            self._dirty.add(message)
            if not self._tick.isActive():
                self._tick.start()

    def _update_dirty(self) -> None:
        if not self._dirty:
            self._tick.stop()
            return
        changed, self._dirty = self._dirty, set()
        for number in changed:
            view = self.transcript.view(number)
            if isinstance(view, ReplyView):
                self._refresh(view)
        self._show_context()

    def _noted(self, chat: str, text: str) -> None:
        if self._chat is not None and chat == self._chat.state.id:
            self.notice(f"{text[:1].upper()}{text[1:]}.", "warning")

    def _choice_changed(self, name: str) -> None:
        if name in ("", HIGHLIGHT.name):
            for reply in self.transcript.replies():
                reply.set_highlighted(self._desk.choices.get(HIGHLIGHT))

    def _show_state(self) -> None:
        """The composer, the meter and the words of what waits follow the model's state."""
        engine = self._desk.engine
        running = self._desk.chatting.running(self._chat.state.id) if self._chat else None
        self.composer.set_running(running is not None)
        self.composer.set_thinking_possible(engine.loaded is None or engine.loaded.checkpoint.kind != EMBEDDED)
        self._show_hint()
        self._show_context()
        if running is not None:
            self._reply_changed(running.chat.state.id, running.message)
        elif engine.death is not None and self._chat is not None and (messages := self._chat.state.branch()):
            self._reply_changed(self._chat.state.id, messages[-1].id)  # its card says more as more is known
        busy = engine.state in ("starting", "loading")
        if busy != self._seconds.isActive():
            (self._seconds.start if busy else self._seconds.stop)()

    def _show_hint(self) -> None:
        if self._desk.engine.state == "stopped":
            hint = self.tr("You can keep typing. It is sent when the model is back.")
        elif self.composer.advanced.isChecked():
            hint = self.tr("Ask, or paste a CUDA kernel")
        else:
            hint = self.tr("Ask something with numbers in it")
        self.composer.set_hint(hint)

    def _show_context(self) -> None:
        messages = self._chat.state.branch() if self._chat else []
        last = next((message.context for message in reversed(messages) if message.context.get("limit")), {})
        loaded = self._desk.engine.loaded
        used, limit = last.get("used", 0), last.get("limit") or (loaded.context_limit if loaded else 0)
        tight = self.width() < 640
        if not limit:
            text = ""
        elif tight:
            text = self.tr("{share}% full").format(share=round(100 * used / limit))
        else:
            text = self.tr("{used} of {limit} tokens").format(used=f"{used:,}", limit=f"{limit:,}")
        speed = self._desk.chatting.speed(self._chat.state.id) if self._chat else None
        if speed and not tight:
            text = self.tr("{speed} tokens/s · {context}").format(
                speed=f"{speed:.0f}" if speed >= 10 else f"{speed:.1f}", context=text
            )
        self.header.context.setText(text)
        self.header.context.setVisible(self.width() >= 560)

    # ------------------------------------------------------------ size
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Narrow and low windows have less around the messages."""
        super().resizeEvent(event)
        low = self.window().height() < LOW
        self.composer.set_low(low)
        self.header.set_low(low)
        margin = NARROW_MARGIN if self.width() < 744 else PLAIN_MARGIN
        self._bottom_row.setContentsMargins(margin, 8 if low else 12, margin, 8 if low else 16)
        self._show_context()


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
