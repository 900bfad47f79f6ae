"""The worker's client in the event loop of the app, where Qt and asyncio run together."""

import sys

from PySide6.QtCore import QTimer

from app.worker.client import Patience, WorkerClient
from app.worker.protocol import ChatResult, Token

FAKE = (sys.executable, "-m", "tests.app.worker.fakeworker")


def test_calls_deaths_and_stops_beside_qts_own_events(arun):
    deaths, ticks = [], []
    timer = QTimer()
    timer.timeout.connect(lambda: ticks.append(1))
    timer.start(1)

    async def scenario():
        client = WorkerClient(FAKE, deaths.append, Patience(answer=0.05, stop=0.2, leave=1.0))
        events = [event async for event in client.request("chat", text="flood 2000")]
        assert "".join(event.text for event in events if isinstance(event, Token)) == "ab" * 2000
        died = [event async for event in client.request("chat", text="crash")]
        assert died[-1].kind == "worker" and [death.kind for death in deaths] == ["crashed"]
        call = client.request("chat", text="deaf")
        await anext(call)
        await call.stop()
        result = [event async for event in call][-1]
        assert isinstance(result, ChatResult) and result.ended == "stopped"
        assert isinstance(await client.request("chat", text="hello").result(), ChatResult)
        await client.close()

    arun(scenario())
    assert len(ticks) > 5, "Qt went on meanwhile"
