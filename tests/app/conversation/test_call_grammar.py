"""The grammar of calls: every beginning of a call is allowed, nothing else is."""

import pytest

from app.compute.library import load_library
from app.conversation.grammar import ExpressionGrammar

GRAMMAR = ExpressionGrammar(load_library(), {"v1": [1, 2], "total": 7})


@pytest.mark.parametrize(
    "call",
    [
        "add(2, 3)",
        "dot([1, -2, 3], [4,5,6])",
        "matmul([[1, 2], [3, 4]], [[5], [6]])",
        "sum(sort(v1))",
        "add(total, neg(-0xff))",
        "where([1, 0], [1, 2], v1)",
        "add([sum(v1), 2], total)",
        "count(v1, total)",
        "isprime(97)",
        "transpose(outer(v1, v1))",
    ],
)
def test_calls_and_their_beginnings(call):
    assert all(GRAMMAR.allows(call[:end]) for end in range(len(call) + 1))
    assert GRAMMAR.complete(call) and not any(GRAMMAR.complete(call[:end]) for end in range(len(call)))
    assert not GRAMMAR.allows(call + " ") and not GRAMMAR.allows(call + ")")


@pytest.mark.parametrize(
    "text",
    [
        "7",
        "v1",
        "[1]",
        "multiply(",
        "add(1, 2, ",
        "add(1)",
        "sum(1",
        "sum(total",
        "sum([[1",
        "matvec([1",
        "add(-,",
        "add(--1",
        "add()",
        "add( 1",
        "add(1,  2",
        "add(1.5",
        "add(nan",
        "add(unknown",
        "sort(argmin(",
        "<|im_end|>",
        "count([1], [",
        "add(12345678901234567890",
        "add(0x,",
        "neg(" * 40,
    ],
)
def test_what_no_call_begins_with(text):
    assert not GRAMMAR.allows(text)
