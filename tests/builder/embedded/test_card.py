"""The training log, read back for the card."""

import json
from dataclasses import asdict

from builder.embedded.card import Stage, read_log
from builder.embedded.files import FOLDER, LOG
from builder.embedded.train import STAGES, sources_digest


def test_a_resumed_stage_is_one_and_stages_stay_apart(tmp_path):
    first, second = STAGES
    entries = [
        {"settings": asdict(first), "first": 0, "sources": "a"},
        {"step": 25, "loss": 2.0, "tokens": 10, "cpu_minutes": 0.5},
        {"settings": asdict(first), "first": 25, "sources": "a"},
        {"step": 50, "loss": 1.0, "tokens": 10, "cpu_minutes": 0.9},
        {"settings": asdict(second), "first": 0, "sources": "b"},
        {"step": 25, "loss": 0.5, "tokens": 10, "cpu_minutes": 0.3},
    ]
    log = tmp_path / "training.jsonl"
    log.write_text("\n".join(map(json.dumps, entries)) + "\n", encoding="utf-8")
    assert read_log(log) == [Stage(first, "a", 0.9), Stage(second, "b", 0.3)]


def test_a_log_from_before_a_setting_was_known_is_still_read(tmp_path):
    old = {name: value for name, value in asdict(STAGES[0]).items() if name not in ("mix", "small_letters")}
    log = tmp_path / "training.jsonl"
    log.write_text(json.dumps({"settings": old, "first": 0, "sources": "a"}) + "\n", encoding="utf-8")
    assert read_log(log) == [Stage(STAGES[0], "a")]


def test_the_shipped_log_is_of_these_stages_and_within_the_hour():
    stages = read_log(FOLDER / LOG)
    assert [stage.settings for stage in stages] == list(STAGES)
    assert stages[-1].sources == sources_digest(), "what decides the weights has changed since they were trained"
    assert sum(stage.minutes for stage in stages) <= 60
