"""Writes the question sets: wordings by hand, numbers from a seed, answers by Python. `python -m app.evaluation.authoring`

Whoever adds a wording adds a line here and runs this; a test refuses files that are not what this writes.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "evaluation"
LONG = 200
SILENT_SHARE = 5
"""One question in so many of the long set needs no computing."""


@dataclass(frozen=True)
class Wording:
    """A question with slots, what it is in Python, and what the slots are, in the order of its arguments.

    A slot is a range of numbers, or (length, range) for a list.
    """

    text: str
    answer: Callable[..., Any]
    slots: dict[str, range | tuple[int, range]]

    def question(self, random: Random) -> tuple[str, Any]:
        """The question with numbers in it, and its answer."""
        values = {
            name: random.choice(slot) if isinstance(slot, range) else [random.choice(slot[1]) for _ in range(slot[0])]
            for name, slot in self.slots.items()
        }
        spelled = {name: ", ".join(map(str, value)) if isinstance(value, list) else value for name, value in values.items()}
        return self.text.format(**spelled), self.answer(*values.values())


def w(text: str, answer: Callable[..., Any], **slots: range | tuple[int, range]) -> Wording:
    """A wording, in one line."""
    return Wording(text, answer, slots)


def counted(numbers: Sequence[int]) -> list[list[int]]:
    """Every number with how often it occurs."""
    return [[number, times] for number, times in sorted(Counter(numbers).items())]


NORMAL = [
    ("A bakery sells 127 rolls an hour. How many are that in 9 hours?", 127 * 9),
    ("I had 2,350 euros and spent 1,875. What is left?", 2350 - 1875),
    ("Add up 19, 7, 42 and 105 for me, please.", 19 + 7 + 42 + 105),
    ("what's 84 times 367", 84 * 367),
    ("Divide 1000 by 7 and forget the remainder.", 1000 // 7),
    ("What remains when 1000 is divided by 7?", 1000 % 7),
    ("Is 221 a prime number?", int(all(221 % d for d in range(2, 221)))),
    ("What is 2 to the power of 40?", 2**40),
    ("Sort these for me: 17, 3, 99, 12, 45", sorted([17, 3, 99, 12, 45])),
    ("Which is the largest of 318, 299, 320 and 302?", max(318, 299, 320, 302)),
    ("the greatest common divisor of 84 and 126, please", math.gcd(84, 126)),
    ("Least common multiple of 12 and 18?", math.lcm(12, 18)),
    ("What is the dot product of [2, 7, 1] and [8, 2, 8]?", 2 * 8 + 7 * 2 + 1 * 8),
    ("Compute 12 factorial.", math.factorial(12)),
    ("What is the 20th Fibonacci number?", 6765),
    ("How many ones are in the binary form of 1023?", (1023).bit_count()),
    ("Multiply the matrices [[1, 2], [3, 4]] and [[5, 6], [7, 8]].", [[19, 22], [43, 50]]),
    ("Turn the list 4, 8, 15, 16 around.", [16, 15, 8, 4]),
    ("Give me the running totals of 5, 10, 20.", [5, 15, 35]),
    ("The bitwise xor of 202 and 119?", 202 ^ 119),
    ("Good morning, how are you?", None),
    ("What is the capital of Portugal?", None),
    ("Write a short poem about the sea.", None),
    ("Thank you, that was helpful!", None),
]
ADVANCED = [
    ("Write a kernel that squares each of 3, 5, 7 and 9.", [9, 25, 49, 81]),
    ("With a CUDA kernel, count how many of 12, 7, 30, 5, 18 and 41 are even.", 3),
    ("Write and launch a kernel that computes 3x + 4y for x = [1, 2, 3] and y = [10, 20, 30].", [43, 86, 129]),
    ("Use a kernel with shared memory to add up the numbers from 1 to 32.", 528),
    ("Write a kernel that finds the largest difference between neighbours in 4, 9, 1, 16, 15.", 15),
]


def _fibonacci(n: int) -> int:
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def _collatz(n: int) -> int:
    steps = 0
    while n != 1:
        n, steps = (3 * n + 1 if n % 2 else n // 2), steps + 1
    return steps


small, middle, large = range(2, 20), range(21, 1000), range(1000, 99999)
COMPUTING = [
    w("If one box holds {a} pencils, how many pencils are in {b} boxes?", lambda a, b: a * b, a=middle, b=small),
    w("I walked {a} steps yesterday and {b} today. How many is that together?", lambda a, b: a + b, a=large, b=large),
    w("We are {a} people and {b} leave. How many stay?", lambda a, b: a - b, a=range(500, 900), b=range(20, 400)),
    w("Share {a} sweets among {b} children; how many does each get?", lambda a, b: a // b, a=middle, b=small),
    w("How many are left over when {a} eggs are packed in boxes of {b}?", lambda a, b: a % b, a=middle, b=small),
    w("{a} plus {b}?", lambda a, b: a + b, a=large, b=large),
    w("hey, what's {a} minus {b}", lambda a, b: a - b, a=middle, b=large),
    w("Can you multiply {a} by {b}?", lambda a, b: a * b, a=large, b=middle),
    w("what do I get if I divide {a} by {b}, whole part only", lambda a, b: a // b, a=large, b=middle),
    w("{a} modulo {b}", lambda a, b: a % b, a=large, b=middle),
    w("Please total these: {x}", sum, x=(6, middle)),
    w("sum of {x}", sum, x=(4, large)),
    w("My bills are {x}. What do I owe altogether?", sum, x=(5, middle)),
    w("What's the product of {x}?", math.prod, x=(3, middle)),
    w("Put {x} into ascending order", sorted, x=(6, middle)),
    w("Please sort: {x}", sorted, x=(5, large)),
    w("Which of {x} is smallest?", min, x=(5, middle)),
    w("The biggest number among {x}, please", max, x=(6, large)),
    w("Reverse this list: {x}", lambda x: x[::-1], x=(5, middle)),
    w("Which different numbers occur in {x}?", lambda x: sorted(set(x)), x=(7, range(1, 6))),
    w("How often does {v} occur in {x}?", lambda v, x: x.count(v), v=range(1, 4), x=(8, range(1, 4))),
    w("Cumulative sums of {x}", lambda x: [sum(x[:end]) for end in range(1, len(x) + 1)], x=(4, middle)),
    w("What are the differences between neighbours in {x}?", lambda x: [q - p for p, q in pairwise(x)], x=(4, middle)),
    w("dot product of [{x}] and [{y}]", lambda x, y: sum(map(int.__mul__, x, y)), x=(3, small), y=(3, small)),
    w("Add the vectors [{x}] and [{y}].", lambda x, y: list(map(int.__add__, x, y)), x=(3, middle), y=(3, middle)),
    w("Multiply each of {x} by {k}", lambda x, k: [k * entry for entry in x], x=(4, middle), k=small),
    w("gcd of {a} and {b}", math.gcd, a=middle, b=middle),
    w("What is the biggest number that divides both {a} and {b}?", math.gcd, a=middle, b=middle),
    w("lowest common multiple of {a} and {b}?", math.lcm, a=small, b=small),
    w(
        "Two buses leave every {a} and every {b} minutes. After how many minutes do they leave together again?",
        math.lcm,
        a=small,
        b=small,
    ),
    w("What's {a} to the power of {b}?", pow, a=small, b=range(2, 10)),
    w("{a} squared", lambda a: a * a, a=middle),
    w("Raise {a} to the {b}th power.", pow, a=range(2, 8), b=range(4, 9)),
    w("{a} to the {b} mod {m}", pow, a=small, b=small, m=middle),
    w("Is {a} prime?", lambda a: int(all(a % d for d in range(2, math.isqrt(a) + 1))), a=middle),
    w("{n} factorial", math.factorial, n=range(3, 16)),
    w("Fibonacci number {n}, please", _fibonacci, n=range(5, 40)),
    w("List all primes up to {n}", lambda n: [k for k in range(2, n + 1) if all(k % d for d in range(2, k))], n=range(8, 30)),
    w("How many Collatz steps does {n} need to reach 1?", _collatz, n=range(3, 30)),
    w("How many bits are set in {a}?", int.bit_count, a=large),
    w("{a} and {b}, bitwise and", int.__and__, a=middle, b=middle),
    w("bitwise or of {a} and {b}", int.__or__, a=middle, b=middle),
    w("xor {a} with {b}", int.__xor__, a=middle, b=middle),
    w("Shift {a} left by {k} bits.", int.__lshift__, a=middle, k=range(1, 12)),
    w("shift {a} right by {k} bits", int.__rshift__, a=large, k=range(1, 8)),
    w("What's the absolute value of -{a}?", lambda a: a, a=large),
    w("Negate {a}.", int.__neg__, a=middle),
    w(
        "Clamp {a} to the range from {lo} to {hi}.",
        lambda a, lo, hi: max(lo, min(hi, a)),
        a=middle,
        lo=range(21, 99),
        hi=range(100, 500),
    ),
    w("At which index, from 0, is the largest of {x}?", lambda x: x.index(max(x)), x=(5, middle)),
    w("position of the minimum in {x}, counting from 0", lambda x: x.index(min(x)), x=(5, middle)),
    w("Average of {x}, rounded down?", lambda x: sum(x) // len(x), x=(4, middle)),
    w("Count how often each value occurs in {x}", counted, x=(6, range(1, 5))),
    w("A ticket costs {a}; {b} of us go. What do we pay?", lambda a, b: a * b, a=small, b=middle),
    w("I read {a} pages a day. How many have I read after {b} days?", lambda a, b: a * b, a=middle, b=small),
    w(
        "There were {a} visitors in May and {b} in June. How many more in June?",
        lambda a, b: b - a,
        a=range(1000, 4000),
        b=range(4001, 9000),
    ),
    w("Transpose [[{x}], [{y}]].", lambda x, y: [list(pair) for pair in zip(x, y, strict=True)], x=(3, small), y=(3, small)),
    w("trace of [[{x}], [{y}]]", lambda x, y: x[0] + y[1], x=(2, middle), y=(2, middle)),
]
SILENT = [
    "hello there",
    "Who are you?",
    "What can you do?",
    "tell me a joke",
    "Thanks a lot!",
    "bye, see you tomorrow",
    "What's the tallest mountain on Earth?",
    "Which colours does the French flag have?",
    "Explain what a prime number is.",
    "Why is the sky blue?",
    "Recommend a book for a rainy day.",
    "How do I boil an egg?",
    "Translate 'good night' into Spanish.",
    "I was born in 1987 and my brother in 1991.",
    "Bus 42 was late again.",
    "My phone number ends in 5512, just so you know.",
    "Is 13 an unlucky number?",
    "What happened in 1969?",
    "Room 101 or room 102, which one has the better view?",
    "My favourite number is 7.",
    "What does the word 'factorial' mean?",
    "Who invented matrices?",
    "Are you a calculator?",
    "I have no question right now.",
    "Can you sing?",
    "Which is your favourite planet?",
    "The meeting is at 10:30 in room 4.",
    "What's the weather like?",
    "Write two sentences about spring.",
    "Sorry, I typed that by mistake.",
    "Do you like music?",
    "In which year did Columbus sail, 1492 or 1493?",
    "What is the largest animal?",
    "How does a GPU work?",
    "Why are there 24 hours in a day?",
    "Please be more polite.",
    "That was wrong, I think.",
    "Chapter 3 begins on page 57.",
    "What should I cook tonight?",
    "Is zero a natural number?",
]


def long_set(seed: int = 24) -> Iterator[tuple[str, Any]]:
    """Two hundred questions: every wording at least twice, and those that need no computing among them."""
    random = Random(seed)
    silent = list(SILENT)
    random.shuffle(silent)
    wordings = [*COMPUTING] * (LONG // len(COMPUTING) + 1)
    asked: set[str] = set()
    for number in range(LONG):
        if number % SILENT_SHARE == SILENT_SHARE - 1:
            yield silent.pop(), None
            continue
        wording = wordings.pop(0)
        text, answer = wording.question(random)
        while text in asked:
            text, answer = wording.question(random)
        asked.add(text)
        yield text, answer


def lines(name: str, questions: Sequence[tuple[str, Any]]) -> str:
    """A set as its file holds it."""
    return "".join(
        json.dumps({"id": f"{name}-{number:03}", "text": text, "answer": answer}, ensure_ascii=False) + "\n"
        for number, (text, answer) in enumerate(questions, 1)
    )


def sets() -> dict[str, str]:
    """Every set's file."""
    return {"normal": lines("normal", NORMAL), "advanced": lines("advanced", ADVANCED), "long": lines("long", list(long_set()))}


if __name__ == "__main__":
    for name, text in sets().items():
        (FOLDER / f"{name}.jsonl").write_text(text, encoding="utf-8")
