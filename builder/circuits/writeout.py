"""Layers 35 to 40: which bytes and stores of a block are written out, and what the next one of them is.

The 85 *slots* of a block stand in a fixed order (`engine.machine.tokens.slot_position`): every result's bytes, for all lanes
together or lane by lane, then MEMV, then MEM1 of each lane. On EXEC three MLPs work out the mask of the slots that the block
needs (`engine.machine.interpreter` says by which rules) and a head keeps it, so that every later token only looks for the
first slot behind its own position: no counter, nothing to update. The results and the store addresses are kept in heads two
layers up, whose z gates let out exactly the byte, or the address, that this slot is about.

| layer | mixer | MLP |
|---|---|---|
| 35 | - | bytes that are 0, that are the sign of the byte below, that differ among lanes; addresses that differ |
| 36 | - | bytes that must be sent; bytes equal in all lanes; lanes that a serial block holds back |
| 37 | - | the mask |
| 38 | the mask of the running block | slots behind this token's position |
| 39 | - | the first of them |
| 40 | its byte or address | - |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from builder.circuits.bus import Bus
from builder.circuits.terminator import Ending
from builder.circuits.tokenbits import field_bits, fixed_bits
from builder.geometry import SPIN_OFFSET, SPIN_SLOPE
from builder.netlist import (
    BIT,
    INT,
    SIGNED,
    SPIN,
    Form,
    Lane,
    Linear,
    Netlist,
    all_of,
    any_of,
    bit,
    equals,
    total,
    unset,
)
from engine.machine.spec import BYTES_PER_WORD, WORD_BITS, MachineSpec
from engine.machine.tokens import (
    ALL_LANES,
    CODE_BITS,
    MEM1_POSITION,
    MEMV_POSITION,
    POSITIONS,
    TokenKind,
    TokenSet,
    slot_position,
)

COMPARE_LAYER, SEND_LAYER, MASK_LAYER, PENDING_LAYER, FIRST_LAYER, VALUE_LAYER = range(35, 41)
BYTE_BITS = 8
STORE_RESULT = 3
"""The word of a store travels as result 3."""


# ---------------------------------------------------------------- the mask, worked out on EXEC


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
    zero = [[[*row, None] for row in stage]
            for stage in _grid(net, "writeout.zero", spec.stages, spec.lanes, BYTES_PER_WORD - 1)]
    sign = [[[None, *row] for row in stage]
            for stage in _grid(net, "writeout.sign", spec.stages, spec.lanes, BYTES_PER_WORD - 1)]
    low = (spec.lanes - 1).bit_length()
    compared = Compared(
        zero, sign, [net.lanes(f"writeout.differing.{k}", BYTES_PER_WORD, INT(0, BYTE_BITS)) for k in stages],
        _grid(net, "writeout.sends", spec.stages, spec.lanes), _grid(net, "writeout.stores", spec.stages, spec.lanes),
        net.lanes("writeout.storing", spec.lanes, BIT), net.lane("writeout.whole", BIT), net.lane("writeout.whole_store", BIT),
        {p: net.lane(f"writeout.line_differs.{p[0]}.{p[1]}", INT(0, spec.address_bits - low)) for p in pairs},
        {p: net.lane(f"writeout.word_differs.{p[0]}.{p[1]}", INT(0, low)) for p in pairs},
        net.lanes("writeout.displaced", spec.lanes, INT(0, low)))
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
            net.neuron(COMPARE_LAYER, -bit(literal.lane) + 1 if literal.wanted else bit(literal.lane), 1,
                       {compared.displaced[j]: 1})
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
        byte = word[BYTE_BITS * b:BYTE_BITS * (b + 1)]
        if zero_lane is not None:
            net.neuron(COMPARE_LAYER, all_of(*(unset(lane) for lane in byte)), 1, {zero_lane: 1})
        if sign_lane is not None:
            alike = [*byte, word[BYTE_BITS * b - 1]]
            net.neuron(COMPARE_LAYER, all_of(*alike), 1, {sign_lane: 1})
            net.neuron(COMPARE_LAYER, all_of(*(unset(lane) for lane in alike)), 1, {sign_lane: 1})


def _when(net: Netlist, layer: int, out: Lane, *conditions: object) -> None:
    """out := 1 where all conditions hold."""
    net.neuron(layer, all_of(*conditions), 1, {out: 1})


def _send(net: Netlist, bus: Bus, ending: Ending, spec: MachineSpec, compared: Compared) -> Sending:
    lanes, stages = range(spec.lanes), range(spec.stages)
    pairs = list(combinations(lanes, 2))
    low = (spec.lanes - 1).bit_length()
    line_bits = spec.address_bits - low
    sending = Sending(_grid(net, "writeout.send", spec.stages, spec.lanes, BYTES_PER_WORD),
                      _grid(net, "writeout.same", spec.stages, BYTES_PER_WORD),
                      [0, *(net.lane(f"writeout.held_back.{j}", INT(0, j)) for j in lanes[1:])],
                      net.lane("writeout.apart", INT(0, len(pairs) * line_bits + spec.lanes * (low + 1))))
    for j in lanes:
        net.exclusive(f"stage whose word is result {STORE_RESULT} of lane {j}",
                      [compared.sends[STORE_RESULT][j], *(compared.stores[k][j] for k in stages)])
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
            net.neuron(SEND_LAYER, all_of(compared.whole_store, bus.stores[k]) - differing, 1,
                       {sending.same[STORE_RESULT][b]: 1})
    for i, j in pairs:
        both = all_of(compared.storing[i], compared.storing[j])
        net.neuron(SEND_LAYER, all_of(both, ending.serial) - compared.line_differs[i, j] - compared.word_differs[i, j], 1,
                   {sending.held_back[j]: 1})
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

    def is_top(b: int) -> list[object]:
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
            net.neuron(MASK_LAYER, all_of(sending.same[r][b], sent) - total(sending.held_back), 1,
                       {mask[slot_position(r, ALL_LANES, b)]: 1, **dict.fromkeys(own, -1.0)})
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
    at_least_one(net, MASK_LAYER, excess, {mask[MEMV_POSITION]: 1})
    for j, lane in enumerate(storing):
        net.neuron(MASK_LAYER, lane - sending.held_back[j], 1, {mask[MEM1_POSITION + j]: 1})
        goes = lane - 1.0 - sending.held_back[j]
        at_least_one(net, MASK_LAYER, excess + goes * lanes, {mask[MEM1_POSITION + j]: -1})


def at_least_one(net: Netlist, layer: int, count: Form, out: dict[Lane, float]) -> None:
    """out += coefficient where the integer form is 1 or more (at most 256, beyond which bf16 drops integers)."""
    net.neuron(layer, count, 1, out)
    net.neuron(layer, count - 1, -1, out)


# ---------------------------------------------------------------- the next slot, on every token


@dataclass(frozen=True)
class NextSlot:
    """The token of the first slot behind this token's position.

    found: there is one. code: its 16-bit code as spins, complete after mixer 40; 0 when there is none.
    """

    found: Lane
    code: list[Lane]


@dataclass(frozen=True)
class Selection:
    """What the value heads must let out.

    stage[k]: the slot's word is that of stage k. memory: it is a store; line: namely of a whole line (MEMV)
    byte, lane: the byte of the word; the lane whose word or address it is
    """

    stage: list[Lane]
    memory: Lane
    line: Lane
    byte: list[Lane]
    lane: list[Lane]


def next_slot(net: Netlist, bus: Bus, writeout: WriteOut, spec: MachineSpec) -> NextSlot:
    """Write layers 38 to 40: keep the mask, find the slot, read its value."""
    with net.circuit("next slot"):
        behind, word_stage = _pending(net, bus, writeout.mask, spec)
        lowest = net.lanes("writeout.lowest_lane", spec.lanes, BIT)
        net.exclusive("lowest active lane", lowest)
        for j in range(spec.lanes):
            net.neuron(PENDING_LAYER, first_of(bus.mask, j), 1, {lowest[j]: 1})
        slot = NextSlot(net.lane("writeout.found", BIT), net.lanes("writeout.code", CODE_BITS, SPIN))
        selection = _first(net, behind, lowest, word_stage, slot, spec)
        _values(net, bus, selection, slot, spec)
    return slot


def first_of(lanes: Iterable[Lane], position: int) -> Linear:
    """1 where this bit lane is the first of the list that is 1, <= 0 otherwise."""
    listed = list(lanes)
    return total([listed[position], *(lane * -1.0 for lane in listed[:position])])


def _pending(net: Netlist, bus: Bus, mask: list[Lane], spec: MachineSpec) -> tuple[list[Lane], list[Lane]]:
    """Keep the running block's mask, and which stage's word result 3 is; returns the slots behind, and that stage.

    While the host loads, no block runs and its VAL tokens must not find what the launch before left pending.
    """
    pending, stage = net.lanes("writeout.pending", len(mask), SPIN), net.lanes("writeout.word_stage", spec.stages, SPIN)
    net.together("pending slots", pending, stage)
    head = net.head(PENDING_LAYER, "pending slots")
    head.key(0, bus.kind["EXEC"])
    head.query(0, bus.running)
    sources: list[Form] = [*mask, *bus.stores]
    sources[len(mask) + STORE_RESULT] = 1 - total(bus.stores[:STORE_RESULT])
    for dim, (source, target) in enumerate(zip(sources, [*pending, *stage], strict=True)):
        head.value(dim, (source * 2.0 - 1.0) * SPIN_SLOPE + SPIN_OFFSET)
        head.out(dim, target, SIGNED)
    for dim in range(len(sources), 128):
        head.flag(dim)
    behind = net.lanes("writeout.behind", len(mask), BIT)
    for position, lane in enumerate(pending):
        # pending and position > this token's; at most POSITIONS, and negative where the slot is not pending
        at_least_one(net, PENDING_LAYER, (bit(lane) - 1.0) * 256.0 + position - bus.position, {behind[position]: 1})
        net.assume(behind[position], stage, present=True)
    return behind, stage


def _first(net: Netlist, behind: list[Lane], lowest: list[Lane], word_stage: list[Lane], slot: NextSlot,
           spec: MachineSpec) -> Selection:
    stages, lanes, kinds = range(spec.stages), range(spec.lanes), TokenSet(spec).kinds
    chosen = Selection(net.lanes("writeout.stage", spec.stages, BIT), net.lane("writeout.memory", BIT),
                       net.lane("writeout.line", BIT), net.lanes("writeout.byte", BYTES_PER_WORD, BIT),
                       net.lanes("writeout.lane", spec.lanes, BIT))
    net.exclusive("head that the slot's value is in", [*chosen.stage, chosen.memory])
    net.exclusive("byte of the slot", chosen.byte)
    net.exclusive("lane of the slot", chosen.lane)

    def slot_neurons(position: int, code: dict[int, int], lane: int | None, *found: Lane) -> None:
        """Where this is the first slot: the fixed bits of its code, its lane (None: the lowest active one), and flags."""
        first = first_of(behind, position)
        sources = [] if lane is None else [chosen.lane[lane]]
        net.neuron(FIRST_LAYER, first, 1, {**{slot.code[i]: float(sign) for i, sign in code.items()}, slot.found: 1.0,
                                           **dict.fromkeys([*sources, *found], 1.0)})
        if lane is None:
            for j in lanes:
                net.neuron(FIRST_LAYER, first, lowest[j], {chosen.lane[j]: 1})

    for r in stages:
        for b in range(BYTES_PER_WORD):
            for lane in range(spec.lanes + 1):
                position = slot_position(r, lane, b)
                code = fixed_bits(kinds["VAL"], {"result": r, "lane": lane, "byte": b})
                known = [] if r == STORE_RESULT else [chosen.stage[r]]
                slot_neurons(position, code, None if lane == ALL_LANES else lane - 1, chosen.byte[b], *known)
                if r == STORE_RESULT:
                    for k in stages:
                        net.neuron(FIRST_LAYER, first_of(behind, position), bit(word_stage[k]), {chosen.stage[k]: 1})
    slot_neurons(MEMV_POSITION, _line_bits(kinds, spec), None, chosen.memory, chosen.line)
    for j in lanes:
        slot_neurons(MEM1_POSITION + j, fixed_bits(kinds["MEM1"], {"lane": j}), j, chosen.memory)
    return chosen


def _line_bits(kinds: Mapping[str, TokenKind], spec: MachineSpec) -> dict[int, int]:
    """The bits of a MEMV's code above those that the address head gives (as many as an address has)."""
    return {i: sign for i, sign in fixed_bits(kinds["MEMV"], {}).items() if i >= spec.address_bits}


def _values(net: Netlist, bus: Bus, chosen: Selection, slot: NextSlot, spec: MachineSpec) -> None:
    """The heads of results and store addresses; each lets out only what the slot's token carries in its variable bits.

    A block that has no word for a head leaves its row as it was: no slot of the block asks for it.
    """
    lanes, kinds = range(spec.lanes), TokenSet(spec).kinds
    value = [slot.code[i] for i in field_bits(kinds["VAL"], "value")]
    for k in range(spec.stages):
        head = net.head(VALUE_LAYER, f"results of stage {k}")
        head.key(0, bus.kind["EXEC"], any_of(bus.live[k], bus.stores[k]))
        head.query(0, chosen.stage[k])
        net.assume(chosen.stage[k], value, present=False, layer=VALUE_LAYER, before_mixer=True)
        for j in lanes:
            for i in range(WORD_BITS):
                dim = WORD_BITS * j + i
                head.spin(dim, bus.results[k][j][i])
                head.gate(dim, chosen.lane[j], chosen.byte[i // BYTE_BITS])
                head.out(dim, value[i % BYTE_BITS], SIGNED)
    head = net.head(VALUE_LAYER, "store addresses")
    head.key(0, bus.kind["EXEC"], any_of(*bus.stores))
    head.query(0, chosen.memory)
    address = [slot.code[i] for i in field_bits(kinds["MEM1"], "address")]
    net.assume(chosen.memory, address, present=False, layer=VALUE_LAYER, before_mixer=True)
    low = (spec.lanes - 1).bit_length()
    dim = 0
    for j in lanes:
        for i, source in enumerate(bus.store_address[j]):
            head.spin(dim, source)
            head.gate(dim, chosen.lane[j], unset(chosen.line))
            head.out(dim, address[i], SIGNED)
            dim += 1
            if i >= low:
                head.spin(dim, source)
                head.gate(dim, chosen.lane[j], chosen.line)
                head.out(dim, address[i - low], SIGNED)
                dim += 1
    for target in address[len(address) - low:]:  # a line has fewer bits than an address: the rest of them are 0
        head.value(dim, SPIN_OFFSET - SPIN_SLOPE)
        head.gate(dim, chosen.line)
        head.out(dim, target, SIGNED)
        dim += 1
    for rest in range(dim, 128):
        head.flag(rest)
