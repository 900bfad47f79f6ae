"""Safetensors files as byte ranges: read without mapping, written as a stream, so that no tensor is ever whole in memory.

The `safetensors` package writes a file from tensors that are all in memory and reads by mapping, which counts as resident.
A checkpoint of several gigabytes is copied here in chunks instead. Format: 8 bytes little-endian header length, a JSON
object name -> {dtype, shape, data_offsets}, then the data (https://github.com/huggingface/safetensors, "Format").
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from engine.machine.errors import InputError

CHUNK = 1 << 22
"""Bytes moved at a time: large enough for the disk, small enough that a cancelled build stops within a few milliseconds."""

MAX_HEADER = 100_000_000
"""Header length that the format allows."""

DTYPES: Mapping[str, torch.dtype] = {
    "BF16": torch.bfloat16,
    "F16": torch.float16,
    "F32": torch.float32,
    "F64": torch.float64,
    "I8": torch.int8,
    "U8": torch.uint8,
    "I16": torch.int16,
    "I32": torch.int32,
    "I64": torch.int64,
    "BOOL": torch.bool,
}
NAMES: Mapping[torch.dtype, str] = {dtype: name for name, dtype in DTYPES.items()}


@dataclass(frozen=True)
class Stored:
    """A tensor in a file: bytes [offset, offset + size) of `path`."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    path: Path
    offset: int

    @property
    def size(self) -> int:
        """Bytes of the tensor."""
        return byte_size(self.dtype, self.shape)

    def chunks(self) -> Iterator[bytes]:
        """The tensor's bytes in order, at most CHUNK at a time. Raises InputError when the file became shorter."""
        with self.path.open("rb") as file:
            file.seek(self.offset)
            left = self.size
            while left:
                data = file.read(min(CHUNK, left))
                if not data:
                    raise InputError(f"tensor '{self.name}' ends early", str(self.path), "fetch the file again")
                left -= len(data)
                yield data


@dataclass(frozen=True)
class Zeros:
    """A tensor of zeros that no file holds."""

    name: str
    dtype: str
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        """Bytes of the tensor."""
        return byte_size(self.dtype, self.shape)

    def chunks(self) -> Iterator[bytes]:
        """The tensor's bytes, at most CHUNK at a time."""
        for start in range(0, self.size, CHUNK):
            yield bytes(min(CHUNK, self.size - start))


@dataclass(frozen=True)
class Header:
    """What a file says about itself: free metadata and its tensors by their stored names."""

    metadata: Mapping[str, str]
    tensors: Mapping[str, Stored]


@dataclass(frozen=True)
class Entry:
    """A tensor to write; `chunks` makes its bytes anew at each call, `size` of them in all."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    chunks: Callable[[], Iterable[bytes | memoryview]]

    @property
    def size(self) -> int:
        """Bytes of the tensor."""
        return byte_size(self.dtype, self.shape)


@dataclass(frozen=True)
class Written:
    """A finished file: its bytes, its sha256 and the sha256 of every tensor in it."""

    size: int
    sha256: str
    tensors: Mapping[str, str]


def byte_size(dtype: str, shape: tuple[int, ...]) -> int:
    """Bytes of a tensor of a known dtype."""
    return math.prod(shape) * DTYPES[dtype].itemsize


def read_header(path: Path) -> Header:
    """The header of a safetensors file, checked against the file's length.

    Raises InputError for a file that is missing, a Git LFS pointer, truncated, or no safetensors file.
    """
    remedy = "fetch the file again"
    try:
        length = path.stat().st_size
        with path.open("rb") as file:
            start = file.read(8)
            if start == b"version " and length < 1024:
                raise InputError("this is a Git LFS pointer, not the weights", str(path), "run 'git lfs pull'")
            count = int.from_bytes(start, "little")
            if length < 8 or count > min(MAX_HEADER, length - 8):
                raise InputError("not a safetensors file, or a truncated one", str(path), remedy)
            header = json.loads(file.read(count))
    except OSError as error:
        raise InputError(f"cannot read the file ({error.strerror})", str(path)) from error
    except ValueError as error:
        raise InputError("not a safetensors file (its header is not JSON)", str(path), remedy) from error
    if not isinstance(header, dict):
        raise InputError("not a safetensors file (its header is not an object)", str(path), remedy)
    metadata = header.pop("__metadata__", {})
    tensors = {name: _stored(name, item, path, 8 + count) for name, item in header.items()}
    end = max((item.offset + item.size for item in tensors.values()), default=8 + count)
    if end != length:
        raise InputError(f"the file has {length:,} bytes, its header promises {end:,}", str(path), remedy)
    return Header(metadata, tensors)


def _stored(name: str, item: Any, path: Path, start: int) -> Stored:
    """One header entry, checked."""
    try:
        dtype, shape, (begin, end) = str(item["dtype"]), tuple(int(n) for n in item["shape"]), item["data_offsets"]
    except (TypeError, KeyError, ValueError) as error:
        raise InputError(f"tensor '{name}' has a malformed header entry", str(path), "fetch the file again") from error
    if dtype not in DTYPES:
        raise InputError(
            f"tensor '{name}' has dtype {dtype}, which no accepted model uses", str(path), "use the unquantised bfloat16 model"
        )
    if end - begin != byte_size(dtype, shape):
        raise InputError(
            f"tensor '{name}' has {end - begin:,} bytes, its shape needs {byte_size(dtype, shape):,}",
            str(path),
            "fetch the file again",
        )
    return Stored(name, dtype, shape, path, start + begin)


def load(stored: Stored | Zeros, start: int = 0, stop: int | None = None) -> torch.Tensor:
    """Rows [start, stop) of a tensor (all of it by default), in its own dtype."""
    stop = stored.shape[0] if stop is None else stop
    shape = (stop - start, *stored.shape[1:])
    dtype = DTYPES[stored.dtype]
    if isinstance(stored, Zeros) or 0 in shape:
        return torch.zeros(shape, dtype=dtype)
    row = byte_size(stored.dtype, stored.shape[1:])
    data = bytearray((stop - start) * row)
    with stored.path.open("rb") as file:
        file.seek(stored.offset + start * row)
        if file.readinto(data) != len(data):
            raise InputError(f"tensor '{stored.name}' ends early", str(stored.path), "fetch the file again")
    return torch.frombuffer(data, dtype=dtype).view(shape)


def raw(tensor: torch.Tensor) -> memoryview:
    """A tensor's bytes as a file holds them (little-endian, rows first)."""
    return memoryview(tensor.contiguous().view(-1).view(torch.uint8).numpy())


def entry(name: str, tensor: torch.Tensor) -> Entry:
    """An entry for a tensor that is in memory."""
    return Entry(name, NAMES[tensor.dtype], tuple(tensor.shape), lambda: [raw(tensor)])


def encode_header(entries: Iterable[Entry], metadata: Mapping[str, str]) -> bytes:
    """Length and header of a file that holds the entries in this order, padded so that data starts at a multiple of 8."""
    header: dict[str, Any] = {"__metadata__": dict(metadata)}
    begin = 0
    for item in entries:
        header[item.name] = {"dtype": item.dtype, "shape": list(item.shape), "data_offsets": [begin, begin + item.size]}
        begin += item.size
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text


def write(
    path: Path,
    entries: list[Entry],
    metadata: Mapping[str, str],
    moved: Callable[[int], None],
    begin: Callable[[str], None] = lambda name: None,
) -> Written:
    """Write a file under a temporary name, flush it to the disk, rename it.

    `begin(name)` is called before every tensor, `moved(bytes)` after every chunk; it may raise to stop, and nothing is left at
    `path` then. OSError passes.
    """
    temporary = path.with_name(path.name + ".part")
    whole, size, tensors = hashlib.sha256(), 0, {}
    try:
        with temporary.open("wb") as file:
            head = encode_header(entries, metadata)
            file.write(head)
            whole.update(head)
            size += len(head)
            for item in entries:
                begin(item.name)
                digest, count = hashlib.sha256(), 0
                for chunk in item.chunks():
                    for piece in _pieces(chunk):
                        file.write(piece)
                        whole.update(piece)
                        digest.update(piece)
                        count += len(piece)
                        moved(len(piece))
                if count != item.size:
                    raise AssertionError(f"{item.name}: {count} bytes written, {item.size} announced")
                size += count
                tensors[item.name] = digest.hexdigest()
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    temporary.replace(path)
    return Written(size, whole.hexdigest(), tensors)


def _pieces(data: bytes | memoryview) -> Iterator[memoryview]:
    """Data in parts of at most CHUNK bytes, so that a writer can be stopped in between."""
    view = memoryview(data)
    for start in range(0, len(view), CHUNK):
        yield view[start : start + CHUNK]


def hash_file(path: Path, moved: Callable[[int], None]) -> str:
    """sha256 of a whole file; `moved(bytes)` after every chunk. OSError passes."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while data := file.read(CHUNK):
            digest.update(data)
            moved(len(data))
    return digest.hexdigest()
