"""A worker that misbehaves on request, run as a process: what a `chat` says decides what happens."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from app.worker.protocol import (
    Chat,
    ChatResult,
    CheckpointInfo,
    Compile,
    CompileResult,
    Context,
    Load,
    LoadResult,
    Progress,
    Ready,
    Said,
    Segment,
    Shutdown,
    Stop,
    Token,
    read_request,
)


def tell(event) -> None:
    """Write an event."""
    sys.stdout.write(event.to_json() + "\n")
    sys.stdout.flush()


def answer(request: Chat, text: str = "ok") -> None:
    """The end of a chat."""
    messages = ({"role": "user", "text": request.text}, {"role": "assistant", "text": text})
    tell(ChatResult(request.id, messages, (Segment(text, "sampled"),), (), Context(2, 100), 1.0, "complete"))


def chat(request: Chat) -> None:
    """What a text asks for."""
    name, _, argument = request.text.partition(" ")
    if name == "flood":
        sys.stdout.write((Token(request.id, "ab", "sampled").to_json() + "\n") * int(argument))
        answer(request)
    elif name == "garbage":
        sys.stdout.write("not json\n[]\n" + '{"event":"token","id":3}\n' + '{"event":"result","op":"chat","id":"zz"}\n\xff\n')
        answer(request)
    elif name == "crash":
        tell(Token(request.id, "half an ", "sampled"))
        print("Traceback (most recent call last)\nBadNews: the weights are gone", file=sys.stderr, flush=True)
        os._exit(3)
    elif name == "signal":
        tell(Token(request.id, "half", "sampled"))
        os.kill(os.getpid(), int(argument))
    elif name == "memory":
        os._exit(12)
    elif name == "noise":
        sys.stderr.write("x" * 200_000 + "the end")
        sys.stderr.flush()
        answer(request)
    elif name == "deaf":
        tell(Said(request.id, {"role": "user", "text": request.text}))
        tell(Token(request.id, "hm", "sampled", part="thinking"))
        tell(Token(request.id, "so ", "sampled"))
        tell(Token(request.id, "far", "sampled"))
        tell(Token(request.id, "32", "computed", "a1"))
        time.sleep(3600)
    elif name == "silent":
        while not stopped(request.id):
            pass
        answer(request, "stopped")
    else:
        answer(request, f"{name} of {os.getpid()}")


def stopped(target: str) -> bool:
    """Read the next request; whether it is the stop."""
    request = read_request(sys.stdin.readline())
    return isinstance(request, Stop) and request.target == target


def main() -> None:
    """Say ready, answer until stdin ends."""
    mode = sys.argv[1] if len(sys.argv) > 1 else ""
    if mode == "mute":
        time.sleep(3600)
    if mode == "broken":
        print("ImportError: no such thing", file=sys.stderr)
        sys.exit(1)
    if mode == "obstinate":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    tell(Ready("test", 99 if mode == "foreign" else 1))
    for line in sys.stdin:
        request = read_request(line)
        match request:
            case Load():
                tell(Progress(request.id, "language model", 1, 2))
                if request.checkpoint and Path(request.checkpoint).is_file():
                    time.sleep(3600)
                info = CheckpointInfo(request.checkpoint or "none", "h", "built", "fake", (45, 24))
                tell(LoadResult(request.id, info, "cpu", "cpu", 100))
            case Chat():
                chat(request)
            case Compile():
                tell(CompileResult(request.id, (), Path(request.source).name))
            case Shutdown() if mode != "obstinate":
                return
    while mode == "obstinate":
        time.sleep(1)


if __name__ == "__main__":
    main()
