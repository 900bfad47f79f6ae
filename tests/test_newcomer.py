"""README's first command, as somebody gives it who has nothing but Python: in a clone, in a folder with an unusual name."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FIRST = re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)[0]
DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="README's command is for a shell")
def test_from_nothing_to_a_computed_answer(tmp_path):
    clone = tmp_path / "Ünï cödé dïr" / "qwen gpu"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    home = {f"XDG_{name}_HOME": str(tmp_path / "höme" / name) for name in ("CONFIG", "CACHE", "DATA", "STATE")}
    environment = {name: value for name, value in os.environ.items() if name not in (*DISPLAYS, "PYTHONPATH")} | home
    command = FIRST.replace("python3 ", f"'{sys.executable}' ", 1)
    for attempt in range(2):  # the second time everything is there, as after an interrupted install
        done = subprocess.run(["sh", "-c", command], cwd=clone, env=environment, capture_output=True, text=True, timeout=1800)
        assert done.returncode == 0, f"attempt {attempt}: {done.stderr[-3000:]}"
        assert "[32]" in done.stdout and "replay exact" in done.stdout
