"""A runtime without a transformer: the interpreter answers, and its memory is laid out as a recurrent state.

It lets launch, trace and replay be tested without circuits, and shows what they do with an engine that errs.
"""

from __future__ import annotations

import copy
from collections.abc import Callable

import numpy as np

from engine.launch import token_set
from engine.machine.interpreter import Interpreter
from engine.machine.program import Program
from engine.machine.spec import SPEC, WORD_BITS
from engine.machine.state_map import StateMap, WordMap
from engine.machine.tokens import Token
from engine.weights import Machine

WORD_MAP = WordMap(
    layer=7,
    lanes=4,
    rows=128,
    heads=tuple(tuple(4 * bank + lane for lane in range(4)) for bank in range(4)),
    dims=tuple(tuple(range(32 * lane, 32 * lane + 32)) for lane in range(4)),
)


class InterpretedRuntime:
    """Answers as the interpreter does, unless `lie` changes an answer: (answers given so far, truth) -> answer."""

    name, device, piece, first_id = "interpreted", "none", 16, 1000

    def __init__(self, program: Program, lie: Callable[[int, Token], Token] = lambda _, truth: truth) -> None:
        codes = np.array(token_set(SPEC).codes)
        self.machine = Machine(SPEC, (), codes, np.arange(64), np.arange(512), StateMap(WORD_MAP), "", "")
        self.interpreter = Interpreter(SPEC)
        self.interpreter.learn(program.blocks)
        self.written: set[int] = set()
        self.answers = 0
        self._lie = lie

    def feed(self, tokens):
        for number in tokens:
            answer = self.interpreter.step(token_set(SPEC).tokens[number])
            self.written |= {write[1] for write in self.interpreter.writes if write[0] == "memory"}
        if answer is None:
            return -1
        self.answers += 1
        return token_set(SPEC).ids[self._lie(self.answers, answer)]

    def snapshot(self):
        return copy.deepcopy(self.interpreter)

    def restore(self, snapshot):
        self.interpreter = snapshot

    def recurrent_state(self, layer, head):
        assert layer == WORD_MAP.layer
        state = np.zeros((128, 128), np.float32)
        for word in self.written:
            place, row, dims = WORD_MAP.place(word)
            if place == head:
                bits = self.interpreter.memory[word] >> np.arange(WORD_BITS) & 1
                state[row, list(dims)] = np.where(bits, 0.25, -0.25)
        return state
