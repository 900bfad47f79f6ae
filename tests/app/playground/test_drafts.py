"""Drafts survive, damaged ones are left alone; what people type is read or refused by name."""

import json

import pytest

from app.playground.drafts import EMPTY, Drafts, draft_of
from app.playground.fit import fit
from app.playground.forms import arguments_for, differences, kernels_of, read_numbers, read_sizes, write_sizes
from engine.machine.errors import InputError
from tests.app.inspection.made import dot


def test_drafts_are_kept_and_come_back(tmp_path):
    drafts = Drafts(tmp_path / "モデル é")
    assert drafts.all() == []
    first = drafts.keep(EMPTY)
    assert first.id and drafts.read(first.id) == first and drafts.all() == [first]
    again = drafts.keep(first)
    assert again.id == first.id and len(drafts.all()) == 1
    drafts.discard(first.id)
    drafts.discard(first.id)
    assert drafts.all() == []


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "{",
        "[]",
        '{"format": "other"}',
        '{"format": "qwengpu playground draft 1"}',
        '{"format": "qwengpu playground draft 1", "id": 1, "title": 2, "source": 3, "filename": 4, "launch": 5}',
    ],
)
def test_damaged_drafts_are_left_alone(tmp_path, damage):
    drafts = Drafts(tmp_path)
    kept = drafts.keep(EMPTY)
    (tmp_path / "broken.json").write_text(damage)
    assert drafts.all() == [kept] and (tmp_path / "broken.json").exists()
    with pytest.raises(InputError):
        drafts.read("broken")


def test_the_id_of_a_draft_is_that_of_its_file(tmp_path):
    drafts = Drafts(tmp_path)
    kept = drafts.keep(EMPTY)
    content = json.loads((tmp_path / f"{kept.id}.json").read_text()) | {"id": "../../elsewhere"}
    (tmp_path / f"{kept.id}.json").write_text(json.dumps(content))
    assert drafts.read(kept.id).id == kept.id


def test_a_launch_becomes_a_draft():
    draft = draft_of(dot().receipt.launches[0])
    assert draft.launch["kernel"] == "dot" and draft.expected == {"out": [32]} and "__global__" in draft.source


@pytest.mark.parametrize(
    "text, sizes", [("16", [16, 1, 1]), ("4 x 4", [4, 4, 1]), ("2 × 3 × 4", [2, 3, 4]), ("8,8", [8, 8, 1])]
)
def test_sizes(text, sizes):
    assert read_sizes(text, "block") == sizes and read_sizes(write_sizes(sizes), "block") == sizes


@pytest.mark.parametrize("text", ["", "0", "a", "1 2 3 4", "-4", "4.5"])
def test_sizes_that_are_none(text):
    with pytest.raises(InputError, match="size"):
        read_sizes(text, "block")


@pytest.mark.parametrize(
    "text", ["1\t2\t3\n4\t5\t-6\n", "[1, 2, 3, 4, 5, -6]", "1;2;3;4;5;\u22126", "0x1 2 3 4 5 -6", "{1,2,3,4,5,-6}"]
)
def test_numbers_from_anywhere(text):
    assert read_numbers(text, "int32", "x") == [1, 2, 3, 4, 5, -6]


@pytest.mark.parametrize(
    "text, kind, entry",
    [
        ("1 two 3", "int32", "entry 1"),
        ("1 2.5", "int32", "entry 1"),
        ("300", "uint8", "entry 0"),
        ("-1", "uint32", "entry 0"),
        ("9" * 5000, "int64", "entry 0"),
    ],
)
def test_the_wrong_number_is_named(text, kind, entry):
    with pytest.raises(InputError) as error:
        read_numbers(text, kind, "x")
    assert entry in error.value.where


def test_parameters_of_a_kernel():
    source = """/* __global__ void no(int x) */
    __global__ void __launch_bounds__(64) f(const unsigned long long *__restrict__ a, float b[], int n, uint8_t* c) {}
    __device__ int g(int x) { return x; }"""
    found = kernels_of(source)
    assert found == {"f": [("a", "uint64*"), ("b", "float32*"), ("n", "int32"), ("c", "uint8*")]}
    made = arguments_for(found["f"], [{"name": "n", "type": "int32", "value": 7}, {"name": "b", "type": "int32*", "size": 9}])
    assert [a.get("value", a.get("size")) for a in made] == [4, 4, 7, 4]


def test_differences_are_named():
    assert differences({"x": [1, 2]}, {"x": [1, 3], "y": [1]}) == ["x[1] is 2, expected 3", "there is no output y"]
    assert differences({"x": [1]}, {"x": [1, 2]}) == ["x has 1 entries, expected 2"]
    assert differences({"x": [1], "z": [5]}, {"x": [1]}) == []


def test_what_does_not_fit_is_said():
    launch = dict(dot().receipt.launches[0].launch) | {"block": [96, 1, 1]}
    found = fit(dot().receipt.launches[0].ptx, "dot.cu", launch)
    assert "96" in found.refusal and found.remedy and not found.blocks
    assert fit("no ptx", "x.cu", launch).refusal
