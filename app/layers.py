"""The 69 layers of a built model, as people see them: what each does and how many of its weights are not zero.

`resources/ui/layers.json` is written by `python packaging/layer_profile.py` from the compiled machine; a test compares the two.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import pairwise

from app.texts import Text, translate

BASE_LAYERS = 24
"""Qwen3.5-2B's own layers, behind the compiled ones."""
BASE_MLP = 3 * 2048 * 6144
BASE_MIXERS = (*(2048 * (6144 + 2048 + 32 + 2048),) * 3, 2048 * (4096 + 512 + 512 + 2048))
"""Weights of a mixer: three linear-attention layers, then one of full attention."""
SMALLEST = 10
"""Weights that a bar of no height stands for; heights are logarithmic."""


@dataclass(frozen=True)
class Layer:
    """One layer. circuit: the builder's name of what it mostly does, "" for Qwen's; mixer, mlp: weights that are not zero."""

    index: int
    circuit: str
    mixer: int
    mlp: int

    @property
    def compiled(self) -> bool:
        """Whether the builder wrote it."""
        return bool(self.circuit)


@dataclass(frozen=True)
class Group:
    """Neighbouring layers with one purpose. last: inclusive."""

    name: Text
    first: int
    last: int


@cache
def layers() -> tuple[Layer, ...]:
    """All layers from the first to the last."""
    profile = json.loads((resources.files("resources") / "ui" / "layers.json").read_text(encoding="utf-8"))
    compiled = tuple(Layer(index, *entry) for index, entry in enumerate(profile["layers"]))
    base = tuple(Layer(len(compiled) + index, "", BASE_MIXERS[index % 4], BASE_MLP) for index in range(BASE_LAYERS))
    return compiled + base


def groups() -> tuple[Group, ...]:
    """The layers by what they are for."""
    compiled = [layer for layer in layers() if layer.compiled]
    starts = [next(layer.index for layer in compiled if layer.circuit == f"stage {stage}, operands") for stage in range(4)]
    after = next(layer.index for layer in compiled if layer.circuit == "write-out mask")
    edges = [0, *starts, after, len(compiled) - 1, len(compiled), len(layers())]
    names = [
        translate("Layers", "Input"),
        *(translate("Layers", "Stage {number}").format(number=n) for n in range(1, 5)),
        translate("Layers", "Write-back"),
        translate("Layers", "Output"),
        translate("Layers", "Qwen, copied unchanged"),
    ]
    return tuple(Group(name, first, last - 1) for name, (first, last) in zip(names, pairwise(edges), strict=True))


def height(weights: int) -> float:
    """How tall the bar of so many weights is, 0 to 1: logarithmic, 1 for the largest part of any layer."""
    return math.log(max(weights, SMALLEST) / SMALLEST) / math.log(BASE_MLP / SMALLEST)


PURPOSES = {
    "boot": translate("Layers", "start of a token"),
    "decode": translate("Layers", "reading the token"),
    "context": translate("Layers", "which block runs"),
    "staging": translate("Layers", "loading the program"),
    "memory": translate("Layers", "memory"),
    "registers": translate("Layers", "registers"),
    "operands": translate("Layers", "operands"),
    "alu": translate("Layers", "arithmetic"),
    "program": translate("Layers", "program"),
    "tags": translate("Layers", "bounds checks"),
    "write-out mask": translate("Layers", "what is written out"),
    "program counter": translate("Layers", "program counter"),
    "next slot": translate("Layers", "the next slot"),
    "scheduler": translate("Layers", "scheduler"),
    "choice": translate("Layers", "the next token"),
    "next token's code": translate("Layers", "the next token's code"),
    "output": translate("Layers", "output"),
}
"""The builder's names of circuits, in words."""


def purpose(layer: Layer) -> Text:
    """What a layer does, such as "Stage 4, arithmetic"."""
    if not layer.compiled:
        return translate("Layers", "Qwen's own, copied unchanged")
    if not layer.circuit.startswith("stage "):
        return PURPOSES[layer.circuit]
    stage, part = layer.circuit.removeprefix("stage ").split(", ")
    return translate("Layers", "Stage {number}, {part}").format(number=int(stage) + 1, part=PURPOSES[part])
