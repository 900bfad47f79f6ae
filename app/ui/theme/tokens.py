"""The design tokens in `resources/ui/tokens.json`: colours, sizes, type and motion, by name."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import resources

FOLDER = Path(resources.__file__).parent / "ui"


@dataclass(frozen=True)
class TypeStyle:
    """family: "ui" or "mono"; size and line: logical px at a text size of 100 %; tracking: px between letters."""

    family: str
    size: int
    line: int
    weight: int
    tracking: float


@dataclass(frozen=True)
class Tokens:
    """colors: by theme ("light", "dark") and dotted name, as the file writes them (#RRGGBB or #RRGGBBAA)."""

    colors: dict[str, dict[str, str]]
    styles: dict[str, TypeStyle]
    mono_families: tuple[str, ...]
    sizes: dict[str, Any]
    spacing: dict[str, int]
    radius: dict[str, int]
    durations: dict[str, int]


@cache
def tokens() -> Tokens:
    """The tokens of this version."""
    read = json.loads((FOLDER / "tokens.json").read_text(encoding="utf-8"))
    colors = {
        scheme: {f"{group}.{name}": value for group, names in groups.items() for name, value in names.items()}
        for scheme, groups in read["color"].items()
    }
    durations = {name: value for name, value in read["motion"].items() if isinstance(value, int)}
    return Tokens(
        colors,
        {name: TypeStyle(**style) for name, style in read["type"]["styles"].items()},
        tuple(read["type"]["family"]["mono"]),
        read["size"],
        read["spacing"],
        read["radius"],
        durations,
    )
