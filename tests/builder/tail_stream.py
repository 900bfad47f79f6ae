"""Token streams for the tail: the reference interpreter with what its stages would put on the interface lanes."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from harness import Bench, Scenario, Trace, bits, spins

from builder.circuits.bus import KINDS, declare
from builder.circuits.output import OUTPUT_LAYER, OUTPUT_SCALE
from builder.circuits.tail import build_tail
from builder.netlist import Netlist
from engine.machine.interpreter import Access_, Interpreter
from engine.machine.program import Access, Block, Exit, Operation, Program, Terminator, prompt, record_values, terminator_row
from engine.machine.spec import SPEC
from engine.machine.tokens import TOKENS, Token, code_signs

EDGES = (
    0,
    1,
    127,
    128,
    255,
    256,
    0x7FFF,
    0x8000,
    0xFFFF,
    0x7FFFFFFF,
    0x80000000,
    0xFFFFFFFF,
    0xFFFFFF80,
    0xFFFFFF7F,
    0xFF000000,
    0x00FF00FF,
    0x800000,
    0xFF8000,
)
"""Words at which bytes become zero, or the sign of the byte below."""


@dataclass
class Moment:
    """A token, what the interface lanes hold on it, and the token that the machine must emit (None: the host goes on)."""

    token: Token
    following: Token | None
    warp: int
    block: int
    mask: int
    row: tuple[int, ...] | None = None
    results: list[list[int] | None] = field(default_factory=lambda: [None] * SPEC.stages)
    predicates: list[int] | None = None
    live: int = 0
    stores: int = 0
    guards: int = 0
    addresses: list[int] | None = None
    faults: list[int] = field(default_factory=lambda: [0] * SPEC.stages)


class Shadow(Interpreter):
    """The interpreter, keeping what it forgets."""

    def _exec(self, block: int, mask: int) -> None:
        self.refused: set[tuple[int, int]] = set()
        super()._exec(block, mask)

    def _allowed(self, access: Access_) -> bool:
        allowed = super()._allowed(access)
        if not allowed:
            self.refused.add((access.stage, access.lane))
        return allowed

    def observe(self, token: Token) -> Moment:
        """Step, and say what the interface lanes hold on this token."""
        following = self.step(token)
        halted = token.kind in ("START", "CTAEND", "RESTART", "END", "FAULT")
        moment = Moment(token, following, self.warp, 0 if halted or not self.mask else self.block, 0 if halted else self.mask)
        if token.kind == "PROG":
            moment.row = self._staged_row()
        elif token.kind == "EXEC":
            self._note_block(moment)
        return moment

    def _note_block(self, moment: Moment) -> None:
        for stage in range(self.spec.stages):
            operation = self.program.get((moment.block, stage))
            if operation is not None:
                moment.results[stage] = list(self.results[stage])
                moment.live |= (operation.destination is not None) << stage
                moment.stores |= operation.stores << stage
                if operation.stores:  # a lane whose guard forbids the store has some address as well
                    moment.addresses = [0] * self.spec.lanes
        moment.predicates = list(self.predicates)
        for access in self.accesses:
            if access.operation.stores:
                moment.guards |= 1 << access.lane
                moment.addresses[access.lane] = access.address
        for stage, lane in self.refused:
            moment.faults[stage] |= 1 << lane


class RandomStages(Shadow):
    """Stages that compute anything: random words, predicates, guards, addresses and faults; the tail's part stays exact."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__()
        self.rng, self.fault_rate = rng, 0.0

    def _run_stage(self, stage: int, operation: Operation, predicates: list[int]) -> list[Access_]:
        rng, lanes = self.rng, range(self.spec.lanes)
        self.results[stage] = _words(rng, self.spec.lanes)
        predicates[:] = [int(rng.random() < 0.5)] * len(predicates) if rng.random() < 0.5 else [rng.randrange(2) for _ in lanes]
        if operation.access is Access.NONE:
            return []
        line = rng.randrange(self.spec.lines)
        words = [4 * line + j for j in lanes]
        if rng.random() < 0.5:
            words = [rng.choice((4 * line, 4 * line + 1, words[j], (words[j] + 4) % self.spec.words)) for j in lanes]
        guards = [not operation.guarded or rng.random() < 0.8 for _ in lanes]
        if operation.stores:
            self.addresses = [word if guard else None for word, guard in zip(words, guards, strict=True)]
        return [Access_(stage, j, words[j], operation) for j in lanes if guards[j]]

    def _allowed(self, access: Access_) -> bool:
        allowed = self.rng.random() >= self.fault_rate
        if not allowed:
            self.refused.add((access.stage, access.lane))
        return allowed


def _words(rng: random.Random, lanes: int) -> list[int]:
    """A word a lane: edges and random ones, often equal in all lanes, in all but one byte, or zero."""
    kind = rng.random()
    if kind < 0.15:
        return [0] * lanes
    words = [
        rng.choice((rng.choice(EDGES), rng.choice(EDGES), rng.getrandbits(32), rng.randrange(-300, 300) & 0xFFFFFFFF))
        for _ in range(lanes)
    ]
    if kind < 0.4:
        return words[:1] * lanes
    if kind < 0.55:
        return [words[0] & 0xFFFFFF00 | word & 255 for word in words]
    return words


def random_blocks(rng: random.Random, count: int) -> dict[int, Block]:
    """Blocks 0, 1 and others anywhere in the machine; some sets mostly compute, others mostly branch and wait."""
    numbers = [0, 1, *rng.sample(range(2, SPEC.blocks), count - 2)]
    waits = rng.choice(((), (Exit.CTA_BARRIER,), (Exit.WARP_BARRIER,), (Exit.CTA_BARRIER, Exit.WARP_BARRIER)))
    sites = rng.choice((1, 1, 1, 2, SPEC.sites))
    exits = [
        *[Exit.JUMP] * rng.choice((0, 1)),
        *[Exit.BRANCH] * rng.choice((1, 3)),
        *[Exit.EXIT] * rng.choice((1, 3)),
        *waits * rng.choice((1, 3)),
    ]
    serial, yields, busy = rng.choice((0.0, 0.3)), rng.choice((0.0, 0.3, 0.8)), rng.choice((0.0, 0.1, 0.7))
    blocks = {}
    for number in numbers:
        terminator = Terminator(rng.choice(exits), rng.choice(numbers), rng.choice(numbers), rng.randrange(sites))
        if number == 1 and rng.random() < 0.8:
            terminator = Terminator(Exit.NEXT_CTA)
        operations = _operations(rng) if rng.random() < busy else (Operation("setp.eq"),)
        blocks[number] = Block(operations, terminator, rng.random() < serial, rng.random() < yields)
    return blocks


def _operations(rng: random.Random) -> tuple[Operation, ...]:
    """One to four operations, often few with results, at most one of them a store (then result 3 is its word)."""
    made = []
    store = rng.choice((None, 0, 1, 2, 3))
    results = rng.choice((0.0, 0.3, 0.9))
    for stage in range(rng.choice((1, 2, 4, 4))):
        if stage == store:
            made.append(Operation("add", access=rng.choice((Access.STORE, Access.STORE_SWAPPED)), guarded=rng.random() < 0.4))
            continue
        free = rng.random() < results and not (stage == SPEC.stages - 1 and store is not None)
        made.append(
            Operation(
                "add",
                destination=stage if free else None,
                guarded=rng.random() < 0.3,
                access=rng.choice((Access.NONE, Access.LOAD)),
            )
        )
    return tuple(made)


def random_stream(length: int, seed: int) -> list[Moment]:
    """Launches of random blocks on random stages, one after another, each until it ends or grows long."""
    rng = random.Random(seed)
    machine = RandomStages(rng)
    moments: list[Moment] = []
    while len(moments) < length:
        if not moments or rng.random() < 0.5:
            moments += map(machine.observe, [Token("PAD")] * 3)
            for number, block in random_blocks(rng, rng.choice((3, 6, 12))).items():
                machine.learn([block])
                machine.program = {key: o for key, o in machine.program.items() if key[0] != number}
                machine.program.update({(number, stage): o for stage, o in enumerate(block.operations)})
                moments += map(machine.observe, [*record_values(terminator_row(block)), Token("PROG", (number, SPEC.stages))])
        machine.fault_rate = rng.choice((0.0, 0.0, 0.002, 0.02))
        threads = rng.choice((1, 3, 4, 5, 8, 31, 33, 64, rng.randint(1, 64)))
        token: Token | None = Token("START", (threads, rng.randrange(2)))
        end = len(moments) + rng.choice((100, 400))
        while token is not None and len(moments) < end:
            moments.append(machine.observe(token))
            token = moments[-1].following
    return moments


def program_stream(program: Program) -> list[Moment]:
    """A program's whole launch, on the real stages."""
    machine = Shadow()
    machine.learn(program.blocks)
    moments = [machine.observe(token) for token in prompt(program)]
    while moments[-1].following is not None:
        moments.append(machine.observe(moments[-1].following))
    return moments


# ---------------------------------------------------------------- on the bench


def tail_bench() -> Bench:
    """The tail alone."""
    net = Netlist()
    build_tail(net, declare(net, SPEC), SPEC)
    return Bench(net)


def scenario(moments: list[Moment], seed: int = 0) -> Scenario:
    """The interface lanes of a stream. Lanes that a token leaves undefined get what a machine might have there."""
    count, rng = len(moments), np.random.default_rng(seed)
    values: dict[str, np.ndarray] = {f"kind.{name}": np.zeros(count) for name in KINDS}
    unions = {"MEM1": ("MEM",), "MEMV": ("MEM",), "START": ("RESET",), "CTAEND": ("RESET",), "RESTART": ("RESET",)}
    for t, moment in enumerate(moments):
        kind = moment.token.kind
        own = f"PROG{moment.token.fields[1]}" if kind == "PROG" else kind
        for name in (own, *unions.get(kind, ())):
            if name in KINDS:
                values[f"kind.{name}"][t] = 1
    machine = Interpreter()
    values["position"] = np.array([machine._position(moment.token) for moment in moments])
    for name, width in (("warp", 4), ("block", 8), ("mask", 4)):
        values[name] = bits([getattr(moment, name) for moment in moments], width)
    for name, width in (("live", 4), ("stores", 4)):
        values[name] = bits([getattr(moment, name) for moment in moments], width)
    values["running"] = np.array([moment.mask > 0 for moment in moments])
    values["store_guard"] = bits([moment.guards for moment in moments], 4)
    values["broadcast"] = _broadcast(moments, rng)
    for k in range(SPEC.stages):
        values[f"fault{k}"] = bits([moment.faults[k] for moment in moments], SPEC.lanes)
        known = np.array([moment.results[k] is not None for moment in moments])
        for j in range(SPEC.lanes):
            words = [moment.results[k][j] if moment.results[k] is not None else 0 for moment in moments]
            values[f"result{k}.{j}"] = spins(words, 32) * known[:, None]
    for j in range(SPEC.lanes):
        known = np.array([moment.addresses is not None for moment in moments])
        words = [moment.addresses[j] if moment.addresses is not None else 0 for moment in moments]
        values[f"store_address.{j}"] = spins(words, SPEC.address_bits) * known[:, None]
    known = np.array([moment.predicates is not None for moment in moments])
    predicates = np.array([moment.predicates or [0] * SPEC.lanes for moment in moments])
    values["predicate"] = (predicates * 2 - 1) * known[:, None]
    return Scenario(values, codes=np.array([TOKENS.code(moment.token) for moment in moments]))


def _broadcast(moments: list[Moment], rng: np.random.Generator) -> np.ndarray:
    """The committed row; anything on VAL and MEM; nothing on tokens that commit nothing."""
    lanes = np.zeros((len(moments), 128))
    for t, moment in enumerate(moments):
        if moment.row is not None:
            lanes[t] = spins(moment.row, 32).reshape(-1)
        elif moment.token.kind in ("VAL", "MEM1", "MEMV", "TAGROW"):
            lanes[t] = rng.integers(0, 2, 128) * 2 - 1
    return lanes


def emitted(bench: Bench, trace: Trace) -> list[Token | None]:
    """The tokens whose codes stand on the code lanes after the last layer, exactly +-2**20; None where they do not."""
    signs = bench.lanes(trace, "CODE", OUTPUT_LAYER) / OUTPUT_SCALE
    bits_ = signs[:, [16 * nibble + (1 << i) for nibble in range(4) for i in range(4)]] > 0
    codes = (bits_ << np.arange(16)).sum(1)
    right = (signs == [code_signs(int(code)) for code in codes]).all(1)
    return [TOKENS.by_code.get(int(code)) if exact else None for code, exact in zip(codes, right, strict=True)]


def differences(moments: Iterable[Moment], tokens: Iterable[Token | None]) -> list[str]:
    """Where the emitted token is not the interpreter's, on tokens that the machine answers."""
    return [
        f"token {t}: after {moment.token} (warp {moment.warp}, block {moment.block}, mask {moment.mask:04b}) "
        f"emitted {token}, expected {moment.following}"
        for t, (moment, token) in enumerate(zip(moments, tokens, strict=True))
        if moment.following is not None and token != moment.following
    ]
