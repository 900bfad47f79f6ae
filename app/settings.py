"""The user's settings: one JSON object in the config folder. Keys that this version does not know are kept as they are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from app.files import read_json, reason, replace_file
from engine.machine.errors import EnvironmentProblem, InputError


@dataclass(frozen=True)
class Settings:
    """What the user has chosen.

    checkpoint: folder of the checkpoint that commands use without --checkpoint; None is the embedded machine
    others:     everything else in the file
    """

    checkpoint: Path | None = None
    others: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Settings:
        """The settings in a file; the defaults when there is none. Raises InputError when it is malformed."""
        if not path.exists():
            return cls()
        value = read_json(path)
        if not isinstance(value, dict):
            raise InputError("the settings are not a JSON object", str(path), "correct or remove the file")
        checkpoint = value.pop("checkpoint", None)
        if checkpoint is not None and not isinstance(checkpoint, str):
            raise InputError("'checkpoint' in the settings is not a path", str(path), "correct or remove it")
        return cls(Path(checkpoint) if checkpoint else None, value)

    def write(self, path: Path) -> None:
        """Save them. Raises EnvironmentProblem when the file cannot be written."""
        value = {**self.others, **({"checkpoint": str(self.checkpoint)} if self.checkpoint else {})}
        try:
            replace_file(path, (json.dumps(value, indent=2, sort_keys=True) + "\n").encode())
        except OSError as error:
            raise EnvironmentProblem(f"the settings cannot be written: {reason(error)}", str(path),
                                     "make the folder writable") from error

    def with_checkpoint(self, folder: Path) -> Settings:
        """The same settings with another default checkpoint."""
        return replace(self, checkpoint=folder)
