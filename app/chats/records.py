"""The lines of a chat's file: what each kind says, and how it changes the chat. A line is a JSON object with a "kind".

| kind | says |
|---|---|
| chat | the first line: format, id |
| question | a user's message below a parent |
| reply | a reply to a question was begun |
| part, attempt, said | a reply's further text with its sources; a kernel it tried; a finished message of the worker's turn |
| end | how a reply ended, its launches and figures; its text where that is not what the parts said |
| title, pin, draft, options, show | the title a person gave; pinned; the composer's text, its toggles; the branch shown |
| deleted, restored | to the trash and back |

Whatever else is there was written by a newer version, or is damaged in a way JSON does not show; it is kept and not read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from app.chats.model import ASSISTANT, INTERRUPTED, USER, Attempt, Chat, Message, Segment, title_of

FORMAT = 1
Record = Mapping[str, Any]
LAST_COUNTS = ("title", "pin", "draft", "options", "show")
"""Kinds of which only the last line says anything."""


def header(chat: str, at: float) -> Record:
    """The first line of a chat."""
    return {"kind": "chat", "format": FORMAT, "id": chat, "at": at}


def plain(value: Any) -> Any:
    """A dataclass as JSON values, without what is empty."""
    return {name: entry for name, entry in msgspec.to_builtins(value).items() if entry not in (None, "", [], {})}


# ---------------------------------------------------------------- lines
def encode(record: Record) -> bytes:
    """A record as a line."""
    try:
        return msgspec.json.encode(record) + b"\n"
    except UnicodeEncodeError:  # a lone surrogate, as some input methods give; JSON can escape it
        return json.dumps(record, separators=(",", ":")).encode() + b"\n"


def decode(line: bytes) -> Record | None:
    """The record in a line; None when it is none."""
    try:
        value = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        try:
            value = json.loads(line)  # takes lone surrogates
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, dict) and isinstance(value.get("kind"), str) else None


# ---------------------------------------------------------------- reading
def empty(chat: str) -> Chat:
    """A chat of which nothing is known yet."""
    return Chat(chat, 0.0, 0.0)


def apply(chat: Chat, record: Record) -> None:
    """Change a chat as a record says. One that makes no sense here is kept among the others."""
    try:
        change = _CHANGES[record["kind"]]
        change(chat, record)
    except (KeyError, TypeError, ValueError, AttributeError, msgspec.ValidationError):
        chat.others.append(record)


def chat_of(number: str, records: Iterable[Record]) -> Chat:
    """The chat that a file's records say."""
    chat = empty(number)
    for record in records:
        apply(chat, record)
    return chat


def _begin(chat: Chat, record: Record) -> None:
    if record["format"] > FORMAT:
        raise ValueError("a newer version's chat")
    chat.created = float(record["at"])
    chat.updated = max(chat.updated, chat.created)


def _question(chat: Chat, record: Record) -> None:
    _add(chat, Message(str(record["id"]), record["parent"], USER, float(record["at"]), text=_text(record["text"])))
    if not chat.named and not chat.title:
        chat.title = title_of(record["text"])


def _reply(chat: Chat, record: Record) -> None:
    _add(
        chat,
        Message(
            str(record["id"]),
            record["parent"],
            ASSISTANT,
            float(record["at"]),
            model=_text(record.get("model", "")),
            advanced=bool(record.get("advanced", False)),
            thinking=bool(record.get("thinking", False)),
        ),
    )


def _add(chat: Chat, message: Message) -> None:
    if message.id in chat.messages or (message.parent is not None and message.parent not in chat.messages):
        raise ValueError("a message twice, or below none")
    chat.messages[message.id] = message
    chat.children.setdefault(message.parent, []).append(message.id)
    chat.leaf = message.id
    chat.created = chat.created or message.at
    chat.updated = max(chat.updated, message.at)


def _part(chat: Chat, record: Record) -> None:
    message = chat.messages[record["id"]]
    chat.messages[message.id] = replace(message, segments=joined((*message.segments, *segments_of(record["segments"]))))
    chat.updated = max(chat.updated, float(record["at"]))


def _attempt(chat: Chat, record: Record) -> None:
    message = chat.messages[record["id"]]
    attempt = msgspec.convert(record["attempt"], Attempt)
    chat.messages[message.id] = replace(message, attempts=(*message.attempts, attempt))


def _said(chat: Chat, record: Record) -> None:
    message = chat.messages[record["id"]]
    chat.messages[message.id] = replace(message, turn=(*message.turn, _object(record["message"])))


def _end(chat: Chat, record: Record) -> None:
    message = chat.messages[record["id"]]
    changes: dict[str, Any] = {"ended": _text(record["ended"]), "finished": float(record["at"])}
    if "segments" in record:
        changes["segments"] = joined(segments_of(record["segments"]))
    if "messages" in record:
        changes["turn"] = tuple(map(_object, record["messages"]))
    if "launches" in record:
        changes["launches"] = tuple(map(_object, record["launches"]))
    for name in ("context", "error"):
        if name in record:
            changes[name] = _object(record[name])
    if "tokens_per_second" in record:
        changes["tokens_per_second"] = float(record["tokens_per_second"])
    chat.messages[message.id] = replace(message, **changes)
    if record["ended"] != INTERRUPTED:
        chat.updated = max(chat.updated, float(record["at"]))


def _title(chat: Chat, record: Record) -> None:
    given = _text(record["title"])
    first = chat.messages[chat.children[None][0]].text if chat.children.get(None) else ""
    chat.title, chat.named = given or title_of(first), bool(given)


def _pin(chat: Chat, record: Record) -> None:
    chat.pinned = bool(record["pinned"])


def _draft(chat: Chat, record: Record) -> None:
    chat.draft = _text(record["text"])


def _options(chat: Chat, record: Record) -> None:
    chat.advanced, chat.thinking = bool(record["advanced"]), bool(record["thinking"])


def _show(chat: Chat, record: Record) -> None:
    chat.leaf = chat.messages[record["leaf"]].id


def _deleted(chat: Chat, record: Record) -> None:
    chat.deleted = float(record["at"])


def _restored(chat: Chat, record: Record) -> None:
    chat.deleted = None


_CHANGES: Mapping[str, Callable[[Chat, Record], None]] = {
    "chat": _begin,
    "question": _question,
    "reply": _reply,
    "part": _part,
    "attempt": _attempt,
    "said": _said,
    "end": _end,
    "title": _title,
    "pin": _pin,
    "draft": _draft,
    "options": _options,
    "show": _show,
    "deleted": _deleted,
    "restored": _restored,
}


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def _object(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise TypeError("no object")
    return value


def segments_of(values: Iterable[Any]) -> tuple[Segment, ...]:
    """Segments from JSON values. Raises msgspec.ValidationError."""
    return tuple(msgspec.convert(list(values), list[Segment]))


def joined(segments: Iterable[Segment]) -> tuple[Segment, ...]:
    """The same text with neighbours of one source as one segment; empty ones are left out."""
    found: list[Segment] = []
    for segment in segments:
        if found and segment.continues(found[-1]):
            found[-1] = replace(found[-1], text=found[-1].text + segment.text)
        elif segment.text:
            found.append(segment)
    return tuple(found)


# ---------------------------------------------------------------- shortening
def compacted(records: Sequence[Record]) -> Sequence[Record]:
    """Fewer records that say the same: without superseded choices, a reply's neighbouring parts as one."""
    last = {record["kind"]: place for place, record in enumerate(records) if record["kind"] in LAST_COUNTS}
    shorter: list[dict[str, Any]] = []
    for place, record in enumerate(records):
        if last.get(record["kind"], place) != place:
            continue
        before = shorter[-1] if shorter else {}
        if record["kind"] == "part" == before.get("kind") and record.get("id") == before.get("id"):
            try:
                merged = joined(segments_of([*before["segments"], *record["segments"]]))
            except (msgspec.ValidationError, KeyError, TypeError):
                shorter.append(dict(record))
                continue
            before.update(at=record.get("at"), segments=[plain(segment) for segment in merged])
        else:
            shorter.append(dict(record))
    return shorter
