"""The question sets: data files in `resources/evaluation/`, one JSON object a line."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from importlib import resources

from app.expressions.tree import Value

SETS = ("normal", "advanced", "long")
FOLDER = "evaluation"


@dataclass(frozen=True)
class Question:
    """answer: the exact value; None for a question that needs no computing and must not launch."""

    id: str
    text: str
    answer: Value | None


@dataclass(frozen=True)
class QuestionSet:
    """Questions in order. content: the hash of the file."""

    name: str
    questions: tuple[Question, ...]
    content: str


def load_set(name: str) -> QuestionSet:
    """One of `SETS`."""
    text = (resources.files("resources") / FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")
    questions = tuple(Question(**json.loads(line)) for line in text.splitlines())
    return QuestionSet(name, questions, hashlib.sha256(text.encode()).hexdigest())
