"""All chats of a user: opened, listed, moved to the trash and back. One process writes; a second one reads.

    store = ChatStore.open(paths.chats, paths.cache / "chats.sqlite")
    chat = store.create()                                  # nothing is on disk until there is something to keep
    question = chat.ask("what is the dot product of [1, 2, 3] and [4, 5, 6]?")      # on disk when this returns
    reply = chat.reply(question.id)
    reply.take(event)                                      # every event of the worker; saved at least twice a second

Every method may be called from any thread; `open`, `search`, `refresh` and `empty_trash` may take a while.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app.chats.model import Chat, Message, Segment, Summary
from app.chats.search import Hit
from app.worker.protocol import Event
from engine.machine.errors import GpuError

TRASH_DAYS = 30


@dataclass(frozen=True)
class Repair:
    """What was found damaged when the chats were opened. kept: the file that holds every byte of what was damaged."""

    chat: str
    what: str
    kept: Path | None


@dataclass(frozen=True)
class Deleted:
    """A chat in the trash. at: when it was deleted (seconds since 1970)."""

    id: str
    title: str
    at: float


class Reply:
    """A reply while it is written. What it was told is on disk half a second later, whatever happens to the program."""

    message: str

    def take(self, event: Event) -> None:
        """Keep what an event of the worker says: tokens, attempts, finished messages, the result, an error."""
        raise NotImplementedError

    def add(self, segment: Segment) -> None:
        """Keep a further stretch of text."""
        raise NotImplementedError

    def fail(self, error: GpuError) -> None:
        """End it because of an error; what was written stays."""
        raise NotImplementedError

    def stop(self) -> None:
        """End it because the user stopped it or the worker is gone; what was written stays. Nothing happens to an ended one."""
        raise NotImplementedError


class OpenChat:
    """A chat that is open for writing. Raises EnvironmentProblem from whatever changes it when the disk refuses."""

    state: Chat

    def ask(self, text: str, parent: str | None = None) -> Message:
        """Save a question below a reply (default: the end of the branch that is shown); on disk when this returns."""
        raise NotImplementedError

    def edit(self, message: str, text: str) -> Message:
        """Save another version of a question, beside it."""
        raise NotImplementedError

    def reply(self, question: str, model: str = "") -> Reply:
        """Begin a reply to a question; a second one to the same question is a new version. model: the checkpoint's name."""
        raise NotImplementedError

    def show(self, message: str) -> None:
        """Show the newest branch through a message."""
        raise NotImplementedError

    def rename(self, title: str) -> None:
        """Give it a title; an empty one goes back to the title made of its first prompt."""
        raise NotImplementedError

    def pin(self, pinned: bool) -> None:
        """Keep it at the top of the list, or no longer."""
        raise NotImplementedError

    def keep_draft(self, text: str) -> None:
        """Keep what stands in the composer; on disk half a second later."""
        raise NotImplementedError

    def choose(self, advanced: bool | None = None, thinking: bool | None = None) -> None:
        """Remember the toggles of the composer; None leaves one as it is."""
        raise NotImplementedError


class ChatStore:
    """The chats in a folder.

    writable: False when another process has them open or the folder cannot be written; obstacle says which, as an error
    repairs:  what was damaged and mended when they were opened
    changed:  called with a chat's id after every change of what a list shows, in whichever thread made it
    """

    writable: bool
    obstacle: GpuError | None
    repairs: tuple[Repair, ...]
    changed: Callable[[str], None]

    @classmethod
    def open(cls, folder: Path, index: Path) -> ChatStore:
        """Open a folder of chats, mend what a crash left, empty what lay in the trash for TRASH_DAYS.

        index: the file of the list and of the search; made again whenever it is missing, old or damaged
        """
        raise NotImplementedError

    def close(self) -> None:
        """Save what is not saved yet and let another process write. Nothing happens to a closed one."""
        raise NotImplementedError

    def summaries(self) -> list[Summary]:
        """All chats, pinned ones first, then the newest."""
        raise NotImplementedError

    def create(self) -> OpenChat:
        """A new chat. Nothing is written before there is something to keep; its toggles are those of the chat before."""
        raise NotImplementedError

    def chat(self, number: str) -> OpenChat:
        """A chat by its id; the same object while it is open. Raises InputError for one that is not there."""
        raise NotImplementedError

    def delete(self, number: str) -> Deleted:
        """Move a chat to the trash."""
        raise NotImplementedError

    def restore(self, number: str) -> OpenChat:
        """Take a chat out of the trash."""
        raise NotImplementedError

    def trash(self) -> list[Deleted]:
        """What lies in the trash, the newest first."""
        raise NotImplementedError

    def empty_trash(self, older_than_days: float = 0.0) -> int:
        """Delete for good what lies in the trash for so long; the bytes that are free now."""
        raise NotImplementedError

    def search(self, query: str, limit: int = 50) -> list[Hit]:
        """The chats that hold every word of a query, titles first, then the newest. "" gives none."""
        raise NotImplementedError
