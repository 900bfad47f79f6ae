"""PTX to SSA: one flat kernel becomes a `Graph`, specialised for one launch.

Scalar arguments, grid and block dimensions are constants here. Registers of 8 and 16 bits are words whose upper bits mean
nothing; an operation extends them when it cares. Every PTX form that has no entry is refused with its line and form.
Reference: NVIDIA "PTX ISA", chapter 9. SSA: every block with several predecessors gets a phi for each register that is read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from engine.machine.errors import InputError, LimitExceeded
from engine.machine.spec import MachineSpec
from toolchain import ptx
from toolchain.demangle import demangle
from toolchain.fold import simplify
from toolchain.inline import FlatKernel
from toolchain.ir import PREDICATE, WIDE, WORD, Block, Graph, MemoryAccess, Node, const, reverse_postorder
from toolchain.launch import ArrayArgument, Launch, ValueArgument
from toolchain.layout import MemoryMap, MemoryObject
from toolchain.ptx import Immediate, Instruction, Label, Module, Register, Special, Symbol
from toolchain.ranges import Ranges

CARRY = "%carry"
"""The name of the condition-code flag among the registers."""

FLOATS = ("f16", "f32", "f64", "bf16", "f16x2", "bf16x2", "tf32")
MOVING = frozenset({"mov", "ld", "st", "selp"})
"""Instructions that move bits: the only ones that take float types."""


def translate(module: Module, flat: FlatKernel, launch: Launch, memory: MemoryMap, spec: MachineSpec) -> Graph:
    """The graph of a kernel, before any optimisation. Allocates every array that the kernel names."""
    return _Translator(module, flat, launch, memory, spec).run()


@dataclass
class _Raw:
    """A basic block of PTX: its instructions, and where control goes behind them."""

    block: Block
    body: list[Instruction] = field(default_factory=list)


class _Translator:
    """State of one translation: the registers' current values by block, and the block being filled."""

    def __init__(self, module: Module, flat: FlatKernel, launch: Launch, memory: MemoryMap, spec: MachineSpec) -> None:
        self.module, self.flat, self.launch, self.memory, self.spec = module, flat, launch, memory, spec
        self.kernel = flat.function.demangled.name
        self.graph = Graph(self.kernel, [])
        self.ranges = Ranges(launch.threads, launch.grid)
        self.values: dict[tuple[Block, str], Node] = {}
        self.open_phis: list[tuple[Block, str, Node]] = []
        self.parameters = self.bind_parameters()
        self.variables = {v.name: v for v in (*module.variables, *flat.variables)}
        self.objects: dict[str, MemoryObject] = {}
        self.sites: dict[int, int] = {}
        self.block = Block(0)
        self.item: Instruction = Instruction(("nop",), (), None, None, 0)

    # ------------------------------------------------------------ whole kernel
    def run(self) -> Graph:
        bodies = {part.block: part.body for part in self.split_blocks()}
        self.graph.blocks = list(bodies)
        for block in reverse_postorder(self.graph.blocks[0]):  # so that a block's only predecessor is translated before it
            self.block = block
            for item in bodies[block]:
                self.item = item
                self.instruction()
        while self.open_phis:
            block, name, phi = self.open_phis.pop()
            phi.args = [self.read_at_end(pred, name) for pred in block.preds]
        return self.graph

    def split_blocks(self) -> list[_Raw]:
        """Basic blocks with their edges; the conditions of branches are set when the instructions are translated."""
        entry = _Raw(Block(0))
        raws, current = [entry], entry
        named: dict[str, _Raw] = {}
        for item in self.flat.body:
            if isinstance(item, Label):
                current = _Raw(Block(len(raws)))
                raws.append(current)
                named[item.name] = current
                continue
            current.body.append(item)
            if item.opcode[0] in ("bra", "brx", "ret", "exit", "trap"):
                current = _Raw(Block(len(raws)))
                raws.append(current)
        self.named = {name: raw.block for name, raw in named.items()}
        for raw, following in zip(raws, [*raws[1:], None], strict=True):
            self.connect(raw, following.block if following else None)
        return self.reachable(self.expand_tables(raws))

    def connect(self, raw: _Raw, following: Block | None) -> None:
        last = raw.body[-1] if raw.body else None
        raw.block.line = last.line if last else None
        kind = last.opcode[0] if last else ""
        if last is not None and kind == "brx":
            raw.block.kind = "table"
            raw.block.targets = [
                self.target(name, last) for name in self.flat.branch_targets[self.symbol(last.operands[1], last)]
            ]
        elif last is not None and kind == "bra":
            target = self.target(self.symbol(last.operands[0], last), last)
            if last.guard is None:
                raw.block.kind, raw.block.targets = "jump", [target]
            else:
                if following is None:
                    raise self.malformed("control runs past the end of the kernel", last)
                arms = [following, target] if last.guard.negated else [target, following]
                raw.block.kind, raw.block.targets = "branch", arms
        elif kind in ("ret", "exit", "trap") or following is None:
            raw.block.kind, raw.block.targets = "exit", []
        else:
            raw.block.kind, raw.block.targets = "jump", [following]

    def expand_tables(self, raws: list[_Raw]) -> list[_Raw]:
        """A `brx.idx` becomes a chain of comparisons."""
        result: list[_Raw] = []
        number = len(raws)
        for raw in raws:
            result.append(raw)
            if raw.block.kind != "table":
                continue
            item = raw.body.pop()
            targets, current = raw.block.targets, raw
            for index, target in enumerate(targets[:-1]):
                following = _Raw(Block(number))
                number += 1
                compare = Instruction(
                    ("setp", "eq", "u32"),
                    (Register(f"%table{number}"), item.operands[0], Immediate(index)),
                    None,
                    item.line,
                    item.ptx_line,
                )
                test = Instruction(("bra",), (), ptx.Guard(f"%table{number}", False), item.line, item.ptx_line)
                self.flat.types[f"%table{number}"] = "pred"
                current.body += [compare, test]
                current.block.kind, current.block.targets = "branch", [target, following.block]
                result.append(following)
                current = following
            current.block.kind, current.block.targets = "jump", [targets[-1]]
        return result

    def reachable(self, raws: list[_Raw]) -> list[_Raw]:
        """Reachable blocks with their predecessors. Nothing may jump to the entry, so that it needs no phi."""
        first = _Raw(Block(len(raws) + 1000))
        first.block.kind, first.block.targets = "jump", [raws[0].block]
        seen = {first.block}
        stack = [first.block]
        while stack:
            for target in stack.pop().targets:
                if target not in seen:
                    seen.add(target)
                    stack.append(target)
        kept = [first, *(raw for raw in raws if raw.block in seen)]
        for raw in kept:
            for target in raw.block.targets:
                target.preds.append(raw.block)
        return kept

    def symbol(self, operand: ptx.Operand, item: Instruction) -> str:
        if not isinstance(operand, Symbol):
            raise self.malformed("a branch without a label", item)
        return operand.name

    def target(self, name: str, item: Instruction) -> Block:
        if name not in self.named:
            raise self.malformed(f"a branch to '{name}', which is not there", item)
        return self.named[name]

    def malformed(self, what: str, item: Instruction) -> InputError:
        return InputError(what, f"PTX line {item.ptx_line}", "give PTX as clang or nvcc write it", line=item.ptx_line)

    # ------------------------------------------------------------ parameters and variables
    def bind_parameters(self) -> dict[str, ArrayArgument | ValueArgument]:
        """Which argument each parameter takes. Raises InputError when count, kind or size differ."""
        function, arguments = self.flat.function, self.launch.arguments
        if len(function.parameters) != len(arguments):
            signature = str(function.demangled)
            raise InputError(
                f"{signature} has {len(function.parameters)} parameters, the launch gives {len(arguments)} arguments",
                f"kernel {self.kernel}",
                "give one argument per parameter",
            )
        types = function.demangled.parameters or (None,) * len(arguments)
        for parameter, argument, written in zip(function.parameters, arguments, types, strict=False):
            check_argument(parameter, argument, written, self.kernel)
        return {parameter.name: argument for parameter, argument in zip(function.parameters, arguments, strict=True)}

    def object_of(self, name: str) -> MemoryObject:
        """The array behind a name: a parameter's array, or a variable, allocated when it is first named."""
        if name in self.objects:
            return self.objects[name]
        variable = self.variables.get(name)
        if name in self.parameters:
            argument = self.parameters[name]
            if isinstance(argument, ArrayArgument):
                made = next(o for o in self.memory.objects if o.argument and o.name == argument.name)
            else:
                made = self.memory.allocate(argument.name, "const", len(argument.content), argument.content)
        elif variable is None:
            raise self.malformed(f"'{name}' is not declared", self.item)
        elif variable.space == "local":
            slots = -(-variable.size // 4)
            lanes = self.spec.lanes
            threads = -(-self.launch.threads // lanes) * lanes
            made = self.memory.allocate("local memory", "local", slots * threads * 4)
        else:
            size = self.launch.shared if variable.linkage == "extern" and variable.size == 0 else variable.size
            readable = demangle(name).name.rsplit("::", 1)[-1]
            made = self.memory.allocate(readable, variable.space, size, self.initial(variable))
        if variable is not None and variable.linkage == "extern" and variable.space == "shared":
            for other in self.variables.values():  # all dynamic shared arrays are the same memory
                if other.space == "shared" and other.linkage == "extern":
                    self.objects[other.name] = made
        self.objects[name] = made
        return made

    def initial(self, variable: ptx.Variable) -> bytes:
        content = bytearray(variable.initial or b"")
        if variable.space == "shared" and any(content):
            raise self.refuse("a shared variable with an initial value", "assign it in the kernel")
        for relocation in variable.relocations:
            value = self.object_of(relocation.symbol).address + relocation.addend
            content[relocation.offset : relocation.offset + 8] = value.to_bytes(8, "little")
        return bytes(content)

    # ------------------------------------------------------------ errors
    def refuse(self, what: str, remedy: str) -> Exception:
        return self.graph.refuse(what, self.item.line, remedy)

    def unknown(self) -> Exception:
        if any(part in FLOATS for part in self.item.opcode):
            return self.refuse(f"floating-point arithmetic ({self.item})", "use integers")
        return self.refuse(f"the PTX form {self.item}", "write that line in other operations")

    # ------------------------------------------------------------ values
    def write(self, name: str, node: Node) -> None:
        self.values[self.block, name] = node

    def read(self, name: str) -> Node:
        return self.read_at_end(self.block, name)

    def read_at_end(self, block: Block, name: str) -> Node:
        """The value of a register at the end of what is translated of a block."""
        path = []
        while (block, name) not in self.values and len(block.preds) == 1:
            path.append(block)
            block = block.preds[0]
        found = self.values.get((block, name))
        if found is None:
            width = self.width(name)
            if block.preds:
                found = Node("phi", [], width)
                block.nodes.insert(0, found)
                self.open_phis.append((block, name, found))
            else:
                found = const(0, width)  # never written: PTX leaves it undefined
            self.values[block, name] = found
        for passed in path:
            self.values[passed, name] = found
        return found

    def width(self, name: str) -> int:
        if name == CARRY:
            return PREDICATE
        kind = self.flat.types.get(name, "b32")
        if kind == "pred":
            return PREDICATE
        size = ptx.type_size(kind)
        if size > 8:
            raise self.refuse(f"{8 * size}-bit registers", "use at most 64 bits")
        return WIDE if size == 8 else WORD

    def make(self, op: str, *args: Node | int, width: int = WORD, attr: Any = None) -> Node:
        """A node at the end of the current block, simplified."""
        fresh = Node(op, [a if isinstance(a, Node) else const(a) for a in args], width, attr, self.item.line)
        node = simplify(fresh, self.ranges)
        if node is fresh:
            self.block.nodes.append(node)
        return node

    def predicate(self, op: str, *args: Node | int) -> Node:
        return self.make(op, *args, width=PREDICATE)

    def wide(self, op: str, *args: Node | int) -> Node:
        return self.make(op, *args, width=WIDE)

    def operand(self, operand: ptx.Operand, bits: int) -> Node:
        """An operand of an instruction of `bits` bits, as it is held: 8 and 16 bits in a word with any upper half."""
        width = {1: PREDICATE, 64: WIDE}.get(bits, WORD)
        match operand:
            case Register(name=name):
                value = self.read(name)
            case ptx.Not(register=Register(name=name)):
                value = self.predicate("pnot", self.read(name))
            case Immediate(value=number):
                return const(number, width)
            case ptx.FloatImmediate():
                return const(self.float_bits(operand, bits), width)
            case Special(name=name):
                value = self.special(name)
            case Symbol(name=name, offset=offset):
                value = Node("addr", [], WIDE, (self.object_of(name), offset), self.item.line)
            case ptx.Vector(items=items):
                return self.packed(items, bits)
            case _:
                raise self.unknown()
        if value.width == width:
            return value
        if PREDICATE in (value.width, width):
            raise self.malformed(f"{self.item}: an operand of the wrong type", self.item)
        return self.make("lo", value) if width == WORD else self.wide("ext.u", value)

    def packed(self, items: tuple[ptx.Operand, ...], bits: int) -> Node:
        """`mov.b64 %rd, {%r1, %r2}` and `mov.b32 %r, {%rs1, %rs2}`."""
        if bits == 64 and len(items) == 2:
            return self.wide("pack", self.operand(items[0], 32), self.operand(items[1], 32))
        if bits == 32 and len(items) == 2:
            low, high = (self.operand(item, 16) for item in items)
            return self.make("or", self.make("and", low, 0xFFFF), self.make("shl", high, 16))
        raise self.unknown()

    def float_bits(self, operand: ptx.FloatImmediate, bits: int) -> int:
        if operand.width != bits:
            raise self.unknown()
        return operand.bits

    def extended(self, operand: ptx.Operand, kind: str) -> Node:
        """An operand with its type's upper bits: zeros for u and b, the sign for s."""
        bits = int(kind[1:])
        value = self.operand(operand, bits)
        return value if bits >= 32 else self.extend(value, bits, kind[0] == "s")

    def extend(self, value: Node, bits: int, is_signed: bool) -> Node:
        if not is_signed:
            return self.make("and", value, (1 << bits) - 1)
        low, high = self.ranges.of(value)
        if -(1 << bits - 1) <= low and high < 1 << bits - 1:
            return value
        return self.make("sar", self.make("shl", value, 32 - bits), 32 - bits)

    def special(self, name: str) -> Node:
        """A special register as a function of the linear thread id and the launch."""
        launch, spec = self.launch, self.spec
        base, _, axis = name.removeprefix("%").partition(".")
        number = "xyz".find(axis) if axis else 0
        lane = self.make("and", Node("tid", []), spec.warp_size - 1)
        warps = -(-launch.threads // spec.warp_size)
        match base:
            case "tid":
                before = launch.block[0] if number == 1 else launch.block[0] * launch.block[1] if number == 2 else 1
                index = self.make("div.u", Node("tid", []), before)
                return index if number == 2 else self.make("rem.u", index, launch.block[number])
            case "ntid":
                return const(launch.block[number])
            case "ctaid":
                return const(0) if launch.grid[number] == 1 else Node("cta", [], WORD, number)
            case "nctaid":
                return const(launch.grid[number])
            case "laneid":
                return lane
            case "warpid":
                return self.make("shr", Node("tid", []), spec.warp_size.bit_length() - 1)
            case "nwarpid":
                return const(warps)
            case "smid" | "gridid":
                return const(0)
            case "nsmid":
                return const(1)
            case "dynamic_smem_size":
                return const(launch.shared)
            case "total_smem_size":
                static = sum(v.size for v in self.variables.values() if v.space == "shared")
                return const(launch.shared + static)
            case "lanemask_eq":
                return self.make("shl", const(1), lane)
            case "lanemask_lt":
                return self.make("sub", self.make("shl", const(1), lane), 1)
            case "lanemask_le":
                return self.make("sub", self.make("shl", const(2), lane), 1)
            case "lanemask_ge":
                return self.make("shl", const(-1), lane)
            case "lanemask_gt":
                return self.make("shl", const(-2), lane)
        raise self.refuse(f"the special register {name}", "the machine has no clock; leave it out")

    # ------------------------------------------------------------ instructions
    def instruction(self) -> None:
        item = self.item
        name = item.opcode[0]
        handler = HANDLERS.get(name)
        has_float = any(part in FLOATS for part in item.opcode)
        if handler is None or (has_float and name not in MOVING):
            raise self.unknown()
        handler(self, item)

    def result(self, node: Node, at: int = 0) -> None:
        """Write a result to the instruction's destination, under its guard."""
        self.assign(self.item.operands[at], node)

    def assign(self, target: ptx.Operand, node: Node) -> None:
        if isinstance(target, ptx.Discard):
            return
        if not isinstance(target, Register):
            raise self.malformed(f"{self.item}: no destination", self.item)
        width = self.width(target.name)
        if node.width != width:
            if PREDICATE in (node.width, width):
                raise self.malformed(f"{self.item}: a destination of the wrong type", self.item)
            node = self.make("lo", node) if width == WORD else self.wide("ext.u", node)
        guard = self.item.guard
        if guard is not None:
            node = self.choose(self.guard_value(guard), node, self.read(target.name))
        self.write(target.name, node)

    def guard_value(self, guard: ptx.Guard) -> Node:
        value = self.read(guard.register)
        return self.predicate("pnot", value) if guard.negated else value

    def choose(self, p: Node, a: Node, b: Node) -> Node:
        """a where p holds, else b, of any width."""
        if a.width == WIDE:
            return self.wide("sel64", a, b, p)
        if a.width == PREDICATE:
            return self.predicate("por", self.predicate("pand", a, p), self.predicate("pand", b, self.predicate("pnot", p)))
        return self.make("selp", a, b, p)

    def types(self) -> tuple[str, int]:
        """The type that an instruction ends in, and its bits. Refuses types that are none."""
        kind = self.item.opcode[-1]
        if kind == "pred":
            return kind, 1
        if kind[0] not in "busf" or not kind[1:].isdigit():
            raise self.unknown()
        return kind, int(kind[1:])

    def by_halves(self, op: str, *values: Node) -> Node:
        """A bitwise operation on 64 bits, half by half."""
        low = self.make(op, *(self.make("lo", v) for v in values))
        return self.wide("pack", low, self.make(op, *(self.make("hi", v) for v in values)))


def check_argument(parameter: ptx.Parameter, argument: ArrayArgument | ValueArgument, written: str | None, kernel: str) -> None:
    """Raises InputError when an argument cannot be the one for a parameter; `written` is the parameter's C++ type if known."""
    where = f"kernel {kernel}, argument '{argument.name}'"
    shown = written or f"{parameter.size} bytes"
    pointer = parameter.pointer or (written is not None and written.endswith(("*", "&", "__restrict__")))
    known = parameter.pointer or written is not None
    if isinstance(argument, ArrayArgument):
        if parameter.size != 8 or (known and not pointer):
            raise InputError(f"an array is given for a parameter of type {shown}", where, "give a value")
        pointee = ptx_element_size(written)
        if pointee is not None and pointee != argument.type.bytes:
            raise InputError(
                f"an array of {argument.type.name} is given for a parameter of type {shown}",
                where,
                "give the kernel's own element type",
            )
    elif pointer:
        raise InputError(f"a {argument.type} is given for a parameter of type {shown}", where, "give an array")
    elif len(argument.content) != parameter.size:
        raise InputError(
            f"{len(argument.content)} bytes ({argument.type}) are given for a parameter of type {shown}",
            where,
            f"give {parameter.size} bytes",
        )


def ptx_element_size(written: str | None) -> int | None:
    """Bytes of what a C++ pointer type points to, None when it is no plain integer."""
    if written is None:
        return None
    words = written.replace("__restrict__", " ").replace("*", " * ").replace("const", " ").replace("volatile", " ").split()
    if words.count("*") != 1 or words[-1] != "*":
        return None
    sizes = {"char": 1, "bool": 1, "short": 2, "int": 4, "long": 8, "float": 4}
    plain = [word for word in words[:-1] if word not in ("signed", "unsigned")]
    if not plain:
        return 4 if len(words) > 1 else None
    return sizes.get(plain[0]) if len(set(plain)) == 1 else None


Handler = Callable[[_Translator, Instruction], None]
HANDLERS: dict[str, Handler] = {}
"""What translates each PTX instruction, by the first part of its opcode; filled by `toolchain.forms`."""


def handles(*names: str) -> Callable[[Handler], Handler]:
    """Register the handler of some instructions."""

    def register(handler: Handler) -> Handler:
        for name in names:
            HANDLERS[name] = handler
        return handler

    return register


def barrier_site(translator: _Translator, item: Instruction) -> int:
    """The number of a `__syncthreads` of the source. Raises LimitExceeded when the machine cannot tell them apart."""
    site = translator.sites.setdefault(item.ptx_line, len(translator.sites))
    if site >= translator.spec.sites:
        raise LimitExceeded(
            "__syncthreads sites",
            site + 1,
            translator.spec.sites,
            f"kernel {translator.kernel}, line {item.line}",
            "put barriers in loops instead of writing them out",
        )
    return site


__all__ = ["CARRY", "HANDLERS", "MemoryAccess", "barrier_site", "handles", "translate"]
