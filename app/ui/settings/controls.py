"""A control for every kind of setting: shows the value in force, writes a chosen one at once, says why one is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QPointF, QRectF, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QComboBox, QFileDialog, QHBoxLayout, QLineEdit, QPlainTextEdit, QSizePolicy, QSlider, QWidget

from app.preferences import Kind, Setting
from app.ui.choices import Choices
from app.ui.language import shown
from app.ui.theme import paint_icon, theme
from app.ui.widgets import Button, Label, Segmented, Switch
from engine.machine.errors import InputError

MOST_SEGMENTS = 3
"""A choice among more than this many is a list that opens."""
MOST_STOPS = 600
"""A number with more values than this is typed, not slid."""


class Control(QWidget):
    """Shows and changes one setting. `refused(text)`: the value was not taken, and why; "" when it was."""

    refused = Signal(str)

    def __init__(self, setting: Setting[Any], choices: Choices, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setting, self.choices = setting, choices
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(12)
        self.make(shown(setting.title))
        self.show_value(choices.get(setting))
        choices.changed.connect(self._changed)

    def make(self, name: str) -> None:
        """Put the widgets into `row`. name: the setting's, for screen readers."""
        raise NotImplementedError

    def show_value(self, value: Any) -> None:
        """Show a value without choosing it."""
        raise NotImplementedError

    def put(self, value: Any) -> None:
        """Choose a value."""
        try:
            self.choices.set(self.setting, value)
        except InputError as error:
            self.refused.emit(error.what)
        else:
            self.refused.emit("")

    def _changed(self, name: str) -> None:
        if name in ("", self.setting.name):
            with QSignalBlocker(self):
                self.show_value(self.choices.get(self.setting))


class SwitchControl(Control):
    """On or off."""

    def make(self, name: str) -> None:
        """A switch."""
        self.switch = Switch(name)
        self.switch.toggled.connect(self.put)
        self.row.addWidget(self.switch)

    def show_value(self, value: bool) -> None:
        """Show a value without choosing it."""
        self.switch.setChecked(value)


class SegmentControl(Control):
    """One of a few."""

    def make(self, name: str) -> None:
        """All of them side by side."""
        self.values = list(self.setting.choices)
        self.segments = Segmented([shown(text) for text in self.setting.choices.values()], name)
        self.segments.chosen.connect(lambda index: self.put(self.values[index]))
        self.row.addWidget(self.segments)

    def show_value(self, value: Any) -> None:
        """Show a value without choosing it."""
        self.segments.set_index(self.values.index(value))


class Select(QComboBox):
    """A list that opens, with the theme's arrows. The wheel scrolls the page, not the choice."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumWidth(theme().px(180))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave it to the page."""
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The box, then the arrows."""
        super().paintEvent(event)
        side, middle = theme().px(14), self.height() / 2
        paint_icon(QPainter(self), "chevrons-up-down", "text.secondary", self.width() - side - 10, middle - side / 2, side)


class SelectControl(Control):
    """One of many."""

    def make(self, name: str) -> None:
        """A list that opens."""
        self.values, self.select = list(self.setting.choices), Select(name)
        self.select.addItems([shown(text) for text in self.setting.choices.values()])
        self.select.activated.connect(lambda index: self.put(self.values[index]))
        self.row.addWidget(self.select)

    def show_value(self, value: Any) -> None:
        """Show a value without choosing it."""
        self.select.setCurrentIndex(self.values.index(value))


class Slide(QSlider):
    """A slider of the theme's shape, which leaves the wheel to the page."""

    TRACK, KNOB = 4, 14

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setAccessibleName(name)
        self.setFixedSize(140, 24)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave it to the page."""
        event.ignore()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Track, what of it is passed, knob."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        room = self.width() - self.KNOB - 2
        knob = 1 + self.KNOB / 2 + room * (self.value() - self.minimum()) / max(1, self.maximum() - self.minimum())
        middle, on = self.height() / 2, self.isEnabled()
        painter.setPen(Qt.PenStyle.NoPen)
        for color, right in (("bg.selected", float(self.width())), ("accent.fill" if on else "bg.selected", knob)):
            painter.setBrush(theme().color(color))
            painter.drawRoundedRect(QRectF(0, middle - self.TRACK / 2, right, self.TRACK), 2, 2)
        painter.setPen(QPen(theme().color("accent.fill" if on else "border.subtle"), 2))
        painter.setBrush(theme().color("bg.raised"))
        painter.drawEllipse(QPointF(knob, middle), self.KNOB / 2 - 0.5, self.KNOB / 2 - 0.5)


class SliderControl(Control):
    """A number with few stops."""

    def make(self, name: str) -> None:
        """A slider with its value beside it."""
        self.slider, self.value = Slide(name), Label("", "grid")
        low, _, step = self.setting.bounds
        self.slider.setRange(0, round((self.high() - low) / step))
        self.slider.setPageStep(max(1, self.slider.maximum() // 10))
        self.value.setMinimumWidth(theme().px(64))
        self.value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.slider.valueChanged.connect(lambda stop: self.value.setText(self.words(self.at(stop))))
        self.slider.sliderReleased.connect(lambda: self.put(self.at(self.slider.value())))
        self.slider.valueChanged.connect(self._moved)
        self.row.addWidget(self.slider)
        self.row.addWidget(self.value)

    def high(self) -> float:
        """The largest value that can be slid to."""
        return self.setting.bounds[1]

    def at(self, stop: int) -> Any:
        """The value at a stop."""
        low, _, step = self.setting.bounds
        return type(self.setting.default)(round(low + stop * step, 6))

    def words(self, value: Any) -> str:
        """A value in words."""
        written = f"{value:.2f}" if isinstance(value, float) else f"{value:,}"
        return written + (f" {self.setting.unit}" if self.setting.unit else "")

    def show_value(self, value: Any) -> None:
        """Show a value without choosing it."""
        low, _, step = self.setting.bounds
        with QSignalBlocker(self.slider):
            self.slider.setValue(round((value - low) / step))
        self.value.setText(self.words(value))

    def _moved(self, stop: int) -> None:
        if not self.slider.isSliderDown():
            self.put(self.at(stop))


class BytesControl(SliderControl):
    """An amount of memory, up to what this computer has; 0 is no limit."""

    def high(self) -> float:
        """This computer's memory."""
        from app.memory import memory

        return min(self.setting.bounds[1], memory().total)

    def words(self, value: int) -> str:
        """A value in words."""
        if value == 0:
            return self.tr("No limit")
        return f"{value / self.setting.bounds[2]:.0f} GB"


class NumberControl(Control):
    """A number that is typed; a refused one stays in the field until it is mended."""

    def make(self, name: str) -> None:
        """A field."""
        self.field = QLineEdit()
        self.field.setAccessibleName(name)
        self.field.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.field.setFont(theme().font("grid"))
        self.field.setFixedWidth(theme().px(140))
        self.field.editingFinished.connect(self._typed)
        self.row.addWidget(self.field)

    def show_value(self, value: float) -> None:
        """Show a value without choosing it."""
        self.field.setText(str(value))

    def _typed(self) -> None:
        try:
            value = type(self.setting.default)(self.field.text().strip().replace(",", ""))
        except ValueError:
            low, high, _ = self.setting.bounds
            self.refused.emit(
                self.tr("This is not a number from {low} to {high}.").format(low=f"{low:,.0f}", high=f"{high:,.0f}")
            )
        else:
            self.put(value)


class TextControl(Control):
    """A line of text; a refused one stays in the field until it is mended."""

    def make(self, name: str) -> None:
        """A field."""
        self.field = QLineEdit()
        self.field.setAccessibleName(name)
        self.field.setMinimumWidth(theme().px(300))
        self.field.editingFinished.connect(lambda: self.put(self.field.text().strip()))
        self.row.addWidget(self.field)

    def show_value(self, value: str) -> None:
        """Show a value without choosing it."""
        self.field.setText(value)


class Writing(QPlainTextEdit):
    """Text of several lines. `done` when the user leaves it."""

    done = Signal()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """What was written counts."""
        super().focusOutEvent(event)
        self.done.emit()


class LongTextControl(Control):
    """Several lines of text."""

    def make(self, name: str) -> None:
        """A box."""
        self.field = Writing()
        self.field.setProperty("kind", "field")
        self.field.setAccessibleName(name)
        self.field.setTabChangesFocus(True)
        self.field.setFixedHeight(theme().px(88))
        self.field.done.connect(lambda: self.put(self.field.toPlainText().strip()))
        self.row.addWidget(self.field)

    def show_value(self, value: str) -> None:
        """Show a value without choosing it."""
        self.field.setPlainText(value)


class FolderControl(Control):
    """A folder. default: the one that counts while none is chosen."""

    def make(self, name: str) -> None:
        """A button that opens a dialog; the path stands in the row's text."""
        self.change = Button(self.tr("Change…"))
        self.change.setAccessibleName(self.tr("Change: {name}").format(name=name))
        self.change.clicked.connect(self._ask)
        self.back = Button(self.tr("Use the default"), "quiet")
        self.back.clicked.connect(lambda: self.put(None))
        self.row.addWidget(self.back)
        self.row.addWidget(self.change)

    def show_value(self, value: Path | None) -> None:
        """Show a value without choosing it."""
        self.back.setVisible(value is not None)

    def _ask(self) -> None:
        dialog = QFileDialog(self, shown(self.setting.title))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda chosen: self.put(Path(chosen)))
        dialog.open()


def control_for(setting: Setting[Any], choices: Choices) -> Control:
    """The control that fits a setting."""
    if setting.kind is Kind.CHOICE:
        return (SegmentControl if len(setting.choices) <= MOST_SEGMENTS else SelectControl)(setting, choices)
    if setting.kind is Kind.NUMBER:
        if setting.unit == "bytes":
            return BytesControl(setting, choices)
        low, high, step = setting.bounds
        return (SliderControl if (high - low) / step <= MOST_STOPS else NumberControl)(setting, choices)
    kinds = {Kind.SWITCH: SwitchControl, Kind.TEXT: TextControl, Kind.LONG_TEXT: LongTextControl, Kind.FOLDER: FolderControl}
    return kinds[setting.kind](setting, choices)
