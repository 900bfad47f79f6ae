"""The machine's tokens at both ends of its layers: embedding rows in, the argmax of the tied head out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from .machine.tokens import CODE_BITS, code_signs
from .residual import inverse_root, round_bf16
from .weights import Machine

TOKEN_SCALE: Final = np.float32(2.0**-5)
"""A machine token's embedding row holds its code's signs times this on the code lanes, 0 elsewhere."""


class Vocabulary:
    """Embedding and head of a machine's own tokens, counted from 0."""

    def __init__(self, machine: Machine) -> None:
        self._hidden, self._lanes = machine.spec.hidden, machine.code_lanes
        nibbles = np.array([code_signs(nibble)[:16] for nibble in range(16)], np.float32)
        self._signs = nibbles[machine.codes[:, None] >> np.arange(0, CODE_BITS, 4) & 15].reshape(len(machine.codes), -1)
        self._by_signs = {key.tobytes(): token for token, key in enumerate(np.packbits(self._signs > 0, axis=1))}

    def embed(self, tokens: Sequence[int]) -> np.ndarray:
        """Embedding rows of tokens, float32 [tokens, hidden] holding bf16 numbers."""
        lanes = np.zeros((len(tokens), self._hidden), np.float32)
        lanes[:, self._lanes] = self._signs[list(tokens)] * TOKEN_SCALE
        return lanes

    def argmax(self, residual: np.ndarray) -> int:
        """The first of the tokens with the largest logit behind a final RMSNorm of weight 0. residual: float32 [hidden]."""
        lanes = residual[self._lanes]
        size = np.abs(lanes)
        known = self._by_signs.get(np.packbits(lanes > 0).tobytes())
        if known is not None and size[0] > 0 and (size == size[0]).all():
            return known  # the lanes are its code itself: no other code reaches 64 equal terms of one sign
        normed = round_bf16(lanes * inverse_root(np.float32(residual.dot(residual) / len(residual))))
        return int(np.argmax(round_bf16(self._signs @ (normed * TOKEN_SCALE))))
