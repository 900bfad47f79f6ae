"""Finding chats by what was said in them: a chat is found when it holds every word of the query, anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from app.chats.folding import excerpt, fold, ranges, words_of

_MARKS = re.compile(r"\||`+|\*\*|^#+\s|:?-{2,}:?", re.MULTILINE)


@dataclass(frozen=True)
class Hit:
    """A chat that a search found.

    message: the message that holds most of the words, the newest of those; None when only the title does
    snippet: text around the first word; ranges: (start, end) of every word in the snippet
    title_ranges: (start, end) of every word in the title; matches: how many messages hold that many words
    """

    chat: str
    title: str
    updated: float
    message: str | None
    snippet: str
    ranges: tuple[tuple[int, int], ...]
    title_ranges: tuple[tuple[int, int], ...]
    matches: int


@dataclass(frozen=True)
class Searched:
    """What a search looks through of a chat. title_plain, plain: the title, and title and all messages, folded."""

    title: str
    title_plain: str
    updated: float
    plain: str


def matching(query: str, chats: Mapping[str, Searched], limit: int) -> list[str]:
    """The ids of at most `limit` chats that hold every word, those whose title does first, then the newest."""
    words = words_of(query)
    if not words:
        return []
    newest = sorted(chats, key=lambda number: -chats[number].updated)
    titled = [number for number in newest if all(word in chats[number].title_plain for word in words)][:limit]
    found, seen = titled, set(titled)
    for number in newest:
        if len(found) >= limit:
            break
        plain = chats[number].plain
        if number not in seen and all(word in plain for word in words):
            found.append(number)
    return found


def without_marks(text: str) -> str:
    """Markdown as a line of plain words: no bars of tables, no quotes of code, no stars."""
    return re.sub(r"[ \t]+", " ", _MARKS.sub(" ", text)).strip()


def hit(query: str, number: str, chat: Searched, said: Iterable[tuple[str, str]]) -> Hit:
    """What to show of a chat that was found. said: id and text of its messages, in the order written"""
    words = words_of(query)
    counted = [
        (sum(word in plain for word in words), message, text)
        for message, text in said
        if any(word in (plain := fold(text)) for word in words)
    ]
    title_ranges = ranges(chat.title, words)
    if not counted:
        return Hit(number, chat.title, chat.updated, None, "", (), title_ranges, 0)
    most = max(count for count, _, _ in counted)
    best = [(message, text) for count, message, text in counted if count == most]
    message, text = best[-1]
    snippet, where = excerpt(without_marks(text), words)
    return Hit(number, chat.title, chat.updated, message, snippet, where, title_ranges, len(best))
