"""`python -m tests.screenshots [--out FOLDER] [--only WORD]`: every screen, light and dark, into `docs/screenshots/`.

Pictures at other scales are taken by a process of their own, since Qt reads the scale when it starts.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCALES = (("chat", 1.5), ("setup-3-build", 2.0), ("inspector-machine", 1.5))
"""Pictures that are also taken at other scales."""


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="take pictures of every screen")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "screenshots")
    parser.add_argument("--only", default="", help="only pictures whose names begin with this")
    parser.add_argument("--scale", type=float, default=1.0)
    options = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["TZ"] = "UTC"
    if options.scale != 1.0:
        os.environ["QT_SCALE_FACTOR"] = str(options.scale)
    from tests.screenshots.screens import take_all

    with tempfile.TemporaryDirectory() as home:
        take_all(Path(home), options.out, options.only, options.scale)
    if options.scale == 1.0:
        for name, scale in SCALES:
            if name.startswith(options.only):
                subprocess.run(
                    [
                        sys.executable,
                        "-m",
                        "tests.screenshots",
                        "--out",
                        str(options.out),
                        "--only",
                        name,
                        "--scale",
                        str(scale),
                    ],
                    check=True,
                    cwd=ROOT,
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
