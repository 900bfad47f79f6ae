"""Random machines that obey the circuits' rules and mean nothing: for holding two runtimes equal.

Tokens have 16-bit codes whose low `FREE` bits take every value. Layers hold random AND neurons and copies over the token's
bits, random memories (keyed, queried, reset and gated by random conditions; one of them looks back through the conv), and a
last layer that answers with a token whose bits are random functions of bits and of what the memories say. So every answer
hangs on the whole state, and the machine can run on its own answers for ever.
"""

from __future__ import annotations

import functools
import random
from pathlib import Path

from builder.circuits.boot import boot_weights
from builder.geometry import Axes, Geometry
from builder.netlist import BIT, SIGNED, SPIN, SPIN_OR_ZERO, Head, Lane, Literal, Netlist, all_of
from builder.place import place
from builder.tensors import sparse_layers, write_layers
from engine.machine.spec import MachineSpec
from engine.machine.tokens import NIBBLES, code_signs

FREE = 10
FIXED_CODE = 0x5400
TINY = MachineSpec(
    layers=4, words=64, threads=16, registers=8, hidden=512, intermediate=768, heads=4, head_dim=64, mute_axes=32
)
TRUE = MachineSpec(layers=4)
NORM_WEIGHT = {512: 4096.0, 2048: 2048.0}
"""1 + weight over 92672 / sqrt(hidden) is 1 within 4e-4, far inside the 2**-9 that integers up to 256 allow."""


def build(path: Path, seed: int, spec: MachineSpec = TINY) -> Path:
    """Write a random machine file of `spec.layers` layers, with its hash."""
    draw = random.Random(seed)
    net = Netlist()
    _boot(net, spec.hidden)
    memories = [lane for layer in range(1, spec.layers - 1) for lane in _layer(net, draw, layer, spec)]
    _answer(net, draw, spec.layers - 1, memories)
    axes = Axes(mute=tuple(range(spec.hidden - spec.mute_axes, spec.hidden)))
    geometry = Geometry(spec.hidden, spec.intermediate, spec.heads, spec.head_dim, spec.conv_kernel)
    placed = place(net, geometry=geometry, axes=axes, partial=True)
    for layer in range(1, spec.layers):
        net.layer(layer).norm_weight = NORM_WEIGHT[spec.hidden]
    write_layers(
        path,
        sparse_layers(placed),
        metadata={"spec": spec.to_json(), "builder": f"synthetic {seed}"},
        token_codes=[FIXED_CODE | low for low in range(1 << FREE)],
        code_axes=axes.code,
        mute_axes=axes.mute,
    )
    return path


_boot_weights = functools.cache(boot_weights)


def _boot(net: Netlist, hidden: int) -> None:
    w, one = _boot_weights(hidden), net.one[0]
    net.layer(0).norm_weight = 0.0
    net.raw_neuron(0, {one: w.gate}, {one: w.up}, {net.pin: w.pin})
    for lane in net.code:
        for sign in (1.0, -1.0):
            net.raw_neuron(0, {lane: sign * w.gate}, {one: w.up}, {lane: sign * w.code})


def _literals(draw: random.Random, lanes: list[Lane], count: int) -> list[Literal]:
    return [Literal(lane, draw.random() < 0.5) for lane in draw.sample(lanes, count)]


def _layer(net: Netlist, draw: random.Random, layer: int, spec: MachineSpec) -> list[Lane]:
    """Memories and neurons of one layer; returns the lanes that the memories write."""
    bits = net.token_bits[:FREE]
    flags = net.lanes(f"flag.{layer}", 8, BIT)
    for lane in flags:
        net.neuron(layer, all_of(_literals(draw, bits, 3)), 1.0, {lane: 1.0})
        net.neuron(layer, all_of(_literals(draw, bits, 2)), -1.0 * lane + 1.0, {lane: 1.0})
    read: list[Lane] = []
    for number in range(spec.heads if spec.hidden < 1024 else 3):
        head = net.head(layer, f"memory {layer}.{number}")
        _memory(net, draw, head, bits, spec.head_dim)
        lanes = net.lanes(f"read.{layer}.{number}", 12, SPIN_OR_ZERO)
        for dim, lane in enumerate(lanes):
            head.out(dim, lane, SIGNED)
            if draw.random() < 0.3:
                head.gate(dim, _literals(draw, bits, 2))
        if number == 0:
            head.tap(3, draw.randrange(3))
        read += lanes
    return read


def _memory(net: Netlist, draw: random.Random, head: Head, bits: list[Lane], dims: int) -> None:
    """A random memory: every row keyed by 3 bits and an enable, queried by 3 others; resets now and then."""
    address, asked = draw.sample(bits, 3), draw.sample(bits, 3)
    enable, ask, erase = _literals(draw, bits, 1), _literals(draw, bits, 1), _literals(draw, bits, 5)
    for row in range(8):
        wanted = [bool(row >> i & 1) for i in range(3)]
        place = draw.randrange(dims // 8) * 8 + row
        head.key(place, [Literal(x, w) for x, w in zip(address, wanted, strict=True)], enable)
        head.query(place, [Literal(x, w) for x, w in zip(asked, wanted, strict=True)], ask)
    for dim in range(dims):
        head.spin(dim, draw.choice(bits))
    head.reset(erase)


def _answer(net: Netlist, draw: random.Random, layer: int, memories: list[Lane]) -> None:
    """Replace the code lanes by 2**20 times the code of the next token."""
    bits = net.token_bits[:FREE]
    choice = net.lanes("choice", FREE, SPIN)
    for number, lane in enumerate(choice):
        net.neuron(layer - 1, net.one[0], -1.0, {lane: 1.0})
        # at most one of the two minterms of a bit holds, so the lane gets +2 at most once
        first, second = draw.sample(bits, 2)
        memory, other = draw.sample(memories, 2)
        sources = (second * 0.5 + 0.5, second * -0.5 + 0.5) if number % 2 else (memory * 1.0, -other)
        for source, wanted in zip(sources, (True, False), strict=True):
            net.neuron(layer - 1, all_of(Literal(first, wanted), source), 2.0, {lane: 1.0})
    for nibble in range(NIBBLES):
        lanes = net.code[16 * nibble : 16 * nibble + 16]
        for value in range(16):
            wanted = [(4 * nibble + i, bool(value >> i & 1)) for i in range(4)]
            if any(bit >= FREE and want != bool(FIXED_CODE >> bit & 1) for bit, want in wanted):
                continue
            condition = [Literal(choice[bit], want) for bit, want in wanted if bit < FREE]
            signs = code_signs(value)[:16]
            net.neuron(layer, all_of(condition), 1.0, {lane: 2.0**20 * sign for lane, sign in zip(lanes, signs, strict=True)})
