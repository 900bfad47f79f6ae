"""The wordings lie in text files, so that adding one is adding a line; here they are read.

A table is blocks between blank lines. A block begins with ``call:`` (or ``reply:`` for talk) and may have ``slots:``,
``weight:``, and ``nouns:`` with ``argument:`` for all the sentences that ask for "the NOUN of ARGUMENT"; every other line is
one wording, in the notation of templates.py. ``define NAME = TEXT`` puts TEXT where a wording says ``$NAME$``; lines that
begin with ``#`` say nothing.
"""

from dataclasses import dataclass, field
from pathlib import Path

from builder.embedded.forms import Form

FOLDER = Path(__file__).resolve().parent / "tables"
_KEYS = ("call", "reply", "slots", "weight", "nouns", "argument")


@dataclass
class Block:
    """One block of a table as it stands in the file."""

    keys: dict[str, str] = field(default_factory=dict)
    wordings: list[str] = field(default_factory=list)

    @property
    def weight(self) -> float:
        """How often it is drawn, beside others."""
        return float(self.keys.get("weight", "1"))


def read_blocks(name: str) -> list[Block]:
    """The blocks of a table."""
    blocks: list[Block] = []
    names: dict[str, str] = {}
    for line in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition(": ")
        if line.startswith("define "):
            word, _, text = line.removeprefix("define ").partition(" = ")
            names[f"${word}$"] = text
        elif key in ("call", "reply"):
            blocks.append(Block({key: value}))
        elif key in _KEYS:
            blocks[-1].keys[key] = value
        elif line and not line.startswith("#"):
            for word, text in names.items():
                line = line.replace(word, text)
            blocks[-1].wordings.append(line)
    return blocks


def read_words() -> dict[str, list[str]]:
    """The words that fill slots such as {noun} and {person}, by kind."""
    lines = (FOLDER / "words.txt").read_text(encoding="utf-8").splitlines()
    return {kind: words.split() for kind, _, words in (line.partition(": ") for line in lines if not line.startswith("#"))}


def read_forms(name: str) -> tuple[Form, ...]:
    """The forms of a table."""
    return tuple(_form(block) for block in read_blocks(name))


def _form(block: Block) -> Form:
    nouns = noun_phrases(block.keys["nouns"], block.keys["argument"]) if "nouns" in block.keys else ()
    return Form(block.keys["call"], block.keys.get("slots", ""), (*nouns, *block.wordings), block.weight)


def noun_phrases(nouns: str, argument: str) -> tuple[str, ...]:
    """Wordings that ask for ``the NOUN of ARGUMENT``; nouns are alternatives, argument has the slots."""
    noun, it = f"({nouns}|{nouns.split('|')[0]})", argument
    return (
        f"<find> the {noun} (of|of|for) {it}",
        f"<find> the {noun} (of|of|for) {it}",
        f"<find> {noun} (of|for) {it}",
        f"{noun} of {it}",
        f"{noun}(:| |: ){it}",
        f"{noun} for {it}",
        f"(given|for|with|from|using|on) {it}, <find> the {noun}",
        f"{it}(:|,|;| -) (the |their |its ||){noun}",
        f"(for|with|given) {it}, what (would|might|will) (the|their|its) {noun} be",
        f"(take|consider|look at|we have|here are|here is|i've got|there are|let's say) {it}(.|;|,| and) "
        f"(<find>|now) (the|their) {noun}",
        f"i (have|got|have got) {it} and (need|want|would like|am after|look for) (the|their) {noun}",
        f"the {noun} of {it}, (please|what is it|how much is it|if you can|what's that)",
        f"(can|could|would) you (find|work out|compute|tell me|give me|get|figure out|determine) the {noun} (of|for) {it}",
        f"i'm (looking for|after|trying to find|searching) the {noun} (of|for) {it}",
        f"(let's|let us|i'd love to) (get|find|see|have|know) the {noun} (of|for) {it}",
        f"what {noun} (do|does) {it} have",
        f"(which|what) {noun} (belongs to|comes from|results from) {it}",
        f"do (a|the) {noun} (on|of|for|with) {it}",
        f"(how (much|large|big)|what) is the {noun} of {it}",
        f"my {noun} for {it} should be what",
        f"{it} is what i have, {noun} is what i (need|want)",
    )
