"""A PTX interpreter for integer kernels: one thread at a time, no warps of its own, nothing of the machine.

An oracle. It takes the parsed `Module`, but shares no line with the lowering or the machine's interpreter: every thread
is a generator with its own program counter and raw-bit registers, and meets others only at barriers and warp operations.
Semantics: NVIDIA "PTX ISA" 9.0, chapter 9, as quoted at each function; where it leaves a result open, what NVIDIA GPUs
do (division by zero gives all ones, and its remainder the dividend).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from toolchain.ptx import (
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
    Special,
    Symbol,
    Vector,
    type_size,
)

WARP = 32
SHARED, LOCAL, MODULE, PARAM, ARRAYS = 1 << 24, 2 << 24, 3 << 24, 4 << 24, 1 << 32
"""First address of each state space: distinct, so that a generic address needs no conversion, and 32 bits wide where
PTX keeps addresses in 32-bit registers. Array k of the launch starts at (k + 1) * ARRAYS."""
SLICE = 500  # instructions that a thread may run before another gets its turn, so that spin locks make progress
LIMIT = 20_000_000  # instructions of one launch


class PtxFault(Exception):
    """The launch did something that PTX leaves undefined, or used an instruction that is not modelled here."""


def run(
    module: Module,
    entry: Function,
    grid: Sequence[int],
    block: Sequence[int],
    args: Sequence[Mapping[str, Any]],
    shared: int = 0,
) -> dict[str, list[int]]:
    """Execute one launch; `args` as in LAUNCH.json, `shared` in bytes. Final content of every pointer argument."""
    arrays = {k: _array(arg) for k, arg in enumerate(args) if arg["type"].endswith("*")}
    parameters = [_argument(k, arg) for k, arg in enumerate(args)]
    launch = _Launch(module, arrays, shared)
    values = {p.name: value.ljust(p.size, b"\0") for p, value in zip(entry.parameters, parameters, strict=True)}
    grid, block = [*grid, 1, 1][:3], [*block, 1, 1][:3]
    for z in range(grid[2]):
        for y in range(grid[1]):
            for x in range(grid[0]):
                launch.run_block(entry, values, grid, block, (x, y, z))
    return {args[k]["name"]: _numbers(content, args[k]["type"]) for k, content in arrays.items()}


# ------------------------------------------------------------------------------------------------ arguments


def _width(type_name: str) -> int:
    return int(re.sub(r"\D", "", type_name)) // 8


def _packed(value: int, type_name: str) -> bytes:
    size = _width(type_name)
    return (value % (1 << 8 * size)).to_bytes(size, "little")


def _array(arg: Mapping[str, Any]) -> bytearray:
    values = arg["value"] if "value" in arg else [0] * arg["size"]
    return bytearray(b"".join(_packed(value, arg["type"]) for value in values))


def _argument(position: int, arg: Mapping[str, Any]) -> bytes:
    if arg["type"].endswith("*"):
        return ((position + 1) * ARRAYS).to_bytes(8, "little")
    if arg["type"] == "struct":
        content = b""
        for kind, value in zip(arg["fields"], arg["value"], strict=True):
            content += bytes(-len(content) % _width(kind)) + _packed(value, kind)
        return content
    return _packed(arg["value"], arg["type"])


def _numbers(content: bytearray, type_name: str) -> list[int]:
    size, is_signed = _width(type_name), not type_name.startswith("u")
    return [int.from_bytes(content[i : i + size], "little", signed=is_signed) for i in range(0, len(content), size)]


# ------------------------------------------------------------------------------------------------ bits


def _bits(type_name: str) -> int:
    return 1 if type_name == "pred" else 8 * type_size(type_name)


def _as_typed(value: int, type_name: str) -> int:
    """The low bits of `value` as a number of that type: negative only for the .s types."""
    bits = _bits(type_name)
    value &= (1 << bits) - 1
    return value - (1 << bits) if type_name[0] == "s" and value >> (bits - 1) else value


def _quotient(a: int, b: int) -> int:
    if b == 0:
        return -1
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _remainder(a: int, b: int) -> int:
    return a if b == 0 else abs(a) % abs(b) * (-1 if a < 0 else 1)


def _permute(a: int, b: int, selector: int) -> int:
    """prmt, default mode: a nibble picks one of eight bytes, its top bit replicates that byte's sign instead."""
    pool = (a | b << 32).to_bytes(8, "little")
    result = 0
    for i in range(4):
        nibble = selector >> (4 * i) & 15
        byte = pool[nibble & 7]
        result |= ((255 if byte & 128 else 0) if nibble & 8 else byte) << (8 * i)
    return result


def _funnel(opcode: tuple[str, ...], low: int, high: int, amount: int) -> int:
    """shf: shift the 64-bit pair, keep its upper (left) or lower (right) half."""
    amount = amount & 31 if "wrap" in opcode else min(amount, 32)
    pair = high << 32 | low
    return pair << amount >> 32 if opcode[1] == "l" else pair >> amount


def _extract(value: int, position: int, length: int, type_name: str) -> int:
    """bfe: a signed field is filled up from its top bit, or from the register's where it reaches beyond."""
    bits = _bits(type_name)
    position, length = position & 255, length & 255
    value &= (1 << bits) - 1
    if length == 0:
        return 0
    part = value >> position & ((1 << length) - 1)
    if type_name[0] == "s" and value >> min(position + length - 1, bits - 1) & 1:
        part |= -1 << max(0, min(length, bits - position))
    return part


def _insert(part: int, base: int, position: int, length: int) -> int:
    """bfi."""
    mask = ((1 << (length & 255)) - 1) << (position & 255)
    return base & ~mask | part << (position & 255) & mask


def _find(value: int, bits: int, as_shift: bool) -> int:
    """bfind: position of the top bit that differs from the sign, or the shift that brings it to the top."""
    value = ~value if value < 0 else value
    if value == 0:
        return -1
    return bits - value.bit_length() if as_shift else value.bit_length() - 1


_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b, "lo": lambda a, b: a < b, "le": lambda a, b: a <= b, "ls": lambda a, b: a <= b,
    "gt": lambda a, b: a > b, "hi": lambda a, b: a > b, "ge": lambda a, b: a >= b, "hs": lambda a, b: a >= b,
}  # fmt: skip

_BOOLEAN: dict[str, Callable[[bool, bool], bool]] = {
    "and": lambda a, b: a and b, "or": lambda a, b: a or b, "xor": lambda a, b: a != b,
}  # fmt: skip

_SIMPLE: dict[str, Callable[..., int]] = {
    "mov": lambda a: a, "cvta": lambda a: a, "not": lambda a: ~a, "neg": lambda a: -a, "abs": abs,
    "cnot": lambda a: int(a == 0), "add": lambda a, b: a + b, "sub": lambda a, b: a - b,
    "div": _quotient, "rem": _remainder, "min": min, "max": max,
    "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
    "sad": lambda a, b, c: c + abs(a - b),
}  # fmt: skip
"""Instructions that are one function of their operands, read as numbers of the instruction's type."""

_UPDATE: dict[str, Callable[[int, int], int]] = {
    "add": lambda old, v: old + v, "min": min, "max": max, "and": lambda old, v: old & v, "or": lambda old, v: old | v,
    "xor": lambda old, v: old ^ v, "exch": lambda _old, v: v,
    "inc": lambda old, v: 0 if old >= v else old + 1, "dec": lambda old, v: v if old == 0 or old > v else old - 1,
}  # fmt: skip
"""atom and red: what each operation leaves in memory."""


# ------------------------------------------------------------------------------------------------ threads


@dataclass(slots=True)
class _Wait:
    """What a thread waits for: its block ("barrier"), the lanes in `mask` ("warp"), whoever is there ("converge", for
    activemask), or merely its turn. `key` must be equal among those that meet."""

    kind: str
    key: tuple[Any, ...] = ()
    mask: int = 0
    values: tuple[int, ...] = ()


_Steps = Generator[_Wait, Any, None]


@dataclass(slots=True)
class _Thread:
    lane: int
    special: dict[str, int]
    local: bytearray = field(default_factory=bytearray)
    steps: _Steps | None = None
    wait: _Wait | None = None
    answer: Any = None
    done: bool = False

    def advance(self) -> None:
        """Run until the next meeting or the end."""
        assert self.steps is not None
        answer, self.answer, self.wait = self.answer, None, None
        try:
            self.wait = self.steps.send(answer)
        except StopIteration:
            self.done = True


class _Code:
    """A function's instructions without the labels, where its labels and local variables lie, how wide registers are."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.instructions: list[Instruction] = []
        self.labels: dict[str, int] = {}
        for item in function.body:
            if isinstance(item, Label):
                self.labels[item.name] = len(self.instructions)
            else:
                self.instructions.append(item)
        self.local: dict[str, int] = {}
        self.local_size = 0
        for variable in function.variables:
            if variable.space == "local":
                self.local_size += -self.local_size % variable.align
                self.local[variable.name] = self.local_size
                self.local_size += variable.size
        self.widths: dict[str, int] = {}

    def bits(self, register: str) -> int:
        if register not in self.widths:
            type_name = self.function.register_type(register)
            assert type_name is not None
            self.widths[register] = _bits(type_name)
        return self.widths[register]


class _Launch:
    """Memory and code of a launch; runs its blocks one after another."""

    def __init__(self, module: Module, arrays: dict[int, bytearray], dynamic_shared: int) -> None:
        self.functions = {f.name: f for f in module.functions}
        self.code: dict[str, _Code] = {}
        self.arrays = arrays
        self.symbols: dict[str, int] = {}
        self.constants = bytearray()
        self.shared_size = 0
        self.shared = bytearray()
        self.count = 0
        inner = [v for f in module.functions for v in f.variables]
        for variable in (*module.variables, *inner):
            if variable.space == "shared" and variable.size:
                self.shared_size += -self.shared_size % variable.align
                self.symbols[variable.name] = SHARED + self.shared_size
                self.shared_size += variable.size
            elif variable.space in ("const", "global"):
                self.constants += bytes(-len(self.constants) % variable.align)
                self.symbols[variable.name] = MODULE + len(self.constants)
                self.constants += (variable.initial or b"").ljust(variable.size, b"\0")
        self.shared_size += -self.shared_size % 16
        for variable in (*module.variables, *inner):  # dynamic shared memory follows the static kind
            if variable.space == "shared" and not variable.size:
                self.symbols[variable.name] = SHARED + self.shared_size
        self.shared_size += dynamic_shared

    # ---- scheduling
    def run_block(
        self,
        entry: Function,
        parameters: Mapping[str, bytes],
        grid: Sequence[int],
        block: Sequence[int],
        place: tuple[int, int, int],
    ) -> None:
        self.shared = bytearray(self.shared_size)
        threads = []
        for number in range(block[0] * block[1] * block[2]):
            at = (number % block[0], number // block[0] % block[1], number // block[0] // block[1])
            special = {"%laneid": number % WARP, "%warpid": number // WARP}
            for name, values in (("tid", at), ("ntid", block), ("ctaid", place), ("nctaid", grid)):
                special.update({f"%{name}.{axis}": value for axis, value in zip("xyz", values, strict=True)})
            thread = _Thread(number % WARP, special)
            thread.steps = self.execute(entry, thread, {n: bytearray(v) for n, v in parameters.items()})
            threads.append(thread)
        while any(not t.done for t in threads):
            runnable = [t for t in threads if not t.done and (t.wait is None or t.wait.kind == "turn")]
            for thread in runnable:
                thread.advance()
            warps = [threads[first : first + WARP] for first in range(0, len(threads), WARP)]
            met = [self.meet_in_warp(warp) for warp in warps]
            if not (self.meet_at_barrier(threads) or runnable or any(met)):
                raise PtxFault(f"deadlock: {[t.wait for t in threads if not t.done][:2]}")

    def release(self, threads: Iterable[_Thread], answers: Iterable[Any]) -> None:
        for thread, answer in zip(threads, answers, strict=True):
            thread.wait, thread.answer = None, answer

    def meet_at_barrier(self, threads: list[_Thread]) -> bool:
        """Let the block pass once every thread that has not exited waits at one barrier."""
        live = [t for t in threads if not t.done]
        waits = [t.wait for t in live if t.wait and t.wait.kind == "barrier"]
        if not live or len(waits) < len(live):
            return False
        if len({w.key for w in waits}) > 1:
            raise PtxFault("threads of a block wait at different barriers")
        votes = [value for w in waits for value in w.values]
        reduce = {"popc": sum, "and": lambda v: int(all(v)), "or": lambda v: int(any(v)), "sync": lambda _v: 0}
        self.release(live, [reduce[waits[0].key[0]](votes)] * len(live))
        return True

    def meet_in_warp(self, warp: list[_Thread]) -> bool:
        """Answer every warp operation whose lanes have all arrived; lanes that have exited count as arrived."""
        live = [t for t in warp if not t.done]
        met = False
        for thread in live:
            wait = thread.wait
            if wait is None or wait.kind != "warp":
                continue
            group = [t for t in live if wait.mask >> t.lane & 1]
            if thread not in group:
                raise PtxFault(f"lane {thread.lane} is not in its own mask {wait.mask:#x}")
            if all(t.wait and (t.wait.kind, t.wait.key, t.wait.mask) == ("warp", wait.key, wait.mask) for t in group):
                self.release(group, _collective(wait.key, group))
                met = True
        blocked = all(t.wait and t.wait.kind != "turn" for t in live)
        first = next((t.wait for t in live if t.wait and t.wait.kind == "converge"), None)
        if not met and blocked and first is not None:
            together = [t for t in live if t.wait == first]
            self.release(together, [sum(1 << t.lane for t in together)] * len(together))
            return True
        return met

    # ---- memory
    def place(self, address: int, size: int, thread: _Thread) -> tuple[bytearray, int]:
        memory: bytearray | None
        if address >= ARRAYS:
            memory, offset = self.arrays.get(address // ARRAYS - 1), address % ARRAYS
        else:
            spaces = {SHARED: self.shared, LOCAL: thread.local, MODULE: self.constants}
            memory, offset = spaces.get(address & -(1 << 24)), address % (1 << 24)
        if memory is None or offset + size > len(memory):
            raise PtxFault(f"access to {size} bytes at {address:#x}")
        return memory, offset

    # ---- execution
    def execute(self, function: Function, thread: _Thread, parameters: dict[str, bytearray]) -> _Steps:
        if function.name not in self.code:
            self.code[function.name] = _Code(function)
        code = self.code[function.name]
        top = len(thread.local)
        local_base = top + -top % 16
        thread.local += bytes(local_base + code.local_size - top)
        frame = _Frame(self, thread, code, parameters, local_base)
        at = 0
        while at < len(code.instructions):
            instruction = code.instructions[at]
            at += 1
            self.count += 1
            if self.count > LIMIT:
                raise PtxFault("the launch does not end")
            if self.count % SLICE == 0:
                yield _Wait("turn")
            guard = instruction.guard
            if guard and bool(frame.registers.get(guard.register, 0)) == guard.negated:
                continue
            operation = instruction.opcode[0]
            if operation in ("ret", "exit"):
                break
            if operation == "bra":
                at = code.labels[_symbol(instruction.operands[0])]
            elif operation == "brx":
                targets = function.branch_targets[_symbol(instruction.operands[1])]
                at = code.labels[targets[frame.value(instruction.operands[0])]]
            elif operation in ("bar", "barrier", "shfl", "vote", "match", "activemask"):
                yield from frame.meet(instruction)
            elif operation == "call":
                yield from frame.call(instruction)
            else:
                frame.plain(instruction)
        del thread.local[top:]


def _symbol(operand: Operand) -> str:
    assert isinstance(operand, Symbol)
    return operand.name


def _collective(key: tuple[Any, ...], group: list[_Thread]) -> list[Any]:
    """Results of one warp operation, lane by lane."""
    by_lane = {t.lane: t.wait.values for t in group if t.wait}
    if key[0] == "sync":
        return [None] * len(group)
    if key[0] == "shfl":
        return [_shuffle(key[1], lane, by_lane) for lane in by_lane]
    mask = sum(1 << lane for lane in by_lane)
    lanes = {v: sum(1 << lane for lane, (w,) in by_lane.items() if w == v) for (v,) in by_lane.values()}
    if key[0] == "match":
        if key[1] == "any":
            return [(lanes[v], 0) for (v,) in by_lane.values()]
        return [(mask, 1) if len(lanes) == 1 else (0, 0)] * len(by_lane)
    ballot = lanes.get(1, 0)
    votes = {"ballot": ballot, "all": int(ballot == mask), "any": int(ballot != 0), "uni": int(len(lanes) == 1)}
    return [votes[key[1]]] * len(by_lane)


def _shuffle(mode: str, lane: int, by_lane: Mapping[int, tuple[int, ...]]) -> tuple[int, int]:
    """shfl.sync: (value, whether the source lane is in range); `c` holds the clamp and the segment mask."""
    own, b, c = by_lane[lane]
    b, clamp, segment = b & 31, c & 31, c >> 8 & 31
    highest, lowest = lane & segment | clamp & ~segment, lane & segment
    source = {"up": lane - b, "down": lane + b, "bfly": lane ^ b, "idx": lowest | b & ~segment}[mode]
    inside = source >= highest if mode == "up" else source <= highest
    if not inside:
        return own, 0
    if source not in by_lane:
        raise PtxFault(f"lane {lane} shuffles from lane {source}, which takes no part")
    return by_lane[source][0], 1


class _Frame:
    """One call of a function by one thread, and the instructions that need only it."""

    def __init__(
        self, launch: _Launch, thread: _Thread, code: _Code, parameters: dict[str, bytearray], local_base: int
    ) -> None:
        self.launch, self.thread, self.code, self.local_base = launch, thread, code, local_base
        declared = {v.name: bytearray(v.size) for v in code.function.variables if v.space == "param"}
        self.parameters = parameters | declared
        self.parameter_places = {name: PARAM + (i << 12) for i, name in enumerate(self.parameters)}
        self.registers: dict[str, int] = {}

    # ---- operands
    def value(self, operand: Operand) -> int:
        match operand:
            case Register(name):
                return self.registers.get(name, 0)
            case Immediate(value):
                return value
            case Special(name):
                if name not in self.thread.special:
                    raise PtxFault(f"{name} is not modelled")
                return self.thread.special[name]
            case Not(register):
                return 1 - self.registers.get(register.name, 0)
            case Symbol(name, offset):
                return self.symbol_address(name) + offset
            case _:
                raise PtxFault(f"{operand} has no value")

    def typed(self, operand: Operand, type_name: str) -> int:
        return _as_typed(self.value(operand), type_name)

    def write(self, operand: Operand, value: int) -> None:
        if not isinstance(operand, Discard):
            assert isinstance(operand, Register)
            self.registers[operand.name] = value & ((1 << self.code.bits(operand.name)) - 1)

    def write_pair(self, target: Operand, first: int, second: int) -> None:
        if isinstance(target, Pair):
            self.write(target.first, first)
            self.write(target.second, second)
        else:
            self.write(target, first)

    def symbol_address(self, name: str) -> int:
        if name in self.code.local:
            return LOCAL + self.local_base + self.code.local[name]
        if name in self.parameter_places:
            return self.parameter_places[name]
        if name not in self.launch.symbols:
            raise PtxFault(f"'{name}' is not known")
        return self.launch.symbols[name]

    def address(self, operand: Operand) -> int:
        assert isinstance(operand, Address)
        if operand.base is None:
            return operand.offset
        bits = self.code.bits(operand.base.name) if isinstance(operand.base, Register) else 64
        return self.value(operand.base) + operand.offset & ((1 << bits) - 1)

    # ---- memory
    def place(self, address: int, size: int) -> tuple[bytearray, int]:
        """The bytes behind an address, and where in them it points."""
        if address % size:
            raise PtxFault(f"misaligned access to {size} bytes at {address:#x}")
        if not PARAM <= address < ARRAYS:
            return self.launch.place(address, size, self.thread)
        content = list(self.parameters.values())[(address - PARAM) >> 12]
        if address % 4096 + size > len(content):
            raise PtxFault("access outside a parameter")
        return content, address % 4096

    def load(self, address: int, type_name: str) -> int:
        size = type_size(type_name)
        memory, at = self.place(address, size)
        return _as_typed(int.from_bytes(memory[at : at + size], "little"), type_name)

    def store(self, address: int, type_name: str, value: int) -> None:
        size = type_size(type_name)
        memory, at = self.place(address, size)
        memory[at : at + size] = (value & ((1 << 8 * size) - 1)).to_bytes(size, "little")

    def move_memory(self, instruction: Instruction) -> None:
        """ld and st, scalar or vector; a narrow load fills its wider register by the type's sign."""
        is_store, type_name = instruction.opcode[0] == "st", instruction.opcode[-1]
        place, values = instruction.operands if is_store else reversed(instruction.operands)
        address, size = self.address(place), type_size(type_name)
        items = values.items if isinstance(values, Vector) else (values,)
        if address % (size * len(items)):
            raise PtxFault(f"misaligned vector at {address:#x}")
        for i, item in enumerate(items):
            if is_store:
                self.store(address + i * size, type_name, self.value(item))
            else:
                self.write(item, self.load(address + i * size, type_name))

    def atomic(self, instruction: Instruction) -> None:
        opcode, operands = instruction.opcode, list(instruction.operands)
        target = operands.pop(0) if opcode[0] == "atom" else Discard()
        type_name, address = opcode[-1], self.address(operands[0])
        old, value = self.load(address, type_name), self.typed(operands[1], type_name)
        if "cas" in opcode:
            new = self.typed(operands[2], type_name) if old == value else old
        else:
            new = next(_UPDATE[part] for part in opcode if part in _UPDATE)(old, value)
        self.store(address, type_name, new)
        self.write(target, old)

    # ---- meeting other threads
    def meet(self, instruction: Instruction) -> Generator[_Wait, Any, None]:
        opcode, operands, line = instruction.opcode, instruction.operands, instruction.ptx_line
        match opcode[0]:
            case "activemask":
                self.write(operands[0], (yield _Wait("converge", (line,))))
            case "shfl":
                values = tuple(self.typed(operand, "b32") for operand in operands[1:4])
                mask = self.typed(operands[4], "b32")
                self.write_pair(operands[0], *(yield _Wait("warp", ("shfl", opcode[2], line), mask, values)))
            case "vote":
                mask, vote = self.typed(operands[2], "b32"), self.value(operands[1]) & 1
                self.write(operands[0], (yield _Wait("warp", ("vote", opcode[2], line), mask, (vote,))))
            case "match":
                mask, value = self.typed(operands[2], "b32"), self.typed(operands[1], opcode[-1])
                self.write_pair(operands[0], *(yield _Wait("warp", ("match", opcode[1], line), mask, (value,))))
            case _ if "warp" in opcode:
                yield _Wait("warp", ("sync",), self.typed(operands[0], "b32"))
            case _ if "red" in opcode:
                kind = next(part for part in opcode if part in ("popc", "and", "or"))
                vote = self.value(operands[2]) & 1
                self.write(operands[0], (yield _Wait("barrier", (kind, self.value(operands[1])), values=(vote,))))
            case _:
                yield _Wait("barrier", ("sync", self.value(operands[0])))

    def call(self, instruction: Instruction) -> _Steps:
        operands = list(instruction.operands)
        results: tuple[Operand, ...] = ()
        if isinstance(operands[0], Arguments):
            results = operands[0].items
            del operands[0]
        callee = self.launch.functions[_symbol(operands[0])]
        given = operands[1].items if len(operands) > 1 and isinstance(operands[1], Arguments) else ()
        passed = [bytearray(self.parameters[_symbol(argument)]) for argument in given]
        parameters = {p.name: content for p, content in zip(callee.parameters, passed, strict=True)}
        parameters |= {p.name: bytearray(p.size) for p in callee.returns}
        yield from self.launch.execute(callee, self.thread, parameters)
        for result, declared in zip(results, callee.returns, strict=True):
            self.parameters[_symbol(result)][:] = parameters[declared.name]

    # ---- everything else
    def plain(self, instruction: Instruction) -> None:
        opcode, operands = instruction.opcode, instruction.operands
        match opcode[0]:
            case "ld" | "st" | "ldu":
                self.move_memory(instruction)
            case "atom" | "red":
                self.atomic(instruction)
            case "membar" | "fence" | "nanosleep":
                pass
            case "mov" if any(isinstance(operand, Vector) for operand in operands):
                self.pack(opcode[-1], operands[0], operands[1])
            case "setp":
                self.compare(instruction)
            case "selp":
                self.write(operands[0], self.value(operands[1 if self.value(operands[3]) & 1 else 2]))
            case "cvt":
                source = self.typed(operands[1], opcode[-1])
                self.write(operands[0], _as_typed(source, opcode[-2]))
            case _:
                self.write(operands[0], self.arithmetic(opcode, operands[1:]))

    def pack(self, type_name: str, target: Operand, source: Operand) -> None:
        """mov between a register and its parts in a vector, low part first."""
        if isinstance(source, Vector):
            bits = _bits(type_name) // len(source.items)
            parts = [self.value(item) & ((1 << bits) - 1) for item in source.items]
            self.write(target, sum(part << (bits * i) for i, part in enumerate(parts)))
        elif isinstance(target, Vector):
            bits = _bits(type_name) // len(target.items)
            for i, item in enumerate(target.items):
                self.write(item, self.value(source) >> (bits * i))

    def compare(self, instruction: Instruction) -> None:
        opcode, operands = instruction.opcode, instruction.operands
        a, b = (self.typed(operand, opcode[-1]) for operand in operands[1:3])
        result = _COMPARE[opcode[1]](a, b)
        inverse = not result
        if opcode[2] in _BOOLEAN:
            other = bool(self.value(operands[3]) & 1)
            result, inverse = _BOOLEAN[opcode[2]](result, other), _BOOLEAN[opcode[2]](inverse, other)
        self.write_pair(operands[0], int(result), int(inverse))

    def arithmetic(self, opcode: tuple[str, ...], operands: Sequence[Operand]) -> int:
        operation, type_name = opcode[0], opcode[-1]
        if type_name[0] == "f" or "sat" in opcode:
            raise PtxFault(f"{'.'.join(opcode)} is not modelled")
        if operation in _SIMPLE:
            return _SIMPLE[operation](*(self.typed(operand, type_name) for operand in operands))
        bits = _bits(type_name)
        first = self.typed(operands[0], type_name)
        if operation in ("mul", "mad"):
            product = first * self.typed(operands[1], type_name)
            added = self.value(operands[2]) if operation == "mad" else 0
            return (product >> bits if "hi" in opcode else product) + added
        if operation in ("shl", "shr"):
            amount = min(self.typed(operands[1], "u32"), bits)
            return first << amount if operation == "shl" else first >> amount
        raw = [self.typed(operand, f"b{bits}") for operand in operands]
        match operation:
            case "popc":
                return raw[0].bit_count()
            case "clz":
                return bits - raw[0].bit_length()
            case "brev":
                return int(f"{raw[0]:0{bits}b}"[::-1], 2)
            case "bfind":
                return _find(first, bits, "shiftamt" in opcode)
            case "bfe":
                return _extract(first, raw[1], raw[2], type_name)
            case "bfi":
                return _insert(raw[0], raw[1], raw[2], raw[3])
            case "prmt" if len(opcode) == 2:
                return _permute(*raw)
            case "shf":
                return _funnel(opcode, *raw)
        raise PtxFault(f"{'.'.join(opcode)} is not modelled")
