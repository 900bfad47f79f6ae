"""Verification: intact checkpoints pass, every kind of damage is named at its first place."""

import hashlib
import json
import shutil

import pytest
import torch

from builder.merge import build
from builder.report import canonical, digest, read_report
from builder.tensorfile import load, raw, read_header
from builder.verify import verify
from engine.machine.container import FILE_NAME, rewrite_with_hash
from engine.machine.errors import Cancelled, InputError, MismatchError
from tests.fakes import LAYER, NAMES, SHARD, SIZE, make_base, make_machine


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("built")
    make_base(folder / "base", SIZE)
    make_machine(folder / "machine.safetensors", LAYER)
    build(folder / "base", folder / "machine.safetensors", folder / "out", NAMES, shard_bytes=SHARD)
    return folder / "out"


@pytest.fixture
def checkpoint(built, tmp_path):
    """A copy that a test may damage."""
    return shutil.copytree(built, tmp_path / "out")


def shard_of(folder, tensor):
    return json.loads((folder / "model.safetensors.index.json").read_text())["weight_map"][tensor]


def change(folder, file, tensor, edit):
    """Change one tensor in its place in a file."""
    stored = read_header(folder / file).tensors[tensor]
    value = load(stored)
    edit(value)
    with (folder / file).open("r+b") as opened:
        opened.seek(stored.offset)
        opened.write(raw(value))


def change_machine(folder, tensor, edit):
    """Change one tensor of the machine file and its hash."""
    change(folder, FILE_NAME, tensor, edit)
    rewrite_with_hash(folder / FILE_NAME, folder / FILE_NAME)


def sign(folder, **fields):
    """Make the report agree with the files as they are now, as whoever forges a checkpoint would."""
    report = json.loads((folder / "build_report.json").read_text())
    report.update(fields)
    for name, record in report["files"].items():
        data = (folder / name).read_bytes()
        record.update(size=len(data), sha256=hashlib.sha256(data).hexdigest())
    report["checkpoint"] = digest({name: record["sha256"] for name, record in report["files"].items()})
    (folder / "build_report.json").write_bytes(canonical(report))


def test_an_intact_checkpoint_passes(built):
    events = []
    found = verify(built, progress=events.append)
    report = read_report(built)
    assert found.checkpoint == report.checkpoint and found.mute == report.mute and found.files == len(report.files)
    assert {event.stage for event in events} == {"verify", "mute"} and events[-1].done == events[-1].total


@pytest.mark.parametrize(
    "tensor", ["model.layers.1.mlp.down_proj.weight", "model.layers.4.mlp.up_proj.weight", "model.embed_tokens.weight"]
)
def test_a_changed_weight_is_named(checkpoint, tensor):
    shard = shard_of(checkpoint, tensor)
    change(checkpoint, shard, tensor, lambda value: value[5].mul_(2).add_(1))
    with pytest.raises(MismatchError, match=f"'{shard}' is not what was built: tensor '{tensor}' differs"):
        verify(checkpoint)


def test_a_changed_companion_is_named(checkpoint):
    (checkpoint / "tokenizer.json").write_text('{"version": "1.1"}')
    with pytest.raises(MismatchError, match=r"'tokenizer.json' is not what was built: its content differs"):
        verify(checkpoint)


@pytest.mark.parametrize(
    ("tensor", "row", "message"),
    [
        ("model.layers.1.mlp.down_proj.weight", 5, r"differs from the machine file at \[5, 0\]"),
        ("model.layers.2.linear_attn.in_proj_z.weight", 3, r"differs from the machine file at \[3, 0\]"),
        ("model.layers.0.linear_attn.dt_bias", 1, r"differs from the machine file at \[1\]: 1.0 instead of -128.0"),
        ("model.embed_tokens.weight", SIZE.vocabulary + 7, rf"differs from the machine file at \[{SIZE.vocabulary + 7}, 0\]"),
        ("model.embed_tokens.weight", 5, "base's tensor 'embed_tokens.weight' differs from the download"),
        ("model.layers.4.mlp.up_proj.weight", 5, "base's tensor 'layers.1.mlp.up_proj.weight' differs from the download"),
    ],
)
def test_a_forged_weight_is_named(checkpoint, tensor, row, message):
    change(checkpoint, shard_of(checkpoint, tensor), tensor, lambda value: value[row].fill_(1.0))
    sign(checkpoint)
    with pytest.raises(MismatchError, match=message):
        verify(checkpoint)


def test_a_forged_machine_is_named(checkpoint):
    change_machine(checkpoint, "layers.1.mlp.up_proj.values", lambda value: value[8].mul_(2))
    sign(checkpoint)
    with pytest.raises(MismatchError, match=r"'model.layers.1.mlp.up_proj.weight' differs from the machine file"):
        verify(checkpoint)


def test_a_machine_whose_hash_was_forgotten_is_refused(checkpoint):
    change(checkpoint, FILE_NAME, "layers.1.mlp.up_proj.values", lambda value: value[8].mul_(2))
    sign(checkpoint)
    with pytest.raises(InputError, match="altered file"):
        verify(checkpoint)


def test_a_forged_proof_is_named(checkpoint):
    report = json.loads((checkpoint / "build_report.json").read_text())
    sign(checkpoint, mute=report["mute"] | {"violators": [11]})
    with pytest.raises(MismatchError, match="token 11"):
        verify(checkpoint)


def test_a_weakened_direction_is_found_everywhere_it_counts(checkpoint):
    change_machine(checkpoint, "mute.direction", torch.Tensor.neg_)
    sign(checkpoint)
    with pytest.raises(MismatchError, match="differs from the machine file"):
        verify(checkpoint)


def drop(name):
    return lambda folder: (folder / name).unlink()


def truncate(folder):
    path = min(folder.glob("model-*.safetensors"))
    path.write_bytes(path.read_bytes()[:-7])


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (truncate, "truncated or foreign"),
        (drop("config.json"), "lacks 'config.json'"),
        (drop("machine.safetensors"), "lacks 'machine.safetensors'"),
        (drop("build_report.json"), "no readable build_report.json"),
        (lambda folder: (folder / "build_report.json").write_text("{"), "malformed"),
        (lambda folder: (folder / "build_report.json").write_text("[]"), "no checkpoint of this version"),
        (lambda folder: (folder / "build_report.json").write_text('{"format": "other"}'), "no checkpoint of this version"),
        (
            lambda folder: (folder / "build_report.json").write_text(
                (folder / "build_report.json").read_text().replace('"checkpoint": "', '"checkpoint": "0')
            ),
            "contradicts itself",
        ),
    ],
)
def test_truncated_and_foreign_folders_are_refused(checkpoint, damage, message):
    damage(checkpoint)
    with pytest.raises(InputError) as caught:
        verify(checkpoint)
    assert message in str(caught.value)


def test_verification_can_be_stopped(built):
    with pytest.raises(Cancelled):
        verify(built, cancelled=lambda: True)
