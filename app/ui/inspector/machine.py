"""The Machine tab: layers, block and lanes, registers, memory, for the token that is shown."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QMenu, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from app.inspection.arrays import array_at, label_of
from app.inspection.finding import Query
from app.inspection.layers import activity
from app.inspection.picture import (
    ROW,
    LaneLine,
    OperationLine,
    Standing,
    block_lines,
    lane_lines,
    lane_of,
    memory_rows,
    register_caption,
    warps,
    word_caption,
)
from app.inspection.timeline import Moment
from app.ui.inspector.grid import Cell, CellGrid, Row, Span
from app.ui.inspector.layers import LayersPicture
from app.ui.inspector.player import Player
from app.ui.language import shown
from app.ui.theme import theme
from app.ui.widgets import Elided, Label
from engine.machine.instructions import signed
from engine.machine.spec import SPEC

RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
LINE = 24
"""Height of a line in the block and lane cards."""


class Strong(Label):
    """A section's name."""

    def restyle(self) -> None:
        """The small style, heavier."""
        super().restyle()
        font = theme().font("small_medium")
        font.setWeight(font.Weight.DemiBold)
        self.setFont(font)


class Heading(QWidget):
    """A section's name, and a caption at the right."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        self.title, self.caption = Strong(text, "small_medium"), Elided("", "small", "text.tertiary")
        self.caption.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.title)
        row.addWidget(self.caption, 1)


class BlockCard(QWidget):
    """The running block: an operation a line, with its value in the chosen lane."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: list[OperationLine] = []
        self._empty = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Four operations and the end."""
        return QSize(300, theme().px(5 * LINE + 2))

    def show_lines(self, lines: list[OperationLine], empty: str) -> None:
        """Show a block; `empty` is said where none runs."""
        self._lines, self._empty = lines, empty
        self.setAccessibleName("\n".join(f"{line.stage} {line.text} {line.value}" for line in lines) or empty)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A card with lines."""
        painter = QPainter(self)
        height = card(painter, self.rect(), theme().px(4 * LINE))
        if not self._lines:
            painter.setFont(theme().font("small"))
            painter.setPen(theme().color("text.tertiary"))
            painter.drawText(
                self.rect().adjusted(14, 0, -14, 0), Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap, self._empty
            )
            return
        font = theme().font("grid")
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        one = sum(line.current for line in self._lines) == 1
        for number, line in enumerate(self._lines):
            box = QRectF(1, 1 + number * height, self.width() - 2, height)
            if line.current and one:
                painter.fillRect(box, theme().color("computed.tint"))
                painter.fillRect(QRectF(1, box.top(), 4, height), theme().color("computed.line"))
            width = metrics.horizontalAdvance(line.value)
            painter.setPen(theme().color("text.tertiary"))
            painter.drawText(box.adjusted(13, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, line.stage)
            painter.setPen(theme().color("text.tertiary" if line.dim else "text.primary"))
            room = box.adjusted(34, 0, -width - 24, 0)
            painter.drawText(
                room, Qt.AlignmentFlag.AlignVCenter, metrics.elidedText(line.text, Qt.TextElideMode.ElideRight, room.width())
            )
            painter.setPen(theme().color("computed.text" if line.current and one else "text.primary"))
            painter.drawText(box.adjusted(0, 0, -12, 0), RIGHT, line.value)


class LanesCard(QWidget):
    """The four lanes of the warp, the mask, and how every warp stands. `chosen(lane)` when one is clicked."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: list[LaneLine] = []
        self._warps: list[Standing] = []
        self._mask = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Four lanes and the mask."""
        return QSize(220, theme().px(5 * LINE + 2))

    def show_lines(self, lines: list[LaneLine], mask: str, standing: list[Standing]) -> None:
        """Show the lanes of a moment."""
        self._lines, self._mask, self._warps = lines, mask, standing
        self.setAccessibleName(
            "\n".join(
                [
                    *(f"{shown(line.name)}: {shown(line.state)}" for line in lines),
                    *(f"warp {i} {w.value}" for i, w in enumerate(standing)),
                ]
            )
        )
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the lane whose values are shown."""
        lane = int((event.position().y() - 1) // theme().px(LINE))
        if 0 <= lane < len(self._lines):
            self.chosen.emit(lane)

    def paintEvent(self, event: QPaintEvent) -> None:
        """A card with lanes."""
        painter = QPainter(self)
        height = card(painter, self.rect(), theme().px(4 * LINE))
        colors, side = theme(), theme().px(12)
        painter.setFont(theme().font("grid"))
        letter = QFontMetricsF(painter.font()).horizontalAdvance("0")
        for number, line in enumerate(self._lines):
            box = QRectF(1, 1 + number * height, self.width() - 2, height)
            if line.current:
                painter.fillRect(box, colors.color("computed.tint"))
            square = QRectF(13, box.center().y() - side / 2, side, side)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(colors.color("computed.fill" if line.active else "border.control"), 1.25))
            painter.setBrush(colors.color("computed.fill") if line.active else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(square, 2, 2)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            ink = "computed.text" if line.current else "text.primary" if line.active else "text.tertiary"
            painter.setPen(colors.color(ink))
            left = square.right() + 10
            painter.drawText(QRectF(left, box.top(), 8 * letter, height), Qt.AlignmentFlag.AlignVCenter, shown(line.name))
            painter.drawText(
                QRectF(left + 7.5 * letter, box.top(), 12 * letter, height), Qt.AlignmentFlag.AlignVCenter, shown(line.state)
            )
            painter.drawText(box.adjusted(0, 0, -12, 0), RIGHT, shown(line.detail))
        last = QRectF(1, 1 + 4 * height, self.width() - 2, height)
        painter.setPen(colors.color("text.secondary"))
        mask = self.tr("mask {mask}").format(mask=self._mask)
        painter.drawText(last.adjusted(12, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, mask)
        self._standings(painter, last)

    def _standings(self, painter: QPainter, box: QRectF) -> None:
        """A small square for every warp, at the right."""
        side, gap = theme().px(8), 3
        left = box.right() - 12 - len(self._warps) * (side + gap) + gap
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for number, standing in enumerate(self._warps):
            square = QRectF(left + number * (side + gap), box.center().y() - side / 2, side, side)
            edge, fill = {
                Standing.CURRENT: ("computed.fill", "computed.fill"),
                Standing.READY: ("border.control", None),
                Standing.WAITS: ("accent.text", "accent.tint"),
                Standing.DONE: ("layer.base", "layer.base"),
            }[standing]
            painter.setPen(QPen(theme().color(edge), 1))
            painter.setBrush(theme().color(fill) if fill else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(square, 1.5, 1.5)
        if self._warps:
            painter.setPen(theme().color("text.tertiary"))
            painter.drawText(QRectF(0, box.top(), left - 6, box.height()), RIGHT, self.tr("warps"))


def card(painter: QPainter, rect: QRect, divider: int) -> float:
    """Paint a card with a line above its last row; returns the height of a row."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme().color("border.subtle"), 1))
    painter.setBrush(theme().color("bg.raised"))
    painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.drawLine(1, divider + 1, round(rect.width()) - 2, divider + 1)
    return theme().px(LINE)


class Legend(QWidget):
    """What the cells' looks mean."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries = (
            (Cell("", read=True), self.tr("read")),
            (Cell("", changed=True), self.tr("changed by this token")),
            (Cell("", faint=True), self.tr("belongs to no array: access is a fault")),
        )
        self.setAccessibleName(self.tr("Legend"))

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(300, theme().px(20))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Sample cells with their meanings."""
        painter, left = QPainter(self), 0.0
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = theme().font("small")
        for cell, text in self._entries:
            box = QRectF(left + 0.75, self.height() / 2 - 6, 16, 12)
            edge = "accent.text" if cell.read else "computed.line" if cell.changed else "border.default"
            painter.setPen(QPen(theme().color(edge), 1.5 if not cell.faint else 1))
            painter.setBrush(theme().color("computed.tint") if cell.changed else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box, 2, 2)
            painter.setPen(theme().color("text.tertiary"))
            painter.setFont(font)
            painter.drawText(QRectF(left + 23, 0, 400, self.height()), Qt.AlignmentFlag.AlignVCenter, text)
            left += 23 + QFontMetricsF(font).horizontalAdvance(text) + 18


class MachineView(QScrollArea):
    """All of it, scrolling. `breakpoint_asked(Query)`, `search_asked(Query, direction)` come from the cells' menus."""

    breakpoint_asked = Signal(object)
    search_asked = Signal(object, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._player: Player | None = None
        self._moment: Moment | None = None
        self._lane: int | None = None
        self._bases: list[int] = []
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        page = QWidget()
        page.setProperty("transparent", True)
        self._layers_head, self._block_head = Heading(self.tr("Layers")), Heading(self.tr("No block"))
        self._lanes_head, self._registers_head = Heading(self.tr("Lanes")), Heading(self.tr("Registers"))
        self._memory_head = Heading(self.tr("Memory, words"))
        self._layers, self._block, self._lanes = LayersPicture(), BlockCard(), LanesCard()
        self._registers = CellGrid(self.tr("Registers"), [f"r{n}" for n in range(SPEC.registers)])
        self._memory = CellGrid(self.tr("Memory"), [f"+{n}" for n in range(ROW)])
        self._fill(page)
        self.setWidget(page)
        self._lanes.chosen.connect(self._choose_lane)
        self._registers.selected.connect(self._caption_register)
        self._memory.selected.connect(self._caption_word)
        self._registers.asked.connect(self._register_menu)
        self._memory.asked.connect(self._memory_menu)

    def _fill(self, page: QWidget) -> None:
        column = QVBoxLayout(page)
        column.setContentsMargins(16, 8, 16, 4)
        column.setSpacing(4)
        column.addWidget(self._layers_head)
        column.addWidget(self._layers)
        column.addSpacing(6)
        pair = QHBoxLayout()
        pair.setSpacing(12)
        for head, shown_card, stretch in ((self._block_head, self._block, 379), (self._lanes_head, self._lanes, 264)):
            part = QVBoxLayout()
            part.setSpacing(4)
            part.addWidget(head)
            part.addWidget(shown_card)
            pair.addLayout(part, stretch)
        column.addLayout(pair)
        column.addSpacing(6)
        column.addWidget(self._registers_head)
        column.addWidget(self._registers)
        column.addSpacing(4)
        column.addWidget(self._memory_head)
        column.addWidget(self._memory)
        column.addWidget(Legend())
        column.addStretch(1)

    def show_player(self, player: Player) -> None:
        """Follow another launch."""
        self._player = player
        self._bases = memory_rows(player.launch, SPEC.words)
        self._registers.chosen = self._memory.chosen = None

    def show_moment(self, moment: Moment) -> None:
        """Show the machine behind a token."""
        self._moment = moment
        self._lane = lane_of(moment)
        self._refresh()

    def _choose_lane(self, lane: int) -> None:
        self._lane = lane
        self._refresh()

    def _refresh(self) -> None:
        moment, player = self._moment, self._player
        if moment is None or player is None:
            return
        following = player.timeline.tokens[moment.index + 1 : moment.index + 2]
        answers = following and moment.index + 1 >= player.timeline.host
        doing = activity(moment, following[0] if answers else None)
        self._layers.show_activity(doing)
        self._layers_head.caption.setText(shown(doing.summary))
        self._refresh_block(moment, player)
        self._refresh_lanes(moment)
        self._registers.show_rows(self._register_rows(moment))
        self._memory.show_rows(self._memory_rows(moment, player))
        self._captions(moment)

    def _refresh_block(self, moment: Moment, player: Player) -> None:
        block = moment.block
        lines = sorted({o.line for o in block.operations if o.line}) if block else []
        name = f"{player.launch.record.function}.cu"
        where = self.tr(" · {name} line {line}").format(name=name, line=", ".join(map(str, lines))) if lines else ""
        running = self.tr("Block {block}{where}").format(block=moment.machine.block, where=where)
        self._block_head.title.setText(running if block else self.tr("No block"))
        self._block_head.caption.setText(
            self.tr("value in lane {lane}").format(lane=self._lane) if block and self._lane is not None else ""
        )
        self._block.show_lines(
            block_lines(moment, player.launch.arrays, self._lane),
            self.tr("The host is writing. No block runs yet.")
            if moment.source == "host"
            else self.tr("No block runs at this token."),
        )

    def _refresh_lanes(self, moment: Moment) -> None:
        machine = moment.machine
        standing = warps(moment) if machine.threads else []
        self._lanes_head.caption.setText(
            self.tr("warp {warp} of {count}").format(warp=machine.warp, count=len(standing)) if standing else ""
        )
        mask = "".join("1" if machine.mask >> j & 1 else "0" for j in range(machine.spec.lanes))
        self._lanes.show_lines(lane_lines(moment), mask, standing)

    def _register_rows(self, moment: Moment) -> list[Row]:
        machine = moment.machine
        warp, current = machine.registers[machine.warp], lane_of(moment)
        changed = {
            (c.place[2], c.place[3])
            for c in moment.changes
            if c.place[0] == "register" and (c.before != c.after or c.place[3] == current)
        }
        read = moment.registers_read() if moment.running else frozenset()
        rows = []
        for lane in range(machine.spec.lanes):
            exists = machine.warp * machine.spec.lanes + lane < machine.threads
            cells = [
                Cell(
                    str(signed(word)) if word or (number, lane) in changed else "·" if exists else "",
                    (number, lane) in changed,
                    (number, lane) in read,
                    not exists,
                    not word,
                )
                for number, word in enumerate(warp[r][lane] for r in range(machine.spec.registers))
            ]
            rows.append(Row(self.tr("lane {lane}").format(lane=lane), cells, (), lane == self._lane and moment.running))
        return rows

    def _memory_rows(self, moment: Moment, player: Player) -> list[Row]:
        memory, arrays = moment.machine.memory, player.launch.arrays
        changed = {c.place[1] for c in moment.changes if c.place[0] == "memory"}
        read = moment.words_read()
        rows = []
        for base in self._bases:
            cells = []
            for address in range(base, base + ROW):
                array = array_at(arrays, address)
                text = array.show(memory[address]) if array else str(memory[address]) if memory[address] else ""
                cells.append(Cell(text, address in changed, address in read, array is None, not memory[address]))
            spans = [
                Span(array.base - base, min(array.base + array.words, base + ROW) - array.base, array.name)
                for array in arrays
                if base <= array.base < base + ROW
            ]
            rows.append(Row(str(base), cells, spans))
        return rows

    # ------------------------------------------------------------ the chosen cell
    def _captions(self, moment: Moment) -> None:
        place = self._registers.chosen
        if not (place and self._registers.hasFocus()):
            written = [c for c in moment.changes if c.place[0] == "register" and c.place[3] == self._lane]
            read = sorted((lane, number) for number, lane in moment.registers_read() if lane == self._lane)
            place = (self._lane or 0, int(written[0].place[2])) if written else read[0] if read else place
        self._registers_head.caption.setText("")
        if place:
            self._caption_register(*place)
        address = next((int(c.place[1]) for c in moment.changes if c.place[0] == "memory"), None)
        if self._memory.chosen and (self._memory.hasFocus() or address is None):
            self._caption_word(*self._memory.chosen)
        else:
            assert self._player is not None
            self._memory_head.caption.setText(
                shown(word_caption(moment, self._player.launch.arrays, address)) if address is not None else ""
            )

    def _caption_register(self, lane: int, register: int) -> None:
        if self._moment:
            text = shown(register_caption(self._moment, lane, register))
            self._registers_head.caption.setText(text)
            self._registers.describe(text)

    def _caption_word(self, row: int, column: int) -> None:
        if self._moment and self._player and row < len(self._bases):
            text = shown(word_caption(self._moment, self._player.launch.arrays, self._bases[row] + column))
            self._memory_head.caption.setText(text)
            self._memory.describe(text)

    def _register_menu(self, lane: int, register: int, where: QPoint) -> None:
        self._menu(Query(f"r{register}", ("register", register)), where)

    def _memory_menu(self, row: int, column: int, where: QPoint) -> None:
        assert self._player is not None
        address = self._bases[row] + column
        self._menu(Query(label_of(self._player.launch.arrays, address), ("memory", address)), where)

    def _menu(self, query: Query, where: QPoint) -> None:
        assert self._player is not None
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        wrote = self.tr("Go to the token that wrote {name}").format(name=query.text)
        menu.addAction(wrote, partial(self.search_asked.emit, query, -1))
        menu.addAction(self.tr("Go to the next token that writes it"), partial(self.search_asked.emit, query, 1))
        menu.addSeparator()
        on = query.place in self._player.breakpoints
        menu.addAction(
            self.tr("Do not stop there any more") if on else self.tr("Stop whenever it is written"),
            partial(self.breakpoint_asked.emit, query),
        )
        menu.popup(where)
