"""Nested calls, names, inputs that need several launches, and that the host computes nothing."""

import json
from dataclasses import replace

import pytest

from app.compute.evaluating import compute, read
from app.compute.library import load_library
from app.expressions.errors import ExpressionError
from engine.machine.errors import FaultError, LimitExceeded
from tests.app.fast import FastMachine

LIBRARY = load_library()


def computed(text, names=None, machine=None, **options):
    names = names or {}
    return compute(read(text, LIBRARY, names), LIBRARY, names, machine or FastMachine(), **options)


def test_calls_nest_and_names_are_bound_values():
    names = {"prices": [3, 4, 5], "m": [[1, 2], [3, 4]]}
    assert computed("add(sum(mul(prices, 2)), trace(m))", names).value == 29
    assert computed("[sum(prices), 1]", names).value == [12, 1]
    assert computed("[prices, [7, 8, 9]]", names).value == [[3, 4, 5], [7, 8, 9]]
    assert computed("total = sum(prices)", names).value == 12


def test_every_call_is_a_launch():
    found = computed("add(mul(2, 3), mul(4, 5))")
    assert found.value == 26 and [record.function for record in found.launches] == ["mul", "mul", "add"]
    assert computed("7").launches == () and computed("7").value == 7


def test_lists_are_cut_and_put_together():
    numbers = list(range(1000))
    machine = FastMachine()
    assert computed(f"add({numbers}, 5)", machine=machine).value == [n + 5 for n in numbers]
    assert 2 <= machine.launches <= 4


def test_parts_are_combined_by_further_launches():
    numbers = [2**40 + n for n in range(1000)]
    found = computed(f"sum({numbers})")
    assert found.value == sum(numbers) and len(found.launches) == 3
    assert found.launches[-1].launch["args"][0]["value"] == [record.outputs["result"][0] for record in found.launches[:-1]]
    assert computed(f"max({[7 * n % 2001 for n in range(2001)]})").value == 2000
    assert computed(f"count({[1, 2] * 1000}, 2)").value == 1000


def test_differences_overlap_where_they_are_cut():
    numbers = [n * n for n in range(900)]
    found = computed(f"diff({numbers})")
    assert found.value == [2 * n + 1 for n in range(899)] and len(found.launches) == 2


def test_matrices_are_cut_along_both_axes():
    a, b = [[n % 7 for n in range(40)] for _ in range(30)], [[n % 5 for n in range(30)] for _ in range(40)]
    found = computed(f"matmul({a}, {b})")
    assert found.value == [[sum(a[r][k] * b[k][c] for k in range(40)) for c in range(30)] for r in range(30)]
    assert len(found.launches) > 1
    wide = [list(range(n, n + 60)) for n in range(60)]
    assert computed(f"transpose({wide})").value == [list(column) for column in zip(*wide, strict=True)]


def test_ten_thousand_numbers():
    """What can be cut goes into several launches, as above; what cannot is refused at once."""
    names, machine = {"x": [n % 97 for n in range(10_000)]}, FastMachine()
    for call in ("sort(x)", "reverse(x)", "mean(x)"):
        with pytest.raises(LimitExceeded, match=r"10,000 needed|memory words"):
            computed(call, names, machine)
    assert machine.launches == 0


def test_what_cannot_be_cut_is_refused_with_the_limit():
    with pytest.raises(LimitExceeded, match="300 needed, the machine has 256"):
        computed(f"sort({list(range(300))})")
    with pytest.raises(LimitExceeded, match="memory words"):
        computed(f"reverse({list(range(3000))})")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("add([1, 2], [1, 2, 3])", "add has 2 entries beside 3 entries"),
        ("dot([1, 2], [1, 2, 3])", "a has length 2, b has length 3"),
        ("matmul([[1, 2]], [[1, 2]])", "a has length 2, b has length 1"),
        ("trace([[1, 2]])", "a has length 1, a has length 2"),
        ("transpose([[1, 2], [3]])", "different lengths"),
        ("diff([5])", "at least 2 entries"),
    ],
)
def test_lengths_that_do_not_fit(text, what):
    with pytest.raises(ExpressionError, match=what) as caught:
        computed(text)
    assert caught.value.where == "at character 1" and "\n" not in str(caught.value)


@pytest.mark.parametrize("call", ["sum(few)", "sort(primes(1))", "add(few, 1)", "matvec([[1]], few)", "count(few, 1)"])
def test_a_list_that_turned_out_empty(call):
    """Nobody writes one, but a function may give one."""
    with pytest.raises(ExpressionError, match="has no entries"):
        computed(call, {"few": computed("primes(1)").value})


def test_a_launch_that_does_not_end_is_stopped():
    with pytest.raises(FaultError):
        computed("collatz(27)", max_tokens=100)


def test_programs_do_not_depend_on_contents():
    """What is compiled for one list computes another: nothing of the data is folded into the code."""
    one, other = computed("dot([1, 2], [3, 4])").launches[0], computed("dot([5, 6], [7, 8])").launches[0]
    assert one.program["blocks"] == other.program["blocks"] and one.ptx == other.ptx and one.outputs != other.outputs


def test_an_altered_machine_gives_an_altered_answer():
    class Altered(FastMachine):
        """Every word of memory is one more than the kernels left there."""

        def launch(self, program, max_tokens, trace=None, **watch):
            found = super().launch(program, max_tokens, trace, **watch)
            result = next(a for a in program.allocations if a.name == "result")
            words = [word + (result.base <= place < result.base + result.words) for place, word in enumerate(found.words)]
            return replace(found, words=tuple(words))

    assert computed("mul(6, 7)", machine=Altered()).value == 42 + 1 + 2**32
    assert computed("sum([1, 2])", machine=Altered()).value == 3 + 1 + 2**32


def test_records_hold_everything():
    record = computed("mul([6, 2], 7)").launches[0]
    assert record.function == "mul" and "mul_kernel" in record.cuda and ".entry" in record.ptx and record.compiler
    assert record.outputs == {"result": [42, 14], "status": [0]} and record.replay == "exact"
    assert record.prompt and record.generated and record.program["blocks"]
    assert json.loads(json.dumps(record.launch))["args"][0] == {"name": "a", "type": "int32*", "value": [6, 2]}
