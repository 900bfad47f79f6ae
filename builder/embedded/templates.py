"""Wordings with alternatives: ``(add|sum up) {a} (and|to) {b}``, and named sets of synonyms: ``<find> the <biggest> of {L}``."""

import re
from random import Random

SYNONYMS: dict[str, tuple[str, ...]] = {
    "find": (
        "what is", "what is", "what's", "whats", "what would be", "compute", "calculate", "find", "find me", "give me",
        "tell me", "work out", "show me", "get me", "determine", "i need", "i want", "figure out", "evaluate", "say",
        "i'd like", "can you tell me", "could you give me", "do you know", "let me have", "please find", "gimme", "",
        "what do you get for", "how about", "state", "i'm looking for", "i am after", "report", "return", "output",
    ),
    "whatis": ("what is", "what's", "whats", "how much is", "how much does it make:", "compute", "calculate", "work out",
               "tell me", "give me", "", "", "evaluate", "what do you get from", "what does one get for", "solve", "find"),
    "list": ("", "", "", "", "the list ", "these: ", "these numbers: ", "the numbers ", "the following: ", "my numbers ",
             "this list: ", "the values ", "these values: ", "the sequence ", "this set: ", "the array ", "my list ",
             "all of ", "the series ", "the entries ", "the following numbers: ", "the data "),
    "item": ("number", "value", "entry", "element", "one", "item", "integer", "figure", "member", "thing"),
    "items": ("numbers", "values", "entries", "elements", "ones", "items", "integers", "figures", "members"),
    "smallest": ("smallest", "lowest", "least", "minimum", "minimal", "tiniest", "littlest", "min", "smallest", "lowest"),
    "biggest": ("biggest", "largest", "highest", "greatest", "maximum", "maximal", "max", "top", "hugest", "biggest", "largest"),
    "smaller": ("smaller", "lower", "lesser", "less", "littler"),
    "bigger": ("bigger", "larger", "greater", "higher"),
    "in": ("in", "of", "among", "from", "within", "out of", "amongst", "inside", "over"),
    "each": ("each", "every", "each of the", "all the"),
    "elementwise": ("elementwise", "element by element", "entry by entry", "item by item", "componentwise", "pairwise",
                    "position by position", "one by one", "entrywise", "element-wise", "place by place", "pair by pair",
                    "component by component", "in pairs"),
    "vectors": ("", "", "", "the vectors ", "vectors ", "the lists ", "lists ", "the two vectors ", "arrays ", "the arrays "),
    "matrix": ("", "", "the matrix ", "matrix ", "the array ", "this matrix: ", "my matrix "),
    "and": (" and ", " and ", ", ", " with ", " and ", " & "),
    "result": ("", "", "", "what do i get", "what is it", "what comes out", "how much is that", "what's the result",
               "tell me the result", "and", "what is the outcome", "then", "how much", "what have i got"),
    "index": ("index", "position", "place", "location", "spot", "slot", "offset"),
    "binary": ("in binary", "in base 2", "in base two", "as a binary number", "in its binary form", "written in binary",
               "in the binary representation", "in its bits", "in binary notation"),
    "ones": ("ones", "1s", "one bits", "set bits", "1 bits", "bits set", "bits that are 1", "bits that are on", "1's",
             "bits turned on", "active bits"),
    "who": ("i", "we", "you", "one"),
    "bitwise": ("bitwise ", "bitwise ", "binary ", "bit by bit ", "logical ", "bit-wise "),
}

_SYNONYM = re.compile(r"<(\w+)>")
_INNERMOST = re.compile(r"\(([^()]*\|[^()]*)\)")


def expand(random: Random, template: str) -> str:
    """One reading of a template: synonyms and alternatives chosen, slots left."""
    text = _SYNONYM.sub(lambda match: random.choice(SYNONYMS[match[1]]), template)
    while match := _INNERMOST.search(text):
        text = text[: match.start()] + random.choice(match[1].split("|")) + text[match.end() :]
    return re.sub(r"  +", " ", text).strip()
