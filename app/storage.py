"""What the app keeps on this computer, in bytes, and clearing it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from app.paths import Paths
from app.settings import Settings
from app.texts import Text


class Kept(Enum):
    """What can be cleared, one by one."""

    CHATS = "chats"
    TRASH = "trash"
    LAUNCHES = "launches"
    CHECKPOINTS = "checkpoints"
    MODELS = "models"
    CACHE = "cache"
    LOGS = "logs"


@dataclass(frozen=True)
class Amount:
    """How much of something there is. about: what it is and what clearing it means; again: the app can make it again."""

    kept: Kept
    title: Text
    about: Text
    places: tuple[Path, ...]
    bytes: int
    files: int
    again: bool


def measure(paths: Paths, settings: Settings) -> tuple[Amount, ...]:
    """What there is; walks the folders, so call it in a thread."""
    raise NotImplementedError


def clear(kept: Kept, paths: Paths, settings: Settings) -> int:
    """Delete it for good; the bytes that were freed. Links are removed, never followed. Raises EnvironmentProblem."""
    raise NotImplementedError
