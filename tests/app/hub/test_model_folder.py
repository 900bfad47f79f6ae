"""A folder that somebody has already: complete, or the first thing that is wrong with it by name."""

import json

import pytest

from app.hub.client import manifest_of
from app.hub.folder import check_folder
from app.hub.model import Source
from engine.machine.errors import Cancelled, InputError
from tests.servers.hub import info, tiny_model

ONE, INDEX = "model.safetensors-00001-of-00002.safetensors", "model.safetensors.index.json"


@pytest.fixture
def model(tmp_path):
    return tiny_model(tmp_path / "モデル é", 5000)


def change(path, **changes):
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def test_a_complete_folder_is_taken(model):
    found = check_folder(model)
    assert found.folder == model and len(found.files) == 2 and found.size > 10_000 and not found.hashed


def test_a_single_file_is_taken(tmp_path):
    folder = tiny_model(tmp_path / "m", 5000, shards=1)
    (folder / INDEX).unlink()
    next(folder.glob("*.safetensors")).rename(folder / "model.safetensors")
    assert check_folder(folder).files == ("model.safetensors",)


def test_hashes_are_compared_where_they_are_known(model):
    manifest = manifest_of(info(model, "a/b"), Source("a/b"))
    told = []
    assert check_folder(model, manifest, lambda done, total: told.append((done, total))).hashed
    assert told[-1] == (manifest.size, manifest.size)
    content = bytearray((model / ONE).read_bytes())
    content[-1] ^= 1
    (model / ONE).write_bytes(content)
    with pytest.raises(InputError, match="hash differs"):
        check_folder(model, manifest)
    with pytest.raises(Cancelled):
        check_folder(model, manifest, stopped=lambda: True)
    (model / "vocab.json").write_text("{ }")
    with pytest.raises(InputError, match=r"'vocab.json' has 3 bytes, the hub's has 2"):
        check_folder(model, manifest)


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda folder: (folder / "config.json").unlink(), "no config.json"),
        (lambda folder: (folder / "config.json").write_text("{"), "malformed JSON"),
        (lambda folder: (folder / "config.json").write_text("[]"), "not a JSON object"),
        (lambda folder: change(folder / "config.json", model_type="llama"), "holds a llama, not a Qwen3.5"),
        (lambda folder: change(folder / "config.json", quantization_config={}), "quantised"),
        (lambda folder: (folder / "tokenizer.json").unlink(), "no tokenizer.json"),
        (lambda folder: (folder / INDEX).unlink(), "neither"),
        (lambda folder: change(folder / INDEX, weight_map=5), "does not say"),
        (lambda folder: change(folder / INDEX, weight_map={"t": "../x.safetensors"}), "does not say"),
        (lambda folder: change(folder / INDEX, weight_map={"t9": ONE}), "'t9' is not in"),
        (lambda folder: (folder / ONE).unlink(), f"'{ONE}' is missing"),
        (lambda folder: (folder / ONE).write_bytes((folder / ONE).read_bytes()[:-1]), "its header promises"),
        (lambda folder: (folder / ONE).write_bytes(b"version https://git-lfs"), "no safetensors file"),
        (lambda folder: (folder / ONE).write_bytes(b""), "no safetensors file"),
        (lambda folder: (folder / ONE).write_bytes((4).to_bytes(8, "little") + b"[[[[" + b"x" * 20), "no safetensors file"),
        (lambda folder: (folder / ONE).write_bytes((8).to_bytes(8, "little") + b'{"a":{}}'), "header of .* is damaged"),
        (lambda folder: (folder / ONE).write_bytes((1 << 60).to_bytes(8, "little") + b"{}"), "no safetensors file"),
    ],
)
def test_what_is_wrong_is_named(model, damage, words):
    damage(model)
    with pytest.raises(InputError, match=words) as refused:
        check_folder(model)
    assert refused.value.where and refused.value.remedy


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="no such folder"):
        check_folder(tmp_path / "nowhere")
