"""The report says what is wrong and nothing that is private."""

from pathlib import Path

import pytest

from app.diagnostics import as_text, collect, last_errors, redacted
from app.failures import as_named
from app.preferences import DEVICE, ENDPOINT, SYSTEM_PROMPT
from app.settings import Settings


@pytest.fixture
def report(paths, monkeypatch):
    """Collects without compiling."""
    from app.computer import CompilerTest
    from engine.machine.errors import EnvironmentProblem

    monkeypatch.setattr("app.diagnostics.try_compiler", lambda: CompilerTest("clang", problem=EnvironmentProblem("broken")))
    return lambda **facts: collect(paths, **facts)


def items(parts, title):
    return {item.title: item for part in parts if part.title == title for item in part.items}


def test_everything_that_helps_is_there(report, paths):
    Settings().with_value(DEVICE, "cpu").write(paths.settings)
    parts = report(worker={"state": "ready", "device": "cpu"}, window={"Qt": "6.11"})
    assert [part.title for part in parts] == [
        "Program",
        "Computer",
        "Model",
        "Worker",
        "Window",
        "Settings",
        "Folders",
        "Packages",
        "Last errors",
    ]
    assert items(parts, "Computer")["Compiler"].problem and items(parts, "Settings")["Device"].value == "cpu"
    assert items(parts, "Worker")["state"].value == "ready" and "missing" not in items(parts, "Packages")["torch"].value
    text = as_text(parts)
    assert "! Compiler: clang: broken" in text and "embedded, not there yet" in text and "Qt: 6.11" in text


def test_no_token_no_password_and_nothing_anybody_wrote(report, paths, monkeypatch, tmp_path):
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    settings = Settings().with_value(SYSTEM_PROMPT, "My name is Ada").with_value(ENDPOINT, "https://mirror.example/x")
    settings.write(paths.settings)
    text = as_text(report(worker={"last": f"{tmp_path}/x used hf_abcdEFGH12 at http://ada:pw@proxy:1 Bearer xyz token=abc"}))
    for private in ("Ada", "hf_abcd", "pw@", "xyz", "abc", str(tmp_path), "mirror.example/x"):
        assert private not in text, private
    assert "14 characters" in text and "mirror.example" in text and "~/x" in text


def test_errors_are_named_without_their_messages(paths):
    for error in (ValueError("what Ada asked"), KeyError("secret")):
        try:
            raise error
        except Exception as raised:
            as_named(raised, paths.logs)
    found = list(last_errors(paths.logs))
    assert [item.value.split(" at ")[0] for item in found] == ["ValueError", "KeyError"]
    assert "test_diagnostics.py" in found[0].value
    assert "Ada" not in str(found) and "secret" not in str(found)


def test_a_damaged_settings_file_is_a_line_of_the_report(report, paths):
    paths.config.mkdir(parents=True)
    paths.settings.write_text("{")
    assert items(report(), "Settings")["Settings file"].problem


def test_redaction_leaves_the_rest_alone():
    assert redacted("a tokenizer, 5 tokens a second, https://hub/x") == "a tokenizer, 5 tokens a second, https://hub/x"
