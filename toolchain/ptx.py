"""PTX text to frozen dataclasses, and the entry that a launch names.

Grammar: `ptx.lark`. Every opcode is accepted here; whether the machine has it is the lowering's business. Names are
resolved: an operand is a `Register` only when its function declares it. Nested `{ }` scopes are flattened into one
body, and a declaration whose name is already taken in the function (`param0` of the second call) gets a fresh one.
PTX text is untrusted: length, nesting and every number are bounded before anything is allocated from them.
Source: NVIDIA "PTX ISA", chapters 4 (syntax), 5 (state spaces, types, variables) and 6 (operands).
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib import resources
from typing import Any

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedInput, UnexpectedToken, VisitError

from engine.machine.errors import InputError, UnsupportedError
from toolchain.demangle import MAX_NAME, Demangled, demangle, normalise_name

MAX_PTX_BYTES = 1 << 19
"""Longest PTX text that is read (bytes). The machine's program memory is filled by far less."""

MAX_SCOPES = 64
"""Deepest nesting of `{ }` in a function or an initialiser."""

_BODY_DEPTH = 2  # scopes open in a function's own body: parameters, body

MAX_SIZE = 1 << 32
"""Largest number of bytes that one variable or parameter may claim."""

SOURCE_NAME = "kernel.cu"
"""The name under which `compile_cuda` compiles the user's text, hence the file name in the PTX's line table."""

SPECIAL_REGISTERS = frozenset(
    [f"%{name}.{axis}" for name in ("tid", "ntid", "ctaid", "nctaid") for axis in "xyz"]
    + ["%laneid", "%warpid", "%nwarpid", "%smid", "%nsmid", "%gridid", "%clock", "%clock_hi", "%clock64"]
    + ["%globaltimer", "%globaltimer_lo", "%globaltimer_hi", "%dynamic_smem_size", "%total_smem_size"]
    + [f"%lanemask_{relation}" for relation in ("eq", "le", "lt", "ge", "gt")]
)
"""Read-only registers that need no declaration (PTX ISA chapter 10)."""

_WARP_SIZE = 32  # the value of PTX's WARP_SZ; CUDA's warp width on every NVIDIA GPU and on the machine


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
        found = _lookup_register(self._register_table, name)
        return found[1].type if found else None

    @cached_property
    def _register_table(self) -> _Registers:
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


def parse_ptx(text: str, source_name: str | None = SOURCE_NAME) -> Module:
    """Parse PTX text.

    source_name: base name of the user's source in the PTX's `.file` table; instructions that come from another file
                 carry the line from which that file's code was inlined, or the last known line.
    Raises InputError (with the PTX line) for text that is not PTX or exceeds a bound, UnsupportedError for valid
    forms that have no meaning on the machine.
    """
    if len(text) > MAX_PTX_BYTES:
        raise InputError(f"the PTX has {len(text):,} characters", "PTX", f"give at most {MAX_PTX_BYTES:,}")
    try:
        raw: _RawModule = _parser().parse(text)  # type: ignore[assignment]
    except UnexpectedInput as error:
        raise _malformed(_near(error, text), _line_of(error, text)) from None
    except VisitError as error:
        if isinstance(error.orig_exc, (InputError, UnsupportedError)):
            raise error.orig_exc from None
        raise
    return _resolve_module(raw, source_name)


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
        listing = "; ".join(str(e.demangled) for e in found)
        raise InputError(f"'{wanted}' names {len(found)} kernels", "kernel", f"name one of: {listing}")
    there = "; ".join(str(e.demangled) for e in entries)
    remedy = f"it has: {there}" if there else "it has none; a kernel is a __global__ function"
    raise InputError(f"'{wanted}' is not a kernel of this file", "kernel", remedy)


def _is_shortened(target: str, full: str) -> bool:
    """Whether `full` is `target` with (more) template arguments at its end."""
    stem = target.removesuffix(">").removesuffix("<")
    return full.startswith(stem) and full[len(stem) : len(stem) + 1] in ("<", ",")


# ------------------------------------------------------------------------------------------------ errors


def _malformed(what: str, line: int) -> InputError:
    return InputError(what, f"PTX line {line}", "give PTX as clang or nvcc write it", line=line)


def _near(error: UnexpectedInput, text: str) -> str:
    if isinstance(error, UnexpectedToken):
        if error.token.type == "$END":
            return "the PTX ends in the middle of something"
        return f"malformed PTX at '{str(error.token)[:40]}'"
    position = error.pos_in_stream or 0
    return f"malformed PTX at '{text[position : position + 20].splitlines()[0]}'"


def _line_of(error: UnexpectedInput, text: str) -> int:
    line = getattr(error, "line", None)
    return line if isinstance(line, int) and line > 0 else text.count("\n") + 1


# ------------------------------------------------------------------------------------------------ raw syntax


@dataclass(slots=True)
class _RawModule:
    version: str = ""
    target: str = ""
    address_size: int = 64
    files: dict[int, str] = field(default_factory=dict)
    variables: list[Variable] = field(default_factory=list)
    functions: list[_RawFunction] = field(default_factory=list)


@dataclass(slots=True)
class _RawFunction:
    linkage: str = ""
    is_entry: bool = False
    name: str = ""
    ptx_line: int = 0
    returns: tuple[Parameter, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    directives: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)
    body: _Scope | None = None


@dataclass(slots=True)
class _Scope:
    statements: list[Any]


@dataclass(frozen=True, slots=True)
class _Location:
    """A `.loc`: places from the innermost inlined one outwards, as (file number, line)."""

    places: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class _File:
    number: int
    name: str


@dataclass(frozen=True, slots=True)
class _BranchTargets:
    labels: tuple[str, ...]
    ptx_line: int


@dataclass(frozen=True, slots=True)
class _Dimensions:
    sizes: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class _Initial:
    """The constants between braces, inner braces taken away; `depth` says how many there were."""

    values: list[Immediate | FloatImmediate | Symbol]
    depth: int


@dataclass(frozen=True, slots=True)
class _Align:
    bytes: int


@dataclass(frozen=True, slots=True)
class _Pointer:
    """The `.ptr` attribute of a parameter."""


@dataclass(frozen=True, slots=True)
class _Returns:
    items: tuple[Parameter, ...]


@dataclass(frozen=True, slots=True)
class _Parameters:
    items: tuple[Parameter, ...]


@dataclass(frozen=True, slots=True)
class _Directive:
    name: str
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Fact:
    """A header line of the module."""

    name: str
    value: Any


def _integer(text: str) -> int:
    """Value of a PTX integer literal: decimal, hexadecimal, octal or binary, with an optional sign and U."""
    digits = text.replace(" ", "").replace("\t", "").removesuffix("U").lstrip("+")
    sign = -1 if digits.startswith("-") else 1
    digits = digits.lstrip("-")
    if len(digits) > 66:
        raise ValueError("a literal longer than 64 bits")
    if len(digits) > 1 and digits[0] == "0" and digits[1].isdigit():
        return sign * int(digits, 8)
    return sign * int(digits, 0)


def _offset(token: Token | None) -> int:
    """Value of an OFFSET token (`+4`, `+-4`, `-4`)."""
    return _literal(token) if token is not None else 0


def _literal(token: Token) -> int:
    try:
        value = _integer(str(token))
    except ValueError:
        raise _malformed(f"'{str(token)[:40]}' is not a number", token.line or 0) from None
    if not -(1 << 63) <= value < 1 << 64:
        raise _malformed(f"'{str(token)[:40]}' does not fit 64 bits", token.line or 0)
    return value


def _float_literal(token: Token) -> FloatImmediate:
    """`0f` and `0d` literals are bits; a decimal one is double precision (PTX ISA 4.5.2)."""
    text = str(token).lower()
    negative, digits = text.startswith("-"), text.lstrip("-")
    if digits.startswith(("0f", "0d")):
        width = 32 if digits[1] == "f" else 64
        return FloatImmediate(int(digits[2:], 16) ^ (negative << (width - 1)), width)
    return FloatImmediate(int.from_bytes(struct.pack("<d", float(text)), "little"), 64)


def _measure(type_name: str, dims: tuple[int | None, ...], token: Token) -> int:
    """Bytes of an array of `type_name`, 0 with an open dimension."""
    size = type_size(type_name)
    for dim in dims:
        size *= dim or 0
    if not 0 <= size <= MAX_SIZE:
        raise _malformed(f"'{token}' is {size:,} bytes large", token.line or 0)
    return size


@v_args(inline=True)
class _Build(Transformer):
    """Turns each reduced rule into its raw dataclass while parsing, so no tree is ever walked recursively."""

    # ---- module
    def start(self, *items: Any) -> _RawModule:
        module = _RawModule()
        for item in items:
            match item:
                case Variable():
                    module.variables.append(item)
                case _RawFunction():
                    module.functions.append(item)
                case _File():
                    module.files[item.number] = item.name
                case _Fact():
                    setattr(module, item.name, item.value)
        for function in module.functions:  # nvcc and old clangs may put .file inside a body
            if function.body is not None:
                module.files.update({s.number: s.name for s in function.body.statements if isinstance(s, _File)})
        return module

    def version(self, number: Token) -> _Fact:
        return _Fact("version", str(number))

    def target(self, *names: Token) -> _Fact:
        return _Fact("target", ", ".join(names))

    def address_size(self, bits: Token) -> _Fact:
        return _Fact("address_size", _literal(bits))

    def alias(self, first: Token, _second: Token) -> None:
        raise UnsupportedError("a function alias (.alias)", f"PTX line {first.line}", "call the function by its name")

    def section(self, _text: Token) -> None:
        return None

    def file(self, number: Token, name: Token, *_rest: Token) -> _File:
        return _File(_literal(number), re.split(r"[/\\]", str(name)[1:-1])[-1])

    def loc(self, file: Token, line: Token, _column: Token, *arguments: Any) -> _Location:
        places = [(_literal(file), _literal(line))]
        keyword = ""
        for argument in arguments:
            if isinstance(argument, Token):
                keyword, numbers = str(argument), []
            elif keyword == "inlined_at":
                numbers.append(argument)
                if len(numbers) == 2:
                    places.append((numbers[0], numbers[1]))
        return _Location(tuple(places))

    def loc_argument(self, value: Token, _offset: Token | None = None) -> int | None:
        return _literal(value) if value.type == "INTEGER" else None

    # ---- functions
    def function(self, *parts: Any) -> _RawFunction:
        function = _RawFunction()
        for part in parts:
            match part:
                case Token(type="LINKAGE"):
                    function.linkage = str(part)[1:]
                case Token(type="KIND"):
                    function.is_entry = part == ".entry"
                case Token(type="NAME"):
                    function.name, function.ptx_line = str(part), part.line or 0
                case _Returns():
                    function.returns = part.items
                case _Parameters():
                    function.parameters = part.items
                case _Directive():
                    function.directives.append((part.name, part.numbers))
                case _Scope():
                    function.body = part
        return function

    def returns(self, *items: Parameter | None) -> _Returns:
        return _Returns(tuple(item for item in items if item is not None))

    def parameters(self, *items: Parameter | None) -> _Parameters:
        return _Parameters(tuple(item for item in items if item is not None))

    def parameter(self, holder: Token, *parts: Any) -> Parameter:
        dims: tuple[int | None, ...] = ()
        align, pointer, type_name, pointee_follows = 0, False, "", False
        name = holder
        for part in parts:
            match part:
                case Token(type="TYPE"):
                    type_name = str(part)[1:]
                case Token(type="NAME"):
                    name = part
                case _Dimensions():
                    dims = part.sizes
                case _Pointer():
                    pointer = pointee_follows = True
                case _Align() if not pointee_follows:  # after .ptr it is the alignment of what is pointed to
                    align = part.bytes
        size = _measure(type_name, dims, name)
        return Parameter(str(name), str(holder)[1:], type_name, dims, align or type_size(type_name), size, pointer)

    def pointer(self, _space: Token | None = None) -> _Pointer:
        return _Pointer()

    def align(self, number: Token) -> _Align:
        return _Align(max(1, _literal(number)))

    def directive(self, name: Token, *numbers: Token) -> _Directive:
        return _Directive(str(name)[1:], tuple(_literal(n) for n in numbers))

    def pragma(self, *_strings: Token) -> None:
        return None

    def body(self, *statements: Any) -> _Scope:
        return _Scope([s for s in statements if s is not None])

    def registers(self, *parts: Any) -> list[RegisterRange]:
        if isinstance(parts[0], Token) and parts[0].type == "VECTOR":
            raise UnsupportedError("a vector register", f"PTX line {parts[0].line}", "use scalar registers")
        type_name = str(parts[0])[1:]
        return [RegisterRange(name, count, type_name) for name, count in parts[1:]]

    def register(self, name: Token, count: Token | None = None) -> tuple[str, int | None]:
        return str(name), None if count is None else _literal(count)

    def label(self, name: Token) -> Label:
        return Label(str(name)[:-1], name.line or 0)

    def branch_targets(self, *labels: Token) -> _BranchTargets:
        return _BranchTargets(tuple(map(str, labels)), labels[0].line or 0)

    def call_prototype(self, *_parts: Any) -> None:
        return None  # an indirect call is refused at the call, where the source line is known

    # ---- variables
    def variable(self, *parts: Any) -> Variable:
        linkage, space, align, type_name, dims = "", "", 0, "", ()
        initial: Any = None
        lanes = 1
        name = Token("NAME", "")
        for part in parts:
            match part:
                case Token(type="LINKAGE"):
                    linkage = str(part)[1:]
                case Token(type="SPACE") | Token(type="PARAM"):
                    space = str(part)[1:]
                case Token(type="VECTOR"):
                    lanes = int(str(part)[2:])
                case Token(type="TYPE"):
                    type_name = str(part)[1:]
                case Token(type="NAME"):
                    name = part
                case _Align():
                    align = part.bytes
                case _Dimensions():
                    dims = part.sizes
                case _:
                    initial = part
        if lanes > 1:
            dims = (*dims, lanes)
        size = _measure(type_name, dims, name)
        content, relocations = _initial_bytes(initial, type_size(type_name), name)
        if None not in dims and content is not None and len(content) > size:
            raise _malformed(f"'{name}' has more initial values than elements", name.line or 0)
        align = align or type_size(type_name) * lanes
        return Variable(str(name), space, type_name, dims, align, size, content, relocations, linkage, name.line or 0)

    def dimensions(self, *sizes: int | None) -> _Dimensions:
        return _Dimensions(sizes)

    def dimension(self, size: Token | None = None) -> int | None:
        return None if size is None else _literal(size)

    def initial_list(self, *items: Any) -> _Initial:
        inner = [item for item in items if isinstance(item, _Initial)]
        depth = 1 + max((item.depth for item in inner), default=0)
        if depth > MAX_SCOPES:
            raise InputError(f"initial values nested deeper than {MAX_SCOPES}", "PTX", "use fewer dimensions")
        return _Initial([v for i in items for v in (i.values if isinstance(i, _Initial) else [i])], depth)

    def initial_integer(self, token: Token) -> Immediate:
        return Immediate(_literal(token))

    def initial_float(self, token: Token) -> FloatImmediate:
        return _float_literal(token)

    def initial_address(self, name: Token, offset: Token | None = None) -> Symbol:
        return Symbol(str(name), _offset(offset))

    def initial_mask(self, mask: Token, _value: Any) -> None:
        raise UnsupportedError("an address cut into bytes", f"PTX line {mask.line}", "keep no pointers in a table")

    # ---- instructions
    def instruction(self, *parts: Any) -> Instruction:
        guard = parts[0] if isinstance(parts[0], Guard) else None
        opcode: Token = parts[1 if guard else 0]
        operands = parts[2 if guard else 1 :]
        return Instruction(tuple(str(opcode).split(".")), operands, guard, None, opcode.line or 0)

    def guard(self, *parts: Token) -> Guard:
        return Guard(str(parts[-1]), len(parts) == 2)

    def name(self, name: Token, offset: Token | None = None) -> Symbol:
        return Symbol(str(name), _offset(offset))

    def negated(self, _sign: Token, name: Token) -> Not:
        return Not(Register(str(name)))

    def pair(self, first: Token, second: Token) -> Pair:
        return Pair(Register(str(first)), Register(str(second)))

    def integer(self, token: Token) -> Immediate:
        return Immediate(_literal(token))

    def float(self, token: Token) -> FloatImmediate:
        return _float_literal(token)

    def address(self, name: Token, offset: Token | None = None) -> Address:
        return Address(Symbol(str(name)), _offset(offset))

    def absolute(self, token: Token) -> Address:
        return Address(None, _literal(token))

    def vector(self, *items: Operand) -> Vector:
        return Vector(items)

    def arguments(self, *items: Operand | None) -> Arguments:
        return Arguments(tuple(item for item in items if item is not None))


def _initial_bytes(initial: Any, element: int, name: Token) -> tuple[bytes | None, tuple[Relocation, ...]]:
    """Bytes and addresses of an initialiser whose elements are `element` bytes large, little endian."""
    if initial is None:
        return None, ()
    content = bytearray()
    relocations = []
    for item in initial.values if isinstance(initial, _Initial) else [initial]:
        match item:
            case Immediate(value=value):
                bits = value
            case FloatImmediate(bits=bits):
                pass
            case Symbol():
                relocations.append(Relocation(len(content), item.name, item.offset))
                bits = 0
            case _:
                raise _malformed(f"'{name}' has an initial value that is no constant", name.line or 0)
        content += (bits & ((1 << 8 * element) - 1)).to_bytes(element, "little")
    return bytes(content), tuple(relocations)


@cache
def _parser() -> Lark:
    grammar = resources.files("toolchain").joinpath("ptx.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer="contextual", transformer=_Build(), maybe_placeholders=False)


# ------------------------------------------------------------------------------------------------ names and scopes


_Registers = dict[tuple[str, bool], tuple[str, RegisterRange]]
"""(name as written, whether it is a range) -> (name in the flattened function, declaration)."""


def _lookup_register(table: _Registers, name: str) -> tuple[str, RegisterRange] | None:
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


@dataclass(slots=True)
class _Names:
    """What the names of one `{ }` scope mean, in terms of the flattened function."""

    renamed: dict[str, str] = field(default_factory=dict)  # variables and labels
    registers: _Registers = field(default_factory=dict)


class _Flatten:
    """Resolves the body of one function: scopes to one list, names to operands, `.loc` to source lines."""

    def __init__(self, raw: _RawFunction, line_of: Callable[[_Location], int | None]) -> None:
        self.raw = raw
        self.line_of = line_of
        self.taken = {p.name for p in (*raw.parameters, *raw.returns)}
        self.copies: dict[str, int] = {}
        self.scopes: list[_Names] = []
        self.registers: list[RegisterRange] = [
            RegisterRange(p.name, None, p.type) for p in (*raw.parameters, *raw.returns) if p.space == "reg"
        ]
        self.variables: list[Variable] = []
        self.body: list[Instruction | Label] = []
        self.branch_targets: dict[str, tuple[str, ...]] = {}
        self.line: int | None = None
        self.known: dict[str, Operand] = {}

    def run(self) -> None:
        if self.raw.body is not None:
            self.scopes.append(_Names(registers={(r.prefix, False): (r.prefix, r) for r in self.registers}))
            self.scope(self.raw.body)

    def scope(self, scope: _Scope) -> None:
        if len(self.scopes) > MAX_SCOPES:
            raise _malformed(f"scopes nested deeper than {MAX_SCOPES}", self.raw.ptx_line)
        names = _Names()
        self.scopes.append(names)
        self.known = {}
        for statement in scope.statements:  # a label may be used before it stands
            if isinstance(statement, Label):
                names.renamed[statement.name] = self.fresh(statement.name)
        for statement in scope.statements:
            self.statement(statement, names)
        self.scopes.pop()
        self.known = {}

    def statement(self, statement: Any, names: _Names) -> None:
        match statement:
            case Instruction():
                self.instruction(statement)
            case Label():
                self.body.append(Label(names.renamed[statement.name], statement.ptx_line))
            case _Location():
                self.line = self.line_of(statement) or self.line
            case Variable():
                names.renamed[statement.name] = self.fresh(statement.name)
                self.variables.append(replace(statement, name=names.renamed[statement.name]))
                self.known = {}
            case list():
                for declared in statement:
                    self.declare(declared, names)
                self.known = {}
            case _Scope():
                self.scope(statement)
            case _BranchTargets():
                last = self.body[-1] if self.body else None
                if not isinstance(last, Label):
                    raise _malformed(".branchtargets without a label", statement.ptx_line)
                self.branch_targets[last.name] = tuple(self.renamed(label) or label for label in statement.labels)

    def declare(self, declared: RegisterRange, names: _Names) -> None:
        is_range = declared.count is not None
        if _lookup_register(names.registers, declared.prefix):
            raise _malformed(f"'{declared.prefix}' is declared twice", self.raw.ptx_line)
        prefix = declared.prefix
        if len(self.scopes) > _BODY_DEPTH:  # `%p1` of an inner scope hides that of an outer `%p<7>`
            self.taken.add(prefix)
            prefix = self.fresh(prefix) + "_"  # so that no range's number can complete it
        self.taken.add(prefix)
        names.registers[declared.prefix, is_range] = (prefix, declared)
        self.registers.append(replace(declared, prefix=prefix))

    def fresh(self, name: str) -> str:
        """`name`, or a variant of it that nothing in the function has yet."""
        candidate = name
        while candidate in self.taken:
            self.copies[name] = self.copies.get(name, 0) + 1
            candidate = f"{name}${self.copies[name]}"
        self.taken.add(candidate)
        return candidate

    def renamed(self, name: str) -> str | None:
        return next((s.renamed[name] for s in reversed(self.scopes) if name in s.renamed), None)

    def instruction(self, raw: Instruction) -> None:
        guard = raw.guard
        if guard is not None:
            guard = replace(guard, register=self.register(guard.register, raw.ptx_line).name)
        operands = tuple(self.operand(operand, raw.ptx_line) for operand in raw.operands)
        self.body.append(Instruction(raw.opcode, operands, guard, self.line, raw.ptx_line))

    def operand(self, raw: Operand, ptx_line: int) -> Operand:
        match raw:
            case Symbol():
                return self.named(raw, ptx_line)
            case Address(base=Symbol() as base, offset=offset):
                resolved = self.named(base, ptx_line)
                if not isinstance(resolved, (Register, Symbol)):
                    raise _malformed(f"'{base.name}' is no address", ptx_line)
                return Address(resolved, offset)
            case Not(register=register):
                return Not(self.register(register.name, ptx_line))
            case Pair(first=first, second=second):
                return Pair(self.result(first, ptx_line), self.result(second, ptx_line))
            case Vector(items=items):
                return Vector(tuple(self.operand(item, ptx_line) for item in items))
            case Arguments(items=items):
                return Arguments(tuple(self.operand(item, ptx_line) for item in items))
            case _:
                return raw

    def result(self, raw: Any, ptx_line: int) -> Register | Discard:
        return Discard() if raw.name == "_" else self.register(raw.name, ptx_line)

    def register(self, name: str, ptx_line: int) -> Register:
        found = self.named(Symbol(name), ptx_line)
        if not isinstance(found, Register):
            raise _malformed(f"'{name}' is not a declared register", ptx_line)
        return found

    def named(self, raw: Symbol, ptx_line: int) -> Operand:
        if raw.name not in self.known:
            self.known[raw.name] = self.lookup(raw.name, ptx_line)
        found = self.known[raw.name]
        if raw.offset == 0:
            return found
        if isinstance(found, Symbol):
            return replace(found, offset=raw.offset)
        raise _malformed(f"'{raw.name}' takes no offset", ptx_line)

    def lookup(self, name: str, ptx_line: int) -> Operand:
        for scope in reversed(self.scopes):
            register = _lookup_register(scope.registers, name)
            if register:
                return Register(register[0])
            if name in scope.renamed:
                return Symbol(scope.renamed[name])
        if name == "_":
            return Discard()
        if name == "WARP_SZ":
            return Immediate(_WARP_SIZE)
        if name.startswith("%"):
            if name not in SPECIAL_REGISTERS:
                raise _malformed(f"'{name}' is not a declared register", ptx_line)
            return Special(name)
        return Symbol(name)


def _resolve_module(raw: _RawModule, source_name: str | None) -> Module:
    users = {number for number, name in raw.files.items() if name == source_name}

    def line_of(location: _Location) -> int | None:
        """The line in the user's file, from the innermost place outwards; line 0 means "nowhere" in DWARF."""
        return next((line for file, line in location.places if file in users and line > 0), None)

    functions = tuple(_resolve_function(f, line_of) for f in _definitions(raw.functions))
    return Module(raw.version, raw.target, raw.address_size, tuple(raw.variables), functions)


def _definitions(functions: list[_RawFunction]) -> Iterator[_RawFunction]:
    """Each function once: a definition wins over its forward declarations."""
    defined = {f.name for f in functions if f.body is not None}
    seen: set[str] = set()
    for function in functions:
        if function.body is None and (function.name in defined or function.name in seen):
            continue
        if function.name in seen:
            raise _malformed(f"'{function.name}' is defined twice", function.ptx_line)
        seen.add(function.name)
        yield function


def _resolve_function(raw: _RawFunction, line_of: Callable[[_Location], int | None]) -> Function:
    flat = _Flatten(raw, line_of)
    flat.run()
    return Function(
        raw.name, demangle(raw.name), raw.is_entry, raw.linkage, raw.parameters, raw.returns, tuple(flat.registers),
        tuple(flat.variables), tuple(flat.body), flat.branch_targets, tuple(raw.directives), raw.ptx_line,
    )  # fmt: skip
