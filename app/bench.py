"""Speed: machine tokens a second, and text tokens a second where the checkpoint has a language model."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from app.checkpoints import Checkpoint, choose
from app.devices import choose_device
from app.paths import Paths
from app.pipeline import Options, Session
from app.selftest import self_test
from app.settings import Settings

LAUNCHES = 5
TEXT_TOKENS = 16


def measure(paths: Paths, note: Callable[[str], None]) -> dict[str, Any]:
    """Both speeds with the user's default checkpoint."""
    checkpoint = choose(None, Settings.read(paths.settings), paths, note=note)
    return {"machine": machine_speed(Session(Options(), paths, note)),
            "text": text_speed(checkpoint) if has_text(checkpoint) else None}


def machine_speed(session: Session) -> dict[str, Any]:
    """Tokens of the fastest of some launches, prompt included, by its seconds."""
    results = [self_test(session) for _ in range(LAUNCHES)]
    best = min(results, key=lambda result: result.launch_seconds)
    return {"tokens_per_second": (best.prompt + best.generated) / best.launch_seconds, "runtime": best.runtime,
            "device": best.device, "tokens": best.prompt + best.generated, "seconds": best.launch_seconds}


def has_text(checkpoint: Checkpoint) -> bool:
    """Whether a language model stands behind the machine."""
    from builder.report import read_report

    return checkpoint.dense and read_report(checkpoint.folder).base["vocabulary"] > 0


def text_speed(checkpoint: Checkpoint) -> dict[str, Any]:
    """Tokens of a greedy continuation by its seconds, every layer dense, after one token to warm up."""
    import torch

    from engine.dense import load_checkpoint

    device = choose_device()
    model = load_checkpoint(checkpoint.folder).to(device)
    prompt = torch.tensor([[1, 2, 3, 4]], device=device)
    with torch.no_grad():
        model.generate(prompt, max_new_tokens=1, do_sample=False, pad_token_id=0)
        began = time.perf_counter()
        model.generate(prompt, max_new_tokens=TEXT_TOKENS, min_new_tokens=TEXT_TOKENS, do_sample=False, pad_token_id=0)
    seconds = time.perf_counter() - began
    return {"tokens_per_second": TEXT_TOKENS / seconds, "device": device, "tokens": TEXT_TOKENS, "seconds": seconds}
