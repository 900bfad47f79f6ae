"""Token streams for pipeline stages: program, register, memory and tag writes mixed with blocks that run, and what the
reference interpreter makes of every token.

Lanes of the bus are given as the front of the machine leaves them; nothing here knows how a stage works.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from harness import Scenario, bits, spins

from builder.circuits.bus import KINDS
from engine.machine.instructions import BY_MNEMONIC, INSTRUCTIONS
from engine.machine.interpreter import Interpreter
from engine.machine.program import RESULTS, Access, Block, Exit, Operation, Register, Source, Special, Terminator, operation_row
from engine.machine.spec import SPEC
from engine.machine.tokens import TOKENS, Token

WORDS = 32
ADDRESSING = ("add", "sub", "and", "or", "mov", "mad", "selp", "min.u", "brev")
"""Instructions that often give addresses."""
HOT_WARPS, HOT_LINES = (0, 5, 15), (0, 1, 2, 3, 127, 128, 300, 511)
"""Few warps and lines, so that what is read was often written."""

INPUTS = {
    **{f"kind.{name}": 1 for name in KINDS},
    "line": 9,
    "warp": 4,
    "block": 8,
    "mask": 4,
    "destination": 4,
    "register_write": 1,
    "broadcast": 128,
}
"""Groups of the bus that the front of the machine writes, with their width."""
OUTPUTS = {
    **{f"result{k}.{j}": WORDS for k in range(SPEC.stages) for j in range(SPEC.lanes)},
    **{f"fault{k}": SPEC.lanes for k in range(SPEC.stages)},
    "live": SPEC.stages,
    "stores": SPEC.stages,
    "predicate": SPEC.lanes,
    "store_guard": SPEC.lanes,
    **{f"store_address.{j}": SPEC.address_bits for j in range(SPEC.lanes)},
}
"""Groups that the stages write."""
WIDTHS = {
    **INPUTS,
    **OUTPUTS,
    **{f"predicate before {k}": SPEC.lanes for k in range(SPEC.stages)},
    **{f"{group} by {k}": width for k in range(SPEC.stages) for group, width in OUTPUTS.items() if "store_" in group},
}
"""Everything that is expected: also what one stage alone makes of predicates and stores."""


@dataclass
class Stream:
    """A stream under way. `lanes` and `expected` collect one row a token, by group; `seen` counts what happened."""

    seed: int
    blocks: tuple[int, ...] = (0, 1, 127, 128, 200, 255)
    machine: Interpreter = field(default_factory=Interpreter)
    codes: list[int] = field(default_factory=list)
    lanes: list[dict[str, np.ndarray]] = field(default_factory=list)
    expected: list[dict[str, np.ndarray]] = field(default_factory=list)
    seen: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.machine.terminators = defaultdict(lambda: Block((), Terminator(Exit.EXIT)))

    @property
    def length(self) -> int:
        return len(self.codes)

    # ------------------------------------------------------------ values
    def word(self) -> int:
        """A word: mostly an address, near or far, sometimes anything."""
        rng = self.rng
        hot = rng.choice(HOT_LINES) * SPEC.lanes + rng.randrange(SPEC.lanes)
        return rng.choice(
            (hot, hot, rng.randrange(SPEC.words), rng.getrandbits(32), hot | 1 << rng.randrange(SPEC.address_bits, WORDS))
        )

    def line(self) -> int:
        """A memory line."""
        return self.rng.choice(HOT_LINES) if self.rng.random() < 0.7 else self.rng.randrange(SPEC.lines)

    def source(self, stage: int, operations: list[Operation]) -> Source:
        """An operand: a result that exists, a register, or a constant."""
        words = [
            r
            for r in RESULTS[:stage]
            if not operations[r.value].stores
            and not BY_MNEMONIC[operations[r.value].mnemonic].predicate
            and operations[r.value].mnemonic != "nop"
        ]
        register = Register(self.rng.randrange(SPEC.registers))
        constant = self.rng.choice((Special.IMMEDIATE, Special.IMMEDIATE, Special.THREAD, Special.ONE, Special.ZERO))
        return self.rng.choice((register, register, constant, self.rng.choice(words or [register])))

    def operation(self, stage: int, operations: list[Operation], may_store: bool) -> Operation:
        """A valid operation of a stage, half of them with an access."""
        rng = self.rng
        available = [e for e in INSTRUCTIONS if e.mnemonic != "nop" and (e.stages is None or stage in e.stages)]
        access = rng.choice(
            [Access.NONE, Access.NONE, Access.LOAD, Access.LOAD, *([Access.STORE, Access.STORE_SWAPPED] if may_store else [])]
        )
        if access is Access.NONE:
            mnemonic = rng.choice(available).mnemonic
        else:
            mnemonic = rng.choice((rng.choice(ADDRESSING), rng.choice([e for e in available if not e.predicate]).mnemonic))
        a, b, c = (self.source(stage, operations) for _ in "abc")
        keeps = access in (Access.NONE, Access.LOAD) and not BY_MNEMONIC[mnemonic].predicate and rng.random() < 0.5
        return Operation(
            mnemonic,
            a,
            b,
            c,
            self.word(),
            rng.randrange(SPEC.registers) if keeps else None,
            access,
            guarded=rng.random() < 0.4,
            tag=rng.choice((0, 3, 3, rng.randrange(SPEC.tags))),
        )

    # ------------------------------------------------------------ tokens
    def token(
        self, token: Token, kinds: tuple[str, ...], lanes: dict[str, np.ndarray], expected: dict[str, np.ndarray] | None = None
    ) -> None:
        """Add one token. Groups that it does not name hold 0, and nothing is expected of a stage but 0."""
        self.codes.append(TOKENS.code(token))
        self.lanes.append({**{f"kind.{kind}": np.ones(1) for kind in kinds}, "warp": bits(self.machine.warp, 4), **lanes})
        self.expected.append(expected or {})
        self.seen[token.kind] += 1

    @staticmethod
    def row(words: list[int] | tuple[int, ...]) -> np.ndarray:
        return spins(np.array(words), WORDS).ravel()

    def write_program(self, block: int) -> None:
        """Program a block anew; how many operations it has is a property of its number, since a part cannot be unwritten."""
        operations: list[Operation] = []
        for stage in range(self.blocks.index(block) % (SPEC.stages + 1)):
            operations.append(self.operation(stage, operations, not any(o.stores for o in operations)))
            self.machine.program[block, stage] = operations[-1]
            self.token(Token("PROG", (block, stage)), (f"PROG{stage}",), {"broadcast": self.row(operation_row(operations[-1]))})

    def write_register(self) -> None:
        """A result's byte that completes a register row of the current warp."""
        register, words = self.rng.randrange(SPEC.registers), [self.word() for _ in range(SPEC.lanes)]
        self.machine.registers[self.machine.warp][register] = words
        self.token(
            Token("VAL", (0, 0, 0, 1)),
            ("VAL",),
            {"register_write": np.ones(1), "broadcast": self.row(words), "destination": bits(register, 4)},
        )

    def write_memory(self, line: int) -> None:
        """A memory line."""
        words = [self.word() for _ in range(SPEC.lanes)]
        self.machine.memory[line * SPEC.lanes : (line + 1) * SPEC.lanes] = words
        self.token(Token("MEMV", (line,)), ("MEMV", "MEM"), {"line": spins(line, 9), "broadcast": self.row(words)})

    def write_tags(self, row: int) -> None:
        """The array ids of 32 words."""
        tags = [self.rng.choice((0, 3, 3, self.rng.randrange(SPEC.tags))) for _ in range(SPEC.words_per_tag_row)]
        self.machine.tags[row * len(tags) : (row + 1) * len(tags)] = tags
        words = [sum(tag << 4 * i for i, tag in enumerate(tags[8 * j : 8 * j + 8])) for j in range(SPEC.lanes)]
        self.token(Token("TAGROW", (row,)), ("TAGROW",), {"line": spins(row, 9), "broadcast": self.row(words)})

    def change_warp(self) -> None:
        """Another hardware warp."""
        self.machine.warp = self.rng.choice(HOT_WARPS)
        self.token(Token("WARP", (self.machine.warp,)), ("WARP",), {})

    def execute(self, block: int) -> None:
        """Run a block by the reference interpreter's own rules, and note every lane that the stages must produce."""
        machine, mask, lanes = self.machine, self.rng.randrange(1, 2**SPEC.lanes), range(SPEC.lanes)
        machine.mask = mask
        machine.results = [[0] * SPEC.lanes for _ in range(SPEC.stages)]
        predicates = [0] * SPEC.lanes
        expected: dict[str, np.ndarray] = {"live": np.zeros(SPEC.stages), "stores": np.zeros(SPEC.stages)}
        for stage in range(SPEC.stages):
            operation = machine.program.get((block, stage))
            expected[f"predicate before {stage}"] = np.array(predicates) * 2.0 - 1
            if operation is None:
                continue
            self.seen[operation.mnemonic] += 1
            addresses = self._unguarded_addresses(stage, operation, list(predicates))
            accesses = machine._run_stage(stage, operation, predicates)
            if not BY_MNEMONIC[operation.mnemonic].predicate:
                expected.update({f"result{stage}.{j}": spins(machine.results[stage][j], WORDS) for j in lanes})
            faults = {a.lane for a in accesses if mask >> a.lane & 1 and not machine._allowed(a)}
            expected[f"fault{stage}"] = np.array([float(j in faults) for j in lanes])
            expected["live"][stage], expected["stores"][stage] = operation.destination is not None, operation.stores
            if operation.stores:
                stored = {f"store_address.{j}": spins(addresses[j] % SPEC.words, SPEC.address_bits) for j in lanes}
                stored["store_guard"] = np.array([float(any(a.lane == j for a in accesses)) for j in lanes])
                expected.update({**stored, **{f"{group} by {stage}": lanes_ for group, lanes_ in stored.items()}})
            self._count(operation, accesses, faults)
        expected["predicate"] = np.array(predicates) * 2.0 - 1
        self.token(
            Token("EXEC", (block, mask)),
            ("EXEC",),
            {"block": bits(block, 8), "mask": bits(mask, 4), "running": np.ones(1)},
            expected,
        )

    def _unguarded_addresses(self, stage: int, operation: Operation, predicates: list[int]) -> list[int]:
        """Where a store would go whatever its guard says: the address lanes do not depend on it."""
        if operation.stores:
            self.machine._run_stage(stage, replace(operation, guarded=False), predicates)
        return [address or 0 for address in self.machine.addresses]

    def _count(self, operation: Operation, accesses: list, faults: set[int]) -> None:
        self.seen[f"{operation.access.value}"] += len(accesses)
        self.seen["skipped"] += 0 if operation.access is Access.NONE else SPEC.lanes - len(accesses)
        self.seen["faults"] += len(faults)

    # ------------------------------------------------------------ whole streams
    def prepare(self, tag_rows: int = 56, lines: int = 12) -> Stream:
        """Some state of every kind; other rows stay unwritten."""
        for row in self.rng.sample(range(SPEC.tag_rows), tag_rows):
            self.write_tags(row)
        for block in self.blocks:
            self.write_program(block)
        for _ in range(lines):
            self.write_memory(self.line())
        return self

    def mix(self, length: int) -> Stream:
        """Tokens of every kind up to a length; most of them run a block, one in eight of those was never programmed."""
        steps: tuple[tuple[float, Callable[[], None]], ...] = (
            (1.0, lambda: self.write_program(self.rng.choice(self.blocks))),
            (1.0, self.write_register),
            (0.5, lambda: self.write_memory(self.line())),
            (0.3, self.change_warp),
            (0.2, lambda: self.write_tags(self.rng.randrange(SPEC.tag_rows))),
            (4.0, lambda: self.execute(self.rng.choice((*self.blocks, 77)))),
        )
        weights = [weight for weight, _ in steps]
        while self.length < length:
            self.rng.choices(steps, weights)[0][1]()
        return self

    # ------------------------------------------------------------ for the bench
    def scenario(self, given: dict[str, str], looks: dict[str, tuple[str, int]]) -> Scenario:
        """The bus as the front leaves it. given: further input group -> what is expected of it. looks: group -> (what is
        expected of it, layer)."""
        values = {group: self._column(self.lanes, group) for group in INPUTS}
        values.update({group: self._column(self.expected, what) for group, what in given.items()})
        expected = {(group, layer): self._column(self.expected, what) for group, (what, layer) in looks.items()}
        return Scenario(values, expected, np.array(self.codes))

    @staticmethod
    def _column(rows: list[dict[str, np.ndarray]], name: str) -> np.ndarray:
        zero = np.zeros(WIDTHS[name])
        return np.array([row.get(name, zero) for row in rows])
