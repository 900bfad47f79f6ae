"""The folder in which a checkpoint grows: journal, resuming, disk space, and the rename that makes it a checkpoint.

A checkpoint is written into `OUT.partial`. The journal there names the files that are finished, with their hashes, so that a
stopped or killed build is continued by the next one. Nothing that looks like a checkpoint exists before the rename.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from builder.mute import MuteProof
from builder.report import FORMAT, REPORT, BuildReport, FileRecord, Progress, canonical, read_report
from builder.tensorfile import hash_file
from engine.machine.container import FILE_NAME as MACHINE
from engine.machine.errors import Cancelled, EnvironmentProblem, InputError

JOURNAL = "journal.json"
DISK_SLACK = 1 << 26
"""Bytes that must stay free beside the checkpoint itself."""

ProgressSink = Callable[[Progress], None]


def ignore_progress(_: Progress) -> None:
    """A progress sink for callers that do not watch."""


def never() -> bool:
    """A cancel flag for callers that do not stop."""
    return False


@dataclass(frozen=True)
class Watch:
    """Who is told about progress and who may stop the work."""

    progress: ProgressSink = ignore_progress
    cancelled: Callable[[], bool] = never

    def ask(self) -> None:
        """Raise Cancelled when the user has stopped the work."""
        if self.cancelled():
            raise Cancelled("the build was stopped", "", "run it again to continue where it stopped")

    def meter(self, stage: str, total: int, unit: int = 1) -> Meter:
        """A counter for one stage. unit: bytes of one unit (1 where the stage counts bytes)."""
        return Meter(self, stage, total, unit)


class Meter:
    """Counts one stage: call it with the units that are done; it reports and may raise Cancelled.

    layer: which of the merged model's the next units belong to, None for those of no layer
    """

    def __init__(self, watch: Watch, stage: str, total: int, unit: int) -> None:
        self.layer: int | None = None
        self._watch, self._stage, self._total, self._unit = watch, stage, total, unit
        self._done = 0

    def __call__(self, count: int) -> None:
        self._done += count
        self._watch.progress(Progress(self._stage, self._done, self._total, self._done * self._unit, self.layer))
        self._watch.ask()


@dataclass(frozen=True)
class Journal:
    """What a partial folder holds for sure: the inputs it is for, the proof, and its finished files."""

    inputs: str
    mute: MuteProof | None
    files: Mapping[str, FileRecord]

    def save(self, folder: Path) -> None:
        """Write it so that either the old or the new one is on the disk, whatever happens."""
        write_bytes(
            folder / JOURNAL,
            canonical(
                {
                    "format": FORMAT,
                    "inputs": self.inputs,
                    "mute": self.mute.as_json() if self.mute else None,
                    "files": {name: asdict(record) for name, record in self.files.items()},
                }
            ),
        )

    @classmethod
    def read(cls, folder: Path) -> Journal | None:
        """The journal of a partial folder; None when there is none that can be trusted."""
        try:
            value = json.loads((folder / JOURNAL).read_text(encoding="utf-8"))
            return cls(
                value["inputs"],
                MuteProof.from_json(value["mute"]) if value["mute"] else None,
                {name: FileRecord(**record) for name, record in value["files"].items()},
            )
        except (OSError, ValueError, KeyError, TypeError):
            return None


@contextmanager
def writable(out: Path) -> Iterator[None]:
    """Turn what the disk refuses into an EnvironmentProblem that says what to do."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise EnvironmentProblem(
                "the disk is full", str(out.parent), "free some space and run it again; what is written is kept"
            ) from error
        raise EnvironmentProblem(
            f"the checkpoint cannot be written ({error.strerror or error})", str(out.parent), "choose another folder with --out"
        ) from error


def check_target(out: Path) -> None:
    """The target is free, or a checkpoint of ours that may be replaced."""
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not (out / REPORT).is_file())):
        raise InputError("the output exists and is no checkpoint of ours", str(out), "choose another folder with --out")


def finished_checkpoint(out: Path, inputs: str, watch: Watch) -> BuildReport | None:
    """The report of a complete checkpoint of the same inputs at `out`, after reading all of it; else None."""
    try:
        report = read_report(out)
    except InputError:
        return None
    if report.inputs != inputs or any(
        not (out / name).is_file() or (out / name).stat().st_size != record.size for name, record in report.files.items()
    ):
        return None
    moved = watch.meter("verify", report.size)
    intact = all(hash_file(out / name, moved) == record.sha256 for name, record in report.files.items())
    return report if intact else None


def partial_folder(out: Path) -> Path:
    """Where a checkpoint is built before it gets its name."""
    return out.with_name(out.name + ".partial")


def open_partial(out: Path, inputs: str, watch: Watch) -> tuple[Path, Journal]:
    """The partial folder with the files that are finished and intact; anything else in it is removed."""
    folder = partial_folder(out)
    journal = Journal.read(folder)
    if folder.exists() and journal is None and any(folder.iterdir()):
        raise InputError("the folder for unfinished builds holds something else", str(folder), "remove or rename it")
    kept: dict[str, FileRecord] = {}
    if journal is not None and journal.inputs == inputs:
        present = {name: record for name, record in journal.files.items() if (folder / name).is_file()}
        moved = watch.meter("verify", sum((folder / name).stat().st_size for name in present))
        kept = {name: record for name, record in present.items() if hash_file(folder / name, moved) == record.sha256}
    if folder.exists():
        for path in folder.iterdir():
            if path.name not in kept and path.name != JOURNAL:
                path.unlink()
    folder.mkdir(parents=True, exist_ok=True)
    journal = Journal(inputs, journal.mute if journal and MACHINE in kept else None, kept)
    journal.save(folder)
    return folder, journal


def need_disk(folder: Path, size: int) -> None:
    """Raises EnvironmentProblem unless `size` more bytes fit where `folder` is."""
    free = shutil.disk_usage(folder).free
    if free < size:
        raise EnvironmentProblem(
            f"not enough disk space: {size:,} bytes needed, {free:,} free",
            str(folder.parent),
            "free some space or choose another folder with --out",
            needed=size,
            available=free,
        )


def keep(folder: Path, journal: Journal, name: str, record: FileRecord) -> Journal:
    """Enter a finished file into the journal."""
    journal = replace(journal, files={**journal.files, name: record})
    journal.save(folder)
    return journal


def compare_hashes(folder: Path, files: Mapping[str, FileRecord], watch: Watch) -> None:
    """Read every file back. Raises EnvironmentProblem when the disk did not keep what was written."""
    moved = watch.meter("verify", sum(record.size for record in files.values()))
    for name, record in files.items():
        if hash_file(folder / name, moved) != record.sha256:
            raise EnvironmentProblem(
                f"'{name}' does not read back as it was written", str(folder), "check the disk and run it again"
            )


def write_bytes(path: Path, data: bytes) -> None:
    """Replace a small file so that either the old or the new content is on the disk. OSError passes."""
    temporary = path.with_name(path.name + ".part")
    with temporary.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def publish(folder: Path, out: Path) -> None:
    """Give the finished folder its name; an older checkpoint steps aside first and is removed last."""
    _sync_folder(folder)
    old = out.with_name(out.name + ".old")
    if old.exists():
        shutil.rmtree(old)
    if out.exists():
        out.rename(old)
    folder.rename(out)
    _sync_folder(out.parent)
    # only now: a build that is killed before the rename must still be recognised as ours and continued
    (out / JOURNAL).unlink()
    if old.exists():
        shutil.rmtree(old)


def _sync_folder(folder: Path) -> None:
    """Make renames in a folder durable; Windows does that by itself and cannot open folders."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
