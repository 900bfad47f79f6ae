"""Tests of the widgets: on the offscreen platform, with the theme installed, failing on any warning of Qt."""

import gc
import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest

from app.ui.collecting import collect_if_due

HARMLESS = ("This plugin does not support",)
"""What the offscreen platform says of itself."""


@pytest.fixture(autouse=True, scope="module")
def collected_here():
    """As in the app, widgets are not garbage that some other thread collects: each test's, and a module's last."""
    gc.disable()
    yield
    gc.collect()
    gc.enable()


@pytest.fixture(autouse=True)
def look(qapp):
    """The theme in its light form, at 100 % and without motion, so that nothing waits for an animation."""
    from app.ui.theme import Appearance, install
    from app.ui.theme import theme as current

    appearance = Appearance(mode="light", reduced_motion=True)
    try:
        current().set_appearance(appearance)
    except RuntimeError:
        install(qapp, appearance)
    return current()


@pytest.fixture(autouse=True)
def quiet(qtlog):
    """Qt has nothing to complain about."""
    yield
    collect_if_due()
    said = [record.message for record in qtlog.records if not record.message.startswith(HARMLESS)]
    assert not said, said


@pytest.fixture
def aioloop(qapp):
    """An event loop of asyncio that runs Qt's, as in the app; nothing of it outlives the test."""
    import asyncio

    import qasync

    class Loop(qasync.QEventLoop):
        def _after_run_forever(self):
            # qasync handles what is left once more after its end, and a task among that asks for the running loop
            super()._after_run_forever()
            asyncio._set_running_loop(self)

    loop = Loop(qapp, already_running=False)
    asyncio.set_event_loop(loop)
    asyncio._set_running_loop(loop)
    yield loop
    asyncio._set_running_loop(None)
    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()
    if left:
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
    loop.close()
    asyncio.set_event_loop(None)


@pytest.fixture
def arun(aioloop):
    """Run a coroutine in that loop to its end."""
    import asyncio

    def run(coroutine, seconds=150):
        try:
            return aioloop.run_until_complete(asyncio.wait_for(coroutine, seconds))
        finally:
            # pytest-qt handles events between the parts of a test; what waits in the loop then runs as it does in the app
            asyncio._set_running_loop(aioloop)

    return run


@pytest.fixture
def stage(qapp, tmp_path):
    """A window on folders of its own; whatever it began must end with it."""
    import threading

    from tests.app.ui.stage import Stage

    threads = set(threading.enumerate())
    made = Stage(qapp, tmp_path)
    yield made
    made.close()
    gc.collect()
    left = [thread.name for thread in threading.enumerate() if thread not in threads and thread.is_alive()]
    assert not left, f"threads that nobody ended: {left}"
