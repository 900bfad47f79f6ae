"""Opening checkpoints that are damaged, foreign or altered; traces; the probe on other devices."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from app import checkpoints, engines
from app.checkpoints import MACHINE, Checkpoint, Origin, embedded_folder
from app.engines import PROBE, Engine, open_engine, tracing
from engine.launch import launch
from engine.machine.errors import EnvironmentProblem, InputError, MismatchError
from engine.machine.program import validate
from engine.machine.spec import SPEC
from engine.machine.tokens import Token
from tests.engine import synthetic
from tests.engine.interpreted import InterpretedRuntime


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    """A machine file of other numbers than this program's."""
    return synthetic.build(tmp_path_factory.mktemp("machine") / MACHINE, 1).read_bytes()


@pytest.fixture
def folder(tmp_path, machine):
    (tmp_path / MACHINE).write_bytes(machine)
    return tmp_path


def given(folder):
    return Checkpoint(folder, Origin.GIVEN)


def test_a_machine_of_other_numbers_is_refused(folder, paths):
    with pytest.raises(InputError, match="the checkpoint's machine has layers = 4, this program's has 45"):
        open_engine(given(folder), "compact", "auto", paths)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: data[: len(data) // 2], "truncated"),
        (lambda data: data[:5], "truncated"),
        (lambda data: b"", "truncated"),
        (lambda data: data[:-3] + bytes([data[-3] ^ 1]) + data[-2:], "altered"),
        (lambda data: data.replace(b"qwengpu-machine-1", b"qwengpu-machine-0"), "format"),
        (lambda data: b"version https://git-lfs", "truncated or not a safetensors"),
    ],
)
def test_damaged_machines_are_named(folder, paths, damage, message):
    path = folder / MACHINE
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(InputError, match=message) as refused:
        open_engine(given(folder), "compact", "auto", paths)
    assert MACHINE in refused.value.where and refused.value.remedy


def test_a_damaged_machine_in_the_cache_is_made_again(paths, machine, monkeypatch):
    made, notes = [], []

    def build(folder, spec):
        made.append(folder)
        (folder / MACHINE).write_bytes(machine)

    monkeypatch.setattr(checkpoints, "build_machine", build)
    monkeypatch.setattr(engines, "require_spec", lambda spec, folder: None)
    damaged = embedded_folder(paths)
    damaged.mkdir(parents=True)
    (damaged / MACHINE).write_bytes(machine[:1000])
    engine = open_engine(Checkpoint(damaged, Origin.EMBEDDED), "compact", "auto", paths, notes.append)
    assert len(made) == 1 and "damaged" in notes[0] and (engine.checkpoint.machine).read_bytes() == machine
    assert engine.device == "cpu" and len(engine.identity) == 64


def test_the_compact_runtime_says_where_it_computes(folder, paths, monkeypatch):
    monkeypatch.setattr(engines, "require_spec", lambda spec, folder: None)
    notes = []
    assert open_engine(given(folder), "compact", "cuda", paths, notes.append).device == "cpu"
    assert notes == ["the compact runtime computes on the CPU"]


def test_a_missing_device_is_an_environment_problem(folder, paths, monkeypatch):
    monkeypatch.setattr(engines, "require_spec", lambda spec, folder: None)
    monkeypatch.setattr("app.devices.available", lambda torch=None: ("cpu",))
    with pytest.raises(EnvironmentProblem, match="'mps' is not available"):
        open_engine(given(folder), "transformers", "mps", paths)


class OnDevice(InterpretedRuntime):
    """The interpreter on a device of any name; wrong where it is told to be."""

    def __init__(self, device, lie):
        super().__init__(PROBE, lie if device != "cpu" else lambda _, truth: truth)
        self.device = device


@pytest.mark.parametrize(
    ("lie", "device", "said"),
    [
        (lambda _, truth: truth, "mps", []),
        (lambda count, truth: Token("END") if count == 2 else truth, "cpu", ["the machine is not exact on 'mps'"]),
    ],
)
def test_a_device_that_is_not_exact_is_left(folder, paths, monkeypatch, lie, device, said):
    monkeypatch.setattr(engines, "require_spec", lambda spec, folder: None)
    monkeypatch.setattr(engines, "choose_device", lambda wanted: "mps")
    monkeypatch.setattr(engines, "_dense", lambda checkpoint, machine, device: OnDevice(device, lie))
    notes = []
    engine = open_engine(given(folder), "transformers", "auto", paths, notes.append)
    assert engine.device == device and [note.split(";")[0] for note in notes] == said


def test_the_probe_is_a_program():
    validate(PROBE, SPEC)
    runtime = InterpretedRuntime(PROBE)
    assert launch(runtime, PROBE).memory == {"out": (0x7FFFFFFF, 0x80000000, 0x80000001, 0x80000002)}


def test_a_launch_is_judged_and_traced(tmp_path, folder):
    engine = Engine(given(folder), InterpretedRuntime(PROBE), "f" * 64)
    result = engine.launch(PROBE, 100, tmp_path / "trace.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "trace.jsonl").read_text().splitlines()]
    assert [line["token"] for line in lines] == [str(token) for token in (*result.prompt, *result.generated)]
    lying = Engine(given(folder), InterpretedRuntime(PROBE, lambda n, t: Token("END") if n == 2 else t), "f" * 64)
    with pytest.raises(MismatchError, match="token"):
        lying.launch(PROBE, 100)


@pytest.mark.parametrize("place", ["missing/trace.jsonl", "."])
def test_a_trace_that_cannot_be_written(tmp_path, place):
    with pytest.raises(InputError, match="the trace cannot be written"), tracing(tmp_path / Path(place)):
        pass


def test_spec_differences_are_named_by_their_first(tmp_path):
    with pytest.raises(InputError, match="words = 1,024, this program's has 2,048"):
        engines.require_spec(replace(SPEC, words=1024), tmp_path)
    engines.require_spec(SPEC, tmp_path)
