"""Whether a compiled kernel fits the machine, how much of it, and what its machine blocks are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.inspection.arrays import arrays_of
from app.inspection.listing import block_text, ending_text
from engine.machine.errors import GpuError
from engine.machine.program import Program, Register
from engine.machine.spec import SPEC
from toolchain.launch import parse_launch
from toolchain.lower import lower
from toolchain.ptx import parse_ptx


@dataclass(frozen=True)
class Use:
    """How much of one thing a launch uses."""

    name: str
    used: int
    most: int


@dataclass(frozen=True)
class MachineBlock:
    """A block as it is shown: its operations, and how it ends."""

    number: int
    operations: tuple[str, ...]
    ending: str


@dataclass(frozen=True)
class Fit:
    """What lowering says of a kernel. refusal: why it does not fit; uses and blocks are empty then."""

    uses: tuple[Use, ...] = ()
    blocks: tuple[MachineBlock, ...] = ()
    refusal: str = ""
    remedy: str = ""


def fit(ptx: str, filename: str, launch: Mapping[str, Any]) -> Fit:
    """Lower a compiled kernel for a launch; takes up to a second. Never raises what a user's kernel may cause."""
    try:
        program = lower(parse_ptx(ptx, filename), parse_launch(launch), SPEC).program
    except GpuError as error:
        return Fit(refusal=error.what, remedy=error.remedy)
    return Fit(_uses(program), _blocks(program, launch))


def _uses(program: Program) -> tuple[Use, ...]:
    registers = {
        s.number for block in program.blocks for o in block.operations for s in (o.a, o.b, o.c) if isinstance(s, Register)
    }
    registers |= {o.destination for block in program.blocks for o in block.operations if o.destination is not None}
    words = sum(array.words for array in program.allocations)
    return (
        Use("Blocks", len(program.blocks), SPEC.blocks),
        Use("Registers", len(registers), SPEC.registers),
        Use("Threads", program.threads, SPEC.threads),
        Use("Words", words, SPEC.words),
    )


def _blocks(program: Program, launch: Mapping[str, Any]) -> tuple[MachineBlock, ...]:
    arrays = arrays_of(program, launch)
    return tuple(
        MachineBlock(number, tuple(block_text(block, arrays)), ending_text(block))
        for number, block in enumerate(program.blocks)
    )
