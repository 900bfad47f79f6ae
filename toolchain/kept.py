"""What takes long to find out and is the same in every process, kept in the user's cache folder.

The folder is a convenience: what cannot be read is found out again, what cannot be written is not kept.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from pathlib import Path

from platformdirs import user_cache_path


def folder() -> Path:
    """Where it lies; the folder need not exist."""
    return user_cache_path("qwengpu", appauthor=False) / "toolchain"


def recall(question: str) -> str | None:
    """The answer that was kept under a question, None without one."""
    with suppress(OSError, UnicodeDecodeError):
        return _place(question).read_text(encoding="utf-8")
    return None


def keep(question: str, answer: str) -> None:
    """Keep an answer for every process to come: the whole file or none, whoever else writes it at the same time."""
    place = _place(question)
    with suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=place.parent) as scratch:
            made = Path(scratch) / place.name
            made.write_text(answer, encoding="utf-8")
            os.replace(made, place)


def _place(question: str) -> Path:
    return folder() / hashlib.sha256(question.encode("utf-8", "surrogateescape")).hexdigest()[:32]
