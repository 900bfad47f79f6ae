"""The picture's data against the machine that this tree compiles."""

import numpy as np
import pytest

from app.layers import BASE_MLP, groups, height, layers, purpose
from engine.machine.container import read_container


def test_nonzeros_are_those_of_the_compiled_machine(machine_file):
    _, tensors = read_container(machine_file)
    counted = np.zeros((45, 2), int)
    for name, tensor in tensors.items():
        if name.startswith("layers.") and name.endswith(".values"):
            part = 0 if ".linear_attn." in name else 1
            counted[int(name.split(".")[1]), part] += int(np.prod(tensor.shape))
    assert counted.sum() > 1_000_000
    assert [[layer.mixer, layer.mlp] for layer in layers() if layer.compiled] == counted.tolist()


@pytest.mark.slow
def test_every_circuit_named_is_one_of_the_builders():
    from builder.machine import build_netlist

    netlist = build_netlist()
    for layer in layers():
        if layer.compiled:
            written = netlist.layers[layer.index]
            assert layer.circuit in {part.circuit for part in (*written.neurons, *written.heads)}, layer


def test_the_weights_of_qwens_layers_are_those_of_the_stock_model():
    import torch
    from transformers import Qwen3_5TextConfig
    from transformers.models.qwen3_5.modeling_qwen3_5 import Qwen3_5DecoderLayer

    from tests.fakes.base import FULL

    config = Qwen3_5TextConfig(**{k: v for k, v in FULL.text_config().items() if k != "dtype"})
    with torch.device("meta"):
        kinds = [Qwen3_5DecoderLayer(config, index) for index in (2, 3)]
    for layer, stock in zip(layers()[47:49], kinds, strict=True):
        matrices = {name: value.numel() for name, value in stock.named_parameters() if value.dim() == 2}
        assert layer.mlp == sum(count for name, count in matrices.items() if name.startswith("mlp."))
        assert layer.mixer == sum(count for name, count in matrices.items() if not name.startswith("mlp."))


def test_groups_cover_all_layers_once():
    covered = [index for group in groups() for index in range(group.first, group.last + 1)]
    assert covered == list(range(69)) == [layer.index for layer in layers()]
    assert [str(purpose(layer)) for layer in layers() if layer.index in (6, 30, 44, 45)] == [
        "Stage 1, operands",
        "Stage 4, arithmetic",
        "output",
        "Qwen's own, copied unchanged",
    ]


@pytest.mark.parametrize(("weights", "tall"), [(0, 0.0), (10, 0.0), (BASE_MLP, 1.0)])
def test_heights(weights, tall):
    assert height(weights) == pytest.approx(tall)
    assert height(100) < height(1000) < height(1_000_000)
