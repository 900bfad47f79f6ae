"""Everything that helps to find out what is wrong, as text: no token, no password, nothing that anybody wrote."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from app.checkpoints import MACHINE, embedded_folder
from app.computer import free_space, guess_device, try_compiler, unwritable
from app.hub.download import folder_of, unfinished
from app.hub.model import QWEN
from app.memory import memory
from app.paths import Paths
from app.preferences import MODELS_FOLDER, SETTINGS, Kind, Section
from app.quantities import size
from app.settings import Settings
from app.version import version
from engine.machine.errors import GpuError

PACKAGES = (
    "qwengpu-desktop",
    "torch",
    "transformers",
    "safetensors",
    "tokenizers",
    "numpy",
    "scipy",
    "lark",
    "ziglang",
    "huggingface_hub",
    "PySide6-Essentials",
    "qasync",
    "keyring",
)
LAST_ERRORS = 5
LOG_BYTES = 1 << 18
_SECRETS = (
    (re.compile(r"\bhf_[A-Za-z0-9]{4,}"), "hf_***"),
    (re.compile(r"(?<=://)[^/@\s]+@"), "***@"),
    (re.compile(r"(?i)\b(bearer|token|password)([=: ]+)\S+"), r"\1\2***"),
)
_BEGUN = re.compile(r"(?m)^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)$")
_PLACE = re.compile(r'(?m)^  File "([^"]+)", line (\d+)')
_KIND = re.compile(r"(?m)^(\w[\w.]*(?:Error|Exception|Interrupt|Exit|Warning|Cancelled|Problem))\b")


@dataclass(frozen=True)
class Item:
    """A line of the report. problem: it is one."""

    title: str
    value: str
    problem: bool = False


@dataclass(frozen=True)
class Part:
    """A part of the report with its heading."""

    title: str
    items: tuple[Item, ...]


def collect(paths: Paths, worker: Mapping[str, Any] | None = None, window: Mapping[str, Any] | None = None) -> tuple[Part, ...]:
    """The report; compiles a small kernel, so call it in a thread.

    worker: what the app knows of its worker (state, device, checkpoint, last death); window: Qt's version, screens, scale
    """
    settings, damaged = Settings.open(paths.settings)
    parts = (
        ("Program", _program()),
        ("Computer", _computer(paths)),
        ("Model", _model(paths, settings)),
        ("Worker", _given(worker or {})),
        ("Window", _given(window or {})),
        ("Settings", _settings(settings, damaged)),
        ("Folders", _folders(paths, settings)),
        ("Packages", _packages()),
        ("Last errors", last_errors(paths.logs)),
    )
    return tuple(Part(title, tuple(items)) for title, items in parts)


def as_text(parts: tuple[Part, ...]) -> str:
    """The report for "copy all"; the user's home folder is written as ~, tokens and passwords as ***."""
    lines = []
    for part in parts:
        lines += [part.title, "-" * len(part.title)]
        lines += [f"{'! ' if item.problem else ''}{item.title}: {item.value}" for item in part.items] or ["nothing"]
        lines.append("")
    return redacted("\n".join(lines))


def redacted(text: str) -> str:
    """Text without what belongs to a person: home folder, tokens, passwords."""
    home = str(Path.home())
    if len(home) > 1:
        text = text.replace(home, "~")
    for pattern, instead in _SECRETS:
        text = pattern.sub(instead, text)
    return text


# ---------------------------------------------------------------- parts
def _program() -> Iterator[Item]:
    yield Item("qwenGPU", version())
    yield Item("Python", platform.python_version())
    yield Item("Executable", sys.executable)
    yield Item("Packaged", "yes" if getattr(sys, "frozen", False) else "no")


def _computer(paths: Paths) -> Iterator[Item]:
    yield Item("System", f"{platform.system()} {platform.release()} {platform.machine()}, {os.cpu_count()} cores")
    found = memory()
    yield Item("Memory", f"{size(found.total)}, {size(found.available)} free", not found.enough)
    device, chip = guess_device()
    yield Item("Device", f"{device} ({chip})")
    compiler = try_compiler()
    if compiler.problem is not None:
        yield Item("Compiler", f"{compiler.name}: {compiler.problem}", True)
    else:
        yield Item("Compiler", f"{compiler.name}, a small kernel took {compiler.seconds * 1000:.0f} ms")


def _model(paths: Paths, settings: Settings) -> Iterator[Item]:
    built = settings.checkpoint
    folder = built or embedded_folder(paths)
    ready = (folder / MACHINE).is_file()
    yield Item(
        "Checkpoint",
        f"{'built' if built else 'embedded'}, {'ready' if ready else 'not there yet'} ({folder})",
        bool(built) and not ready,
    )
    left = unfinished(folder_of(settings.get(MODELS_FOLDER) or paths.models, QWEN))
    if left is not None:
        yield Item("Download", f"{left.state.value}, {size(left.have)} of {size(left.size)}")


def _given(facts: Mapping[str, Any]) -> Iterator[Item]:
    yield from (Item(str(name), str(value)) for name, value in facts.items())


def _settings(settings: Settings, damaged: GpuError | None) -> Iterator[Item]:
    """What was chosen. Of what a person wrote only that there is something."""
    if damaged is not None:
        yield Item("Settings file", str(damaged), True)
    for setting in SETTINGS:
        value = settings.get(setting)
        if setting.section is Section.HIDDEN or value == setting.default:
            continue
        if setting.kind in (Kind.TEXT, Kind.LONG_TEXT):
            value = urlsplit(value).hostname if setting.section is Section.NETWORK else f"{len(value)} characters"
        yield Item(str(setting.title), str(value))


def _folders(paths: Paths, settings: Settings) -> Iterator[Item]:
    for name in ("config", "data", "cache", "logs"):
        folder = getattr(paths, name)
        problem = unwritable(folder)
        yield Item(
            name, f"{folder}, {size(free_space(folder))} free" + (f": {problem.what}" if problem else ""), problem is not None
        )
    chosen = settings.get(MODELS_FOLDER)
    if chosen is not None:
        yield Item(
            "models",
            f"{chosen}, {size(free_space(chosen))} free" if chosen.is_dir() else f"{chosen} is not there",
            not chosen.is_dir(),
        )


def _packages() -> Iterator[Item]:
    for name in PACKAGES:
        found = version_of(name)
        yield Item(name, found or "missing")


def version_of(package: str) -> str | None:
    """A package's installed version, None when it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def last_errors(logs: Path) -> Iterator[Item]:
    """When, what kind and where the last unforeseen errors were; their messages could hold what somebody wrote."""
    found = []
    for path in sorted(logs.glob("error-*.log"))[-LAST_ERRORS:]:
        try:
            with path.open("rb") as file:
                file.seek(max(0, path.stat().st_size - LOG_BYTES))
                text = file.read().decode("utf-8", "replace")
        except OSError:
            continue
        pieces = _BEGUN.split(text)[1:]
        found += [_error(when, what) for when, what in zip(pieces[::2], pieces[1::2], strict=True)]
    yield from found[-LAST_ERRORS:]


def _error(when: str, traceback: str) -> Item:
    kinds, places = _KIND.findall(traceback), _PLACE.findall(traceback)
    place = f" at {Path(places[-1][0]).name}:{places[-1][1]}" if places else ""
    return Item(when, f"{kinds[-1] if kinds else 'error'}{place}", True)
