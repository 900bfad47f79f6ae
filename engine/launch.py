"""A launch: host tokens in, then the machine's own answers until END, read out of the recurrent state.

The next token is the argmax of the model's logits and nothing else. The interpreter takes no part; it judges afterwards
(`engine.replay`), and also when a launch ends badly, so that a broken checkpoint is never blamed on a kernel.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Protocol

import numpy as np

from .machine.errors import Cancelled, FaultError, InputError, MismatchError
from .machine.program import Program, prompt
from .machine.spec import MachineSpec
from .machine.tokens import Token, TokenSet
from .replay import EarlyRead, fault_error, require_exact
from .state import compare_records, read_words
from .trace import Follower, Line, Source, trace_line
from .weights import Machine

MAX_TOKENS: Final = 1_000_000
"""Generated tokens of a launch unless the caller says otherwise."""


class Runtime(Protocol):
    """An engine that holds the machine. Tokens are counted from the first machine token."""

    machine: Machine
    first_id: int

    @property
    def name(self) -> str:
        """What it is called in results."""

    @property
    def piece(self) -> int:
        """Tokens that `feed` takes at a time without making a cancellation wait."""

    @property
    def device(self) -> str:
        """Where it runs."""

    def feed(self, tokens: Sequence[int]) -> int:
        """Consume tokens; return the answer behind the last one, negative for a token of the base."""

    def snapshot(self) -> Any:
        """The state now."""

    def restore(self, snapshot: Any) -> None:
        """Go back to a snapshot."""

    def recurrent_state(self, layer: int, head: int) -> np.ndarray:
        """Recurrent state of a head [key rows, value dims], float32."""


@dataclass(frozen=True)
class LaunchResult:
    """What a launch computed.

    words:   the whole memory's final words, unsigned, by address; 0 where nothing was ever written
    memory:  the final words of every array by its name (of the last one, where two arrays share a name)
    prompt, generated: the token stream. passes: forward calls. seconds: wall time of the launch
    early: reads of words that nothing had written, as far as whoever judged the launch looked for them
    """

    words: tuple[int, ...]
    memory: dict[str, tuple[int, ...]]
    prompt: tuple[Token, ...]
    generated: tuple[Token, ...]
    passes: int
    seconds: float
    runtime: str
    device: str
    early: tuple[EarlyRead, ...] = ()


def _ignore(*_: object) -> None:
    """The callback of a caller who does not listen."""


def _never() -> bool:
    """The cancellation of a caller who does not cancel."""
    return False


@lru_cache(maxsize=4)
def token_set(spec: MachineSpec) -> TokenSet:
    """The tokens of a machine (30,000 of them, so made once)."""
    return TokenSet(spec)


def launch(
    runtime: Runtime,
    program: Program,
    max_tokens: int = MAX_TOKENS,
    on_token: Callable[[Line], None] = _ignore,
    on_progress: Callable[[int, int], None] = _ignore,
    cancelled: Callable[[], bool] = _never,
) -> LaunchResult:
    """Run a program on a runtime; the runtime's state afterwards is what it was before.

    on_token: called with every token of host and machine, in order, when it has been fed or answered.
    on_progress: called with (prompt tokens done, prompt tokens in all) after every piece.
    cancelled: asked before every forward call.

    Raises Cancelled; FaultError (out of bounds, barrier, token limit); MismatchError when the machine's answers are not the
    interpreter's or its state not what its tokens record; LimitExceeded when the program does not fit; InputError when the
    checkpoint is no whole machine.
    """
    machine = runtime.machine
    if machine.state is None or list(token_set(machine.spec).codes) != machine.codes.tolist():
        raise InputError("the machine file holds no whole machine of its specification", "launch", "build the machine again")
    began = time.perf_counter()
    before = runtime.snapshot()
    run = _Run(runtime, program, on_token, cancelled)
    try:
        run.load(on_progress)
        run.generate(max_tokens)
        words = _results(run)
    finally:
        runtime.restore(before)
    memory = {array.name: words[array.base : array.base + array.words] for array in program.allocations}
    return LaunchResult(
        words, memory, run.prompt, tuple(run.generated), run.passes, time.perf_counter() - began, runtime.name, runtime.device
    )


class _Run:
    """The token stream of one launch as it comes about."""

    def __init__(
        self, runtime: Runtime, program: Program, on_token: Callable[[Line], None], cancelled: Callable[[], bool]
    ) -> None:
        self.runtime, self.program = runtime, program
        self.spec = runtime.machine.spec
        self.tokens = token_set(self.spec)
        self.prompt = tuple(prompt(program, self.spec))
        self.generated: list[Token] = []
        self.passes = 0
        self.follower = Follower(program, self.spec)
        self._on_token, self._cancelled, self._answer = on_token, cancelled, -1

    def load(self, on_progress: Callable[[int, int], None]) -> None:
        """Feed the prompt."""
        for start in range(0, len(self.prompt), self.runtime.piece):
            piece = self.prompt[start : start + self.runtime.piece]
            self._feed([self.tokens.ids[token] for token in piece])
            for index, token in enumerate(piece, start):
                self._tell(index, token, "host")
            on_progress(start + len(piece), len(self.prompt))

    def generate(self, max_tokens: int) -> None:
        """Take the machine's answers until it ends, faults, or has said `max_tokens` of them."""
        while True:
            token = self._answered()
            self.generated.append(token)
            self._tell(len(self.prompt) + len(self.generated) - 1, token, "model")
            if token.kind == "END":
                return
            if token.kind == "FAULT":
                self.judge()
                fault = fault_error(self.program, self.generated, self.spec)
                fault.passes = self.passes
                raise fault
            if len(self.generated) >= max_tokens:
                self.judge()
                raise FaultError(
                    f"the launch has not ended after {max_tokens:,} tokens",
                    f"kernel {self.program.kernel}",
                    "the kernel may loop for ever; otherwise raise --max-tokens",
                    kernel=self.program.kernel,
                    limit="max-tokens",
                    available=max_tokens,
                    block=self.follower.block,
                )
            self._feed([self.tokens.ids[token]])

    def judge(self) -> None:
        """Raise MismatchError where the stream is not the interpreter's."""
        require_exact(self.program, self.generated, self.spec)

    def _feed(self, tokens: Sequence[int]) -> None:
        if self._cancelled():
            raise Cancelled("launch cancelled", f"kernel {self.program.kernel}")
        self._answer = self.runtime.feed(tokens)
        self.passes += 1

    def _answered(self) -> Token:
        if 0 <= self._answer < len(self.tokens.tokens):
            return self.tokens.tokens[self._answer]
        self.judge()
        raise MismatchError(
            f"the model answers with token {self._answer + self.runtime.first_id}, which is not the machine's",
            f"kernel {self.program.kernel}, token {len(self.prompt) + len(self.generated)}",
            "run `qwengpu verify`",
            index=len(self.prompt) + len(self.generated),
        )

    def _tell(self, index: int, token: Token, source: Source) -> None:
        identifier = self.tokens.ids[token] + self.runtime.first_id
        self._on_token(trace_line(self.follower, index, identifier, token, source))


def _results(run: _Run) -> tuple[int, ...]:
    """Final words of the memory, from the recurrent state, each checked against the stream's records.

    A difference is blamed on the first wrong token if there is one.
    """
    state = run.runtime.machine.state
    if state is None:
        raise AssertionError("launch() refuses a machine without a state map")
    try:
        found = read_words(run.runtime.recurrent_state, state.memory, range(state.memory.words))
        compare_records(found, run.follower.memory)
    except MismatchError:
        run.judge()
        raise
    return tuple(found.get(word, 0) for word in range(state.memory.words))
