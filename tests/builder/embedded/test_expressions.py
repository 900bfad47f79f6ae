"""Calls are read as they are written, computed as the table says, and refused when they are not calls."""

import pytest

from builder.embedded.expressions import Call, ExpressionError, evaluate, parse, write
from builder.embedded.signatures import SIGNATURES


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("dot([1, 2, 3], [4, 5, 6])", "32"),
        ("div(-7, 2)", "-3"),
        ("mod(-7, 2)", "-1"),
        ("mod(7, -2)", "1"),
        ("mean([1, 2, 4])", "2"),
        ("add([1, 2], 10)", "[11, 12]"),
        ("sub([5, 5], [1, 2])", "[4, 3]"),
        ("powmod(3, 100, 7)", "4"),
        ("histogram([3, 1, 3])", "[[1, 1], [3, 2]]"),
        ("argsort([30, 10, 20])", "[1, 2, 0]"),
        ("matmul([[1, 2], [3, 4]], [[5, 6], [7, 8]])", "[[19, 22], [43, 50]]"),
        ("matvec([[1, 2], [3, 4]], [5, 6])", "[17, 39]"),
        ("transpose([[1, 2, 3]])", "[[1], [2], [3]]"),
        ("outer([1, 2], [3, 4])", "[[3, 4], [6, 8]]"),
        ("saxpy(2, [1, 2], [10, 10])", "[12, 14]"),
        ("clamp([3, 12, -4], 0, 10)", "[3, 10, 0]"),
        ("where(lt([3, -1], 0), 0, [3, -1])", "[3, 0]"),
        ("primes(20)", "[2, 3, 5, 7, 11, 13, 17, 19]"),
        ("collatz(27)", "111"),
        ("bitreverse(1)", "2147483648"),
        ("conv1d([1, 2, 3], [1, 1])", "[1, 3, 5, 3]"),
        ("sum(pow([3, 4, 12], 2))", "169"),
        ("popcount(0xff)", "8"),
        ("unique(sort([5, 3, 5]))", "[3, 5]"),
    ],
)
def test_values(text: str, result: str):
    assert write(evaluate(parse(text))) == result


@pytest.mark.parametrize(
    "text",
    [
        "",
        "add(1)",
        "add(1, 2, 3)",
        "frobnicate(1)",
        "add(1, 2",
        "add 1 2",
        "add(1, 2) 3",
        "[1, 2",
        "add(1,, 2)",
        "add(1.5, 2)",
        "sum()",
    ],
)
def test_what_is_no_expression(text: str):
    with pytest.raises(ExpressionError):
        parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "div(1, 0)",
        "mod(1, 0)",
        "powmod(2, 3, 0)",
        "min(3)",
        "dot([1], [1, 2])",
        "pow(10, 19)",
        "pow(2, -1)",
        "collatz(0)",
        "add([1, 2], [1, 2, 3])",
        "factorial(25)",
        "trace([[1], [2]])",
        "add(9223372036854775807, 1)",
    ],
)
def test_what_has_no_value(text: str):
    with pytest.raises(ExpressionError):
        evaluate(parse(text))


def test_every_function_of_the_table_computes():
    examples = {"i": "3", "l": "[1, 2]", "m": "[[1, 2], [3, 4]]", "e": "5"}
    for name, signature in SIGNATURES.items():
        text = f"{name}({', '.join(examples[kind] for kind in signature.kinds)})"
        tree = parse(text)
        assert isinstance(tree, Call)
        assert write(evaluate(tree)), text
