"""CUDA C++ to PTX with a clang that has the NVPTX back end, on any platform, without CUDA.

The source may come from a model or a stranger. It is compiled so that it cannot read a file of the user's or learn
whether one exists: prelude and source enter through stdin, and clang sees a virtual file system (`-ivfsoverlay` with
"fallthrough": false) that holds nothing but empty stand-ins for the usual headers. Inline assembly is off
(`-fno-gnu-inline-asm`), the environment is empty, and `toolchain.bounded` limits time, memory and output. nvcc is not
among the compilers because it has no such file system; its PTX is accepted ready made.
"""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

from engine.machine.errors import Cancelled, CompileError, EnvironmentProblem, InputError
from toolchain.bounded import Limits, Outcome, run_bounded
from toolchain.kept import keep, recall
from toolchain.ptx import MAX_PTX_BYTES, SOURCE_NAME

MAX_SOURCE_BYTES = 256 * 1024
"""Longest CUDA source that is compiled (bytes of UTF-8)."""

LIMITS = Limits(seconds=30.0, memory=1 << 30, output=MAX_PTX_BYTES)
"""Bounds of one compilation. An ordinary kernel takes 0.1 s and 150 MB."""

MAX_MESSAGES = 5
"""Most errors that one CompileError lists."""

_LAUNCH_NAME = "launch"  # the file name of the line that instantiates a template
_VIRTUAL = "/qwengpu/include"  # exists only in the overlay
_HEADERS = (
    "cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", "cuda_device_runtime_api.h", "device_launch_parameters.h",
    "device_functions.h", "device_types.h", "driver_types.h", "host_defines.h", "vector_types.h",
    "vector_functions.h", "builtin_types.h", "math_functions.h", "device_atomic_functions.h",
    "sm_20_atomic_functions.h", "sm_20_intrinsics.h", "sm_30_intrinsics.h", "sm_32_intrinsics.h",
    "sm_35_intrinsics.h", "sm_60_atomic_functions.h", "sm_61_intrinsics.h", "crt/host_defines.h",
    "crt/device_functions.h", "stdint.h", "stddef.h", "stdbool.h", "stdio.h", "stdlib.h", "string.h", "limits.h",
    "assert.h", "math.h", "float.h", "inttypes.h", "time.h", "cstdint", "cstddef", "cstdio", "cstdlib", "cstring",
    "climits", "cassert", "cmath", "cfloat", "cinttypes", "ctime", "iostream",
)  # fmt: skip
"""Headers that may be included. The prelude already says all of theirs that a kernel can use, so they are empty."""

_FLAGS = (
    "--target=x86_64-unknown-linux-gnu",  # the host half of the ABI: 64-bit long, whatever this computer is
    *("-x", "cuda", "-std=c++17", "--cuda-device-only", "--cuda-gpu-arch=sm_75"),
    *("--cuda-path=/nonexistent", "-nocudainc", "-nocudalib", "-nostdinc", "-nostdinc++"),
    *("-isystem", _VIRTUAL),
    *("-Xclang", "-target-feature", "-Xclang", "+ptx63"),  # shfl, vote and match with a mask
    "-fdeclspec",
    "-fno-gnu-inline-asm",
    *("-O2", "-fno-unroll-loops", "-fno-vectorize", "-fno-slp-vectorize", "-fno-jump-tables"),
    *("-mllvm", "-disable-nvptx-load-store-vectorizer"),
    *("-mllvm", "-disable-lsr"),  # a pointer beside every counter: the machine pays for registers, not for address arithmetic
    *("-fwrapv", "-fno-strict-aliasing"),  # what the hardware does, where C++ leaves it open
    *("-ftemplate-depth=256", "-fconstexpr-depth=256", "-fconstexpr-steps=1000000", "-fbracket-depth=256"),
    *("-w", "-ferror-limit=20", "-fno-color-diagnostics", "-fno-caret-diagnostics", "-fno-crash-diagnostics"),
    *("-gline-tables-only", "-fdebug-compilation-dir=."),
    *("-S", "-", "-o", "-"),
)


@dataclass(frozen=True, slots=True)
class CompiledPtx:
    """PTX text and what made it ("zig clang 21.1.0"; "given" for a ready-made file).

    source_name: the user's file in the PTX's line table, for `parse_ptx`; None when PTX itself is the source
    """

    ptx: str
    compiler: str
    source_name: str | None = SOURCE_NAME


@dataclass(frozen=True, slots=True)
class Compiler:
    """A compiler that was found; `version` is "" and `problem` says why where it is not `usable`."""

    name: str
    version: str
    path: Path
    usable: bool
    problem: str = ""

    @property
    def prefix(self) -> list[str]:
        """The start of its command line: `zig` holds clang as a sub-command."""
        return [str(self.path), "clang"] if is_zig(self.path) else [str(self.path)]


def compile_cuda(
    source: str,
    name: str = SOURCE_NAME,
    *,
    instantiate: str | None = None,
    compiler: Path | None = None,
    limits: Limits = LIMITS,
    cancelled: Callable[[], bool] = lambda: False,
) -> CompiledPtx:
    """Compile CUDA C++ to PTX for sm_75, with a line table.

    name:        what error messages call the source
    instantiate: a template instantiation (`poly<3, int>`) that the source itself need not contain; one that cannot be
                 made is left out when the source has other kernels, so that `find_entry` can name them
    compiler:    the compiler that the user chose; None takes the first usable one of `find_compilers`
    cancelled:   polled while the compiler runs
    Raises CompileError (with the user's line numbers), InputError for text that is no source at all or an instantiation
    that does not exist, EnvironmentProblem without a usable compiler, Cancelled.
    """
    _check_source(source, name)
    chosen = _choose(compiler)
    job = _Job(source, name, chosen, limits, cancelled)
    try:
        ptx = _compile(job, instantiate)
    except InputError:
        if instantiate is None:
            raise
        ptx = _compile(job, None)  # the source may say it in full: `scale<3>` can mean its `scale<3, int>`
        if ".entry" not in ptx:
            raise
    return CompiledPtx(ptx, f"{chosen.name} {chosen.version}")


def load_kernel(
    path: Path, *, instantiate: str | None = None, compiler: Path | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> CompiledPtx:  # fmt: skip
    """PTX of a kernel file: `.ptx` is taken as it is, anything else is compiled as CUDA C++.

    Raises InputError for a file that cannot be read or is too large, and what `compile_cuda` raises.
    """
    is_ptx = path.suffix.lower() == ".ptx"
    text = _read(path, MAX_PTX_BYTES if is_ptx else MAX_SOURCE_BYTES)
    if is_ptx:
        return CompiledPtx(text, "given", None)
    return compile_cuda(text, path.name, instantiate=instantiate, compiler=compiler, cancelled=cancelled)


def find_compilers(configured: Path | None = None) -> list[Compiler]:
    """Every compiler that might do, in order of preference, each tried on a one-line kernel."""
    return [_probe(path) for path in candidates(configured)]


# ------------------------------------------------------------------------------------------------ the text


def _read(path: Path, limit: int) -> str:
    try:
        with open(path, "rb") as file:
            content = file.read(limit + 1)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", str(path), "give a .cu or .ptx file") from None
    if len(content) > limit:
        raise InputError("the file is too large", str(path), f"give at most {limit:,} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError("the file is not UTF-8 text", f"{path.name}:{line}", "save it as UTF-8") from None


def _check_source(source: str, name: str) -> None:
    try:
        size = len(source.encode("utf-8"))
    except UnicodeEncodeError as error:
        line = source.count("\n", 0, error.start) + 1
        raise InputError("the source is not Unicode text", f"{name}:{line}", "save it as UTF-8") from None
    if size > MAX_SOURCE_BYTES:
        raise InputError(f"the source has {size:,} bytes", name, f"give at most {MAX_SOURCE_BYTES:,}")
    if "\0" in source:
        line = source.count("\n", 0, source.index("\0")) + 1
        raise InputError("the source contains a NUL character", f"{name}:{line}", "remove it", line=line)


def _assemble(source: str, instantiate: str | None) -> bytes:
    """What clang reads: the prelude, the user's text under its own line numbers, and the instantiation asked for."""
    parts = [_prelude(), f'#line 1 "{SOURCE_NAME}"', source]
    if instantiate is not None:
        if not re.fullmatch(r"[A-Za-z_][\w:<>, *-]{0,400}", instantiate):
            raise InputError(f"'{instantiate[:80]}' is not the name of a kernel", "kernel", "name it as in C++")
        # A host function that mentions the kernel makes clang instantiate it; host code itself is not compiled.
        use = f"void __qg_instantiate() {{ (void)&{instantiate}; }}"
        parts += ["", f'#line 1 "{_LAUNCH_NAME}"', use]
    return ("\n".join(parts) + "\n").encode("utf-8")


@functools.cache
def _prelude() -> str:
    return resources.files("toolchain").joinpath("prelude.h").read_text(encoding="utf-8")


# ------------------------------------------------------------------------------------------------ running clang


@dataclass(frozen=True, slots=True)
class _Job:
    """What is compiled, with what, within which bounds."""

    source: str
    name: str
    compiler: Compiler
    limits: Limits
    cancelled: Callable[[], bool]


def _compile(job: _Job, instantiate: str | None) -> str:
    """PTX of one run of the compiler; InputError when only the instantiation is wrong."""
    outcome = _run(job.compiler, _assemble(job.source, instantiate), job.limits, job.cancelled)
    if outcome.ended == "cancelled":
        raise Cancelled("the compilation was stopped", job.name)
    ended = "memory" if outcome.ended == "done" and _ran_out_of_memory(outcome) else outcome.ended
    if ended != "done":
        raise CompileError(_bound_message(ended, job.limits), job.name, "simplify the source", messages=[])
    if outcome.returncode != 0:
        raise _compile_error(outcome, job.name, instantiate)
    return outcome.stdout.decode("utf-8", "replace")


def _run(compiler: Compiler, text: bytes, limits: Limits, cancelled: Callable[[], bool] = lambda: False) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="qwengpu-", ignore_cleanup_errors=True) as folder:
        overlay = _write_overlay(Path(folder))
        command = [*compiler.prefix, *_FLAGS, "-Xclang", "-ivfsoverlay", "-Xclang", str(overlay)]
        if _major(compiler.version) >= 16:  # older ones have no default configuration file to keep out
            command.append("--no-default-config")
        return run_bounded(command, text, limits, cancelled)


def _write_overlay(folder: Path) -> Path:
    """The virtual file system: empty headers, and nothing else."""
    empty = folder / "empty.h"
    empty.write_bytes(b"")
    files = [
        {"type": "file", "name": f"{_VIRTUAL}/{header}", "external-contents": str(empty), "use-external-name": False}
        for header in _HEADERS
    ]
    overlay = folder / "overlay.yaml"
    overlay.write_text(json.dumps({"version": 0, "fallthrough": False, "case-sensitive": "true", "roots": files}))
    return overlay


def _ran_out_of_memory(outcome: Outcome) -> bool:
    """Whether clang met the limit on its address space by itself."""
    return outcome.returncode != 0 and re.search(rb"(?m)^LLVM ERROR: out of memory", outcome.stderr) is not None


def _bound_message(ended: str, limits: Limits) -> str:
    return {
        "time": f"compiling takes longer than {limits.seconds:g} s",
        "memory": f"compiling needs more than {limits.memory >> 20:,} MB of memory",
        "output": f"the compiler writes more than {limits.output:,} bytes",
    }[ended]


# ------------------------------------------------------------------------------------------------ diagnostics

_DIAGNOSTIC = re.compile(r"(?P<file>[^:\n]+):(?P<line>\d+):(?P<column>\d+): (?P<kind>[a-z ]+): (?P<text>.*)")
_REWRITTEN = (
    (re.compile(r"GNU-style inline assembly is disabled"), "inline assembly is not supported"),
    (re.compile(r"^('.*') file not found.*"), r"\1 cannot be included: no file is read"),
)


@dataclass(frozen=True, slots=True)
class _Message:
    file: str
    line: int
    column: int
    text: str


def _compile_error(outcome: Outcome, name: str, instantiate: str | None) -> CompileError | InputError:
    """The compiler's errors in the user's terms; nothing of its output that is not a located error is passed on."""
    errors = list(_errors(outcome.stderr.decode("utf-8", "replace")))
    messages = [m for m in errors if m.file != _LAUNCH_NAME]
    if errors and not messages:
        return InputError(f"'{instantiate}' cannot be instantiated: {errors[0].text}", "kernel", "name a kernel of the file")
    if not messages:
        what = "the source is too much for the compiler, which gave up on it"
        return CompileError(what, name, "simplify the source", messages=[])
    shown = [f"{_where(m, name)}: {m.text}" for m in messages[:MAX_MESSAGES]]
    more = len(messages) - 1
    remedy = "correct the source" + (f" ({more} more error{'s' if more > 1 else ''})" if more else "")
    first = messages[0]
    return CompileError(first.text, _where(first, name), remedy, messages=shown, line=first.line, column=first.column)


def _where(message: _Message, name: str) -> str:
    file = name if message.file == SOURCE_NAME else message.file
    return f"{file}:{message.line}:{message.column}"


def _errors(stderr: str) -> Iterator[_Message]:
    """Errors in text order; one inside the prelude is reported where the user's source led to it."""
    pending: str | None = None
    for line in stderr.splitlines():
        found = _DIAGNOSTIC.fullmatch(line)
        if not found:
            continue
        is_error = found["kind"] in ("error", "fatal error")
        if is_error:
            pending = _rewrite(found["text"])
        if pending is not None and not found["file"].startswith(("<", _VIRTUAL)):
            yield _Message(found["file"], int(found["line"]), int(found["column"]), pending)
            pending = None


def _rewrite(text: str) -> str:
    for pattern, replacement in _REWRITTEN:
        text = pattern.sub(replacement, text)
    return text


# ------------------------------------------------------------------------------------------------ finding compilers


def _choose(configured: Path | None) -> Compiler:
    for path in candidates(configured):
        compiler = _probe(path)
        if compiler.usable:
            return compiler
        if configured is not None:
            raise EnvironmentProblem(compiler.problem, str(path), "choose another compiler in the settings")
    raise EnvironmentProblem("no usable compiler was found", "", "install the package 'ziglang', or give a .ptx file")


def candidates(configured: Path | None) -> Iterator[Path]:
    """The compiler of the user's choice alone, or: the one beside the app, zig's package, clangs of the system."""
    if configured is not None:
        yield configured.absolute()  # it is run from another folder
        return
    zig = "zig.exe" if os.name == "nt" else "zig"
    places: list[Path] = []
    if getattr(sys, "frozen", False):
        places.append(Path(getattr(sys, "_MEIPASS", Path(sys.executable).parent)) / "toolchain" / zig)
    package = importlib.util.find_spec("ziglang")
    if package is not None and package.origin is not None:
        places.append(Path(package.origin).parent / zig)
    for command in ("clang", *(f"clang-{version}" for version in range(22, 13, -1))):
        found = shutil.which(command)
        if found:
            places.append(Path(found))
    places += [Path(prefix) / "opt/llvm/bin/clang" for prefix in ("/opt/homebrew", "/usr/local")]
    seen: set[Path] = set()
    for place in places:
        real = place.resolve()
        if place.is_file() and real not in seen:
            seen.add(real)
            yield place


def is_zig(path: Path) -> bool:
    """Whether a compiler is zig, which holds clang as a sub-command."""
    return path.stem.lower().startswith("zig")


def _probe(path: Path) -> Compiler:
    """A compiler judged by its work: remembered as long as the file stays the same."""
    try:
        status = path.stat()
    except OSError as error:
        return Compiler(path.name, "", path, False, f"cannot be used: {error.strerror or error}")
    return _probe_unchanged(path, status.st_mtime_ns, status.st_size)


@functools.lru_cache(maxsize=32)
def _probe_unchanged(path: Path, modified: int, size: int) -> Compiler:
    """The verdict on a file. That it is usable is kept between processes: the trial takes as long as a kernel."""
    question = json.dumps(["compiler", str(path), modified, size, *_FLAGS, _prelude()])
    version = recall(question)
    if version is not None:
        return Compiler(_name(path), version, path, True)
    compiler = _tried(path)
    if compiler.usable:
        keep(question, compiler.version)
    return compiler


def _name(path: Path) -> str:
    return "zig clang" if is_zig(path) else "clang"


def _tried(path: Path) -> Compiler:
    """A compiler judged by a kernel of one line."""
    bare = Compiler(_name(path), "", path, False)
    try:
        answer = run_bounded([*bare.prefix, "--version"], b"", LIMITS)
        found = re.search(r"(Apple )?clang version (\d+[\w.]*)", answer.stdout.decode("utf-8", "replace"))
        if not found:
            return replace(bare, problem="is no clang")
        compiler = replace(bare, version=found[2])
        trial = _run(compiler, _assemble("__global__ void probe(int *p) { p[threadIdx.x] = 1; }", None), LIMITS)
    except OSError as error:
        return replace(bare, problem=f"does not start: {error.strerror or error}")
    if trial.ended == "done" and trial.returncode == 0 and b".entry" in trial.stdout:
        return replace(compiler, usable=True)
    return replace(compiler, problem="cannot compile CUDA to PTX")


def _major(version: str) -> int:
    digits = re.match(r"\d+", version)
    return int(digits[0]) if digits else 0
