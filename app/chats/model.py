"""A conversation as data: a tree of messages, what was chosen for it, and what a list shows of it.

A message never changes its place: editing a question or asking again adds a branch beside the old one. Which branch is
shown is the chat's `leaf`; everything above it is found by `parent`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

USER, ASSISTANT = "user", "assistant"
TEXT, THINKING, CALL = "text", "thinking", "call"
COMPLETE, STOPPED, LENGTH, FAILED, INTERRUPTED = "complete", "stopped", "length", "failed", "interrupted"
TITLE_LENGTH = 60
"""Longest title that is made of a prompt, in characters."""
SNIPPET_LENGTH = 120
UNTITLED = "New chat"


@dataclass(frozen=True)
class Segment:
    """A stretch of a reply.

    source: "sampled", "forced" or "computed"; launch: the id of the record that computed it; part: "text", "thinking", "call"
    """

    text: str
    source: str = "sampled"
    launch: str | None = None
    part: str = TEXT

    def continues(self, other: Segment) -> bool:
        """Whether this stretch and the one before it are one."""
        return (self.source, self.launch, self.part) == (other.source, other.launch, other.part)


@dataclass(frozen=True)
class Attempt:
    """A kernel that the model wrote in advanced mode.

    error: what the compiler or the machine said, None when it was right; launch: its LAUNCH.json
    record: of a launch that the machine stopped
    """

    number: int
    source: str = ""
    error: str | None = None
    launch: str = ""
    record: str | None = None


@dataclass(frozen=True)
class Message:
    """A question or a reply.

    role:     "user" or "assistant"; parent: the message before it, None for the first
    at:       when it was begun; finished: when it ended (seconds since 1970, UTC)
    text:     what the user wrote; "" for a reply
    segments: a reply's stretches in order; launches: its summaries as the worker gave them; attempts: advanced mode's kernels
    turn:     the worker's messages of a finished reply, without the user's; what the next request is made of
    ended:    None while it is written; else "complete", "stopped", "length", "failed" or "interrupted" (the program ended)
    error:    the error object of a failed reply
    model:    the checkpoint's name; context, speed: what the worker's result says
    """

    id: str
    parent: str | None
    role: str
    at: float
    text: str = ""
    segments: tuple[Segment, ...] = ()
    launches: tuple[Mapping[str, Any], ...] = ()
    attempts: tuple[Attempt, ...] = ()
    turn: tuple[Mapping[str, Any], ...] = ()
    ended: str | None = None
    finished: float | None = None
    error: Mapping[str, Any] | None = None
    advanced: bool = False
    thinking: bool = False
    model: str = ""
    context: Mapping[str, Any] = field(default_factory=dict)
    tokens_per_second: float | None = None

    @property
    def said(self) -> str:
        """The text that people read: a question, or a reply without thinking and calls."""
        return self.text if self.role == USER else "".join(part.text for part in self.segments if part.part == TEXT)

    @property
    def thoughts(self) -> str:
        """The thinking of a reply."""
        return "".join(part.text for part in self.segments if part.part == THINKING)

    @property
    def computed(self) -> int:
        """How many values of the text were computed in the weights."""
        return sum(part.source == "computed" and part.part == TEXT for part in self.segments)


@dataclass
class Chat:
    """A conversation as its file says. Only `app.chats.records.apply` changes one.

    named: the user gave the title; leaf: the last message of the branch that is shown; messages: by id, in the order written
    others: records of newer versions, kept as they are
    """

    id: str
    created: float
    updated: float
    title: str = ""
    named: bool = False
    pinned: bool = False
    draft: str = ""
    advanced: bool = False
    thinking: bool = False
    leaf: str | None = None
    deleted: float | None = None
    messages: dict[str, Message] = field(default_factory=dict)
    children: dict[str | None, list[str]] = field(default_factory=dict)
    others: list[Mapping[str, Any]] = field(default_factory=list)

    def branch(self, leaf: str | None = None) -> list[Message]:
        """The messages from the first to `leaf` (default: the branch that is shown)."""
        found, current = [], leaf if leaf is not None else self.leaf
        while current is not None:
            message = self.messages[current]
            found.append(message)
            current = message.parent
        return found[::-1]

    def siblings(self, message: str) -> tuple[str, ...]:
        """The ids of all versions of a message, its own among them, in the order written."""
        return tuple(self.children[self.messages[message].parent])

    def leaf_below(self, message: str) -> str:
        """The newest end of the branches that go through a message; what choosing another version shows."""
        while self.children.get(message):
            message = self.children[message][-1]
        return message

    def before(self, message: str) -> tuple[Mapping[str, Any], ...]:
        """The worker's messages of the branch above a message: what a request sends beside the message's own text."""
        return tuple(entry for above in self.branch(message)[:-1] for entry in spoken(above))

    def summary(self) -> Summary:
        """What a list shows."""
        last = self.messages.get(self.leaf or "")
        shown = self.branch()
        return Summary(
            self.id,
            self.title or UNTITLED,
            self.pinned,
            self.updated,
            self.created,
            shorten(last.said if last else self.draft, SNIPPET_LENGTH),
            sum(message.computed for message in shown),
            bool(self.draft),
        )

    def __iter__(self) -> Iterator[Message]:
        """The branch that is shown."""
        return iter(self.branch())


@dataclass(frozen=True)
class Summary:
    """A chat in a list. snippet: the beginning of the last message; computed: values computed in the branch that is shown."""

    id: str
    title: str
    pinned: bool
    updated: float
    created: float
    snippet: str
    computed: int = 0
    draft: bool = False

    @classmethod
    def order(cls, summaries: list[Self]) -> list[Self]:
        """Pinned ones first, then the newest."""
        return sorted(summaries, key=lambda one: (not one.pinned, -one.updated, one.id))


def spoken(message: Message) -> tuple[Mapping[str, Any], ...]:
    """A message as the worker's protocol takes it. A reply that did not end well is what was written until then."""
    if message.role == USER:
        return ({"role": USER, "text": message.text},)
    if message.turn:
        return message.turn
    return ({"role": ASSISTANT, "text": message.said},) if message.said else ()


def title_of(prompt: str) -> str:
    """A title made of a first prompt: its first line with words, cut at a word."""
    line = next((line for line in prompt.splitlines() if line.strip()), "")
    return shorten(line, TITLE_LENGTH)


def shorten(text: str, length: int) -> str:
    """Text in one line of at most `length` characters, cut at a word where there is one."""
    line = " ".join(text[: 4 * length].split())
    if len(line) <= length:
        return line
    cut = line[: length - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > length // 2 else cut).rstrip() + "…"
