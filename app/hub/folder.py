""""I already have it": is a folder a complete language model that a machine can be put in front of?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app.hub.model import Manifest


@dataclass(frozen=True)
class Found:
    """A folder that was checked. size: bytes of the weights; hashed: every file's sha256 agrees with the hub's."""

    folder: Path
    size: int
    files: tuple[str, ...]
    hashed: bool = False


def check_folder(folder: Path, manifest: Manifest | None = None, moved: Callable[[int, int], None] = lambda done, total: None,
                 stopped: Callable[[], bool] = lambda: False) -> Found:
    """Check config, index, shards and tokenizer; with a manifest every file's hash, too (slow: call it in a thread).

    moved: told bytes hashed of all bytes. Raises InputError naming file and what is wrong, Cancelled.
    """
    raise NotImplementedError
