"""What the app keeps on this computer, in bytes, and clearing it.

Only what the app itself made is counted and cleared: in a folder that the user chose for models, those of its folders that
hold a download's or a build's own note.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from app.chats.store import LOCK, SUFFIX, TRASH
from app.checkpoints import REPORT
from app.files import reason
from app.hub.parts import NOTE
from app.paths import Paths
from app.preferences import MODELS_FOLDER
from app.settings import Settings
from app.texts import Text, translate
from engine.machine.errors import EnvironmentProblem

JOURNAL = "journal.json"
"""What the builder keeps in the folder of a build that was not finished."""


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
    return tuple(_amount(kept, paths, settings) for kept in Kept)


def _amount(kept: Kept, paths: Paths, settings: Settings) -> Amount:
    title, about, again = {
        Kept.CHATS: (
            translate("Storage", "Chats"),
            translate("Storage", "All conversations. Export what you want to keep."),
            False,
        ),
        Kept.TRASH: (translate("Storage", "Trash"), translate("Storage", "Deleted chats that can still be restored."), False),
        Kept.LAUNCHES: (
            translate("Storage", "Launch records"),
            translate("Storage", "The evidence behind computed values; needed to replay them."),
            False,
        ),
        Kept.CHECKPOINTS: (
            translate("Storage", "Built models"),
            translate("Storage", "They are built again from the download, which takes some minutes."),
            True,
        ),
        Kept.MODELS: (
            translate("Storage", "Downloads"),
            translate("Storage", "Needed for building only. To build again, it is downloaded again."),
            True,
        ),
        Kept.CACHE: (translate("Storage", "Cache"), translate("Storage", "Made again when it is needed."), True),
        Kept.LOGS: (translate("Storage", "Logs"), translate("Storage", "Helpful when something is wrong."), True),
    }[kept]
    places = tuple(_places(kept, paths, settings))
    sizes = [path.lstat().st_size for place in places for path in _files(place)]
    return Amount(kept, title, about, places, sum(sizes), len(sizes), again)


def clear(kept: Kept, paths: Paths, settings: Settings) -> int:
    """Delete it for good; the bytes that were freed. Links are removed, never followed. Raises EnvironmentProblem.

    Chats must not be open: close their store first.
    """
    freed = 0
    try:
        for place in _places(kept, paths, settings):
            freed += sum(path.lstat().st_size for path in _files(place))
            if place.is_dir() and not place.is_symlink():
                shutil.rmtree(place)
            else:
                place.unlink(missing_ok=True)
    except OSError as error:
        raise EnvironmentProblem(
            f"not everything could be deleted: {reason(error)}", str(error.filename or ""), "close what uses it and try again"
        ) from error
    return freed


# ---------------------------------------------------------------- what belongs to what
def _places(kept: Kept, paths: Paths, settings: Settings) -> Iterator[Path]:
    """Files and folders that can be deleted as they are."""
    if kept is Kept.CHATS:
        yield from (path for path in _entries(paths.chats) if path.name not in (TRASH, LOCK))
    elif kept is Kept.TRASH:
        yield from (path for path in _entries(paths.chats / TRASH) if path.suffix == SUFFIX)
    elif kept is Kept.LAUNCHES:
        yield from _entries(paths.launches)
    elif kept is Kept.CACHE:
        yield from (path for path in _entries(paths.cache) if path != paths.chat_index)
    elif kept is Kept.LOGS:
        yield from _entries(paths.logs)
    else:
        mark = REPORT if kept is Kept.CHECKPOINTS else NOTE
        chosen = settings.get(MODELS_FOLDER)
        for folder in (paths.checkpoints, paths.models, *([chosen] if chosen is not None else [])):
            yield from (path for path in _entries(folder) if (path / mark).is_file() or _begun(path, kept))


def _begun(path: Path, kept: Kept) -> bool:
    """Whether a folder is a build that was not finished."""
    return kept is Kept.CHECKPOINTS and path.is_dir() and path.name.endswith(".partial") and (path / JOURNAL).is_file()


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _files(place: Path) -> Iterator[Path]:
    """A file itself, or every file below a folder; links count as files."""
    if place.is_symlink() or not place.is_dir():
        if place.is_symlink() or place.exists():
            yield place
        return
    for folder, folders, files in os.walk(place):
        yield from (Path(folder) / name for name in files)
        yield from (Path(folder) / name for name in folders if (Path(folder) / name).is_symlink())
