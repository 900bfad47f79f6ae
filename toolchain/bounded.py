"""Run one untrusted-input child process with bounds on time, memory and output, in an empty place.

The wall clock and the kill hold everywhere. Where the platform enforces them (Linux), the kernel also limits address
space, CPU time and file size; macOS ignores the first, so the resident size is polled there too. The limits are set by
`/bin/sh` just before it becomes the child: a hook between fork and exec (`preexec_fn`) can deadlock in a threaded parent.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

_POLL_S = 0.02
_PS_EVERY_S = 0.25  # asking `ps` costs a process; /proc costs nothing
_SET_LIMITS = (
    "ulimit -c 0 2>/dev/null; ulimit -t {cpu} 2>/dev/null; ulimit -v {kib} 2>/dev/null; ulimit -f {blocks} 2>/dev/null; "
    'exec "$@"'
)


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one run: wall-clock seconds, bytes of memory, bytes on stdout and on stderr."""

    seconds: float = 30.0
    memory: int = 1 << 30
    output: int = 1 << 20


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended.

    ended:      "done" (by itself), or the bound that stopped it: "time", "memory", "output", "cancelled"
    returncode: the exit status, negative for a signal
    stdout, stderr: what was written, cut at `Limits.output`
    """

    ended: Literal["done", "time", "memory", "output", "cancelled"]
    returncode: int
    stdout: bytes
    stderr: bytes


def run_bounded(command: Sequence[str], stdin: bytes, limits: Limits, cancelled: Callable[[], bool] = lambda: False) -> Outcome:
    """Run `command` on `stdin` with an almost empty environment, in an empty temporary folder of its own.

    cancelled: asked every few hundredths of a second; the child is killed once it says True
    Raises OSError when the command cannot be started.
    """
    with tempfile.TemporaryDirectory(prefix="qwengpu-", ignore_cleanup_errors=True) as folder:
        place = Path(folder)
        (place / "empty").mkdir()
        (place / "in").write_bytes(stdin)
        with open(place / "in", "rb") as source, open(place / "out", "wb") as out, open(place / "err", "wb") as err:
            child = subprocess.Popen(
                [*_limiting(limits), *command],
                stdin=source,
                stdout=out,
                stderr=err,
                cwd=place / "empty",
                env=_environment(),
                start_new_session=os.name == "posix",
                close_fds=True,
            )
            ended = _watch(child, (place / "out", place / "err"), limits, cancelled)
        if ended == "done" and _hit_file_limit(child.returncode):
            ended = "output"
        return Outcome(ended, child.returncode, _head(place / "out", limits), _head(place / "err", limits))


def _environment() -> dict[str, str]:
    """Nothing of the user's; the fixed date keeps `__DATE__` and `__TIME__` from differing between runs."""
    environment = {"SOURCE_DATE_EPOCH": "0"}
    if os.name == "nt" and "SYSTEMROOT" in os.environ:  # Windows cannot start a process without it
        environment["SYSTEMROOT"] = os.environ["SYSTEMROOT"]
    return environment


def _limiting(limits: Limits) -> list[str]:
    if os.name != "posix":
        return []
    script = _SET_LIMITS.format(cpu=int(limits.seconds) + 2, kib=limits.memory // 1024, blocks=2 * limits.output // 512 + 1)
    return ["/bin/sh", "-c", script, "sh"]


def _watch(
    child: subprocess.Popen[bytes], outputs: tuple[Path, Path], limits: Limits, cancelled: Callable[[], bool]
) -> Literal["done", "time", "memory", "output", "cancelled"]:
    """Wait for the child; kill its process group at the first bound that it exceeds."""
    start = time.monotonic()
    next_ps = start + _PS_EVERY_S
    try:
        while True:
            try:
                child.wait(_POLL_S)
                return "done"
            except subprocess.TimeoutExpired:
                now = time.monotonic()
            if cancelled():
                return "cancelled"
            if now - start > limits.seconds:
                return "time"
            if any(path.stat().st_size > limits.output for path in outputs):
                return "output"
            if sys.platform == "linux":
                resident = _linux_resident(child.pid)
            elif os.name == "posix" and now >= next_ps:
                next_ps = now + _PS_EVERY_S
                resident = _ps_resident(child.pid)
            else:
                continue
            if resident > limits.memory:
                return "memory"
    finally:
        _kill(child)


def _kill(child: subprocess.Popen[bytes]) -> None:
    if child.poll() is None:
        if os.name == "posix":
            os.killpg(child.pid, signal.SIGKILL)
        else:
            child.kill()
    child.wait()


def _linux_resident(pid: int) -> int:
    """Resident bytes of a process, 0 once it is gone."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def _ps_resident(pid: int) -> int:
    answer = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return int(answer.stdout.strip() or 0) * 1024


def _hit_file_limit(returncode: int) -> bool:
    return os.name == "posix" and returncode == -signal.SIGXFSZ


def _head(path: Path, limits: Limits) -> bytes:
    with open(path, "rb") as file:
        return file.read(limits.output)
