"""One turn: the model writes, a call is computed by the machine, the result comes back as computed tokens, the model goes on.

Every token of a reply has a source: the model sampled it, the host forced it, or a launch computed it. What is inside a call is
held well-formed by a grammar. Tokens of the machine are beyond `TextModel.limit` and cannot be chosen here.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from app.compute.evaluating import compute, read
from app.compute.launching import MAX_TOKENS, Launcher
from app.compute.library import Function
from app.compute.receipts import Receipt, receipt_of
from app.conversation.grammar import Grammar
from app.conversation.messages import CALL_OPEN, Conversation, Message, Segment, check_prompt
from app.expressions.errors import ExpressionError
from engine.machine.errors import Cancelled, FaultError, GpuError, UnsupportedError

MAX_REPLY = 1_024
"""Tokens of a reply after which a model that does not stop is stopped."""
MAX_CALL = 4_096
"""Characters of a call."""
MAX_CALLS = 8
"""Calls of one turn."""


class TextModel(Protocol):
    """A language model with its tokenizer.

    limit: the first token that is not text's; ends: tokens that end a reply; repairs: how often it may correct a call
    opening: the token that begins a call; limit_context: how many tokens it can read
    """

    limit: int
    ends: frozenset[int]
    repairs: int
    opening: int
    limit_context: int

    def refusal(self, text: str) -> str | None:
        """Why this model must not be asked this; None if it may."""

    def prompt(self, messages: Sequence[Message]) -> list[int]:
        """The tokens of a conversation, up to where the assistant goes on."""

    def encode(self, text: str) -> list[int]:
        """The tokens of a text in which nothing is a special token."""

    def decode(self, tokens: Sequence[int]) -> str:
        """The text of tokens."""

    def grammar(self, conversation: Conversation) -> Grammar:
        """What calls may be in this conversation."""

    def begin(self, tokens: Sequence[int]) -> None:
        """Forget everything and read tokens."""

    def feed(self, tokens: Sequence[int]) -> None:
        """Read further tokens."""

    def ranked(self) -> Sequence[int]:
        """The tokens of text that may come next, likeliest first."""


@dataclass(frozen=True)
class Services:
    """What a turn needs beside the model.

    program: this program's version; on_segment: told every stretch of the reply when it is there
    cancelled: asked before every token
    """

    functions: Mapping[str, Function]
    machine: Launcher
    program: str
    on_segment: Callable[[Segment], None] = lambda segment: None
    cancelled: Callable[[], bool] = lambda: False
    max_tokens: int = MAX_TOKENS


@dataclass
class Reply:
    """What a turn gave. failures: calls that could not be computed, with the reason; ended: False for a model that went on."""

    segments: list[Segment] = field(default_factory=list)
    receipts: list[Receipt] = field(default_factory=list)
    failures: list[tuple[str, str]] = field(default_factory=list)
    ended: bool = True

    @property
    def text(self) -> str:
        """The whole reply."""
        return "".join(segment.text for segment in self.segments)

    def spans(self) -> list[dict[str, Any]]:
        """The character range of every segment with its source."""
        found, place = [], 0
        for segment in self.segments:
            end = place + len(segment.text)
            found.append({"start": place, "end": end, "source": segment.source, "launch": segment.launch})
            place = end
        return found


@dataclass(frozen=True)
class _Written:
    """What the model wrote: text, and the call that followed it, if any. ended: it came to an end by itself."""

    text: str
    call: str | None
    ended: bool


def take_turn(model: TextModel, conversation: Conversation, text: str, services: Services) -> Reply:
    """Answer a user's text; the conversation then holds both.

    Raises InputError for a prompt that is none, Cancelled, MismatchError, EnvironmentProblem.
    """
    turn = _Turn(model, conversation, services)
    turn.answer(check_prompt(text))
    return turn.reply


class _Turn:
    """A reply as it comes about. Messages go into the conversation only when the turn is over."""

    def __init__(self, model: TextModel, conversation: Conversation, services: Services) -> None:
        self.reply = Reply()
        self._model, self._conversation, self._services = model, conversation, services
        self._messages: list[Message] = []
        self._begin = 0

    def answer(self, text: str) -> None:
        """The whole turn."""
        self._messages.append(Message("user", text))
        refused = self._model.refusal(text)
        if refused is not None:
            self._add(Segment(refused, "forced"))
        else:
            self._converse()
        self._messages.append(Message("assistant", self._since_last_call()))
        self._conversation.messages += self._messages

    def _converse(self) -> None:
        computed: Segment | None = None
        for _ in range(MAX_CALLS):
            written = self._write(computed)
            if written.call is None:
                self.reply.ended = written.ended
                return
            self._messages.append(Message("assistant", self._since_last_call(), written.call))
            computed = self._compute(written.call)
            if computed is None and len(self.reply.failures) > self._model.repairs:
                call, why = self.reply.failures[-1]
                self._add(Segment(f"I could not compute {call}: {why}.", "forced"))
                return
        self._add(Segment(f"I stopped after {MAX_CALLS} calculations.", "forced"))

    def _since_last_call(self) -> str:
        """The part of the reply that belongs to the message being written."""
        return self.reply.text[self._begin:]

    def _add(self, segment: Segment) -> None:
        """Tell a stretch of the reply; neighbours of one source are one."""
        if not segment.text:
            return
        self._services.on_segment(segment)
        segments = self.reply.segments
        if segments and (segments[-1].source, segments[-1].launch) == (segment.source, segment.launch):
            segments[-1] = replace(segment, text=segments[-1].text + segment.text)
        else:
            segments.append(segment)

    # ------------------------------------------------------------ the machine
    def _compute(self, call: str) -> Segment | None:
        """Compute a call; what the reply goes on with, None when it could not be computed."""
        conversation, services = self._conversation, self._services
        self._begin = len(self.reply.text)
        try:
            statement = read(call, services.functions, conversation.names)
            found = compute(statement, services.functions, conversation.names, services.machine, services.max_tokens)
        except (ExpressionError, FaultError, UnsupportedError) as error:
            self.reply.failures.append((call, explain(error)))
            self._messages.append(Message("tool", f"error: {explain(error)}"))
            return None
        names = {name: value for name, value in conversation.names.items() if name in call}
        number = hashlib.sha256(f"{call}{names}{time.time_ns()}".encode()).hexdigest()[:12]
        created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        receipt = receipt_of(number, call, names, found, services.machine.identity, created, services.program)
        self.reply.receipts.append(receipt)
        conversation.names[statement.name or f"v{len(conversation.names) + 1}"] = found.value
        self._messages.append(Message("tool", found.text()))
        return Segment(found.text(), "computed", number)

    # ------------------------------------------------------------ the model
    def _write(self, computed: Segment | None) -> _Written:
        """Let the model go on until it ends or has written a call."""
        model = self._model
        tokens = model.prompt([*self._conversation.messages, *self._messages])
        if computed is not None:
            tokens += model.encode(computed.text)
        if len(tokens) + MAX_REPLY // 4 > model.limit_context:
            raise ExpressionError(f"the conversation has {len(tokens):,} tokens, the model reads {model.limit_context:,}", None,
                                  "begin a new conversation")
        model.begin(tokens)
        if computed is not None:
            self._add(computed)
        sampled: list[int] = []
        shown = ""
        for _ in range(MAX_REPLY):
            if self._services.cancelled():
                raise Cancelled("the reply was stopped")
            token = model.ranked()[0]
            if token in model.ends:
                return self._said(sampled, shown, None, True)
            if token == model.opening:
                call = self._write_call(token)
                return self._said(sampled, shown, call, True)
            sampled.append(token)
            shown = self._show(sampled, shown)
            model.feed([token])
        return self._said(sampled, shown, None, False)

    def _said(self, sampled: list[int], shown: str, call: str | None, ended: bool) -> _Written:
        text = self._model.decode(sampled)
        self._add(Segment(text[len(shown):], "sampled"))
        return _Written(text, call, ended)

    def _show(self, sampled: list[int], shown: str) -> str:
        """Tell what can be told: a character may need several tokens."""
        text = self._model.decode(sampled)
        if text.endswith("\ufffd"):
            return shown
        self._add(Segment(text[len(shown):], "sampled"))
        return text

    def _write_call(self, opening: int) -> str:
        """The call that the model writes behind the token that begins one."""
        model = self._model
        grammar = model.grammar(self._conversation_so_far())
        rest = CALL_OPEN.removeprefix(model.decode([opening]))
        model.feed([opening, *model.encode(rest)])
        call = ""
        while not grammar.complete(call) and len(call) < MAX_CALL:
            if self._services.cancelled():
                raise Cancelled("the reply was stopped")
            found = next(((token, text) for token in model.ranked() if (text := model.decode([token]))
                          and token not in model.ends and grammar.allows(call + text)), None)
            if found is None:
                break
            call += found[1]
            model.feed([found[0]])
        return call

    def _conversation_so_far(self) -> Conversation:
        return Conversation([*self._conversation.messages, *self._messages], self._conversation.names)


def explain(error: GpuError) -> str:
    """An error in one short line for the model."""
    return " - ".join(part for part in (error.what, error.remedy) if part)

