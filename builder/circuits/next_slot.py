"""Layers 38 to 40: on every token, the slot that is written out next, and the code of its token.

A head keeps the mask of the running block (`writeout`); the first slot behind this token's position is the next one. Results
and store addresses are kept in heads two layers up, whose z gates let out exactly the byte, the address or the line that the
slot is about, straight onto the variable bits of the token's code.

| layer | mixer | MLP |
|---|---|---|
| 38 | the mask of the running block | slots behind this token's position |
| 39 | - | the first of them |
| 40 | its byte, address or line | - |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from builder.circuits.bus import Bus
from builder.circuits.functions import any_set, first_of
from builder.circuits.tokenbits import field_bits, fixed_bits
from builder.circuits.writeout import BYTE_BITS, STORE_RESULT, WriteOut
from builder.geometry import SPIN_OFFSET, SPIN_SLOPE
from builder.netlist import BIT, SIGNED, SPIN, Form, Lane, Netlist, any_of, bit, total, unset
from engine.machine.spec import BYTES_PER_WORD, WORD_BITS, MachineSpec
from engine.machine.tokens import ALL_LANES, CODE_BITS, MEM1_POSITION, MEMV_POSITION, TokenKind, TokenSet, slot_position

PENDING_LAYER, FIRST_LAYER, VALUE_LAYER = 38, 39, 40


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


def find_slot(net: Netlist, bus: Bus, writeout: WriteOut, spec: MachineSpec) -> NextSlot:
    """Write layers 38 to 40: keep the mask, find the slot, read its value."""
    with net.circuit("next slot"):
        behind, word_stage = _pending(net, bus, writeout.mask, spec)
        lowest = net.lanes("slot.lowest_lane", spec.lanes, BIT)
        net.exclusive("lowest active lane", lowest)
        for j in range(spec.lanes):
            net.neuron(PENDING_LAYER, first_of(bus.mask, j), 1, {lowest[j]: 1})
        slot = NextSlot(net.lane("slot.found", BIT), net.lanes("slot.code", CODE_BITS, SPIN))
        selection = _first(net, behind, lowest, word_stage, slot, spec)
        _values(net, bus, selection, slot, spec)
    return slot


def _pending(net: Netlist, bus: Bus, mask: list[Lane], spec: MachineSpec) -> tuple[list[Lane], list[Lane]]:
    """Keep the running block's mask, and which stage's word result 3 is; returns the slots behind, and that stage.

    While the host loads, no block runs and its VAL tokens must not find what the launch before left pending.
    """
    pending, stage = net.lanes("slot.pending", len(mask), SPIN), net.lanes("slot.word_stage", spec.stages, SPIN)
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
    behind = net.lanes("slot.behind", len(mask), BIT)
    for position, lane in enumerate(pending):
        # pending and position > this token's; at most POSITIONS, and negative where the slot is not pending
        any_set(net, PENDING_LAYER, (bit(lane) - 1.0) * 256.0 + position - bus.position, {behind[position]: 1})
        net.assume(behind[position], stage, present=True)
    return behind, stage


def _first(
    net: Netlist, behind: list[Lane], lowest: list[Lane], word_stage: list[Lane], slot: NextSlot, spec: MachineSpec
) -> Selection:
    stages, lanes, kinds = range(spec.stages), range(spec.lanes), TokenSet(spec).kinds
    chosen = Selection(
        net.lanes("slot.stage", spec.stages, BIT),
        net.lane("slot.memory", BIT),
        net.lane("slot.line", BIT),
        net.lanes("slot.byte", BYTES_PER_WORD, BIT),
        net.lanes("slot.lane", spec.lanes, BIT),
    )
    net.exclusive("head that the slot's value is in", [*chosen.stage, chosen.memory])
    net.exclusive("byte of the slot", chosen.byte)
    net.exclusive("lane of the slot", chosen.lane)

    def slot_neurons(position: int, code: dict[int, int], lane: int | None, *found: Lane) -> None:
        """Where this is the first slot: the fixed bits of its code, its lane (None: the lowest active one), and flags."""
        first = first_of(behind, position)
        sources = [] if lane is None else [chosen.lane[lane]]
        net.neuron(
            FIRST_LAYER,
            first,
            1,
            {
                **{slot.code[i]: float(sign) for i, sign in code.items()},
                slot.found: 1.0,
                **dict.fromkeys([*sources, *found], 1.0),
            },
        )
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
    for target in address[len(address) - low :]:  # a line has fewer bits than an address: the rest of them are 0
        head.value(dim, SPIN_OFFSET - SPIN_SLOPE)
        head.gate(dim, chosen.line)
        head.out(dim, target, SIGNED)
        dim += 1
    for rest in range(dim, 128):
        head.flag(rest)
