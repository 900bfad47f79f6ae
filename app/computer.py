"""What this computer has: memory and what uses it, disk, device, compiler. Asked without torch, so the window never waits."""

from __future__ import annotations

import os
import platform
import re
import shutil
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from app.devices import CPU, CUDA, MPS
from app.memory import Memory, gigabytes, memory
from engine.machine.errors import EnvironmentProblem, GpuError, InputError

_BUNDLE = re.compile(r"/([^/]+)\.app/")
EXAMPLE = resources.files("resources") / "examples" / "dot.cu"


@dataclass(frozen=True)
class Program:
    """A running program and the bytes of memory that all its processes use."""

    name: str
    memory: int


@dataclass(frozen=True)
class CompilerTest:
    """Whether the CUDA compiler works. name: with its version; seconds: a small kernel took; problem: why it does not work."""

    name: str
    seconds: float = 0.0
    problem: GpuError | None = None


@dataclass(frozen=True)
class Computer:
    """Everything the first step looks at.

    hungry:  the programs that use most memory, largest first; free: bytes of disk where models go
    device:  "mps", "cuda" or "cpu", as far as can be told without torch; chip: its name
    """

    memory: Memory
    hungry: tuple[Program, ...]
    folder: Path
    free: int
    device: str
    chip: str
    compiler: CompilerTest
    unwritable: EnvironmentProblem | None = None


def look(folder: Path) -> Computer:
    """Look at this computer; takes a second or two, so call it in a thread. folder: where models go."""
    device, chip = guess_device()
    return Computer(memory(), hungry(), folder, free_space(folder), device, chip, try_compiler(), unwritable(folder))


# ---------------------------------------------------------------- memory
def hungry(processes: Callable[[], Iterable[Any]] | None = None, count: int = 3) -> tuple[Program, ...]:
    """The programs that use most memory, this one left out. processes: asks the system (psutil by default)."""
    if processes is None:
        import psutil

        def processes() -> Iterable[Any]:
            return psutil.process_iter(["pid", "name", "exe", "memory_info"])

    used: dict[str, int] = {}
    for process in processes():
        facts = process.info
        if facts["pid"] != os.getpid() and facts.get("memory_info") is not None:
            name = _program(facts.get("name") or "", facts.get("exe") or "")
            used[name] = used.get(name, 0) + facts["memory_info"].rss
    used.pop("", None)
    return tuple(Program(*item) for item in sorted(used.items(), key=lambda item: -item[1])[:count])


def memory_warning(found: Memory, programs: Iterable[Program]) -> str:
    """What to say before Qwen3.5-2B is loaded into too little memory; "" where there is enough."""
    if found.enough:
        return ""
    used = ", ".join(f"{program.name} {gigabytes(program.memory)}" for program in programs)
    return f"{found.remark}; " + (f"most of it is used by {used}; " if used else "") + "going on anyway"


def _program(name: str, path: str) -> str:
    """What people call a process: its application on a Mac, else its file without the ending."""
    bundle = _BUNDLE.search(path)
    return bundle[1] if bundle else name.removesuffix(".exe")


# ---------------------------------------------------------------- disk
def existing(path: Path) -> Path:
    """The path itself or its nearest ancestor that exists."""
    return next(part for part in (path, *path.absolute().parents) if part.exists())


def free_space(path: Path) -> int:
    """Free bytes where a folder is or would be made."""
    return shutil.disk_usage(existing(path)).free


def unwritable(path: Path) -> EnvironmentProblem | None:
    """The problem of a folder that cannot be written or made."""
    place = existing(path)
    if place.is_dir() and os.access(place, os.W_OK | os.X_OK):
        return None
    return EnvironmentProblem("the folder cannot be written", str(path), "change its permissions or the XDG variables")


# ---------------------------------------------------------------- device
def guess_device() -> tuple[str, str]:
    """The device that text will run on and its name, without asking torch, which alone knows for certain."""
    if platform.system() == "Darwin" and platform.machine() == "arm64":
        return MPS, _mac_chip()
    card = Path("/proc/driver/nvidia/gpus")
    if card.is_dir() and any(card.iterdir()):
        return CUDA, "NVIDIA GPU"
    if platform.system() == "Windows" and shutil.which("nvidia-smi"):
        return CUDA, "NVIDIA GPU"
    return CPU, platform.machine()


def _mac_chip() -> str:
    import subprocess

    try:
        asked = subprocess.run(
            ["/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string"], capture_output=True, text=True, timeout=5, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return "Apple silicon"
    return asked.stdout.strip() or "Apple silicon"


# ---------------------------------------------------------------- compiler
def try_compiler() -> CompilerTest:
    """Compile a small kernel with the compiler that launches use."""
    from toolchain.compiler import compile_cuda, find_compilers

    name = next((f"{found.name} {found.version}" for found in find_compilers() if found.usable), "")
    started = time.perf_counter()
    try:
        compile_cuda(EXAMPLE.read_text(encoding="utf-8"))
    except GpuError as problem:
        return CompilerTest(name, problem=problem)
    except OSError as error:
        return CompilerTest(name, problem=InputError(str(error)))
    return CompilerTest(name, time.perf_counter() - started)
