"""The user's settings: one JSON object in the config folder. Keys that this version does not know are kept as they are.

What there is to choose is listed in `app.preferences`. The command line reads the file strictly; the app opens it and never
fails: a damaged file is set aside, a value that no longer fits counts as not chosen.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from app.files import read_json, reason, replace_file
from app.preferences import SETTINGS, Setting
from engine.machine.errors import EnvironmentProblem, InputError

T = TypeVar("T")


@dataclass(frozen=True)
class Settings:
    """What the user has chosen.

    checkpoint: folder of the checkpoint that commands use without --checkpoint; None is the embedded machine
    others:     everything else in the file, as JSON holds it
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

    @classmethod
    def open(cls, path: Path) -> tuple[Settings, InputError | None]:
        """The settings in a file. A damaged file is set aside beside it, and the defaults come with what to tell the user."""
        try:
            return cls.read(path), None
        except InputError as error:
            kept = set_aside(path)
            where = str(kept) if kept is not None else str(path)
            return cls(), InputError(
                f"the settings could not be read and are back at their defaults: {error.what}",
                where,
                "the damaged file is kept there",
            )

    def write(self, path: Path) -> None:
        """Save them. Raises EnvironmentProblem when the file cannot be written."""
        value = {**self.others, **({"checkpoint": str(self.checkpoint)} if self.checkpoint else {})}
        try:
            replace_file(path, (json.dumps(value, indent=2, sort_keys=True) + "\n").encode())
        except OSError as error:
            raise EnvironmentProblem(
                f"the settings cannot be written: {reason(error)}", str(path), "make the folder writable"
            ) from error

    def with_checkpoint(self, folder: Path | None) -> Settings:
        """The same settings with another default checkpoint; None is the embedded machine."""
        return replace(self, checkpoint=folder)

    def get(self, setting: Setting[T]) -> T:
        """The value of a setting: what was chosen, or the default where nothing that fits was."""
        if setting.name not in self.others:
            return setting.default
        try:
            return setting.accept(self.others[setting.name])
        except (TypeError, ValueError, LookupError, AttributeError):
            return setting.default

    def with_value(self, setting: Setting[T], value: T) -> Settings:
        """The same settings with a choice made; the default is not written. Raises InputError for a value that does not fit."""
        others = {name: kept for name, kept in self.others.items() if name != setting.name}
        written = setting.write(value)
        try:
            accepted = setting.accept(written)
        except (TypeError, ValueError, LookupError, AttributeError) as error:
            raise InputError(f"{setting.title}: {error}", f"settings, '{setting.name}'", "choose another value") from None
        if accepted != setting.default:
            others[setting.name] = setting.write(accepted)
        return replace(self, others=others)

    def reset(self) -> Settings:
        """Every known setting at its default; the checkpoint and what other versions wrote stay."""
        known = {setting.name for setting in SETTINGS}
        return replace(self, others={name: value for name, value in self.others.items() if name not in known})


def change(path: Path, setting: Setting[T], value: T) -> Settings:
    """Read the file, make one choice, save it: what another process wrote in between stays.

    Raises InputError for a value that does not fit, EnvironmentProblem when the file cannot be written.
    """
    changed = Settings.open(path)[0].with_value(setting, value)
    changed.write(path)
    return changed


def set_aside(path: Path) -> Path | None:
    """Rename a damaged file so that it is kept and no longer in the way; where it is now, None when it cannot be renamed."""
    for number in range(100):
        kept = path.with_name(f"{path.name}.damaged-{time.strftime('%Y%m%d-%H%M%S')}{f'-{number}' if number else ''}")
        if not kept.exists():
            with suppress(OSError):
                os.replace(path, kept)
                return kept
            return None
    return None
