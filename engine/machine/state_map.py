"""Where the machine's memory lies in the recurrent state.

The builder places the *home* copy of the memory and writes this map into the machine file (metadata "map"); a runtime reads
results through it. A word is 32 value dims of one key row of one head; a dim holds +1/4 for a 1 bit, -1/4 for a 0 bit, and
exactly 0 everywhere in a word never written.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from .spec import WORD_BITS


@dataclass(frozen=True)
class WordMap:
    """Where the words of the home memory are.

    A word w belongs to lane w % lanes of line w // lanes; a line to bank line // rows, where it is key row line % rows.

    layer: compiled layer whose recurrent state holds them
    lanes: words of a line
    rows:  lines (key rows) of a bank
    heads: heads[bank][lane] is the head that holds the lane's word
    dims:  dims[lane][bit] is the value dim of the bit in that head, least significant first
    """

    layer: int
    lanes: int
    rows: int
    heads: tuple[tuple[int, ...], ...]
    dims: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        """Refuse (ValueError) a map in which a bit has no place or two words share one."""
        if any(len(bank) != self.lanes for bank in self.heads) or [len(d) for d in self.dims] != [WORD_BITS] * self.lanes:
            raise ValueError("the state map does not give every lane a head and 32 dims")
        places = {(head, dim) for bank in self.heads for head, dims in zip(bank, self.dims, strict=True) for dim in dims}
        if len(places) != len(self.heads) * self.lanes * WORD_BITS:
            raise ValueError("the state map puts two bits into one place")

    @property
    def words(self) -> int:
        """Words of the memory."""
        return len(self.heads) * self.rows * self.lanes

    def place(self, word: int) -> tuple[int, int, tuple[int, ...]]:
        """Head, key row and value dims of a word. Raises IndexError outside the memory."""
        line, lane = divmod(word, self.lanes)
        bank, row = divmod(line, self.rows)
        return self.heads[bank][lane], row, self.dims[lane]


@dataclass(frozen=True)
class StateMap:
    """What the recurrent state holds, as far as a runtime must read it: the home memory."""

    memory: WordMap

    def to_json(self) -> str:
        """Canonical JSON: equal maps give equal bytes."""
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> StateMap:
        """The map that `to_json` wrote. Raises ValueError or TypeError on anything else."""
        fields = json.loads(text)["memory"]
        tables = {name: tuple(tuple(row) for row in fields.pop(name)) for name in ("heads", "dims")}
        return cls(WordMap(**fields, **tables))
