"""What people put around a question, and how they mistype it."""

import re
from random import Random

from builder.embedded.numbers import ORDINALS, WORDS

BEFORE = (
    "hey, ",
    "hi, ",
    "please ",
    "pls ",
    "could you ",
    "can you ",
    "quick question: ",
    "ok so ",
    "um ",
    "so ",
    "hello, ",
    "hello! ",
    "just ",
    "now ",
    "would you ",
    "question: ",
    "can u ",
    "i'm trying to know: ",
    "ok, ",
    "next: ",
    "also ",
    "and ",
    "well, ",
    "hmm, ",
    "help me: ",
    "my teacher asks: ",
    "one more: ",
    "for my homework: ",
    "i wonder, ",
    "tell me: ",
    "say, ",
    "dear model, ",
    "hey there, ",
    "good evening, ",
    "could you tell me, ",
    "i would like to know: ",
    "maybe you know: ",
    "sorry, ",
    "let me ask: ",
    "oh and ",
    "alright, ",
    "with your gpu, ",
    "in your layers, ",
    "on the machine: ",
    "for fun: ",
    "as a test: ",
    "if you can, ",
    "here is one: ",
    "my kid asks ",
    "i forgot, ",
    "Hi! ",
    "Please, ",
    "first question: ",
    "I have a question. ",
    "Calculate for me: ",
    "task: ",
    "exercise: ",
    "q: ",
)
AFTER = (
    "?",
    "?",
    "?",
    "?",
    ".",
    ".",
    "!",
    " please",
    " please?",
    " thanks",
    " for me",
    " pls",
    " asap",
    " right now",
    " =?",
    " thank you",
    " now",
    " for me please",
    "??",
    " quickly",
    " if you can",
    " i need it for school",
    " thx",
    "...",
    " exactly",
    " on the gpu",
    " lol",
    " :)",
    ", can you do that?",
    ", what do you say?",
    ", just the result",
    ", thanks in advance",
    " ?",
    "? thanks!",
    ", please and thank you",
    " then",
    ", quick",
    ". Thank you!",
    "? I need it today",
    ", my friend",
    "? explain nothing",
    ", i beg you",
    " again",
)
FILLERS = (
    "really",
    "just",
    "maybe",
    "then",
    "here",
    "actually",
    "kindly",
    "you know",
    "i think",
    "perhaps",
    "simply",
    "quite",
    "again",
    "like",
    "uh",
    "please",
    "well",
    "hmm",
    "exactly",
    "now",
)
_WORD = re.compile(r"[a-zA-Z]{5,}")
# A number must stay the number it was.
_PRECISE = {*WORDS, *ORDINALS, "minus", "negative"}


def mistype(random: Random, text: str) -> str:
    """The text with one letter of one longer word lost, doubled or swapped with its neighbour."""
    words = [word for word in _WORD.finditer(text) if word[0].lower() not in _PRECISE]
    if not words:
        return text
    word = random.choice(words)
    place = random.randrange(word.start() + 1, word.end() - 1)
    kind = random.random()
    if kind < 0.4:
        return text[:place] + text[place + 1 :]
    if kind < 0.6:
        return text[:place] + text[place] + text[place:]
    return text[:place] + text[place + 1] + text[place] + text[place + 2 :]


def fill_in(random: Random, text: str) -> str:
    """The text with a filler between two words; never between numbers, where it could part a list."""
    gaps = [match.start() for match in re.finditer(r"(?<=[a-z]) (?=[a-z])", text)]
    if not gaps:
        return text
    gap = random.choice(gaps)
    return f"{text[:gap]} {random.choice(FILLERS)}{text[gap:]}"


def dress(random: Random, text: str) -> str:
    """A question as somebody types it: greeting before, thanks behind, capitals, a slip of the finger."""
    if random.random() < 0.36:
        text = random.choice(BEFORE) + text
    if random.random() < 0.62:
        text += random.choice(AFTER)
    if random.random() < 0.07:
        text = fill_in(random, text)
    if random.random() < 0.07:
        text = mistype(random, text)
    case = random.random()
    if case < 0.4:
        return text[:1].upper() + text[1:]
    # Hexadecimal numbers are copied as they stand, so text that holds one keeps its small letters.
    return text.upper() if case < 0.43 and "0x" not in text else text
