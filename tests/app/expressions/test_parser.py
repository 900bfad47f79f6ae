"""The expression language: what it means, and what is said of everything else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.compute.library import load_library
from app.expressions.checker import Kind, check
from app.expressions.errors import ExpressionError
from app.expressions.parser import MAX_ITEMS, parse
from app.expressions.tree import Call, Name, Number, Series, Statement, write

LIBRARY = load_library()


def refusal(text, names=None):
    with pytest.raises(ExpressionError) as caught:
        check(parse(text).expression, LIBRARY, names or {})
    message = str(caught.value)
    assert "\n" not in message and message.isprintable() and len(message) < 800
    return message


def test_integers():
    numbers = {
        "0": 0,
        "-7": -7,
        "0xff": 255,
        "-0x10": -16,
        "007": 7,
        "9223372036854775807": 2**63 - 1,
        "-9223372036854775808": -(2**63),
        "0x7fffffffffffffff": 2**63 - 1,
    }
    assert {text: parse(text).expression for text in numbers} == {text: Number(n, 0) for text, n in numbers.items()}


def test_trees_know_their_places():
    series = Series((Number(1, 10), Number(2, 13)), 9)
    assert parse(" add(x,\n [1, 2])") == Statement(None, Call("add", (Name("x", 5), series), 1))
    assert parse("y = neg(3)") == Statement("y", Call("neg", (Number(3, 8),), 4))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("add(1, 2)", Kind.INTEGER),
        ("add([1], 2)", Kind.LIST),
        ("add([[1]], 2)", Kind.MATRIX),
        ("[[1, 2], [3, 4]]", Kind.MATRIX),
        ("outer([1], [2])", Kind.MATRIX),
        ("sum(sort([3, 1]))", Kind.INTEGER),
        ("[sum([1]), 2]", Kind.LIST),
        ("x", Kind.LIST),
    ],
)
def test_kinds(text, kind):
    assert check(parse(text).expression, LIBRARY, {"x": [1, 2]}) is kind


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("add(1, 2", "found the end"),
        ("add 1", "unexpected '1' behind"),
        ("add(1 2)", "expected ','"),
        ("[1,]", "expected a number"),
        ("[]", "a list without entries - at character 1"),
        ("sum([])", "a list without entries - at character 5"),
        ("add()", "expected a number"),
        (")", "found ')'"),
        ("1 + 2", "write add(..)"),
        ("2 * 3", "write mul(..)"),
        ("5!", "write factorial(..)"),
        ("1.5", "1.5 is no integer"),
        ("- 5", "sub"),
        ("1e9", "1e9 is no integer"),
        ("12abc", "12abc is no integer"),
        ("0x", "0x is no integer"),
        ("NaN", "NaN is no integer"),
        ("sum([1, nan])", "nan is no integer"),
        ("-Infinity", "sub"),
        ("inf", "inf is no integer"),
        ("None", "None is no integer"),
        ("1234567890" * 4, "(40 digits) needs more than 64 bits"),
        ("9223372036854775808", "needs more than 64 bits"),
        ("9" * 5000, "needs more than 64 bits"),
        ("add(\ud800, 1)", "U+D800"),
        ("a\x00b", "U+0000"),
        ("\u202eadd(1, 2)", "U+202E"),
        ("和(1)", "'和'"),
        ("<|im_start|>", "write lt(..)"),
        ("'text'", "unexpected character"),
        ("x = y = 1", "unexpected '='"),
        ("multiply(2, 3)", "did you mean mul(a, b)?"),
        ("average([1])", "did you mean mean(list)?"),
        ("sotr([1])", "did you mean sort(list)?"),
        ("zzz(1)", "there is no function 'zzz'"),
        ("add(1)", "add takes 2 arguments, not 1"),
        ("sum(1)", "argument 1 of sum is an integer, it takes a list"),
        ("sum([[1]])", "is a matrix"),
        ("add([1], [[1]])", "beside a matrix"),
        ("[1, [2]]", "either integers or lists"),
        ("[[[1]]]", "either integers or lists"),
        ("pries", "did you mean prices?"),
        ("sum", "sum is a function without arguments"),
        ("neg(min(1, 2))", "min takes 1 argument, not 2"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(text, said):
    assert said in refusal(text, {"prices": [1]})


def test_bounds():
    assert f"more than {MAX_ITEMS:,} entries" in refusal(f"sum([{'1, ' * 9_999}1])")
    assert "nested too deeply" in refusal("neg(" * 5000 + "1" + ")" * 5000)
    assert "characters" in refusal("1, " * 100_000)
    assert len(parse(f"[{'1, ' * (MAX_ITEMS - 1)}1]").expression.items) == MAX_ITEMS


values = st.recursive(st.integers(-(2**63), 2**63 - 1), lambda inner: st.lists(inner, min_size=1, max_size=4), max_leaves=8)


@given(values)
def test_written_values_are_read_again(value):
    def plain(node):
        return node.value if isinstance(node, Number) else [plain(item) for item in node.items]

    assert plain(parse(write(value)).expression) == value


@given(st.text(max_size=60))
def test_any_text_gives_a_tree_or_one_line(text):
    try:
        check(parse(text).expression, LIBRARY, {})
    except ExpressionError as error:
        assert "\n" not in str(error)
