"""Where the machine's memory lies in the recurrent state, and how its words are read from there.

The builder places the *home* copy of the memory and writes this map into `machine.safetensors` (metadata "map"). A word is
32 value dims of one key row of one head; a dim holds +1/4 for a 1 bit, -1/4 for a 0 bit, and exactly 0 everywhere in a word
never written.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Final

import numpy as np

from .machine.errors import MismatchError
from .machine.spec import WORD_BITS

BIT: Final = 0.25
"""Magnitude of a stored bit. The value path's silu gives exactly +-0.25, and the delta rule keeps it exactly: v - S and
S + (v - S) are exact in float32 for equal magnitudes (measured over millions of writes, `docs/numerics.md`)."""


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


HeadState = Callable[[int, int], np.ndarray]
"""(layer, head) -> recurrent state [key rows, value dims], float32."""


def decode_word(values: np.ndarray, word: int) -> int | None:
    """The unsigned word whose bits are +-1/4 in `values` [32]; None when it was never written (all exactly 0).

    Raises MismatchError on any other value: then the state is not what exact circuits leave.
    """
    if not values.any():
        return None
    if not (np.abs(values) == BIT).all():
        raise MismatchError(f"word {word} of the memory is no word: its state holds {values.tolist()}", "recurrent state",
                            "rebuild the checkpoint; on another device, run the machine on the CPU", word=word)
    return sum(1 << bit for bit in np.flatnonzero(values > 0).tolist())


def read_words(state: HeadState, memory: WordMap, words: Iterable[int]) -> dict[int, int]:
    """The written words among `words`, from the recurrent state. Raises MismatchError on a state that holds no word."""
    heads: dict[int, np.ndarray] = {}
    found: dict[int, int] = {}
    for word in words:
        head, row, dims = memory.place(word)
        if head not in heads:
            heads[head] = state(memory.layer, head)
        value = decode_word(heads[head][row, list(dims)], word)
        if value is not None:
            found[word] = value
    return found


def compare_records(state: Mapping[int, int], records: Mapping[int, int]) -> None:
    """Check the words read from the state against those that the token stream records.

    Raises MismatchError naming the first word that differs.
    """
    for word in sorted(state.keys() | records.keys()):
        if state.get(word) != records.get(word):
            raise MismatchError(f"word {word}: the recurrent state holds {state.get(word)}, the token stream "
                                f"recorded {records.get(word)}", "launch results", "run `qwengpu verify`",
                                word=word, state=state.get(word), record=records.get(word))
