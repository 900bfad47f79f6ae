"""From a kernel's source and its launch to a machine program, and from the machine's words back to typed arrays."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.machine.errors import FaultError
from engine.machine.program import Program
from engine.machine.spec import SPEC
from toolchain.compiler import CompiledPtx, compile_cuda, load_kernel
from toolchain.launch import Launch, parse_launch
from toolchain.lower import Lowered, lower
from toolchain.ptx import parse_ptx

if TYPE_CHECKING:
    from engine.replay import EarlyRead


@dataclass(frozen=True)
class Kernel:
    """A compiled launch. seconds: what compiling and lowering took."""

    lowered: Lowered
    compiler: str
    seconds: float
    ptx: str

    @property
    def program(self) -> Program:
        """What the machine runs."""
        return self.lowered.program

    def outputs(self, words: Sequence[int]) -> dict[str, list[int | float]]:
        """The final content of every pointer argument, from the machine's memory."""
        return self.lowered.read_outputs(list(words))

    def warnings(self, early: Sequence[EarlyRead]) -> list[str]:
        """What to tell the user of reads of memory that nothing had written."""
        told = (self.lowered.describe_early_read(r.block, r.stage, r.address, r.thread, r.atomic) for r in early)
        return [text for text in told if text is not None]

    def explain(self, fault: FaultError) -> FaultError:
        """A launch's fault in the words of the source: elements instead of words, threads as CUDA names them."""
        facts = fault.extra
        if facts.get("address") is None:
            return fault  # a barrier or the token limit: nothing of the source is missing
        lanes = self.lowered.lanes
        warp, lane = divmod(facts["thread"], lanes)
        named = self.lowered.describe_fault(facts["stage"] * lanes + lane, facts["block"], warp, facts["address"])
        named.extra = {**facts, **named.extra}
        return named


def prepare(source: Path, document: Any, where: str) -> Kernel:
    """Compile and lower a kernel's file for one launch.

    document: the JSON value that describes the launch; where: how messages call it
    Raises InputError, CompileError, UnsupportedError, EnvironmentProblem (no compiler).
    """
    launch = parse_launch(document, where)
    start = time.perf_counter()
    return _lowered(load_kernel(source, instantiate=_instance(launch)), launch, start)


def prepare_text(source: str, name: str, document: Any, where: str, cancelled: Callable[[], bool] = lambda: False) -> Kernel:
    """The same for a source that is no file; one whose name ends in .ptx is taken as it is. Raises Cancelled, too."""
    launch = parse_launch(document, where)
    start = time.perf_counter()
    if name.lower().endswith(".ptx"):
        return _lowered(CompiledPtx(source, "given", None), launch, start)
    return _lowered(compile_cuda(source, name, instantiate=_instance(launch), cancelled=cancelled), launch, start)


def _instance(launch: Launch) -> str | None:
    """The template instantiation that a launch names."""
    return launch.kernel if "<" in launch.kernel else None


def _lowered(compiled: CompiledPtx, launch: Launch, start: float) -> Kernel:
    lowered = lower(parse_ptx(compiled.ptx, compiled.source_name), launch, SPEC)
    return Kernel(lowered, compiled.compiler, time.perf_counter() - start, compiled.ptx)
