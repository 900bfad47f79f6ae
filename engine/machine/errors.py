"""Every error that a user can meet: what was wrong, where, and what to do about it.

One base class, one subclass per kind of the command line's contract. Raising one of these is the only way a part of the
program refuses something; the command line turns the kind into its exit code, the app into a dialog.
"""

from __future__ import annotations

from typing import Any, ClassVar


class GpuError(Exception):
    """A named refusal.

    what:   what was wrong, in the user's words ("'sdot' is not a kernel of this file")
    where:  file, line, argument or launch it concerns; "" when there is no better place than the command itself
    remedy: what to do next; "" only where nothing can be done
    extra:  further facts for machines (limit, needed, available, line, thread ..), part of the JSON error
    """

    kind: ClassVar[str] = "internal"
    exit_code: ClassVar[int] = 1

    def __init__(self, what: str, where: str = "", remedy: str = "", **extra: Any) -> None:
        super().__init__(what, where, remedy)
        self.what, self.where, self.remedy, self.extra = what, where, remedy, extra

    def __str__(self) -> str:
        return " - ".join(part for part in (self.what, self.where, self.remedy) if part)

    def as_json(self) -> dict[str, Any]:
        """The object that `--json` prints under "error"."""
        return {
            "kind": self.kind,
            "message": str(self),
            "what": self.what,
            "where": self.where,
            "remedy": self.remedy,
            **self.extra,
        }


class UsageError(GpuError):
    """The command was called wrongly."""

    kind, exit_code = "usage", 2


class InputError(GpuError):
    """A file or a value that was given is malformed, missing or out of range."""

    kind, exit_code = "input", 2


class CompileError(GpuError):
    """The CUDA source does not compile; `where` carries the user's own line numbers."""

    kind, exit_code = "compile", 2


class UnsupportedError(GpuError):
    """The kernel needs something that the machine does not have."""

    kind, exit_code = "unsupported", 3


class LimitExceeded(UnsupportedError):
    """A number of the machine is exceeded: names it, with what is needed and what there is."""

    def __init__(self, limit: str, needed: int, available: int, where: str = "", remedy: str = "") -> None:
        super().__init__(
            f"{limit}: {needed:,} needed, the machine has {available:,}",
            where,
            remedy,
            limit=limit,
            needed=needed,
            available=available,
        )


class FaultError(GpuError):
    """The launch did something that no launch may do (out of bounds, deadlock, ..); names kernel, array, index, thread."""

    kind, exit_code = "fault", 3


class MismatchError(GpuError):
    """A replay or a verification found a difference: names the first one."""

    kind, exit_code = "mismatch", 4


class EnvironmentProblem(GpuError):
    """The computer lacks something: memory, disk, network, a compiler."""

    kind, exit_code = "environment", 5


class Cancelled(GpuError):
    """The user stopped it."""

    kind, exit_code = "cancelled", 130
