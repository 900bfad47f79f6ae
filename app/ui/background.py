"""Short work in another thread, with its result back in the window's: reading folders, asking the keychain."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QRunnable, Qt, QThreadPool, Signal, Slot


class Errand(QObject):
    """One call of a function. `done(result)` or `failed(exception)` is emitted in the thread that made the errand.

    It lives as long as its parent, or until it has reported; a result for a parent that is gone is dropped.
    """

    done = Signal(object)
    failed = Signal(object)
    _ended = Signal(object, object)

    def __init__(self, function: Callable[[], Any], parent: QObject) -> None:
        super().__init__(parent)
        self._ended.connect(self._report, Qt.ConnectionType.QueuedConnection)
        self._function = function

    def start(self) -> None:
        """Begin."""
        QThreadPool.globalInstance().start(_Call(self))

    @Slot(object, object)
    def _report(self, result: Any, error: Exception | None) -> None:
        if error is None:
            self.done.emit(result)
        else:
            self.failed.emit(error)
        self.deleteLater()


class _Call(QRunnable):
    def __init__(self, errand: Errand) -> None:
        super().__init__()
        self._errand, self._function = errand, errand._function

    def run(self) -> None:
        try:
            result, error = self._function(), None
        except Exception as raised:
            result, error = None, raised
        try:
            self._errand._ended.emit(result, error)
        except RuntimeError:
            return  # its window is gone


def run(
    function: Callable[[], Any], parent: QObject, done: Callable[[Any], None], failed: Callable[[Exception], None] | None = None
) -> None:
    """Call a function in another thread, then `done` or `failed` in this one. Without `failed` an error is raised here."""
    errand = Errand(function, parent)
    errand.done.connect(done)
    errand.failed.connect(failed or _raise)
    errand.start()


def _raise(error: Exception) -> None:
    raise error
