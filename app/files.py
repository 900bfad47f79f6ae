"""Reading what the user gives, with errors that say what and where; replacing files so that none is ever half written."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from engine.machine.errors import InputError

MAX_JSON_BYTES = 16 << 20
"""Longest JSON text that is read. All of the machine's memory written out in decimal is a thousandth of it."""


def read_text(path: Path, limit: int = MAX_JSON_BYTES) -> str:
    """A file's text. Raises InputError when it cannot be read, is longer than `limit` bytes, empty, or not UTF-8."""
    try:
        with path.open("rb") as file:
            content = file.read(limit + 1)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {reason(error)}", str(path), "give a file that exists and is readable") from None
    if len(content) > limit:
        raise InputError("the file is too large", str(path), f"give at most {limit:,} bytes")
    text = decode(content, str(path))
    if not text.strip():
        raise InputError("the file is empty", str(path), "write something into it")
    return text


def reason(error: Exception) -> str:
    """Why an operating system call failed, in a few words."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__


def decode(content: bytes, where: str, first_line: int = 1) -> str:
    """UTF-8 bytes as text, with or without a byte order mark. Raises InputError that names the line."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = first_line + content.count(b"\n", 0, error.start)
        raise InputError("the text is not UTF-8", f"{where}:{line}", "save it as UTF-8", line=line) from None


def parse_json(text: str, where: str, first_line: int = 1) -> Any:
    """A JSON value. Raises InputError that names line and column; NaN and repeated keys are no JSON here.

    first_line: the line of the file that the text begins at
    """
    try:
        return json.loads(
            text,
            parse_constant=lambda name: _refuse(f"{name} is not a JSON number", where, first_line),
            object_pairs_hook=lambda pairs: _unique(pairs, where, first_line),
        )
    except json.JSONDecodeError as error:
        line = first_line + error.lineno - 1
        raise InputError(
            f"malformed JSON: {error.msg}",
            f"{where}:{line}:{error.colno}",
            "correct the JSON there",
            line=line,
            column=error.colno,
        ) from None
    except RecursionError:
        raise InputError("the JSON is nested too deeply", f"{where}:{first_line}", "use fewer brackets") from None
    except ValueError:
        # Python refuses to read integers of more than a few thousand digits
        raise InputError(
            "a number in the JSON has too many digits", f"{where}:{first_line}", "no type has more than 64 bits"
        ) from None


def _refuse(what: str, where: str, line: int) -> NoReturn:
    raise InputError(what, f"{where}:{line}", "correct the JSON")


def _unique(pairs: list[tuple[str, Any]], where: str, line: int) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        _refuse(f"key {twice!r} appears twice in one object", where, line)
    return found


def read_json(path: Path, limit: int = MAX_JSON_BYTES) -> Any:
    """The JSON value in a file. Raises InputError."""
    return parse_json(read_text(path, limit), str(path))


def replace_file(path: Path, content: bytes) -> None:
    """Write a file so that either the old or the new content is there, whatever happens. OSError passes."""
    replace_by_pieces(path, (content,))


def replace_by_pieces(path: Path, pieces: Iterable[bytes]) -> None:
    """Like `replace_file`, for content that is made while it is written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            for piece in pieces:
                file.write(piece)
            file.flush()
            sync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def sync(handle: int) -> None:
    """Have an open file's content on the disk itself. OSError passes."""
    if sys.platform == "darwin":
        from fcntl import F_FULLFSYNC, fcntl  # a Mac's fsync leaves the content in the drive's own cache

        try:
            fcntl(handle, F_FULLFSYNC)
        except OSError:  # network drives do not know it
            os.fsync(handle)
    else:
        os.fsync(handle)
