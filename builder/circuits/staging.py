"""Layers 3 and 4: VAL bytes are staged; every VAL and every commit reads the words that the staged bytes stand for.

A row per (result, lane field, byte) holds the byte on the dims of the lanes it concerns; a token reads the up to 20 rows
of its result at once. Bytes not sent are 0 below the highest sent byte and its sign above it, which one MLP fills in.
Staging is erased by PAD, START, EXEC (they write the row of pins) and by the first VAL after a commit (its own row carries
the pins): exactly one row of a read holds them, so the read's scale does not depend on how many rows exist. It follows
that a record must send no slot twice (the first VAL's row would lose the pins) and must be of one result, and that a byte
of a result is sent either for all lanes or by lane (two rows would add up). Hosts and the write-out keep to both.
"""

from __future__ import annotations

from dataclasses import dataclass

from builder.circuits.bus import Bus
from builder.circuits.decode import Decoded, TokenBits
from builder.netlist import BIT, SIGNED_PINNED, SPIN, Head, Lane, Netlist, equals, total, unset
from engine.machine.spec import WORD_BITS, MachineSpec
from engine.machine.tokens import slot_position

LAYER = 3
BROADCAST_LAYER = 4
PIN_ROW = 127
LANES_PER_HEAD = 2
PIN_DIMS = range(LANES_PER_HEAD * WORD_BITS, LANES_PER_HEAD * WORD_BITS + 8)
SENT_DIM = 72


@dataclass(frozen=True)
class Staged:
    """The staged word of every lane, 32 spins each, on VAL and commit tokens (0 on others)."""

    words: list[list[Lane]]

    @property
    def lanes(self) -> list[Lane]:
        """All lanes, word by word."""
        return [lane for word in self.words for lane in word]


def staging(net: Netlist, spec: MachineSpec, bus: Bus, decoded: Decoded, new_record: Lane) -> Staged:
    """Write layer 3, and the broadcast of program and tag rows in layer 4."""
    staged = Staged([net.lanes(f"staged.{j}", WORD_BITS, SPIN) for j in range(spec.lanes)])
    sent = [net.lanes(f"staging.sent.{j}", 4, BIT) for j in range(spec.lanes)]
    net.together("staged", staged.lanes)
    net.exclusive("staging erased", [decoded.anew, new_record])
    readers = [bus.kind["VAL"], decoded.commit, bus.kind["MEM"], bus.kind["TAGROW"]]
    for reader in readers + [bus.kind[f"PROG{part}"] for part in range(spec.stages + 1)]:
        net.assume(reader, staged.lanes, present=True)
    for word, flags in zip(staged.words, sent, strict=True):
        for byte, flag in enumerate(flags):
            byte_lanes = word[8 * byte : 8 * byte + 8]
            net.assume(flag, byte_lanes, present=True, layer=LAYER)
            net.assume(unset(flag), byte_lanes, present=False, layer=LAYER)
            net.never(flag, unset(bus.kind["VAL"]), unset(decoded.commit))
    with net.circuit("staging"):
        for first in range(0, spec.lanes, LANES_PER_HEAD):
            head = net.head(LAYER, f"staging of lanes {first}..{first + LANES_PER_HEAD - 1}")
            _rows(net, spec, head, decoded, new_record)
            for place, j in enumerate(range(first, min(first + LANES_PER_HEAD, spec.lanes))):
                _bytes(net, head, place, decoded.val_byte, decoded.val_lane[j], staged.words[j], sent[j])
        reads = total([bus.kind["VAL"], decoded.commit])
        for j in range(spec.lanes):
            _fill(net, reads, staged.words[j], sent[j])
        for source, target in zip(staged.lanes, bus.broadcast, strict=True):
            net.copy(BROADCAST_LAYER, decoded.row, source, target)
    return staged


def _rows(net: Netlist, spec: MachineSpec, head: Head, decoded: Decoded, new_record: Lane) -> None:
    token = TokenBits(net, spec)
    fields = [token.field("VAL", name) for name in ("result", "lane", "byte")]
    for result in range(spec.stages):
        for lane in range(spec.lanes + 1):
            for byte in range(4):
                row = slot_position(result, lane, byte)
                values = zip(fields, (result, lane, byte), strict=True)
                head.key(row, token.is_kind("VAL"), [equals(field, value) for field, value in values])
                head.query(row, decoded.staged[result])
    head.key(PIN_ROW, decoded.anew)
    head.query(PIN_ROW)
    head.reset(decoded.anew)
    head.reset(new_record)
    head.pins(SIGNED_PINNED, PIN_DIMS, decoded.anew, new_record)
    head.several_rows = spec.lanes * 4 + 5


def _bytes(
    net: Netlist, head: Head, place: int, byte_of: list[Lane], concerned: Lane, word: list[Lane], sent: list[Lane]
) -> None:
    """Dims of one lane in a staging row: 32 bits and 4 flags for the bytes that were sent."""
    for byte in range(4):
        for i in range(8):
            dim = WORD_BITS * place + 8 * byte + i
            head.spin(dim, net.token_bits[i], byte_of[byte], concerned)
            head.out(dim, word[8 * byte + i], SIGNED_PINNED)
        dim = SENT_DIM + 4 * place + byte
        head.flag(dim, byte_of[byte], concerned)
        head.out(dim, sent[byte], SIGNED_PINNED)


def _fill(net: Netlist, reads: object, word: list[Lane], sent: list[Lane]) -> None:
    """Bytes not sent become 0, then those above the highest sent byte become its sign."""
    for byte in range(4):
        net.neuron(LAYER, total([reads, -sent[byte]]), -1, dict.fromkeys(word[8 * byte : 8 * byte + 8], 1.0))
    for byte in range(3):
        top_and_negative = total([sent[byte], word[8 * byte + 7], -1, *(-flag for flag in sent[byte + 1 :])])
        net.neuron(LAYER, top_and_negative, 2, dict.fromkeys(word[8 * byte + 8 :], 1.0))
