"""Writes `resources/ui/layers.json`: for every compiled layer its main circuit and its nonzero weights in mixer and MLP."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "resources" / "ui" / "layers.json"


def profile() -> dict[str, Any]:
    """The file's content, from the machine that this tree compiles."""
    from builder.machine import compile_machine, sparse_layers

    placed = compile_machine()
    entries = []
    for index, layer in sparse_layers(placed).items():
        written = placed.netlist.layers[index]
        parts = Counter(item.circuit for item in (*written.neurons, *written.heads))
        counts = {name: len(matrix.values) for name, matrix in layer.matrices.items()}
        entries.append(
            [
                parts.most_common(1)[0][0],
                sum(count for name, count in counts.items() if name.startswith("linear_attn.")),
                sum(count for name, count in counts.items() if name.startswith("mlp.")),
            ]
        )
    return {"layers": entries}


def written(content: dict[str, Any]) -> str:
    """The content as the file holds it: one layer a line."""
    lines = ",\n".join(f"  {json.dumps(entry)}" for entry in content["layers"])
    return f'{{"layers": [\n{lines}\n]}}\n'


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    TARGET.write_text(written(profile()), encoding="utf-8")
