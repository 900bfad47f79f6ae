"""Records of computed values: written whole, read again, replayed, and every alteration found."""

import json

import pytest

from app.compute.evaluating import compute, read
from app.compute.library import load_library
from app.compute.receipts import is_receipt, read_receipt, receipt_of, replay
from engine.machine.errors import InputError, MismatchError
from tests.app.fast import FastMachine

LIBRARY = load_library()
NAMES = {"x": [1, 2, 4]}


@pytest.fixture(scope="module")
def receipt():
    text = "add(mean(x), 5)"
    computed = compute(read(text, LIBRARY, NAMES), LIBRARY, NAMES, FastMachine())
    return receipt_of("1", text, NAMES, computed, FastMachine.identity, "2026-01-01T00:00:00Z", "0.1.0")


@pytest.fixture
def file(receipt, tmp_path):
    path = tmp_path / "records" / "1.json"
    receipt.write(path)
    return path


def test_a_record_is_replayed_exactly(receipt, file):
    assert is_receipt(file) and [entry.name for entry in file.parent.iterdir()] == ["1.json"]
    again = read_receipt(file)
    assert again == receipt and again.value == 7 and len(again.launches) == 2
    replay(again, LIBRARY, FastMachine())


def alter_value(content):
    content["value"] += 1


def alter_token(content):
    content["launches"][1]["generated"][2] += 1


def alter_argument(content):
    content["launches"][0]["launch"]["args"][0]["value"][0] = 9


def alter_output(content):
    content["launches"][1]["outputs"]["result"] = [8]


def alter_name(content):
    content["names"]["x"] = [1, 2, 5]


def alter_program(content):
    content["launches"][0]["program"]["blocks"][0]["operations"][0][0] = "xor"


def alter_memory(content):
    content["launches"][0]["program"]["arrays"][0][4][0] += 1


def break_program(content):
    del content["launches"][0]["program"]["blocks"]


def leave_out(content):
    content["launches"].pop()


def add_one(content):
    content["launches"].append(content["launches"][0])


def shorten(content):
    content["launches"][0]["generated"].pop()


@pytest.mark.parametrize(
    ("alter", "said"),
    [
        (alter_value, "recorded value"),
        (alter_token, "launch 2, add"),
        (alter_argument, "recorded arguments"),
        (alter_output, "recorded outputs"),
        (alter_name, "recorded arguments"),
        (alter_program, "token"),
        (alter_memory, "not the recorded argument"),
        (break_program, "machine program is none"),
        (leave_out, "record lacks"),
        (add_one, "does not need"),
        (shorten, "tokens are recorded"),
    ],
)
def test_every_alteration_is_found(file, alter, said):
    content = json.loads(file.read_text())
    alter(content)
    file.write_text(json.dumps(content))
    with pytest.raises(MismatchError, match=said):
        replay(read_receipt(file), LIBRARY, FastMachine())


@pytest.mark.parametrize(
    "text",
    (
        '{"format": "qwengpu launch record 1"}',
        '{"format": "other"}',
        "[]",
        '{"format": "qwengpu launch record 1", "launches": [{}]}',
        '{"launches": 3',
    ),
)
def test_what_is_no_record(tmp_path, text):
    path = tmp_path / "no.json"
    path.write_text(text)
    with pytest.raises(InputError):
        read_receipt(path)
    assert not is_receipt(tmp_path / "missing")
