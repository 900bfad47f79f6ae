"""A question and a reply as they stand in the column."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QMenu,
    QPlainTextEdit,
    QSizePolicy,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.chats.model import INTERRUPTED, LENGTH, STOPPED, Attempt, Message
from app.chatting.launches import Launched
from app.chatting.reply import Code, Launches, Part, Prose, Thinking, Value, parts_of, plain
from app.faults import Fault, Remedy
from app.ui.chat.prose import MARGIN, ProseView
from app.ui.chat.rows import AttemptsCard, LaunchRow
from app.ui.diagnostics.card import ErrorCard
from app.ui.theme import icon, theme
from app.ui.widgets import Button, CodeView, FoldButton, IconButton, Label, Paragraph, Spinner

BUBBLE = 560
"""Greatest width of a question, px."""


class Versions(QWidget):
    """Which of several versions is shown, and the way to the others. chosen(step): -1 or 1."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self._back = IconButton("chevron-left", self.tr("Previous version"), 28, 14, color="text.tertiary")
        self._on = IconButton("chevron-right", self.tr("Next version"), 28, 14, color="text.tertiary")
        self._label = Label("", "small", "text.tertiary")
        self._back.clicked.connect(lambda: self.chosen.emit(-1))
        self._on.clicked.connect(lambda: self.chosen.emit(1))
        for widget in (self._back, self._label, self._on):
            row.addWidget(widget)
        self.hide()

    def show_place(self, place: int, count: int) -> None:
        """Version `place`, from 0, of `count`; nothing is shown for a single one."""
        self._label.setText(f"{place + 1} / {count}")
        self.setAccessibleName(self.tr("Version {place} of {count}").format(place=place + 1, count=count))
        self._back.setEnabled(place > 0)
        self._on.setEnabled(place < count - 1)
        self.setVisible(count > 1)


class Actions(QWidget):
    """A line of 28 for what can be done with a message; shown on hover and focus, always where `pinned`.

    fill: puts what it holds into its `row`, called when it is shown for the first time
    """

    def __init__(self, right: bool, fill: Callable[[], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._fill, self._right = fill, right
        self._holder: QWidget | None = None
        self._pinned = self._near = False
        theme().changed.connect(self._restyle)
        self._restyle()

    def add(self, icon_name: str, name: str) -> IconButton:
        """A button of the line."""
        button = IconButton(icon_name, name, 28, 15, color="text.tertiary")
        self.row.addWidget(button)
        return button

    def set_pinned(self, pinned: bool) -> None:
        """Show it always."""
        self._pinned = pinned
        self._show()

    def set_near(self, near: bool) -> None:
        """Somebody points at the message, or the focus is in it."""
        self._near = near
        self._show()

    def _restyle(self) -> None:
        self.setFixedHeight(theme().px(28))

    def _show(self) -> None:
        shown = self._pinned or self._near
        if shown and self._holder is None:
            self._holder = QWidget()
            self.row = QHBoxLayout(self._holder)
            self.row.setContentsMargins(0, 0, 0, 0)
            self.row.setSpacing(0)
            outer = QHBoxLayout(self)
            outer.setContentsMargins(0, 0, 0, 0)
            outer.setSpacing(0)
            outer.addStretch(1 if self._right else 0)
            outer.addWidget(self._holder)
            outer.addStretch(0 if self._right else 1)
            self._fill()
        if self._holder is not None:
            self._holder.setVisible(shown)


class _MessageView(QWidget):
    """What both kinds share: the column, the actions, the way to other versions."""

    version_asked = Signal(str, int)

    def __init__(self, message: Message, right: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.message = message
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(0)
        self.action_bar = Actions(right, self._fill_actions)
        self.versions: Versions | None = None
        self._place = 0, 1

    def _fill_actions(self) -> None:
        """Make what can be done with the message."""
        raise NotImplementedError

    def show_place(self, place: int, count: int) -> None:
        """Version `place`, from 0, of `count`."""
        self._place = place, count
        if self.versions is not None:
            self.versions.show_place(place, count)

    def _add_versions(self) -> None:
        self.versions = Versions()
        self.versions.chosen.connect(lambda step: self.version_asked.emit(self.message.id, step))
        self.versions.show_place(*self._place)
        self.action_bar.row.addWidget(self.versions)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Show what can be done."""
        self.action_bar.set_near(True)
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Hide it again, unless the focus is in it."""
        focused = QApplication.focusWidget()
        self.action_bar.set_near(focused is not None and self.isAncestorOf(focused))
        super().leaveEvent(event)


class _Said(Paragraph):
    """Text as wide as its longest line if there is room, narrower where there is not. (Qt makes wrapped labels square.)"""

    def __init__(self, text: str) -> None:
        self._lines = text.splitlines()
        super().__init__(text, "body")

    def sizeHint(self) -> QSize:
        """What it would like."""
        widest = max((self.fontMetrics().horizontalAdvance(line) for line in self._lines), default=0) + 4
        width = min(widest, theme().px(BUBBLE) - 28)
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        """What it needs."""
        return QSize(min(40, self.sizeHint().width()), super().minimumSizeHint().height())


class _Bubble(QFrame):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.label = _Said(text)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 6, 14, 10)  # a fixed line height leads from above
        row.addWidget(self.label)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        theme().changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().color("bg.hover"))
        painter.drawRoundedRect(QRectF(self.rect()), 10, 10)


class _Editor(QPlainTextEdit):
    accepted, left = Signal(), Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.accepted.emit()
        else:
            super().keyPressEvent(event)


class QuestionView(_MessageView):
    """What the user said. edited(message, text), copy_asked(text)."""

    edited = Signal(str, str)
    copy_asked = Signal(str)

    def __init__(self, message: Message, parent: QWidget | None = None) -> None:
        super().__init__(message, True, parent)
        self.setAccessibleName(self.tr("Your question"))
        self._bubble = _Bubble(message.text)
        self._editing: QWidget | None = None
        self._line = QHBoxLayout()
        self._line.setContentsMargins(MARGIN, 0, MARGIN, 0)
        self._line.addStretch(1)
        self._line.addWidget(self._bubble)
        self.column.addLayout(self._line)
        self.column.addWidget(self.action_bar)

    def texts(self) -> list[Paragraph]:
        """Everything in which words can be found."""
        return [self._bubble.label]

    def _fill_actions(self) -> None:
        self._add_versions()
        self.action_bar.add("copy", self.tr("Copy")).clicked.connect(lambda: self.copy_asked.emit(self.message.text))
        self.action_bar.add("pencil", self.tr("Edit and send again")).clicked.connect(self.edit)

    def edit(self) -> None:
        """Let the user change the question; sending it makes another version."""
        if self._editing is not None:
            return
        self._editing = QFrame()
        self._editing.setProperty("kind", "card")
        column = QVBoxLayout(self._editing)
        column.setContentsMargins(12, 12, 12, 12)
        editor = _Editor(self.message.text)
        editor.setFont(theme().font("body"))
        editor.setAccessibleName(self.tr("Edit your question"))
        editor.setFixedHeight(min(240, max(72, round(theme().line_height("body")) * (self.message.text.count("\n") + 2))))
        buttons = QHBoxLayout()
        buttons.addWidget(Label(self.tr("The old version is kept."), "small", "text.tertiary"), 1)
        cancel, send = Button(self.tr("Cancel"), "secondary", size="small"), Button(self.tr("Send"), "primary", size="small")
        buttons.addWidget(cancel)
        buttons.addWidget(send)
        column.addWidget(editor)
        column.addLayout(buttons)
        cancel.clicked.connect(self._end_edit)
        editor.left.connect(self._end_edit)
        for signal in (send.clicked, editor.accepted):
            signal.connect(lambda *_: self._send(editor.toPlainText()))
        self._bubble.hide()
        self._holder = _Inset(self._editing, MARGIN)
        self.column.insertWidget(0, self._holder)
        editor.setFocus()
        editor.selectAll()

    def _send(self, text: str) -> None:
        self._end_edit()
        if text.strip() and text != self.message.text:
            self.edited.emit(self.message.id, text)

    def _end_edit(self) -> None:
        if self._editing is not None:
            self._holder.hide()
            self._holder.deleteLater()
            self._editing = None
            self._bubble.show()


class ThinkingView(QWidget):
    """What the model thought, folded."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._fold = FoldButton("", "brain")
        self._text = Paragraph("", "ui", "text.secondary")
        self._text.setContentsMargins(theme().px(22), 4, 0, 8)
        self._text.hide()
        self._fold.toggled.connect(self._toggle)
        self._thoughts = ""
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._fold)
        column.addWidget(self._text)

    def show_thoughts(self, text: str, now: bool) -> None:
        """Show these. now: they are still coming."""
        self._thoughts = text.strip()
        self._fold.setText(self.tr("Thinking...") if now else self.tr("Thought about it"))
        if self._fold.isChecked():
            self._text.setText(self._thoughts)

    def _toggle(self, on: bool) -> None:
        self._text.setText(self._thoughts if on else "")
        self._text.setVisible(on)


class ReplyView(_MessageView):
    """What the model answered. width: px that it will have when it is laid out.

    opened(launch): show a record; the others name what was asked for with this reply's message id
    """

    opened = Signal(str)
    stop_asked = Signal()
    regenerate_asked = Signal(str)
    copy_asked = Signal(str)
    markdown_asked = Signal(str)
    remedy_asked = Signal(str, object)
    playground_asked = Signal(object)
    value_menu = Signal(object, object)
    anchor_focused = Signal(object, object)

    def __init__(self, message: Message, width: int | None = None, parent: QWidget | None = None) -> None:
        super().__init__(message, False, parent)
        self._width = width
        self.setAccessibleName(self.tr("Reply"))
        self._launches: dict[str, Launched] = {}
        self._open: frozenset[str] = frozenset()
        self._highlighted = True
        self._parts: list[QWidget] = []
        self._body = QVBoxLayout()
        self._body.setContentsMargins(0, 0, 0, 0)
        self._body.setSpacing(0)
        self._waiting: _Waiting | None = None
        self._end: Label | None = None
        self._card: ErrorCard | None = None
        self._fault: Fault | None = None
        self._speed: Label | None = None
        self._below = QVBoxLayout()
        self._below.setContentsMargins(MARGIN, 0, MARGIN, 0)
        self._below.setSpacing(0)
        self.column.addLayout(self._body)
        self.column.addLayout(self._below)
        self.column.addWidget(self.action_bar)
        self.column.addSpacing(12)

    def _fill_actions(self) -> None:
        copy = self.action_bar.add("copy", self.tr("Copy reply"))
        copy.clicked.connect(lambda: self.copy_asked.emit(plain(self.message.segments)))
        self.action_bar.add("refresh-cw", self.tr("Answer again")).clicked.connect(
            lambda: self.regenerate_asked.emit(self.message.id)
        )
        more = self.action_bar.add("ellipsis", self.tr("More"))
        menu = QMenu(more)
        menu.addAction(icon("file-text"), self.tr("Copy as Markdown"), lambda: self.markdown_asked.emit(self.message.id))
        menu.addAction(icon("copy"), self.tr("Copy as text"), lambda: self.copy_asked.emit(plain(self.message.segments)))
        more.setMenu(menu)
        self._add_versions()
        self.action_bar.row.addSpacing(8)
        self._speed = Label(self._speed_words(), "small", "text.tertiary")
        self.action_bar.row.addWidget(self._speed)

    # ------------------------------------------------------------ content
    def show_reply(
        self, message: Message, launches: Sequence[Launched], phase: str | None, waiting: str, fault: Fault | None = None
    ) -> None:
        """Show a reply. phase: of the running reply, None when it is not; waiting: words while nothing else is there."""
        self.message = message
        before, self._launches = self._launches, {launch.id: launch for launch in launches if launch.id}
        parts = self._wanted(message, launches, phase)
        for index, part in enumerate(parts):
            self._show_part(index, part, launches, phase)
        self._drop_parts(len(parts))
        if before != self._launches:
            for view in self.prose():
                view.refresh()
        self._show_waiting(waiting, fault is None)
        self._show_end(message, phase, fault)
        self.action_bar.setVisible(phase is None)
        if self._speed is not None:
            self._speed.setText(self._speed_words())

    def _speed_words(self) -> str:
        speed = self.message.tokens_per_second
        if not speed:
            return ""
        return self.tr("{speed} tokens/s").format(speed=f"{speed:.0f}" if speed >= 10 else f"{speed:.1f}")

    def _wanted(self, message: Message, launches: Sequence[Launched], phase: str | None) -> list[Part | Attempts | Kernel]:
        """The parts to show: those of the text, and in advanced mode the attempts above and the kernel below."""
        parts: list[Part | Attempts | Kernel] = list(parts_of(message.segments, bool(launches)))
        if not message.attempts:
            return parts
        running = any(launch.state == "running" for launch in launches)
        parts = [part for part in parts if running or not isinstance(part, Launches)]
        parts.insert(1 if parts and isinstance(parts[0], Thinking) else 0, Attempts(message.attempts))
        best = message.attempts[-1]
        return [*parts, Kernel(best)] if phase is None and best.error is None else parts

    def set_open(self, launches: frozenset[str]) -> None:
        """Which launches are open in the inspector."""
        self._open = launches
        for widget in self._parts:
            if isinstance(widget, ProseView):
                widget.set_open(launches)
            elif isinstance(widget, LaunchRow):
                widget.show_launches(list(self._launches.values()), launches)

    def set_highlighted(self, highlighted: bool) -> None:
        """Whether computed values are tinted."""
        self._highlighted = highlighted
        for view in self.prose():
            view.set_highlighted(highlighted)

    def texts(self) -> list[QTextEdit]:
        """Everything in which words can be found, in order."""
        return [
            widget.text if isinstance(widget, CodeView) else widget
            for widget in self._parts
            if isinstance(widget, CodeView | ProseView)
        ]

    def prose(self) -> list[ProseView]:
        """The views that may hold computed values, in order."""
        return [widget for widget in self._parts if isinstance(widget, ProseView)]

    def _show_part(self, index: int, part: Part | Attempts | Kernel, launches: Sequence[Launched], phase: str | None) -> None:
        present = self._parts[index] if index < len(self._parts) else None
        if type(present) is not _KINDS[type(part)] or (
            isinstance(present, _Code) and isinstance(part, Code) and present.language != part.language
        ):
            self._drop_parts(index)
            present = self._make(part)
            self._parts.append(present)
            self._body.addWidget(_Inset(present, 0 if isinstance(present, ProseView) else MARGIN))
        if isinstance(present, ThinkingView) and isinstance(part, Thinking):
            present.show_thoughts(part.text, phase == "thinking")
        elif isinstance(present, LaunchRow):
            _holder(present).setVisible(bool(launches))
            present.show_launches(launches, self._open)
        elif isinstance(present, ProseView) and isinstance(part, Prose):
            present.set_prose(part)
        elif isinstance(present, _Code) and isinstance(part, Code):
            present.show_part(part)
        elif isinstance(present, AttemptsCard) and isinstance(part, Attempts):
            present.show_attempts(part.attempts, phase is not None, sum(launch.tokens for launch in launches))

    def _drop_parts(self, kept: int) -> None:
        for widget in self._parts[kept:]:
            holder = _holder(widget)
            self._body.removeWidget(holder)
            holder.hide()
            holder.deleteLater()
        del self._parts[kept:]

    def _make(self, part: Part | Attempts | Kernel) -> QWidget:
        if isinstance(part, Launches):
            row = LaunchRow()
            row.opened.connect(self.opened)
            row.stop_asked.connect(self.stop_asked)
            return row
        if isinstance(part, Code):
            code = _Code(part.language)
            code.value_opened.connect(self.opened)
            return code
        if isinstance(part, Kernel):
            return self._make_kernel(part.attempt)
        if isinstance(part, Attempts):
            attempts = AttemptsCard()
            attempts.opened.connect(self.opened)
            return attempts
        if not isinstance(part, Prose):
            return _KINDS[type(part)]()
        view = ProseView(lambda number: self._launches.get(number or ""), self.width() if self.isVisible() else self._width)
        view.set_highlighted(self._highlighted)
        view.set_open(self._open)
        view.value_opened.connect(self.opened)
        view.menu_asked.connect(self.value_menu)
        view.cursor_wanted.connect(self.anchor_focused)
        return view

    def _make_kernel(self, attempt: Attempt) -> CodeView:
        kernel = CodeView(attempt.source.rstrip(), "cuda", self.tr("Final kernel"), numbers=True)
        play = Button(self.tr("Open in Playground"), "quiet", "square-terminal", "small")
        play.clicked.connect(lambda: self.playground_asked.emit(attempt))
        kernel.header.insertWidget(1, play)
        return kernel

    def _show_waiting(self, words: str, moving: bool) -> None:
        if words and self._waiting is None:
            self._waiting = _Waiting()
            self._below.insertWidget(0, self._waiting)
        if self._waiting is not None:
            self._waiting.say(words, moving)

    def _show_end(self, message: Message, phase: str | None, fault: Fault | None) -> None:
        words = {
            STOPPED: self.tr("Stopped."),
            LENGTH: self.tr("The reply has reached its greatest length."),
            INTERRUPTED: self.tr("The app ended while this was written. What was written is kept."),
        }
        said = words.get(message.ended or "", "") if phase is None else ""
        if said and self._end is None:
            self._end = Label("", "ui", "text.tertiary")
            self._below.addWidget(self._end)
        if self._end is not None:
            self._end.setText(said)
            self._end.setVisible(bool(said))
        if self._card is not None and fault != self._fault:
            self._card.deleteLater()
            self._card = None
        if fault is not None and self._card is None:
            self._card = ErrorCard(fault)
            self._card.acted.connect(self._remedy)
            self._below.addWidget(self._card)
        self._fault = fault

    def _remedy(self, remedy: Remedy) -> None:
        self.remedy_asked.emit(self.message.id, remedy)


class _Waiting(QWidget):
    """A line that says what is waited for."""

    def __init__(self) -> None:
        super().__init__()
        self.label, self._spinner = Label("", "ui", "text.tertiary"), Spinner(16)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 4, 0, 4)
        row.setSpacing(8)
        row.addWidget(self._spinner)
        row.addWidget(self.label, 1)

    def say(self, words: str, moving: bool) -> None:
        """Show these; without any it is not there."""
        self.label.setText(words)
        self._spinner.setVisible(moving)
        self.setVisible(bool(words))


class _Code(CodeView):
    """A fence of a reply. Computed stretches in it have tint, dots and a click, too."""

    value_opened = Signal(str)

    def __init__(self, language: str) -> None:
        super().__init__("", language)
        self.language = language
        self._marks: tuple[tuple[int, int, Value], ...] = ()
        self.text.viewport().installEventFilter(self)
        theme().changed.connect(self._mark)

    def show_part(self, part: Code) -> None:
        """Show code that may still grow."""
        self.set_code(part.code)
        if part.marks != self._marks:
            self._marks = part.marks
            self._mark()
            self.setAccessibleDescription(", ".join(value.text for _, _, value in part.marks))

    def _mark(self) -> None:
        form = QTextCharFormat()
        form.setBackground(theme().color("computed.tint"))
        form.setForeground(theme().color("computed.text"))
        form.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
        form.setUnderlineColor(theme().color("computed.line"))
        selections = []
        for start, end, _ in self._marks:
            selection = QTextEdit.ExtraSelection()
            selection.cursor = QTextCursor(self.text.document())
            selection.cursor.setPosition(start)
            selection.cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            selection.format = form
            selections.append(selection)
        self.text.setExtraSelections(selections)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A click on a computed stretch opens it."""
        if self._marks and event.type() == QEvent.Type.MouseButtonRelease and isinstance(event, QMouseEvent):
            place = self.text.cursorForPosition(event.position().toPoint()).position()
            found = next((value for start, end, value in self._marks if start <= place <= end), None)
            if found is not None and found.launch and not self.text.textCursor().hasSelection():
                self.value_opened.emit(found.launch)
        return False


class _Inset(QWidget):
    """Room beside a part and below it: prose has its own beside it, for what is painted there."""

    def __init__(self, part: QWidget, beside: int) -> None:
        super().__init__()
        row = QVBoxLayout(self)
        row.setContentsMargins(beside, 0, beside, 12)
        row.addWidget(part)


@dataclass(frozen=True)
class Attempts:
    """The part that shows the attempts of the advanced mode."""

    attempts: tuple[Attempt, ...]


@dataclass(frozen=True)
class Kernel:
    """The part that shows the kernel that worked."""

    attempt: Attempt


def _holder(part: QWidget) -> QWidget:
    """What holds a part in the column."""
    holder = part.parentWidget()
    assert holder is not None
    return holder


_KINDS = {Thinking: ThinkingView, Launches: LaunchRow, Prose: ProseView, Code: _Code, Attempts: AttemptsCard, Kernel: CodeView}
