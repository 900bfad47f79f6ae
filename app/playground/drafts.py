"""Drafts: a kernel with its launch, kept as a file each, so that nothing written is ever lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


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
