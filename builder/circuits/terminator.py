"""Layer 35: how the running block ends, read from the terminator memory (row = block) on every token of the block.

PROG tokens of the last part write it; the bit positions are those of `engine.machine.program.terminator_row`. On tokens that
belong to no block every lane reads 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from builder.circuits.bus import Bus
from builder.netlist import BIT, CODED, Head, Lane, Netlist, any_of, equals
from engine.machine.program import EXIT_SHIFT, OTHER_SHIFT, SERIAL_BIT, SITE_SHIFT, TAKEN_SHIFT, YIELD_BIT, Exit
from engine.machine.spec import MachineSpec
from engine.machine.tokens import TokenSet

LAYER = 35
ROWS = 128
PIN_DIMS = range(120, 128)


@dataclass(frozen=True)
class Ending:
    """The running block's terminator, as bits. `exit` has no lane for a jump: nothing asks for it."""

    taken: list[Lane]
    other: list[Lane]
    exit: dict[Exit, Lane]
    serial: Lane
    yields: Lane
    site: list[Lane]

    def fields(self) -> Iterator[tuple[int, Lane]]:
        """(bit of the terminator word, lane)."""
        for shift, lanes in ((TAKEN_SHIFT, self.taken), (OTHER_SHIFT, self.other), (SITE_SHIFT, self.site)):
            yield from enumerate(lanes, shift)
        yield from ((EXIT_SHIFT + exit_.value, lane) for exit_, lane in self.exit.items())
        yield SERIAL_BIT, self.serial
        yield YIELD_BIT, self.yields


def read_terminator(net: Netlist, bus: Bus, spec: MachineSpec) -> Ending:
    """Write the terminator memory; returns what it says of the running block."""
    bits = (spec.blocks - 1).bit_length()
    exits = {exit_: net.lane(f"terminator.{exit_.name.lower()}", BIT) for exit_ in Exit if exit_ is not Exit.JUMP}
    ending = Ending(
        net.lanes("terminator.taken", bits, BIT),
        net.lanes("terminator.other", bits, BIT),
        exits,
        net.lane("terminator.serial", BIT),
        net.lane("terminator.yields", BIT),
        net.lanes("terminator.site", (spec.sites - 1).bit_length(), BIT),
    )
    net.exclusive("how the block ends", exits.values())
    with net.circuit("terminator"):
        for first in range(0, spec.blocks, ROWS):
            _rows(net.head(LAYER, f"terminators from block {first}"), net, bus, spec, ending, first)
    return ending


def _rows(head: Head, net: Netlist, bus: Bus, spec: MachineSpec, ending: Ending, first: int) -> None:
    """The rows of blocks `first` .. `first` + 127."""
    kind = bus.kind
    block = next(f for f in TokenSet(spec).kinds["PROG"].fields if f.name == "block")
    named = net.token_bits[block.low : block.low + block.width]
    running = any_of(kind["EXEC"], kind["VAL"], kind["MEM"])
    for row in range(min(ROWS, spec.blocks - first)):
        head.key(row, equals(named, first + row), kind[f"PROG{spec.stages}"])
        head.query(row, equals(bus.block, first + row), running)
    for dim, (position, lane) in enumerate(ending.fields()):
        head.bit(dim, bus.broadcast[position])
        head.out(dim, lane, CODED)
    head.pins(CODED, PIN_DIMS)
