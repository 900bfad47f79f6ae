"""The assistant's state and how it moves. Every method gives a new assistant; nothing here does any work.

The app does the work and reports: `looked(computer)`, `downloading(progress)`, `building(..)`, `built(..)`, `tested(..)`.
Little is saved: the step, what the person accepted, and where files are. The rest is found out again at the next start.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from app.assistant.checks import Check, Trial, checks
from app.assistant.model import Mark, Step, View
from app.checkpoints import MACHINE
from app.computer import Computer
from app.hub.folder import CONFIG, Found
from app.hub.model import Progress as DownloadProgress
from app.hub.model import State
from engine.machine.errors import GpuError

NOT_BEGUN = DownloadProgress()
NOT_TRIED = Trial()
WRITING = "write"
"""The build's stage in which layers are written; only then a layer that is told of is one of the merged model's."""


@dataclass(frozen=True)
class Build:
    """The build. lit: layers of the merged model that are written, in order; paused: stopped with its files kept.

    stage, done, total, bytes, eta: of the worker's last progress message
    """

    running: bool = False
    paused: bool = False
    stage: str = ""
    done: int = 0
    total: int = 0
    bytes: int = 0
    eta: float | None = None
    lit: tuple[int, ...] = ()
    problem: GpuError | None = None
    seconds: float | None = None

    @property
    def finished(self) -> int:
        """How many layers are written. The newest one that was told of is finished when something else begins."""
        return 0 if not self.lit else self.lit[-1] + (self.stage != WRITING)

    @property
    def current(self) -> int | None:
        """The layer that is being written."""
        return self.lit[-1] if self.lit and self.running and self.stage == WRITING else None


@dataclass(frozen=True)
class SelfTest:
    """The self-test. passed: None until it ended; result: the worker's summary of the launch; tokens: in words."""

    running: bool = False
    passed: bool | None = None
    tokens: tuple[str, ...] = ()
    result: dict[str, Any] = field(default_factory=dict)
    problem: GpuError | None = None


@dataclass(frozen=True)
class Assistant:
    """Where somebody is.

    accepted:   "continue anyway" was chosen; refusal: why a folder that was given is not taken
    base:       the complete language model's folder; checkpoint: the built one's
    """

    step: Step = Step.COMPUTER
    accepted: bool = False
    computer: Computer | None = None
    trial: Trial = NOT_TRIED
    download: DownloadProgress = NOT_BEGUN
    download_size: int = 0
    base: Path | None = None
    refusal: GpuError | None = None
    build: Build = Build()
    checkpoint: Path | None = None
    test: SelfTest = SelfTest()

    # ------------------------------------------------------------ moving
    def go(self, step: Step) -> Self:
        """Show a step. One that is not reachable yet is not shown."""
        return replace(self, step=step) if self.reachable(step) else self

    def reachable(self, step: Step) -> bool:
        """Whether a step can be shown now: everything before it is done, or was accepted as it is."""
        built = self.checkpoint is not None
        here = built or self.base is not None
        return {Step.COMPUTER: True, Step.MODEL: here or self.fit or self.accepted, Step.BUILD: here, Step.SELF_TEST: built}[
            step
        ]

    def accept(self) -> Self:
        """Continue although this computer has less than is recommended. What cannot work is not accepted."""
        return self if self.blocked else replace(self, accepted=True)

    # ------------------------------------------------------------ this computer
    @property
    def checks(self) -> tuple[Check, ...]:
        """What was found of this computer; () before it was looked at."""
        return () if self.computer is None else checks(self.computer, self.trial, self.download_size, self.base is not None)

    @property
    def fit(self) -> bool:
        """Whether everything is as recommended. A test launch that waits for the model to load keeps nobody waiting."""
        return bool(self.checks) and all(check.mark in (Mark.DONE, Mark.RUNNING) for check in self.checks)

    @property
    def blocked(self) -> bool:
        """Whether something is missing without which nothing works, or was not looked at yet."""
        return not self.checks or any(check.mark is Mark.PROBLEM for check in self.checks)

    # ------------------------------------------------------------ what the app reports
    def looked(self, computer: Computer) -> Self:
        """This computer was looked at."""
        return replace(self, computer=computer)

    def tried(self, trial: Trial) -> Self:
        """The test launch began or ended."""
        return replace(self, trial=trial)

    def sized(self, size: int) -> Self:
        """The hub said how many bytes there are to download."""
        return replace(self, download_size=size)

    def downloading(self, progress: DownloadProgress) -> Self:
        """The download is where this says; a finished one gives the base."""
        base = progress.folder if progress.state is State.DONE else self.base
        return replace(self, download=progress, download_size=progress.size or self.download_size, base=base, refusal=None)

    def given(self, found: Found) -> Self:
        """A folder that was there already is the base."""
        return replace(self, base=found.folder, refusal=None)

    def refused(self, problem: GpuError) -> Self:
        """A folder that was given is no complete language model."""
        return replace(self, refusal=problem)

    def build_started(self) -> Self:
        """The worker began to build; what is on disk of an earlier try is used."""
        return replace(self, build=Build(running=True))

    def building(self, stage: str, done: int, total: int, moved: int, eta: float | None, layer: int | None) -> Self:
        """The worker finished a unit of the build. layer: which of the 69 it wrote, None for other work."""
        lit = self.build.lit
        if stage == WRITING and layer is not None and layer not in lit:
            lit = (*lit, layer)
        return replace(self, build=Build(True, False, stage, done, total, moved, eta, lit))

    def build_stopped(self, problem: GpuError | None = None) -> Self:
        """The build ended without a checkpoint: stopped by the person, or by a problem."""
        return replace(self, build=replace(self.build, running=False, paused=True, eta=None, problem=problem))

    def built(self, checkpoint: Path, seconds: float) -> Self:
        """The checkpoint is there."""
        return replace(self, checkpoint=checkpoint, build=Build(seconds=seconds), test=SelfTest())

    def test_started(self) -> Self:
        """The worker began the self-test."""
        return replace(self, test=SelfTest(running=True))

    def tested(self, result: dict[str, Any], tokens: tuple[str, ...] = ()) -> Self:
        """The launch gave the right numbers, and its replay agreed."""
        return replace(self, test=SelfTest(passed=True, tokens=tokens, result=result))

    def test_failed(self, problem: GpuError) -> Self:
        """The launch failed, or gave something else."""
        return replace(self, test=SelfTest(passed=False, problem=problem))

    # ------------------------------------------------------------ showing and saving
    def view(self) -> View:
        """What the present step shows and offers."""
        from app.assistant.views import view

        return view(self)

    def to_json(self) -> dict[str, Any]:
        """What is saved."""
        passed = self.accepted or self.step is not Step.COMPUTER  # nobody is sent back to the first step by a restart
        return {
            "step": self.step.value,
            "accepted": passed,
            "size": self.download_size,
            "base": None if self.base is None else str(self.base),
            "checkpoint": None if self.checkpoint is None else str(self.checkpoint),
            "building": self.build.running or self.build.paused,
            "seconds": self.build.seconds,
            "tested": self.test.passed is True,
        }

    @classmethod
    def from_json(cls, value: Any) -> Self:
        """What was saved, as far as it still holds: a folder that is gone takes its step back. Never raises."""
        if not isinstance(value, dict):
            return cls()
        base, checkpoint = _folder(value.get("base"), CONFIG), _folder(value.get("checkpoint"), MACHINE)
        seconds, size = value.get("seconds"), value.get("size")
        saved = cls(
            accepted=value.get("accepted") is True,
            base=base,
            checkpoint=checkpoint,
            download_size=size if type(size) is int and size > 0 else 0,
            build=Build(
                paused=checkpoint is None and value.get("building") is True,
                seconds=seconds if checkpoint is not None and isinstance(seconds, int | float) else None,
            ),
            test=SelfTest(passed=True if checkpoint is not None and value.get("tested") is True else None),
        )
        wanted = value.get("step")
        if not isinstance(wanted, int) or isinstance(wanted, bool) or wanted not in [step.value for step in Step]:
            return saved
        # the last step that can be shown, up to where the person was
        return next(replace(saved, step=step) for step in reversed(Step) if step.value <= wanted and saved.reachable(step))


def _folder(path: Any, file: str) -> Path | None:
    """A saved folder that still holds a file."""
    try:
        return Path(path) if isinstance(path, str) and (Path(path) / file).is_file() else None
    except (OSError, ValueError):
        return None
