"""From (base, machine file, token names) to a checkpoint that stock transformers loads, streaming.

Passes: check and hash the base; fit the machine to it (axes, mute direction, proof); write the files one tensor at a time
into `OUT.partial`; read every file back and compare hashes; rename. A journal in the partial folder names what is finished,
so that a stopped or killed build is continued by the next call. Nothing that looks like a checkpoint exists before the
rename: the folder has another name, and its config is written last.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from builder.base import (
    COMPANIONS,
    CONFIG,
    EMBEDDING,
    HEAD,
    INDEX,
    NOTICE,
    TEXT_ARCHITECTURE,
    Base,
    expected_tensors,
    hash_base,
    open_base,
)
from builder.fit import fit_machine
from builder.machinefile import Fit, Machine, compiled, open_machine, read_fit, token_rows, write_fitted
from builder.report import FORMAT, REPORT, BuildReport, FileRecord, canonical, digest
from builder.tensorfile import Entry, Stored, Zeros, hash_file, raw, read_header, write
from builder.workspace import (
    DISK_SLACK,
    Journal,
    ProgressSink,
    Watch,
    check_target,
    compare_hashes,
    finished_checkpoint,
    ignore_progress,
    keep,
    need_disk,
    never,
    open_partial,
    publish,
    writable,
    write_bytes,
)
from engine.machine.container import FILE_NAME as MACHINE
from engine.machine.errors import InputError

TOKENS = "machine_tokens.json"
SHARD_BYTES = 1 << 29
"""Shards are closed at this size: what a stopped build may have to write again. One tensor is never split."""
TOKEN_ROWS = 4096
DROPPED_CONFIG = (
    "auto_map",
    "full_attention_interval",
    "transformers_version",
    "_name_or_path",
    "torch_dtype",
    "architectures",
    "text_config",
    "vision_config",
    "mtp_num_hidden_layers",
    "mtp_use_dedicated_embeddings",
)
"""Keys of a base's config that are not true of the merged model."""


def build(
    source: str | Path,
    machine_file: Path,
    out: Path,
    names: Sequence[str],
    *,
    progress: ProgressSink = ignore_progress,
    cancelled: Callable[[], bool] = never,
    fetch: Callable[[str], Path] | None = None,
    shard_bytes: int = SHARD_BYTES,
) -> BuildReport:
    """Build the checkpoint `out` of a base and a machine; the report that is also in it.

    source: folder, hub id or "embedded"; names: one name a machine token, in the order of `tokens.codes`.
    cancelled: asked after every chunk; fetch: hub id -> folder.
    A finished checkpoint of the same inputs is checked and reused, an unfinished one continued.
    Raises InputError (base, machine or out), EnvironmentProblem (disk, network), Cancelled.
    """
    watch, began = Watch(progress, cancelled), time.monotonic()
    seconds: dict[str, float] = {}
    out = Path(os.path.abspath(out))
    check_target(out)
    machine = open_machine(machine_file)
    if len(names) != machine.codes.numel() or len(set(names)) != len(names):
        raise InputError(
            f"{len(set(names)):,} distinct token names for {machine.codes.numel():,} machine tokens",
            str(machine_file),
            "give one name a token",
        )
    base = open_base(source, machine.shape, fetch)
    with readable(base.source):
        weights = hash_base(base, watch.meter("base", sum(path.stat().st_size for path in base.files.values())))
    inputs = _inputs_key(base, weights, machine, names, shard_bytes)
    seconds["base"] = time.monotonic() - began
    finished = finished_checkpoint(out, inputs, watch)
    if finished is not None:
        return finished
    with writable(out):
        folder, journal = open_partial(out, inputs, watch)
        journal = _write_fit(folder, journal, base, machine, watch)
        seconds["mute"] = time.monotonic() - began - sum(seconds.values())
        journal = _write_files(folder, journal, base, open_machine(folder / MACHINE), names, shard_bytes, watch)
        seconds["write"] = time.monotonic() - began - sum(seconds.values())
        compare_hashes(folder, journal.files, watch)
        seconds["verify"] = time.monotonic() - began - sum(seconds.values())
        report = _report(base, weights, machine, journal, seconds, watch)
        write_bytes(folder / REPORT, canonical(report.as_json()))
        publish(folder, out)
    return report


@contextmanager
def readable(source: str) -> Iterator[None]:
    """Turn a read error of a base into an InputError."""
    try:
        yield
    except OSError as error:
        raise InputError(f"the base cannot be read ({error.strerror or error})", source, "check the files") from error


def _inputs_key(base: Base, weights: Mapping[str, str], machine: Machine, names: Sequence[str], shard_bytes: int) -> str:
    companions = {name: hash_file(path, lambda _: None) for name, path in base.companions.items()}
    return digest(
        {
            "format": FORMAT,
            "source": base.source,
            "config": dict(base.config),
            "weights": dict(weights),
            "companions": companions,
            "notice": base.notice,
            "machine": _machine_hash(machine),
            "names": list(names),
            "shard": shard_bytes,
        }
    )


def _machine_hash(machine: Machine) -> str:
    return hash_file(machine.path, lambda _: None)


def _write_fit(folder: Path, journal: Journal, base: Base, machine: Machine, watch: Watch) -> Journal:
    """Fit the machine and write its file; nothing to do when the partial folder has it."""
    if MACHINE in journal.files and journal.mute is not None:
        return journal
    fit, proof = fit_machine(base, machine, watch)
    temporary = folder / f"{MACHINE}.part"
    write_fitted(machine, fit, temporary)
    data = temporary.read_bytes()
    temporary.unlink()
    write_bytes(folder / MACHINE, data)
    tensors = {name: _hash_tensor(item) for name, item in read_header(folder / MACHINE).tensors.items()}
    record = FileRecord(len(data), hashlib.sha256(data).hexdigest(), tensors)
    return keep(folder, replace(journal, mute=proof), MACHINE, record)


def merged_name(plain: str, compiled_layers: int) -> str:
    """The checkpoint's name of a base tensor: its layers come after the compiled ones."""
    if plain == HEAD:
        return HEAD
    if not plain.startswith("layers."):
        return f"model.{plain}"
    _, index, rest = plain.split(".", 2)
    return f"model.layers.{int(index) + compiled_layers}.{rest}"


def layer_of(name: str) -> int | None:
    """Which layer of the merged model a tensor of the checkpoint belongs to."""
    parts = name.split(".")
    return int(parts[2]) if parts[:2] == ["model", "layers"] else None


def plan(base: Base, machine: Machine, fit: Fit) -> list[Entry]:
    """Every tensor of the merged model in checkpoint order."""
    extended = {EMBEDDING, HEAD}
    copied = []
    for name in expected_tensors(base.dimensions, base.tied):
        stored, merged = base.tensors[name], merged_name(name, machine.layers)
        copied.append(
            _extended(stored, merged, machine, fit)
            if name in extended
            else Entry(merged, stored.dtype, stored.shape, stored.chunks)
        )
    front = [
        _compiled_entry(machine, fit, layer, name, shape)
        for layer in range(machine.layers)
        for name, shape in machine.shape.tensors().items()
    ]
    return [copied[0], *front, *copied[1:]]


def _extended(stored: Stored | Zeros, name: str, machine: Machine, fit: Fit) -> Entry:
    """A table with the machine's rows behind the base's own bytes."""
    tokens = machine.codes.numel()

    def chunks() -> Iterator[bytes | memoryview]:
        yield from stored.chunks()
        for start in range(0, tokens, TOKEN_ROWS):
            yield raw(token_rows(machine, fit, start, start + TOKEN_ROWS))

    return Entry(name, stored.dtype, (stored.shape[0] + tokens, stored.shape[1]), chunks)


def _compiled_entry(machine: Machine, fit: Fit, layer: int, name: str, shape: tuple[int, ...]) -> Entry:
    return Entry(f"model.layers.{layer}.{name}", "BF16", shape, lambda: [raw(compiled(machine, fit, layer, name))])


def shards(entries: Iterable[Entry], limit: int) -> list[list[Entry]]:
    """Consecutive groups of at most `limit` bytes, a larger tensor alone."""
    groups: list[list[Entry]] = []
    size = 0
    for item in entries:
        if not groups or size + item.size > limit:
            groups.append([])
            size = 0
        groups[-1].append(item)
        size += item.size
    return groups


def _write_files(
    folder: Path, journal: Journal, base: Base, machine: Machine, names: Sequence[str], shard_bytes: int, watch: Watch
) -> Journal:
    """All files but the report, finished ones skipped; the config last."""
    groups = shards(plan(base, machine, read_fit(machine)), shard_bytes)
    titles = [f"model-{number:05d}-of-{len(groups):05d}.safetensors" for number in range(1, len(groups) + 1)]
    sizes = [sum(item.size for item in group) for group in groups]
    left = [size for title, size in zip(titles, sizes, strict=True) if title not in journal.files]
    need_disk(folder, sum(left) + DISK_SLACK)
    moved = watch.meter("write", sum(left))

    def begin(name: str) -> None:
        moved.layer = layer_of(name)

    for title, group in zip(titles, groups, strict=True):
        if title in journal.files:
            continue
        need_disk(folder, sum(item.size for item in group))
        written = write(folder / title, group, {"format": "pt"}, moved, begin)
        journal = keep(folder, journal, title, FileRecord(written.size, written.sha256, written.tensors))
    for name, data in _small_files(base, machine, names, titles, groups):
        write_bytes(folder / name, data)
        journal = keep(folder, journal, name, FileRecord(len(data), hashlib.sha256(data).hexdigest(), {}))
    return journal


def _small_files(
    base: Base, machine: Machine, names: Sequence[str], titles: list[str], groups: list[list[Entry]]
) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of everything that is not weights; the config comes last."""
    for name in COMPANIONS:
        if name in base.companions:
            yield name, base.companions[name].read_bytes()
    first = base.dimensions.vocabulary
    yield TOKENS, canonical_in_order({str(first + i): name for i, name in enumerate(names)})
    yield NOTICE, notice(base).encode()
    placed = {item.name: title for title, group in zip(titles, groups, strict=True) for item in group}
    total = sum(item.size for group in groups for item in group)
    yield INDEX, canonical({"metadata": {"total_size": total}, "weight_map": placed})
    yield CONFIG, canonical(merged_config(base, machine))


def canonical_in_order(value: Mapping[str, str]) -> bytes:
    """A JSON object with its keys in the given order."""
    return (json.dumps(value, indent=0, ensure_ascii=False) + "\n").encode()


def merged_config(base: Base, machine: Machine) -> dict[str, Any]:
    """The config of the merged model: the base's text config with more layers and more tokens."""
    kinds = ["linear_attention"] * machine.layers + list(base.dimensions.layer_types)
    kept = {key: value for key, value in base.config.items() if key not in DROPPED_CONFIG}
    return {
        **kept,
        "architectures": [TEXT_ARCHITECTURE],
        "model_type": "qwen3_5_text",
        "dtype": "bfloat16",
        "num_hidden_layers": len(kinds),
        "layer_types": kinds,
        "tie_word_embeddings": base.tied,
        "vocab_size": base.dimensions.vocabulary + machine.codes.numel(),
    }


def notice(base: Base) -> str:
    """The NOTICE of the checkpoint: what it is made of and under which license."""
    origin = (
        "It contains no language model: the layers behind the machine are zeros."
        if not base.files
        else f"It contains the language model '{base.source}' (Qwen3.5, Copyright Alibaba Cloud), its tensors unchanged,\n"
        "distributed under the Apache License, Version 2.0. What was added: compiled layers in front of the model's\n"
        "own, and rows for the machine's tokens behind its vocabulary. The vision and multi-token-prediction parts\n"
        "were left out."
    )
    own = (
        "qwenGPU Desktop merged checkpoint\n\n"
        f"{origin}\n\n"
        "Licensed under the Apache License, Version 2.0: http://www.apache.org/licenses/LICENSE-2.0\n"
    )
    return own if not base.notice else f"{own}\nNotice of the base:\n\n{base.notice}"


def _report(
    base: Base, weights: Mapping[str, str], machine: Machine, journal: Journal, seconds: Mapping[str, float], watch: Watch
) -> BuildReport:
    written = {name: value for record in journal.files.values() for name, value in record.tensors.items()}
    tensors = {
        name: (
            _hash_tensor(base.tensors[name], watch.ask)
            if name in (EMBEDDING, HEAD)
            else written[merged_name(name, machine.layers)]
        )
        for name in expected_tensors(base.dimensions, base.tied)
    }
    dimensions = base.dimensions
    assert journal.mute is not None
    return BuildReport(
        inputs=journal.inputs,
        base={
            "source": base.source,
            "layers": len(dimensions.layer_types),
            "hidden": dimensions.hidden,
            "vocabulary": dimensions.vocabulary,
            "tied": base.tied,
            "epsilon": dimensions.epsilon,
            "files": dict(weights),
            "bytes": sum(item.size for item in base.tensors.values()),
        },
        base_tensors=tensors,
        machine={
            "sha256": _machine_hash(machine),
            "builder": machine.metadata.get("builder", ""),
            "layers": machine.layers,
            "tokens": machine.codes.numel(),
        },
        spec=machine.spec,
        mute=journal.mute,
        files=dict(sorted(journal.files.items())),
        seconds={stage: round(value, 3) for stage, value in seconds.items()},
    )


def _hash_tensor(stored: Stored | Zeros, ask: Callable[[], None] = lambda: None) -> str:
    value = hashlib.sha256()
    for chunk in stored.chunks():
        ask()
        value.update(chunk)
    return value.hexdigest()
