"""What the launch inspector costs: opening a record, a step with its picture, going back, reaching any token.

Run by hand: `python -m tests.bench.bench_inspector`. Prints a table for traces of 72, 10,000 and 100,000 tokens, in
milliseconds of processor time of one core, painting included. A picture at 60 a second may take 16.7 ms; opening 200.
"""

from __future__ import annotations

import os
import random
import statistics
from collections.abc import Callable
from time import process_time

HEADS = ("trace", "tokens", "open", "step", "worst", "back", "jump", "work out s", "us/token")


def main() -> None:
    """Measure and print."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from app.ui.collecting import Collecting
    from app.ui.inspector import InspectorPanel
    from app.ui.inspector.panel import warm
    from app.ui.theme import install
    from tests.app.inspection.made import counting, dot

    application = QApplication.instance() or QApplication([])
    install(application)
    records = [("dot", dot()), ("10,000", counting(3_320)), ("100,000", counting(33_300))]
    print(("{:>11}" * len(HEADS)).format(*HEADS))
    panel = InspectorPanel()
    panel.resize(688, 800)
    panel.show()
    warm()
    Collecting(panel).start()
    application.processEvents()
    for name, record in records:
        opened = cost(lambda record=record: (panel.open(record.receipt), application.processEvents()))
        player = panel.player
        worked = cost(lambda player=player: (player.timeline.advance(10**9), player.index.extend(10**9))) / 1000
        count, go = len(player.timeline), player.go
        middle = player.timeline.host + (count - player.timeline.host) // 2
        go(middle)
        application.processEvents()
        ahead = range(middle + 1, min(middle + 300, count))
        steps, backs, jumps = (
            [cost(lambda place=place, go=go: (go(place), application.processEvents())) for place in places]
            for places in (ahead, reversed(ahead), random.Random(1).sample(range(count), 60))
        )
        print(
            f"{name:>11}{count:>11,}{opened:>11.1f}{statistics.median(steps):>11.1f}{max(steps):>11.1f}"
            f"{statistics.median(backs):>11.1f}{statistics.median(jumps):>11.1f}{worked:>11.2f}{worked / count * 1e6:>11.0f}"
        )


def cost(action: Callable[[], object]) -> float:
    """Milliseconds of processor time."""
    start = process_time()
    action()
    return (process_time() - start) * 1000


if __name__ == "__main__":
    main()
