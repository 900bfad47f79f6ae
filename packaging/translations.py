"""Brings `resources/ui/translations/` up to date: `.ts` from the sources (`lupdate`), `.qm` from the `.ts` (`lrelease`).

`python packaging/translations.py` after strings have changed; `--check` only says what is out of date (status 1).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "resources" / "ui" / "translations"
LANGUAGES = ("de", "zh_CN")


def tool(name: str) -> str:
    """The path of a Linguist tool of PySide6, or its name where only the PATH knows it."""
    beside = Path(sys.executable).with_name(f"pyside6-{name}")
    return str(beside) if beside.exists() else f"pyside6-{name}"


def sources() -> list[str]:
    """All modules in which strings may be marked, relative to the repository."""
    return sorted(str(path.relative_to(ROOT)) for path in (ROOT / "app").rglob("*.py"))


def update(folder: Path) -> None:
    """Take new strings over into every `.ts` of a folder and drop those that are gone."""
    for language in LANGUAGES:
        subprocess.run(
            [
                tool("lupdate"),
                *sources(),
                "-locations",
                "none",
                "-no-obsolete",
                "-silent",
                "-ts",
                str(folder / f"qwengpu_{language}.ts"),
            ],
            cwd=ROOT,
            check=True,
            capture_output=True,
        )


def release(folder: Path) -> None:
    """Compile every `.ts` of a folder."""
    for language in LANGUAGES:
        subprocess.run(
            [
                tool("lrelease"),
                "-silent",
                str(folder / f"qwengpu_{language}.ts"),
                "-qm",
                str(folder / f"qwengpu_{language}.qm"),
            ],
            check=True,
            capture_output=True,
        )


def outdated() -> list[str]:
    """Names of files that `main` would change."""
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name)
        for path in FOLDER.glob("*.ts"):
            (copy / path.name).write_bytes(path.read_bytes())
        update(copy)
        release(copy)
        return sorted(
            path.name
            for path in copy.iterdir()
            if not (FOLDER / path.name).exists() or (FOLDER / path.name).read_bytes() != path.read_bytes()
        )


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="bring the translations up to date")
    parser.add_argument("--check", action="store_true", help="only say what is out of date")
    if parser.parse_args().check:
        changed = outdated()
        print("\n".join(changed) or "up to date")
        return 1 if changed else 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    update(FOLDER)
    release(FOLDER)
    return 0


if __name__ == "__main__":
    sys.exit(main())
