"""The user's settings while the app runs: read once, saved at every change, and told to whoever shows them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Signal

from app.preferences import APPEARANCE, FONT_SIZE, REDUCED_MOTION, Setting
from app.settings import Settings, change
from app.ui.theme import Appearance
from engine.machine.errors import GpuError, InputError

T = TypeVar("T")


class Choices(QObject):
    """`changed(name)` after a setting has another value; `failed(error)` when it could not be saved and counts for now only."""

    changed = Signal(str)
    failed = Signal(object)

    def __init__(self, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path = path
        self.settings, self.damage = Settings.open(path)

    def get(self, setting: Setting[T]) -> T:
        """The value of a setting."""
        return self.settings.get(setting)

    def set(self, setting: Setting[T], value: T) -> None:
        """Choose a value. InputError for one that does not fit; a disk that refuses is told by `failed`."""
        if value == self.get(setting):
            return
        try:
            self.settings = change(self._path, setting, value)
        except InputError:
            raise
        except GpuError as error:
            self.settings = self.settings.with_value(setting, value)
            self.failed.emit(error)
        self.changed.emit(setting.name)

    def reload(self) -> None:
        """Read the file again, after something else has written it."""
        self.settings, _ = Settings.open(self._path)
        self.changed.emit("")

    def appearance(self) -> Appearance:
        """What the settings say about the look."""
        motion: dict[Any, bool | None] = {"on": True, "off": False}
        return Appearance(self.get(APPEARANCE), self.get(FONT_SIZE), motion.get(self.get(REDUCED_MOTION)))
