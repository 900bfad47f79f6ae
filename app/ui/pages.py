"""The pages that are made when they are first shown, and what connects them to the worker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from app.chats.model import Attempt
from app.preferences import SET_UP
from app.ui.desk import Desk
from app.worker.client import Call, WorkerError
from app.worker.protocol import CompileResult, Error, Event, LaunchProgress, LaunchResult, Progress, Result

if TYPE_CHECKING:
    from app.playground.drafts import Draft
    from app.ui.inspector import InspectorPanel
    from app.ui.main_window import MainWindow
    from app.ui.playground import PlaygroundPage
    from app.ui.settings.page import SettingsPage


class Work:
    """One request at a time for one page: its events go to `told`, and `stop` ends it."""

    def __init__(self, window: MainWindow, desk: Desk, told: Callable[[Event], None]) -> None:
        self._window, self._desk, self._told = window, desk, told
        self._call: Call | None = None

    def begin(self, op: str, **fields: Any) -> None:
        """Ask the worker; a request that runs already is stopped."""
        self.stop()
        self._call = self._desk.engine.client.request(op, **fields)
        self._window.run(self._follow(self._call))

    def stop(self) -> None:
        """Stop what runs."""
        if self._call is not None and not self._call.over:
            self._window.run(self._call.stop())

    async def _follow(self, call: Call) -> None:
        async for event in call:
            if call is self._call:
                self._told(event)


def settings_page(window: MainWindow, desk: Desk) -> SettingsPage:
    """The settings, with the window's shortcuts."""
    from app.ui.settings.page import ModelInfo, SettingsPage, Shortcut

    shortcuts = [
        Shortcut(action.shortcut().toString(), action.text())
        for action in window.actions_by_name.values()
        if not action.shortcut().isEmpty()
    ]
    page = SettingsPage(desk.paths, desk.choices, shortcuts)
    page.closed.connect(lambda: window.show_chat_page() if desk.choices.get(SET_UP) else window.show_setup())
    page.setup_requested.connect(window.show_setup)
    page.verify_requested.connect(lambda: window.run(_verify(window, desk)))

    def told() -> None:
        loaded = desk.engine.loaded
        if loaded is not None:
            compiled, text = loaded.checkpoint.layers
            page.show_model(
                ModelInfo(
                    loaded.checkpoint.name,
                    QCoreApplication.translate("Pages", "{compiled} + {text} layers, on {device}").format(
                        compiled=compiled, text=text, device=loaded.device
                    ),
                    loaded.checkpoint.kind == "built",
                )
            )

    desk.engine.changed.append(told)
    told()
    return page


async def _verify(window: MainWindow, desk: Desk) -> None:
    """Check the built checkpoint and say how it went."""
    window.chat.notice(QCoreApplication.translate("Pages", "The model is being checked. This takes a few minutes."), seconds=8)
    try:
        await desk.engine.client.request("verify").result()
    except WorkerError as failed:
        window.chat.notice(f"{failed.error.message}. {failed.error.remedy}", "error")
    else:
        window.chat.notice(QCoreApplication.translate("Pages", "The model is exactly what was built."), "success", seconds=8)


def playground_page(window: MainWindow, desk: Desk) -> PlaygroundPage:
    """The Playground, whose kernels are compiled and launched by the worker."""
    from app.ui.playground import PlaygroundPage

    page = PlaygroundPage(desk.paths)

    def told(event: Event) -> None:
        if isinstance(event, CompileResult):
            page.show_compiled(asdict(event))
        elif isinstance(event, LaunchResult):
            page.show_result(asdict(event))
        elif isinstance(event, LaunchProgress):
            page.show_progress(asdict(event))
        elif isinstance(event, Error):
            page.show_error(asdict(event))

    work = Work(window, desk, told)
    page.compile_requested.connect(
        lambda source, filename, kernel: work.begin("compile", source=source, filename=filename, kernel=kernel or None)
    )
    page.launch_requested.connect(
        lambda source, filename, launch: work.begin("launch", source=source, filename=filename, launch=launch)
    )
    page.stop_requested.connect(work.stop)
    page.inspect_requested.connect(lambda path: _inspect_path(window, path))
    return page


def _inspect_path(window: MainWindow, path: str) -> None:
    window.show_chat_page()
    window.inspect(Path(path).stem)


def open_attempt(page: PlaygroundPage, attempt: Attempt) -> None:
    """Show a kernel that the model wrote."""
    from app.files import parse_json
    from app.playground.drafts import Draft

    launch = parse_json(attempt.launch, "the launch") if attempt.launch else {}
    title = QCoreApplication.translate("Pages", "Attempt {number}").format(number=attempt.number)
    page.open(Draft("", title, attempt.source, "kernel.cu", launch if isinstance(launch, dict) else {}))


def open_record(page: PlaygroundPage, path: Path) -> None:
    """Show the kernel of a launch record."""
    from app.compute.receipts import read_receipt
    from app.playground.drafts import Draft

    record = read_receipt(path).launches[0]
    page.open(Draft("", record.function, record.cuda, f"{record.function}.cu", record.launch))


def setup_page(window: MainWindow, desk: Desk) -> QWidget:
    """The first-run assistant."""
    from app.assistant.controller import Controller
    from app.ui.assistant.page import AssistantPage

    page = AssistantPage(str(desk.paths.logs))
    controller = Controller(desk.paths, desk.engine.client, page.show_assistant)
    page.use(controller)

    def chat() -> None:
        desk.choices.reload()
        desk.choices.set(SET_UP, True)
        window.show_chat_page()
        window.open_model(None)

    page.small_model_requested.connect(window.use_small_model)
    page.chat_requested.connect(chat)
    page.quit_requested.connect(window.close)
    page.network_requested.connect(lambda: window.show_settings("network"))
    page.folder_requested.connect(lambda: window.show_settings("model"))
    page.inspect_requested.connect(lambda launch: (window.show_chat_page(), window.inspect(launch)))
    desk.choices.changed.connect(controller.settings_changed)
    controller.open()
    window.before_end.append(controller.close)
    return page


def inspector_panel(window: MainWindow, desk: Desk) -> InspectorPanel:
    """The inspector, whose records are verified by the worker."""
    from app.ui.inspector import InspectorPanel

    panel = InspectorPanel()

    def told(event: Event) -> None:
        if isinstance(event, Progress):
            panel.show_verifying(event.done, event.total)
        elif isinstance(event, Result | Error):
            panel.show_verification(asdict(event))

    work = Work(window, desk, told)
    panel.verify_requested.connect(lambda path: work.begin("verify", receipt=path))
    panel.stop_requested.connect(work.stop)
    panel.playground_requested.connect(lambda draft: _open_draft(window, draft))
    return panel


def _open_draft(window: MainWindow, draft: Draft) -> None:
    window.show_playground().open(draft)


def open_launch(panel: InspectorPanel, path: Path, place: str) -> None:
    """Show a record in the inspector."""
    panel.open(path, 0, place)


def about(window: MainWindow) -> None:
    """Show what this is."""
    from app.ui.diagnostics.about import AboutDialog

    dialog = AboutDialog(window)
    dialog.diagnostics_requested.connect(lambda: (dialog.accept(), window.show_settings("diagnostics")))
    dialog.open()
