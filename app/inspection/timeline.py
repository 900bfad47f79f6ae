"""The machine at any token of a launch: the reference interpreter, consuming the recorded tokens.

Positions count tokens from 0, host tokens first; position p is the state *behind* token p. States are worked out from left to
right once (`advance`), a copy is kept every so many tokens, and any position behind that is reached by a few steps from the
nearest copy, forwards or backwards. Where the recorded token is not what the interpreter expects, the timeline ends: what a
machine would do on a token that it never says is no part of the launch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engine.machine.interpreter import Interpreter
from engine.machine.program import Block, Program, Register
from engine.machine.spec import SPEC, MachineSpec
from engine.machine.tokens import Token
from engine.replay import Difference

SHORTEST_STRIDE = 64
MOST_COPIES = 800
"""Copies are some 50 KB; a longer trace has them further apart."""


@dataclass(frozen=True)
class Change:
    """A word that a token changed or wrote again. place: ("memory", address) or ("register", warp, register, lane)."""

    place: tuple[str | int, ...]
    before: int
    after: int


@dataclass(frozen=True)
class Moment:
    """The machine behind one token.

    machine: a copy of its own; block: what runs, None while nothing does; changes: the words that this token wrote
    """

    index: int
    token: Token
    source: Literal["host", "model"]
    machine: Interpreter
    block: Block | None
    changes: tuple[Change, ...]

    @property
    def running(self) -> bool:
        """Whether a block runs."""
        return self.machine.mask != 0

    @property
    def lanes(self) -> tuple[int, ...]:
        """The lanes that run it."""
        return tuple(j for j in range(self.machine.spec.lanes) if self.machine.mask >> j & 1)

    def registers_read(self) -> frozenset[tuple[int, int]]:
        """(register, lane) that the running block reads."""
        if self.block is None:
            return frozenset()
        numbers = {s.number for o in self.block.operations for s in (o.a, o.b, o.c) if isinstance(s, Register)}
        return frozenset((number, lane) for number in numbers for lane in self.lanes)

    def words_read(self) -> frozenset[int]:
        """Addresses that the running block has loaded from."""
        if not self.running:
            return frozenset()
        return frozenset(
            a.address
            for a in self.machine.accesses
            if not a.operation.stores and self.machine.mask >> a.lane & 1 and a.address < self.machine.spec.words
        )


class Timeline:
    """All positions of one launch.

    tokens: the stream; host: how many of it are the host's; known: positions below it have been worked out
    difference: where stream and interpreter part, when that has been reached
    """

    def __init__(self, program: Program, prompt: Sequence[Token], generated: Sequence[Token], spec: MachineSpec = SPEC) -> None:
        self.tokens = (*prompt, *generated)
        self.host = len(prompt)
        self.known = 0
        self.difference: Difference | None = None
        self._blocks = program.blocks
        self._stride = max(SHORTEST_STRIDE, len(self.tokens) // MOST_COPIES)
        self._front = Interpreter(spec)
        self._front.learn(program.blocks)
        self._expected: Token | None = None
        self._copies = [self._front.copy()]
        """Copy number k is the state before token k * stride."""
        self._walker, self._at = self._copies[0].copy(), -1

    def __len__(self) -> int:
        """Positions that exist: all tokens, or those before the difference once it is known."""
        return self.difference.index if self.difference else len(self.tokens)

    @property
    def complete(self) -> bool:
        """Whether every position has been worked out."""
        return self.known == len(self)

    def advance(self, tokens: int) -> None:
        """Work out so many further positions."""
        for _ in range(min(tokens, len(self) - self.known)):
            index, token = self.known, self.tokens[self.known]
            if index >= self.host and token != self._expected:
                expected = self._expected or Token("END")
                self.difference = Difference(index, token, expected, self._front.block, self._front.warp)
                return
            if index and index % self._stride == 0:
                self._copies.append(self._front.copy())
            self._expected = self._front.step(token)
            self.known += 1

    def moment(self, index: int) -> Moment:
        """The machine behind token `index`; works out what is missing up to there. Raises IndexError beyond the end."""
        self.advance(index + 1 - self.known)
        if not 0 <= index < self.known:
            raise IndexError(f"position {index} of {len(self)}")
        self._walk(index - 1)
        memory = self._walker.memory.copy()
        token = self.tokens[index]
        # a token changes registers of the current warp only
        registers = [row.copy() for row in self._walker.registers[self._walker.warp]]
        self._walker.step(token)
        self._at = index
        machine = self._walker.copy()
        changes = tuple(_change(write, memory, registers) for write in machine.writes)
        block = self._blocks[machine.block] if machine.mask else None
        return Moment(index, token, "host" if index < self.host else "model", machine, block, changes)

    def _walk(self, index: int) -> None:
        """Bring the walker behind token `index`, -1 for the beginning."""
        number = min((index + 1) // self._stride, len(self._copies) - 1)
        if not number * self._stride - 1 <= self._at <= index:
            self._walker, self._at = self._copies[number].copy(), number * self._stride - 1
        for position in range(self._at + 1, index + 1):
            self._walker.step(self.tokens[position])
        self._at = index


def _change(write: tuple[str | int, ...], memory: Sequence[int], registers: Sequence[Sequence[int]]) -> Change:
    *place, after = write
    before = memory[int(place[1])] if place[0] == "memory" else registers[int(place[2])][int(place[3])]
    return Change(tuple(place), before, int(after))
