"""`qwengpu build`: the machine in front of a language model, as a checkpoint that stock transformers loads."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.cli.console import Console
from app.memory import Memory, gigabytes, memory
from app.muting import describe as describe_mute
from app.paths import Paths
from app.settings import Settings
from engine.machine.errors import Cancelled, UsageError

if TYPE_CHECKING:
    from builder.report import BuildReport, Progress

DEFAULT_BASE = "Qwen/Qwen3.5-2B"


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument(
        "--base",
        default=DEFAULT_BASE,
        metavar="DIR|REPO_ID|embedded",
        help="folder or hub id of a Qwen3.5 model, or 'embedded' for none (default: %(default)s)",
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="the checkpoint's folder (default: in the data folder)")
    parser.add_argument("--json", action="store_true", help="a JSON line for every step, and one for the result")


def execute(arguments: argparse.Namespace, console: Console) -> int:
    """Build, then make the checkpoint the default; the exit code."""
    from app.building import adopt, build_checkpoint, default_folder

    if not arguments.base:
        raise UsageError("--base is empty", "qwengpu build", "name a folder, a hub id, or 'embedded'")
    paths = Paths.of_user()
    Settings.read(paths.settings)  # what is wrong with them is said before the work
    warn(arguments.base, console, memory())
    out = (arguments.out or default_folder(arguments.base, paths)).absolute()
    with resumable():
        report = build_checkpoint(arguments.base, out, paths, Display(console).show, note=console.note)
    adopt(out, paths)
    if console.json:
        console.emit(result(report, out))
    else:
        for line in describe(report, out):
            console.say(line)
    return 0


def warn(base: str, console: Console, found: Memory) -> None:
    """Say that there is little memory for a language model, and who has it."""
    from app.computer import hungry, memory_warning

    if base != "embedded" and (warning := memory_warning(found, () if found.enough else hungry())):
        console.note(warning)


@contextmanager
def resumable() -> Iterator[None]:
    """Ctrl-C and termination end the build at once, wherever it is; the files on the disk allow it."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt:
        raise Cancelled("the build was stopped", "", "run it again to go on where it stopped") from None
    finally:
        signal.signal(signal.SIGTERM, before)


class Display:
    """Shows progress: a JSON line an event, or a line a stage that is rewritten where the output is a terminal."""

    def __init__(self, console: Console) -> None:
        self.console, self.shown = console, ""

    def show(self, progress: Progress) -> None:
        """Show one event."""
        if self.console.json:
            self.console.emit(
                {"progress": {"stage": progress.stage, "done": progress.done, "total": progress.total, "bytes": progress.bytes}}
            )
            return
        percent = 100 * progress.done // progress.total if progress.total else 100
        text = f"{progress.stage} {percent} %"
        if text == self.shown:
            return
        if sys.stdout.isatty():
            print(f"\r{text:<24}", end="\n" if percent == 100 else "", flush=True)
        elif percent == 100:
            self.console.say(text)
        self.shown = text


def result(report: BuildReport, out: Path) -> dict[str, Any]:
    """The last JSON line of a build."""
    return {
        "checkpoint": report.checkpoint,
        "folder": str(out),
        "bytes": report.size,
        "base": report.base["source"],
        "mute": report.mute.as_json(),
        "seconds": dict(report.seconds),
    }


def describe(report: BuildReport, out: Path) -> Iterator[str]:
    """A finished build for people."""
    yield f"checkpoint {report.checkpoint[:16]}, {gigabytes(report.size)}, in {out}"
    yield from describe_mute(report.mute.as_json())
    yield "it is now the default checkpoint"
