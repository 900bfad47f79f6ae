"""What is wrong with an expression, in one line that a model or a user can act on."""

from __future__ import annotations

from engine.machine.errors import InputError


class ExpressionError(InputError):
    """The text is no expression, or not one that can be computed. position: where in the text, from 0."""

    def __init__(self, what: str, position: int | None = None, remedy: str = "") -> None:
        where = "" if position is None else f"at character {position + 1}"
        super().__init__(what, where, remedy, position=position)
        self.position = position
