"""Every function of the library against Python, through compiler, lowering and the reference interpreter."""

import re
from random import Random

import pytest

from app.compute.evaluating import compute, read
from app.compute.library import load_library, read_function
from app.expressions.checker import Kind
from app.expressions.tree import Statement, write
from engine.machine.errors import FaultError
from tests.app.fast import FastMachine
from tests.truth.library import EACH, HIGH, LOW, SPECIAL, WHOLE, each_arguments, entry, fits

LIBRARY = load_library()
NAMES = [
    "dot",
    "add",
    "sub",
    "mul",
    "div",
    "mod",
    "pow",
    "powmod",
    "gcd",
    "lcm",
    "abs",
    "neg",
    "min",
    "max",
    "sum",
    "prod",
    "mean",
    "count",
    "histogram",
    "sort",
    "argsort",
    "argmin",
    "argmax",
    "unique",
    "reverse",
    "cumsum",
    "diff",
    "matmul",
    "matvec",
    "transpose",
    "outer",
    "trace",
    "saxpy",
    "clamp",
    "where",
    "eq",
    "lt",
    "gt",
    "and",
    "or",
    "xor",
    "not",
    "shl",
    "shr",
    "popcount",
    "fib",
    "factorial",
    "isprime",
    "primes",
    "collatz",
    "bitreverse",
    "conv1d",
]
SLOW_WIDE = {"isprime", "powmod", "gcd", "lcm"}
"""Functions whose 64-bit kernels take seconds on the interpreter."""
BIG = 2**31 - 1


def value_of(text, names=None, machine=None):
    return compute(read(text, LIBRARY, names or {}), LIBRARY, names or {}, machine or FastMachine())


def calls_each(name, wide, count, seed):
    """A call with lists of arguments, and what Python says."""
    random = Random(f"{name} {wide} {seed}")
    rows = [each_arguments(random, name, wide) for _ in range(count)]
    columns = [list(column) for column in zip(*rows, strict=True)]
    return columns, [EACH[name](*row) for row in rows]


def arguments_whole(random, name, wide):
    """Arguments of a function of lists; small enough where sums must fit."""
    axes = {axis: random.randint(1, 4) for axis in "rck"} | {"n": random.randint(2, 6)}
    bits = 62 // axes["n"] if name == "prod" else 40 if wide else 20
    narrow = name in ("prod", "matmul", "matvec", "outer", "dot", "saxpy", "conv1d")

    def number():
        allowed = SPECIAL.get(name, (None,))[0]
        return entry(random, allowed or (range(-(2**bits), 2 ** min(bits, 20)) if narrow else None), wide)

    def fill(form):
        sizes = [extent.of(axes) for extent in form.extents]
        if form.kind is Kind.INTEGER:
            return number()
        if form.kind is Kind.LIST:
            return [number() for _ in range(sizes[0])]
        return [[number() for _ in range(sizes[1])] for _ in range(sizes[0])]

    while True:
        arguments = [fill(form) for form in LIBRARY[name].parameters.values()]
        if name in ("count", "unique", "histogram", "argmin", "argmax", "argsort"):
            arguments[0][-1] = arguments[0][0]
        if name == "count":
            arguments[1] = arguments[0][0]
        if fits(WHOLE[name](*arguments)) and (name != "mean" or fits(sum(arguments[0]))):
            return arguments


def test_the_library_has_every_function():
    assert sorted(LIBRARY) == sorted(NAMES) == sorted([*EACH, *WHOLE])


@pytest.mark.parametrize("name", NAMES)
def test_examples(name):
    call, expected = LIBRARY[name].example.split(" = ")
    assert call.startswith(f"{name}(") and value_of(call).text() == expected


@pytest.mark.parametrize("name", sorted(EACH))
def test_functions_of_integers(name):
    columns, expected = calls_each(name, False, 16, 1)
    assert value_of(f"{name}({', '.join(map(write, columns))})").value == expected


@pytest.mark.parametrize("name", sorted(set(EACH) - set(SPECIAL) - SLOW_WIDE))
def test_functions_of_wide_integers(name):
    columns, expected = calls_each(name, True, 16, 2)
    assert value_of(f"{name}({', '.join(map(write, columns))})").value == expected


@pytest.mark.parametrize("name", sorted(WHOLE))
@pytest.mark.parametrize("wide", (False, True))
def test_functions_of_lists(name, wide):
    arguments = arguments_whole(Random(f"{name} {wide}"), name, wide)
    assert value_of(f"{name}({', '.join(map(write, arguments))})").value == WHOLE[name](*arguments)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(30))
def test_functions_at_length(name, seed):
    random = Random(f"{name} {seed}")
    wide = random.random() < 0.5
    if name in EACH:
        columns, expected = calls_each(name, wide and name not in SPECIAL, 20, seed)
        assert value_of(f"{name}({', '.join(map(write, columns))})").value == expected
    else:
        arguments = arguments_whole(random, name, wide)
        assert value_of(f"{name}({', '.join(map(write, arguments))})").value == WHOLE[name](*arguments)


@pytest.mark.slow
def test_large_primes():
    numbers = [2**31 - 1, 2**61 - 1, 10**12 + 39, 3215031751, 3825123056546413051, 2**32 + 1, HIGH]
    assert value_of(f"isprime({write(numbers)})").value == [1, 1, 1, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (f"add({HIGH}, 1)", "64 bits"),
        (f"sub({LOW}, 1)", "64 bits"),
        (f"mul({2**32}, {2**31})", "64 bits"),
        (f"neg({LOW})", "64 bits"),
        (f"abs({LOW})", "64 bits"),
        (f"div({LOW}, -1)", "64 bits"),
        ("div(1, 0)", "division by zero"),
        ("mod([1, 2], [1, 0])", "division by zero"),
        ("pow(2, 63)", "64 bits"),
        ("pow(10, 999999999)", "64 bits"),
        ("pow(2, -1)", "negative"),
        ("powmod(2, 3, 0)", "division by zero"),
        ("powmod(2, -3, 5)", "negative"),
        ("powmod(2, 3, -5)", "negative"),
        ("fib(93)", "64 bits"),
        ("fib(-1)", "negative"),
        ("factorial(21)", "64 bits"),
        ("factorial(-1)", "negative"),
        (f"sum([{HIGH}, 1])", "64 bits"),
        (f"prod([{2**32}, {2**32}])", "64 bits"),
        (f"dot([{HIGH}, 1], [1, 1])", "64 bits"),
        (f"cumsum([{HIGH}, 1])", "64 bits"),
        (f"diff([{LOW}, 1])", "64 bits"),
        ("shl(1, 63)", "64 bits"),
        ("shl(1, 64)", "64 bits"),
        ("shl(1, -1)", "negative"),
        ("shr(1, -1)", "negative"),
        ("collatz(0)", "Collatz"),
        (f"collatz({HIGH})", "64 bits"),
        (f"bitreverse({2**32})", "32 bits"),
        ("primes(4001)", "4,000"),
        (f"outer([{HIGH}], [2])", "64 bits"),
        (f"saxpy({HIGH}, [1], [1])", "64 bits"),
        (f"lcm({HIGH}, 2)", "64 bits"),
    ],
)
def test_what_a_function_refuses_is_said(call, reason):
    with pytest.raises(FaultError, match=reason):
        value_of(call)


@pytest.mark.parametrize(
    ("call", "value"),
    [
        ("pow(0, 0)", 1),
        ("pow(-2, 63)", LOW),
        ("pow(-1, 9223372036854775807)", -1),
        ("gcd(0, 0)", 0),
        ("lcm(0, 5)", 0),
        (f"mod({LOW}, -1)", 0),
        (f"sum([{HIGH}, 1, -1])", HIGH),
        (f"prod([{2**62}, 2, -1])", LOW),
        (f"prod([{HIGH}, 2, 0])", 0),
        (f"dot([{HIGH}, {HIGH}], [2, -2])", 0),
        ("shl(0, 100)", 0),
        ("shr(-5, 100)", -1),
        ("shl(-1, 63)", LOW),
        ("dot([2147483647, 2147483647, 2147483647], [2147483647, 2147483647, -2147483648])", 2 * BIG**2 - BIG * 2**31),
        ("clamp(5, 9, 3)", 9),
        ("powmod(-3, 3, 7)", 1),
        ("powmod(5, 0, 1)", 0),
        ("not([[0, 1], [2, 3]])", [[-1, -2], [-3, -4]]),
    ],
)
def test_edges_that_fit(call, value):
    assert value_of(call).value == value


@pytest.mark.parametrize("name", NAMES)
def test_manifests_say_what_matters(name):
    function = LIBRARY[name]
    assert function.doc and not function.doc.endswith(".")
    assert f"{name}_kernel" in function.source
    assert function.combine is None or function.combine in LIBRARY
    assert all(re.fullmatch(r"\w+", word) for word in function.words)
    assert not set(function.words) & set(LIBRARY)


def test_div_and_mod_say_their_signs():
    assert "truncated towards zero" in LIBRARY["div"].doc and "sign of a" in LIBRARY["mod"].doc
    assert value_of("div([-7, 7], [2, -2])").value == [-3, -3] and value_of("mod([-7, 7], [2, -2])").value == [-1, 1]


def test_a_new_function_is_a_file():
    text = """/*---
arguments = ["x: each"]
result = "each"
store = "int64"
doc = "x twice"
example = "twice(4) = 8"
threads = "n"
---*/
template <class T>
__global__ void twice_kernel(const T *x, long long *result, int *status, int n) {
    if (threadIdx.x < n) result[threadIdx.x] = 2 * (long long)x[threadIdx.x];
}
"""
    library = {"twice": read_function("twice", text)}
    statement = read("twice([4, -5])", library, {})
    assert isinstance(statement, Statement)
    assert compute(statement, library, {}, FastMachine()).value == [8, -10]


@pytest.mark.parametrize("text", ("", "int x;", '/*---\nresult = "odd"\narguments = []\n---*/\n'))
def test_a_file_without_a_sensible_manifest_is_a_defect(text):
    with pytest.raises(ValueError):
        read_function("odd", text)
