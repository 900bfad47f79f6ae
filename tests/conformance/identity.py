"""One stream, many ways to compute it: python -m tests.conformance.identity MACHINE.safetensors [LAYERS]

A stream of prompt and generated tokens through every compiled layer as the stock module, one layer at a time: on 1, 2 and 8
threads, in one chunk and token by token, alone and in a batch with another stream. What stands behind each layer, and its
recurrent state, must be the compact runtime's, bit for bit. The runtimes are held to themselves, too: the compiled loop in
pieces of every size, the uncompiled one on every number of threads. Saves `results/identity.json` after every layer.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers.cache_utils import DynamicCache
from transformers.models.qwen3_5.modeling_qwen3_5 import Qwen3_5DecoderLayer

from engine.compact import CompactRuntime
from engine.dense import embedded_config, layer_tensors, token_rows
from engine.launch import token_set
from engine.machine.program import prompt
from engine.native import NativeRuntime
from engine.weights import Machine, read_machine
from tests.conformance import machine_programs, results
from tests.conformance.engines import library
from tests.engine import programs

THREADS = (1, 2, 8)
LENGTH, ALONE = 96, 24
"""Tokens of the stream; how many of them also go one by one."""


def stream(machine: Machine, program: Any, length: int) -> tuple[list[int], list[np.ndarray], CompactRuntime]:
    """The last prompt tokens of a program and what the machine answers, `length` in all, from an empty state; the residuals
    behind every layer [length, hidden], and the runtime as it is then."""
    seen: dict[int, list[np.ndarray]] = {}
    runtime = CompactRuntime(machine, watch=lambda layer, x: seen.setdefault(layer, []).append(x))
    tokens = token_set(machine.spec)
    ids = [tokens.ids[token] for token in prompt(program, machine.spec)]
    answer = runtime.feed(ids)
    while len(ids) < length:
        ids.append(answer)
        answer = runtime.feed(ids[-1:])
    ids = ids[:length]
    seen.clear()
    runtime = CompactRuntime(machine, watch=lambda layer, x: seen.setdefault(layer, []).append(x))
    runtime.feed(ids)
    return ids, [np.concatenate(seen[layer]) for layer in range(machine.spec.layers)], runtime


def ways() -> Iterator[tuple[str, int, int, bool]]:
    """(name, threads, tokens, whether the other stream is beside it)."""
    yield from ((f"{threads} threads, one chunk", threads, LENGTH, False) for threads in THREADS)
    yield "2 threads, batch of 2", 2, LENGTH, True
    yield "1 thread, token by token", 1, ALONE, False


def layer_ways(machine: Machine, layer: int, x: torch.Tensor) -> Iterator[tuple[str, torch.Tensor, torch.Tensor]]:
    """(way, outputs of the first stream, its recurrent state) of a stock layer. x: bf16 [2 streams, LENGTH, hidden]."""
    config = embedded_config(machine.spec, 1, 1)
    with torch.device("meta"):
        module = Qwen3_5DecoderLayer(config, 0)
    module.load_state_dict(layer_tensors(machine.layers[layer]), assign=True)
    for name, threads, length, beside in ways():
        torch.set_num_threads(threads)
        cache, part = DynamicCache(config=config), x[: 1 + beside, :length]
        with torch.no_grad():
            calls = part.split(1 if length == ALONE else length, dim=1)
            y = torch.cat([module(call, position_embeddings=None, cache=cache) for call in calls], dim=1)
        yield name, y, cache.get_recurrent_state(0)


def check_layers(machine: Machine, chosen: list[int]) -> Iterator[tuple[int, list[str]]]:
    """(layer, ways that differ) of some layers."""
    pair = [stream(machine, program, LENGTH) for program in (programs.dot([1, 2, 3], [4, 5, 6]), programs.stores(2))]
    rows, heads = token_rows(machine), range(machine.spec.heads)
    for layer in chosen:
        before = [rows[ids].float().numpy() if layer == 0 else residuals[layer - 1] for ids, residuals, _ in pair]
        wrong = []
        for name, outputs, states in layer_ways(machine, layer, torch.from_numpy(np.stack(before)).bfloat16()):
            for (_, residuals, runtime), y, state in zip(pair, outputs, states, strict=False):
                same = np.array_equal(y.float().numpy(), residuals[layer][: len(y)])
                if len(y) == LENGTH:
                    same &= all(np.array_equal(state[head].numpy(), runtime.recurrent_state(layer, head)) for head in heads)
                wrong += [] if same else [f"layer {layer}: {name}"]
        torch.set_num_threads(1)
        yield layer, wrong


def check_runtimes(machine: Machine) -> list[str]:
    """The runtimes against themselves: pieces of a prompt, threads of torch."""
    program = machine_programs.overwriting(np.random.default_rng(2))
    tokens = token_set(machine.spec)
    ids, wrong = [tokens.ids[token] for token in prompt(program, machine.spec)], []
    whole = NativeRuntime(machine, library())
    answer = whole.feed(ids)
    kept = whole.snapshot()
    for size in (1, 7, 64, 500):
        parts = NativeRuntime(machine, library())
        for start in range(0, len(ids), size):
            last = parts.feed(ids[start : start + size])
        states = list(zip(kept, parts.snapshot(), strict=True))
        same = all(np.array_equal(a, b) for one, other in states for a, b in zip(one, other, strict=True))
        if last != answer or not same:
            wrong.append(f"compact, pieces of {size}")
    for threads in THREADS:
        torch.set_num_threads(threads)
        plain = CompactRuntime(machine)
        given, native = ids, NativeRuntime(machine, library())
        for _ in range(60):
            if (answer := plain.feed(given)) != native.feed(given):
                wrong.append(f"compact without its compiled loop, {threads} threads")
                break
            given = [answer]
    torch.set_num_threads(1)
    return wrong


def main() -> int:
    """Run, save, print."""
    machine = read_machine(Path(sys.argv[1]))
    chosen = list(map(int, sys.argv[2].split(","))) if len(sys.argv) > 2 else list(range(machine.spec.layers))
    wrong, done = check_runtimes(machine), []
    for layer, differing in check_layers(machine, chosen):
        done.append(layer)
        wrong += differing
        content = {"machine": machine.content[:12], "layers": done, "length": LENGTH, "alone": ALONE, "wrong": wrong}
        results.save("identity", {**content, "ways": [name for name, *_ in ways()]})
        print(f"layer {layer}: {differing or 'identical'}", flush=True)
    print("wrong:", wrong or "nothing")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
