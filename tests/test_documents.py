"""The documents say what is so: their commands run, their links lead somewhere, what they quote is in the repository."""

import ast
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli.desktop import PACKAGES
from app.cli.parser import COMMANDS, parse

ROOT = Path(__file__).parents[1]
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md")), ROOT / "packaging" / "README.md"]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PYTHON, PROGRAM, PIP = ("python", ".venv/bin/python"), ("qwengpu", ".venv/bin/qwengpu"), (".venv/bin/pip",)


def commands(text):
    """Shell commands, however they are joined."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [shlex.split(part) for line in lines for part in line.split("&&")]


def shown(path):
    """The blocks of shell commands of a document."""
    return re.findall(r"```sh\n(.*?)```", path.read_text(encoding="utf-8"), re.S)


SETUPS = [block for path in DOCUMENTS for block in shown(path) if "-m venv" in block]
"""What makes an environment; `test_newcomer.py` and `test_bundle.py` run these in a clone."""
WITHIN = [
    (path.name, command)
    for path in DOCUMENTS
    for block in shown(path)
    if block not in SETUPS
    for command in commands(block)
    if command[0] not in PIP
]
"""What is run in an environment that is there."""


def test_ci_runs_the_readmes_test_command():
    ci = [
        command for command in commands((ROOT / ".ci" / "run").read_text(encoding="utf-8")) if command[0] not in ("set", "cd")
    ]
    assert ci in [commands(block) for block in shown(ROOT / "README.md")]


def test_one_command_starts_the_app_and_one_tests_it():
    first, second = (commands(block) for block in shown(ROOT / "README.md")[:2])
    assert first[-1] == [".venv/bin/qwengpu"] and second[-1] == [".venv/bin/python", "-m", "pytest"]
    assert first[:-2] == second[:-2], "both begin with the same environment"


@pytest.mark.parametrize(("document", "command"), WITHIN, ids=[" ".join(command) for _, command in WITHIN])
def test_a_command_can_be_given(document, command):
    name, *arguments = command
    if name in PROGRAM:
        parsed = parse(arguments)
        files = [arguments[place] for place, word in enumerate(arguments) if word.endswith((".cu", ".json"))]
        assert parsed.execute and all((ROOT / file).is_file() for file in files)
        return
    assert name in PYTHON, f"{document}: who runs '{name}'?"
    if arguments[0] == "-m":
        module = arguments[1]
        assert (
            module in ("pytest", "ruff", "mypy")
            or (ROOT / module.replace(".", "/")).with_suffix(".py").is_file()
            or (ROOT / module.replace(".", "/") / "__main__.py").is_file()
        )
    else:
        assert (ROOT / arguments[0]).is_file()


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """The repository as it was committed, to run things in."""
    target = tmp_path_factory.mktemp("clone") / "repository"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(target)], check=True)
    return target


@pytest.mark.slow
@pytest.mark.parametrize(("document", "command"), WITHIN, ids=[" ".join(command) for _, command in WITHIN])
def test_a_command_runs(clone, document, command):
    name, *arguments = command
    started = [sys.executable, *(["-m", "app"] if name in PROGRAM else []), *arguments]
    if arguments[:2] == ["-m", "pytest"]:
        started.append("--collect-only")  # this is a run of the tests already
    done = subprocess.run(started, cwd=clone, capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, f"{document}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}"


def test_the_readme_and_the_message_name_the_same_packages():
    assert f"`apt install {PACKAGES}`" in README


def test_the_example_in_the_readme_is_the_file():
    source = (ROOT / "resources" / "examples" / "dot.cu").read_text(encoding="utf-8")
    quoted = re.search(r"```c\+\+\n(.*?)```", README, re.S)
    assert quoted and quoted.group(1) in source


def test_the_replay_script_is_the_file_and_stands_alone():
    source = (ROOT / "resources" / "replay_trace.py").read_text(encoding="utf-8")
    honesty = (ROOT / "docs" / "honesty.md").read_text(encoding="utf-8")
    assert f"```python\n{source}```" in honesty and len(source.splitlines()) <= 40
    imported = {
        alias.name.split(".")[0] for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import) for alias in node.names
    }
    assert imported == {"json", "torch", "transformers"} and "from " not in re.sub(r'""".*?"""', "", source, flags=re.S)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path):
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", path.read_text(encoding="utf-8")):
        assert target.startswith("https://") or (path.parent / target).exists(), target


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_files_that_are_named_are_there(path):
    for name in re.findall(
        r"`((?:app|engine|builder|toolchain|resources|tests|packaging|docs)/[\w./-]+)`", path.read_text(encoding="utf-8")
    ):
        assert (ROOT / name).exists(), name


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_modules_that_are_named_can_be_run(path):
    ours = re.compile(r"-m ((?:app|engine|builder|toolchain|tests)[\w.]*)")
    for name in ours.findall(path.read_text(encoding="utf-8")):
        place = ROOT / name.replace(".", "/")
        assert place.with_suffix(".py").is_file() or (place / "__main__.py").is_file(), name


def test_every_command_is_in_the_readme():
    assert all(f"`qwengpu {name}" in README for name in COMMANDS)


def test_messages_that_are_explained_can_be_met():
    text = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8").partition("## Starting")[2]
    sources = [path for room in ("app", "engine", "builder", "toolchain") for path in (ROOT / room).rglob("*.py")]
    written = re.sub(r'"\s*\n\s*f?"', "", "".join(path.read_text(encoding="utf-8") for path in sources))
    for cell in re.findall(r"^\| (.*?) \|", text, re.M):
        for message in re.findall(r"`([^`]+)`", cell):
            parts = [part.strip() for part in re.split(r"\.\.|\bX\b", message) if part.strip()]
            assert all(part in written for part in parts), message
