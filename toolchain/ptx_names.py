"""Statements of PTX to functions: scopes flattened, names told apart, source lines looked up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from toolchain.demangle import demangle
from toolchain.ptx_model import (
    SPECIAL_REGISTERS,
    Address,
    Arguments,
    Discard,
    Function,
    Immediate,
    Instruction,
    Label,
    Module,
    Not,
    Operand,
    Pair,
    Register,
    RegisterRange,
    RegisterTable,
    Special,
    Symbol,
    Variable,
    Vector,
    lookup_register,
)
from toolchain.ptx_syntax import MAX_SCOPES, BranchTargets, Location, RawFunction, RawModule, Scope, malformed

_WARP_SIZE = 32  # the value of PTX's WARP_SZ; CUDA's warp width on every NVIDIA GPU and on the machine
_BODY_DEPTH = 2  # scopes open in a function's own body: parameters, body


@dataclass(slots=True)
class _Names:
    """What the names of one `{ }` scope mean, in terms of the flattened function."""

    renamed: dict[str, str] = field(default_factory=dict)  # variables and labels
    registers: RegisterTable = field(default_factory=dict)


class _Flatten:
    """Resolves the body of one function: scopes to one list, names to operands, `.loc` to source lines."""

    def __init__(self, raw: RawFunction, line_of: Callable[[Location], int | None]) -> None:
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

    def scope(self, scope: Scope) -> None:
        if len(self.scopes) > MAX_SCOPES:
            raise malformed(f"scopes nested deeper than {MAX_SCOPES}", self.raw.ptx_line)
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
            case Location():
                self.line = self.line_of(statement) or self.line
            case Variable():
                names.renamed[statement.name] = self.fresh(statement.name)
                self.variables.append(replace(statement, name=names.renamed[statement.name]))
                self.known = {}
            case list():
                for declared in statement:
                    self.declare(declared, names)
                self.known = {}
            case Scope():
                self.scope(statement)
            case BranchTargets():
                last = self.body[-1] if self.body else None
                if not isinstance(last, Label):
                    raise malformed(".branchtargets without a label", statement.ptx_line)
                self.branch_targets[last.name] = tuple(self.renamed(label) or label for label in statement.labels)

    def declare(self, declared: RegisterRange, names: _Names) -> None:
        is_range = declared.count is not None
        if lookup_register(names.registers, declared.prefix):
            raise malformed(f"'{declared.prefix}' is declared twice", self.raw.ptx_line)
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
                    raise malformed(f"'{base.name}' is no address", ptx_line)
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
            raise malformed(f"'{name}' is not a declared register", ptx_line)
        return found

    def named(self, raw: Symbol, ptx_line: int) -> Operand:
        if raw.name not in self.known:
            self.known[raw.name] = self.lookup(raw.name, ptx_line)
        found = self.known[raw.name]
        if raw.offset == 0:
            return found
        if isinstance(found, Symbol):
            return replace(found, offset=raw.offset)
        raise malformed(f"'{raw.name}' takes no offset", ptx_line)

    def lookup(self, name: str, ptx_line: int) -> Operand:
        for scope in reversed(self.scopes):
            register = lookup_register(scope.registers, name)
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
                raise malformed(f"'{name}' is not a declared register", ptx_line)
            return Special(name)
        return Symbol(name)


def resolve_module(raw: RawModule, source_name: str | None) -> Module:
    """The module with every name resolved and each instruction's line in the file called `source_name`.

    Raises InputError for a name that is not declared, declared twice, or nested too deep.
    """
    users = {number for number, name in raw.files.items() if name == source_name}

    def line_of(location: Location) -> int | None:
        """The line in the user's file, from the innermost place outwards; line 0 means "nowhere" in DWARF."""
        return next((line for file, line in location.places if file in users and line > 0), None)

    functions = tuple(_resolve_function(f, line_of) for f in _definitions(raw.functions))
    return Module(raw.version, raw.target, raw.address_size, tuple(raw.variables), functions)


def _definitions(functions: list[RawFunction]) -> Iterator[RawFunction]:
    """Each function once: a definition wins over its forward declarations."""
    defined = {f.name for f in functions if f.body is not None}
    seen: set[str] = set()
    for function in functions:
        if function.body is None and (function.name in defined or function.name in seen):
            continue
        if function.name in seen:
            raise malformed(f"'{function.name}' is defined twice", function.ptx_line)
        seen.add(function.name)
        yield function


def _resolve_function(raw: RawFunction, line_of: Callable[[Location], int | None]) -> Function:
    flat = _Flatten(raw, line_of)
    flat.run()
    return Function(
        raw.name, demangle(raw.name), raw.is_entry, raw.linkage, raw.parameters, raw.returns, tuple(flat.registers),
        tuple(flat.variables), tuple(flat.body), flat.branch_targets, tuple(raw.directives), raw.ptx_line,
    )  # fmt: skip
