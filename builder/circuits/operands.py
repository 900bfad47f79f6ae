"""Operands of a stage: register mirrors, operand selection, and which lanes' memory access happens.

A mirror row holds one register of one hardware warp, 4 lanes x 32 signed bits. A stage has a mirror a port (A, B, C), since a
head answers one query a token.
"""

from __future__ import annotations

from dataclasses import dataclass

from builder.circuits.bus import OPERAND_LAYERS, PROGRAM_LAYERS, Bus
from builder.circuits.functions import zero_where_absent
from builder.circuits.program_rom import ROWS, RegisterPort, Row
from builder.netlist import BIT, SIGNED, SPIN, Lane, Netlist, all_of, bit, equals
from engine.machine.program import RESULTS, Special
from engine.machine.spec import WORD_BITS, MachineSpec


@dataclass(frozen=True)
class Operands:
    """Operand words by lane, and the bit that says that the lane's access happens (it accesses, and its guard lets it)."""

    a: list[list[Lane]]
    b: list[list[Lane]]
    c: list[list[Lane]]
    access: list[Lane]


def clear_predicates(netlist: Netlist, bus: Bus) -> None:
    """Predicates are false when a block begins."""
    netlist.neuron(PROGRAM_LAYERS[0], bus.kind["EXEC"], -1.0, dict.fromkeys(bus.predicates, 1.0))


def read_operands(
    netlist: Netlist, bus: Bus, spec: MachineSpec, stage: int, ports: dict[str, RegisterPort], row: Row
) -> Operands:
    """Operands A, B and C of every lane, and the access bits."""
    words = {name: [netlist.lanes(f"s{stage}.{name}{j}", WORD_BITS, SPIN) for j in range(spec.lanes)] for name in ports}
    for name, port in ports.items():
        netlist.together(f"s{stage}.{name}", *words[name], since=OPERAND_LAYERS[stage])
        _mirror(netlist, bus, spec, stage, name, port, words[name])
        _select(netlist, bus, stage, row.sources[name], row.immediate, words[name])
        for word in words[name]:
            zero_where_absent(netlist, OPERAND_LAYERS[stage], port.used, word, word)
    netlist.together("predicates", bus.predicates, since=PROGRAM_LAYERS[0] + 1)
    for accesses in (row.load, row.stores):
        netlist.assume(accesses, bus.predicates, present=True)
    access = netlist.lanes(f"s{stage}.access", spec.lanes, BIT)
    for j, lane in enumerate(access):
        netlist.neuron(OPERAND_LAYERS[stage], row.accesses - row.guard, 1.0, {lane: 1.0})
        netlist.neuron(OPERAND_LAYERS[stage], all_of(row.accesses, row.guard, bus.predicates[j]), 1.0, {lane: 1.0})
    return Operands(words["a"], words["b"], words["c"], access)


def _mirror(
    netlist: Netlist, bus: Bus, spec: MachineSpec, stage: int, name: str, port: RegisterPort, words: list[list[Lane]]
) -> None:
    """A copy of all registers for one port: row = (warp, register), low bits the register."""
    target = [lane for word in words for lane in word]
    netlist.assume(bus.register_write, bus.broadcast, present=True, layer=OPERAND_LAYERS[stage], before_mixer=True)
    for first in range(0, spec.warps * spec.registers, ROWS):
        head = netlist.head(OPERAND_LAYERS[stage], f"s{stage}.registers.{name}{first}")
        for place in range(first, min(first + ROWS, spec.warps * spec.registers)):
            warp, register = divmod(place, spec.registers)
            head.key(place - first, equals(bus.warp, warp), equals(bus.destination, register), bus.register_write)
            head.query(place - first, equals(bus.warp, warp), equals(port.number, register), port.used)
        for dim, lane in enumerate(target):
            head.spin(dim, bus.broadcast[dim])
            head.out(dim, lane, SIGNED)


def _select(
    netlist: Netlist, bus: Bus, stage: int, sources: dict[Special, Lane], immediate: list[Lane], words: list[list[Lane]]
) -> None:
    """Add the source that is no register; at most one is chosen, and a register's lanes are then still 0."""
    layer = OPERAND_LAYERS[stage]
    for chosen in sources.values():
        netlist.assume(chosen, [lane for word in words for lane in word], present=False, layer=layer)
    for source in RESULTS[:stage]:
        for word, result in zip(words, bus.results[source.value], strict=True):
            for target, lane in zip(word, result, strict=True):
                netlist.copy(layer, sources[source], lane, target)
    for i, lane in enumerate(immediate):
        netlist.neuron(layer, sources[Special.IMMEDIATE], bit(lane) * 2.0 - 1.0, {word[i]: 1.0 for word in words})
    constants = (Special.THREAD, Special.ONE, Special.ZERO)
    netlist.neuron(layer, sum(sources[source] for source in constants), -1.0, {lane: 1.0 for word in words for lane in word})
    netlist.neuron(layer, sources[Special.ONE], 2.0, {word[0]: 1.0 for word in words})
    _thread_number(netlist, bus, layer, sources[Special.THREAD], words)


def _thread_number(netlist: Netlist, bus: Bus, layer: int, chosen: Lane, words: list[list[Lane]]) -> None:
    """Set the bits of lanes * warp + lane in words that hold 0 so far."""
    low = (len(words) - 1).bit_length()
    for i in range(low):
        netlist.neuron(layer, chosen, 2.0, {word[i]: 1.0 for j, word in enumerate(words) if j >> i & 1})
    for i, lane in enumerate(bus.warp, low):
        netlist.neuron(layer, all_of(chosen, lane), 2.0, {word[i]: 1.0 for word in words})
