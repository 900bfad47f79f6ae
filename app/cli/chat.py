"""`qwengpu chat`: ask in plain words; what is computed is computed by the machine in the weights."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.cli.console import Console
from app.cli.run import add_runtime_options
from app.files import read_text, reason, replace_file
from app.paths import Paths
from app.pipeline import Options as RunOptions
from app.pipeline import Session
from engine.machine.errors import Cancelled, GpuError, InputError, UsageError

if TYPE_CHECKING:
    from app.compute.receipts import Receipt
    from app.conversation.messages import Message, Segment
    from app.conversation.options import Attempt, Listener, Options, Progress
    from app.conversation.reply import Reply
    from app.conversation.talk import Talk

COMMANDS = """\
/why [N]              how value N was computed (the last one without a number)
/export [N] FILE      save the conversation (.md for reading, else JSON), or the record of value N
/launch CU [JSON]     launch a kernel of your own; without JSON, the file of the same name
/advanced, /thinking  switch: the model writes CUDA kernels; the model thinks first
/thought              what the model thought last
/again                answer the last question once more
/quit                 end; Ctrl-C stops a reply"""
COMPUTED, DIM, PLAIN = "\x1b[4;36m", "\x1b[2m", "\x1b[0m"
"""How a terminal with colour marks what was computed, and what matters less."""
REDRAW = 0.1
"""Seconds between two drawings of a launch's progress."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("--prompt", metavar="TEXT", help="one question; without it, a conversation")
    parser.add_argument("--advanced", action="store_true", help="the model writes the CUDA kernel itself")
    parser.add_argument("--thinking", action="store_true", help="the model thinks before it answers, where it can")
    parser.add_argument("--system", metavar="TEXT", default="", help="what the model is told before the conversation")
    parser.add_argument("--temperature", type=float, default=0.0, help="how freely text is chosen (default: the likeliest)")
    parser.add_argument("--top-p", type=float, default=1.0, metavar="P", help="share of the probability to choose from")
    parser.add_argument("--top-k", type=int, default=0, metavar="K", help="likeliest tokens to choose from (default: all)")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same text")
    add_runtime_options(parser)
    parser.add_argument("--json", action="store_true", help="the reply as one JSON object; needs --prompt")


def execute(arguments: argparse.Namespace, console: Console) -> int:
    """Answer the prompt, or talk until the user ends it."""
    from app.conversation.messages import check_prompt
    from app.conversation.options import Options, Sampling

    if arguments.prompt is None and arguments.json:
        raise UsageError("--json needs --prompt", "qwengpu chat", "give --prompt TEXT")
    if arguments.prompt is not None:
        check_prompt(arguments.prompt)
    options = Options(
        arguments.advanced,
        arguments.thinking,
        arguments.system,
        Sampling(arguments.temperature, arguments.top_p, arguments.top_k, arguments.seed),
    )
    from app.conversation.talk import open_talk
    from app.version import version

    session = Session(RunOptions(arguments.checkpoint, arguments.runtime, arguments.device), Paths.of_user(), console.note)
    talk = open_talk(session, version())
    branch = Branch(talk, options, Display(console, colour()))
    if arguments.prompt is None:
        return converse(branch, console)
    if arguments.json:
        console.emit(as_json(talk.answer([], arguments.prompt, options), talk))
    else:
        branch.ask(arguments.prompt)
    return 0


def as_json(reply: Reply, talk: Talk) -> dict[str, Any]:
    """The object that `chat --json` prints."""
    result = reply.to_json()
    kept = {name: result[name] for name in ("failures", "attempts", "context", "tokens_per_second", "ended")}
    return {
        "text": reply.text,
        "spans": reply.spans(),
        "launches": [launch_json(receipt) for receipt in reply.receipts],
        **kept,
        "checkpoint": talk.checkpoint,
    }


def launch_json(receipt: Receipt) -> dict[str, Any]:
    """A computed value as the contract has it."""
    tokens = [len(launch.prompt) + len(launch.generated) for launch in receipt.launches]
    return {
        "id": receipt.id,
        "expression": receipt.title,
        "outputs": dict(receipt.outputs),
        "replay": "exact",
        "launches": len(tokens),
        "tokens": sum(tokens),
        "seconds": receipt.seconds,
    }


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


class Display:
    """Shows a reply while it comes about. What only accompanies it is drawn where the output is a terminal."""

    def __init__(self, console: Console, coloured: bool) -> None:
        self._console, self._coloured = console, coloured
        self._live, self._drawn, self._part = "", 0.0, ""

    def listener(self, cancelled: Callable[[], bool]) -> Listener:
        """What a turn tells this display."""
        from app.conversation.options import Listener

        return Listener(
            on_segment=self.segment,
            on_launch=self.launch,
            on_attempt=self.attempt,
            on_note=self._console.note,
            cancelled=cancelled,
        )

    def segment(self, segment: Segment) -> None:
        """Text is written on; thinking and calls are folded into a word."""
        if segment.part != "text":
            self._draw({"thinking": "thinking …", "call": "writing the calculation …"}[segment.part])
            return
        self._draw("")
        print(marked(segment, self._coloured), end="", flush=True)

    def launch(self, progress: Progress) -> None:
        """How far a launch is."""
        where = "" if progress.block is None else f", block {progress.block}, warp {progress.warp}"
        self._draw(f"computing {progress.title[:40]} … {progress.tokens:,} tokens{where}")

    def attempt(self, attempt: Attempt) -> None:
        """A kernel, and why it was not taken."""
        self._draw("")
        if attempt.error:
            print(self._dim(f"attempt {attempt.number}: {attempt.error}"), flush=True)

    def end(self, reply: Reply, first: int) -> None:
        """The rest of a reply's lines; its values are numbered from `first`."""
        self._draw("")
        print({"complete": "", "stopped": " … (stopped)", "length": " … (the model did not stop)"}[reply.ended], flush=True)
        for number, receipt in enumerate(reply.receipts, first):
            print(self._dim(f"  {number}: {receipt.title}"), flush=True)

    def _dim(self, text: str) -> str:
        return f"{DIM}{text}{PLAIN}" if self._coloured else text

    def _draw(self, text: str) -> None:
        """Replace the line that only accompanies; "" takes it away."""
        now = time.monotonic()
        if not self._coloured or text == self._live or (text and self._live and now - self._drawn < REDRAW):
            return
        print(f"\r\x1b[K{DIM}{text}{PLAIN}" if text else "\r\x1b[K", end="", flush=True)
        self._live, self._drawn = text, now


class Branch:
    """A conversation in the terminal: its messages, its values, and how the next message is asked."""

    def __init__(self, talk: Talk, options: Options, display: Display) -> None:
        self.messages: list[Message] = []
        self.receipts: list[Receipt] = []
        self.options = options
        self.full = 0
        self._talk, self._display = talk, display

    def ask(self, text: str) -> None:
        """Answer a text."""
        with stopping() as cancelled:
            listener = self._display.listener(cancelled)
            self._take(self._talk.answer(self.messages, text, self.options, listener))

    def launch(self, kernel: Path, launch: Path) -> None:
        """Launch a kernel of the user's."""
        from app.conversation.messages import Kernel

        written = Kernel(read_text(kernel), read_text(launch))
        with stopping() as cancelled:
            listener = self._display.listener(cancelled)
            self._take(self._talk.launch(written, kernel.name, f"Launch {kernel.name}.", self.messages, listener))

    def again(self) -> None:
        """Answer the last question once more, with another seed."""
        asked = next((place for place in reversed(range(len(self.messages))) if self.messages[place].role == "user"), None)
        if asked is None:
            raise UsageError("nothing was asked yet", "/again", "ask something")
        question, self.messages = self.messages[asked], self.messages[:asked]
        sampling = self.options.sampling
        self.options = replace(self.options, sampling=replace(sampling, seed=sampling.seed + 1))
        self.ask(question.text)

    def switch(self, name: str) -> str:
        """Turn a mode on or off; what is said about it."""
        able = {"advanced": self._talk.writes_kernels, "thinking": self._talk.thinks}[name]
        if not able:
            raise UsageError(
                f"the model of this checkpoint has no {name} mode",
                f"/{name}",
                "build a checkpoint with Qwen3.5-2B: 'qwengpu build'",
            )
        now = not getattr(self.options, name)
        changed: dict[str, Any] = {name: now}
        self.options = replace(self.options, **changed)
        return f"{name} is {'on' if now else 'off'}"

    def value(self, number: str) -> Receipt:
        """The record that a number names; the last one without a number."""
        text = number or str(len(self.receipts))
        if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= len(self.receipts):
            raise UsageError(f"there is no value {text}", "chat", f"values so far: {len(self.receipts)}")
        return self.receipts[int(text) - 1]

    def _take(self, reply: Reply) -> None:
        self._display.end(reply, len(self.receipts) + 1)
        self.messages += reply.messages
        self.receipts += reply.receipts
        if reply.context.limit:
            self.full = 100 * reply.context.used // reply.context.limit


@contextmanager
def stopping() -> Iterator[Callable[[], bool]]:
    """Ctrl-C asks for the end of a reply, a second time for that of the program; yields what says whether it was pressed."""
    pressed = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield pressed.is_set
        return

    def press(*_: object) -> None:
        if pressed.is_set():
            raise KeyboardInterrupt
        pressed.set()

    before = signal.signal(signal.SIGINT, press)
    try:
        yield pressed.is_set
    finally:
        signal.signal(signal.SIGINT, before)


def converse(branch: Branch, console: Console) -> int:
    """A conversation, until the input ends."""
    console.say("Ask something with whole numbers. /help lists commands, /quit ends.")
    while True:
        try:
            text = input(f"{branch.full} % > " if branch.full else "> ").strip()
        except EOFError:
            return 0
        except KeyboardInterrupt:
            console.say("\n(/quit ends the conversation)")
            continue
        try:
            if text in ("/quit", "/exit"):
                return 0
            if text.startswith("/"):
                said = command(branch, text)
                if said:
                    console.say(said)
            elif text:
                branch.ask(text)
        except Cancelled as error:
            console.report(error)
        except GpuError as error:
            console.report(error)


def command(branch: Branch, text: str) -> str:
    """What a command of the conversation answers. Raises UsageError, InputError, and what a turn raises."""
    name, *rest = text.split()
    match name, rest:
        case "/help", []:
            return COMMANDS
        case "/why", [] | [_]:
            return why(branch.value("".join(rest)))
        case "/export", [file]:
            save(Path(file), exported(branch, file))
            return f"saved the conversation in {file}"
        case "/export", [number, file]:
            receipt = branch.value(number)
            save(Path(file), receipt.to_json())
            return f"saved the record of {receipt.title} in {file}"
        case "/launch", [kernel] | [kernel, _]:
            branch.launch(Path(kernel), Path(rest[1]) if rest[1:] else Path(kernel).with_suffix(".json"))
        case (("/advanced" | "/thinking"), []):
            return branch.switch(name[1:])
        case "/thought", []:
            thoughts = [message.thinking for message in branch.messages if message.thinking]
            return thoughts[-1] if thoughts else "the model did not think"
        case "/again", []:
            branch.again()
        case _:
            raise UsageError(f"no command '{text}'", "chat", "/help lists the commands")
    return ""


def save(path: Path, text: str) -> None:
    """Write a file that is whole or not there. Raises InputError."""
    try:
        replace_file(path, text.encode())
    except OSError as error:
        raise InputError(f"the file cannot be written: {reason(error)}", str(path), "name another file") from None


def exported(branch: Branch, file: str) -> str:
    """The conversation as Markdown or as JSON."""
    if not file.endswith(".md"):
        return json.dumps([message.to_json() for message in branch.messages], ensure_ascii=False, indent=1) + "\n"
    parts = []
    for message in branch.messages:
        match message.role:
            case "user":
                parts.append(f"**You:** {message.text}")
            case "tool":
                parts.append(f"> computed: {message.text}" + (f" (record {message.launch})" if message.launch else ""))
            case _ if message.kernel is not None:
                parts.append(f"```cuda\n{message.kernel.source}\n```\n```json\n{message.kernel.launch}\n```")
            case _ if message.call is not None:
                parts.append(f"> `{message.call}`")
            case _:
                parts.append(message.text)
    return "\n\n".join(part for part in parts if part) + "\n"


def why(receipt: Receipt) -> str:
    """How a value was computed, for people."""
    lines = [f"{receipt.title} = {receipt.text}", f"checkpoint {receipt.checkpoint[:16]}, {receipt.created}"]
    lines += [
        f"  {launch.function}: {len(launch.prompt):,} tokens in, {len(launch.generated):,} generated, "
        f"replay {launch.replay}, {launch.seconds:.2f} s"
        for launch in receipt.launches
    ]
    return "\n".join([*lines, f"record {receipt.id}; after /export N FILE, 'qwengpu verify --receipt FILE' redoes it"])
