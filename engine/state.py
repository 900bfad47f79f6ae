"""How the words of the machine's memory are read from the recurrent state (`engine.machine.state_map` says where they are)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

import numpy as np

from .machine.errors import MismatchError
from .machine.state_map import WordMap

BIT: Final = 0.25
"""Magnitude of a stored bit. The value path's silu gives exactly +-0.25, and the delta rule keeps it exactly: v - S and
S + (v - S) are exact in float32 for equal magnitudes (over 100,000 tokens: `tests/conformance/endurance.py`)."""

HeadState = Callable[[int, int], np.ndarray]
"""(layer, head) -> recurrent state [key rows, value dims], float32."""


def decode_word(values: np.ndarray, word: int) -> int | None:
    """The unsigned word whose bits are +-1/4 in `values` [32]; None when it was never written (all exactly 0).

    Raises MismatchError on any other value: then the state is not what exact circuits leave.
    """
    if not values.any():
        return None
    if not (np.abs(values) == BIT).all():
        raise MismatchError(
            f"word {word} of the memory is no word: its state holds {values.tolist()}",
            "recurrent state",
            "rebuild the checkpoint; on another device, run the machine on the CPU",
            word=word,
        )
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
            raise MismatchError(
                f"word {word}: the recurrent state holds {state.get(word)}, the token stream recorded {records.get(word)}",
                "launch results",
                "run `qwengpu verify`",
                word=word,
                state=state.get(word),
                record=records.get(word),
            )
