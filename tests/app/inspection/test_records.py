"""Records that somebody altered, cut or made up: each is refused by name, none is executed."""

import json

import pytest

from app.inspection.records import check_record, read_record, save_record
from app.inspection.tables import as_csv, as_json, as_text, save_table
from engine.machine.errors import GpuError, InputError
from tests.app.inspection.made import dot


@pytest.fixture
def content():
    return json.loads(dot().receipt.to_json())


@pytest.fixture
def file(tmp_path):
    def write(value):
        path = tmp_path / "記録 é.json"
        path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
        return path

    return write


def test_export_and_import(tmp_path):
    save_record(dot(), tmp_path / "copy.json")
    again = read_record(tmp_path / "copy.json")
    assert again.launches[0].generated == dot().launches[0].generated and again.title == "dot"


@pytest.mark.parametrize("cut", [0, 1, 40, 500, -1, -3])
def test_truncated(file, content, cut):
    text = json.dumps(content)
    with pytest.raises(InputError):
        read_record(file(text[:cut]))


def alter(content, place, value):
    *way, last = place
    inner = content
    for step in way:
        inner = inner[step]
    inner[last] = value
    return content


LAUNCH = ("launches", 0)
ALTERED = [
    (("format",), "another"),
    (("launches",), 5),
    (("launches",), [5]),
    (("launches",), [{}]),
    (("id",), 5),
    (("expression",), ["x"]),
    (("names",), [1]),
    (("extra",), None),
    (("seconds",), "fast"),
    (("checkpoint",), None),
    ((*LAUNCH, "prompt"), [1, 2, 3]),
    ((*LAUNCH, "prompt"), "PAD"),
    ((*LAUNCH, "prompt", 5), -1),
    ((*LAUNCH, "prompt", 5), 17),
    ((*LAUNCH, "generated"), []),
    ((*LAUNCH, "generated", 2), 10**9),
    ((*LAUNCH, "generated", 2), True),
    ((*LAUNCH, "generated", 2), 1.5),
    ((*LAUNCH, "generated", 2), None),
    ((*LAUNCH, "program"), None),
    ((*LAUNCH, "program"), {}),
    ((*LAUNCH, "program", "blocks"), 7),
    ((*LAUNCH, "program", "blocks"), [{"operations": [], "exit": ["EXIT", 9, 0, 0], "serial": False, "yields": False}]),
    ((*LAUNCH, "program", "blocks", 0, "operations", 0, 0), "format_disk"),
    ((*LAUNCH, "program", "blocks", 0, "operations", 0, 4), -1),
    ((*LAUNCH, "program", "blocks", 0, "operations", 0, 5), 99),
    ((*LAUNCH, "program", "blocks", 0, "operations", 0, 1), 1.5),
    ((*LAUNCH, "program", "blocks", 0, "exit", 1), "1"),
    ((*LAUNCH, "program", "threads"), 0),
    ((*LAUNCH, "program", "threads"), 10**6),
    ((*LAUNCH, "program", "many"), "no"),
    ((*LAUNCH, "program", "arrays", 0, 1), 2**40),
    ((*LAUNCH, "program", "arrays", 0, 4), ["x"]),
    ((*LAUNCH, "program", "arrays", 0, 0), 5),
    ((*LAUNCH, "program", "arrays"), "abc"),
    ((*LAUNCH, "launch"), []),
    ((*LAUNCH, "launch"), {}),
    ((*LAUNCH, "launch", "args", 0, "type"), "evil*"),
    ((*LAUNCH, "launch", "args", 0), 3),
    ((*LAUNCH, "outputs"), [1]),
    ((*LAUNCH, "outputs", "out"), "32"),
    ((*LAUNCH, "outputs", "out"), [None]),
    ((*LAUNCH, "cuda"), 5),
    ((*LAUNCH, "ptx"), "x" * (5 << 20)),
    ((*LAUNCH, "seconds"), None),
]


@pytest.mark.parametrize("place, value", ALTERED, ids=[f"{'.'.join(map(str, p))}={str(v)[:20]}" for p, v in ALTERED])
def test_altered(file, content, place, value):
    with pytest.raises(InputError) as error:
        read_record(file(alter(content, place, value)))
    assert error.value.what and error.value.where and error.value.remedy


def test_other_data_in_the_program_than_the_host_wrote(file, content):
    name, base, words, tag, data = content["launches"][0]["program"]["arrays"][0]
    alter(content, (*LAUNCH, "program", "arrays", 0), [name, base, words, tag, [*data[:-1], data[-1] + 1]])
    with pytest.raises(InputError, match="altered"):
        read_record(file(content))


def test_too_many_tokens_and_too_long_files(file, content, monkeypatch):
    monkeypatch.setattr("app.inspection.records.MAX_TOKENS", 10)
    with pytest.raises(InputError, match="more than 10 tokens"):
        read_record(file(content))
    monkeypatch.setattr("app.inspection.records.MAX_RECORD_BYTES", 100)
    with pytest.raises(InputError, match="too large"):
        read_record(file(content))


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "null",
        "{}",
        "5",
        '{"format": "qwengpu launch record 1"}',
        "[" * 100_000,
        '{"format": "qwengpu launch record 1", "a": 1e999999}',
        "\0" * 5000,
        '{"a": 1, "a": 2}',
    ],
)
def test_no_records_at_all(file, text):
    with pytest.raises(GpuError):
        read_record(file(text))


def test_a_checked_receipt_needs_no_file():
    assert check_record(dot().receipt).path is None


def test_tables(tmp_path):
    record = dot()
    launch = record.launches[0]
    assert as_csv(launch).splitlines() == ["index,a (in),b (in),out", "0,1,4,32", "1,2,5,", "2,3,6,"]
    assert json.loads(as_json(record))["launches"][0]["outputs"] == {"out": [32]}
    assert as_text(record) == "out = [32]"
    save_table(record, launch, tmp_path / "t.csv")
    save_table(record, launch, tmp_path / "t.json")
    assert (tmp_path / "t.csv").read_text() == as_csv(launch) and json.loads((tmp_path / "t.json").read_text())
    with pytest.raises(InputError):
        save_table(record, launch, tmp_path / "t.csv" / "inside.csv")
