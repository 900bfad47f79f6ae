"""The pipeline stages: each runs one operation of the block on every lane.

A stage reads its program row and registers, selects operands, computes, loads or stores, and checks the accessed words' tags.
Its layers, relative to each other, are program a | program b, registers, operands | ALU (5 or 6) | memory | tags; program a and
tags share layers with the neighbouring stages.
"""

from __future__ import annotations

from builder.circuits.alu import build_alu
from builder.circuits.bus import Bus
from builder.circuits.loads import build_accesses
from builder.circuits.operands import clear_predicates, read_operands
from builder.circuits.program_rom import read_operation, read_registers
from builder.circuits.tags import build_tag_check
from builder.netlist import Netlist
from engine.machine.spec import MachineSpec


def build_stages(netlist: Netlist, bus: Bus, spec: MachineSpec) -> None:
    """All stages of a machine."""
    with netlist.circuit("predicates"):
        clear_predicates(netlist, bus)
    for stage in range(spec.stages):
        build_stage(netlist, bus, spec, stage)


def build_stage(netlist: Netlist, bus: Bus, spec: MachineSpec, stage: int) -> None:
    """One stage. The predicates must hold -1 or +1 at its operand layer."""
    with netlist.circuit(f"stage {stage}, program"):
        ports = read_registers(netlist, bus, spec, stage)
        row = read_operation(netlist, bus, spec, stage, ports)
    with netlist.circuit(f"stage {stage}, operands"):
        operands = read_operands(netlist, bus, spec, stage, ports, row)
    with netlist.circuit(f"stage {stage}, alu"):
        build_alu(netlist, bus, spec, stage, row, operands)
    with netlist.circuit(f"stage {stage}, memory"):
        accesses = build_accesses(netlist, bus, spec, stage, row, operands)
    with netlist.circuit(f"stage {stage}, tags"):
        build_tag_check(netlist, bus, spec, stage, row, accesses)
