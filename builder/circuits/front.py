"""Layers 0 to 7 together: from a token's embedding row to the context and the broadcast row that the stages work with."""

from __future__ import annotations

from builder.circuits.boot import boot
from builder.circuits.bus import Bus
from builder.circuits.context import context
from builder.circuits.decode import decode
from builder.circuits.memory import memory
from builder.circuits.registers import registers
from builder.circuits.staging import staging
from builder.netlist import Netlist
from engine.machine.spec import MachineSpec


def front(net: Netlist, spec: MachineSpec, bus: Bus) -> None:
    """Write the head of the machine."""
    boot(net)
    decoded = decode(net, spec, bus)
    new_record = context(net, spec, bus, decoded)
    staged = staging(net, spec, bus, decoded, new_record)
    registers(net, spec, bus, decoded, staged)
    memory(net, spec, bus, decoded, staged)
