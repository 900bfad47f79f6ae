"""Python's garbage collection, on the thread of the widgets alone.

A widget in a reference cycle is destroyed by whichever thread the collector happens to run in, and Qt allows that in the
widget's own thread only: elsewhere its timers go on, and the next event for it may end the app.
"""

import gc

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication

EVERY_MILLISECONDS = 1_000
OLDEST, LATER = 2, 10
"""A collection of everything takes tens of milliseconds: it waits until another app is in front, or until it is so overdue."""


class Collecting(QObject):
    """Takes the place of the automatic collector for as long as it lives; made on the thread of the widgets."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.timeout.connect(collect_if_due)

    def start(self) -> None:
        """No thread collects on its own any more; what is alive now is not looked at again."""
        gc.disable()
        gc.collect()
        gc.freeze()
        self._timer.start(EVERY_MILLISECONDS)

    def stop(self) -> None:
        """Python's own way again."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()


def collect_if_due() -> int | None:
    """Collect the oldest generation that has reached its threshold, as the automatic collector would; which one, if any."""
    counts, thresholds = gc.get_count(), gc.get_threshold()
    looked_at = QGuiApplication.applicationState() is Qt.ApplicationState.ApplicationActive
    for generation in (OLDEST, 1, 0):
        patience = LATER if generation == OLDEST and looked_at else 1
        if counts[generation] > patience * thresholds[generation] > 0:
            gc.collect(generation)
            return generation
    return None
