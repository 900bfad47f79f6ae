"""What a build did, in sentences: read from the checkpoint's `build_report.json`, without torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.checkpoints import REPORT
from app.files import read_json
from app.quantities import exact_duration, size
from app.texts import Text, translate
from engine.machine.errors import InputError


@dataclass(frozen=True)
class Fact:
    """A line of the report."""

    name: Text
    value: Text | str


def read_facts(checkpoint: Path) -> tuple[Fact, ...]:
    """The report of a checkpoint folder, for people. Raises InputError when there is none that can be read."""
    path = checkpoint / REPORT
    value = read_json(path)
    try:
        return tuple(_facts(value, checkpoint))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise InputError(f"{REPORT} is malformed ({error})", str(path), "build again") from None


def _facts(report: Mapping[str, Any], checkpoint: Path) -> list[Fact]:
    base, machine, seconds = report["base"], report["machine"], report["seconds"]
    stages = {
        "base": translate("Report", "Checking Qwen's files"),
        "mute": translate("Report", "Fitting the GPU"),
        "write": translate("Report", "Writing"),
        "verify": translate("Report", "Reading back"),
    }
    return [
        Fact(translate("Report", "Folder"), str(checkpoint)),
        Fact(
            translate("Report", "Size"),
            translate("Report", "{size} in {count} files").format(size=size(report["size"]), count=len(report["files"])),
        ),
        Fact(translate("Report", "Language model"), str(base["source"])),
        Fact(
            translate("Report", "Layers"),
            translate("Report", "{compiled} compiled in front of {own} of Qwen's").format(
                compiled=machine["layers"], own=base["layers"]
            ),
        ),
        Fact(
            translate("Report", "Vocabulary"),
            translate("Report", "{own} tokens of Qwen's, {machine} of the machine").format(
                own=f"{base['vocabulary']:,}", machine=f"{machine['tokens']:,}"
            ),
        ),
        Fact(
            translate("Report", "Qwen's tensors"),
            translate("Report", "{count}, each with the same sha256 as before").format(count=len(report["base_tensors"])),
        ),
        *_text_tokens(report["mute"]),
        *(Fact(name, exact_duration(seconds[stage])) for stage, name in stages.items() if stage in seconds),
        Fact(translate("Report", "Machine"), f"sha256 {machine['sha256'][:16]}…"),
        Fact(translate("Report", "Checkpoint"), f"sha256 {report['checkpoint'][:16]}…"),
    ]


def _text_tokens(mute: Mapping[str, Any]) -> list[Fact]:
    """What the compiled layers do to text where they see it; nothing without a language model."""
    rows, guarded, open_rows = mute["rows"], len(mute.get("guarded", ())), len(mute["violators"])
    if not rows:
        return []
    value = (
        translate("Report", "all {rows} tokens untouched").format(rows=f"{rows:,}")
        if not guarded + open_rows
        else translate(
            "Report", "{silent} tokens untouched; {guarded} lose one axis and {open} change, in transformers only"
        ).format(silent=f"{rows - guarded - open_rows:,}", guarded=f"{guarded:,}", open=f"{open_rows:,}")
    )
    return [Fact(translate("Report", "Text"), value)]
