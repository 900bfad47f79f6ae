"""What the window costs: start, a streamed update of a long reply, a chat of 500 messages, memory.

Run by hand: `python -m tests.bench.bench_ui`. Times are processor time of one core, painting included (the window's start:
wall clock of a process of its own, too). An update may take 40 ms, since that is how often one happens.
"""

from __future__ import annotations

import asyncio
import gc
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time

import psutil

START = """
import time
wall, cpu = time.perf_counter(), time.process_time()
import tempfile
from pathlib import Path
import qasync
from app.ui.application import make_application, make_window
from tests.app.ui import samples
application = make_application(["bench"])
async def show():
    desk, _ = samples.make_desk(Path(tempfile.mkdtemp()))
    window = make_window(application, desk)
    window.start()
    window.show()
    application.processEvents()
    print(f"{time.perf_counter() - wall:.2f} {time.process_time() - cpu:.2f}")
    window.close()
    desk.store.close()
with qasync.QEventLoop(application) as loop:
    loop.run_until_complete(show())
"""
TOKENS = 4_000
PARAGRAPH = (
    "The **dot product** of two vectors multiplies their entries in pairs and adds the products, so `dot([1, 2, 3], "
    "[4, 5, 6])` is 32; see the table below.\n\n"
)
TABLE = "| a | b | dot |\n|---|---|--:|\n" + "".join(f"| {row} | {row + 1} | {row * (row + 1)} |\n" for row in range(6)) + "\n"
CODE = "```python\nfor a, b in pairs:\n    print(sum(x * y for x, y in zip(a, b)))  # in pairs\n```\n\n"


def text_of(tokens: int) -> str:
    """Text of about so many tokens, four characters each: prose, tables, code."""
    pieces, length, number = [], 0, 0
    while length < 4 * tokens:
        pieces.append((PARAGRAPH, PARAGRAPH, TABLE, PARAGRAPH, CODE)[number % 5])
        length += len(pieces[-1])
        number += 1
    return "".join(pieces)


def cost(action: Callable[[], object]) -> float:
    """Milliseconds of processor time."""
    began = process_time()
    action()
    return 1000 * (process_time() - began)


def resident() -> float:
    """Memory that this process holds, MB."""
    return psutil.Process().memory_info().rss / 1e6


def main() -> None:
    """Measure and print."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    compiled = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    compiled["PYTHONPYCACHEPREFIX"] = tempfile.mkdtemp()
    started = [
        subprocess.run([sys.executable, "-c", START], capture_output=True, text=True, check=True, env=compiled).stdout.split()
        for _ in range(4)
    ][1:]  # the first start compiles the modules, as an installation does
    wall, cpu = (statistics.median(float(each[place]) for each in started) for place in (0, 1))
    print(f"window shown                      {wall:8.2f} s wall   {cpu:8.2f} s processor")
    import qasync

    from app.ui.application import make_application, make_window, warm
    from app.ui.collecting import Collecting
    from tests.app.ui import samples

    application = make_application(["bench"])

    async def measure() -> None:
        desk, client = samples.make_desk(Path(tempfile.mkdtemp()))
        await desk.engine.open()
        window = make_window(application, desk)
        window.start()
        window.resize(1280, 800)
        window.show()
        warm()
        collecting = Collecting(window)
        collecting.start()
        await asyncio.sleep(0.2)
        print(f"memory with an empty chat         {resident():8.0f} MB")
        await stream(application, window, client)
        await many(application, window, desk)
        print(f"memory after all of this          {resident():8.0f} MB")
        collecting.stop()
        window.close()
        await desk.chatting.close()
        await desk.engine.close()
        desk.store.close()

    with qasync.QEventLoop(application) as loop:
        loop.run_until_complete(measure())


async def stream(application: object, window: object, client: object) -> None:
    """Updates of a reply of `TOKENS` tokens: eight tokens each, as 200 tokens a second give in 40 ms."""
    from app.worker.protocol import Token

    window.chat.send("a long one")
    await asyncio.sleep(0.2)
    text, call, spent = text_of(TOKENS), client.last(), []
    window.chat._tick.setInterval(1 << 30)
    for start in range(0, len(text), 32):
        call.tell(Token("", text[start : start + 32], "sampled"))
        for _ in range(3):
            await asyncio.sleep(0)
        spent.append(cost(lambda: (window.chat._update_dirty(), application.processEvents())))
    for name, part in (("first 500 tokens", spent[:62]), (f"last 500 of {TOKENS:,}", spent[-62:])):
        ordered = sorted(part)
        print(
            f"streamed update, {name:<20} {statistics.median(part):5.1f} ms median "
            f"{ordered[int(0.95 * len(part))]:8.1f} ms p95 {ordered[-1]:8.1f} ms worst"
        )
    await call.stop()
    await asyncio.sleep(0.2)
    window.chat._tick.setInterval(40)


async def many(application: object, window: object, desk: object) -> None:
    """A chat of 500 messages: opening it, scrolling up, having all of it there (as finding words does), another width."""
    from tests.app.ui.samples import answer, launch, value, word

    chat = desk.store.create()
    for number in range(250):
        code = CODE + TABLE if number % 2 else ""
        answer(
            chat,
            f"Question {number}?",
            [word(PARAGRAPH + code + "It is "), value("32", "a"), word(".")],
            [launch("a", "dot(x, y)")],
        )
    application.processEvents()
    before = resident()
    read = cost(lambda: (window.open_chat(chat.state.id), application.processEvents()))
    print(f"500 messages: opened              {read:8.0f} ms {resident() - before:8.0f} MB")
    bar, jumps = window.chat.transcript.verticalScrollBar(), []
    for _ in range(60):
        jumps.append(cost(lambda: (bar.setValue(bar.value() - 400), application.processEvents())))
        await asyncio.sleep(0)
    transcript, slices = window.chat.transcript, []
    transcript.complete()
    while transcript._earlier:
        slices.append(cost(application.processEvents))
    print(f"500 messages: 400 px up           {statistics.median(jumps):8.1f} ms median {max(jumps):8.1f} ms worst")
    print(
        f"500 messages: all of them         {sum(slices):8.0f} ms {resident() - before:8.0f} MB   {max(slices):8.1f} ms worst "
        f"of {len(slices)} pieces"
    )
    pauses = [cost(lambda generation=generation: gc.collect(generation)) for generation in range(3)]
    print(f"500 messages: garbage             {pauses[0]:8.1f} ms youngest {pauses[1]:8.1f} ms middle {pauses[2]:8.1f} ms all")
    width = cost(lambda: (window.resize(1100, 800), application.processEvents()))
    print(f"500 messages: another width       {width:8.0f} ms")


if __name__ == "__main__":
    main()
