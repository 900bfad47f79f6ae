"""Finding chats by what was said in them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Hit:
    """A chat that a search found.

    message: the newest message that holds every word; None when only the title does
    snippet: text around the first word; ranges: (start, end) of every word in the snippet
    title_ranges: (start, end) of every word in the title; matches: how many messages hold every word
    """

    chat: str
    title: str
    updated: float
    message: str | None
    snippet: str
    ranges: tuple[tuple[int, int], ...]
    title_ranges: tuple[tuple[int, int], ...]
    matches: int
