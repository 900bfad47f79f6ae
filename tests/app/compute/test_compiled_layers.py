"""The library through the compiled layers themselves, by the compact runtime: three calls of every function, thirty by hand.

The arguments of the three are chosen so that a call takes a few dozen tokens; edges are among them.
"""

from random import Random

import pytest

from app.checkpoints import Checkpoint, Origin
from app.compute.evaluating import compute, read
from app.compute.library import load_library
from app.engines import Engine
from app.expressions.tree import write
from engine.native import NativeRuntime
from engine.weights import read_machine
from tests.app.compute.test_library import arguments_whole
from tests.truth.library import EACH, SPECIAL, WHOLE, each_arguments

LIBRARY = load_library()
SHORT = {
    "pow": (range(-3, 4), range(0, 5)),
    "powmod": (range(-9, 10), range(0, 4), range(1, 20)),
    "fib": (range(0, 9),),
    "factorial": (range(0, 6),),
    "collatz": (range(1, 7),),
    "isprime": (range(-1, 14),),
    "gcd": (range(-9, 10), range(0, 10)),
    "lcm": (range(-9, 10), range(1, 10)),
    "div": (None, range(1, 50)),
    "mod": (None, range(-50, 0)),
}
"""Arguments of functions that would take long on others."""
LISTS = {
    "primes": [(0,), (2,), (5,)],
    "conv1d": [([7], [-3]), ([2**31 - 1, -1], [2]), ([1, 2], [1, 1])],
    "histogram": [([5],), ([-1, -1],), ([2, 1],)],
    "unique": [([5],), ([-1, -1],), ([2, 1],)],
    "prod": [([-7],), ([2**31 - 1, -2],), ([5, 0],)],
    "mean": [([-7],), ([2**31 - 1, 1],), ([-5, 2],)],
    "matmul": [([[-7]], [[6]]), ([[1, 2]], [[3], [4]]), ([[2**31 - 1], [-1]], [[-2]])],
    "matvec": [([[-7]], [6]), ([[1, 2]], [3, 4]), ([[2**31 - 1], [-1]], [-2])],
    "dot": [([-7], [6]), ([1, 2], [3, 4]), ([2**31 - 1, 1], [-(2**31), 0])],
    "outer": [([-7], [6]), ([1, 2], [3]), ([2**31 - 1], [-(2**31), 0])],
    "transpose": [([[-7]],), ([[1, 2]],), ([[2**31 - 1], [-(2**31)]],)],
    "trace": [([[-7]],), ([[1, 2], [3, 4]],), ([[2**31 - 1, 0], [0, 1]],)],
    "saxpy": [(3, [-7], [6]), (-1, [1, 2], [3, 4]), (2**31 - 1, [2], [-(2**31)])],
    "count": [([-7], -7), ([1, 2], 3), ([4, 4], 4)],
    "diff": [([-7, 7],), ([2**31 - 1, -(2**31)],), ([1, 1, 1],)],
}
"""Arguments of functions of lists, where they are not just one list."""
ONE_LIST = [([-7],), ([2**31 - 1, -(2**31)],), ([2, 1, 2],)]


@pytest.fixture(scope="module")
def engine(machine_file, native_library):
    machine = read_machine(machine_file)
    return Engine(Checkpoint(machine_file.parent, Origin.GIVEN), NativeRuntime(machine, native_library), machine.content)


def computed(engine, name, arguments):
    found = compute(read(f"{name}({', '.join(map(write, arguments))})", LIBRARY, {}), LIBRARY, {}, engine)
    assert found.launches and all(launch.replay == "exact" for launch in found.launches)
    return found.value


def test_every_function_has_its_three_calls():
    assert {*EACH, *WHOLE} == set(LIBRARY) and set(LISTS) <= set(WHOLE) and set(SHORT) <= set(EACH)


@pytest.mark.parametrize("name", sorted(EACH))
def test_three_calls_of_functions_of_integers(engine, name):
    """All three in one launch, entry by entry."""
    random = Random(f"compiled {name}")
    columns = [list(column) for column in zip(*(short_arguments(random, name) for _ in range(3)), strict=True)]
    assert computed(engine, name, columns) == [EACH[name](*row) for row in zip(*columns, strict=True)]


def short_arguments(random, name):
    allowed = SHORT.get(name)
    if allowed is None:
        return each_arguments(random, name, False)
    return [
        random.choice(list(each)) if each is not None else random.choice((random.randint(-999, 999), 2**31 - 1, -(2**31)))
        for each in allowed
    ]


@pytest.mark.parametrize("name", sorted(WHOLE))
def test_three_calls_of_functions_of_lists(engine, name):
    for arguments in LISTS.get(name, ONE_LIST):
        assert computed(engine, name, arguments) == WHOLE[name](*arguments)


# ---------------------------------------------------------------- by hand
@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(LIBRARY))
def test_examples_are_computed_as_written(engine, name):
    call, expected = LIBRARY[name].example.split(" = ")
    assert compute(read(call, LIBRARY, {}), LIBRARY, {}, engine).text() == expected


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(LIBRARY))
def test_thirty_calls(engine, name):
    random = Random(f"thirty {name}")
    if name in EACH:
        for wide in (False, name not in SPECIAL):
            rows = [each_arguments(random, name, wide) for _ in range(15)]
            columns = [list(column) for column in zip(*rows, strict=True)]
            assert computed(engine, name, columns) == [EACH[name](*row) for row in rows]
        return
    for number in range(30):
        arguments = arguments_whole(random, name, number % 2 == 1)
        assert computed(engine, name, arguments) == WHOLE[name](*arguments)
