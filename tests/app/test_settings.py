"""Settings and folders: the user's choices survive, and the XDG variables decide where."""

import json
from pathlib import Path

import pytest

from app.paths import Paths
from app.preferences import (
    APPEARANCE,
    ENDPOINT,
    FONT_SIZE,
    HIGHLIGHT,
    KEEP_LOADED,
    MODELS_FOLDER,
    PROXY,
    SETTINGS,
    SYSTEM_PROMPT,
    TEMPERATURE,
    WINDOW,
    Section,
    Window,
    of_section,
)
from app.settings import Settings, change
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


@pytest.mark.parametrize(
    ("content", "message"),
    [("{", "malformed JSON"), ("[]", "not a JSON object"), ('{"checkpoint": 5}', "'checkpoint' in the settings is not a path")],
)
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


# ---------------------------------------------------------------- preferences
@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_defaults_fit_and_are_not_written(setting, paths):
    settings = Settings().with_value(setting, setting.default)
    assert settings.others == {} and settings.get(setting) == setting.default
    assert str(setting.title) and str(setting.about) and setting.accept(setting.write(setting.default)) == setting.default


def test_names_are_unique_and_no_other_modules():
    names = [setting.name for setting in SETTINGS]
    assert len(set(names)) == len(names) and "checkpoint" not in names
    assert {setting.name for section in Section for setting in of_section(section)} == set(names)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        (APPEARANCE, "dark"),
        (FONT_SIZE, 150),
        (FONT_SIZE, 85),
        (TEMPERATURE, 0.7),
        (HIGHLIGHT, False),
        (KEEP_LOADED, 0),
        (MODELS_FOLDER, Path("/モデル é")),
        (SYSTEM_PROMPT, "Be\nbrief"),
        (PROXY, "socks5://127.0.0.1:1080"),
        (WINDOW, Window(-5, 10, 900, 600, True)),
        (ENDPOINT, "https://mirror.example"),
    ],
)
def test_choices_come_back(setting, value, paths):
    change(paths.settings, setting, value)
    assert Settings.read(paths.settings).get(setting) == value
    assert Settings.read(paths.settings).reset().get(setting) == setting.default


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        (APPEARANCE, "pink"),
        (FONT_SIZE, 84),
        (FONT_SIZE, 151),
        (FONT_SIZE, 100.5),
        (FONT_SIZE, True),
        (TEMPERATURE, "hot"),
        (HIGHLIGHT, 1),
        (KEEP_LOADED, False),
        (KEEP_LOADED, 7),
        (SYSTEM_PROMPT, None),
        (ENDPOINT, "ftp://x"),
        (ENDPOINT, "mirror"),
        (ENDPOINT, "https://ada:secret@mirror"),
        (PROXY, "socks5://ada:secret@x"),
        (MODELS_FOLDER, Path("relative")),
    ],
)
def test_what_does_not_fit_is_refused_by_name(setting, value):
    with pytest.raises(InputError) as refused:
        Settings().with_value(setting, value)
    assert setting.name in refused.value.where


@pytest.mark.parametrize(
    ("setting", "written"),
    [
        (FONT_SIZE, 900),
        (FONT_SIZE, "big"),
        (APPEARANCE, ["dark"]),
        (WINDOW, {"x": 1}),
        (WINDOW, 5),
        (WINDOW, {"x": 1 << 40}),
        (MODELS_FOLDER, "relative"),
        (HIGHLIGHT, "yes"),
        (SYSTEM_PROMPT, {}),
    ],
)
def test_a_value_in_the_file_that_does_not_fit_counts_as_not_chosen(setting, written):
    assert Settings(others={setting.name: written}).get(setting) == setting.default


@pytest.mark.parametrize("content", [b"{", b"[]", b"\0" * 100, b"\xff", b'{"checkpoint": 5}', b""])
def test_a_damaged_file_is_set_aside_and_said(paths, content):
    paths.config.mkdir(parents=True)
    paths.settings.write_bytes(content)
    settings, problem = Settings.open(paths.settings)
    assert settings == Settings() and "back at their defaults" in problem.what
    [kept] = paths.config.iterdir()
    assert kept.read_bytes() == content and str(kept) == problem.where
    assert Settings.open(paths.settings) == (Settings(), None)


def test_a_choice_keeps_what_others_wrote_meanwhile(paths):
    change(paths.settings, FONT_SIZE, 120)
    paths.settings.write_text(json.dumps({"font_size": 120, "from_the_future": [1], "checkpoint": "/m"}))
    change(paths.settings, APPEARANCE, "dark")
    assert json.loads(paths.settings.read_text()) == {
        "font_size": 120,
        "from_the_future": [1],
        "checkpoint": "/m",
        "appearance": "dark",
    }
    assert Settings.read(paths.settings).reset().others == {"from_the_future": [1]}
