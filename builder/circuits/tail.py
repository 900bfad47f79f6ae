"""Layers 35 to 44 together: from what the stages computed to the code of the next token."""

from __future__ import annotations

from builder.circuits.bus import Bus
from builder.circuits.output import put_out
from builder.circuits.program_counter import keep_counters, keep_launch
from builder.circuits.scheduler import schedule
from builder.circuits.terminator import read_terminator
from builder.circuits.writeout import next_slot, work_out
from builder.netlist import Netlist
from engine.machine.spec import MachineSpec


def build_tail(net: Netlist, bus: Bus, spec: MachineSpec) -> None:
    """Write the tail of the machine."""
    ending = read_terminator(net, bus, spec)
    launch, phases = keep_launch(net, bus, spec)
    writeout = work_out(net, bus, ending, spec)
    counters = keep_counters(net, bus, ending, writeout, phases, spec)
    slot = next_slot(net, bus, writeout, spec)
    standing, warps = schedule(net, bus, ending, launch, phases, counters, spec)
    put_out(net, bus, launch, phases, counters, slot, standing, warps, spec)
