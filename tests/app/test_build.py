"""`qwengpu build` as a user meets it, with a small base and machine: progress, default checkpoint, refusals, stopping."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from app import building
from app.building import default_folder
from app.checkpoints import Checkpoint, Origin
from app.cli import entry
from app.settings import Settings
from builder.verify import verify
from tests.fakes import LAYER, NAMES, SIZE, make_base, make_machine

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """A base and a machine that fit together."""
    folder = tmp_path_factory.mktemp("parts")
    make_base(folder / "base", SIZE)
    make_machine(folder / "machine.safetensors", LAYER)
    return folder


@pytest.fixture
def build(parts, monkeypatch, capsys):
    """Run the command: exit code, stdout's lines, stderr's lines."""
    monkeypatch.setattr(building, "embedded", lambda paths, note: Checkpoint(parts, Origin.EMBEDDED))
    monkeypatch.setattr(building, "token_names", lambda: NAMES)

    def build(*arguments):
        code = entry.invoke(["build", *map(str, arguments)])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return code, out.splitlines(), err.splitlines()

    return build


def test_a_build_reports_every_step_and_becomes_the_default(build, parts, tmp_path, paths):
    code, out, err = build("--base", parts / "base", "--out", tmp_path / "made", "--json")
    *steps, last = [json.loads(line) for line in out]
    assert (code, err) == (0, []) and {step["progress"]["stage"] for step in steps} == {"base", "mute", "write", "verify"}
    written = [step["progress"] for step in steps if step["progress"]["stage"] == "write"]
    assert [step["done"] for step in written] == sorted(step["done"] for step in written)
    assert written[-1]["done"] == written[-1]["total"] == written[-1]["bytes"] > 0
    assert last["folder"] == str(tmp_path / "made") and last["mute"]["violators"] == []
    assert verify(tmp_path / "made").checkpoint == last["checkpoint"]
    assert Settings.read(paths.settings).checkpoint == tmp_path / "made"


def test_a_build_for_people(build, parts, tmp_path):
    code, out, err = build("--base", parts / "base", "--out", tmp_path / "made")
    assert (code, err) == (0, []) and "write 100 %" in out and "default checkpoint" in out[-1]
    assert any("every row of the vocabulary is proven muted" in line for line in out)


def test_without_out_the_checkpoint_goes_to_the_data_folder(build, parts, paths):
    code, out, _ = build("--base", parts / "base", "--json")
    assert code == 0 and json.loads(out[-1])["folder"] == str(paths.checkpoints / "base")
    assert default_folder("Qwen/Qwen3.5-2B", paths) == paths.checkpoints / "Qwen3.5-2B"
    assert default_folder("embedded", paths) == paths.checkpoints / "embedded"


@pytest.mark.parametrize(
    ("base", "kind", "message"),
    [("missing", "input", "no base at 'missing'"), ("a b/c", "input", "no base at"), ("", "usage", "--base is empty")],
)
def test_a_base_that_is_none(build, tmp_path, base, kind, message):
    code, out, err = build("--base", base, "--out", tmp_path / "made", "--json")
    assert code == 2 and message in err[0] and json.loads(out[-1])["error"]["kind"] == kind
    assert not (tmp_path / "made").exists()


def test_a_folder_with_something_else_in_it(build, parts, tmp_path):
    (tmp_path / "diary.txt").write_text("dear diary")
    code, _, err = build("--base", parts / "base", "--out", tmp_path)
    assert code == 2 and "no checkpoint of ours" in err[0] and (tmp_path / "diary.txt").read_text() == "dear diary"


def test_a_full_disk(build, parts, tmp_path, monkeypatch):
    import shutil

    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(10, 9, 1))
    code, out, err = build("--base", parts / "base", "--out", tmp_path / "made", "--json")
    assert code == 5 and "not enough disk space" in err[0] and json.loads(out[-1])["error"]["kind"] == "environment"
    assert not (tmp_path / "made").exists()


STOPPED = """
import signal, sys, time
from pathlib import Path
from app import building
from app.checkpoints import Checkpoint, Origin
from app.cli import build as command, entry
from tests.fakes import NAMES
building.embedded = lambda paths, note: Checkpoint(Path(sys.argv[1]), Origin.EMBEDDED)
building.token_names = lambda: NAMES
show = command.Display.show
def slow(self, progress):
    show(self, progress)
    if progress.stage == "write":
        time.sleep(60)
command.Display.show = slow
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have started the tests with it ignored
sys.exit(entry.invoke(["build", "--base", sys.argv[1] + "/base", "--out", sys.argv[2], "--json"]))
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_a_stopped_build_says_so_and_goes_on_later(build, parts, tmp_path, number):
    out = tmp_path / "made"
    child = subprocess.Popen(
        [sys.executable, "-c", STOPPED, parts, out], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    for line in child.stdout:
        if '"write"' in line:
            break
    child.send_signal(number)
    rest, err = child.communicate(timeout=60)
    assert child.returncode == 130 and err == "error: the build was stopped - run it again to go on where it stopped\n"
    assert json.loads(rest.splitlines()[-1])["error"]["kind"] == "cancelled" and not out.exists()
    assert build("--base", parts / "base", "--out", out)[0] == 0
