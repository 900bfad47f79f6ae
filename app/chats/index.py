"""The list of chats and their words in one SQLite file, so that a thousand chats are listed and searched at once.

It holds nothing that the chats' files do not say, and is made again whenever it is missing, damaged or of another version.

A search looks through the folded text of every chat, which is kept in memory from the first search on. That takes a few
milliseconds for ten million characters and finds any substring of any script; a trigram index was tried: it finds words of
three letters sooner, but takes a hundred times longer to make, and shorter words and most Chinese ones need the look anyway.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from app.chats.folding import fold
from app.chats.model import Chat, Summary
from app.chats.search import Hit, Searched, hit, matching

VERSION = 1
IN_MEMORY = Path(":memory:")
_TABLE = """create table chats (id text primary key, size integer, modified integer, title text, pinned integer, updated real,
                                created real, snippet text, computed integer, draft integer, said blob, plain text)"""


@dataclass(frozen=True)
class Stamp:
    """What tells that a file is the one that was read: its size and time of change (nanoseconds)."""

    size: int
    modified: int

    @classmethod
    def of(cls, path: Path) -> Stamp:
        """A file's stamp. OSError passes."""
        status = path.stat()
        return cls(status.st_size, status.st_mtime_ns)


class Index:
    """The index in a file. Not for several threads at once; its store holds a lock."""

    def __init__(self, path: Path) -> None:
        """Open it, or make an empty one where there is none that is of use."""
        self._path = path
        self._searched: dict[str, Searched] | None = None
        try:
            self._open()
        except (sqlite3.Error, OSError):
            self._start_again()

    def _open(self) -> None:
        if self._path != IN_MEMORY:
            self._path.parent.mkdir(parents=True, exist_ok=True)
        base = sqlite3.connect(self._path, check_same_thread=False, isolation_level=None)
        try:
            # it is made again after any accident, so nothing is gained by waiting for the disk
            base.executescript("pragma synchronous = off; pragma journal_mode = memory;")
            version = base.execute("pragma user_version").fetchone()[0]
            if version not in (0, VERSION):
                raise sqlite3.DatabaseError("an index of another version")
            if version == 0:
                base.execute(_TABLE)
                base.execute(f"pragma user_version = {VERSION}")
            base.execute("select id, plain from chats limit 1").fetchone()
        except sqlite3.Error:
            base.close()
            raise
        self._base = base

    def _start_again(self) -> None:
        self._searched = None
        try:
            self._path.unlink(missing_ok=True)
            self._path.with_name(f"{self._path.name}-journal").unlink(missing_ok=True)
            self._open()
        except (sqlite3.Error, OSError):  # a cache folder that cannot be written: the index lives as long as this process
            self._path = IN_MEMORY
            self._open()

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    @contextmanager
    def _changes(self) -> Iterator[sqlite3.Connection]:
        """Changes that happen together. A damaged index is emptied; the chats are put into it at the next start."""
        try:
            self._base.execute("begin")
            yield self._base
            self._base.execute("commit")
        except sqlite3.Error:
            self._base.close()
            self._start_again()

    # ------------------------------------------------------------ keeping
    def stamps(self) -> dict[str, Stamp]:
        """The stamp that each chat had when it was put in."""
        return {
            number: Stamp(size, modified)
            for number, size, modified in self._base.execute("select id, size, modified from chats")
        }

    def put(self, chats: Iterable[tuple[Chat, Stamp]]) -> None:
        """Put chats in, replacing what was there of them."""
        with self._changes() as base:
            for chat, stamp in chats:
                one = chat.summary()
                title = _storable(one.title)
                said = [(message.id, text) for message in chat.messages.values() if (text := _storable(message.said)).strip()]
                plain = "\n".join([fold(title), *(fold(text) for _, text in said)])
                base.execute(
                    "insert or replace into chats values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        chat.id,
                        stamp.size,
                        stamp.modified,
                        title,
                        one.pinned,
                        one.updated,
                        one.created,
                        _storable(one.snippet),
                        one.computed,
                        one.draft,
                        msgspec.json.encode(said),
                        plain,
                    ),
                )
                if self._searched is not None:
                    self._searched[chat.id] = Searched(title, fold(title), one.updated, plain)

    def remove(self, number: str) -> None:
        """Take a chat out."""
        with self._changes() as base:
            base.execute("delete from chats where id = ?", (number,))
            if self._searched is not None:
                self._searched.pop(number, None)

    # ------------------------------------------------------------ asking
    def summaries(self) -> list[Summary]:
        """All chats, pinned ones first, then the newest."""
        rows = self._base.execute(
            "select id, title, pinned, updated, created, snippet, computed, draft from chats "
            "order by pinned desc, updated desc, id"
        )
        return [
            Summary(number, title, bool(pinned), updated, created, snippet, computed, bool(draft))
            for number, title, pinned, updated, created, snippet, computed, draft in rows
        ]

    def search(self, query: str, limit: int) -> list[Hit]:
        """The chats that hold every word; those whose title does first, then the newest."""
        if self._searched is None:
            rows = self._base.execute("select id, title, updated, plain from chats")
            self._searched = {number: Searched(title, fold(title), updated, plain) for number, title, updated, plain in rows}
        hits = []
        for number in matching(query, self._searched, limit):
            said = self._base.execute("select said from chats where id = ?", (number,)).fetchone()[0]
            hits.append(hit(query, number, self._searched[number], msgspec.json.decode(said)))
        return hits


def _storable(text: str) -> str:
    """Text without what SQLite cannot hold: lone surrogates."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
