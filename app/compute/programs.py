"""Machine programs as plain JSON values, so that a record can be redone where the compiler makes another program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.machine.instructions import BY_MNEMONIC
from engine.machine.program import (
    Access,
    Allocation,
    Block,
    Exit,
    Operation,
    Program,
    Register,
    Source,
    Special,
    Terminator,
    validate,
)
from toolchain.launch import TYPES
from toolchain.lower import Output

Plain = Mapping[str, Any]


def to_plain(program: Program) -> Plain:
    """A program as JSON values."""
    return {
        "kernel": program.kernel,
        "threads": program.threads,
        "many": program.many,
        "blocks": [_plain_block(block) for block in program.blocks],
        "arrays": [[a.name, a.base, a.words, a.tag, list(a.data)] for a in program.allocations],
    }


def from_plain(plain: Plain) -> Program:
    """The program that `to_plain` wrote. Raises ValueError, KeyError or TypeError for anything else."""
    arrays = tuple(Allocation(name, base, words, tag, tuple(data)) for name, base, words, tag, data in plain["arrays"])
    program = Program(plain["kernel"], tuple(map(_block, plain["blocks"])), arrays, plain["threads"], plain["many"])
    validate(program)
    return program


def outputs_of(plain: Plain, arguments: Sequence[Mapping[str, Any]]) -> list[Output]:
    """Where the results lie: the arrays that were given by their size, or all arrays where none was."""
    bases = {name: base for name, base, *_ in reversed(plain["arrays"])}
    arrays = [a for a in arguments if a["type"].endswith("*")]
    return [
        Output(a["name"], TYPES[a["type"].removesuffix("*")], bases[a["name"]], a.get("size") or len(a.get("value", ())))
        for a in [a for a in arrays if "size" in a] or arrays
    ]


def _plain_block(block: Block) -> Plain:
    end = block.terminator
    return {
        "operations": [_plain_operation(operation) for operation in block.operations],
        "exit": [end.exit.name, end.taken, end.other, end.site],
        "serial": block.serial,
        "yields": block.yields,
    }


def _plain_operation(o: Operation) -> list[Any]:
    sources = map(_plain_source, (o.a, o.b, o.c))
    return [o.mnemonic, *sources, o.immediate, o.destination, o.access.name, o.guarded, o.tag, o.line]


def _plain_source(source: Source) -> int | str:
    return source.number if isinstance(source, Register) else source.name


def _block(plain: Plain) -> Block:
    name, taken, other, site = plain["exit"]
    operations = tuple(map(_operation, plain["operations"]))
    return Block(operations, Terminator(Exit[name], taken, other, site), plain["serial"], plain["yields"])


def _operation(plain: Sequence[Any]) -> Operation:
    mnemonic, a, b, c, immediate, destination, access, guarded, tag, line = plain
    return Operation(
        BY_MNEMONIC[mnemonic].mnemonic,
        _source(a),
        _source(b),
        _source(c),
        immediate,
        destination,
        Access[access],
        guarded,
        tag,
        line,
    )


def _source(plain: int | str) -> Source:
    return Register(plain) if isinstance(plain, int) else Special[plain]
