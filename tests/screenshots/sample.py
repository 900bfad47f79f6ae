"""What the pictures show: chats with real launches (worked out by the reference interpreter), and a set-up in mid-way."""

from __future__ import annotations

import calendar
import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from app.assistant.assistant import Assistant
from app.assistant.checks import Trial
from app.assistant.model import Step
from app.chats.model import CALL
from app.chats.store import ChatStore, OpenChat
from app.compute.evaluating import compute, read
from app.compute.kernels import launch_kernel
from app.compute.library import load_library
from app.compute.receipts import Receipt
from app.computer import CompilerTest, Computer, Program
from app.hub.model import FileProgress, FileState, Outage, State
from app.hub.model import Progress as DownloadProgress
from app.memory import Memory
from app.paths import Paths
from app.worker.death import Death
from app.worker.protocol import DIED, Attempt, ChatResult, CheckpointInfo, Context, Error, Event, LoadResult, Segment, Summary
from engine.machine.errors import EnvironmentProblem
from engine.machine.tokens import TOKENS
from tests.app.fast import FastMachine

EXAMPLES = Path(__file__).parents[2] / "resources" / "examples"
NOW = calendar.timegm((2026, 11, 30, 15, 20, 0))
HOUR, DAY = 3600, 86400
HASH = "9f3c61d2" + "0" * 56
LOADED = LoadResult("1", CheckpointInfo("", HASH, "built", "Qwen3.5-2B with GPU", (45, 24)), "mps", "cpu", 32768)
DEATH = Death(
    "out of memory",
    "worker ended by the system (signal 9) after 14 min 22 s",
    "",
    "Killed: 9",
    round(9.6 * (1 << 30)),
    300 << 20,
)


class SampleClient:
    """A worker that is ready and never does anything."""

    condition, loaded, stderr = "ready", LOADED, ""

    def __init__(self) -> None:
        self.on_exit: Callable[[Death], None] = lambda death: None

    def request(self, op: str, **fields: Any) -> Any:
        """Nobody asks in a picture."""
        raise AssertionError(f"a picture asked for {op}")

    async def close(self) -> None:
        """Nothing to end."""


@dataclass
class Clock:
    """The time that chats are written at."""

    now: float = NOW

    def __call__(self) -> float:
        """Seconds since 1970."""
        return self.now


class Book:
    """Writes sample chats and the records of their launches."""

    def __init__(self, paths: Paths) -> None:
        self.paths, self.clock, self._library = paths, Clock(), load_library()
        self.store = ChatStore(paths.chats, paths.chat_index, clock=self.clock)
        paths.launches.mkdir(parents=True, exist_ok=True)

    def launch(self, expression: str, names: Mapping[str, Any] | None = None) -> tuple[Summary, str]:
        """Compute an expression and keep its record; its summary, and the value as text."""
        names = names or {}
        statement = read(expression, self._library, names)
        computed = compute(statement, self._library, names, FastMachine())
        number = f"{len(list(self.paths.launches.iterdir())) + 1:04d}{abs(hash(expression)) % (1 << 32):08x}"
        receipt = Receipt(
            number,
            expression,
            names,
            computed.value,
            computed.extra,
            computed.launches,
            HASH,
            "2026-11-30T15:20:00Z",
            "0.1.0",
            0.31,
        )
        receipt.write(self.paths.launches / f"{number}.json")
        generated = sum(len(launch.generated) for launch in computed.launches)
        prompt = sum(len(launch.prompt) for launch in computed.launches)
        return Summary(number, expression, generated, prompt, generated + prompt, "exact", receipt.text, 0.31), receipt.text

    def chat(
        self, title: str, ago: float, turns: Sequence[tuple[str, Sequence[Any]]], pinned: bool = False, advanced: bool = False
    ) -> OpenChat:
        """A chat. ago: seconds before now; turns: a question, and the reply as texts and ("expression", names) calls."""
        self.clock.now = NOW - ago
        chat = self.store.create()
        chat.choose(advanced=advanced, thinking=False)
        for question, reply in turns:
            self.turn(chat, question, reply)
        chat.rename(title)
        if pinned:
            chat.pin(True)
        return chat

    def turn(self, chat: OpenChat, question: str, reply: Sequence[Any]) -> None:
        """A question with its reply. A tuple in the reply is a call; its value stands there, computed."""
        asked = chat.ask(question)
        written = chat.reply(asked.id, LOADED.checkpoint.name)
        segments, launches = [], []
        for part in reply:
            if isinstance(part, Event):
                written.take(replace(part, id=written.message))
            elif isinstance(part, str):
                segments.append(Segment(part, "sampled"))
            else:
                summary, value = self.launch(*part)
                launches.append(summary)
                segments.insert(len(segments) - bool(segments), Segment(part[0], "sampled", summary.id, CALL))
                segments.append(Segment(value, "computed", summary.id))
        self.clock.now += 12
        if any(isinstance(part, Error) for part in reply):
            return
        written.take(
            ChatResult(
                written.message,
                ({"role": "assistant", "text": "".join(s.text for s in segments)},),
                tuple(segments),
                tuple(launches),
                Context(1204, 32768),
                31.4,
                "complete",
            )
        )


def write_chats(paths: Paths) -> None:
    """All sample chats."""
    book = Book(paths)
    filler: list[tuple[str, float, list[tuple[str, Sequence[Any]]]]] = [
        ("Explain bit masks", 5 * DAY, [("What is 77 AND 51?", ["It is ", ("and(77, 51)",), "."])]),
        ("Histogram of test scores", 4 * DAY, [("Sort 7, 3, 9, 1", ["Sorted: ", ("sort([7, 3, 9, 1])",), "."])]),
        ("3 × 3 matrix by hand", 3 * DAY, [("What is 12 times 12?", ["It is ", ("mul(12, 12)",), "."])]),
        ("Letter to the landlord", DAY + 5 * HOUR, [("Write a short letter to my landlord", ["Dear Ms Weber, ..."])]),
        ("Is 1,000,003 prime?", DAY + 4 * HOUR, [("Is 1000003 prime?", ["It is: ", ("isprime(1000003)",), "."])]),
        ("Rename files by date", 5 * HOUR, [("How do I rename files by date?", ["Use a small script."])]),
    ]
    for title, ago, turns in filler:
        book.chat(title, ago, turns)
    write_memory_chat(book)
    book.chat(
        "Collatz steps", 2 * HOUR, [("How many steps does 27 take to reach 1?", ["It takes ", ("collatz(27)",), " steps."])]
    )
    write_advanced_chat(book)
    book.chat(
        "Dice odds for game night",
        6 * DAY,
        [("What is the sum of 1 to 6?", ["It is ", ("sum([1, 2, 3, 4, 5, 6])",), "."])],
        pinned=True,
    )
    write_main_chat(book)
    book.store.close()


def write_main_chat(book: Book) -> None:
    """The chat of the first picture: three pairs of vectors in a table, then a follow-up."""
    book.chat(
        "Vectors and dot products",
        600,
        [
            (
                "What is the dot product of [1, 2, 3] and [4, 5, 6]?",
                [
                    "The dot product is ",
                    ("dot([1, 2, 3], [4, 5, 6])",),
                    ". Each entry of the first vector is multiplied with its partner, and the products are added.",
                ],
            ),
            (
                "Do the same for three pairs and put them in a table: [2, 0] and [7, 9]; [5, −1, 4] and [2, 8, 3]; "
                "[10, 20, 30] and [3, 2, 1].",
                [
                    "Here are the three products.\n\n| Pair | Dot product |\n|---|---:|\n| [2, 0] · [7, 9] | ",
                    ("dot([2, 0], [7, 9])",),
                    " |\n| [5, −1, 4] · [2, 8, 3] | ",
                    ("dot([5, -1, 4], [2, 8, 3])",),
                    " |\n| [10, 20, 30] · [3, 2, 1] | ",
                    ("dot([10, 20, 30], [3, 2, 1])",),
                    " |\n\nThe same in Python, to check by hand:\n\n```python\ndef dot(a, b):\n"
                    "    return sum(x * y for x, y in zip(a, b))\n\nprint(dot([10, 20, 30], [3, 2, 1]))  # 100\n```\n\n"
                    "A number that I only *say*, such as 42, stays plain.",
                ],
            ),
        ],
    )


def write_memory_chat(book: Book) -> None:
    """A reply that stopped because the worker ran out of memory."""
    prices, counts = [249, 1199, 85, 3450], [3, 2, 6, 1]
    book.chat(
        "Shopping list, 14 items",
        DAY + 2 * HOUR,
        [
            (
                "Add up 14 items with the prices and quantities below, then split it between 5 people. "
                "3 × 249, 2 × 1,199, 6 × 85, 1 × 3,450 …",
                ["The total is ", (f"dot({prices}, {counts})",), " cents. Split between 5 people that is "],
            )
        ],
    )
    chat = book.store.chat(next(one.id for one in book.store.summaries() if one.title == "Shopping list, 14 items"))
    book.turn(chat, "And with 10% off?", [Error("", DIED, DEATH.detail)])


HISTOGRAM = """__global__ void histogram(const int *x, int n, int *bins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[x[i]], 1);
}
"""


def write_advanced_chat(book: Book) -> None:
    """The model writes its own kernel; the third attempt runs."""
    attempts = [
        Attempt("", 1, HISTOGRAM.replace("atomicAdd", "atomicAd"), "line 3: use of undeclared identifier 'atomicAd'"),
        Attempt("", 2, HISTOGRAM.replace("i < n", "true"), "fault: read x[16], but x has 16 words (thread 16, line 3)"),
        Attempt("", 3, HISTOGRAM),
    ]
    book.chat(
        "Counting values",
        3 * HOUR,
        [
            (
                "Count how often 0, 1, 2 and 3 occur in 3, 1, 2, 1, 0, 3, 1, 2, 3, 1, 0, 1, 3, 0, 1, 1. "
                "Write the kernel yourself.",
                [*attempts, "The counts are 3, 7, 2 and 4."],
            )
        ],
        advanced=True,
    )


# ---------------------------------------------------------------- the set-up
COMPUTER = Computer(
    Memory(34_360_000_000, 5_200_000_000),
    (Program("Docker Desktop", 6_100_000_000), Program("Safari", 4_800_000_000), Program("Photos", 2_300_000_000)),
    Path("models"),
    214_000_000_000,
    "mps",
    "Apple M2 Pro",
    CompilerTest("zig clang 21.1", 0.066),
)
SIZES = {
    "config.json": 2_700,
    "tokenizer_config.json": 9_800,
    "vocab.json": 600_000,
    "tokenizer.json": 12_800_000,
    "model-00001-of-00002.safetensors": 2_490_000_000,
    "model-00002-of-00002.safetensors": 2_050_000_000,
}
"""Files in the real layout."""


def looked() -> Assistant:
    """Step 1: memory is low."""
    return Assistant().looked(COMPUTER).tried(Trial(tokens=14, seconds=0.41))


def downloading() -> Assistant:
    """Step 2: at the second shard, after a gap in the network."""
    last = "model-00002-of-00002.safetensors"
    files = tuple(
        FileProgress(path, size, size if path != last else size // 11, FileState.CHECKED if path != last else FileState.PARTIAL)
        for path, size in SIZES.items()
    )
    have, size = sum(file.have for file in files), sum(SIZES.values())
    progress = DownloadProgress(
        State.DOWNLOADING,
        have,
        size,
        24_600_000.0,
        (size - have) / 24_600_000,
        files,
        trace=trace(),
        outages=(Outage(NOW - 78 * 60, NOW - 77 * 60, "network lost"),),
    )
    return looked().accept().go(Step.MODEL).downloading(progress)


def offline() -> Assistant:
    """Step 2: the network is gone."""
    before = downloading()
    lost = EnvironmentProblem("no connection to the hub", "", "check the network")
    return before.downloading(
        replace(
            before.download,
            state=State.WAITING,
            problem=lost,
            retry_in=20.0,
            speed=0.0,
            eta=None,
            outages=(Outage(NOW - 60, None, "network lost"),),
        )
    )


def building() -> Assistant:
    """Step 3: in the compiled layers."""
    done = replace(downloading(), base=Path("Qwen--Qwen3.5-2B")).go(Step.BUILD).build_started()
    for layer in range(31):
        done = done.building("write", 3_300_000_000 * (layer + 1) // 31, 10_100_000_000, 3_300_000_000, 260.0, layer)
    return done


def built() -> Assistant:
    """Step 3: done."""
    return building().built(Path("Qwen3.5-2B-qwenGPU"), 708.0)


def tested() -> Assistant:
    """Step 4: the launch of the examples, passed."""
    document = json.loads((EXAMPLES / "dot.json").read_text(encoding="utf-8"))
    launch = launch_kernel((EXAMPLES / "dot.cu").read_text(encoding="utf-8"), "dot.cu", document, FastMachine())
    return (
        built()
        .go(Step.SELF_TEST)
        .tested({"id": "0001", "hash": HASH}, tuple(str(TOKENS.tokens[number]) for number in launch.generated))
    )


def trace() -> tuple[float, ...]:
    """Bytes a second with a gap."""
    chance = random.Random(4)
    return (
        *(19e6 + 3e6 * chance.random() for _ in range(40)),
        4e6,
        0,
        0,
        0,
        0,
        9e6,
        *(23e6 + 3.2e6 * chance.random() for _ in range(74)),
    )


def folders(root: Path) -> Paths:
    """Folders of a user below `root`."""
    return Paths(root / "config", root / "cache", root / "data", root / "logs")
