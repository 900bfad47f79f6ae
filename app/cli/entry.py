"""The border of the program: nothing that goes wrong inside leaves it as anything but an exit code and a one-line error."""

from __future__ import annotations

from collections.abc import Sequence

from app.cli.console import Console, abandon_stdout, prepare_streams
from app.cli.parser import parse
from app.failures import as_named
from app.paths import Paths
from engine.machine.errors import Cancelled

STOPPED = Cancelled.exit_code


def invoke(arguments: Sequence[str]) -> int:
    """Run the command line; its exit code."""
    prepare_streams()
    console = Console("--json" in arguments)
    try:
        return _guarded(arguments, console)
    except BrokenPipeError:
        abandon_stdout()  # whoever read our output has seen enough
        return STOPPED
    except OSError as error:
        abandon_stdout()
        named = as_named(error, Paths.of_user().logs)
        console.report(named)
        return named.exit_code
    except KeyboardInterrupt:
        return STOPPED  # a second Ctrl-C while the first one was being reported


def _guarded(arguments: Sequence[str], console: Console) -> int:
    try:
        parsed = parse(arguments)
        return parsed.execute(parsed, console)
    except BrokenPipeError:
        raise
    except SystemExit as leave:  # --help and --version
        return int(leave.code or 0)
    except BaseException as error:
        return console.fail(as_named(error, Paths.of_user().logs))
