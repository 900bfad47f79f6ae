"""The list of other people's work names every library that the app brings along, and every file says the same licence."""

import sys
import tomllib

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from scripts import ROOT, load

from app.licences import components


def test_every_library_is_named_and_none_that_is_gone():
    third_party = load("third_party")
    listed = third_party.names(third_party.TARGET.read_text(encoding="utf-8"))
    needed = {name for name in third_party.table() if not name.startswith(("nvidia-", "cuda-", "triton"))}
    assert needed <= listed, f"run: python packaging/third_party.py (missing: {sorted(needed - listed)})"
    if sys.platform == "linux" and sys.version_info[:2] == (3, 11):  # what the list was written from
        assert listed <= needed, f"run: python packaging/third_party.py (gone: {sorted(listed - needed)})"


def test_a_library_that_others_need_is_found_through_them():
    assert {"torch", "sympy", "mpmath", "httpx2", "shiboken6"} <= set(load("third_party").table())


def test_the_licence_is_the_same_everywhere():
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert licence.startswith("MIT License\n") and project["license"] == "MIT"
    own = components()[0]
    assert own.name == "qwenGPU Desktop" and own.licence == "MIT" and own.text() == licence


def test_the_about_window_lists_what_the_app_asks_for():
    asked = {canonicalize_name(Requirement(line).name) for line in load("third_party").dependencies()}
    assert asked <= {canonicalize_name(part.name) for part in components()}
