"""Which of the 45 compiled layers a token concerns: what `builder/circuits/` lays where, in the words of the picture.

A layer *writes* where it changes the state that later tokens read, and *takes part* where one of its circuits has something to
do with this token. A test runs launches in the weights and holds the writes against the states that really changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.inspection.timeline import Moment
from app.texts import Text, translate
from builder.circuits.bus import LOAD_LAYERS as LOADS
from builder.circuits.bus import OPERAND_LAYERS as OPERANDS
from builder.circuits.bus import PROGRAM_LAYERS as PROGRAM
from builder.circuits.bus import TAG_LAYERS as TAGS
from engine.machine.program import Access
from engine.machine.tokens import Token

CONTEXT, STAGING, DESTINATION, REGISTERS, MEMORY, TERMINATOR = 2, 3, 4, 5, 7, 35
LAUNCH, COUNTERS, SLOTS = 36, 38, 40
CHOICE = range(38, 44)
OUTPUT = 44


@dataclass(frozen=True)
class Activity:
    """What the layers do for one token. summary: the picture's caption."""

    writes: frozenset[int]
    takes_part: frozenset[int]
    summary: Text


def activity(moment: Moment, following: Token | None) -> Activity:
    """The layers that a token concerns. following: the token that the model answers with, None where it is the host's turn."""
    kind, fields = moment.token.kind, moment.token.fields
    part = set(range(4)) | ({*CHOICE, OUTPUT} if following else set())
    match kind:
        case "EXEC":
            stages = _stages(moment)
            writes = {CONTEXT, STAGING, COUNTERS, SLOTS}
            part |= {TERMINATOR, 36, 37}.union(*(_of_stage(moment, stage) for stage in stages))
            what = (
                translate("Layers", "ran {count} in stages {stages}").format(
                    count=translate("Layers", "operations"), stages=_listed([stage + 1 for stage in stages])
                )
                if stages
                else translate("Layers", "ran a block without operations")
            )
        case "VAL":
            target = moment.changes and moment.changes[0].place[0] == "register"
            writes = {STAGING, REGISTERS, *OPERANDS} if target else {STAGING}
            part.add(DESTINATION)
            what = (
                translate("Layers", "wrote registers in {layers}").format(layers=_listed(sorted(writes - {STAGING})))
                if target
                else translate("Layers", "staged a byte in 3")
            )
        case "MEM1" | "MEMV":
            writes = {MEMORY, *LOADS}
            part.add(DESTINATION)
            what = translate("Layers", "wrote memory in {layers}").format(layers=_listed(sorted(writes)))
        case "PROG":
            stage = fields[1]
            writes = {TERMINATOR} if stage == len(PROGRAM) else {DESTINATION, PROGRAM[stage], OPERANDS[stage]}
            what = translate("Layers", "wrote the program in {layers}").format(layers=_listed(sorted(writes)))
        case "TAGROW":
            writes = set(TAGS)
            what = translate("Layers", "wrote array ids in {layers}").format(layers=_listed(sorted(writes)))
        case "START" | "CTAEND" | "RESTART":
            writes = {CONTEXT, STAGING, LAUNCH, SLOTS}
            what = translate("Layers", "reset the schedule in 36 to 40")
        case "WARP":
            writes, what = {CONTEXT}, translate("Layers", "changed the warp in 2")
        case "BAR":
            writes, what = {LAUNCH}, translate("Layers", "completed the barrier in 36")
        case "PAD":
            writes, what = {STAGING}, translate("Layers", "cleared what was staged in 3")
        case _:
            writes, what = {CONTEXT}, translate("Layers", "stopped the running block in 2")
    if following:
        what = translate("Layers", "{what} · chose {token} in 38–43").format(what=what, token=following.kind)
    return Activity(frozenset(writes), frozenset(part | writes), what)


def _stages(moment: Moment) -> list[int]:
    """Stages in which the running block has an operation."""
    return [stage for stage, o in enumerate(moment.block.operations) if o.mnemonic != "nop"] if moment.block else []


def _of_stage(moment: Moment, stage: int) -> set[int]:
    """The layers of a stage that its operation needs."""
    assert moment.block is not None
    layers = {PROGRAM[stage], *range(OPERANDS[stage], LOADS[stage])}
    return layers | ({LOADS[stage], TAGS[stage]} if moment.block.operations[stage].access is not Access.NONE else set())


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))
