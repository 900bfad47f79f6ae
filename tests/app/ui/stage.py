"""The window with a worker that is a fake, and an event loop to play scenes in."""

import asyncio

import qasync
from PySide6.QtWidgets import QApplication

from app.ui.main_window import MainWindow
from tests.app.ui import samples


class Stage:
    """A window on a desk, and the event loop to play scenes in."""

    def __init__(self, qapp, folder):
        qapp.setQuitOnLastWindowClosed(False)
        self.loop = qasync.QEventLoop(qapp, already_running=False)
        asyncio.set_event_loop(self.loop)
        self.desk, self.client = samples.make_desk(folder)
        self.window = None

    def open(self, size=(1280, 800)):
        self.window = MainWindow(self.desk)
        self.window.start()
        self.window.resize(*size)
        self.window.show()
        return self.window

    def play(self, scene, seconds=120):  # against hanging only; a busy machine is slow
        return self.loop.run_until_complete(asyncio.wait_for(scene, seconds))

    async def load(self):
        assert await self.desk.engine.open()

    async def ask(self, text):
        self.window.chat.composer.set_text(text)
        self.window.chat.composer.field.sent.emit()
        await settled()
        return self.client.last()

    def close(self):
        async def end():
            if self.window is not None:
                self.window.close()
            await self.desk.chatting.close()
            await self.desk.engine.close()

        self.play(end())
        self.desk.store.close()
        for task in (left := asyncio.all_tasks(self.loop)):
            task.cancel()
        if left:
            self.loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        self.loop.close()
        asyncio.set_event_loop(None)
        if self.window is not None:
            self.window.deleteLater()
            QApplication.sendPostedEvents(None, 52)  # deferred deletions
            self.window = None


async def settled(seconds=0.12):
    """Let what is coalesced and queued arrive."""
    await asyncio.sleep(seconds)


async def until(condition, seconds=60):
    """Wait for what must come at once; it is long because test machines are busy."""
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.02)


def last_reply(window):
    return list(window.chat.transcript.replies())[-1]


def said(reply):
    return "\n".join(view.plain_text() for view in reply.prose())
