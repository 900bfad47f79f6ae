"""The Playground's page: editor at the left, launch, arguments and result at the right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.paths import Paths
from app.playground.drafts import Draft


class PlaygroundPage(QWidget):
    """Write a kernel, launch it, see what comes of it. It starts no work of its own: requests leave as signals.

    compile_requested(source, filename): worker `compile`; answer with `show_compiled` or `show_error`
    launch_requested(source, filename, launch): worker `launch` of this LAUNCH.json object; answer with `show_progress`, then
        `show_result` or `show_error`
    stop_requested: stop what runs
    inspect_requested(path): open this launch record in the inspector
    """

    compile_requested = Signal(str, str)
    launch_requested = Signal(str, str, object)
    stop_requested = Signal()
    inspect_requested = Signal(str)

    def __init__(self, paths: Paths, parent: QWidget | None = None) -> None:
        super().__init__(parent)

    def open(self, draft: Draft) -> None:
        """Show another draft; the one that was shown is kept."""
        raise NotImplementedError

    def show_compiled(self, result: Mapping[str, Any]) -> None:
        """The worker's `result` to `compile`."""
        raise NotImplementedError

    def show_progress(self, progress: Mapping[str, Any]) -> None:
        """A `launch` progress message: tokens, prompt, block, warp."""
        raise NotImplementedError

    def show_result(self, result: Mapping[str, Any]) -> None:
        """The worker's `result` to `launch`: SUMMARY and outputs."""
        raise NotImplementedError

    def show_error(self, error: Mapping[str, Any]) -> None:
        """The worker's `error` (kind, message, where, remedy) to either request; compiler errors go to their lines."""
        raise NotImplementedError
