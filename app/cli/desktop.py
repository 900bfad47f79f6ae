"""`qwengpu` without arguments: the window, or one line that says why there is none."""

from __future__ import annotations

import argparse
import ctypes
import importlib.util
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from app.cli import demo
from app.cli.console import Console
from engine.machine.errors import EnvironmentProblem

PACKAGES = (
    "libegl1 libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-image0 libxcb-render-util0 libxcb-shape0"
)
"""What Debian and Ubuntu need beside the desktop itself, as README says it."""


def execute(arguments: argparse.Namespace, console: Console) -> int:
    """Open the window; where there is no display, ask and answer one question in the terminal."""
    try:
        check_display(os.environ, sys.platform)
    except EnvironmentProblem as problem:
        console.note(f"{problem.what}; this is what the app does, in the terminal")
        return demo.execute(arguments, console)
    return open_window()


def open_window() -> int:
    """Open the desktop app and stay until it is closed. Raises EnvironmentProblem when it cannot be shown."""
    check_display(os.environ, sys.platform)
    check_libraries(sys.platform)
    try:
        from app.ui.application import main
    except ImportError as error:
        raise missing(error) from error
    return main()


def check_display(environment: Mapping[str, str], platform: str) -> None:
    """Whether there is a screen to show a window on. Raises EnvironmentProblem."""
    chosen = environment.get("QT_QPA_PLATFORM", "")
    shown = environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY") or chosen
    if platform.startswith("linux") and not shown:
        raise EnvironmentProblem(
            "there is no display to open the window on",
            "DISPLAY, WAYLAND_DISPLAY",
            "start it in a desktop session, or use the command line: qwengpu --help",
        )


def check_libraries(platform: str) -> None:
    """Whether what Qt needs of the system is there. Qt itself would end the process. Raises EnvironmentProblem."""
    found = importlib.util.find_spec("PySide6")
    if found is None or not found.submodule_search_locations:
        raise EnvironmentProblem("the package PySide6 is missing", "", "pip install PySide6-Essentials")
    chosen = os.environ.get("QT_QPA_PLATFORM", "xcb")
    plugin = Path(found.submodule_search_locations[0]) / "Qt" / "plugins" / "platforms" / "libqxcb.so"
    if not platform.startswith("linux") or not chosen.startswith("xcb") or os.environ.get("WAYLAND_DISPLAY"):
        return
    if plugin.exists():
        try:
            ctypes.CDLL(str(plugin))
        except OSError as error:
            raise missing(error) from error


def missing(error: Exception) -> EnvironmentProblem:
    """An import that failed, as an error that names the package."""
    found = re.search(r"(lib[\w+.-]+)\.so\.(\d+)", str(error))
    if found is None:
        return EnvironmentProblem(f"Qt cannot be loaded: {error}", "", "pip install PySide6-Essentials")
    library, number = found.groups()
    package = f"{library.lower()}{'-' if library[-1].isdigit() else ''}{number}"
    wanted = " ".join(dict.fromkeys((package, *PACKAGES.split())))
    return EnvironmentProblem(
        f"Qt needs the library {library}.so.{number}, which this system lacks",
        "",
        f"install the package {package}, on Debian and Ubuntu: apt install {wanted}",
    )
