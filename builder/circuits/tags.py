"""The tag check of a stage: every word carries the id of its array, every access names the id that it must find.

Id 0 means unallocated, and an operation with id 0 accepts any allocated word. An access that finds something else, or lies
outside the memory, is a fault of its lane. A row of the tag memory is 32 words x 4 bits.
"""

from __future__ import annotations

from builder.circuits.bus import TAG_LAYERS, Bus
from builder.circuits.loads import Accesses
from builder.circuits.program_rom import Row
from builder.netlist import SIGNED, SPIN, Lane, Netlist, all_of, equals, unset
from engine.machine.spec import MachineSpec


def build_tag_check(netlist: Netlist, bus: Bus, spec: MachineSpec, stage: int, row: Row, accesses: Accesses) -> None:
    """Read the tags of the accessed words; fault where they do not match."""
    for j in range(spec.lanes):
        found = netlist.lanes(f"s{stage}.found{j}", len(row.tag), SPIN)
        _tags(netlist, bus, spec, stage, accesses, found, j)
        _faults(netlist, TAG_LAYERS[stage], spec, row.tag, accesses.checked[j], found, bus.faults[stage][j])


def _tags(netlist: Netlist, bus: Bus, spec: MachineSpec, stage: int, accesses: Accesses, found: list[Lane], j: int) -> None:
    """One lane's copy of the tag memory."""
    netlist.assume(bus.kind["TAGROW"], bus.broadcast, present=True, layer=TAG_LAYERS[stage], before_mixer=True)
    within = (spec.words_per_tag_row - 1).bit_length()
    address, row_bits = accesses.address[j], (spec.tag_rows - 1).bit_length()
    head = netlist.head(TAG_LAYERS[stage], f"s{stage}.tags{j}")
    for place in range(spec.tag_rows):
        head.key(place, equals(bus.line[:row_bits], place), bus.kind["TAGROW"])
        head.query(place, equals(address[within:], place), accesses.checked[j], unset(accesses.outside[j]))
    for dim, lane in enumerate(bus.broadcast):
        head.spin(dim, lane)
        head.gate(dim, equals(address[:within], dim // len(found)))
        head.out(dim, found[dim % len(found)], SIGNED)


def _faults(
    netlist: Netlist, layer: int, spec: MachineSpec, wanted: list[Lane], checked: Lane, found: list[Lane], fault: Lane
) -> None:
    """A checked access is a fault unless the tag found is one of 1..15 and the wanted one, or 0 is wanted.

    Where no tag row was written `found` is 0, half a bit each: every comparison then falls short by 2.
    """
    netlist.neuron(layer, checked, 1.0, {fault: 1.0})
    for tag in range(1, spec.tags):
        for accepted in (tag, 0):
            netlist.neuron(layer, all_of(checked, equals(found, tag), equals(wanted, accepted)), -1.0, {fault: 1.0})
