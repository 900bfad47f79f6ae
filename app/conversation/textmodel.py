"""A model and its tokenizer as the language model of a conversation. Imports torch, but not `transformers`."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Protocol

import torch

from app.compute.library import Function
from app.conversation.grammar import ExpressionGrammar, Grammar
from app.conversation.messages import (
    CALL_OPEN,
    Message,
    kernel_tool_description,
    pieces_of,
    template_messages,
    tool_description,
)
from app.conversation.options import PLAIN, Options
from app.expressions.tree import Value

REPAIRS = 2
"""How often a model may correct a call that cannot be computed."""
FIRST_LOOK = 256
"""Tokens that are ranked at once; further ones only when none of these may come next."""
PIECE = 128
"""Tokens that are read at a time: bounds the memory that reading takes, and the time until it can be stopped."""
KEPT = 4
"""States that are kept to go on from, beside the present one."""


def _go_on() -> None:
    """What is asked where nobody wants to stop."""


class Language(Protocol):
    """A model of text. vocabulary: how many tokens; context: how many it reads; ends: tokens that end a reply."""

    vocabulary: int
    context: int
    layers: int
    ends: frozenset[int]
    device: str

    def empty(self) -> Any:
        """The memory of a model that has read nothing; `copy.deepcopy` makes one to go on from twice."""

    def read(self, tokens: Sequence[int], memory: Any) -> torch.Tensor:
        """Read further tokens; the logits of the next one, float32 [vocabulary]. memory: brought up to date."""


class Tokenizer(Protocol):
    """What turns text into tokens. ids: every token by its text; ends: tokens that end a reply."""

    ids: Mapping[str, int]
    ends: frozenset[int]

    def render(self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]], thinking: bool) -> str:
        """A conversation in the words of the chat template, up to where the assistant goes on."""

    def encode(self, text: str, special: bool) -> list[int]:
        """The tokens of a text. special: whether one that looks like a special token is one."""

    def decode(self, tokens: Sequence[int]) -> str:
        """The text of tokens, special ones as they are written."""


class ModelText:
    """A language model: its state is a memory that goes on where a new prompt begins like an earlier one.

    limit: the first token that is not the base's
    """

    repairs = REPAIRS
    writes_kernels = True
    named = True

    def __init__(
        self, model: Language, tokenizer: Tokenizer, functions: Mapping[str, Function], limit: int | None = None
    ) -> None:
        self._model, self._tokenizer, self._functions = model, tokenizer, functions
        ids = tokenizer.ids
        self.limit = min(limit or model.vocabulary, len(ids), model.vocabulary)
        self.limit_context = model.context
        self.ends = model.ends | tokenizer.ends
        self.opening = _known(ids, self.limit, CALL_OPEN, "<tool_call>")
        self.thought_end = _known(ids, self.limit, "</think>")
        self._starts = {token for text, token in ids.items() if text.startswith("<|im_start|>")}
        self._now = self._nothing()
        self._kept: list[_Reading] = []
        self._spell = lru_cache(maxsize=1 << 16)(lambda token: tokenizer.decode([token]))

    @property
    def layers(self) -> int:
        """How many the language model has, the compiled ones not counted."""
        return self._model.layers

    @property
    def device(self) -> str:
        """Where the text is computed."""
        return self._model.device

    def refusal(self, text: str) -> str | None:
        """Nothing is refused."""
        return None

    def prompt(self, messages: Sequence[Message], options: Options = PLAIN) -> list[int]:
        """The tokens of a conversation; what people wrote is text, whatever it looks like."""
        plain, contents = template_messages(messages, options.system, self.named)
        tools = (
            []
            if options.alone
            else [
                kernel_tool_description()
                if options.advanced
                else tool_description([function.usage for function in self._functions.values()])
            ]
        )
        rendered = self._tokenizer.render(plain, tools, options.thinking)
        return [
            token
            for piece in pieces_of(rendered, contents)
            for token in self._tokenizer.encode(piece.text, special=not piece.literal)
        ]

    def encode(self, text: str) -> list[int]:
        """The tokens of a text in which nothing is a special token."""
        return self._tokenizer.encode(text, special=False)

    def decode(self, tokens: Sequence[int]) -> str:
        """The text of tokens."""
        return self._spell(tokens[0]) if len(tokens) == 1 else self._tokenizer.decode(tokens)

    def grammar(self, messages: Sequence[Message], names: Mapping[str, Value]) -> Grammar:
        """Every call of the library."""
        return ExpressionGrammar(self._functions, names)

    def begin(self, tokens: Sequence[int], ask: Callable[[], None] = _go_on) -> None:
        """Read tokens from the beginning; what an earlier reading has in common with them is not read again.

        ask: called before every piece; may raise to stop, and what was read stays good

        The state of a hybrid model cannot be cropped, so it is kept where later prompts are likely to part from this one: in
        front of the assistant's turn, which a template writes otherwise once it is history, and in front of the last question,
        which may be edited.
        """
        tokens = list(tokens)
        readings = [reading for reading in (self._now, *self._kept) if reading.leads_to(tokens)]
        self._now = max(readings, key=lambda reading: len(reading.tokens)).copy() if readings else self._nothing()
        for place in [place for place, token in enumerate(tokens) if token in self._starts][-2:]:
            if len(self._now.tokens) < place:
                self.feed(tokens[len(self._now.tokens) : place], ask)
                self._kept = [self._now.copy(), *self._kept][:KEPT]
        self.feed(tokens[len(self._now.tokens) :], ask)

    def _nothing(self) -> _Reading:
        return _Reading([], self._model.empty(), torch.zeros(0))

    def feed(self, tokens: Sequence[int], ask: Callable[[], None] = _go_on) -> None:
        """Read further tokens. ask: as for `begin`."""
        for start in range(0, len(tokens), PIECE):
            ask()
            piece = list(tokens[start : start + PIECE])
            self._now.logits = self._model.read(piece, self._now.memory)[: self.limit]
            self._now.tokens += piece

    def ranked(self) -> Sequence[int]:
        """The tokens of text that may come next, likeliest first."""
        return _Ranking(self._now.logits)

    def candidates(self, count: int) -> Sequence[tuple[int, float]]:
        """The likeliest tokens of text with their logits, likeliest first."""
        best = torch.topk(self._now.logits, min(count, len(self._now.logits)))
        return list(zip(best.indices.tolist(), best.values.tolist(), strict=True))


@dataclass
class _Reading:
    """What a model has read: the tokens, its memory of them, the logits of the next one."""

    tokens: list[int]
    memory: Any
    logits: torch.Tensor

    def leads_to(self, tokens: Sequence[int]) -> bool:
        """Whether a text begins like this one and goes on, or is this one."""
        return bool(self.tokens) and self.tokens == tokens[: len(self.tokens)]

    def copy(self) -> _Reading:
        """The same reading, to go on from."""
        return _Reading(list(self.tokens), copy.deepcopy(self.memory), self.logits)


class _Ranking(Sequence[int]):
    """Tokens by falling logit, sorted only as far as somebody looks."""

    def __init__(self, logits: torch.Tensor) -> None:
        self._logits = logits
        self._sorted = [int(logits.argmax())]

    def __len__(self) -> int:
        return len(self._logits)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice) or place >= len(self._sorted):
            look = FIRST_LOOK if isinstance(place, int) and place < FIRST_LOOK else len(self._logits)
            self._sorted = torch.sort(self._logits, descending=True, stable=True).indices[:look].tolist()
        return self._sorted[place]


class EmbeddedText(ModelText):
    """The small model that the product carries: only numbers that were written can stand in its calls; it knows no repair."""

    repairs = 0
    writes_kernels = False
    named = False

    def refusal(self, text: str) -> str | None:
        """What the small model would read wrongly."""
        from builder.embedded.limits import refusal

        return refusal(text)

    def prompt(self, messages: Sequence[Message], options: Options = PLAIN) -> list[int]:
        """The small model was trained without a system prompt, and on two turns at most."""
        return super().prompt(_lately(messages), replace(options, system=""))

    def grammar(self, messages: Sequence[Message], names: Mapping[str, Value]) -> Grammar:
        """The small model's own grammar."""
        from builder.embedded.grammar import CallGrammar

        said = [text for message in reversed(_lately(messages)) for text in (message.text, message.call) if text]
        return CallGrammar(*said)


def _lately(messages: Sequence[Message]) -> list[Message]:
    """The last question with what belongs to it, and the turn before unless something failed there; kernels are left out."""
    plain = [
        message
        for before, message in zip([None, *messages], messages, strict=False)
        if message.kernel is None and (before is None or before.kernel is None)
    ]
    asked = [place for place, message in enumerate(plain) if message.role == "user"]
    start, last = [0, 0, *asked][-2:]
    failed = any(message.role == "tool" and message.value is None for message in plain[start:last])
    return plain[last if failed else start :]


def _known(ids: Mapping[str, int], limit: int, *texts: str) -> int:
    """The first of some texts that is one token of the base's; -1 where none is."""
    return next((ids[text] for text in texts if ids.get(text, limit) < limit), -1)
