"""One worker process with its three pipes, each on a thread of its own: event loops differ in what they can do with pipes."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Lock, Thread
from typing import IO

WORKER = "--worker"
TAIL = 1 << 16
"""Bytes of stderr that are kept."""
_BLOCK = 1 << 13


def worker_command() -> tuple[str, ...]:
    """What starts a worker of this very program."""
    frozen = bool(getattr(sys, "frozen", False))
    return (sys.executable, WORKER) if frozen else (sys.executable, "-m", "app", WORKER)


class Process:
    """A running worker.

    on_line: told every line of its stdout; on_end: told its exit code after the last line. Both in a thread of ours
    """

    def __init__(self, command: Sequence[str], on_line: Callable[[bytes], None], on_end: Callable[[int], None]) -> None:
        """Start it. Raises OSError when the command cannot be run."""
        self._child = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        assert self._child.stdin and self._child.stdout and self._child.stderr
        self.tail = Tail()
        self._outgoing: SimpleQueue[bytes | None] = SimpleQueue()
        self._errors = Thread(target=_copy, args=(self._child.stderr, self.tail), name="worker stderr", daemon=True)
        writer = Thread(target=_write, args=(self._child.stdin, self._outgoing), name="worker stdin", daemon=True)
        reader = Thread(target=self._read, args=(self._child.stdout, on_line, on_end), name="worker stdout", daemon=True)
        self._threads = (self._errors, writer, reader)
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        """Its number."""
        return self._child.pid

    def send(self, line: str) -> None:
        """Write a line to its stdin, without waiting; one that is gone does not read it."""
        self._outgoing.put(line.encode() + b"\n")

    def close_input(self) -> None:
        """End its stdin, which asks it to end."""
        self._outgoing.put(None)

    def kill(self) -> None:
        """End it at once."""
        self._child.kill()

    def join(self, seconds: float) -> None:
        """Wait until the threads of an ended process are through."""
        for thread in self._threads:
            thread.join(seconds)

    def _read(self, stdout: IO[bytes], on_line: Callable[[bytes], None], on_end: Callable[[int], None]) -> None:
        with stdout:
            for line in stdout:
                on_line(line)
        code = self._child.wait()
        self._outgoing.put(None)
        self._errors.join(1.0)  # its last words; a child of its own may keep stderr open
        on_end(code)


class Tail:
    """The last `TAIL` bytes of a stream."""

    def __init__(self) -> None:
        self._blocks: deque[bytes] = deque()
        self._size = 0
        self._lock = Lock()

    def add(self, block: bytes) -> None:
        """Take the next bytes."""
        with self._lock:
            self._blocks.append(block)
            self._size += len(block)
            while self._size - len(self._blocks[0]) >= TAIL:
                self._size -= len(self._blocks.popleft())

    def text(self) -> str:
        """What is kept."""
        with self._lock:
            return b"".join(self._blocks)[-TAIL:].decode("utf-8", "replace")


def _copy(stderr: IO[bytes], tail: Tail) -> None:
    with stderr:
        while block := os.read(stderr.fileno(), _BLOCK):
            tail.add(block)


def _write(stdin: IO[bytes], outgoing: SimpleQueue[bytes | None]) -> None:
    """Write until None comes; a process that is gone reads nothing."""
    with contextlib.suppress(OSError), stdin:
        while (line := outgoing.get()) is not None:
            stdin.write(line)
            stdin.flush()
