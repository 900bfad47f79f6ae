"""Replay: the reference interpreter judges a launch after it has ended, token for token.

It also knows what a fault token does not say: which address a thread used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from .machine.errors import FaultError, MismatchError
from .machine.instructions import signed
from .machine.interpreter import Interpreter
from .machine.program import Allocation, Program
from .machine.spec import SPEC, MachineSpec
from .machine.tokens import BARRIER_FAULT, Token

EXACT = "exact"


def _go_on() -> None:
    """What is asked where nobody wants to stop."""


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
    program: Program, generated: Sequence[Token], spec: MachineSpec = SPEC, ask: Callable[[], None] = _go_on
) -> Difference | None:
    """Run the interpreter over a launch's prompt and compare its tokens with the generated ones; None when they agree.

    ask: called before every token; may raise to stop
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
    return None


def require_exact(
    program: Program, generated: Sequence[Token], spec: MachineSpec = SPEC, ask: Callable[[], None] = _go_on
) -> str:
    """Replay a launch; "exact", or MismatchError naming the first token that differs. ask: as in `first_difference`."""
    difference = first_difference(program, generated, spec, ask)
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
