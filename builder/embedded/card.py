"""The model card beside the weights: what the model is, what it was made from, how well it does."""

import json
from dataclasses import dataclass, replace
from pathlib import Path

from builder.embedded.measure import Report, Row
from builder.embedded.train import Settings


@dataclass(frozen=True)
class Stage:
    """A stage of the training as the log tells it. sources: digest of what ran it; minutes: of one CPU core."""

    settings: Settings
    sources: str
    minutes: float = 0.0


def read_log(log: Path) -> list[Stage]:
    """The stages in order; a stage that was broken off and resumed is one."""
    stages: list[Stage] = []
    for entry in map(json.loads, log.read_text(encoding="utf-8").splitlines()):
        if "settings" not in entry:
            stages[-1] = replace(stages[-1], minutes=max(stages[-1].minutes, entry["cpu_minutes"]))
            continue
        settings = Settings(**entry["settings"])
        if not stages or stages[-1].settings != settings:
            stages.append(Stage(settings, entry["sources"]))
    return stages


def write_card(report: Report, stages: list[Stage], parameters: int, sha256: str) -> str:
    """The card as Markdown."""
    rows = "\n".join(map(_line, report.rows))
    told = "\n".join(f"{number}. {_told(stage)}" for number, stage in enumerate(stages, 1))
    minutes = sum(stage.minutes for stage in stages)
    return f"""---
license: apache-2.0
language: en
---
# The embedded model of qwenGPU Desktop

A language model of Qwen3.5's architecture with {parameters:,} parameters, trained from scratch by
`python -m builder.embedded train` on dialogues that `builder/embedded` makes; no outside text or weights went into it. It turns
a question in plain English into a call over whole numbers, such as `dot([1, 2, 3], [4, 5, 6])`; the machine in the layers
before it computes the call. It is the default until a larger model is downloaded.

It is not a chat model. It knows no facts, no decimals, no numbers above twenty in words. It can read a question
wrongly: the call is always shown beside the result, so compare the two. For anything else it says that it cannot help.

How a conversation is written, and how a host drives it: the text at the top of `builder/embedded/chat.py`.
Which functions there are: `builder/embedded/signatures.py`.

## Measured
By `python -m builder.embedded evaluate`; decoding is greedy, the grammar holds calls well-formed. "Held-out numbers" are an
eighth of all numbers from 100 on that training never shows. The held-out wordings were written down before the generator's,
but by the same author; those whose wording occurs in a sample of the training questions are not counted as held out.

| what | cases | right | target |
|---|---|---|---|
{rows}

Greedy decoding: {report.tokens_a_second:.0f} tokens a second of one core's time.

## Training
{told}

{minutes:.1f} minutes of one CPU core in all; the log, `training.jsonl`, names for each stage the digest of the sources that ran
it. sha256 of `model.safetensors`: `{sha256}`.
"""


def _told(stage: Stage) -> str:
    settings = stage.settings
    letters = "in small letters" if settings.small_letters else "as typed"
    return (
        f"{settings.steps} steps of about {settings.tokens_a_step} tokens, seed {settings.seed}, learning rate at most "
        f"{settings.rate:g}: dialogues of the mix `{settings.mix}`, {letters}; {stage.minutes:.1f} minutes."
    )


def _line(row: Row) -> str:
    target = f"{100 * row.target:.0f} %" if row.target else ""
    return f"| {row.name} | {row.total} | {100 * row.right / row.total:.1f} % | {target} |"
