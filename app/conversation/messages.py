"""What was said and computed, and how a chat template writes it.

A user's text is never part of what the template's special tokens are read from: the template is rendered with placeholders, and
what they stand for is encoded as text, whatever it looks like.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from app.expressions.tree import Value
from engine.machine.errors import InputError

MAX_PROMPT = 100_000
"""Longest text of a user, in characters."""
TOOL = "compute"
PARAMETER = "expression"
CALL_OPEN = f"<tool_call>\n<function={TOOL}>\n<parameter={PARAMETER}>\n"
_PLACEHOLDER = re.compile("\ue0f0(\\d+)\ue0f1")


@dataclass(frozen=True)
class Message:
    """role: "user", "assistant" or "tool"; call: the expression that an assistant's message calls."""

    role: str
    text: str = ""
    call: str | None = None


@dataclass(frozen=True)
class Segment:
    """A stretch of a reply. source: "sampled", "forced" or "computed"; launch: the record that computed it."""

    text: str
    source: str
    launch: str | None = None


@dataclass(frozen=True)
class Piece:
    """A stretch of a prompt; in a literal one nothing is a special token."""

    text: str
    literal: bool


@dataclass
class Conversation:
    """Messages in order, and the values that were computed, by name."""

    messages: list[Message] = field(default_factory=list)
    names: dict[str, Value] = field(default_factory=dict)


def check_prompt(text: str) -> str:
    """A user's text. Raises InputError for none, broken or far too much text."""
    if not text.strip():
        raise InputError("the prompt is empty", "prompt", "ask something")
    if len(text) > MAX_PROMPT:
        raise InputError(f"the prompt has {len(text):,} characters", "prompt", f"write at most {MAX_PROMPT:,}")
    broken = next((place for place, letter in enumerate(text) if 0xD800 <= ord(letter) < 0xE000), None)
    if broken is not None:
        raise InputError("the prompt holds a broken character (a lone surrogate)", f"prompt, character {broken + 1}",
                         "remove it")
    return text


def template_messages(messages: Sequence[Message]) -> tuple[list[dict[str, Any]], list[str]]:
    """Messages as chat templates take them, with placeholders, and what the placeholders stand for."""
    contents: list[str] = []

    def held(text: str) -> str:
        contents.append(text)
        return f"\ue0f0{len(contents) - 1}\ue0f1"

    plain = []
    for message in messages:
        entry: dict[str, Any] = {"role": message.role, "content": held(message.text) if message.text else ""}
        if message.call is not None:
            function = {"name": TOOL, "arguments": {PARAMETER: held(message.call)}}
            entry["tool_calls"] = [{"type": "function", "function": function}]
        plain.append(entry)
    return plain, contents


def pieces_of(rendered: str, contents: Sequence[str]) -> list[Piece]:
    """A rendered template with the placeholders replaced."""
    pieces, place = [], 0
    for found in _PLACEHOLDER.finditer(rendered):
        pieces += [Piece(rendered[place:found.start()], False), Piece(contents[int(found[1])], True)]
        place = found.end()
    return [piece for piece in (*pieces, Piece(rendered[place:], False)) if piece.text]


def tool_description(usages: Sequence[str]) -> dict[str, Any]:
    """The one tool, as chat templates take it."""
    about = ("Computes exactly with whole numbers. Write one expression of these functions; arguments are integers (decimal, "
             "hex), lists [1, 2], matrices [[1, 2], [3, 4]], names of earlier results, or calls: " + ", ".join(usages))
    properties = {PARAMETER: {"type": "string", "description": "for example dot([1, 2, 3], [4, 5, 6])"}}
    return {"type": "function", "function": {"name": TOOL, "description": about, "parameters": {
        "type": "object", "properties": properties, "required": [PARAMETER]}}}
