"""Bases in every accepted layout, and every way in which one can be wrong."""

import json
import shutil
from dataclasses import replace
from functools import partial

import pytest
import torch

from builder.base import expected_tensors, fetch_from_hub, hash_base, open_base
from builder.tensorfile import Entry, Stored, entry, load, read_header
from engine.machine.errors import EnvironmentProblem, InputError
from tests.fakes import LAYER, SIZE, make_base
from tests.fakes.base import write_weights
from tests.fakes.hub import fake_hub


@pytest.fixture(scope="module")
def vision(tmp_path_factory):
    return make_base(tmp_path_factory.mktemp("bases") / "vision", SIZE)


@pytest.fixture
def folder(vision, tmp_path):
    """A copy that a test may damage."""
    return shutil.copytree(vision, tmp_path / "base")


def edit_config(folder, change):
    path = folder / "config.json"
    config = json.loads(path.read_text())
    change(config)
    path.write_text(json.dumps(config))


def rewrite(folder, change):
    """Apply a change to the list of entries of all tensors and write them anew, as a single file."""
    index = json.loads((folder / "model.safetensors.index.json").read_text())["weight_map"]
    stored = [read_header(folder / shard).tensors[name] for name, shard in index.items()]
    entries = change(
        [
            Entry(item.name, item.dtype, item.shape, partial(_bytes, item.name, item.dtype, item.shape, list(item.chunks())))
            for item in stored
        ]
    )
    for path in folder.glob("model.safetensors*"):
        path.unlink()
    write_weights(folder, entries, 1)


def _bytes(name, dtype, shape, chunks):
    return chunks


def test_all_layouts_give_the_same_tensors(vision, tmp_path):
    single = make_base(tmp_path / "single", SIZE, layout="text", shards=1)
    sharded = make_base(tmp_path / "sharded", SIZE, layout="text", shards=4)
    bases = [open_base(path, LAYER) for path in (vision, single, sharded)]
    names = expected_tensors(bases[0].dimensions, tied=True)
    for base in bases:
        assert set(base.tensors) == set(names) and base.tied
        for name in names:
            assert torch.equal(load(base.tensors[name]), load(bases[0].tensors[name])), name
    assert bases[0].companions["chat_template.jinja"].read_text() == "{{ messages }}"
    assert "README.md" not in bases[0].companions
    assert len(bases[0].files) == 3 and len(bases[1].files) == 1


def test_rows_are_read_on_demand(vision):
    embedding = open_base(vision, LAYER).tensors["embed_tokens.weight"]
    assert isinstance(embedding, Stored)
    assert torch.equal(load(embedding, 100, 103), load(embedding)[100:103])


def test_embedded_is_one_group_of_layers_that_add_nothing():
    base = open_base("embedded", LAYER)
    assert base.dimensions.layer_types == ("linear_attention",) * 3 + ("full_attention",)
    assert base.dimensions.layer == LAYER and base.dimensions.vocabulary == 0
    assert not load(base.tensors["layers.3.self_attn.o_proj.weight"]).any()


def without(name):
    return lambda entries: [item for item in entries if not item.name.endswith(name)]


def with_dtype(name, dtype):
    return lambda entries: [
        entry(item.name, torch.zeros(item.shape, dtype=dtype)) if item.name.endswith(name) else item for item in entries
    ]


def with_shape(name, shape):
    return lambda entries: [
        entry(item.name, torch.zeros(shape).bfloat16()) if item.name.endswith(name) else item for item in entries
    ]


def added(name, shape):
    return lambda entries: [*entries, entry(name, torch.zeros(shape).bfloat16())]


def cut(folder):
    path = max(folder.glob("*.safetensors"))
    path.write_bytes(path.read_bytes()[:-100])


def point_elsewhere(folder):
    path = folder / "model.safetensors.index.json"
    index = json.loads(path.read_text())
    first, last = min(index["weight_map"].values()), max(index["weight_map"].values())
    name = next(tensor for tensor, shard in index["weight_map"].items() if shard == first)
    index["weight_map"][name] = last
    path.write_text(json.dumps(index))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda f: (f / "config.json").unlink(), "no config.json"),
        (lambda f: (f / "config.json").write_text('{"a": '), "not readable JSON"),
        (lambda f: (f / "config.json").write_text("[]"), "not a JSON object"),
        (
            lambda f: edit_config(f, lambda c: c.update(architectures=["LlamaForCausalLM"], model_type="llama")),
            "LlamaForCausalLM, not a Qwen3.5",
        ),
        (lambda f: edit_config(f, lambda c: c.update(quantization_config={})), "quantised"),
        (lambda f: edit_config(f, lambda c: c["text_config"].pop("head_dim")), "lacks 'head_dim'"),
        (lambda f: edit_config(f, lambda c: c["text_config"].update(head_dim="wide")), "malformed"),
        (lambda f: edit_config(f, lambda c: c["text_config"].update(layer_types=["linear_attention"])), "layer_types"),
        (lambda f: edit_config(f, lambda c: c["text_config"].update(hidden_act="gelu")), "gelu, not silu"),
        (lambda f: edit_config(f, lambda c: c["text_config"].update(rms_norm_eps=1e-5)), "rms_norm_eps"),
        (lambda f: min(f.glob("*.safetensors")).unlink(), "is missing (1 of 3)"),
        (cut, "its header promises"),
        (lambda f: min(f.glob("*.safetensors")).write_bytes(b"version https://git-lfs.github.com/spec/v1\n"), "Git LFS"),
        (lambda f: min(f.glob("*.safetensors")).write_bytes(b"\x10\0\0\0\0\0\0\0not json at all!"), "not a safetensors"),
        (lambda f: (f / "model.safetensors.index.json").write_text("{}"), "no usable weight_map"),
        (
            lambda f: (f / "model.safetensors.index.json").write_text('{"weight_map": {"a": "../../etc/passwd"}}'),
            "no usable weight_map",
        ),
        (point_elsewhere, "where the index says"),
        (lambda f: (f / "model.safetensors.index.json").unlink(), "neither"),
        (lambda f: rewrite(f, without("layers.2.mlp.up_proj.weight")), "lacks tensor 'layers.2.mlp.up_proj.weight'"),
        (lambda f: rewrite(f, with_shape("layers.2.mlp.up_proj.weight", (4, 4))), "has shape [4, 4]"),
        (lambda f: rewrite(f, added("model.language_model.layers.0.mlp.bias", (4,))), "no place in the model"),
        (lambda f: rewrite(f, added("transformer.h.0.weight", (4,))), "belongs to no Qwen3_5"),
        (lambda f: rewrite(f, with_dtype("embed_tokens.weight", torch.float16)), "F16, not bfloat16"),
        (lambda f: rewrite(f, added("lm_head.weight", (SIZE.vocabulary, SIZE.hidden))), "stored head differs"),
    ],
)
def test_wrong_bases_are_named(folder, damage, message):
    damage(folder)
    with pytest.raises(InputError) as caught:
        open_base(folder, LAYER)
    assert message in str(caught.value)


def test_other_dimensions_are_named(folder):
    with pytest.raises(InputError, match="compiled for intermediate = 999, this base has 192"):
        open_base(folder, replace(LAYER, intermediate=999))


@pytest.mark.parametrize("source", ["no/such/folder", "nothing"])
def test_unknown_sources_are_named(source):
    with pytest.raises(InputError, match="no base at"):
        open_base(source, LAYER)


def test_a_repeated_head_of_a_tied_base_is_accepted(folder):
    rewrite(
        folder,
        lambda entries: [
            *entries,
            next(replace(item, name="lm_head.weight") for item in entries if item.name.endswith("embed_tokens.weight")),
        ],
    )
    base = open_base(folder, LAYER)
    assert base.tied and "lm_head.weight" not in base.tensors


def test_a_base_from_the_hub(vision, tmp_path):
    with fake_hub({"someone/model": vision}) as endpoint:
        base = open_base("someone/model", LAYER, partial(fetch_from_hub, endpoint=endpoint, cache=tmp_path))
        assert base.source == "someone/model"
        hashes = hash_base(base, lambda _: None)
        assert hashes == base.expected and len(hashes) == 3
        with pytest.raises(InputError, match="no repository 'someone/else'"):
            fetch_from_hub("someone/else", endpoint, tmp_path)
    with pytest.raises(InputError, match="not a hub id"):
        fetch_from_hub("a/b/c", "http://127.0.0.1:9", tmp_path)


def test_a_damaged_download_is_named(vision, tmp_path):
    shard = max(path.name for path in vision.glob("*.safetensors"))
    with fake_hub({"someone/model": vision}, damaged=shard) as endpoint:
        base = open_base("someone/model", LAYER, partial(fetch_from_hub, endpoint=endpoint, cache=tmp_path))
    with pytest.raises(InputError, match=f"'{shard}' has another sha256"):
        hash_base(base, lambda _: None)


def test_no_network_is_an_environment_problem(tmp_path):
    with fake_hub({}) as endpoint:
        pass
    with pytest.raises(EnvironmentProblem, match="could not be downloaded"):
        fetch_from_hub("someone/model", endpoint, tmp_path)
