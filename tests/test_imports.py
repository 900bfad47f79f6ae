"""In a fresh interpreter, not by reading sources: importing what the window's process runs brings in no torch."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROGRAM = """
import importlib, pkgutil, sys
package = importlib.import_module(sys.argv[1])
found = [sys.argv[1]]
for module in pkgutil.walk_packages(package.__path__, sys.argv[1] + "."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
        found.append(module.name)
heavy = sorted({name.split(".")[0] for name in sys.modules} & {"torch", "transformers"})
print(len(found), *heavy)
"""


@pytest.mark.parametrize(("package", "least"), [("engine.machine", 10), ("toolchain", 20), ("app.ui", 40)])
def test_no_torch_in(package, least):
    done = subprocess.run([sys.executable, "-c", PROGRAM, package], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    count, *heavy = done.stdout.split()
    assert not heavy and int(count) >= least
