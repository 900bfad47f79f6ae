"""Where in a token stream something happens: which tokens wrote a cell, which ran a block. For search and breakpoints.

It reads the stream alone (`engine.trace.Follower`), so it is quick and needs no state of the machine.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from app.inspection.arrays import Array
from engine.machine.errors import InputError
from engine.machine.program import Program
from engine.machine.spec import BYTES_PER_WORD, SPEC
from engine.machine.tokens import Token
from engine.trace import Follower

Place = tuple[str | int, ...]
"""("memory", address), ("register", number) of any lane and warp, or ("block", number)."""


class Index:
    """The tokens that touch each place; filled from left to right."""

    def __init__(self, program: Program, tokens: Sequence[Token]) -> None:
        self._tokens, self._follower, self.known = tokens, Follower(program), 0
        self._found: dict[Place, array[int]] = {}

    @property
    def complete(self) -> bool:
        """Whether the whole stream has been read."""
        return self.known == len(self._tokens)

    def extend(self, count: int) -> None:
        """Read so many further tokens."""
        for number in range(self.known, min(self.known + count, len(self._tokens))):
            token = self._tokens[number]
            if token.kind == "EXEC":
                self._note(("block", token.fields[0]), number)
            for write in self._follower.follow(token):
                self._note((write[0], write[1] if write[0] == "memory" else write[2]), number)
        self.known = min(self.known + count, len(self._tokens))

    def _note(self, place: Place, number: int) -> None:
        found = self._found.setdefault(place, array("l"))
        if not found or found[-1] != number:
            found.append(number)

    def tokens_of(self, place: Place) -> Sequence[int]:
        """The tokens known to touch a place, ascending."""
        return self._found.get(place, array("l"))

    def after(self, place: Place, position: int) -> int | None:
        """The first token behind a position that touches a place. Reads the whole stream first."""
        self.extend(len(self._tokens))
        found = self.tokens_of(place)
        number = bisect_right(found, position)
        return found[number] if number < len(found) else None

    def before(self, place: Place, position: int) -> int | None:
        """The last token before a position that touches a place."""
        self.extend(len(self._tokens))
        found = self.tokens_of(place)
        number = bisect_left(found, position)
        return found[number - 1] if number else None


@dataclass(frozen=True)
class Query:
    """What was asked for: a place, or a position. text: as the user sees it again."""

    text: str
    place: Place | None = None
    position: int | None = None


def read_query(text: str, arrays: Sequence[Array], program: Program, tokens: int) -> Query:
    """What a search means: "out[2]", "word 520", "r3", "block 4", "token 120". Raises InputError that says what is possible."""
    asked = " ".join(text.split())
    if (found := re.fullmatch(r"(\w+)\s?\[\s?(\d+)\s?\]", asked)) is not None:
        named = next((a for a in arrays if a.name == found[1]), None)
        if named is None:
            raise _unknown(asked, f"the arrays are {', '.join(a.name for a in arrays)}")
        offset = int(found[2]) * named.type.bytes // BYTES_PER_WORD
        if int(found[2]) >= max(named.count, 1):
            raise _unknown(asked, f"{named.name} has {named.count} entries, counted from 0")
        return Query(f"{named.name}[{found[2]}]", ("memory", named.base + offset))
    if (found := re.fullmatch(r"(?:word |\[)?(\d+)\]?", asked)) is not None and asked[0] in "w[":
        if int(found[1]) >= SPEC.words:
            raise _unknown(asked, f"the machine has words 0 to {SPEC.words - 1}")
        return Query(f"word {found[1]}", ("memory", int(found[1])))
    if (found := re.fullmatch(r"r(?:egister )?(\d+)", asked)) is not None and int(found[1]) < SPEC.registers:
        return Query(f"r{found[1]}", ("register", int(found[1])))
    if (found := re.fullmatch(r"b(?:lock )?(\d+)", asked)) is not None:
        if int(found[1]) >= len(program.blocks):
            raise _unknown(asked, f"the program has blocks 0 to {len(program.blocks) - 1}")
        return Query(f"block {found[1]}", ("block", int(found[1])))
    if (found := re.fullmatch(r"(?:token |#)?(\d+)", asked)) is not None:
        if not 1 <= int(found[1]) <= tokens:
            raise _unknown(asked, f"the tokens are 1 to {tokens:,}")
        return Query(f"token {found[1]}", position=int(found[1]) - 1)
    raise _unknown(asked, "write a cell (out[2]), a word (word 520), a register (r3), a block (block 4) or a token (120)")


def _unknown(asked: str, remedy: str) -> InputError:
    return InputError(f"nothing here is called '{asked[:40]}'", "search", remedy)
