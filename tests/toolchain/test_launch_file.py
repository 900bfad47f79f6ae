"""LAUNCH.json: what the contract allows is read, everything else is named with its place."""

import json

import pytest

from engine.machine.errors import InputError
from toolchain.launch import TYPES, ArrayArgument, ValueArgument, load_launch, parse_launch, parse_launch_text

MINIMAL = {"kernel": "k", "block": [4], "args": []}


def with_argument(**fields):
    return {**MINIMAL, "args": [{"name": "a", **fields}]}


def test_a_complete_launch():
    launch = parse_launch({
        "kernel": "poly<3, int>", "grid": [2, 3], "block": [4, 2, 2], "shared": 64,
        "args": [{"name": "a", "type": "int16*", "value": [1, -2, 32767]}, {"name": "n", "type": "uint8", "value": 255},
                 {"name": "o", "type": "uint64*", "size": 2},
                 {"name": "s", "type": "struct", "fields": ["int8", "int32", "uint16"], "value": [-1, 5, 7]},
                 {"name": "f", "type": "float32*", "value": [1.5, -2]}],
    })  # fmt: skip
    assert (launch.grid, launch.block, launch.shared, launch.threads) == ((2, 3, 1), (4, 2, 2), 64, 16)
    array, number, zeros, struct_, real = launch.arguments
    assert isinstance(array, ArrayArgument)
    assert array.content == b"\x01\x00\xfe\xff\xff\x7f"
    assert number == ValueArgument("n", "uint8", b"\xff")
    assert isinstance(zeros, ArrayArgument)
    assert zeros.content == bytes(16)
    assert isinstance(struct_, ValueArgument)
    assert struct_.content == b"\xff\0\0\0" + b"\x05\0\0\0" + b"\x07\0\0\0"
    assert isinstance(real, ArrayArgument)
    assert real.content == b"\0\0\xc0\x3f\0\0\0\xc0"
    assert [a.name for a in launch.arrays] == ["a", "o", "f"]


def test_grid_and_shared_are_optional():
    launch = parse_launch(MINIMAL)
    assert (launch.grid, launch.block, launch.shared) == ((1, 1, 1), (4, 1, 1), 0)


@pytest.mark.parametrize("name", [name for name in TYPES if name != "float32"])
def test_bits_of_the_smallest_and_largest_value_come_back(name):
    entry = TYPES[name]
    span = 1 << 8 * entry.bytes
    low, high = (-span // 2, span // 2 - 1) if entry.signed else (0, span - 1)
    for value in (low, high, 0, 1):
        assert entry.decode(entry.encode(value)) == value
    for value in (low - 1, high + 1, 1.5, True, "1", None):
        with pytest.raises(InputError):
            entry.check(value, "here")


@pytest.mark.parametrize(("document", "what"), [
    ([], "not a JSON object"),
    ({"kernel": "k", "args": []}, "'block' is missing"),
    ({**MINIMAL, "blocks": 1}, "unknown field 'blocks'"),
    ({**MINIMAL, "kernel": 5}, "'kernel' is no name"),
    ({**MINIMAL, "kernel": " "}, "'kernel' is no name"),
    ({**MINIMAL, "args": {}}, "'args' is no list"),
    ({**MINIMAL, "block": [0]}, "0 is outside 1..1024"),
    ({**MINIMAL, "block": [1, 2, 3, 4]}, "4 dimensions"),
    ({**MINIMAL, "block": []}, "0 dimensions"),
    ({**MINIMAL, "grid": [1.5]}, "1.5 is no whole number"),
    ({**MINIMAL, "grid": [True]}, "true is no whole number"),
    ({**MINIMAL, "grid": [1, 65536]}, "65536 is outside 1..65535"),
    ({**MINIMAL, "shared": -1}, "-1 is outside"),
    (with_argument(), "'type' is missing"),
    (with_argument(type="int"), 'unknown type "int"'),
    (with_argument(type=["int32"]), "unknown type"),
    (with_argument(type="int32**", value=[]), "unknown type"),
    (with_argument(type="int32"), "a scalar takes exactly a 'value'"),
    (with_argument(type="int32", value=1, size=1), "a scalar takes exactly a 'value'"),
    (with_argument(type="int8", value=128), "128 is outside -128..127"),
    (with_argument(type="int32", value="1"), '"1" is no int32'),
    (with_argument(type="int32*"), "an array takes either"),
    (with_argument(type="int32*", value=[1], size=1), "an array takes either"),
    (with_argument(type="int32*", value=1), "'value' of an array is no list"),
    (with_argument(type="int32*", size=-1), "-1 is outside"),
    (with_argument(type="uint8*", value=[1, 256]), "256 is outside 0..255"),
    (with_argument(type="struct", fields=["int32"], value=[1, 2]), "a struct takes 'fields'"),
    (with_argument(type="struct", fields=["int32*"], value=[1]), 'unknown type "int32*"'),
    ({**MINIMAL, "args": [{"name": "a", "type": "int8", "value": 1}] * 2}, "two arguments are called 'a'"),
    ({**MINIMAL, "args": [{"name": "", "type": "int8", "value": 1}]}, "'name' is no name"),
])  # fmt: skip
def test_what_is_wrong_is_named(document, what):
    with pytest.raises(InputError) as caught:
        parse_launch(document)
    assert what in caught.value.what
    assert caught.value.remedy


def test_the_place_of_a_bad_element():
    with pytest.raises(InputError) as caught:
        parse_launch(with_argument(type="uint8*", value=[1, 2, -1]))
    assert caught.value.where == "launch, argument 1 'a', element 2"


def test_malformed_json_names_line_and_column():
    with pytest.raises(InputError) as caught:
        parse_launch_text('{"kernel": "k",\n  "block" [1]}')
    assert "line 2, column 11" in caught.value.where
    with pytest.raises(InputError, match="nested too deeply"):
        parse_launch_text("[" * 200_000)


def test_files(tmp_path):
    path = tmp_path / "LAUNCH.json"
    path.write_text(json.dumps(MINIMAL))
    assert load_launch(path).kernel == "k"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="it is not UTF-8"):
        load_launch(path)
    with pytest.raises(InputError, match="cannot read the launch"):
        load_launch(tmp_path / "missing.json")
