"""One running app for one user's folders. The lock is here; the message to the running one goes through the UI's server."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.paths import APPLICATION, Paths

if TYPE_CHECKING:
    from filelock import BaseFileLock

LOCK = "instance.lock"


@dataclass
class Instance:
    """The right to be the running app, for as long as this object lives; it ends with the process, however that ends."""

    server: str
    lock: BaseFileLock

    def release(self) -> None:
        """Let another one start."""
        self.lock.release()


def claim(paths: Paths) -> Instance | None:
    """Become the running app of these folders; None when another process is. OSError passes when the folder is unwritable."""
    from filelock import FileLock, Timeout

    paths.data.mkdir(parents=True, exist_ok=True)
    lock = FileLock(paths.data / LOCK, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return None
    return Instance(server_name(paths), lock)


def server_name(paths: Paths) -> str:
    """The name of the local server that the running app of these folders listens at: short, the same for every process."""
    person = str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "")
    owner = f"{person} {_plain(paths.data)}"
    return f"{APPLICATION}-{hashlib.sha256(owner.encode(errors='surrogateescape')).hexdigest()[:16]}"


def _plain(path: Path) -> str:
    return os.path.normcase(str(path.absolute()))
