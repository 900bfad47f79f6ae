"""Windows come back on a screen; one app runs for one user's folders."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from app.geometry import DEFAULT, Area, placed
from app.instance import claim, server_name
from app.paths import Paths
from app.preferences import Window

MAIN, RIGHT = Area(0, 25, 1920, 1055), Area(1920, 0, 1280, 720)


@pytest.mark.parametrize(
    ("saved", "screens", "expected"),
    [
        (None, [MAIN], Window(320, 152, *DEFAULT)),
        (None, [Area(0, 0, 1024, 600)], Window(0, 0, 1024, 600)),
        (Window(100, 100, 900, 600), [MAIN], Window(100, 100, 900, 600)),
        (Window(2000, 50, 1000, 600, True), [MAIN, RIGHT], Window(2000, 50, 1000, 600, True)),
        (Window(2000, 50, 1000, 600), [MAIN], Window(460, 252, 1000, 600)),
        (Window(-300, 100, 900, 600), [MAIN], Window(0, 100, 900, 600)),
        (Window(1800, 900, 900, 600), [MAIN], Window(1020, 480, 900, 600)),
        (Window(0, 0, 5000, 4000), [MAIN], Window(0, 25, 1920, 1055)),
        (Window(10, 30, 5, 5), [MAIN], Window(10, 30, 640, 400)),
        (Window(0, 0, 1, 1), [Area(0, 0, 500, 300)], Window(0, 0, 500, 300)),
    ],
)
def test_a_window_comes_back_where_it_can_be_reached(saved, screens, expected):
    assert placed(saved, screens) == expected


numbers = some.integers(-5000, 5000)
areas = some.builds(Area, numbers, numbers, some.integers(400, 4000), some.integers(300, 3000))


@settings(deadline=None)
@given(
    some.builds(Window, numbers, numbers, some.integers(-10, 9000), some.integers(-10, 9000), some.booleans()),
    some.lists(areas, min_size=1, max_size=3),
)
def test_a_window_always_lies_wholly_on_a_screen(saved, screens):
    window = placed(saved, screens)
    assert any(
        area.x <= window.x
        and area.y <= window.y
        and window.x + window.width <= area.x + area.width
        and window.y + window.height <= area.y + area.height
        for area in screens
    )
    assert len(screens) > 1 or placed(window, screens) == window


def test_only_one_app_runs_for_the_same_folders(paths, tmp_path):
    first = claim(paths)
    assert first is not None and claim(paths) is None
    other = Paths(tmp_path, tmp_path, tmp_path / "other", tmp_path)
    second = claim(other)
    assert second is not None and second.server != first.server == server_name(paths)
    second.release()
    first.release()
    again = claim(paths)
    assert again is not None
    again.release()


def test_a_killed_app_does_not_keep_the_next_one_out(paths):
    code = (
        "import time; from app.instance import claim; from app.paths import Paths; held = claim(Paths.of_user()); "
        "print(held.server, flush=True); time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", code], cwd=Path(__file__).parents[2], stdout=subprocess.PIPE, text=True)
    with process:
        try:
            assert process.stdout.readline().strip() == server_name(paths) and claim(paths) is None
        finally:
            process.kill()
    freed = claim(paths)
    assert freed is not None
    freed.release()
