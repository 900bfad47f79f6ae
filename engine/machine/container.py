"""The file format of a compiled machine: safetensors with a hash over everything the file says.

Builder and engine meet at this file. Reading is strict about bytes and shapes; what the tensors mean is the reader's business.
File format: https://github.com/huggingface/safetensors ("Format"); numbers are little-endian.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from .errors import InputError

FORMAT: Final = "qwengpu-machine-1"
HASH: Final = "sha256"
"""Metadata entry that holds the content hash."""
FILE_NAME: Final = "machine.safetensors"
"""The file's name inside a checkpoint folder."""
REBUILD: Final = "build the machine again with this version"

_DTYPES: Final[Mapping[str, str]] = {"BF16": "<u2", "I16": "<i2", "I32": "<i4", "I64": "<i8", "F32": "<f4"}


@dataclass(frozen=True)
class RawTensor:
    """A tensor as the file holds it: safetensors dtype, shape, little-endian bytes."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes

    def numbers(self) -> np.ndarray:
        """The values; bf16 as float32 (which holds every bf16 exactly)."""
        raw = np.frombuffer(self.data, _DTYPES[self.dtype]).reshape(self.shape)
        return (raw.astype(np.uint32) << np.uint32(16)).view(np.float32) if self.dtype == "BF16" else raw


def content_hash(metadata: Mapping[str, str], tensors: Mapping[str, RawTensor]) -> str:
    """sha256 (hex) over everything that the file says, in an order that does not depend on how it was written.

    Metadata entries but the hash itself, then tensors, each sorted by name; for a tensor: name, dtype, shape, bytes. Every
    part goes in with its length, so that no two contents give the same stream.
    """
    digest = hashlib.sha256()

    def add(part: bytes) -> None:
        digest.update(struct.pack("<Q", len(part)))
        digest.update(part)

    for key, text in sorted(metadata.items()):
        if key != HASH:
            add(key.encode())
            add(text.encode())
    for name, tensor in sorted(tensors.items()):
        add(name.encode())
        add(f"{tensor.dtype}{list(tensor.shape)}".encode())
        add(tensor.data)
    return digest.hexdigest()


def read_container(path: Path) -> tuple[dict[str, str], dict[str, RawTensor]]:
    """Metadata and tensors of a safetensors file. Raises InputError (missing, truncated, not safetensors)."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read the machine file ({error.strerror})", str(path), REBUILD) from error
    try:
        length = struct.unpack_from("<Q", content)[0]
        header = json.loads(content[8 : 8 + length])
        metadata = header.pop("__metadata__", {})
        tensors = {name: _raw(entry, memoryview(content)[8 + length :]) for name, entry in header.items()}
    except (struct.error, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError("the machine file is truncated or not a safetensors file", str(path), REBUILD) from error
    return metadata, tensors


def _raw(entry: Mapping[str, object], data: memoryview) -> RawTensor:
    start, stop = entry["data_offsets"]  # type: ignore[misc]
    shape = tuple(entry["shape"])  # type: ignore[arg-type]
    dtype = str(entry["dtype"])
    if stop - start != int(np.prod(shape, dtype=np.int64)) * np.dtype(_DTYPES[dtype]).itemsize or stop > len(data):
        raise ValueError("a tensor's bytes do not fit its shape")
    return RawTensor(dtype, shape, bytes(data[start:stop]))


def write_container(path: Path, metadata: Mapping[str, str], tensors: Mapping[str, RawTensor]) -> None:
    """Write a safetensors file with its content hash. Equal arguments give equal bytes."""
    header: dict[str, object] = {"__metadata__": dict(sorted({**metadata, HASH: content_hash(metadata, tensors)}.items()))}
    offset = 0
    for name, tensor in sorted(tensors.items()):
        header[name] = {"dtype": tensor.dtype, "shape": list(tensor.shape), "data_offsets": [offset, offset + len(tensor.data)]}
        offset += len(tensor.data)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for _, tensor in sorted(tensors.items()):
            file.write(tensor.data)


def rewrite_with_hash(
    source: Path,
    target: Path,
    change: Callable[[dict[str, RawTensor]], None] | None = None,
    metadata: Mapping[str, str] | None = None,
) -> None:
    """Copy a machine file, let `change` replace tensors in place, set metadata entries, and give it a hash that matches."""
    old, tensors = read_container(source)
    if change is not None:
        change(tensors)
    write_container(target, {**old, **(metadata or {})}, tensors)
