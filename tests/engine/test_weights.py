"""The machine file: what is read is what was written, and nothing altered, foreign or broken is accepted."""

from __future__ import annotations

import json
import random
import struct

import alter
import numpy as np
import pytest
import synthetic
import torch
from safetensors.torch import load_file

from engine import weights
from engine.compact import CompactRuntime
from engine.dense import DenseRuntime, layer_tensors
from engine.machine.container import RawTensor, content_hash, read_container, rewrite_with_hash
from engine.machine.errors import InputError
from engine.weights import layer_shapes, read_machine, total_nonzeros

torch.set_num_threads(1)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return synthetic.build(tmp_path_factory.mktemp("machine") / "machine.safetensors", 3)


def test_the_file_is_ordinary_safetensors(path):
    machine, stock = read_machine(path), load_file(path)
    assert stock["tokens.codes"].tolist() == machine.codes.tolist() == [synthetic.FIXED_CODE | i for i in range(1024)]
    assert total_nonzeros(machine.layers) == sum(len(t) for name, t in stock.items() if name.endswith(".values"))
    for index, layer in enumerate(machine.layers):
        for name, matrix in layer.matrices.items():
            assert torch.equal(stock[f"layers.{index}.{name}.values"].float(), torch.from_numpy(matrix.values))
            assert stock[f"layers.{index}.{name}.rows"].tolist() == matrix.offsets.tolist()


def test_dense_tensors_hold_the_nonzeros_and_nothing_else(path):
    machine = read_machine(path)
    shapes = layer_shapes(machine.spec)
    for layer in machine.layers:
        for name, tensor in layer_tensors(layer).items():
            stock = name.removesuffix(".weight")
            matrix = layer.matrices.get(stock)
            assert tensor.dtype == torch.bfloat16
            assert tuple(tensor.shape) == shapes[stock if matrix is not None else name]
            if matrix is not None:
                assert int((tensor != 0).sum()) == len(matrix.values)
                row = int(matrix.rows()[-1]) if len(matrix.values) else 0
                assert not len(matrix.values) or float(tensor[row, matrix.columns[-1]]) == matrix.values[-1]


def test_a_rewritten_file_is_the_same_bytes(path, tmp_path):
    copy = tmp_path / "copy.safetensors"
    rewrite_with_hash(path, copy)
    assert copy.read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    "tensor",
    [
        "layers.1.mlp.gate_proj.values",
        "layers.2.linear_attn.in_proj_qkv.columns",
        "layers.0.linear_attn.A_log",
        "tokens.codes",
        "mute.axes",
    ],
)
def test_an_altered_byte_is_refused(path, tmp_path, tensor):
    with pytest.raises(InputError, match="altered file") as caught:
        read_machine(alter.flip_byte(path, tmp_path / "altered.safetensors", tensor))
    assert caught.value.exit_code == 2


def test_altered_metadata_is_refused(path, tmp_path):
    content = path.read_bytes()
    other = tmp_path / "altered.safetensors"
    other.write_bytes(content.replace(b"synthetic 3", b"synthetic 4"))
    with pytest.raises(InputError, match="altered file"):
        read_machine(other)


def test_the_hash_names_every_part():
    metadata, tensors = {"a": "1"}, {"t": RawTensor("F32", (1,), b"\0\0\0\0"), "u": RawTensor("I16", (2,), b"\1\0\2\0")}
    hashes = {
        content_hash(*variant)
        for variant in (
            (metadata, tensors),
            ({"a": "2"}, tensors),
            ({"b": "1"}, tensors),
            ({}, tensors),
            (metadata, {**tensors, "t": RawTensor("F32", (1,), b"\0\0\0\1")}),
            (metadata, {**tensors, "t": RawTensor("I32", (1,), b"\0\0\0\0")}),
            (metadata, {**tensors, "u": RawTensor("I16", (2, 1), b"\1\0\2\0")}),
            (metadata, {"u": tensors["t"], "t": tensors["u"]}),
            (metadata, {"t": tensors["t"]}),
        )
    }
    assert len(hashes) == 9
    assert content_hash({"a": "1", "sha256": "x"}, tensors) == content_hash(metadata, dict(reversed(tensors.items())))


def test_files_that_are_no_machine_are_named(path, tmp_path):
    other = tmp_path / "other.safetensors"
    with pytest.raises(InputError, match="cannot read the machine file"):
        read_machine(other)
    for length in (0, 5, 100, len(path.read_bytes()) - 3):
        other.write_bytes(path.read_bytes()[:length])
        with pytest.raises(InputError, match="truncated or not a safetensors file"):
            read_machine(other)
    header = json.dumps({"__metadata__": {"format": "pt"}}).encode()
    other.write_bytes(struct.pack("<Q", len(header)) + header)
    with pytest.raises(InputError, match="not a machine file of this version"):
        read_machine(other)


def broken(name, change):
    def alteration(tensors):
        tensors[name] = change(tensors[name])

    return alteration


def test_malformed_tensors_are_named_even_with_a_hash_that_matches(path, tmp_path):
    other = tmp_path / "other.safetensors"
    gate = "layers.1.mlp.gate_proj"
    inf = np.array([np.inf], np.float32)
    for alteration, name in (
        (lambda t: t.pop(f"{gate}.values"), f"{gate}.values"),
        (broken(f"{gate}.columns", lambda t: RawTensor("I16", t.shape, b"\xff\xff" + t.data[2:])), gate),
        (broken(f"{gate}.rows", lambda t: RawTensor("I32", t.shape, b"\1\0\0\0" + t.data[4:])), gate),
        (broken(f"{gate}.values", lambda t: alter.bf16_tensor(np.concatenate([inf, t.numbers()[1:]]))), gate),
        (broken("layers.0.linear_attn.A_log", lambda t: RawTensor("BF16", (2,), t.data[:4])), "layers.0.linear_attn.A_log"),
        (broken("tokens.codes", lambda t: RawTensor("I32", t.shape, t.data[4:] + t.data[-4:])), "tokens.codes"),
        (broken("tokens.code_lanes", lambda t: RawTensor("I32", (2,), t.data[:8])), "tokens.code_lanes"),
    ):
        rewrite_with_hash(path, other, alteration)
        with pytest.raises(InputError, match="malformed") as caught:
            read_machine(other)
        assert name in caught.value.what
    rewrite_with_hash(path, other, metadata={"spec": "{}x"})
    with pytest.raises(InputError, match="malformed"):
        read_machine(other)


# ---------------------------------------------------------------- it is the weights that compute
def answers(runtime, seed):
    draw = random.Random(seed)
    return [runtime.feed([draw.randrange(1024)]) for _ in range(20)]


def test_an_altered_weight_changes_the_answers_alike_in_both_runtimes(path, tmp_path):
    original, draw = read_machine(path), random.Random(0)
    expected, found = answers(CompactRuntime(original), 1), set()
    for layer, matrix in ((3, weights.GATE), (3, weights.UP), (3, weights.DOWN), (2, weights.GATE), (2, weights.UP)):
        for nonzero in draw.sample(range(len(original.layers[layer].matrices[matrix].values)), 20):
            machine = read_machine(alter.altered(path, tmp_path / "altered.safetensors", layer, matrix, nonzero, lambda x: -x))
            assert machine.content != original.content
            got = answers(CompactRuntime(machine), 1)
            if got != expected:
                assert got == answers(DenseRuntime.embedded(machine), 1)
                found.add((layer, matrix))
                break
    assert len(found) >= 3, f"only in {found} did a weight matter"


def test_all_stored_tensors_are_read(path):
    _, tensors = read_container(path)
    shapes = layer_shapes(synthetic.TINY)
    expected = {f"layers.{i}.{name}" for i in range(synthetic.TINY.layers) for name in weights.VECTORS}
    expected |= {
        f"layers.{i}.{name}.{part}"
        for i in range(synthetic.TINY.layers)
        for name in weights.MATRICES
        for part in ("rows", "columns", "values")
    }
    assert set(tensors) == expected | {"tokens.codes", "tokens.code_lanes", "mute.axes"}
    assert set(shapes) == {*weights.MATRICES, *weights.VECTORS}
