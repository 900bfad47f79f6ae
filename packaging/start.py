"""What a bundle runs: the window, the command line, and the worker, which is this program once more (`--worker`)."""

from __future__ import annotations

import multiprocessing
import sys

if __name__ == "__main__":
    multiprocessing.freeze_support()  # a library that starts a process of its own must not start a second app
    from app.__main__ import main

    sys.exit(main())
