"""PTX text to frozen dataclasses, and the entry that a launch names.

`ptx_model` says what they are, `ptx.lark` and `ptx_syntax` read the text, `ptx_names` resolves it: an operand is a
`Register` only when its function declares it, nested `{ }` scopes become one body, and a declaration whose name is
already taken in the function (`param0` of the second call) gets a fresh one. Every opcode is accepted here; whether the
machine has it is the lowering's business.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.machine.errors import InputError
from toolchain.demangle import MAX_NAME, normalise_name
from toolchain.ptx_model import (
    SPECIAL_REGISTERS,
    Address,
    Arguments,
    Discard,
    FloatImmediate,
    Function,
    Guard,
    Immediate,
    Instruction,
    Label,
    Module,
    Not,
    Operand,
    Pair,
    Parameter,
    Register,
    RegisterRange,
    Relocation,
    Special,
    Symbol,
    Variable,
    Vector,
    type_size,
)
from toolchain.ptx_names import resolve_module
from toolchain.ptx_syntax import parse_syntax

__all__ = [
    "MAX_PTX_BYTES",
    "SOURCE_NAME",
    "SPECIAL_REGISTERS",
    "Address",
    "Arguments",
    "Discard",
    "FloatImmediate",
    "Function",
    "Guard",
    "Immediate",
    "Instruction",
    "Label",
    "Module",
    "Not",
    "Operand",
    "Pair",
    "Parameter",
    "Register",
    "RegisterRange",
    "Relocation",
    "Special",
    "Symbol",
    "Variable",
    "Vector",
    "find_entry",
    "parse_ptx",
    "type_size",
]

MAX_PTX_BYTES = 1 << 19
"""Longest PTX text that is read (characters). The machine's program memory is filled by far less."""

MAX_LISTED = 12
"""Most kernels that an error message lists."""

SOURCE_NAME = "kernel.cu"
"""The name under which `compile_cuda` compiles the user's text, hence the file name in the PTX's line table."""


def parse_ptx(text: str, source_name: str | None = SOURCE_NAME) -> Module:
    """Parse PTX text.

    source_name: base name of the user's source in the PTX's `.file` table; instructions that come from another file
                 carry the line from which that file's code was inlined, or the last known line.
    Raises InputError (with the PTX line) for text that is not PTX or exceeds a bound, UnsupportedError for valid
    forms that have no meaning on the machine.
    """
    if len(text) > MAX_PTX_BYTES:
        raise InputError(f"the PTX has {len(text):,} characters", "PTX", f"give at most {MAX_PTX_BYTES:,}")
    return resolve_module(parse_syntax(text), source_name)


def find_entry(module: Module, wanted: str) -> Function:
    """The kernel called `wanted`: a C++ name, a template instantiation (`poly<3, int>`), a signature, or the PTX's name.

    Spacing, `unsigned` against `unsigned int` and literal suffixes do not matter, and template arguments at the end
    may be left out where that leaves one kernel. Raises InputError for an unknown name (listing what is there) and
    for an ambiguous one (listing the signatures).
    """
    entries = module.entries
    wanted = wanted.strip()
    for entry in entries:
        if entry.name == wanted:
            return entry
    if len(wanted) > MAX_NAME:
        raise InputError(f"a kernel name of {len(wanted):,} characters", "kernel", "name a kernel of the file")
    target = normalise_name(wanted)
    exact = [e for e in entries if target in (normalise_name(e.demangled.name), normalise_name(str(e.demangled)))]
    found = exact or [e for e in entries if _is_shortened(target, normalise_name(e.demangled.name))]
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError(f"'{wanted}' names {len(found)} kernels", "kernel", f"name one of: {_listing(found)}")
    remedy = f"it has: {_listing(entries)}" if entries else "it has none; a kernel is a __global__ function"
    raise InputError(f"'{wanted}' is not a kernel of this file", "kernel", remedy)


def _listing(entries: Sequence[Function]) -> str:
    names = [str(entry.demangled) for entry in entries[:MAX_LISTED]]
    return "; ".join(names) + (f"; and {len(entries) - MAX_LISTED} more" if len(entries) > MAX_LISTED else "")


def _is_shortened(target: str, full: str) -> bool:
    """Whether `full` is `target` with (more) template arguments at its end."""
    stem = target.removesuffix(">").removesuffix("<")
    return full.startswith(stem) and full[len(stem) : len(stem) + 1] in ("<", ",")
