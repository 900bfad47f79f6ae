"""The engines that must agree on a launch, each a function from PTX or source and LAUNCH.json to the final arrays.

interpreted: our lowering and the reference interpreter; simulated: a per-thread PTX interpreter; native: the source, compiled
for this computer's CPU; compact: our lowering and the machine's weights.
"""

from __future__ import annotations

import functools
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.machine.interpreter import Interpreter
from engine.machine.tokens import Token
from tests.truth import ptxsim
from toolchain.launch import parse_launch
from toolchain.lower import lower
from toolchain.ptx import Module, find_entry

TOKEN_LIMIT = 1_000_000
ORACLE = Path(__file__).parents[1] / "truth" / "native" / "oracle.py"
Arrays = dict[str, list[int | float]]


class TooLong(Exception):
    """A launch did not end within the tokens that a check is worth."""


class Fault(Exception):
    """A launch that is valid CUDA faulted."""


def interpreted(module: Module, document: Mapping[str, Any], limit: int = TOKEN_LIMIT) -> tuple[Arrays, int]:
    """(final arrays, generated tokens). Raises UnsupportedError for what is refused, TooLong, Fault."""
    lowered = lower(module, parse_launch(document))
    machine = Interpreter()
    token = machine.load(lowered.program)[-1]
    count, following = 0, machine.step(token)
    while following is not None:
        count, token = count + 1, following
        if count > limit:
            raise TooLong(limit)
        following = machine.step(token)
    if token != Token("END"):
        address = machine.faulted.address if machine.faulted else None
        raise Fault(str(lowered.describe_fault(token.fields[0], machine.block, machine.warp, address)))
    return lowered.read_outputs(machine.memory), count


def simulated(module: Module, document: Mapping[str, Any]) -> Arrays:
    """Thread by thread on the PTX."""
    entry = find_entry(module, document["kernel"])
    shape = (document["grid"], document["block"])
    return dict(ptxsim.run(module, entry, *shape, document["args"], document.get("shared", 0)))


def native(source: str, documents: list[Mapping[str, Any]]) -> list[Arrays]:
    """On this computer's CPU; refuses kernels that race. Raises RuntimeError with what the oracle says."""
    with tempfile.TemporaryDirectory() as folder:
        cu, launches = Path(folder) / "kernel.cu", Path(folder) / "launches.json"
        cu.write_text(source)
        launches.write_text(json.dumps([{"shared": 0, **document} for document in documents]))
        command = [sys.executable, str(ORACLE), str(cu), str(launches)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.strip()[-400:] or done.stdout[-400:])
    return json.loads(done.stdout)


def compact(runtime: Any, module: Module, document: Mapping[str, Any]) -> tuple[Arrays, int]:
    """In the compiled layers, by a runtime that holds them."""
    from engine.launch import launch

    lowered = lower(module, parse_launch(document))
    result = launch(runtime, lowered.program)
    return lowered.read_outputs(list(result.words)), len(result.generated)


@functools.cache
def library() -> Path:
    """The compact runtime's inner loop, compiled for this computer; kept in the user's cache as the application's own."""
    from app.paths import Paths
    from engine.native import source
    from toolchain.native import host_library

    return host_library(source(), Paths.of_user().libraries)
