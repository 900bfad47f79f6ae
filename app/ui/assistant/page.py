"""The assistant as one widget: it draws what the controller says and passes on what the user does."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from app.assistant.assistant import Assistant
from app.assistant.controller import Controller
from app.assistant.model import Action, Mark, View
from app.ui.assistant.frame import AssistantFrame
from app.ui.assistant.pages import BuildPage, ComputerPage, ModelPage, Page, SelfTestPage
from app.ui.assistant.report import ReportDialog
from app.ui.diagnostics.about import LicenceDialog, named
from app.ui.language import shown


class AssistantPage(QWidget):
    """All four steps. What only the window can do leaves as a signal.

    small_model_requested: open the chat with the small built-in model
    chat_requested: the set-up is done, open the chat
    quit_requested: the user wants to leave the app
    inspect_requested(id): open the launch with this id in the inspector
    network_requested: show the network settings; the controller is told of changes by `settings_changed`
    folder_requested: show the setting of the folder for models
    """

    small_model_requested = Signal()
    chat_requested = Signal()
    quit_requested = Signal()
    inspect_requested = Signal(str)
    network_requested = Signal()
    folder_requested = Signal()

    def __init__(self, logs: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._logs = logs
        self._controller: Controller | None = None
        self._shown: tuple[Assistant, View] | None = None
        self.frame: AssistantFrame | None = None
        self._pages: tuple[Page, ...] = ()
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)

    def use(self, controller: Controller) -> None:
        """Take orders to this controller. It must tell its changes to `show_assistant`."""
        self._controller = controller

    @property
    def page(self) -> Page:
        """The page of the current step."""
        assert self._shown is not None
        return self._pages[self._shown[1].step.value - 1]

    def show_assistant(self, assistant: Assistant) -> None:
        """Draw this state of things."""
        view = assistant.view()
        moved = self._shown is None or self._shown[1].step is not view.step
        self._shown = assistant, view
        if self.frame is None:
            self._pages = (ComputerPage(), ModelPage(), BuildPage(), SelfTestPage())
            self.frame = AssistantFrame([shown(step.title) for step in view.steps], self._pages)
            self.frame.acted.connect(self._act)
            self.frame.narrowed.connect(self._show_again)
            self._layout.addWidget(self.frame)
        for item, step in zip(self.frame.steps.items, view.steps, strict=True):
            item.show_mark(
                "current" if step.current else "done" if step.mark in (Mark.DONE, Mark.WARNING) else "todo", shown(step.line)
            )
        self.page.show_view(assistant, view, self.frame.narrow)
        if moved:
            self.frame.show_page(view.step.value - 1)
            self._focus_main()

    def _show_again(self) -> None:
        if self._shown is not None:
            self.show_assistant(self._shown[0])

    def _focus_main(self) -> None:
        buttons = self.page.footer.going.usable()
        if buttons and self.isVisible():
            buttons[-1].setFocus(Qt.FocusReason.OtherFocusReason)

    def _act(self, action: Action) -> None:
        own = {
            Action.TRY_SMALL: self.small_model_requested.emit,
            Action.CHAT: self.chat_requested.emit,
            Action.QUIT: self.quit_requested.emit,
            Action.NETWORK: self.network_requested.emit,
            Action.CHOOSE_MODELS_FOLDER: self.folder_requested.emit,
            Action.HAVE_IT: self._choose_model,
            Action.COPY_DETAILS: self._copy,
            Action.LICENCE: self._show_licence,
            Action.LOG: self._open_logs,
            Action.REPORT: self._show_report,
            Action.STEP_THROUGH: self._inspect,
        }
        if action in own:
            own[action]()
        elif self._controller is not None:
            self._controller.act(action)

    def _choose_model(self) -> None:
        dialog = QFileDialog(self, self.tr("Choose the folder of Qwen3.5-2B"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.folder_chosen)
        dialog.open()

    def folder_chosen(self, folder: str) -> None:
        """The user says where the language model is."""
        if self._controller is not None:
            self._controller.have(Path(folder))

    def _copy(self) -> None:
        assert self._shown is not None
        view = self._shown[1]
        rows = [f"{row.mark.value:8} {shown(row.title)}: {shown(row.value)} {shown(row.sentence)}" for row in view.rows]
        QGuiApplication.clipboard().setText("\n".join([shown(view.title), *rows]))

    def _show_licence(self) -> None:
        LicenceDialog(named("Qwen3.5-2B"), self).open()

    def _open_logs(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(self._logs))

    def _show_report(self) -> None:
        assert self._shown is not None
        if self._shown[0].checkpoint is not None:
            ReportDialog(self._shown[0].checkpoint, self).open()

    def _inspect(self) -> None:
        assert self._shown is not None
        launch = self._shown[0].test.result.get("id")
        if launch:
            self.inspect_requested.emit(launch)
