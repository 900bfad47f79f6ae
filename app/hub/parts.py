"""A download's folder: files that grow, their hashes, and the note that says what is to be done there.

NAME.part is what came so far; it becomes NAME only when its hash is the hub's. What came wrong is kept as NAME.wrong until the
right one is there. `.download.json` says what is to be fetched and which files were checked.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from app.files import replace_file, sync
from app.hub.model import Manifest, RemoteFile

NOTE, PART, WRONG = ".download.json", ".part", ".wrong"
FORMAT = 1
HASH_BYTES = 8 << 20
SYNC_BYTES = 64 << 20
"""So much may be lost to a loss of power; the hash would find it."""


@dataclass(frozen=True)
class Note:
    """What is to be done in a folder. checked: of each checked file its size and time of change (nanoseconds)."""

    manifest: Manifest
    checked: dict[str, tuple[int, int]] = field(default_factory=dict)
    cancelled: bool = False
    done: bool = False

    def write(self, folder: Path) -> None:
        """Save it. OSError passes."""
        replace_file(folder / NOTE, json.dumps({"format": FORMAT, **asdict(self)}).encode())


def read_note(folder: Path) -> Note | None:
    """The note of a folder; None when there is none that can be read."""
    try:
        value = json.loads((folder / NOTE).read_bytes())
        note = msgspec.convert(value, Note) if value.get("format") == FORMAT else None
    except (OSError, ValueError, AttributeError, msgspec.ValidationError):
        return None
    # a name that leads out of the folder is not one that was written here
    return note if note and all(Path(file.path).name == file.path for file in note.manifest.files) else None


def stamp(path: Path) -> tuple[int, int]:
    """Size and time of change of a file. OSError passes."""
    status = path.stat()
    return status.st_size, status.st_mtime_ns


def have(folder: Path, file: RemoteFile) -> int:
    """Bytes of a file that are on disk, whole or in part."""
    for path in (folder / file.path, folder / (file.path + PART)):
        with suppress(OSError):
            return min(path.stat().st_size, file.size)
    return 0


def left_overs(folder: Path, files: tuple[RemoteFile, ...]) -> list[Path]:
    """What an unfinished download left of its own in a folder."""
    paths = [folder / (file.path + suffix) for file in files for suffix in ("", PART, WRONG)]
    return [path for path in (*paths, folder / NOTE) if path.is_file()]


# ---------------------------------------------------------------- hashing
def begin_hash(file: RemoteFile) -> Any:
    """The hash that the hub names of a file: sha256 of a large one, git's sha1 of a small one."""
    if file.sha256:
        return hashlib.sha256()
    return hashlib.sha1(b"blob %d\0" % file.size, usedforsecurity=False)


def agrees(file: RemoteFile, digest: str) -> bool:
    """Whether a hash is the one that the hub names; a mirror that names none is believed."""
    return digest == (file.sha256 or file.blob or digest)


def pieces(path: Path, limit: int | None = None) -> Iterator[bytes]:
    """A file's content, a few megabytes at a time. OSError passes."""
    with path.open("rb") as opened:
        left = limit
        while left is None or left > 0:
            piece = opened.read(HASH_BYTES if left is None else min(HASH_BYTES, left))
            if not piece:
                return
            left = None if left is None else left - len(piece)
            yield piece


class PartFile:
    """A file that grows, with the hash of what it holds. Its methods are called in threads, one at a time."""

    def __init__(self, folder: Path, file: RemoteFile) -> None:
        self.file = file
        self.path = folder / (file.path + PART)
        self.have = 0
        self._hash = begin_hash(file)
        self._unsynced = 0
        self._handle: int | None = None

    def hashed(self) -> Iterator[int]:
        """Take up what is there, hashing it; bytes so far after each piece. What is too long is set aside."""
        if self.path.is_file():
            if self.path.stat().st_size > self.file.size:
                self.set_aside()
            else:
                for piece in pieces(self.path):
                    self._hash.update(piece)
                    self.have += len(piece)
                    yield self.have
        self._handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o644)

    def add(self, content: bytes) -> None:
        """Write further bytes. OSError passes; what was written by then is cut off again."""
        assert self._handle is not None
        written = 0
        try:
            while written < len(content):
                written += os.write(self._handle, content[written:])
        except OSError:
            with suppress(OSError):
                os.ftruncate(self._handle, self.have)
            raise
        self._hash.update(content)
        self.have += len(content)
        self._unsynced += len(content)
        if self._unsynced >= SYNC_BYTES:
            sync(self._handle)
            self._unsynced = 0

    def close(self) -> None:
        """Close it, with everything on disk as far as the disk can."""
        if self._handle is not None:
            with suppress(OSError):
                sync(self._handle)
            os.close(self._handle)
            self._handle = None

    @property
    def right(self) -> bool:
        """Whether all bytes are there and are the hub's."""
        return self.have == self.file.size and agrees(self.file, self._hash.hexdigest())

    def finish(self) -> None:
        """Give it its name. OSError passes."""
        self.close()
        final = self.path.with_name(self.file.path)
        os.replace(self.path, final)
        self.path.with_name(self.file.path + WRONG).unlink(missing_ok=True)
        if self.file.sha256:
            _tell_builder(final, self.file.sha256)

    def set_aside(self) -> Path:
        """Keep what is wrong under another name, so that it is not gone on with. OSError passes."""
        self.close()
        wrong = self.path.with_name(self.file.path + WRONG)
        os.replace(self.path, wrong)
        return wrong


def _tell_builder(path: Path, sha256: str) -> None:
    """Note a file's sha256 where `huggingface_hub` does, so that the builder can check it again."""
    note = path.parent / ".cache" / "huggingface" / "download" / f"{path.name}.metadata"
    replace_file(note, f"\n{sha256}\n".encode())
