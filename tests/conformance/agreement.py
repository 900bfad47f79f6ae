"""Five engines on the same launches: python -m tests.conformance.agreement MACHINE.safetensors [LAUNCHES]

The shortest recorded launches of NVIDIA's PTX. Native execution gave the recorded arrays; here the PTX interpreter, the
reference interpreter, the compact runtime and stock transformers are held against them. The stock layers read the whole stream
of a launch, prompt and answer, a layer at a time (`identity.py` shows that token by token is the same): behind every token from
the prompt's last on, the argmax of the logits must be the token that follows, and the recurrent states at the end must hold the
arrays. Saves `results/agreement.json`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from transformers.cache_utils import DynamicCache
from transformers.models.qwen3_5.modeling_qwen3_5 import Qwen3_5DecoderLayer, Qwen3_5RMSNorm

from engine.dense import PIECE, embedded_config, layer_tensors, token_rows
from engine.launch import launch, token_set
from engine.machine.spec import SPEC
from engine.native import NativeRuntime
from engine.state import read_words
from engine.weights import Machine, read_machine
from tests.conformance import engines, results
from tests.conformance.recorded import shortest
from toolchain.launch import parse_launch
from toolchain.lower import lower
from toolchain.ptx import parse_ptx

LAUNCHES = 12


class Stock:
    """Streams behind the compiled layers as stock modules.

    answers: for every stream, the argmax of the logits behind each of its tokens. words: its written words at the end.
    """

    def __init__(self, machine: Machine, streams: list[list[int]]) -> None:
        assert machine.state is not None
        config, rows, memory = embedded_config(machine.spec, 1, 1), token_rows(machine), machine.state.memory
        residuals = [rows[ids][None] for ids in streams]
        self.words: list[dict[int, int]] = []
        for number, layer in enumerate(machine.layers):
            with torch.device("meta"):
                module = Qwen3_5DecoderLayer(config, 0)
            module.load_state_dict(layer_tensors(layer), assign=True)
            for place, residual in enumerate(residuals):
                residuals[place], cache = read(module, residual, DynamicCache(config=config))
                if number == memory.layer:
                    states = cache.get_recurrent_state(0)[0].float().numpy()
                    self.words.append(read_words(lambda _, head, of=states: of[head], memory, range(memory.words)))
        with torch.device("meta"):
            norm = Qwen3_5RMSNorm(machine.spec.hidden, config.rms_norm_eps)
        norm.load_state_dict({"weight": torch.zeros(machine.spec.hidden, dtype=torch.bfloat16)}, assign=True)
        with torch.no_grad():
            self.answers = [(norm(residual[0]) @ rows.T).argmax(-1).tolist() for residual in residuals]


def read(module: torch.nn.Module, residual: torch.Tensor, cache: DynamicCache) -> tuple[torch.Tensor, DynamicCache]:
    """A stream [1, tokens, hidden] through a layer, in the pieces of the transformers runtime."""
    with torch.no_grad():
        parts = [module(part, position_embeddings=None, cache=cache) for part in residual.split(PIECE, dim=1)]
    return torch.cat(parts, dim=1), cache


def agreements(machine: Machine, count: int) -> Iterator[dict[str, Any]]:
    """{kernel, launch, tokens, one verdict an engine} of the shortest recorded launches."""
    compact, tokens = NativeRuntime(machine, engines.library()), token_set(machine.spec)
    found = []
    for name, number, text, record in shortest(count):
        module = parse_ptx(text)
        lowered = lower(module, parse_launch(record["launch"]))
        result = launch(compact, lowered.program)
        verdicts = {
            "PTX interpreter": engines.simulated(module, record["launch"]) == record["expect"],
            "reference interpreter": engines.interpreted(module, record["launch"])[0] == record["expect"],
            "compact": lowered.read_outputs(list(result.words)) == record["expect"],
        }
        stream = [tokens.ids[token] for token in (*result.prompt, *result.generated)]
        found.append((name, number, record, lowered, len(result.prompt), stream, verdicts))
    stock = Stock(machine, [stream for *_, stream, _ in found])
    for (name, number, record, lowered, prompt, stream, verdicts), answers, words in zip(
        found, stock.answers, stock.words, strict=True
    ):
        memory = [words.get(word, 0) for word in range(SPEC.words)]
        same = answers[prompt - 1 : -1] == stream[prompt:] and lowered.read_outputs(memory) == record["expect"]
        yield {"kernel": name, "launch": number, "tokens": len(stream), "verdicts": verdicts | {"transformers": same}}


def main() -> int:
    """Run, save, print."""
    machine = read_machine(Path(sys.argv[1]))
    found = list(agreements(machine, int(sys.argv[2]) if len(sys.argv) > 2 else LAUNCHES))
    results.save("agreement", {"machine": machine.content[:12], "launches": found})
    for entry in found:
        wrong = [engine for engine, same in entry["verdicts"].items() if not same]
        print(f"{entry['kernel']}[{entry['launch']}], {entry['tokens']} tokens: {', '.join(wrong) or 'all agree'}")
    return int(any(not all(entry["verdicts"].values()) for entry in found))


if __name__ == "__main__":
    sys.exit(main())
