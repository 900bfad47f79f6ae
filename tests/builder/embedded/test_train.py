"""Training is decided by its settings alone, can be broken off and resumed, and learns."""

import json

import pytest
import torch

from builder.embedded import train as training
from builder.embedded.muon import orthogonalise
from builder.embedded.train import Settings

TINY = Settings(steps=4, tokens_a_step=256, longest_dialogue=64, warm_up=1)


def weights(model) -> torch.Tensor:
    return torch.cat([parameter.detach().flatten() for parameter in model.parameters()])


def test_orthogonalised_singular_values_are_near_one():
    values = torch.linalg.svdvals(orthogonalise(torch.randn(24, 60, generator=torch.Generator().manual_seed(1))))
    assert values.min() > 0.5 and values.max() < 1.4


def test_a_resumed_training_ends_where_an_unbroken_one_does(tokenizer, tmp_path, monkeypatch):
    monkeypatch.setattr(training, "KEPT_EVERY", 2)
    whole = training.train(tokenizer, TINY, tmp_path / "whole.jsonl")
    state = tmp_path / "state.pt"
    with monkeypatch.context() as patch:
        losses = iter(range(3))

        def failing(*arguments: object) -> torch.Tensor:
            if next(losses) == 2:
                raise KeyboardInterrupt
            return loss(*arguments)

        loss = training._loss
        patch.setattr(training, "_loss", failing)
        with pytest.raises(KeyboardInterrupt):
            training.train(tokenizer, TINY, tmp_path / "broken.jsonl", state)
    resumed = training.train(tokenizer, TINY, tmp_path / "resumed.jsonl", state)
    assert torch.equal(weights(whole), weights(resumed))


def test_the_log_tells_settings_and_progress(tokenizer, tmp_path):
    log = tmp_path / "log.jsonl"
    training.train(tokenizer, TINY, log)
    lines = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    assert lines[0]["settings"]["seed"] == TINY.seed
    assert lines[-1]["step"] == TINY.steps and lines[-1]["loss"] > 0
