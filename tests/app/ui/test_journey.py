"""The main journey with the real worker and the embedded model; by hand also on a real display:

QT_QPA_PLATFORM=xcb xvfb-run -a python -m pytest -n 0 -m slow tests/app/ui/test_journey.py
"""

import asyncio
import os
import signal

import pytest
import qasync
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.chats.model import FAILED, STOPPED
from app.faults import Remedy
from app.paths import Paths
from app.preferences import SET_UP
from app.ui.application import make_desk
from app.ui.chat.rows import LaunchRow
from app.ui.main_window import MainWindow

QUESTION = "what is the dot product of [1,2,3] and [4,5,6]?"
LONG = "Is 1000003 prime?"
"""Thousands of tokens of the machine: time enough to stop it or to kill the worker."""


async def until(condition, seconds=180.0):
    """Wait for something to come true; the event loop goes on meanwhile."""
    for _ in range(int(seconds / 0.05)):
        if condition():
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"this never came true: {condition.__name__}")


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_from_the_first_question_to_a_killed_worker(qapp, qtbot, home):
    qapp.setQuitOnLastWindowClosed(False)
    loop = qasync.QEventLoop(qapp, already_running=False)
    asyncio.set_event_loop(loop)

    async def journey():
        desk = make_desk(Paths.of_user())
        desk.choices.set(SET_UP, True)
        window = MainWindow(desk)
        window.start()
        window.show()
        opening = asyncio.ensure_future(desk.engine.open())
        try:
            await ask_before_it_is_loaded(window)
            assert await opening
            await see_the_value(window)
            await open_the_details(window)
            await stop_in_mid_launch(window)
            await kill_and_restart(window)
        finally:
            window.close()
            await desk.chatting.close()
            await desk.engine.close()
            desk.store.close()
            window.deleteLater()

    def reply(window):
        return list(window.chat.transcript.replies())[-1]

    def message(window):
        return window.chat.chat.state.branch()[-1]

    async def ask_before_it_is_loaded(window):
        qtbot.keyClicks(window.chat.composer.field, QUESTION)
        qtbot.keyClick(window.chat.composer.field, Qt.Key.Key_Return)
        await asyncio.sleep(0.2)
        assert window.chat.composer.text() == "" and message(window).role == "assistant"

    async def see_the_value(window):
        await until(lambda: message(window).ended == "complete")
        await asyncio.sleep(0.2)
        values = [anchor.value for view in reply(window).prose() for anchor in view.anchors]
        assert [value.text for value in values] == ["32"]
        assert "replay exact" in reply(window).prose()[0].accessibleDescription()
        assert (window._desk.paths.launches / f"{values[0].launch}.json").is_file()

    async def open_the_details(window):
        view = reply(window).prose()[0]
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view._all_shapes()[0][0].center().toPoint())
        await asyncio.sleep(0.3)
        assert window._inspector.isVisible() and window._inspected == view.anchors[0].value.launch
        window.close_inspector()

    def launching(window):
        rows = reply(window).findChildren(LaunchRow)
        return any(launch.state == "running" and launch.tokens > 0 for row in rows for launch in row._launches)

    async def stop_in_mid_launch(window):
        window.chat.send(LONG)
        await until(lambda: launching(window))
        window.leave_something()
        await until(lambda: message(window).ended is not None, 5)
        assert message(window).ended == STOPPED

    async def kill_and_restart(window):
        window.chat.send(LONG)
        await until(lambda: launching(window))
        window.chat.composer.set_text("what I am writing meanwhile")
        os.kill(window._desk.engine.client.pid, signal.SIGKILL)
        await until(lambda: reply(window)._card is not None)
        assert message(window).ended == FAILED and window._desk.engine.state == "stopped"
        qtbot.mouseClick(reply(window)._card.buttons[Remedy.RESTART], Qt.MouseButton.LeftButton)
        await until(lambda: message(window).ended == "complete")
        await asyncio.sleep(0.2)
        assert [anchor.value.text for view in reply(window).prose() for anchor in view.anchors] == ["1"]
        assert window.chat.composer.text() == "what I am writing meanwhile"

    try:
        loop.run_until_complete(journey())
    finally:
        QApplication.sendPostedEvents(None, 52)
        loop.close()
        asyncio.set_event_loop(None)
