"""What became of a question, and how sure a share of questions is."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from app.conversation.reply import Reply
from app.evaluation.questions import Question
from app.expressions.tree import Value

Verdict = Literal["exact", "wrong", "refused"]
_INTEGER = re.compile(r"(?<![\w.])[-\u2212]?\d[\d,]*(?:\.\d+)?(?!\w)")
Z = 1.959964
"""Standard deviations of a two-sided interval of 95 %."""


@dataclass(frozen=True)
class Outcome:
    """verdict: exact, wrong or refused; launched: whether something was computed."""

    verdict: Verdict
    launched: bool


def judge(question: Question, reply: Reply) -> Outcome:
    """What became of a question.

    Nothing to compute: exact without a call. Else, what was computed last must be the answer; without a call the answer must
    stand in the text as a number (a list as its numbers in order), which is kind to a model that says many. A reply that gives
    no number, or that the host gave, is a refusal.
    """
    launched = bool(reply.receipts)
    if question.answer is None:
        return Outcome("wrong" if launched or reply.failures or reply.attempts else "exact", launched)
    if launched:
        return Outcome("exact" if reply.receipts[-1].value == question.answer else "wrong", True)
    if all(segment.source == "forced" for segment in reply.shown()):
        return Outcome("refused", False)
    numbers = list(numbers_in(reply.text))
    if not numbers:
        return Outcome("refused", False)
    return Outcome("exact" if _contains(numbers, list(_flat(question.answer))) else "wrong", False)


def numbers_in(text: str) -> Iterator[int]:
    """The whole numbers that a text writes in digits; 3.5 is none."""
    for found in _INTEGER.findall(text):
        if "." not in found:
            yield int(found.replace(",", "").replace("\u2212", "-"))


def _flat(value: Value) -> Iterable[int]:
    return [entry for item in value for entry in _flat(item)] if isinstance(value, list) else [value]


def _contains(numbers: Sequence[int], wanted: Sequence[int]) -> bool:
    return any(list(numbers[start : start + len(wanted)]) == list(wanted) for start in range(len(numbers) - len(wanted) + 1))


@dataclass(frozen=True)
class Share:
    """So many of so many."""

    count: int
    total: int

    def interval(self) -> tuple[float, float]:
        """Wilson's interval of 95 % for the share; (0, 1) of none."""
        if not self.total:
            return 0.0, 1.0
        n, p = self.total, self.count / self.total
        middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
        half = Z / (1 + Z * Z / n) * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
        return max(0.0, middle - half), min(1.0, middle + half)

    def __str__(self) -> str:
        low, high = self.interval()
        share = 100 * self.count / self.total if self.total else 0.0
        return f"{self.count}/{self.total} {share:.0f} % ({100 * low:.0f}–{100 * high:.0f})"
