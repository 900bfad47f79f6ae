"""The library through the compiled layers themselves, by the compact runtime."""

from random import Random

import pytest

from app.checkpoints import Checkpoint, Origin
from app.compute.evaluating import compute, read
from app.compute.library import load_library
from app.engines import Engine
from app.expressions.tree import write
from engine.compact import CompactRuntime
from engine.weights import read_machine
from tests.truth.library import EACH, each_arguments

LIBRARY = load_library()
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def engine(machine_file):
    machine = read_machine(machine_file)
    return Engine(Checkpoint(machine_file.parent, Origin.GIVEN), CompactRuntime(machine), machine.content)


@pytest.mark.parametrize("name", sorted(LIBRARY))
def test_examples(engine, name):
    call, expected = LIBRARY[name].example.split(" = ")
    found = compute(read(call, LIBRARY, {}), LIBRARY, {}, engine)
    assert found.text() == expected and all(launch.replay == "exact" for launch in found.launches)


@pytest.mark.parametrize("name", sorted(EACH))
def test_random_and_edge_arguments(engine, name):
    random = Random(f"compiled {name}")
    rows = [each_arguments(random, name, False) for _ in range(3)]
    columns = [list(column) for column in zip(*rows, strict=True)]
    call = f"{name}({', '.join(map(write, columns))})"
    assert compute(read(call, LIBRARY, {}), LIBRARY, {}, engine).value == [EACH[name](*row) for row in rows]
