"""What the machine's picture shows for one moment: block, lanes, registers, memory. Text and states, no colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from app.inspection.arrays import Array, array_at, label_of, value_of
from app.inspection.listing import block_text, ending_text
from app.inspection.records import Launch
from app.inspection.timeline import Moment
from app.texts import Text, translate
from engine.machine.instructions import BY_MNEMONIC, signed
from engine.machine.interpreter import Interpreter
from engine.machine.program import Exit, Register
from engine.machine.tokens import ALL_LANES

ROW = 16
"""Words in a row of the memory's picture."""
LEAST_ROWS = 2


@dataclass(frozen=True)
class OperationLine:
    """A line of the block: stage, text, the value in the chosen lane, and whether this token carries it out."""

    stage: str
    text: str
    value: str
    current: bool
    dim: bool = False


@dataclass(frozen=True)
class LaneLine:
    """A lane of the current warp. active: in the mask; current: the one that this token is about."""

    name: Text
    state: Text
    detail: Text
    active: bool
    current: bool


class Standing(Enum):
    """How a warp stands."""

    CURRENT = "runs"
    READY = "can run"
    WAITS = "waits at a barrier"
    DONE = "has exited"


def lane_of(moment: Moment) -> int | None:
    """The lane that a token is about: the one that it names, else the first that runs."""
    kind, fields = moment.token.kind, moment.token.fields
    if moment.source == "model" and kind == "VAL" and fields[1] != ALL_LANES:
        return fields[1] - 1
    if moment.source == "model" and kind == "MEM1":
        return fields[0]
    return moment.lanes[0] if moment.lanes else None


def block_lines(moment: Moment, arrays: Sequence[Array], lane: int | None) -> list[OperationLine]:
    """The running block, operation by operation, and how it ends."""
    block, machine = moment.block, moment.machine
    if block is None:
        return []
    now = _stages_now(moment)
    lines = []
    predicates = [stage for stage, o in enumerate(block.operations) if BY_MNEMONIC[o.mnemonic].predicate]
    for stage, (operation, text) in enumerate(zip(block.operations, block_text(block, arrays), strict=True)):
        value = "–"
        if lane is not None and operation.mnemonic != "nop":
            if stage in predicates:
                value = ("true" if machine.predicates[lane] else "false") if stage == predicates[-1] else "–"
            else:
                value = str(signed(machine.results[stage][lane]))
        lines.append(OperationLine(str(stage), text, value, stage in now, operation.mnemonic == "nop"))
    lines += [OperationLine(str(stage), "nop", "–", False, True) for stage in range(len(lines), machine.spec.stages)]
    return [*lines, OperationLine("▸", ending_text(block), "", False, True)]


def _stages_now(moment: Moment) -> set[int]:
    """The operations that a token carries out: all on EXEC, else the one whose result it sends or stores."""
    assert moment.block is not None
    operations = moment.block.operations
    stores = {stage for stage, o in enumerate(operations) if o.stores}
    if moment.source == "host":
        return set()
    if moment.token.kind == "EXEC":
        return {stage for stage, o in enumerate(operations) if o.mnemonic != "nop"}
    if moment.token.kind in ("MEM1", "MEMV"):
        return stores
    if moment.token.kind == "VAL":
        result = moment.token.fields[0]
        kept = result < len(operations) and operations[result].destination is not None
        return {result} if kept else stores
    return set()


def lane_lines(moment: Moment) -> list[LaneLine]:
    """The four lanes of the current warp."""
    machine, current = moment.machine, lane_of(moment)
    return [
        LaneLine(
            translate("Machine", "lane {lane}").format(lane=j),
            *_lane(moment, j),
            j in moment.lanes,
            j == current and moment.running,
        )
        for j in range(machine.spec.lanes)
    ]


def _lane(moment: Moment, lane: int) -> tuple[Text, Text]:
    machine = moment.machine
    thread = machine.warp * machine.spec.lanes + lane
    state = machine.lane_states[machine.warp][lane]
    if thread >= machine.threads:
        return translate("Machine", "idle"), translate("Machine", "no thread")
    name = translate("Machine", "thread {thread}").format(thread=thread)
    if moment.running and machine.mask >> lane & 1:
        return translate("Machine", "block {block}").format(block=machine.block), name
    if state.done:
        return translate("Machine", "done"), name
    if _waits(machine, machine.warp, lane):
        return translate("Machine", "at barrier"), name
    return translate("Machine", "next {block}").format(block=state.block), name


def _waits(machine: Interpreter, warp: int, lane: int) -> bool:
    """Whether a lane waits at a barrier that has not been completed."""
    state = machine.lane_states[warp][lane]
    scope = 0 if state.waits is Exit.CTA_BARRIER else 1 + warp * machine.spec.lanes // machine.spec.warp_size
    return state.waits is not None and state.phase == machine.phases[scope]


def warps(moment: Moment) -> list[Standing]:
    """How each warp of the CTA stands."""
    machine, found = moment.machine, []
    for warp in range(-(-machine.threads // machine.spec.lanes)):
        lanes = [j for j in range(machine.spec.lanes) if warp * machine.spec.lanes + j < machine.threads]
        states = [machine.lane_states[warp][j] for j in lanes]
        if warp == machine.warp and moment.running:
            found.append(Standing.CURRENT)
        elif all(state.done for state in states):
            found.append(Standing.DONE)
        elif all(state.done or _waits(machine, warp, j) for j, state in zip(lanes, states, strict=True)):
            found.append(Standing.WAITS)
        else:
            found.append(Standing.READY)
    return found


def register_caption(moment: Moment, lane: int, register: int) -> Text:
    """A register in decimal and hex, and who reads it."""
    word = moment.machine.registers[moment.machine.warp][register][lane]
    operations = moment.block.operations if moment.block else ()
    readers = [str(stage) for stage, o in enumerate(operations) if Register(register) in (o.a, o.b, o.c)]
    caption = translate("Machine", "lane {lane}, r{register} = {value} · 0x{hex}").format(
        lane=lane, register=register, value=signed(word), hex=f"{word:08x}"
    )
    return (
        translate("Machine", "{caption} · read by operation {readers}").format(caption=caption, readers=", ".join(readers))
        if readers
        else caption
    )


def word_caption(moment: Moment, arrays: Sequence[Array], address: int) -> Text:
    """A word of memory: its name, what it holds, and what it held before this token."""
    word = moment.machine.memory[address]
    if array_at(arrays, address) is None:
        return translate("Machine", "word {address} belongs to no array").format(address=address)
    name = translate("Machine", "{label}, word {address}").format(label=label_of(arrays, address), address=address)
    before = next((c.before for c in moment.changes if c.place == ("memory", address)), None)
    if before is not None:
        return translate("Machine", "{name}: {before} before, {now} now").format(
            name=name, before=value_of(arrays, address, before), now=value_of(arrays, address, word)
        )
    return translate("Machine", "{name}: {now} · 0x{hex}").format(
        name=name, now=value_of(arrays, address, word), hex=f"{word:08x}"
    )


def memory_rows(launch: Launch, words: int) -> list[int]:
    """First words of the rows that are shown: those with arrays, and as many more as make a picture."""
    rows = {address // ROW for array in launch.arrays for address in range(array.base, array.base + array.words)}
    following = (row for row in range(words // ROW) if row not in rows)
    while len(rows) < LEAST_ROWS:
        rows.add(next(following))
    return [row * ROW for row in sorted(rows)]
