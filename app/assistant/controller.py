"""Does what a person asks of the assistant, and tells the assistant what came of it. asyncio, no widgets, no torch.

controller = Controller(paths, client, on_change=page.show)
controller.open()                       # where the last run was; looks at the computer, goes on with what was running
controller.act(Action.DOWNLOAD)         # returns at once
await controller.close()                # everything is kept
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import asdict
from importlib import resources
from pathlib import Path
from typing import Any

from app.assistant.assistant import Assistant
from app.assistant.checks import Trial
from app.assistant.model import Action, Step
from app.compute.receipts import read_receipt
from app.computer import Computer, look
from app.files import read_json, replace_file
from app.hub.download import Download, ask, folder_of, unfinished
from app.hub.folder import Found, check_folder
from app.hub.model import Manifest, Progress, Source, State
from app.keychain import Keychain
from app.paths import Paths
from app.preferences import ENDPOINT, MODELS_FOLDER, PROXY
from app.settings import Settings
from app.worker.client import Call, WorkerClient
from app.worker.protocol import BuildResult, Error, LaunchResult, LoadResult, VerifyResult
from app.worker.protocol import Progress as WorkProgress
from engine.machine.errors import Cancelled, EnvironmentProblem, GpuError, InputError, MismatchError
from engine.machine.tokens import TOKENS

FILE = "assistant.json"
BUILT = "Qwen3.5-2B-qwenGPU"
"""Name of the built checkpoint's folder where the user chose the folder for models."""
EXAMPLE = resources.files("resources") / "examples"
EXPECTED = {"out": [32]}
"""What the self-test's launch must give: 1*4 + 2*5 + 3*6."""


class Controller:
    """The assistant and the work that it leads to.

    assistant: the present state; on_change: told in the loop after every change of it
    look, ask, check, download: what does the work; tests put something else in their place
    """

    def __init__(
        self,
        paths: Paths,
        client: WorkerClient,
        on_change: Callable[[Assistant], None],
        *,
        look: Callable[[Path], Computer] = look,
        ask: Callable[[Source], Coroutine[Any, Any, Manifest]] = ask,
        check: Callable[..., Found] = check_folder,
        download: Callable[..., Download] = Download,
    ) -> None:
        self.assistant = Assistant()
        self._paths, self._client, self._on_change = paths, client, on_change
        self._look, self._ask, self._check, self._make_download = look, ask, check, download
        self._keychain = Keychain(paths.config)
        self._tasks: set[asyncio.Task[None]] = set()
        self._download: Download | None = None
        self._call: Call | None = None

    # ------------------------------------------------------------ opening and closing
    def open(self) -> None:
        """Take up where the last run was, and look at this computer."""
        saved = self._saved()
        self.assistant = Assistant.from_json(saved.get("assistant"))
        left = unfinished(self._model_folder())
        if left is not None and self.assistant.base is None:
            self.assistant = self.assistant.downloading(left)
        self._on_change(self.assistant)
        self._start(self._look_around())
        if self.assistant.base is None:
            self._start(self._ask_size())
            if saved.get("downloading") and left is not None and left.state is State.PAUSED:
                self._start(self._download_on())

    async def close(self) -> None:
        """End what runs; nothing that is on disk is thrown away."""
        self._save()
        running = self._download is not None and self._download.progress.state.running
        if running and self._download is not None:
            self._download.pause()
            with suppress(GpuError):  # it says that it was stopped
                await self._download.finished()
        if self._call is not None:
            await self._call.stop()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # ------------------------------------------------------------ what a person asks for
    def act(self, action: Action) -> None:
        """Do it, or begin to. What needs a window (a folder, a text to read) is the window's business and nothing here."""
        if action in (Action.CONTINUE, Action.CONTINUE_ANYWAY):
            if action is Action.CONTINUE_ANYWAY:
                self._change(self.assistant.accept())
            self._go(+1)
        elif action is Action.BACK:
            self._go(-1)
        elif action is Action.CHECK_AGAIN:
            self._start(self._look_around())
        elif action in (Action.DOWNLOAD, Action.RESUME, Action.BUILD, Action.TEST):
            step = {Action.BUILD: Step.BUILD, Action.TEST: Step.SELF_TEST}.get(action, self.assistant.step)
            self._start({Step.BUILD: self._build, Step.SELF_TEST: self._test}.get(step, self._download_on)())
        elif action in (Action.PAUSE, Action.CANCEL):
            self._halt(action)
        elif action is Action.DISCARD:
            self._discard()

    def have(self, folder: Path) -> None:
        """Use a language model that is there already."""
        self._start(self._check_given(folder))

    def settings_changed(self, name: str) -> None:
        """A setting has another value ("" where it may be any): another mirror is asked, another disk is looked at."""
        if name in ("", ENDPOINT.name, PROXY.name) and self.assistant.base is None:
            self._start(self._ask_size())
        if name in ("", MODELS_FOLDER.name):
            self._start(self._look_around())

    def _go(self, by: int) -> None:
        wanted = Step(min(max(self.assistant.step.value + by, 1), len(Step)))
        self._change(self.assistant.go(wanted))
        if by > 0 and self.assistant.step is Step.SELF_TEST and self.assistant.test.passed is None:
            self._start(self._test())

    # ------------------------------------------------------------ step 1
    async def _look_around(self) -> None:
        computer = await asyncio.to_thread(self._look, self._models())
        self._change(self.assistant.looked(computer))  # the assistant as it is now, not as it was before the wait
        if self.assistant.step is Step.COMPUTER and not self.assistant.trial.running:
            await self._try_launch()

    async def _try_launch(self) -> None:
        """The example in whatever model is open, which at the first start is the built-in one."""
        self._change(self.assistant.tried(Trial(running=True)))
        try:
            launched = await _ended(self._client.request("launch", **example()), LaunchResult)
            require_expected(launched)
        except GpuError as problem:
            self._change(self.assistant.tried(Trial(problem=problem)))
        else:
            self._change(self.assistant.tried(Trial(tokens=launched.launch.tokens, seconds=launched.launch.seconds)))

    # ------------------------------------------------------------ step 2
    async def _ask_size(self) -> None:
        try:
            manifest = await self._ask(await self._source())
        except GpuError:
            return  # the download says what is wrong when somebody wants it
        self._change(self.assistant.sized(manifest.size))

    async def _download_on(self) -> None:
        folder, source = self._model_folder(), await self._source()
        download = self._download
        if download is None or (not download.progress.state.running and (download.folder, download.source) != (folder, source)):
            download = self._make_download(folder, source, on_change=self._downloaded)  # another token, mirror or place
        self._download = download
        download.start()
        self._save()

    def _downloaded(self, progress: Progress) -> None:
        self._change(self.assistant.downloading(progress), save=progress.state is State.DONE)

    async def _check_given(self, folder: Path) -> None:
        try:
            found = await asyncio.to_thread(self._check, folder)
        except GpuError as problem:
            self._change(self.assistant.refused(problem))
        else:
            self._change(self.assistant.given(found))

    def _discard(self) -> None:
        if self._download is None:
            self._download = self._make_download(self._model_folder(), Source(), on_change=self._downloaded)
        self._download.discard()
        self._change(self.assistant.downloading(self._download.progress))

    # ------------------------------------------------------------ steps 3 and 4
    def _halt(self, action: Action) -> None:
        if self.assistant.step is Step.MODEL:
            if self._download is not None:
                (self._download.pause if action is Action.PAUSE else self._download.cancel)()
            self._save()
        elif self._call is not None:
            self._start(self._call.stop())

    async def _build(self) -> None:
        base = self.assistant.base
        if base is None or self.assistant.build.running:
            return
        self._change(self.assistant.build_started())
        chosen = self._settings().get(MODELS_FOLDER)
        self._call = self._client.request("build", base=str(base), out=None if chosen is None else str(chosen / BUILT))
        async for event in self._call:
            if isinstance(event, WorkProgress):
                self._change(
                    self.assistant.building(event.stage, event.done, event.total, event.bytes, event.eta, event.layer),
                    save=False,
                )
            elif isinstance(event, BuildResult):
                self._change(self.assistant.built(Path(event.checkpoint), sum(event.report["seconds"].values())))
            elif isinstance(event, Error):
                self._change(self.assistant.build_stopped(None if event.kind == Cancelled.kind else problem_of(event)))
        self._call = None

    async def _test(self) -> None:
        if self.assistant.test.running:
            return
        self._change(self.assistant.test_started())
        try:
            result, tokens = await self._launch_and_verify()
            self._change(self.assistant.tested(result, tokens))
        except GpuError as problem:
            self._change(self.assistant.test_failed(problem))

    async def _launch_and_verify(self) -> tuple[dict[str, Any], tuple[str, ...]]:
        checkpoint = self.assistant.checkpoint
        place = None if checkpoint is None else str(checkpoint)
        loaded = await self._ended("load", LoadResult, checkpoint=place)
        launched = await self._ended("launch", LaunchResult, **example())
        require_expected(launched)
        record = await asyncio.to_thread(read_receipt, self._paths.launches / f"{launched.launch.id}.json")
        verified = await self._ended("verify", VerifyResult, checkpoint=place)
        return {
            **asdict(launched.launch),
            "outputs": dict(launched.outputs),
            "hash": loaded.checkpoint.hash,
            "found": dict(verified.found),
        }, tuple(str(TOKENS.tokens[token]) for token in record.launches[0].generated)

    async def _ended(self, op: str, kind: type[Any], **fields: Any) -> Any:
        """A request's result, which can be stopped meanwhile. Raises the GpuError that it ended with."""
        self._call = self._client.request(op, **fields)
        try:
            return await _ended(self._call, kind)
        finally:
            self._call = None

    # ------------------------------------------------------------ what all of it needs
    def _change(self, assistant: Assistant, save: bool = True) -> None:
        self.assistant = assistant
        if save:
            self._save()
        self._on_change(assistant)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended_task)

    def _ended_task(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            task.get_loop().call_exception_handler({"message": "the assistant's work failed", "exception": task.exception()})

    def _settings(self) -> Settings:
        return Settings.open(self._paths.settings)[0]

    def _models(self) -> Path:
        return self._settings().get(MODELS_FOLDER) or self._paths.models

    def _model_folder(self) -> Path:
        return folder_of(self._models(), Source().repository)

    async def _source(self) -> Source:
        settings = self._settings()
        endpoint = settings.get(ENDPOINT)
        token = await asyncio.to_thread(self._keychain.token, endpoint)
        return Source(endpoint=endpoint, proxy=settings.get(PROXY), token=token)

    def _saved(self) -> dict[str, Any]:
        try:
            saved = read_json(self._paths.data / FILE)
        except InputError:
            return {}
        return saved if isinstance(saved, dict) else {}

    def _save(self) -> None:
        """Keep where we are. What cannot be written is found out again at the next start."""
        running = self._download is not None and self._download.progress.state.running
        content = {"assistant": self.assistant.to_json(), "downloading": running}
        try:
            replace_file(self._paths.data / FILE, json.dumps(content).encode())
        except OSError:
            return


def example() -> dict[str, Any]:
    """The fields of the request that launches the self-test's kernel."""
    source, launch = ((EXAMPLE / name).read_text(encoding="utf-8") for name in ("dot.cu", "dot.json"))
    return {"filename": "dot.cu", "source": source, "launch": json.loads(launch)}


def require_expected(launched: LaunchResult) -> None:
    """Raises MismatchError where the self-test's kernel gave something else."""
    for name, expected in EXPECTED.items():
        if list(launched.outputs[name]) != expected:
            raise MismatchError(f"{name} is {launched.outputs[name]}, not {expected}", "self-test", "build again")


async def _ended(call: Call, kind: type[Any]) -> Any:
    """A call's result. Raises the GpuError that it ended with."""
    last = None
    async for event in call:
        last = event
    if isinstance(last, Error):
        raise problem_of(last)
    assert isinstance(last, kind)
    return last


def problem_of(error: Error) -> GpuError:
    """A request's bad end as the error that it was in the worker."""
    kinds = {kind.kind: kind for kind in (InputError, MismatchError, EnvironmentProblem, Cancelled)}
    kind = kinds.get(error.kind, EnvironmentProblem)
    return kind(error.message, error.where, error.remedy, **{str(name): value for name, value in error.facts.items()})
