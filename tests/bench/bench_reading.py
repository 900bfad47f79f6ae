"""What keeping the state of a prompt saves: python -m tests.bench.bench_reading [TURNS]

A conversation with the built-in model grows by a turn at a time. For each turn: the tokens of its prompt, how many of them
were read where states are kept, and the milliseconds of both ways of reading. Then a regenerated and an edited last question.
"""

from __future__ import annotations

import sys
import time

from app.compute.library import load_library
from app.conversation.carried import load_carried
from app.conversation.messages import Message
from app.conversation.textmodel import EmbeddedText
from builder.embedded.files import FOLDER


def reading(model: EmbeddedText, tokens: list[int]) -> tuple[int, float]:
    """Tokens read, and milliseconds of this thread."""
    count, read = 0, model._model.read

    def counting(tokens, memory):
        nonlocal count
        count += len(tokens)
        return read(tokens, memory)

    model._model.read = counting
    began = time.thread_time()
    model.begin(tokens)
    seconds = time.thread_time() - began
    model._model.read = read
    return count, 1e3 * seconds


def compare(kept: EmbeddedText, fresh: EmbeddedText, name: str, messages: list[Message]) -> None:
    """A line of the table."""
    tokens = kept.prompt(messages)
    read, fast = reading(kept, tokens)
    fresh._kept.clear()
    fresh._now.tokens.clear()
    _, slow = reading(fresh, tokens)
    print(f"{name:<22}{len(tokens):>9}{read:>9}{fast:>12.1f}{slow:>12.1f}{slow / fast:>9.1f}")


def main(turns: int) -> None:
    """Print the table."""
    kept, fresh = (load_carried(FOLDER, load_library()) for _ in range(2))
    print(f"{'turn':<22}{'prompt':>9}{'read':>9}{'kept, ms':>12}{'anew, ms':>12}{'ratio':>9}")
    history: list[Message] = []
    for number in range(1, turns + 1):
        asked = [*history, Message("user", f"what is {number * 37} times {number + 12}?")]
        compare(kept, fresh, str(number), asked)
        history = [
            *asked,
            Message("assistant", "", f"mul({number * 37}, {number + 12})"),
            Message("tool", "481"),
            Message("assistant", "481 is the product."),
        ]
        kept.feed(kept.encode("481 is the product."))
    compare(kept, fresh, "regenerated", asked)
    compare(kept, fresh, "edited", [*asked[:-1], Message("user", "and what is 5 plus 6?")])


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 12)
