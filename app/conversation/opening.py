"""Which language model talks: the one that a checkpoint was built from, else the small one that the product carries."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from app.checkpoints import Checkpoint
from app.compute.library import Function
from app.conversation.carried import load_carried
from app.conversation.textmodel import ModelText
from app.devices import choose_device
from builder.base import EMBEDDED
from builder.embedded.files import FOLDER, WEIGHTS
from engine.machine.errors import EnvironmentProblem
from engine.machine.spec import SPEC

if TYPE_CHECKING:
    from builder.report import BuildReport


def open_text(
    checkpoint: Checkpoint, functions: Mapping[str, Function], device: str = "auto", carried: Path = FOLDER
) -> ModelText:
    """The language model of a checkpoint. carried: the folder of the product's own, which is small and runs on the CPU.

    Raises InputError (damaged checkpoint), EnvironmentProblem (no language model, memory, device).
    """
    report = _own(checkpoint)
    if report is not None:
        from app.conversation.stock import load_text  # imports transformers, which takes seconds

        return load_text(
            checkpoint.folder, functions, SPEC.layers, int(report.base["vocabulary"]), device=choose_device(device)
        )
    if not (carried / "config.json").is_file():
        raise EnvironmentProblem(
            "this version carries no language model", "chat", "build a checkpoint with 'qwengpu build' first"
        )
    return load_carried(carried, functions)


def text_identity(checkpoint: Checkpoint, carried: Path = FOLDER) -> str:
    """A hash that names the language model which `open_text` would open. Raises InputError."""
    report = _own(checkpoint)
    if report is not None:
        return report.checkpoint
    with (carried / WEIGHTS).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _own(checkpoint: Checkpoint) -> BuildReport | None:
    """The report of a checkpoint with a language model of its own."""
    if not checkpoint.dense:
        return None
    from builder.report import REPORT, read_report

    if not (checkpoint.folder / REPORT).is_file():
        return None
    report = read_report(checkpoint.folder)
    return None if report.base["source"] == EMBEDDED else report
