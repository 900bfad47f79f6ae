"""PTX text to statements, by the grammar in `ptx.lark`: names still as they were written.

Text is untrusted: every number is bounded before anything is allocated from it, and nothing here recurses.
"""

from __future__ import annotations

import re
import struct
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedInput, UnexpectedToken, VisitError

from engine.machine.errors import InputError, UnsupportedError
from toolchain.kept import folder
from toolchain.ptx_model import (
    Address,
    Arguments,
    FloatImmediate,
    Guard,
    Immediate,
    Instruction,
    Label,
    Not,
    Operand,
    Pair,
    Parameter,
    Register,
    RegisterRange,
    Relocation,
    Symbol,
    Variable,
    Vector,
    type_size,
)

MAX_SCOPES = 64
"""Deepest nesting of `{ }` in a function or an initialiser."""

MAX_SIZE = 1 << 32
"""Largest number of bytes that one variable or parameter may claim."""


def parse_syntax(text: str) -> RawModule:
    """Statements of a PTX text. Raises InputError with the line, UnsupportedError for what has no meaning here."""
    try:
        return _parser().parse(text)  # type: ignore[return-value]
    except UnexpectedInput as error:
        raise malformed(_near(error, text), _line_of(error, text)) from None
    except VisitError as error:
        if isinstance(error.orig_exc, (InputError, UnsupportedError)):
            raise error.orig_exc from None
        raise


def malformed(what: str, line: int) -> InputError:
    """The refusal of PTX text at a line of it."""
    return InputError(what, f"PTX line {line}", "give PTX as clang or nvcc write it", line=line)


def _near(error: UnexpectedInput, text: str) -> str:
    if isinstance(error, UnexpectedToken):
        if error.token.type == "$END":
            return "the PTX ends in the middle of something"
        return f"malformed PTX at '{_printable(error.token)}'"
    position = error.pos_in_stream or 0
    return f"malformed PTX at '{_printable(text[position : position + 20])}'"


def _printable(text: str) -> str:
    """The start of a text as one line without control characters."""
    first = (text.splitlines() or [""])[0][:40]
    return "".join(character if character.isprintable() else "?" for character in first)


def _line_of(error: UnexpectedInput, text: str) -> int:
    line = getattr(error, "line", None)
    return line if isinstance(line, int) and line > 0 else text.count("\n") + 1


@dataclass(slots=True)
class RawModule:
    """A PTX file; `files` is its table of source files, as base names by number."""

    version: str = ""
    target: str = ""
    address_size: int = 64
    files: dict[int, str] = field(default_factory=dict)
    variables: list[Variable] = field(default_factory=list)
    functions: list[RawFunction] = field(default_factory=list)


@dataclass(slots=True)
class RawFunction:
    """A function whose body still has its scopes and its names as written; None without a body."""

    linkage: str = ""
    is_entry: bool = False
    name: str = ""
    ptx_line: int = 0
    returns: tuple[Parameter, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    directives: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)
    body: Scope | None = None


@dataclass(slots=True)
class Scope:
    """The statements between `{` and `}`."""

    statements: list[Any]


@dataclass(frozen=True, slots=True)
class Location:
    """A `.loc`: places from the innermost inlined one outwards, as (file number, line)."""

    places: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class File:
    """A `.file`: its number and base name."""

    number: int
    name: str


@dataclass(frozen=True, slots=True)
class BranchTargets:
    """A `.branchtargets` list."""

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
        raise malformed(f"'{_printable(token)}' is not a number", token.line or 0) from None
    if not -(1 << 63) <= value < 1 << 64:
        raise malformed(f"'{_printable(token)}' does not fit 64 bits", token.line or 0)
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
        raise malformed(f"'{token}' is {size:,} bytes large", token.line or 0)
    return size


@v_args(inline=True)
class _Build(Transformer):
    """Turns each reduced rule into its raw dataclass while parsing, so no tree is ever walked recursively."""

    # ---- module
    def start(self, *items: Any) -> RawModule:
        module = RawModule()
        for item in items:
            match item:
                case Variable():
                    module.variables.append(item)
                case RawFunction():
                    module.functions.append(item)
                case File():
                    module.files[item.number] = item.name
                case _Fact():
                    setattr(module, item.name, item.value)
        for function in module.functions:  # nvcc and old clangs may put .file inside a body
            if function.body is not None:
                module.files.update({s.number: s.name for s in function.body.statements if isinstance(s, File)})
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

    def file(self, number: Token, name: Token, *_rest: Token) -> File:
        return File(_literal(number), re.split(r"[/\\]", str(name)[1:-1])[-1])

    def loc(self, file: Token, line: Token, _column: Token, *arguments: Any) -> Location:
        places = [(_literal(file), _literal(line))]
        keyword = ""
        for argument in arguments:
            if isinstance(argument, Token):
                keyword, numbers = str(argument), []
            elif keyword == "inlined_at":
                numbers.append(argument)
                if len(numbers) == 2:
                    places.append((numbers[0], numbers[1]))
        return Location(tuple(places))

    def loc_argument(self, value: Token, _offset: Token | None = None) -> int | None:
        return _literal(value) if value.type == "INTEGER" else None

    # ---- functions
    def function(self, *parts: Any) -> RawFunction:
        function = RawFunction()
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
                case Scope():
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

    def body(self, *statements: Any) -> Scope:
        return Scope([s for s in statements if s is not None])

    def registers(self, *parts: Any) -> list[RegisterRange]:
        if isinstance(parts[0], Token) and parts[0].type == "VECTOR":
            raise UnsupportedError("a vector register", f"PTX line {parts[0].line}", "use scalar registers")
        type_name = str(parts[0])[1:]
        return [RegisterRange(name, count, type_name) for name, count in parts[1:]]

    def register(self, name: Token, count: Token | None = None) -> tuple[str, int | None]:
        return str(name), None if count is None else _literal(count)

    def label(self, name: Token) -> Label:
        return Label(str(name)[:-1].rstrip(), name.line or 0)

    def branch_targets(self, *labels: Token) -> BranchTargets:
        return BranchTargets(tuple(map(str, labels)), labels[0].line or 0)

    def call_prototype(self, *_parts: Any) -> None:
        return None  # an indirect call is refused at the call, where the source line is known

    # ---- variables
    def variable(self, *parts: Any) -> Variable:
        linkage, space, align, type_name = "", "", 0, ""
        dims: tuple[int | None, ...] = ()
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
            raise malformed(f"'{name}' has more initial values than elements", name.line or 0)
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
                raise malformed(f"'{name}' has an initial value that is no constant", name.line or 0)
        content += (bits & ((1 << 8 * element) - 1)).to_bytes(element, "little")
    return bytes(content), tuple(relocations)


@cache
def _parser() -> Lark:
    """The parser. Making its tables takes longer than lowering a kernel: Lark keeps them in a file, and makes them again where
    that is missing, damaged or of another grammar, or cannot be written."""
    grammar = resources.files("toolchain").joinpath("ptx.lark").read_text(encoding="utf-8")
    with suppress(OSError):
        folder().mkdir(parents=True, exist_ok=True)
    return Lark(
        grammar,
        parser="lalr",
        lexer="contextual",
        transformer=_Build(),
        maybe_placeholders=False,
        cache=str(folder() / "ptx-tables"),
    )
