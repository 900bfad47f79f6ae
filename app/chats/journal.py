"""A chat's file: lines are only ever added. What a crash or a damaged disk left is read as far as it goes, and told."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from app.chats.records import Record, decode, encode
from app.files import replace_file, sync


@dataclass(frozen=True)
class Reading:
    """What a file holds.

    torn: bytes behind the last whole line that are no record; damaged: numbers of unreadable lines, from 1
    unended: the last line is a record but lacks its end
    """

    records: tuple[Record, ...]
    size: int
    torn: bytes = b""
    damaged: tuple[int, ...] = ()
    unended: bool = False

    @property
    def sound(self) -> bool:
        """Whether there is nothing to mend."""
        return not self.torn and not self.damaged and not self.unended


def read(path: Path) -> Reading:
    """Read a file. OSError passes."""
    content = path.read_bytes()
    *lines, rest = content.split(b"\n")
    records, damaged = [], []
    for number, line in enumerate(lines, 1):
        record = decode(line)
        if record is not None:
            records.append(record)
        elif line.strip():
            damaged.append(number)
    last = decode(rest) if rest else None
    if last is not None:
        records.append(last)
    return Reading(tuple(records), len(content), rest if last is None else b"", tuple(damaged), last is not None)


def begin(path: Path, records: Iterable[Record]) -> None:
    """Make a file; it is whole on disk when this returns. Raises FileExistsError where there is one. OSError passes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        _write(handle, b"".join(map(encode, records)), 0)
        sync(handle)
    except BaseException:
        os.close(handle)
        with suppress(OSError):
            path.unlink()
        raise
    os.close(handle)
    sync_folder(path.parent)


def add(path: Path, records: Iterable[Record]) -> int:
    """Add lines; they are with the system when this returns, and survive the end of this process. The file's new size.

    A full disk adds nothing: the file is as before. OSError passes.
    """
    handle = os.open(path, os.O_RDWR | os.O_APPEND | getattr(os, "O_BINARY", 0))
    try:
        return _write(handle, b"".join(map(encode, records)), os.fstat(handle).st_size)
    finally:
        os.close(handle)


def settle(path: Path) -> None:
    """Have what was added on the disk itself, so that it survives a loss of power. OSError passes."""
    handle = os.open(path, os.O_RDWR)
    try:
        sync(handle)
    finally:
        os.close(handle)


def _write(handle: int, content: bytes, size: int) -> int:
    try:
        written = 0
        while written < len(content):
            written += os.write(handle, content[written:])
    except OSError:
        with suppress(OSError):
            os.ftruncate(handle, size)
        raise
    return size + len(content)


def sync_folder(folder: Path) -> None:
    """Have a folder's names on disk, where the system can do that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


# ---------------------------------------------------------------- mending
def mend(path: Path, reading: Reading, aside: Path) -> Path | None:
    """Make a file whole again. What cannot be read is kept in the folder `aside`: the torn end, or all of a damaged file.

    Returns the file that holds what was damaged; None when nothing was lost. OSError passes.
    """
    kept: Path | None = None
    if reading.damaged:
        kept = _free_name(aside, path)
        os.replace(path, kept)
        if reading.records:
            rewrite(path, reading.records)
        sync_folder(aside)
        return kept
    if reading.unended:
        handle = os.open(path, os.O_WRONLY | os.O_APPEND)
        try:
            _write(handle, b"\n", reading.size)
            sync(handle)
        finally:
            os.close(handle)
        return None
    if reading.torn.strip(b"\0 "):
        kept = _free_name(aside, path)
        replace_file(kept, reading.torn)
    with path.open("r+b") as file:
        file.truncate(reading.size - len(reading.torn))
        sync(file.fileno())
    return kept


def rewrite(path: Path, records: Sequence[Record]) -> None:
    """Replace a file by one with these records; the old or the new one is there, whatever happens. OSError passes."""
    replace_file(path, b"".join(map(encode, records)))


def _free_name(folder: Path, path: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return next(
        place for number in range(1, 1 << 20) if not (place := folder / f"{path.stem}.damaged-{number}{path.suffix}").exists()
    )
