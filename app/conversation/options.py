"""What a turn is asked with, and who listens to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from app.conversation.messages import Message, Segment
from engine.machine.errors import InputError


@dataclass(frozen=True)
class Sampling:
    """How the model's text is chosen; calls and launches are always the likeliest token.

    temperature: 0 takes the likeliest; top_p: the share of probability that is chosen from; top_k: how many tokens, 0 for all
    seed: the same seed, model and device give the same text
    """

    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        """Raises InputError for numbers that mean nothing."""
        number = (int, float)
        for name, right, range_ in (
            ("temperature", isinstance(self.temperature, number) and 0 <= self.temperature <= 5, "0 to 5"),
            ("top_p", isinstance(self.top_p, number) and 0 < self.top_p <= 1, "above 0, to 1"),
            ("top_k", isinstance(self.top_k, int) and self.top_k >= 0, "a whole number from 0"),
            ("seed", isinstance(self.seed, int), "a whole number"),
        ):
            if not right or isinstance(getattr(self, name), bool):
                raise InputError(f"{name} is {getattr(self, name)!r}", "sampling", f"give {range_}")

    @classmethod
    def from_json(cls, entry: Mapping[str, Any]) -> Sampling:
        """The settings in an object; what is left out is as it is by default. Raises InputError."""
        known = {f.name for f in fields(cls)}
        unknown = sorted(set(entry) - known)
        if unknown:
            raise InputError(f"unknown setting '{unknown[0]}'", "sampling", f"known: {', '.join(sorted(known))}")
        return cls(**entry)


@dataclass(frozen=True)
class Options:
    """How one message is answered.

    advanced: the model writes CUDA kernels instead of expressions; thinking: it thinks first, where it can
    system: what it is told before the conversation; alone: it has no tool, to see what it can do without
    """

    advanced: bool = False
    thinking: bool = False
    system: str = ""
    sampling: Sampling = Sampling()
    alone: bool = False


@dataclass(frozen=True)
class Attempt:
    """A round of the advanced mode. error: None for the one that worked; record: of a launch that the machine stopped."""

    number: int
    source: str
    launch: str
    error: str | None = None
    record: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The object that processes exchange."""
        return {"number": self.number, "source": self.source, "launch": self.launch, "error": self.error, "record": self.record}


@dataclass(frozen=True)
class Progress:
    """A launch that runs. launch: id of the record to be; title: the expression or the kernel's name

    tokens: fed and generated so far, over all launches of the value; prompt: tokens that the host has fed so far
    block, warp: what runs on the machine now, None while nothing does
    """

    launch: str
    title: str
    tokens: int
    prompt: int
    block: int | None
    warp: int | None

    def to_json(self) -> dict[str, Any]:
        """The object that processes exchange."""
        return {
            "launch": self.launch,
            "expression": self.title,
            "tokens": self.tokens,
            "prompt": self.prompt,
            "block": self.block,
            "warp": self.warp,
        }


def _ignore(_: Any) -> None:
    """The callback of somebody who does not listen."""


@dataclass(frozen=True)
class Listener:
    """Who is told about a turn while it comes about, each in the thread that answers.

    on_segment: every stretch of the reply when it is there; on_message: every message when it is finished
    on_launch: the progress of launches, with every token (the listener thins them out)
    on_attempt: every round of the advanced mode; on_note: what the user should know before it happens
    cancelled: asked before every token of text and of the machine; True stops the turn, which keeps what was written
    """

    on_segment: Callable[[Segment], None] = _ignore
    on_message: Callable[[Message], None] = _ignore
    on_launch: Callable[[Progress], None] = _ignore
    on_attempt: Callable[[Attempt], None] = _ignore
    on_note: Callable[[str], None] = _ignore
    cancelled: Callable[[], bool] = field(default=lambda: False)


PLAIN = Options()
NOBODY = Listener()
