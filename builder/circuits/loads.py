"""Loads and stores of a stage: memory mirrors, and where a lane's access goes.

The address is the operation's result, straight from its 32 lanes: a row of a mirror is a memory line of 4 words, the query
compares all the address bits above the word within the line, so an address outside the memory finds no row and reads 0. The
word within the line is selected by the z gate. A layer's 16 heads are 4 lanes x 4 x 128 lines.
"""

from __future__ import annotations

from dataclasses import dataclass

from builder.circuits.bus import LOAD_LAYERS, Bus
from builder.circuits.functions import any_set, zero_where_absent
from builder.circuits.operands import Operands
from builder.circuits.program_rom import ROWS, Row
from builder.netlist import BIT, SIGNED, SPIN, Lane, Netlist, all_of, bit, equals, total
from engine.machine.spec import WORD_BITS, MachineSpec


@dataclass(frozen=True)
class Accesses:
    """What the tag check needs to know of every lane's access.

    address: word address. outside: the address is beyond the memory
    checked: the lane accesses memory, its guard lets it, and it is one of the block's lanes
    """

    address: list[list[Lane]]
    outside: list[Lane]
    checked: list[Lane]


def build_accesses(netlist: Netlist, bus: Bus, spec: MachineSpec, stage: int, row: Row, operands: Operands) -> Accesses:
    """Load words, put a store's word into the result, keep the addresses."""
    layer, lanes = LOAD_LAYERS[stage], range(spec.lanes)
    accesses = Accesses(
        [netlist.lanes(f"s{stage}.address{j}", spec.address_bits, SPIN) for j in lanes],
        netlist.lanes(f"s{stage}.outside", spec.lanes, BIT),
        netlist.lanes(f"s{stage}.checked", spec.lanes, BIT),
    )
    for j in lanes:
        loaded = netlist.lanes(f"s{stage}.loaded{j}", WORD_BITS, SPIN)
        result, data = bus.results[stage][j], operands.c[j]
        _mirror(netlist, bus, spec, stage, row.load, operands.access[j], result, loaded, j)
        for target, lane, word in zip(result, loaded, data, strict=True):
            netlist.neuron(layer, row.load, lane - target, {target: 1.0})
            netlist.neuron(layer, row.stores - row.swap, word - target, {target: 1.0})
        zero_where_absent(netlist, layer, row.load, loaded, result)
        # one store a block (`engine.machine.program.validate`): no earlier stage has left an address or a guard
        netlist.assume(row.stores, [*bus.store_address[j], bus.store_guard[j]], present=False, layer=layer)
        _keep_address(netlist, bus, spec, layer, row, result, data, accesses, j)
        netlist.neuron(layer, all_of(row.accesses, operands.access[j], bus.mask[j]), 1.0, {accesses.checked[j]: 1.0})
        netlist.neuron(layer, all_of(row.stores, operands.access[j]), 1.0, {bus.store_guard[j]: 1.0})
    return accesses


def _mirror(
    netlist: Netlist,
    bus: Bus,
    spec: MachineSpec,
    stage: int,
    load: Lane,
    access: Lane,
    address: list[Lane],
    loaded: list[Lane],
    j: int,
) -> None:
    """One lane's copy of the whole memory."""
    layer, within = LOAD_LAYERS[stage], (spec.lanes - 1).bit_length()
    netlist.assume(bus.kind["MEM"], bus.broadcast, present=True, layer=layer, before_mixer=True)
    for first in range(0, spec.lines, ROWS):
        head = netlist.head(layer, f"s{stage}.memory{j}.{first}")
        for line in range(first, min(first + ROWS, spec.lines)):
            head.key(line - first, equals(bus.line, line), bus.kind["MEM"])
            head.query(line - first, equals(address[within:], line), load, access)
        for dim, lane in enumerate(bus.broadcast):
            head.spin(dim, lane)
            head.gate(dim, equals(address[:within], dim // WORD_BITS))
            head.out(dim, loaded[dim % WORD_BITS], SIGNED)


def _keep_address(
    netlist: Netlist,
    bus: Bus,
    spec: MachineSpec,
    layer: int,
    row: Row,
    result: list[Lane],
    data: list[Lane],
    accesses: Accesses,
    j: int,
) -> None:
    """The address of a load and a plain store is the result before it is replaced; of a swapped store, operand C."""
    for i in range(spec.address_bits):
        address, store = accesses.address[j][i], bus.store_address[j][i]
        netlist.neuron(layer, row.load, result[i], {address: 1.0})
        netlist.neuron(layer, row.stores - row.swap, result[i], {address: 1.0, store: 1.0})
        netlist.neuron(layer, row.swap, data[i], {address: 1.0, store: 1.0})
    for chosen, source in ((row.addresses_by_result, result), (row.swap, data)):
        above = total(bit(lane) for lane in source[spec.address_bits :])
        any_set(netlist, layer, above, {accesses.outside[j]: 1.0}, (chosen - 1.0) * WORD_BITS)
