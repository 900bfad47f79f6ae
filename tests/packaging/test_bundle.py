"""The app as a folder without Python: built, then driven in a bare environment, as somebody's computer has it."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from scripts import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the workflow drives other platforms")]
BUILT = os.environ.get("QWENGPU_BUNDLE")
"""A bundle that is there already: building takes minutes."""


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    if BUILT:
        return Path(BUILT)
    out = tmp_path_factory.mktemp("bundle")
    subprocess.run([sys.executable, str(ROOT / "packaging" / "bundle.py"), "--out", str(out), "--no-archive"], check=True)
    return out / "qwengpu"


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """An environment in which there is a home and nothing else: no Python, no compiler, no display."""
    return {"HOME": str(tmp_path_factory.mktemp("home")), "PATH": "/nonexistent", "LANG": "C.UTF-8"}


def run(bundle, bare, *arguments):
    return subprocess.run([str(bundle / "qwengpu"), *arguments], cwd="/", env=bare, capture_output=True, text=True, timeout=600)


def test_it_tests_itself(bundle, bare):
    done = run(bundle, bare, "--self-test", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    result = json.loads(done.stdout)
    assert result["outputs"]["out"] == [32] and result["replay"] == "exact"
    assert result["compiler"].startswith("zig clang"), "the compiler that it brings"
    assert "slower" not in done.stderr, "the compiled loop is in the bundle"


def test_without_a_display_it_answers_in_the_terminal(bundle, bare):
    done = run(bundle, bare)
    assert done.returncode == 0 and "[32]" in done.stdout and "replay exact" in done.stdout, done.stdout + done.stderr


def test_its_worker_loads_compiles_and_launches(bundle, bare):
    launch = json.loads((ROOT / "resources" / "examples" / "dot.json").read_text())
    source = (ROOT / "resources" / "examples" / "dot.cu").read_text()
    requests = [
        {"id": "a", "op": "load", "checkpoint": None, "device": "auto"},
        {"id": "b", "op": "launch", "source": source, "filename": "dot.cu", "launch": launch},
    ]
    worker = subprocess.Popen(
        [str(bundle / "qwengpu"), "--worker"],
        cwd="/",
        env=bare,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    ends = {}
    for request in requests:
        worker.stdin.write(json.dumps(request) + "\n")
        worker.stdin.flush()
        for line in worker.stdout:
            message = json.loads(line)
            if message.get("id") == request["id"] and message["event"] in ("result", "error"):
                ends[request["id"]] = message
                break
    _, errors = worker.communicate(timeout=60)
    assert worker.returncode == 0 and [end["event"] for end in ends.values()] == ["result", "result"], f"{ends}\n{errors}"
    assert ends["b"]["outputs"]["out"] == [32], ends["b"]


@pytest.fixture
def display():
    """An empty screen, as the value of DISPLAY."""
    if shutil.which("Xvfb") is None:
        pytest.skip("Xvfb is not installed")
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    yield f":{os.read(read, 16).decode().strip()}"
    server.terminate()
    server.wait(60)


def test_its_window_opens_and_its_worker_prepares_the_machine(bundle, bare, display, tmp_path):
    app = subprocess.Popen([str(bundle / "qwengpu")], cwd="/", env={**bare, "DISPLAY": display, "HOME": str(tmp_path)})
    try:
        until = time.monotonic() + 300
        prepared: list[Path] = []
        while not prepared and app.poll() is None and time.monotonic() < until:
            time.sleep(1)
            prepared = list((tmp_path / ".cache" / "qwengpu" / "machines").glob("*/machine.safetensors"))
        assert prepared and app.poll() is None
    finally:
        app.terminate()
        app.wait(60)
