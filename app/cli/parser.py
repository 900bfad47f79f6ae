"""The command line's grammar. Whatever it does not accept is a UsageError that says what is available."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from app.cli import build, chat, doctor, run, selftest, verify
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
    "build": Command("compile the machine into a language model", build.configure, build.execute),
    "verify": Command("check a checkpoint, or redo a traced launch", verify.configure, verify.execute),
    "doctor": Command("what this computer has and lacks", doctor.configure, doctor.execute),
}
NOT_YET = ("eval", "--offline-demo")
"""Parts of the command line's contract that this version does not have."""


class Parser(argparse.ArgumentParser):
    """argparse that raises UsageError instead of printing and leaving."""

    def error(self, message: str) -> NoReturn:
        """Refuse the arguments."""
        raise UsageError(message, self.prog, f"see '{self.prog} --help'")


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The arguments, with `execute` naming the work to do. Raises UsageError; --help and --version print and exit."""
    if not arguments:
        raise UsageError("the desktop app is not part of this version", PROGRAM, _available())
    if arguments[0] in NOT_YET:
        raise UsageError(f"'{arguments[0]}' is not part of this version", PROGRAM, _available())
    if not arguments[0].startswith("-") and arguments[0] not in COMMANDS:
        raise UsageError(f"no command '{arguments[0]}'", PROGRAM, _available())
    parsed = _parser().parse_args(arguments)
    if parsed.execute is None:
        raise UsageError("no command", PROGRAM, _available())
    return parsed


def _parser() -> Parser:
    parser = Parser(PROGRAM, description="CUDA kernels, run exactly by compiled layers of a language model.",
                    allow_abbrev=False)
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and leave")
    parser.add_argument("--self-test", dest="execute", action="store_const", const=selftest.execute,
                        help="one launch with a known result; exit code 0 or 4")
    parser.add_argument("--json", action="store_true", help="results as JSON")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for name, command in COMMANDS.items():
        sub = commands.add_parser(name, help=command.about, description=command.about.capitalize() + ".", allow_abbrev=False)
        command.configure(sub)
        sub.set_defaults(execute=command.execute)
    return parser


class _Version(argparse.Action):
    """Prints the version; reads it only then, since package metadata is slow to find."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any,
                 option_string: str | None = None) -> NoReturn:
        print(f"{PROGRAM} {version()}")
        parser.exit()


def _available() -> str:
    return f"available now: {', '.join(COMMANDS)}, --self-test, --version; see '{PROGRAM} --help'"
