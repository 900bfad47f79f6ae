"""A download as data: which files, how far, at what speed, and what stands in the way."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from engine.machine.errors import GpuError

QWEN = "Qwen/Qwen3.5-2B"
"""The language model that the machine is put in front of."""
QWEN_BYTES = 4_550_000_000
"""About what its files weigh, for sentences before the hub was asked."""
LICENSE = "Apache License 2.0"


@dataclass(frozen=True)
class RemoteFile:
    """A file of a repository. size: bytes; sha256: of a large file; blob: git's sha1 of a small one ("" where unknown)."""

    path: str
    size: int
    sha256: str = ""
    blob: str = ""


@dataclass(frozen=True)
class Manifest:
    """What a repository holds at a commit, of what a base needs."""

    repository: str
    commit: str
    files: tuple[RemoteFile, ...]

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)


@dataclass(frozen=True)
class Source:
    """Where and how files are fetched. endpoint, proxy: "" takes HF_ENDPOINT and the proxies of the environment, or defaults.

    token: sent to the endpoint's own host only; "" for none
    """

    repository: str = QWEN
    revision: str = "main"
    endpoint: str = ""
    proxy: str = ""
    token: str = ""


class State(Enum):
    """What a download does. WAITING: for network or hub, goes on by itself; STALLED: connected, but nothing comes."""

    IDLE = "idle"
    ASKING = "asking"
    DOWNLOADING = "downloading"
    STALLED = "stalled"
    WAITING = "waiting"
    CHECKING = "checking"
    PAUSED = "paused"
    CANCELLED = "cancelled"
    FAILED = "failed"
    DONE = "done"

    @property
    def running(self) -> bool:
        """Whether it goes on without anybody doing anything."""
        return self in (State.ASKING, State.DOWNLOADING, State.STALLED, State.WAITING, State.CHECKING)


class FileState(Enum):
    """What is known of a file."""

    MISSING = "missing"
    PARTIAL = "partial"
    CHECKING = "checking"
    CHECKED = "checked"
    WRONG = "wrong"


@dataclass(frozen=True)
class FileProgress:
    """One file: bytes on disk of all its bytes."""

    path: str
    size: int
    have: int = 0
    state: FileState = FileState.MISSING


@dataclass(frozen=True)
class Outage:
    """A time without connection. since, until: seconds since 1970; until None: still. what: "network lost", .."""

    since: float
    until: float | None
    what: str


@dataclass(frozen=True)
class Progress:
    """A download at one moment. All numbers are of bytes that are on disk; nothing moves while nothing comes.

    have, size: bytes; speed: bytes a second of the last seconds; eta: seconds left, None while unknown
    problem:    why it waits or failed; retry_in: seconds until the next try while it waits
    trace:      bytes a second, one number a second, of the last two minutes; outages: the gaps in it
    """

    state: State = State.IDLE
    have: int = 0
    size: int = 0
    speed: float = 0.0
    eta: float | None = None
    files: tuple[FileProgress, ...] = ()
    problem: GpuError | None = None
    retry_in: float | None = None
    trace: tuple[float, ...] = ()
    outages: tuple[Outage, ...] = ()
    folder: Path = field(default=Path())

    @property
    def fraction(self) -> float:
        """From 0 to 1; 0 while the size is unknown."""
        return self.have / self.size if self.size else 0.0
