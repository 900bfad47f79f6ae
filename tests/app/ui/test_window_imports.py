"""What a start of the window brings into its process."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_the_window_never_imports_torch():
    code = (
        "import sys\nimport app.ui.application, app.ui.pages\n"
        "import app.ui.inspector, app.ui.playground, app.ui.settings.page, app.ui.assistant.page\n"
        "found = {'torch', 'transformers', 'scipy'} & set(sys.modules)\nsys.exit(', '.join(found) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )
    assert done.returncode == 0, done.stderr
