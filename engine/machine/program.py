"""Programs: operations, blocks, memory images; their 128-bit rows, their prompt tokens, their disassembly.

A block is up to four operations, one a pipeline stage, and a terminator; one EXEC token runs it. An operation reads registers
*as they were at block entry*, results of earlier operations of its block, an immediate, the thread id, one or zero. A load or
store is an operation whose word result is the address. The row that the host stages for an operation is horizontal: every
choice is a one-hot field, so the machine decodes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from .errors import LimitExceeded
from .instructions import BY_MNEMONIC, OPCODE
from .spec import BYTES_PER_WORD, SPEC, WORD_BITS, WORD_MASK, MachineSpec
from .tokens import ALL_LANES, Token

ADVANCE_BLOCK: Final = 1
"""In a grid of several CTAs, block 1 runs on lane 0 after each CTA: it counts up and says whether another follows."""


class Special(Enum):
    """Operand sources beside the registers, in the order of their bits in the operand field."""

    T0 = 0
    T1 = 1
    T2 = 2
    IMMEDIATE = 3
    THREAD = 4
    ONE = 5
    ZERO = 6


@dataclass(frozen=True)
class Register:
    """Register number 0..15 of the lane's thread, as it was at block entry."""

    number: int


Source = Register | Special
RESULTS: Final = (Special.T0, Special.T1, Special.T2)
"""Results of the block's earlier operations, loads included."""


class Access(Enum):
    """What an operation does with memory: nothing, load [result], store C at [result], store result at [C]."""

    NONE = "none"
    LOAD = "load"
    STORE = "store"
    STORE_SWAPPED = "store swapped"


class Exit(Enum):
    """How a block ends, in the order of the bits in the terminator row."""

    EXIT = 0
    JUMP = 1
    BRANCH = 2
    CTA_BARRIER = 3
    WARP_BARRIER = 4
    NEXT_CTA = 5


@dataclass(frozen=True)
class Operation:
    """One operation of a block.

    destination: register that takes the result (for a load, the loaded word), or None
    guarded:     the access happens only where the lane's predicate holds; a load that does not happen gives 0
    tag:         array id that the accessed word must carry; 0 accepts any allocated word
    line:        the user's source line, for messages
    """

    mnemonic: str
    a: Source = Special.ZERO
    b: Source = Special.ZERO
    c: Source = Special.ZERO
    immediate: int = 0
    destination: int | None = None
    access: Access = Access.NONE
    guarded: bool = False
    tag: int = 0
    line: int | None = None

    @property
    def stores(self) -> bool:
        """True when it writes memory."""
        return self.access in (Access.STORE, Access.STORE_SWAPPED)


@dataclass(frozen=True)
class Terminator:
    """How a block ends: `taken` is the target (of a branch, where the predicate holds), `other` a branch's other target.

    site: which `__syncthreads` of the source this is (0..15); lanes that wait at different sites cannot meet
    """

    exit: Exit
    taken: int = 0
    other: int = 0
    site: int = 0


@dataclass(frozen=True)
class Block:
    """Up to four operations and a terminator.

    serial: lanes whose store address equals that of a lower lane are held back and run again (atomics)
    yields: after it, lanes further on go first, then other warps (loops that wait for another thread)
    """

    operations: tuple[Operation, ...]
    terminator: Terminator
    serial: bool = False
    yields: bool = False


@dataclass(frozen=True)
class Allocation:
    """An array in the machine's memory.

    name:  how messages call it
    base:  first word; a multiple of the lanes, so that a record of one line never touches two arrays
    words: how many words belong to it
    tag:   array id 1..15 that all its words carry
    data:  initial words from `base` on (unsigned); the rest is zero
    """

    name: str
    base: int
    words: int
    tag: int
    data: tuple[int, ...] = ()


@dataclass(frozen=True)
class Program:
    """Everything that one launch needs: blocks, arrays, threads of a CTA, and whether more CTAs may follow."""

    kernel: str
    blocks: tuple[Block, ...]
    allocations: tuple[Allocation, ...]
    threads: int
    many: bool = False
    notes: tuple[str, ...] = field(default=())


# ---------------------------------------------------------------- validation
def validate(program: Program, spec: MachineSpec = SPEC) -> None:
    """Check a program against the machine.

    Raises LimitExceeded when a number of the machine is exceeded and ValueError (a defect of whoever made the program) when a
    block breaks a rule of the machine.
    """
    where = f"kernel {program.kernel}"
    spec.require("program blocks", len(program.blocks), spec.blocks, where, "use a smaller kernel or fewer unrolled steps")
    spec.require("threads of a block", program.threads, spec.threads, where, "launch smaller blocks and a larger grid")
    for allocation in program.allocations:
        _validate_allocation(allocation, spec, where)
    for number, block in enumerate(program.blocks):
        try:
            _validate_block(block, len(program.blocks), spec)
        except ValueError as error:
            raise ValueError(f"{where}, block {number}: {error}") from None


def _validate_allocation(allocation: Allocation, spec: MachineSpec, where: str) -> None:
    end = allocation.base + allocation.words
    spec.require("memory words", end, spec.words, f"{where}, array {allocation.name}", "use smaller arrays")
    spec.require("arrays", allocation.tag, spec.tags - 1, f"{where}, array {allocation.name}", "pass fewer arrays")
    if allocation.tag < 1 or allocation.base % spec.lanes or len(allocation.data) > allocation.words:
        raise ValueError(f"array {allocation.name}: tag {allocation.tag}, base {allocation.base}, data {len(allocation.data)}")


def _validate_block(block: Block, blocks: int, spec: MachineSpec) -> None:
    spec.require("operations of a block", len(block.operations), spec.stages)
    for target in (block.terminator.taken, block.terminator.other):
        if not 0 <= target < blocks:
            raise ValueError(f"jumps to block {target} of {blocks}")
    if not 0 <= block.terminator.site < spec.sites:
        raise LimitExceeded("__syncthreads sites", block.terminator.site + 1, spec.sites)
    stores = [stage for stage, operation in enumerate(block.operations) if operation.stores]
    if len(stores) > 1:
        raise ValueError("two stores in one block: only one word a lane can travel as result 3")
    last = block.operations[-1] if len(block.operations) == spec.stages else None
    if stores and stores[0] != spec.stages - 1 and last and last.destination is not None:
        raise ValueError("result 3 is the stored word, so operation 3 cannot have a destination")
    destinations = [o.destination for o in block.operations if o.destination is not None]
    if len(set(destinations)) != len(destinations):
        raise ValueError("two results for one register")
    for stage, operation in enumerate(block.operations):
        _validate_operation(operation, stage, block, spec)
    if block.serial:
        read = {s.number for o in block.operations for s in (o.a, o.b, o.c) if isinstance(s, Register)}
        if read & set(destinations):
            raise ValueError("a serial block overwrites a register that it reads: a lane held back would read the new value")


def _validate_operation(operation: Operation, stage: int, block: Block, spec: MachineSpec) -> None:
    instruction = BY_MNEMONIC.get(operation.mnemonic)
    if instruction is None:
        raise ValueError(f"no instruction {operation.mnemonic!r}")
    if instruction.stages is not None and stage not in instruction.stages:
        raise ValueError(f"{operation.mnemonic} exists in stages {instruction.stages} only, not in stage {stage}")
    wordless = instruction.predicate or operation.mnemonic == "nop"
    if wordless and (operation.destination is not None or operation.access is not Access.NONE):
        raise ValueError(f"{operation.mnemonic} gives no word to keep or to use as an address")
    if operation.stores and operation.destination is not None:
        raise ValueError("a store has no destination")
    if operation.destination is not None and not 0 <= operation.destination < spec.registers:
        raise ValueError(f"register {operation.destination}")
    if not 0 <= operation.immediate <= WORD_MASK or not 0 <= operation.tag < spec.tags:
        raise ValueError(f"immediate {operation.immediate} or tag {operation.tag} out of range")
    for source in (operation.a, operation.b, operation.c):
        if isinstance(source, Register):
            if not 0 <= source.number < spec.registers:
                raise ValueError(f"register {source.number}")
        elif source in RESULTS:
            earlier = block.operations[source.value] if source.value < stage else None
            if earlier is None or earlier.stores or earlier.mnemonic == "nop" or BY_MNEMONIC[earlier.mnemonic].predicate:
                raise ValueError(f"operation {stage} reads {source.name}, which holds no word")


# ---------------------------------------------------------------- rows of 128 bits
OPERAND_BITS: Final = 12
"""An operand field: 4 bits of register number, 1 bit that says it is one, 7 one-hot bits of the other sources."""
REGISTER_BITS: Final = 4
IMMEDIATE_WORD, OPCODE_WORD, OPERAND_WORD, MEMORY_WORD = 0, 1, 2, 3
A_SHIFT, B_SHIFT, DESTINATION_SHIFT, LIVE_BIT = 0, OPERAND_BITS, 2 * OPERAND_BITS, 28
C_SHIFT, LOAD_BIT, STORE_BIT, SWAP_BIT, GUARD_BIT, TAG_SHIFT = 0, 12, 13, 14, 15, 16
TAKEN_SHIFT, OTHER_SHIFT, EXIT_SHIFT, SERIAL_BIT, YIELD_BIT, SITE_SHIFT = 0, 8, 16, 22, 23, 24
"""Bit positions. Operation row: word 0 immediate; word 1 one-hot opcode; word 2 operands A and B, destination, live; word 3
operand C, memory form, guard, tag. Terminator row: all in word 0."""


def operand_field(source: Source) -> int:
    """The 12 bits of an operand."""
    if isinstance(source, Register):
        return source.number | 1 << REGISTER_BITS
    return 1 << (REGISTER_BITS + 1 + source.value)


def operation_row(operation: Operation) -> tuple[int, int, int, int]:
    """The four 32-bit words of an operation's program row."""
    live = operation.destination is not None
    operands = (
        operand_field(operation.a) << A_SHIFT
        | operand_field(operation.b) << B_SHIFT
        | (operation.destination or 0) << DESTINATION_SHIFT
        | live << LIVE_BIT
    )
    memory = (
        operand_field(operation.c) << C_SHIFT
        | (operation.access is Access.LOAD) << LOAD_BIT
        | operation.stores << STORE_BIT
        | (operation.access is Access.STORE_SWAPPED) << SWAP_BIT
        | operation.guarded << GUARD_BIT
        | operation.tag << TAG_SHIFT
    )
    return operation.immediate, 1 << OPCODE[operation.mnemonic], operands, memory


def terminator_row(block: Block) -> tuple[int, int, int, int]:
    """The four 32-bit words of a block's terminator row."""
    end = block.terminator
    word = (
        end.taken << TAKEN_SHIFT
        | end.other << OTHER_SHIFT
        | 1 << (EXIT_SHIFT + end.exit.value)
        | block.serial << SERIAL_BIT
        | block.yields << YIELD_BIT
        | end.site << SITE_SHIFT
    )
    return word, 0, 0, 0


# ---------------------------------------------------------------- prompt tokens
HOST_RESULT: Final = 3
"""Host records travel as result 3, as the word of a store does."""


def sent_bytes(word: int) -> tuple[bool, bool, bool, bool]:
    """Which bytes of a word must be sent: bytes above the highest sent byte are its sign, unsent bytes below it are 0.

    A word of 0 needs none.
    """
    parts = [(word >> 8 * i) & 255 for i in range(BYTES_PER_WORD)]
    top = BYTES_PER_WORD - 1
    while top > 0 and parts[top] == (255 if parts[top - 1] & 128 else 0):
        top -= 1
    needed = [parts[i] != 0 and i <= top for i in range(BYTES_PER_WORD)]
    needed[top] = needed[top] or top > 0
    return needed[0], needed[1], needed[2], needed[3]


def record_values(words: Sequence[int]) -> list[Token]:
    """The VAL tokens that stage one word a lane; at least one, since the first VAL erases what was staged before."""
    needed = [sent_bytes(word) for word in words]
    tokens: list[Token] = []
    for byte in range(BYTES_PER_WORD):
        parts = [(word >> 8 * byte) & 255 for word in words]
        if all(lane[byte] for lane in needed) and len(set(parts)) == 1:
            tokens.append(Token("VAL", (HOST_RESULT, ALL_LANES, byte, parts[0])))
        else:
            tokens += [
                Token("VAL", (HOST_RESULT, 1 + lane, byte, parts[lane])) for lane in range(len(words)) if needed[lane][byte]
            ]
    return tokens or [Token("VAL", (HOST_RESULT, ALL_LANES, 0, 0))]


def program_tokens(blocks: Sequence[Block], spec: MachineSpec = SPEC) -> Iterator[Token]:
    """The host tokens that load the program. A `nop` has no row: a row never written does nothing."""
    for number, block in enumerate(blocks):
        for part, operation in enumerate(block.operations):
            if operation.mnemonic != "nop":
                yield from record_values(operation_row(operation))
                yield Token("PROG", (number, part))
        yield from record_values(terminator_row(block))
        yield Token("PROG", (number, spec.stages))


def tag_tokens(allocations: Sequence[Allocation], spec: MachineSpec = SPEC) -> Iterator[Token]:
    """The host tokens that give every allocated word its array id."""
    tags = [0] * spec.words
    for allocation in allocations:
        tags[allocation.base : allocation.base + allocation.words] = [allocation.tag] * allocation.words
    per_row, per_word = spec.words_per_tag_row, WORD_BITS // 4
    for row in range(spec.tag_rows):
        part = tags[row * per_row : (row + 1) * per_row]
        if any(part):
            words = [
                sum(tag << 4 * i for i, tag in enumerate(part[w * per_word : (w + 1) * per_word])) for w in range(spec.lanes)
            ]
            yield from record_values(words)
            yield Token("TAGROW", (row,))


def data_tokens(allocations: Sequence[Allocation], spec: MachineSpec = SPEC) -> Iterator[Token]:
    """The host tokens that load initial data, a line at a time; lines of zeros are skipped, memory begins as zero."""
    for allocation in allocations:
        data = allocation.data
        for start in range(0, len(data), spec.lanes):
            words = [*data[start : start + spec.lanes], *[0] * spec.lanes][: spec.lanes]
            if any(words):
                yield from record_values(words)
                yield Token("MEMV", ((allocation.base + start) // spec.lanes,))


def prompt(program: Program, spec: MachineSpec = SPEC) -> list[Token]:
    """All host tokens of a launch: three PAD, program, tags, data, START. Validates the program first."""
    validate(program, spec)
    return [
        *[Token("PAD")] * (spec.conv_kernel - 1),
        *program_tokens(program.blocks, spec),
        *tag_tokens(program.allocations, spec),
        *data_tokens(program.allocations, spec),
        Token("START", (program.threads, int(program.many))),
    ]


# ---------------------------------------------------------------- disassembly
def format_source(source: Source, immediate: int) -> str:
    """An operand as text: r3, t0, #7, tid, 1, 0."""
    if isinstance(source, Register):
        return f"r{source.number}"
    return {Special.IMMEDIATE: f"#{immediate}", Special.THREAD: "tid", Special.ONE: "1", Special.ZERO: "0"}.get(
        source, source.name.lower()
    )


def format_operation(operation: Operation) -> str:
    """An operation as text."""
    operands = {"a": operation.a, "b": operation.b, "c": operation.c}
    names = [format_source(operands[o], operation.immediate) for o in BY_MNEMONIC[operation.mnemonic].operands if o != "p"]
    result = f"{operation.mnemonic} {', '.join(names)}".rstrip()
    data = format_source(operation.c, operation.immediate)
    text = {
        Access.NONE: result,
        Access.LOAD: f"load [{result}]",
        Access.STORE: f"store {data} at [{result}]",
        Access.STORE_SWAPPED: f"store {result} at [{data}]",
    }[operation.access]
    guard = "if p: " if operation.guarded else ""
    target = f" -> r{operation.destination}" if operation.destination is not None else ""
    return f"{guard}{text}{target}"


def format_block(number: int, block: Block) -> str:
    """A block as text, one line an operation."""
    end = block.terminator
    tail = {
        Exit.EXIT: "exit",
        Exit.JUMP: f"jump {end.taken}",
        Exit.BRANCH: f"if p: {end.taken} else {end.other}",
        Exit.CTA_BARRIER: f"cta barrier {end.site}, then {end.taken}",
        Exit.WARP_BARRIER: f"warp barrier, then {end.taken}",
        Exit.NEXT_CTA: "next cta if p",
    }[end.exit]
    flags = "".join(f" {name}" for name, on in (("serial", block.serial), ("yields", block.yields)) if on)
    lines = [f"  t{i}: {format_operation(o)}" for i, o in enumerate(block.operations)]
    return "\n".join([f"block {number}:{flags}", *lines, f"  {tail}"])


def disassemble(program: Program) -> str:
    """The program as text."""
    return "\n".join(format_block(number, block) for number, block in enumerate(program.blocks))
