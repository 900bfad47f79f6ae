"""Verification: a checkpoint against what it says of itself, known launches, and a traced launch done again."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.checkpoints import choose
from app.pipeline import Session
from app.selftest import self_test
from app.settings import Settings
from engine.machine.errors import Cancelled, MismatchError

if TYPE_CHECKING:
    from app.engines import Engine
    from builder.report import Progress
    from engine.launch import LaunchResult
    from engine.machine.program import Program
    from engine.trace import Line

Told = Callable[[int, int], None]
"""Told how many are done, of how many."""


def verify_checkpoint(session: Session, progress: Callable[[Progress], None] = lambda now: None) -> dict[str, Any]:
    """Check everything about the session's checkpoint.

    A built one: every file and tensor against the build report, compiled weights against the machine file, the mute proof. Any
    one: its machine's hash, and a launch with a known result.
    Raises InputError (truncated, foreign), MismatchError (names the first difference), Cancelled.
    """
    from builder.verify import verify

    found: dict[str, Any] = {}
    checkpoint = choose(session.options.checkpoint, Settings.read(session.paths.settings), session.paths, note=session.note)
    if checkpoint.dense:
        verified = verify(checkpoint.folder, progress=progress, cancelled=session.cancelled)
        found |= {"files": verified.files, "tensors": verified.tensors, "mute": verified.mute.as_json()}
    result = self_test(session)
    return {
        "checkpoint": result.checkpoint,
        "folder": str(checkpoint.folder),
        **found,
        "launch": "exact",
        "runtime": result.runtime,
        "device": result.device,
    }


def verify_receipt(receipt: Path, session: Session, told: Told = lambda done, total: None) -> dict[str, Any]:
    """Redo a recorded value or a traced launch on the session's checkpoint, comparing every token of the model.

    told: called with the tokens of a recorded value that have been redone, and how many there are
    Raises InputError (no trace, or one of another checkpoint), MismatchError naming the first token that differs, Cancelled.
    """
    from app.compute.receipts import is_receipt

    return verify_record(receipt, session, told) if is_receipt(receipt) else verify_trace(receipt, session)


def verify_record(receipt: Path, session: Session, told: Told = lambda done, total: None) -> dict[str, Any]:
    """Compute the value of a launch record again. Raises InputError, MismatchError naming the first difference."""
    from app.compute.library import load_library
    from app.compute.receipts import read_receipt, replay

    record = read_receipt(receipt)
    engine = session.open()
    total, done = sum(len(launch.prompt) + len(launch.generated) for launch in record.launches), count(1)
    replay(record, load_library(), Watched(engine, session.cancelled, lambda _: told(next(done), total)))
    return {
        "receipt": str(receipt),
        "replay": "exact",
        "expression": record.expression,
        "value": record.value,
        "launches": len(record.launches),
        "recorded": record.checkpoint,
        "checkpoint": engine.identity,
        "runtime": session.options.runtime,
        "device": engine.device,
    }


class Watched:
    """An engine whose launches tell every token, and end when somebody asks for it."""

    def __init__(self, engine: Engine, cancelled: Callable[[], bool], on_token: Callable[[Line], None]) -> None:
        self.identity = engine.identity
        self._engine, self._cancelled, self._on_token = engine, cancelled, on_token

    def launch(
        self,
        program: Program,
        max_tokens: int,
        trace: Path | None = None,
        on_token: Callable[[Line], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> LaunchResult:
        """Run a program; its own two listen, nobody else. Raises what `Engine.launch` raises."""
        return self._engine.launch(program, max_tokens, trace, self._on_token, self._cancelled)


def verify_trace(receipt: Path, session: Session) -> dict[str, Any]:
    """Redo a launch that `run --trace` recorded: feed the host's tokens, compare every token of the model."""
    from engine.machine.tokens import TOKENS
    from engine.trace import read_trace, redo

    lines = read_trace(receipt)
    engine = session.open()

    def ask() -> None:
        if session.cancelled():
            raise Cancelled("the verification was stopped")

    first, count = engine.runtime.first_id, len(TOKENS.tokens)
    for line in lines:
        if not first <= line.id < first + count or str(TOKENS.tokens[line.id - first]) != line.token:
            raise MismatchError(
                f"token {line.i} is {line.token} as id {line.id}, which this checkpoint calls otherwise",
                f"{receipt}:{line.i + 1}",
                "give the checkpoint that the launch ran on",
            )
    different = redo(engine.runtime, lines, ask)
    if different is not None:
        line, got = different
        name = str(TOKENS.tokens[got - first]) if first <= got < first + count else str(got)
        raise MismatchError(
            f"token {line.i} is {line.token}, the checkpoint says {name}",
            f"{receipt}:{line.i + 1}",
            "this record was not made by this checkpoint",
            index=line.i,
        )
    generated = sum(line.source == "model" for line in lines)
    return {
        "receipt": str(receipt),
        "replay": "exact",
        "tokens": {"prompt": len(lines) - generated, "generated": generated},
        "checkpoint": engine.identity,
        "runtime": session.options.runtime,
        "device": engine.device,
    }
