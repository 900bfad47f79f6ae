"""The lanes at which the parts of the machine meet: who writes them, when, and what they hold.

| lanes | domain | written by | holds |
|---|---|---|---|
| `kind[..]` | bit | decode, MLP 1 | a bit a kind; `PROG0..4` by part; `MEM`: MEM1, MEMV; `RESET`: START, CTAEND or RESTART |
| `position` | -1..85 | decode, MLP 1 | place in the order of write-out: -1 on EXEC, 85 on tokens outside it |
| `line` | spins | decode, MLP 1 | memory line of MEM1 and MEMV, row of TAGROW |
| `warp`, `block`, `mask` | bits | context, mixer 2 | current hardware warp, running block, its lanes; 0 while the host loads |
| `running` | bit | context, MLP 2 | the mask is not empty |
| `destination` | bits | registers, mixer 4 | register that this VAL's result goes to |
| `register_write` | bit | registers, MLP 4 | VAL whose result has a destination, while a block runs |
| `broadcast` | spins | staging (program, tags: after MLP 4), registers (mixer 5, complete after MLP 5), memory (after MLP 7) |
|                            ||| 4 x 32: the register row, memory line, program row or tag row that this token commits |
| `results[stage][lane]` | spins | stages | word of the stage's operation, loads included; 0 where it has none |
| `predicates[lane]` | spin | stages (MLP 5 on) | the lane's predicate, -1 at block entry |
| `live[stage]` | bit | stages | the stage's result has a destination register |
| `stores[stage]` | bit | stages | the stage stores |
| `store_guard[lane]` | bit | stages | this block stores and the lane's guard lets it |
| `store_address[lane]` | spins | stages | word address of the lane's store, whether or not the guard lets it |
| `faults[stage][lane]` | bit | stages | access outside its array, by a lane of the mask whose guard lets it |

Bits of the token's code are `netlist.token_bits` (spins): payload bits 0..7, slot bits 8..15.
"""

from __future__ import annotations

from dataclasses import dataclass

from builder.netlist import BIT, INT, SPIN, Lane, Netlist
from engine.machine.spec import WORD_BITS, MachineSpec
from engine.machine.tokens import POSITIONS

KINDS = (
    "VAL",
    "EXEC",
    "MEM1",
    "MEMV",
    "MEM",
    "TAGROW",
    "START",
    "CTAEND",
    "RESET",
    "WARP",
    "BAR",
    "PROG0",
    "PROG1",
    "PROG2",
    "PROG3",
    "PROG4",
)

OPERAND_LAYERS = (6, 13, 20, 28)
"""Layer of each stage that reads registers and program row b and selects the operands."""
PROGRAM_LAYERS = (5, 11, 18, 26)
"""Layer of each stage that reads program row a (register numbers), one MLP before they are needed."""
LOAD_LAYERS = (12, 19, 27, 34)
"""Layer of each stage whose mixer loads."""
TAG_LAYERS = (13, 20, 28, 35)
"""Layer of each stage that checks the accessed words' array ids."""


@dataclass(frozen=True)
class Bus:
    """The interface lanes; see the module's table."""

    kind: dict[str, Lane]
    position: Lane
    line: list[Lane]
    warp: list[Lane]
    block: list[Lane]
    mask: list[Lane]
    running: Lane
    destination: list[Lane]
    register_write: Lane
    broadcast: list[Lane]
    results: list[list[list[Lane]]]
    predicates: list[Lane]
    live: list[Lane]
    stores: list[Lane]
    store_guard: list[Lane]
    store_address: list[list[Lane]]
    faults: list[list[Lane]]


def declare(netlist: Netlist, spec: MachineSpec) -> Bus:
    """Create the interface lanes in a netlist."""
    lanes, stages = range(spec.lanes), range(spec.stages)
    return Bus(
        kind={name: netlist.lane(f"kind.{name}", BIT) for name in KINDS},
        position=netlist.lane("position", INT(-1, POSITIONS)),
        line=netlist.lanes("line", (spec.lines - 1).bit_length(), SPIN),
        warp=netlist.lanes("warp", (spec.warps - 1).bit_length(), BIT),
        block=netlist.lanes("block", (spec.blocks - 1).bit_length(), BIT),
        mask=netlist.lanes("mask", spec.lanes, BIT),
        running=netlist.lane("running", BIT),
        destination=netlist.lanes("destination", (spec.registers - 1).bit_length(), BIT),
        register_write=netlist.lane("register_write", BIT),
        broadcast=netlist.lanes("broadcast", spec.lanes * WORD_BITS, SPIN),
        results=[[netlist.lanes(f"result{k}.{j}", WORD_BITS, SPIN) for j in lanes] for k in stages],
        predicates=netlist.lanes("predicate", spec.lanes, SPIN),
        live=netlist.lanes("live", spec.stages, BIT),
        stores=netlist.lanes("stores", spec.stages, BIT),
        store_guard=netlist.lanes("store_guard", spec.lanes, BIT),
        store_address=[netlist.lanes(f"store_address.{j}", spec.address_bits, SPIN) for j in lanes],
        faults=[netlist.lanes(f"fault{k}", spec.lanes, BIT) for k in stages],
    )
