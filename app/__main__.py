"""The program: `qwengpu` and `python -m app`."""

import sys
from collections.abc import Sequence

if sys.version_info < (3, 11):  # noqa: UP036 - a checkout can be started with any Python
    sys.exit(f"error: Python 3.11 or newer is needed - this is {sys.version.split()[0]} - make .venv anew with a newer one")

WORKER = "--worker"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line with these arguments, those of the process by default; the exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] == [WORKER]:  # before anything that a worker does not need, and Qt above all
        from app.worker.server import leave
        from app.worker.server import main as work

        leave(work())
    from app.cli.entry import invoke

    return invoke(given)


if __name__ == "__main__":
    sys.exit(main())
