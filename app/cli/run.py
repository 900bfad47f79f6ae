"""`qwengpu run`: one kernel, or a batch of them, through the machine."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from app.cli.console import Console
from app.failures import as_named
from app.files import MAX_JSON_BYTES, decode, parse_json, read_json, reason
from app.paths import Paths
from app.pipeline import DEVICES, MAX_TOKENS, RUNTIMES, Job, Options, Result, Session
from engine.machine.errors import GpuError, InputError, UsageError

HELP = "see 'qwengpu run --help'"


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("kernel", nargs="?", type=Path, metavar="KERNEL", help="CUDA source (.cu) or PTX (.ptx)")
    parser.add_argument("--launch", type=Path, metavar="LAUNCH.json", help="kernel name, grid, block and arguments")
    parser.add_argument(
        "--batch", type=Path, metavar="JOBS.jsonl", help='a job a line, {"kernel": PATH, "launch": {..}}; a result line a job'
    )
    add_runtime_options(parser)
    parser.add_argument(
        "--max-tokens",
        type=positive,
        default=MAX_TOKENS,
        metavar="N",
        help="generated tokens after which a launch is stopped (default: %(default)s)",
    )
    parser.add_argument(
        "--trace",
        type=Path,
        metavar="FILE.jsonl",
        help="write every token of the launch; in a batch, job N's go to FILE-N.jsonl",
    )
    parser.add_argument("--json", action="store_true", help="result as one JSON object")


def add_runtime_options(parser: argparse.ArgumentParser) -> None:
    """The options of every command that launches: with which weights, by which runtime, where."""
    parser.add_argument("--checkpoint", type=Path, metavar="DIR", help="default: the one you built, else the embedded one")
    parser.add_argument("--runtime", choices=RUNTIMES, default=RUNTIMES[0], help="default: %(default)s")
    parser.add_argument("--device", choices=DEVICES, default=DEVICES[0], help="default: %(default)s")


def positive(text: str) -> int:
    """An option's value as a positive integer."""
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a positive integer")
    return value


def execute(arguments: argparse.Namespace, console: Console) -> int:
    """Run the kernel or the batch; the exit code."""
    paths = Paths.of_user()
    options = Options(arguments.checkpoint, arguments.runtime, arguments.device, arguments.max_tokens)
    session = Session(options, paths, console.note)
    if arguments.batch is not None:
        if arguments.kernel is not None or arguments.launch is not None:
            raise UsageError(
                "--batch names its own kernels and launches", "qwengpu run", f"leave out KERNEL and --launch; {HELP}"
            )
        return run_batch(arguments.batch, arguments.trace, session, console, paths)
    if arguments.kernel is None:
        raise UsageError("no KERNEL", "qwengpu run", f"name a .cu or .ptx file, or give --batch; {HELP}")
    if arguments.launch is None:
        raise UsageError("no --launch", "qwengpu run", f"say how to launch the kernel; {HELP}")
    job = Job(arguments.kernel, read_json(arguments.launch), str(arguments.launch))
    result = session.run(job, arguments.trace)
    if console.json:
        console.emit(result.as_json())
    else:
        for line in describe(result):
            console.say(line)
    return 0


def describe(result: Result) -> Iterator[str]:
    """A result for people."""
    for name, values in result.outputs.items():
        yield f"{name} = [{', '.join(map(str, values))}]"
    yield (
        f"{result.generated:,} tokens generated behind a prompt of {result.prompt:,}, replay {result.replay}, "
        f"{result.launch_seconds:.2f} s ({result.runtime} on {result.device})"
    )


# ---------------------------------------------------------------- batches
def run_batch(batch: Path, trace: Path | None, session: Session, console: Console, paths: Paths) -> int:
    """A result line for every job as it is done; a job that fails does not stop the others. The largest exit code."""
    jobs = read_jobs(batch)
    first = next(jobs, None)
    if first is None:
        raise InputError("the batch has no jobs", str(batch), 'give one {"kernel": .., "launch": ..} a line')
    session.open()  # whatever is wrong with the checkpoint concerns all jobs
    worst, number = 0, 0
    job: Job | GpuError | None = first
    while job is not None:
        outcome = attempt(job, numbered(trace, number), session, paths)
        if isinstance(outcome, GpuError):
            console.report(outcome, f"job {number}: ")
            worst = max(worst, outcome.exit_code)
            console.emit({"job": number, "error": outcome.as_json()})
        else:
            console.emit({"job": number, **outcome.as_json()})
        job, number = next(jobs, None), number + 1
    return worst


def attempt(job: Job | GpuError, trace: Path | None, session: Session, paths: Paths) -> Result | GpuError:
    """The result of a job, or why it has none. Only the user stops a batch."""
    if isinstance(job, GpuError):
        return job
    try:
        return session.run(job, trace)
    except Exception as error:
        return as_named(error, paths.logs)


def numbered(trace: Path | None, number: int) -> Path | None:
    """The trace file of a job of a batch."""
    return trace and trace.with_name(f"{trace.stem}-{number}{trace.suffix}")


def read_jobs(batch: Path) -> Iterator[Job | GpuError]:
    """The jobs of a file, read as they are needed; a broken line gives its error. Blank lines count for nothing."""
    try:
        with batch.open("rb") as file:
            for number in count(1):
                line = file.readline(MAX_JSON_BYTES + 1)
                if not line:
                    return
                if line.strip():
                    yield read_job(line, str(batch), number)
                while len(line) > MAX_JSON_BYTES and not line.endswith(b"\n"):
                    line = file.readline(MAX_JSON_BYTES + 1)
    except OSError as error:
        raise InputError(f"cannot be read: {reason(error)}", str(batch), "give a file that exists and is readable") from None


def read_job(line: bytes, where: str, number: int) -> Job | GpuError:
    """The job that a line describes, or what is wrong with the line."""
    try:
        if len(line) > MAX_JSON_BYTES:
            raise InputError("the line is too long", f"{where}:{number}", f"give at most {MAX_JSON_BYTES:,} bytes")
        return as_job(parse_json(decode(line.rstrip(), where, number), where, number), f"{where}:{number}")
    except InputError as error:
        return error


def as_job(value: Any, where: str) -> Job:
    """A JSON value as a job. Raises InputError."""
    remedy = 'write {"kernel": PATH, "launch": {..}}'
    if not isinstance(value, dict):
        raise InputError("a job is a JSON object", where, remedy)
    if unknown := sorted(set(value) - {"kernel", "launch"}):
        raise InputError(f"a job has no key {unknown[0]!r}", where, remedy)
    if not isinstance(value.get("kernel"), str) or not value["kernel"]:
        raise InputError("the job's 'kernel' is not the path of a file", where, remedy)
    if "launch" not in value:
        raise InputError("the job has no 'launch'", where, remedy)
    return Job(Path(value["kernel"]), value["launch"], where)
