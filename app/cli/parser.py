"""The command line's grammar. Whatever it does not accept is a UsageError that says what is available."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from app.cli import build, chat, demo, desktop, doctor, eval, run, selftest, verify
from app.cli.console import Console
from app.version import version
from engine.machine.errors import UsageError

PROGRAM = "qwengpu"


@dataclass(frozen=True)
class Command:
    """A command: one line about it, its options, its work (which returns the exit code)."""

    about: str
    configure: Callable[[argparse.ArgumentParser], None]
    execute: Callable[[argparse.Namespace, Console], int]


COMMANDS: Mapping[str, Command] = {
    "run": Command("run a CUDA kernel inside the compiled layers", run.configure, run.execute),
    "chat": Command("ask in plain words; the machine computes", chat.configure, chat.execute),
    "eval": Command("how many questions are answered exactly, in three ways", eval.configure, eval.execute),
    "build": Command("compile the machine into a language model", build.configure, build.execute),
    "verify": Command("check a checkpoint, or redo a traced launch", verify.configure, verify.execute),
    "doctor": Command("what this computer has and lacks", doctor.configure, doctor.execute),
}


class Parser(argparse.ArgumentParser):
    """argparse that raises UsageError instead of printing and leaving."""

    def error(self, message: str) -> NoReturn:
        """Refuse the arguments."""
        raise UsageError(message, self.prog, f"see '{self.prog} --help'")


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The arguments, with `execute` naming the work to do. Raises UsageError; --help and --version print and exit."""
    if not arguments:
        return argparse.Namespace(execute=desktop.execute)
    if not arguments[0].startswith("-") and arguments[0] not in COMMANDS:
        raise UsageError(f"no command '{arguments[0]}'", PROGRAM, _available())
    parsed = _parser().parse_args(arguments)
    if parsed.execute is None:
        raise UsageError("no command", PROGRAM, _available())
    return parsed


def _parser() -> Parser:
    parser = Parser(
        PROGRAM,
        description="Without a command, the desktop app. CUDA kernels are run exactly by compiled layers of a language model.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and leave")
    parser.add_argument(
        "--self-test",
        dest="execute",
        action="store_const",
        const=selftest.execute,
        help="one launch with a known result; exit code 0 or 4",
    )
    parser.add_argument(
        "--offline-demo",
        dest="execute",
        action="store_const",
        const=demo.execute,
        help="one question, answered in this terminal by the model that comes with the program",
    )
    parser.add_argument("--json", action="store_true", help="results as JSON")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for name, command in COMMANDS.items():
        sub = commands.add_parser(name, help=command.about, description=command.about.capitalize() + ".", allow_abbrev=False)
        command.configure(sub)
        sub.set_defaults(execute=command.execute)
    return parser


class _Version(argparse.Action):
    """Prints the version; reads it only then, since package metadata is slow to find."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option_string: str | None = None
    ) -> NoReturn:
        print(f"{PROGRAM} {version()}")
        parser.exit()


def _available() -> str:
    return f"available now: {', '.join(COMMANDS)}, --self-test, --offline-demo, --version; see '{PROGRAM} --help'"
