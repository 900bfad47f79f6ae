"""Layers 4 and 7: a MEM1 or MEMV puts staged words into the home copy of memory; the whole line is broadcast.

Home has one bank a lane (words 4 n + bank), one word a row, so that a single word can be overwritten and the line still be
read back whole for the load mirrors of the stages above.
"""

from __future__ import annotations

from builder.circuits.bus import Bus
from builder.circuits.decode import Decoded, TokenBits
from builder.circuits.registers import word_memory
from builder.circuits.staging import Staged
from builder.netlist import BIT, SPIN, Netlist, all_of, equals, unset
from engine.machine.spec import WORD_BITS, MachineSpec

MUX_LAYER = 4
HOME_LAYER = 7


def memory(net: Netlist, spec: MachineSpec, bus: Bus, decoded: Decoded, staged: Staged) -> None:
    """Write layers 4 (which word goes to which bank) and 7 (home memory)."""
    banks = range(spec.lanes)
    words = [net.lanes(f"memory.word.{bank}", WORD_BITS, SPIN) for bank in banks]
    enable = net.lanes("memory.enable", spec.lanes, BIT)
    address = TokenBits(net, spec).field("MEM1", "address")
    low = address[: len(address) - len(bus.line)]
    net.together("memory.word", *words)
    net.assume(bus.kind["MEM"], [lane for word in words for lane in word], present=True)
    net.assume(bus.kind["MEM"], bus.broadcast, present=False, layer=HOME_LAYER, before_mixer=True)
    with net.circuit("memory"):
        for bank in banks:
            for i, lane in enumerate(words[bank]):
                net.copy(MUX_LAYER, bus.kind["MEMV"], staged.words[bank][i], lane)
                for source in banks:
                    net.copy(MUX_LAYER, decoded.mem1[source], staged.words[source][i], lane)
            for condition in (
                [bus.kind["MEMV"], bus.mask[bank]],
                [bus.kind["MEMV"], unset(bus.running)],
                [bus.kind["MEM1"], equals(low, bank)],
            ):
                net.neuron(MUX_LAYER, all_of(condition), 1, {enable[bank]: 1})
        word_memory(
            net,
            "home memory",
            HOME_LAYER,
            [bus.line] * spec.lanes,
            [[bus.kind["MEM"], enable[bank]] for bank in banks],
            bus.kind["MEM"],
            words,
            bus.broadcast,
        )
