"""Which language model talks: the one that a checkpoint was built from, else the small one that the product carries."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from app.checkpoints import Checkpoint
from app.compute.library import Function
from app.conversation.textmodel import EmbeddedText, TransformersText, load_text
from app.devices import choose_device
from builder.base import EMBEDDED
from builder.embedded.checkpoint import FOLDER
from builder.report import REPORT, read_report
from engine.machine.errors import EnvironmentProblem
from engine.machine.spec import SPEC


def open_text(checkpoint: Checkpoint, functions: Mapping[str, Function], device: str = "auto", carried: Path = FOLDER
              ) -> TransformersText:
    """The language model of a checkpoint. carried: the folder of the product's own, which is small and runs on the CPU.

    Raises InputError (damaged checkpoint), EnvironmentProblem (no language model, memory, device).
    """
    if checkpoint.dense and (checkpoint.folder / REPORT).is_file():
        report = read_report(checkpoint.folder)
        if report.base["source"] != EMBEDDED:
            return load_text(checkpoint.folder, functions, SPEC.layers, int(report.base["vocabulary"]),
                             device=choose_device(device))
    if not (carried / "config.json").is_file():
        raise EnvironmentProblem("this version carries no language model", "chat",
                                 "build a checkpoint with 'qwengpu build' first")
    return load_text(carried, functions, kind=EmbeddedText)
