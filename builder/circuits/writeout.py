"""Layers 35 to 37: on EXEC, which bytes and stores of the block must be written out.

The 85 *slots* of a block stand in a fixed order (`engine.machine.tokens.slot_position`): every result's bytes, for all lanes
together or lane by lane, then MEMV, then MEM1 of each lane. Three MLPs work out the mask of the slots that the block needs, by
the rules of `Interpreter._pending`; `next_slot` keeps it, so that every later token only looks for the first slot behind its
own position: no counter, nothing to update.

| layer | MLP |
|---|---|
| 35 | bytes that are 0, that are the sign of the byte below, that differ among lanes; addresses that differ |
| 36 | bytes that must be sent; bytes equal in all lanes; lanes that a serial block holds back |
| 37 | the mask |
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

from builder.circuits.bus import Bus
from builder.circuits.functions import any_set
from builder.circuits.terminator import Ending
from builder.netlist import BIT, INT, Condition, Form, Lane, Linear, Netlist, all_of, bit, equals, total, unset
from engine.machine.spec import BYTES_PER_WORD, WORD_BITS, MachineSpec
from engine.machine.tokens import ALL_LANES, MEM1_POSITION, MEMV_POSITION, POSITIONS, slot_position

COMPARE_LAYER, SEND_LAYER, MASK_LAYER = 35, 36, 37
BYTE_BITS = 8
STORE_RESULT = 3
"""The word of a store travels as result 3."""


@dataclass(frozen=True)
class Compared:
    """What layer 35 finds out. Indices: k stage, j lane, b byte, p pair of lanes.

    zero[k][j][b]: the byte is 0 (the top byte's entry is None: nothing asks). sign[k][j][b]: it only repeats the sign of the
    byte below (entry 0 is None: nothing is below).
    differing[k][b]: in how many bits the lanes' bytes differ
    sends[k][j]: lane j's result k has a destination. stores[k][j]: lane j's stage k stores. storing[j]: any stage of lane j
    whole, whole_store: all lanes are active (and store), and the block is not serial
    line_differs[p], word_differs[p]: how many bits of the two lanes' line, of their word in the line, differ
    displaced[j]: how many bits differ between the word's place in its line and the lane's number
    """

    zero: list[list[list[Lane | None]]]
    sign: list[list[list[Lane | None]]]
    differing: list[list[Lane]]
    sends: list[list[Lane]]
    stores: list[list[Lane]]
    storing: list[Lane]
    whole: Lane
    whole_store: Lane
    line_differs: dict[tuple[int, int], Lane]
    word_differs: dict[tuple[int, int], Lane]
    displaced: list[Lane]


@dataclass(frozen=True)
class Sending:
    """What layer 36 finds out. Indices: r result, j lane, b byte.

    send[r][j][b]: the byte of the lane must be sent. same[r][b]: it is the same in all lanes, all of which are active.
    held_back[j]: how many lower lanes a serial block holds lane j back for. apart: what speaks against a coalesced store
    """

    send: list[list[list[Lane]]]
    same: list[list[Lane]]
    held_back: list[Form]
    apart: Lane


@dataclass(frozen=True)
class WriteOut:
    """mask: bit per slot, right on EXEC. held_back: lane -> how many lower lanes it is held back for (0: it goes on)."""

    mask: list[Lane]
    held_back: list[Form]


def work_out(net: Netlist, bus: Bus, ending: Ending, spec: MachineSpec) -> WriteOut:
    """Write layers 35 to 37: the slots that the block of an EXEC needs."""
    with net.circuit("write-out mask"):
        compared = _compare(net, bus, ending, spec)
        sending = _send(net, bus, ending, spec, compared)
        mask = _mask(net, bus, ending, spec, compared, sending)
    return WriteOut(mask, sending.held_back)


def _grid(net: Netlist, name: str, *shape: int) -> list[Any]:
    """Bit lanes in nested lists of a shape."""
    if len(shape) == 1:
        return net.lanes(name, shape[0], BIT)
    return [_grid(net, f"{name}.{i}", *shape[1:]) for i in range(shape[0])]


def _compare(net: Netlist, bus: Bus, ending: Ending, spec: MachineSpec) -> Compared:
    lanes, stages = range(spec.lanes), range(spec.stages)
    pairs = list(combinations(lanes, 2))
    zero = [
        [[*row, None] for row in stage] for stage in _grid(net, "writeout.zero", spec.stages, spec.lanes, BYTES_PER_WORD - 1)
    ]
    sign = [
        [[None, *row] for row in stage] for stage in _grid(net, "writeout.sign", spec.stages, spec.lanes, BYTES_PER_WORD - 1)
    ]
    low = (spec.lanes - 1).bit_length()
    compared = Compared(
        zero,
        sign,
        [net.lanes(f"writeout.differing.{k}", BYTES_PER_WORD, INT(0, BYTE_BITS)) for k in stages],
        _grid(net, "writeout.sends", spec.stages, spec.lanes),
        _grid(net, "writeout.stores", spec.stages, spec.lanes),
        net.lanes("writeout.storing", spec.lanes, BIT),
        net.lane("writeout.whole", BIT),
        net.lane("writeout.whole_store", BIT),
        {p: net.lane(f"writeout.line_differs.{p[0]}.{p[1]}", INT(0, spec.address_bits - low)) for p in pairs},
        {p: net.lane(f"writeout.word_differs.{p[0]}.{p[1]}", INT(0, low)) for p in pairs},
        net.lanes("writeout.displaced", spec.lanes, INT(0, low)),
    )
    for k in stages:
        for j in lanes:
            _compare_word(net, bus.results[k][j], zero[k][j], sign[k][j])
            _when(net, COMPARE_LAYER, compared.sends[k][j], bus.live[k], bus.mask[j])
            _when(net, COMPARE_LAYER, compared.stores[k][j], bus.stores[k], bus.mask[j], bus.store_guard[j])
        for i in range(WORD_BITS):
            ones = total(bit(bus.results[k][j][i]) for j in lanes)
            for start, height in ((0, 1), (1, -1), (spec.lanes - 1, -1)):  # 1 where 0 < ones < lanes
                net.neuron(COMPARE_LAYER, ones - start, height, {compared.differing[k][i // BYTE_BITS]: 1})
    for j in lanes:
        _when(net, COMPARE_LAYER, compared.storing[j], bus.mask[j], bus.store_guard[j])
        for literal in equals(bus.store_address[j][:low], j):
            net.neuron(
                COMPARE_LAYER, -bit(literal.lane) + 1 if literal.wanted else bit(literal.lane), 1, {compared.displaced[j]: 1}
            )
    _when(net, COMPARE_LAYER, compared.whole, unset(ending.serial), bus.mask)
    _when(net, COMPARE_LAYER, compared.whole_store, unset(ending.serial), bus.mask, bus.store_guard)
    for i, j in pairs:
        for n, (one, other) in enumerate(zip(bus.store_address[i], bus.store_address[j], strict=True)):
            count = (compared.word_differs if n < low else compared.line_differs)[i, j]
            for difference in (bit(one) - bit(other), bit(other) - bit(one)):
                net.neuron(COMPARE_LAYER, difference, 1, {count: 1})
    return compared


def _compare_word(net: Netlist, word: list[Lane], zero: list[Lane | None], sign: list[Lane | None]) -> None:
    """Which bytes of a word are 0, and which repeat the top bit of the byte below in all their bits."""
    for b, (zero_lane, sign_lane) in enumerate(zip(zero, sign, strict=True)):
        byte = word[BYTE_BITS * b : BYTE_BITS * (b + 1)]
        if zero_lane is not None:
            net.neuron(COMPARE_LAYER, all_of(*(unset(lane) for lane in byte)), 1, {zero_lane: 1})
        if sign_lane is not None:
            alike = [*byte, word[BYTE_BITS * b - 1]]
            net.neuron(COMPARE_LAYER, all_of(*alike), 1, {sign_lane: 1})
            net.neuron(COMPARE_LAYER, all_of(*(unset(lane) for lane in alike)), 1, {sign_lane: 1})


def _when(net: Netlist, layer: int, out: Lane, *conditions: Condition) -> None:
    """out := 1 where all conditions hold."""
    net.neuron(layer, all_of(*conditions), 1, {out: 1})


def _send(net: Netlist, bus: Bus, ending: Ending, spec: MachineSpec, compared: Compared) -> Sending:
    lanes, stages = range(spec.lanes), range(spec.stages)
    pairs = list(combinations(lanes, 2))
    low = (spec.lanes - 1).bit_length()
    line_bits = spec.address_bits - low
    sending = Sending(
        _grid(net, "writeout.send", spec.stages, spec.lanes, BYTES_PER_WORD),
        _grid(net, "writeout.same", spec.stages, BYTES_PER_WORD),
        [0, *(net.lane(f"writeout.held_back.{j}", INT(0, j)) for j in lanes[1:])],
        net.lane("writeout.apart", INT(0, len(pairs) * line_bits + spec.lanes * (low + 1))),
    )
    for j in lanes:
        net.exclusive(
            f"stage whose word is result {STORE_RESULT} of lane {j}",
            [compared.sends[STORE_RESULT][j], *(compared.stores[k][j] for k in stages)],
        )
    for k in stages:
        for j in lanes:
            for owner, result in ((compared.sends, k), (compared.stores, STORE_RESULT)):
                for b, cases in enumerate(_send_cases(compared.zero[k][j], compared.sign[k][j])):
                    for case in cases:
                        _when(net, SEND_LAYER, sending.send[result][j][b], owner[k][j], case)
                _when(net, SEND_LAYER, sending.send[result][j][0], owner[k][j], ending.serial, compared.zero[k][j][0])
        for b in range(BYTES_PER_WORD):
            differing = compared.differing[k][b]
            net.neuron(SEND_LAYER, all_of(compared.whole, bus.live[k]) - differing, 1, {sending.same[k][b]: 1})
            net.neuron(
                SEND_LAYER, all_of(compared.whole_store, bus.stores[k]) - differing, 1, {sending.same[STORE_RESULT][b]: 1}
            )
    for i, j in pairs:
        both = all_of(compared.storing[i], compared.storing[j])
        net.neuron(
            SEND_LAYER,
            all_of(both, ending.serial) - compared.line_differs[i, j] - compared.word_differs[i, j],
            1,
            {sending.held_back[j]: 1},
        )
        net.neuron(SEND_LAYER, both, compared.line_differs[i, j], {sending.apart: 1})
    for j in lanes:
        net.neuron(SEND_LAYER, compared.storing[j], compared.displaced[j], {sending.apart: 1})
        net.neuron(SEND_LAYER, all_of(bus.mask[j], unset(bus.store_guard[j])), 1, {sending.apart: 1})
    return sending


def _send_cases(zero: list[Lane | None], sign: list[Lane | None]) -> list[list[Linear]]:
    """Per byte, disjoint conditions (1 or <= 0) under which `program.sent_bytes` sends it.

    The top byte is the highest one that is not just the sign of the byte below. Byte b >= 1 is sent when it is the top byte,
    or when a higher byte is and b is not 0; byte 0 when it is not 0.
    """
    top = BYTES_PER_WORD - 1

    def is_top(b: int) -> list[Condition]:
        return [*(sign[higher] for higher in range(b + 1, top + 1)), *([unset(sign[b])] if b else [])]

    cases: list[list[Linear]] = [[all_of(unset(zero[0]))]]
    for b in range(1, BYTES_PER_WORD):
        above = [all_of(is_top(higher), unset(zero[b])) for higher in range(b + 1, top + 1)]
        cases.append([all_of(is_top(b)), *above])
    return cases


def _mask(net: Netlist, bus: Bus, ending: Ending, spec: MachineSpec, compared: Compared, sending: Sending) -> list[Lane]:
    lanes = range(spec.lanes)
    mask = net.lanes("writeout.mask", POSITIONS, BIT)
    for r in range(spec.stages):
        for b in range(BYTES_PER_WORD):
            own = [mask[slot_position(r, 1 + j, b)] for j in lanes]
            sent = [sending.send[r][j][b] for j in lanes]
            # only a serial block holds back, and only one that is not has bytes that are the same: the sum says it once more
            net.neuron(
                MASK_LAYER,
                all_of(sending.same[r][b], sent) - total(sending.held_back),
                1,
                {mask[slot_position(r, ALL_LANES, b)]: 1, **dict.fromkeys(own, -1.0)},
            )
            for j in lanes:
                net.neuron(MASK_LAYER, sent[j] - sending.held_back[j], 1, {own[j]: 1})
        every = total(sending.send[r][j][b] for j in lanes for b in range(BYTES_PER_WORD))
        net.neuron(MASK_LAYER, bus.live[r] - every, 1, {mask[slot_position(r, ALL_LANES, 0)]: 1})
    _store_mask(net, ending, compared, sending, mask)
    return mask


def _store_mask(net: Netlist, ending: Ending, compared: Compared, sending: Sending, mask: list[Lane]) -> None:
    """MEMV where at least two lanes store and nothing speaks against it, else MEM1 of every storing lane that goes on."""
    storing, lanes = compared.storing, len(compared.storing)
    excess = total([*storing, -1]) - sending.apart * lanes - ending.serial * lanes  # 1 .. lanes - 1 where coalesced
    any_set(net, MASK_LAYER, excess, {mask[MEMV_POSITION]: 1})
    for j, lane in enumerate(storing):
        net.neuron(MASK_LAYER, lane - sending.held_back[j], 1, {mask[MEM1_POSITION + j]: 1})
        goes = lane - 1.0 - sending.held_back[j]
        any_set(net, MASK_LAYER, excess + goes * lanes, {mask[MEM1_POSITION + j]: -1})
