"""What chats cost: opening the store, listing and searching 1,000 chats, opening one of 500 messages, saving.

Run by hand: `python -m tests.bench.bench_chats [CHATS]`. Prints milliseconds of processor time of one core, the best and the
middle of several runs; a search may take 100. The texts are random words of a few thousand, every seventh chat in Chinese.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time

from app.chats import journal
from app.chats.model import Segment
from app.chats.records import header
from app.chats.store import ChatStore

MESSAGES = 20
"""Messages of an ordinary chat, half of them replies."""


def main(count: int) -> None:
    """Measure and print."""
    chance = random.Random(1)
    words = [
        "".join(
            chance.choice("etaoinshrdlucmfwypvbgkqjxz"[: int(chance.random() ** 2 * 26) + 1])
            for _ in range(chance.randint(2, 9))
        )
        for _ in range(8000)
    ]
    weights = [1 / (place + 1) for place in range(len(words))]

    def text(number: int) -> str:
        if number % 7 == 6:
            return "".join(chr(0x4E00 + int(chance.random() ** 3 * 3000)) for _ in range(chance.randint(50, 600)))
        return " ".join(chance.choices(words, weights, k=chance.randint(20, 200)))

    with tempfile.TemporaryDirectory() as place:
        folder, index = Path(place) / "chats", Path(place) / "index"
        letters = sum(write(folder, number, MESSAGES, text) for number in range(count))
        write(folder, count, 500, text)
        print(f"{count:,} chats of {MESSAGES} messages, {letters / 1e6:.1f} million characters, and one of 500 messages\n")
        print(f"{'':44}{'best':>8}{'middle':>8}  ms")
        show("open the store, index made anew", 1, lambda: ChatStore.open(folder, index).close())
        show("open the store", 5, lambda: ChatStore.open(folder, index).close())
        store = ChatStore.open(folder, index)
        show("list all chats", 5, store.summaries)
        show("first search (texts are read)", 1, lambda: store.search("nothingofit"))
        for query in ("e", words[3], words[500][:2], words[7000], f"{words[10]} {words[300]}", "nothingofit", "一丁", "丂丄万"):
            show(f"search {query!r} ({len(store.search(query))} found)", 5, lambda query=query: store.search(query))
        long = f"chat{count}"
        show("open a chat of 500 messages", 5, lambda: (store._open.pop(long, None), store.chat(long)))
        chat = store.chat(long)
        show("save a question in it", 5, lambda: chat.ask("one more question"))
        reply = chat.reply(chat.ask("q").id)
        show("keep a token of a reply", 200, lambda: reply.add(Segment("token ")))
        reply.stop()
        store.close()


def write(folder: Path, number: int, messages: int, text: Callable[[int], str]) -> int:
    """A chat's file; its characters."""
    records, letters = [header(f"chat{number}", float(number))], 0
    for place in range(messages):
        said, parent = text(number), f"m{place - 1}" if place else None
        letters += len(said)
        head = {"at": float(number), "id": f"m{place}", "parent": parent}
        if place % 2 == 0:
            records.append({"kind": "question", **head, "text": said})
        else:
            records += [
                {"kind": "reply", **head},
                {"kind": "part", **head, "segments": [{"text": said}]},
                {"kind": "end", **head, "ended": "complete"},
            ]
    folder.mkdir(exist_ok=True)
    (folder / f"chat{number}.jsonl").write_bytes(b"".join(map(journal.encode, records)))
    return letters


def show(title: str, runs: int, action: Callable[[], object]) -> None:
    """Measure an action and print its line."""
    times = []
    for _ in range(runs):
        started = process_time()
        action()
        times.append((process_time() - started) * 1000)
    print(f"{title:44}{min(times):8.2f}{statistics.median(times):8.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
