"""The real machine: launches through its weights, the same in both runtimes and the interpreter, and only because of them."""

from __future__ import annotations

import random

import alter
import numpy as np
import programs
import pytest
import torch
from transformers.cache_utils import DynamicCache
from transformers.models.qwen3_5.modeling_qwen3_5 import Qwen3_5DecoderLayer

from engine import weights
from engine.compact import CompactRuntime
from engine.dense import DenseRuntime, embedded_config, layer_tensors, token_rows
from engine.launch import launch, token_set
from engine.machine.errors import FaultError, InputError, MismatchError
from engine.machine.program import Program, prompt
from engine.machine.tokens import Token
from engine.replay import first_difference, require_exact
from engine.trace import redo
from engine.weights import read_machine

torch.set_num_threads(1)

DOT = programs.dot([1, 2, 3], [4, 5, 6])


@pytest.fixture(scope="module")
def compact(machine):
    return CompactRuntime(machine)


@pytest.fixture(scope="module")
def dense(machine):
    return DenseRuntime.embedded(machine)


def test_dot_takes_few_tokens(compact):
    result = launch(compact, DOT)
    assert result.memory["out"] == (32,)
    assert len(result.generated) <= 20
    assert require_exact(DOT, result.generated) == "exact"


@pytest.mark.parametrize(
    "program",
    [programs.dot([2**31 - 1, -7 % 2**32, 65537], [2**31 - 1, 65535, -1 % 2**32]), programs.stepping(4), programs.stepping(24)],
    ids=lambda program: f"{program.kernel}-{program.threads}",
)
def test_launches_are_exact(compact, program):
    result = launch(compact, program)
    assert require_exact(program, result.generated) == "exact"
    arrays = {array.name: array for array in program.allocations}
    if program.kernel == "dot":
        a, b = arrays["a"].data, arrays["b"].data
        assert result.memory["out"] == (sum(x * y for x, y in zip(a, b, strict=True)) % 2**32,)
    else:
        assert result.memory["out"] == (1000 * (program.threads - 1) + 14,) * program.threads


def test_two_launches_in_a_row_know_nothing_of_each_other(compact):
    first = launch(compact, programs.stepping(8))
    assert launch(compact, DOT).memory["out"] == (32,)
    again = launch(compact, programs.stepping(8))
    assert (again.memory, again.generated) == (first.memory, first.generated)


def test_faults_are_the_machines_own(compact):
    with pytest.raises(FaultError, match="thread 2 writes word 4 of array out, which has 4 words"):
        launch(compact, programs.stores(2))
    with pytest.raises(FaultError, match="a barrier cannot complete"):
        launch(compact, programs.split_barrier())
    with pytest.raises(FaultError, match="has not ended after 30 tokens"):
        launch(compact, programs.endless(), max_tokens=30)


def test_a_traced_launch_is_redone(compact):
    lines = []
    launch(compact, DOT, on_token=lines.append)
    assert redo(compact, lines) is None


# ---------------------------------------------------------------- layer by layer in stock modules
def stream(machine, programs_: list[Program]) -> tuple[list[int], list[int], list[np.ndarray], CompactRuntime]:
    """Launch programs one after another without restoring; token ids, lengths of the forward calls that fed them, and the
    compact runtime's residual after every layer [tokens, hidden], with the runtime as it is then."""
    seen: dict[int, list[np.ndarray]] = {}
    runtime = CompactRuntime(machine, watch=lambda layer, x: seen.setdefault(layer, []).append(x))
    tokens, ids, calls = token_set(machine.spec), [], []
    for program in programs_:
        given = [tokens.ids[token] for token in prompt(program, machine.spec)]
        while True:
            calls += [len(piece) for piece in np.array_split(given, range(runtime.piece, len(given), runtime.piece))]
            ids += given
            answer = runtime.feed(given)
            given = [answer]
            if tokens.tokens[answer].kind in ("END", "FAULT"):
                break
    return ids, calls, [np.concatenate(seen[layer]) for layer in range(machine.spec.layers)], runtime


def test_every_layer_and_its_state_are_the_stock_modules(machine):
    """One stock layer at a time over the tokens of two launches, in the same forward calls: every lane, every state."""
    ids, calls, residuals, compact = stream(machine, [DOT, programs.stores(2)])
    config = embedded_config(machine.spec, 1, 1)
    x = token_rows(machine)[ids][None]
    for layer, expected in enumerate(residuals):
        with torch.device("meta"):
            module = Qwen3_5DecoderLayer(config, 0)
        module.load_state_dict(layer_tensors(machine.layers[layer]), assign=True)
        cache = DynamicCache(config=config)
        with torch.no_grad():
            x = torch.cat([module(part, position_embeddings=None, cache=cache) for part in x.split(calls, dim=1)], dim=1)
        np.testing.assert_array_equal(x[0].float().numpy(), expected, f"residual after layer {layer}")
        np.testing.assert_array_equal(cache.get_conv_state(0)[0].float().numpy(), compact.conv_state(layer), f"conv {layer}")
        state = cache.get_recurrent_state(0)[0].numpy()
        for head in range(machine.spec.heads):
            np.testing.assert_array_equal(state[head], compact.recurrent_state(layer, head), f"layer {layer}, head {head}")


# ---------------------------------------------------------------- all layers at once in stock modules
def compare_states(one, other, layers: int, heads: int) -> None:
    for layer in range(layers):
        np.testing.assert_array_equal(one.conv_state(layer), other.conv_state(layer), f"conv state of layer {layer}")
        for head in range(heads):
            np.testing.assert_array_equal(
                one.recurrent_state(layer, head), other.recurrent_state(layer, head), f"state of layer {layer}, head {head}"
            )


def both(compact, dense, program: Program, steps: int) -> list[Token]:
    """Feed both runtimes a program and their own answers; compare every answer, and all state now and then."""
    tokens = token_set(compact.machine.spec)
    before = compact.snapshot(), dense.snapshot()
    answer = [runtime.feed([tokens.ids[token] for token in prompt(program)]) for runtime in (compact, dense)]
    generated = []
    for step in range(steps):
        assert answer[0] == answer[1], f"answer {step}"
        if step % 10 == 0:
            compare_states(compact, dense, compact.machine.spec.layers, compact.machine.spec.heads)
        generated.append(tokens.tokens[answer[0]])
        if generated[-1].kind in ("END", "FAULT"):
            break
        answer = [runtime.feed([answer[0]]) for runtime in (compact, dense)]
    compare_states(compact, dense, compact.machine.spec.layers, compact.machine.spec.heads)
    compact.restore(before[0])
    dense.restore(before[1])
    return generated


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "steps"),
    [(DOT, 30), (programs.stepping(8), 60), (programs.stores(2), 10)],
    ids=lambda value: getattr(value, "kernel", None),
)
def test_tokens_and_state_are_the_same_in_both_runtimes(compact, dense, program, steps):
    generated = both(compact, dense, program, steps)
    assert first_difference(program, generated) is None
    assert generated[-1].kind in ("END", "FAULT")


@pytest.mark.slow
def test_state_is_the_same_from_the_third_pad_on_after_other_tokens(compact, dense):
    """Tokens that never make sense leave their traces in the conv state; three PAD clear what a later token can see."""
    draw = random.Random(1)
    before = compact.snapshot(), dense.snapshot()
    dense.feed([draw.randrange(100, 20000) for _ in range(5)])
    dense.restore(before[1])
    assert both(compact, dense, DOT, 20)[-1] == Token("END")


@pytest.mark.slow
def test_a_launch_in_stock_modules_reads_the_same_results(compact, dense):
    slow, fast = launch(dense, DOT), launch(compact, DOT)
    assert (slow.words, slow.generated) == (fast.words, fast.generated)
    assert slow.runtime == "transformers"


# ---------------------------------------------------------------- it is the weights that compute
CIRCUITS = {
    "decode": (1, weights.GATE),
    "staging": (3, weights.QKV),
    "home registers": (5, weights.QKV),
    "operands of stage 1": (6, weights.UP),
    "home memory": (7, weights.QKV),
    "alu of stage 2": (18, weights.GATE),
    "memory of stage 1": (12, weights.DOWN),
    "alu of stage 3": (22, weights.DOWN),
    "write-out": (36, weights.GATE),
    "program counters": (38, weights.QKV),
    "scheduler": (41, weights.GATE),
    "code": (42, weights.DOWN),
    "output": (44, weights.UP),
}
"""A layer and a matrix of every circuit in which a weight is altered."""


def find(machine_file, folder, layer: int, matrix: str):
    """A weight of the matrix that matters to the dot product: (file with its sign changed, nonzero, error of the launch)."""
    runtime = CompactRuntime(read_machine(machine_file))
    launch(runtime, DOT)
    candidates = alter.live(runtime, layer, matrix).tolist()
    random.Random(f"{layer} {matrix}").shuffle(candidates)
    for nonzero in candidates[:40]:
        path = alter.altered(machine_file, folder / "altered.safetensors", layer, matrix, nonzero, lambda x: -x)
        try:
            launch(CompactRuntime(read_machine(path)), DOT, max_tokens=60)
        except MismatchError as error:
            return path, nonzero, error
    raise AssertionError(f"{len(candidates)} altered weights of layer {layer}, {matrix} do not matter")


@pytest.mark.slow
@pytest.mark.parametrize("circuit", CIRCUITS)
def test_an_altered_weight_changes_the_launch_in_both_runtimes_alike(circuit, machine_file, tmp_path, dense):
    layer, matrix = CIRCUITS[circuit]
    path, nonzero, error = find(machine_file, tmp_path, layer, matrix)
    assert error.what.startswith("replay: token ")
    assert error.extra["got"] != error.extra["expected"]
    row, column = (
        table[nonzero]
        for table in (
            read_machine(path).layers[layer].matrices[matrix].rows(),
            read_machine(path).layers[layer].matrices[matrix].columns,
        )
    )
    weight = dict(dense.model.model.layers[layer].named_parameters())[f"{matrix}.weight"].data
    weight[row, column] *= -1
    try:
        with pytest.raises(MismatchError) as caught:
            launch(dense, DOT, max_tokens=60)
    finally:
        weight[row, column] *= -1
    assert (caught.value.what, caught.value.extra) == (error.what, error.extra)


def test_an_altered_weight_without_its_hash_is_refused(machine_file, tmp_path):
    path = alter.flip_byte(machine_file, tmp_path / "altered.safetensors", "layers.8.mlp.down_proj.values")
    with pytest.raises(InputError, match="altered file"):
        read_machine(path)
