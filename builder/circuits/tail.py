"""Layers 35 to 44 together: from what the stages computed to the code of the next token."""

from __future__ import annotations

from builder.circuits.bus import Bus
from builder.circuits.next_slot import find_slot
from builder.circuits.output import find_fault, put_out
from builder.circuits.program_counter import keep_counters, keep_launch
from builder.circuits.scheduler import schedule
from builder.circuits.terminator import read_terminator
from builder.circuits.writeout import work_out
from builder.netlist import Netlist
from engine.machine.spec import MachineSpec


def build_tail(net: Netlist, bus: Bus, spec: MachineSpec) -> None:
    """Write the tail of the machine."""
    rely_on(net, bus, spec)
    ending = read_terminator(net, bus, spec)
    launch, phases = keep_launch(net, bus, spec)
    fault = find_fault(net, bus, spec)
    writeout = work_out(net, bus, ending, spec)
    counters = keep_counters(net, bus, ending, writeout, phases, spec)
    slot = find_slot(net, bus, writeout, spec)
    standing, warps = schedule(net, bus, ending, launch, phases, counters, spec)
    put_out(net, bus, launch, phases, counters, fault, slot, standing, warps, spec)


def rely_on(net: Netlist, bus: Bus, spec: MachineSpec) -> None:
    """Declare what holds of the lanes that the tail is given, by the definition of the tokens and of valid programs."""
    kind = bus.kind
    net.exclusive("token of the tail", [kind[name] for name in ("EXEC", "VAL", "MEM", "RESET", "BAR", f"PROG{spec.stages}")])
    net.exclusive("reset of the tail", [kind[name] for name in ("START", "CTAEND", "EXEC", "VAL", "MEM", "BAR")])
    net.assume(kind[f"PROG{spec.stages}"], bus.broadcast, present=True)
    net.assume(kind["EXEC"], bus.predicates, present=True)
    net.exclusive("stage that stores", bus.stores)
    net.exclusive("stage whose word is the last result", [bus.live[-1], *bus.stores])
    net.together("store addresses", *bus.store_address)
    for k in range(spec.stages):
        net.exclusive(f"what stage {k} is for", [bus.live[k], bus.stores[k]])
        net.together(f"results of stage {k}", *bus.results[k])
        for used in (bus.live[k], bus.stores[k]):
            net.assume(used, [lane for word in bus.results[k] for lane in word], present=True)
        net.assume(bus.stores[k], [lane for word in bus.store_address for lane in word], present=True)
