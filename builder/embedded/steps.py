"""Questions of two steps: something said of the result of something else, in one call."""

from random import Random

from builder.embedded.forms import Form, Request, draw, fill_call, fill_text
from builder.embedded.numbers import NumberSource
from builder.embedded.tables import read_forms
from builder.embedded.templates import expand

# Phrases that name a number or a list; an outer phrase says something about it as {X}.
NUMBERS = read_forms("step_numbers")
LISTS = read_forms("step_lists")
OF_NUMBER = read_forms("steps_of_number")
OF_LIST = read_forms("steps_of_list")
# Whole questions of two steps whose wording is one piece.
WHOLE = read_forms("steps_whole")


def _nested(outer: Form, inner: dict[str, Request], source: NumberSource) -> Request:
    values = draw(outer.slots, source)
    text, call = expand(source.random, source.random.choice(outer.wordings)), outer.call
    for name, request in inner.items():
        text, call = text.replace("{" + name + "}", request.text), call.replace("{" + name + "}", request.call)
    return Request(fill_text(text, values), fill_call(call, values))


def _phrase(forms: tuple[Form, ...], source: NumberSource) -> Request:
    form = source.random.choice(forms)
    values = draw(form.slots, source)
    return Request(fill_text(expand(source.random, source.random.choice(form.wordings)), values), fill_call(form.call, values))


def make_steps(source: NumberSource, random: Random) -> Request:
    """One question of two steps."""
    kind = random.random()
    if kind < 0.42:
        outer = random.choices(WHOLE, weights=[form.weight for form in WHOLE])[0]
        return _nested(outer, {name: _phrase(NUMBERS, source) for name in ("X", "Y")}, source)
    forms, phrases = (OF_NUMBER, NUMBERS) if kind < 0.76 else (OF_LIST, LISTS)
    outer = random.choices(forms, weights=[form.weight for form in forms])[0]
    return _nested(outer, {"X": _phrase(phrases, source)}, source)
