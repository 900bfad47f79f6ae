"""The assistant's state and how it moves. Every method gives a new assistant; nothing here does any work.

The app does the work and reports: `looked(computer)`, `downloading(progress)`, `building(..)`, `built(..)`, `tested(..)`.
Little is saved: the step, what the person accepted, and where files are. The rest is found out again at the next start.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from app.assistant.model import Step, View
from app.computer import Computer
from app.hub.folder import Found
from app.hub.model import Progress as DownloadProgress
from engine.machine.errors import GpuError

NOT_BEGUN = DownloadProgress()
LAYERS = 45, 24
BUILD_BYTES = 10_100_000_000
"""About what a built Qwen3.5-2B weighs on disk."""


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

    accepted:   "continue anyway" was chosen; base: the complete language model's folder; checkpoint: the built one's
    """

    step: Step = Step.COMPUTER
    accepted: bool = False
    computer: Computer | None = None
    download: DownloadProgress = NOT_BEGUN
    download_size: int = 0
    base: Path | None = None
    build: Build = Build()
    checkpoint: Path | None = None
    test: SelfTest = SelfTest()

    # ------------------------------------------------------------ moving
    def go(self, step: Step) -> Self:
        """Show a step. One that is not reachable yet is not shown."""
        raise NotImplementedError

    def reachable(self, step: Step) -> bool:
        """Whether a step can be shown now: everything before it is done, or was accepted as it is."""
        raise NotImplementedError

    def accept(self) -> Self:
        """Continue although this computer has less than is recommended."""
        raise NotImplementedError

    # ------------------------------------------------------------ what the app reports
    def looked(self, computer: Computer) -> Self:
        """This computer was looked at."""
        raise NotImplementedError

    def sized(self, size: int) -> Self:
        """The hub said how many bytes there are to download."""
        raise NotImplementedError

    def downloading(self, progress: DownloadProgress) -> Self:
        """The download is where this says; a finished one gives the base."""
        raise NotImplementedError

    def given(self, found: Found) -> Self:
        """A folder that was there already is the base."""
        raise NotImplementedError

    def build_started(self) -> Self:
        """The worker began to build; what is on disk of an earlier try is used."""
        raise NotImplementedError

    def building(self, stage: str, done: int, total: int, moved: int, eta: float | None, layer: int | None) -> Self:
        """The worker finished a unit of the build. layer: which of the 69 it wrote, None for other work."""
        raise NotImplementedError

    def build_stopped(self, problem: GpuError | None = None) -> Self:
        """The build ended without a checkpoint: stopped by the person, or by a problem."""
        raise NotImplementedError

    def built(self, checkpoint: Path, seconds: float) -> Self:
        """The checkpoint is there."""
        raise NotImplementedError

    def test_started(self) -> Self:
        """The worker began the self-test."""
        raise NotImplementedError

    def tested(self, result: dict[str, Any], tokens: tuple[str, ...] = ()) -> Self:
        """The launch gave the right numbers, and its replay agreed."""
        raise NotImplementedError

    def test_failed(self, problem: GpuError) -> Self:
        """The launch failed, or gave something else."""
        raise NotImplementedError

    # ------------------------------------------------------------ showing and saving
    def view(self) -> View:
        """What the present step shows and offers."""
        raise NotImplementedError

    def to_json(self) -> dict[str, Any]:
        """What is saved."""
        raise NotImplementedError

    @classmethod
    def from_json(cls, value: Any) -> Self:
        """What was saved, as far as it still holds: a folder that is gone takes its step back. Never raises."""
        raise NotImplementedError
