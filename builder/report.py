"""What a build did, as data: written into the checkpoint, read by whoever verifies or shows it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch

from builder.mute import MuteProof
from engine.machine.errors import InputError

FORMAT = "qwengpu-checkpoint-1"
REPORT = "build_report.json"


@dataclass(frozen=True)
class Progress:
    """A unit of work is done; sent by the code that finished it.

    stage: "base", "mute", "write" or "verify"; done and total count that stage's units (bytes; rows for "mute");
    bytes: bytes read or written by the stage so far; layer: of the merged model, where the unit is part of one.
    """

    stage: str
    done: int
    total: int
    bytes: int
    layer: int | None = None


@dataclass(frozen=True)
class FileRecord:
    """A file of the checkpoint: its bytes, its sha256, and that of every tensor in it (none for other files)."""

    size: int
    sha256: str
    tensors: Mapping[str, str]


@dataclass(frozen=True)
class BuildReport:
    """Everything a finished checkpoint rests on.

    inputs:       sha256 over all inputs; equal inputs give equal files
    base:         source, dimensions of the vocabulary, sha256 of its weight files
    base_tensors: sha256 of every tensor of the base, under its plain name; these bytes are in the checkpoint unchanged
    machine:      sha256 of the machine file, its builder hash, layers, tokens
    spec:         the machine's numbers
    files:        every file of the checkpoint but this one
    seconds:      wall time by stage; the only part that differs between two builds of the same inputs
    """

    inputs: str
    base: Mapping[str, Any]
    base_tensors: Mapping[str, str]
    machine: Mapping[str, Any]
    spec: Mapping[str, Any]
    mute: MuteProof
    files: Mapping[str, FileRecord]
    seconds: Mapping[str, float]

    @property
    def checkpoint(self) -> str:
        """The checkpoint's identity: sha256 over the names and hashes of its files."""
        return digest({name: record.sha256 for name, record in self.files.items()})

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(record.size for record in self.files.values())

    def as_json(self) -> dict[str, Any]:
        """The object in build_report.json."""
        return {"format": FORMAT, "checkpoint": self.checkpoint, "size": self.size, **asdict(self), "mute": self.mute.as_json()}


def digest(value: Any) -> str:
    """sha256 of a JSON value in canonical form."""
    return hashlib.sha256(canonical(value)).hexdigest()


def canonical(value: Any) -> bytes:
    """A JSON value as bytes: equal values give equal bytes."""
    return (json.dumps(value, sort_keys=True, indent=1, ensure_ascii=False) + "\n").encode()


def read_report(folder: Path) -> BuildReport:
    """The report of a checkpoint. Raises InputError when the folder is no checkpoint of this version."""
    path, remedy = folder / REPORT, "give a checkpoint that 'qwengpu build' finished"
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(value, dict) or value.pop("format", None) != FORMAT:
            raise InputError("the folder is no checkpoint of this version", str(folder), remedy)
        declared = value.pop("checkpoint")
        value.pop("size")
        report = BuildReport(**value)
        report = replace(
            report,
            mute=MuteProof.from_json(value["mute"]),
            files={name: FileRecord(**record) for name, record in value["files"].items()},
        )
    except OSError as error:
        raise InputError(f"the folder has no readable {REPORT}", str(folder), remedy) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{REPORT} is malformed ({error})", str(path), remedy) from error
    if report.checkpoint != declared:
        raise InputError(f"{REPORT} contradicts itself: its files do not give its identity", str(path), remedy)
    return report


def machine_share(logits: torch.Tensor, text_vocabulary: int) -> tuple[float, float]:
    """The machine's part of some next-token logits [.., vocabulary]: its largest logit, its largest total probability."""
    wide = logits.float()
    return (float(wide[..., text_vocabulary:].max()), float(wide.softmax(-1)[..., text_vocabulary:].sum(-1).max()))
