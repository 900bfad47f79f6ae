"""Where one writes: grows with the text, Enter sends, but never while an input method composes."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QInputMethodEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextBlockFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QSizePolicy, QTextEdit, QToolButton, QWidget

from app.ui.theme import icon, theme
from app.ui.widgets import IconButton, Label, Switch

MOST = 280
"""Greatest height, px."""


class _Field(QTextEdit):
    """The text. sent: Enter was pressed; recalled: Up was pressed with nothing written."""

    sent, recalled, focus_moved = Signal(), Signal(), Signal()

    def __init__(self) -> None:
        super().__init__()
        self._composing = False
        self.setAcceptRichText(False)
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        self.viewport().setAutoFillBackground(False)

    @property
    def composing(self) -> bool:
        """Whether an input method has text that is not accepted yet."""
        return self._composing

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Remember whether something is being composed."""
        self._composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter sends, Shift Enter begins a line, Up in an empty field fetches the last question."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if (
            enter
            and not self._composing
            and not event.modifiers() & (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier)
        ):
            self.sent.emit()
        elif event.key() == Qt.Key.Key_Up and self.document().isEmpty() and not self._composing:
            self.recalled.emit()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The frame is drawn by the composer."""
        super().focusInEvent(event)
        self.focus_moved.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The frame is drawn by the composer."""
        super().focusOutEvent(event)
        self.focus_moved.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The placeholder stands where the text will."""
        super().paintEvent(event)
        if self.document().isEmpty() and not self._composing:
            painter = QPainter(self.viewport())
            painter.setFont(self.font())
            painter.setPen(theme().color("text.tertiary"))
            line = QRectF(0, 0, self.viewport().width(), theme().line_height("body"))
            hint, metrics = self.accessibleDescription(), painter.fontMetrics()
            painter.drawText(
                line, Qt.AlignmentFlag.AlignVCenter, metrics.elidedText(hint, Qt.TextElideMode.ElideRight, int(line.width()))
            )


class Composer(QFrame):
    """sent(text): send this; stopped: stop what runs; changed: the text is another; recalled: edit the last question.

    advanced_chosen(on), thinking_chosen(on): the toggles, which are remembered per chat
    """

    sent = Signal(str)
    stopped = Signal()
    changed = Signal()
    recalled = Signal()
    advanced_chosen = Signal(bool)
    thinking_chosen = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._running = self._low = self._silent = False
        self._thinks = True
        self._hint = ""
        self.field = _Field()
        self.field.setAccessibleName(self.tr("Message"))
        self.field.sent.connect(self._send)
        self.field.recalled.connect(self.recalled)
        self.field.textChanged.connect(self._text_changed)
        self.field.focus_moved.connect(self.update)
        self.advanced = Switch(self.tr("Advanced: write the kernel"))
        tip = self.tr(
            "The model writes its own CUDA kernel instead of using the library. Slower; up to 3 attempts. "
            "Remembered for this chat."
        )
        self.advanced.setToolTip(tip)
        self._advanced_label = Label(self.tr("Advanced: write the kernel"), "small_medium", "text.secondary")
        self._advanced_label.setToolTip(tip)
        self._advanced_label.mousePressEvent = lambda event: self.advanced.click()  # type: ignore[method-assign]
        self.advanced.toggled.connect(self._advanced_toggled)
        self.thinking = QToolButton()
        self.thinking.setCheckable(True)
        self.thinking.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.thinking.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.thinking.setProperty("kind", "toggle")
        self.thinking.setToolTip(
            self.tr("Whether the model thinks before it answers. Slower, often better. Remembered for this chat.")
        )
        self.thinking.toggled.connect(self._thinking_toggled)
        self._to_send = Label(self.tr("↵ to send"), "small", "text.tertiary")
        self.button = IconButton("arrow-up", self.tr("Send"), 32, 16)
        self.button.setProperty("kind", "send")
        self.button.clicked.connect(self._press)
        self._bar = QWidget()
        row = QHBoxLayout(self._bar)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for widget in (self.advanced, self._advanced_label, self.thinking):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self._to_send)
        row.addSpacing(4)
        row.addWidget(self.button)
        self._grid = QGridLayout(self)
        self._grid.setSpacing(0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusProxy(self.field)
        self.set_hint(self.tr("Ask something with numbers in it"))
        theme().changed.connect(self.restyle)
        self.restyle()
        self._arrange()

    # ------------------------------------------------------------ state
    def text(self) -> str:
        """What is written."""
        return self.field.toPlainText()

    def set_text(self, text: str) -> None:
        """Write something, without telling."""
        if text != self.text():
            self._silent = True
            self.field.setPlainText(text)
            self._silent = False
            self.field.moveCursor(QTextCursor.MoveOperation.End)

    def set_choices(self, advanced: bool, thinking: bool) -> None:
        """Show the chat's toggles, without telling."""
        self._silent = True
        self.advanced.setChecked(advanced)
        self.thinking.setChecked(thinking)
        self._silent = False
        self._name_thinking()

    def set_running(self, running: bool) -> None:
        """Whether the button stops instead of sends."""
        if running != self._running:
            self._running = running
            self._dress_button()

    def set_hint(self, hint: str) -> None:
        """What stands in the empty field."""
        self.field.setAccessibleDescription(hint)
        self.field.viewport().update()

    def set_low(self, low: bool) -> None:
        """One line only, for low windows."""
        if low != self._low:
            self._low = low
            self._arrange()

    def set_thinking_possible(self, possible: bool) -> None:
        """Whether this model can think."""
        self._thinks = possible
        self.thinking.setVisible(possible and not self._low)

    # ------------------------------------------------------------ doing
    def _send(self) -> None:
        if self.text().strip() and not self.field.composing:
            self.sent.emit(self.text())

    def _press(self) -> None:
        if self._running:
            self.stopped.emit()
        else:
            self._send()

    def _advanced_toggled(self, on: bool) -> None:
        if not self._silent:
            self.advanced_chosen.emit(on)

    def _thinking_toggled(self, on: bool) -> None:
        self._name_thinking()
        if not self._silent:
            self.thinking_chosen.emit(on)

    def _name_thinking(self) -> None:
        self.thinking.setText(self.tr("Thinking on") if self.thinking.isChecked() else self.tr("Thinking off"))

    def _text_changed(self) -> None:
        self._fit()
        self._dress_button()
        if not self._silent:
            self.changed.emit()

    def _dress_button(self) -> None:
        ready = bool(self.text().strip())
        self.button.set_name(self.tr("Stop") if self._running else self.tr("Send"))
        self.button.setEnabled(self._running or ready)
        self.button.set_icon("square" if self._running else "arrow-up", "accent.on")
        self._to_send.setVisible(not self._running and not self._low)

    # ------------------------------------------------------------ look
    def restyle(self) -> None:
        """Take fonts from the theme."""
        self.field.setFont(theme().font("body"))
        self.thinking.setFont(theme().font("small_medium"))
        self.thinking.setIcon(icon("brain"))
        self.thinking.setIconSize(QSize(theme().px(15) + 4, theme().px(15)))
        form = QTextBlockFormat()
        form.setLineHeight(theme().line_height("body"), QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        cursor = QTextCursor(self.field.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(form)
        self._name_thinking()
        self._dress_button()
        self._fit()

    def _arrange(self) -> None:
        self._grid.removeWidget(self.field)
        self._grid.removeWidget(self._bar)
        if self._low:
            self._grid.setContentsMargins(12, 6, 8, 6)
            self._grid.addWidget(self.field, 0, 0, Qt.AlignmentFlag.AlignVCenter)
            self._grid.addWidget(self._bar, 0, 1)
        else:
            self._grid.setContentsMargins(14, 12, 8, 8)
            self._grid.addWidget(self.field, 0, 0)
            self._grid.addWidget(self._bar, 1, 0)
        self._grid.setColumnStretch(0, 1)
        self.thinking.setVisible(self._thinks and not self._low)
        self._dress_button()
        self._fit()

    def _fit(self) -> None:
        line = theme().line_height("body")
        self.field.document().setTextWidth(self.field.viewport().width())
        wanted = max(line, self.field.document().size().height())
        most = line if self._low else theme().px(MOST) - 60
        self.field.setFixedHeight(round(min(wanted, most)) + (0 if self._low else 8))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width, other lines."""
        super().resizeEvent(event)
        self._fit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """All of it is the field."""
        self.field.setFocus(Qt.FocusReason.MouseFocusReason)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The frame; stronger while one writes."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        focused = self.field.hasFocus()
        width = 1.5 if focused else 1.0
        painter.setPen(QPen(theme().color("accent.focus" if focused else "border.control"), width))
        painter.setBrush(theme().color("bg.raised"))
        half = width / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(half, half, -half, -half), 10, 10)
