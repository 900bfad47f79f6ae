"""Inside a call only what is a call over the user's own numbers may come next."""

from random import Random

import pytest

from builder.embedded.dialogue import make_single
from builder.embedded.grammar import CallGrammar
from builder.embedded.numbers import NumberSource


def reachable(grammar: CallGrammar, call: str) -> bool:
    return grammar.complete(call) and all(grammar.allows(call[:end]) for end in range(1, len(call)))


def test_every_generated_call_can_be_written():
    source = NumberSource(Random(3))
    for _ in range(600):
        turn = make_single(source).turn
        assert reachable(CallGrammar(turn.user), turn.call), turn


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("add 3 and 4", "add(3, 4)"),
        ("12,500 plus 3,750", "add(12500, 3750)"),
        ("sum of 100,200,300", "sum([100, 200, 300])"),
        ("seven minus minus five", "sub(7, -5)"),
        ("double 19", "mul(19, 2)"),
        ("0x1F plus 1", "add(0x1f, 1)"),
        ("the 12th fibonacci number", "fib(12)"),
        ("sum of squares of 3, 4, 12", "sum(pow([3, 4, 12], 2))"),
        ("[[1, 2], [3, 4]] transposed", "transpose([[1, 2], [3, 4]])"),
    ],
)
def test_what_may_be_written(text: str, call: str):
    assert reachable(CallGrammar(text), call)


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("add 123456 and 4", "add(12345, 4)"),
        ("add 3 and 4", "add(3, 5)"),
        ("add 1000 and 7", "add(10, 7)"),
        ("add 3 and 4", "add(3)"),
        ("add 3 and 4", "add(3, 4, 4)"),
        ("sort 5, 3, 9", "sort([5, 9])"),
        ("sort 5, 3, 9", "sort(5)"),
        ("sort 5, 3, 9", "sort([[5, 3, 9]])"),
        ("trace of [[1, 2], [3, 4]]", "trace([1, 2])"),
        ("3.5 plus 7", "add(5, 7)"),
        ("gcd of 3 and 4", "gcd([3, 4], 3)"),
        ("gcd of 3 and 4", "gcd(sort([3, 4]), 3)"),
        ("add 3 and 4", "add(3,4)"),
        ("add 3 and 4", "plus(3, 4)"),
        ("add 3 and 4", "add(3, 4) "),
        ("add 3 and 4", "[3, 4]"),
        ("add 3 and 4", ""),
    ],
)
def test_what_may_not_be_written(text: str, call: str):
    assert not CallGrammar(text).complete(call)


def test_numbers_of_earlier_turns_may_be_used():
    assert CallGrammar("double it").allows("mul(32") is False
    assert CallGrammar("double it", "32").complete("mul(32, 2)")


def test_no_comma_behind_the_last_number():
    """A comma that no number can follow would leave the call without an end."""
    grammar = CallGrammar("sort 17, 3, 99")
    assert grammar.allows("sort([17, 3, ") and grammar.allows("sort([17, 3, 99]")
    assert not grammar.allows("sort([17, 3, 99,") and not grammar.allows("sort([17, 3, 99, ")
    assert CallGrammar("trace of [[1, 2], [3, 4]]").allows("trace([[1, 2], [3, 4]")
