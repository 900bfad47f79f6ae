"""Every kernel of the gallery gives what Python computes for it; every library function is there with its own example."""

import pytest

from app.compute.kernels import launch_kernel
from app.compute.library import load_library
from app.playground.fit import fit
from app.playground.forms import differences, kernels_of
from app.playground.gallery import examples, library
from tests.app.fast import FastMachine

CLASSICS = {
    "vector_add",
    "dot",
    "reduction",
    "histogram",
    "matrix_multiply",
    "prefix_scan",
    "collatz",
    "bitonic_sort",
    "game_of_life",
}


def life(board, size):
    alive = {(i // size, i % size) for i, cell in enumerate(board) if cell}
    around = [(d, e) for d in (-1, 0, 1) for e in (-1, 0, 1) if (d, e) != (0, 0)]
    places = [(r, c) for r in range(size) for c in range(size)]
    count = {(r, c): sum(((r + d) % size, (c + e) % size) in alive for d, e in around) for r, c in places}
    return [int(n == 3 or (n == 2 and place in alive)) for place, n in count.items()]


@pytest.fixture(scope="module")
def drafts():
    return {draft.filename.removesuffix(".cu"): draft for draft in examples()}


def test_all_classics_are_there(drafts):
    assert set(drafts) == CLASSICS
    for draft in drafts.values():
        assert draft.expected and draft.title and draft.source.startswith("//")
        ((name, parameters),) = kernels_of(draft.source).items()
        assert name == draft.launch["kernel"] and parameters == [(a["name"], a["type"]) for a in draft.launch["args"]]


@pytest.mark.parametrize("name", sorted(CLASSICS))
def test_each_gives_what_is_expected(drafts, name):
    draft = drafts[name]
    record = launch_kernel(draft.source, draft.filename, draft.launch, FastMachine())
    assert differences(record.outputs, draft.expected) == []
    fitted = fit(record.ptx, draft.filename, draft.launch)
    assert not fitted.refusal and len(fitted.blocks) == fitted.uses[0].used <= 256


def test_the_expected_values_are_those_of_python(drafts):
    value = {name: {a["name"]: a.get("value") for a in draft.launch["args"]} for name, draft in drafts.items()}
    assert drafts["bitonic_sort"].expected["x"] == sorted(value["bitonic_sort"]["x"])
    assert drafts["reduction"].expected["sum"] == [sum(value["reduction"]["x"])]
    assert drafts["game_of_life"].expected["next"] == life(value["game_of_life"]["board"], 6)


def test_the_library_is_there_with_its_examples():
    names = {draft.filename.removesuffix(".cu") for draft in library()}
    assert len(names) >= 0.9 * len(load_library())
    dot = next(draft for draft in library() if draft.filename == "dot.cu")
    record = launch_kernel(dot.source, dot.filename, dot.launch, FastMachine())
    assert record.outputs["result"] == [32]
