"""The inspector's frame: header, tabs, and the four views of one launch record."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.compute.receipts import Receipt


class InspectorPanel(QWidget):
    """Shows one launch record. It starts no work of its own: what the worker must do leaves as a signal.

    closed: the user is done (close button, Esc, the "Chat" button of a narrow window)
    previous_requested, next_requested: the header's arrows; the window opens the neighbouring value of the chat
    verify_requested(path): redo the record at this path in the worker (`verify {receipt}`), then call `show_verification`
    stop_requested: stop that verification
    playground_requested(draft): open this `app.playground.drafts.Draft` in the Playground
    """

    closed = Signal()
    previous_requested = Signal()
    next_requested = Signal()
    verify_requested = Signal(str)
    stop_requested = Signal()
    playground_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)

    def open(self, receipt: Receipt | Path, launch: int = 0, place: str = "") -> None:
        """Show a record, or the record in a file. A file that is none shows its error in the panel, nothing is raised.

        launch: which launch of the record is shown first, from 0; place: "Launch 1 of 5 in this chat", may be empty
        """
        raise NotImplementedError

    def clear(self) -> None:
        """Show the empty state: "Open a computed value to see its launch." """
        raise NotImplementedError

    def show_tab(self, name: str) -> None:
        """Select "result", "kernel", "machine" or "proof"."""
        raise NotImplementedError

    def show_verifying(self, done: int, total: int) -> None:
        """Progress of a verification: tokens redone, of how many."""
        raise NotImplementedError

    def show_verification(self, result: Mapping[str, Any]) -> None:
        """The worker's `result` to `verify`, or its `error` (a mapping with "kind" and "message")."""
        raise NotImplementedError
