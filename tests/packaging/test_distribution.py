"""The wheel: what is in it, and that it works where nothing else of ours is."""

import os
import subprocess
import sys
import zipfile

import pytest
import torch
from scripts import ROOT

pytestmark = pytest.mark.slow
ROOMS = {"app", "engine", "builder", "toolchain", "resources"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Made from the source distribution of what is committed."""
    folder = tmp_path_factory.mktemp("dist")
    clone = tmp_path_factory.mktemp("clone") / "repository"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    subprocess.run([sys.executable, "-m", "build", "--outdir", str(folder), str(clone)], check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def test_it_holds_the_program_and_its_data_and_no_tests(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    tracked = subprocess.run(
        ["git", "ls-tree", "-r", "--name-only", "HEAD", *sorted(ROOMS)], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    assert set(tracked) <= names, sorted(set(tracked) - names)
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == ROOMS
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


def test_it_answers_from_an_environment_of_its_own(wheel, tmp_path):
    environment, elsewhere = tmp_path / "environment", tmp_path / "elsewhere"
    elsewhere.mkdir()
    subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
    programs = environment / ("Scripts" if os.name == "nt" else "bin")
    same_torch = f"torch=={torch.__version__.partition('+')[0]}"  # what is tested here, and no other one
    installed = subprocess.run(
        [str(programs / "python"), "-m", "pip", "install", "-q", same_torch, str(wheel)], capture_output=True, text=True
    )
    assert installed.returncode == 0, installed.stderr[-3000:]
    home = {f"XDG_{name}_HOME": str(tmp_path / name) for name in ("CONFIG", "CACHE", "DATA", "STATE")}
    for command, expected in (
        (["--self-test"], "exact: "),
        (["chat", "--prompt", "what is 12 times 11?"], "132"),
        (["--version"], "qwengpu "),
    ):
        done = subprocess.run(
            [str(programs / "qwengpu"), *command],
            cwd=elsewhere,
            env={**os.environ, **home},
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert done.returncode == 0 and expected in done.stdout, done.stdout + done.stderr
    assert list(programs.glob("qwengpu-desktop*"))
