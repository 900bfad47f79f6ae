"""Which way dependencies point, what stays free of torch, and that generated and styled files are as they should be."""

import ast
import functools
import re
import subprocess
import sys
from pathlib import Path

import pytest

from engine.machine.docs import PATH, render

ROOT = Path(__file__).parents[1]
ROOMS = ("app", "engine", "builder", "toolchain")
ALLOWED = {
    "engine.machine": {"engine.machine"},
    "engine": {"engine"},
    "builder": {"builder", "engine.machine"},
    "toolchain": {"toolchain", "engine.machine"},
    "app": {"app", "engine", "builder", "toolchain"},
}
"""What each room may import of ours."""
TEXT = (".py", ".md", ".toml", ".lark", ".h", ".cu", ".json", ".yml", "")
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:home|work|opt(?!/homebrew)|root|tmp|Users|mnt|srv)/[\w.-]+")
"""Absolute paths of somebody's computer; Homebrew's prefix is the same on every Mac."""


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z", "--cached"], cwd=ROOT, capture_output=True, check=True)
    return [ROOT / name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()]


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@functools.cache
def imports(path: Path, module: str) -> list[tuple[str, bool]]:
    """Every module that a file imports, and whether that happens when it is imported itself."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    tree = ast.parse(path.read_text(encoding="utf-8"))
    lazy = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
    }
    lazy |= {
        id(node)
        for branch in ast.walk(tree)
        if isinstance(branch, ast.If) and "TYPE_CHECKING" in ast.dump(branch.test)
        for node in ast.walk(branch)
    }
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(alias.name, id(node) not in lazy) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            target = ".".join([*base, *([node.module] if node.module else [])])
            found += [(f"{target}.{alias.name}", id(node) not in lazy) for alias in node.names]
    return found


SOURCES = {module_of(path): path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))}


def room_of(module: str) -> str:
    return "engine.machine" if f"{module}.".startswith("engine.machine.") else module.split(".")[0]


@pytest.mark.parametrize("module", SOURCES)
def test_imports_point_one_way(module):
    ours = {room_of(name) for name, _ in imports(SOURCES[module], module) if name.split(".")[0] in ROOMS}
    if module == "engine":
        ours.discard("engine.machine")
    allowed = ALLOWED[room_of(module)] | ({"engine.machine"} if room_of(module) in ("engine", "app") else set())
    assert ours <= allowed, f"{module} imports {sorted(ours - allowed)}"


def eager_closure(module: str) -> set[str]:
    """All modules of ours and top-level packages of others that importing a module brings in."""
    seen, todo = set(), [module]
    while todo:
        current = todo.pop()
        if current in seen:
            continue
        seen.add(current)
        if current not in SOURCES:
            continue
        parents = [current.rsplit(".", count)[0] for count in range(1, current.count(".") + 1)]
        for name, eager in imports(SOURCES[current], current):
            if not eager:
                continue
            known = next((part for part in (name, name.rpartition(".")[0]) if part in SOURCES), None)
            todo.append(known or name.split(".")[0])
        todo += parents
    return seen


WITH_TORCH = {"app.engines", *(f"app.conversation.{name}" for name in ("carried", "opening", "stock", "textmodel"))}
"""Modules of the app that hold weights; others import them only where they are used, which the test below shows."""
FREE_OF_TORCH = [
    module for module in SOURCES if room_of(module) in ("app", "toolchain", "engine.machine") and module not in WITH_TORCH
]


@pytest.mark.parametrize("module", FREE_OF_TORCH)
def test_no_torch_at_import_time(module):
    assert not eager_closure(module) & {"torch", "transformers"}, f"{module} imports torch when it is imported"


@pytest.mark.parametrize("module", ["app.engines", "app.conversation.opening", "app.conversation.talk"])
def test_the_built_in_model_answers_without_transformers(module):
    assert "transformers" not in eager_closure(module), f"{module} imports transformers, which takes longer than an answer"


def test_the_command_line_starts_without_torch():
    code = "import sys, app.__main__, toolchain, engine.machine; sys.exit('torch' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, timeout=60).returncode == 0


def test_the_machines_document_is_up_to_date():
    assert PATH.read_text(encoding="utf-8") == render(), "run: python -m engine.machine.docs"


@pytest.mark.parametrize("wanted", [("check", "--output-format=concise"), ("format", "--check", "--force-exclude")])
def test_ruff_has_nothing_to_say(wanted):
    command = [sys.executable, "-m", "ruff", *wanted, "--no-cache"]
    sources = [str(path) for path in tracked() if path.suffix == ".py"]
    checked = subprocess.run([*command, *sources], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_no_file_knows_a_machine():
    found = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in tracked()
        if path.suffix in TEXT and path.relative_to(ROOT).parts[0] != "tests"
        for match in MACHINE_PATH.finditer(path.read_text(encoding="utf-8", errors="replace"))
    ]
    assert not found, "\n".join(found)


def test_public_functions_say_what_they_do():
    silent = []
    for module, path in SOURCES.items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        owners = [tree, *(node for node in tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_"))]
        for owner in owners:
            for node in owner.body:
                named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
                if named and not node.name.startswith("_") and not ast.get_docstring(node):
                    silent.append(f"{module}.{node.name}")
    assert not silent, f"no docstring: {silent}"
