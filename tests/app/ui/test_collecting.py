"""Widgets that are garbage are destroyed on their own thread."""

import gc
import threading

import pytest
from PySide6.QtCore import QObject, Qt

from app.ui.collecting import Collecting, collect_if_due


class Knot(QObject):
    """An object that only the collector can free."""

    def __init__(self, ended):
        super().__init__()
        self.itself = self
        self.destroyed.connect(lambda: ended.append(threading.get_ident()))


def allocated_much():
    """More containers than a threshold of the collector."""
    return [[] for _ in range(2 * gc.get_threshold()[0])]


def test_other_threads_collect_nothing_and_the_widgets_thread_does(qtbot):
    ended = []
    collecting = Collecting()
    collecting.start()
    try:
        Knot(ended)
        thread = threading.Thread(target=allocated_much)
        thread.start()
        thread.join()
        assert not ended, "another thread collected"
        kept = []

        def collected():
            kept.extend(allocated_much())  # more each time: what others free meanwhile counts against it
            return bool(ended)

        qtbot.waitUntil(collected, timeout=10_000)
    finally:
        collecting.stop()
        enabled = gc.isenabled()
        gc.disable()  # as the module's fixture had it
    assert enabled and ended == [threading.get_ident()]


def test_nothing_is_collected_before_it_is_due():
    gc.collect()
    assert collect_if_due() is None
    kept = allocated_much()
    assert kept and collect_if_due() == 0


@pytest.mark.parametrize(("active", "count", "due"), [(True, 11, None), (True, 101, 2), (False, 11, 2)])
def test_everything_is_collected_when_nobody_looks(monkeypatch, active, count, due):
    state = Qt.ApplicationState.ApplicationActive if active else Qt.ApplicationState.ApplicationInactive
    monkeypatch.setattr("app.ui.collecting.QGuiApplication.applicationState", lambda: state)
    monkeypatch.setattr("app.ui.collecting.gc", Counts(count))
    assert collect_if_due() == due


class Counts:
    """A collector that is due for its oldest generation by a count."""

    def __init__(self, count):
        self.get_count, self.get_threshold = lambda: (0, 0, count), lambda: (700, 10, 10)

    def collect(self, generation):
        """Nothing is there."""
