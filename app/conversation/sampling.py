"""Which token of text comes next: the likeliest, or one drawn from a seed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from app.conversation.options import Sampling

CANDIDATES = 1_024
"""Likeliest tokens that a draw looks at; what lies behind them has no part."""


class Sampler:
    """Chooses the tokens of one turn; two of the same settings choose the same tokens from the same candidates."""

    def __init__(self, sampling: Sampling) -> None:
        self._sampling, self._random = sampling, Random(sampling.seed)

    def choose(self, candidates: Sequence[tuple[int, float]]) -> int:
        """One of (token, logit) pairs, likeliest first."""
        settings = self._sampling
        if settings.temperature == 0:
            return candidates[0][0]
        kept = candidates[: settings.top_k or None]
        top = kept[0][1]
        weights = [math.exp((logit - top) / settings.temperature) for _, logit in kept]
        count = _nucleus(weights, settings.top_p)
        return self._random.choices([token for token, _ in kept[:count]], weights[:count])[0]


def _nucleus(weights: Sequence[float], share: float) -> int:
    """How many of the first weights make this share of all."""
    needed, reached = share * sum(weights), 0.0
    for count, weight in enumerate(weights, 1):
        reached += weight
        if reached >= needed:
            return count
    return len(weights)
