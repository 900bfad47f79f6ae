"""`qwengpu doctor`: what this computer has, and what it lacks."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from app.cli.console import Console
from app.computer import free_space, unwritable
from app.diagnostics import PACKAGES, version_of
from app.memory import gigabytes, memory
from app.paths import Paths
from engine.machine.errors import EnvironmentProblem, GpuError

FREE_NEEDED = 1 << 30
"""Free bytes for the embedded machine and temporary files; a built Qwen3.5-2B needs about ten times as much."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("--bench", action="store_true", help="also measure text and machine tokens a second")
    parser.add_argument("--json", action="store_true", help="the report as one JSON object")


def execute(arguments: argparse.Namespace, console: Console) -> int:
    """Report; exit code 5 when something is missing that every launch needs."""
    paths = Paths.of_user()
    report, problems = examine(paths)
    if arguments.bench:
        from app.bench import measure

        report["bench"] = measure(paths, console.note)
    report["problems"] = [problem.as_json() for problem in problems]
    if console.json:
        console.emit(report)
    else:
        for line in describe(report):
            console.say(line)
    for problem in problems:
        console.report(problem)
    return max((problem.exit_code for problem in problems), default=0)


def examine(paths: Paths) -> tuple[dict[str, Any], list[GpuError]]:
    """The report, and what is missing that every launch needs."""
    from app.devices import available
    from toolchain.compiler import find_compilers

    compilers = [
        {
            "name": found.name,
            "version": found.version,
            "path": str(found.path),
            "usable": found.usable,
            "problem": found.problem,
        }
        for found in find_compilers()
    ]
    disk = {name: free_space(path) for name, path in (("cache", paths.cache), ("data", paths.data))}
    problems: list[GpuError] = [
        problem for path in (paths.cache, paths.data, paths.config) if (problem := unwritable(path)) is not None
    ]
    problems += [
        EnvironmentProblem(
            f"less than {gigabytes(FREE_NEEDED)} of disk space is free",
            str(getattr(paths, name)),
            "free some space",
            needed=FREE_NEEDED,
            available=free,
        )
        for name, free in disk.items()
        if free < FREE_NEEDED
    ]
    if not any(compiler["usable"] for compiler in compilers):
        problems.append(EnvironmentProblem("no usable CUDA compiler was found", "", "install the package 'ziglang'"))
    return {
        "platform": {
            "system": platform.system(),
            "release": platform.release(),
            "machine": platform.machine(),
            "cores": os.cpu_count(),
            "python": platform.python_version(),
            "executable": sys.executable,
        },
        "memory": memory().as_json(),
        "disk": disk,
        "device": {"text": available()[0], "machine": "cpu", "available": list(available())},
        "compilers": compilers,
        "versions": {name: version_of(name) for name in PACKAGES},
        "paths": {"config": str(paths.config), "cache": str(paths.cache), "data": str(paths.data), "logs": str(paths.logs)},
        "checkpoint": default_checkpoint(paths),
    }, problems


def default_checkpoint(paths: Paths) -> dict[str, Any]:
    """What commands without --checkpoint use, and whether it is ready. Nothing is prepared."""
    from app.checkpoints import MACHINE, embedded_folder
    from app.settings import Settings

    chosen = Settings.read(paths.settings).checkpoint
    folder = chosen or embedded_folder(paths)
    return {"origin": "built" if chosen else "embedded", "folder": str(folder), "ready": (folder / MACHINE).is_file()}


def describe(report: Mapping[str, Any]) -> Iterator[str]:
    """The report for people."""
    system, ram, checkpoint = report["platform"], report["memory"], report["checkpoint"]
    yield (
        f"computer    {system['system']} {system['release']} {system['machine']}, {system['cores']} cores, "
        f"Python {system['python']}"
    )
    yield f"memory      {gigabytes(ram['total'])}, {gigabytes(ram['available'])} free"
    if ram["remark"]:
        yield f"            {ram['remark']}"
    yield "disk        " + ", ".join(f"{gigabytes(free)} free for {name}" for name, free in report["disk"].items())
    yield f"device      text on {report['device']['text']}, machine on {report['device']['machine']}"
    for compiler in report["compilers"]:
        state = "usable" if compiler["usable"] else compiler["problem"]
        yield f"compiler    {compiler['name']} {compiler['version']}: {state} ({compiler['path']})"
    yield "versions    " + ", ".join(f"{name} {version or 'missing'}" for name, version in report["versions"].items())
    for name, path in report["paths"].items():
        yield f"{name:<11} {path}"
    readiness = "ready" if checkpoint["ready"] else "not prepared yet"
    yield f"checkpoint  {checkpoint['origin']}, {readiness} ({checkpoint['folder']})"
    if "bench" in report:
        yield from describe_bench(report["bench"])


def describe_bench(bench: Mapping[str, Any]) -> Iterator[str]:
    """The measured speeds for people."""
    machine, text = bench["machine"], bench["text"]
    yield f"machine     {machine['tokens_per_second']:,.0f} tokens/s ({machine['runtime']} on {machine['device']})"
    yield (
        f"text        {text['tokens_per_second']:,.1f} tokens/s on {text['device']}"
        if text
        else "text        not measured: the checkpoint has no language model"
    )
