"""Text as a search compares it: without case, accents and width. Ranges found in it are those of the original text."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

_ACCENTS = range(0x300, 0x370)


class _Folded(dict[str, str]):
    """What each character is compared as; an accent of its own is nothing. Filled as characters are met."""

    def __missing__(self, letter: str) -> str:
        parts = unicodedata.normalize("NFKD", letter)
        kept = "".join(part for part in parts if ord(part) not in _ACCENTS)
        self[letter] = unicodedata.normalize("NFKC", kept).casefold()
        return self[letter]


_FOLDED = _Folded()


def fold(text: str) -> str:
    """Text as it is compared."""
    return text.lower() if text.isascii() else _fold_letters(text)


@lru_cache(maxsize=1 << 12)
def _fold_letters(text: str) -> str:
    """A long chat is folded again whenever something is added to it; all but the new text is remembered."""
    return "".join(map(_FOLDED.__getitem__, text))


def words_of(query: str) -> tuple[str, ...]:
    """The folded words of a query, each once, the longest first."""
    return tuple(sorted(set(fold(query).split()), key=lambda word: (-len(word), word)))


def ranges(text: str, words: Iterable[str]) -> tuple[tuple[int, int], ...]:
    """Where words stand in a text, as (start, end) of the text as it is; overlapping ones are one."""
    folded, places = fold(text), _places(text)
    found = []
    for word in words:
        start = folded.find(word)
        while word and start >= 0:
            end = start + len(word)
            found.append((places[start], places[end - 1] + 1) if places else (start, end))
            start = folded.find(word, end)
    merged: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


def _places(text: str) -> list[int]:
    """For every character of the folded text, which one of the text it comes from; [] where they are the same."""
    if text.isascii():
        return []
    return [place for place, letter in enumerate(text) for _ in _FOLDED[letter]]


def excerpt(text: str, words: Iterable[str], length: int = 160) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Text around the first word, in one line, and where words stand in it."""
    words = tuple(words)
    line = " ".join(text.split())
    where = ranges(line, words)
    first = where[0][0] if where else 0
    start = max(0, first - length // 4)
    if start:
        space = line.find(" ", start, first)
        start = space + 1 if space >= 0 else start
    cut = line[start : start + length]
    shown = ("…" if start else "") + cut.rstrip() + ("…" if start + length < len(line) else "")
    return shown, ranges(shown, words)
