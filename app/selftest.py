"""A launch whose result everybody knows: dot([1, 2, 3], [4, 5, 6]) = 32."""

from __future__ import annotations

import json
from importlib import resources

from app.pipeline import Job, Result, Session
from engine.machine.errors import MismatchError

EXAMPLE = resources.files("resources") / "examples"
EXPECTED = {"a": [1, 2, 3], "b": [4, 5, 6], "out": [32]}


def self_test(session: Session) -> Result:
    """Launch the dot product through everything. Raises MismatchError when an array is not what it must be."""
    with resources.as_file(EXAMPLE / "dot.cu") as kernel:
        launch = json.loads((EXAMPLE / "dot.json").read_text(encoding="utf-8"))
        result = session.run(Job(kernel, launch, "dot.json"))
    for name, expected in EXPECTED.items():
        if list(result.outputs[name]) != expected:
            raise MismatchError(
                f"{name} is {result.outputs[name]}, not {expected}", "self-test", "rebuild the checkpoint, or give --device cpu"
            )
    return result
