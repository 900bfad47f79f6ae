"""Speed: machine tokens a second, and text tokens a second of the language model that a conversation would use."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from app.checkpoints import Checkpoint, choose
from app.paths import Paths
from app.pipeline import Options, Session
from app.selftest import self_test
from app.settings import Settings

LAUNCHES = 5
TEXT_TOKENS = 16
QUESTION = "what is 6 times 7?"


def measure(paths: Paths, note: Callable[[str], None]) -> dict[str, Any]:
    """Both speeds with the user's default checkpoint. Raises InputError, EnvironmentProblem."""
    checkpoint = choose(None, Settings.read(paths.settings), paths, note=note)
    return {"machine": machine_speed(Session(Options(), paths, note)), "text": text_speed(checkpoint)}


def machine_speed(session: Session) -> dict[str, Any]:
    """Tokens of the fastest of some launches, prompt included, by its seconds."""
    results = [self_test(session) for _ in range(LAUNCHES)]
    best = min(results, key=lambda result: result.launch_seconds)
    return {
        "tokens_per_second": (best.prompt + best.generated) / best.launch_seconds,
        "runtime": best.runtime,
        "device": best.device,
        "tokens": best.prompt + best.generated,
        "seconds": best.launch_seconds,
    }


def text_speed(checkpoint: Checkpoint) -> dict[str, Any]:
    """Tokens that the language model writes by their seconds, as in a conversation, behind a question that it has read."""
    from app.compute.library import load_library
    from app.conversation.messages import Message
    from app.conversation.opening import open_text

    model = open_text(checkpoint, load_library())
    model.begin(model.prompt([Message("user", QUESTION)]))
    model.feed([model.ranked()[0]])  # the first one warms up
    began = time.perf_counter()
    for _ in range(TEXT_TOKENS):
        model.feed([model.ranked()[0]])
    seconds = time.perf_counter() - began
    return {"tokens_per_second": TEXT_TOKENS / seconds, "device": model.device, "tokens": TEXT_TOKENS, "seconds": seconds}
