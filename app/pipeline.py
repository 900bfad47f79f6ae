"""From a kernel's source and a launch to exact arrays: compile, lower, launch in the weights, read, replay.

Shared by the command line and whatever else launches kernels. The stages themselves live in `toolchain` and `engine`; here
is their order, and what of their results the user sees.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.checkpoints import Prepare, build_machine, choose
from app.paths import Paths
from app.settings import Settings
from engine.machine.errors import FaultError

if TYPE_CHECKING:
    from app.engines import Engine

RUNTIMES = ("compact", "transformers")
DEVICES = ("auto", "cpu", "mps", "cuda")
MAX_TOKENS = 1_000_000
EXACT = "exact"


@dataclass(frozen=True)
class Job:
    """A launch that the user asks for.

    kernel: file of CUDA or PTX; launch: the JSON value that describes the launch; where: how messages call that
    """

    kernel: Path
    launch: Any
    where: str


@dataclass(frozen=True)
class Options:
    """How to launch: None as checkpoint is the user's own or the embedded one."""

    checkpoint: Path | None = None
    runtime: str = RUNTIMES[0]
    device: str = DEVICES[0]
    max_tokens: int = MAX_TOKENS


@dataclass(frozen=True)
class Result:
    """What a launch gave.

    outputs: final content of every pointer argument; prompt, generated: tokens; passes: forward passes of the model;
    replay: the reference interpreter's verdict; checkpoint: identity of the weights that computed it
    warnings: what the kernel did that a GPU leaves undefined
    """

    outputs: Mapping[str, Sequence[int | float]]
    runtime: str
    device: str
    prompt: int
    generated: int
    passes: int
    replay: str
    compile_seconds: float
    launch_seconds: float
    compiler: str
    checkpoint: str
    warnings: Sequence[str] = ()

    def as_json(self) -> dict[str, Any]:
        """The object that `run --json` prints; `warnings` is there when there are any."""
        return {
            "outputs": {name: list(values) for name, values in self.outputs.items()},
            "runtime": self.runtime,
            "device": self.device,
            "tokens": {"prompt": self.prompt, "generated": self.generated},
            "passes": self.passes,
            "replay": self.replay,
            "seconds": {"compile": self.compile_seconds, "launch": self.launch_seconds},
            "compiler": self.compiler,
            "checkpoint": self.checkpoint,
            **({"warnings": list(self.warnings)} if self.warnings else {}),
        }


class Session:
    """What the jobs of one command share: options, and the engine, which is opened once, when it is first needed."""

    def __init__(
        self,
        options: Options,
        paths: Paths,
        note: Callable[[str], None] = lambda text: None,
        cancelled: Callable[[], bool] = lambda: False,
        prepare: Prepare = build_machine,
    ) -> None:
        self.options, self.paths, self.note, self.cancelled, self._prepare = options, paths, note, cancelled, prepare
        self._engine: Engine | None = None

    def use(self, engine: Engine) -> None:
        """Take an engine that is open already."""
        self._engine = engine

    def open(self) -> Engine:
        """The engine with the chosen checkpoint. Raises InputError (checkpoint), EnvironmentProblem."""
        from app.engines import open_engine

        if self._engine is None:
            settings = Settings.read(self.paths.settings)
            checkpoint = choose(self.options.checkpoint, settings, self.paths, self._prepare, self.note)
            self._engine = open_engine(checkpoint, self.options.runtime, self.options.device, self.paths, self.note)
        return self._engine

    def run(self, job: Job, trace: Path | None = None) -> Result:
        """Launch a job. trace: where to write its tokens.

        Raises InputError, CompileError, UnsupportedError, FaultError, MismatchError, EnvironmentProblem, Cancelled.
        """
        from app.kernels import prepare

        kernel = prepare(job.kernel, job.launch, job.where)
        engine = self.open()
        try:
            launched = engine.launch(kernel.program, self.options.max_tokens, trace, cancelled=self.cancelled)
        except FaultError as fault:
            raise kernel.explain(fault) from None
        warnings = kernel.warnings(launched.early)
        for warning in warnings:
            self.note(warning)
        return Result(
            outputs=kernel.outputs(launched.words),
            runtime=self.options.runtime,
            device=engine.device,
            prompt=len(launched.prompt),
            generated=len(launched.generated),
            passes=launched.passes,
            replay=EXACT,
            compile_seconds=round(kernel.seconds, 4),
            launch_seconds=round(launched.seconds, 4),
            compiler=kernel.compiler,
            checkpoint=engine.identity,
            warnings=warnings,
        )
