"""Scripts of packaging/, as modules."""

import importlib.util
from pathlib import Path

ROOT = Path(__file__).parents[2]


def load(name):
    """A script as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "packaging" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
