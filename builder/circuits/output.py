"""Layers 36 to 44: one of the possible next tokens is chosen, and its code put on the 64 code lanes.

The order is that of `Interpreter._next`: a fault, the rest of the write-out, advancing to the next CTA, this warp's lanes,
another warp, a barrier, the end. Layer 42 decides, layer 43 writes the 16 bits of the code, layer 44 writes the code's Walsh
signs scaled by 2**20, which no base layer behind can outweigh, and takes the pin away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from builder.circuits.bus import Bus
from builder.circuits.functions import any_set, first_of
from builder.circuits.next_slot import NextSlot
from builder.circuits.program_counter import Counters, Launch, Phases
from builder.circuits.scheduler import Standing, Warps
from builder.circuits.tokenbits import field_bits, fixed_bits
from builder.netlist import BIT, INT, SPIN, Form, Lane, Netlist, all_of, equals, linear, total, unset
from engine.machine.program import ADVANCE_BLOCK
from engine.machine.spec import MachineSpec
from engine.machine.tokens import BARRIER_FAULT, CODE_BITS, CTA_SCOPE, NIBBLES, TokenKind, TokenSet, code_signs

FAULT_LAYER, URGENT_LAYER, CHOICE_LAYER, CODE_LAYER, OUTPUT_LAYER = 36, 41, 42, 43, 44
OUTPUT_SCALE = 2.0**20


@dataclass(frozen=True)
class Fault:
    """An access of this EXEC outside its array: found, and its reason (spins, 0 when there is none)."""

    found: Lane
    reason: list[Lane]


@dataclass(frozen=True)
class Choice:
    """One lane a class of next token; exactly one is 1 where the machine has a next token.

    fault, slot: a fault, the rest of the write-out
    first: CTAEND, so block 1 begins; advance: lane 0 goes on in the blocks between two CTAs; restart, last: they end
    lanes: EXEC of the current warp; warp[w]: hardware warp w becomes the current one
    bar[s]: the barrier of scope s is complete; apart: lanes wait at several CTA barriers; partial: a CUDA warp waits while
    others of its threads wait at the CTA's barrier
    cta_end, end: every thread has exited, and block 1 says whether another CTA follows, or none does
    """

    fault: Lane
    slot: Lane
    first: Lane
    advance: Lane
    restart: Lane
    last: Lane
    lanes: Lane
    warp: list[Lane]
    bar: list[Lane]
    apart: Lane
    partial: Lane
    cta_end: Lane
    end: Lane

    def all(self) -> list[Lane]:
        """Every class."""
        return [
            self.fault,
            self.slot,
            self.first,
            self.advance,
            self.restart,
            self.last,
            self.lanes,
            *self.warp,
            *self.bar,
            self.apart,
            self.partial,
            self.cta_end,
            self.end,
        ]


def find_fault(net: Netlist, bus: Bus, spec: MachineSpec) -> Fault:
    """Write layer 36: the lowest lane's first faulting stage names the reason."""
    bits = (spec.stages * spec.lanes - 1).bit_length()
    fault = Fault(net.lane("fault.found", BIT), net.lanes("fault.reason", bits, SPIN))
    order = [(j, k) for j in range(spec.lanes) for k in range(spec.stages)]
    lanes = [bus.faults[k][j] for j, k in order]
    with net.circuit("fault"):
        for position, (j, k) in enumerate(order):
            reason = {lane: 1.0 if (k * spec.lanes + j) >> i & 1 else -1.0 for i, lane in enumerate(fault.reason)}
            net.neuron(FAULT_LAYER, first_of(lanes, position), 1, {fault.found: 1.0, **reason})
    return fault


def put_out(
    net: Netlist,
    bus: Bus,
    launch: Launch,
    phases: Phases,
    counters: Counters,
    fault: Fault,
    slot: NextSlot,
    standing: Standing,
    warps: Warps,
    spec: MachineSpec,
) -> None:
    """Write layers 41 to 44."""
    with net.circuit("choice"):
        choice = _choose(net, bus, launch, counters, fault, slot, standing, warps, spec)
    with net.circuit("next token's code"):
        code = _code(net, phases, counters, fault, slot, standing, choice, spec)
    with net.circuit("output"):
        for nibble in range(NIBBLES):
            for value in range(16):
                signs = code_signs(value << 4 * nibble)
                out = {net.code[i]: signs[i] * OUTPUT_SCALE for i in range(16 * nibble, 16 * (nibble + 1))}
                net.neuron(OUTPUT_LAYER, all_of(equals(code[4 * nibble : 4 * (nibble + 1)], value)), 1, out)
        net.neuron(OUTPUT_LAYER, net.one[0], -net.pin, {net.pin: 1})


def _choose(
    net: Netlist,
    bus: Bus,
    launch: Launch,
    counters: Counters,
    fault: Fault,
    slot: NextSlot,
    standing: Standing,
    warps: Warps,
    spec: MachineSpec,
) -> Choice:
    single = ("fault", "slot", "first", "advance", "restart", "last", "lanes")
    choice = Choice(
        *(net.lane(f"choice.{name}", BIT) for name in single),
        net.lanes("choice.warp", spec.warps, BIT),
        net.lanes("choice.bar", 1 + spec.cuda_warps, BIT),
        *(net.lane(f"choice.{name}", BIT) for name in ("apart", "partial", "cta_end", "end")),
    )
    net.exclusive("next token", choice.all())
    urgent = net.lane("choice.urgent", INT(0, 3))  # what comes before the scheduler
    net.neuron(URGENT_LAYER, net.one[0], total([fault.found, slot.found, launch.advancing]), {urgent: 1})

    def choose(lane: Lane, gate: Form) -> None:
        net.neuron(CHOICE_LAYER, gate, 1, {lane: 1})

    choose(choice.fault, linear(fault.found))
    choose(choice.slot, slot.found - fault.found)
    choose(choice.first, linear(bus.kind["CTAEND"]))
    advancing = total([launch.advancing, *(-lane for lane in (slot.found, fault.found, bus.kind["CTAEND"]))])
    choose(choice.restart, all_of(advancing, counters.again))
    choose(choice.last, all_of(advancing, counters.exited[0], unset(counters.again)))
    choose(choice.advance, all_of(advancing, unset(counters.exited[0]), unset(counters.again)))
    choose(choice.lanes, standing.stay - urgent)
    choose(choice.lanes, all_of(standing.running, unset(standing.stay), unset(warps.others)) - urgent)
    for w, lane in enumerate(choice.warp):
        choose(lane, warps.next[w] - standing.stay - urgent)

    nothing_runs = total([1, *(-lane for lane in (urgent, standing.running, warps.others))])
    for g in range(spec.cuda_warps):
        choose(choice.bar[1 + g], all_of(nothing_runs, first_of(warps.complete, g)))
    choose(choice.partial, all_of(nothing_runs, warps.at_group) - total(warps.complete))
    at_cta = all_of(nothing_runs, warps.at_cta, unset(warps.at_group))
    choose(choice.bar[CTA_SCOPE], at_cta - warps.mixed)
    any_set(net, CHOICE_LAYER, warps.mixed + (at_cta - 1.0) * warps.mixed.domain.high, {choice.apart: 1})
    ended = all_of(nothing_runs, unset(warps.at_group), unset(warps.at_cta))
    choose(choice.cta_end, all_of(ended, launch.many))
    choose(choice.end, all_of(ended, unset(launch.many)))
    return choice


def _code(
    net: Netlist,
    phases: Phases,
    counters: Counters,
    fault: Fault,
    slot: NextSlot,
    standing: Standing,
    choice: Choice,
    spec: MachineSpec,
) -> list[Lane]:
    code = net.lanes("next.code", CODE_BITS, SPIN)
    kinds = TokenSet(spec).kinds

    def write(chosen: Lane, kind: str, fields: Mapping[str, int], variable: Mapping[str, Sequence[Form]]) -> None:
        """The code of a kind's token where it is chosen; variable: field -> its bits as forms of value +-1."""
        signs = _signs(kinds[kind], fields, {name: len(spins) for name, spins in variable.items()})
        net.neuron(CODE_LAYER, linear(chosen), 1, {code[i]: float(sign) for i, sign in signs.items()})
        for name, spins in variable.items():
            for i, spin in zip(field_bits(kinds[kind], name), spins, strict=False):
                net.neuron(CODE_LAYER, linear(chosen), spin, {code[i]: 1})

    def spins(bits: Sequence[Lane]) -> list[Form]:
        return [lane * 2.0 - 1.0 for lane in bits]

    for lane, source in zip(code, slot.code, strict=True):
        net.neuron(CODE_LAYER, linear(choice.slot), source, {lane: 1})
    write(choice.fault, "FAULT", {}, {"reason": fault.reason})
    write(choice.first, "EXEC", {"block": ADVANCE_BLOCK, "mask": 1}, {})
    write(choice.advance, "EXEC", {"mask": 1}, {"block": spins(counters.block[0])})
    write(choice.restart, "RESTART", {}, {})
    write(choice.lanes, "EXEC", {}, {"block": standing.block, "mask": spins(standing.goes)})
    for w, lane in enumerate(choice.warp):
        write(lane, "WARP", {"warp": w}, {})
    for scope, lane in enumerate(choice.bar):
        write(lane, "BAR", {"scope": scope}, {"phase": [1.0 - phases.scope[scope] * 2.0]})
    for lane in (choice.apart, choice.partial):
        write(lane, "FAULT", {"reason": BARRIER_FAULT}, {})
    write(choice.cta_end, "CTAEND", {}, {})
    for lane in (choice.last, choice.end):
        write(lane, "END", {}, {})
    return code


def _signs(kind: TokenKind, fields: Mapping[str, int], given: Mapping[str, int]) -> dict[int, int]:
    """Code bit -> sign, but for the lowest so many bits of the given fields; their higher bits are 0."""
    low = {i for name, width in given.items() for i in field_bits(kind, name)[:width]}
    known = {field.name: fields.get(field.name, 0) for field in kind.fields}
    return {i: sign for i, sign in fixed_bits(kind, known).items() if i not in low}
