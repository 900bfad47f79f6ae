"""Drafts: a kernel with its launch, kept as a file each, so that nothing written is ever lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from app.compute.launching import LaunchRecord


@dataclass(frozen=True)
class Draft:
    """A kernel and how it is launched.

    id: name of its file; title: what lists call it; source, filename: CUDA C++ or PTX
    launch: LAUNCH.json object; expected: what outputs should be, by name
    """

    id: str
    title: str
    source: str
    filename: str
    launch: Mapping[str, Any]
    expected: Mapping[str, list[int | float]] = field(default_factory=dict)


def draft_of(record: LaunchRecord) -> Draft:
    """The kernel of a launch, ready to be changed and launched again."""
    return Draft("", record.function, record.cuda, f"{record.function}.cu", record.launch,
                 {name: list(values) for name, values in record.outputs.items()})
