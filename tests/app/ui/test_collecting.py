"""Widgets that are garbage are destroyed on their own thread."""

import gc
import threading

from PySide6.QtCore import QObject

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
        kept = allocated_much()
        qtbot.waitUntil(lambda: bool(ended), timeout=10_000)
    finally:
        collecting.stop()
    assert kept and ended == [threading.get_ident()] and gc.isenabled()
    gc.disable()  # as the module's fixture had it


def test_nothing_is_collected_before_it_is_due():
    gc.collect()
    assert collect_if_due() is None
    kept = allocated_much()
    assert kept and collect_if_due() == 0
