"""All chats of a user: opened, listed, moved to the trash and back. One process writes; a second one reads.

    store = ChatStore.open(paths.chats, paths.chat_index)
    chat = store.create()                                  # nothing is on disk until there is something to keep
    question = chat.ask("what is the dot product of [1, 2, 3] and [4, 5, 6]?")      # on disk when this returns
    reply = chat.reply(question.id)
    reply.take(event)                                      # every event of the worker; saved at least twice a second

Every method may be called from any thread; `open`, `search` and `empty_trash` may take a while.
"""

from __future__ import annotations

import os
import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any

from app.chats import journal
from app.chats.index import IN_MEMORY, Index, Stamp
from app.chats.later import Later
from app.chats.model import ASSISTANT, FAILED, INTERRUPTED, STOPPED, UNTITLED, USER, Chat, Message, Segment, Summary
from app.chats.records import Record, apply, chat_of, compacted, empty, encode, header, joined, plain
from app.chats.search import Hit
from app.files import reason
from app.worker import protocol
from engine.machine.errors import EnvironmentProblem, GpuError, InputError

if TYPE_CHECKING:
    from filelock import BaseFileLock

TRASH_DAYS = 30
DAY = 86_400.0
SAVE_SECONDS = 0.5
"""So much of a reply or a draft a crash may cost."""
COMPACT_BYTES = 1 << 18
"""A file below this is never shortened; a larger one is when that halves it."""
SUFFIX, TRASH, ASIDE, LOCK = ".jsonl", "trash", "damaged", ".lock"
NUMBER = re.compile(r"[A-Za-z0-9_-]{1,64}")


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
    """A reply while it is written. What it was told is on disk half a second later, whatever happens to the program.

    Nothing here raises: what the disk refuses is told to the store's `failed`, kept, and tried again with what follows.
    """

    def __init__(self, chat: OpenChat, message: str) -> None:
        self.message = message
        self._chat = chat
        self._text: list[Segment] = []
        self._records: list[Record] = []

    def take(self, event: protocol.Event) -> None:
        """Keep what an event of the worker says: tokens, attempts, finished messages, the result, an error."""
        match event:
            case protocol.Token():
                self.add(Segment(event.text, event.source, event.launch, event.part))
            case protocol.Attempt():
                self._keep("attempt", attempt={name: value for name, value in plain(event).items() if name != "id"})
            case protocol.Said():
                if event.message.get("role") != USER:
                    self._keep("said", message=dict(event.message))
            case protocol.ChatResult():
                self._finish(event)
            case protocol.Error():
                ended = STOPPED if event.kind == protocol.STOPPED else FAILED
                self._keep("end", ended=ended, error={name: value for name, value in plain(event).items() if name != "id"})

    def add(self, segment: Segment) -> None:
        """Keep a further stretch of text."""
        with self._chat.lock:
            if not self._ended:
                self._chat.show_record(self._part([segment]))
                self._text = list(joined((*self._text, segment)))
                self._chat.soon(self._save)

    def fail(self, error: GpuError) -> None:
        """End it because of an error; what was written stays."""
        self._keep(
            "end", ended=FAILED, error={"kind": error.kind, "message": error.what, "where": error.where, "remedy": error.remedy}
        )

    def stop(self) -> None:
        """End it because the user stopped it or the worker is gone; what was written stays. Nothing happens to an ended one."""
        self._keep("end", ended=STOPPED)

    @property
    def _ended(self) -> bool:
        return self._chat.state.messages[self.message].ended is not None

    def _finish(self, result: protocol.ChatResult) -> None:
        segments = joined(Segment(one.text, one.source, one.launch, one.part) for one in result.segments)
        changed = segments != self._chat.state.messages[self.message].segments
        self._keep(
            "end",
            ended=result.ended,
            launches=[plain(launch) for launch in result.launches],
            messages=[dict(message) for message in result.messages if message.get("role") != USER],
            context=plain(result.context),
            tokens_per_second=result.tokens_per_second,
            **({"segments": [plain(segment) for segment in segments]} if changed else {}),
        )

    def _keep(self, kind: str, **facts: Any) -> None:
        """Show a record at once and have it on disk when this returns. An ended reply keeps no more."""
        with self._chat.lock:
            if self._ended:
                return
            self._records += [self._part(self._text)] if self._text else []
            self._text = []
            self._records.append(self._chat.show_record({"kind": kind, "id": self.message, **facts}))
        self._save()
        self._chat.note()

    def _save(self) -> None:
        """Write what is not on disk yet; every half second in the background."""
        with self._chat.lock:
            records = [*self._records, *([self._part(self._text)] if self._text else [])]
            if not records or not self._chat.write_quietly(records):
                return
            self._records, self._text = [], []
        self._chat.settle()

    def _part(self, segments: Sequence[Segment]) -> Record:
        return self._chat.dated({"kind": "part", "id": self.message, "segments": [plain(segment) for segment in segments]})


class OpenChat:
    """A chat that is open. What changes it raises EnvironmentProblem when the disk refuses, and changes nothing then."""

    def __init__(self, store: ChatStore, state: Chat) -> None:
        self.state = state
        self._store = store
        self.lock = store.lock

    def ask(self, text: str, parent: str | None = None) -> Message:
        """Save a question below a reply (default: the end of the branch that is shown); on disk when this returns."""
        with self.lock:
            return self._question(text, parent if parent is not None else self.state.leaf)

    def edit(self, message: str, text: str) -> Message:
        """Save another version of a question, beside it."""
        with self.lock:
            old = self._message(message)
            if old.role != USER:
                raise InputError("only a question can be edited", f"message {message}", "ask again for another reply")
            return self._question(text, old.parent)

    def reply(self, question: str, model: str = "") -> Reply:
        """Begin a reply to a question; a second one to the same question is a new version. model: the checkpoint's name."""
        with self.lock:
            if self._message(question).role != USER:
                raise InputError("only a question can be answered", f"message {question}", "ask something first")
            number = self._new_id()
            self.write(
                [
                    {
                        "kind": "reply",
                        "id": number,
                        "parent": question,
                        "model": model,
                        "advanced": self.state.advanced,
                        "thinking": self.state.thinking,
                    }
                ]
            )
            return Reply(self, number)

    def show(self, message: str) -> None:
        """Show the newest branch through a message."""
        with self.lock:
            leaf = self.state.leaf_below(self._message(message).id)
            if leaf != self.state.leaf:
                self.write([{"kind": "show", "leaf": leaf}])

    def rename(self, title: str) -> None:
        """Give it a title; an empty one goes back to the title made of its first prompt."""
        self.write([{"kind": "title", "title": " ".join(title.split())}])

    def pin(self, pinned: bool) -> None:
        """Keep it at the top of the list, or no longer."""
        if pinned != self.state.pinned:
            self.write([{"kind": "pin", "pinned": pinned}])

    def keep_draft(self, text: str) -> None:
        """Keep what stands in the composer; on disk half a second later."""
        with self.lock:
            if text == self.state.draft:
                return
            self.state.draft = text
            self.soon(self._save_draft)

    def choose(self, advanced: bool | None = None, thinking: bool | None = None) -> None:
        """Remember the toggles of the composer; None leaves one as it is.

        On disk at once for a chat that is there; a new one remembers them with its first question.
        """
        with self.lock:
            before = self.state.advanced, self.state.thinking
            wanted = (before[0] if advanced is None else advanced, before[1] if thinking is None else thinking)
            if wanted == before:
                return
            if self._store.has(self.state.id):
                self.write([self._options(*wanted)])
            else:
                self.state.advanced, self.state.thinking = wanted

    # ------------------------------------------------------------ for the rest of this module
    def dated(self, record: Record) -> Record:
        """A record with the present time."""
        return {"at": self._store.clock(), **record}

    def write(self, records: Sequence[Record]) -> None:
        """Add records to the file, change the chat, and have them on the disk itself."""
        with self.lock:
            dated = [self.dated(record) for record in records]
            self._store.add(self, dated)
            for record in dated:
                apply(self.state, record)
        self.note()
        self.settle()

    def write_quietly(self, records: Sequence[Record]) -> bool:
        """Add records that the chat in memory shows already. False when the disk refuses, which is told to `failed`."""
        try:
            self._store.add(self, records)
        except GpuError as error:
            self._store.failed(self.state.id, error)
            return False
        return True

    def show_record(self, record: Record) -> Record:
        """Change the chat in memory only; the dated record."""
        dated = self.dated(record)
        apply(self.state, dated)
        return dated

    def note(self) -> None:
        """Show the change in the list and the search."""
        self._store.note(self)

    def settle(self) -> None:
        """Have what was written on the disk itself."""
        self._store.settle(self)

    def soon(self, action: Callable[[], None]) -> None:
        """Run an action within half a second, in the background."""
        self._store.later.soon(f"{self.state.id} {action.__qualname__} {id(getattr(action, '__self__', None))}", action)

    def _question(self, text: str, parent: str | None) -> Message:
        number = self._new_id()
        records: list[Record] = [{"kind": "question", "id": number, "parent": parent, "text": text}]
        if self.state.draft:
            records.append({"kind": "draft", "text": ""})
        if not self._store.has(self.state.id) and (self.state.advanced or self.state.thinking):
            records.append(self._options(self.state.advanced, self.state.thinking))
        self.write(records)
        return self.state.messages[number]

    def _save_draft(self) -> None:
        with self.lock:
            if self.state.draft or self._store.has(self.state.id):
                self.write_quietly([self.dated({"kind": "draft", "text": self.state.draft})])
        self.note()
        self.settle()

    @staticmethod
    def _options(advanced: bool, thinking: bool) -> Record:
        return {"kind": "options", "advanced": advanced, "thinking": thinking}

    def _message(self, number: str) -> Message:
        if number not in self.state.messages:
            raise InputError("the chat has no such message", f"message {number}", "open the chat again")
        return self.state.messages[number]

    def _new_id(self) -> str:
        return next(number for _ in range(1 << 20) if (number := secrets.token_hex(4)) not in self.state.messages)


class ChatStore:
    """The chats in a folder.

    writable: False when another process has them open or the folder cannot be written; obstacle says which, as an error
    repairs:  what was damaged and mended when they were opened
    changed:  called with a chat's id after every change of what a list shows, in whichever thread made it
    failed:   called with a chat's id and the error when something could not be saved in the background
    """

    def __init__(self, folder: Path, index: Path, clock: Callable[[], float] = time.time) -> None:
        self.folder, self.clock = folder, clock
        self.lock = RLock()
        self.later = Later(SAVE_SECONDS)
        self.changed: Callable[[str], None] = lambda number: None
        self.failed: Callable[[str, GpuError], None] = lambda number, error: None
        self.obstacle: GpuError | None = None
        self.repairs: tuple[Repair, ...] = ()
        self._open: dict[str, OpenChat] = {}
        self._closed = False
        self._process_lock = self._claim()
        self._index = Index(index if self.writable else IN_MEMORY)

    @classmethod
    def open(cls, folder: Path, index: Path, trash_days: float = TRASH_DAYS) -> ChatStore:
        """Open a folder of chats, mend what a crash left, empty what lay in the trash for so long (0: never).

        index: the file of the list and of the search; made again whenever it is missing, old or damaged
        """
        store = cls(folder, index)
        store._refresh()
        if store.writable and trash_days:
            store.empty_trash(trash_days)
        return store

    @property
    def writable(self) -> bool:
        """Whether this process may change chats."""
        return self.obstacle is None

    def close(self) -> None:
        """Save what is not saved yet and let another process write. Nothing happens to a closed one."""
        self.later.close()
        with self.lock:
            if self._closed:
                return
            self._closed = True
            self._index.close()
            if self._process_lock is not None:
                self._process_lock.release()

    # ------------------------------------------------------------ the list
    def summaries(self) -> list[Summary]:
        """All chats, pinned ones first, then the newest."""
        with self.lock:
            return self._index.summaries()

    def search(self, query: str, limit: int = 50) -> list[Hit]:
        """The chats that hold every word of a query, titles first, then the newest. "" gives none."""
        with self.lock:
            return self._index.search(query, limit)

    def states(self) -> Iterator[Chat]:
        """Every chat as it is, in the order of the list; those that are not open are read and forgotten again."""
        for one in self.summaries():
            with self.lock:
                chat = self._open.get(one.id)
                state = chat.state if chat is not None else self._load(self._path(one.id))
            yield state

    def create(self) -> OpenChat:
        """A new chat. Nothing is written before there is something to keep."""
        number = f"{time.strftime('%Y%m%d', time.gmtime(self.clock()))}-{secrets.token_hex(5)}"
        with self.lock:
            self._open[number] = OpenChat(self, empty(number))
            return self._open[number]

    def chat(self, number: str) -> OpenChat:
        """A chat by its id; the same object while it is open. Raises InputError for one that is not there."""
        with self.lock:
            chat = self._opened(number)
            if chat.state.deleted is not None:
                raise InputError("the chat is in the trash", number, "restore it first")
            return chat

    def _opened(self, number: str) -> OpenChat:
        if number not in self._open:
            path = self._path(number)
            if not NUMBER.fullmatch(number) or not path.is_file():
                raise InputError("there is no such chat", number, "choose one of the list")
            self._open[number] = OpenChat(self, self._load(path))
        return self._open[number]

    # ------------------------------------------------------------ the trash
    def delete(self, number: str) -> Deleted:
        """Move a chat to the trash."""
        with self.lock:
            chat = self.chat(number)
            self.later.flush()
            at = self.clock()
            if self.has(number):
                self._check_writable()
                record = {"kind": "deleted", "at": at}
                chat.write_quietly([record])  # the folder says it, too; a full disk must not keep anybody from deleting
                self._move(self._path(number), self._trashed(number))
                apply(chat.state, record)
            self._index.remove(number)
        self.changed(number)
        return Deleted(number, chat.state.title or UNTITLED, at)

    def restore(self, number: str) -> OpenChat:
        """Take a chat out of the trash. Raises InputError for one that is not there."""
        with self.lock:
            path = self._trashed(number)
            if not NUMBER.fullmatch(number) or not path.is_file():
                raise InputError("there is no such chat in the trash", number, "choose one of the trash")
            self._move(path, self._path(number))
            chat = self._opened(number)
            chat.write_quietly([chat.show_record({"kind": "restored"})])
            chat.note()
            return chat

    def trash(self) -> list[Deleted]:
        """What lies in the trash, the newest first."""
        found = []
        for path in (self.folder / TRASH).glob(f"*{SUFFIX}"):
            with suppress(OSError):
                state = chat_of(path.stem, journal.read(path).records)
                found.append(Deleted(path.stem, state.title or UNTITLED, state.deleted or path.stat().st_mtime))
        return sorted(found, key=lambda one: -one.at)

    def empty_trash(self, older_than_days: float = 0.0) -> int:
        """Delete for good what lies in the trash for so long; the bytes that are free now."""
        self._check_writable()
        freed = 0
        for one in self.trash():
            if self.clock() - one.at >= older_than_days * DAY:
                path = self._trashed(one.id)
                with suppress(OSError):
                    size = path.stat().st_size
                    path.unlink()
                    freed += size
        return freed

    # ------------------------------------------------------------ adding whole chats
    def adopt(self, records: Sequence[Record]) -> str:
        """Add a chat from elsewhere as a new file; its new id. records: everything but the first line."""
        with self.lock:
            chat = self.create()
            at = min((float(record["at"]) for record in records), default=self.clock())
            self._begin(chat.state.id, [header(chat.state.id, at), *records])
            del self._open[chat.state.id]
            adopted = self.chat(chat.state.id)
            adopted.note()
            return adopted.state.id

    # ------------------------------------------------------------ for open chats
    def has(self, number: str) -> bool:
        """Whether a chat has a file."""
        return self._path(number).is_file() or self._trashed(number).is_file()

    def add(self, chat: OpenChat, records: Sequence[Record]) -> None:
        """Write a chat's records; the first ones make its file. Raises EnvironmentProblem."""
        number = chat.state.id
        if not self.has(number):
            self._begin(number, [header(number, records[0]["at"]), *records])
            chat.state.created = chat.state.created or records[0]["at"]
            chat.state.updated = max(chat.state.updated, chat.state.created)
            return
        self._check_writable()
        try:
            journal.add(self._place(chat.state), records)
        except OSError as error:
            raise self._refused(error) from error

    def _begin(self, number: str, records: Sequence[Record]) -> None:
        self._check_writable()
        try:
            journal.begin(self._path(number), records)
        except OSError as error:
            raise self._refused(error) from error

    def settle(self, chat: OpenChat) -> None:
        """Have a chat's records on the disk itself."""
        with suppress(OSError):  # they are with the system; a disk that cannot do more is not the chat's problem
            journal.settle(self._place(chat.state))

    def note(self, chat: OpenChat) -> None:
        """Show a change of a chat in the list and the search."""
        with self.lock, suppress(OSError):
            if chat.state.deleted is None and _shown(chat.state):
                self._index.put([(chat.state, Stamp.of(self._path(chat.state.id)))])
            else:
                self._index.remove(chat.state.id)
        self.changed(chat.state.id)

    def _path(self, number: str) -> Path:
        return self.folder / f"{number}{SUFFIX}"

    def _place(self, chat: Chat) -> Path:
        """Where a chat's file lies; a reply that is still being written follows its chat into the trash."""
        return self._path(chat.id) if chat.deleted is None else self._trashed(chat.id)

    def _trashed(self, number: str) -> Path:
        return self.folder / TRASH / f"{number}{SUFFIX}"

    def _move(self, old: Path, new: Path) -> None:
        self._check_writable()
        try:
            new.parent.mkdir(parents=True, exist_ok=True)
            os.replace(old, new)
        except OSError as error:
            raise self._refused(error) from error
        journal.sync_folder(old.parent)
        journal.sync_folder(new.parent)

    # ------------------------------------------------------------ opening
    def _claim(self) -> BaseFileLock | None:
        from filelock import FileLock, Timeout

        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self.folder / LOCK, thread_local=False)
            lock.acquire(timeout=0)
        except Timeout:
            self.obstacle = EnvironmentProblem(
                "another running qwenGPU has the chats open; here they can only be read",
                str(self.folder),
                "close the other one, then open this one again",
            )
        except OSError as error:
            self.obstacle = EnvironmentProblem(
                f"chats cannot be saved: {reason(error)}",
                str(self.folder),
                "make the folder writable; what is there can be read",
            )
        else:
            return lock
        return None

    def _check_writable(self) -> None:
        if self.obstacle is not None:
            raise self.obstacle
        if self._closed:
            raise EnvironmentProblem("the chats are closed", str(self.folder), "open the app again")

    def _refused(self, error: OSError) -> EnvironmentProblem:
        return EnvironmentProblem(
            f"the chat cannot be saved: {reason(error)}", str(self.folder), "free some space, or make the folder writable"
        )

    def _refresh(self) -> None:
        """Bring the index to what the files say; mend the files that changed since."""
        known = self._index.stamps()
        present = {path.stem: path for path in self.folder.glob(f"*{SUFFIX}") if NUMBER.fullmatch(path.stem)}
        for number in known.keys() - present.keys():
            self._index.remove(number)
        self._index.put(self._changed_files(present, known))

    def _changed_files(self, present: dict[str, Path], known: dict[str, Stamp]) -> Iterable[tuple[Chat, Stamp]]:
        for number, path in present.items():
            try:
                if known.get(number) != Stamp.of(path):
                    state = self._load(path)
                    if _shown(state):
                        yield state, Stamp.of(path)
            except OSError:
                continue  # it was moved away, or its only lines were unreadable and it lies aside
            except EnvironmentProblem as problem:
                self.repairs += (Repair(number, problem.what, path),)

    def _load(self, path: Path) -> Chat:
        """Read a chat, mending what a crash or a damaged disk left."""
        try:
            reading = journal.read(path)
        except OSError as error:
            raise EnvironmentProblem(f"the chat cannot be read: {reason(error)}", str(path), "check the file") from error
        state = chat_of(path.stem, reading.records)
        if self.writable:
            try:
                self._mend(path, reading, state)
            except OSError as error:
                self.repairs += (Repair(path.stem, f"the file is damaged and cannot be mended: {reason(error)}", path),)
        return state

    def _mend(self, path: Path, reading: journal.Reading, state: Chat) -> None:
        if not reading.sound:
            kept = journal.mend(path, reading, self.folder / ASIDE)
            if reading.damaged:
                what = (
                    f"{len(reading.damaged)} lines could not be read (the first is line {reading.damaged[0]}); "
                    f"{len(reading.records)} lines were kept"
                )
            else:
                what = "the last line was not whole"
            self.repairs += (Repair(path.stem, what, kept),)
        if reading.size >= COMPACT_BYTES:
            shorter = compacted(reading.records)
            if _weight(shorter) * 2 < reading.size and chat_of(path.stem, shorter) == state:
                journal.rewrite(path, shorter)
        unfinished = [message.id for message in state.messages.values() if message.role == ASSISTANT and message.ended is None]
        if unfinished and path.is_file():
            records = [{"kind": "end", "id": number, "at": self.clock(), "ended": INTERRUPTED} for number in unfinished]
            journal.add(path, records)
            for record in records:
                apply(state, record)


def _shown(chat: Chat) -> bool:
    """Whether there is anything in it."""
    return bool(chat.messages or chat.draft or chat.title)


def _weight(records: Iterable[Record]) -> int:
    return sum(len(encode(record)) for record in records)
