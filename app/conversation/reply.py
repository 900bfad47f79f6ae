"""What a turn gave: the new messages, the reply with the source of every stretch, its records, and how full the context is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from app.compute.receipts import Receipt
from app.conversation.messages import Message, Segment
from app.conversation.options import Attempt

NEARLY_FULL = 0.8
"""The part of the context from which on the user is told that it fills."""
SHORT = 120
"""Characters of an output in a summary."""

Ended = Literal["complete", "stopped", "length"]


@dataclass(frozen=True)
class Context:
    """How much of what the model can read is in use.

    used, limit: tokens; dropped: messages at the beginning of the branch that no longer fit and were left out
    """

    used: int
    limit: int
    dropped: int = 0

    @property
    def nearly_full(self) -> bool:
        """Whether messages will be left out soon."""
        return self.used >= NEARLY_FULL * self.limit > 0

    def to_json(self) -> dict[str, int]:
        """The object that processes exchange."""
        return {"used": self.used, "limit": self.limit, "dropped": self.dropped}


@dataclass
class Reply:
    """What a turn gave.

    messages: the new ones, the user's included; receipts: a record per computed value
    attempts: rounds of the advanced mode; failures: expressions that could not be computed, with the reason
    tokens_per_second: of the model's own text, launches and reading not counted
    ended: by itself, by the user, or since it became too long
    """

    messages: list[Message] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    receipts: list[Receipt] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)
    failures: list[tuple[str, str]] = field(default_factory=list)
    context: Context = Context(0, 0)
    tokens_per_second: float = 0.0
    ended: Ended = "complete"

    @property
    def text(self) -> str:
        """The reply as it is read: without thinking and calls."""
        return "".join(segment.text for segment in self.shown())

    def shown(self) -> Iterator[Segment]:
        """The segments that are the reply's text."""
        return (segment for segment in self.segments if segment.part == "text")

    def add(self, segment: Segment) -> None:
        """A further stretch; neighbours of one source are one."""
        last = self.segments[-1] if self.segments else None
        if last is not None and replace(last, text="") == replace(segment, text=""):
            self.segments[-1] = replace(last, text=last.text + segment.text)
        else:
            self.segments.append(segment)

    def spans(self) -> list[dict[str, Any]]:
        """The range of every segment in `text`, in characters, with its source."""
        found, place = [], 0
        for segment in self.shown():
            end = place + len(segment.text)
            found.append({"start": place, "end": end, "source": segment.source, "launch": segment.launch})
            place = end
        return found

    def to_json(self) -> dict[str, Any]:
        """The result that the worker sends."""
        return {
            "messages": [message.to_json() for message in self.messages],
            "segments": [segment.to_json() for segment in self.segments],
            "launches": [summary(receipt) for receipt in self.receipts],
            "attempts": [attempt.to_json() for attempt in self.attempts],
            "failures": [{"expression": call, "reason": why} for call, why in self.failures],
            "context": self.context.to_json(),
            "tokens_per_second": self.tokens_per_second,
            "ended": self.ended,
        }


def summary(receipt: Receipt) -> dict[str, Any]:
    """A launch row: what was computed, in how many tokens, with which result; the record holds the rest."""
    launches = receipt.launches
    return {
        "id": receipt.id,
        "title": receipt.title,
        "tokens": sum(len(launch.generated) for launch in launches),
        "prompt": sum(len(launch.prompt) for launch in launches),
        "passes": sum(launch.passes for launch in launches),
        "replay": "exact",
        "outputs": _short(receipt.text),
        "seconds": receipt.seconds,
    }


def _short(text: str) -> str:
    return text if len(text) <= SHORT else f"{text[: SHORT - 2]} …"
