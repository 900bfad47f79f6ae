"""Dialogues: what is trained on, drawn from the tables by a seeded source."""

from dataclasses import dataclass

from builder.embedded.chat import Turn
from builder.embedded.expressions import Call, ExpressionError, Value, evaluate, parse, write
from builder.embedded.followups import make_followup
from builder.embedded.forms import Request, choose, make_request
from builder.embedded.frames import dress
from builder.embedded.numbers import NumberSource
from builder.embedded.problems import PROBLEMS, make_problem
from builder.embedded.replies import continuation
from builder.embedded.steps import make_steps
from builder.embedded.tables import read_forms
from builder.embedded.talk import BEYOND, TALKS, make_talk, with_decimal

FIELDS = ("arithmetic", "theory", "lists", "vectors", "comparisons", "bits")
FORMS = [form for field in FIELDS for form in read_forms(field)]
# How often a question is of one step, of two steps, or a word problem.
REQUEST_KINDS = {"form": 0.72, "steps": 0.17, "problem": 0.11}
# How often a dialogue is of a kind, by the name of the mix. "wide" is for learning the wordings. "paired" is for telling two
# questions apart: numbers of the turn before must be found where they are meant, and left alone where they are not.
MIXES = {
    "wide": {
        "talk": 0.22,
        "question": 0.52,
        "talk, question": 0.04,
        "question, follow-up": 0.16,
        "question, talk": 0.02,
        "question, question": 0.04,
    },
    "paired": {
        "talk": 0.17,
        "question": 0.26,
        "talk, question": 0.05,
        "question, follow-up": 0.17,
        "question, talk": 0.03,
        "question, question": 0.32,
    },
}
# A result longer than this, in letters, ends its dialogue.
LONGEST_SHOWN = 60
# Of what is said without a call, how much is a request with a decimal number; of the rest, how much is dressed.
DECIMAL_SHARE, DRESSED_SHARE = 0.08, 0.7
# A factorial of a factorial or 9 to the power 999 must not stop the generator.
_LARGEST_INPUT = {"factorial": 30, "fib": 200, "primes": 2000, "isprime": 10**10, "collatz": 10**10, "shl": 64}


@dataclass(frozen=True)
class Answered:
    """A turn and the value behind it; no value where nothing was computed or the result is too large to show."""

    turn: Turn
    value: Value | None


def _affordable(tree: object) -> bool:
    if isinstance(tree, list):
        return all(map(_affordable, tree))
    if not isinstance(tree, Call):
        return True
    limit = _LARGEST_INPUT.get(tree.name)
    if limit is not None:
        try:
            last = evaluate(tree.arguments[-1])
        except ExpressionError:
            return False
        if isinstance(last, list) or not 0 <= last <= limit:
            return False
    return all(map(_affordable, tree.arguments))


def answer(text: str, call: str) -> Answered:
    """The whole turn of a request: call, result, and how the sentence goes on."""
    tree = parse(call)
    try:
        value = evaluate(tree) if _affordable(tree) else None
    except ExpressionError:
        value = None
    if value is None or not isinstance(tree, Call):
        return Answered(Turn(text, "", call), None)
    return Answered(Turn(text, continuation(tree, value), call, _result(tree, value)), value)


def _result(tree: Call, value: Value) -> str:
    """The result as the host writes it: a mean with its remainder."""
    if tree.name != "mean":
        return write(value)
    numbers = evaluate(tree.arguments[0])
    if not isinstance(numbers, list) or not isinstance(value, int):
        raise ExpressionError("a mean is that of a list")
    return f"{value} remainder {sum(numbers) - value * len(numbers)}"


def _kind(source: NumberSource, shares: dict[str, float]) -> str:
    return source.random.choices(list(shares), weights=list(shares.values()))[0]


def _request(source: NumberSource) -> Request:
    kind = _kind(source, REQUEST_KINDS)
    if kind == "form":
        return make_request(choose(source.random, FORMS), source)
    if kind == "steps":
        return make_steps(source, source.random)
    return make_problem(choose(source.random, list(PROBLEMS)), source)


def make_single(source: NumberSource) -> Answered:
    """One question that is answered by a call."""
    request = _request(source)
    return answer(dress(source.random, request.text), request.call)


def make_smalltalk(source: NumberSource) -> Turn:
    """Something said that is answered without a call."""
    random = source.random
    if random.random() < DECIMAL_SHARE:
        text = with_decimal(random, make_request(choose(random, FORMS), source).text)
        if text is not None:
            return Turn(text, BEYOND)
    talk = random.choices(TALKS, weights=[talk.weight for talk in TALKS])[0]
    text, reply = make_talk(source, talk)
    if random.random() < DRESSED_SHARE:
        text = dress(random, text)
    return Turn(text, reply)


def make_dialogue(source: NumberSource, mix: str = "wide") -> list[Turn]:
    """One training dialogue of one turn or two, of a kind drawn from the mix. A turn without a reply ends at its call."""
    kind = _kind(source, MIXES[mix])
    if kind == "talk":
        return [make_smalltalk(source)]
    first = make_single(source)
    if kind == "question":
        return [first.turn]
    if kind == "talk, question":
        return [make_smalltalk(source), make_single(source).turn]
    if first.value is None or len(first.turn.result) > LONGEST_SHOWN:
        return [first.turn]
    if kind == "question, question":
        return [first.turn, make_single(source).turn]
    if kind == "question, follow-up":
        followup = make_followup(first.turn, first.value, source)
        if followup is not None:
            return [first.turn, answer(dress(source.random, followup.text), followup.call).turn]
    return [first.turn, make_smalltalk(source)]
