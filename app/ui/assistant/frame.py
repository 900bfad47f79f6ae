"""The assistant's frame: the list of steps at the left, a page with title, lead and footer at the right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from app.assistant.model import Action, Offer
from app.texts import translate
from app.ui.assistant.offers import OfferRow
from app.ui.theme import paint_icon, theme
from app.ui.widgets import Button, Card, Elided, Label, Paragraph, line

COLUMN = 760
"""Width of the text column, in px at a text size of 100 %."""
NARROW = 1000
"""Below this width of the window the list of steps is numbers only."""
LEAVING = (Action.COPY_DETAILS, Action.CANCEL, Action.DISCARD, Action.LOG, Action.STEP_THROUGH)
"""What stands at the left of a footer: ways out and ways to look closer."""
QUIET_PADDING = 12
"""What a button without an edge keeps free at its sides; its text stands where the column begins."""
Mark = Literal["todo", "current", "done"]


class Column(QWidget):
    """A column of at most `COLUMN` px in the middle of whatever there is. outdent: px that it reaches further at both sides."""

    MARGIN = 32

    def __init__(self, outdent: int = 0, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._holder, self._outdent = QWidget(), outdent
        self.body = QVBoxLayout(self._holder)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(0)
        row = QHBoxLayout(self)
        row.setContentsMargins(self.MARGIN - outdent, 0, self.MARGIN - outdent, 0)
        row.setSpacing(0)
        row.addStretch(1)
        row.addWidget(self._holder, 1000)
        row.addStretch(1)
        theme().changed.connect(self._widen)
        self._widen()

    def _widen(self) -> None:
        self._holder.setMaximumWidth(theme().px(COLUMN) + 2 * self._outdent)


class StepNumber(QWidget):
    """The number of a step in a circle; a tick when it is done."""

    def __init__(self, number: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._number, self._mark = number, "todo"
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.updateGeometry)

    def set_mark(self, mark: Mark) -> None:
        """Show another state."""
        self._mark = mark
        self.update()

    def sizeHint(self) -> QSize:
        """A square."""
        return QSize(theme().px(24), theme().px(24))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Circle and number, or circle and tick."""
        fill, edge, ink = {
            "todo": (None, "border.control", "text.secondary"),
            "current": ("accent.fill", "accent.fill", "accent.on"),
            "done": ("success.tint", "success.fill", "success.text"),
        }[self._mark]
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme().color(edge), 1.5))
        painter.setBrush(theme().color(fill) if fill else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(QRectF(self.rect()).adjusted(0.75, 0.75, -0.75, -0.75))
        if self._mark == "done":
            side = theme().px(14)
            paint_icon(painter, "check", ink, (self.width() - side) / 2, (self.height() - side) / 2, side)
            return
        font = theme().font("small_medium")
        font.setWeight(font.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(theme().color(ink))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, str(self._number))


class StepItem(QFrame):
    """A step in the list: number, name, a few words on how it stands. Not a button: the way leads through the pages."""

    def __init__(self, number: int, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.number, self.name, self.detail = StepNumber(number), Label(name), Elided("", "small", "text.tertiary")
        self._mark: Mark = "todo"
        column = QVBoxLayout()
        column.setSpacing(1)
        column.addWidget(self.name)
        column.addWidget(self.detail)
        self._row = QHBoxLayout(self)
        self._row.setSpacing(12)
        self._row.addWidget(self.number, 0, Qt.AlignmentFlag.AlignTop)
        self._row.addLayout(column, 1)
        self.set_narrow(False)
        theme().changed.connect(self.update)

    def set_narrow(self, narrow: bool) -> None:
        """Only the number, or everything."""
        self.name.setVisible(not narrow)
        self.detail.setVisible(not narrow)
        self._row.setContentsMargins(*((12, 8, 12, 8) if narrow else (12, 10, 12, 10)))
        self.setToolTip(f"{self.name.text()}\n{self.detail.text()}" if narrow else "")

    def show_mark(self, mark: Mark, detail: str) -> None:
        """Show how the step stands."""
        self._mark = mark
        self.number.set_mark(mark)
        self.detail.setText(detail)
        self.name.set_style("ui_medium" if mark != "todo" else "ui")
        self.name.set_color("text.secondary" if mark == "todo" else "text.primary")
        said = {"todo": self.tr("to do"), "current": self.tr("current step"), "done": self.tr("done")}[mark]
        self.setAccessibleName(f"{self.name.text()}: {said}. {detail}")
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The current step stands on a tint."""
        if self._mark == "current":
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme().color("bg.selected"))
            painter.drawRoundedRect(self.rect(), 6, 6)


class Brand(QWidget):
    """The mark: four bars, one of them amber."""

    BARS = ((1, 6, 8), (6, 1, 18), (11, 3, 14), (16, 7, 6))
    """Left, top, height on a grid of 20."""

    def __init__(self, side: int = 20, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedSize(side, side)
        theme().changed.connect(self.update)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The bars."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(self.width() / 20, self.height() / 20)
        painter.setPen(Qt.PenStyle.NoPen)
        for index, (left, top, height) in enumerate(self.BARS):
            painter.setBrush(theme().color("computed.fill" if index == 1 else "text.primary"))
            painter.drawRoundedRect(QRectF(QPointF(left, top), QPointF(left + 3, top + height)), 1, 1)


class StepList(QWidget):
    """All steps, and the way out to the small model. `small_model` when the user takes it."""

    WIDE, SLIM = 280, 64
    small_model = Signal()

    def __init__(self, names: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("surface", "sidebar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.items = [StepItem(number, name) for number, name in enumerate(names, 1)]
        self._title, self._subtitle = Label("qwenGPU", "ui_medium"), Label(self.tr("Set-up"), "small", "text.tertiary")
        self._brand = QHBoxLayout()
        self._brand.setSpacing(8)
        self._brand.addWidget(Brand())
        for label in (self._title, self._subtitle):
            self._brand.addWidget(label)
        self._brand.addStretch(1)
        self._try = self._offer()
        self._column = QVBoxLayout(self)
        self._column.setSpacing(0)
        self._column.addLayout(self._brand)
        for item in self.items:
            self._column.addWidget(item)
        self._column.addStretch(1)
        self._column.addWidget(self._try)
        theme().changed.connect(self._restyle)
        self.set_narrow(False)

    def _restyle(self) -> None:
        self.set_narrow(self._narrow)

    def set_narrow(self, narrow: bool) -> None:
        """Numbers only, or everything."""
        self._narrow = narrow
        self.setFixedWidth(self.SLIM if narrow else theme().px(self.WIDE))
        self._column.setContentsMargins(*((8, 16, 8, 16) if narrow else (16, 24, 16, 16)))
        self._brand.setContentsMargins(*((14, 0, 0, 22) if narrow else (12, 0, 12, 24)))
        for label in (self._title, self._subtitle):
            label.setVisible(not narrow)
        for item in self.items:
            item.set_narrow(narrow)
        self._try.setVisible(not narrow)

    def offer_small_model(self, offered: bool) -> None:
        """Whether there is a reason to leave for the small model."""
        self._try.setEnabled(offered)

    def _offer(self) -> Card:
        card = Card(12, 4)
        card.body.addWidget(Label(self.tr("Try it now"), "ui_medium"))
        card.body.addWidget(
            Paragraph(
                self.tr("The small built-in model needs no download. It computes exactly too, but it writes less well."),
                "small",
                "text.secondary",
            )
        )
        button = Button(self.tr("Open the small model"), icon_name="play", size="small")
        button.clicked.connect(self.small_model)
        card.body.addSpacing(6)
        card.body.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        return card


class StepPage(QWidget):
    """One step: title, lead, `content`, and a footer: what leaves or looks closer at the left, what goes on at the right."""

    TOP, TOP_NARROW = 40, 24
    acted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.number, self.title = Label("", "label", "text.tertiary"), Label("", "display")
        self.lead = Paragraph("", "body", "text.secondary")
        self.footer = Footer()
        for offers in (self.footer.leaving, self.footer.going):
            offers.acted.connect(self.acted)
        column = Column()
        self._body = column.body
        self._body.setContentsMargins(0, self.TOP, 0, 24)
        for widget, space in ((self.number, 4), (self.title, 8), (self.lead, 24)):
            column.body.addWidget(widget)
            column.body.addSpacing(space)
        self.content = QVBoxLayout()
        self.content.setSpacing(16)
        column.body.addLayout(self.content)
        column.body.addStretch(1)
        column.setProperty("transparent", True)
        self.scroller = QScrollArea()
        self.scroller.setWidgetResizable(True)
        self.scroller.setFrameShape(QFrame.Shape.NoFrame)
        self.scroller.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroller.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroller.setWidget(column)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self.scroller, 1)
        outer.addWidget(line())
        outer.addWidget(self.footer)

    def show_head(self, step: int, steps: int, title: str, lead: str) -> None:
        """Say which step this is."""
        self.number.setText(self.tr("Step {number} of {count}").format(number=step, count=steps))
        self.title.setText(title)
        self.lead.setText(lead)
        self.setAccessibleName(title)

    def show_footer(self, offers: Sequence[Offer], narrow: bool) -> None:
        """Show these buttons; without the list of steps the way to the small model is among them."""
        self._body.setContentsMargins(0, self.TOP_NARROW if narrow else self.TOP, 0, 24)
        leaving = [offer for offer in offers if offer.action in LEAVING]
        if narrow:
            leaving.insert(0, Offer(Action.TRY_SMALL, translate("Assistant", "Try the small model")))
        self.footer.show_offers(leaving, [offer for offer in offers if offer.action not in (*LEAVING, Action.TRY_SMALL)])


class Footer(Column):
    """The buttons of a page: in one row, or in two where one is too short."""

    HEIGHT = 72

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(QUIET_PADDING, parent)
        self.leaving, self.going = OfferRow("quiet"), OfferRow()
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row.setSpacing(8)
        self._row.setContentsMargins(0, 0, QUIET_PADDING, 0)
        self._row.addWidget(self.leaving)
        self._row.addStretch(1)
        self._row.addWidget(self.going)
        self.body.addStretch(1)
        self.body.addLayout(self._row)
        self.body.addStretch(1)
        self.setMinimumHeight(self.HEIGHT)

    def show_offers(self, leaving: Sequence[Offer], going: Sequence[Offer]) -> None:
        """Show these at the left and at the right."""
        self.leaving.show_offers(leaving)
        self.going.show_offers(going)
        self._fold(self.width())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width may need another number of rows."""
        super().resizeEvent(event)
        self._fold(event.size().width())

    def _fold(self, width: int) -> None:
        needed = self.leaving.sizeHint().width() + self.going.sizeHint().width() + 2 * self.MARGIN
        below = needed > width and not self.leaving.isHidden()
        self._row.setDirection(QBoxLayout.Direction.TopToBottom if below else QBoxLayout.Direction.LeftToRight)
        self._row.setAlignment(self.going, Qt.AlignmentFlag.AlignRight if below else Qt.AlignmentFlag(0))
        self.setMinimumHeight(self.HEIGHT + (40 if below else 0))


class AssistantFrame(QWidget):
    """The list of steps beside the page of the current one.

    acted(Action): whatever the user asks for; narrowed: there is room for more or for less than before, see `narrow`
    """

    acted = Signal(object)
    narrowed = Signal()

    def __init__(self, names: Sequence[str], pages: Sequence[StepPage], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("assistant")
        self.setProperty("surface", "canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.steps, self.pages, self.narrow = StepList(names), tuple(pages), False
        self.steps.small_model.connect(lambda: self.acted.emit(Action.TRY_SMALL))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.steps)
        row.addWidget(line(vertical=True))
        for page in self.pages:
            page.hide()
            page.acted.connect(self.acted)
            row.addWidget(page, 1)

    def show_page(self, index: int) -> None:
        """Show a step's page, from 0."""
        for number, page in enumerate(self.pages):
            page.setVisible(number == index)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow window has only numbers at the left."""
        super().resizeEvent(event)
        narrow = event.size().width() < NARROW
        if narrow != self.narrow:
            self.narrow = narrow
            self.steps.set_narrow(narrow)
            self.narrowed.emit()
