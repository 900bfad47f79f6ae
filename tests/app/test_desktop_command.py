"""`qwengpu` without arguments and `--offline-demo`: a window where there is a display, an answer in the terminal anywhere."""

import json

import pytest

import app.checkpoints
from app.checkpoints import check
from app.cli import demo, desktop, entry
from engine.machine.errors import EnvironmentProblem

QT = "QT_QPA_PLATFORM"


@pytest.fixture
def prepared(machine_file, monkeypatch):
    """The embedded machine, prepared already."""
    folder = check(machine_file.parent, app.checkpoints.Origin.EMBEDDED)
    monkeypatch.setattr(app.checkpoints, "embedded", lambda paths, note: folder)


@pytest.fixture
def without_display(monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", QT):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")


def test_the_demo_computes_its_answer(prepared, capsys):
    assert entry.invoke(["--offline-demo"]) == 0
    out, err = capsys.readouterr()
    assert err == "" and out.startswith(f"> {demo.QUESTION}\n") and "[32]" in out and "replay exact" in out


def test_the_demo_as_json(prepared, capsys):
    assert entry.invoke(["--offline-demo", "--json"]) == 0
    reply = json.loads(capsys.readouterr().out)
    computed = [reply["text"][span["start"] : span["end"]] for span in reply["spans"] if span["source"] == "computed"]
    assert computed == ["32"] and reply["launches"][0]["outputs"] == {"result": 32}


def test_without_a_display_the_demo_answers(without_display, monkeypatch, capsys):
    monkeypatch.setattr(demo, "execute", lambda arguments, console: console.say("32") or 0)
    assert entry.invoke([]) == 0
    out, err = capsys.readouterr()
    assert out == "32\n" and err.startswith("note: there is no display")


def test_with_a_display_the_window_opens(monkeypatch):
    monkeypatch.setenv("DISPLAY", ":7")
    monkeypatch.setattr(desktop, "open_window", lambda: 17)
    assert entry.invoke([]) == 17


@pytest.mark.parametrize(
    ("environment", "platform"),
    [
        ({"DISPLAY": ":0"}, "linux"),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux"),
        ({QT: "offscreen"}, "linux"),
        ({}, "darwin"),
        ({}, "win32"),
    ],
)
def test_a_display_is_found(environment, platform):
    desktop.check_display(environment, platform)


@pytest.mark.parametrize(
    ("said", "package"),
    [
        ("libxcb-icccm.so.4: cannot open shared object file: No such file or directory", "libxcb-icccm4"),
        ("libEGL.so.1: cannot open shared object file: No such file or directory", "libegl1"),
        ("libxcb-xkb.so.1: cannot open shared object file: No such file or directory", "libxcb-xkb1"),
    ],
)
def test_a_missing_library_is_named_with_its_package(said, package):
    problem = desktop.missing(ImportError(said))
    assert isinstance(problem, EnvironmentProblem) and f"apt install {package} " in problem.remedy


def test_a_missing_library_stops_before_qt_would_end_the_process(monkeypatch):
    def refuse(path):
        raise OSError("libxcb-cursor.so.0: cannot open shared object file: No such file or directory")

    monkeypatch.delenv(QT, raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr("ctypes.CDLL", refuse)
    with pytest.raises(EnvironmentProblem, match=r"libxcb-cursor\.so\.0.*install the package libxcb-cursor0"):
        desktop.check_libraries("linux")


def test_a_missing_qt_is_named(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(EnvironmentProblem, match=r"PySide6 is missing.*pip install PySide6-Essentials"):
        desktop.check_libraries("linux")
