"""What the app is made of, and under which licences: its own, the language model's, the bundled files', the libraries'."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib import metadata, resources
from pathlib import Path

from app.texts import Text, translate

PACKAGES = (
    "PySide6-Essentials",
    "torch",
    "transformers",
    "safetensors",
    "tokenizers",
    "Jinja2",
    "numpy",
    "scipy",
    "lark",
    "ziglang",
    "huggingface_hub",
    "platformdirs",
    "filelock",
    "psutil",
    "msgspec",
    "qasync",
    "Pygments",
    "markdown-it-py",
    "keyring",
)
QT = "PySide6-Essentials"
FOLDER = resources.files("resources")
MIT, APACHE, LGPL, GPL = (FOLDER / "licenses" / f"{name}.txt" for name in ("MIT", "Apache-2.0", "LGPL-3.0", "GPL-3.0"))
LONGEST_NAME = 60
"""Characters of a licence's name; some packages write the whole text there."""


@dataclass(frozen=True)
class Component:
    """A part of the app. about: what it is for, "" for a library; licence: its short name."""

    name: str
    version: str
    licence: str
    about: Text | str = ""

    def text(self) -> str:
        """The text of the licence; its short name where the package brings no text."""
        if self.name in _BUNDLED:
            return "\n\n".join(file.read_text(encoding="utf-8") for file in _BUNDLED[self.name])
        found = [file for file in _files(self.name) if _is_licence(Path(file))]
        texts = [text for file in found if (text := _read(Path(str(file.locate())))) is not None]
        return "\n\n".join(texts) or self.licence


_BUNDLED = {
    "qwenGPU Desktop": (MIT,),
    "Qwen3.5-2B": (APACHE,),
    "JetBrains Mono": (FOLDER / "ui" / "fonts" / "OFL.txt",),
    "Lucide": (FOLDER / "ui" / "icons" / "LICENSE",),
    QT: (LGPL, GPL),
}


def components() -> tuple[Component, ...]:
    """All parts: the app first, then what it brings, then the libraries that are installed."""
    own = (
        Component("qwenGPU Desktop", _version("qwengpu-desktop"), "MIT"),
        Component("Qwen3.5-2B", "", "Apache-2.0", translate("Licences", "The language model, downloaded by you")),
        Component("JetBrains Mono", "", "OFL-1.1", translate("Licences", "The font of code and values")),
        Component("Lucide", "", "ISC, MIT", translate("Licences", "The icons")),
        Component("Python", sys.version.split()[0], "PSF-2.0"),
    )
    installed = (Component(name, version, _licence(name)) for name in PACKAGES if (version := _version(name)))
    return (*own, *installed)


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _files(package: str) -> list[metadata.PackagePath]:
    try:
        return metadata.files(package) or []
    except metadata.PackageNotFoundError:
        return []


def _licence(package: str) -> str:
    said = metadata.metadata(package)
    named = next(filter(None, (said[name] for name in ("License-Expression", "License") if name in said)), "")
    if named and "\n" not in named and len(named) <= LONGEST_NAME:
        return named
    classified = [line.rpartition(" :: ")[2] for line in said.get_all("Classifier") or () if line.startswith("License ::")]
    return classified[0] if classified else named.split(" AND ")[0].split("\n")[0][:LONGEST_NAME]


def _is_licence(path: Path) -> bool:
    """A licence file in a package's own record, not one of what it was built from."""
    inside = path.parts[0].endswith(".dist-info") and len(path.parts) <= 3
    return inside and path.name.upper().startswith(("LICENSE", "LICENCE", "COPYING", "NOTICE"))


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
