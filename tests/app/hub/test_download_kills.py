"""A process that downloads is killed at random moments: what is on disk is gone on with, and the result is right."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.hub.download import unfinished
from app.hub.model import State
from tests.servers.hub import Faults, hub, tiny_model

ROOT = Path(__file__).parents[3]
FETCH = """
import asyncio, sys
from pathlib import Path
from app.hub.download import Download, Timing
from app.hub.model import Source

async def work():
    download = Download(Path(sys.argv[1]), Source(endpoint=sys.argv[2]), lambda now: print(now.have, flush=True),
                        Timing(backoff=(0.01,), told=0.0))
    download.start()
    await download.finished()

asyncio.run(work())
"""


@pytest.mark.parametrize("kills", [10, pytest.param(100, marks=pytest.mark.slow)])
def test_what_came_stays_and_the_end_is_right(tmp_path, kills):
    chance = random.Random(kills)
    model = tiny_model(tmp_path / "repository", 1 << 20, shards=3)
    folder, had = tmp_path / "model", 0
    with hub(model, faults=Faults(slow=0.004)) as server:
        for _ in range(kills):
            process = subprocess.Popen(
                [sys.executable, "-c", FETCH, str(folder), server.endpoint], cwd=ROOT, stdout=subprocess.PIPE
            )
            with process:
                process.stdout.readline()
                time.sleep(chance.random() * 6 / kills)
                process.kill()
            left = unfinished(folder)
            if left is not None:
                assert left.state is State.PAUSED and left.have >= had
                had = left.have
        server.faults.slow = 0.0
        subprocess.run(
            [sys.executable, "-c", FETCH, str(folder), server.endpoint],
            cwd=ROOT,
            check=True,
            timeout=120,
            stdout=subprocess.DEVNULL,
        )
        asked = sum("/resolve/" in path and path.endswith(".safetensors") for path, _ in server.asked)
        assert asked >= 3 and unfinished(folder) is None
    for path in model.glob("*.safetensors"):
        assert (folder / path.name).read_bytes() == path.read_bytes()
