"""What the operations of a worker share: folders, version, and the one checkpoint that is open."""

from __future__ import annotations

import gc
import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from app.checkpoints import Prepare, build_machine, embedded
from app.paths import Paths
from app.pipeline import Options, Session
from app.worker.protocol import EMBEDDED, CheckpointInfo, LoadResult
from app.worker.ticket import Ticket

if TYPE_CHECKING:
    from app.conversation.talk import Talk
    from app.engines import Engine

BUILT_IN = "built-in model"
PREPARING = "prepare"
"""The stage in which the embedded machine is compiled for its first use."""
STAGES = ("libraries", "machine", "language model")
"""What opening a checkpoint goes through."""
LIBRARIES = ("torch", "app.engines", "app.conversation.opening")
STOCK_LIBRARIES = ("transformers", "transformers.modeling_utils", "app.conversation.stock")
"""What takes seconds to import, in pieces, between which one can stop; what only a built checkpoint needs."""


@dataclass(frozen=True)
class Opened:
    """A checkpoint in memory. result: what is told of it."""

    talk: Talk
    engine: Engine
    result: LoadResult


class Desk:
    """Holds the open checkpoint. Used by the thread of the model alone. program: this program's version."""

    def __init__(self, paths: Paths, program: str) -> None:
        self.paths, self.program = paths, program
        self._opened: Opened | None = None

    def open(self, checkpoint: Path | None, device: str, ticket: Ticket) -> LoadResult:
        """Open a checkpoint (None: the user's own, else the embedded one), the one before being freed first.

        Raises InputError, EnvironmentProblem, Cancelled.
        """
        self._free()
        if checkpoint == Path(EMBEDDED):
            checkpoint = embedded(self.paths, preparing(ticket), ticket.note).folder
        session = Session(Options(checkpoint, device=device), self.paths, ticket.note, ticket.cancelled, preparing(ticket))
        self._opened = open_checkpoint(session, self.program, ticket)
        return self._opened.result

    def opened(self, ticket: Ticket) -> Opened:
        """The open checkpoint; the one that is used by default when none is open. Raises what `open` raises."""
        if self._opened is None:
            self.open(None, "auto", ticket)
        assert self._opened is not None
        return self._opened

    def session(self, checkpoint: Path | None, ticket: Ticket) -> Session:
        """A session with a checkpoint, which is not opened again when it is the open one."""
        session = Session(Options(checkpoint), self.paths, ticket.note, ticket.cancelled)
        if self._opened is not None and checkpoint in (None, self._opened.engine.checkpoint.folder):
            session.use(self._opened.engine)
        return session

    def _free(self) -> None:
        """Forget the open checkpoint and give its memory back."""
        if self._opened is None:
            return
        self._opened = None
        gc.collect()
        torch = sys.modules["torch"]
        for device in (torch.mps, torch.cuda):
            if device.is_available():
                device.empty_cache()


def open_checkpoint(session: Session, program: str, ticket: Ticket) -> Opened:
    """Import what computes, open machine and language model. Each step is told when it begins, and may be the last."""
    ticket.stage(STAGES[0], 0, len(STAGES))
    for library in LIBRARIES:
        import_module(library)
        ticket.check()
    from app.compute.library import load_library
    from app.conversation.opening import open_text
    from app.conversation.talk import Talk

    ticket.stage(STAGES[1], 1, len(STAGES))
    engine = session.open()
    ticket.stage(STAGES[2], 2, len(STAGES))
    for library in STOCK_LIBRARIES if engine.checkpoint.dense else ():
        import_module(library)
        ticket.check()
    functions = load_library()
    model = open_text(engine.checkpoint, functions, session.options.device)
    ticket.check()
    talk = Talk(model, engine, functions, session.paths.launches, program)
    name, layers = describe(engine, model.layers)
    dense = engine.checkpoint.dense
    info = CheckpointInfo(str(engine.checkpoint.folder), engine.identity, "built" if dense else "embedded", name, layers)
    return Opened(talk, engine, LoadResult(ticket.id, info, model.device, engine.device, talk.context_limit))


def preparing(ticket: Ticket) -> Prepare:
    """Prepares the embedded machine where nobody has yet, telling every pass and layer."""

    def progress(done: int, total: int) -> None:
        ticket.progress(PREPARING, done, total)
        ticket.check()

    return lambda folder, spec: build_machine(folder, spec, progress)


def describe(engine: Engine, text_layers: int) -> tuple[str, tuple[int, int]]:
    """What the language model of a checkpoint is called; its compiled layers, and the language model's."""
    compiled = engine.runtime.machine.spec.layers
    if engine.checkpoint.dense:
        from builder.base import EMBEDDED
        from builder.report import read_report

        base = read_report(engine.checkpoint.folder).base
        if base["source"] != EMBEDDED:
            return str(base["source"]), (compiled, int(base["layers"]))
    return BUILT_IN, (compiled, text_layers)
