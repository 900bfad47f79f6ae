"""Starts and ends the desktop app: one window, one event loop, one worker process."""

from __future__ import annotations

import asyncio
import sys
import traceback
from collections.abc import Mapping
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any

import qasync
from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QApplication

from app.chats.store import ChatStore
from app.chatting.controller import Chatting, Options
from app.chatting.engine import Engine
from app.failures import as_named
from app.instance import Instance, claim, server_name
from app.paths import APPLICATION, Paths
from app.preferences import DEVICE, KEEP_LOADED, LANGUAGE, SEED, SYSTEM_PROMPT, TEMPERATURE, TOP_K, TOP_P, TRASH_DAYS
from app.ui import language, theme
from app.ui.choices import Choices
from app.ui.collecting import Collecting
from app.ui.desk import Desk
from app.ui.main_window import MainWindow
from app.ui.sidebar.sidebar import paint_mark
from app.ui.widgets.highlight import lexer_of
from app.worker.client import WorkerClient
from app.worker.protocol import Sampling
from engine.machine.errors import GpuError

if TYPE_CHECKING:
    from PySide6.QtNetwork import QLocalServer

WAKE_MILLISECONDS = 500


WARM_AFTER = 2.0
"""Seconds after the start when the window is up and what is needed later can be read."""
FENCES = ("python", "cuda", "bash", "json")
"""Languages of code that replies hold most: their first fence does not wait for Pygments."""


def main(arguments: list[str] | None = None) -> int:
    """Open the window and stay until it is closed; the exit code. A second start brings the first one's window forward."""
    paths = Paths.of_user()
    instance = _claim(paths)
    if instance is None:
        return 0
    application = make_application(arguments or sys.argv[:1])
    with qasync.QEventLoop(application) as loop:
        loop.run_until_complete(_run(application, paths))
    if isinstance(instance, Instance):
        instance.release()
    return 0


def make_application(arguments: list[str]) -> QApplication:
    """The QApplication, before anything is shown."""
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    QGuiApplication.setDesktopFileName(APPLICATION)
    present = QApplication.instance()
    application = present if isinstance(present, QApplication) else QApplication(arguments)
    application.setApplicationName("qwenGPU")
    application.setQuitOnLastWindowClosed(False)  # the loop ends when what was written is saved
    return application


def make_desk(paths: Paths, client: WorkerClient | None = None) -> Desk:
    """What the screens work with. Within the event loop."""
    choices = Choices(paths.settings)
    store = ChatStore.open(paths.chats, paths.chat_index, choices.get(TRASH_DAYS))
    engine = Engine(client or WorkerClient(), lambda: choices.get(DEVICE))
    engine.client.on_exit = engine.died

    def options() -> Options:
        return Options(
            choices.get(SYSTEM_PROMPT),
            Sampling(choices.get(TEMPERATURE), choices.get(TOP_P), choices.get(TOP_K), choices.get(SEED)),
        )

    chatting = Chatting(store, engine, options, idle_seconds=lambda: 60.0 * choices.get(KEEP_LOADED))
    return Desk(paths, choices, store, engine, chatting)


def make_window(application: QApplication, desk: Desk) -> MainWindow:
    """The window with its theme and language, not shown yet."""
    language.install(application, desk.choices.get(LANGUAGE))
    theme.install(application, desk.choices.appearance())
    application.setWindowIcon(_window_icon())
    return MainWindow(desk)


def warm() -> None:
    """Read what the first reply and the first opened value need, so that they come as quickly as the others."""
    from app.ui.inspector.panel import warm as warm_inspector

    for fence in FENCES:
        lexer_of(fence)
    warm_inspector()


async def _warm_soon() -> None:
    """While the window is idle, in another thread."""
    await asyncio.sleep(WARM_AFTER)
    await asyncio.to_thread(warm)


async def _run(application: QApplication, paths: Paths) -> None:
    desk = make_desk(paths)
    window = make_window(application, desk)
    reporter = Reporter(window, paths)
    collecting = Collecting(window)
    closed = asyncio.Event()
    window.closing.connect(closed.set)
    window.start()
    window.show()
    server = _listen(window, paths)
    collecting.start()
    opening, warming = asyncio.ensure_future(desk.engine.open()), asyncio.ensure_future(_warm_soon())
    desk.chatting.rest_soon()
    application.aboutToQuit.connect(closed.set)
    await closed.wait()
    opening.cancel()
    warming.cancel()
    server.close()
    for end in window.before_end:
        await end()
    await desk.chatting.close()
    with suppress(asyncio.CancelledError):
        await opening
    await desk.engine.close()
    desk.store.close()
    reporter.leave()
    collecting.stop()
    window.deleteLater()


class Reporter(QObject):
    """Whatever nobody foresaw is logged and told in one dialog; further ones while it is open are only logged."""

    _told = Signal(object)

    def __init__(self, window: MainWindow, paths: Paths) -> None:
        super().__init__(window)
        self._window, self._paths, self._open = window, paths, False
        self._told.connect(self._show, Qt.ConnectionType.QueuedConnection)
        self._before = sys.excepthook
        sys.excepthook = self._hook
        asyncio.get_running_loop().set_exception_handler(self._loop_failed)

    def leave(self) -> None:
        """Python's own way of telling again."""
        sys.excepthook = self._before

    def _hook(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if isinstance(error, KeyboardInterrupt):
            self._window.close()
            return
        traceback.print_exception(kind, error, trace)
        self._told.emit(error)

    def _loop_failed(self, _: Any, context: Mapping[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, BaseException):
            self._hook(type(error), error, error.__traceback__)

    def _show(self, error: BaseException) -> None:
        named = as_named(error, self._paths.logs)
        if self._open:
            return
        self._open = True
        dialog = _error_dialog(self._window, named)
        dialog.finished.connect(self._closed)
        dialog.open()

    def _closed(self) -> None:
        self._open = False


def _error_dialog(window: MainWindow, error: GpuError) -> Any:
    from app.faults import Remedy, of_error
    from app.ui.diagnostics.card import ErrorCard
    from app.ui.widgets import Dialog
    from app.worker.protocol import Error

    dialog = Dialog(QCoreApplication.translate("Pages", "Something went wrong"), window, 520)
    card = ErrorCard(of_error(Error("", error.kind, error.what, error.where, error.remedy)))
    for remedy, button in card.buttons.items():
        button.setVisible(remedy is Remedy.COPY)
    dialog.body.addWidget(card)
    dialog.add_button(QCoreApplication.translate("Pages", "Close"), "primary").clicked.connect(dialog.accept)
    return dialog


def _claim(paths: Paths) -> Instance | GpuError | None:
    """The right to run, or the error why nobody can know; None when another one runs and was woken."""
    try:
        instance = claim(paths)
    except OSError as error:
        return as_named(error, paths.logs)  # the chat store tells it, in the window
    if instance is None and not _wake(paths):
        print("error: the app is running already, but does not answer - end it and start again", file=sys.stderr)
    return instance


def _wake(paths: Paths) -> bool:
    """Ask the running app to come forward."""
    from PySide6.QtNetwork import QLocalSocket

    socket = QLocalSocket()
    socket.connectToServer(server_name(paths))
    woken = socket.waitForConnected(WAKE_MILLISECONDS)
    socket.disconnectFromServer()
    return woken


def _listen(window: MainWindow, paths: Paths) -> QLocalServer:
    """Come forward when a second start asks for it. Qt's network library is read when the window is up."""
    from PySide6.QtNetwork import QLocalServer

    server = QLocalServer(window)
    server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
    QLocalServer.removeServer(server_name(paths))
    server.listen(server_name(paths))

    def forward() -> None:
        server.nextPendingConnection().deleteLater()
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.show()
        window.raise_()
        window.activateWindow()

    server.newConnection.connect(forward)
    return server


def _window_icon() -> QIcon:
    icon = QIcon()
    for side in (16, 32, 64, 128, 256):
        drawn = QPixmap(side, side)
        drawn.fill(Qt.GlobalColor.transparent)
        painter = QPainter(drawn)
        paint_mark(painter, drawn.rect().toRectF())
        painter.end()
        icon.addPixmap(drawn)
    return icon
