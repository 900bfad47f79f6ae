"""What each step shows and offers, as data. One function a step; `app.assistant.assistant` says what is so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.assistant.checks import BUILD_BYTES, COMPILER, DEVICE, DISK, MEMORY
from app.assistant.model import Action, Mark, Meter, Offer, Row, Step, StepLine, View
from app.hub.model import QWEN_BYTES, FileProgress, FileState, State
from app.layers import layers
from app.quantities import duration, exact_duration, percent, remaining, size, size_of, speed
from app.texts import Text, translate
from engine.machine.errors import GpuError

if TYPE_CHECKING:
    from app.assistant.assistant import Assistant, Build

PHASES = ("prepare", "base", "mute", "write", "verify")
"""The build's stages, as the worker calls them."""
SHARES = (0.05, 0.10, 0.10, 0.55, 0.20)
"""How much of the bar belongs to each; it moves only when a unit of work is done."""
SMALL_FILE = 1 << 20
KEEP_DOWNLOADED = translate("Assistant", "Everything that was downloaded is kept; it goes on from there.")
KEEP_BUILT = translate("Assistant", "Finished layers are kept; the build goes on from there.")


def view(assistant: Assistant) -> View:
    """The present step."""
    return {Step.COMPUTER: _computer, Step.MODEL: _model, Step.BUILD: _build, Step.SELF_TEST: _test}[assistant.step](assistant)


# ---------------------------------------------------------------- 1: this computer
def _computer(assistant: Assistant) -> View:
    titles = {
        MEMORY: translate("Assistant", "Memory"),
        DISK: translate("Assistant", "Disk"),
        DEVICE: translate("Assistant", "Device"),
        COMPILER: translate("Assistant", "Compiler"),
    }
    again = Offer(Action.CHECK_AGAIN, translate("Assistant", "Check again"))
    elsewhere = Offer(Action.CHOOSE_MODELS_FOLDER, translate("Assistant", "Choose a folder…"))
    rows = tuple(
        Row(
            check.key,
            check.mark,
            check.title,
            check.sentence,
            check.value,
            check.expect,
            () if check.mark in (Mark.DONE, Mark.RUNNING) else (elsewhere, again) if check.key == DISK else (again,),
        )
        for check in assistant.checks
    )
    if not rows:
        rows = tuple(Row(key, Mark.RUNNING, title, translate("Assistant", "Looking…")) for key, title in titles.items())
    if assistant.fit or not assistant.checks:
        onwards = Offer(
            Action.CONTINUE,
            translate("Assistant", "Continue"),
            bool(assistant.checks),
            True,
            None if assistant.checks else translate("Assistant", "The checks are still running."),
        )
    elif assistant.blocked:
        onwards = Offer(
            Action.CONTINUE,
            translate("Assistant", "Continue"),
            False,
            True,
            translate("Assistant", "Something that is needed is missing; see above."),
        )
    else:
        onwards = Offer(Action.CONTINUE_ANYWAY, translate("Assistant", "Continue anyway"), True, True)
    return View(
        Step.COMPUTER,
        translate("Assistant", "This computer"),
        translate("Assistant", "qwenGPU runs on your own machine. These four checks take a few seconds and change nothing."),
        rows,
        note=translate("Assistant", "Nothing leaves this computer. The next step is the only one that needs the internet."),
        footer=(
            Offer(Action.COPY_DETAILS, translate("Assistant", "Copy details"), bool(assistant.checks)),
            Offer(Action.QUIT, translate("Assistant", "Quit")),
            onwards,
        ),
        steps=_steps(assistant),
    )


# ---------------------------------------------------------------- 2: the language model
def _model(assistant: Assistant) -> View:
    now = assistant.download
    size_known = assistant.download_size or QWEN_BYTES
    begun = now.state is not State.IDLE
    meter = (
        Meter(
            now.fraction if now.size else None,
            size_of(now.have, now.size) if now.size else "",
            speed(now.speed) if now.state in (State.DOWNLOADING, State.STALLED) else "",
            _download_left(assistant),
        )
        if begun
        else None
    )
    if assistant.base is not None and now.state is not State.DONE:
        rows: tuple[Row, ...] = (
            Row("folder", Mark.DONE, str(assistant.base), translate("Assistant", "Checked; this folder is used")),
        )
        meter = None
    else:
        rows = _files(now.files) or (
            Row("size", Mark.TODO, "Qwen3.5-2B", translate("Assistant", "Not downloaded yet"), size(size_known)),
        )
    links = [
        Offer(Action.HAVE_IT, translate("Assistant", "I already have it…"), not now.state.running),
        Offer(Action.NETWORK, translate("Assistant", "Mirror, proxy and token…")),
        Offer(Action.LICENCE, translate("Assistant", "Licence (Apache 2.0)")),
    ]
    return View(
        Step.MODEL,
        translate("Assistant", "Get Qwen3.5-2B"),
        translate(
            "Assistant", "The language model that talks to you: {size}, Apache 2.0. It is downloaded once, then works offline."
        ).format(size=size(size_known)),
        rows,
        meter,
        _download_note(assistant),
        _download_problem(assistant),
        tuple(links),
        _model_footer(assistant),
        _steps(assistant),
    )


def _download_left(assistant: Assistant) -> Text | str:
    now = assistant.download
    if now.state is State.WAITING and now.retry_in is not None:
        return translate("Assistant", "next try in {time}").format(time=duration(max(1, now.retry_in)))
    return {
        State.ASKING: translate("Assistant", "asking the hub…"),
        State.STALLED: translate("Assistant", "nothing comes"),
        State.CHECKING: translate("Assistant", "checking what is here…"),
        State.PAUSED: translate("Assistant", "paused"),
        State.CANCELLED: translate("Assistant", "cancelled"),
        State.FAILED: translate("Assistant", "stopped"),
        State.DONE: translate("Assistant", "all files checked"),
        State.WAITING: translate("Assistant", "waiting"),
    }.get(now.state) or remaining(now.eta)


def _download_note(assistant: Assistant) -> Text:
    now = assistant.download
    if now.state is State.WAITING and now.problem is not None:
        return translate("Assistant", "{problem}. It goes on by itself; {size} are kept.").format(
            problem=_sentence(now.problem.what), size=size(now.have)
        )
    if now.state is State.STALLED:
        return translate("Assistant", "The server is connected but sends nothing. It is asked again by itself.")
    if now.state is State.CANCELLED:
        return translate("Assistant", "The download is cancelled. {size} are kept until you delete them.").format(
            size=size(now.have)
        )
    if assistant.base is not None:
        return translate("Assistant", "The language model is complete. From here on nothing needs the internet.")
    return translate(
        "Assistant", "Every file is checked against its sha256 before it is used. You can quit: it goes on from here next time."
    )


def _download_problem(assistant: Assistant) -> tuple[Text | str, ...]:
    if assistant.refusal is not None:
        return _problem(assistant.refusal, translate("Assistant", "The folder was not changed."))
    now = assistant.download
    return _problem(now.problem, KEEP_DOWNLOADED) if now.state is State.FAILED and now.problem is not None else ()


def _files(files: Sequence[FileProgress]) -> tuple[Row, ...]:
    """A row for every large file and one for all small ones."""
    small = [file for file in files if file.size < SMALL_FILE]
    rows = [_file(file) for file in files if file.size >= SMALL_FILE]
    if small:
        checked = all(file.state is FileState.CHECKED for file in small)
        wrong = [file for file in small if file.state is FileState.WRONG]
        rows.insert(
            0,
            Row(
                "small files",
                Mark.PROBLEM if wrong else Mark.DONE if checked else Mark.TODO,
                wrong[0].path if wrong else translate("Assistant", "{count} small files").format(count=len(small)),
                translate("Assistant", "Checked") if checked else "",
                size(sum(file.size for file in small)),
            ),
        )
    return tuple(rows)


def _file(file: FileProgress) -> Row:
    share = file.have / file.size if file.size else 1.0
    words: dict[FileState, tuple[Mark, Text | str]] = {
        FileState.MISSING: (Mark.TODO, ""),
        FileState.PARTIAL: (Mark.RUNNING, percent(share)),
        FileState.CHECKING: (Mark.RUNNING, translate("Assistant", "Checking")),
        FileState.CHECKED: (Mark.DONE, translate("Assistant", "Checked")),
        FileState.WRONG: (Mark.PROBLEM, translate("Assistant", "Wrong bytes")),
    }
    mark, word = words[file.state]
    return Row(file.path, mark, file.path, word, size(file.size), fraction=share if mark is Mark.RUNNING else None)


def _model_footer(assistant: Assistant) -> tuple[Offer, ...]:
    state, done = assistant.download.state, assistant.base is not None
    back, offers = Offer(Action.BACK, translate("Assistant", "Back")), []
    begin = not done and state is not State.DONE
    if begin and (state.running or state in (State.PAUSED, State.FAILED)):
        offers.append(Offer(Action.CANCEL, translate("Assistant", "Cancel download")))
    if begin and state is State.CANCELLED and assistant.download.have:
        offers.append(Offer(Action.DISCARD, translate("Assistant", "Delete what was downloaded")))
    offers.append(back)
    if begin and state.running:
        offers.append(Offer(Action.PAUSE, translate("Assistant", "Pause")))
    elif begin and state is State.PAUSED:
        offers.append(Offer(Action.RESUME, translate("Assistant", "Resume"), primary=True))
    elif begin and state is State.FAILED:
        offers.append(Offer(Action.RESUME, translate("Assistant", "Try again"), primary=True))
    elif begin:
        offers.append(
            Offer(
                Action.DOWNLOAD,
                translate("Assistant", "Download {size}").format(
                    size=size(max(0, (assistant.download_size or QWEN_BYTES) - assistant.download.have))
                ),
                primary=True,
            )
        )
    return (
        *offers,
        Offer(
            Action.CONTINUE,
            translate("Assistant", "Continue"),
            done,
            done,
            None if done else translate("Assistant", "The language model is needed first."),
        ),
    )


# ---------------------------------------------------------------- 3: the build
def _build(assistant: Assistant) -> View:
    build, done = assistant.build, assistant.checkpoint is not None and not assistant.build.running
    shown = build.running or (build.paused and build.stage)
    meter = (
        Meter(
            build_fraction(build),
            translate("Assistant", "{layers} of {all} layers").format(layers=build.finished, all=len(layers())),
            size(build.bytes) if build.bytes else "",
            _phase_left(build),
        )
        if shown
        else None
    )
    if done:
        note = translate("Assistant", "Qwen's own weights are in it bit for bit; the report names the hash of every file.")
    else:
        note = translate("Assistant", "Finished layers are kept if you stop.")
    offers = [Offer(Action.LOG, translate("Assistant", "Show log"))] if build.problem is not None else []
    if build.running:
        offers = [Offer(Action.CANCEL, translate("Assistant", "Cancel"))]
    if done:
        offers.append(Offer(Action.REPORT, translate("Assistant", "Read the build report")))
    offers.append(Offer(Action.BACK, translate("Assistant", "Back"), not build.running))
    if build.running:
        offers.append(Offer(Action.PAUSE, translate("Assistant", "Pause")))
    elif not done:
        label = (
            translate("Assistant", "Build")
            if not build.paused
            else (
                translate("Assistant", "Try again") if build.problem is not None else translate("Assistant", "Go on building")
            )
        )
        offers.append(Offer(Action.BUILD, label, primary=True))
    offers.append(
        Offer(
            Action.CONTINUE,
            translate("Assistant", "Continue"),
            done,
            done,
            None if done else translate("Assistant", "The build comes first."),
        )
    )
    return View(
        Step.BUILD,
        translate("Assistant", "Build"),
        translate(
            "Assistant",
            "The GPU is written into {compiled} new layers in front of Qwen’s {own}. Qwen’s own weights stay bit "
            "for bit the same.",
        ).format(compiled=sum(layer.compiled for layer in layers()), own=sum(not layer.compiled for layer in layers())),
        _phases(build, done),
        meter,
        note,
        () if build.problem is None else _problem(build.problem, KEEP_BUILT),
        footer=tuple(offers),
        steps=_steps(assistant),
    )


def _phase_left(build: Build) -> Text | str:
    if not build.running:
        return translate("Assistant", "stopped")
    return translate("Assistant", "{time} in this phase").format(time=remaining(build.eta)) if build.eta is not None else ""


def build_fraction(build: Build) -> float:
    """How much of the whole build is done, from 0 to 1."""
    if build.stage not in PHASES:
        return 0.0
    place = PHASES.index(build.stage)
    return sum(SHARES[:place]) + SHARES[place] * (build.done / build.total if build.total else 0.0)


def _phases(build: Build, done: bool) -> tuple[Row, ...]:
    titles = (
        translate("Assistant", "Compile the GPU"),
        translate("Assistant", "Check Qwen"),
        translate("Assistant", "Fit together"),
        translate("Assistant", "Write layers"),
        translate("Assistant", "Read back"),
    )
    current = PHASES.index(build.stage) if build.stage in PHASES else -1
    rows = []
    for place, (key, title) in enumerate(zip(PHASES, titles, strict=True)):
        mark = Mark.TODO
        word: Text | str = ""
        if done or place < current:
            mark, word = Mark.DONE, translate("Assistant", "done")
        elif place == current:
            mark = Mark.RUNNING if build.running else Mark.PROBLEM if build.problem is not None else Mark.PAUSED
            word = percent(build.done / build.total) if build.total else ""
        rows.append(Row(key, mark, title, word))
    return tuple(rows)


# ---------------------------------------------------------------- 4: the self-test
def _test(assistant: Assistant) -> View:
    test = assistant.test
    mark = Mark.RUNNING if test.running else Mark.TODO if test.passed is None else Mark.DONE if test.passed else Mark.PROBLEM
    rows = (
        Row(
            "result",
            mark,
            translate("Assistant", "The result is right"),
            translate("Assistant", "Every token is worked out again without the model. All must be equal."),
            translate("Assistant", "replay exact") if test.passed else "",
        ),
        Row(
            "text",
            mark,
            translate("Assistant", "The text model is untouched"),
            translate("Assistant", "Each of Qwen’s own tensors must have the bytes that it was downloaded with."),
            translate("Assistant", "0 differences") if test.passed else "",
        ),
        Row(
            "files",
            mark,
            translate("Assistant", "The files are what was built"),
            translate("Assistant", "Every file is checked against the build report."),
            f"sha256 {str(test.result['hash'])[:8]}…" if test.passed and test.result.get("hash") else "",
        ),
    )
    offers = [Offer(Action.STEP_THROUGH, translate("Assistant", "Step through it"))] if test.result.get("id") else []
    offers.append(Offer(Action.BACK, translate("Assistant", "Back"), not test.running))
    if test.running:
        offers.append(Offer(Action.CANCEL, translate("Assistant", "Stop")))
    else:
        label = translate("Assistant", "Run the self-test") if test.passed is None else translate("Assistant", "Run it again")
        offers.append(Offer(Action.TEST, label, primary=not test.passed))
    offers.append(
        Offer(
            Action.CHAT,
            translate("Assistant", "Start chatting"),
            test.passed is True,
            test.passed is True,
            None if test.passed else translate("Assistant", "The self-test comes first."),
        )
    )
    return View(
        Step.SELF_TEST,
        translate("Assistant", "Self-test"),
        translate("Assistant", "A real launch on this computer, with a result everyone can check: 1×4 + 2×5 + 3×6 = 32."),
        rows,
        problem=()
        if test.problem is None
        else _problem(
            test.problem, translate("Assistant", "The built model is kept. The small built-in model works meanwhile.")
        ),
        footer=tuple(offers),
        steps=_steps(assistant),
    )


# ---------------------------------------------------------------- what all of them show
def _problem(problem: GpuError, kept: Text) -> tuple[Text | str, ...]:
    """What happened, what is kept, what to do."""
    what = " - ".join(part for part in (_sentence(problem.what), problem.where) if part)
    return (what, kept, *([_sentence(problem.remedy) + "."] if problem.remedy else []))


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".")


def _steps(assistant: Assistant) -> tuple[StepLine, ...]:
    titles = {
        Step.COMPUTER: translate("Assistant", "This computer"),
        Step.MODEL: translate("Assistant", "Get Qwen3.5-2B"),
        Step.BUILD: translate("Assistant", "Build"),
        Step.SELF_TEST: translate("Assistant", "Self-test"),
    }
    told = {Step.COMPUTER: _computer_line, Step.MODEL: _model_line, Step.BUILD: _build_line, Step.SELF_TEST: _test_line}
    return tuple(
        StepLine(step, titles[step], *told[step](assistant), step is assistant.step, assistant.reachable(step)) for step in Step
    )


def _computer_line(assistant: Assistant) -> tuple[Text, Mark]:
    if assistant.blocked:
        missing = bool(assistant.checks)
        return (
            translate("Assistant", "Something is missing")
            if missing
            else translate("Assistant", "Memory, disk, device, compiler"),
            Mark.PROBLEM if missing else Mark.TODO,
        )
    if assistant.fit:
        return translate("Assistant", "Everything is there"), Mark.DONE
    return (
        translate("Assistant", "Memory low, continued anyway") if assistant.accepted else translate("Assistant", "Memory low"),
        Mark.WARNING,
    )


def _model_line(assistant: Assistant) -> tuple[Text, Mark]:
    now = assistant.download
    if assistant.base is not None:
        if now.size:
            return translate("Assistant", "{size}, all files checked").format(size=size(now.size)), Mark.DONE
        return translate("Assistant", "On this computer"), Mark.DONE
    done = percent(now.fraction)
    if now.state.running:
        return translate("Assistant", "{percent}, {left}").format(percent=done, left=_download_left(assistant)), Mark.RUNNING
    if now.state is State.PAUSED:
        return translate("Assistant", "Paused at {percent}").format(percent=done), Mark.PAUSED
    if now.state is State.FAILED:
        return translate("Assistant", "Stopped at {percent}").format(percent=done), Mark.PROBLEM
    if now.state is State.CANCELLED:
        return translate("Assistant", "Cancelled at {percent}").format(percent=done), Mark.TODO
    return translate("Assistant", "{size} download").format(size=size(assistant.download_size or QWEN_BYTES)), Mark.TODO


def _build_line(assistant: Assistant) -> tuple[Text | str, Mark]:
    build = assistant.build
    if build.running:
        return percent(build_fraction(build)), Mark.RUNNING
    if assistant.checkpoint is not None:
        if build.seconds is None:
            return translate("Assistant", "Built"), Mark.DONE
        return translate("Assistant", "Built in {time}").format(time=exact_duration(build.seconds)), Mark.DONE
    if build.problem is not None:
        return translate("Assistant", "Stopped"), Mark.PROBLEM
    if build.paused:
        return translate("Assistant", "Paused; finished layers are kept"), Mark.PAUSED
    return translate("Assistant", "{layers} layers, {size} on disk").format(
        layers=len(layers()), size=size(BUILD_BYTES)
    ), Mark.TODO


def _test_line(assistant: Assistant) -> tuple[Text, Mark]:
    test = assistant.test
    if test.running:
        return translate("Assistant", "Running…"), Mark.RUNNING
    if test.passed is None:
        return translate("Assistant", "One real launch, checked"), Mark.TODO
    return (translate("Assistant", "Passed"), Mark.DONE) if test.passed else (translate("Assistant", "Failed"), Mark.PROBLEM)
