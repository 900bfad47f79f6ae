"""Markdown as markdown-it's tokens: block after block, so that only the last, unfinished one is ever read again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token


@dataclass(frozen=True)
class Block:
    """A block of the outermost level. start: where in the text its first line begins; tokens: all of it."""

    start: int
    tokens: tuple[Token, ...]


def blocks(text: str) -> list[Block]:
    """The blocks of a text. HTML is text; raw links are not made clickable."""
    starts, place = [0], 0
    for line in text.split("\n"):
        place += len(line) + 1
        starts.append(place)
    found: list[Block] = []
    held: list[Token] = []
    for token in _reader().parse(text):
        held.append(token)
        if token.level == 0 and token.nesting <= 0:
            first: Sequence[int] = next(each.map for each in held if each.map)
            found.append(Block(starts[first[0]], tuple(held)))
            held = []
    return found


@cache
def _reader() -> MarkdownIt:
    from markdown_it import MarkdownIt  # with the first reply, not with the window

    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
