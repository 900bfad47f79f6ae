"""C of ours compiled for this computer, by the compiler that CUDA needs anyway; kept until source or compiler change."""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from engine.machine.errors import EnvironmentProblem

from .compiler import candidates, is_zig

FLAGS: Final = (
    "-std=c11",
    "-O3",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-builtin",
    "-fno-strict-aliasing",
    "-nostdlib",
    "-shared",
    "-fPIC",
    "-mcpu=baseline",
)
"""Without libc, which would take the compiler eight seconds; baseline, since a folder may be shared by different computers."""
SECONDS: Final = 120.0
SUFFIX: Final = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")


def host_library(source: str, folder: Path) -> Path:
    """A shared library made of C that needs no libc; from `folder` if it lies there.

    Raises EnvironmentProblem: no zig, a compiler that fails or does not end, a folder that cannot be written.
    """
    zig = next((path for path in candidates(None) if is_zig(path)), None)
    if zig is None:
        raise EnvironmentProblem("zig was not found", "", "install the package 'ziglang'")
    status = zig.stat()
    made_of = "\n".join([source, *FLAGS, f"{status.st_size} {status.st_mtime_ns}", sys.platform, platform.machine()])
    library = folder / f"{hashlib.sha256(made_of.encode()).hexdigest()[:16]}{SUFFIX}"
    if library.is_file():
        return library
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            _compile(zig, source, Path(scratch))
            os.replace(Path(scratch) / f"library{SUFFIX}", library)
    except OSError as error:
        raise EnvironmentProblem(
            f"the executor cannot be compiled: {error.strerror or error}", str(folder), "make the folder writable"
        ) from error
    return library


def _compile(zig: Path, source: str, scratch: Path) -> None:
    (scratch / "library.c").write_text(source, encoding="utf-8")
    caches = {name: str(scratch) for name in ("ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR")}
    command = [str(zig), "cc", *FLAGS, "-o", f"library{SUFFIX}", "library.c"]
    try:
        done = subprocess.run(
            command,
            cwd=scratch,
            env={**os.environ, **caches},
            timeout=SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
        )
    except subprocess.TimeoutExpired:
        raise EnvironmentProblem(f"zig did not compile the executor within {SECONDS:.0f} s", str(zig), "") from None
    if done.returncode:
        raise EnvironmentProblem(f"zig cannot compile the executor: {done.stderr.strip()[-400:]}", str(zig), "")
