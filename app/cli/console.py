"""What the command line writes: results on stdout, one-line errors and notes on stderr."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.machine.errors import GpuError


@dataclass(frozen=True)
class Console:
    """The two streams. `json` is whether the user asked for JSON."""

    json: bool = False

    def say(self, text: str) -> None:
        """A line for people, on stdout."""
        print(text, flush=True)

    def emit(self, value: Mapping[str, Any]) -> None:
        """A JSON object on a line of its own, on stdout, at once."""
        print(json.dumps(value), flush=True)

    def note(self, text: str) -> None:
        """A remark that is no result, on stderr."""
        print(f"note: {one_line(text)}", file=sys.stderr, flush=True)

    def report(self, error: GpuError, prefix: str = "") -> None:
        """An error's line on stderr. prefix: which part of the work it concerns."""
        print(f"error: {prefix}{one_line(str(error))}", file=sys.stderr, flush=True)

    def fail(self, error: GpuError) -> int:
        """Report the error that ends the command, on stdout too with --json; its exit code."""
        if self.json:
            self.emit({"error": error.as_json()})
        self.report(error)
        return error.exit_code


def one_line(text: str) -> str:
    """Text without line breaks and control characters: a user's file can put any into a message."""
    return " ".join("".join(c if c.isprintable() else " " if c.isspace() else repr(c)[1:-1] for c in text).split())


def prepare_streams() -> None:
    """Let any text through, whatever the locale: what a stream cannot encode is escaped."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            with contextlib.suppress(ValueError):
                stream.reconfigure(errors="backslashreplace")


def abandon_stdout() -> None:
    """Point stdout at nothing, so that the interpreter does not complain about unwritten text when it ends."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
