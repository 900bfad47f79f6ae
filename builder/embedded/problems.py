"""Word problems of one step: people, things, prices, journeys."""

from random import Random

from builder.embedded.forms import Form, Request, draw, fill_call, fill_text
from builder.embedded.numbers import NumberSource, Written
from builder.embedded.tables import read_forms, read_words
from builder.embedded.templates import expand

_WORDS = read_words()
PROBLEMS = read_forms("problems")


def _people(random: Random) -> dict[str, Written]:
    person, other = random.sample(_WORDS["people"], 2)
    day, other_day = random.sample(_WORDS["weekdays"], 2)
    words = {
        "person": person,
        "other": other,
        "thing": random.choice(_WORDS["countable"]),
        "group": random.choice(_WORDS["groups"]),
        "human": random.choice(_WORDS["humans"]),
        "day": day,
        "day2": other_day,
    }
    return {name: Written(word, word) for name, word in words.items()}


def make_problem(form: Form, source: NumberSource) -> Request:
    """One word problem of this form."""
    values = draw(form.slots, source) | _people(source.random)
    template = expand(source.random, source.random.choice(form.wordings))
    return Request(fill_text(template, values), fill_call(form.call, values))
