"""What a build could not keep silent on text, in sentences: from the mute's part of `build_report.json`, without torch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

SHOWN = 8
"""Rows that a sentence names, those that change most first; `build_report.json` has all of them."""


def describe(mute: Mapping[str, Any]) -> Iterator[str]:
    """What happens to the rows of the vocabulary in stock transformers, whole sentences."""
    guarded, violators = mute.get("guarded", []), mute["violators"]
    if not guarded and not violators:
        yield "every row of the vocabulary is proven muted"
        return
    texts = mute.get("texts", {})
    yield f"{mute['rows'] - len(guarded) - len(violators):,} rows of the vocabulary are proven muted"
    if guarded:
        loss = mute["loss"]
        yield (
            f"{len(guarded):,} rows lose one of their axes, at most {100 * max(loss):.2g} % of their length: "
            + _named(guarded, loss, texts)
        )
    if violators:
        effect = mute["effect"]
        told = f", by up to {max(effect):.2g} times their length" if effect else ""
        yield f"{len(violators):,} rows cannot be muted and change{told}: {_named(violators, effect, texts)}"
    yield "that is so where the compiled layers see text, in stock transformers; the compact runtime leaves text as it is"


def _named(rows: Sequence[int], sizes: Sequence[float], texts: Mapping[str, str]) -> str:
    """The rows that change most, each with its token's text."""
    order = sorted(range(len(rows)), key=lambda place: -sizes[place] if place < len(sizes) else 0.0)[:SHOWN]
    names = [f"{texts[str(rows[i])]!r} ({rows[i]})" if str(rows[i]) in texts else f"row {rows[i]}" for i in order]
    more = len(rows) - len(names)
    return ", ".join(names) + (f" and {more:,} more, which build_report.json names" if more else "")
