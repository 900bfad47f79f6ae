"""The two runtimes are one machine: same answers, same residual in every lane, same recurrent and conv state."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import synthetic
import torch

from engine.compact import CompactRuntime
from engine.dense import DenseRuntime
from engine.machine.spec import MachineSpec
from engine.weights import Machine, read_machine

torch.set_num_threads(1)


def random_machine(folder: Path, seed: int, spec: MachineSpec = synthetic.TINY) -> Machine:
    return read_machine(synthetic.build(folder / f"{seed}.safetensors", seed, spec))


@pytest.fixture(scope="module")
def tiny(tmp_path_factory) -> Iterator[Machine]:
    yield random_machine(tmp_path_factory.mktemp("tiny"), 1)


class Watched:
    """Both runtimes on one machine, with the residual after every layer of every token."""

    def __init__(self, machine: Machine) -> None:
        self.seen: dict[str, dict[int, list[np.ndarray]]] = {"compact": {}, "dense": {}}
        self.compact = CompactRuntime(machine, watch=lambda layer, x: self._see("compact", layer, x))
        self.dense = DenseRuntime.embedded(machine)
        for index, module in enumerate(self.dense.model.model.layers[: len(machine.layers)]):
            module.register_forward_hook(lambda _, __, y, layer=index: self._see("dense", layer, y[0].float().numpy()))

    def _see(self, runtime: str, layer: int, x: np.ndarray) -> None:
        self.seen[runtime].setdefault(layer, []).append(x)

    def feed(self, tokens: list[int]) -> int:
        answers = [runtime.feed(tokens) for runtime in (self.compact, self.dense)]
        assert answers[0] == answers[1], f"compact says {answers[0]}, transformers {answers[1]}"
        return answers[0]

    def compare(self) -> None:
        machine = self.compact.machine
        for layer in range(len(machine.layers)):
            one, other = (np.concatenate(self.seen[name][layer]) for name in ("compact", "dense"))
            np.testing.assert_array_equal(one, other, f"residual after layer {layer}")
            np.testing.assert_array_equal(self.compact.conv_state(layer), self.dense.conv_state(layer), f"conv {layer}")
            for head in range(machine.spec.heads):
                np.testing.assert_array_equal(
                    self.compact.recurrent_state(layer, head),
                    self.dense.recurrent_state(layer, head),
                    f"layer {layer}, head {head}",
                )


def run(pair: Watched, seed: int, prompt: int, steps: int) -> set[int]:
    """A random prompt, then mostly the machine's own answers with a random token now and then."""
    draw = random.Random(seed)
    size = 1 << synthetic.FREE
    answer = pair.feed([draw.randrange(size) for _ in range(prompt)])
    answers = set()
    for step in range(steps):
        answer = pair.feed([answer if step % 4 else draw.randrange(size)])
        answers.add(answer)
    return answers


@pytest.mark.parametrize("seed", range(1, 5))
def test_random_tiny_machines_are_equal_in_both_runtimes(tmp_path, seed):
    pair = Watched(random_machine(tmp_path, seed))
    answers = run(pair, seed, prompt=70 * seed, steps=30)
    assert len(answers) > 5, "the machine says too little to compare"
    assert any(pair.compact.recurrent_state(layer, head).any() for layer in range(4) for head in range(4))
    pair.compare()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(11, 13))
def test_random_machines_of_true_dimensions_are_equal_in_both_runtimes(tmp_path, seed):
    pair = Watched(random_machine(tmp_path, seed, synthetic.TRUE))
    assert len(run(pair, seed, prompt=200, steps=60)) > 5
    pair.compare()


def test_pieces_of_a_prompt_do_not_matter(tiny):
    draw = random.Random(5)
    tokens = [draw.randrange(1024) for _ in range(40)]
    whole, parts = CompactRuntime(tiny), CompactRuntime(tiny)
    expected = whole.feed(tokens)
    for start, stop in ((0, 1), (1, 2), (2, 9), (9, 39), (39, 40)):
        answer = parts.feed(tokens[start:stop])
    assert answer == expected
    for layer in range(len(tiny.layers)):
        np.testing.assert_array_equal(whole.conv_state(layer), parts.conv_state(layer))
        for head in range(tiny.spec.heads):
            np.testing.assert_array_equal(whole.recurrent_state(layer, head), parts.recurrent_state(layer, head))


@pytest.mark.parametrize("kind", [CompactRuntime, DenseRuntime.embedded])
def test_a_restored_runtime_answers_as_before(tiny, kind):
    draw = random.Random(6)
    tokens = [draw.randrange(1024) for _ in range(16)]
    runtime = kind(tiny)
    runtime.feed(tokens[:10])
    before = runtime.snapshot()
    answers = [runtime.feed([token]) for token in tokens[10:]]
    runtime.restore(before)
    assert [runtime.feed([token]) for token in tokens[10:]] == answers
    runtime.restore(before)
    assert [runtime.feed([token]) for token in tokens[10:]] == answers, "a snapshot must survive its use"
