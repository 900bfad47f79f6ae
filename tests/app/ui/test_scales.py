"""Screens at 150 % and 200 %: as sharp as the screen, and nothing is cut off. Qt reads the scale when a process begins."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

LOOK = """
import asyncio, json, sys, tempfile
from pathlib import Path
import qasync
from PySide6.QtCore import QPoint
from app.ui.application import make_application, make_window
from tests.app.ui import samples

application = make_application(["scales"])

async def look():
    desk, client = samples.make_desk(Path(tempfile.mkdtemp()))
    ids = samples.fill(desk.store)
    window = make_window(application, desk)
    window.start()
    window.resize(900, 600)
    window.show()
    await desk.engine.open()
    window.open_chat(ids["Vectors and dot products"])
    found = []
    for show in (window.show_chat_page, window.show_playground, lambda: window.show_settings("model")):
        show()
        await asyncio.sleep(0.3)
        picture = window.grab()
        edges = [window.chat.composer.button] if show == window.show_chat_page else []
        inside = all(window.rect().contains(one.mapTo(window, one.rect().bottomRight())) for one in edges)
        image = picture.toImage()
        colors = {image.pixel(x, y) for x in range(0, image.width(), 9) for y in range(0, image.height(), 9)}
        found.append((picture.width(), picture.height(), inside, len(colors) > 8))
    window.close()
    await desk.chatting.close()
    await desk.engine.close()
    desk.store.close()
    print("FOUND", json.dumps(found))

with qasync.QEventLoop(application) as loop:
    loop.run_until_complete(look())
"""


@pytest.mark.parametrize("scale", [1.5, 2.0])
def test_a_small_window_at_a_scale(scale):
    surroundings = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": str(scale)}
    ran = subprocess.run(
        [sys.executable, "-c", LOOK], capture_output=True, text=True, cwd=ROOT, env=surroundings, timeout=110, check=False
    )
    told = [line for line in ran.stdout.splitlines() if line.startswith("FOUND")]
    assert told, ran.stderr
    found = json.loads(told[0].removeprefix("FOUND"))
    assert [tuple(size) for *size, _, _ in found] == [(900 * scale, 600 * scale)] * 3
    assert all(inside and painted for _, _, inside, painted in found)
