"""A desk with chats as the pictures of the design show them, and a worker that is a fake."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from app.chats.store import ChatStore, OpenChat
from app.chatting.controller import Chatting
from app.chatting.engine import Engine
from app.paths import Paths
from app.preferences import SET_UP
from app.ui.choices import Choices
from app.ui.desk import Desk
from app.worker.protocol import Attempt, ChatResult, Context, LoadResult, Segment, Summary, Token
from tests.app.fake_client import LOADED, FakeClient

DAY = 86_400.0
LIMIT = 32_768
COLLATZ = """__global__ void collatz(const int *x, int *steps, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    unsigned v = x[i];
    int k = 0;
    while (v != 1) {
        v = (v & 1) ? 3 * v + 1 : v >> 1;
        ++k;
    }
    steps[i] = k;
}
"""
UNDECLARED = """collatz.cu:7:27: error: use of undeclared identifier 'u'
    7 |         v = (v & 1) ? 3 * u + 1 : v >> 1;
      |                           ^"""
FAULT = "fault: read x[4], but x has 4 words (thread 4, line 4)"


def word(text: str) -> Segment:
    """A stretch that the model sampled."""
    return Segment(text, "sampled")


def value(text: str, launch: str) -> Segment:
    """A stretch that a launch computed."""
    return Segment(text, "computed", launch)


def call(text: str) -> Segment:
    """A call that the model wrote."""
    return Segment(text, "sampled", None, "call")


def launch(number: str, title: str, tokens: int = 14, outputs: str = "", replay: str = "exact") -> Summary:
    """A launch's summary."""
    return Summary(number, title, tokens, 71, tokens + 71, replay, outputs, 0.2)


def answer(
    chat: OpenChat,
    question: str,
    segments: Sequence[Segment],
    launches: Sequence[Summary] = (),
    attempts: Sequence[Attempt] = (),
    context: int = 1204,
    speed: float = 41.0,
) -> str:
    """Ask and answer, as the worker would; the reply's id."""
    asked = chat.ask(question)
    reply = chat.reply(asked.id, "Qwen3.5-2B")
    for attempt in attempts:
        reply.take(attempt)
    for segment in segments:
        reply.take(Token("", segment.text, segment.source, segment.launch, segment.part))
    text = "".join(segment.text for segment in segments if segment.part == "text")
    reply.take(
        ChatResult(
            "",
            ({"role": "assistant", "text": text},),
            tuple(segments),
            tuple(launches),
            Context(context, LIMIT),
            speed,
            "complete",
        )
    )
    return reply.message


def vectors(chat: OpenChat) -> None:
    """The chat of the design's first picture."""
    answer(
        chat,
        "What is the dot product of [1, 2, 3] and [4, 5, 6]?",
        [
            call("dot([1, 2, 3], [4, 5, 6])"),
            word("The dot product is "),
            value("32", "a1"),
            word(". Multiply the numbers in pairs, then add: 4 + 10 + 18."),
        ],
        [launch("a1", "dot([1, 2, 3], [4, 5, 6])", outputs="32")],
    )
    table = (
        "\n\n| Left | Right | Dot product |\n|:--|:--|--:|\n| `[2, 0, 1]` | `[5, 7, 3]` | ",
        " |\n| `[-4, 6, 2]` | `[1, 1, 9]` | ",
        " |\n| `[12, 8, 5]` | `[3, 3, 3]` | ",
        " |\n\n",
    )
    code = (
        "```python\npairs = [([2, 0, 1], [5, 7, 3]),\n         ([-4, 6, 2], [1, 1, 9]),\n"
        "         ([12, 8, 5], [3, 3, 3])]\nfor a, b in pairs:\n    print(sum(x * y for x, y in zip(a, b)))\n```\n"
    )
    answer(
        chat,
        "Do these three pairs too. How can I check them in Python?",
        [
            call("dot(..)"),
            word("Here are all three. Together they come to "),
            value("108", "b4"),
            word(f".{table[0]}"),
            value("13", "b1"),
            word(table[1]),
            value("20", "b2"),
            word(table[2]),
            value("75", "b3"),
            word(table[3] + code),
        ],
        [
            launch("b1", "dot([2, 0, 1], [5, 7, 3])", 13, "13"),
            launch("b2", "dot([-4, 6, 2], [1, 1, 9])", 14, "20"),
            launch("b3", "dot([12, 8, 5], [3, 3, 3])", 14, "75"),
            launch("b4", "sum([13, 20, 75])", 14, "108"),
        ],
    )


def collatz(chat: OpenChat) -> None:
    """The chat of the design's picture of the advanced mode."""
    chat.choose(advanced=True, thinking=True)
    broken = COLLATZ.replace("3 * v", "3 * u")
    answer(
        chat,
        "How many Collatz steps do 27, 97, 871 and 6171 need?",
        [
            Segment("Each thread can follow one number until it is 1.", "sampled", None, "thinking"),
            word("They need "),
            value("111", "c1"),
            word(", "),
            value("118", "c1"),
            word(", "),
            value("178", "c1"),
            word(" and "),
            value("261", "c1"),
            word(" steps. 6171 takes the longest of the four."),
        ],
        [launch("c1", "collatz", 3001, "steps = [111, 118, 178, 261]")],
        [
            Attempt("", 1, broken, UNDECLARED),
            Attempt("", 2, COLLATZ.replace("i >= n", "i > n"), FAULT),
            Attempt("", 3, COLLATZ),
        ],
        context=2911,
    )


def short(title: str, values: int) -> Sequence[Segment]:
    """Some reply with so many computed values."""
    numbers = (value(str(7 * number), f"s{number}") for number in range(1, values + 1))
    return [word(f"About {title.lower()}: "), *numbers, word(".")]


def fill(store: ChatStore) -> dict[str, str]:
    """The chats of the design's sidebar; ids by title."""
    now, ids = time.time(), {}
    chats = [
        ("Explain bit masks", 8, 5.2),
        ("Histogram of test scores", 5, 4.1),
        ("3 × 3 matrix by hand", 9, 3.0),
        ("Letter to the landlord", 0, 1.2),
        ("Is 1,000,003 prime?", 1, 1.1),
        ("Shopping list, 14 items", 1, 1.05),
        ("Rename files by date", 0, 0.002),
        ("Collatz steps", 4, 0.001),
        ("Vectors and dot products", 5, 0.0),
        ("Dice odds for game night", 6, 2.0),
    ]
    real = store.clock
    for title, count, days in chats:
        store.clock = lambda at=now - days * DAY: at
        chat = store.create()
        if title == "Vectors and dot products":
            vectors(chat)
        elif title == "Collatz steps":
            collatz(chat)
        else:
            answer(chat, f"{title}, please", short(title, count))
        chat.rename(title)
        chat.pin(title.startswith("Dice"))
        ids[title] = chat.state.id
    store.clock = real
    return ids


def make_desk(folder: Path, client: FakeClient | None = None) -> tuple[Desk, FakeClient]:
    """A desk in a folder of its own; nothing is loaded until `engine.open` is awaited."""
    paths = Paths(folder / "config", folder / "cache", folder / "data", folder / "logs")
    choices = Choices(paths.settings)
    choices.set(SET_UP, True)
    store = ChatStore.open(paths.chats, paths.chat_index)
    client = client or FakeClient({"load": lambda call: [qwen()]})
    engine = Engine(client)
    client.on_exit = engine.died
    return Desk(paths, choices, store, engine, Chatting(store, engine)), client


def qwen() -> LoadResult:
    """Qwen3.5-2B, built."""
    checkpoint = type(LOADED.checkpoint)("Qwen3.5-2B-qwenGPU", "9f3c51d27a", "built", "Qwen3.5-2B", (45, 24))
    return LoadResult("", checkpoint, "mps", "mps", LIMIT)
