"""What a token does, in plain words: "Lane 2 writes 32 into out[0]. It held 14." """

from __future__ import annotations

from collections.abc import Sequence

from app.inspection.arrays import Array, array_at, label_of, value_of
from app.inspection.listing import operation_text
from app.inspection.timeline import Change, Moment
from app.texts import Text, translate
from engine.machine.instructions import signed
from engine.machine.program import Program
from engine.machine.tokens import ALL_LANES, BARRIER_FAULT, CTA_SCOPE, Token


def chip(token: Token) -> tuple[str, str]:
    """A token as two short lines: kind, and what distinguishes it."""
    match token.kind, token.fields:
        case "EXEC", (block, mask):
            return "EXEC", f"{block}·{''.join(str(j) for j in range(4) if mask >> j & 1)}"
        case "VAL", (_, lane, byte, value):
            who = "all" if lane == ALL_LANES else f"L{lane - 1}"
            return f"VAL.{byte}" if byte else "VAL", f"{who}={value}"
        case "MEM1", (_, address):
            return "MEM1", f"[{address}]"
        case "MEMV", (line,):
            return "MEMV", f"[{4 * line}+]"
        case "PROG", (block, part):
            return "PROG", f"{block}.{'end' if part == 4 else part}"
        case kind, fields:
            return kind, ",".join(map(str, fields))


def written(token: Token) -> str:
    """A token as it is written in full: MEM1(2, 520)."""
    return f"{token.kind}({', '.join(map(str, token.fields))})" if token.fields else token.kind


def describe(moment: Moment, program: Program, arrays: Sequence[Array]) -> Text:
    """What a token did."""
    if moment.source == "host":
        return _host(moment, program, arrays)
    match moment.token.kind, moment.token.fields:
        case "EXEC", (block, _):
            lines = sorted({o.line for o in program.blocks[block].operations if o.line})
            told = (
                translate("Tokens", "Block {block} runs on {lanes} ({lines}).")
                if lines
                else translate("Tokens", "Block {block} runs on {lanes}.")
            )
            return told.format(block=block, lanes=_lanes(moment.lanes), lines=_source(lines))
        case "VAL", (result, lane, byte, _):
            return _value(moment, program, result, lane, byte)
        case (("MEM1" | "MEMV"), _):
            return _stored(moment, arrays)
        case "WARP", (warp,):
            first = warp * moment.machine.spec.lanes
            last = min(first + moment.machine.spec.lanes, moment.machine.threads) - 1
            return translate("Tokens", "Threads {first} to {last} take their turn.").format(first=first, last=last)
        case "BAR", (scope, _):
            if scope == CTA_SCOPE:
                return translate("Tokens", "Every thread has reached the barrier. All go on.")
            return translate("Tokens", "The threads of CUDA warp {warp} have met. They go on.").format(warp=scope - 1)
        case "CTAEND", _:
            return translate("Tokens", "Every thread of this block of the grid has exited.")
        case "RESTART", _:
            return translate("Tokens", "The next block of the grid begins.")
        case "FAULT", (reason,):
            return _fault(moment, reason)
    return translate("Tokens", "Every thread has exited. The launch is over.")


def _host(moment: Moment, program: Program, arrays: Sequence[Array]) -> Text:
    match moment.token.kind, moment.token.fields:
        case "PAD", _:
            return translate("Tokens", "The host clears what an earlier text or launch left.")
        case "VAL", (_, lane, byte, value):
            return translate("Tokens", "The host stages byte {byte} of {lanes}: {value}.").format(
                byte=byte,
                lanes=translate("Tokens", "every word")
                if lane == ALL_LANES
                else translate("Tokens", "word {number}").format(number=lane - 1),
                value=value,
            )
        case "PROG", (block, part):
            if part == moment.machine.spec.stages:
                return translate("Tokens", "The host writes how block {block} ends.").format(block=block)
            operations = program.blocks[block].operations
            return translate("Tokens", "The host writes operation {part} of block {block}: {text}.").format(
                part=part, block=block, text=operation_text(operations, part, arrays)
            )
        case "TAGROW", (row,):
            first = row * moment.machine.spec.words_per_tag_row
            last = first + moment.machine.spec.words_per_tag_row
            names = [a.name for a in arrays if a.base < last and a.base + a.words > first]
            return translate("Tokens", "The host marks which words belong to {names}.").format(names=_and(names))
        case "START", (threads, _):
            return (
                translate("Tokens", "The host starts the launch with {threads} threads.").format(threads=threads)
                if threads > 1
                else translate("Tokens", "The host starts the launch with one thread.")
            )
    return translate("Tokens", "The host writes {values} into {place}.").format(**_places(moment.changes, arrays))


def _value(moment: Moment, program: Program, result: int, lane: int, byte: int) -> Text:
    operations = program.blocks[moment.machine.block].operations
    register = operations[result].destination if result < len(operations) else None
    lanes = moment.lanes if lane == ALL_LANES else (lane - 1,)
    if register is None:
        word = moment.machine.results[_storing(operations)][lanes[0]]
        return translate("Tokens", "{Who} sends {value} to be stored, byte {byte}.").format(
            Who=_first(lanes), byte=byte, value=signed(word)
        )
    values = [c.after for c in moment.changes if c.place[0] == "register" and c.place[3] in lanes]
    return translate("Tokens", "Register r{register} of {who} becomes {value}.").format(
        register=register, who=_lanes(lanes), value=_and(_collapsed([str(signed(value)) for value in values]))
    )


def _stored(moment: Moment, arrays: Sequence[Array]) -> Text:
    if len(moment.changes) == 1:
        change = moment.changes[0]
        address = int(change.place[1])
        return translate("Tokens", "{Who} writes {value} into {place}. It held {before}.").format(
            Who=_first((moment.token.fields[0],)),
            place=label_of(arrays, address),
            value=value_of(arrays, address, change.after),
            before=value_of(arrays, address, change.before),
        )
    return translate("Tokens", "{Who} write {values} into {place}.").format(
        Who=_first(moment.lanes), **_places(moment.changes, arrays)
    )


def _fault(moment: Moment, reason: int) -> Text:
    if reason == BARRIER_FAULT:
        return translate("Tokens", "The barrier cannot complete: some threads wait where others never come. The launch stops.")
    stage, lane = divmod(reason, moment.machine.spec.lanes)
    thread = moment.machine.warp * moment.machine.spec.lanes + lane
    return translate("Tokens", "Operation {stage} of thread {thread} is outside its array. The launch stops.").format(
        stage=stage, thread=thread
    )


def _places(changes: Sequence[Change], arrays: Sequence[Array]) -> dict[str, Text | str]:
    """The values of words in a row, and what the row is called. Words that belong to no array are padding."""
    kept = [c for c in changes if array_at(arrays, int(c.place[1]))] or list(changes)
    labels = [label_of(arrays, int(c.place[1])) for c in kept]
    return {
        "values": _and([value_of(arrays, int(c.place[1]), c.after) for c in kept]),
        "place": labels[0]
        if len(labels) == 1
        else translate("Tokens", "{first} to {last}").format(first=labels[0], last=labels[-1]),
    }


def _storing(operations: Sequence[object]) -> int:
    return next((stage for stage, o in enumerate(operations) if getattr(o, "stores", False)), 3)


def _lanes(lanes: Sequence[int]) -> Text:
    """Within a sentence."""
    if len(lanes) == 1:
        return translate("Tokens", "lane {number}").format(number=lanes[0])
    return translate("Tokens", "lanes {numbers}").format(numbers=_and([str(lane) for lane in lanes]))


def _first(lanes: Sequence[int]) -> Text:
    """At the beginning of one."""
    if len(lanes) == 1:
        return translate("Tokens", "Lane {number}").format(number=lanes[0])
    return translate("Tokens", "Lanes {numbers}").format(numbers=_and([str(lane) for lane in lanes]))


def _source(lines: Sequence[int]) -> Text:
    if len(lines) == 1:
        return translate("Tokens", "line {number}").format(number=lines[0])
    return translate("Tokens", "lines {numbers}").format(numbers=_and([str(line) for line in lines]))


def _collapsed(values: list[str]) -> list[str]:
    return values[:1] if len(set(values)) == 1 else values


def _and(parts: Sequence[str]) -> Text | str:
    if len(parts) < 2:
        return "".join(parts)
    return translate("Tokens", "{list} and {last}").format(list=", ".join(parts[:-1]), last=parts[-1])
