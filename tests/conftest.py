"""What tests of several rooms share: the real machine, compiled once a session."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def machine_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`machine.safetensors` as this tree builds it."""
    from builder.machine import write_machine

    path = tmp_path_factory.mktemp("machine") / "machine.safetensors"
    write_machine(path)
    return path


@pytest.fixture(scope="session")
def native_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compact runtime's inner loop, compiled."""
    from engine.native import source
    from toolchain.native import host_library

    return host_library(source(), tmp_path_factory.mktemp("libraries"))
