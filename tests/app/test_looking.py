"""Looking at this computer without torch: what uses its memory, which device it has, whether its compiler works."""

import os
from types import SimpleNamespace

from app.computer import Program, guess_device, hungry, look, try_compiler, unwritable
from engine.machine.errors import EnvironmentProblem


def process(pid, name, rss, path=""):
    memory_info = None if rss is None else SimpleNamespace(rss=rss)
    return SimpleNamespace(info={"pid": pid, "name": name, "exe": path, "memory_info": memory_info})


def test_the_hungriest_programs_are_named_with_all_their_processes():
    browser = "/Applications/Safari.app/Contents/Frameworks/Helper.app/Contents/MacOS/Helper"
    found = hungry(
        lambda: [
            process(1, "chrome.exe", 3),
            process(2, "chrome.exe", 4),
            process(3, "Helper", 9, browser),
            process(4, "Safari", 2, "/Applications/Safari.app/Contents/MacOS/Safari"),
            process(5, "secret", None),
            process(os.getpid(), "python", 1000),
            process(6, "", 50),
            process(7, "small", 1),
        ]
    )
    assert found == (Program("Safari", 11), Program("chrome", 7), Program("small", 1))


def test_a_device_is_guessed_without_torch(monkeypatch):
    monkeypatch.setattr("platform.system", lambda: "Darwin")
    monkeypatch.setattr("platform.machine", lambda: "arm64")
    assert guess_device() == ("mps", "Apple silicon")
    monkeypatch.setattr("platform.system", lambda: "Windows")
    monkeypatch.setattr("platform.machine", lambda: "AMD64")
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert guess_device() == ("cpu", "AMD64") or guess_device()[0] == "cuda"


def test_looking_at_this_computer(tmp_path):
    found = look(tmp_path / "models")
    assert found.memory.total > 0 and found.free > 0 and found.device in ("cpu", "cuda", "mps") and found.unwritable is None
    assert found.compiler.problem is None and found.compiler.seconds > 0 and found.compiler.name
    assert not (tmp_path / "models").exists(), "looking makes nothing"


def test_a_compiler_that_fails_is_a_finding(monkeypatch, tmp_path):
    def refuse(source):
        raise EnvironmentProblem("no compiler")

    monkeypatch.setattr("toolchain.compiler.compile_cuda", refuse)
    monkeypatch.setattr("toolchain.compiler.find_compilers", lambda: [])
    assert try_compiler().problem.what == "no compiler" and try_compiler().name == ""
    (tmp_path / "file").write_text("")
    assert unwritable(tmp_path / "file" / "models").what == "the folder cannot be written"
