"""How soon the worker is there, and how soon it lets go, state by state: `python -m tests.bench.bench_stop [ROUNDS]`.

Run by hand; nothing is asserted. "worker" is the time from the request to stop until the worker itself has ended the work;
"user" is the same with the client that the app uses, which ends the call itself when the worker is late. Milliseconds.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from app.worker.client import Call, Patience, WorkerClient
from app.worker.protocol import Event, LaunchProgress, Progress, Said, Token

QUESTION = "what is the dot product of [1,2,3] and [4,5,6]?"
LONG_QUESTION = "hello, tell me please about the sum of " + " and ".join(str(number) for number in range(1, 250)) + "?"
SPIN = "__global__ void spin(int *out, int n) { int s = 0; for (int i = 0; i < n; i++) s = s * 3 + i; out[0] = s; }"
ENDLESS = {
    "kernel": "spin",
    "grid": [1],
    "block": [1],
    "args": [{"name": "out", "type": "int32*", "size": 1}, {"name": "n", "type": "int32", "value": 1 << 30}],
}
MUCH = "".join(
    f"__global__ void k{i}(long long *a) {{ for (int j = 0; j < {i}; j++) a[j] = a[j % 7] * {i} / (j + 1); }}\n"
    for i in range(2400)
)
NUMBERS = itertools.count()
Until = Callable[[Event], bool]
States = dict[str, tuple[Callable[[WorkerClient], Call], Until, float]]


def states(base: Path, out: Path) -> States:
    """What to ask for, the event from which on to stop, and at most how many seconds behind it."""

    def stage(name: str) -> Until:
        return lambda event: isinstance(event, Progress) and event.stage == name

    def build(client: WorkerClient) -> Call:
        return client.request("build", base=base, out=out / str(next(NUMBERS)))

    load, chat = (lambda client: client.request("load", checkpoint="embedded")), "chat"
    return {
        "loading: libraries": (load, stage("libraries"), 2.0),
        "loading: machine": (load, stage("machine"), 0.2),
        "loading: language model": (load, stage("language model"), 0.05),
        "reading the prompt": (
            lambda client: client.request(chat, text=LONG_QUESTION),
            lambda event: isinstance(event, Said),
            0.05,
        ),
        "text": (lambda client: client.request(chat, text=QUESTION), lambda event: isinstance(event, Token), 0.1),
        "launch": (
            lambda client: client.request("launch", source=SPIN, filename="spin.cu", launch=ENDLESS),
            lambda event: isinstance(event, LaunchProgress),
            0.5,
        ),
        "compile": (lambda client: client.request("compile", source=MUCH, filename="much.cu"), lambda event: False, 0.5),
        **{f"build: {name}": (build, stage(name), 0.1) for name in ("base", "mute", "write", "verify")},
    }


async def stop_once(call: Call, until: Until, seconds: float) -> float | None:
    """Seconds from the stop to the call's end; None when it ended before."""
    if seconds and not await reached(call, until):
        return None
    await asyncio.sleep(random.uniform(0, seconds))
    if call.over:
        return None
    began = time.perf_counter()
    await call.stop()
    async for _ in call:
        pass
    return time.perf_counter() - began


async def reached(call: Call, until: Until) -> bool:
    """Read up to the event from which on to stop; a compiler tells nothing, so there a moment passes instead."""
    if call.op == "compile":
        await asyncio.sleep(0.3)
        return True
    async for event in call:
        if until(event):
            return True
    return False


async def measure(
    rounds: int, folder: Path, command: tuple[str, ...] | None, names: Callable[[str], bool], patience: Patience
) -> dict[str, list[float]]:
    """The times of every state that a command is for."""
    found: dict[str, list[float]] = {}
    client = WorkerClient(command, patience=patience)
    for name, (ask, until, seconds) in states(folder / "base", folder / "made").items():
        if not names(name):
            continue
        for _ in range(rounds):
            if name.startswith("loading: libraries"):
                await client.close()  # a process imports them once
            await client.start()
            if (took := await stop_once(ask(client), until, seconds)) is not None:
                found.setdefault(name, []).append(took)
    await client.close()
    return found


async def beginnings(rounds: int) -> dict[str, list[float]]:
    """Seconds to ready, to loaded, and from a question to its first computed token and its end."""
    found: dict[str, list[float]] = {}

    def note(name: str, began: float) -> None:
        found.setdefault(name, []).append(time.perf_counter() - began)

    for _ in range(rounds):
        client, began = WorkerClient(), time.perf_counter()
        await client.start()
        note("ready", began)
        await client.request("load", checkpoint="embedded").result()
        note("loaded, from the start", began)
        for name in ("first", "second"):
            asked, seen = time.perf_counter(), False
            async for event in client.request("chat", text=QUESTION):
                if isinstance(event, Token) and event.source == "computed" and not seen:
                    note(f"{name} question to its computed value", asked)
                    seen = True
            note(f"{name} question to its end", asked)
        await client.close()
    return found


async def main(rounds: int) -> None:
    """Both tables."""
    from tests.fakes import LAYER, SIZE, make_base, make_machine

    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}\n")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for kind in ("CONFIG", "DATA", "STATE"):  # what is built here is nobody's default
            os.environ[f"XDG_{kind}_HOME"] = str(folder / kind)
        make_base(folder / "base", SIZE)
        make_machine(folder / "machine.safetensors", LAYER)
        client = WorkerClient()
        await client.request("load", checkpoint="embedded").result()  # prepares the machine, once
        await client.close()
        print("| until | median s | max s |\n|---|---|---|")
        for name, times in (await beginnings(max(1, rounds // 3))).items():
            print(f"| {name} | {statistics.median(times):.2f} | {max(times):.2f} |")
        small = (sys.executable, "-m", "tests.app.worker.standins", "small", str(folder))
        print("\n| stop while | rounds | worker: median | worker: max | user: max |\n|---|---|---|---|---|")
        kinds: list[tuple[tuple[str, ...] | None, Callable[[str], bool]]] = [
            (None, lambda name: not name.startswith("build")),
            (small, lambda name: name.startswith("build")),
        ]
        for command, names in kinds:
            own = await measure(rounds, folder, command, names, Patience(answer=120.0, stop=240.0, start=240.0))
            seen = await measure(rounds, folder, command, names, Patience())
            for name, times in own.items():
                print(
                    f"| {name} | {len(times)} | {1e3 * statistics.median(times):.0f} | {1e3 * max(times):.0f} | "
                    f"{1e3 * max(seen.get(name, [0])):.0f} |",
                    flush=True,
                )


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 5))
