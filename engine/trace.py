"""Traces: what every token of a launch was and did, as the token stream itself tells it; one JSON object a line.

`Follower` reads the stream alone: it knows the tokens and the program, and shares nothing with the reference interpreter, so
that records, outputs and inspector never come from the judge.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal, Protocol

from .machine.errors import InputError
from .machine.program import Program
from .machine.spec import BYTES_PER_WORD, SPEC, MachineSpec
from .machine.tokens import ALL_LANES, Token

STORED: Final = 3
"""The result as which a stored word, and every host record, travels."""
COMMITS: Final = frozenset(("MEM1", "MEMV", "PROG", "TAGROW"))
"""Tokens after which the next VAL begins a new record."""

Source = Literal["host", "model"]
Write = tuple[str | int, ...]
"""("memory", address, word) or ("register", warp, register, lane, word)."""


@dataclass(frozen=True)
class Line:
    """One token of a launch.

    i: place in the stream, prompt included. id: the token's id in the checkpoint. token: its name.
    block, warp, mask: the running block, hardware warp and lanes, None while nothing runs. writes: what it changed.
    """

    i: int
    id: int
    token: str
    source: Source
    block: int | None
    warp: int | None
    mask: int | None
    writes: tuple[Write, ...]

    def to_json(self) -> str:
        """The line of the trace file."""
        return json.dumps(asdict(self), separators=(",", ":"))


class Follower:
    """What a token stream says it does: running block, warp and lanes, bytes staged, words committed to memory."""

    def __init__(self, program: Program, spec: MachineSpec = SPEC) -> None:
        self.memory: dict[int, int] = {}
        """Every word that a record of the stream has written, by address."""
        self.block: int | None = None
        self.warp: int | None = None
        self.mask = 0
        self._spec = spec
        self._registers = {
            (number, stage): operation.destination
            for number, block in enumerate(program.blocks)
            for stage, operation in enumerate(block.operations)
            if operation.destination is not None
        }
        self._staged: dict[tuple[int, int], dict[int, int]] = {}
        self._committed = False

    def follow(self, token: Token) -> tuple[Write, ...]:
        """Take the next token; returns what it writes to registers and memory."""
        writes = self._apply(token.kind, token.fields)
        self.memory.update((int(write[1]), int(write[2])) for write in writes if write[0] == "memory")
        self._committed = token.kind in COMMITS
        return tuple(writes)

    def _apply(self, kind: str, fields: tuple[int, ...]) -> list[Write]:
        if kind == "EXEC":
            self.block, self.mask = fields
            self._staged = {}
        elif kind in ("START", "CTAEND", "RESTART"):
            self.block, self.warp, self.mask, self._staged = None, 0, 0, {}
        elif kind in ("END", "FAULT"):
            self.mask = 0
        elif kind == "PAD":
            self._staged = {}
        elif kind == "WARP":
            self.warp = fields[0]
        elif kind == "VAL":
            return self._value(*fields)
        elif kind == "MEM1":
            lane, address = fields
            return [("memory", address, self._word(STORED, lane))]
        elif kind == "MEMV":
            lanes = self._spec.lanes
            return [
                ("memory", fields[0] * lanes + lane, self._word(STORED, lane))
                for lane in range(lanes)
                if not self.mask or self.mask >> lane & 1
            ]
        return []

    def _value(self, result: int, lane: int, byte: int, value: int) -> list[Write]:
        if self._committed:
            self._staged = {}
        for j in range(self._spec.lanes) if lane == ALL_LANES else (lane - 1,):
            self._staged.setdefault((result, j), {})[byte] = value
        register = self._registers.get((self.block, result)) if self.block is not None and self.mask else None
        if register is None or self.warp is None:
            return []
        return [
            ("register", self.warp, register, j, self._word(result, j)) for j in range(self._spec.lanes) if self.mask >> j & 1
        ]

    def _word(self, result: int, lane: int) -> int:
        """The staged word: bytes above the highest one sent repeat its sign, others not sent are 0."""
        sent = self._staged.get((result, lane))
        if not sent:
            return 0
        top = max(sent)
        low = int.from_bytes(bytes(sent.get(byte, 0) for byte in range(top + 1)), "little")
        width = 8 * (top + 1)
        return low - (sent[top] >> 7 << width) & (1 << 8 * BYTES_PER_WORD) - 1


def trace_line(follower: Follower, index: int, identifier: int, token: Token, source: Source) -> Line:
    """Follow the next token and describe it."""
    writes = follower.follow(token)
    running = follower.mask != 0
    return Line(
        index,
        identifier,
        str(token),
        source,
        follower.block if running else None,
        follower.warp if running else None,
        follower.mask if running else None,
        writes,
    )


def read_trace(path: Path) -> list[Line]:
    """The lines of a trace file. Raises InputError naming the line that is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("cannot read the trace", str(path), "give a file that --trace wrote") from error
    return list(_lines(text.splitlines(), str(path)))


def _lines(lines: Iterable[str], where: str) -> Iterator[Line]:
    for number, text in enumerate(lines, 1):
        try:
            entry: dict[str, Any] = json.loads(text)
            line = Line(**{**entry, "writes": tuple(tuple(write) for write in entry["writes"])})
            if line.i != number - 1 or line.source not in ("host", "model") or not isinstance(line.id, int):
                raise ValueError(text)
        except (ValueError, KeyError, TypeError) as error:
            raise InputError("not a line of a trace", f"{where}:{number}", "give a file that --trace wrote") from error
        yield line


class Feeds(Protocol):
    """What redoing a trace needs of a runtime."""

    first_id: int

    def feed(self, tokens: list[int]) -> int:
        """Consume tokens, return the answer behind the last one."""


def redo(runtime: Feeds, lines: Iterable[Line], ask: Callable[[], None] = lambda: None) -> tuple[Line, int] | None:
    """Redo a traced launch: feed the host's ids, take the runtime's answer for the model's.

    ask: called before every forward call; may raise to stop

    Returns the first line whose id differs, with the id that the runtime gave instead; None when all are the same. The
    runtime must stand where the launch began.
    """
    answer: int | None = None
    waiting: list[int] = []
    for line in lines:
        if line.source == "model":
            if waiting:
                ask()
                answer, waiting = runtime.feed(waiting) + runtime.first_id, []
            if answer != line.id:
                return line, -1 if answer is None else answer
        waiting.append(line.id - runtime.first_id)
    return None
