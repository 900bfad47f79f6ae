"""A worker's client without a worker: a test says what every request is told, and sees what was asked."""

import asyncio

from app.worker.protocol import LAST, STOPPED, Error


class FakeCall:
    """A request whose events a test feeds."""

    def __init__(self, op, fields):
        self.op, self.fields, self.id, self.stopped, self.over = op, fields, f"{op}-1", False, False
        self._events = asyncio.Queue()

    def tell(self, *events):
        """The worker says this."""
        for event in events:
            self._events.put_nowait(event)

    def __aiter__(self):
        return self

    async def __anext__(self):
        if self.over:
            raise StopAsyncIteration
        event = await self._events.get()
        self.over = isinstance(event, LAST)
        return event

    async def result(self):
        async for event in self:
            last = event
        return last

    async def stop(self):
        self.stopped = True
        self.tell(Error(self.id, STOPPED, "stopped"))


class FakeClient:
    """Keeps all calls; `answers` gives an operation's events at once, where a test does not want to wait."""

    def __init__(self):
        self.calls, self.answers = [], {}

    def request(self, op, **fields):
        call = FakeCall(op, fields)
        self.calls.append(call)
        call.tell(*self.answers.get(op, ()))
        return call

    def asked(self, op):
        """Whether an operation was asked for."""
        return any(call.op == op for call in self.calls)

    def last(self, op):
        """The newest call of an operation."""
        return next(call for call in reversed(self.calls) if call.op == op)
