"""A download that survives whatever happens to it: paused, cut, quit, killed, full disks, wrong bytes.

It is a task of the asyncio loop it is started in; hashing and disk writes happen in threads, so the loop never waits.

    download = Download(folder, Source(), on_change=show)     # finds what an earlier run left
    download.start()                                          # also resumes; returns at once
    download.pause(); download.cancel()                       # take effect at once; nothing on disk is thrown away
    folder = await download.finished()                        # raises the GpuError it failed with
"""

from __future__ import annotations

import asyncio
import errno
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from app.computer import free_space
from app.failures import as_named
from app.files import reason
from app.hub import client as hub
from app.hub.client import Refusal, endpoint_of
from app.hub.folder import check_folder
from app.hub.model import FileProgress, FileState, Manifest, Outage, Progress, RemoteFile, Source, State
from app.hub.parts import WRONG, Note, PartFile, agrees, begin_hash, have, left_overs, pieces, read_note, stamp
from app.hub.rate import Rate
from app.memory import gigabytes
from app.paths import Paths
from engine.machine.errors import Cancelled, EnvironmentProblem, GpuError, InputError

if TYPE_CHECKING:
    from filelock import AcquireReturnProxy
    from huggingface_hub.utils import httpx

T = TypeVar("T")
WRITE_BYTES = 1 << 20
WRITE_SECONDS = 0.25
DISK_BYTES = 32 << 20
"""After so many bytes the disk is looked at again."""
RESERVE = 1 << 29
"""Bytes of disk that a download leaves free."""
LOCK = ".download.lock"


@dataclass(frozen=True)
class Timing:
    """Seconds. stall: nothing came for so long, so say it; read: give the connection up; backoff: waits before the next tries;

    tick: between two looks at the clock; told: between two calls of on_change at least
    """

    stall: float = 10.0
    read: float = 60.0
    backoff: tuple[float, ...] = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
    tick: float = 0.5
    told: float = 0.1


class Download:
    """A repository's files on their way into a folder.

    progress: the present state; on_change: called with it in the loop, at most ten times a second
    free: asks for the bytes of disk that are free
    """

    def __init__(
        self,
        folder: Path,
        source: Source,
        on_change: Callable[[Progress], None] = lambda progress: None,
        timing: Timing = Timing(),
        free: Callable[[Path], int] = free_space,
    ) -> None:
        self.folder, self.source = folder, source
        self._on_change, self._timing, self._free = on_change, timing, free
        self._note = read_note(folder)
        self._files: dict[str, FileProgress] = {}
        self._rate = Rate()
        self._task: asyncio.Task[None] | None = None
        self._wanted = State.PAUSED
        self._told = 0.0
        self._unwatched = 0
        self.progress = unfinished(folder) or Progress(folder=folder)

    # ------------------------------------------------------------ what a person does
    def start(self) -> None:
        """Begin, or go on from where the last run was; nothing happens to a running one. Needs a running loop."""
        if self._task is not None and not self._task.done() and self._wanted is State.DONE:
            return
        self._wanted = State.DONE
        self._show(state=State.ASKING, problem=None, retry_in=None)
        self._task = asyncio.get_running_loop().create_task(self._run(self._task))

    def pause(self) -> None:
        """Stop until `start`; the connection is closed at once."""
        self._stop(State.PAUSED)

    def cancel(self) -> None:
        """Stop for good: no later run goes on by itself. The files stay until `discard`."""
        self._stop(State.CANCELLED)
        if self._note is not None and not self._note.done:
            self._keep(replace(self._note, cancelled=True))

    def discard(self) -> int:
        """Delete what was fetched of an unfinished download that does not run; the bytes that are free now."""
        if self.progress.state.running:
            raise InputError("the download is running", str(self.folder), "cancel it first")
        freed = 0
        for path in left_overs(self.folder, self._note.manifest.files if self._note else ()):
            with suppress(OSError):
                size = path.stat().st_size
                path.unlink()
                freed += size
        self._note, self._files = None, {}
        self._show(state=State.IDLE, files=(), have=0, size=0, problem=None)
        return freed

    async def finished(self) -> Path:
        """The complete folder, once it is. Raises the GpuError it failed with, Cancelled when it was paused or cancelled."""
        if self._task is not None:
            await asyncio.wait([self._task])
        if self.progress.state is State.DONE:
            return self.folder
        raise self.progress.problem or Cancelled("the download was stopped", str(self.folder), "start it again to go on")

    def _stop(self, state: State) -> None:
        if self.progress.state is State.DONE:
            return
        self._wanted = state
        if self._task is not None:
            self._task.cancel()
        self._show(state=state, problem=None, retry_in=None, speed=0.0, eta=None)

    @property
    def _current(self) -> bool:
        """Whether the running task is the one that counts, not one that was stopped and is ending."""
        return asyncio.current_task() is self._task

    # ------------------------------------------------------------ the work
    async def _run(self, before: asyncio.Task[None] | None) -> None:
        """Everything from the first question to the last check. What goes wrong becomes the state FAILED."""
        try:
            if before is not None:
                await asyncio.wait([before])
            await self._whole()
        except asyncio.CancelledError:
            if self._wanted is State.DONE and self._current:  # nobody asked for it: the loop itself ends
                self._show(state=State.PAUSED, speed=0.0, eta=None)
                raise
        except Refusal as refusal:
            self._fail(refusal.problem)
        except GpuError as problem:
            self._fail(problem)
        except OSError as error:
            self._fail(_disk_problem(error, self.folder))
        except Exception as error:
            self._fail(as_named(error, Paths.of_user().logs))

    async def _whole(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        with self._locked():
            async with self._connected() as client:
                if self._note is None or self._note.manifest.repository != self.source.repository:
                    manifest = await self._patiently(lambda: hub.ask(client, self.source))
                    self._note = Note(manifest)
                    self._connection_is_back()
                    self._show(state=State.ASKING, problem=None, retry_in=None)
                self._keep(replace(self._note, cancelled=False))
                self._files = {
                    file.path: FileProgress(file.path, file.size, have(self.folder, file)) for file in self._note.manifest.files
                }
                self._watch_disk(self._note.manifest.size - sum(file.have for file in self._files.values()))
                for file in self._note.manifest.files:
                    await self._file(client, file)
            await self._in_thread(lambda: check_folder(self.folder))
            self._keep(replace(self._note, done=True))
            self._show(state=State.DONE, problem=None, speed=0.0, eta=None)

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[httpx.AsyncClient]:
        """A client, and beside it the task that looks at the clock."""
        from huggingface_hub import constants

        if constants.is_offline_mode():
            raise EnvironmentProblem("the hub is switched off by HF_HUB_OFFLINE", endpoint_of(self.source), "unset it")
        client = await asyncio.to_thread(hub.open_client, self.source, self._timing.read)
        ticker = asyncio.get_running_loop().create_task(self._tick())
        try:
            yield client
        finally:
            ticker.cancel()
            await client.aclose()

    async def _file(self, client: httpx.AsyncClient, file: RemoteFile) -> None:
        """One file, until it is here and checked."""
        assert self._note is not None
        final = self.folder / file.path
        if final.is_file():
            if self._note.checked.get(file.path) == stamp(final) or await self._is_right(file, final):
                return self._checked(file)
            final.replace(final.with_name(file.path + WRONG))
        part = PartFile(self.folder, file)
        try:
            await self._take_up(file, part)
            while part.have < file.size:
                await self._patiently(lambda: self._stream(client, file, part))
            if not part.right:
                kept = await self._in_thread(part.set_aside)
                self._show_file(file, 0, FileState.WRONG)
                raise EnvironmentProblem(
                    f"'{file.path}' arrived with other bytes than the hub names (its hash differs)",
                    str(kept),
                    "start again to fetch this file anew; if it happens again, use another mirror",
                )
            await self._in_thread(part.finish)
        finally:
            await self._in_thread(part.close)  # has it on the disk itself, which may take a while
        self._checked(file)

    async def _take_up(self, file: RemoteFile, part: PartFile) -> None:
        """Hash what an earlier run left of a file."""
        steps = part.hashed()
        while (done := await self._in_thread(lambda: next(steps, None))) is not None:
            self._show(state=State.CHECKING)
            self._show_file(file, done, FileState.CHECKING)
        self._show_file(file, part.have, FileState.PARTIAL)

    async def _is_right(self, file: RemoteFile, path: Path) -> bool:
        """Whether a whole file that was never checked is the hub's."""
        if path.stat().st_size != file.size:
            return False
        found, steps = begin_hash(file), pieces(path)
        while (piece := await self._in_thread(lambda: next(steps, None))) is not None:
            self._show(state=State.CHECKING)
            await self._in_thread(partial(found.update, piece))
        return agrees(file, found.hexdigest())

    def _checked(self, file: RemoteFile) -> None:
        assert self._note is not None
        mark = stamp(self.folder / file.path)
        if self._note.checked.get(file.path) != mark:
            self._keep(replace(self._note, checked={**self._note.checked, file.path: mark}))
        self._show_file(file, file.size, FileState.CHECKED)

    async def _stream(self, client: httpx.AsyncClient, file: RemoteFile, part: PartFile) -> None:
        """What one connection brings of a file. Raises Refusal when it breaks before the end."""
        from huggingface_hub.utils import httpx

        assert self._note is not None
        address = hub.file_address(self.source, self._note.manifest.commit, file.path)
        headers = {"Range": f"bytes={part.have}-"} if part.have else {}
        try:
            async with client.stream("GET", address, headers=headers) as response:
                skip = _skipped(response, file, part.have, self.source)
                self._rate.started()
                self._connection_is_back()
                self._show(state=State.DOWNLOADING, problem=None, retry_in=None)
                await self._receive(response, file, part, skip)
        except httpx.HTTPError as error:
            raise hub.refusal_of_network(error, self.source) from error
        if part.have < file.size:
            raise Refusal(EnvironmentProblem("the connection was cut", str(response.url.host), "it goes on by itself"), True)

    async def _receive(self, response: httpx.Response, file: RemoteFile, part: PartFile, skip: int) -> None:
        """Bytes to disk, a megabyte or a quarter of a second at a time."""
        waiting, last = bytearray(), time.monotonic()
        try:
            async with aclosing(response.aiter_raw()) as chunks:
                async for chunk in chunks:
                    if skip:
                        chunk, skip = chunk[skip:], max(0, skip - len(chunk))
                    if part.have + len(waiting) + len(chunk) > file.size:
                        waiting.clear()
                        part.set_aside()
                        raise EnvironmentProblem(
                            f"'{file.path}' is longer than the hub said",
                            str(response.url.host),
                            "start again to fetch this file anew, or use another mirror",
                        )
                    waiting += chunk
                    if len(waiting) >= WRITE_BYTES or time.monotonic() - last >= WRITE_SECONDS:
                        written, waiting, last = bytes(waiting), bytearray(), time.monotonic()
                        await self._write(file, part, written)
        finally:
            if waiting and part.have + len(waiting) <= file.size:  # also when it is paused or cut: at most a megabyte
                part.add(bytes(waiting))
                self._moved(file, part, len(waiting))

    async def _write(self, file: RemoteFile, part: PartFile, content: bytes) -> None:
        self._unwatched += len(content)
        if self._unwatched >= DISK_BYTES:
            self._unwatched = 0
            self._watch_disk(0)
        await self._in_thread(lambda: part.add(content))
        self._moved(file, part, len(content))

    def _watch_disk(self, needed: int) -> None:
        """Raises EnvironmentProblem when the disk has not room for so many bytes more and the reserve."""
        free = self._free(self.folder)
        if free < needed + RESERVE:
            raise EnvironmentProblem(
                f"not enough disk space: {gigabytes(needed + RESERVE)} needed, {gigabytes(free)} free",
                str(self.folder),
                "free some space or choose another folder, then go on; what was fetched is kept",
                needed=needed + RESERVE,
                available=free,
            )

    async def _in_thread(self, action: Callable[[], T]) -> T:
        """Run an action in a thread; one that has begun is finished before anybody else touches its file."""
        running = asyncio.get_running_loop().run_in_executor(None, action)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            await asyncio.wait([running])
            running.exception()  # nobody else will ask for it
            raise

    # ------------------------------------------------------------ patience
    async def _patiently(self, action: Callable[[], Awaitable[T]]) -> T:
        """Do something until it succeeds or is refused for good. Waits grow; bytes that arrive make them short again."""
        tries, before = 0, self.progress.have
        while True:
            try:
                return await action()
            except Refusal as refusal:
                if not refusal.retry:
                    raise
                if self.progress.have > before:
                    tries, before = 0, self.progress.have
                wait = self._timing.backoff[min(tries, len(self._timing.backoff) - 1)]
                tries += 1
                await self._wait(refusal.problem, wait if refusal.after is None else refusal.after)

    async def _wait(self, problem: GpuError, seconds: float) -> None:
        outages = self.progress.outages
        if not outages or outages[-1].until is not None:
            outages = (*outages, Outage(time.time(), None, problem.what))
        self._show(state=State.WAITING, problem=problem, retry_in=seconds, speed=0.0, eta=None, outages=outages)
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._show(retry_in=left)
            await asyncio.sleep(min(left, 1.0))

    def _connection_is_back(self) -> None:
        outages = self.progress.outages
        if outages and outages[-1].until is None:
            self._show(outages=(*outages[:-1], replace(outages[-1], until=time.time())))

    async def _tick(self) -> None:
        """Speed, time left and stalls, looked at whether or not anything comes."""
        while True:
            await asyncio.sleep(self._timing.tick)
            speed = self._rate.speed
            left = self.progress.size - self.progress.have
            changes: dict[str, Any] = {"speed": speed, "eta": left / speed if speed else None, "trace": self._rate.trace()}
            if self.progress.state in (State.DOWNLOADING, State.STALLED):
                stalled = self._rate.quiet >= self._timing.stall
                changes["state"] = State.STALLED if stalled else State.DOWNLOADING
            self._show(**changes)

    # ------------------------------------------------------------ telling
    def _keep(self, note: Note) -> None:
        self._note = note
        note.write(self.folder)

    def _moved(self, file: RemoteFile, part: PartFile, count: int) -> None:
        self._rate.moved(count)
        if self.progress.state is State.STALLED:
            self._show(state=State.DOWNLOADING)
        self._show_file(file, part.have, FileState.PARTIAL)

    def _show_file(self, file: RemoteFile, done: int, state: FileState) -> None:
        self._files[file.path] = FileProgress(file.path, file.size, done, state)
        self._show(
            files=tuple(self._files.values()),
            have=sum(one.have for one in self._files.values()),
            size=sum(one.size for one in self._files.values()),
        )

    def _fail(self, problem: GpuError) -> None:
        if self._wanted is State.DONE and self._current:
            self._show(state=State.FAILED, problem=problem, retry_in=None, speed=0.0, eta=None)

    def _show(self, **changes: Any) -> None:
        """Take over what changed; told at once when it is the state, else now and then."""
        before, self.progress = self.progress, replace(self.progress, **changes)
        now = time.monotonic()
        if self.progress.state is not before.state or now - self._told >= self._timing.told:
            self._told = now
            self._on_change(self.progress)

    def _locked(self) -> AcquireReturnProxy:
        """This process's right to the folder, until the context ends."""
        from filelock import FileLock, Timeout

        try:
            return FileLock(self.folder / LOCK, thread_local=False).acquire(timeout=0)
        except Timeout:
            raise EnvironmentProblem("another process downloads into this folder", str(self.folder), "end it first") from None


def _skipped(response: httpx.Response, file: RemoteFile, start: int, source: Source) -> int:
    """How many bytes of an answer are on disk already. Raises Refusal for what is not the file from there on."""
    if response.status_code == 200:
        return start  # a server that knows no ranges begins at the beginning
    said = response.headers.get("Content-Range", "")
    if response.status_code == 206 and start and said.startswith(f"bytes {start}-"):
        if said.endswith(("/*", f"/{file.size}")):
            return 0
        raise Refusal(
            EnvironmentProblem(
                f"'{file.path}' has another size than the hub said ({said})",
                str(response.url.host),
                "begin the download anew, or use another mirror",
            )
        )
    raise hub.refusal_of_answer(response, source, file.path)


def _disk_problem(error: OSError, folder: Path) -> GpuError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return EnvironmentProblem("the disk is full", str(folder), "free some space, then go on; what was fetched is kept")
    return EnvironmentProblem(
        f"the folder cannot be written: {reason(error)}",
        str(error.filename or folder),
        "make it writable or choose another folder; what was fetched is kept",
    )


async def ask(source: Source, timing: Timing = Timing()) -> Manifest:
    """What the hub says of a repository: commit, files, sizes, hashes. Raises InputError, EnvironmentProblem."""
    client = await asyncio.to_thread(hub.open_client, source, timing.read)
    async with client:
        try:
            return await hub.ask(client, source)
        except Refusal as refusal:
            raise refusal.problem from refusal


def unfinished(folder: Path) -> Progress | None:
    """What an earlier run left in a folder: PAUSED or CANCELLED with its bytes; None when there is nothing or all is done."""
    note = read_note(folder)
    if note is None or note.done:
        return None
    files = tuple(_found(folder, note, file) for file in note.manifest.files)
    return Progress(
        State.CANCELLED if note.cancelled else State.PAUSED,
        sum(file.have for file in files),
        note.manifest.size,
        files=files,
        folder=folder,
    )


def _found(folder: Path, note: Note, file: RemoteFile) -> FileProgress:
    done = have(folder, file)
    with suppress(OSError):
        if note.checked.get(file.path) == stamp(folder / file.path):
            return FileProgress(file.path, file.size, file.size, FileState.CHECKED)
    return FileProgress(file.path, file.size, done, FileState.PARTIAL if done else FileState.MISSING)


def folder_of(models: Path, repository: str) -> Path:
    """Where a repository's files go below the folder for models."""
    return models / repository.replace("/", "--")
