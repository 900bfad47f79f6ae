"""`qwengpu eval`: how many questions are answered exactly by the model alone, with a tool on the host, with the machine."""

from __future__ import annotations

import argparse
import hashlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.cli.chat import stopping
from app.cli.console import Console
from app.cli.run import add_runtime_options
from app.paths import Paths
from app.pipeline import Options, Session
from app.settings import Settings

if TYPE_CHECKING:
    from app.evaluation.questions import QuestionSet
    from app.evaluation.running import Result, Row

WAYS = ("alone", "python", "machine")


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("--set", choices=("normal", "advanced", "long"), default="normal", help="which questions")
    parser.add_argument("--way", choices=WAYS, action="append", help="only this way of answering; may be repeated")
    parser.add_argument("--out", type=Path, metavar="FILE", help="where results are kept, to go on from (default: data folder)")
    add_runtime_options(parser)
    parser.add_argument("--json", action="store_true", help="a JSON line for every result, and one for the table")


def execute(arguments: argparse.Namespace, console: Console) -> int:
    """Ask what has not been asked yet, then show the table."""
    from app.checkpoints import choose
    from app.compute.library import load_library
    from app.conversation.loop import Services
    from app.conversation.opening import open_text, text_identity
    from app.evaluation.questions import load_set
    from app.evaluation.running import MAX_TOKENS, described, run, table
    from app.version import version

    paths, questions = Paths.of_user(), load_set(arguments.set)
    session = Session(Options(arguments.checkpoint, arguments.runtime, arguments.device), paths, console.note)
    checkpoint = choose(arguments.checkpoint, Settings.read(paths.settings), paths)
    engine, functions = session.open(), load_library()
    model = open_text(checkpoint, functions, arguments.device)
    named = (engine.identity, text_identity(checkpoint), version())
    file = arguments.out or results_file(paths, questions, *named)
    with stopping() as cancelled:
        results = run(
            questions,
            arguments.way or WAYS,
            model,
            Services(functions, engine, version(), MAX_TOKENS),
            file,
            Display(console).show,
            cancelled,
        )
    rows = table(questions, results)
    if console.json:
        console.emit(report(questions, rows, file, *named))
    else:
        for line in described(rows):
            console.say(line)
        console.say(f"exact: of so many, with Wilson's interval of 95 %; every answer is in {file}")
    return 0


def results_file(paths: Paths, questions: QuestionSet, *named: str) -> Path:
    """The file of these questions asked of these weights by this version: other ones never mix with it."""
    key = hashlib.sha256("\n".join((questions.content, *named)).encode()).hexdigest()[:12]
    return paths.data / "evaluations" / f"{questions.name}-{key}.jsonl"


def report(questions: QuestionSet, rows: list[Row], file: Path, checkpoint: str, model: str, program: str) -> dict[str, Any]:
    """The last JSON line."""
    return {
        "set": questions.name,
        "questions": questions.content,
        "table": [row.as_json() for row in rows],
        "results": str(file),
        "checkpoint": checkpoint,
        "model": model,
        "version": program,
    }


class Display:
    """A bar that grows where the output is a terminal, a JSON line a result where it is asked for."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def show(self, result: Result, done: int, total: int) -> None:
        """Show one more result."""
        if self._console.json:
            self._console.emit(
                {
                    "result": {
                        "id": result.id,
                        "way": result.way,
                        "verdict": result.verdict,
                        "launched": result.launched,
                        "seconds": result.seconds,
                    }
                }
            )
        elif sys.stdout.isatty():
            filled = 30 * done // total
            bar = f"[{'█' * filled}{'·' * (30 - filled)}] {done}/{total} {result.way} {result.id}: {result.verdict}"
            print(f"\r\x1b[K{bar}", end="\n" if done == total else "", flush=True)
