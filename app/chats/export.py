"""Chats as files for people (Markdown) and for programs (JSON with provenance), and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from app.chats.model import Chat
from app.chats.store import ChatStore


def markdown(chat: Chat, thinking: bool = False) -> str:
    """The branch that is shown; every computed value with a footnote that says how. thinking: with the model's thoughts."""
    raise NotImplementedError


def message_markdown(chat: Chat, message: str) -> str:
    """One message as Markdown with footnotes, for the clipboard."""
    raise NotImplementedError


def export_json(chats: Iterable[Chat], launches: Path, out: Path) -> None:
    """Write chats with all branches, and the launch records they name (from the folder `launches`), into a file."""
    raise NotImplementedError


def export_markdown(chats: Iterable[Chat], folder: Path) -> list[Path]:
    """Write a file for each chat into a folder; names come from the titles and never collide."""
    raise NotImplementedError


@dataclass(frozen=True)
class Imported:
    """What an import added: ids of chats and of launch records; what was left out, and why."""

    chats: tuple[str, ...]
    launches: tuple[str, ...]
    skipped: tuple[str, ...]


def import_json(path: Path, store: ChatStore, launches: Path,
                done: Callable[[int, int], None] = lambda count, total: None) -> Imported:
    """Add the chats of an exported file as new chats. Nothing in it is executed, nothing here is overwritten.

    Raises InputError naming the first thing that is wrong; nothing is added then.
    """
    raise NotImplementedError
