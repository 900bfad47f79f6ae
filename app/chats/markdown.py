"""Chats as Markdown for people: every computed value has a footnote that says how it was computed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.chats.model import ASSISTANT, COMPLETE, FAILED, INTERRUPTED, LENGTH, STOPPED, TEXT, UNTITLED, USER, Chat, Message

ENDS = {
    STOPPED: "stopped here",
    LENGTH: "stopped at the longest length",
    FAILED: "stopped by an error",
    INTERRUPTED: "the program ended here",
    COMPLETE: "",
    None: "still being written",
}


class Footnotes:
    """Numbers of the launches that are referred to, in the order they are met."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._summaries: dict[str, Mapping[str, Any]] = {}

    def mark(self, launch: str) -> str:
        """What stands behind a value."""
        return f"[^c{self._numbers.setdefault(launch, len(self._numbers) + 1)}]"

    def know(self, message: Message) -> None:
        """Take over what a reply says of its launches."""
        self._summaries |= {str(summary.get("id")): summary for summary in message.launches}

    def lines(self) -> list[str]:
        """The footnotes."""
        return [
            f"[^c{number}]: {described(launch, self._summaries.get(launch, {}))}" for launch, number in self._numbers.items()
        ]


def described(launch: str, summary: Mapping[str, Any]) -> str:
    """How a value was computed, in one line."""
    title = " ".join(str(summary.get("title", "")).split())
    facts = [
        f"computed in the weights{f': {title}' if title else ''}"
        f"{' = ' + ' '.join(str(summary['outputs']).split()) if title and summary.get('outputs') else ''}"
    ]
    if isinstance(summary.get("tokens"), int):
        facts.append(f"{summary['tokens']:,} tokens")
    if summary.get("replay"):
        facts.append(f"replay {summary['replay']}")
    return "; ".join([*facts, f"receipt {launch}"]) + "."


def markdown(chat: Chat, thinking: bool = False) -> str:
    """The branch that is shown; every computed value with a footnote that says how. thinking: with the model's thoughts."""
    notes, parts = Footnotes(), [f"# {' '.join((chat.title or UNTITLED).split())}"]
    for message in chat:
        parts += ["**You**" if message.role == USER else f"**{message.model or 'Reply'}**", *_message(message, notes, thinking)]
    return _whole(parts, notes)


def message_markdown(chat: Chat, message: str) -> str:
    """One message as Markdown with footnotes, for the clipboard."""
    notes, found = Footnotes(), chat.messages[message]
    return found.text if found.role == USER else _whole(_reply(found, notes), notes)


def _whole(parts: list[str], notes: Footnotes) -> str:
    footnotes = notes.lines()
    return "\n\n".join([part for part in (*parts, "\n".join(footnotes)) if part]) + "\n"


def _message(message: Message, notes: Footnotes, thinking: bool) -> list[str]:
    if message.role == USER:
        return ["\n".join(f"> {line}".rstrip() for line in message.text.splitlines() or [""])]
    thoughts = message.thoughts.strip() if thinking else ""
    return [f"<details><summary>Thinking</summary>\n\n{thoughts}\n\n</details>" if thoughts else "", *_reply(message, notes)]


def _reply(message: Message, notes: Footnotes) -> list[str]:
    """A reply's paragraphs: its text with marks, its kernel, and how it ended where it did not end well."""
    assert message.role == ASSISTANT
    notes.know(message)
    written, inside = "", []
    for segment in message.segments:
        if segment.part == TEXT:
            written += segment.text
            if segment.source == "computed" and segment.launch is not None:
                if in_code(written):  # a mark would become part of the code
                    inside.append(segment.launch)
                else:
                    written += notes.mark(segment.launch)
    marks = "".join(notes.mark(launch) for launch in dict.fromkeys(inside))
    kernel = next((attempt.source for attempt in reversed(message.attempts) if attempt.error is None), "")
    end = ENDS.get(message.ended, "")
    return [
        written.strip(),
        f"Computed in the code above: {marks}" if marks else "",
        f"```cuda\n{kernel.rstrip()}\n```" if kernel else "",
        f"*({end})*" if end else "",
    ]


def in_code(text: str) -> bool:
    """Whether what follows a Markdown text would be inside a code block or a code span."""
    fence, mark, line = "", "", ""
    for line in text.split("\n"):
        mark = next((mark for mark in ("```", "~~~") if line.lstrip().startswith(mark)), "")
        if mark and not fence:
            fence = mark
        elif mark and mark == fence:
            fence = ""
    return bool(fence) or (not mark and line.count("`") % 2 == 1)
