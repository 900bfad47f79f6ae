"""Random but well-formed token streams with what the reference interpreter makes of them."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from engine.machine.instructions import INSTRUCTIONS
from engine.machine.interpreter import Interpreter
from engine.machine.program import Allocation, Block, Exit, Operation, Program, Register, Special, Terminator, prompt
from engine.machine.spec import SPEC
from engine.machine.tokens import ALL_LANES, Token


def random_program(rng: random.Random, blocks: int) -> Program:
    """Blocks of one to four operations without memory access, some of them with a destination; some initial data."""
    plain = [entry.mnemonic for entry in INSTRUCTIONS if not entry.predicate and entry.stages is None and entry.operands]
    made = []
    for _ in range(blocks):
        registers = rng.sample(range(SPEC.registers), SPEC.stages)
        operations = tuple(
            Operation(
                rng.choice(plain),
                Register(rng.randrange(16)),
                Special.IMMEDIATE,
                Special.ONE,
                immediate=rng.choice((rng.getrandbits(32), rng.getrandbits(8), 2**32 - rng.getrandbits(12) - 1)),
                destination=register if rng.random() < 0.7 else None,
            )
            for register in registers[: rng.randint(1, SPEC.stages)]
        )
        made.append(Block(operations, Terminator(Exit.JUMP, rng.randrange(blocks), rng.randrange(blocks))))
    data = tuple(rng.choice((rng.getrandbits(32), rng.getrandbits(7), 0)) for _ in range(40))
    return Program("random", tuple(made), (Allocation("a", 64, 40, 3, data), Allocation("b", 128, 9, 5)), 64)


@dataclass
class Moment:
    """What the machine holds right after a token."""

    token: Token
    warp: int
    block: int
    mask: int
    staged: tuple[int, ...] | None
    register: tuple[int, tuple[int, ...]] | None
    line: tuple[int, ...] | None


@dataclass
class Stream:
    """A token stream under way."""

    rng: random.Random
    interpreter: Interpreter = field(default_factory=Interpreter)
    moments: list[Moment] = field(default_factory=list)
    running: tuple[int, int] = (0, 0)
    blocks: int = 0
    lines: list[int] = field(default_factory=list)
    sent: set[tuple[int, int, int]] = field(default_factory=set)

    def feed(self, token: Token) -> None:
        """Step the interpreter and note what the head's lanes must hold."""
        machine, kind = self.interpreter, token.kind
        machine.step(token)
        if kind == "EXEC":
            self.running = token.fields[0], token.fields[1]
        elif kind in ("START", "CTAEND", "RESTART", "END", "FAULT"):
            self.running = 0, 0
        if self.running[1] == 0:
            machine.mask = 0  # the head also forgets the mask on CTAEND and RESTART, where nothing reads it
        staged = register = line = None
        if kind in ("VAL", "PROG", "TAGROW", "MEM1", "MEMV"):
            result = token.fields[0] if kind == "VAL" else 3
            staged = tuple(machine._staged_word(result, j) for j in range(4))
        if kind == "VAL" and self.running[1]:
            operation = machine.program.get((self.running[0], token.fields[0]))
            if operation is not None and operation.destination is not None:
                number = operation.destination
                register = number, tuple(machine.registers[machine.warp][number])
        if kind in ("MEM1", "MEMV"):
            number = token.fields[1] // 4 if kind == "MEM1" else token.fields[0]
            line = tuple(machine.memory[4 * number : 4 * number + 4])
        self.moments.append(Moment(token, machine.warp, *self.running, staged, register, line))

    def host(self, program: Program) -> None:
        """The whole prompt of a program."""
        self.interpreter.learn(program.blocks)
        for token in prompt(program):
            self.feed(token)
        self.blocks = len(program.blocks)

    def values(self, results: tuple[int, ...], count: int) -> None:
        """VAL tokens in no particular order, as every host and every write-out sends them: no slot twice in a record,
        and a byte of a result either for all lanes or by lane."""
        for _ in range(count):
            if self.interpreter.committed:
                self.sent = set()
            free = [
                (result, lane, byte)
                for result in results
                for lane in range(5)
                for byte in range(4)
                if (result, lane, byte) not in self.sent
                and not any(
                    (result, other, byte) in self.sent for other in (range(1, 5) if lane == ALL_LANES else (ALL_LANES,))
                )
            ]
            if not free:
                return
            slot = self.rng.choice(free)
            self.sent.add(slot)
            self.feed(Token("VAL", (*slot, self.rng.choice((0, 127, 128, 255, self.rng.randrange(256))))))

    def block(self) -> None:
        """One EXEC with random results and stores, sometimes with another warp first."""
        if self.rng.random() < 0.4:
            self.feed(Token("WARP", (self.rng.randrange(SPEC.warps),)))
        self.feed(Token("EXEC", (self.rng.randrange(self.blocks), self.rng.randrange(1, 16))))
        self.sent = set()
        self.values((0, 1, 2, 3), self.rng.randrange(12))
        for _ in range(self.rng.choice((0, 0, 1, 2))):
            if self.rng.random() < 0.5:
                self.feed(Token("MEMV", (self.rng.choice(self.lines),)))
            else:
                self.feed(Token("MEM1", (self.rng.randrange(4), 4 * self.rng.choice(self.lines) + self.rng.randrange(4))))

    def odd(self) -> None:
        """A token that ends or restarts something, or a record of the host."""
        kind = self.rng.choice(("START", "CTAEND", "RESTART", "END", "FAULT", "PAD", "BAR", "record"))
        fields = {
            "START": (1 + self.rng.randrange(64), self.rng.randrange(2)),
            "FAULT": (self.rng.randrange(17),),
            "BAR": (self.rng.randrange(3), self.rng.randrange(2)),
        }
        if kind == "record":
            self.feed(Token("START", (64, 0)))
            self.sent = set()
            for _ in range(self.rng.randrange(1, 4)):
                self.values((3,), self.rng.randrange(1, 6))
                self.feed(Token("MEMV", (self.rng.choice(self.lines),)))
        elif kind == "PAD":
            self.interpreter.staged = {}  # the interpreter is made anew where the machine sees three of them
            self.sent = set()
            self.feed(Token("PAD"))
        else:
            self.feed(Token(kind, fields.get(kind, ())))


def random_stream(length: int, seed: int, blocks: int = 12) -> list[Moment]:
    """At least `length` tokens: a prompt, then blocks with their write-outs, odd tokens and host records."""
    stream = Stream(random.Random(seed))
    stream.lines = [stream.rng.randrange(SPEC.lines) for _ in range(30)]
    stream.host(random_program(stream.rng, blocks))
    while len(stream.moments) < length:
        stream.odd() if stream.rng.random() < 0.15 else stream.block()
    return stream.moments[:length]
