"""The compiled loop against the runtime that says what it must do: every answer, every state, bit for bit."""

from __future__ import annotations

import random

import alter
import numpy as np
import programs
import pytest
import synthetic
from random_programs import random_program

from engine import weights
from engine.compact import CompactRuntime
from engine.launch import launch, token_set
from engine.machine.errors import EnvironmentProblem
from engine.machine.program import prompt
from engine.native import NativeRuntime
from engine.replay import EXACT, require_exact
from engine.weights import Machine, read_machine


def assert_same_state(native: NativeRuntime, compact: CompactRuntime, machine: Machine) -> None:
    for layer in range(len(machine.layers)):
        for head in range(machine.spec.heads):
            np.testing.assert_array_equal(
                native.recurrent_state(layer, head), compact.recurrent_state(layer, head), f"layer {layer}, head {head}"
            )


def answers(runtime: CompactRuntime | NativeRuntime, given: list[int], count: int = 14) -> list[int]:
    found = [runtime.feed(given)]
    while len(found) < count:
        found.append(runtime.feed(found[-1:]))
    return found


@pytest.mark.parametrize("seed", range(11, 15))
def test_random_machines_answer_alike_and_remember_alike(tmp_path, native_library, seed):
    machine = read_machine(synthetic.build(tmp_path / "machine", seed))
    native, compact = NativeRuntime(machine, native_library), CompactRuntime(machine)
    draw, size = random.Random(seed), 1 << synthetic.FREE
    given, said = [draw.randrange(size) for _ in range(300)], set()
    for step in range(100):
        answer = native.feed(given)
        assert answer == compact.feed(given), f"step {step}"
        said.add(answer)
        given = [answer if step % 4 else draw.randrange(size)]
    assert len(said) > 5, "the machine says too little to compare"
    assert_same_state(native, compact, machine)


def test_going_back_forgets_what_came_after(tmp_path, native_library):
    machine = read_machine(synthetic.build(tmp_path / "machine", 3))
    native, draw = NativeRuntime(machine, native_library), random.Random(3)
    first, second = ([draw.randrange(1 << synthetic.FREE) for _ in range(40)] for _ in range(2))
    native.feed(first)
    before = native.snapshot()
    expected = [native.feed([token]) for token in second]
    native.restore(before)
    assert [native.feed([token]) for token in second] == expected
    native.restore(before)
    compact = CompactRuntime(machine)
    compact.feed(first)
    assert_same_state(native, compact, machine)


@pytest.mark.parametrize(
    "program",
    [programs.dot([1, 2, 3], [4, 5, 6]), programs.stores(2), programs.split_barrier()],
    ids=lambda program: program.kernel,
)
def test_the_real_machine(machine, native_library, program):
    """Token for token and state for state, faults too."""
    native, compact = NativeRuntime(machine, native_library), CompactRuntime(machine)
    tokens = token_set(machine.spec)
    given = [tokens.ids[token] for token in prompt(program, machine.spec)]
    kinds = []
    while not kinds or kinds[-1] not in ("END", "FAULT"):
        answer = native.feed(given)
        assert answer == compact.feed(given)
        kinds.append(tokens.tokens[answer].kind)
        given = [answer]
    assert len(kinds) >= 2
    assert_same_state(native, compact, machine)


@pytest.mark.parametrize("seed", range(200, 212))
def test_random_programs_are_exact(machine, native_library, seed):
    program = random_program(seed)
    result = launch(NativeRuntime(machine, native_library), program)
    assert require_exact(program, result.generated) == EXACT


def test_an_altered_weight_acts_alike(machine_file, machine, native_library, tmp_path):
    """Of weights that take part each answer is the other runtime's, and some are not the machine's."""
    tokens, draw, noticed = token_set(machine.spec), random.Random(8), 0
    given = [tokens.ids[token] for token in prompt(programs.dot([1, 2, 3], [4, 5, 6]), machine.spec)]
    run = CompactRuntime(machine)
    expected = answers(run, given)
    places = [
        (layer, matrix)
        for layer in range(8, 45)
        for matrix in (weights.GATE, weights.UP, weights.DOWN)
        if len(alter.live(run, layer, matrix))
    ]
    for case, (layer, matrix) in enumerate(draw.sample(places, 6)):
        nonzero = int(draw.choice(alter.live(run, layer, matrix)))
        changed = read_machine(alter.altered(machine_file, tmp_path / "altered", layer, matrix, nonzero, lambda x: -2 * x))
        found = answers(NativeRuntime(changed, native_library), given)
        assert found == answers(CompactRuntime(changed), given), f"case {case}: layer {layer}, {matrix}, nonzero {nonzero}"
        noticed += found != expected
    assert noticed


def test_a_library_that_is_none_is_refused(machine, tmp_path):
    (tmp_path / "library").write_bytes(b"no library")
    with pytest.raises(EnvironmentProblem, match="cannot be loaded"):
        NativeRuntime(machine, tmp_path / "library")
