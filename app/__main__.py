"""The program: `qwengpu` and `python -m app`."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line with these arguments, those of the process by default; the exit code."""
    from app.cli.entry import invoke

    return invoke(sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    sys.exit(main())
