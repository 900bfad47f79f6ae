"""The real worker with small parts, run as a process: `python -m tests.app.worker.standins scripted | small FOLDER`.

scripted: the language model writes what it is asked to, a dot at a time, and the machine is the interpreter: no torch
small: the same, and builds with the machine in FOLDER, so that they take a second
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from types import SimpleNamespace

from app.compute.library import load_library
from app.conversation.talk import Talk
from app.worker import server
from app.worker.desk import Desk
from app.worker.protocol import CheckpointInfo, LoadResult
from tests.app.conversation.scripted import Scripted
from tests.app.fast import FastMachine

SCRIPTED = CheckpointInfo("scripted", "f" * 64, "built", "Scripted", (45, 24))
SLOWLY = 0.002
"""Seconds a letter takes."""


class Slow(Scripted):
    """Writes and reads with some leisure."""

    def begin(self, tokens, ask=None):
        for _ in range(20):
            time.sleep(SLOWLY)
            ask()
        super().begin(tokens)

    def feed(self, tokens):
        time.sleep(SLOWLY)
        super().feed(tokens)


class SlowMachine(FastMachine):
    """Gives the next token with some leisure."""

    def launch(self, program, max_tokens, trace=None, on_token=None, cancelled=lambda: False):
        def told(line):
            time.sleep(SLOWLY / 4)
            on_token(line)

        return super().launch(program, max_tokens, trace, told, cancelled)


def scripted() -> None:
    """A chat's text is the script: its parts, between bars, are what the model writes each time it is asked."""
    library = load_library()

    def opened(desk, ticket):
        def talk(*script):
            return Talk(Slow(*script), SlowMachine(), library, desk.paths.launches, "test")

        def answer(branch, text, options, listener):
            return talk(*text.split("|")).answer(branch, text, options, listener)

        return SimpleNamespace(talk=SimpleNamespace(answer=answer, launch=talk().launch))

    Desk.open = lambda desk, checkpoint, device, ticket: LoadResult(ticket.id, SCRIPTED, "cpu", "none", 10_000)
    Desk.opened = opened


def small(folder: Path) -> None:
    """Builds put the machine in a folder in front of a base of its size; launches are the script's, as it runs no program."""
    from app import building, checkpoints
    from app.checkpoints import Checkpoint, Origin
    from tests.fakes import NAMES

    building.embedded = checkpoints.embedded = lambda *arguments, **options: Checkpoint(folder, Origin.EMBEDDED)
    building.token_names = lambda: NAMES
    scripted()
    building_slowly()


def building_slowly() -> None:
    """Every unit of a build takes a moment longer, so that there is something to stop."""
    from builder.workspace import Watch

    ask = Watch.ask

    def slow(self):
        time.sleep(SLOWLY)
        ask(self)

    Watch.ask = slow


if __name__ == "__main__":
    if sys.argv[1] == "scripted":
        scripted()
    else:
        small(Path(sys.argv[2]))
    server.leave(server.main())
