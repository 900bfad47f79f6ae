"""The Kernel tab: CUDA, PTX and machine blocks; the lines of the present token are marked in all three."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from app.inspection.finding import Query
from app.inspection.lines import Lines, connect, shown_lines
from app.inspection.listing import block_text, ending_text
from app.inspection.records import Launch
from app.inspection.timeline import Moment
from app.ui.inspector.listing import Line, ListingFrame
from app.ui.inspector.player import Player
from app.ui.widgets import Elided
from engine.machine.spec import SPEC


class KernelView(QWidget):
    """Selecting a line finds it in the other two. `search_asked(Query, direction)`: selecting a block's name goes there."""

    search_asked = Signal(object, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: Lines | None = None
        self._player: Player | None = None
        self._places: list[tuple[int, int]] = []
        self._ptx_rows: dict[int, int] = {}
        self._cuda, self._ptx = ListingFrame(self.tr("CUDA")), ListingFrame(self.tr("PTX"))
        self._blocks = ListingFrame(self.tr("Machine blocks"))
        grid = QGridLayout()
        grid.setSpacing(12)
        grid.addWidget(self._cuda, 0, 0, 1, 2)
        grid.addWidget(self._ptx, 1, 0)
        grid.addWidget(self._blocks, 1, 1)
        grid.setRowStretch(0, 4)
        grid.setRowStretch(1, 6)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 8)
        column.setSpacing(8)
        column.addLayout(grid, 1)
        column.addWidget(
            Elided(
                self.tr(
                    "The marked lines belong together; PTX follows its CUDA line. Select a line to find it in the other two."
                ),
                "small",
                "text.tertiary",
            )
        )
        self._cuda.listing.picked.connect(lambda index: self._show_source(frozenset({index + 1})))
        self._ptx.listing.picked.connect(self._picked_ptx)
        self._blocks.listing.picked.connect(self._picked_block)

    def show_player(self, player: Player) -> None:
        """Show another launch's code."""
        launch, self._player = player.launch, player
        record = launch.record
        self._lines = connect(launch.program, record.ptx)
        self._cuda.show_lines(
            self.tr("CUDA · {name}.cu").format(name=record.function), record.compiler, _numbered(record.cuda), "cuda"
        )
        ptx = shown_lines(record.ptx)
        self._ptx_rows = {number: row for row, (number, _) in enumerate(ptx)}
        self._ptx.show_lines(
            self.tr("PTX"),
            self.tr("{count} lines").format(count=len(ptx)),
            [Line(str(row), text) for row, (_, text) in enumerate(ptx, 1)],
        )
        lines = self._block_lines(launch)
        self._blocks.show_lines(
            self.tr("Machine blocks"),
            self.tr("{count} of {most}").format(count=len(launch.program.blocks), most=SPEC.blocks),
            lines,
        )
        player.breakpoints_changed.connect(self._show_stops)
        start = next((i for i, text in enumerate(record.cuda.splitlines()) if "__global__" in text), 0)
        self._cuda.listing.reveal(start, start)

    def show_moment(self, moment: Moment) -> None:
        """Mark the lines of a token's block."""
        if self._lines is None:
            return
        if not moment.running:
            for frame in (self._cuda, self._ptx, self._blocks):
                frame.listing.mark(())
            return
        number = moment.machine.block
        own = self._lines.of_block[number]
        self._mark_source(own, self._lines.cuda(number) - own)
        self._blocks.listing.mark([i for i, (block, stage) in enumerate(self._places) if block == number and stage >= 0])

    def _show_source(self, cuda: frozenset[int]) -> None:
        assert self._lines is not None
        self._mark_source(cuda, frozenset())
        blocks = self._lines.blocks(cuda)
        self._blocks.listing.mark(
            [
                i
                for i, (block, stage) in enumerate(self._places)
                if stage >= 0 and block in blocks and self._line_of(block, stage) in cuda
            ]
        )

    def _mark_source(self, cuda: frozenset[int], callers: frozenset[int]) -> None:
        assert self._lines is not None
        self._cuda.listing.mark([number - 1 for number in cuda], [number - 1 for number in callers])
        self._ptx.listing.mark([self._ptx_rows[number] for number in self._lines.ptx(cuda) if number in self._ptx_rows])

    def _picked_ptx(self, index: int) -> None:
        number = next((number for number, row in self._ptx_rows.items() if row == index), 0)
        source = self._lines.source_of(number) if self._lines else None
        if source:
            self._show_source(frozenset({source}))

    def _picked_block(self, index: int) -> None:
        block, stage = self._places[index]
        if stage == HEADING:
            self.search_asked.emit(Query(f"block {block}", ("block", block)), 1)
            return
        source = self._line_of(block, stage)
        if source:
            self._show_source(frozenset({source}))

    def _line_of(self, block: int, stage: int) -> int | None:
        assert self._player is not None
        operations = self._player.launch.program.blocks[block].operations
        return operations[stage].line if 0 <= stage < len(operations) else None

    def _block_lines(self, launch: Launch) -> list[Line]:
        lines, self._places = [], []
        for number, block in enumerate(launch.program.blocks):
            lines.append(Line("", self.tr("block {number}").format(number=number), heading=True))
            self._places.append((number, HEADING))
            for stage, text in enumerate(block_text(block, launch.arrays)):
                lines.append(Line(str(stage), text, quiet=text == "nop"))
                self._places.append((number, stage))
            lines.append(Line("▸", ending_text(block), quiet=True))
            self._places.append((number, ENDING))
        return lines

    def _show_stops(self) -> None:
        assert self._player is not None
        stops = {int(place[1]) for place in self._player.breakpoints if place[0] == "block"}
        self._blocks.listing.show_stops(
            [i for i, (block, stage) in enumerate(self._places) if stage == HEADING and block in stops]
        )


HEADING, ENDING = -1, -2
"""In place of a stage: the line with the block's number, the line with its end."""


def _numbered(text: str) -> list[Line]:
    return [Line(str(number), each) for number, each in enumerate(text.splitlines(), 1)]
