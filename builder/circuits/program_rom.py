"""The program memory of a stage: row = block, read on every EXEC, written by the stage's own PROG tokens.

A stage reads it twice. Part a, a layer early, gives the register numbers that the register mirrors are queried with; part b
gives everything else. Both are taken from the horizontal 128-bit row of `engine.machine.program.operation_row`, whose bits
lie on the broadcast lanes of a PROG token. A block whose row was never written reads 0 on every lane, and every circuit of
the stage then does nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from builder.circuits.bus import OPERAND_LAYERS, PROGRAM_LAYERS, Bus
from builder.netlist import BIT, CODED, Lane, Linear, Netlist, equals, total, unset
from engine.machine.instructions import INSTRUCTIONS, OPCODE
from engine.machine.program import (
    A_SHIFT,
    B_SHIFT,
    C_SHIFT,
    GUARD_BIT,
    IMMEDIATE_WORD,
    LIVE_BIT,
    LOAD_BIT,
    MEMORY_WORD,
    OPCODE_WORD,
    OPERAND_WORD,
    REGISTER_BITS,
    RESULTS,
    STORE_BIT,
    SWAP_BIT,
    TAG_SHIFT,
    Special,
)
from engine.machine.spec import WORD_BITS, MachineSpec
from engine.machine.tokens import token_kinds

ROWS = 128
"""Rows, and dims, of a head."""
OPERANDS = {
    "a": OPERAND_WORD * WORD_BITS + A_SHIFT,
    "b": OPERAND_WORD * WORD_BITS + B_SHIFT,
    "c": MEMORY_WORD * WORD_BITS + C_SHIFT,
}
"""First bit of each operand field in the 128-bit row."""


@dataclass(frozen=True)
class RegisterPort:
    """An operand's register number (bits) and whether it is a register at all."""

    number: list[Lane]
    used: Lane


@dataclass(frozen=True)
class Row:
    """What part b of the program row says of the stage's operation.

    opcode: one-hot, by mnemonic (without `nop`, and without instructions that the stage lacks)
    sources: operand -> one-hot of the sources beside the registers (without results of this and later stages)
    stores, load, swap, guard: memory form; `swap` comes with `stores`
    """

    opcode: dict[str, Lane]
    sources: dict[str, dict[Special, Lane]]
    immediate: list[Lane]
    load: Lane
    stores: Lane
    swap: Lane
    guard: Lane
    tag: list[Lane]

    def any_of(self, *mnemonics: str) -> Linear:
        """1 where the operation is one of these (at most one is), else 0; unknown to the stage is never."""
        return total(self.opcode[name] for name in mnemonics if name in self.opcode)

    @property
    def accesses(self) -> Linear:
        """1 where the operation loads or stores."""
        return self.load + self.stores

    @property
    def addresses_by_result(self) -> Linear:
        """1 where the result is an address: loads and plain stores."""
        return self.load + self.stores - self.swap


def available(stage: int) -> list[str]:
    """Mnemonics that a stage has a circuit for."""
    return [
        entry.mnemonic for entry in INSTRUCTIONS if entry.mnemonic != "nop" and (entry.stages is None or stage in entry.stages)
    ]


def read_registers(netlist: Netlist, bus: Bus, spec: MachineSpec, stage: int) -> dict[str, RegisterPort]:
    """Part a: the register numbers of operands A, B and C."""
    ports = {
        name: RegisterPort(
            netlist.lanes(f"s{stage}.{name}.number", REGISTER_BITS, BIT), netlist.lane(f"s{stage}.{name}.register", BIT)
        )
        for name in OPERANDS
    }
    fields = [
        (first + offset, lane)
        for name, first in OPERANDS.items()
        for offset, lane in enumerate([*ports[name].number, ports[name].used])
    ]
    _memory(netlist, bus, spec, stage, PROGRAM_LAYERS[stage], "a", fields)
    return ports


def read_operation(netlist: Netlist, bus: Bus, spec: MachineSpec, stage: int, ports: dict[str, RegisterPort]) -> Row:
    """Part b: operation, sources, immediate, memory form, tag; `live` and `stores` of the bus."""

    def bit(name: str) -> Lane:
        return netlist.lane(f"s{stage}.{name}", BIT)

    sources = [source for source in Special if source not in RESULTS or source.value < stage]
    row = Row(
        opcode={name: bit(f"op.{name}") for name in available(stage)},
        sources={name: {source: bit(f"{name}.{source.name}") for source in sources} for name in OPERANDS},
        immediate=netlist.lanes(f"s{stage}.immediate", WORD_BITS, BIT),
        load=bit("load"),
        stores=bus.stores[stage],
        swap=bit("swap"),
        guard=bit("guard"),
        tag=netlist.lanes(f"s{stage}.tag", (spec.tags - 1).bit_length(), BIT),
    )
    netlist.exclusive(f"s{stage}.op", row.opcode.values())
    netlist.exclusive(f"s{stage}.access", [row.load, row.stores])
    netlist.never(row.swap, unset(row.stores))
    for name, lanes in row.sources.items():
        netlist.exclusive(f"s{stage}.{name}", [ports[name].used, *lanes.values()])
    memory, operands = MEMORY_WORD * WORD_BITS, OPERAND_WORD * WORD_BITS
    _memory(
        netlist,
        bus,
        spec,
        stage,
        OPERAND_LAYERS[stage],
        "b",
        [
            *((OPCODE_WORD * WORD_BITS + OPCODE[name], lane) for name, lane in row.opcode.items()),
            *(
                (OPERANDS[name] + REGISTER_BITS + 1 + source.value, lane)
                for name, lanes in row.sources.items()
                for source, lane in lanes.items()
            ),
            *((IMMEDIATE_WORD * WORD_BITS + i, lane) for i, lane in enumerate(row.immediate)),
            (memory + LOAD_BIT, row.load),
            (memory + STORE_BIT, row.stores),
            (memory + SWAP_BIT, row.swap),
            (memory + GUARD_BIT, row.guard),
            (operands + LIVE_BIT, bus.live[stage]),
            *((memory + TAG_SHIFT + i, lane) for i, lane in enumerate(row.tag)),
        ],
    )
    return row


def _memory(
    netlist: Netlist, bus: Bus, spec: MachineSpec, stage: int, layer: int, part: str, fields: Sequence[tuple[int, Lane]]
) -> None:
    """Heads that keep the given bits of the 128-bit row for every block: field = (bit of the row, lane it is read to)."""
    named = next(kind for kind in token_kinds(spec) if kind.name == "PROG").fields[0]
    payload = netlist.token_bits[named.low : named.low + named.width]
    netlist.assume(bus.kind[f"PROG{stage}"], bus.broadcast, present=True, layer=layer, before_mixer=True)
    for first in range(0, spec.blocks, ROWS):
        head = netlist.head(layer, f"s{stage}.program.{part}{first}")
        for block in range(first, min(first + ROWS, spec.blocks)):
            head.key(block - first, equals(payload, block), bus.kind[f"PROG{stage}"])
            head.query(block - first, equals(bus.block, block), bus.kind["EXEC"])
        for dim, (position, lane) in enumerate(fields):
            head.bit(dim, bus.broadcast[position])
            head.out(dim, lane, CODED)
        head.pins(CODED, range(ROWS - CODED.pins, ROWS))
