"""Chats as files for people (Markdown) and for programs (JSON with provenance), and back.

A JSON export holds every branch, the source of every stretch of text, and the launch records that computed values name, so
that another computer can replay them. What is imported is data: it is checked, never executed, and overwrites nothing.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from app.chats.markdown import markdown, message_markdown
from app.chats.model import ASSISTANT, INTERRUPTED, UNTITLED, USER, Chat, Message
from app.chats.records import Record, chat_of, encode, plain
from app.chats.store import NUMBER, ChatStore
from app.files import parse_json, read_json, read_text, reason, replace_by_pieces, replace_file
from app.version import version
from engine.machine.errors import EnvironmentProblem, InputError

__all__ = ["Imported", "export_json", "export_markdown", "import_json", "markdown", "message_markdown"]

FORMAT = "qwengpu chats 1"
MAX_BYTES = 1 << 29
"""Longest file that is imported."""
MAX_RECORD_BYTES = 1 << 26
REMEDY = "give a file as it was exported"
_UNSAFE = re.compile(r'[\x00-\x1f<>:"/\\|?*]+')


# ---------------------------------------------------------------- out
def export_json(chats: Iterable[Chat], launches: Path, out: Path) -> None:
    """Write chats with all branches, and the launch records they name (from the folder `launches`), into a file.

    Raises EnvironmentProblem when the file cannot be written; what was there before is there then.
    """
    _saved(out, lambda: replace_by_pieces(out, _pieces(chats, launches)))


def export_markdown(chats: Iterable[Chat], folder: Path) -> list[Path]:
    """Write a file for each chat into a folder; names come from the titles, and no file that is there is overwritten."""
    written = []
    for chat in chats:
        path = _free_name(folder, chat.title)
        _saved(path, partial(replace_file, path, markdown(chat).encode("utf-8", "replace")))
        written.append(path)
    return written


def _saved(path: Path, write: Callable[[], None]) -> None:
    try:
        write()
    except OSError as error:
        raise EnvironmentProblem(
            f"the export cannot be written: {reason(error)}", str(path), "choose another place, or free some space"
        ) from error


def _free_name(folder: Path, title: str) -> Path:
    name = " ".join(_UNSAFE.sub(" ", title).split()).strip(" .")[:80].strip() or UNTITLED
    return next(
        path for number in range(1, 1 << 20) if not (path := folder / f"{name}{f' {number}' if number > 1 else ''}.md").exists()
    )


def _pieces(chats: Iterable[Chat], launches: Path) -> Iterator[bytes]:
    """The file, chat by chat."""
    named: dict[str, None] = {}
    head = {"format": FORMAT, "exported": _utc(time.time()), "program": version()}
    yield json.dumps(head)[:-1].encode() + b',\n"chats":['
    for number, chat in enumerate(chats):
        named |= dict.fromkeys(_named(chat))
        yield (b",\n" if number else b"\n") + encode(_object(chat)).strip()
    yield b'\n],\n"launches":{'
    first = True
    for launch in named:
        record = _record_text(launches, launch)
        if record is not None:
            yield (b"\n" if first else b",\n") + json.dumps(launch).encode() + b":" + record
            first = False
    yield b"\n}}\n"


def _object(chat: Chat) -> Mapping[str, Any]:
    return {
        "id": chat.id,
        "title": chat.title,
        "named": chat.named,
        "pinned": chat.pinned,
        "created": chat.created,
        "updated": chat.updated,
        "draft": chat.draft,
        "advanced": chat.advanced,
        "thinking": chat.thinking,
        "leaf": chat.leaf,
        "messages": [plain(message) for message in chat.messages.values()],
    }


def _named(chat: Chat) -> Iterator[str]:
    """The launches that a chat names."""
    for message in chat.messages.values():
        yield from (segment.launch for segment in message.segments if segment.launch is not None)
        yield from (str(entry["launch"]) for entry in message.turn if entry.get("launch"))
        yield from (str(summary["id"]) for summary in message.launches if summary.get("id"))


def _record_text(launches: Path, launch: str) -> bytes | None:
    """A launch record as it lies on disk; None for one that is not there or is no JSON."""
    path = launches / f"{launch}.json"
    if not NUMBER.fullmatch(launch) or not path.is_file():
        return None
    try:
        text = read_text(path, MAX_RECORD_BYTES)
        parse_json(text, str(path))
    except InputError:
        return None
    return text.strip().encode()


def _utc(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


# ---------------------------------------------------------------- in
@dataclass(frozen=True)
class Imported:
    """What an import added: ids of chats and of launch records; what was left out, and why."""

    chats: tuple[str, ...]
    launches: tuple[str, ...]
    skipped: tuple[str, ...]


def import_json(
    path: Path, store: ChatStore, launches: Path, done: Callable[[int, int], None] = lambda count, total: None
) -> Imported:
    """Add the chats of an exported file as new chats. Nothing in it is executed, nothing here is overwritten.

    Raises InputError naming the first thing that is wrong; nothing is added then. Raises EnvironmentProblem for the disk.
    """
    content = read_json(path, MAX_BYTES)
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise InputError("the file is no export of chats", str(path), REMEDY)
    records = _records_in(content.get("launches", {}), path)
    names = {launch: _new_name(launches, launch, record) for launch, record in records.items()}
    chats = [
        _read_chat(entry, names, f"{path}, chat {number}") for number, entry in enumerate(_list(content, "chats", path), 1)
    ]
    if store.obstacle is not None:
        raise store.obstacle
    added = [names[launch] for launch, record in records.items() if _add_record(launches, names[launch], record)]
    adopted = []
    for count, chat in enumerate(chats, 1):
        adopted.append(store.adopt(chat))
        done(count, len(chats))
    missing = sorted(
        {launch for chat in chats for launch in _named(chat_of("", chat)) if not (launches / f"{launch}.json").is_file()}
    )
    return Imported(tuple(adopted), tuple(added), tuple(f"launch record {launch} is not in the file" for launch in missing))


def _list(content: Mapping[str, Any], name: str, where: Path | str) -> Sequence[Any]:
    value = content.get(name)
    if not isinstance(value, list):
        raise InputError(f"'{name}' is not a list", str(where), REMEDY)
    return value


def _records_in(value: Any, path: Path) -> dict[str, Mapping[str, Any]]:
    """The launch records of an export. Raises InputError for what is none."""
    from app.compute.receipts import FORMAT as RECORD

    if not isinstance(value, dict):
        raise InputError("'launches' is not an object", str(path), REMEDY)
    for launch, record in value.items():
        if not NUMBER.fullmatch(launch):
            raise InputError(f"{launch[:80]!r} cannot be the id of a launch", str(path), REMEDY)
        if not isinstance(record, dict) or record.get("format") != RECORD or record.get("id") != launch:
            raise InputError(f"launch '{launch}' is no launch record", str(path), REMEDY)
    return value


def _record_bytes(record: Mapping[str, Any]) -> bytes:
    return json.dumps(record, separators=(",", ":")).encode() + b"\n"


def _new_name(launches: Path, launch: str, record: Mapping[str, Any]) -> str:
    """The id a record gets here: its own, unless another record has it."""
    try:
        if not (launches / f"{launch}.json").exists() or read_json(launches / f"{launch}.json", MAX_RECORD_BYTES) == record:
            return launch
    except InputError:
        pass  # what is there is damaged, and is left as it is
    return f"{launch[:50]}-{hashlib.sha256(_record_bytes(record)).hexdigest()[:12]}"


def _add_record(launches: Path, name: str, record: Mapping[str, Any]) -> bool:
    """Write a record unless it is there; whether it was written."""
    path = launches / f"{name}.json"
    if path.exists():
        return False
    _saved(path, lambda: replace_file(path, _record_bytes({**record, "id": name})))
    return True


def _read_chat(value: Any, names: Mapping[str, str], where: str) -> list[Record]:
    """A chat as the records of a new file. Raises InputError naming what is wrong."""
    if not isinstance(value, dict):
        raise InputError("a chat is not an object", where, REMEDY)
    records: list[Record] = []
    known: set[str] = set()
    for number, entry in enumerate(_list(value, "messages", where), 1):
        records += _read_message(entry, known, names, f"{where}, message {number}")
    last = max((record["at"] for record in records), default=_number(value.get("created", 0.0), where))
    choices: list[Record] = []
    if value.get("named") is True:
        choices.append({"kind": "title", "title": " ".join(_text(value.get("title", ""), where).split())})
    choices += [{"kind": "pin", "pinned": True}] if value.get("pinned") is True else []
    if value.get("advanced") is True or value.get("thinking") is True:
        choices.append(
            {"kind": "options", "advanced": value.get("advanced") is True, "thinking": value.get("thinking") is True}
        )
    if draft := _text(value.get("draft", ""), where):
        choices.append({"kind": "draft", "text": draft})
    if value.get("leaf") is not None:
        if value["leaf"] not in known:
            raise InputError("'leaf' is none of the messages", where, REMEDY)
        choices.append({"kind": "show", "leaf": value["leaf"]})
    if not records and not choices:
        raise InputError("a chat is empty", where, REMEDY)
    return [*records, *({"at": last, **choice} for choice in choices)]


def _read_message(value: Any, known: set[str], names: Mapping[str, str], where: str) -> list[Record]:
    try:
        message = msgspec.convert(_renamed({"parent": None, **value}, names), Message)
    except (msgspec.ValidationError, RecursionError, TypeError) as error:
        raise InputError(f"a message is malformed: {error}", where, REMEDY) from None
    if message.role not in (USER, ASSISTANT) or not NUMBER.fullmatch(message.id) or message.id in known:
        raise InputError(
            f"a message has a role or an id that cannot be ({message.role[:20]!r}, {message.id[:80]!r})", where, REMEDY
        )
    if message.parent is not None and message.parent not in known:
        raise InputError("a message stands below one that is not before it", where, REMEDY)
    at = _number(message.at, where)
    known.add(message.id)
    if message.role == USER:
        return [{"kind": "question", "at": at, "id": message.id, "parent": message.parent, "text": message.text}]
    end: dict[str, Any] = {
        "kind": "end",
        "at": _number(at if message.finished is None else message.finished, where),
        "id": message.id,
        "ended": message.ended or INTERRUPTED,
        "segments": [plain(segment) for segment in message.segments],
        "messages": list(message.turn),
        "launches": list(message.launches),
        "context": message.context,
    }
    end |= {"error": message.error} if message.error is not None else {}
    if message.tokens_per_second is not None:
        end["tokens_per_second"] = _number(message.tokens_per_second, where)
    return [
        {
            "kind": "reply",
            "at": at,
            "id": message.id,
            "parent": message.parent,
            "model": message.model,
            "advanced": message.advanced,
            "thinking": message.thinking,
        },
        *({"kind": "attempt", "at": at, "id": message.id, "attempt": plain(attempt)} for attempt in message.attempts),
        end,
    ]


def _renamed(value: Mapping[str, Any], names: Mapping[str, str]) -> Mapping[str, Any]:
    """A message with the ids that its launch records have here."""

    def each(entries: Any, key: str) -> Any:
        if not isinstance(entries, list):
            return entries
        return [
            {**entry, key: names.get(entry[key], entry[key])}
            if isinstance(entry, dict) and isinstance(entry.get(key), str)
            else entry
            for entry in entries
        ]

    return {
        **value,
        **{
            name: each(value[name], key)
            for name, key in (("segments", "launch"), ("turn", "launch"), ("launches", "id"))
            if name in value
        },
    }


def _number(value: Any, where: str) -> float:
    """A number that a clock could have given."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e12:
        raise InputError(f"{value!r:.40} is no time or speed", where, REMEDY)
    return float(value)


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise InputError("a text is none", where, REMEDY)
    return value
