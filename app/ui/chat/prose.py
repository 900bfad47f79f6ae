"""A stretch of prose: Markdown that may still grow, with computed values that can be opened."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping

from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, QRectF, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QContextMenuEvent,
    QDesktopServices,
    QFocusEvent,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextBlock,
)
from PySide6.QtWidgets import QFrame, QMenu, QSizePolicy, QTextBrowser, QToolTip, QWidget

from app.chatting.launches import Launched, spoken_value, tooltip_of
from app.chatting.markdown import blocks
from app.chatting.reply import PLACEHOLDER, Prose, Value
from app.ui.chat.writer import PADDING, QUOTE, RULE, Anchor, Writer
from app.ui.language import shown
from app.ui.theme import icon, paint_icon, theme

MARGIN = 4
"""Around the text, so that the tint of a value at the edge is not cut off."""
TIP_DELAY = 400
_OPENED = ("http", "https", "mailto")


class ProseView(QTextBrowser):
    """Shows a `Prose`. Only its last, unfinished block is read again when it grows.

    width: px that it will have when it is laid out, so that it has its height before
    value_opened(launch): a value was activated; menu_asked(menu, anchor): add to a value's context menu
    """

    value_opened = Signal(str)
    menu_asked = Signal(object, object)

    def __init__(
        self, launch_of: Callable[[str | None], Launched | None], width: int | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._launch_of = launch_of
        self._width = width  # what it will have, until it has one
        self._writer = Writer(self.document(), self._differs)
        self._warned: tuple[bool, ...] = ()
        self._prose = Prose("")
        self._stable = ""  # what is written for good
        self._stable_end = 0
        self._focused: int | None = None
        self._hovered: int | None = None
        self._pressed: int | None = None
        self._open: frozenset[str] = frozenset()
        self._highlighted = True
        self._shapes: dict[int, list[QRectF]] | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setCursorWidth(0)
        flags = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setProperty("own_focus", True)
        self.viewport().setAutoFillBackground(False)
        self.viewport().setMouseTracking(True)
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        self.document().setDocumentMargin(MARGIN)
        self.setAccessibleName(self.tr("Reply"))
        self._tip = QTimer(self)
        self._tip.setSingleShot(True)
        self._tip.setInterval(TIP_DELAY)
        self._tip.timeout.connect(self._show_tip)
        theme().changed.connect(self.restyle)

    # ------------------------------------------------------------ content
    def set_prose(self, prose: Prose) -> None:
        """Show this. Text that only grew costs what its last block costs."""
        if prose == self._prose and self._writer.end():
            return
        if not prose.markdown.startswith(self._stable) or self._values_differ(prose):
            self._writer.clear()
            self._stable, self._stable_end = "", 0
        self._prose = prose
        self._writer.cut(self._stable_end)
        tail = prose.markdown[len(self._stable) :]
        values = self._later_values()
        found = blocks(tail)
        if len(found) > 1:
            self._writer.write(found[:-1], values)
            self._stable += tail[: found[-1].start]
            self._stable_end = self._writer.end()
        self._writer.write(found[-1:], values)
        self._written()

    def plain_text(self) -> str:
        """The text as people copy it."""
        return _plain(self.toPlainText())

    def set_open(self, launches: frozenset[str]) -> None:
        """Which launches are open in the inspector."""
        if launches != self._open:
            self._open = launches
            self.viewport().update()

    def set_highlighted(self, highlighted: bool) -> None:
        """Whether computed values have their tint and dots."""
        self._highlighted = highlighted
        self.viewport().update()

    def refresh(self) -> None:
        """The launches have changed: tints and descriptions follow."""
        if self._warned != tuple(self._differs(value) for value in self._prose.values):
            self.restyle()  # a warning needs room
        self._describe()
        self.viewport().update()

    def restyle(self) -> None:
        """Write everything again in the theme's formats."""
        prose, self._prose = self._prose, Prose("")
        self._writer.clear()
        self._stable, self._stable_end = "", 0
        self.set_prose(prose)

    @property
    def focused(self) -> int | None:
        """Which of the anchors has the keyboard focus."""
        return self._focused

    @property
    def anchors(self) -> list[Anchor]:
        """What can be opened, in order."""
        return self._writer.anchors

    def _values_differ(self, prose: Prose) -> bool:
        written = self._stable.count(PLACEHOLDER)
        return prose.values[:written] != self._prose.values[:written]

    def _later_values(self) -> Iterator[Value]:
        return iter(self._prose.values[self._stable.count(PLACEHOLDER) :])

    def _differs(self, value: Value) -> bool:
        launch = self._launch_of(value.launch)
        return launch is not None and launch.state == "differs"

    def _written(self) -> None:
        self._warned = tuple(self._differs(value) for value in self._prose.values)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if self.anchors else Qt.FocusPolicy.ClickFocus)
        self._describe()
        self._fit()

    def _describe(self) -> None:
        spoken = (
            shown(spoken_value(anchor.value.text, self._launch_of(anchor.value.launch)))
            for anchor in self.anchors
            if anchor.value
        )
        self.setAccessibleDescription("; ".join(spoken))

    def _fit(self) -> None:
        self._shapes = None
        document, width = self.document(), self._width or self.viewport().width()
        document.setTextWidth(width)
        height = math.ceil(document.size().height())
        if document.idealWidth() > width + 1:
            height += self.horizontalScrollBar().sizeHint().height()
        if height != self.height():
            self.setFixedHeight(height)
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width, another height."""
        super().resizeEvent(event)
        fitted, self._width = self._width, None
        if event.size().width() not in (event.oldSize().width(), fitted):
            self._fit()

    # ------------------------------------------------------------ painting
    def paintEvent(self, event: QPaintEvent) -> None:
        """Quotation bars, tints and dots below the text; the focus ring above it."""
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(-self.horizontalScrollBar().value(), 0)
        self._paint_bars(painter)
        for index, shapes in self._all_shapes().items():
            value = self.anchors[index].value
            if value is not None and self._highlighted:
                self._paint_value(painter, index, value, shapes)
        painter.end()
        super().paintEvent(event)
        if self._focused is not None and self.hasFocus():
            self._paint_ring()

    def _paint_bars(self, painter: QPainter) -> None:
        """The bars of quotations, and rules."""
        block = self.document().begin()
        while block.isValid():
            form = block.blockFormat()
            if form.hasProperty(QUOTE) or form.hasProperty(RULE):
                box = self.document().documentLayout().blockBoundingRect(block)
                if form.hasProperty(RULE):
                    painter.fillRect(QRectF(MARGIN, round(box.center().y()), box.width(), 1), theme().color("border.default"))
                for level in range(form.property(QUOTE) or 0):
                    bar = QRectF(MARGIN + level * theme().px(16), box.top() + 4, 3, box.height())
                    painter.fillRect(bar, theme().color("border.default"))
            block = block.next()

    def _paint_value(self, painter: QPainter, index: int, value: Value, shapes: list[QRectF]) -> None:
        launch = self._launch_of(value.launch)
        opened = value.launch in self._open or index == self._pressed
        tint, line = (
            ("computed.tint_pressed" if opened else "computed.tint_hover" if index == self._hovered else "computed.tint"),
            "computed.line",
        )
        differs, pending = self._differs(value), launch is None or launch.state == "running"
        if differs:
            tint, line = "error.tint", "error.fill"
        pen = QPen(theme().color(line), 2)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        if not opened and not differs:
            pen.setStyle(Qt.PenStyle.CustomDashLine)
            pen.setDashPattern([1, 1])
        for shape in shapes:
            if not pending:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme().color(tint))
                painter.drawRoundedRect(shape, 3, 3)
            painter.setPen(pen)
            painter.drawLine(QPointF(shape.left(), shape.bottom()), QPointF(shape.right(), shape.bottom()))
        if differs and shapes:
            side = theme().px(12)
            paint_icon(painter, "triangle-alert", "error.text", shapes[-1].right() - side - 3, shapes[-1].top() + 3, side)

    def _paint_ring(self) -> None:
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme().color("accent.focus"), 2))
        for shape in self._all_shapes().get(self._focused if self._focused is not None else -1, ()):
            painter.drawRoundedRect(shape.adjusted(-2, -2, 2, 3), 5, 5)

    def _all_shapes(self) -> dict[int, list[QRectF]]:
        """Where everything that can be opened is, one rectangle a line, in the document's coordinates."""
        if self._shapes is None:
            self._shapes = {index: list(self._shapes_of(anchor)) for index, anchor in enumerate(self.anchors)}
        return self._shapes

    def _shapes_of(self, anchor: Anchor) -> Iterator[QRectF]:
        block = self.document().findBlock(anchor.start)
        layout, offset = block.layout(), self._offset(block)
        if not layout.lineCount():
            return
        place, end = anchor.start - block.position(), anchor.end - block.position()
        font = theme().font("value" if anchor.value else "body")
        ascent = QFontMetricsF(font).ascent()
        while place < end:
            line = layout.lineForTextPosition(place)
            stop = min(end, line.textStart() + line.textLength())
            if not line.isValid() or stop <= place:
                return
            left, right = _x(line.cursorToX(place)), _x(line.cursorToX(stop))
            base = offset.y() + line.y() + line.ascent()
            yield QRectF(offset.x() + left - PADDING, base - ascent - 1, right - left + PADDING, ascent + 6)
            place = stop

    def _offset(self, block: QTextBlock) -> QPointF:
        """Where a block's layout begins; in a table it lies within its cell."""
        return self.document().documentLayout().blockBoundingRect(block).topLeft()

    # ------------------------------------------------------------ pointer
    def _anchor_at(self, place: QPoint) -> int | None:
        point = QPointF(place) + QPointF(self.horizontalScrollBar().value(), 0)
        return next(
            (
                index
                for index, shapes in self._all_shapes().items()
                if any(shape.adjusted(-1, -1, 1, 2).contains(point) for shape in shapes)
            ),
            None,
        )

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tint what is pointed at."""
        super().mouseMoveEvent(event)
        self._hover(self._anchor_at(event.position().toPoint()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Press a value."""
        self._focused = None
        self._pressed = self._anchor_at(event.position().toPoint()) if event.button() == Qt.MouseButton.LeftButton else None
        super().mousePressEvent(event)
        self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open what was pressed, unless the press became a selection."""
        pressed, self._pressed = self._pressed, None
        super().mouseReleaseEvent(event)
        event.accept()
        self.viewport().update()
        here = self._anchor_at(event.position().toPoint())
        if pressed is not None and pressed == here and not self.textCursor().hasSelection():
            self._activate(pressed)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is pointed at."""
        self._hover(None)
        super().leaveEvent(event)

    def _hover(self, index: int | None) -> None:
        if index == self._hovered:
            return
        self._hovered = index
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor if index is None else Qt.CursorShape.PointingHandCursor)
        self._tip.stop()
        QToolTip.hideText()
        if index is not None:
            self._tip.start()
        self.viewport().update()

    def _show_tip(self) -> None:
        index = self._focused if self._focused is not None else self._hovered
        if index is None or index >= len(self.anchors):
            return
        anchor, shapes = self.anchors[index], self._all_shapes()[index]
        if not shapes:
            return
        corner = self.viewport().mapToGlobal(shapes[-1].bottomLeft().toPoint() + QPoint(-14, -8))
        QToolTip.showText(corner, self.tip(anchor), self.viewport(), shapes[-1].toAlignedRect())

    def tip(self, anchor: Anchor) -> str:
        """A tooltip as rich text: the first line strong, the others dim."""
        if anchor.value is None:
            return anchor.href
        first, *others = (shown(text) for text in tooltip_of(self._launch_of(anchor.value.launch)))
        dim = theme().color("text.on_tooltip_dim").name()
        return f"<b>{first}</b>" + "".join(f"<br><span style='color: {dim}'>{other}</span>" for other in others)

    # ------------------------------------------------------------ keyboard
    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes through what can be opened before it leaves."""
        count = len(self.anchors)
        place = (-1 if forward else count) if self._focused is None else self._focused
        place += 1 if forward else -1
        if 0 <= place < count:
            self.focus_anchor(place)
            return True
        self._focused = None
        return super().focusNextPrevChild(forward)

    def focus_anchor(self, index: int) -> None:
        """Give an anchor the keyboard focus."""
        self._focused = index
        anchor = self.anchors[index]
        if anchor.value is not None:
            words = shown(spoken_value(anchor.value.text, self._launch_of(anchor.value.launch)))
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))
        self._tip.start()
        self.viewport().update()
        shapes = self._all_shapes()[index]
        if shapes:
            self.cursor_wanted.emit(self, shapes[0].toAlignedRect())

    cursor_wanted = Signal(object, object)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The first or last thing that can be opened is focused, as Tab or Shift Tab came in."""
        super().focusInEvent(event)
        if self.anchors and self._focused is None and event.reason() == Qt.FocusReason.TabFocusReason:
            self.focus_anchor(0)
        elif self.anchors and self._focused is None and event.reason() == Qt.FocusReason.BacktabFocusReason:
            self.focus_anchor(len(self.anchors) - 1)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """No ring without focus."""
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self._focused = None
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Space open."""
        if self._focused is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._activate(self._focused)
            return
        super().keyPressEvent(event)

    # ------------------------------------------------------------ opening
    def _activate(self, index: int) -> None:
        anchor = self.anchors[index]
        QToolTip.hideText()
        if anchor.value is not None and anchor.value.launch:
            self.value_opened.emit(anchor.value.launch)
        elif anchor.value is None and QUrl(anchor.href).scheme() in _OPENED:
            QDesktopServices.openUrl(QUrl(anchor.href))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """A value's own menu, or the text's."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self._focused if by_key and self._focused is not None else self._anchor_at(event.pos())
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if index is not None and self.anchors[index].value is not None:
            self._fill_menu(menu, index)
        else:
            copy = menu.addAction(icon("copy"), self.tr("Copy"), self.copy)
            copy.setEnabled(self.textCursor().hasSelection())
            if index is not None:
                href = self.anchors[index].href
                menu.addAction(icon("link"), self.tr("Copy link"), lambda: QGuiApplication.clipboard().setText(href))
            menu.addAction(self.tr("Select all"), self.selectAll)
        menu.popup(event.globalPos())

    def _fill_menu(self, menu: QMenu, index: int) -> None:
        value = self.anchors[index].value
        if value is None:
            return
        if value.launch:
            menu.addAction(icon("cpu"), self.tr("Open"), lambda: self._activate(index))
        menu.addAction(icon("copy"), self.tr("Copy value"), lambda: QGuiApplication.clipboard().setText(value.text))
        launch = self._launch_of(value.launch)
        if launch is not None:
            menu.addAction(self.tr("Copy expression"), lambda: QGuiApplication.clipboard().setText(launch.title))
        self.menu_asked.emit(menu, value)

    def createMimeDataFromSelection(self) -> QMimeData:
        """What is copied: plain text with plain spaces."""
        data = QMimeData()
        data.setText(_plain(self.textCursor().selection().toPlainText()))
        return data

    def loadResource(self, kind: int, url: QUrl | str) -> None:
        """Nothing is ever loaded: neither files nor the network."""
        return None


def launches_by_id(launches: Mapping[str, Launched]) -> Callable[[str | None], Launched | None]:
    """How a view asks for the launch behind a value."""
    return lambda number: launches.get(number or "")


def _plain(text: str) -> str:
    return text.replace("\u00a0", " ").replace("\u2028", "\n").replace("\u2029", "\n")


def _x(found: object) -> float:
    """The place that `cursorToX` gives: alone, or with the cursor's place in front of it."""
    place = found[0] if isinstance(found, tuple) else found
    assert isinstance(place, float)
    return place
