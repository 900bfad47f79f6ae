"""`qwengpu doctor --bench`: both speeds, of the model and the machine that a conversation would use."""

import json

from app import bench
from app.checkpoints import Checkpoint, Origin
from app.cli import entry
from tests.app.interpreted import interpreted  # noqa: F401  a fixture


def test_both_speeds_are_measured(interpreted, monkeypatch, capsys, tmp_path):  # noqa: F811
    monkeypatch.setattr(bench, "choose", lambda *arguments, **options: Checkpoint(tmp_path, Origin.EMBEDDED))
    assert entry.invoke(["doctor", "--bench", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["bench"]
    text, machine = found["text"], found["machine"]
    assert text["tokens"] == bench.TEXT_TOKENS and text["tokens_per_second"] > 0 and text["device"] == "cpu"
    assert machine["tokens"] > 14 and machine["tokens_per_second"] > 0 and len(interpreted) == 1
    assert entry.invoke(["doctor", "--bench"]) == 0
    lines = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    assert "tokens/s" in lines["machine"] and "tokens/s on cpu" in lines["text"]
