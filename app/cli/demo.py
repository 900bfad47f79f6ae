"""`qwengpu --offline-demo`: one question, answered by the model that comes with the program; no window, no download."""

from __future__ import annotations

import argparse
import shutil
import sys

from app.cli.console import Console
from app.paths import Paths

QUESTION = "what is the dot product of [1,2,3] and [4,5,6]?"


def execute(arguments: argparse.Namespace, console: Console) -> int:
    """Ask the question, print the answer and how it was computed."""
    from app.checkpoints import embedded
    from app.cli.chat import Display, as_json, colour
    from app.conversation.options import PLAIN
    from app.conversation.talk import open_talk
    from app.pipeline import Options, Session
    from app.version import version

    paths = Paths.of_user()
    folder = embedded(paths, note=console.note).folder
    talk = open_talk(Session(Options(folder), paths, console.note), version())
    if console.json:
        console.emit(as_json(talk.answer([], QUESTION), talk))
        return 0
    console.say(f"> {QUESTION}")
    display = Display(console, colour())
    reply = talk.answer([], QUESTION, PLAIN, display.listener(lambda: False))
    display.end(reply, 1)
    for launch in (launch for receipt in reply.receipts for launch in receipt.launches):
        console.say(
            f"     computed in forward passes: {len(launch.prompt)} tokens in, {len(launch.generated)} out, replay "
            f"{launch.replay}, {launch.seconds:.1f} s"
        )
    console.say(f"\nAsk something yourself: {started_as()} chat")
    return 0


def started_as() -> str:
    """How the user calls this program."""
    if getattr(sys, "frozen", False):
        return sys.executable
    return "qwengpu" if shutil.which("qwengpu") else f"{sys.executable} -m app"
