"""The column of messages: follows what is written while one is at the end, and makes long chats as far as they are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from PySide6.QtCore import QRect, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from app.chats.model import Message
from app.ui.chat.messages import QuestionView, ReplyView
from app.ui.chat.prose import MARGIN
from app.ui.theme import application, theme
from app.ui.widgets import IconButton

AT_ONCE = 4
"""Messages made at once when a chat is opened; what is missing above them follows before anybody can scroll there."""
SLICE = 2
"""Messages made at a time above those that are there, when one comes near to the first of them: between two frames."""
MANY = 20
"""Messages made at a time on the way to one far above."""
AHEAD = 800
"""So near to the first message that is there, in px, the ones above it are made."""
NEAR = 24
"""So near to the end, in px, one is at it."""
PLAIN_MARGIN, NARROW_MARGIN = 24, 16

MessageView = QuestionView | ReplyView


class Transcript(QScrollArea):
    """Shows messages. `make(message)` makes a view with everything connected; `refresh(view)` fills a reply's view.

    completed: all messages are there, after `complete`
    """

    scrolled_from_end = Signal(bool)
    completed = Signal()

    def __init__(
        self, make: Callable[[Message], MessageView], refresh: Callable[[ReplyView], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._make, self._refresh = make, refresh
        self._views: list[MessageView] = []
        self._earlier: list[Message] = []  # those above the first view, which are still to be made
        self._wanted = False  # all of them, not only those that one comes near to
        self._following = True
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(self.tr("Messages"))
        self._container = QWidget()
        self._container.setProperty("transparent", True)
        self._column = QWidget()
        self._column.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._list = QVBoxLayout(self._column)
        self._list.setContentsMargins(0, 16, 0, 0)
        self._list.setSpacing(0)
        self._list.addStretch(1)
        outer = self._around = QHBoxLayout(self._container)
        outer.setSpacing(0)
        outer.addStretch(1)
        outer.addWidget(self._column, 1000)
        outer.addStretch(1)
        self.setWidget(self._container)
        self._jump = IconButton("arrow-down", self.tr("Jump to the newest"), 32, 16, color="text.primary", parent=self)
        self._jump.setProperty("kind", "floating")
        self._jump.clicked.connect(self.to_end)
        self._jump.hide()
        bar = self.verticalScrollBar()
        self.setViewportMargins(bar.sizeHint().width(), 0, 0, 0)  # as wide as the bar at the right: the column is in the middle
        bar.rangeChanged.connect(self._grown)
        bar.valueChanged.connect(self._moved)
        bar.setSingleStep(40)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self._make_near)
        theme().changed.connect(self._restyle)
        application().focusChanged.connect(self._focus_moved)
        self._restyle()

    # ------------------------------------------------------------ content
    def show_branch(self, messages: Sequence[Message]) -> None:
        """Show these messages; views of those that are shown already stay as they are."""
        shown = [*(message.id for message in self._earlier), *(view.message.id for view in self._views)]
        wanted = [message.id for message in messages]
        common = next(
            (place for place, pair in enumerate(zip(shown, wanted, strict=False)) if pair[0] != pair[1]),
            min(len(shown), len(wanted)),
        )
        if common <= len(self._earlier) or not shown:
            self._clear()
            self._earlier = list(messages[:-AT_ONCE])
            for message in messages[-AT_ONCE:]:
                self._append(message)
            self._later.start()
            self.to_end()
        else:
            for view in self._views[common - len(self._earlier) :]:
                self._drop(view)
            del self._views[common - len(self._earlier) :]
            for message in messages[common:]:
                self._append(message)
        self._mark_last()

    def view(self, message: str) -> MessageView | None:
        """The view of a message, if it is made."""
        return next((view for view in reversed(self._views) if view.message.id == message), None)

    def messages(self) -> Iterator[MessageView]:
        """The views that are made, in order."""
        return iter(self._views)

    def replies(self) -> Iterator[ReplyView]:
        """The views of replies, in order."""
        return (view for view in self._views if isinstance(view, ReplyView))

    def complete(self) -> None:
        """Make the views that are still to be made, a few between two frames; `completed` tells when they are there."""
        self._wanted = bool(self._earlier)
        self._later.start()

    def _append(self, message: Message) -> None:
        view = self._make(message)
        self._views.append(view)
        self._list.insertWidget(self._list.count() - 1, view)
        self._fill(view)

    def _fill(self, view: MessageView) -> None:
        if isinstance(view, ReplyView):
            view.anchor_focused.connect(self.see)
            self._refresh(view)

    def _make_near(self) -> None:
        """Make what is above when one is near to it, or all of it is wanted."""
        if self._earlier and (self._wanted or self.verticalScrollBar().value() < AHEAD):
            self._make_earlier(SLICE)
            self._later.start()
        elif self._wanted:
            self._wanted = False
            self.completed.emit()

    def _make_earlier(self, count: int) -> None:
        """Make so many views above the first one, as far as there are; what is looked at stays where it is."""
        bar = self.verticalScrollBar()
        below = bar.maximum() - bar.value()
        for _ in range(min(count, len(self._earlier))):
            view = self._make(self._earlier.pop())
            self._views.insert(0, view)
            self._list.insertWidget(0, view)
            self._fill(view)
        self._lay_out()
        if not self._following:
            bar.setValue(bar.maximum() - below)

    def _lay_out(self) -> None:
        """Have heights and the scroll bar's range right now, not with the next event."""
        layout, width = self._around, self._container.width()
        self._list.setEnabled(False)  # or everything would be laid out again for every view that is shown
        for view in self._views:
            if view.isHidden():
                view.resize(self._column.width(), view.height())
                view.show()
        self._list.setEnabled(True)
        for _ in range(2):  # what becomes visible learns its width, and then knows its height
            self._list.activate()
            layout.activate()
            high = layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else layout.totalSizeHint().height()
            self._container.resize(width, max(high, self.viewport().height()))

    def _clear(self) -> None:
        self._later.stop()
        self._wanted = False
        for view in self._views:
            self._drop(view)
        self._views.clear()
        self._earlier.clear()

    def _drop(self, view: MessageView) -> None:
        self._list.removeWidget(view)
        view.hide()
        view.deleteLater()

    def _mark_last(self) -> None:
        for view in self._views[-4:]:
            view.action_bar.set_pinned(view is self._views[-1] and isinstance(view, ReplyView))

    # ------------------------------------------------------------ scrolling
    def to_end(self) -> None:
        """Show the newest, and follow it."""
        self._following = True
        bar = self.verticalScrollBar()
        bar.setValue(bar.maximum())
        self._show_jump()

    @property
    def following(self) -> bool:
        """Whether the view stays at the end while it grows."""
        return self._following

    def _grown(self, _: int, largest: int) -> None:
        if self._following:
            self.verticalScrollBar().setValue(largest)
        self._set_margins()
        self._show_jump()

    def _moved(self, value: int) -> None:
        self._following = value >= self.verticalScrollBar().maximum() - NEAR
        if value < AHEAD and self._earlier:
            self._later.start()
        self._show_jump()

    def _show_jump(self) -> None:
        self._jump.setVisible(not self._following)
        self._jump.move((self.width() - self._jump.width()) // 2, self.height() - self._jump.height() - 8)

    def scroll_to(self, message: str) -> None:
        """Show a message, making its view if need be."""
        self._following = False
        while self.view(message) is None and self._earlier:
            self._make_earlier(MANY)
        view = self.view(message)
        if view is not None:
            self._lay_out()
            self.verticalScrollBar().setValue(max(0, view.mapTo(self._container, view.rect().topLeft()).y() - 16))

    def see(self, view: QWidget, place: QRect) -> None:
        """Bring a place of a text into sight."""
        top = view.mapTo(self._container, place.topLeft()).y()
        bar, margin = self.verticalScrollBar(), 40
        if top - margin < bar.value():
            bar.setValue(top - margin)
        elif top + place.height() + margin > bar.value() + self.viewport().height():
            bar.setValue(top + place.height() + margin - self.viewport().height())

    def _focus_moved(self, before: QWidget | None, now: QWidget | None) -> None:
        """What can be done with a message is shown while the focus is in it."""
        for widget, near in ((before, False), (now, True)):
            while widget is not None and not isinstance(widget, MessageView):
                widget = widget.parentWidget()
            if widget is not None:
                widget.action_bar.set_near(near)

    def next_value(self, step: int) -> None:
        """Focus the next or previous computed value of the chat."""
        found = [
            (view, index)
            for reply in self.replies()
            for view in reply.prose()
            for index, anchor in enumerate(view.anchors)
            if anchor.value is not None
        ]
        if not found:
            return
        here = next((place for place, (view, index) in enumerate(found) if view.hasFocus() and view.focused == index), None)
        place = (0 if step > 0 else len(found) - 1) if here is None else min(max(here + step, 0), len(found) - 1)
        view, index = found[place]
        view.focus_anchor(index)
        view.setFocus(Qt.FocusReason.OtherFocusReason)

    # ------------------------------------------------------------ size
    def column_width(self) -> int | None:
        """Width of the messages, px; None before the first layout."""
        return self._column.width() if self.isVisible() else None

    def _restyle(self) -> None:
        self._column.setMaximumWidth(theme().px(theme().size("column_max")) + 2 * MARGIN)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Narrow windows have narrow margins."""
        super().resizeEvent(event)
        self._set_margins()
        self._show_jump()

    def _set_margins(self) -> None:
        """The same room at both sides, whether there is a scroll bar or not."""
        bar = self.verticalScrollBar()
        left = (NARROW_MARGIN if self.width() < 744 else PLAIN_MARGIN) - MARGIN - bar.sizeHint().width()
        right = left + (0 if bar.maximum() > 0 else bar.sizeHint().width())
        layout = self._around
        if (layout.contentsMargins().left(), layout.contentsMargins().right()) != (left, right):
            layout.setContentsMargins(left, 0, right, 0)
