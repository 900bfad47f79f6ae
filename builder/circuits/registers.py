"""Layers 4 and 5: the register that a VAL's result goes to, and the home copy of all registers.

Home keeps one word a row, so that single lanes can be overwritten; the row that a VAL reads back there, all lanes of the
register, is broadcast to every stage's mirror.
"""

from __future__ import annotations

from collections.abc import Sequence

from builder.circuits.bus import Bus
from builder.circuits.decode import Decoded, TokenBits
from builder.circuits.staging import Staged
from builder.netlist import BIT, CODED, SIGNED_PINNED, Condition, Head, Lane, Netlist, all_of, equals, total, unset
from engine.machine.program import DESTINATION_SHIFT, LIVE_BIT, OPERAND_WORD, REGISTER_BITS
from engine.machine.spec import WORD_BITS, MachineSpec

DESTINATION_LAYER = 4
HOME_LAYER = 5
ROWS = 128
CODED_PIN_DIMS = range(120, 128)
WORD_PIN_DIMS = range(WORD_BITS, WORD_BITS + 8)
PIN_READ = 1 / 512
"""out_proj weight that turns a read pin of a SIGNED_PINNED row (64 / 16 x 128) into 1."""


def registers(net: Netlist, spec: MachineSpec, bus: Bus, decoded: Decoded, staged: Staged) -> None:
    """Write layers 4 and 5."""
    with net.circuit("registers"):
        _destination(net, spec, bus, decoded, staged)
        net.assume(bus.register_write, [*staged.lanes], present=True)
        net.assume(bus.register_write, bus.broadcast, present=False, layer=HOME_LAYER, before_mixer=True)
        home = [bus.warp[:3] + bus.destination + bus.warp[3:]] * spec.lanes
        enables = [[bus.register_write, lane] for lane in bus.mask]
        word_memory(net, "home registers", HOME_LAYER, home, enables, bus.register_write, staged.words, bus.broadcast)


def _destination(net: Netlist, spec: MachineSpec, bus: Bus, decoded: Decoded, staged: Staged) -> None:
    """Rows by block hold an operation's destination and whether it has one; a VAL reads that of its result."""
    live = net.lane("registers.live", BIT)
    word = staged.words[OPERAND_WORD]
    source = [*word[DESTINATION_SHIFT : DESTINATION_SHIFT + REGISTER_BITS], word[LIVE_BIT]]
    written = TokenBits(net, spec).field("PROG", "block")
    for result in range(spec.stages):
        for head, rows in block_rows(net, f"destinations of result {result}", DESTINATION_LAYER, spec):
            for row, block in rows:
                head.key(row, equals(written, block), bus.kind[f"PROG{result}"])
                head.query(row, equals(bus.block, block), decoded.staged[result], bus.kind["VAL"])
            for dim, (bit, lane) in enumerate(zip(source, [*bus.destination, live], strict=True)):
                head.bit(dim, bit)
                head.out(dim, lane, CODED)
            head.pins(CODED, CODED_PIN_DIMS)
    net.neuron(DESTINATION_LAYER, all_of(bus.kind["VAL"], live, bus.running), 1, {bus.register_write: 1})


def block_rows(net: Netlist, name: str, layer: int, spec: MachineSpec) -> list[tuple[Head, list[tuple[int, int]]]]:
    """Heads with a row for every block: (head, [(row, block), ..])."""
    return [
        (
            net.head(layer, f"{name}, blocks {first}.."),
            [(block - first, block) for block in range(first, min(first + ROWS, spec.blocks))],
        )
        for first in range(0, spec.blocks, ROWS)
    ]


def word_memory(
    net: Netlist,
    name: str,
    layer: int,
    address: Sequence[Sequence[Lane]],
    enables: Sequence[Condition],
    read: Condition,
    words: Sequence[Sequence[Lane]],
    target: Sequence[Lane],
) -> None:
    """A memory of one word a row, in banks: writes bank i's word where its enable holds and reads the whole row back.

    address: per bank, the lanes of the row number. words: per bank, 32 spins. target: 32 lanes a bank, made complete by
    the MLP of the layer: a word never written is turned into a word of zeros, since the mirrors' rows must have all 128
    dims set.
    """
    known = net.lanes(f"{name}.known", len(words), BIT)
    for bank, word in enumerate(words):
        lanes = list(address[bank])
        out = target[WORD_BITS * bank : WORD_BITS * (bank + 1)]
        for first in range(0, 1 << len(lanes), ROWS):
            head = net.head(layer, f"{name} {bank}, rows {first}..")
            for row in range(ROWS):
                head.key(row, equals(lanes, first + row), enables[bank])
                head.query(row, equals(lanes, first + row), read)
            for i in range(WORD_BITS):
                head.spin(i, word[i])
                head.out(i, out[i], SIGNED_PINNED)
            head.pins(SIGNED_PINNED, WORD_PIN_DIMS)
            head.out(WORD_PIN_DIMS[0], known[bank], PIN_READ)
        net.assume([read, unset(known[bank])], out, present=False, layer=layer)
        net.neuron(layer, total([all_of(read), -known[bank]]), -1, dict.fromkeys(out, 1.0))
