"""Making a checkpoint: the embedded machine, a base, and the builder between them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from app.checkpoints import embedded
from app.paths import Paths
from app.settings import Settings
from engine.machine.spec import SPEC
from engine.machine.tokens import TokenSet

if TYPE_CHECKING:
    from builder.report import BuildReport, Progress


def build_checkpoint(
    base: str,
    out: Path,
    paths: Paths,
    progress: Callable[[Progress], None],
    cancelled: Callable[[], bool] = lambda: False,
    note: Callable[[str], None] = lambda text: None,
) -> BuildReport:
    """Merge the machine with a base (folder, hub id or "embedded") into the folder `out`.

    Raises InputError (base or folder), EnvironmentProblem (disk, memory, network), Cancelled; a stopped build goes on where
    it was when it is run again.
    """
    from builder.merge import build

    machine = embedded(paths, note=note)
    return build(base, machine.machine, out, token_names(), progress=progress, cancelled=cancelled)


def default_folder(base: str, paths: Paths) -> Path:
    """The folder of a base's checkpoint: the last part of its name, below the user's checkpoints."""
    return paths.checkpoints / (Path(base).resolve().name if Path(base).is_dir() else base.split("/")[-1] or "checkpoint")


def adopt(checkpoint: Path, paths: Paths) -> None:
    """Make a checkpoint the user's default. Raises EnvironmentProblem when the settings cannot be written."""
    Settings.read(paths.settings).with_checkpoint(checkpoint).write(paths.settings)


def token_names() -> list[str]:
    """What the checkpoint calls the machine's tokens, in the order of their ids."""
    return [str(token) for token in TokenSet(SPEC).tokens]
