"""`qwengpu verify`: a checkpoint against what it says of itself, or a traced launch against a checkpoint."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from app.cli.console import Console
from app.cli.run import add_runtime_options
from app.muting import describe as describe_mute
from app.paths import Paths
from app.pipeline import Options, Session


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    add_runtime_options(parser)
    parser.add_argument("--receipt", type=Path, metavar="FILE", help="redo the launch that 'run --trace FILE' recorded")
    parser.add_argument("--json", action="store_true", help="the findings as one JSON object")


def execute(arguments: argparse.Namespace, console: Console) -> int:
    """Verify; returns 0, since whatever differs is raised as a MismatchError."""
    from app.verifying import verify_checkpoint, verify_receipt

    session = Session(Options(arguments.checkpoint, arguments.runtime, arguments.device), Paths.of_user(), console.note)
    found = verify_checkpoint(session) if arguments.receipt is None else verify_receipt(arguments.receipt, session)
    if console.json:
        console.emit(found)
    else:
        for line in describe(found):
            console.say(line)
    return 0


def describe(found: Mapping[str, Any]) -> Iterator[str]:
    """The findings for people."""
    for name, value in found.items():
        if name == "mute":
            yield from (f"{name:<12} {line}" for line in describe_mute(value))
        else:
            yield f"{name:<12} {value}"
