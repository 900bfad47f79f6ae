"""`qwengpu --self-test`: one launch with a known result."""

from __future__ import annotations

import argparse

from app.cli.console import Console
from app.paths import Paths
from app.pipeline import Options, Session


def execute(arguments: argparse.Namespace, console: Console) -> int:
    """Launch the dot product; 0, since a wrong result is raised as a MismatchError."""
    from app.selftest import self_test

    result = self_test(Session(Options(), Paths.of_user(), console.note))
    if console.json:
        console.emit(result.as_json())
    else:
        console.say(f"exact: {result.generated} tokens, {result.launch_seconds:.2f} s, {result.runtime} on {result.device}")
    return 0
