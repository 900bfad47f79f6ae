"""Nothing is computed on the host: with the adder's weights altered, every function that adds gives an altered answer.

What is altered: in every stage and lane, the weights of the bits 4096 and 8192 of both summands of `add`, and of the addend of
`mad`, change places on their way into the sum. Numbers between -4096 and 4095 have both bits alike, so addresses and counters
stay as they are. The file gets the hash of what it then holds, so nothing but a replay could tell; the launches here are not
judged, and what the machine's memory holds is what a conversation would show.
"""

from __future__ import annotations

import numpy as np
import pytest

from app.checkpoints import Checkpoint, Origin
from app.compute.evaluating import compute, read
from app.compute.library import load_library
from app.engines import Engine
from builder.circuits.bus import OPERAND_LAYERS
from builder.machine import build_netlist
from engine import weights
from engine.launch import launch
from engine.machine.container import RawTensor, rewrite_with_hash
from engine.machine.errors import MismatchError
from engine.native import NativeRuntime
from engine.weights import read_machine

LIBRARY = load_library()
DIGIT = 4
"""Octal; its two lower bits change places."""


def adder() -> dict[int, list[int]]:
    """The neurons by which two summands reach digit `DIGIT` of their sum: layer -> their numbers."""
    found = {}
    netlist = build_netlist()
    for stage, layer in enumerate(layer + 1 for layer in OPERAND_LAYERS):
        targets = {f"s{stage}.{lane}.{name}" for lane in range(4) for name in (f"digit[{DIGIT}]", f"column{DIGIT}")}
        sums = [{f"s{stage}.op.add", f"s{stage}.op.addp"}, {f"s{stage}.op.mad"}]
        found[layer] = [
            number
            for number, neuron in enumerate(netlist.layers[layer].neurons)
            if {lane.name for lane in neuron.out} <= targets and {lane.name for lane in neuron.gate.terms} in sums
        ]
    return found


class Unjudged:
    """A machine whose launches nobody replays."""

    def __init__(self, path, library):
        machine = read_machine(path)
        self.identity, self._runtime = machine.content, NativeRuntime(machine, library)

    def launch(self, program, max_tokens, trace=None, **watch):
        """What the weights say."""
        return launch(self._runtime, program, min(max_tokens, 1_000))


def exchanged(up: weights.Matrix, values: np.ndarray, neurons: list[int]) -> np.ndarray:
    """The values of an up projection in which the two lower bits of these neurons' digits have changed places."""
    rows, found = up.rows(), values.copy()
    for neuron in neurons:
        low, high = (np.flatnonzero((rows == neuron) & (values == weight)) for weight in (0.5, 1.0))
        assert len(low) == len(high) in (1, 2), "a digit of each summand, as weights 1/2, 1 and 2 of lanes that are -1 or 1"
        found[low], found[high] = 1.0, 0.5
    return found


@pytest.fixture(scope="module")
def altered_file(machine_file, tmp_path_factory):
    """The machine with an adder that takes one bit for another."""
    path, machine, layers = tmp_path_factory.mktemp("altered") / "machine.safetensors", read_machine(machine_file), adder()
    assert [len(neurons) for neurons in layers.values()] == [2 * 4] * 4  # add and mad, in four stages of four lanes

    def exchange(tensors):
        for layer, neurons in layers.items():
            name = f"layers.{layer}.{weights.UP}.values"
            values = exchanged(machine.layers[layer].matrices[weights.UP], tensors[name].numbers(), neurons)
            tensors[name] = RawTensor("BF16", values.shape, (values.view(np.uint32) >> 16).astype("<u2").tobytes())

    rewrite_with_hash(machine_file, path, exchange)
    return path


@pytest.fixture(scope="module")
def altered(altered_file, native_library):
    return Unjudged(altered_file, native_library)


def value(call, machine):
    return compute(read(call, LIBRARY, {}), LIBRARY, {}, machine)


ADDING = {"add(5000, 7000)": 12000, "sum([5000, 7000])": 12000, "dot([50, 70], [100, 100])": 12000}
MORE = {
    "cumsum([5000, 7000])": [5000, 12000],
    "trace([[5000, 1], [1, 7000]])": 12000,
    "fib(30)": 832040,
    "mean([5000, 7000])": 6000,
    "matvec([[50, 70]], [100, 100])": [12000],
    "saxpy(50, [100], [7000])": [12000],
    "matmul([[50, 70]], [[100], [100]])": [[12000]],
    "conv1d([50, 70], [100, 100])": [5000, 12000, 7000],
}
OTHERS = {"xor(5000, 7000)": 5000 ^ 7000, "reverse([5000, 7000])": [7000, 5000], "sub(7000, 5000)": 2000}


@pytest.mark.parametrize("call", [*ADDING, *(pytest.param(call, marks=pytest.mark.slow) for call in MORE)])
def test_what_adds_is_altered(altered, call):
    found = value(call, altered)
    assert found.value != (ADDING | MORE)[call]
    assert found.launches[-1].outputs["status"] == [0], "an answer, not a refusal"


@pytest.mark.parametrize("call", OTHERS)
def test_what_does_not_add_is_not(altered, call):
    assert value(call, altered).value == OTHERS[call]


def test_the_answer_is_the_one_of_the_altered_sum(altered):
    """4096 counts as 8192 in both summands; smaller ones are added as ever."""
    assert value("add([5000, 1000, 4000], [7000, 2000, -5])", altered).value == [12000 + 2 * 4096, 3000, 3995]


def test_a_replay_tells(altered_file, native_library):
    machine = read_machine(altered_file)
    engine = Engine(Checkpoint(altered_file.parent, Origin.GIVEN), NativeRuntime(machine, native_library), machine.content)
    with pytest.raises(MismatchError, match="replay: token"):
        value("add(5000, 7000)", engine)
