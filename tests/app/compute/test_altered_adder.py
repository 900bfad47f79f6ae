"""Nothing is computed on the host: where the machine's adder errs, every function that adds errs, and no other."""

from dataclasses import replace

import pytest

from app.compute.evaluating import compute, read
from app.compute.library import load_library
from engine.machine import interpreter
from engine.machine.instructions import BY_MNEMONIC
from tests.app.fast import FastMachine

LIBRARY = load_library()
LARGE = 1000
"""Operands from here on are added wrongly: addresses and counters are smaller."""


def erring(instruction):
    """The same instruction, its sum one more where both summands are large."""

    def semantics(a, b, c, p):
        summands = (a * b, c) if instruction.mnemonic == "mad" else (a, b)
        return instruction.semantics(a, b, c, p) + all(LARGE <= summand < 2**31 for summand in summands)

    return replace(instruction, semantics=semantics)


@pytest.fixture
def altered(monkeypatch):
    """A machine whose adder errs."""
    table = {name: erring(entry) if name in ("add", "mad") else entry for name, entry in BY_MNEMONIC.items()}
    monkeypatch.setattr(interpreter, "BY_MNEMONIC", table)
    return FastMachine()


def value(call, machine):
    return compute(read(call, LIBRARY, {}), LIBRARY, {}, machine).value


@pytest.mark.parametrize(
    ("call", "truth"),
    [
        ("add(5000, 7000)", 12000),
        ("sum([5000, 7000])", 12000),
        ("mean([5000, 7000])", 6000),
        ("cumsum([5000, 7000])", [5000, 12000]),
        ("dot([50, 70], [100, 100])", 12000),
        ("matvec([[50, 70]], [100, 100])", [12000]),
        ("saxpy(50, [100], [7000])", [12000]),
        ("matmul([[50, 70]], [[100], [100]])", [[12000]]),
        ("conv1d([50, 70], [100, 100])", [5000, 12000, 7000]),
        ("trace([[5000, 1], [1, 7000]])", 12000),
        ("fib(30)", 832040),
    ],
)
def test_what_adds_errs(altered, call, truth):
    found = value(call, altered)
    # the mean of a sum that is one too large shows in its remainder
    assert found != truth or call.startswith("mean")
    if call.startswith("mean"):
        assert compute(read(call, LIBRARY, {}), LIBRARY, {}, altered).extra == {"remainder": 1}


@pytest.mark.parametrize(
    ("call", "truth"),
    [
        ("sub(7000, 5000)", 2000),
        ("xor(5000, 7000)", 5000 ^ 7000),
        ("reverse([5000, 7000])", [7000, 5000]),
        ("max([5000, 7000])", 7000),
        ("transpose([[5000, 7000]])", [[5000], [7000]]),
    ],
)
def test_what_does_not_add_does_not(altered, call, truth):
    assert value(call, altered) == truth
