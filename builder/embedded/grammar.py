"""What may stand in a call, decided letter by letter: known functions, right arguments, only numbers that the user wrote."""

import re
from dataclasses import dataclass, field

from builder.embedded.numbers import ORDINALS, WORDS
from builder.embedded.signatures import SIGNATURES

# Numbers that wordings imply: "even" is mod 2, "double" times 2, "the last digit" modulo 10.
IMPLIED = ("0", "1", "2", "3", "4", "10", "100")
_WORDS = {word: number for words in (ORDINALS, WORDS) for number, word in enumerate(words)}
_NUMBER = re.compile(
    r"(?P<decimal>\d+\.\d+)|(?P<hex>0[xX][0-9a-fA-F]+)|(?P<thousands>\d{1,3}(?:,\d{3})+)(?!\d|,\d)|(?P<digits>\d+)"
    r"|\b(?P<word>" + "|".join(_WORDS) + r")\b",
    re.IGNORECASE,
)
_SIGN = re.compile(r"(?:[-−–]|\b(?:minus|negative))\s?\(?$", re.IGNORECASE)
_LITERAL = re.compile(r"-?(?:0x[0-9a-f]*|\d*)")
_NAME = re.compile(r"[a-z0-9]+")


def written_numbers(text: str) -> list[list[frozenset[str]]]:
    """The numbers of a text in order, each as the literals it may become; twice where commas may part or join."""
    joined: list[frozenset[str]] = []
    parted: list[frozenset[str]] = []
    for match in _NUMBER.finditer(text):
        if match["decimal"]:
            continue
        signs = ("", "-") if _SIGN.search(text[: match.start()]) else ("",)
        literals = _literals(match)
        joined.append(frozenset(sign + literal for sign in signs for literal in literals))
        if match["thousands"]:
            groups = match["thousands"].split(",")
            parted += [
                frozenset(sign + str(int(groups[0])) for sign in signs),
                *(frozenset((str(int(g)),)) for g in groups[1:]),
            ]
        else:
            parted.append(joined[-1])
    return [joined] if joined == parted else [joined, parted]


def _literals(match: re.Match) -> tuple[str, ...]:
    if match["hex"]:
        return match["hex"].lower(), str(int(match["hex"], 16))
    if match["word"]:
        return (str(_WORDS[match["word"].lower()]),)
    return (str(int(match[0].replace(",", ""))),)


@dataclass
class _Frame:
    """An open bracket: a call with its arguments so far, or a list with its entries so far."""

    name: str
    filled: int = 0
    nested: bool = False
    entries: list[str] = field(default_factory=list)

    @property
    def is_list(self) -> bool:
        return self.name == "["


class CallGrammar:
    """Calls over the numbers of the given texts: the question, and what was said and computed before."""

    def __init__(self, *texts: str) -> None:
        self._streams = [stream for text in texts for stream in written_numbers(text)]
        written = {literal for stream in self._streams for literals in stream for literal in literals}
        # An implied 10 where the user wrote 1000 would be a number cut off.
        cut = {implied for implied in IMPLIED if len(implied) > 1 and any(w.startswith(implied) for w in written)}
        self._single = written | (set(IMPLIED) - cut)

    def allows(self, prefix: str) -> bool:
        """Whether a valid call can begin like this."""
        return self._scan(prefix) is not None

    def complete(self, text: str) -> bool:
        """Whether this is a whole valid call."""
        return self._scan(text) is True

    def _scan(self, text: str) -> bool | None:
        """True for a whole call, False for the beginning of one, None for neither."""
        stack: list[_Frame] = []
        place, value_next = 0, True
        while place < len(text):
            if not stack and not value_next:
                return None
            if value_next:
                step = self._value(text, place, stack)
                if step is None or (step[0] == len(text) and step[1] is None):
                    return None if step is None else False
                place, value_next = step[0], bool(step[1])
            elif text.startswith(", ", place) or text[place:] == ",":
                if not self._goes_on(stack[-1]):
                    return None
                place, value_next = place + 2, True
            else:
                if not _closes(text[place], stack[-1]):
                    return None
                stack.pop()
                if stack:
                    stack[-1].filled += 1
                place += 1
        return not stack and not value_next

    def _goes_on(self, frame: _Frame) -> bool:
        """Whether anything can follow a comma: a further argument, a row, or a number that the user wrote next."""
        if not frame.is_list:
            return frame.filled < len(SIGNATURES[frame.name].arguments)
        return frame.nested or self._known("", frame.entries, False)

    def _value(self, text: str, place: int, stack: list[_Frame]) -> tuple[int, bool | None] | None:
        """Reads a value's beginning: (where it goes on, whether a value follows, None if the text ends within)."""
        rest, top = text[place:], stack[-1] if stack else None
        kind = _kind(stack)
        if rest[0].isalpha():
            name = _NAME.match(rest)
            if name is None or (top is not None and top.is_list):
                return None
            fitting = [known for known in SIGNATURES if _fits(SIGNATURES[known].result, kind)]
            if len(name[0]) == len(rest):
                return (len(text), None) if any(known.startswith(name[0]) for known in fitting) else None
            if name[0] not in fitting or rest[len(name[0])] != "(":
                return None
            stack.append(_Frame(name[0]))
            return place + len(name[0]) + 1, True
        if rest[0] == "[":
            if kind not in ("l", "m", "e") or (top is not None and top.is_list and top.entries):
                return None
            stack.append(_Frame("[", nested=kind == "m"))
            return place + 1, True
        literal = _LITERAL.match(rest)
        if literal is None or top is None or not literal[0] or kind not in ("i", "e"):
            return None
        whole = len(literal[0]) < len(rest)
        entries = top.entries if top.is_list else None
        if not self._known(literal[0], entries, whole):
            return None
        if not whole:
            return len(text), None
        if entries is not None:
            entries.append(literal[0])
        top.filled += 1
        return place + len(literal[0]), False

    def _known(self, literal: str, before: list[str] | None, whole: bool) -> bool:
        """Whether the user wrote this number; in a list, whether it comes right behind the entries before it."""
        if before is None:
            return literal in self._single if whole else any(known.startswith(literal) for known in self._single)
        for stream in self._streams:
            for start in range(len(stream) - len(before)):
                run = stream[start : start + len(before)]
                following = stream[start + len(before)]
                if all(entry in literals for entry, literals in zip(before, run, strict=True)) and (
                    literal in following if whole else any(known.startswith(literal) for known in following)
                ):
                    return True
        return False


def _closes(mark: str, frame: _Frame) -> bool:
    if frame.is_list:
        return mark == "]" and frame.filled > 0
    return mark == ")" and frame.filled == len(SIGNATURES[frame.name].arguments)


def _kind(stack: list[_Frame]) -> str:
    """The kind of value that comes next: at the start a call of any kind; rows in a matrix, numbers in a list."""
    if not stack:
        return "call"
    if stack[-1].is_list:
        return "l" if stack[-1].nested else "i"
    arguments = SIGNATURES[stack[-1].name].arguments
    return arguments[stack[-1].filled][1] if stack[-1].filled < len(arguments) else "none"


def _fits(result: str, kind: str) -> bool:
    return kind == "call" or result == kind or (kind in "il" and result == "e") or (kind == "e" and result in "il")
