"""Which checkpoint a command uses: the one it is told, else the user's own, else the embedded machine, prepared when needed."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from app.files import reason
from app.paths import Paths
from app.settings import Settings
from engine.machine.errors import EnvironmentProblem, InputError
from engine.machine.spec import SPEC, MachineSpec

MACHINE = "machine.safetensors"
REPORT = "build_report.json"
LOCK_SECONDS = 600.0
"""How long one process waits for another that prepares the same machine; preparing takes less than a minute."""
NEEDED_BYTES = 1 << 28
"""Free disk space without which preparing is not begun; the prepared machine is a fraction of it."""

Prepare = Callable[[Path, MachineSpec], None]
"""Writes a machine into an empty folder."""


class Origin(Enum):
    """How a checkpoint came to be the one that is used."""

    GIVEN = "given"
    BUILT = "built"
    EMBEDDED = "embedded"


@dataclass(frozen=True)
class Checkpoint:
    """A folder that holds a machine. folder: where; origin: why this one."""

    folder: Path
    origin: Origin

    @property
    def machine(self) -> Path:
        """The machine file."""
        return self.folder / MACHINE

    @property
    def dense(self) -> bool:
        """True for what a build made: stock transformers can load it, and its report says what it is."""
        return (self.folder / REPORT).is_file()


def choose(
    given: Path | None,
    settings: Settings,
    paths: Paths,
    prepare: Prepare | None = None,
    note: Callable[[str], None] = lambda text: None,
) -> Checkpoint:
    """The checkpoint to use.

    note: told what the user should know but need not act on
    Raises InputError for a folder that holds no machine, EnvironmentProblem when the embedded one cannot be prepared.
    """
    if given is not None:
        return check(given, Origin.GIVEN)
    if settings.checkpoint is not None:
        if settings.checkpoint.is_dir():
            return check(settings.checkpoint, Origin.BUILT)
        note(f"the default checkpoint {settings.checkpoint} is gone; the embedded machine is used")
    return embedded(paths, prepare, note)


def check(folder: Path, origin: Origin) -> Checkpoint:
    """A folder as a checkpoint. Raises InputError when it is none."""
    remedy = "give a folder that 'qwengpu build' made, or leave out --checkpoint"
    if not folder.exists():
        raise InputError("the checkpoint does not exist", str(folder), remedy)
    if not folder.is_dir():
        raise InputError("the checkpoint is not a folder", str(folder), remedy)
    if not (folder / MACHINE).is_file():
        raise InputError(f"the folder is no checkpoint: it has no {MACHINE}", str(folder), remedy)
    return Checkpoint(folder, origin)


def embedded(
    paths: Paths, prepare: Prepare | None = None, note: Callable[[str], None] = lambda text: None, spec: MachineSpec = SPEC
) -> Checkpoint:
    """The embedded machine of this version, prepared by whoever needs it first.

    A machine appears in its folder by one rename, so a process that is killed leaves nothing that looks complete; a lock,
    which the system releases with its process, keeps two processes from doing the work twice.
    Raises EnvironmentProblem when the cache folder cannot be written.
    """
    target = embedded_folder(paths, spec)
    if not (target / MACHINE).is_file():
        try:
            _prepare_once(target, prepare or build_machine, spec, note)
        except OSError as error:
            raise EnvironmentProblem(
                f"the embedded machine cannot be prepared: {reason(error)}",
                str(paths.machines),
                "free some space, make the folder writable, or give --checkpoint",
            ) from error
    return Checkpoint(target, Origin.EMBEDDED)


def _prepare_once(target: Path, prepare: Prepare, spec: MachineSpec, note: Callable[[str], None]) -> None:
    from filelock import FileLock, Timeout

    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(target.with_suffix(".lock"), timeout=LOCK_SECONDS):
            if not (target / MACHINE).is_file():
                note("the embedded machine is prepared for its first use; this takes less than a minute")
                _prepare_locked(target, prepare, spec)
    except Timeout:
        raise EnvironmentProblem(
            "another process has been preparing the embedded machine for too long",
            str(target.parent),
            "end it and run this again",
        ) from None


def _prepare_locked(target: Path, prepare: Prepare, spec: MachineSpec) -> None:
    """Prepare in a folder beside the target and rename it. The lock is held, so what lies around is left over."""
    pattern = f"{target.name}.partial-"
    for left_over in target.parent.glob(f"{pattern}*"):
        shutil.rmtree(left_over, ignore_errors=True)
    free = shutil.disk_usage(target.parent).free
    if free < NEEDED_BYTES:
        raise EnvironmentProblem(
            f"not enough disk space: {NEEDED_BYTES:,} bytes needed, {free:,} free",
            str(target.parent),
            "free some space",
            needed=NEEDED_BYTES,
            available=free,
        )
    folder = Path(tempfile.mkdtemp(prefix=pattern, dir=target.parent))
    try:
        prepare(folder, spec)
        if target.exists():  # a damaged one: a folder without its machine
            shutil.rmtree(target)
        os.rename(folder, target)
    except BaseException:
        with suppress(OSError):
            shutil.rmtree(folder)
        raise


# ---------------------------------------------------------------- what the embedded machine is made of
def build_machine(folder: Path, spec: MachineSpec, progress: Callable[[int, int], None] = lambda done, total: None) -> None:
    """Compile the circuits of a spec into `folder`. progress: told (done, total); may raise to stop."""
    from builder.machine import write_machine

    write_machine(folder / MACHINE, spec, progress)


def embedded_folder(paths: Paths, spec: MachineSpec = SPEC) -> Path:
    """Where the embedded machine of this version lies or will lie."""
    return paths.machines / machine_key(spec)


def machine_key(spec: MachineSpec) -> str:
    """Names the machine that this program makes of a spec: another spec or another builder gives another key."""
    from builder.identity import builder_hash

    return hashlib.sha256(f"{spec.to_json()}\n{builder_hash()}".encode()).hexdigest()[:16]
