"""The worker's pipes and its log: stdout belongs to the messages alone, whatever else a library prints goes to stderr."""

from __future__ import annotations

import contextlib
import faulthandler
import io
import logging
import os
import sys
from logging.handlers import RotatingFileHandler
from pathlib import Path
from threading import Lock
from typing import IO

from app.worker.protocol import Event

LOG = "worker.log"
LOG_BYTES = 1 << 20
LOG_FILES = 3


class Outlet:
    """Writes events, one at a time, from any thread. What nobody reads any more is dropped."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._lock = Lock()

    def tell(self, event: Event) -> None:
        """Write an event, at once."""
        line = event.to_json().encode() + b"\n"
        with self._lock, contextlib.suppress(OSError, ValueError):
            self._stream.write(line)
            self._stream.flush()


def claim_streams() -> tuple[IO[bytes], IO[bytes]]:
    """The pipes of the messages: in, out. Everybody else's stdin is empty from now on, and their stdout is stderr."""
    incoming, outgoing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    if isinstance(sys.stderr, io.TextIOWrapper):
        with contextlib.suppress(ValueError, OSError):
            sys.stderr.reconfigure(errors="backslashreplace", line_buffering=True)
            faulthandler.enable()
    return incoming, outgoing


def open_log(folder: Path) -> logging.Logger:
    """The worker's log: what was asked for and how it ended, never what was said. Without a folder to write in, no log."""
    log = logging.getLogger("qwengpu.worker")
    log.setLevel(logging.INFO)
    log.propagate = False
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler: logging.Handler = RotatingFileHandler(
            folder / LOG, maxBytes=LOG_BYTES, backupCount=LOG_FILES - 1, encoding="utf-8", errors="backslashreplace"
        )
    except OSError:
        handler = logging.NullHandler()
    handler.setFormatter(logging.Formatter(f"%(asctime)s {os.getpid()} %(message)s"))
    log.addHandler(handler)
    return log
