"""The set-up with real parts: a download from a hub on this computer, a build in a worker process, a launch in the weights.

The whole of it on a real display, with the embedded machine, by hand:

    QT_QPA_PLATFORM=xcb xvfb-run -a python -m pytest -n 0 -m slow tests/app/ui/test_setup_journey.py
"""

import asyncio
import json
import sys
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.assistant.assistant import Assistant
from app.assistant.controller import Controller
from app.assistant.model import Action, Step
from app.computer import CompilerTest, Computer
from app.hub.download import Download, Timing
from app.keychain import Keychain
from app.memory import Memory
from app.preferences import ENDPOINT
from app.settings import change
from app.ui.assistant.page import AssistantPage
from app.ui.assistant.report import ReportDialog
from app.ui.widgets import Paragraph
from app.worker.client import WorkerClient
from tests.servers.hub import hub

GB = 1 << 30
STANDINS = (sys.executable, "-m", "tests.app.worker.standins")


class Setup:
    """The page, its controller, a worker process."""

    def __init__(self, paths, client):
        self.client, self.seen = client, []
        self.page = AssistantPage(str(paths.logs))
        self.page.resize(1280, 800)
        self.page.show()
        self.controller = Controller(
            paths, client, self.changed, look=self.look, download=partial(Download, timing=Timing(told=0.0))
        )
        self.page.use(self.controller)

    @staticmethod
    def look(folder):
        return Computer(Memory(32 * GB, 20 * GB), (), folder, 214 * GB, "cpu", "x86_64", CompilerTest("clang", 0.1))

    def changed(self, assistant):
        self.page.show_assistant(assistant)
        build = assistant.build
        if build.running:
            picture = self.page.page.picture
            self.seen.append((build.stage, picture.finished, picture.current, self.page.page.bar.value()))

    async def until(self, test, seconds):
        async with asyncio.timeout(seconds):
            while not test():
                await asyncio.sleep(0.02)

    async def press(self, action, seconds=120):
        """Wait for an offer and take it with the keyboard."""
        footer = self.page.page.footer

        def button():
            return next((found for row in (footer.leaving, footer.going) if (found := row.button(action))), None)

        await self.until(lambda: button() is not None and button().isEnabled() and button().isVisible(), seconds)
        button().setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(button(), Qt.Key.Key_Space)

    async def end(self):
        await self.controller.close()
        await self.client.close()
        self.page.close()
        self.page.deleteLater()


@pytest.fixture(autouse=True)
def no_keychain(monkeypatch):
    monkeypatch.setattr(Keychain, "token", lambda self, endpoint="": "")


@pytest.mark.timeout(300)
def test_a_download_becomes_a_built_model_with_a_report(arun, paths, tmp_path, monkeypatch):
    from tests.fakes import LAYER, SIZE, make_base, make_machine

    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
    parts = tmp_path / "parts"
    parts.mkdir()
    base = make_base(tmp_path / "base", SIZE)
    make_machine(parts / "machine.safetensors", LAYER)

    async def go(server):
        change(paths.settings, ENDPOINT, server.endpoint)
        setup = Setup(paths, WorkerClient((*STANDINS, "small", str(parts))))
        try:
            setup.controller.open()
            await setup.until(lambda: setup.page.frame is not None, 30)
            await setup.press(Action.CONTINUE)
            await setup.press(Action.DOWNLOAD)
            await setup.press(Action.CONTINUE)
            await setup.press(Action.BUILD)
            await setup.until(lambda: setup.controller.assistant.checkpoint is not None, 240)
            return setup.controller.assistant, setup.seen
        finally:
            await setup.end()

    with hub(base) as server:
        assistant, seen = arun(go(server), 280)
    assert all(
        (assistant.base / name).read_bytes() == (base / name).read_bytes()
        for name in ("config.json", "model.safetensors.index.json")
    )
    stages = list(dict.fromkeys(stage for stage, *_ in seen))
    assert stages == ["", "base", "mute", "write", "verify"]
    finished, bars = [one[1] for one in seen], [one[3] for one in seen]
    assert finished == sorted(finished) and bars == sorted(bars), "something went back"
    assert finished[-1] == 7, "three compiled layers and the four of this base"
    assert json.loads(paths.settings.read_text())["checkpoint"] == str(assistant.checkpoint)
    report = ReportDialog(assistant.checkpoint)
    words = " ".join(paragraph.accessibleName() for paragraph in report.findChildren(Paragraph))
    assert "3 compiled in front of 4 of Qwen's" in words and "sha256" in words
    report.close()


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_real_launch_gives_32(arun, paths):
    """The last step with the real worker and the embedded machine."""

    async def go():
        setup = Setup(paths, WorkerClient())
        try:
            loaded = await setup.client.request("load", checkpoint=None).result()
            await setup.client.request("verify").result()
            place = Path(loaded.checkpoint.path)
            setup.controller.assistant = Assistant(step=Step.SELF_TEST, checkpoint=place)
            setup.changed(setup.controller.assistant)
            await setup.press(Action.TEST)
            await setup.until(lambda: setup.controller.assistant.test.passed is not None, 600)
            test, page = setup.controller.assistant.test, setup.page.page
            assert test.passed, test.problem
            assert page.value.text == "32" and len(page.chips.tokens) == 14 and page.chips.tokens[-1] == "END"
            assert page.rows.row("result").value.text() == "replay exact"
        finally:
            await setup.end()

    arun(go(), 890)
