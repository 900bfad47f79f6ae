"""A language model and a machine that answer: what the command line and the worker hold on to while a checkpoint is open.

The conversation itself is not in here: whoever asks hands in the messages of the branch and keeps what comes back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from app.checkpoints import choose
from app.compute.launching import Launcher
from app.compute.library import Function, load_library
from app.compute.receipts import Receipt
from app.computer import hungry, memory_warning
from app.conversation.loop import Services, TextModel, launch_turn, take_turn
from app.conversation.messages import Kernel, Message
from app.conversation.options import NOBODY, PLAIN, Listener, Options
from app.conversation.reply import Reply
from app.files import reason
from app.memory import memory
from app.pipeline import Session
from app.settings import Settings
from engine.machine.errors import EnvironmentProblem


class Talk:
    """What answers. folder: where the records of computed values are kept; program: this program's version."""

    def __init__(
        self, model: TextModel, machine: Launcher, functions: Mapping[str, Function], folder: Path, program: str
    ) -> None:
        self.checkpoint = machine.identity
        self.folder = folder
        self._model = model
        self._services = Services(functions, machine, program, keep=self._keep)

    @property
    def context_limit(self) -> int:
        """Tokens that the model reads."""
        return self._model.limit_context

    @property
    def thinks(self) -> bool:
        """Whether the model can think before it writes."""
        return self._model.thought_end >= 0

    @property
    def writes_kernels(self) -> bool:
        """Whether the model may be asked in the advanced mode."""
        return self._model.writes_kernels

    def answer(self, messages: Sequence[Message], text: str, options: Options = PLAIN, listener: Listener = NOBODY) -> Reply:
        """The reply to a text behind the messages of a branch; a value's record is on the disk before it is told.

        Raises what `take_turn` raises, EnvironmentProblem for the disk.
        """
        return take_turn(self._model, messages, text, self._services, options, listener)

    def launch(
        self, kernel: Kernel, filename: str, text: str, messages: Sequence[Message] = (), listener: Listener = NOBODY
    ) -> Reply:
        """The reply to a kernel that the user brought, see `launch_turn`; its record is saved."""
        return launch_turn(kernel, filename, text, messages, self._services, listener)

    def _keep(self, receipt: Receipt) -> None:
        try:
            receipt.write(self.folder / f"{receipt.id}.json")
        except OSError as error:
            raise EnvironmentProblem(
                f"the launch record cannot be written: {reason(error)}",
                str(self.folder),
                "free some space or make the folder writable",
            ) from error


def open_talk(session: Session, program: str) -> Talk:
    """What answers with the session's checkpoint. program: this program's version. Raises InputError, EnvironmentProblem."""
    from app.conversation.opening import open_text

    functions = load_library()
    checkpoint = choose(session.options.checkpoint, Settings.read(session.paths.settings), session.paths)
    if checkpoint.dense and (warning := memory_warning(memory(), hungry())):
        session.note(warning)
    return Talk(
        open_text(checkpoint, functions, session.options.device), session.open(), functions, session.paths.launches, program
    )
