"""C of ours, compiled for this computer: loaded, kept, and its failures named."""

from __future__ import annotations

import ctypes

import pytest

from engine.machine.errors import EnvironmentProblem
from toolchain import native
from toolchain.native import host_library

ADDER = """
#ifdef _WIN32
__declspec(dllexport) int add(int a, int b);
int _DllMainCRTStartup(void *module, unsigned reason, void *reserved) { return 1; }
#endif
int add(int a, int b) { return a + b; }
"""


def test_it_runs_and_is_kept(tmp_path):
    library = host_library(ADDER, tmp_path)
    assert ctypes.CDLL(str(library)).add(40, 2) == 42
    made = library.stat().st_mtime_ns
    assert host_library(ADDER, tmp_path) == library
    assert library.stat().st_mtime_ns == made
    assert [path.name for path in tmp_path.iterdir()] == [library.name], "something was left behind"


def test_another_source_is_another_library(tmp_path):
    assert host_library(ADDER, tmp_path) != host_library(ADDER.replace("+", "-"), tmp_path)


def test_source_that_is_none(tmp_path):
    with pytest.raises(EnvironmentProblem, match=r"zig cannot compile the executor: .*expected"):
        host_library("int add(", tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_none(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(EnvironmentProblem, match="the executor cannot be compiled"):
        host_library(ADDER, tmp_path / "file")


def test_no_compiler(tmp_path, monkeypatch):
    monkeypatch.setattr(native, "candidates", lambda configured: iter(()))
    with pytest.raises(EnvironmentProblem, match="zig was not found"):
        host_library(ADDER, tmp_path)
