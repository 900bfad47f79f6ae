"""A conversation with its model, machine and records: what the command line and the app hold on to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from app.checkpoints import choose
from app.compute.launching import Launcher
from app.compute.library import Function, load_library
from app.compute.receipts import Receipt
from app.conversation.loop import Reply, Services, TextModel, take_turn
from app.conversation.messages import Conversation, Segment
from app.files import reason
from app.pipeline import Session
from app.settings import Settings
from engine.machine.errors import EnvironmentProblem

FOLDER = "launches"
"""Where records lie below the user's data."""


class Talk:
    """One conversation."""

    def __init__(self, model: TextModel, machine: Launcher, functions: Mapping[str, Function], folder: Path,
                 program: str) -> None:
        self.conversation = Conversation()
        self.receipts: list[Receipt] = []
        self.checkpoint = machine.identity
        self._model, self._folder = model, folder
        self._services = Services(functions, machine, program)

    def say(self, text: str, on_segment: Callable[[Segment], None] = lambda segment: None) -> Reply:
        """The reply to a text; its records are saved. Raises what `take_turn` raises, EnvironmentProblem for the disk."""
        reply = take_turn(self._model, self.conversation, text, replace(self._services, on_segment=on_segment))
        self.receipts += reply.receipts
        try:
            for receipt in reply.receipts:
                receipt.write(self._folder / f"{receipt.id}.json")
        except OSError as error:
            raise EnvironmentProblem(f"the launch record cannot be written: {reason(error)}", str(self._folder),
                                     "free some space or make the folder writable") from error
        return reply


def open_talk(session: Session, program: str) -> Talk:
    """A conversation with the session's checkpoint. program: this program's version. Raises InputError, EnvironmentProblem."""
    from app.conversation.opening import open_text

    functions = load_library()
    checkpoint = choose(session.options.checkpoint, Settings.read(session.paths.settings), session.paths, note=session.note)
    return Talk(open_text(checkpoint, functions), session.open(), functions, session.paths.data / FOLDER, program)
