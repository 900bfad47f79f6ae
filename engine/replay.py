"""Replay: the reference interpreter judges a launch after it has ended, token for token.

It also knows what a fault token does not say: which address a thread used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from .machine.errors import FaultError, MismatchError
from .machine.instructions import signed
from .machine.interpreter import Access_, Interpreter
from .machine.program import Access, Allocation, Block, Program
from .machine.spec import SPEC, MachineSpec
from .machine.tokens import BARRIER_FAULT, Token

EXACT = "exact"


def _go_on() -> None:
    """What is asked where nobody wants to stop."""


def _look_away(interpreter: Interpreter, token: Token) -> None:
    """What is told where nobody watches the interpreter."""


@dataclass(frozen=True)
class Difference:
    """The first token in which a launch and the interpreter part.

    index: place in the stream, prompt included. got, expected: the launch's and the interpreter's token. block, warp: what ran.
    """

    index: int
    got: Token
    expected: Token
    block: int
    warp: int

    def __str__(self) -> str:
        return (
            f"token {self.index} is {self.got}, the interpreter expects {self.expected} (block {self.block}, warp {self.warp})"
        )


def first_difference(
    program: Program,
    generated: Sequence[Token],
    spec: MachineSpec = SPEC,
    ask: Callable[[], None] = _go_on,
    watch: Callable[[Interpreter, Token], None] = _look_away,
) -> Difference | None:
    """Run the interpreter over a launch's prompt and compare its tokens with the generated ones; None when they agree.

    ask: called before every token; may raise to stop. watch: told the interpreter behind every token that it has consumed
    """
    interpreter = Interpreter(spec)
    prompt = interpreter.load(program)
    expected = interpreter.step(prompt[-1])
    for index, got in enumerate(generated, len(prompt)):
        if expected is None:
            raise AssertionError("the interpreter stopped before the launch ended")
        ask()
        if got != expected:
            return Difference(index, got, expected, interpreter.block, interpreter.warp)
        expected = interpreter.step(got)
        watch(interpreter, got)
    return None


def require_exact(
    program: Program,
    generated: Sequence[Token],
    spec: MachineSpec = SPEC,
    ask: Callable[[], None] = _go_on,
    watch: Callable[[Interpreter, Token], None] = _look_away,
) -> str:
    """Replay a launch; "exact", or MismatchError naming the first token that differs. ask, watch: as in `first_difference`."""
    difference = first_difference(program, generated, spec, ask, watch)
    if difference is None:
        return EXACT
    raise MismatchError(
        f"replay: {difference}",
        f"kernel {program.kernel}",
        "run `qwengpu verify`",
        index=difference.index,
        got=str(difference.got),
        expected=str(difference.expected),
        block=difference.block,
        warp=difference.warp,
    )


# ---------------------------------------------------------------- memory that is read before it is written
@dataclass(frozen=True)
class EarlyRead:
    """A thread that read a word which neither the host nor any thread had written.

    block, stage: the operation. atomic: it was an atomic's own read
    """

    address: int
    thread: int
    block: int
    stage: int
    atomic: bool


class EarlyReads:
    """Watches a replay for reads of words that nothing has written; `found` keeps the first of each array and kind.

    Reads of the rest of a word whose bytes are stored are none of the kernel's. All words of all arrays are watched that the
    program gives no data; which of these begin as zeros by some rule of CUDA's or ours, their reader knows.
    """

    def __init__(self, program: Program, spec: MachineSpec = SPEC) -> None:
        self.found: dict[tuple[int, bool], EarlyRead] = {}
        self._blocks, self._lanes = program.blocks, spec.lanes
        self._written = bytearray(spec.words)
        for array in program.allocations:
            self._written[array.base : array.base + len(array.data)] = b"\1" * len(array.data)
        self._base = [0] * spec.words
        for array in program.allocations:
            self._base[array.base : array.base + array.words] = [array.base] * array.words
        self._masks = [_rewrites_bytes(block) for block in program.blocks]

    def see(self, interpreter: Interpreter, token: Token) -> None:
        """What the interpreter did on a token."""
        written = self._written
        if token.kind == "EXEC":
            for access in interpreter.accesses:
                if access.operation.access is not Access.LOAD or not interpreter.mask >> access.lane & 1:
                    continue
                if access.address < len(written) and not written[access.address]:
                    self._early(interpreter, access)
        elif token.kind in ("MEM1", "MEMV"):
            for write in interpreter.writes:
                written[int(write[1])] = 1

    def _early(self, interpreter: Interpreter, access: Access_) -> None:
        block = self._blocks[interpreter.block]
        changed = block.serial and any(o.stores and o.tag == access.operation.tag for o in block.operations)
        if changed and self._masks[interpreter.block]:
            return
        thread = interpreter.warp * self._lanes + access.lane
        read = EarlyRead(access.address, thread, interpreter.block, access.stage, changed)
        self.found.setdefault((self._base[access.address], changed), read)


def _rewrites_bytes(block: Block) -> bool:
    """Whether a serial block replaces some bits of a word: it keeps the others by `and`, and stores their `or` with the new."""
    mnemonics = [operation.mnemonic for operation in block.operations if operation.access is Access.NONE]
    return "and" in mnemonics and any(o.stores and o.mnemonic == "or" for o in block.operations)


# ---------------------------------------------------------------- faults
class LaunchFault(FaultError):
    """A launch that ended in a FAULT token.

    generated: what the machine said, FAULT last, found exact; passes: forward calls, 0 where there were none
    """

    generated: tuple[Token, ...] = ()
    passes: int = 0


def fault_error(program: Program, generated: Sequence[Token], spec: MachineSpec = SPEC) -> LaunchFault:
    """What a launch that ended in a FAULT token did wrong: kernel, array, index, thread, block, source line.

    The generated tokens must have been found exact.
    """
    interpreter = Interpreter(spec)
    token: Token = interpreter.load(program)[-1]
    cta = 0
    for following in generated:
        interpreter.step(token)
        cta += following.kind == "RESTART"
        token = following
    reason = generated[-1].fields[0]
    said = _barrier_error if reason == BARRIER_FAULT else _access_error
    found = said(program, interpreter, cta)
    found.generated = tuple(generated)
    return found


def _access_error(program: Program, interpreter: Interpreter, cta: int) -> LaunchFault:
    access = interpreter.faulted
    if access is None:
        raise AssertionError("a fault without a faulty access")
    operation = access.operation
    thread = interpreter.warp * interpreter.spec.lanes + access.lane
    array = _array(program, operation.tag, access.address)
    index = signed(access.address - array.base & 0xFFFFFFFF) if array else signed(access.address)
    size = f"array {array.name}, which has {array.words} words" if array else "memory that belongs to no array"
    return LaunchFault(
        f"thread {thread} {'writes' if operation.stores else 'reads'} word {index} of {size}",
        _where(program, interpreter.block, operation.line),
        "guard the access or pass a larger array",
        kernel=program.kernel,
        array=array.name if array else None,
        index=index,
        thread=thread,
        cta=cta,
        block=interpreter.block,
        line=operation.line,
        address=access.address,
        stage=access.stage,
    )


def _array(program: Program, tag: int, address: int) -> Allocation | None:
    """The array that an access meant: the one of its tag; without a tag, the one nearest below the address."""
    if tag:
        return next((a for a in program.allocations if a.tag == tag), None)
    return max((a for a in program.allocations if a.base <= address), key=lambda a: a.base, default=None)


def _barrier_error(program: Program, interpreter: Interpreter, cta: int) -> LaunchFault:
    waiting = sorted(_waiting(interpreter))
    names = ", ".join(f"thread {thread} at {place}" for thread, place in _one_a_place(waiting))
    return LaunchFault(
        f"a barrier cannot complete: {names}",
        _where(program, interpreter.block, None),
        "let every thread of the block reach the same __syncthreads()",
        kernel=program.kernel,
        array=None,
        index=None,
        thread=waiting[0][0] if waiting else None,
        cta=cta,
        block=interpreter.block,
        line=None,
        waiting=[thread for thread, _ in waiting],
    )


def _waiting(interpreter: Interpreter) -> Iterator[tuple[int, str]]:
    """Threads that wait, each with the barrier where."""
    spec = interpreter.spec
    for warp, lanes in enumerate(interpreter.lane_states):
        for j, lane in enumerate(lanes):
            thread = warp * spec.lanes + j
            if thread < interpreter.threads and not lane.done and lane.waits is not None:
                yield thread, f"{lane.waits.name.lower().replace('_', ' ')} {lane.site}"


def _one_a_place(waiting: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The first thread at every place."""
    seen: set[str] = set()
    for thread, place in waiting:
        if place not in seen:
            seen.add(place)
            yield thread, place


def _where(program: Program, block: int, line: int | None) -> str:
    return f"kernel {program.kernel}, block {block}" + (f", line {line}" if line is not None else "")
