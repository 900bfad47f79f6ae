"""Layer 2: what the machine is doing: the current hardware warp, the running block and its lanes, and whether the token
before this one was a commit (then the first VAL begins a new record)."""

from __future__ import annotations

from builder.circuits.bus import Bus
from builder.circuits.decode import Decoded, TokenBits
from builder.netlist import BIT, CODED, Head, Lane, Netlist, all_of, any_of, linear, total, unset
from engine.machine.spec import MachineSpec

LAYER = 2
PIN_DIMS = range(120, 128)
PREVIOUS_TOKEN = 2
"""Index of the conv tap that holds the token before this one."""


def context(net: Netlist, spec: MachineSpec, bus: Bus, decoded: Decoded) -> Lane:
    """Write layer 2. Returns the lane that is 1 on a VAL right after a commit."""
    token = TokenBits(net, spec)
    kind = bus.kind
    anew = net.lane("context.new_record", BIT)
    committed = net.lane("context.committed", BIT)
    with net.circuit("context"):
        warp = _register(net, "current warp", any_of(kind["WARP"], kind["RESET"]))
        _store(warp, kind["WARP"], token.field("WARP", "warp"), bus.warp)
        block = _register(net, "running block", any_of(kind["EXEC"], kind["RESET"], decoded.stop))
        _store(block, kind["EXEC"], token.field("EXEC", "block") + token.field("EXEC", "mask"), bus.block + bus.mask)
        last = _register(net, "last token committed", None)
        last.bit(0, decoded.commit)
        last.tap(0, PREVIOUS_TOKEN)
        last.out(0, committed, CODED)

        net.neuron(LAYER, any_of(*bus.mask), 1, {bus.running: 1})  # min(1, active lanes)
        net.neuron(LAYER, total([*bus.mask, -1]), -1, {bus.running: 1})
        for lane in bus.mask:
            net.never(lane, unset(bus.running))
        net.neuron(LAYER, all_of(kind["VAL"], committed), 1, {anew: 1})
    return anew


def _register(net: Netlist, name: str, write: object) -> Head:
    """One row, written where the form is 1 (always if None) and read by every token."""
    head = net.head(LAYER, name)
    head.key(0, *([] if write is None else [linear(write)]))  # type: ignore[arg-type]
    head.query(0)
    head.pins(CODED, PIN_DIMS)
    return head


def _store(head: Head, kind: Lane, source: list[Lane], target: list[Lane]) -> None:
    """Row := the source bits on tokens of the kind, zeros on the others that write."""
    for dim, (bit, lane) in enumerate(zip(source, target, strict=False)):
        head.bit(dim, kind, bit)
        head.out(dim, lane, CODED)
