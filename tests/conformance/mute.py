"""What text loses to the compiled layers, table by table: python -m tests.conformance.mute MACHINE.safetensors

Two parts, both with tables that are made, not downloaded. Small: a machine of four layers in front of a random base, merged as
a user would, and the next token's distribution of both models on the same texts. Full: the real machine fitted to tables of
its own width, and a text through all of its layers as stock modules. Saves `results/mute.json` after every table.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import torch
from transformers import AutoModelForCausalLM, PreTrainedModel, Qwen3_5TextConfig
from transformers.models.qwen3_5.modeling_qwen3_5 import Qwen3_5DecoderLayer

from builder import fit as fitting
from builder import machinefile
from builder.base import Base, open_base
from builder.machinefile import Fit, Machine, compiled, open_machine, read_fit
from builder.merge import build
from builder.mute import MuteProof
from builder.report import read_report
from builder.workspace import Watch
from engine.compact import CompactRuntime
from engine.launch import launch
from engine.machine.container import FILE_NAME
from engine.machine.spec import MachineSpec
from engine.weights import read_machine
from tests.conformance import results
from tests.engine import programs, synthetic
from tests.fakes.base import FULL, Size, make_base
from tests.fakes.tables import TABLES, make_table

SPEC = MachineSpec(
    layers=4, words=64, threads=16, registers=8, hidden=512, intermediate=768, heads=4, head_dim=64, mute_axes=32
)
SIZE = Size(SPEC.hidden, SPEC.intermediate, 4, 4, 2, 64, SPEC.heads, SPEC.head_dim, 4000)
TEXTS, LENGTH, EVERY = 3, 64, 8
"""Texts, their tokens, and how many of these apart the rows lie that cannot be muted."""
FULL_TABLES = {"untrained": 30_000, "opposed": 30_000, "padding": FULL.vocabulary, "weak mean": 30_000, "no mean": 20_000}
LOOKED_AT = "untrained"
"""Rows of the tables that the real machine is fitted to; the one whose text goes through its layers."""


def texts(proof: MuteProof, rows: int) -> tuple[torch.Tensor, torch.Tensor | None]:
    """Token ids [TEXTS, LENGTH]: of muted rows alone, and the same with others among them (None where there are none)."""
    source = torch.Generator().manual_seed(11)
    others = torch.tensor(sorted({*proof.guarded, *proof.violators}), dtype=torch.long)
    silent = torch.ones(rows, dtype=torch.bool)
    silent[others] = False
    silent[list(proof.zero_rows)] = False
    chosen = silent.nonzero()[:, 0]
    plain = chosen[torch.randint(0, len(chosen), (TEXTS, LENGTH), generator=source)]
    if not len(others):
        return plain, None
    mixed = plain.clone()
    mixed[:, ::EVERY] = others[torch.randint(0, len(others), mixed[:, ::EVERY].shape, generator=source)]
    return plain, mixed


def divergence(base: torch.Tensor, merged: torch.Tensor) -> dict[str, float]:
    """KL of the merged model's next token from the base's, over the base's vocabulary, in nats; positions without numbers."""
    one, other = base.double().log_softmax(-1), merged.double().log_softmax(-1)
    kl = (one.exp() * (one - other)).sum(-1)
    found = kl[kl.isfinite()]
    none = len(found) == 0
    return {
        "mean": 0.0 if none else max(float(found.mean()), 0.0),
        "largest": 0.0 if none else max(float(found.max()), 0.0),
        "broken": float((~kl.isfinite()).double().mean()),
    }


def counts(proof: MuteProof) -> dict[str, Any]:
    """A proof in numbers."""
    effect = np.array(proof.effect or [0.0])
    return {
        "rows": proof.rows,
        "margin": proof.margin,
        "guarded": len(proof.guarded),
        "undecided": len(proof.violators),
        "zero": len(proof.zero_rows),
        "loss": [float(np.mean(proof.loss or [0.0])), max(proof.loss, default=0.0)],
        "effect": [float(np.median(effect)), float(effect.max())],
    }


def model(folder: Path) -> PreTrainedModel:
    """A stock model."""
    return AutoModelForCausalLM.from_pretrained(folder, dtype=torch.bfloat16).eval()


@torch.no_grad()
def small(kind: str, machine: Path, folder: Path) -> dict[str, Any]:
    """A table in a small base: what the proof says of it, and what texts lose with the guard and without."""
    rows = SIZE.vocabulary
    source = make_base(folder / "base", SIZE, layout="text", shards=1, embedding=make_table(kind, rows, SIZE.hidden))
    names = [f"TOKEN({i})" for i in range(len(read_machine(machine).codes))]
    build(source, machine, folder / "out", names)
    proof, base, merged = read_report(folder / "out").mute, model(source), model(folder / "out")
    opened = open_machine(folder / "out" / FILE_NAME)
    fit = read_fit(opened)
    plain, mixed = texts(proof, rows)
    expected, found = base(plain).logits, merged(plain).logits[..., :rows]
    entry = {"kind": kind, **counts(proof), "silent": divergence(expected, found), "wrong": []}
    if not torch.equal(expected, found):
        entry["wrong"].append("text of muted rows has other logits")
    if mixed is None:
        return entry
    expected, found = base(mixed).logits, merged(mixed).logits[..., :rows]
    entry["mixed"] = divergence(expected, found)
    entry["replaced"] = divergence(expected, base(plain).logits)
    if fit.guard is not None and not proof.violators:
        embedded = base.model.embed_tokens(mixed).clone()
        embedded[:, ::EVERY, fit.placement[opened.mute_axes[fit.guard]]] = 0.0
        if not torch.equal(base(inputs_embeds=embedded).logits, found):
            entry["wrong"].append("guarded rows lose more than their axis")
    with patch.object(machinefile, "_guard", return_value=None):
        build(source, machine, folder / "bare", names)
    bare = read_report(folder / "bare").mute
    _, mixed = texts(bare, rows)
    assert mixed is not None
    entry["bare"] = counts(bare) | {"mixed": divergence(base(mixed).logits, model(folder / "bare")(mixed).logits[..., :rows])}
    return entry


@torch.no_grad()
def through_layers(base: Base, machine: Machine, fit: Fit, x: torch.Tensor) -> torch.Tensor:
    """Rows [1, n, hidden] as one text through every compiled layer as the stock module."""
    config = Qwen3_5TextConfig(**{**base.config, "num_hidden_layers": 1, "layer_types": ["linear_attention"]})
    for layer in range(machine.layers):
        with torch.device("meta"):
            stock = Qwen3_5DecoderLayer(config, 0)
        stock.load_state_dict({name: compiled(machine, fit, layer, name) for name in machine.shape.tensors()}, assign=True)
        x = stock(x, position_embeddings=None)
    return x


def full(kind: str, file: Path, rows: int, folder: Path, look: bool) -> dict[str, Any]:
    """A table of the real machine's width. look: also a text through its layers, and a launch from the fitted file."""
    size, table = replace(FULL, layers=0, vocabulary=rows), make_table(kind, rows, FULL.hidden)
    source = make_base(folder / "base", size, layout="text", shards=1, embedding=table)
    machine = open_machine(file)
    base = open_base(source, machine.shape)
    fit, proof = fitting.fit_machine(base, machine, Watch())
    entry = {"kind": kind, **counts(proof), "wrong": []}
    if look:
        plain, mixed = texts(proof, rows)
        text = (plain if mixed is None else mixed)[0]
        expected = table[text].clone()
        if fit.guard is not None:
            guarded = torch.isin(text, torch.tensor(proof.guarded))
            expected[guarded, fit.placement[machine.mute_axes[fit.guard]]] = 0.0
        decided = ~torch.isin(text, torch.tensor(proof.violators))
        if not torch.equal(through_layers(base, machine, fit, table[text][None])[0][decided], expected[decided]):
            entry["wrong"].append("a text comes out of the compiled layers otherwise than claimed")
        machinefile.write_fitted(machine, fit, folder / FILE_NAME)
        result = launch(CompactRuntime(read_machine(folder / FILE_NAME)), programs.dot([1, 2, 3], [4, 5, 6]))
        entry["launch"] = len(result.prompt) + len(result.generated)
    return entry


def study(file: Path) -> Iterator[dict[str, Any]]:
    """The results so far, after every table."""
    found: dict[str, Any] = {
        "machine": read_machine(file).content[:12],
        "small": {"hidden": SPEC.hidden, "axes": SPEC.mute_axes, "layers": [SPEC.layers, SIZE.layers], "tables": []},
        "full": {"hidden": FULL.hidden, "axes": MachineSpec().mute_axes, "tables": []},
    }
    with tempfile.TemporaryDirectory() as place:
        machine = synthetic.build(Path(place) / "small.safetensors", 1, SPEC)
        for kind in TABLES:
            with tempfile.TemporaryDirectory() as folder:
                found["small"]["tables"].append(small(kind, machine, Path(folder)))
            yield found
    for kind, rows in FULL_TABLES.items():
        with tempfile.TemporaryDirectory() as folder:
            found["full"]["tables"].append(full(kind, file, rows, Path(folder), kind == LOOKED_AT))
        yield found


def main() -> int:
    """Run, save, print."""
    torch.set_num_threads(1)
    for found in study(Path(sys.argv[1])):
        results.save("mute", found)
        print((found["full"]["tables"] or found["small"]["tables"])[-1], flush=True)
    return int(any(entry["wrong"] for part in ("small", "full") for entry in found[part]["tables"]))


if __name__ == "__main__":
    sys.exit(main())
