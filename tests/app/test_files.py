"""Reading the user's files: whatever is wrong is named, with its place."""

import json
import os

import pytest

from app.files import MAX_JSON_BYTES, parse_json, read_json, read_text, replace_file
from engine.machine.errors import InputError


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [
        ('{"a": 1,}', "malformed JSON: .*double quotes", 1, 9),
        ('{\n "a": [1,\n  2 3]}', "malformed JSON: .*delimiter", 3, 5),
        ('{"a": 1} trailing', "malformed JSON: Extra data", 1, 10),
        ("", "malformed JSON: Expecting value", 1, 1),
        ('{"a": "\x01"}', "malformed JSON: Invalid control character", 1, 8),
    ],
)
def test_malformed_json_is_refused_at_its_line_and_column(text, message, line, column):
    with pytest.raises(InputError, match=message) as refused:
        parse_json(text, "launch.json")
    assert refused.value.where == f"launch.json:{line}:{column}"
    assert (refused.value.extra["line"], refused.value.extra["column"]) == (line, column)


def test_lines_of_a_longer_file_keep_their_numbers():
    with pytest.raises(InputError) as refused:
        parse_json('{"a" 1}', "jobs.jsonl", 17)
    assert refused.value.where == "jobs.jsonl:17:6"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"n": NaN}', "NaN is not a JSON number"),
        ('{"n": -Infinity}', "-Infinity is not a JSON number"),
        ('{"n": 1, "n": 2}', "key 'n' appears twice"),
        ("[" * 100_000, "nested too deeply"),
        ('{"n": ' + "9" * 5000 + "}", "too many digits"),
    ],
)
def test_what_is_no_launch_in_any_case(text, message):
    with pytest.raises(InputError, match=message):
        parse_json(text, "launch.json")


def test_json_is_read_as_it_is(tmp_path):
    value = {"kernel": "k", "args": [{"name": "a", "value": [-(2**63), 2**64 - 1]}]}
    (tmp_path / "launch.json").write_text("\ufeff" + json.dumps(value), encoding="utf-8")
    assert read_json(tmp_path / "launch.json") == value


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b" \n\t ", "the file is empty"),
        (b'{"a":\n"\xff"}', "not UTF-8"),
        (b"x" * (MAX_JSON_BYTES + 1), "too large"),
    ],
)
def test_unusable_contents(tmp_path, content, message):
    (tmp_path / "file.json").write_bytes(content)
    with pytest.raises(InputError, match=message) as refused:
        read_text(tmp_path / "file.json")
    assert "file.json" in refused.value.where and refused.value.remedy


def test_undecodable_text_names_its_line(tmp_path):
    (tmp_path / "file.json").write_bytes(b"{\n\n\xfe}")
    with pytest.raises(InputError) as refused:
        read_text(tmp_path / "file.json")
    assert refused.value.where.endswith("file.json:3")


def test_unreadable_files(tmp_path):
    with pytest.raises(InputError, match="Is a directory"):
        read_text(tmp_path)
    with pytest.raises(InputError, match="No such file"):
        read_text(tmp_path / "missing")
    with pytest.raises(InputError, match="null byte"):
        read_text(tmp_path / "nul\0name")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(tmp_path):
    (tmp_path / "secret").write_text("{}")
    (tmp_path / "secret").chmod(0)
    with pytest.raises(InputError, match="Permission denied"):
        read_text(tmp_path / "secret")


def test_replacing_a_file_leaves_nothing_else(tmp_path):
    target = tmp_path / "new" / "file"
    replace_file(target, b"one")
    replace_file(target, b"two")
    assert target.read_bytes() == b"two" and list(target.parent.iterdir()) == [target]


def test_a_failed_replacement_keeps_the_old_file(tmp_path, monkeypatch):
    target = tmp_path / "file"
    replace_file(target, b"old")

    def full(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        replace_file(target, b"new")
    assert target.read_bytes() == b"old" and list(tmp_path.iterdir()) == [target]
