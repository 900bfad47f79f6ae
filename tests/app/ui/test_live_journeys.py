"""Whole journeys in the window with a real worker process; by hand on a real display:

QT_QPA_PLATFORM=xcb xvfb-run -a python -m pytest -n 0 -m slow tests/app/ui/test_live_journeys.py --timeout 900
"""

import asyncio
import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel

from app.assistant.model import Action, Step
from app.chats.model import FAILED, STOPPED
from app.faults import Remedy
from app.hub.model import State
from app.keychain import Keychain
from app.paths import Paths
from app.playground.drafts import Draft
from app.playground.gallery import examples, library
from app.preferences import ENDPOINT, SET_UP
from app.ui.application import make_desk
from app.ui.chat.rows import AttemptsCard
from app.ui.main_window import MainWindow
from app.worker.client import WorkerClient
from tests.app.conversation.kernels import BEYOND, BROKEN, ENDLESS, LAUNCH, SQUARES
from tests.app.conversation.scripted import kernel
from tests.servers.hub import Faults, hub, tiny_model

SCRIPTED = (sys.executable, "-m", "tests.app.worker.standins", "scripted")
QUESTION = "what is the dot product of [1,2,3] and [4,5,6]?"


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """A cache for all of these: the embedded machine is prepared once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def surroundings(monkeypatch, shared):
    monkeypatch.setenv("XDG_CACHE_HOME", str(shared))
    monkeypatch.setattr(Keychain, "token", lambda self, endpoint="": "")


class Live:
    """The window on the user's folders, with what a person does in it."""

    def __init__(self, client=None):
        QApplication.instance().setQuitOnLastWindowClosed(False)
        self.desk = make_desk(Paths.of_user(), client)
        self.window = MainWindow(self.desk)

    def show(self):
        self.window.start()
        self.window.resize(1280, 800)
        self.window.show()

    async def until(self, test, seconds=180.0):
        async with asyncio.timeout(seconds):
            while not test():
                await asyncio.sleep(0.02)

    def message(self):
        return self.window.chat.chat.state.branch()[-1]

    def reply(self):
        return list(self.window.chat.transcript.replies())[-1]

    async def ask(self, text):
        """Type nothing, paste: the whole question at once; then Enter."""
        self.window.chat.composer.set_text(text)
        QTest.keyClick(self.window.chat.composer.field, Qt.Key.Key_Return)
        await asyncio.sleep(0.1)

    async def answered(self, ended="complete"):
        await self.until(lambda: self.message().ended is not None)
        await asyncio.sleep(0.2)
        assert self.message().ended == ended, self.message().error
        return [anchor.value.text for view in self.reply().prose() for anchor in view.anchors]

    async def end(self):
        self.window.close()
        for end in self.window.before_end:
            await end()
        await self.desk.chatting.close()
        await self.desk.engine.close()
        self.desk.store.close()
        self.window.deleteLater()


def live(arun, scene, client=None, seconds=800):
    """Play a scene with a window of its own."""

    async def go():
        stage = Live(client() if client else None)
        try:
            return await scene(stage)
        finally:
            await stage.end()

    return arun(go(), seconds)


async def press(widget, text):
    """Click the button with this text, once it is there."""
    async with asyncio.timeout(30):
        while not (found := [b for b in widget.findChildren(QAbstractButton) if b.text() == text and b.isVisible()]):
            await asyncio.sleep(0.02)
    QTest.mouseClick(found[0], Qt.MouseButton.LeftButton)


def said(widget):
    return " ".join(label.text() for label in widget.findChildren(QLabel) if not label.isHidden())


async def at_the_fault(stage, record):
    """The inspector shows a record that ends in a fault, there."""
    await stage.until(lambda: stage.window._inspector is not None and stage.window._inspector.record is not None)
    panel = stage.window._inspector
    assert stage.window._inspected == record and panel.record.launches[0].faulted
    await stage.until(lambda: panel.player.moment is not None and panel.player.moment.token.kind == "FAULT")


# ---------------------------------------------------------------- the first run
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_from_the_first_start_over_a_quit_in_the_download_to_a_computed_answer(arun, paths, tmp_path):
    from app.settings import change

    model = tiny_model(tmp_path / "model", 1 << 20)

    def controller(stage):
        return stage.window._pages["setup"]._controller

    def button(stage, action):
        footer = stage.window._pages["setup"].page.footer
        return next((found for row in (footer.leaving, footer.going) if (found := row.button(action))), None)

    async def take(stage, action):
        await stage.until(lambda: (found := button(stage, action)) is not None and found.isEnabled())
        QTest.mouseClick(button(stage, action), Qt.MouseButton.LeftButton)

    async def first(stage):
        stage.show()
        await stage.until(lambda: "setup" in stage.window._pages and stage.window._pages["setup"].frame is not None)
        opening = asyncio.ensure_future(stage.desk.engine.open())
        await stage.until(lambda: controller(stage).assistant.trial.tokens, 600)
        assert controller(stage).assistant.trial.tokens == 14 and await opening
        await take(stage, Action.CONTINUE_ANYWAY if button(stage, Action.CONTINUE_ANYWAY) else Action.CONTINUE)
        await take(stage, Action.DOWNLOAD)
        await stage.until(lambda: controller(stage).assistant.download.have > 1 << 19)

    async def second(stage):
        stage.show()
        await stage.until(lambda: "setup" in stage.window._pages and stage.window._pages["setup"].frame is not None)
        assert controller(stage).assistant.step is Step.MODEL
        await stage.until(lambda: controller(stage).assistant.download.state is State.DONE)
        opening = asyncio.ensure_future(stage.desk.engine.open())
        await press(stage.window._pages["setup"], "Open the small model")
        assert await opening
        await stage.ask(QUESTION)
        assert await stage.answered() == ["32"]
        view = stage.reply().prose()[0]
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view._all_shapes()[0][0].center().toPoint())
        await stage.until(lambda: stage.window._inspector is not None and stage.window._inspector.record is not None)
        assert stage.window._inspector.record.title == "dot([1, 2, 3], [4, 5, 6])"

    with hub(model, faults=Faults(slow=0.01)) as server:
        change(paths.settings, ENDPOINT, server.endpoint)
        live(arun, first)
        server.faults.slow = 0.0
        live(arun, second)


# ---------------------------------------------------------------- the advanced mode
@pytest.mark.timeout(300)
def test_the_model_corrects_its_kernel_and_a_killed_worker_loses_nothing(arun):
    async def scene(stage):
        stage.desk.choices.set(SET_UP, True)
        stage.show()
        assert await stage.desk.engine.open()
        stage.window.chat.composer.advanced.click()
        script = [kernel(BROKEN, LAUNCH), kernel(BEYOND, LAUNCH), kernel(SQUARES, LAUNCH), " are the squares."]
        await stage.ask("|".join(script))
        assert await stage.answered() == ["[9, 16, 25]"]
        attempts = stage.message().attempts
        assert [attempt.error is None for attempt in attempts] == [False, False, True]
        assert "kernel.cu:3" in attempts[0].error and "out[3]" in attempts[1].error
        (card,) = stage.reply().findChildren(AttemptsCard)
        card._items[1]._head.setChecked(True)
        await press(card, "Step to the fault")
        await at_the_fault(stage, attempts[1].record)
        stage.window.close_inspector()

        await stage.ask("." * 4000)
        await stage.until(lambda: len(stage.message().said) > 20)
        stage.window.chat.composer.set_text("meanwhile")
        stage.desk.engine.client._session.process.kill()
        await stage.until(lambda: stage.reply()._card is not None)
        kept = stage.message()
        assert kept.ended == FAILED and len(kept.said) > 20 and stage.window.chat.composer.text() == "meanwhile"
        QTest.mouseClick(stage.reply()._card.buttons[Remedy.RESTART], Qt.MouseButton.LeftButton)
        await stage.until(lambda: stage.message().id != kept.id and len(stage.message().said) > 5)
        stage.window.leave_something()
        assert await stage.answered(STOPPED) == []
        assert stage.window.chat.chat.state.messages[kept.id].said == kept.said, "the failed reply is still there"

        chat = stage.window.chat.chat.state.id
        stage.window._delete(chat)
        assert chat not in {one.id for one in stage.desk.store.summaries()}
        stage.window.undo_delete()
        assert chat in {one.id for one in stage.desk.store.summaries()}

    live(arun, scene, lambda: WorkerClient(SCRIPTED), 280)


# ---------------------------------------------------------------- the Playground
def draft(name, source, launch):
    return Draft("", name, source, f"{name}.cu", launch)


async def through_the_playground(stage):
    """Run what the gallery has, correct an error, stop what never ends, step to a fault, see whether a template fits."""
    import json

    stage.desk.choices.set(SET_UP, True)
    stage.show()
    assert await stage.desk.engine.open()
    page, launch = stage.window.show_playground(), json.loads(LAUNCH)
    outcome = page._outcome

    page.open(next(one for one in examples() if one.filename == "dot.cu"))
    await stage.until(lambda: page._compiled.fit._title.text() == "It fits")
    await press(page, "Run")
    await stage.until(lambda: "host tokens" in said(outcome))
    assert outcome._chip.accessibleName() == "Replay exact"
    assert "As expected" in {chip.accessibleName() for chip in outcome.findChildren(type(outcome._chip))}

    page.open(draft("broken", BROKEN, launch))
    await stage.until(lambda: page.editor.errors())
    assert set(page.editor.errors()) == {3} and "undeclared identifier 'b'" in page.editor.errors()[3]
    page.editor.setPlainText(SQUARES)
    await stage.until(lambda: not page.editor.errors() and page._compiled.fit._title.text() == "It fits")

    page.open(draft("endless", ENDLESS, launch))
    await press(page, "Run")
    await stage.until(lambda: "The model computes" in said(outcome))
    await press(page, "Stop")
    await stage.until(lambda: "Stopped" in said(outcome), 5)
    assert page._run_button.text() == "Run"

    page.open(draft("beyond", BEYOND, launch))
    await press(page, "Run")
    await stage.until(lambda: "stopped by a fault" in said(outcome))
    record = page._record
    await press(outcome, "Step to the fault")
    await at_the_fault(stage, record.stem)

    stage.window.show_playground()
    page.open(next(one for one in library() if one.filename == "dot.cu"))
    await stage.until(lambda: page._compiled.fit._title.text() == "It fits")
    await press(page, "Run")
    await stage.until(lambda: "host tokens" in said(outcome))


@pytest.mark.timeout(300)
def test_the_playground_with_a_worker_process(arun):
    live(arun, through_the_playground, lambda: WorkerClient(SCRIPTED), 280)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_playground_in_the_weights(arun):
    live(arun, through_the_playground)
