"""Every screen walked with the keyboard alone: Tab reaches whatever can be pressed, and is nowhere caught."""

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from app.ui.playground.editor import CodeEditor
from tests.app.ui import samples
from tests.app.ui.stage import settled

MOST = 400
"""Presses of Tab after which something must be catching it."""


def walk(window):
    """Press Tab until one is where one was before; the widgets on the way."""
    reached = []
    for _ in range(MOST):
        here = QApplication.focusWidget()
        assert here is not None, "the focus is nowhere"
        assert here.isVisible(), f"{type(here).__name__} has the focus and cannot be seen"
        if any(here is one for one in reached[:-1]):
            return reached
        if not reached or reached[-1] is not here:  # a text has several stops, one for each of its values
            reached.append(here)
        if isinstance(here, CodeEditor):
            QTest.keyClick(here, Qt.Key.Key_Escape)  # Tab indents until then
        QTest.keyClick(here, Qt.Key.Key_Tab)
    raise AssertionError(f"Tab is caught by {[type(one).__name__ for one in reached[-3:]]}")


def pressable(window):
    """Buttons that are seen, can be pressed, and are not another widget's own."""
    return {
        button
        for button in window.findChildren(QAbstractButton)
        if button.isVisible() and button.isEnabled() and button.focusPolicy() & Qt.FocusPolicy.TabFocus
    }


class Windows(QObject):
    """Every window that is shown. A widget without a parent is one, and takes the focus away."""

    def __init__(self):
        super().__init__()
        self.shown = []

    def eventFilter(self, watched, event):
        if isinstance(watched, QWidget) and watched.isWindow() and event.type() == QEvent.Type.Show:
            self.shown.append(type(watched).__name__)
        return False


SCREENS = {
    "chat": lambda window, ids: window.open_chat(ids["Collatz steps"]),
    "empty chat": lambda window, ids: window.new_chat(),
    "playground": lambda window, ids: window.show_playground(),
    "settings": lambda window, ids: window.show_settings("network"),
    "diagnostics": lambda window, ids: window.show_settings("diagnostics"),
}


@pytest.mark.parametrize("size", [(1280, 800), (900, 600)], ids=["wide", "narrow"])
@pytest.mark.parametrize("screen", SCREENS)
def test_everything_is_reached(stage, screen, size):
    ids = samples.fill(stage.desk.store)
    window = stage.open(size)

    async def scene():
        await stage.load()
        window.activateWindow()
        windows = Windows()
        QApplication.instance().installEventFilter(windows)
        SCREENS[screen](window, ids)
        await settled()
        QApplication.instance().removeEventFilter(windows)
        assert windows.shown == []
        if QApplication.focusWidget() is None:
            window.setFocus()
            QTest.keyClick(window, Qt.Key.Key_Tab)
        missed = {one.accessibleName() or one.text() for one in pressable(window) - set(walk(window))}
        assert missed == set()

    stage.play(scene())
