"""The whole pipeline but the weights: launches run on the reference interpreter, which answers at once."""

from pathlib import Path

import pytest

from app import engines
from app.checkpoints import Checkpoint, Origin
from app.engines import Engine
from tests.engine.interpreted import InterpretedRuntime


class InterpretedEngine:
    """Opens nothing; each launch gets an interpreter that knows its program."""

    device, identity = "none", "e" * 64

    def launch(self, program, max_tokens, trace=None, *watch, **named):
        """Run, read, judge and trace as every engine does."""
        engine = Engine(Checkpoint(Path("none"), Origin.GIVEN), InterpretedRuntime(program), self.identity)
        return engine.launch(program, max_tokens, trace, *watch, **named)


@pytest.fixture
def interpreted(monkeypatch):
    """Lets every session open an interpreted engine; counts how often."""
    opened = []
    monkeypatch.setattr("app.pipeline.choose", lambda *arguments, **options: None)
    monkeypatch.setattr(engines, "open_engine", lambda *arguments: opened.append(arguments) or InterpretedEngine())
    return opened
