"""One turn: the model writes, a call is computed by the machine, the result comes back as computed tokens, the model goes on.

Every token of a reply has a source: the model sampled it, the host forced it, or a launch computed it. What is inside a call is
held well-formed by a grammar. Tokens of the machine are beyond `TextModel.limit` and cannot be chosen here.

A turn holds on to nothing: it is given the branch so far and returns what is new, so editing, regenerating and branching are a
matter of which messages are handed in.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from app.compute.evaluating import Computed, compute, read
from app.compute.kernels import launch_kernel, value_of
from app.compute.launching import MAX_TOKENS, Faulted, Launcher, LaunchRecord, Watch
from app.compute.library import Function
from app.compute.receipts import Receipt, receipt_of
from app.conversation.grammar import Grammar
from app.conversation.messages import (
    CALL_OPEN,
    KERNEL_BETWEEN,
    KERNEL_OPEN,
    PARAMETER_END,
    Kernel,
    Message,
    Part,
    Segment,
    check_prompt,
    names_of,
    next_name,
)
from app.conversation.options import NOBODY, PLAIN, Attempt, Listener, Options, Progress
from app.conversation.reply import Context, Reply
from app.conversation.sampling import CANDIDATES, Sampler
from app.expressions.errors import ExpressionError
from app.expressions.tree import Statement, Value
from app.files import parse_json
from engine.machine.errors import Cancelled, CompileError, FaultError, GpuError, InputError, UnsupportedError

if TYPE_CHECKING:
    from engine.trace import Line

MAX_REPLY = 1_024
"""Tokens of a reply after which a model that does not stop is stopped."""
MAX_THINKING = 4_096
"""Tokens of thinking after which the model is made to answer."""
MAX_CALL = 4_096
"""Characters of a call."""
MAX_SOURCE = 16_384
"""Characters of a kernel that the model writes, and of its launch."""
MAX_CALLS = 8
"""Calls of one turn."""
MAX_ATTEMPTS = 3
"""Kernels that fail in a row before the turn ends."""
RESERVE = 256
"""Tokens that a reply should have room for, an eighth of a small context."""
NO_KERNELS = (
    "The built-in model does not write CUDA kernels. Build a checkpoint with Qwen3.5-2B for that, or launch a kernel "
    "of your own."
)
TOO_LONG = "\n\nThe result is too long for the model to go on with it."


class TextModel(Protocol):
    """A language model with its tokenizer.

    limit: the first token that is not text's; ends: tokens that end a reply; repairs: how often it may correct a call
    opening: the token that begins a call; thought_end: the token behind which it stops thinking, -1 for a model that never does
    writes_kernels: whether it may be asked for CUDA; limit_context: how many tokens it can read
    """

    limit: int
    ends: frozenset[int]
    repairs: int
    opening: int
    thought_end: int
    writes_kernels: bool
    limit_context: int

    def refusal(self, text: str) -> str | None:
        """Why this model must not be asked this; None if it may."""

    def prompt(self, messages: Sequence[Message], options: Options) -> list[int]:
        """The tokens of a conversation, up to where the assistant goes on."""

    def encode(self, text: str) -> list[int]:
        """The tokens of a text in which nothing is a special token."""

    def decode(self, tokens: Sequence[int]) -> str:
        """The text of tokens."""

    def grammar(self, messages: Sequence[Message], names: Mapping[str, Value]) -> Grammar:
        """What calls may be behind these messages."""

    def begin(self, tokens: Sequence[int], ask: Callable[[], None] = ...) -> None:
        """Forget everything and read tokens. ask: called now and then; may raise to stop."""

    def feed(self, tokens: Sequence[int]) -> None:
        """Read further tokens."""

    def ranked(self) -> Sequence[int]:
        """The tokens of text that may come next, likeliest first."""

    def candidates(self, count: int) -> Sequence[tuple[int, float]]:
        """The likeliest tokens of text with their logits, likeliest first."""


@dataclass(frozen=True)
class Services:
    """What a turn needs beside the model.

    program: this program's version; keep: takes a value's record before anybody is told the value
    """

    functions: Mapping[str, Function]
    machine: Launcher
    program: str
    max_tokens: int = MAX_TOKENS
    keep: Callable[[Receipt], None] = lambda receipt: None

    def compute(self, statement: Statement, names: Mapping[str, Value], watch: Watch) -> Computed:
        """The value of a checked statement, by launches of the machine."""
        return compute(statement, self.functions, names, self.machine, self.max_tokens, watch)


def take_turn(
    model: TextModel,
    history: Sequence[Message],
    text: str,
    services: Services,
    options: Options = PLAIN,
    listener: Listener = NOBODY,
) -> Reply:
    """Answer a user's text behind the messages of a branch.

    A turn that the listener cancels is a reply, too: with what was written until then, ended "stopped".
    Raises InputError for a prompt that is none or does not fit, MismatchError, EnvironmentProblem.
    """
    turn = _Turn(model, history, services, options, listener)
    turn.answer(check_prompt(text))
    return turn.reply


def launch_turn(
    kernel: Kernel, filename: str, text: str, history: Sequence[Message], services: Services, listener: Listener = NOBODY
) -> Reply:
    """A kernel that the user brought, launched as a turn of the conversation: its results are computed values like any others.

    text: what the user is recorded to have said
    Raises CompileError, InputError (the launch), UnsupportedError, FaultError, MismatchError, EnvironmentProblem, Cancelled.
    """
    launching = _Launching(services, names_of(history), listener)
    receipt, tool = launching.kernel(kernel, filename)
    segment = Segment(receipt.text, "computed", receipt.id)
    listener.on_segment(segment)
    said = [Message("user", check_prompt(text)), Message("assistant", kernel=kernel), tool, Message("assistant", receipt.text)]
    return Reply(said, [segment], [receipt], [Attempt(1, kernel.source, kernel.launch)])


class _Launching:
    """Values that are computed within a turn, each with its record."""

    def __init__(self, services: Services, names: dict[str, Value], listener: Listener) -> None:
        self.names = names
        self._services, self._listener = services, listener

    def expression(self, call: str) -> tuple[Receipt, Message]:
        """Compute an expression; its record, and the message that tells the result."""
        services = self._services
        statement = read(call, services.functions, self.names)
        used = {name: value for name, value in self.names.items() if re.search(rf"\b{re.escape(name)}\b", call)}
        number = _new_id(call)
        found = services.compute(statement, self.names, self._watch(number, call))
        receipt = receipt_of(number, call, used, found, services.machine.identity, _now(), services.program)
        return receipt, self._told(receipt, statement.name)

    def kernel(self, kernel: Kernel, filename: str) -> tuple[Receipt, Message]:
        """Launch a kernel; its record, and the message that tells the results. The record of one that faults is kept, too:
        the error's `record` says its id.
        """
        services = self._services
        document = parse_json(kernel.launch, "the launch")
        title = str(document.get("kernel", "")) if isinstance(document, dict) else ""
        number = _new_id(kernel.source)
        began = time.perf_counter()

        def receipt_for(record: LaunchRecord) -> Receipt:
            seconds = round(time.perf_counter() - began, 4)
            value, weights = value_of(record), services.machine.identity
            return Receipt(number, "", {}, value, {}, (record,), weights, _now(), services.program, seconds)

        try:
            record = launch_kernel(
                kernel.source, filename, document, services.machine, services.max_tokens, self._watch(number, title)
            )
        except Faulted as fault:
            services.keep(receipt_for(fault.record))
            fault.extra["record"] = number
            raise
        receipt = receipt_for(record)
        return receipt, self._told(receipt, None)

    def _told(self, receipt: Receipt, name: str | None) -> Message:
        """The tool's message; the record is kept, the value bound to its name."""
        self._services.keep(receipt)
        if receipt.value is None:
            return Message("tool", receipt.text, launch=receipt.id)
        name = name or next_name(self.names)
        self.names[name] = receipt.value
        return Message("tool", receipt.text, launch=receipt.id, name=name, value=receipt.value)

    def _watch(self, number: str, title: str) -> Watch:
        """Tells the listener every token of the launches of one value."""
        counted = {"host": 0, "model": 0}

        def told(line: Line) -> None:
            counted[line.source] += 1
            self._listener.on_launch(Progress(number, title, sum(counted.values()), counted["host"], line.block, line.warp))

        return Watch(told, self._listener.cancelled)


def _new_id(text: str) -> str:
    return hashlib.sha256(f"{text}{time.time_ns()}".encode()).hexdigest()[:12]


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


@dataclass(frozen=True)
class _Written:
    """What the model wrote before it ended or began a call."""

    call: str | None = None
    kernel: Kernel | None = None


class _Turn:
    """A reply as it comes about."""

    def __init__(
        self, model: TextModel, history: Sequence[Message], services: Services, options: Options, listener: Listener
    ) -> None:
        self.reply = Reply()
        self._model, self._history, self._services, self._listener = model, list(history), services, listener
        self._options = options if model.thought_end >= 0 else replace(options, thinking=False)
        self._launching = _Launching(services, names_of(history), listener)
        self._sampler = Sampler(options.sampling)
        self._begin = 0  # where in the reply's text the message begins that is being written
        self._thought = ""
        self._dropped = 0
        self._clock = _Clock()

    def answer(self, text: str) -> None:
        """The whole turn."""
        self._say(Message("user", text))
        refused = self._model.refusal(text)
        if self._options.advanced and not self._options.alone and not self._model.writes_kernels:
            refused = NO_KERNELS
        if refused is not None:
            self._add(Segment(refused, "forced"))
        else:
            try:
                self._converse()
            except Cancelled:
                self.reply.ended = "stopped"
                if self.reply.messages[-1].call is not None or self.reply.messages[-1].kernel is not None:
                    self._say(Message("tool", "error: stopped by the user"))
        self._say(self._written())
        self.reply.tokens_per_second = self._clock.rate

    def _converse(self) -> None:
        computed: Segment | None = None
        for _ in range(MAX_CALLS):
            written = self._write(computed)
            if written.call is None and written.kernel is None:
                return
            self._say(replace(self._written(), call=written.call, kernel=written.kernel))
            self._begin, self._thought = len(self.reply.text), ""
            computed = self._kernel(written.kernel) if written.kernel is not None else self._expression(str(written.call))
            if computed is None and self._gives_up():
                return
        self._add(Segment(f"I stopped after {MAX_CALLS} calculations.", "forced"))

    def _written(self) -> Message:
        """The message that is being written, as far as it goes."""
        return Message("assistant", self.reply.text[self._begin :], thinking=self._thought or None)

    def _say(self, message: Message) -> None:
        self.reply.messages.append(message)
        self._listener.on_message(message)

    def _add(self, segment: Segment) -> None:
        """Tell a stretch of the reply."""
        if segment.text:
            self.reply.add(segment)
            self._listener.on_segment(segment)
            if segment.part == "thinking":
                self._thought += segment.text

    # ------------------------------------------------------------ the machine
    def _expression(self, call: str) -> Segment | None:
        """Compute a call; what the reply goes on with, None when it could not be computed."""
        try:
            receipt, tool = self._launching.expression(call)
        except (ExpressionError, FaultError, UnsupportedError) as error:
            self.reply.failures.append((call, explain(error)))
            self._say(Message("tool", f"error: {explain(error)}"))
            return None
        return self._computed(receipt, tool)

    def _kernel(self, kernel: Kernel) -> Segment | None:
        """Launch a kernel that the model wrote; what the reply goes on with, None when it does not compile or run."""
        number = len(self.reply.attempts) + 1
        try:
            receipt, tool = self._launching.kernel(kernel, "kernel.cu")
        except (CompileError, InputError, FaultError, UnsupportedError) as error:
            self._attempt(Attempt(number, kernel.source, kernel.launch, one_line(error), error.extra.get("record")))
            self._say(Message("tool", f"error: {one_line(error)}"))
            return None
        self._attempt(Attempt(number, kernel.source, kernel.launch))
        return self._computed(receipt, tool)

    def _computed(self, receipt: Receipt, tool: Message) -> Segment:
        self.reply.receipts.append(receipt)
        self._say(tool)
        return Segment(receipt.text, "computed", receipt.id)

    def _attempt(self, attempt: Attempt) -> None:
        self.reply.attempts.append(attempt)
        self._listener.on_attempt(attempt)

    def _gives_up(self) -> bool:
        """Whether enough was tried; then the reply says so."""
        failed = self.reply.attempts[-MAX_ATTEMPTS:]
        if len(failed) == MAX_ATTEMPTS and all(attempt.error for attempt in failed):
            self._add(
                Segment(
                    f"I could not write a kernel that runs. The last of {MAX_ATTEMPTS} attempts: {failed[-1].error}.", "forced"
                )
            )
            return True
        if len(self.reply.failures) > self._model.repairs:
            call, why = self.reply.failures[-1]
            self._add(Segment(f"I could not compute {call}: {why}.", "forced"))
            return True
        return False

    # ------------------------------------------------------------ the model
    def _write(self, computed: Segment | None) -> _Written:
        """Let the model go on until it ends or has written a call."""
        model = self._model
        options = self._options if computed is None else replace(self._options, thinking=False)
        begun = [] if computed is None else model.encode(computed.text)
        try:
            tokens = self._fitting(options, begun)
        except InputError:
            if computed is None:
                raise
            self._add(computed)
            self._add(Segment(TOO_LONG, "forced"))
            return _Written()
        self._read(tokens)
        if computed is not None:
            self._add(computed)
        room = model.limit_context - len(tokens)
        if options.thinking:
            room = self._think(room)
        sampled: list[int] = []
        stretch = _Stretch(self, "text")
        for _ in range(min(MAX_REPLY, room)):
            token = self._next()
            if token in model.ends:
                stretch.end()
                return _Written()
            if token == model.opening:
                stretch.end()
                return _Written(kernel=self._write_kernel(token)) if options.advanced else _Written(self._write_call(token))
            sampled.append(token)
            self._feed(token)
            stretch.show(sampled)
        stretch.end()
        self.reply.ended = "length"
        return _Written()

    def _fitting(self, options: Options, begun: list[int]) -> list[int]:
        """The prompt with the beginning of the answer, without the oldest turns where not all of them fit.

        Raises InputError where this turn alone is too much.
        """
        model = self._model
        while True:
            tokens = model.prompt([*self._history[self._dropped :], *self.reply.messages], options) + begun
            if len(tokens) + min(RESERVE, model.limit_context // 8) <= model.limit_context:
                break
            if self._dropped >= len(self._history):
                raise InputError(
                    f"the message has {len(tokens):,} tokens with what belongs to it, the model reads {model.limit_context:,}",
                    "prompt",
                    "write less, or in several messages",
                )
            later = (place for place in range(self._dropped + 1, len(self._history)) if self._history[place].role == "user")
            self._dropped = next(later, len(self._history))
        before = self.reply.context
        self.reply.context = Context(len(tokens), model.limit_context, self._dropped)
        self._note(before)
        return tokens

    def _note(self, before: Context) -> None:
        """Say that the context fills, or what was left out, once."""
        now = self.reply.context
        if now.dropped > before.dropped:
            first = self._history[0].text
            self._listener.on_note(
                f"the model no longer reads the first {now.dropped} messages, from "
                f"“{first[:40]}{'…' if len(first) > 40 else ''}” on; computed values keep their names"
            )
        elif now.nearly_full and not before.nearly_full:
            self._listener.on_note(
                f"the conversation fills {100 * now.used // now.limit} % of what the model can read; the "
                "oldest messages will be left out when it is full"
            )

    def _think(self, room: int) -> int:
        """Let the model think to its end, or to the limit; the room that is left."""
        model, sampled = self._model, list[int]()
        stretch = _Stretch(self, "thinking")
        close = model.encode("\n\n")
        for _ in range(min(MAX_THINKING, room - len(close) - 1)):
            token = self._next()
            if token == model.thought_end or token in model.ends:
                break
            sampled.append(token)
            self._feed(token)
            stretch.show(sampled)
        stretch.end()
        self._thought = self._thought.strip("\n")
        self._read_on([model.thought_end, *close])
        return room - len(sampled) - len(close) - 1

    def _write_call(self, opening: int) -> str:
        """The call that the model writes behind the token that begins one."""
        model = self._model
        grammar = model.grammar([*self._history, *self.reply.messages], self._launching.names)
        self._read_on([opening, *model.encode(CALL_OPEN.removeprefix(model.decode([opening])))])
        call = ""
        while not grammar.complete(call) and len(call) < MAX_CALL:
            self._stop_if_asked()
            found = next(
                (
                    (token, text)
                    for token in model.ranked()
                    if (text := model.decode([token])) and token not in model.ends and grammar.allows(call + text)
                ),
                None,
            )
            if found is None:
                break
            call += found[1]
            self._feed(found[0])
            self._add(Segment(found[1], "sampled", part="call"))
        return call

    def _write_kernel(self, opening: int) -> Kernel:
        """The kernel and its launch that the model writes behind the token that begins a call."""
        model = self._model
        self._read_on([opening, *model.encode(KERNEL_OPEN.removeprefix(model.decode([opening])))])
        source, read = self._write_parameter()
        self._read_on(model.encode((source + KERNEL_BETWEEN)[read:]))
        self._add(Segment(KERNEL_BETWEEN, "forced", part="call"))
        launch, _ = self._write_parameter()
        return Kernel(source, launch)

    def _write_parameter(self) -> tuple[str, int]:
        """A parameter's text, and how many characters the model has read of it and what ends it."""
        model = self._model
        sampled: list[int] = []
        stretch = _Stretch(self, "call", PARAMETER_END)
        while True:
            self._stop_if_asked()
            token = model.ranked()[0]
            known = model.decode(sampled)
            text = known if token in model.ends else model.decode([*sampled, token])
            if PARAMETER_END in text or token in model.ends or len(text) > MAX_SOURCE:
                written = text.split(PARAMETER_END)[0]
                stretch.end(written)
                return written, len(known)
            sampled.append(token)
            self._feed(token)
            stretch.show(sampled)

    def _next(self) -> int:
        """The next token of text."""
        self._stop_if_asked()
        with self._clock:
            candidates = self._model.candidates(CANDIDATES)
            if self._options.alone:
                candidates = [candidate for candidate in candidates if candidate[0] != self._model.opening]
            return self._sampler.choose(candidates)

    def _feed(self, token: int) -> None:
        """Let the model read a token that it wrote."""
        with self._clock:
            self._model.feed([token])
        self._clock.tokens += 1
        self._count(1)

    def _read(self, tokens: list[int]) -> None:
        self._stop_if_asked()
        self._model.begin(tokens, self._stop_if_asked)
        self.reply.context = replace(self.reply.context, used=len(tokens))

    def _read_on(self, tokens: list[int]) -> None:
        self._model.feed(tokens)
        self._count(len(tokens))

    def _count(self, tokens: int) -> None:
        self.reply.context = replace(self.reply.context, used=self.reply.context.used + tokens)

    def _stop_if_asked(self) -> None:
        if self._listener.cancelled():
            raise Cancelled("the reply was stopped")


class _Stretch:
    """Text that the model writes, told as far as it can be: a character may need several tokens, and a mark that ends the
    stretch is no part of it."""

    def __init__(self, turn: _Turn, part: Part, mark: str = "") -> None:
        self._turn, self._part, self._mark = turn, part, mark
        self._text, self._told = "", 0

    def show(self, tokens: Sequence[int]) -> None:
        """Tell what can be told of the text of all tokens so far."""
        self._text = self._turn._model.decode(tokens)
        sure = len(self._text.rstrip("\ufffd"))
        while self._mark and any(self._text[:sure].endswith(self._mark[:size]) for size in range(1, len(self._mark))):
            sure -= 1
        self._tell(sure)

    def end(self, text: str | None = None) -> None:
        """Tell the rest. text: the whole of it, where that is not what was shown last."""
        self._text = self._text if text is None else text
        self._tell(len(self._text))

    def _tell(self, end: int) -> None:
        if end > self._told:
            self._turn._add(Segment(self._text[self._told : end], "sampled", part=self._part))
            self._told = end


class _Clock:
    """Seconds that the model takes for the tokens that it writes."""

    def __init__(self) -> None:
        self.tokens, self._seconds, self._since = 0, 0.0, 0.0

    def __enter__(self) -> None:
        self._since = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        self._seconds += time.perf_counter() - self._since

    @property
    def rate(self) -> float:
        """Tokens a second; 0 without tokens."""
        return round(self.tokens / self._seconds, 2) if self._seconds else 0.0


def explain(error: GpuError) -> str:
    """An error of an expression in one short line for the model."""
    return " ".join(" - ".join(part for part in (error.what, error.remedy) if part).split())


def one_line(error: GpuError) -> str:
    """An error of a kernel in one line for the model: with the place, which names the line of the source."""
    return " ".join(str(error).split())
