"""What is said without a call: greetings, thanks, what it is, polite refusals, questions back."""

import re
from dataclasses import dataclass
from random import Random

from builder.embedded.forms import fill_text
from builder.embedded.numbers import NumberSource, Written, spell, spell_ordinal
from builder.embedded.tables import read_blocks, read_words
from builder.embedded.templates import expand

HELLO = "Hello! I am the small built-in model. Ask me for exact whole-number maths, such as: sort 5, 3, 9."
FINE = "All my layers are fine, thank you. What shall I compute?"
ABOUT = (
    "I am a tiny language model with a GPU in my layers. "
    "I compute exactly with whole numbers, lists, vectors, matrices and bits."
)
HOW = "I only write the call. The layers in front of mine compute it, token by token; click the value to see the launch."
THANKS = "You are welcome!"
BYE = "Goodbye!"
REFUSAL = "I am only a small built-in model for exact whole-number maths, so I cannot help with that. Qwen, a download, can."
BEYOND = "That is beyond my functions: I compute with whole numbers only and cannot do this one. Qwen, a download, may help."
MISSING = "Which numbers? Please write them into your question."


@dataclass(frozen=True)
class Talk:
    """Ways to say something, and the reply."""

    reply: str
    wordings: tuple[str, ...]
    weight: float


_WORDS = read_words()
_REPLIES = {
    "HELLO": HELLO,
    "FINE": FINE,
    "ABOUT": ABOUT,
    "HOW": HOW,
    "THANKS": THANKS,
    "BYE": BYE,
    "REFUSAL": REFUSAL,
    "BEYOND": BEYOND,
    "MISSING": MISSING,
}
TALKS = tuple(Talk(_REPLIES[block.keys["reply"]], tuple(block.wordings), block.weight) for block in read_blocks("talk"))


_SYLLABLES = tuple(consonant + vowel for consonant in "bdgklmnprstvz" for vowel in "aeiou")
_ENDINGS = ("", "n", "r", "s", "t", "x", "lk", "nd", "rt", "sh", "ck", "ng")


def _invented(random: Random) -> str:
    """A word that nobody has: what is unknown must be refused, whatever it is."""
    return "".join(random.choices(_SYLLABLES, k=random.randint(1, 3))) + random.choice(_ENDINGS)


def _formula(random: Random) -> str:
    """A formula with a letter in it."""
    letter, few = random.choice("xxxyznt"), [str(random.randint(2, 12)) for _ in range(3)]
    powers = (
        letter,
        f"{letter}^{few[0]}",
        f"{few[1]}{letter}",
        f"{few[1]}{letter}^{few[0]}",
        f"{letter} squared",
        f"{random.choice(('sin', 'cos', 'tan', 'exp', 'log', 'ln', 'sqrt'))}({letter})",
        f"e^{letter}",
        f"1/{letter}",
        f"({letter} + {few[0]})^{few[1]}",
        f"({letter} - {few[0]})({letter} + {few[1]})",
        f"(a + b)^{few[0]}",
    )
    first = random.choice(powers)
    if random.random() < 0.4:
        return first
    return f"{first} {random.choice('+-')} {random.choice((*powers, few[2], few[2]))}"


def _year(random: Random) -> int:
    return random.choice((random.randint(1900, 2030), random.randint(1000, 2100)))


def _values(source: NumberSource) -> dict[str, Written]:
    random = source.random

    def text(value: object) -> Written:
        return Written(str(value), str(value))

    return {
        "noun": text(_invented(random) if random.random() < 0.12 else random.choice(_WORDS["nouns"])),
        "odd": text(_invented(random)),
        "formula": text(_formula(random)),
        "brand": text(random.choice(_WORDS["brands"])),
        "proto": text(random.choice(_WORDS["protocols"])),
        "math": text(random.choice(_WORDS["mathwords"])),
        "device": text(random.choice(_WORDS["devices"])),
        "place": text(random.choice(_WORDS["places"])),
        "name": text(random.choice(_WORDS["names"])),
        "thing": text(random.choice(_WORDS["things"])),
        "month": text(random.choice(_WORDS["months"])),
        "weekday": text(random.choice(_WORDS["weekdays"])),
        "n": spell(random, source.natural(6)),
        "few": spell(random, random.randint(2, 12)),
        "year": text(_year(random)),
        "d": text(f"{random.randint(0, 300)}.{random.randint(0, 99)}"),
        "nth": spell_ordinal(random, random.randint(1, 30)),
        "time": text(
            f"{random.randint(0, 23)}:{random.randint(0, 59):02}"
            if random.random() < 0.7
            else f"{random.randint(1, 12)} {random.choice(('am', 'pm', 'o clock'))}"
        ),
    }


_INTEGER = re.compile(r"(?<![\w.,-])\d{1,4}(?![\w.,]\w|\w)")


def with_decimal(random: Random, text: str) -> str | None:
    """A request with one of its numbers made a decimal one, so that nothing here can compute it; None where it has none."""
    found = list(_INTEGER.finditer(text))
    if not found:
        return None
    number = random.choice(found)
    places = random.choice(("5", "25", "75", "1", "99", "95", str(random.randint(1, 99))))
    return f"{text[: number.end()]}.{places}{text[number.end() :]}"


def make_talk(source: NumberSource, talk: Talk) -> tuple[str, str]:
    """Something said, and the reply to it. Every slot of a wording is drawn afresh."""
    random = source.random
    template = expand(random, random.choice(talk.wordings))
    while "{" in template:
        start, end = template.index("{"), template.index("}") + 1
        template = template[:start] + fill_text(template[start:end], _values(source)) + template[end:]
    return template, talk.reply
