"""The worker process: requests from stdin, each worked on in the thread of its kind of work, replies to stdout.

One thread reads, so a stop is seen at once; the model, the compiler and the builder each have one that works, so a kernel
compiles while the model writes. When stdin ends, by whatever end of the app, everything is stopped and the process ends.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Lock
from typing import NoReturn

from app.failures import as_named
from app.paths import Paths
from app.version import version
from app.worker.death import OUT_OF_MEMORY
from app.worker.desk import Desk
from app.worker.operations import OPERATIONS, Operation
from app.worker.protocol import Error, Event, Ready, Request, Result, Shutdown, Stop, id_of, read_request
from app.worker.streams import Outlet, claim_streams, open_log
from app.worker.ticket import Ticket
from engine.machine.errors import UsageError

LEAVING = 1.0
"""Seconds that stopped work has to put things in order before the process ends."""
TOLD = ("environment", "internal", "mismatch")
"""Kinds of errors that are the computer's or the program's, whose words the log may hold."""


def main() -> int:
    """Serve until stdin ends; the exit code. Does not return to a caller that waits for threads: use `leave`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is the app's to answer
    incoming, outgoing = claim_streams()
    paths = Paths.of_user()
    server = Server(Outlet(outgoing), Desk(paths, version()), open_log(paths.logs))
    try:
        server.serve(incoming)
    except MemoryError:
        return OUT_OF_MEMORY
    return 0


def leave(code: int) -> NoReturn:
    """End the process now, with threads that may be within a long call."""
    sys.stderr.flush()
    os._exit(code)


class Server:
    """Hands requests to their threads and knows which are on their way."""

    def __init__(self, outlet: Outlet, desk: Desk, log: logging.Logger) -> None:
        self._outlet, self._desk, self._log = outlet, desk, log
        self._tickets: dict[str, Ticket] = {}
        self._lock = Lock()
        self._lanes = {operation.lane: ThreadPoolExecutor(1, operation.lane) for operation in OPERATIONS.values()}

    def serve(self, lines: Iterable[bytes]) -> None:
        """Take requests until there are no more; stop what is left."""
        self._log.info("ready, version %s", self._desk.program)
        self._outlet.tell(Ready(self._desk.program))
        for line in lines:
            if not self.take(line):
                break
        for ticket in self._on_their_way():
            ticket.stop()
        wait([lane.submit(lambda: None) for lane in self._lanes.values()], LEAVING)
        self._log.info("over")

    def take(self, line: bytes) -> bool:
        """Take a request; False for the one that ends the process."""
        try:
            request = read_request(line)
        except UsageError as error:
            self._outlet.tell(Error.of(id_of(line), error))
            return True
        match request:
            case Shutdown():
                return False
            case Stop():
                self._stop(request.target)
            case _:
                self._begin(request, OPERATIONS[request.op])
        return True

    def _begin(self, request: Request, operation: Operation) -> None:
        ticket = Ticket(request.id, self._outlet.tell)
        with self._lock:
            if request.id in self._tickets:
                self._outlet.tell(Error.of(request.id, UsageError(f"request '{request.id}' is on its way already")))
                return
            self._tickets[request.id] = ticket
        self._lanes[operation.lane].submit(self._work, request, operation, ticket)

    def _stop(self, target: str) -> None:
        with self._lock:
            ticket = self._tickets.get(target)
        if ticket is not None:
            ticket.stop()

    def _on_their_way(self) -> list[Ticket]:
        with self._lock:
            return list(self._tickets.values())

    def _work(self, request: Request, operation: Operation, ticket: Ticket) -> None:
        """One request from its beginning to its only end."""
        began = time.monotonic()
        last: Result | Error
        try:
            ticket.check()
            last = operation.work(request, self._desk, ticket)
        except BaseException as error:
            last = Error.of(request.id, as_named(error, self._desk.paths.logs))
        with self._lock:
            del self._tickets[request.id]
        self._log.info("%s %s %s after %.2f s", request.id, request.op, _outcome(last), time.monotonic() - began)
        try:
            self._outlet.tell(last)
        except (TypeError, ValueError, MemoryError) as error:  # a result that is no message must not leave its caller waiting
            self._outlet.tell(Error.of(request.id, as_named(error, self._desk.paths.logs)))


def _outcome(last: Event) -> str:
    """How a request ended, for the log. What concerns the user's own text and files is not in it."""
    if not isinstance(last, Error):
        return "done"
    return f"{last.kind}: {last.message}" if last.kind in TOLD else last.kind
