"""Layers 36 to 41: which lanes, or which warp, go next when nothing is left to write out.

The order is that of `Interpreter._schedule`: the lowest block among the lanes of the current warp that can run (after a
block that yields: among those further on), else the next warp in turn that can run, else, after all, the lanes of this
one; when nothing can run, a barrier is complete or the CTA has ended. Two heads know, of every warp, how it stood when it
last was the current one; the phases in which it waits are let out by z gates as in `program_counter`.

| layer | mixer | MLP |
|---|---|---|
| 36 | - | lanes and warps that exist; warps behind and before the current one |
| 38 | (program counters) | lanes that can run; which of two lanes stands lower; lanes beyond the current block |
| 39 | - | lanes with a lower lane before them; how the warp stands |
| 40 | all warps | lanes that would go; warps that can run; barriers that are complete |
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

from builder.circuits.bus import Bus
from builder.circuits.program_counter import Counters, Launch, Phases
from builder.circuits.terminator import Ending
from builder.circuits.writeout import at_least_one
from builder.netlist import BIT, CODED, INT, Lane, Netlist, all_of, equals, total, unset, word
from engine.machine.spec import MachineSpec
from engine.machine.tokens import CTA_SCOPE

EXIST_LAYER, RUN_LAYER, STAND_LAYER, WARPS_LAYER = 36, 38, 39, 40
PIN_DIMS = range(120, 128)
WARPS_PER_HEAD = 8


@dataclass(frozen=True)
class Standing:
    """Of the current warp. goes[j]: lane j stands at the block that would go next and can run (all such lanes).

    running: some lane can run. stay: one can, and no yield sends the machine to another warp first
    """

    goes: list[Lane]
    running: Lane
    stay: Lane


@dataclass(frozen=True)
class Warps:
    """Of all warps. behind[w], before[w]: warp w can run, and its number is above, below the current one.

    complete[g]: the barrier of CUDA warp g is complete when nothing can run. at_group, at_cta: some warp waits at such a
    barrier. mixed: more than 0 when lanes wait at different CTA barriers
    """

    behind: list[Lane]
    before: list[Lane]
    complete: list[Lane]
    at_group: Lane
    at_cta: Lane
    mixed: Lane


@dataclass(frozen=True)
class _Existing:
    """lane[j]: lane j of the current warp is a thread. behind[w], before[w]: w above, below the current warp."""

    lane: list[Lane]
    behind: list[Lane]
    before: list[Lane]


def schedule(net: Netlist, bus: Bus, ending: Ending, launch: Launch, phases: Phases, counters: Counters,
             spec: MachineSpec) -> tuple[Standing, Warps]:
    """Write the scheduler's part of layers 36 to 40."""
    standing = Standing(net.lanes("schedule.goes", spec.lanes, BIT), net.lane("schedule.running", BIT),
                        net.lane("schedule.stay", BIT))
    busy = net.lanes("schedule.busy", spec.warps, INT(0, 2))
    with net.circuit("scheduler"):
        existing = _exist(net, bus, launch, busy, spec)
        can_run = _lanes(net, bus, ending, counters, existing, standing, spec)
        status = _status(net, counters, existing, can_run, spec)
        warps = _warps(net, bus, phases, existing, busy, status, spec)
    return standing, warps


def _exist(net: Netlist, bus: Bus, launch: Launch, busy: list[Lane], spec: MachineSpec) -> _Existing:
    """Lanes and warps that the CTA has; a warp that it has not is as good as busy."""
    existing = _Existing(net.lanes("schedule.exists", spec.lanes, BIT), net.lanes("schedule.is_behind", spec.warps, BIT),
                         net.lanes("schedule.is_before", spec.warps, BIT))
    threads, current = word(launch.threads), word(bus.warp)
    for j, lane in enumerate(existing.lane):
        at_least_one(net, EXIST_LAYER, threads - current * spec.lanes - j, {lane: 1})
    for w in range(spec.warps):
        at_least_one(net, EXIST_LAYER, 1 + w * spec.lanes - threads, {busy[w]: 1})
        at_least_one(net, EXIST_LAYER, w - current, {existing.behind[w]: 1})
        at_least_one(net, EXIST_LAYER, current - w, {existing.before[w]: 1})
    return existing


def _lanes(net: Netlist, bus: Bus, ending: Ending, counters: Counters, existing: _Existing, standing: Standing,
           spec: MachineSpec) -> list[Lane]:
    """Which lanes of the warp would go; returns those that can run."""
    lanes = range(spec.lanes)
    can_run = net.lanes("schedule.can_run", spec.lanes, BIT)
    further = net.lanes("schedule.further", spec.lanes, BIT)
    lower = {(i, j): net.lane(f"schedule.lower.{i}.{j}", BIT) for i, j in permutations(lanes, 2)}
    runs_further = net.lanes("schedule.runs_further", spec.lanes, BIT)
    beaten = net.lanes("schedule.beaten", spec.lanes, INT(0, spec.lanes - 1))
    beaten_further = net.lanes("schedule.beaten_further", spec.lanes, INT(0, spec.lanes - 1))
    block, blocks = [word(lanes_) for lanes_ in counters.block], spec.blocks
    for j in lanes:
        net.neuron(RUN_LAYER, existing.lane[j] - counters.idle[j], 1, {can_run[j]: 1})
        beyond = block[j] - word(bus.block) + (ending.yields - 1.0) * blocks  # at most blocks - 1 <= 255
        at_least_one(net, RUN_LAYER, beyond, {further[j]: 1})
        net.neuron(STAND_LAYER, all_of(can_run[j], further[j]), 1, {runs_further[j]: 1})
    for (i, j), lane in lower.items():
        at_least_one(net, RUN_LAYER, block[j] - block[i], {lane: 1})
        net.neuron(STAND_LAYER, all_of(can_run[i], lane), 1, {beaten[j]: 1})
        net.neuron(STAND_LAYER, all_of(can_run[i], further[i], lane), 1, {beaten_further[j]: 1})
    at_least_one(net, STAND_LAYER, total(can_run), {standing.running: 1})
    any_further = total(runs_further)
    for j in lanes:
        net.neuron(WARPS_LAYER, can_run[j] - beaten[j] - any_further, 1, {standing.goes[j]: 1})
        net.neuron(WARPS_LAYER, runs_further[j] - beaten_further[j], 1, {standing.goes[j]: 1})
    net.neuron(WARPS_LAYER, standing.running - ending.yields, 1, {standing.stay: 1})
    at_least_one(net, WARPS_LAYER, any_further, {standing.stay: 1})
    return can_run


@dataclass(frozen=True)
class _Status:
    """How the current warp stands: done (no lane left), or no lane can run and some wait at the CTA's, the group's barrier.

    site_one[i], site_zero[i]: one of them waits at a CTA barrier whose site has a 1, a 0 in bit i
    """

    done: Lane
    at_cta: Lane
    at_group: Lane
    site_one: list[Lane]
    site_zero: list[Lane]


def _status(net: Netlist, counters: Counters, existing: _Existing, can_run: list[Lane], spec: MachineSpec) -> _Status:
    sites = len(counters.sites_one)
    status = _Status(net.lane("schedule.done", BIT), net.lane("schedule.stuck_cta", BIT), net.lane("schedule.stuck_group", BIT),
                     net.lanes("schedule.site_one", sites, BIT), net.lanes("schedule.site_zero", sites, BIT))
    running = total(can_run) * spec.lanes  # outweighs every count of waiting lanes
    net.neuron(STAND_LAYER, total([1, counters.exited, *(lane * -1.0 for lane in existing.lane)]), 1, {status.done: 1})
    for count, flag in ((counters.at_cta, status.at_cta), (counters.at_group, status.at_group),
                        *zip(counters.sites_one, status.site_one, strict=True),
                        *zip(counters.sites_zero, status.site_zero, strict=True)):
        at_least_one(net, STAND_LAYER, count - running, {flag: 1})
    return status


def _warps(net: Netlist, bus: Bus, phases: Phases, existing: _Existing, busy: list[Lane], status: _Status,
           spec: MachineSpec) -> Warps:
    sites = len(status.site_one)
    warps = Warps(net.lanes("schedule.behind", spec.warps, BIT), net.lanes("schedule.before", spec.warps, BIT),
                  net.lanes("schedule.complete", spec.cuda_warps, BIT), net.lane("schedule.any_at_group", BIT),
                  net.lane("schedule.any_at_cta", BIT), net.lane("schedule.mixed", INT(0, sites * spec.warps)))
    at_cta, at_group = (net.lanes(f"schedule.{name}", spec.cuda_warps, INT(0, spec.warps)) for name in ("at_cta", "at_group"))
    ones, zeros = (net.lanes(f"schedule.{name}", sites, INT(0, spec.warps)) for name in ("sites_one", "sites_zero"))
    _remember(net, bus, phases, status, spec, busy, at_cta, at_group, ones, zeros)
    for w in range(spec.warps):
        net.neuron(WARPS_LAYER, existing.behind[w] - busy[w], 1, {warps.behind[w]: 1})
        net.neuron(WARPS_LAYER, existing.before[w] - busy[w], 1, {warps.before[w]: 1})
    for g in range(spec.cuda_warps):
        at_least_one(net, WARPS_LAYER, at_group[g] - at_cta[g] * spec.warps, {warps.complete[g]: 1})
    at_least_one(net, WARPS_LAYER, total(at_group), {warps.at_group: 1})
    at_least_one(net, WARPS_LAYER, total(at_cta), {warps.at_cta: 1})
    for one, zero in zip(ones, zeros, strict=True):  # min(one, zero): more than 0 when sites differ in this bit
        net.neuron(WARPS_LAYER, one, 1, {warps.mixed: 1})
        net.neuron(WARPS_LAYER, one - zero, -1, {warps.mixed: 1})
    return warps


def _remember(net: Netlist, bus: Bus, phases: Phases, status: _Status, spec: MachineSpec, busy: list[Lane],
              at_cta: list[Lane], at_group: list[Lane], ones: list[Lane], zeros: list[Lane]) -> None:
    """The warp's status goes to its row; all rows are read together, so each has dims of its own.

    Pins stand in the row behind the warps', written when a CTA starts; a row of one head holds at most 10 of 13 bits, so the
    root mean square of 8 of them beside the pins is off by 80 * 16**2 / (2 * 8 * 1024**2) = 0.0012 at most, less than the
    0.0019 that bf16 rounds away.
    """
    group_warps = spec.warp_size // spec.lanes
    for first in range(0, spec.warps, WARPS_PER_HEAD):
        head = net.head(WARPS_LAYER, f"status from warp {first}")
        head.reset(bus.kind["RESET"])
        head.several_rows = WARPS_PER_HEAD + 1
        head.key(WARPS_PER_HEAD, bus.kind["RESET"])
        head.query(WARPS_PER_HEAD)
        head.pins(CODED, PIN_DIMS, bus.kind["RESET"])
        dim = 0
        for row, warp in enumerate(range(first, min(first + WARPS_PER_HEAD, spec.warps))):
            g = warp // group_warps
            own = [equals(bus.warp, warp), unset(bus.kind["RESET"])]
            head.key(row, own)
            head.query(row)
            dims = [(status.done, (), [busy[warp]])]
            for flag, present, count in ((status.at_cta, phases.scope[CTA_SCOPE], at_cta[g]),
                                         (status.at_group, phases.scope[1 + g], at_group[g])):
                for phase in (0, 1):
                    now = equals([present], phase)
                    dims.append(((flag, now), now, [busy[warp], count]))
            for flags, counts in ((status.site_one, ones), (status.site_zero, zeros)):
                dims += [(flag, (), [count]) for flag, count in zip(flags, counts, strict=True)]
            for content, gate, targets in dims:
                head.bit(dim, own, content)
                if gate:
                    head.gate(dim, gate)
                for target in targets:
                    head.out(dim, target, CODED)
                dim += 1
