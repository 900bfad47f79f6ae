""" "I already have it": is a folder a complete language model that a machine can be put in front of?

Looks at names, sizes and headers, and at hashes where they are known. The builder checks every tensor again before it builds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.files import read_json
from app.hub.model import Manifest
from app.hub.parts import agrees, begin_hash, pieces
from engine.machine.errors import Cancelled, InputError

CONFIG, INDEX, SINGLE, TOKENIZER = "config.json", "model.safetensors.index.json", "model.safetensors", "tokenizer.json"
KINDS = ("qwen3_5", "qwen3_5_text")
MAX_HEADER = 100 << 20
FETCH = "choose the folder of a complete Qwen3.5 model, or download it"


@dataclass(frozen=True)
class Found:
    """A folder that was checked. size: bytes of the weights; hashed: every file's hash agrees with the hub's."""

    folder: Path
    size: int
    files: tuple[str, ...]
    hashed: bool = False


def check_folder(
    folder: Path,
    manifest: Manifest | None = None,
    moved: Callable[[int, int], None] = lambda done, total: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Found:
    """Check config, index, shards and tokenizer; with a manifest every file's hash, too (slow: call it in a thread).

    moved: told bytes hashed of all bytes. Raises InputError naming file and what is wrong, Cancelled.
    """
    if not folder.is_dir():
        raise InputError("there is no such folder", str(folder), FETCH)
    _check_config(folder)
    if not (folder / TOKENIZER).is_file():
        raise InputError(f"the folder has no {TOKENIZER}", str(folder), FETCH)
    shards = _shards(folder)
    for name, tensors in shards.items():
        _check_shard(folder / name, tensors)
    if manifest is not None:
        _check_hashes(folder, manifest, moved, stopped)
    size = sum((folder / name).stat().st_size for name in shards)
    return Found(folder, size, tuple(sorted(shards)), manifest is not None)


def _check_config(folder: Path) -> None:
    config = _object(folder / CONFIG)
    if config.get("model_type") not in KINDS:
        raise InputError(
            f"the folder holds a {config.get('model_type') or 'model of unknown kind'}, not a Qwen3.5 model",
            str(folder / CONFIG),
            FETCH,
        )
    if "quantization_config" in config:
        raise InputError("the model is quantised; the machine needs it in bfloat16", str(folder / CONFIG), FETCH)


def _shards(folder: Path) -> dict[str, list[str]]:
    """The names of the weight files, with the tensors that the index expects in each."""
    if not (folder / INDEX).is_file():
        if (folder / SINGLE).is_file():
            return {SINGLE: []}
        raise InputError(f"the folder has neither {SINGLE} nor {INDEX}", str(folder), FETCH)
    placed = _object(folder / INDEX).get("weight_map")
    if (
        not isinstance(placed, dict)
        or not placed
        or not all(
            isinstance(name, str) and Path(name).name == name and name.endswith(".safetensors") for name in placed.values()
        )
    ):
        raise InputError("the index does not say which file holds which tensor", str(folder / INDEX), FETCH)
    shards: dict[str, list[str]] = {}
    for tensor, name in placed.items():
        shards.setdefault(name, []).append(tensor)
    return shards


def _check_shard(path: Path, expected: Iterable[str]) -> None:
    """A weight file is whole, and holds the tensors that it should."""
    try:
        with path.open("rb") as file:
            length = path.stat().st_size
            count = int.from_bytes(file.read(8), "little")
            header = json.loads(file.read(count)) if 2 <= count <= min(MAX_HEADER, length - 8) else None
    except FileNotFoundError:
        raise InputError(f"'{path.name}' is missing", str(path.parent), FETCH) from None
    except (OSError, ValueError, RecursionError):
        header = None
    if not isinstance(header, dict):
        raise InputError(f"'{path.name}' is no safetensors file, or only its beginning", str(path), FETCH)
    header.pop("__metadata__", None)
    try:
        end = 8 + count + max((int(entry["data_offsets"][1]) for entry in header.values()), default=0)
    except (TypeError, KeyError, IndexError, ValueError):
        raise InputError(f"the header of '{path.name}' is damaged", str(path), FETCH) from None
    if end != length:
        raise InputError(f"'{path.name}' has {length:,} bytes, its header promises {end:,}", str(path), FETCH)
    missing = next((tensor for tensor in expected if tensor not in header), None)
    if missing is not None:
        raise InputError(f"tensor '{missing}' is not in '{path.name}', where the index says", str(path), FETCH)


def _check_hashes(folder: Path, manifest: Manifest, moved: Callable[[int, int], None], stopped: Callable[[], bool]) -> None:
    done = 0
    for file in manifest.files:
        path = folder / file.path
        if not path.is_file():
            raise InputError(f"'{file.path}' is missing", str(folder), FETCH)
        if path.stat().st_size != file.size:
            raise InputError(f"'{file.path}' has {path.stat().st_size:,} bytes, the hub's has {file.size:,}", str(path), FETCH)
        found = begin_hash(file)
        for piece in pieces(path):
            if stopped():
                raise Cancelled("the check was stopped", str(folder))
            found.update(piece)
            done += len(piece)
            moved(done, manifest.size)
        if not agrees(file, found.hexdigest()):
            raise InputError(f"'{file.path}' has other bytes than the hub's (its hash differs)", str(path), FETCH)


def _object(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise InputError(f"the folder has no {path.name}", str(path.parent), FETCH)
    value = read_json(path)
    if not isinstance(value, dict):
        raise InputError(f"{path.name} is not a JSON object", str(path), FETCH)
    return value
