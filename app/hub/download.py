"""A download that survives whatever happens to it: paused, cut, quit, killed, full disks, wrong bytes.

It is a task of the asyncio loop it is started in; hashing and disk writes happen in threads, so the loop never waits.

    download = Download(folder, Source(), on_change=show)     # finds what an earlier run left
    download.start()                                          # also resumes; returns at once
    download.pause(); download.cancel()                       # take effect at once; nothing on disk is thrown away
    folder = await download.finished()                        # raises the GpuError it failed with
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from app.hub.model import Manifest, Progress, Source


class Download:
    """A repository's files on their way into a folder.

    progress: the present state; on_change: called with it in the loop, at most ten times a second
    """

    progress: Progress

    def __init__(self, folder: Path, source: Source, on_change: Callable[[Progress], None] = lambda progress: None) -> None:
        raise NotImplementedError

    def start(self) -> None:
        """Begin, or go on from where the last run was; nothing happens to a running one. Needs a running loop."""
        raise NotImplementedError

    def pause(self) -> None:
        """Stop until `start`; the connection is closed at once."""
        raise NotImplementedError

    def cancel(self) -> None:
        """Stop for good: no later run goes on by itself. The files stay until `discard`."""
        raise NotImplementedError

    def discard(self) -> int:
        """Delete what was fetched of an unfinished download that does not run; the bytes that are free now."""
        raise NotImplementedError

    async def finished(self) -> Path:
        """The complete folder, once it is. Raises the GpuError it failed with, Cancelled when it was paused or cancelled."""
        raise NotImplementedError


async def ask(source: Source) -> Manifest:
    """What the hub says of a repository: commit, files, sizes, hashes. Raises InputError, EnvironmentProblem."""
    raise NotImplementedError


def unfinished(folder: Path) -> Progress | None:
    """What an earlier run left in a folder: PAUSED or CANCELLED with its bytes; None when there is nothing or all is done."""
    raise NotImplementedError


def folder_of(models: Path, repository: str) -> Path:
    """Where a repository's files go below the folder for models."""
    return models / repository.replace("/", "--")
