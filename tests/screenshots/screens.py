"""Which pictures there are, and how each screen is brought into the state that it shows."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtGui import QFont, QFontDatabase, QPixmap
from PySide6.QtWidgets import QApplication, QWidget

from app.assistant.assistant import Assistant
from app.ui.application import make_desk, make_window
from app.ui.assistant.page import AssistantPage
from app.ui.desk import Desk
from app.ui.diagnostics.about import AboutDialog
from app.ui.main_window import MainWindow
from app.ui.playground import PlaygroundPage
from app.ui.theme import Appearance, theme
from tests.screenshots import sample
from tests.screenshots.pictures import save_small
from tests.screenshots.playground import show_run

WIDE, SMALL, TINY = (1280, 800), (900, 600), (640, 400)
UI_FONTS = ("Inter", "SF Pro Text", "Segoe UI Variable", "Noto Sans")
"""The interface takes the system's font; here the first of these."""


@dataclass(frozen=True)
class Stage:
    """The window and what it works with."""

    window: MainWindow
    desk: Desk


@dataclass(frozen=True)
class Shot:
    """A picture. prepare: brings the window there, and gives what to take instead of it; sizes: one file each, the first

    without its size in the name
    """

    name: str
    prepare: Callable[[Stage], QWidget | None]
    sizes: tuple[tuple[int, int], ...] = (WIDE,)


def settle(milliseconds: int = 60) -> None:
    """Let Qt lay out, paint, and run what it has put off."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def still(widget: QWidget, least: int = 4, most: int = 16) -> QPixmap:
    """The widget once it looks the same twice in a row; what turns for ever is taken as it is after a while."""
    before = None
    for number in range(most):
        settle(120)
        picture = widget.grab()
        image = picture.toImage()
        if number >= least and image == before:
            break
        before = image
    return picture


def take_all(home: Path, out: Path, only: str, scale: float) -> None:
    """Take the pictures whose names begin with `only`."""
    application = QApplication.instance() or QApplication([])
    known = set(QFontDatabase.families())
    application.setFont(QFont(next((name for name in UI_FONTS if name in known), application.font().family())))
    application.setApplicationName("qwenGPU")
    paths = sample.folders(home)
    sample.write_chats(paths)
    time.time, real = lambda: sample.NOW, time.time  # so that "today" is the sample's
    try:
        desk = make_desk(paths, sample.SampleClient())
        stage = Stage(make_window(application, desk), desk)
        for shot in shots():
            if shot.name.startswith(only):
                _take(stage, shot, out, scale)
        stage.window.close()
    finally:
        time.time = real


def _take(stage: Stage, shot: Shot, out: Path, scale: float) -> None:
    window, sizes = stage.window, shot.sizes if scale == 1.0 else shot.sizes[:1]
    for size in sizes:
        for mode in ("light", "dark"):
            theme().set_appearance(Appearance(mode=mode))
            window.resize(*size)
            window.show()
            extra = shot.prepare(stage)
            picture = still(extra or window)
            name = shot.name + ("" if size == shot.sizes[0] else f"-{size[0]}x{size[1]}") + f"-{mode}"
            name += "" if scale == 1.0 else f"@{scale:g}x"
            save_small(picture, out / f"{name}.png")
            if extra is not None:
                extra.close()
            print(name, flush=True)


# ---------------------------------------------------------------- bringing the window there
def chat(title: str) -> Callable[[Stage], None]:
    """A chat of the sample, with the model ready and no inspector."""

    def prepare(stage: Stage) -> None:
        engine = stage.desk.engine
        engine.death, engine.loaded = None, sample.LOADED
        engine._become("ready")
        stage.window.close_inspector()
        stage.window.open_chat(number_of(stage, title))

    return prepare


def number_of(stage: Stage, title: str) -> str:
    """The id of a chat of the sample."""
    return next(one.id for one in stage.desk.store.summaries() if one.title == title)


def memory(stage: Stage) -> None:
    """The worker is gone."""
    chat("Vectors and dot products")(stage)
    engine = stage.desk.engine
    engine.death, engine._using = sample.DEATH, sample.COMPUTER.hungry[:2]
    engine._become("stopped")
    stage.window.open_chat(number_of(stage, "Shopping list, 14 items"))


def inspector(tab: str) -> Callable[[Stage], None]:
    """The inspector at one of its tabs."""

    def prepare(stage: Stage) -> None:
        chat("Vectors and dot products")(stage)
        stage.window.chat.inspect(stage.window.chat.launches()[0].id)
        panel = stage.window._inspector
        panel.show_tab(tab)
        panel.player.go(panel.player.last - 1)

    return prepare


def playground(stage: Stage) -> None:
    """The Playground after a run."""
    page = stage.window.show_page("playground", lambda: PlaygroundPage(stage.desk.paths))
    show_run(page)


def settings(section: str) -> Callable[[Stage], None]:
    """A section of the settings."""

    def prepare(stage: Stage) -> None:
        chat("Vectors and dot products")(stage)
        stage.window.show_settings(section)

    return prepare


def empty(stage: Stage) -> None:
    """A new chat."""
    chat("Vectors and dot products")(stage)
    stage.window.new_chat()


def search(stage: Stage) -> QWidget:
    """The palette over a chat."""
    chat("Vectors and dot products")(stage)
    stage.window.search()
    stage.window.palette_window.field.setText("dot")
    return stage.window.palette_window


def setup(make: Callable[[], Assistant]) -> Callable[[Stage], None]:
    """A step of the assistant."""

    def prepare(stage: Stage) -> None:
        page = stage.window.show_page("setup", AssistantPage)
        page.show_assistant(make())

    return prepare


def about(stage: Stage) -> QWidget:
    """What the app is made of."""
    dialog = AboutDialog(stage.window)
    dialog.resize(dialog.sizeHint())
    dialog.show()
    return dialog


def shots() -> list[Shot]:
    """All pictures, in the order of a walk through the app."""
    return [
        Shot("setup-1-computer", setup(sample.looked), (WIDE, SMALL)),
        Shot("setup-2-download", setup(sample.downloading), (WIDE, SMALL)),
        Shot("setup-2-offline", setup(sample.offline)),
        Shot("setup-3-build", setup(sample.building), (WIDE, SMALL)),
        Shot("setup-3-built", setup(sample.built)),
        Shot("setup-4-self-test", setup(sample.tested), (WIDE, SMALL, TINY)),
        Shot("chat", chat("Vectors and dot products"), (WIDE, SMALL, TINY)),
        Shot("empty-chat", empty, (WIDE, SMALL)),
        Shot("advanced", chat("Counting values")),
        Shot("error-memory", memory),
        *(
            Shot(f"inspector-{tab}", inspector(tab), (WIDE, SMALL) if tab == "machine" else (WIDE,))
            for tab in ("result", "kernel", "machine", "proof")
        ),
        Shot("playground", playground, (WIDE, SMALL)),
        Shot("search", search),
        *(
            Shot(f"settings-{section}", settings(section), (WIDE, SMALL) if section == "model" else (WIDE,))
            for section in ("appearance", "model", "chat", "network", "storage", "shortcuts", "diagnostics")
        ),
        Shot("about", about),
    ]
