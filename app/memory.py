"""Is there memory enough? One answer for every part of the program that asks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

NEEDED_TOTAL = 16 << 30
"""Memory of a computer on which Qwen3.5-2B with the compiled layers runs comfortably beside other programs."""
TOLERANCE = 0.9
"""A computer sold with 16 GB reports somewhat less: firmware and graphics keep a part."""


class Usage(Protocol):
    """What psutil says of memory, in bytes."""

    total: int
    available: int


@dataclass(frozen=True)
class Memory:
    """Bytes of memory: in the computer, free for programs, recommended."""

    total: int
    available: int
    needed: int = NEEDED_TOTAL

    @property
    def enough(self) -> bool:
        """Whether the computer has what is recommended."""
        return self.total >= self.needed * TOLERANCE

    @property
    def remark(self) -> str:
        """A sentence for a computer with less; "" otherwise."""
        if self.enough:
            return ""
        return (
            f"this computer has {gigabytes(self.total)} of memory; {gigabytes(self.needed)} are recommended for "
            "Qwen3.5-2B (the embedded machine needs less than 2 GB)"
        )

    def as_json(self) -> dict[str, Any]:
        """The numbers and the judgement."""
        return {
            "total": self.total,
            "available": self.available,
            "needed": self.needed,
            "enough": self.enough,
            "remark": self.remark,
        }


def memory(usage: Callable[[], Usage] | None = None) -> Memory:
    """The memory of this computer. usage: asks the system (psutil by default)."""
    if usage is None:
        import psutil

        usage = psutil.virtual_memory
    now = usage()
    return Memory(now.total, now.available)


def gigabytes(count: int) -> str:
    """Bytes for people."""
    return f"{count / (1 << 30):.1f} GB"
