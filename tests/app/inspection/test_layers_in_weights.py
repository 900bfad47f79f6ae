"""The layers that the picture lights are those whose state really changes when the compiled weights run the launch."""

import numpy as np
import pytest

from app.inspection.layers import activity
from app.inspection.timeline import Timeline
from engine.compact import CompactRuntime
from engine.machine.tokens import TOKENS
from engine.weights import read_machine
from tests.app.inspection.made import barriers, dot

KEEPING = {2, 3, 38, 40}
"""Layers that note what runs, what is staged, program counters and slots: on many tokens they write what they hold already."""
HOUSEKEEPING = {2, 3, 36, 38, 40}
"""Of these a token's kind does not say whether anything changes; the picture shows them where they always write."""


@pytest.mark.slow
@pytest.mark.parametrize("record", [dot, barriers], ids=["dot", "barriers"])
def test_what_is_lit_is_what_changes(record, machine_file):
    launch = record().launches[0]
    timeline = Timeline(launch.program, launch.prompt, launch.generated)
    runtime = CompactRuntime(read_machine(machine_file))
    ever: dict[str, set[int]] = {}
    claimed: dict[str, set[int]] = {}
    for position, token in enumerate(timeline.tokens):
        before = runtime.snapshot()
        runtime.feed([TOKENS.ids[token]])
        changed = {
            layer
            for layer, (old, new) in enumerate(zip(before, runtime.snapshot(), strict=True))
            if old is not None and not np.array_equal(old.heads, new.heads)
        }
        following = timeline.tokens[position + 1] if position + 1 < len(timeline) else None
        writes = activity(timeline.moment(position), following).writes
        assert changed <= writes | HOUSEKEEPING | {4}, (position, token, changed, writes)
        kind = token.kind + str(token.fields[1] if token.kind == "PROG" else len(writes))
        ever.setdefault(kind, set()).update(changed)
        claimed.setdefault(kind, set()).update(writes)
    for kind, writes in claimed.items():
        assert writes - KEEPING <= ever[kind] | HOUSEKEEPING, (kind, writes, ever[kind])
