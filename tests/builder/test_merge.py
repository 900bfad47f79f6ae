"""The merged checkpoint: what is in it, that stock transformers runs it, and how a build behaves when it is disturbed."""

import errno
import hashlib
import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import torch
from safetensors import safe_open
from transformers import AutoModelForCausalLM, DynamicCache
from transformers.utils import logging

from builder import merge, workspace
from builder.base import open_base, read_dimensions
from builder.fit import fit_machine
from builder.machinefile import open_machine
from builder.merge import build
from builder.report import machine_share, read_report
from builder.tensorfile import entry, read_header, write
from builder.verify import verify
from builder.workspace import Watch, partial_folder
from engine.machine.errors import Cancelled, EnvironmentProblem, InputError
from engine.machine.tokens import code_signs
from tests.fakes import LAYER, NAMES, SHARD, SIZE, make_base, make_machine
from tests.fakes.base import FULL

LAYERS = 3
TEXT = SIZE.vocabulary
logging.disable_progress_bar()


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """A vision-layout base, the same weights as a plain model, a machine, and the checkpoint of the first."""
    folder = tmp_path_factory.mktemp("parts")
    make_base(folder / "base", SIZE)
    make_base(folder / "plain", SIZE, layout="text", shards=1)
    make_machine(folder / "machine.safetensors", LAYER, layers=LAYERS)
    build_in(folder, folder / "out")
    return folder


def build_in(parts, out, base="base", machine="machine.safetensors", **options):
    source = base if base == "embedded" else parts / base
    return build(source, parts / machine, out, NAMES, **{"shard_bytes": SHARD, **options})


def contents(folder):
    """Every file's hash; of the report, all that must not differ between builds."""
    found = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}
    report = json.loads((folder / "build_report.json").read_text())
    report.pop("seconds")
    return found | {"build_report.json": report}


def tensors(folder):
    index = json.loads((folder / "model.safetensors.index.json").read_text())["weight_map"]
    for name, shard in index.items():
        with safe_open(folder / shard, "pt") as file:
            yield name, file.get_tensor(name)


def stock(folder):
    return AutoModelForCausalLM.from_pretrained(folder).eval()


def texts(*lengths):
    source = torch.Generator().manual_seed(7)
    return [torch.randint(0, TEXT, (1, length), generator=source) for length in lengths]


def assert_same_text(base, merged):
    for ids in texts(1, 2, 5, 63, 64, 65, 150):
        with torch.no_grad():
            expected, found = base(ids).logits, merged(ids).logits
        assert torch.equal(expected, found[..., :TEXT])
        largest, probability = machine_share(found, TEXT)
        assert largest < float(expected.max()) and probability < 0.2


def test_stock_transformers_gives_the_base_s_logits_bit_for_bit(parts):
    base, merged = stock(parts / "plain"), stock(parts / "out")
    assert type(merged).__name__ == "Qwen3_5ForCausalLM" and merged.dtype == torch.bfloat16
    assert len(merged.model.layers) == LAYERS + SIZE.layers
    assert_same_text(base, merged)


def test_generation_with_cache_is_the_base_s_and_leaves_the_machine_alone(parts):
    base, merged = stock(parts / "plain"), stock(parts / "out")
    ids = texts(70)[0]
    found = []
    for model in (base, merged):
        cache, logits, step = DynamicCache(config=model.config), [], ids
        with torch.no_grad():
            for _ in range(12):
                logits.append(model(step, cache=cache).logits[:, -1, :TEXT])
                step = logits[-1].argmax(-1, keepdim=True)
        found.append((torch.stack(logits), cache))
    assert torch.equal(found[0][0], found[1][0])
    for layer in range(LAYERS):
        assert not found[1][1].get_recurrent_state(layer, state_idx=0).any()
    for layer in (0, 1, 2):  # the base's own state is the same too, three layers further up
        assert torch.equal(
            found[0][1].get_recurrent_state(layer, state_idx=0), found[1][1].get_recurrent_state(layer + LAYERS, state_idx=0)
        )


@pytest.mark.parametrize("tied", [True, False])
def test_plain_and_untied_bases(parts, tmp_path, tied):
    make_base(tmp_path / "base", SIZE, layout="text", shards=1, tied=tied, seed=5)
    build(tmp_path / "base", parts / "machine.safetensors", tmp_path / "out", NAMES)
    merged = stock(tmp_path / "out")
    assert (merged.lm_head.weight is merged.model.embed_tokens.weight) is tied
    assert torch.equal(merged.lm_head.weight[TEXT:], merged.model.embed_tokens.weight[TEXT:])
    assert_same_text(stock(tmp_path / "base"), merged)


def test_every_base_tensor_is_bit_identical_and_recorded(parts):
    base = dict(tensors(parts / "base"))
    merged, report = dict(tensors(parts / "out")), read_report(parts / "out")
    language = {
        name.removeprefix("model.language_model."): value
        for name, value in base.items()
        if name.startswith("model.language_model.")
    }
    assert set(report.base_tensors) == set(language)
    for name, value in language.items():
        assert hashlib.sha256(value.view(torch.uint8).numpy().tobytes()).hexdigest() == report.base_tensors[name]
        found = merged[merge.merged_name(name, LAYERS)]
        assert torch.equal(found[:TEXT] if name == "embed_tokens.weight" else found, value)
    assert not any("visual" in name or "mtp" in name for name in merged)


def test_machine_tokens_have_their_codes_behind_the_vocabulary(parts):
    machine = open_machine(parts / "out" / "machine.safetensors")
    rows = dict(tensors(parts / "out"))["model.embed_tokens.weight"][TEXT:]
    with safe_open(parts / "out" / "machine.safetensors", "pt") as file:
        placement = file.get_tensor("fit.placement").long()
    for row, code in zip(rows, machine.codes.tolist(), strict=True):
        expected = torch.zeros(SIZE.hidden)
        expected[placement[machine.code_lanes]] = torch.tensor(code_signs(code)) * 2.0**-5
        assert torch.equal(row.float(), expected)
    names = json.loads((parts / "out" / "machine_tokens.json").read_text())
    assert names == {str(TEXT + i): name for i, name in enumerate(NAMES)}


def test_the_folder_holds_what_belongs_to_it(parts):
    out = parts / "out"
    config = json.loads((out / "config.json").read_text())
    assert config["architectures"] == ["Qwen3_5ForCausalLM"] and config["vocab_size"] == TEXT + len(NAMES)
    assert config["layer_types"] == ["linear_attention"] * 6 + ["full_attention"]
    assert "full_attention_interval" not in config and config["rope_parameters"]["rope_theta"] == 10000000
    for name in ("tokenizer.json", "chat_template.jinja", "generation_config.json", "LICENSE"):
        assert (out / name).read_bytes() == (parts / "base" / name).read_bytes()
    notice = (out / "NOTICE").read_text()
    assert "'base'" in notice and "Apache License, Version 2.0" in notice
    assert not (out / "journal.json").exists() and not partial_folder(out).exists()
    report = read_report(out)
    assert set(report.files) | {"build_report.json"} == {path.name for path in out.iterdir()}
    assert report.mute.complete and report.mute.margin > 0.02 and report.mute.rows == TEXT
    assert report.size == sum((out / name).stat().st_size for name in report.files)


def test_machine_file_is_kept_and_extended(parts):
    with (
        safe_open(parts / "machine.safetensors", "pt") as plain,
        safe_open(parts / "out" / "machine.safetensors", "pt") as copied,
    ):
        assert set(copied.keys()) - set(plain.keys()) == {"fit.placement", "mute.direction", "mute.gain", "output.norm"}
        for name in plain.keys():  # noqa: SIM118
            assert torch.equal(plain.get_tensor(name), copied.get_tensor(name))
        assert {**copied.metadata(), "sha256": ""} == {**plain.metadata(), "sha256": ""}
        assert copied.get_tensor("mute.gain").item() == 2.0**40


def test_equal_inputs_give_equal_bytes(parts, tmp_path):
    build_in(parts, tmp_path / "out")
    assert contents(tmp_path / "out") == contents(parts / "out")


def test_embedded_loads_caches_and_has_only_machine_tokens(parts, tmp_path):
    report = build_in(parts, tmp_path / "out", base="embedded")
    model = stock(tmp_path / "out")
    assert model.config.vocab_size == len(NAMES) and report.mute.rows == 0
    with torch.no_grad():
        logits = model(torch.tensor([[1, 2, 3]]), use_cache=True).logits
    assert logits.shape == (1, 3, len(NAMES))
    assert "no language model" in (tmp_path / "out" / "NOTICE").read_text()


def test_progress_is_sent_by_unit_and_reaches_the_total(parts, tmp_path):
    seen = []
    report = build_in(parts, tmp_path / "out", progress=seen.append)
    assert [stage for i, stage in enumerate(e.stage for e in seen) if i == 0 or seen[i - 1].stage != stage] == [
        "base",
        "mute",
        "write",
        "verify",
    ]
    for stage in ("base", "mute", "write", "verify"):
        events = [event for event in seen if event.stage == stage]
        assert [event.done for event in events] == sorted(event.done for event in events)
        assert events[-1].done == events[-1].total > 0
    assert next(e for e in reversed(seen) if e.stage == "verify").bytes == report.size


def stop_after(count):
    left = [count]

    def cancelled():
        left[0] -= 1
        return left[0] < 0

    return cancelled


@pytest.fixture(scope="module")
def questions(parts, tmp_path_factory):
    """How often a whole build asks whether it is cancelled."""
    asked = []
    build_in(parts, tmp_path_factory.mktemp("count") / "out", cancelled=lambda: asked.append(1))
    return len(asked)


@pytest.mark.parametrize("moment", [0.0, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.99])
def test_a_stopped_build_leaves_no_checkpoint_and_is_continued(parts, tmp_path, questions, moment):
    out = tmp_path / "out"
    with pytest.raises(Cancelled):
        build_in(parts, out, cancelled=stop_after(int(questions * moment)))
    assert not out.exists()
    assert not (partial_folder(out) / "build_report.json").exists()
    finished = {path.name: path.stat().st_mtime_ns for path in tmp_path.glob("out.partial/model-*.safetensors")}
    assert not list(tmp_path.glob("out.partial/*.part"))
    assert finished or moment < 0.8
    build_in(parts, out)
    assert contents(out) == contents(parts / "out")
    assert all((out / name).stat().st_mtime_ns == when for name, when in finished.items())


def test_a_damaged_finished_shard_is_written_again(parts, tmp_path, questions):
    out = tmp_path / "out"
    with pytest.raises(Cancelled):
        build_in(parts, out, cancelled=stop_after(int(questions * 0.8)))
    shard = min(partial_folder(out).glob("model-*.safetensors"))
    shard.write_bytes(shard.read_bytes()[:-1] + b"\x55")
    build_in(parts, out)
    assert contents(out) == contents(parts / "out")


KILLED = """
import os, sys
from pathlib import Path
from tests.fakes import NAMES, SHARD
from builder.merge import build
parts, out, stage, count = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
seen = 0
def progress(event):
    global seen
    seen += event.stage == stage
    if seen > count:
        os._exit(9)
build(parts / "base", parts / "machine.safetensors", out, NAMES, shard_bytes=SHARD, progress=progress)
"""


@pytest.mark.parametrize(("stage", "count"), [("write", 60), ("verify", 10)])
def test_a_killed_build_leaves_nothing_that_looks_complete(parts, tmp_path, stage, count):
    out = tmp_path / "out"
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, parts, out, stage, str(count)], cwd=Path(__file__).parents[2], check=False
    )
    assert killed.returncode == 9
    assert not out.exists() and partial_folder(out).exists()
    with pytest.raises(InputError, match="no readable"):
        read_report(partial_folder(out))
    build_in(parts, out)
    assert contents(out) == contents(parts / "out")


def test_a_full_disk_is_named_and_nothing_is_lost(parts, tmp_path, monkeypatch):
    out, real, written = tmp_path / "out", merge.write, []

    def full(path, *rest):
        written.append(path)
        if len(written) == 4:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(path, *rest)

    monkeypatch.setattr(merge, "write", full)
    with pytest.raises(EnvironmentProblem, match="the disk is full"):
        build_in(parts, out)
    assert not out.exists()
    monkeypatch.undo()
    build_in(parts, out)
    assert contents(out) == contents(parts / "out")


def test_missing_space_is_found_before_writing(parts, tmp_path, monkeypatch):
    usage = shutil.disk_usage(tmp_path)._replace(free=1 << 20)
    monkeypatch.setattr(workspace.shutil, "disk_usage", lambda _: usage)
    with pytest.raises(EnvironmentProblem, match="not enough disk space") as caught:
        build_in(parts, tmp_path / "out")
    assert caught.value.extra["available"] == 1 << 20 < caught.value.extra["needed"]
    assert not list(partial_folder(tmp_path / "out").glob("model-*"))


def test_an_unwritable_place_is_an_environment_problem(parts, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(EnvironmentProblem, match="cannot be written"):
        build_in(parts, tmp_path / "file" / "out")


def test_a_complete_checkpoint_is_reused_and_a_damaged_one_rebuilt(parts, tmp_path):
    out = tmp_path / "out"
    shutil.copytree(parts / "out", out)
    stages = []
    build_in(parts, out, progress=lambda event: stages.append(event.stage))
    assert set(stages) == {"base", "verify"}
    shard = min(out.glob("model-*.safetensors"))
    shard.write_bytes(shard.read_bytes()[:-1] + b"\x55")
    build_in(parts, out)
    assert contents(out) == contents(parts / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"]


def test_another_machine_replaces_the_checkpoint(parts, tmp_path):
    out = tmp_path / "out"
    shutil.copytree(parts / "out", out)
    make_machine(tmp_path / "other.safetensors", LAYER, layers=LAYERS, seed=9)
    report = build(parts / "base", tmp_path / "other.safetensors", out, NAMES, shard_bytes=SHARD)
    assert report.inputs != read_report(parts / "out").inputs and read_report(out) == report


def test_foreign_folders_are_left_alone(parts, tmp_path):
    for folder in (tmp_path / "out", partial_folder(tmp_path / "other")):
        folder.mkdir()
        (folder / "thesis.txt").write_text("years of work")
    with pytest.raises(InputError, match="no checkpoint of ours"):
        build_in(parts, tmp_path / "out")
    with pytest.raises(InputError, match="something else"):
        build_in(parts, tmp_path / "other")
    assert (tmp_path / "out" / "thesis.txt").exists() and (partial_folder(tmp_path / "other") / "thesis.txt").exists()


def test_names_must_fit_the_tokens(parts, tmp_path):
    for names in (NAMES[1:], [NAMES[0], *NAMES[:-1]]):
        with pytest.raises(InputError, match="39 distinct token names for 40"):
            build(parts / "base", parts / "machine.safetensors", tmp_path / "out", names)


def test_a_base_that_erases_an_output_lane_is_refused(parts, tmp_path):
    base = open_base(parts / "base", LAYER)
    write(
        tmp_path / "norm.safetensors", [entry("norm.weight", torch.full((SIZE.hidden,), -1.0).bfloat16())], {}, lambda _: None
    )
    erased = read_header(tmp_path / "norm.safetensors").tensors["norm.weight"]
    broken = replace(base, tensors={**base.tensors, "norm.weight": erased})
    with pytest.raises(InputError, match="final norm erases"):
        fit_machine(broken, open_machine(parts / "machine.safetensors"), Watch())


def test_shards_are_closed_at_the_limit():
    sizes = [3, 3, 5, 20, 1, 1]
    entries = [merge.Entry(str(i), "U8", (size,), partial(list, ())) for i, size in enumerate(sizes)]
    assert [[item.size for item in group] for group in merge.shards(entries, 8)] == [[3, 3], [5], [20], [1, 1]]


FULL_SIZE = """
import json, resource, sys
from pathlib import Path
from tests.fakes.machine import token_names
from builder.merge import build
folder = Path(sys.argv[1])
report = build(folder / "base", folder / "machine.safetensors", folder / "out", token_names(30300))
print(json.dumps({"rss": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, "seconds": report.seconds,
                  "mute": report.mute.as_json(), "size": report.size}))
"""


@pytest.mark.slow
def test_full_size_within_three_gigabytes(tmp_path):
    """A base of the true size (4.5 GB), 45 layers, 30,300 tokens: needs 15 GB of disk and a few minutes."""
    make_base(tmp_path / "base", FULL, offset=0.1)
    layer = read_dimensions(FULL.text_config(), tmp_path).layer
    make_machine(tmp_path / "machine.safetensors", layer, layers=45, tokens=30300, per_row=2, mute_axes=512)
    done = subprocess.run(
        [sys.executable, "-c", FULL_SIZE, tmp_path], cwd=Path(__file__).parents[2], check=True, capture_output=True, text=True
    )
    found = json.loads(done.stdout)
    print(found)
    assert found["rss"] < 3 << 30
    assert found["mute"]["rows"] == FULL.vocabulary and not found["mute"]["violators"]
    verify(tmp_path / "out")
    shutil.rmtree(tmp_path)
