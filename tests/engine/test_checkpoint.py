"""A checkpoint folder through stock transformers: the dense runtime and the stand-alone script that redoes a trace."""

from __future__ import annotations

import ast
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
import synthetic
import torch

import resources
from engine.compact import CompactRuntime
from engine.dense import DenseRuntime, embedded_model
from engine.machine.container import FILE_NAME
from engine.machine.errors import InputError
from engine.trace import Line, redo
from engine.weights import read_machine

torch.set_num_threads(1)
SCRIPT = Path(next(iter(resources.__path__))) / "replay_trace.py"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A saved embedded machine with its file beside the shards: what a merged checkpoint looks like to a loader."""
    path = tmp_path_factory.mktemp("checkpoint")
    synthetic.build(path / FILE_NAME, 1)
    embedded_model(read_machine(path / FILE_NAME)).save_pretrained(path)
    return path


def trace(folder, steps=12):
    """A stream of random host tokens and the machine's answers, as lines."""
    runtime, draw, lines = CompactRuntime(read_machine(folder / FILE_NAME)), random.Random(4), []
    host = [draw.randrange(1024) for _ in range(20)]
    answer = runtime.feed(host)
    stream = [(token, "host") for token in host]
    for _ in range(steps):
        stream.append((answer, "model"))
        answer = runtime.feed([answer])
    for index, (token, source) in enumerate(stream):
        lines.append(Line(index, token, f"token{token}", source, None, None, None, ()))
    return lines


def test_a_checkpoint_says_what_the_embedded_machine_says(folder):
    lines = trace(folder)
    assert redo(DenseRuntime.checkpoint(folder), lines) is None
    assert redo(DenseRuntime.embedded(read_machine(folder / FILE_NAME)), lines) is None


def test_a_cache_from_before_survives_a_launch(folder):
    runtime = DenseRuntime.checkpoint(folder)
    runtime.feed([3, 4, 5])
    before = runtime.snapshot()
    text = [runtime.feed([token]) for token in (6, 7, 8)]
    runtime.restore(before)
    assert runtime.cache.get_seq_length() == 3
    runtime.feed(list(range(100, 180)))
    runtime.restore(before)
    assert [runtime.feed([token]) for token in (6, 7, 8)] == text


def test_a_folder_that_is_no_checkpoint_is_named(folder, tmp_path):
    with pytest.raises(InputError, match="cannot read the machine file"):
        DenseRuntime.checkpoint(tmp_path)
    (tmp_path / FILE_NAME).write_bytes((folder / FILE_NAME).read_bytes())
    with pytest.raises(InputError, match="transformers cannot load the checkpoint"):
        DenseRuntime.checkpoint(tmp_path)


def run_script(folder, path):
    return subprocess.run([sys.executable, SCRIPT, folder, path], capture_output=True, text=True, check=False)


def test_the_script_redoes_a_trace_and_names_the_first_difference(folder, tmp_path):
    lines, path = trace(folder), tmp_path / "trace.jsonl"
    path.write_text("".join(line.to_json() + "\n" for line in lines))
    done = run_script(folder, path)
    assert (done.stdout, done.returncode) == ("exact\n", 0), done.stderr
    wrong = [json.loads(line.to_json()) for line in lines]
    wrong[25]["id"] ^= 1
    path.write_text("".join(json.dumps(line) + "\n" for line in wrong))
    done = run_script(folder, path)
    assert done.stdout == f"token 25: the trace has {wrong[25]['id']} ({lines[25].token}), the model says {lines[25].id}\n"
    assert done.returncode == 1


def test_the_script_is_short_and_imports_nothing_of_ours():
    source = SCRIPT.read_text()
    imported = {name.name for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import) for name in node.names}
    assert imported == {"json", "torch", "transformers"}
    assert not [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)]
    assert len(source.splitlines()) <= 40
