"""Layers 36 to 38: what lasts from token to token beside data: launch, barrier phases, program counters.

One head a lane holds the program counters, row = hardware warp; a row never written reads 0, which is "at block 0". Whether a
lane waits is no bit of its own: it is written as "waits at this barrier in phase p", and read through a z gate that lets only
the present phase out, so that completing a barrier (flipping its phase) releases every waiting lane of every warp at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from builder.circuits.bus import Bus
from builder.circuits.terminator import Ending
from builder.circuits.tokenbits import field_bits
from builder.circuits.writeout import WriteOut
from builder.netlist import BIT, CODED, Condition, Head, Lane, Literal, Netlist, all_of, equals, unset
from engine.machine.program import Exit
from engine.machine.spec import MachineSpec
from engine.machine.tokens import CTA_SCOPE, TokenSet

LAUNCH_LAYER, NEXT_LAYER, COUNTER_LAYER = 36, 37, 38
PIN_DIMS = range(120, 128)


@dataclass(frozen=True)
class Launch:
    """What START and RESTART said. threads: of a CTA, unsigned bits; many: block 1 says whether another CTA follows;
    advancing: block 1 is running."""

    threads: list[Lane]
    many: Lane
    advancing: Lane


@dataclass(frozen=True)
class Phases:
    """Present phase of every barrier scope (the CTA, then the CUDA warps), and that of the current warp's CUDA warp."""

    scope: list[Lane]
    own_group: Lane


@dataclass(frozen=True)
class Counters:
    """Where the current warp's lanes stand. Indices: j lane, i bit.

    block[j]: next block. exited[j]: it has exited. at_cta[j], at_group[j]: it waits at the CTA's, the CUDA warp's barrier
    site_one[j][i], site_zero[j][i]: it last came to a CTA barrier whose site has a 1, a 0 there
    again: lane 0 has asked for another CTA
    """

    block: list[list[Lane]]
    exited: list[Lane]
    at_cta: list[Lane]
    at_group: list[Lane]
    site_one: list[list[Lane]]
    site_zero: list[list[Lane]]
    again: Lane


def group_of(warp: Iterable[Lane], group: int, spec: MachineSpec) -> tuple[Literal, ...]:
    """The current hardware warp belongs to this CUDA warp."""
    per_group = spec.warp_size // spec.lanes
    return equals(list(warp)[(per_group - 1).bit_length() :], group)


def keep_launch(net: Netlist, bus: Bus, spec: MachineSpec) -> tuple[Launch, Phases]:
    """Write the heads of layer 36."""
    kinds, kind = TokenSet(spec).kinds, bus.kind
    threads = field_bits(kinds["START"], "threads")
    launch = Launch(
        net.lanes("launch.threads", len(threads), BIT), net.lane("launch.many", BIT), net.lane("launch.advancing", BIT)
    )
    phases = Phases(net.lanes("launch.phase", 1 + spec.cuda_warps, BIT), net.lane("launch.own_phase", BIT))
    with net.circuit("launch"):
        head = net.head(LAUNCH_LAYER, "launch")
        head.key(0, kind["START"])
        head.query(0)
        sources = [*threads, field_bits(kinds["START"], "many")[0]]
        for dim, (source, target) in enumerate(zip(sources, [*launch.threads, launch.many], strict=True)):
            head.bit(dim, net.token_bits[source])
            head.out(dim, target, CODED)
        head.pins(CODED, PIN_DIMS)
        _phases(net.head(LAUNCH_LAYER, "phases and advance mode"), net, bus, launch, phases, spec)
    return launch, phases


def _phases(head: Head, net: Netlist, bus: Bus, launch: Launch, phases: Phases, spec: MachineSpec) -> None:
    """Row 0: advance mode and the pins, written when a CTA starts or ends, which erases the rest; row 1 + s: scope s.

    All rows are read together, so each has dims of its own and only row 0, which is always there, has pins.
    """
    kinds, kind = TokenSet(spec).kinds, bus.kind
    scope = [net.token_bits[i] for i in field_bits(kinds["BAR"], "scope")]
    phase = net.token_bits[field_bits(kinds["BAR"], "phase")[0]]
    head.several_rows = 2 + spec.cuda_warps
    head.reset(kind["RESET"])
    head.key(0, kind["RESET"])
    head.query(0)
    head.bit(0, kind["CTAEND"])
    head.out(0, launch.advancing, CODED)
    head.pins(CODED, PIN_DIMS, kind["RESET"])
    for s in range(1 + spec.cuda_warps):
        head.key(1 + s, kind["BAR"], equals(scope, s))
        head.query(1 + s)
        head.bit(1 + s, kind["BAR"], equals(scope, s), phase)
        head.out(1 + s, phases.scope[s], CODED)
        if s != CTA_SCOPE:
            dim = 1 + spec.cuda_warps + s
            head.bit(dim, kind["BAR"], equals(scope, s), phase)
            head.gate(dim, group_of(bus.warp, s - 1, spec))
            head.out(dim, phases.own_group, CODED)


@dataclass(frozen=True)
class _Leaving:
    """Of a lane that has run the block: following: its next block; exits: it has none; again: it asks for another CTA."""

    goes: Lane
    following: list[Lane]
    exits: Lane
    again: Lane | None


def keep_counters(net: Netlist, bus: Bus, ending: Ending, writeout: WriteOut, phases: Phases, spec: MachineSpec) -> Counters:
    """Write layers 37 and 38: on EXEC the lanes that go on get their next block; every token reads its warp's lanes."""
    lanes, bits, sites = range(spec.lanes), len(ending.taken), len(ending.site)
    counters = Counters(
        [net.lanes(f"counter.block.{j}", bits, BIT) for j in lanes],
        *(net.lanes(f"counter.{name}", spec.lanes, BIT) for name in ("exited", "at_cta", "at_group")),
        *([net.lanes(f"counter.{name}.{j}", sites, BIT) for j in lanes] for name in ("site_one", "site_zero")),
        net.lane("counter.again", BIT),
    )
    with net.circuit("program counter"):
        for j in lanes:
            leaving = _leave(net, bus, ending, writeout, j, bits)
            head = net.head(COUNTER_LAYER, f"program counters of lane {j}")
            head.reset(bus.kind["RESET"])
            for warp in range(spec.warps):
                head.key(warp, equals(bus.warp, warp), leaving.goes)
                head.query(warp, equals(bus.warp, warp))
            _row(head, j, ending, leaving, phases, counters)
    return counters


def _leave(net: Netlist, bus: Bus, ending: Ending, writeout: WriteOut, j: int, bits: int) -> _Leaving:
    """Layer 37: where a lane that has run the block goes; a lane held back does not go."""
    running, predicate, end = bus.kind["EXEC"], bus.predicates[j], ending.exit
    leaving = _Leaving(
        net.lane(f"counter.goes.{j}", BIT),
        net.lanes(f"counter.next.{j}", bits, BIT),
        net.lane(f"counter.exits.{j}", BIT),
        net.lane("counter.asks", BIT) if j == 0 else None,
    )
    net.neuron(NEXT_LAYER, all_of(running, bus.mask[j]) - writeout.held_back[j], 1, {leaving.goes: 1})
    for taken, other, target in zip(ending.taken, ending.other, leaving.following, strict=True):
        net.neuron(NEXT_LAYER, net.one[0], taken, {target: 1})
        net.neuron(NEXT_LAYER, all_of(running, end[Exit.BRANCH], unset(predicate)), other - taken, {target: 1})
    net.neuron(NEXT_LAYER, all_of(running, end[Exit.EXIT]), 1, {leaving.exits: 1})
    net.neuron(NEXT_LAYER, all_of(running, end[Exit.NEXT_CTA], unset(predicate)), 1, {leaving.exits: 1})
    if leaving.again is not None:
        net.neuron(NEXT_LAYER, all_of(running, end[Exit.NEXT_CTA], predicate), 1, {leaving.again: 1})
    return leaving


def _row(head: Head, j: int, ending: Ending, leaving: _Leaving, phases: Phases, counters: Counters) -> None:
    """Dims of a lane's row: what each holds, when it is let out, and to which lane."""
    dims: list[tuple[Condition, Condition, Lane]] = [
        (source, (), target) for source, target in zip(leaving.following, counters.block[j], strict=True)
    ]
    dims.append((leaving.exits, (), counters.exited[j]))
    if leaving.again is not None:
        dims.append((leaving.again, (), counters.again))
    for barrier, present, target in (
        (Exit.CTA_BARRIER, phases.scope[CTA_SCOPE], counters.at_cta[j]),
        (Exit.WARP_BARRIER, phases.own_group, counters.at_group[j]),
    ):
        for phase in (0, 1):
            now = equals([present], phase)
            dims.append(((ending.exit[barrier], now), now, target))
    for i, site in enumerate(ending.site):
        dims += [
            ((ending.exit[Exit.CTA_BARRIER], site), (), counters.site_one[j][i]),
            ((ending.exit[Exit.CTA_BARRIER], unset(site)), (), counters.site_zero[j][i]),
        ]
    for dim, (content, gate, target) in enumerate(dims):
        head.bit(dim, content)
        if gate:
            head.gate(dim, gate)
        head.out(dim, target, CODED)
    head.pins(CODED, PIN_DIMS)
