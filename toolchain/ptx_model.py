"""What parsed PTX is made of.

Source: NVIDIA "PTX ISA", chapters 4 (syntax), 5 (state spaces, types, variables) and 6 (operands).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from toolchain.demangle import Demangled

SPECIAL_REGISTERS = frozenset(
    [f"%{name}.{axis}" for name in ("tid", "ntid", "ctaid", "nctaid") for axis in "xyz"]
    + ["%laneid", "%warpid", "%nwarpid", "%smid", "%nsmid", "%gridid", "%clock", "%clock_hi", "%clock64"]
    + ["%globaltimer", "%globaltimer_lo", "%globaltimer_hi", "%dynamic_smem_size", "%total_smem_size"]
    + [f"%lanemask_{relation}" for relation in ("eq", "le", "lt", "ge", "gt")]
)
"""Read-only registers that need no declaration (PTX ISA chapter 10)."""


@dataclass(frozen=True, slots=True)
class Register:
    """A declared register."""

    name: str


@dataclass(frozen=True, slots=True)
class Special:
    """A read-only special register such as `%tid.x`."""

    name: str


@dataclass(frozen=True, slots=True)
class Discard:
    """The `_` that throws a result away."""


@dataclass(frozen=True, slots=True)
class Immediate:
    """An integer literal, with its sign as written."""

    value: int


@dataclass(frozen=True, slots=True)
class FloatImmediate:
    """A floating-point literal as IEEE 754 bits; `width` is 32 or 64."""

    bits: int
    width: int


@dataclass(frozen=True, slots=True)
class Symbol:
    """The address of a variable, a function, a parameter or a label, plus `offset` bytes."""

    name: str
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Address:
    """A memory operand: the bytes at `base` + `offset`; `base` None means an absolute address."""

    base: Register | Symbol | None
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Not:
    """A negated predicate operand, `!%p`."""

    register: Register


@dataclass(frozen=True, slots=True)
class Pair:
    """Two results of one instruction, `%r1|%p1`."""

    first: Register | Discard
    second: Register | Discard


@dataclass(frozen=True, slots=True)
class Vector:
    """`{a, b}` or `{a, b, c, d}`: the elements of a vector access, or the halves that a `mov` packs."""

    items: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Arguments:
    """A parenthesised list: the results or the arguments of a call."""

    items: tuple[Operand, ...]


Operand = Register | Special | Discard | Immediate | FloatImmediate | Symbol | Address | Not | Pair | Vector | Arguments


@dataclass(frozen=True, slots=True)
class Guard:
    """`@%p` or `@!%p`: the instruction happens only where the predicate holds (or, negated, does not)."""

    register: str
    negated: bool


@dataclass(frozen=True, slots=True)
class Instruction:
    """One PTX instruction.

    opcode:   the parts between the dots: `ld.global.b32` is ("ld", "global", "b32")
    line:     the user's source line, None when the PTX does not say
    ptx_line: line of the PTX text
    """

    opcode: tuple[str, ...]
    operands: tuple[Operand, ...]
    guard: Guard | None
    line: int | None
    ptx_line: int

    def __str__(self) -> str:
        return ".".join(self.opcode)


@dataclass(frozen=True, slots=True)
class Label:
    """A branch target inside a body."""

    name: str
    ptx_line: int


@dataclass(frozen=True, slots=True)
class Relocation:
    """Bytes of an initialiser that hold an address: of `symbol` + `addend`, at byte `offset` of the variable."""

    offset: int
    symbol: str
    addend: int


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of a module or of a function.

    space:   "global", "shared", "const", "local" or "param"
    type:    element type without the dot ("b8", "u32", ..)
    dims:    array dimensions, () for a scalar; a dimension left open (dynamic shared memory) is None
    align:   bytes
    size:    bytes, 0 when a dimension is open
    initial: the bytes that the initialiser gives (the rest of the variable is zero), None without one
    linkage: "visible", "extern", "weak", "common" or ""
    """

    name: str
    space: str
    type: str
    dims: tuple[int | None, ...]
    align: int
    size: int
    initial: bytes | None
    relocations: tuple[Relocation, ...]
    linkage: str
    ptx_line: int


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter or a return value.

    space:   "param", or "reg" for a device function that passes in registers
    dims:    array dimensions (a struct is an array of b8), () for a scalar
    align:   bytes; size: bytes
    pointer: True where the compiler says that it is a pointer (clang 20 and later)
    """

    name: str
    space: str
    type: str
    dims: tuple[int | None, ...]
    align: int
    size: int
    pointer: bool


@dataclass(frozen=True, slots=True)
class RegisterRange:
    """Declared registers: one called `prefix` when `count` is None, else `prefix`0 .. `prefix`(count - 1)."""

    prefix: str
    count: int | None
    type: str


@dataclass(frozen=True)
class Function:
    """A kernel (`is_entry`) or a device function; `body` is empty for a mere declaration.

    branch_targets: the labels of each `.branchtargets` list, by the name of the list
    directives:     `.maxntid` and its like, as (name without the dot, numbers)
    """

    name: str
    demangled: Demangled
    is_entry: bool
    linkage: str
    parameters: tuple[Parameter, ...]
    returns: tuple[Parameter, ...]
    registers: tuple[RegisterRange, ...]
    variables: tuple[Variable, ...]
    body: tuple[Instruction | Label, ...]
    branch_targets: Mapping[str, tuple[str, ...]]
    directives: tuple[tuple[str, tuple[int, ...]], ...]
    ptx_line: int

    def register_type(self, name: str) -> str | None:
        """The declared type of a register ("pred", "b32", ..), None when the function declares no such register."""
        found = lookup_register(self._register_table, name)
        return found[1].type if found else None

    @cached_property
    def _register_table(self) -> RegisterTable:
        return {(r.prefix, r.count is not None): (r.prefix, r) for r in self.registers}


@dataclass(frozen=True, slots=True)
class Module:
    """A parsed PTX file; `version` and `target` as printed, `address_size` in bits (32 or 64)."""

    version: str
    target: str
    address_size: int
    variables: tuple[Variable, ...]
    functions: tuple[Function, ...]

    @property
    def entries(self) -> tuple[Function, ...]:
        """The kernels that have a body."""
        return tuple(f for f in self.functions if f.is_entry and f.body)


def type_size(name: str) -> int:
    """Bytes of a PTX type (`name` without the dot); a predicate counts as one byte, a texture handle as eight."""
    packed = {"pred": 1, "f16x2": 4, "bf16x2": 4, "bf16": 2, "texref": 8, "samplerref": 8, "surfref": 8}
    return packed[name] if name in packed else int(name.lstrip("bsuf")) // 8


RegisterTable = dict[tuple[str, bool], tuple[str, RegisterRange]]
"""(name as written, whether it is a range) -> (name in the flattened function, declaration)."""


def lookup_register(table: RegisterTable, name: str) -> tuple[str, RegisterRange] | None:
    """The name in the flattened function and the declaration of the register written `name`."""
    if (name, False) in table:
        return table[name, False]
    digits = len(name) - len(name.rstrip("0123456789"))
    for length in range(1, min(digits, 9) + 1):
        prefix, number = name[:-length], name[-length:]
        found = table.get((prefix, True))
        if found and int(number) < (found[1].count or 0) and str(int(number)) == number:
            return found[0] + number, found[1]
    return None
