"""The real machine, built once a session for all tests that launch on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.machine import write_machine
from engine.weights import Machine, read_machine


@pytest.fixture(scope="session")
def machine_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`machine.safetensors` as this tree builds it."""
    path = tmp_path_factory.mktemp("machine") / "machine.safetensors"
    write_machine(path)
    return path


@pytest.fixture(scope="session")
def machine(machine_file: Path) -> Machine:
    """The built machine's weights."""
    return read_machine(machine_file)
