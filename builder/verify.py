"""Checking a finished checkpoint against what it says of itself and against the machine inside it.

Three independent looks: every file and tensor against the report's hashes; every compiled tensor against the machine file
expanded anew (nonzeros, mute term, output scale); the mute proof over the whole vocabulary again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from builder import mute
from builder.base import EMBEDDING, FINAL_NORM, HEAD
from builder.fit import guarding, one_thread, text_table
from builder.machinefile import Fit, Machine, compiled, open_machine, read_fit, token_rows
from builder.merge import TOKEN_ROWS, merged_name
from builder.mute import MuteProof
from builder.report import BuildReport, FileRecord, read_report
from builder.tensorfile import Stored, hash_file, load, read_header
from builder.workspace import ProgressSink, Watch, ignore_progress, never
from engine.machine.container import FILE_NAME as MACHINE
from engine.machine.errors import InputError, MismatchError

REBUILD = "build the checkpoint again"


@dataclass(frozen=True)
class Verified:
    """What was found in order: files and tensors compared, and the mute proof as it came out again."""

    checkpoint: str
    files: int
    tensors: int
    mute: MuteProof


@one_thread()
def verify(folder: Path, *, progress: ProgressSink = ignore_progress, cancelled: Callable[[], bool] = never) -> Verified:
    """Check a checkpoint folder completely.

    Raises InputError when it is foreign, truncated or incomplete, MismatchError naming the first difference, Cancelled.
    """
    watch = Watch(progress, cancelled)
    report = read_report(folder)
    stored = _stored_tensors(folder, report)
    _compare_files(folder, report, watch)
    machine = open_machine(folder / MACHINE)
    fit = read_fit(machine)
    if machine.layers != report.machine["layers"] or machine.codes.numel() != report.machine["tokens"]:
        raise MismatchError(f"{MACHINE} is not the machine that the report names", str(folder), REBUILD)
    _compare_base(stored, report, watch)
    norm = load(stored[f"model.{FINAL_NORM}"])
    if not torch.equal(fit.norm, norm[fit.placement[machine.code_lanes]]):
        raise MismatchError("output.norm is not the base's final norm", str(folder / MACHINE), REBUILD)
    compared = _compare_compiled(stored, machine, fit, report, watch)
    proof = _prove_again(stored, machine, fit, report, watch)
    return Verified(report.checkpoint, len(report.files), compared + len(report.base_tensors), proof)


def _stored_tensors(folder: Path, report: BuildReport) -> dict[str, Stored]:
    """Every tensor of the model's shards. Raises InputError for missing and truncated files."""
    for name, record in report.files.items():
        path = folder / name
        if not path.is_file():
            raise InputError(f"the checkpoint lacks '{name}'", str(folder), REBUILD)
        if path.stat().st_size != record.size:
            raise InputError(
                f"'{name}' has {path.stat().st_size:,} bytes, not {record.size:,}: truncated or foreign", str(folder), REBUILD
            )
    shards = [name for name, record in report.files.items() if record.tensors and name != MACHINE]
    return {tensor: item for name in shards for tensor, item in read_header(folder / name).tensors.items()}


def _compare_files(folder: Path, report: BuildReport, watch: Watch) -> None:
    """Every file's sha256. The first one that differs is named with the first tensor in it that does."""
    moved = watch.meter("verify", report.size)
    for name, record in report.files.items():
        if hash_file(folder / name, moved) != record.sha256:
            raise MismatchError(
                f"'{name}' is not what was built: {_first_difference(folder / name, record)}", str(folder), REBUILD
            )


def _first_difference(path: Path, record: FileRecord) -> str:
    if not record.tensors:
        return "its content differs"
    for tensor, item in read_header(path).tensors.items():
        if _hash(item) != record.tensors.get(tensor):
            return f"tensor '{tensor}' differs"
    return "its header differs"


def _hash(stored: Stored, size: int | None = None) -> str:
    """sha256 of a tensor's first `size` bytes (all by default)."""
    value, left = hashlib.sha256(), stored.size if size is None else size
    for chunk in stored.chunks():
        value.update(chunk[:left])
        left -= len(chunk[:left])
    return value.hexdigest()


def _compare_base(stored: Mapping[str, Stored], report: BuildReport, watch: Watch) -> None:
    """The base's tensors have the bytes of the download, in the embedding in the base's rows."""
    for plain, expected in report.base_tensors.items():
        watch.ask()
        name = merged_name(plain, report.machine["layers"])
        if name not in stored:
            raise MismatchError(f"the base's tensor '{plain}' is missing as '{name}'", "", REBUILD)
        item = stored[name]
        whole = item.size if plain not in (EMBEDDING, HEAD) else report.base["vocabulary"] * item.size // item.shape[0]
        if _hash(item, whole) != expected:
            raise MismatchError(f"the base's tensor '{plain}' differs from the download", str(item.path), REBUILD)


def _compare_compiled(stored: Mapping[str, Stored], machine: Machine, fit: Fit, report: BuildReport, watch: Watch) -> int:
    """Compiled tensors and token rows equal the machine file expanded; the number of tensors compared."""
    names = [(layer, name) for layer in range(machine.layers) for name in machine.shape.tensors()]
    for layer, name in names:
        watch.ask()
        _compare(stored, f"model.layers.{layer}.{name}", compiled(machine, fit, layer, name), 0)
    first = report.base["vocabulary"]
    tables = [f"model.{EMBEDDING}"] if report.base["tied"] else [f"model.{EMBEDDING}", HEAD]
    for table in tables:
        for start in range(0, machine.codes.numel(), TOKEN_ROWS):
            watch.ask()
            _compare(stored, table, token_rows(machine, fit, start, start + TOKEN_ROWS), first + start)
    return len(names) + len(tables)


def _compare(stored: Mapping[str, Stored], name: str, expected: torch.Tensor, first: int) -> None:
    """Rows [first, first + n) of a stored tensor, bit for bit. Raises MismatchError with the first differing place."""
    item = stored.get(name)
    if item is None or item.dtype != "BF16" or item.shape[1:] != expected.shape[1:] or item.shape[0] < first + len(expected):
        raise MismatchError(f"tensor '{name}' is missing or has another shape than the machine", "", REBUILD)
    found = load(item, first, first + len(expected))
    bits, wanted = found.view(torch.int16), expected.view(torch.int16)  # as bits: -0 is not 0 here
    if not torch.equal(bits, wanted):
        place = tuple((bits != wanted).nonzero()[0].tolist())
        index = [place[0] + first, *place[1:]]
        raise MismatchError(
            f"tensor '{name}' differs from the machine file at {index}: "
            f"{float(found[place])} instead of {float(expected[place])}",
            str(item.path),
            REBUILD,
        )


def _prove_again(stored: Mapping[str, Stored], machine: Machine, fit: Fit, report: BuildReport, watch: Watch) -> MuteProof:
    """The mute proof from the checkpoint's own bytes; must name the same rows as the report, whose effects and texts stand."""
    table = text_table(stored[f"model.{EMBEDDING}"], report.base["vocabulary"])
    seen = mute.views(machine)
    moved = watch.meter("mute", table.count * (1 + len(seen)), 2 * table.hidden)
    text = mute.lanes(table, fit.placement[machine.mute_axes], moved)
    proof = mute.prove(text, fit.direction, fit.gain, report.base["epsilon"], seen, moved, guarding(machine, fit))
    told = report.mute
    if odd := set(proof.violators) ^ set(told.violators) | set(proof.guarded) ^ set(told.guarded):
        raise MismatchError(f"the mute proof comes out differently for token {min(odd)}", "", REBUILD)
    return replace(proof, effect=told.effect, texts=told.texts)
