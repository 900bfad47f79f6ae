"""The reference interpreter: what the machine does on every token, and which token comes next.

It defines the machine at the level of tokens. It runs no transformer and takes no part in a launch: it judges one after the
launch has ended (replay), and serves as the truth for the circuits' tests.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from .instructions import BY_MNEMONIC
from .program import (
    Access,
    Block,
    Exit,
    Operation,
    Program,
    Register,
    Special,
    operation_row,
    prompt,
    sent_bytes,
    terminator_row,
)
from .spec import SPEC, MachineSpec
from .tokens import ALL_LANES, BARRIER_FAULT, CTA_SCOPE, MEM1_POSITION, MEMV_POSITION, POSITIONS, Token, slot_position

STORE_RESULT = 3


@dataclass
class LaneState:
    """Where one thread stands: next block, whether it has exited, which barrier it waits at and in which phase."""

    block: int = 0
    done: bool = False
    waits: Exit | None = None
    phase: int = 0
    site: int = 0
    again: bool = False


@dataclass
class WarpStatus:
    """What the scheduler knows of a hardware warp since it last was the current one.

    cta, group: no lane can run and some wait at the CTA's, at the CUDA warp's barrier; phases: as they were then
    sites: the CTA barrier sites where its lanes wait
    """

    done: bool = False
    cta: bool = False
    group: bool = False
    cta_phase: int = 0
    group_phase: int = 0
    sites: frozenset[int] = frozenset()


@dataclass
class Slot:
    """A token that the running block still has to write: its position in the order of write-out, and what it carries."""

    position: int
    result: int = 0
    lane: int = 0
    byte: int = 0


@dataclass
class Access_:
    """One lane's memory access of the last block: for fault messages and traces."""

    stage: int
    lane: int
    address: int
    operation: Operation


@dataclass
class Interpreter:
    """The machine's state between tokens. `step` consumes one token and returns the next, None where the host goes on."""

    spec: MachineSpec = SPEC
    program: dict[tuple[int, int], Operation] = field(default_factory=dict)
    terminators: dict[int, Block] = field(default_factory=dict)

    def __post_init__(self) -> None:
        spec = self.spec
        self.memory = [0] * spec.words
        self.tags = [0] * spec.words
        self.registers = [[[0] * spec.lanes for _ in range(spec.registers)] for _ in range(spec.warps)]
        self.staged: dict[tuple[int, int], dict[int, int]] = {}
        self.committed = False
        self.warp, self.block, self.mask = 0, 0, 0
        self.threads, self.many, self.advancing = 0, False, False
        self.results = [[0] * spec.lanes for _ in range(spec.stages)]
        self.predicates = [0] * spec.lanes
        self.addresses: list[int | None] = [None] * spec.lanes
        self.accesses: list[Access_] = []
        self.slots: list[Slot] = []
        self.fault: int | None = None
        self.faulted: Access_ | None = None
        self.writes: list[tuple[str, ...] | tuple[str | int, ...]] = []
        self._reset_schedule()

    def _reset_schedule(self) -> None:
        spec = self.spec
        self.warp = 0
        self.lane_states = [[LaneState() for _ in range(spec.lanes)] for _ in range(spec.warps)]
        self.phases = [0] * (1 + spec.cuda_warps)
        self.status: list[WarpStatus | None] = [None] * spec.warps
        self.slots = []

    def copy(self) -> Interpreter:
        """Another machine in the same state; neither changes with the other."""
        twin = object.__new__(Interpreter)
        # what a token replaces as a whole is shared, what it changes in place is copied
        twin.__dict__.update(self.__dict__)
        twin.program, twin.terminators = self.program.copy(), self.terminators.copy()
        twin.memory, twin.tags = self.memory.copy(), self.tags.copy()
        twin.registers = [[row.copy() for row in warp] for warp in self.registers]
        twin.staged = {place: parts.copy() for place, parts in self.staged.items()}
        twin.lane_states = [
            [replace(lane) for lane in warp] if w * self.spec.lanes < self.threads else warp
            for w, warp in enumerate(self.lane_states)
        ]  # lanes beyond the threads never change
        twin.phases, twin.status = self.phases.copy(), self.status.copy()
        return twin

    # ------------------------------------------------------------ loading
    def load(self, program: Program) -> list[Token]:
        """Feed a launch's prompt up to, not including, START; returns the whole prompt."""
        tokens = prompt(program, self.spec)
        self.learn(program.blocks)
        for token in tokens[:-1]:
            self.step(token)
        return tokens

    def learn(self, blocks: Iterable[Block]) -> None:
        """Know the meaning of the program rows that PROG tokens will commit."""
        self._rows = {operation_row(o): o for block in blocks for o in block.operations}
        self._ends = {terminator_row(block): block for block in blocks}

    # ------------------------------------------------------------ one token
    def step(self, token: Token) -> Token | None:
        """Consume a token; return the token that the machine emits next, None while the host loads or after the end."""
        self.writes = []
        getattr(self, f"_{token.kind.lower()}")(*token.fields)
        self.committed = token.kind in ("MEM1", "MEMV", "PROG", "TAGROW")
        if token.kind in ("PAD", "PROG", "TAGROW", "END", "FAULT"):
            return None
        if token.kind in ("VAL", "MEMV", "MEM1") and not self.mask:
            return None
        self._update_status(token)
        return self._next(token)

    def _pad(self) -> None:
        """Forget what an earlier launch left staged: the next host record begins empty."""
        self.staged = {}

    def _val(self, result: int, lane: int, byte: int, value: int) -> None:
        if self.committed:
            self.staged = {}
        for j in range(self.spec.lanes) if lane == ALL_LANES else (lane - 1,):
            self.staged.setdefault((result, j), {})[byte] = value
        operation = self.program.get((self.block, result))
        if self.mask and operation and operation.destination is not None:
            row = self.registers[self.warp][operation.destination]
            for j in self._active():
                row[j] = self._staged_word(result, j)
                self.writes.append(("register", self.warp, operation.destination, j, row[j]))

    def _staged_word(self, result: int, lane: int) -> int:
        """The word that the staged bytes of a lane stand for: sign above the highest, zero in gaps."""
        parts = self.staged.get((result, lane), {})
        top = max(parts, default=-1)
        fill = 255 if top >= 0 and parts[top] & 128 else 0
        return sum((parts.get(b, 0) if b <= top else fill) << 8 * b for b in range(4)) if parts else 0

    def _staged_row(self) -> tuple[int, int, int, int]:
        words = [self._staged_word(STORE_RESULT, j) for j in range(self.spec.lanes)]
        return words[0], words[1], words[2], words[3]

    def _prog(self, block: int, part: int) -> None:
        if part == self.spec.stages:
            self.terminators[block] = self._ends[self._staged_row()]
        else:
            self.program[block, part] = self._rows[self._staged_row()]

    def _tagrow(self, row: int) -> None:
        per_row = self.spec.words_per_tag_row
        bits = sum(word << 32 * i for i, word in enumerate(self._staged_row()))
        for i in range(per_row):
            self.tags[row * per_row + i] = bits >> 4 * i & 15

    def _memv(self, line: int) -> None:
        for j in self._active() if self.mask else range(self.spec.lanes):
            self._store(line * self.spec.lanes + j, self._staged_word(STORE_RESULT, j))

    def _mem1(self, lane: int, address: int) -> None:
        self._store(address, self._staged_word(STORE_RESULT, lane))

    def _store(self, address: int, word: int) -> None:
        self.memory[address] = word
        self.writes.append(("memory", address, word))

    def _start(self, threads: int, many: int) -> None:
        self._reset_schedule()
        self.staged = {}
        self.threads, self.many, self.advancing, self.mask, self.fault = threads, bool(many), False, 0, None

    def _ctaend(self) -> None:
        self._reset_schedule()
        self.advancing = True

    def _restart(self) -> None:
        self._reset_schedule()
        self.advancing = False

    def _warp(self, warp: int) -> None:
        self.warp = warp

    def _bar(self, scope: int, phase: int) -> None:
        self.phases[scope] = phase

    def _end(self) -> None:
        self.mask = 0

    def _fault(self, reason: int) -> None:
        self.mask = 0

    # ------------------------------------------------------------ EXEC
    def _exec(self, block: int, mask: int) -> None:
        spec = self.spec
        self.block, self.mask, self.staged, self.slots = block, mask, {}, []
        self.fault, self.faulted = None, None
        self.results = [[0] * spec.lanes for _ in range(spec.stages)]
        self.addresses = [None] * spec.lanes
        self.predicates = predicates = [0] * spec.lanes
        self.accesses = accesses = []
        for stage in range(spec.stages):
            operation = self.program.get((block, stage))
            if operation is not None:
                accesses += self._run_stage(stage, operation, predicates)
        code = self.terminators[block]
        bad = [a for lane in self._active() for a in accesses if a.lane == lane and not self._allowed(a)]
        if bad:
            self.faulted = bad[0]
            self.fault = bad[0].stage * spec.lanes + bad[0].lane
        held = self._held_back() if code.serial else set()
        going = [j for j in self._active() if j not in held]
        if self.fault is None:
            self.slots = self._pending(code, going)
        for j in going:
            self._leave(code, self.lane_states[self.warp][j], predicates[j])

    def _active(self) -> list[int]:
        return [j for j in range(self.spec.lanes) if self.mask >> j & 1]

    def _run_stage(self, stage: int, operation: Operation, predicates: list[int]) -> list[Access_]:
        """Run one operation on all lanes; returns the memory accesses that its guard lets happen, faulty ones included."""
        instruction = BY_MNEMONIC[operation.mnemonic]
        accesses = []
        for j in range(self.spec.lanes):
            a, b, c = (self._operand(s, stage, j, operation.immediate) for s in (operation.a, operation.b, operation.c))
            result = instruction.apply(a, b, c, predicates[j])
            allowed = bool(predicates[j]) or not operation.guarded
            if instruction.predicate:
                predicates[j] = result
                continue
            self.results[stage][j] = result
            if operation.access is Access.NONE:
                continue
            address = c if operation.access is Access.STORE_SWAPPED else result
            if operation.access is Access.LOAD:
                self.results[stage][j] = self.memory[address] if allowed and address < self.spec.words else 0
            else:
                self.results[stage][j] = c if operation.access is Access.STORE else result
                self.addresses[j] = address if allowed else None
            if allowed:
                accesses.append(Access_(stage, j, address, operation))
        return accesses

    def _operand(self, source: Register | Special, stage: int, lane: int, immediate: int) -> int:
        if isinstance(source, Register):
            return self.registers[self.warp][source.number][lane]
        if source is Special.ZERO:
            return 0
        if source is Special.ONE:
            return 1
        if source is Special.IMMEDIATE:
            return immediate
        if source is Special.THREAD:
            return self.warp * self.spec.lanes + lane
        return self.results[source.value][lane]

    def _allowed(self, access: Access_) -> bool:
        tag = self.tags[access.address] if access.address < self.spec.words else 0
        return tag != 0 and access.operation.tag in (0, tag)

    def _held_back(self) -> set[int]:
        """Lanes of a serial block whose store address equals that of a lower active lane."""
        seen: set[int] = set()
        held = set()
        for j in self._active():
            address = self.addresses[j]
            if address is not None:
                if address in seen:
                    held.add(j)
                seen.add(address)
        return held

    def _pending(self, code: Block, going: list[int]) -> list[Slot]:
        """What the block writes out, in order. See `docs/machine.md` for the rules."""
        active, slots = self._active(), []
        for stage in range(self.spec.stages):
            operation = self.program.get((self.block, stage))
            if operation is None or (operation.destination is None and not operation.stores):
                continue
            slots += self._result_slots(stage, operation, code, going)
        storing = [j for j in active if self.addresses[j] is not None]
        if self._coalesced(code, storing):
            slots.append(Slot(MEMV_POSITION))
        else:
            slots += [Slot(MEM1_POSITION + j, lane=j) for j in storing if j in going]
        return sorted(slots, key=lambda slot: slot.position)

    def _result_slots(self, stage: int, operation: Operation, code: Block, going: list[int]) -> list[Slot]:
        lanes = [j for j in self._active() if not operation.stores or self.addresses[j] is not None]
        result = STORE_RESULT if operation.stores else stage
        words = self.results[stage]
        needed = {j: list(sent_bytes(words[j])) for j in lanes}
        if code.serial:
            for flags in needed.values():
                flags[0] = True
        whole = not code.serial and len(lanes) == self.spec.lanes
        slots = []
        for byte in range(4):
            same = len({words[j] >> 8 * byte & 255 for j in lanes}) == 1
            if whole and same and all(needed[j][byte] for j in lanes):
                slots.append(Slot(slot_position(result, ALL_LANES, byte), stage, ALL_LANES, byte))
            else:
                slots += [
                    Slot(slot_position(result, 1 + j, byte), stage, 1 + j, byte)
                    for j in lanes
                    if needed[j][byte] and j in going
                ]
        if not operation.stores and not any(any(flags) for flags in needed.values()):
            slots.append(Slot(slot_position(result, ALL_LANES, 0), stage, ALL_LANES, 0))
        return slots

    def _coalesced(self, code: Block, storing: list[int]) -> bool:
        """At least two lanes, every active lane stores, lane j at word j of one common line, and the block is not serial."""
        addresses = [self.addresses[j] for j in storing]
        return (
            not code.serial
            and len(storing) > 1
            and len(storing) == len(self._active())
            and all(a % self.spec.lanes == j for a, j in zip(addresses, storing, strict=True) if a is not None)
            and len({a // self.spec.lanes for a in addresses if a is not None}) == 1
        )

    def _leave(self, code: Block, lane: LaneState, predicate: int) -> None:
        """Where a lane that ran the block goes."""
        end = code.terminator
        lane.block, lane.done, lane.waits, lane.again = end.taken, False, None, False
        if end.exit is Exit.EXIT:
            lane.done = True
        elif end.exit is Exit.BRANCH:
            lane.block = end.taken if predicate else end.other
        elif end.exit is Exit.NEXT_CTA:
            lane.done, lane.again = not predicate, bool(predicate)
        elif end.exit in (Exit.CTA_BARRIER, Exit.WARP_BARRIER):
            lane.waits, lane.site = end.exit, end.site
            lane.phase = self.phases[self._scope(end.exit, self.warp)]

    # ------------------------------------------------------------ scheduling
    def _scope(self, barrier: Exit, warp: int) -> int:
        """The scope of a barrier as the lanes of a hardware warp see it."""
        return CTA_SCOPE if barrier is Exit.CTA_BARRIER else 1 + warp * self.spec.lanes // self.spec.warp_size

    def _lanes_now(self) -> tuple[list[int], list[int]]:
        """Lanes of the current warp that can run, and lanes that wait at a barrier of the present phase."""
        running: list[int] = []
        waiting: list[int] = []
        for j, lane in enumerate(self.lane_states[self.warp]):
            if self.warp * self.spec.lanes + j >= self.threads or lane.done:
                continue
            held = lane.waits is not None and lane.phase == self.phases[self._scope(lane.waits, self.warp)]
            (waiting if held else running).append(j)
        return running, waiting

    def _update_status(self, token: Token) -> None:
        if token.kind in ("START", "CTAEND", "RESTART"):
            return
        running, waiting = self._lanes_now()
        lanes = self.lane_states[self.warp]
        stuck = [lanes[j] for j in waiting] if not running else []
        self.status[self.warp] = WarpStatus(
            done=not running and not waiting,
            cta=any(lane.waits is Exit.CTA_BARRIER for lane in stuck),
            group=any(lane.waits is Exit.WARP_BARRIER for lane in stuck),
            cta_phase=self.phases[CTA_SCOPE],
            group_phase=self.phases[self._scope(Exit.WARP_BARRIER, self.warp)],
            sites=frozenset(lane.site for lane in stuck if lane.waits is Exit.CTA_BARRIER),
        )

    def _next(self, token: Token) -> Token:
        """The token that follows, in this order: fault, rest of the write-out, next CTA, lanes, warps, barriers, end."""
        if self.fault is not None:
            return Token("FAULT", (self.fault,))
        slot = next((s for s in self.slots if s.position > self._position(token)), None)
        if slot is not None:
            return self._slot_token(slot)
        if token.kind == "CTAEND":
            return Token("EXEC", (1, 1))
        if self.advancing:
            first = self.lane_states[0][0]
            return Token("RESTART") if first.again else Token("END") if first.done else Token("EXEC", (first.block, 1))
        return self._schedule(token)

    def _position(self, token: Token) -> int:
        """Where a token stands in the order of write-out; tokens that are no part of one stand before or behind it."""
        if token.kind == "VAL":
            return slot_position(*token.fields[:3])
        if token.kind == "MEMV":
            return MEMV_POSITION
        if token.kind == "MEM1":
            return MEM1_POSITION + token.fields[0]
        return -1 if token.kind == "EXEC" else POSITIONS

    def _slot_token(self, slot: Slot) -> Token:
        if slot.position == MEMV_POSITION:
            return Token("MEMV", (self._store_address(self._active()[0]) // self.spec.lanes,))
        if slot.position >= MEM1_POSITION:
            return Token("MEM1", (slot.lane, self._store_address(slot.lane)))
        lane = self._active()[0] if slot.lane == ALL_LANES else slot.lane - 1
        value = self.results[slot.result][lane] >> 8 * slot.byte & 255
        result = slot.position // 20
        return Token("VAL", (result, slot.lane, slot.byte, value))

    def _store_address(self, lane: int) -> int:
        address = self.addresses[lane]
        if address is None:
            raise AssertionError("a pending store without an address")
        return address

    def _schedule(self, token: Token) -> Token:
        running, _ = self._lanes_now()
        lanes = self.lane_states[self.warp]
        yields = token.kind in ("EXEC", "VAL", "MEMV", "MEM1") and self.terminators[self.block].yields
        first = [j for j in running if lanes[j].block > self.block] if yields else running
        if first:
            return self._execute(first)
        warps = -(-self.threads // self.spec.lanes)
        ready = [w for w in range(warps) if self._ready(w, bool(running))]
        if ready:
            warp = min((w for w in ready if w > self.warp), default=ready[0])
            return self._execute(running) if warp == self.warp else Token("WARP", (warp,))
        return self._barrier_or_end(warps)

    def _execute(self, lanes: list[int]) -> Token:
        """EXEC of the lowest block among these lanes, for those of them that stand there."""
        states = self.lane_states[self.warp]
        block = min(states[j].block for j in lanes)
        return Token("EXEC", (block, sum(1 << j for j in lanes if states[j].block == block)))

    def _ready(self, warp: int, running: bool) -> bool:
        if warp == self.warp:
            return running
        status = self.status[warp]
        if status is None:
            return True
        held = (status.cta and status.cta_phase == self.phases[CTA_SCOPE]) or (
            status.group and status.group_phase == self.phases[self._scope(Exit.WARP_BARRIER, warp)]
        )
        return not status.done and not held

    def _barrier_or_end(self, warps: int) -> Token:
        live = [(w, s) for w, s in enumerate(self.status[:warps]) if s is not None and not s.done]
        if not live:
            return Token("CTAEND") if self.many else Token("END")
        for group in range(self.spec.cuda_warps):
            members = [s for w, s in live if self._scope(Exit.WARP_BARRIER, w) == 1 + group]
            if any(s.group for s in members) and not any(s.cta for s in members):
                return Token("BAR", (1 + group, 1 - self.phases[1 + group]))
        sites = frozenset().union(*(s.sites for _, s in live))
        if any(s.group for _, s in live) or len(sites) > 1:
            return Token("FAULT", (BARRIER_FAULT,))
        return Token("BAR", (CTA_SCOPE, 1 - self.phases[CTA_SCOPE]))
