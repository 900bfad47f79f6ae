"""A form: a call with slots, what may stand in the slots, and the ways to ask for it."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from builder.embedded import notations
from builder.embedded.numbers import NumberSource, Written, is_held_out, spell, spell_ordinal
from builder.embedded.templates import expand

_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Form:
    """For example call ``sub({a}, {b})``, slots ``a:int b:int``, wordings ``subtract {b} from {a}``."""

    call: str
    slots: str
    wordings: tuple[str, ...]
    weight: float = 1.0


@dataclass(frozen=True)
class Request:
    """A question in plain words and the call that answers it."""

    text: str
    call: str


@dataclass
class Shapes:
    """What the slots of one request share: the length of its vectors, the sizes of its matrices, the list just drawn."""

    vector: int
    rows: int
    inner: int
    columns: int
    # Vectors of one request are written in one notation: all of them, in order, chosen beforehand.
    brackets: tuple[str, str]
    separator: str
    last_list: list[int] = field(default_factory=list)
    last_low: int = 0


def _literal(value: list) -> str:
    return "[" + ", ".join(_literal(entry) if isinstance(entry, list) else str(entry) for entry in value) + "]"


def _shapes(source: NumberSource) -> Shapes:
    random = source.random
    brackets = random.choice(notations.BRACKETS)
    separator = ", " if brackets[0] == "(" else random.choice(notations.SEPARATORS)
    vector = random.randint(2, 4) if random.random() < 0.8 else random.randint(2, min(8, source.longest))
    rows, inner, columns = (random.choice((2, 2, 2, 3)) for _ in range(3))
    return Shapes(vector, rows, inner, columns, brackets, separator)


def _number(draw: Callable[[NumberSource, Shapes], int]) -> Callable[[NumberSource, Shapes], Written]:
    return lambda source, shapes: spell(source.random, draw(source, shapes))


def _anyhow(draw: Callable[[NumberSource, Shapes], list[int]]) -> Callable[[NumberSource, Shapes], Written]:
    def write(source: NumberSource, shapes: Shapes) -> Written:
        shapes.last_list = draw(source, shapes)
        return Written(notations.anyhow(source.random, shapes.last_list), _literal(shapes.last_list))

    return write


def _enclosed(draw: Callable[[NumberSource, Shapes], list[int]]) -> Callable[[NumberSource, Shapes], Written]:
    def write(source: NumberSource, shapes: Shapes) -> Written:
        shapes.last_list = draw(source, shapes)
        left, right = shapes.brackets
        text = left + shapes.separator.join(map(str, shapes.last_list)) + right
        return Written(text, _literal(shapes.last_list))

    return write


def _matrix(size: Callable[[Shapes], tuple[int, int]]) -> Callable[[NumberSource, Shapes], Written]:
    def write(source: NumberSource, shapes: Shapes) -> Written:
        rows, columns = size(shapes)
        digits = 2 if rows * columns > 4 else 3
        values = [source.row(columns, digits, 0.15) for _ in range(rows)]
        return Written(notations.grid(source.random, values), _literal(values))

    return write


def _low(source: NumberSource, shapes: Shapes) -> int:
    shapes.last_low = source.random.choice((0, 0, 1, -10, 10, source.natural(3), -source.natural(2)))
    return shapes.last_low if abs(shapes.last_low) < 100 else 5


def _high(source: NumberSource, shapes: Shapes) -> int:
    high = max(shapes.last_low, 5) + source.random.choice((1, 5, 10, 20, 50, source.positive(2)))
    return high - 1 if is_held_out(high) else high


def _member(source: NumberSource, shapes: Shapes) -> int:
    return source.random.choice(shapes.last_list) if source.random.random() < 0.85 else source.natural(2)


def _divisor(source: NumberSource, _: Shapes) -> int:
    number = source.random.randint(2, 12) if source.random.random() < 0.5 else source.positive(4)
    return -number if source.random.random() < 0.04 else number


def _mask(source: NumberSource, shapes: Shapes) -> list[int]:
    return [source.random.randint(0, 1) for _ in range(shapes.vector)]


SLOTS: dict[str, Callable[[NumberSource, Shapes], Written]] = {
    "int": _number(lambda source, _: source.integer()),
    "nat": _number(lambda source, _: source.natural()),
    "pos": _number(lambda source, _: source.positive()),
    "negative": _number(lambda source, _: -source.positive(5)),
    "few": _number(lambda source, _: source.random.randint(2, 20)),
    "hundred": _number(lambda source, _: source.between(2, 300)),
    "divisor": _number(_divisor),
    "shift": _number(lambda source, _: source.random.randint(1, 16)),
    "exponent": _number(lambda source, _: source.random.randint(2, 12)),
    "bigexponent": _number(lambda source, _: source.between(2, 400)),
    "base": _number(lambda source, _: source.positive(3)),
    "modulus": _number(lambda source, _: max(2, source.natural(5))),
    "index": _number(lambda source, _: source.random.randint(1, 90)),
    "nth": lambda source, _: spell_ordinal(source.random, source.random.randint(1, 90)),
    "nthpower": lambda source, _: spell_ordinal(source.random, source.random.randint(4, 20)),
    "upto20": _number(lambda source, _: source.random.randint(0, 20)),
    "upto1000": _number(lambda source, _: source.between(2, 1000)),
    "low": _number(_low),
    "high": _number(_high),
    "list": _anyhow(lambda source, _: source.row(source.length())),
    "list3": _anyhow(lambda source, _: source.row(max(3, source.length()))),
    "pair": _anyhow(lambda source, _: source.row(2)),
    "repeats": _anyhow(lambda source, _: source.repeating(max(3, source.length()))),
    "vector": _enclosed(lambda source, shapes: source.row(shapes.vector)),
    "short": _enclosed(lambda source, _: source.row(source.random.randint(2, 4), 2)),
    "kernel": _enclosed(lambda source, _: source.row(source.random.choice((2, 2, 3, 3, 4)), 1)),
    "enclosed": _enclosed(lambda source, _: source.row(source.length())),
    "mask": _enclosed(_mask),
    "member": _number(_member),
    "left": _matrix(lambda shapes: (shapes.rows, shapes.inner)),
    "right": _matrix(lambda shapes: (shapes.inner, shapes.columns)),
    "square": _matrix(lambda shapes: (shapes.rows, shapes.rows)),
    "column": _enclosed(lambda source, shapes: source.row(shapes.inner, 2)),
}


def draw(slots: str, source: NumberSource) -> dict[str, Written]:
    """Values for slots such as ``a:int L:list``, in the order given."""
    shapes = _shapes(source)
    values: dict[str, Written] = {}
    for slot in slots.split():
        name, kind = slot.split(":")
        values[name] = SLOTS[kind](source, shapes)
    return values


def fill_text(template: str, values: dict[str, Written]) -> str:
    """The wording with its slots as the user writes them."""
    return _SLOT.sub(lambda match: values[match[1]].text, template)


def fill_call(template: str, values: dict[str, Written]) -> str:
    """The call with its slots as literals."""
    return _SLOT.sub(lambda match: values[match[1]].literal, template)


def make_request(form: Form, source: NumberSource) -> Request:
    """One request of this form."""
    values = draw(form.slots, source)
    template = expand(source.random, source.random.choice(form.wordings))
    return Request(fill_text(template, values), fill_call(form.call, values))


def choose(random: Random, forms: list[Form]) -> Form:
    """A form, by weight."""
    return random.choices(forms, weights=[form.weight for form in forms])[0]
