"""`qwengpu chat`: ask in plain words; what is computed is computed by the machine in the weights."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.cli.console import Console
from app.cli.run import add_runtime_options
from app.files import reason
from app.paths import Paths
from app.pipeline import Options, Session
from engine.machine.errors import Cancelled, GpuError, InputError, UsageError

if TYPE_CHECKING:
    from app.compute.receipts import Receipt
    from app.conversation.loop import Reply
    from app.conversation.messages import Segment
    from app.conversation.talk import Talk

COMMANDS = "/why N shows how value N was computed, /export FILE saves its record, /quit ends"
COMPUTED, PLAIN = "\x1b[4;36m", "\x1b[0m"
"""How a terminal with colour marks what was computed."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("--prompt", metavar="TEXT", help="one question; without it, a conversation")
    parser.add_argument("--advanced", action="store_true", help="the model writes the CUDA kernel itself")
    add_runtime_options(parser)
    parser.add_argument("--json", action="store_true", help="the reply as one JSON object; needs --prompt")


def execute(arguments: argparse.Namespace, console: Console) -> int:
    """Answer the prompt, or talk until the user ends it."""
    from app.conversation.messages import check_prompt

    if arguments.advanced:
        raise UsageError("--advanced is not part of this version", "qwengpu chat", "ask without it")
    if arguments.prompt is None and arguments.json:
        raise UsageError("--json needs --prompt", "qwengpu chat", "give --prompt TEXT")
    if arguments.prompt is not None:
        check_prompt(arguments.prompt)
    from app.cli.parser import version
    from app.conversation.talk import open_talk

    session = Session(Options(arguments.checkpoint, arguments.runtime, arguments.device), Paths.of_user(), console.note)
    talk = open_talk(session, version())
    if arguments.prompt is None:
        return converse(talk, console)
    if arguments.json:
        console.emit(as_json(talk.say(arguments.prompt), talk))
    else:
        say(talk, arguments.prompt, colour())
    return 0


def as_json(reply: Reply, talk: Talk) -> dict[str, Any]:
    """The object that `chat --json` prints."""
    return {"text": reply.text, "spans": reply.spans(), "launches": [launch_json(receipt) for receipt in reply.receipts],
            "failures": [{"expression": call, "reason": why} for call, why in reply.failures], "ended": reply.ended,
            "checkpoint": talk.checkpoint}


def launch_json(receipt: Receipt) -> dict[str, Any]:
    """A computed value as the contract has it."""
    tokens = [len(launch.prompt) + len(launch.generated) for launch in receipt.launches]
    return {"id": receipt.id, "expression": receipt.expression, "outputs": {"result": receipt.value, **receipt.extra},
            "replay": "exact", "launches": len(tokens), "tokens": sum(tokens), "seconds": receipt.seconds}


# ---------------------------------------------------------------- in a terminal
def colour() -> bool:
    """Whether the terminal shows colour and the user wants it."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def marked(segment: Segment, coloured: bool) -> str:
    """A stretch of a reply; what was computed stands out, with colour or without."""
    text = "".join(letter if letter.isprintable() or letter in "\n\t" else repr(letter)[1:-1] for letter in segment.text)
    if segment.source != "computed":
        return text
    return f"{COMPUTED}{text}{PLAIN}" if coloured else f"[{text}]"


def say(talk: Talk, text: str, coloured: bool) -> Reply:
    """Stream the reply to a text."""
    reply = talk.say(text, lambda segment: print(marked(segment, coloured), end="", flush=True))
    print("" if reply.ended else " .. (the model did not stop)", flush=True)
    return reply


def converse(talk: Talk, console: Console) -> int:
    """A conversation, until the input ends."""
    console.say(f"Ask something with whole numbers. {COMMANDS}.")
    coloured = colour()
    while True:
        try:
            text = input("> ").strip()
        except EOFError:
            return 0
        try:
            if text in ("/quit", "/exit"):
                return 0
            if text.startswith("/"):
                console.say(command(talk, text))
            elif text:
                before = len(talk.receipts)
                say(talk, text, coloured)
                for number, receipt in enumerate(talk.receipts[before:], before + 1):
                    console.say(f"  {number}: {receipt.expression}")
        except KeyboardInterrupt:
            console.report(Cancelled("the reply was stopped"))
        except GpuError as error:
            console.report(error)


def command(talk: Talk, text: str) -> str:
    """What a command of the conversation answers. Raises UsageError, InputError."""
    name, _, rest = text.partition(" ")
    if name == "/why":
        return why(_chosen(talk, rest))
    if name == "/export" and rest.strip():
        receipt, path = _chosen(talk, ""), Path(rest.strip())
        try:
            receipt.write(path)
        except OSError as error:
            raise InputError(f"the record cannot be written: {reason(error)}", str(path), "name another file") from None
        return f"saved {receipt.expression} in {path}"
    raise UsageError(f"no command '{name}'", "chat", COMMANDS)


def _chosen(talk: Talk, number: str) -> Receipt:
    """The record that a number names; the last one without a number."""
    text = number.strip() or str(len(talk.receipts))
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= len(talk.receipts):
        raise UsageError(f"there is no value {text}", "chat", f"values so far: {len(talk.receipts)}")
    return talk.receipts[int(text) - 1]


def why(receipt: Receipt) -> str:
    """How a value was computed, for people."""
    lines = [f"{receipt.expression} = {receipt.value}", f"checkpoint {receipt.checkpoint[:16]}, {receipt.created}"]
    lines += [f"  {launch.function}: {len(launch.prompt):,} tokens in, {len(launch.generated):,} generated, "
              f"replay {launch.replay}, {launch.seconds:.2f} s" for launch in receipt.launches]
    return "\n".join([*lines, f"record {receipt.id}; after /export FILE, 'qwengpu verify --receipt FILE' redoes it"])
