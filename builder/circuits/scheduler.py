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
| 40 | all warps | lanes that go; warps that can run; who waits at which barrier |
| 41 | - | the block; the next warp; whether lanes wait at different CTA barriers |
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

from builder.circuits.bus import Bus
from builder.circuits.functions import any_set, first_of
from builder.circuits.program_counter import Counters, Launch, Phases
from builder.circuits.terminator import Ending
from builder.netlist import BIT, CODED, INT, SPIN, Condition, Head, Lane, Netlist, all_of, equals, total, unset, word
from engine.machine.spec import MachineSpec
from engine.machine.tokens import CTA_SCOPE

EXIST_LAYER, RUN_LAYER, STAND_LAYER, WARPS_LAYER, PICK_LAYER = 36, 38, 39, 40, 41
PIN_DIMS = range(120, 128)
WARPS_PER_HEAD = 8


@dataclass(frozen=True)
class Standing:
    """Of the current warp. running: some lane can run. stay: one can, and no yield sends the machine elsewhere first.

    goes[j]: lane j is among the lanes that would go next, all of which stand at block `block` (spins)
    """

    running: Lane
    stay: Lane
    goes: list[Lane]
    block: list[Lane]


@dataclass(frozen=True)
class Warps:
    """Of all warps, as far as they are not the current one or nothing can run.

    others: another warp can run; next[w]: warp w is the next of them
    complete[g]: warps wait at the barrier of CUDA warp g, and none of its warps at the CTA's
    at_group, at_cta: some warp waits at such a barrier. mixed: in how many bits the sites of waiting lanes differ
    """

    others: Lane
    next: list[Lane]
    complete: list[Lane]
    at_group: Lane
    at_cta: Lane
    mixed: Lane


@dataclass(frozen=True)
class _Existing:
    """lane[j]: lane j of the current warp is a thread. behind[w], before[w]: w is above, below the current warp.

    missing[w]: the CTA has no warp w
    """

    lane: list[Lane]
    behind: list[Lane]
    before: list[Lane]
    missing: list[Lane]


@dataclass(frozen=True)
class _Status:
    """How a warp stands: done: no lane is left; at_cta, at_group: none can run, and some wait at such a barrier.

    site_one[i], site_zero[i]: one of them waits at a CTA barrier whose site has a 1, a 0 in bit i
    """

    done: Lane
    at_cta: Lane
    at_group: Lane
    site_one: list[Lane]
    site_zero: list[Lane]


def schedule(
    net: Netlist, bus: Bus, ending: Ending, launch: Launch, phases: Phases, counters: Counters, spec: MachineSpec
) -> tuple[Standing, Warps]:
    """Write the scheduler's part of layers 36 to 41."""
    with net.circuit("scheduler"):
        existing = _exist(net, bus, launch, spec)
        can_run, left = _can_run(net, counters, existing, spec)
        standing = _lowest(net, bus, ending, counters, can_run, spec)
        status = _stand(net, counters, can_run, left, spec)
        every = _remember(net, bus, phases, status, spec)
        warps = _warps(net, existing, every, spec)
    return standing, warps


def _exist(net: Netlist, bus: Bus, launch: Launch, spec: MachineSpec) -> _Existing:
    existing = _Existing(
        net.lanes("schedule.exists", spec.lanes, BIT),
        *(net.lanes(f"schedule.{name}", spec.warps, BIT) for name in ("is_behind", "is_before", "missing")),
    )
    threads, current = word(launch.threads), word(bus.warp)
    for j, lane in enumerate(existing.lane):
        any_set(net, EXIST_LAYER, threads - current * spec.lanes - j, {lane: 1})
    for w in range(spec.warps):
        any_set(net, EXIST_LAYER, 1 + w * spec.lanes - threads, {existing.missing[w]: 1})
        any_set(net, EXIST_LAYER, w - current, {existing.behind[w]: 1})
        any_set(net, EXIST_LAYER, current - w, {existing.before[w]: 1})
    return existing


def _can_run(net: Netlist, counters: Counters, existing: _Existing, spec: MachineSpec) -> tuple[list[Lane], list[Lane]]:
    """Lanes that can run, and lanes that have not exited."""
    can_run, left = (net.lanes(f"schedule.{name}", spec.lanes, BIT) for name in ("can_run", "left"))
    for j in range(spec.lanes):
        here = existing.lane[j] - counters.exited[j]
        net.neuron(RUN_LAYER, here, 1, {left[j]: 1})
        net.neuron(RUN_LAYER, here - counters.at_cta[j] - counters.at_group[j], 1, {can_run[j]: 1})
    return can_run, left


def _lowest(net: Netlist, bus: Bus, ending: Ending, counters: Counters, can_run: list[Lane], spec: MachineSpec) -> Standing:
    lanes, block = range(spec.lanes), [word(bits) for bits in counters.block]
    standing = Standing(
        net.lane("schedule.running", BIT),
        net.lane("schedule.stay", BIT),
        net.lanes("schedule.goes", spec.lanes, BIT),
        net.lanes("schedule.block", len(counters.block[0]), SPIN),
    )
    further, runs_further = (net.lanes(f"schedule.{name}", spec.lanes, BIT) for name in ("further", "runs_further"))
    lower = {(i, j): net.lane(f"schedule.lower.{i}.{j}", BIT) for i, j in permutations(lanes, 2)}
    beaten, beaten_further = (
        net.lanes(f"schedule.{name}", spec.lanes, INT(0, spec.lanes - 1)) for name in ("beaten", "beaten_further")
    )
    for j in lanes:
        beyond = block[j] - word(bus.block) + (ending.yields - 1.0) * spec.blocks  # below 1 unless the block yields
        any_set(net, RUN_LAYER, beyond, {further[j]: 1})
        net.neuron(STAND_LAYER, all_of(can_run[j], further[j]), 1, {runs_further[j]: 1})
    for (i, j), lane in lower.items():
        any_set(net, RUN_LAYER, block[j] - block[i], {lane: 1})
        net.neuron(STAND_LAYER, all_of(can_run[i], lane), 1, {beaten[j]: 1})
        net.neuron(STAND_LAYER, all_of(can_run[i], further[i], lane), 1, {beaten_further[j]: 1})
    any_set(net, STAND_LAYER, total(can_run), {standing.running: 1})
    any_further = total(runs_further)
    for j in lanes:
        net.neuron(WARPS_LAYER, can_run[j] - beaten[j] - any_further, 1, {standing.goes[j]: 1})
        net.neuron(WARPS_LAYER, runs_further[j] - beaten_further[j], 1, {standing.goes[j]: 1})
    net.neuron(WARPS_LAYER, standing.running - ending.yields, 1, {standing.stay: 1})
    any_set(net, WARPS_LAYER, any_further + (ending.yields - 1.0) * spec.lanes, {standing.stay: 1})
    for j in lanes:  # all lanes that go stand at the same block: the first of them names it
        for source, target in zip(counters.block[j], standing.block, strict=True):
            net.neuron(PICK_LAYER, first_of(standing.goes, j), source * 2.0 - 1.0, {target: 1})
    return standing


def _stand(net: Netlist, counters: Counters, can_run: list[Lane], left: list[Lane], spec: MachineSpec) -> _Status:
    sites = len(counters.site_one[0])
    status = _Status(
        *(net.lane(f"schedule.stands_{name}", BIT) for name in ("done", "at_cta", "at_group")),
        *(net.lanes(f"schedule.stands_{name}", sites, BIT) for name in ("site_one", "site_zero")),
    )
    net.neuron(STAND_LAYER, 1 - total(left), 1, {status.done: 1})
    flags = [(counters.at_cta, status.at_cta), (counters.at_group, status.at_group)]
    for by_lane, targets in ((counters.site_one, status.site_one), (counters.site_zero, status.site_zero)):
        flags += zip(zip(*by_lane, strict=True), targets, strict=True)
    for waiting, flag in flags:  # some lane waits, and none can run: that outweighs all lanes
        any_set(net, STAND_LAYER, total(waiting) - total(can_run) * spec.lanes, {flag: 1})
    return status


def _remember(net: Netlist, bus: Bus, phases: Phases, status: _Status, spec: MachineSpec) -> list[_Status]:
    """The warp's status goes to its row; all rows are read together, so each has dims of its own. Returns every warp's.

    Pins stand in the row behind the warps', written when a CTA starts. A warp holds at most 10 of its 13 bits, so 8 of them
    move the root mean square of the pins by 80 * 16**2 / (2 * 8 * 1024**2) = 0.0012 at most, less than the 0.0019 that bf16
    rounds away.
    """
    sites = len(status.site_one)
    every = [
        _Status(
            *(net.lane(f"schedule.{name}.{w}", BIT) for name in ("done", "at_cta", "at_group")),
            *(net.lanes(f"schedule.{name}.{w}", sites, BIT) for name in ("site_one", "site_zero")),
        )
        for w in range(spec.warps)
    ]
    for first in range(0, spec.warps, WARPS_PER_HEAD):
        head = net.head(WARPS_LAYER, f"status from warp {first}")
        head.several_rows = WARPS_PER_HEAD + 1
        head.reset(bus.kind["RESET"])
        head.key(WARPS_PER_HEAD, bus.kind["RESET"])
        head.query(WARPS_PER_HEAD)
        head.pins(CODED, PIN_DIMS, bus.kind["RESET"])
        dim = 0
        for row, warp in enumerate(range(first, min(first + WARPS_PER_HEAD, spec.warps))):
            own = [equals(bus.warp, warp), unset(bus.kind["RESET"])]
            head.key(row, own)
            head.query(row)
            group = phases.scope[1 + warp * spec.lanes // spec.warp_size]
            dim = _row(head, dim, own, status, every[warp], phases.scope[CTA_SCOPE], group)
    return every


def _row(head: Head, dim: int, own: Condition, status: _Status, target: _Status, cta_phase: Lane, group_phase: Lane) -> int:
    """A warp's dims from `dim` on; returns the next free one."""
    dims: list[tuple[Condition, Condition, Lane]] = [(status.done, (), target.done)]
    for flag, present, lane in ((status.at_cta, cta_phase, target.at_cta), (status.at_group, group_phase, target.at_group)):
        for phase in (0, 1):
            now = equals([present], phase)
            dims.append(((flag, now), now, lane))
    for flags, lanes in ((status.site_one, target.site_one), (status.site_zero, target.site_zero)):
        dims += [(flag, (), lane) for flag, lane in zip(flags, lanes, strict=True)]
    for content, gate, lane in dims:
        head.bit(dim, own, content)
        if gate:
            head.gate(dim, gate)
        head.out(dim, lane, CODED)
        dim += 1
    return dim


def _warps(net: Netlist, existing: _Existing, every: list[_Status], spec: MachineSpec) -> Warps:
    sites = len(every[0].site_one)
    behind, before = (net.lanes(f"schedule.{name}", spec.warps, BIT) for name in ("behind", "before"))
    any_one, any_zero = (net.lanes(f"schedule.{name}", sites, BIT) for name in ("any_one", "any_zero"))
    warps = Warps(
        net.lane("schedule.others", BIT),
        net.lanes("schedule.next", spec.warps, BIT),
        net.lanes("schedule.complete", spec.cuda_warps, BIT),
        net.lane("schedule.any_at_group", BIT),
        net.lane("schedule.any_at_cta", BIT),
        net.lane("schedule.mixed", INT(0, sites)),
    )
    for w, status in enumerate(every):
        busy = total([existing.missing[w], status.done, status.at_cta, status.at_group])
        net.neuron(WARPS_LAYER, existing.behind[w] - busy, 1, {behind[w]: 1})
        net.neuron(WARPS_LAYER, existing.before[w] - busy, 1, {before[w]: 1})
        net.neuron(PICK_LAYER, first_of(behind, w), 1, {warps.next[w]: 1})
        net.neuron(PICK_LAYER, first_of(before, w) - total(behind), 1, {warps.next[w]: 1})
    net.exclusive("next warp", warps.next)
    any_set(net, PICK_LAYER, total([*behind, *before]), {warps.others: 1})
    for g, complete in enumerate(warps.complete):
        members = [s for w, s in enumerate(every) if w * spec.lanes // spec.warp_size == g]
        count = total(s.at_group for s in members) - total(s.at_cta for s in members) * len(members)
        any_set(net, WARPS_LAYER, count, {complete: 1})
    any_set(net, WARPS_LAYER, total(s.at_group for s in every), {warps.at_group: 1})
    any_set(net, WARPS_LAYER, total(s.at_cta for s in every), {warps.at_cta: 1})
    for i in range(sites):
        any_set(net, WARPS_LAYER, total(s.site_one[i] for s in every), {any_one[i]: 1})
        any_set(net, WARPS_LAYER, total(s.site_zero[i] for s in every), {any_zero[i]: 1})
        net.neuron(PICK_LAYER, all_of(any_one[i], any_zero[i]), 1, {warps.mixed: 1})
    return warps
