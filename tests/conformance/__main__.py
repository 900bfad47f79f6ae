"""Write `docs/conformance.md` from the result files: python -m tests.conformance [--check]

`--check` writes nothing and exits with 1 when the document is not what the result files say, or says that something is wrong.
The checks themselves are run by the commands that the document names.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.conformance import results
from tests.conformance.report import document

TARGET = results.ROOT / "docs" / "conformance.md"


def main(arguments: list[str], target: Path = TARGET) -> int:
    """Write or check."""
    text, wrong = document()
    if "--check" not in arguments:
        target.write_text(text, encoding="utf-8")
        print(f"{target}: {wrong} wrong")
    elif not target.exists() or target.read_text(encoding="utf-8") != text:
        print(f"{target} is out of date; run `python -m tests.conformance`")
        return 1
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
