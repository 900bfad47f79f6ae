"""The first-run assistant on screen, against a hub that fails on request and a worker that says what a test wants."""

import asyncio
import json
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.assistant.assistant import Assistant
from app.assistant.controller import Controller
from app.assistant.model import Action, Step
from app.computer import CompilerTest, Computer, Program
from app.hub.download import Download, Timing
from app.hub.model import State
from app.keychain import Keychain
from app.memory import Memory
from app.preferences import ENDPOINT, PROXY
from app.settings import change
from app.ui.assistant.page import AssistantPage
from app.worker.protocol import BuildResult, CheckpointInfo, Error, LaunchResult, LoadResult, Progress, Summary, VerifyResult
from engine.machine.errors import EnvironmentProblem
from tests.app.fake_client import FakeClient
from tests.app.inspection import made
from tests.app.ui.spoken import brackets, untranslated
from tests.servers.hub import Faults, hub, tiny_model

GB = 1 << 30
FAST = Timing(stall=0.2, read=20.0, backoff=(0.05, 0.05), tick=0.02, told=0.0)
SIZE = 1 << 20
PATIENCE = 60.0
"""Seconds that a test waits for what must come at once; it is long because test machines are busy."""
REPORT = {"seconds": {"base": 1.0, "mute": 2.0, "write": 40.0, "verify": 5.0}}


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return tiny_model(tmp_path_factory.mktemp("repository") / "model", SIZE)


@pytest.fixture(autouse=True)
def no_keychain(monkeypatch):
    monkeypatch.setattr(Keychain, "token", lambda self, endpoint="": "")


def good(folder, **changes):
    facts = {
        "memory": Memory(32 * GB, 20 * GB),
        "hungry": (Program("Docker Desktop", 6 * GB),),
        "folder": folder,
        "free": 214 * GB,
        "device": "mps",
        "chip": "Apple M2 Pro",
        "compiler": CompilerTest("zig clang 21.1", 0.066),
    }
    return Computer(**{**facts, **changes})


class Journey:
    """A window, a controller, a worker; what a person does with them."""

    def __init__(self, paths, look=good):
        self.client, self.paths, self.seen = FakeClient(loads=False), paths, []
        self.page = AssistantPage(str(paths.logs))  # it outlives its controller, so it is not left to qtbot
        self.page.resize(1280, 800)
        self.page.show()
        self.controller = Controller(paths, self.client, self.changed, look=look, download=partial(Download, timing=FAST))
        self.page.use(self.controller)
        self.controller.open()

    def changed(self, assistant):
        self.seen.append(assistant)
        self.page.show_assistant(assistant)

    @property
    def now(self) -> Assistant:
        return self.controller.assistant

    @property
    def step(self):
        """The page of the present step."""
        return self.page.page

    def button(self, action):
        page = self.page.page
        rows = [row.offers for row in page.rows._rows.values() if hasattr(row, "offers")]
        found = [row.button(action) for row in (page.footer.leaving, page.footer.going, page.links, *rows)]
        return next((button for button in found if button is not None), None)

    def press(self, action):
        button = self.button(action)
        assert button is not None and button.isEnabled() and button.isVisible(), f"{action} is not offered"
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    async def until(self, test):
        """Wait until something is so; what is so instead stands in the failure."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not test():
                    await asyncio.sleep(0.01)
        except TimeoutError:
            now, view = self.now, self.now.view()
            offers = [(offer.action.value, offer.enabled) for offer in view.footer]
            raise AssertionError(f"{now.step} {now.download.state} {now.download.problem} {offers} {view.problem}") from None

    async def offered(self, action):
        await self.until(lambda: (found := self.button(action)) is not None and found.isEnabled())

    async def at_model(self):
        """Go to the second step."""
        await self.offered(Action.CONTINUE)
        self.press(Action.CONTINUE)
        assert self.now.step is Step.MODEL

    async def at_build(self):
        """Go to the third step, the download done."""
        await self.at_model()
        self.press(Action.DOWNLOAD)
        await self.offered(Action.CONTINUE)
        self.press(Action.CONTINUE)
        assert self.now.step is Step.BUILD

    def built(self):
        """The worker's answer to a build, and a folder that looks like it."""
        folder = self.paths.checkpoints / "built"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "machine.safetensors").touch()
        (folder / "build_report.json").write_text(json.dumps({"format": "x"}))
        return BuildResult("build-1", str(folder), REPORT)

    def answer_self_test(self, value=32):
        """The worker's answers to the self-test, and the record of its launch."""
        record = made.dot()
        self.paths.launches.mkdir(parents=True, exist_ok=True)
        made.receipt(record.receipt.launches[0]).write(self.paths.launches / "L1.json")
        info = CheckpointInfo("x", "9f3c61d2" + "0" * 56, "built", "Qwen3.5-2B", (45, 24))
        summary = Summary("L1", "dot", 14, 71, 85, "exact", str(value), 0.1)
        self.client.answer("load", LoadResult("load-1", info, "cpu", "cpu", 4096))
        self.client.answer("launch", LaunchResult("launch-1", summary, {"out": [value]}))
        self.client.answer("verify", VerifyResult("verify-1", "exact", {"files": 9, "tensors": 300}))


@pytest.fixture
def journey(paths, aioloop, model):
    """Makes windows on the same folders, one after the other, each with a hub's address in the settings."""
    with hub(model, faults=Faults()) as server:
        change(paths.settings, ENDPOINT, server.endpoint)
        journeys = []

        def begin(**options):
            # controllers begin tasks, so they are made inside the loop
            async def make():
                return Journey(paths, **options)

            journeys.append(aioloop.run_until_complete(make()))
            return journeys[-1]

        begin.server = server
        yield begin
        server.faults.go_on.set()

        async def end():
            for one in journeys:
                await one.controller.close()
                one.page.close()
                one.page.deleteLater()

        aioloop.run_until_complete(end())


def words(widget):
    """What a paragraph says."""
    return widget.accessibleName()


# ---------------------------------------------------------------- the whole way
def test_first_run_to_self_test(journey, arun, paths, model, qtbot):
    here = journey()

    async def go():
        await here.at_model()
        assert here.step.lead.accessibleName().startswith("The language model that talks to you")
        here.press(Action.DOWNLOAD)
        await here.offered(Action.CONTINUE)
        assert here.step.readout.percent.text() == "100%" and here.step.bar.value() == here.step.bar.maximum()
        here.press(Action.CONTINUE)

        here.press(Action.BUILD)
        await here.until(lambda: here.client.asked("build"))
        build = here.client.last("build")
        assert Path(build.fields["base"]) == here.now.base and build.fields["out"] is None
        lit = []
        for stage, done, layer in [
            ("prepare", 1, 3),
            ("base", 10, None),
            ("mute", 10, None),
            ("write", 1, 0),
            ("write", 2, 1),
            ("write", 6, 45),
            ("write", 9, 68),
            ("verify", 5, None),
        ]:
            build.tell(Progress("build-1", stage, done, 10, done * 1000, 3.0, layer))
            await here.until(lambda stage=stage, done=done: (here.now.build.stage, here.now.build.done) == (stage, done))
            lit.append((here.step.picture.finished, here.step.picture.current))
        assert lit == [(0, None), (0, None), (0, None), (0, 0), (1, 1), (45, 45), (68, 68), (69, None)]
        build.tell(here.built())
        await here.offered(Action.CONTINUE)
        assert here.step.picture.finished == 69 and "48 s" in here.page.frame.steps.items[2].detail.text()

        here.answer_self_test()
        here.press(Action.CONTINUE)
        await here.until(lambda: here.now.test.passed is not None)
        assert here.now.test.passed is True

    arun(go())
    page = here.step
    assert page.value.text == "32" and "computed in the weights" in page.value.accessibleName()
    assert len(page.chips.tokens) == 14 and page.chips.tokens[-1] == "END"
    assert page.rows.row("result").value.text() == "replay exact" and page.rows.row("text").value.text() == "0 differences"
    assert [call.op for call in here.client.calls] == ["launch", "build", "load", "launch", "verify"]
    with qtbot.waitSignal(here.page.inspect_requested) as inspected:
        here.press(Action.STEP_THROUGH)
    assert inspected.args == ["L1"]
    with qtbot.waitSignal(here.page.chat_requested):
        here.press(Action.CHAT)


def test_the_small_model_is_offered_at_every_step(journey, arun, qtbot):
    here = journey()

    async def go():
        for step in Step:
            here.controller.assistant = Assistant(step=step, computer=here.now.computer, base=Path(), checkpoint=Path())
            here.changed(here.now)
            heard = []
            here.page.small_model_requested.connect(lambda heard=heard: heard.append(1))
            for width in (1280, 900):
                here.page.resize(width, 600)
                await asyncio.sleep(0.05)
                button = (
                    here.button(Action.TRY_SMALL)
                    if width == 900
                    else here.page.frame.steps.findChild(type(here.step.footer.going.usable()[0]))
                )
                assert button.isVisible(), (step, width)
                button.click()
            assert len(heard) == 2

    arun(go())


# ---------------------------------------------------------------- pausing, quitting, cancelling
def test_pause_quit_and_go_on(journey, arun, model):
    journey.server.faults.slow = 0.01
    first = journey()

    async def pause():
        await first.at_model()
        first.press(Action.DOWNLOAD)
        await first.until(lambda: first.now.download.have > SIZE // 2)
        first.press(Action.PAUSE)
        await first.until(lambda: first.now.download.state is State.PAUSED)
        await first.controller.close()

    arun(pause())
    kept = first.now.download.have
    assert kept > 0 and first.step.readout.left.text() == "paused"
    journey.server.faults.slow = 0.0
    second = journey()
    assert second.now.step is Step.MODEL and second.now.download.state is State.PAUSED
    assert second.now.download.have >= kept - (2 << 20)

    async def on():
        await second.offered(Action.RESUME)
        second.press(Action.RESUME)
        await second.offered(Action.CONTINUE)

    arun(on())
    ranges = journey.server.ranges("model.safetensors-00001-of-00002.safetensors")
    assert any(asked not in ("", "bytes=0-") for asked in ranges), "the file was fetched from its beginning again"


def test_a_running_download_goes_on_at_the_next_start(journey, arun):
    journey.server.faults.slow = 0.01
    first = journey()

    async def quit_in_the_middle():
        await first.at_model()
        first.press(Action.DOWNLOAD)
        await first.until(lambda: first.now.download.have > SIZE // 2)
        await first.controller.close()

    arun(quit_in_the_middle())
    journey.server.faults.slow = 0.0
    second = journey()

    async def wait():
        await second.offered(Action.CONTINUE)

    arun(wait())


def test_cancelled_stays_cancelled_and_keeps_what_it_has(journey, arun, paths):
    journey.server.faults.slow = 0.01
    first = journey()

    async def cancel():
        await first.at_model()
        first.press(Action.DOWNLOAD)
        await first.until(lambda: first.now.download.have > SIZE // 2)
        first.press(Action.CANCEL)
        await first.until(lambda: first.now.download.state is State.CANCELLED)
        await first.controller.close()

    arun(cancel())
    assert "are kept until you delete them" in words(first.step.note.text)
    second = journey()
    asked = len(journey.server.asked)

    async def look():
        await asyncio.sleep(0.3)
        assert second.now.download.state is State.CANCELLED
        assert not [path for path, _ in journey.server.asked[asked:] if "/resolve/" in path]
        second.press(Action.DISCARD)
        await second.until(lambda: second.now.download.state is State.IDLE)

    arun(look())
    assert not list(paths.models.rglob("*.part"))


# ---------------------------------------------------------------- what goes wrong at the hub
@pytest.mark.parametrize(("status", "sentence"), [(401, "token"), (404, "has no repository"), (403, "access|token|licen")])
def test_refusals_end_with_what_to_do(journey, arun, status, sentence):
    import re

    journey.server.faults.refuse = {"": (status, {})}
    here = journey()

    async def go():
        await here.at_model()
        here.press(Action.DOWNLOAD)
        await here.until(lambda: here.now.download.state is State.FAILED)

    arun(go())
    said = here.step.problem.accessibleName()
    assert here.step.problem.isVisible() and re.search(sentence, said, re.I), said
    assert "kept" in said and here.button(Action.RESUME).text() == "Try again"


def test_a_token_is_used_at_the_next_try(journey, arun, monkeypatch):
    journey.server.faults.token = "hf_good"
    here = journey()

    async def go():
        await here.at_model()
        here.press(Action.DOWNLOAD)
        await here.until(lambda: here.now.download.state is State.FAILED)
        monkeypatch.setattr(Keychain, "token", lambda self, endpoint="": "hf_good")
        here.press(Action.RESUME)
        await here.offered(Action.CONTINUE)

    arun(go())


def test_another_mirror_is_used_at_the_next_try(journey, arun, paths):
    endpoint = journey.server.endpoint
    change(paths.settings, ENDPOINT, "http://127.0.0.1:9")
    here = journey()

    async def go():
        await here.at_model()
        here.press(Action.DOWNLOAD)
        await here.until(lambda: here.now.download.state is State.WAITING)
        here.press(Action.PAUSE)
        await here.offered(Action.RESUME)
        change(paths.settings, ENDPOINT, endpoint)
        here.controller.settings_changed(ENDPOINT.name)
        here.press(Action.RESUME)
        await here.offered(Action.CONTINUE)

    arun(go())


@pytest.mark.parametrize(
    ("status", "headers", "word"), [(429, {"Retry-After": "40"}, "many requests|busy"), (503, {}, "503|server")]
)
def test_a_busy_hub_is_asked_again_by_itself(journey, arun, status, headers, word):
    import re

    journey.server.faults.refuse = {"": (status, headers)}
    here = journey()

    async def go():
        await here.at_model()
        here.press(Action.DOWNLOAD)
        await here.until(lambda: here.now.download.state is State.WAITING and here.step.note.isVisible())
        said = words(here.step.note.text)
        assert re.search(word, said, re.I) and "goes on by itself" in said, said
        assert here.step.problem.isHidden()
        if status == 503:
            journey.server.faults.refuse = {}
            await here.offered(Action.CONTINUE)

    arun(go())


def test_no_connection_is_said_plainly(journey, arun, paths):
    change(paths.settings, ENDPOINT, "http://127.0.0.1:9")
    here = journey()

    async def go():
        await here.at_model()
        here.press(Action.DOWNLOAD)
        await here.until(lambda: here.now.download.state is State.WAITING)

    arun(go())
    said = words(here.step.note.text)
    assert "connect" in said.lower() and "goes on by itself" in said, said


def test_wrong_bytes_are_named_and_fetched_again(journey, arun):
    journey.server.faults.wrong = {"model.safetensors-00001-of-00002.safetensors"}
    here = journey()

    async def go():
        await here.at_model()
        here.press(Action.DOWNLOAD)
        await here.until(lambda: here.now.download.state is State.FAILED)
        assert "model.safetensors-00001-of-00002.safetensors" in here.step.problem.accessibleName()
        journey.server.faults.wrong = set()
        here.press(Action.RESUME)
        await here.offered(Action.CONTINUE)

    arun(go())


def test_with_a_stalled_server_every_bar_stands_still(journey, arun):
    journey.server.faults.stall = {"model.safetensors-00001-of-00002.safetensors": SIZE // 2}
    here = journey()

    async def go():
        await here.at_model()
        here.press(Action.DOWNLOAD)
        page = here.step
        await here.until(lambda: here.now.download.state is State.STALLED and page.bar.value() > 0)
        await asyncio.sleep(0.3)
        before = page.bar.value(), page.readout.percent.text(), [row.bar.value() for row in page.rows._rows.values()]
        await asyncio.sleep(0.5)
        after = page.bar.value(), page.readout.percent.text(), [row.bar.value() for row in page.rows._rows.values()]
        assert before == after and 0 < page.bar.value() < page.bar.maximum()
        assert "sends nothing" in words(page.note.text)
        journey.server.faults.go_on.set()
        await here.offered(Action.CONTINUE)

    arun(go())


# ---------------------------------------------------------------- "I already have it"
def test_a_folder_that_is_there_is_used(journey, arun, model):
    here = journey()

    async def go():
        await here.at_model()
        here.page.folder_chosen(str(model))
        await here.offered(Action.CONTINUE)

    arun(go())
    assert here.now.base == model and not [path for path, _ in journey.server.asked if "/resolve/" in path]


def test_a_folder_that_is_none_is_refused_with_reasons(journey, arun, tmp_path):
    here = journey()

    async def go():
        await here.at_model()
        here.page.folder_chosen(str(tmp_path))
        await here.until(lambda: here.now.refusal is not None)

    arun(go())
    assert here.step.problem.isVisible() and "The folder was not changed" in here.step.problem.accessibleName()
    assert not here.button(Action.CONTINUE).isEnabled()


# ---------------------------------------------------------------- this computer
def test_little_memory_is_said_and_can_be_accepted(journey, arun, qtbot):
    scarce = [partial(good, memory=Memory(8 * GB, 3 * GB))]
    here = journey(look=lambda folder: scarce[-1](folder))

    async def go():
        await here.offered(Action.CONTINUE_ANYWAY)
        row = here.step.rows.row("memory")
        assert row.icon.state == "warning" and "Docker Desktop 6 GB" in row.accessibleName()
        scarce.append(good)
        here.press(Action.CHECK_AGAIN)
        await here.offered(Action.CONTINUE)
        assert row.icon.state == "done" and row.box.isHidden()
        scarce.append(scarce[0])
        here.press(Action.CHECK_AGAIN) if here.button(Action.CHECK_AGAIN) else here.controller.act(Action.CHECK_AGAIN)
        await here.offered(Action.CONTINUE_ANYWAY)
        here.press(Action.CONTINUE_ANYWAY)

    arun(go())
    assert here.now.step is Step.MODEL and "continued anyway" in here.page.frame.steps.items[0].detail.text()


@pytest.mark.parametrize(("value", "state", "words"), [(32, "done", "exact result: 14 tokens"), (31, "error", "out is [31]")])
def test_the_device_is_tried_with_a_launch(journey, arun, value, state, words):
    here = journey()

    async def go():
        await here.until(lambda: here.client.asked("launch"))
        row = here.step.rows.row("device")
        assert row.icon.state == "running" and here.button(Action.CONTINUE).isEnabled(), "nobody waits for the model to load"
        summary = Summary("L1", "dot", 14, 71, 85, "exact", str(value), 0.1)
        here.client.last("launch").tell(LaunchResult("launch-1", summary, {"out": [value]}))
        await here.until(lambda: row.icon.state == state)
        assert words in row.accessibleName() and here.button(Action.CONTINUE).isEnabled() == (value == 32)

    arun(go())


def test_a_device_that_could_not_be_tried_is_a_warning(journey, arun):
    here = journey()

    async def go():
        await here.until(lambda: here.client.asked("launch"))
        here.client.last("launch").tell(Error("launch-1", "worker", "the worker crashed", "", "start it again"))
        await here.offered(Action.CONTINUE_ANYWAY)
        row = here.step.rows.row("device")
        assert row.icon.state == "warning" and "start it again" in row.accessibleName()

    arun(go())


def test_details_can_be_copied(journey, arun):
    here = journey()

    async def go():
        await here.offered(Action.COPY_DETAILS)
        here.press(Action.COPY_DETAILS)

    arun(go())
    assert "zig clang 21.1" in QApplication.clipboard().text() and "Apple M2 Pro" in QApplication.clipboard().text()


# ---------------------------------------------------------------- the build
def test_a_build_can_be_stopped_and_gone_on_with(journey, arun):
    here = journey()

    async def go():
        await here.at_build()
        here.press(Action.BUILD)
        await here.until(lambda: here.client.asked("build"))
        first = here.client.last("build")
        first.tell(Progress("build-1", "write", 5, 10, 5000, 9.0, 30))
        await here.until(lambda: here.step.picture.current == 30)
        before = here.step.bar.value(), here.step.readout.percent.text(), here.step.picture.finished
        await asyncio.sleep(0.4)  # the writer says nothing: nothing moves
        assert (here.step.bar.value(), here.step.readout.percent.text(), here.step.picture.finished) == before
        here.press(Action.PAUSE)
        await here.offered(Action.BUILD)
        assert first.stopped.is_set() and here.step.picture.current is None and here.step.picture.finished == 30
        assert here.button(Action.BUILD).text() == "Go on building" and here.step.problem.isHidden()
        here.press(Action.BUILD)
        await here.until(lambda: here.client.last("build") is not first)
        here.client.last("build").tell(here.built())
        await here.offered(Action.CONTINUE)
        await here.controller.close()

    arun(go())
    again = journey()
    assert again.now.step is Step.BUILD and again.now.checkpoint is not None and again.step.picture.finished == 69


def test_a_build_that_fails_says_what_is_kept_and_what_to_do(journey, arun):
    here = journey()

    async def go():
        await here.at_build()
        here.press(Action.BUILD)
        await here.until(lambda: here.client.asked("build"))
        here.client.last("build").tell(
            Error("build-1", "environment", "not enough disk space: 1.2 GB more is needed", "/models", "free some space")
        )
        await here.until(lambda: here.now.build.problem is not None)

    arun(go())
    said = here.step.problem.accessibleName()
    assert "1.2 GB more is needed" in said and "Finished layers are kept" in said and "Free some space" in said
    assert here.button(Action.BUILD).text() == "Try again" and here.button(Action.LOG) is not None


def test_a_worker_that_dies_in_the_build_is_a_problem_with_a_way_on(journey, arun):
    here = journey()

    async def go():
        await here.at_build()
        here.press(Action.BUILD)
        await here.until(lambda: here.client.asked("build"))
        here.client.last("build").tell(Error("build-1", "worker", "the worker crashed", "", "try again"))
        await here.until(lambda: here.now.build.problem is not None)
        assert here.button(Action.BUILD).isEnabled()

    arun(go())


# ---------------------------------------------------------------- the self-test
def test_a_wrong_result_is_not_believed(journey, arun):
    here = journey()

    async def go():
        await here.at_build()
        here.press(Action.BUILD)
        await here.until(lambda: here.client.asked("build"))
        here.client.last("build").tell(here.built())
        await here.offered(Action.CONTINUE)
        here.answer_self_test(value=31)
        here.press(Action.CONTINUE)
        await here.until(lambda: here.now.test.passed is not None)

    arun(go())
    assert here.now.test.passed is False and here.step.value.text == ""
    assert "31" in here.step.problem.accessibleName() and not here.button(Action.CHAT).isEnabled()
    assert here.step.rows.row("result").icon.state == "error"


# ---------------------------------------------------------------- without a mouse, without eyes, in other words
def test_the_whole_way_with_the_keyboard_alone(journey, arun):
    here = journey()

    def focused():
        return here.page.window().focusWidget()

    async def reach(action):
        """Tab to a button, as somebody without a mouse would."""
        await here.offered(action)
        for _ in range(40):
            if focused() is here.button(action):
                return
            QTest.keyClick(focused() or here.page, Qt.Key.Key_Tab)
            await asyncio.sleep(0)
        raise AssertionError(f"{action} cannot be reached")

    async def take(action):
        await reach(action)
        QTest.keyClick(focused(), Qt.Key.Key_Space)
        await asyncio.sleep(0.02)

    async def go():
        await take(Action.COPY_DETAILS)
        await take(Action.CONTINUE)
        await take(Action.DOWNLOAD)
        await here.offered(Action.CONTINUE)
        await take(Action.BACK)
        await take(Action.CONTINUE)
        await take(Action.CONTINUE)
        await take(Action.BUILD)
        await here.until(lambda: here.client.asked("build"))
        await reach(Action.PAUSE)
        here.client.last("build").tell(here.built())
        here.answer_self_test()
        await take(Action.CONTINUE)
        await here.until(lambda: here.now.test.passed is True)
        await reach(Action.CHAT)

    arun(go())


def test_focus_stays_where_it_was_while_figures_change(journey, arun):
    journey.server.faults.slow = 0.005
    here = journey()

    async def go():
        await here.at_model()
        here.press(Action.DOWNLOAD)
        await here.offered(Action.PAUSE)
        here.button(Action.PAUSE).setFocus()
        told = len(here.seen)
        await here.until(lambda: len(here.seen) > told + 5)
        assert here.button(Action.PAUSE).hasFocus()
        here.press(Action.PAUSE)
        await here.offered(Action.RESUME)
        assert here.page.window().focusWidget() in here.step.footer.going.usable()

    arun(go())


STATES = ["looked", "downloading", "offline", "building", "built", "tested"]


@pytest.mark.parametrize("state", STATES)
def test_every_string_can_be_translated(qtbot, state):
    from tests.screenshots import sample

    with brackets():
        page = AssistantPage()
        qtbot.addWidget(page)
        for width in (1280, 900):
            page.resize(width, 800)
            page.show_assistant(getattr(sample, state)())
        names = (
            r"qwenGPU|Qwen3\.5-2B|Docker Desktop|Safari|Photos|Apple M2 Pro|MPS|zig clang|[\w./-]+\.(json|safetensors)|"
            r"\b(GB|MB|kB|ms|s|sha256|dot|EXEC|VAL|MEM1|END|of)\b|9f3c61d2|No connection to the hub|Qwen--Qwen3\.5-2B"
        )
        assert untranslated(page, names) == []


@pytest.mark.parametrize("state", STATES)
def test_every_step_can_be_heard(qtbot, state):
    from PySide6.QtWidgets import QAbstractButton, QProgressBar

    from tests.screenshots import sample

    page = AssistantPage()
    qtbot.addWidget(page)
    page.show_assistant(getattr(sample, state)())
    page.show()
    silent = [
        widget
        for kind in (QAbstractButton, QProgressBar)
        for widget in page.findChildren(kind)
        if widget.isVisible() and not (widget.accessibleName() or getattr(widget, "text", str)())
    ]
    assert not silent
    assert all(item.accessibleName() for item in page.frame.steps.items)


def squeezed(page):
    """Buttons of the footer that are too narrow for their words or outside of the window."""
    found = []
    for button in (*page.page.footer.leaving.usable(), *page.page.footer.going.usable()):
        corner = button.mapTo(page, button.rect().bottomRight())
        if button.width() < button.sizeHint().width() or corner.x() > page.width() or corner.y() > page.height():
            found.append(button.text())
    return found


@pytest.mark.parametrize("size", [(1280, 800), (900, 600), (640, 400)])
@pytest.mark.parametrize("state", STATES)
def test_nothing_is_cut_off(qtbot, look, state, size):
    from app.ui.theme import Appearance
    from tests.screenshots import sample

    page = AssistantPage()
    qtbot.addWidget(page)
    page.resize(*size)
    page.show()
    for zoom in (100, 150):
        look.set_appearance(Appearance(mode="light", text_size=zoom, reduced_motion=True))
        page.show_assistant(getattr(sample, state)())
        qtbot.waitUntil(lambda: not squeezed(page), timeout=20_000)
    look.set_appearance(Appearance(mode="light", reduced_motion=True))


def test_the_build_shows_its_bar_in_a_small_window(qtbot):
    from tests.screenshots import sample

    page = AssistantPage()
    qtbot.addWidget(page)
    page.resize(900, 574)
    page.show()
    page.show_assistant(sample.building())
    shown = page.page.scroller.viewport()
    qtbot.waitUntil(
        lambda: shown.rect().contains(page.page.bar.mapTo(shown, page.page.bar.rect().bottomLeft())), timeout=20_000
    )
    page.resize(1280, 800)
    qtbot.waitUntil(lambda: page.page.caption.isVisible(), timeout=20_000)


def test_a_damaged_memory_of_the_last_run_is_survived(qtbot, paths, journey, arun):
    paths.data.mkdir(parents=True, exist_ok=True)
    for content in ("", "[]", '{"assistant": {"step": 3, "base": 7}}', '{"assistant": {"step": 4, "checkpoint": "/gone"}}'):
        (paths.data / "assistant.json").write_text(content, encoding="utf-8")
        here = journey()
        assert here.now.step in (Step.COMPUTER, Step.MODEL)
        arun(here.controller.close())


def test_a_proxy_that_is_none_is_said(journey, arun, paths):
    change(paths.settings, PROXY, "http://127.0.0.1:9")
    here = journey()

    async def go():
        await here.at_model()
        here.press(Action.DOWNLOAD)
        await here.until(lambda: here.now.download.state in (State.WAITING, State.FAILED))
        assert isinstance(here.now.download.problem, EnvironmentProblem)

    arun(go())
