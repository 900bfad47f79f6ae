"""Which checkpoint is used, and that the embedded machine appears whole or not at all, once."""

import multiprocessing
import shutil
import time
from dataclasses import replace
from pathlib import Path

import pytest

from app import checkpoints
from app.checkpoints import MACHINE, Origin, check, choose, embedded, embedded_folder, machine_key
from app.paths import Paths
from app.settings import Settings
from engine.machine.errors import EnvironmentProblem, InputError
from engine.machine.spec import SPEC


def write_machine(folder, spec):
    (folder / MACHINE).write_text(spec.to_json())


def slow_machine(folder, spec):
    (folder / "half").write_text("")
    time.sleep(0.2)
    with (folder.parent / "count").open("a") as file:
        file.write("x")
    (folder / "half").rename(folder / MACHINE)


@pytest.fixture
def built(tmp_path):
    folder = tmp_path / "built"
    folder.mkdir()
    (folder / MACHINE).write_text("")
    return folder


def never(folder, spec):
    raise AssertionError("nothing is to be prepared")


def test_the_given_checkpoint_wins(paths, built, tmp_path):
    chosen = choose(built, Settings(tmp_path / "other"), paths, never)
    assert (chosen.folder, chosen.origin, chosen.dense) == (built, Origin.GIVEN, False)


def test_then_the_users_own(paths, built):
    (built / checkpoints.REPORT).write_text("{}")
    chosen = choose(None, Settings(built), paths, never)
    assert (chosen.folder, chosen.origin, chosen.dense) == (built, Origin.BUILT, True)


def test_then_the_embedded_one_prepared_once(paths):
    notes = []
    first = choose(None, Settings(), paths, write_machine, notes.append)
    assert first.origin is Origin.EMBEDDED and first.machine.read_text() == SPEC.to_json()
    assert choose(None, Settings(), paths, never, notes.append) == first
    assert len(notes) == 1 and "first use" in notes[0]


def test_a_default_that_is_gone_is_said(paths, tmp_path):
    notes = []
    assert choose(None, Settings(tmp_path / "gone"), paths, write_machine, notes.append).origin is Origin.EMBEDDED
    assert "gone" in notes[0]


@pytest.mark.parametrize(
    "make",
    [lambda path: None, lambda path: path.write_text(""), lambda path: path.mkdir()],
    ids=["missing", "file", "empty folder"],
)
def test_what_is_no_checkpoint(tmp_path, make):
    make(tmp_path / "thing")
    with pytest.raises(InputError, match="checkpoint") as refused:
        check(tmp_path / "thing", Origin.GIVEN)
    assert "qwengpu build" in refused.value.remedy


def test_a_failed_preparation_leaves_nothing(paths):
    def fail(folder, spec):
        (folder / MACHINE).write_text("half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        embedded(paths, fail)
    assert not [entry for entry in paths.machines.iterdir() if entry.is_dir()]
    assert embedded(paths, write_machine).machine.read_text() == SPEC.to_json()


def test_left_overs_of_a_killed_process_are_removed(paths):
    left = paths.machines / f"{machine_key(SPEC)}.partial-dead"
    left.mkdir(parents=True)
    (left / MACHINE).write_text("half")
    damaged = embedded_folder(paths)
    damaged.mkdir()
    assert embedded(paths, write_machine).machine.read_text() == SPEC.to_json()
    assert not left.exists()


def test_a_full_disk_is_an_environment_problem(paths, monkeypatch):
    def full(folder, spec):
        raise OSError(28, "No space left on device")

    with pytest.raises(EnvironmentProblem, match="No space left"):
        embedded(paths, full)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(10, 9, 1))
    with pytest.raises(EnvironmentProblem, match="not enough disk space") as refused:
        embedded(paths, never)
    assert refused.value.extra["available"] == 1


def test_a_cache_that_cannot_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    paths = replace(Paths.of_user(), cache=tmp_path / "file")
    with pytest.raises(EnvironmentProblem, match="cannot be prepared"):
        embedded(paths, never)


def test_another_process_that_never_ends(paths, monkeypatch):
    from filelock import FileLock

    monkeypatch.setattr(checkpoints, "LOCK_SECONDS", 0.05)
    paths.machines.mkdir(parents=True)
    with FileLock(embedded_folder(paths).with_suffix(".lock")), pytest.raises(EnvironmentProblem, match="another process"):
        embedded(paths, never)


def _prepare(cache):
    return str(embedded(replace(Paths.of_user(), cache=Path(cache)), slow_machine).folder)


def test_four_processes_prepare_one_machine(paths):
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        folders = set(pool.map(_prepare, [str(paths.cache)] * 4))
    assert folders == {str(embedded_folder(paths))}
    assert (paths.machines / "count").read_text() == "x"


def test_the_key_follows_spec_and_builder(monkeypatch):
    before = machine_key(SPEC)
    assert before == machine_key(SPEC) != machine_key(replace(SPEC, words=1024))
    monkeypatch.setattr("builder.identity.builder_hash", lambda: "another builder")
    assert machine_key(SPEC) != before
