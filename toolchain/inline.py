"""A kernel with all its device functions inlined: one flat list of PTX instructions.

The machine has no call stack, so every call becomes a copy of the callee. Registers and labels of a copy get the copy's
number; parameters and return values (`st.param`, `ld.param`) become moves between registers; `ret` becomes a branch behind
the copy. Instructions that touch memory or other threads lose their guard to a branch around them, so that later passes meet
guards on pure instructions only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from engine.machine.errors import UnsupportedError
from toolchain import ptx
from toolchain.ptx import Function, Guard, Instruction, Label, Module, Register, Symbol, Variable

MAX_INSTRUCTIONS = 20_000
"""Longest flat kernel. The machine's program memory holds about a thousand operations."""

PURE = frozenset(
    [
        "abs",
        "add",
        "addc",
        "and",
        "bfe",
        "bfi",
        "bfind",
        "brev",
        "clz",
        "cnot",
        "copysign",
        "cvt",
        "cvta",
        "div",
        "dp2a",
        "dp4a",
        "fma",
        "isspacep",
        "lop3",
        "mad",
        "max",
        "min",
        "mov",
        "mul",
        "mul24",
        "mad24",
        "neg",
        "not",
        "or",
        "popc",
        "prmt",
        "rem",
        "sad",
        "selp",
        "set",
        "setp",
        "shf",
        "shl",
        "shr",
        "sub",
        "subc",
        "xor",
        "fns",
    ]
)
"""Instructions that a guard may turn into a choice between the new and the old value."""


@dataclass
class FlatKernel:
    """One kernel: its parameters, flat body, register types (bits' type by name), and the variables that it declares."""

    function: Function
    body: list[Instruction | Label] = field(default_factory=list)
    types: dict[str, str] = field(default_factory=dict)
    variables: list[Variable] = field(default_factory=list)
    branch_targets: dict[str, tuple[str, ...]] = field(default_factory=dict)


def inline_calls(module: Module, entry: Function) -> FlatKernel:
    """The flat kernel. Raises UnsupportedError for recursion, calls of unknown functions and calls through pointers."""
    flat = FlatKernel(entry)
    _Copy(module, flat, entry, "", (entry.name,), {}).run()
    return flat


def _refuse(kernel: Function, what: str, line: int | None, remedy: str) -> UnsupportedError:
    where = f"kernel {kernel.demangled.name}" + (f", line {line}" if line else "")
    return UnsupportedError(what, where, remedy, line=line)


@dataclass
class _Copy:
    """One copy of a function. `holders` maps its parameters and return values to the caller's names for them."""

    module: Module
    flat: FlatKernel
    function: Function
    suffix: str
    stack: tuple[str, ...]
    holders: dict[str, str]
    pointers: dict[str, Symbol] = field(default_factory=dict)

    def run(self) -> None:
        function, suffix = self.function, self.suffix
        for variable in function.variables:
            if variable.space == "shared":
                self.flat.variables.append(variable)  # one per block, however many copies of the function there are
            elif variable.space != "param":
                self.flat.variables.append(replace(variable, name=variable.name + suffix))
        for name, labels in function.branch_targets.items():
            self.flat.branch_targets[name + suffix] = tuple(label + suffix for label in labels)
        self.pointers = self.parameter_pointers()
        self.renamed = {variable.name: variable.name + suffix for variable in function.variables if variable.space != "shared"}
        for item in function.body:
            if isinstance(item, Label):
                self.emit(Label(item.name + suffix, item.ptx_line))
            else:
                self.instruction(item)
        if suffix:
            self.emit(Label(self.end_label, 0))

    @property
    def end_label(self) -> str:
        return f"$end{self.suffix}"

    def parameter_pointers(self) -> dict[str, Symbol]:
        """Registers that hold nothing but the address of a parameter of this device function."""
        if not self.suffix:
            return {}
        moves = {
            item.operands[0].name: item.operands[1]
            for item in self.function.body
            if isinstance(item, Instruction)
            and item.opcode[0] in ("mov", "cvta")
            and isinstance(item.operands[0], Register)
            and isinstance(item.operands[1], Symbol)
            and item.operands[1].name in self.holders
        }
        return moves

    def emit(self, item: Instruction | Label) -> None:
        if len(self.flat.body) >= MAX_INSTRUCTIONS:
            raise _refuse(
                self.flat.function,
                f"more than {MAX_INSTRUCTIONS:,} instructions after inlining",
                None,
                "call fewer device functions",
            )
        self.flat.body.append(item)

    def register(self, name: str) -> Register:
        renamed = name + self.suffix
        if renamed not in self.flat.types:
            self.flat.types[renamed] = self.function.register_type(name) or "b32"
        return Register(renamed)

    def operand(self, operand: ptx.Operand) -> ptx.Operand:
        match operand:
            case Register(name=name):
                return self.register(name)
            case Symbol(name=name, offset=offset):
                return Symbol(self.holders.get(name) or self.renamed.get(name, name), offset)
            case ptx.Address(base=base, offset=offset) if base is not None:
                resolved = self.operand(base)
                assert isinstance(resolved, (Register, Symbol))
                return ptx.Address(resolved, offset)
            case ptx.Not(register=register):
                return ptx.Not(self.register(register.name))
            case ptx.Pair(first=first, second=second):
                return ptx.Pair(*(r if isinstance(r, ptx.Discard) else self.register(r.name) for r in (first, second)))
            case ptx.Vector(items=items):
                return ptx.Vector(tuple(self.operand(item) for item in items))
        return operand

    def instruction(self, item: Instruction) -> None:
        name = item.opcode[0]
        if item.guard and name not in PURE and name not in ("bra", "brx"):
            skip = Label(f"$skip{len(self.flat.body)}{self.suffix}", item.ptx_line)
            guard = Guard(self.register(item.guard.register).name, not item.guard.negated)
            self.emit(Instruction(("bra",), (Symbol(skip.name),), guard, item.line, item.ptx_line))
            self.instruction(replace(item, guard=None))
            self.emit(skip)
        elif name == "call":
            self.call(item)
        elif name == "ret" and self.suffix:
            self.emit(Instruction(("bra",), (Symbol(self.end_label),), None, item.line, item.ptx_line))
        elif name in ("bra", "brx"):
            *index, target = item.operands
            assert isinstance(target, Symbol)
            renamed = (*(self.operand(i) for i in index), Symbol(target.name + self.suffix))
            self.emit(replace(item, operands=renamed, guard=self.guard(item.guard)))
        elif name in ("st", "ld") and "param" in item.opcode and self.holder(item) is not None:
            for move in self.parameter_moves(item):
                self.emit(move)
        elif name in ("mov", "cvta") and isinstance(item.operands[0], Register) and item.operands[0].name in self.pointers:
            return
        else:
            operands = tuple(self.operand(operand) for operand in item.operands)
            self.emit(replace(item, operands=operands, guard=self.guard(item.guard)))

    def guard(self, guard: Guard | None) -> Guard | None:
        return Guard(self.register(guard.register).name, guard.negated) if guard else None

    def holder(self, item: Instruction) -> Symbol | None:
        """The parameter (of a call in this copy, or of the copy itself) that a `ld.param` or `st.param` accesses."""
        address = item.operands[0 if item.opcode[0] == "st" else 1]
        if not isinstance(address, ptx.Address):
            return None
        base, offset = address.base, address.offset
        if isinstance(base, Register) and base.name in self.pointers:
            symbol = self.pointers[base.name]
            base, offset = symbol, offset + symbol.offset
        if not isinstance(base, Symbol):
            return None
        if base.name in self.holders:
            return Symbol(self.holders[base.name], offset + base.offset)
        return Symbol(self.renamed[base.name], offset + base.offset) if base.name in self.renamed else None

    def parameter_moves(self, item: Instruction) -> Iterator[Instruction]:
        """A parameter access as moves: each piece of a parameter is a register named after its offset and size."""
        symbol = self.holder(item)
        assert symbol is not None
        kind = item.opcode[-1]
        size = ptx.type_size(kind)
        data = item.operands[1 if item.opcode[0] == "st" else 0]
        for number, piece in enumerate(data.items if isinstance(data, ptx.Vector) else (data,)):
            name = f"{symbol.name}+{symbol.offset + number * size}"
            if item.opcode[0] == "st":
                self.flat.types[name] = f"b{8 * size}"
                yield Instruction(
                    ("mov", f"b{8 * size}"), (Register(name), self.operand(piece)), None, item.line, item.ptx_line
                )
                continue
            if self.flat.types.get(name) != f"b{8 * size}":
                raise _refuse(
                    self.flat.function,
                    "a device function that reads a parameter in other pieces than it was passed",
                    item.line,
                    "mark the function __forceinline__",
                )
            target = self.operand(piece)
            assert isinstance(target, Register)
            held = ptx.type_size(self.flat.types[target.name])
            source = kind if kind[0] in "us" else f"u{8 * size}"
            opcode = ("mov", f"b{8 * size}") if held == size else ("cvt", f"{source[0]}{8 * held}", source)
            yield Instruction(opcode, (target, Register(name)), None, item.line, item.ptx_line)

    def call(self, item: Instruction) -> None:
        returns, name, arguments = self.split_call(item)
        callee = next((f for f in self.module.functions if f.name == name), None)
        if callee is None or not callee.body:
            shown = callee.demangled.name if callee else name
            raise _refuse(self.flat.function, f"a call of {shown}, which the file does not define", item.line, "define it")
        if callee.name in self.stack:
            raise _refuse(self.flat.function, f"recursion ({callee.demangled.name} calls itself)", item.line, "use a loop")
        copy = f"@{len(self.flat.body)}"
        holders: dict[str, str] = {}
        for formals, actuals in ((callee.returns, returns), (callee.parameters, arguments)):
            for formal, actual in zip(formals, actuals, strict=True):
                renamed = self.operand(actual)
                if not isinstance(renamed, Symbol):
                    raise _refuse(
                        self.flat.function, "a call that passes registers", item.line, "mark the function __forceinline__"
                    )
                holders[formal.name] = renamed.name
        _Copy(self.module, self.flat, callee, copy, (*self.stack, callee.name), holders).run()

    def split_call(self, item: Instruction) -> tuple[tuple[ptx.Operand, ...], str, tuple[ptx.Operand, ...]]:
        """Returned parameters, callee and passed parameters of `call (r), f, (a, ..)`, `call f, (a, ..)` or `call f`."""
        operands = list(item.operands)
        returns: tuple[ptx.Operand, ...] = ()
        if operands and isinstance(operands[0], ptx.Arguments):
            returns = operands.pop(0).items  # type: ignore[union-attr]
        target = operands.pop(0)
        if not isinstance(target, Symbol):
            raise _refuse(self.flat.function, "a call through a function pointer", item.line, "call the function by its name")
        arguments = operands[0].items if operands and isinstance(operands[0], ptx.Arguments) else ()
        return returns, target.name, arguments
