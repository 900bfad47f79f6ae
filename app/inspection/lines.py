"""Which lines belong together: machine block, PTX line and CUDA line.

The compiler's PTX carries `.loc` lines; what a block computes carries the source line it came from. Both are in every record,
so no table of their own is kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from engine.machine.program import Program

_FILE = re.compile(r'^\s*\.file\s+(\d+)\s+"([^"]*)"')
_LOC = re.compile(r"^\s*\.loc\s+(\d+)\s+(\d+)\s+\d+(.*)$")
_NOISE = re.compile(r"^\s*(?:\.loc|\.file|\.section|\.pragma|\.b8|\.b32 \$|\$L__(?:tmp|func)\w*:)")
_INLINED = re.compile(r"@\[ \S*?:(\d+):\d+")
_CODE = re.compile(r"^\s*(?:@!?%\w+\s+)?[a-z][\w.]*[^:]*;")


@dataclass(frozen=True)
class Lines:
    """The connections, lines counted from 1.

    of_block: CUDA lines of each block; of_ptx: CUDA line of each PTX line that has one
    callers: CUDA line -> the lines from which it was inlined, in the same PTX
    """

    of_block: tuple[frozenset[int], ...]
    of_ptx: dict[int, int]
    callers: dict[int, frozenset[int]] = field(default_factory=dict)

    def cuda(self, block: int) -> frozenset[int]:
        """The CUDA lines of a block, with the lines that they were inlined into."""
        lines = self.of_block[block] if 0 <= block < len(self.of_block) else frozenset()
        return lines.union(*(self.callers.get(line, frozenset()) for line in lines))

    def ptx(self, cuda: frozenset[int]) -> frozenset[int]:
        """The PTX lines of CUDA lines."""
        return frozenset(line for line, source in self.of_ptx.items() if source in cuda)

    def source_of(self, ptx: int) -> int | None:
        """The CUDA line of a PTX line."""
        return self.of_ptx.get(ptx)

    def blocks(self, cuda: frozenset[int]) -> frozenset[int]:
        """The blocks that compute something of CUDA lines."""
        return frozenset(number for number, lines in enumerate(self.of_block) if lines & cuda)


def shown_lines(ptx: str) -> list[tuple[int, str]]:
    """The lines of PTX that do something, with their numbers in the whole text: no positions, notes or debug tables."""
    kept: list[tuple[int, str]] = []
    started = False
    for number, text in enumerate(ptx.splitlines(), 1):
        code = text.split("//")[0].rstrip()
        started = started or ".entry" in code or ".func" in code or ".global" in code or ".const" in code
        if started and code.strip() and not _NOISE.match(code):
            kept.append((number, re.sub(r"(?<=\S)[\t ]+", " ", code.replace("\t", "    "))))
    return kept


def connect(program: Program, ptx: str) -> Lines:
    """Read the connections out of a program and its PTX."""
    of_block = tuple(frozenset(o.line for o in block.operations if o.line) for block in program.blocks)
    of_ptx: dict[int, int] = {}
    callers: dict[int, set[int]] = {}
    user = {number for number, name in _files(ptx) if not name.startswith("<")}
    current = 0
    for number, text in enumerate(ptx.splitlines(), 1):
        if (found := _LOC.match(text)) is not None:
            current = int(found[2]) if int(found[1]) in user or not user else 0
            outer = {int(line) for line in _INLINED.findall(found[3])}
            if current and outer:
                callers.setdefault(current, set()).update(outer)
        elif current and _CODE.match(text):
            of_ptx[number] = current
    return Lines(of_block, of_ptx, {line: frozenset(outer) for line, outer in callers.items()})


def _files(ptx: str) -> list[tuple[int, str]]:
    return [(int(found[1]), found[2]) for text in ptx.splitlines() if (found := _FILE.match(text))]
