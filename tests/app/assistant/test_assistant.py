"""The first-run assistant: where one can go, what is shown, what a restart remembers."""

import json
from dataclasses import replace
from itertools import product

import pytest

from app.assistant.assistant import Assistant, Build
from app.assistant.checks import Trial
from app.assistant.model import Action, Mark, Step
from app.assistant.views import PHASES, SHARES, build_fraction
from app.computer import CompilerTest, Computer, Program
from app.hub.folder import Found
from app.hub.model import FileProgress, FileState, Progress, State
from app.memory import Memory
from engine.machine.errors import EnvironmentProblem, InputError, MismatchError

GB = 1 << 30


def computer(folder, **changes):
    hungry = Program("Docker Desktop", round(6.1 * (1 << 30))), Program("Safari", round(4.8 * (1 << 30)))
    good = Computer(
        Memory(32 * GB, 20 * GB), hungry, folder, 214 * GB, "mps", "Apple M2 Pro", CompilerTest("zig clang 20.1", 0.066)
    )
    return replace(good, **changes)


@pytest.fixture
def base(tmp_path):
    folder = tmp_path / "Qwen"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    return folder


@pytest.fixture
def checkpoint(tmp_path):
    folder = tmp_path / "built"
    folder.mkdir()
    (folder / "machine.safetensors").write_text("")
    return folder


@pytest.fixture
def ready(tmp_path):
    return Assistant().looked(computer(tmp_path))


def offers(view):
    every = (*view.footer, *view.links, *(offer for row in view.rows for offer in row.offers))
    return {offer.action: offer for offer in every}


def primary(view):
    return [offer.action for offer in view.footer if offer.primary and offer.enabled]


# ---------------------------------------------------------------- step 1
def test_before_anything_was_looked_at_nothing_is_claimed():
    view = Assistant().view()
    assert [row.mark for row in view.rows] == [Mark.RUNNING] * 4 and not offers(view)[Action.CONTINUE].enabled
    assert primary(view) == []


def test_a_good_computer_goes_on(ready):
    view = ready.view()
    assert [row.key for row in view.rows] == ["memory", "disk", "device", "compiler"]
    assert {row.mark for row in view.rows} == {Mark.DONE} and primary(view) == [Action.CONTINUE]
    assert ready.go(Step.MODEL).step is Step.MODEL and ready.go(Step.BUILD).step is Step.COMPUTER
    assert "66 ms" in str(view.rows[3].sentence) and view.rows[2].value == "Apple M2 Pro · MPS"


def test_a_test_launch_says_what_it_gave(ready):
    told = ready.tried(Trial(tokens=14, seconds=0.41)).view()
    assert str(told.rows[2].sentence) == "Text runs on the Apple GPU. A test launch gave the exact result: 14 tokens in 410 ms."
    wrong = ready.tried(Trial(problem=MismatchError("out is [31], not [32]", "self-test", "build again")))
    assert wrong.blocked and str(wrong.view().rows[2].notes[0]) == "build again"
    lost = ready.tried(Trial(problem=EnvironmentProblem("the worker crashed", "", "start it again")))
    assert not lost.blocked and primary(lost.view()) == [Action.CONTINUE_ANYWAY]


@pytest.mark.parametrize("memory", [Memory(8 * GB, 6 * GB), Memory(32 * GB, 3 * GB)])
def test_little_memory_warns_names_the_hungry_and_can_be_accepted(tmp_path, memory):
    assistant = Assistant().looked(computer(tmp_path, memory=memory))
    view = assistant.view()
    row = view.rows[0]
    assert row.mark is Mark.WARNING and "Docker Desktop 6.1 GB, Safari 4.8 GB" in str(row.notes[0])
    assert "If you continue" in str(row.notes[1]) and Action.CHECK_AGAIN in {offer.action for offer in row.offers}
    assert primary(view) == [Action.CONTINUE_ANYWAY] and assistant.go(Step.MODEL).step is Step.COMPUTER
    accepted = assistant.accept().go(Step.MODEL)
    assert accepted.step is Step.MODEL and "continued anyway" in str(accepted.view().steps[0].line)


@pytest.mark.parametrize(
    ("changes", "row", "words"),
    [
        ({"free": 3 * GB}, 1, "are needed for the download and the build"),
        ({"unwritable": EnvironmentProblem("the folder cannot be written")}, 1, "cannot be written"),
        ({"compiler": CompilerTest("", problem=EnvironmentProblem("no compiler", "", "get ziglang"))}, 3, "cannot be compiled"),
    ],
)
def test_what_cannot_work_is_not_accepted(tmp_path, changes, row, words):
    assistant = Assistant().looked(computer(tmp_path, **changes))
    view = assistant.view()
    assert view.rows[row].mark is Mark.PROBLEM and words in str(view.rows[row].sentence) and view.rows[row].notes
    assert primary(view) == [] and not assistant.accept().accepted and assistant.accept().go(Step.MODEL).step is Step.COMPUTER


def test_no_download_needs_no_room_for_it(tmp_path, base):
    assistant = Assistant().given(Found(base, 1, ("model.safetensors",))).looked(computer(tmp_path, free=12 * GB))
    assert assistant.fit
    assert not Assistant().looked(computer(tmp_path, free=12 * GB)).fit


# ---------------------------------------------------------------- step 2
def downloading(folder, state, **changes):
    files = (
        FileProgress("LICENSE", 10_000, 10_000, FileState.CHECKED),
        FileProgress("config.json", 900, 900, FileState.CHECKED),
        FileProgress("model-1.safetensors", 2_490_000_000, 2_490_000_000, FileState.CHECKED),
        FileProgress("model-2.safetensors", 2_050_000_000, 200_000_000, FileState.PARTIAL),
    )
    return Progress(state, 2_690_010_900, 4_540_010_900, folder=folder, files=files, **changes)


@pytest.mark.parametrize(
    ("state", "present", "main"),
    [
        (State.ASKING, {Action.PAUSE, Action.CANCEL}, []),
        (State.DOWNLOADING, {Action.PAUSE, Action.CANCEL}, []),
        (State.STALLED, {Action.PAUSE, Action.CANCEL}, []),
        (State.WAITING, {Action.PAUSE, Action.CANCEL}, []),
        (State.PAUSED, {Action.RESUME, Action.CANCEL}, [Action.RESUME]),
        (State.CANCELLED, {Action.DISCARD, Action.DOWNLOAD}, [Action.DOWNLOAD]),
        (State.FAILED, {Action.RESUME, Action.CANCEL}, [Action.RESUME]),
        (State.DONE, set(), [Action.CONTINUE]),
    ],
)
def test_what_can_be_done_about_a_download(ready, base, state, present, main):
    problem = (
        EnvironmentProblem("no connection (refused)", "hub.example", "wait") if state in (State.WAITING, State.FAILED) else None
    )
    view = ready.go(Step.MODEL).downloading(downloading(base, state, problem=problem, retry_in=4.0)).view()
    every = {Action.PAUSE, Action.CANCEL, Action.RESUME, Action.DISCARD, Action.DOWNLOAD}
    assert set(offers(view)) & every == present and primary(view) == main
    assert offers(view)[Action.HAVE_IT].enabled == (not state.running)
    assert bool(view.problem) == (state is State.FAILED)
    assert [row.key for row in view.rows] == ["small files", "model-1.safetensors", "model-2.safetensors"]


def test_a_running_download_says_how_far_and_how_long(ready, base):
    view = ready.go(Step.MODEL).downloading(downloading(base, State.DOWNLOADING, speed=24_600_000.0, eta=80.0)).view()
    assert str(view.meter.amount) == "2.69 of 4.54 GB" and str(view.meter.rate) == "24.6 MB/s"
    assert "1 min 20 s" in str(view.meter.left) and view.meter.fraction == pytest.approx(0.5925, abs=1e-3)
    assert str(view.rows[0].title) == "2 small files" and view.rows[2].fraction == pytest.approx(0.0976, abs=1e-3)
    assert "59%" in str(view.steps[1].line)


def test_a_download_that_waits_says_why_and_until_when(ready, base):
    problem = EnvironmentProblem("no connection (refused)", "hub.example", "")
    view = ready.go(Step.MODEL).downloading(downloading(base, State.WAITING, problem=problem, retry_in=4.0)).view()
    assert "No connection (refused). It goes on by itself; 2.69 GB are kept." in str(view.note)
    assert "4 s" in str(view.meter.left)


def test_a_stalled_download_says_so(ready, base):
    view = ready.go(Step.MODEL).downloading(downloading(base, State.STALLED)).view()
    assert "sends nothing" in str(view.note) and "nothing comes" in str(view.meter.left)


def test_the_size_stands_there_before_anything_is_fetched(ready):
    view = ready.sized(4_550_000_000).go(Step.MODEL).view()
    assert "4.55 GB, Apache 2.0" in str(view.sentence) and view.meter is None
    assert str(offers(view)[Action.DOWNLOAD].label) == "Download 4.55 GB" and Action.LICENCE in offers(view)


def test_a_folder_that_is_there_is_taken_or_refused(ready, base):
    assistant = ready.go(Step.MODEL).refused(InputError("'x' is missing", str(base), "choose another"))
    assert "'x' is missing" in str(assistant.view().problem[0]) and primary(assistant.view()) == [Action.DOWNLOAD]
    given = assistant.given(Found(base, 5, ("model.safetensors",)))
    assert given.view().problem == () and primary(given.view()) == [Action.CONTINUE] and given.reachable(Step.BUILD)
    assert str(given.view().steps[1].line) == "On this computer"


# ---------------------------------------------------------------- step 3
@pytest.fixture
def building(ready, base):
    return ready.downloading(downloading(base, State.DONE)).go(Step.BUILD)


def test_layers_light_when_they_are_written(building):
    started = building.build_started()
    compiled = started.building("prepare", 45, 45, 0, None, 44)
    assert compiled.build.lit == ()
    written = compiled.building("write", 10, 100, 1_000, 60.0, 0).building("write", 20, 100, 2_000, 50.0, 1)
    written = written.building("write", 21, 100, 2_100, 50.0, 1)
    assert written.build.lit == (0, 1) and written.step is Step.BUILD
    view = written.view()
    assert {offer.action for offer in view.footer} == {Action.CANCEL, Action.BACK, Action.PAUSE, Action.CONTINUE}
    assert primary(view) == [] and not offers(view)[Action.BACK].enabled and "1 of 69 layers" in str(view.meter.amount)
    assert [row.mark for row in view.rows] == [Mark.DONE, Mark.DONE, Mark.DONE, Mark.RUNNING, Mark.TODO]


def test_the_bar_of_a_build_never_goes_back():
    assert sum(SHARES) == pytest.approx(1)
    told = [build_fraction(Build(True, stage=stage, done=done, total=4)) for stage, done in product(PHASES, range(5))]
    assert told == sorted(told) and told[-1] == pytest.approx(1) and build_fraction(Build(True, stage="unknown")) == 0.0


def test_a_stopped_build_goes_on_later_and_says_what_is_kept(building):
    stopped = building.build_started().building("write", 30, 100, 3_000, 60.0, 5).build_stopped()
    view = stopped.view()
    assert primary(view) == [Action.BUILD] and str(offers(view)[Action.BUILD].label) == "Go on building"
    assert view.rows[3].mark is Mark.PAUSED and view.problem == () and view.meter.fraction > 0
    failed = building.build_started().build_stopped(EnvironmentProblem("the disk is full", "/x", "free some space")).view()
    assert str(failed.problem[0]) == "The disk is full - /x" and "kept" in str(failed.problem[1])
    assert str(offers(failed)[Action.BUILD].label) == "Try again" and Action.LOG in offers(failed)


def test_a_built_checkpoint_opens_the_last_step(building, checkpoint):
    built = building.build_started().built(checkpoint, 708.0)
    assert primary(built.view()) == [Action.CONTINUE] and Action.REPORT in offers(built.view())
    assert str(built.view().steps[2].line) == "Built in 11 min 48 s" and built.go(Step.SELF_TEST).step is Step.SELF_TEST


# ---------------------------------------------------------------- step 4
def test_chatting_begins_after_the_self_test(building, checkpoint):
    assistant = building.built(checkpoint, 1.0).go(Step.SELF_TEST)
    assert primary(assistant.view()) == [Action.TEST]
    running = assistant.test_started()
    assert primary(running.view()) == [] and running.view().rows[0].mark is Mark.RUNNING
    passed = running.tested({"id": "L", "hash": "9f3c61d2aa"}, ("EXEC(0)", "END"))
    assert primary(passed.view()) == [Action.CHAT] and str(passed.view().rows[0].value) == "replay exact"
    assert passed.view().rows[-1].value == "sha256 9f3c61d2…" and Action.STEP_THROUGH in offers(passed.view())
    failed = running.test_failed(EnvironmentProblem("out of memory", "", "close something"))
    assert primary(failed.view()) == [Action.TEST] and failed.view().rows[0].value == "" and failed.view().problem


# ---------------------------------------------------------------- saving
def test_a_restart_remembers_where_somebody_was(building, base, checkpoint):
    for assistant in (
        building,
        building.build_started(),
        building.built(checkpoint, 5.0).go(Step.SELF_TEST),
        building.built(checkpoint, 5.0).go(Step.SELF_TEST).tested({"id": "L"}),
    ):
        again = Assistant.from_json(json.loads(json.dumps(assistant.to_json())))
        assert (again.step, again.base, again.checkpoint) == (assistant.step, base, assistant.checkpoint)
        assert again.build.running is False and again.test.passed == assistant.test.passed
        assert again.build.paused == assistant.build.running
        assert again.view().steps[assistant.step.value - 1].current


def test_a_folder_that_is_gone_takes_its_step_back(building, base, checkpoint):
    saved = building.built(checkpoint, 5.0).go(Step.SELF_TEST).tested({"id": "L"}).to_json()
    (checkpoint / "machine.safetensors").unlink()
    without = Assistant.from_json(saved)
    assert without.step is Step.BUILD and without.checkpoint is None and without.test.passed is None
    (base / "config.json").unlink()
    assert Assistant.from_json(saved).step is Step.MODEL


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        "x",
        5,
        {},
        {"step": 9},
        {"step": True},
        {"step": "two"},
        {"base": 5, "step": 3},
        {"base": "\0", "step": 3},
        {"size": -1},
        {"size": "x", "seconds": []},
    ],
)
def test_damaged_notes_begin_anew(value):
    assistant = Assistant.from_json(value)
    assert assistant.step is Step.COMPUTER and assistant.view().rows


def test_every_state_can_be_drawn(ready, base, checkpoint):
    for step, state, built, passed in product(Step, State, (None, checkpoint), (None, True, False)):
        assistant = replace(ready.downloading(downloading(base, state)), step=step, checkpoint=built)
        if passed is not None:
            assistant = assistant.tested({}) if passed else assistant.test_failed(InputError("x"))
        view = assistant.view()
        assert (
            view.step is step
            and len(view.steps) == 4
            and len([offer for offer in view.footer if offer.primary and offer.enabled]) <= 1
        )
        assert str(view.title) and str(view.sentence)
        for text in (view.note, *view.problem, *(row.sentence for row in view.rows)):
            assert "{" not in str(text or "")


@pytest.mark.parametrize(
    ("build", "finished", "current"),
    [
        (Build(running=True, stage="base"), 0, None),
        (Build(running=True, stage="write", lit=(0, 1, 2)), 2, 2),  # the third is being written
        (Build(running=True, stage="write", lit=(40, 41)), 41, 41),  # a build that went on: the first ones were written before
        (Build(paused=True, stage="write", lit=(0, 1, 2)), 2, None),  # stopped in the third: it is written again
        (Build(running=True, stage="verify", lit=(67, 68)), 69, None),
    ],
)
def test_a_layer_is_finished_when_the_next_thing_begins(build, finished, current):
    assert (build.finished, build.current) == (finished, current)
