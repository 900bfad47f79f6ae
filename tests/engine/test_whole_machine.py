"""The whole compiled machine against the reference interpreter: random programs on all 45 layers, compact runtime."""

from __future__ import annotations

import pytest
from random_programs import random_program

from engine.compact import CompactRuntime
from engine.launch import launch
from engine.machine.interpreter import Interpreter
from engine.replay import EXACT, require_exact


@pytest.fixture(scope="module")
def runtime(machine):
    return CompactRuntime(machine)


def expected_memory(program):
    """The memory that the interpreter ends with."""
    interpreter = Interpreter()
    token = interpreter.load(program)[-1]
    while token is not None:
        token = interpreter.step(token)
    return tuple(interpreter.memory)


def check(runtime, seed):
    program = random_program(seed)
    result = launch(runtime, program)
    assert require_exact(program, result.generated) == EXACT
    assert result.words == expected_memory(program)


@pytest.mark.parametrize("seed", range(3))
def test_random_programs(runtime, seed):
    check(runtime, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 160))
def test_many_random_programs(runtime, seed):
    check(runtime, seed)
