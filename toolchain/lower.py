"""PTX to a machine program, for one launch: the passes from top to bottom.

    parse    toolchain.ptx        PTX text to a Module
    inline   toolchain.inline     one flat kernel
    ssa      toolchain.translate  a graph of 32- and 64-bit values; scalar arguments, grid and block are constants
    lay out  unroll               loops that the launch counts
    shrink   fold, cleanup        constants, ranges, dead and repeated nodes, straightened control flow
    expand   warp, division       what the machine has no instruction for
    narrow   addresses, split64   word addresses with tags; pairs of words
    select   predicates, select   operations of the machine on unnamed values
    pack     tails, webs, schedule  machine blocks of at most four operations
    name     regalloc             registers, spills
    emit     emit                 the program

Nothing here executes the kernel: constants that are folded derive from the launch's scalars and dimensions and from literals,
never from the content of an array.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace
from itertools import pairwise
from math import prod
from typing import Any

import toolchain.forms  # noqa: F401  fills the table of PTX instructions
from engine.machine.errors import FaultError, InputError, LimitExceeded, UnsupportedError
from engine.machine.program import Program, validate
from engine.machine.spec import BYTES_PER_WORD, SPEC, MachineSpec
from engine.machine.tokens import BARRIER_FAULT
from toolchain.addresses import lower_addresses
from toolchain.cleanup import contract, merge_blocks, merge_repeated, remove_dead, sink, split_conditions
from toolchain.counters import find_counters
from toolchain.division import expand_divisions
from toolchain.emit import Names, assemble, block_order
from toolchain.fold import fold
from toolchain.inline import inline_calls
from toolchain.ir import Graph
from toolchain.launch import ElementType, Launch
from toolchain.layout import MemoryMap, MemoryObject
from toolchain.loads import guard_loads, mark_constant_loads, read_instead
from toolchain.machine_ir import Code, Group, Piece, Value
from toolchain.own_words import read_back
from toolchain.predicates import localise_predicates
from toolchain.ptx import Function, Module, find_entry
from toolchain.ranges import Ranges
from toolchain.regalloc import TooManyValues, colour, interference, spill, traffic_of, weights
from toolchain.schedule import Infeasible, Pack, schedule
from toolchain.select import select
from toolchain.split64 import separate_halves, split_wide_values
from toolchain.tails import cross_barriers, hoist, share_endings
from toolchain.translate import translate
from toolchain.unroll import unroll
from toolchain.warp import expand_warp_operations
from toolchain.webs import copied, leave_ssa, liveness

SPILLED = "spilled registers"
GROWTH = 300
"""Nodes that laying out loops may add. Where the program then exceeds the machine, its loops stay as they are written."""


@dataclass(frozen=True, slots=True)
class Output:
    """An array argument: where its elements lie."""

    name: str
    type: ElementType
    base: int
    count: int

    def decode(self, memory: list[int]) -> list[int | float]:
        """The elements, from the words of memory."""
        words = -(-self.count * self.type.bytes // BYTES_PER_WORD)
        content = struct.pack(f"<{words}I", *memory[self.base : self.base + words])
        return list(struct.unpack_from(f"<{self.count}{self.type.code}", content))


@dataclass(frozen=True, slots=True)
class Lowered:
    """A program with what is needed to read its results and to explain its faults.

    outputs: the array arguments in order; objects: everything in memory, by tag (tag 1 is the first)
    """

    program: Program
    outputs: tuple[Output, ...]
    objects: tuple[MemoryObject, ...]
    launch: Launch
    lanes: int

    def line(self, block: int, stage: int) -> int | None:
        """The source line of an operation."""
        operations = self.program.blocks[block].operations
        return operations[stage].line if stage < len(operations) else None

    def read_outputs(self, memory: list[int]) -> dict[str, list[int | float]]:
        """Every array argument's content, from the words of memory."""
        return {output.name: output.decode(memory) for output in self.outputs}

    def describe_fault(self, reason: int, block: int, warp: int, address: int | None) -> FaultError:
        """The error for a FAULT token: `block` and `warp` are those that ran last, `address` is the access's word if known."""
        kernel = self.program.kernel
        if reason == BARRIER_FAULT:
            return FaultError(
                "a barrier that cannot complete",
                f"kernel {kernel}",
                "let every thread reach the same __syncthreads()",
                kernel=kernel,
                reason=reason,
            )
        stage, lane = divmod(reason, self.lanes)
        operation = self.program.blocks[block].operations[stage]
        obj = self.objects[operation.tag - 1] if operation.tag else None
        thread = warp * self.lanes + lane
        place = f"thread {self.thread_name(thread)}"
        line = f", line {operation.line}" if operation.line else ""
        verb = "write" if operation.stores else "read"
        extra: dict[str, Any] = {
            "kernel": kernel,
            "reason": reason,
            "thread": thread,
            "line": operation.line,
            "address": address,
        }
        if obj is None:
            return FaultError(f"a {verb} outside every array", f"kernel {kernel}{line}, {place}", "check the pointer", **extra)
        index = self.index_of(obj, address)
        shown = f"of {obj.name}[{index}]" if index is not None else f"outside {obj.name}"
        extra |= {"array": obj.name, "index": index}
        return FaultError(
            f"a {verb} {shown}, which has {self.size_of(obj)}", f"kernel {kernel}{line}, {place}", "check the index", **extra
        )

    def describe_early_read(self, block: int, stage: int, address: int, thread: int, atomic: bool) -> str | None:
        """What to tell a user of a read of a word that nothing had written, None where it is well defined.

        Nothing clears shared and local memory on a GPU. An array given by its size begins as zeros, so that atomics may count
        in it; a plain read of it is probably meant for data that was forgotten. All else is ours or begins as zero in C++.
        """
        obj = next((o for o in self.objects if o.base <= address < o.base + o.words), None)
        sized = {a.name for a in self.launch.arrays if not a.given}
        if obj is None or not (obj.space in ("shared", "local") or (obj.argument and obj.name in sized and not atomic)):
            return None
        index = self.index_of(obj, address)
        what = obj.name if index is None else f"{obj.name}[{index}]"
        line = self.line(block, stage)
        place = f"kernel {self.program.kernel}" + (f", line {line}" if line else "")
        return f"thread {self.thread_name(thread)} reads {what} before anything has written it; it is 0 here - {place}"

    def thread_name(self, thread: int) -> str:
        """A thread as CUDA names it: its number, or (x, y, z) in a block of several dimensions."""
        x, y, z = self.launch.block
        if y == z == 1:
            return str(thread)
        return f"({thread % x}, {thread // x % y}, {thread // (x * y)})"

    def element_bytes(self, obj: MemoryObject) -> int:
        """Bytes of an array's elements; words where the lowering does not know them."""
        return next((output.type.bytes for output in self.outputs if obj.argument and output.name == obj.name), BYTES_PER_WORD)

    def size_of(self, obj: MemoryObject) -> str:
        """An array's size in words a user understands."""
        return f"{obj.bytes // self.element_bytes(obj)} elements"

    def index_of(self, obj: MemoryObject, address: int | None) -> int | None:
        """The element that a word address means, None when the address is unknown or beyond all indices."""
        if address is None or address == 0xFFFFFFFF or obj.space == "local":
            return None
        distance = (address - obj.base + (1 << 31)) % (1 << 32) - (1 << 31)
        if abs(distance) >= 1 << 20:
            return None
        return distance * BYTES_PER_WORD // self.element_bytes(obj)


def lower(module: Module, launch: Launch, spec: MachineSpec = SPEC) -> Lowered:
    """Lower the kernel that a launch names.

    Raises InputError for an unknown kernel or arguments that do not fit it, UnsupportedError (with the source line) for what
    the machine does not have, LimitExceeded for numbers of the machine that are exceeded.
    """
    try:
        return lower_within(module, launch, spec, GROWTH)
    except LimitExceeded:
        return lower_within(module, launch, spec, 0)


def lower_within(module: Module, launch: Launch, spec: MachineSpec, growth: int) -> Lowered:
    """Lower a kernel to which laying out loops may add so many nodes. Raises what `lower` does."""
    entry = find_entry(module, launch.kernel)
    check_launch(entry, launch, spec)
    if module.address_size != 64:
        raise UnsupportedError(
            f"PTX with {module.address_size}-bit addresses", f"kernel {launch.kernel}", "compile for 64 bits"
        )
    name = entry.demangled.name
    memory = MemoryMap(spec, name)
    for array in launch.arrays:
        memory.allocate(array.name, "global", len(array.values) * array.type.bytes, array.content, argument=True)
    indices = allocate_indices(memory, launch)
    graph = translate(module, inline_calls(module, entry), launch, memory, spec)
    ranges = Ranges(launch.threads, launch.grid)
    optimise(graph, ranges, memory, spec, growth)
    code = select(graph, ranges, indices, spec.stages)
    share_endings(code)
    cross_barriers(code)
    hoist(code, spec.stages)
    code, packs, names = pack_and_name(code, memory, launch, spec, graph)
    program = assemble(code, packs, names, memory, launch.threads, launch.grid, indices)
    validate(program, spec)
    arguments = [o for o in memory.objects if o.argument]
    outputs = tuple(Output(a.name, a.type, o.base, len(a.values)) for a, o in zip(launch.arrays, arguments, strict=True))
    return Lowered(program, outputs, tuple(memory.objects), launch, spec.lanes)


def check_launch(entry: Function, launch: Launch, spec: MachineSpec) -> None:
    """Refuse a launch that the machine or the kernel's own bounds do not allow."""
    where = f"kernel {entry.demangled.name}"
    spec.require("threads of a block", launch.threads, spec.threads, where, "launch smaller blocks and a larger grid")
    for name, numbers in entry.directives:
        if name == "maxntid" and launch.threads > prod(numbers):
            raise InputError(
                f"a block of {launch.threads} threads is launched, __launch_bounds__ allows {prod(numbers)}",
                where,
                "launch smaller blocks",
            )


def allocate_indices(memory: MemoryMap, launch: Launch) -> dict[int, MemoryObject]:
    """A word for the block index of each axis that is longer than 1."""
    axes = [axis for axis in range(3) if launch.grid[axis] > 1]
    if not axes:
        return {}
    home = memory.allocate("block index", "system", len(axes) * BYTES_PER_WORD)
    return {axis: replace(home, base=home.base + number) for number, axis in enumerate(axes)}


def optimise(graph: Graph, ranges: Ranges, memory: MemoryMap, spec: MachineSpec, growth: int) -> None:
    """From fresh SSA to words, predicates next to their readers, blocks in the machine's order."""
    shrink(graph, ranges)
    unroll(graph, ranges, -(-ranges.threads // spec.lanes) * prod(ranges.grid), growth)
    find_counters(graph, ranges)
    shrink(graph, ranges)
    separate_halves(graph)
    read_instead(graph)
    mark_constant_loads(graph)
    merge_repeated(graph)
    expand_warp_operations(graph, memory, ranges)
    expand_divisions(graph, ranges)
    shrink(graph, ranges)
    lower_addresses(graph, ranges, spec)
    shrink(graph, ranges)
    split_wide_values(graph, ranges)
    shrink(graph, ranges)
    guard_loads(graph)
    shrink(graph, ranges)
    read_back(graph, ranges.threads)
    contract(graph)
    split_conditions(graph)
    sink(graph)
    localise_predicates(graph, ranges)
    remove_dead(graph)
    graph.blocks = block_order(graph)


def shrink(graph: Graph, ranges: Ranges) -> None:
    """Everything that makes a graph smaller."""
    fold(graph, ranges)
    remove_dead(graph)
    merge_repeated(graph)
    merge_blocks(graph)
    fold(graph, ranges)
    remove_dead(graph)
    ranges.forget()


def pack_and_name(ssa: Code, memory: MemoryMap, launch: Launch, spec: MachineSpec,
                  graph: Graph) -> tuple[Code, dict[Piece, list[Pack]], Names]:  # fmt: skip
    """Machine blocks and registers: first with much freedom for the scheduler, with less where too many values are alive."""
    least = sum(-(-sum(len(group.ops) for group in piece.groups) // spec.stages) for piece in ssa.pieces)
    spec.require("program blocks", least, spec.blocks, f"kernel {graph.kernel}", "use a smaller kernel or fewer unrolled steps")
    spills = SpillArea(memory, launch)
    needed = spec.registers + 1
    for attempt in ATTEMPTS:
        try:
            return arrange(ssa, spills, spec, attempt)
        except TooManyValues as problem:
            needed = problem.needed
        except Infeasible:
            continue
    raise LimitExceeded("registers", needed, spec.registers, f"kernel {graph.kernel}", "use fewer variables at once")


@dataclass(frozen=True, slots=True)
class Attempt:
    """How much freedom there is.

    window: how many of the next operations the scheduler may choose from; spills: values may go to memory
    careful: every value that a phi takes is copied, so that any order of operations will do
    """

    window: int
    spills: bool = False
    careful: bool = False


ATTEMPTS = (Attempt(8), Attempt(2, True), Attempt(8, True), Attempt(1, True, True))
"""Tried in turn until one gives a program."""


def arrange(ssa: Code, spills: SpillArea, spec: MachineSpec, attempt: Attempt) -> tuple[Code, dict[Piece, list[Pack]], Names]:
    """Machine blocks and registers. What cannot be ordered is copied; what does not fit is spilled where that is allowed.

    Raises Infeasible or TooManyValues when that does not help.
    """
    code, variable, packs = order(ssa, spec, attempt)
    spills.restart()
    short: set[Value] = set()
    while True:
        flat = [p for piece in code.pieces for p in packs[piece]]
        traffic = traffic_of(flat, successors(code, packs), code.cheap, variable)
        registers, victims = colour(interference(traffic), spec.registers, weights(traffic, short))
        if not victims:
            return code, packs, Names(registers, variable, traffic)
        if not attempt.spills:
            raise TooManyValues(spec.registers + len(victims))
        changed: set[Piece] = set()
        for victim in victims:
            members = {value for value, name in variable.items() if name is victim} | {victim}
            made, touched = spill(code, members, spills.slot(), spills.tag)
            short |= made
            changed |= touched
            variable = {value: name for value, name in variable.items() if value not in members}
        packs |= pack(code, [piece for piece in code.pieces if piece in changed], variable, spec, attempt.window)


def order(ssa: Code, spec: MachineSpec, attempt: Attempt) -> tuple[Code, dict[Value, Value], dict[Piece, list[Pack]]]:
    """Code without phis, the variables that values share, and the blocks. Values whose sharing leaves no order are copied."""
    values = {value for piece in ssa.pieces for group in piece.groups for value in group.results()}
    values |= {phi for piece in ssa.pieces for phi in piece.phis}
    separate = set(values) if attempt.careful else set()
    while True:
        code = copied(ssa)
        variable = leave_ssa(code, separate)
        alive = max(map(len, liveness(code, variable).values()))
        if not attempt.spills and alive > spec.registers:
            raise TooManyValues(alive)
        try:
            return code, variable, pack(code, code.pieces, variable, spec, attempt.window)
        except Infeasible as problem:
            more = (problem.values & values) - separate
            if not more:
                raise
            separate |= more


class SpillArea:
    """The words of spilled registers: one array, a word for every thread and spilled variable."""

    def __init__(self, memory: MemoryMap, launch: Launch) -> None:
        self.memory = memory
        lanes = memory.spec.lanes
        self.bytes = -(-launch.threads // lanes) * lanes * BYTES_PER_WORD
        self.area = next((o for o in memory.objects if o.name == SPILLED), None)
        self.free = 0

    def restart(self) -> None:
        """Forget the variables so far."""
        self.free = self.area.base if self.area else 0

    @property
    def tag(self) -> int:
        """The array's id."""
        assert self.area is not None
        return self.area.tag

    def slot(self) -> int:
        """The first word of one more variable."""
        if self.area is None:
            self.area = self.memory.allocate(SPILLED, "system", self.bytes)
            self.free = self.area.base
        elif self.free == self.area.base + self.area.words:
            self.area = self.memory.extend(self.area, self.bytes)
        first, self.free = self.free, self.free + self.bytes // BYTES_PER_WORD
        return first


def pack(code: Code, pieces: list[Piece], variable: dict[Value, Value], spec: MachineSpec,
         window: int) -> dict[Piece, list[Pack]]:  # fmt: skip
    """The machine blocks of some pieces. Raises Infeasible."""
    live = liveness(code, variable)
    packs = {}
    for piece in pieces:
        packs[piece], cost = schedule(code, piece, live[piece], variable, spec.stages, window)
        kept = keep_cheap_values(code, piece)
        if kept is not None:
            plain, piece.groups = piece.groups, kept
            other, other_cost = schedule(code, piece, live[piece], variable, spec.stages, window)
            if other_cost < cost:
                packs[piece] = other
            else:
                piece.groups = plain
    return packs


def keep_cheap_values(code: Code, piece: Piece) -> list[Group] | None:
    """The piece's groups with cheap values of two operations that several groups read computed once; None without any."""
    readers: dict[Value, int] = {}
    for group in piece.groups:
        for value in group.reads():
            op = code.cheap.get(value)
            if op is not None and any(v in code.cheap for v in op.reads()):
                readers[value] = readers.get(value, 0) + 1
    names = {value: Value(value.cost, value.name) for value, count in readers.items() if count > 1}
    if not names:
        return None
    made = [Group((replace(code.cheap[value], result=kept),)) for value, kept in names.items()]
    return [*made, *(Group(tuple(op.renamed(dict(names)) for op in g.ops), g.serial, g.epoch) for g in piece.groups)]


def successors(code: Code, packs: dict[Piece, list[Pack]]) -> dict[Pack, list[Pack]]:
    """The packs that may follow each pack."""
    found: dict[Pack, list[Pack]] = {}
    for piece in code.pieces:
        mine = packs[piece]
        found |= {first: [second] for first, second in pairwise(mine)}
        found[mine[-1]] = [packs[target][0] for target in piece.ending.targets]
    return found
