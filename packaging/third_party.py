"""Writes `packaging/THIRD_PARTY.md`: what is shipped or installed with the app that others made, and under which licence.

Libraries are those that the app needs in this environment, with all that they need themselves.
`python packaging/third_party.py` writes it anew.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "packaging" / "THIRD_PARTY.md"
HEAD = """\
# What others made

Written by `packaging/third_party.py` from the packages of an environment on Linux with the CPU build of torch; other platforms
need fewer (no D-Bus), and torch from PyPI for Linux brings NVIDIA's libraries under NVIDIA's own terms, which no bundle holds.

qwenGPU Desktop itself is under the MIT licence. A checkpoint that it builds contains Qwen3.5's tensors unchanged and is under
the Apache License 2.0, as its NOTICE says; Qwen3.5 is not part of the app, a person downloads it.

## In the repository

| what | licence | text |
|---|---|---|
| JetBrains Mono | OFL-1.1 | `resources/ui/fonts/OFL.txt` |
| Lucide icons | ISC, some MIT | `resources/ui/icons/LICENSE` |
| Qwen's chat template (`resources/embedded/chat_template.jinja`) | Apache-2.0 | `resources/licenses/Apache-2.0.txt` |

## In an app bundle only

| what | licence |
|---|---|
| Python | PSF-2.0 |
| clang (LLVM), inside the one executable of ziglang | Apache-2.0 WITH LLVM-exception |
| PyInstaller's start program | GPL-2.0-or-later with an exception for bundled programs |

Qt and PySide6 are used under the LGPL-3.0: they lie in the bundle as libraries of their own and may be replaced by other builds
of the same version. Texts: `resources/licenses/`; of all others: the app's About window, and each package's own files.

## Libraries

| package | licence | home |
|---|---|---|
"""


def closure(names: Iterable[str]) -> Iterator[metadata.Distribution]:
    """The installed packages that requirements lead to, every one once; those for other platforms are left out."""
    seen: set[str] = set()
    waiting = list(names)
    while waiting:
        wanted = Requirement(waiting.pop())
        name = canonicalize_name(wanted.name)
        if name in seen or (wanted.marker and not wanted.marker.evaluate({"extra": ""})):
            continue
        seen.add(name)
        found = metadata.distribution(name)
        yield found
        waiting += found.requires or ()


def dependencies() -> list[str]:
    """What the app itself asks for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return list(project["dependencies"])


def licence(package: metadata.Distribution) -> str:
    """What a package says of its licence, in a line."""
    said = package.metadata
    named = said.get("License-Expression") or said.get("License") or ""
    if not named or "\n" in named:
        classified = [line.rpartition(" :: ")[2] for line in said.get_all("Classifier") or () if line.startswith("License ::")]
        return ", ".join(classified) or named.split("\n")[0]
    return named


def home(package: metadata.Distribution) -> str:
    """Where a package lives."""
    said = package.metadata
    links = [link.partition(", ") for link in said.get_all("Project-URL") or ()]
    named = {re.sub(r"\W", "", name).lower(): url for name, _, url in links}
    wanted = ("homepage", "home", "source", "sourcecode", "repository", "github", "documentation")
    return next((named[name] for name in wanted if name in named), said.get("Home-page") or "")


def table() -> dict[str, str]:
    """A row for every library, by name."""
    found = {canonicalize_name(package.metadata["Name"]): package for package in closure(dependencies())}
    return {
        name: f"| {package.metadata['Name']} | {licence(package)} | {home(package)} |"
        for name, package in sorted(found.items())
    }


def names(text: str) -> set[str]:
    """The libraries that a written file lists."""
    rows = text.partition("## Libraries")[2].splitlines()
    return {str(canonicalize_name(row.split("|")[1].strip())) for row in rows if row.startswith("| ")} - {"package"}


if __name__ == "__main__":
    TARGET.write_text(HEAD + "\n".join(table().values()) + "\n", encoding="utf-8")
