"""Every test of the app gets folders of its own: nobody's settings and caches are read or written."""

import pytest

from app.paths import Paths

pytest.register_assert_rewrite("tests.app.interpreted")

VARIABLES = ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")


@pytest.fixture(autouse=True)
def home(tmp_path_factory, monkeypatch):
    """An empty home that both this process and its children use."""
    folder = tmp_path_factory.mktemp("home")
    for variable in VARIABLES:
        monkeypatch.setenv(variable, str(folder / variable.split("_")[1].lower()))
    return folder


@pytest.fixture
def paths(home):
    """The folders below that home."""
    return Paths.of_user()
