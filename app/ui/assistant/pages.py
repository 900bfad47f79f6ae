"""The four pages. Each draws a `View` and the figures of its own work; none decides anything."""

from __future__ import annotations

import time
from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from app.assistant.assistant import Assistant
from app.assistant.model import Meter, Step, View
from app.hub.model import Outage, State
from app.layers import layers, purpose
from app.quantities import percent
from app.ui.assistant.chips import TokenChips
from app.ui.assistant.frame import StepPage
from app.ui.assistant.layers_picture import LayersPicture
from app.ui.assistant.offers import OfferRow
from app.ui.assistant.parts import Bar, InfoLine, Readout, SpeedTrace, TintBox
from app.ui.assistant.rows import CheckRow, FileRow, PhaseCell, RowsCard
from app.ui.language import shown
from app.ui.theme import theme
from app.ui.widgets import Card, Elided, Icon, Label, Paragraph


class Page(StepPage):
    """What all pages share: problem, card of rows, note, links, footer. A page adds its own widgets above the rows."""

    ROW: type[CheckRow | FileRow | PhaseCell] = CheckRow
    NOTE_ICON = "info"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.problem = ProblemBox()
        self.rows, self.note = RowsCard(self.ROW), InfoLine("", self.NOTE_ICON)
        self.links = OfferRow("link", spacing=16)
        for source in (self.rows, self.links):
            source.acted.connect(self.acted)
        for widget in (self.problem, *self.make_own(), self.rows, self.note):
            self.content.addWidget(widget)
        self.content.addWidget(self.links, 0, Qt.AlignmentFlag.AlignLeft)

    def make_own(self) -> Sequence[QWidget]:
        """The page's own widgets, above the rows."""
        return ()

    def note_icon(self, assistant: Assistant) -> tuple[str, str]:
        """The sign before the note, and its colour."""
        return self.NOTE_ICON, "text.secondary"

    def show_own(self, assistant: Assistant, view: View) -> None:
        """Show the page's own figures."""

    def show_view(self, assistant: Assistant, view: View, narrow: bool) -> None:
        """Show this state of things."""
        self.show_head(view.step.value, len(Step), shown(view.title), shown(view.sentence))
        self.problem.show_texts([shown(text) for text in view.problem])
        self.show_own(assistant, view)
        self.rows.show_rows(view.rows)
        self.note.setVisible(view.note is not None)
        if view.note is not None:
            self.note.show_note(shown(view.note), *self.note_icon(assistant))
        self.links.show_offers(view.links)
        self.show_footer(view.footer, narrow)


class ProblemBox(TintBox):
    """What went wrong, what is kept, what to do."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("error", parent)
        self._texts = [Paragraph("", style) for style in ("ui_medium", "ui", "ui")]
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(Icon("circle-x", "error.text", 18, self.tr("Problem")), 0, Qt.AlignmentFlag.AlignTop)
        column = Card(0, 2)
        column.setProperty("kind", "")
        for text in self._texts:
            column.body.addWidget(text)
        row.addWidget(column, 1)
        self.body.addLayout(row)

    def show_texts(self, texts: Sequence[str]) -> None:
        """Show these sentences; nothing at all when there are none."""
        for place, paragraph in enumerate(self._texts):
            said = " ".join(texts[place:]) if place == len(self._texts) - 1 else "".join(texts[place : place + 1])
            paragraph.setText(said)
            paragraph.setVisible(bool(said))
        self.setAccessibleName(" ".join(texts))
        self.setVisible(bool(texts))


class ComputerPage(Page):
    """Step 1: four checks."""

    NOTE_ICON = "shield-check"


def show_meter(readout: Readout, bar: Bar, meter: Meter) -> None:
    """A meter as percentage, words and bar."""
    readout.show_texts(
        "" if meter.fraction is None else percent(meter.fraction), shown(meter.amount), shown(meter.rate), shown(meter.left)
    )
    bar.set_fraction(meter.fraction or 0.0)


class ModelPage(Page):
    """Step 2: the download with its speed, file by file."""

    ROW = FileRow

    def make_own(self) -> Sequence[QWidget]:
        """The card with percentage, bar and speed."""
        self.card, self.readout = Card(24, 0), Readout()
        self.card.body.setContentsMargins(24, 20, 24, 20)
        self.bar, self.trace = Bar(self.tr("Progress of the download")), SpeedTrace()
        self.caption, self.gap = (
            Label(self.tr("Speed, last 2 minutes"), "small", "text.tertiary"),
            Elided("", "small", "text.tertiary"),
        )
        self.gap.setAlignment(Qt.AlignmentFlag.AlignRight)
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(self.caption)
        row.addWidget(self.gap, 1)
        for widget, space in ((self.readout, 12), (self.bar, 16), (self.trace, 4)):
            self.card.body.addWidget(widget)
            self.card.body.addSpacing(space)
        self.card.body.addLayout(row)
        return [self.card]

    def show_own(self, assistant: Assistant, view: View) -> None:
        """Percentage, bar, speed, and why there is a gap in it."""
        self.card.setVisible(view.meter is not None)
        if view.meter is None:
            return
        show_meter(self.readout, self.bar, view.meter)
        trace = assistant.download.trace
        self.trace.show_trace(trace)
        for widget in (self.trace, self.caption, self.gap):
            widget.setVisible(bool(trace))
        outages = assistant.download.outages
        self.gap.setText(self._gap(outages[-1]) if outages else "")

    def note_icon(self, assistant: Assistant) -> tuple[str, str]:
        """A lost connection has a sign of its own."""
        lost = assistant.download.state in (State.WAITING, State.STALLED)
        return ("wifi-off", "warning.text") if lost else super().note_icon(assistant)

    def _gap(self, outage: Outage) -> str:
        since = time.strftime("%H:%M", time.localtime(outage.since))
        if outage.until is None:
            return self.tr("No data since {since}").format(since=since)
        return self.tr("The gap: connection lost at {since}, resumed by itself at {until}").format(
            since=since, until=time.strftime("%H:%M", time.localtime(outage.until))
        )


class Legend(QWidget):
    """What the colours of the layers mean."""

    SIDE, GAP, BETWEEN = 8, 4, 16

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(self.GAP)
        for place, (text, fill, edge) in enumerate(
            (
                (self.tr("compiled"), "computed.fill", "computed.fill"),
                (self.tr("copied"), "layer.base", "layer.base"),
                (self.tr("in work"), "computed.idle", "computed.line"),
                (self.tr("to do"), "bg.raised", "border.control"),
            )
        ):
            if place:
                row.addSpacing(self.BETWEEN - self.GAP)
            row.addWidget(_Key(fill, edge))
            row.addWidget(Label(text, "small", "text.secondary"))


class _Key(QWidget):
    def __init__(self, fill: str, edge: str) -> None:
        super().__init__()
        self._fill, self._edge = fill, edge
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(Legend.SIDE, Legend.SIDE)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme().color(self._edge), 1))
        painter.setBrush(theme().color(self._fill))
        painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 2, 2)


class BuildPage(Page):
    """Step 3: the layers, lit as they are written."""

    ROW = PhaseCell
    LOW = 720
    """Below this height the picture is less high, so that the bar is seen without scrolling."""

    def make_own(self) -> Sequence[QWidget]:
        """The picture, then percentage and bar."""
        self.card, self.picture = Card(0, 0), LayersPicture()
        self.card.body.setContentsMargins(18, 18, 18, 14)
        self.layer, self.purpose = Label("", "ui_medium"), Elided("", "ui", "text.secondary")
        head = QHBoxLayout()
        head.setSpacing(6)
        head.addWidget(self.layer)
        head.addWidget(self.purpose, 1)
        head.addWidget(Legend())
        self.card.body.addLayout(head)
        self.card.body.addSpacing(6)
        self.card.body.addWidget(self.picture)
        self.caption = Elided(
            self.tr("Above the line: the layer’s mixer. Below: its MLP. Height: how many weights are not zero (logarithmic)."),
            "small",
            "text.tertiary",
        )
        self.caption.setContentsMargins(0, 6, 0, 0)
        self.card.body.addWidget(self.caption)
        self.readout, self.bar = Readout(), Bar(self.tr("Progress of the build"), computed=True)
        return [self.card, self.readout, self.bar]

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Low windows have a lower picture."""
        super().resizeEvent(event)
        low = event.size().height() < self.LOW
        self.picture.set_low(low)
        self.caption.setVisible(not low)

    def show_own(self, assistant: Assistant, view: View) -> None:
        """Light what is written, name what is in work."""
        build = assistant.build
        finished, current = build.finished, build.current
        if assistant.checkpoint is not None:
            finished, current = len(layers()), None
        self.picture.show_layers(finished, current)
        self.layer.setText(
            self.tr("Layer {number}").format(number=current)
            if current is not None
            else self.tr("{count} layers").format(count=len(layers()))
        )
        self.purpose.setText(f"· {shown(purpose(layers()[current]))}" if current is not None else "")
        for widget in (self.readout, self.bar):
            widget.setVisible(view.meter is not None)
        if view.meter is not None:
            show_meter(self.readout, self.bar, view.meter)


class SelfTestPage(Page):
    """Step 4: a launch with a result everyone can check."""

    def make_own(self) -> Sequence[QWidget]:
        """The card with the sum and its tokens."""
        self.card, self.chips = Card(24, 0), TokenChips()
        self.sum, self.value = Label("dot([1, 2, 3], [4, 5, 6]) =", "code"), ComputedValue()
        self.count = Label("", "small", "text.tertiary")
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addStretch(1)
        row.addWidget(self.sum)
        row.addWidget(self.value)
        row.addStretch(1)
        self.card.body.addLayout(row)
        self.card.body.addSpacing(8)
        self.card.body.addWidget(self.count, 0, Qt.AlignmentFlag.AlignHCenter)
        self.card.body.addSpacing(16)
        self.card.body.addWidget(self.chips)
        return [self.card]

    def show_own(self, assistant: Assistant, view: View) -> None:
        """The value only once it was computed and replayed."""
        test = assistant.test
        self.value.show_value("32" if test.passed else "")
        self.count.setText(
            self.tr("{count} tokens, chosen one by one by the model’s own weights").format(count=len(test.tokens))
            if test.tokens
            else self.tr("The model computes it token by token.")
        )
        self.chips.setVisible(bool(test.tokens))
        self.chips.show_tokens(test.tokens)


class ComputedValue(QWidget):
    """A value that the weights computed, large: mono digits, tint, dotted underline. Nothing until there is one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.updateGeometry)

    @property
    def text(self) -> str:
        """The value, "" while there is none."""
        return self._text

    def show_value(self, text: str) -> None:
        """Show a value."""
        self._text = text
        self.setAccessibleName(
            self.tr("{value}, computed in the weights").format(value=text) if text else self.tr("not computed yet")
        )
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """The value with its padding; a place for two digits before."""
        font = theme().font("value")
        font.setPixelSize(theme().px(22))
        return QSize(len(self._text or "00") * theme().px(14) + 8, theme().px(34))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Tint, digits, dots; an empty outline before."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5)
        if not self._text:
            painter.setPen(QPen(theme().color("border.default"), 1, Qt.PenStyle.DashLine))
            painter.drawRoundedRect(box, 3, 3)
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().color("computed.tint"))
        painter.drawRoundedRect(box, 3, 3)
        font = theme().font("value")
        font.setPixelSize(theme().px(22))
        painter.setFont(font)
        painter.setPen(theme().color("computed.text"))
        painter.drawText(self.rect().adjusted(0, 0, 0, -2), Qt.AlignmentFlag.AlignCenter, self._text)
        dots = QPen(theme().color("computed.line"), 2, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.FlatCap)
        dots.setDashPattern([1, 1])
        painter.setPen(dots)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.drawLine(self.rect().bottomLeft(), self.rect().bottomRight())
