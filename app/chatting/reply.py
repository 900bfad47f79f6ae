"""A reply as the parts that are shown one below the other: thinking, launch row, prose, code.

Where a computed value stands is known from the segments' source alone: in the Markdown it is one placeholder character, which
the view replaces by the value. So no digit is ever searched for, and what a value looks like cannot change how the text around
it is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.chats.model import CALL, TEXT, THINKING, Segment

PLACEHOLDER = "\ue100"
"""Stands for a computed value; the first for the first value. A model that writes it itself writes nothing."""
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})\s*([\w+#.-]*)")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True)
class Value:
    """A stretch of text that a launch computed. launch: the id of its record."""

    text: str
    launch: str | None


@dataclass(frozen=True)
class Thinking:
    """What the model thought."""

    text: str


@dataclass(frozen=True)
class Launches:
    """The place of the row that shows the launches of the reply."""


@dataclass(frozen=True)
class Prose:
    """Markdown without top-level fences; its placeholders stand for `values`, in order."""

    markdown: str
    values: tuple[Value, ...] = ()


@dataclass(frozen=True)
class Code:
    """A fenced block. marks: (start, end, value) of computed stretches in `code`; closed: its end was written."""

    code: str
    language: str
    closed: bool
    marks: tuple[tuple[int, int, Value], ...] = ()


Part = Thinking | Launches | Prose | Code


def parts_of(segments: Sequence[Segment], launched: bool = False) -> tuple[Part, ...]:
    """The parts of a reply. launched: whether it has launches that no segment shows yet, such as one that runs."""
    thoughts = "".join(segment.text for segment in segments if segment.part == THINKING)
    text, values, at = "", [], None
    for segment in segments:
        if at is None and (segment.part == CALL or segment.source == "computed"):
            at = len(text)
        if segment.part != TEXT:
            continue
        if segment.source == "computed":
            text += PLACEHOLDER
            values.append(Value(segment.text, segment.launch))
        else:
            text += segment.text.replace(PLACEHOLDER, "")
    if at is None and launched:
        at = len(text)
    parts: list[Part] = [Thinking(thoughts)] if thoughts.strip() else []
    return (*parts, *_with_row(_runs(text), at, iter(values)))


def plain(segments: Iterable[Segment]) -> str:
    """The text of a reply as people copy it."""
    return "".join(segment.text for segment in segments if segment.part == TEXT)


@dataclass(frozen=True)
class _Run:
    """A stretch of the text: prose, or a fence with its language. start: where in the text it begins."""

    start: int
    text: str
    language: str | None = None
    closed: bool = True


def _runs(text: str) -> list[_Run]:
    """The text cut at top-level fences."""
    runs, start, fence, place, content = [], 0, None, 0, 0
    for line in text.splitlines(keepends=True):
        bare = line.rstrip("\n")
        if fence is None:
            found = _FENCE.match(bare)
            if found:
                runs.append(_Run(start, text[start:place]))
                fence, start, content = found, place, place + len(line)
        elif _closes(bare, fence[1]):
            runs.append(_Run(start, text[content:place], fence[2]))
            fence, start = None, place + len(line)
        place += len(line)
    if fence is not None:
        runs.append(_Run(start, text[content:], fence[2], False))
    else:
        runs.append(_Run(start, text[start:]))
    return runs


def _closes(line: str, fence: str) -> bool:
    bare = line.strip()
    return len(bare) >= len(fence) and set(bare) == {fence[0]} and len(line) - len(line.lstrip(" ")) <= 3


def _with_row(runs: Sequence[_Run], at: int | None, values: Iterable[Value]) -> Iterable[Part]:
    """The parts of the runs, with the launch row above the block that holds place `at`."""
    values, waiting = iter(values), at is not None
    for index, run in enumerate(runs):
        end = runs[index + 1].start if index + 1 < len(runs) else None
        here = waiting and (end is None or (at or 0) < end)
        if run.language is not None:
            if here:
                yield Launches()
            yield _code(run, values)
        elif here:
            cut = _block_start(run.text, (at or 0) - run.start)
            yield from _prose(run.text[:cut], values)
            yield Launches()
            yield from _prose(run.text[cut:], values)
        else:
            yield from _prose(run.text, values)
        waiting = waiting and not here


def _block_start(text: str, at: int) -> int:
    """Where the block begins that holds place `at`."""
    return max((found.end() for found in _BLANK_LINE.finditer(text[:at])), default=0)


def _prose(text: str, values: Iterable[Value]) -> Iterable[Part]:
    held = tuple(next(iter(values)) for _ in range(text.count(PLACEHOLDER)))
    if text.strip():
        yield Prose(text.strip("\n"), held)


def _code(run: _Run, values: Iterable[Value]) -> Code:
    code, marks = "", []
    pieces = run.text.removesuffix("\n").split(PLACEHOLDER)
    for index, piece in enumerate(pieces):
        code += piece
        if index < len(pieces) - 1:
            value = next(iter(values))
            marks.append((len(code), len(code) + len(value.text), value))
            code += value.text
    return Code(code, run.language or "", run.closed, tuple(marks))
