"""What is said without a call: greetings, thanks, what it is, polite refusals, questions back."""

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


def _year(random: Random) -> int:
    return random.choice((random.randint(1900, 2030), random.randint(1000, 2100)))


def _values(source: NumberSource) -> dict[str, Written]:
    random = source.random

    def text(value: object) -> Written:
        return Written(str(value), str(value))

    return {
        "noun": text(random.choice(_WORDS["nouns"])),
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


def make_talk(source: NumberSource, talk: Talk) -> tuple[str, str]:
    """Something said, and the reply to it. Every slot of a wording is drawn afresh."""
    random = source.random
    template = expand(random, random.choice(talk.wordings))
    while "{" in template:
        start, end = template.index("{"), template.index("}") + 1
        template = template[:start] + fill_text(template[start:end], _values(source)) + template[end:]
    return template, talk.reply
