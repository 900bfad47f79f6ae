"""Result files of the checks, each with the sources that it holds for."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parent / "results"
SOURCES = ("engine/machine", "toolchain")
"""What the checks here look at: the machine's definition and the lowering. The weights have a hash of their own."""


def sources(root: Path = ROOT) -> str:
    """The first digits of a hash of everything that these results depend on."""
    digest = hashlib.sha256()
    for folder in SOURCES:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".py", ".lark", ".h"):
                digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


def save(name: str, content: dict[str, Any], folder: Path = FOLDER) -> None:
    """Write a check's result, with the sources of now."""
    folder.mkdir(exist_ok=True)
    text = json.dumps({"sources": sources(), **content}, indent=1)
    (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")


def main() -> None:
    """Print the hash of now, and which results are of other sources."""
    now = sources()
    print(now)
    for path in sorted(FOLDER.glob("*.json")):
        found = json.loads(path.read_text(encoding="utf-8")).get("sources")
        if found not in (None, now):
            print(f"{path.name}: {found}")


def load(name: str, folder: Path = FOLDER) -> dict[str, Any] | None:
    """A check's result, None where it was not run."""
    path = folder / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


if __name__ == "__main__":
    main()
