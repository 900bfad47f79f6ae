"""Everything that helps to find out what is wrong, as text: no token, no password, nothing that anybody wrote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from app.paths import Paths


@dataclass(frozen=True)
class Item:
    """A line of the report. problem: it is one."""

    title: str
    value: str
    problem: bool = False


@dataclass(frozen=True)
class Part:
    """A part of the report with its heading."""

    title: str
    items: tuple[Item, ...]


def collect(paths: Paths, worker: dict[str, Any] | None = None, window: dict[str, Any] | None = None) -> tuple[Part, ...]:
    """The report; compiles a small kernel, so call it in a thread.

    worker: what the app knows of its worker (state, device, checkpoint, last death); window: Qt's version, screens, scale
    """
    raise NotImplementedError


def as_text(parts: tuple[Part, ...]) -> str:
    """The report for "copy all"; the user's home folder is written as ~, tokens and passwords as ***."""
    raise NotImplementedError
