"""Which language model talks: the one that a checkpoint was built from, else the small one that the product carries."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from app.checkpoints import Checkpoint
from app.compute.library import Function
from app.conversation.textmodel import EmbeddedText, TransformersText, load_text
from app.devices import choose_device
from builder.base import EMBEDDED
from builder.embedded.checkpoint import FOLDER, WEIGHTS
from builder.report import REPORT, BuildReport, read_report
from engine.machine.errors import EnvironmentProblem
from engine.machine.spec import SPEC


def open_text(
    checkpoint: Checkpoint, functions: Mapping[str, Function], device: str = "auto", carried: Path = FOLDER
) -> TransformersText:
    """The language model of a checkpoint. carried: the folder of the product's own, which is small and runs on the CPU.

    Raises InputError (damaged checkpoint), EnvironmentProblem (no language model, memory, device).
    """
    report = _own(checkpoint)
    if report is not None:
        return load_text(
            checkpoint.folder, functions, SPEC.layers, int(report.base["vocabulary"]), device=choose_device(device)
        )
    if not (carried / "config.json").is_file():
        raise EnvironmentProblem(
            "this version carries no language model", "chat", "build a checkpoint with 'qwengpu build' first"
        )
    return load_text(carried, functions, kind=EmbeddedText)


def text_identity(checkpoint: Checkpoint, carried: Path = FOLDER) -> str:
    """A hash that names the language model which `open_text` would open. Raises InputError."""
    report = _own(checkpoint)
    if report is not None:
        return report.checkpoint
    with (carried / WEIGHTS).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _own(checkpoint: Checkpoint) -> BuildReport | None:
    """The report of a checkpoint with a language model of its own."""
    if not checkpoint.dense or not (checkpoint.folder / REPORT).is_file():
        return None
    report = read_report(checkpoint.folder)
    return None if report.base["source"] == EMBEDDED else report
