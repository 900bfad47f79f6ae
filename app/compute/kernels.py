"""A kernel that somebody wrote, launched once and kept as a record like any other launch."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from app.compute.launching import MAX_TOKENS, UNWATCHED, Faulted, Launcher, LaunchRecord, Watch, numbers_of, read_words
from app.compute.programs import to_plain
from app.expressions.tree import Value
from app.kernels import prepare_text
from engine.machine.errors import FaultError
from engine.machine.program import prompt
from engine.replay import EXACT, LaunchFault


def launch_kernel(
    source: str, filename: str, document: Any, launcher: Launcher, max_tokens: int = MAX_TOKENS, watch: Watch = UNWATCHED
) -> LaunchRecord:
    """Compile, launch and read a kernel. filename: what messages call the source; PTX where it ends in .ptx

    document: the launch, as LAUNCH.json has it
    Raises CompileError, InputError (launch), UnsupportedError, FaultError (each with the line where there is one; Faulted with
    the record up to there, where the machine itself stopped), MismatchError, Cancelled, EnvironmentProblem (no compiler).
    """
    kernel = prepare_text(source, filename, document, "the launch", cancelled=watch.cancelled)
    plain, began = to_plain(kernel.program), time.perf_counter()
    begun = LaunchRecord(
        function=str(document["kernel"]),
        cuda=source,
        ptx=kernel.ptx,
        compiler=kernel.compiler,
        launch=document,
        program=plain,
        outputs={},
        prompt=numbers_of(prompt(kernel.program)),
        generated=(),
        replay=EXACT,
        passes=0,
        seconds=0.0,
    )
    try:
        launched = launcher.launch(kernel.program, max_tokens, on_token=watch.on_token, cancelled=watch.cancelled)
    except LaunchFault as fault:
        seconds = round(time.perf_counter() - began, 4)
        told = replace(begun, generated=numbers_of(fault.generated), passes=fault.passes, seconds=seconds)
        raise Faulted(kernel.explain(fault), told) from None
    except FaultError as fault:
        raise kernel.explain(fault) from None
    return replace(
        begun,
        outputs=read_words(document, plain, launched.words),
        generated=numbers_of(launched.generated),
        passes=launched.passes,
        seconds=round(launched.seconds, 4),
    )


def value_of(record: LaunchRecord) -> Value | None:
    """The value that a later expression may use: a kernel's only result, where it is made of integers."""
    if len(record.outputs) != 1:
        return None
    (entries,) = record.outputs.values()
    if not all(isinstance(entry, int) for entry in entries):
        return None
    return entries[0] if len(entries) == 1 else list(entries)
