"""Settings and folders: the user's choices survive, and the XDG variables decide where."""

import json
from pathlib import Path

import pytest

from app.paths import Paths
from app.settings import Settings
from engine.machine.errors import EnvironmentProblem, InputError


def test_folders_follow_the_xdg_variables(home):
    paths = Paths.of_user()
    assert paths.config == home / "config" / "qwengpu" and paths.cache == home / "cache" / "qwengpu"
    assert paths.data == home / "data" / "qwengpu" and home / "state" in paths.logs.parents
    assert not list(home.iterdir()), "asking for folders makes none"


def test_no_file_means_defaults(paths):
    assert Settings.read(paths.settings) == Settings()


def test_settings_come_back_with_what_others_wrote(paths):
    paths.config.mkdir(parents=True)
    paths.settings.write_text(json.dumps({"theme": "dark", "checkpoint": "old"}))
    Settings.read(paths.settings).with_checkpoint(Path("new")).write(paths.settings)
    assert json.loads(paths.settings.read_text()) == {"theme": "dark", "checkpoint": "new"}
    assert Settings.read(paths.settings).checkpoint == Path("new")


@pytest.mark.parametrize(("content", "message"), [("{", "malformed JSON"), ("[]", "not a JSON object"),
                                                  ('{"checkpoint": 5}', "'checkpoint' in the settings is not a path")])
def test_broken_settings_are_named(paths, content, message):
    paths.config.mkdir(parents=True)
    paths.settings.write_text(content)
    with pytest.raises(InputError, match=message) as refused:
        Settings.read(paths.settings)
    assert str(paths.settings) in refused.value.where


def test_settings_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(EnvironmentProblem, match="settings cannot be written"):
        Settings().write(tmp_path / "file" / "settings.json")
