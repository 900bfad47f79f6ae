"""Drafts: a kernel with its launch, kept as a file each, so that nothing written is ever lost."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

from app.compute.launching import LaunchRecord
from app.files import MAX_JSON_BYTES, read_json, reason, replace_file
from engine.machine.errors import GpuError, InputError

FORMAT = "qwengpu playground draft 1"
_ID = re.compile(r"[0-9a-z-]{1,40}")


@dataclass(frozen=True)
class Draft:
    """A kernel and how it is launched.

    id: name of its file, "" before it has one; title: what lists call it; source, filename: CUDA C++ or PTX
    launch: LAUNCH.json object; expected: what outputs should be, by name
    """

    id: str
    title: str
    source: str
    filename: str
    launch: Mapping[str, Any]
    expected: Mapping[str, list[int | float]] = field(default_factory=dict)


EMPTY = Draft(
    "",
    "New kernel",
    """// Each thread adds one pair.
__global__ void add(const int *a, const int *b, int *sum) {
    int i = threadIdx.x;
    sum[i] = a[i] + b[i];
}
""",
    "add.cu",
    {
        "kernel": "add",
        "grid": [1, 1, 1],
        "block": [4, 1, 1],
        "args": [
            {"name": "a", "type": "int32*", "value": [1, 2, 3, 4]},
            {"name": "b", "type": "int32*", "value": [10, 20, 30, 40]},
            {"name": "sum", "type": "int32*", "size": 4},
        ],
    },
    {"sum": [11, 22, 33, 44]},
)
"""What an empty Playground begins with."""


def draft_of(record: LaunchRecord) -> Draft:
    """The kernel of a launch, ready to be changed and launched again."""
    return Draft(
        "",
        record.function,
        record.cuda,
        f"{record.function}.cu",
        record.launch,
        {name: list(values) for name, values in record.outputs.items()},
    )


class Drafts:
    """The drafts in a folder. What cannot be read is left alone and not listed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, draft: Draft) -> Draft:
        """Write a draft; one without an id gets one. Raises InputError when the disk does not take it."""
        kept = draft if draft.id else replace(draft, id=uuid4().hex[:12])
        text = json.dumps({"format": FORMAT, **asdict(kept)}, indent=1) + "\n"
        try:
            replace_file(self._folder / f"{kept.id}.json", text.encode())
        except OSError as error:
            raise InputError(f"the draft cannot be saved: {reason(error)}", str(self._folder), "free some space") from None
        return kept

    def read(self, name: str) -> Draft:
        """The draft of this id. Raises InputError."""
        path = self._folder / f"{name}.json"
        content = read_json(path, MAX_JSON_BYTES)
        if not isinstance(content, dict) or content.pop("format", None) != FORMAT:
            raise InputError("the file is no draft", str(path), "choose another one")
        try:
            draft = Draft(**content)
        except TypeError as error:
            raise InputError(f"the draft is damaged: {error}", str(path), "choose another one") from None
        texts = (draft.id, draft.title, draft.source, draft.filename)
        if (
            not all(isinstance(text, str) for text in texts)
            or not isinstance(draft.launch, dict)
            or not isinstance(draft.expected, dict)
        ):
            raise InputError("the draft is damaged: a field is of another type", str(path), "choose another one")
        return replace(draft, id=name)

    def all(self) -> list[Draft]:
        """Every draft that can be read, the last written one first."""
        found = []
        files = [path for path in self._folder.glob("*.json") if _ID.fullmatch(path.stem)] if self._folder.is_dir() else []
        for path in sorted(files, key=lambda path: path.stat().st_mtime, reverse=True):
            try:
                found.append(self.read(path.stem))
            except GpuError:
                continue
        return found

    def discard(self, name: str) -> None:
        """Delete a draft; one that is gone already is fine."""
        (self._folder / f"{name}.json").unlink(missing_ok=True)
