"""The real machine as the engine reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.weights import Machine, read_machine


@pytest.fixture(scope="session")
def machine(machine_file: Path) -> Machine:
    """The built machine's weights."""
    return read_machine(machine_file)
