"""README and CI say the same, and what README shows is what is in the repository."""

import ast
import re
import shlex
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def commands(text):
    """Shell commands, however they are joined."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [shlex.split(part) for line in lines for part in line.split("&&")]


def test_ci_runs_the_readmes_test_command():
    shown = [commands(block) for block in re.findall(r"```sh\n(.*?)```", README, re.S)]
    ci = [command for command in commands((ROOT / ".ci" / "run").read_text(encoding="utf-8"))
          if command[0] not in ("set", "cd")]
    assert ci in shown


def test_the_example_in_the_readme_is_the_file():
    source = (ROOT / "resources" / "examples" / "dot.cu").read_text(encoding="utf-8")
    shown = re.search(r"```c\+\+\n(.*?)```", README, re.S)
    assert shown and shown.group(1) in source


def test_the_replay_script_in_the_readme_is_the_file_and_stands_alone():
    source = (ROOT / "resources" / "replay_trace.py").read_text(encoding="utf-8")
    assert f"```python\n{source}```" in README and len(source.splitlines()) <= 40
    imported = {alias.name.split(".")[0] for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import)
                for alias in node.names}
    assert imported == {"json", "torch", "transformers"} and "from " not in re.sub(r'""".*?"""', "", source, flags=re.S)


def test_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert target.startswith("https://") or (ROOT / target).exists(), target


def test_every_command_is_in_the_readme():
    from app.cli.parser import COMMANDS

    assert all(f"`qwengpu {name}" in README for name in COMMANDS)
