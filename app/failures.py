"""Whatever goes wrong becomes one of the named errors; what nobody foresaw is written to a log, never shown as a traceback."""

from __future__ import annotations

import errno
import time
import traceback
from pathlib import Path
from typing import ClassVar

from app.files import reason
from engine.machine.errors import Cancelled, EnvironmentProblem, GpuError

OUT_OF_MEMORY = ("not enough memory", "out of memory", "can't allocate memory")
"""How torch says that an allocation failed, on the CPU and on accelerators."""
FULL = (errno.ENOSPC, errno.EDQUOT)


class InternalError(GpuError):
    """A defect of this program."""

    kind: ClassVar[str] = "internal"


def as_named(error: BaseException, logs: Path) -> GpuError:
    """The named error that stands for any exception. An unforeseen one is logged in `logs`."""
    if isinstance(error, GpuError):
        return error
    if isinstance(error, KeyboardInterrupt):
        return Cancelled("stopped by the user")
    if isinstance(error, MemoryError) or any(words in str(error).lower() for words in OUT_OF_MEMORY):
        return EnvironmentProblem("the computer is out of memory", "", "close other programs and run it again")
    if isinstance(error, OSError) and error.errno in FULL:
        return EnvironmentProblem("the disk is full", str(error.filename or ""), "free some space and run it again")
    if isinstance(error, OSError) and error.filename is not None:
        return EnvironmentProblem(reason(error), str(error.filename), "check the file and its folder's permissions")
    return InternalError(
        f"internal error: {type(error).__name__}: {error}",
        _place(error),
        f"this is a defect of the program; please report it with {_log(error, logs)}",
    )


def _place(error: BaseException) -> str:
    """File and line that raised it, without the folders of this computer."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""


def _log(error: BaseException, logs: Path) -> str:
    """Append the traceback to the log of today; how to refer to it in a sentence."""
    path = logs / f"error-{time.strftime('%Y-%m-%d')}.log"
    try:
        logs.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(time.strftime("%Y-%m-%dT%H:%M:%S\n") + "".join(traceback.format_exception(error)) + "\n")
    except OSError:
        return "what you did"  # a log that cannot be written must not hide the error itself
    return f"the log {path}"
