"""Layers 41 to 44: one of the possible next tokens is chosen, and its code put on the 64 code lanes.

The order is that of `Interpreter._next`: a fault, the rest of the write-out, advancing to the next CTA, this warp's lanes,
another warp, a barrier, the end. Layer 41 decides, layer 42 writes the 16 bits of the code, layer 44 writes the code's Walsh
signs scaled by 2**20, which no base layer behind can outweigh, and takes the pin away. Layer 43 is spare.
"""

from __future__ import annotations

from dataclasses import dataclass

from builder.circuits.bus import Bus
from builder.circuits.program_counter import Counters, Launch, Phases
from builder.circuits.scheduler import Standing, Warps
from builder.circuits.tokenbits import field_bits, fixed_bits
from builder.circuits.writeout import NextSlot, first_of
from builder.netlist import BIT, INT, SPIN, Form, Lane, Linear, Netlist, all_of, equals, total
from engine.machine.program import ADVANCE_BLOCK
from engine.machine.spec import MachineSpec
from engine.machine.tokens import BARRIER_FAULT, CODE_BITS, CTA_SCOPE, NIBBLES, TokenKind, TokenSet, code_signs

URGENT_LAYER, CHOICE_LAYER, CODE_LAYER, OUTPUT_LAYER = 40, 41, 42, 44
OUTPUT_SCALE = 2.0**20


@dataclass(frozen=True)
class Choice:
    """One lane a class of next token; exactly one is 1 where the machine has a next token (a fault has none of its own).

    bar[s]: the barrier of scope s. warp[w]: hardware warp w. advance: lane 0 goes on in the blocks between two CTAs
    """

    slot: Lane
    restart: Lane
    stop: Lane
    advance: Lane
    lanes: Lane
    warp: list[Lane]
    bar: list[Lane]
    stuck: Lane
    cta_end: Lane

    def all(self) -> list[Lane]:
        """Every class."""
        return [self.slot, self.restart, self.stop, self.advance, self.lanes, *self.warp, *self.bar, self.stuck, self.cta_end]


def put_out(net: Netlist, bus: Bus, launch: Launch, phases: Phases, counters: Counters, slot: NextSlot, standing: Standing,
            warps: Warps, spec: MachineSpec) -> None:
    """Write layers 41 to 44."""
    with net.circuit("choice"):
        choice = _choose(net, bus, launch, counters, slot, standing, warps, spec)
    with net.circuit("next token's code"):
        code = _code(net, bus, phases, counters, slot, standing, choice, spec)
    with net.circuit("output"):
        for nibble in range(NIBBLES):
            for value in range(16):
                signs = code_signs(value << 4 * nibble)
                out = {net.code[i]: signs[i] * OUTPUT_SCALE for i in range(16 * nibble, 16 * (nibble + 1))}
                net.neuron(OUTPUT_LAYER, all_of(equals(code[4 * nibble:4 * (nibble + 1)], value)), 1, out)
        net.neuron(OUTPUT_LAYER, net.one[0], -net.pin, {net.pin: 1})


def _choose(net: Netlist, bus: Bus, launch: Launch, counters: Counters, slot: NextSlot, standing: Standing, warps: Warps,
            spec: MachineSpec) -> Choice:
    names = ("slot", "restart", "stop", "advance", "lanes")
    choice = Choice(*(net.lane(f"choice.{name}", BIT) for name in names), net.lanes("choice.warp", spec.warps, BIT),
                    net.lanes("choice.bar", 1 + spec.cuda_warps, BIT), net.lane("choice.stuck", BIT),
                    net.lane("choice.cta_end", BIT))
    net.exclusive("next token", choice.all())
    faults = total(lane for stage in bus.faults for lane in stage)
    urgent = net.lane("choice.urgent", INT(0, 2 + spec.stages * spec.lanes))  # what comes before the scheduler
    net.neuron(URGENT_LAYER, net.one[0], total([faults, slot.found, launch.advancing]), {urgent: 1})

    def choose(gate: Form, lane: Lane) -> None:
        net.neuron(CHOICE_LAYER, gate, 1, {lane: 1})

    choose(slot.found - faults, choice.slot)
    advancing = launch.advancing - slot.found - faults
    choose(all_of(advancing, counters.first_again), choice.restart)
    choose(all_of(advancing, counters.first_done), choice.stop)
    choose(advancing - counters.first_again - counters.first_done - bus.kind["CTAEND"], choice.advance)

    others = total([*warps.behind, *warps.before])
    choose(standing.stay - urgent, choice.lanes)
    choose(standing.running - standing.stay - urgent - others, choice.lanes)
    for w, lane in enumerate(choice.warp):
        choose(first_of(warps.behind, w) - urgent - standing.stay, lane)
        choose(first_of(warps.before, w) - total(warps.behind) - urgent - standing.stay, lane)
    _choose_barrier(net, choice, 1 - urgent - standing.running - others, launch, warps)
    return choice


def _choose_barrier(net: Netlist, choice: Choice, nothing_runs: Linear, launch: Launch, warps: Warps) -> None:
    """Nothing can run: a CUDA warp's barrier is complete, or the CTA's, or one that cannot be, or every thread has exited."""
    def choose(gate: Form, lane: Lane, sign: int = 1) -> None:
        net.neuron(CHOICE_LAYER, gate, sign, {lane: 1})

    for g in range(len(warps.complete)):
        choose(all_of(nothing_runs, first_of(warps.complete, g)), choice.bar[1 + g])
    choose(all_of(nothing_runs, warps.at_cta) - warps.at_group - warps.mixed, choice.bar[CTA_SCOPE])
    incomplete = nothing_runs - total(warps.complete)  # some wait, but not all, or not at the same barrier
    choose(incomplete, choice.stuck)
    choose(incomplete - warps.at_group - warps.mixed, choice.stuck, -1)
    ended = nothing_runs - warps.at_group - warps.at_cta
    choose(all_of(ended, launch.many), choice.cta_end)
    choose(ended - launch.many, choice.stop)


def _code(net: Netlist, bus: Bus, phases: Phases, counters: Counters, slot: NextSlot, standing: Standing, choice: Choice,
          spec: MachineSpec) -> list[Lane]:
    code = net.lanes("next.code", CODE_BITS, SPIN)
    kinds = TokenSet(spec).kinds

    def fixed(gate: Form, kind: str, **values: int) -> None:
        """Every bit of the token's code that the given fields determine."""
        net.neuron(CODE_LAYER, gate, 1, {code[i]: float(s) for i, s in fixed_bits(kinds[kind], values).items()})

    def variable(gate: Form, kind: TokenKind, field: str, spins: list[Form]) -> None:
        """The bits of a field, from values of +-1."""
        for i, spin in zip(field_bits(kind, field), spins, strict=True):
            net.neuron(CODE_LAYER, gate, spin, {code[i]: 1})

    for lane, source in zip(code, slot.code, strict=True):
        net.neuron(CODE_LAYER, choice.slot, source, {lane: 1})
    _faults(net, bus, code, spec)
    fixed(bus.kind["CTAEND"], "EXEC", block=ADVANCE_BLOCK, mask=1)
    fixed(choice.restart, "RESTART")
    fixed(choice.stop, "END")
    fixed(choice.cta_end, "CTAEND")
    fixed(choice.stuck, "FAULT", reason=BARRIER_FAULT)
    fixed(choice.advance, "EXEC", mask=1)
    fixed(choice.lanes, "EXEC")
    block = [[lane * 2.0 - 1.0 for lane in lanes] for lanes in counters.block]
    variable(choice.advance, kinds["EXEC"], "block", block[0])
    variable(choice.lanes, kinds["EXEC"], "mask", [lane * 2.0 - 1.0 for lane in standing.goes])
    for j in range(spec.lanes):  # all lanes that go stand at the same block: the first of them names it
        variable(all_of(choice.lanes, first_of(standing.goes, j)), kinds["EXEC"], "block", block[j])
    for w, lane in enumerate(choice.warp):
        fixed(lane, "WARP", warp=w)
    for scope, lane in enumerate(choice.bar):
        fixed(lane, "BAR", scope=scope)
        variable(lane, kinds["BAR"], "phase", [1.0 - phases.scope[scope] * 2.0])
    return code


def _faults(net: Netlist, bus: Bus, code: list[Lane], spec: MachineSpec) -> None:
    """The lowest lane's first faulting stage names the reason."""
    order = [(j, k) for j in range(spec.lanes) for k in range(spec.stages)]
    lanes = [bus.faults[k][j] for j, k in order]
    for position, (j, k) in enumerate(order):
        signs = fixed_bits(TokenSet(spec).kinds["FAULT"], {"reason": k * spec.lanes + j})
        net.neuron(CODE_LAYER, first_of(lanes, position), 1, {code[i]: float(s) for i, s in signs.items()})
