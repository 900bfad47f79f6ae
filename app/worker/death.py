"""Why a worker ended: by its exit code, and by what the system says of memory at that time."""

from __future__ import annotations

import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

OUT_OF_MEMORY = 12
"""The exit code of a worker that noticed itself that memory is exhausted."""
SCARCE = 0.04
"""The share of memory that is free when a system without a better record has run out of it."""
_WINDOWS_OUT_OF_MEMORY = (0xC0000017, 0xC000012D, 0xE0000008)
_VMSTAT = Path("/proc/vmstat")
_RESTART = "start it again; your chats are kept"


@dataclass(frozen=True)
class Death:
    """Why a worker ended. detail: a sentence for the user; remedy: what to do; stderr: the last 64 KiB that it wrote there.

    held, free: bytes of memory that it held, and that nobody used, shortly before; None where nobody had looked
    """

    kind: Literal["out of memory", "crashed", "killed", "cancelled"]
    detail: str
    remedy: str = ""
    stderr: str = ""
    held: int | None = None
    free: int | None = None


@dataclass(frozen=True)
class Evidence:
    """What the system said of memory. kills: processes that Linux has ended for memory so far, None elsewhere

    free: the smallest share of memory that was free in the last seconds; resident: bytes that the worker held then
    total: bytes of memory that the computer has, 0 before anybody looked
    """

    kills: int | None
    free: float = 1.0
    resident: int = 0
    total: int = 0


def classify(code: int, before: Evidence, after: Evidence, asked: bool, stderr: str) -> Death:
    """The cause of an end. code: as `subprocess` gives it, negative for a signal; asked: whether we ended it.

    before, after: the evidence when the worker began and when it had ended
    """
    if asked:
        return Death("cancelled", "the worker was stopped", "", stderr)
    if (
        code == OUT_OF_MEMORY
        or (code & 0xFFFFFFFF) in _WINDOWS_OUT_OF_MEMORY
        or (code == -_number("SIGKILL") and _was_scarce(before, after))
    ):
        held = f"; it held {after.resident / (1 << 30):.1f} GB" if after.resident else ""
        return Death(
            "out of memory",
            f"the computer ran out of memory and ended the worker{held}",
            "close other programs or use the small built-in model, then start it again",
            stderr,
            after.resident or None,
            round(after.free * after.total) if after.total else None,
        )
    if code in (-_number("SIGKILL"), -_number("SIGTERM"), -_number("SIGHUP"), -_number("SIGINT")):
        return Death("killed", f"another program ended the worker ({_name(code)})", _RESTART, stderr)
    return Death("crashed", f"the worker crashed ({_name(code)}){_last_words(stderr)}", _RESTART, stderr)


def _was_scarce(before: Evidence, after: Evidence) -> bool:
    if before.kills is not None and after.kills is not None:
        return after.kills > before.kills
    return after.free < SCARCE


def _number(name: str) -> int:
    """A signal's number; one that the platform lacks gives a code that no process ends with."""
    return int(getattr(signal, name, 1 << 20))


def _name(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


def _last_words(stderr: str) -> str:
    """The last line of a traceback, or nothing."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    return f": {lines[-1][:200]}" if lines and "Traceback (most recent call last)" in stderr else ""


def kills_for_memory() -> int | None:
    """How many processes Linux has ended because memory was exhausted; None where nobody counts."""
    if sys.platform != "linux":
        return None
    try:
        words = _VMSTAT.read_text().split()
        return int(words[words.index("oom_kill") + 1])
    except (OSError, ValueError, IndexError):
        return None
