"""Below the editor: what the compiler made (PTX, machine blocks), and how much of the machine it needs."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QSizePolicy, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from app.inspection.lines import shown_lines
from app.playground.fit import Fit, MachineBlock, Use
from app.ui.inspector.listing import Line, Listing
from app.ui.theme import theme
from app.ui.widgets import Elided, Icon, Label, line

ROW, ACROSS, GAP = 22, 272, 16


class Blocks(QWidget):
    """The machine blocks as cards, in columns."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._blocks: Sequence[MachineBlock] = ()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(self.tr("Machine blocks"))
        theme().changed.connect(self.updateGeometry)

    def show_blocks(self, blocks: Sequence[MachineBlock]) -> None:
        """Show other blocks."""
        self._blocks = blocks
        self.setAccessibleDescription("; ".join(f"block {b.number}: {', '.join(b.operations)}" for b in blocks[:20]))
        self.updateGeometry()
        self.update()

    def _columns(self, width: int) -> int:
        return max(1, (width + GAP) // (theme().px(ACROSS) + GAP))

    def _height(self, block: MachineBlock) -> int:
        return theme().px(24) + theme().px(ROW) * max(1, len(block.operations)) + 8

    def _places(self, width: int) -> list[tuple[QRectF, MachineBlock]]:
        """Each block goes to the next column; rows are as high as their highest block."""
        across = self._columns(width)
        wide = (width - GAP * (across - 1)) / across
        places, top = [], 0
        for first in range(0, len(self._blocks), across):
            row = self._blocks[first : first + across]
            places += [(QRectF(i * (wide + GAP), top, wide, self._height(block)), block) for i, block in enumerate(row)]
            top += max(map(self._height, row)) + 12
        return places

    def hasHeightForWidth(self) -> bool:
        """Columns wrap."""
        return True

    def heightForWidth(self, width: int) -> int:
        """All rows."""
        return round(max((box.bottom() for box, _ in self._places(width)), default=0)) + 8

    def sizeHint(self) -> QSize:
        """Two columns."""
        return QSize(560, self.heightForWidth(max(self.width(), 560)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The blocks in sight."""
        painter = QPainter(self)
        for box, block in self._places(self.width()):
            if box.intersects(QRectF(event.rect())):
                self._block(painter, box, block)

    def _block(self, painter: QPainter, box: QRectF, block: MachineBlock) -> None:
        colors = theme()
        strong = colors.font("small_medium")
        strong.setWeight(strong.Weight.DemiBold)
        painter.setFont(strong)
        painter.setPen(colors.color("text.primary"))
        title = self.tr("Block {number}").format(number=block.number)
        painter.drawText(QRectF(box.left(), box.top(), box.width(), 20), Qt.AlignmentFlag.AlignVCenter, title)
        left = QFontMetricsF(strong).horizontalAdvance(title) + 8
        painter.setFont(colors.font("small"))
        painter.setPen(colors.color("text.tertiary"))
        beside = QRectF(box.left() + left, box.top(), box.width() - left, 20)
        painter.drawText(beside, Qt.AlignmentFlag.AlignVCenter, block.ending)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(colors.color("border.subtle"))
        painter.setBrush(colors.color("bg.raised"))
        frame = QRectF(box.left(), box.top() + theme().px(24), box.width(), box.height() - theme().px(24))
        painter.drawRoundedRect(frame.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.setFont(colors.font("grid"))
        metrics = QFontMetricsF(painter.font())
        for number, text in enumerate(block.operations):
            row = QRectF(frame.left() + 10, frame.top() + 4 + number * theme().px(ROW), frame.width() - 16, theme().px(ROW))
            painter.setPen(colors.color("text.tertiary"))
            painter.drawText(row, Qt.AlignmentFlag.AlignVCenter, str(number))
            painter.setPen(colors.color("text.tertiary" if text == "nop" else "text.primary"))
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, row.width() - 20)
            painter.drawText(row.adjusted(20, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, shown)


class Meter(QWidget):
    """How much of one thing is used: name, numbers, a bar."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._use: Use | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """A line and a bar."""
        return QSize(120, theme().px(26))

    def show_use(self, use: Use) -> None:
        """Show other numbers."""
        self._use = use
        self.setAccessibleName(self.tr("{name}: {used} of {most}").format(name=use.name, used=use.used, most=use.most))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Name at the left, numbers at the right, bar below."""
        if self._use is None:
            return
        painter, line_box = QPainter(self), QRectF(0, 0, self.width(), theme().px(18))
        painter.setFont(theme().font("small"))
        painter.setPen(theme().color("text.secondary"))
        painter.drawText(line_box, Qt.AlignmentFlag.AlignVCenter, self._use.name)
        painter.setFont(theme().font("grid"))
        painter.setPen(theme().color("text.primary"))
        painter.drawText(
            line_box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, f"{self._use.used:,} / {self._use.most:,}"
        )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        bar = QRectF(0, self.height() - 4, self.width(), 3)
        painter.setBrush(theme().color("bg.selected"))
        painter.drawRoundedRect(bar, 1.5, 1.5)
        painter.setBrush(theme().color("accent.fill"))
        bar.setWidth(max(3.0, bar.width() * self._use.used / self._use.most))
        painter.drawRoundedRect(bar, 1.5, 1.5)


class FitBar(QWidget):
    """Whether the kernel fits, and how much of the machine it uses."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 8, 24, 10)
        column.setSpacing(4)
        self._icon, self._title, self._text = (
            Icon("circle-dashed", "text.tertiary", 18),
            Label("", "ui_medium"),
            Elided("", "ui", "text.secondary"),
        )
        row = QHBoxLayout()
        row.setSpacing(8)
        for widget in (self._icon, self._title):
            row.addWidget(widget)
        row.addWidget(self._text, 1)
        column.addLayout(row)
        self._meters = [Meter() for _ in range(4)]
        row = QHBoxLayout()
        row.setSpacing(16)
        for meter in self._meters:
            row.addWidget(meter)
        column.addLayout(row)
        self.show_idle(self.tr("Not compiled yet"))

    def show_idle(self, title: str, text: str = "") -> None:
        """Nothing is known yet."""
        self._say("circle-dashed", "text.tertiary", title, text)

    def show_fit(self, found: Fit) -> None:
        """What lowering says."""
        if found.refusal:
            why = f"{found.refusal}. {found.remedy}".rstrip(". ") + "."
            self._say("circle-x", "error.text", self.tr("It does not fit"), why)
        else:
            self._say("circle-check", "success.text", self.tr("It fits"), "")
        for meter, use in zip(self._meters, found.uses, strict=False):
            meter.show_use(use)
        for meter in self._meters:
            meter.setVisible(bool(found.uses))

    def show_error(self, title: str, text: str) -> None:
        """The compiler refused it."""
        self._say("circle-x", "error.text", title, text)
        for meter in self._meters:
            meter.hide()

    def _say(self, icon_name: str, color: str, title: str, text: str) -> None:
        self._icon.set_icon(icon_name, color)
        self._title.setText(title)
        self._text.setText(text)
        self.setAccessibleName(f"{title}. {text}")


class CompiledView(QWidget):
    """The tabs PTX and machine blocks, and the fit bar."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tabs = QTabBar()
        self._tabs.setDrawBase(False)
        self._tabs.setExpanding(False)
        self._tabs.addTab(self.tr("Machine blocks"))
        self._tabs.addTab(self.tr("PTX"))
        self._tabs.setAccessibleName(self.tr("What the compiler made"))
        self._blocks, self._ptx, self.fit = Blocks(), Listing(self.tr("PTX")), FitBar()
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget()
        inside.setProperty("transparent", True)
        box = QVBoxLayout(inside)
        box.setContentsMargins(24, 12, 24, 8)
        box.addWidget(self._blocks)
        box.addStretch(1)
        scroll.setWidget(inside)
        pages = QStackedWidget()
        pages.addWidget(scroll)
        pages.addWidget(self._ptx)
        self._tabs.currentChanged.connect(pages.setCurrentIndex)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        row = QHBoxLayout()
        row.setContentsMargins(14, 0, 14, 0)
        row.addWidget(self._tabs)
        row.addStretch(1)
        column.addLayout(row)
        column.addWidget(line())
        column.addWidget(pages, 1)
        column.addWidget(line())
        column.addWidget(self.fit)

    def show_compiled(self, ptx: str, found: Fit) -> None:
        """Show what was made."""
        self._ptx.show_lines([Line(str(row), text) for row, (_, text) in enumerate(shown_lines(ptx), 1)])
        self._blocks.show_blocks(found.blocks)
        self.fit.show_fit(found)

    def show_error(self, title: str, text: str) -> None:
        """There is nothing to show."""
        self._ptx.show_lines([])
        self._blocks.show_blocks(())
        self.fit.show_error(title, text)
