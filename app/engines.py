"""A checkpoint, opened: the runtime that holds its weights, and launches on it, judged."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from importlib import resources
from pathlib import Path

from app.checkpoints import Checkpoint, Origin, embedded
from app.devices import CPU, choose_device
from app.files import reason
from app.paths import Paths
from engine.compact import CompactRuntime
from engine.launch import LaunchResult, Runtime, launch
from engine.machine.errors import Cancelled, EnvironmentProblem, InputError, MismatchError
from engine.machine.program import Access, Allocation, Block, Exit, Operation, Program, Special, Terminator
from engine.machine.spec import SPEC, MachineSpec
from engine.native import NativeRuntime, source
from engine.replay import EarlyReads, require_exact
from engine.trace import Line
from engine.weights import Machine, read_machine
from toolchain.native import SUFFIX, host_library

COMPACT = "compact"
PROBE = Program(
    "probe",
    (
        Block(
            (
                Operation("add", Special.IMMEDIATE, Special.THREAD, immediate=2**31 - 1, destination=0),
                Operation("mov", Special.THREAD, c=Special.T0, access=Access.STORE, tag=1),
            ),
            Terminator(Exit.EXIT),
        ),
    ),
    (Allocation("out", 0, 4, 1),),
    4,
)
"""Four threads add and store: run once where a device other than the CPU was chosen for the user."""


@dataclass(frozen=True)
class Engine:
    """An opened checkpoint. identity: hash of the weights, as results name it."""

    checkpoint: Checkpoint
    runtime: Runtime
    identity: str

    @property
    def device(self) -> str:
        """Where the machine runs."""
        return self.runtime.device

    def launch(
        self,
        program: Program,
        max_tokens: int,
        trace: Path | None = None,
        on_token: Callable[[Line], None] = lambda line: None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> LaunchResult:
        """Run a program, then have the interpreter judge what the weights did.

        trace: where to write its tokens; on_token: told each of them; cancelled: asked before every forward call
        Raises FaultError, MismatchError, LimitExceeded, Cancelled, InputError (a trace file that cannot be written).
        """
        with tracing(trace) as write:

            def told(line: Line) -> None:
                write(line)
                on_token(line)

            result = launch(self.runtime, program, max_tokens, told, cancelled=cancelled)

        def ask() -> None:
            if cancelled():
                raise Cancelled("launch cancelled", f"kernel {program.kernel}")

        spec = self.runtime.machine.spec
        reads = EarlyReads(program, spec)
        require_exact(program, result.generated, spec, ask, reads.see)
        return replace(result, early=tuple(reads.found.values()))


def open_engine(
    checkpoint: Checkpoint, runtime: str, device: str, paths: Paths, note: Callable[[str], None] = lambda text: None
) -> Engine:
    """Load a checkpoint into a runtime ("compact" or "transformers").

    note: told where something else was done than asked
    Raises InputError (truncated, altered or foreign checkpoint), EnvironmentProblem (device, memory).
    """
    checkpoint, machine = _read(checkpoint, paths, note)
    identity, first_id = _identity(checkpoint, machine)
    if runtime == COMPACT:
        if device not in ("auto", CPU):
            note("the compact runtime computes on the CPU")
        return Engine(checkpoint, open_compact(machine, first_id, paths, note), identity)
    chosen = choose_device(device)
    engine = Engine(checkpoint, _dense(checkpoint, machine, chosen), identity)
    if device == "auto" and chosen != CPU and not _works(engine):
        note(f"the machine is not exact on '{chosen}'; it runs on the CPU")
        engine = Engine(checkpoint, _dense(checkpoint, machine, CPU), identity)
    return engine


def open_compact(machine: Machine, first_id: int, paths: Paths, note: Callable[[str], None]) -> Runtime:
    """The compact runtime: its loop compiled, or interpreted where that cannot be, which is said."""
    try:
        library = carried_loop()
        return NativeRuntime(machine, library if library.is_file() else host_library(source(), paths.libraries), first_id)
    except EnvironmentProblem as error:
        note(f"{error.what}; the machine runs without it, many times slower")
        return CompactRuntime(machine, first_id)


def carried_loop() -> Path:
    """Where an app bundle has the compiled loop; it has not all that compiling it takes."""
    return Path(str(resources.files("engine"))) / f"layers{SUFFIX}"


def _read(checkpoint: Checkpoint, paths: Paths, note: Callable[[str], None]) -> tuple[Checkpoint, Machine]:
    """The machine of a checkpoint. An embedded one that was damaged in the cache is made again."""
    try:
        machine = read_machine(checkpoint.machine)
    except InputError as error:
        if checkpoint.origin is not Origin.EMBEDDED:
            raise
        note(f"the embedded machine in the cache is damaged ({error.what})")
        shutil.rmtree(checkpoint.folder, ignore_errors=True)
        checkpoint = embedded(paths, note=note)
        machine = read_machine(checkpoint.machine)
    require_spec(machine.spec, checkpoint.folder)
    return checkpoint, machine


def require_spec(spec: MachineSpec, folder: Path) -> None:
    """Refuse a machine with other numbers than this program compiles for. Raises InputError."""
    other = next((field.name for field in fields(spec) if getattr(spec, field.name) != getattr(SPEC, field.name)), None)
    if other is not None:
        raise InputError(
            f"the checkpoint's machine has {other} = {getattr(spec, other):,}, this program's has {getattr(SPEC, other):,}",
            str(folder),
            "build the checkpoint again with this version",
        )


def _identity(checkpoint: Checkpoint, machine: Machine) -> tuple[str, int]:
    """The hash that names the weights, and the id of the machine's first token."""
    if not checkpoint.dense:
        return machine.content, 0
    from builder.report import read_report

    report = read_report(checkpoint.folder)
    return report.checkpoint, int(report.base["vocabulary"])


def _dense(checkpoint: Checkpoint, machine: Machine, device: str) -> Runtime:
    """The stock model on a device."""
    # transformers takes seconds to import, which the compact runtime need not wait for
    from engine.dense import DenseRuntime, embedded_model, load_checkpoint

    model = load_checkpoint(checkpoint.folder) if checkpoint.dense else embedded_model(machine)
    return DenseRuntime(machine, model.to(device))


def _works(engine: Engine) -> bool:
    """Whether the probe launch is exact on the engine's device."""
    try:
        engine.launch(PROBE, 100)
    except MismatchError:
        return False
    return True


@contextmanager
def tracing(path: Path | None) -> Iterator[Callable[[Line], None]]:
    """Writes a launch's tokens to a file as they come; to nowhere without one."""
    if path is None:
        yield lambda line: None
        return
    try:
        file = path.open("w", encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"the trace cannot be written: {reason(error)}", str(path), "name a file in a folder that exists"
        ) from None
    with file:
        yield lambda line: print(line.to_json(), file=file)
