"""One planned launch through the machine: compile, lower, launch, read; what it was is kept as a record."""

from __future__ import annotations

import json
import struct
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from app.compute.planning import COUNT, RESULT, STATUS, Planned
from app.compute.programs import Plain, outputs_of, to_plain
from app.compute.shapes import Block
from engine.machine.errors import FaultError
from engine.machine.program import Allocation, Program
from engine.machine.spec import SPEC
from engine.machine.tokens import TOKENS, Token
from engine.replay import EXACT
from toolchain.compiler import CompiledPtx, compile_cuda
from toolchain.launch import ArrayArgument, Launch, parse_launch
from toolchain.lower import Lowered, lower
from toolchain.ptx import parse_ptx
from toolchain.ptx_model import Module

if TYPE_CHECKING:
    from engine.launch import LaunchResult
    from engine.trace import Line

MAX_TOKENS = 1_000_000


class Launcher(Protocol):
    """A machine: `app.engines.Engine`, or whatever else runs programs and judges them."""

    @property
    def identity(self) -> str:
        """The hash that names its weights."""

    def launch(
        self,
        program: Program,
        max_tokens: int,
        trace: Path | None = None,
        on_token: Callable[[Line], None] = ...,
        cancelled: Callable[[], bool] = ...,
    ) -> LaunchResult:
        """Run a program. Raises FaultError, MismatchError, Cancelled; what returns has been replayed exactly."""


def _ignore(_: Line) -> None:
    """The callback of somebody who does not listen."""


@dataclass(frozen=True)
class Watch:
    """Who is told every token of a launch, and asked before every one whether it goes on."""

    on_token: Callable[[Line], None] = _ignore
    cancelled: Callable[[], bool] = field(default=lambda: False)


UNWATCHED = Watch()


@dataclass(frozen=True)
class LaunchRecord:
    """Everything about one launch, enough to redo it elsewhere.

    launch: grid, block and arguments; program: the machine code, see `app.compute.programs`
    prompt, generated: tokens, counted from the machine's first; passes: forward calls; seconds: what the tokens took
    """

    function: str
    cuda: str
    ptx: str
    compiler: str
    launch: Mapping[str, Any]
    program: Plain
    outputs: Mapping[str, Sequence[Any]]
    prompt: tuple[int, ...]
    generated: tuple[int, ...]
    replay: str
    passes: int
    seconds: float


class Faulted(FaultError):
    """A launch that did what no launch may do. record: all of it up to the fault, which has no outputs."""

    def __init__(self, fault: FaultError, record: LaunchRecord) -> None:
        super().__init__(fault.what, fault.where, fault.remedy, **fault.extra)
        self.record = record


def run(planned: Planned, launcher: Launcher, max_tokens: int = MAX_TOKENS, watch: Watch = UNWATCHED) -> LaunchRecord:
    """Launch. Raises FaultError (of the function too: overflow, division by zero), MismatchError, UnsupportedError,
    CompileError, Cancelled, EnvironmentProblem (no compiler).
    """
    function = planned.function
    compiled, _ = compile_kernel(function.source, f"{function.name}.cu", planned.kernel)
    launch = parse_launch(planned.document, f"function {function.name}")
    lowered = _filled(lower_shape(function.source, f"{function.name}.cu", planned.kernel, _shape(planned.document)), launch)
    begin = time.perf_counter()
    try:
        launched = launcher.launch(lowered.program, max_tokens, on_token=watch.on_token, cancelled=watch.cancelled)
    except FaultError as fault:
        raise FaultError(fault.what, f"function {function.name}", fault.remedy, **fault.extra) from None
    seconds = time.perf_counter() - begin
    program = to_plain(lowered.program)
    return LaunchRecord(
        function=function.name,
        cuda=function.source,
        ptx=compiled.ptx,
        compiler=compiled.compiler,
        launch=planned.document,
        program=program,
        outputs=read_words(planned.document, program, launched.words),
        prompt=numbers_of(launched.prompt),
        generated=numbers_of(launched.generated),
        replay=EXACT,
        passes=launched.passes,
        seconds=round(seconds, 4),
    )


def read_words(document: Mapping[str, Any], program: Plain, words: Sequence[int]) -> dict[str, list[int | float]]:
    """The results of a launch, from the words of memory. document: as LAUNCH.json has it."""
    memory = list(words)
    return {output.name: output.decode(memory) for output in outputs_of(program, document["args"])}


def result_of(planned: Planned, record: LaunchRecord) -> Block:
    """A launch's result. Raises FaultError where the kernel refused its arguments."""
    function = planned.function
    status = record.outputs[STATUS][0]
    if status:
        raise FaultError(
            f"{function.name}: {function.explain(status)}",
            f"function {function.name}",
            f"limits: {'; '.join(function.limits)}" if function.limits else "",
            status=status,
        )
    entries = tuple(record.outputs[RESULT])
    if not function.result.most:
        return Block(planned.sizes, entries)
    count = record.outputs[COUNT][0]
    width = planned.sizes[1] if len(planned.sizes) > 1 else 1
    return Block((count, *planned.sizes[1:]), entries[: count * width])


def numbers_of(tokens: Iterable[Token]) -> tuple[int, ...]:
    """Tokens as their numbers, counted from the machine's first token."""
    return tuple(map(TOKENS.ids.__getitem__, tokens))


# ---------------------------------------------------------------- compiling
@lru_cache(maxsize=256)
def compile_kernel(source: str, name: str, kernel: str) -> tuple[CompiledPtx, Module]:
    """PTX of one instantiation, as text and parsed."""
    compiled = compile_cuda(source, name, instantiate=kernel)
    return compiled, parse_ptx(compiled.ptx, compiled.source_name)


@lru_cache(maxsize=512)
def lower_shape(source: str, name: str, kernel: str, shape: str) -> Lowered:
    """The program for arguments of one shape. It does not depend on their contents, which are filled in per launch."""
    return lower(compile_kernel(source, name, kernel)[1], parse_launch(json.loads(shape), name), SPEC)


def _shape(document: Mapping[str, Any]) -> str:
    """A launch without the contents of its arrays."""
    arguments = [
        {"name": a["name"], "type": a["type"], "size": len(a["value"])} if isinstance(a.get("value"), list) else a
        for a in document["args"]
    ]
    return json.dumps({**document, "args": arguments})


def _filled(lowered: Lowered, launch: Launch) -> Lowered:
    """The same program with other contents of its arrays."""
    arrays = {array.name: array for array in launch.arrays}
    allocations = tuple(_with_content(allocation, arrays.get(allocation.name)) for allocation in lowered.program.allocations)
    return replace(lowered, program=replace(lowered.program, allocations=allocations), launch=launch)


def _with_content(allocation: Allocation, array: ArrayArgument | None) -> Allocation:
    if array is None or not any(array.values):
        return allocation
    content = array.content
    content += bytes(-len(content) % 4)
    return replace(allocation, data=struct.unpack(f"<{len(content) // 4}I", content))
