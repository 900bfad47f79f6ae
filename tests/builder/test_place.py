"""Liveness and placement: lives, clearing, reuse of axes, and the limits by name."""

import numpy as np
import pytest
import torch
from harness import Bench, Scenario
from transformers.models.qwen3_5.configuration_qwen3_5 import Qwen3_5TextConfig
from transformers.models.qwen3_5.modeling_qwen3_5 import Qwen3_5DecoderLayer

from builder.geometry import Axes, Geometry
from builder.netlist import BIT, INT, SPIN_OR_ZERO, CircuitError, Netlist
from builder.place import place
from builder.tensors import fill_stock_layer, sparse_layers
from engine.machine.errors import LimitExceeded


def chain(length: int, width: int) -> Netlist:
    """Groups of lanes, each computed from the one before, one layer further."""
    net = Netlist()
    groups = [net.lanes(f"group{i}", width, INT(0, 200)) for i in range(length)]
    for lane in groups[0]:
        net.neuron(0, net.one[0], 3, {lane: 1})
    for layer in range(1, length):
        for before, lane in zip(groups[layer - 1], groups[layer], strict=True):
            net.neuron(layer, net.one[0], before + 1, {lane: 1})
    with net.circuit("sink"):
        for lane in groups[-1]:
            net.neuron(length, lane, 1, {net.pin: 1})
    return net


def test_a_lane_is_cleared_after_its_last_reader_and_its_axis_used_again():
    placed = place(chain(6, 700))
    assert placed.clears[3] == placed.netlist.groups["group2"]
    assert max(placed.occupancy().values()) == 65 + 2 * 700, "two generations at a time, pin and code"
    assert len(set(placed.axis.values())) <= 65 + 2 * 700
    assert not set(placed.axis.values()) & set(Axes().mute)


def test_fixed_axes_are_never_shared():
    axes = Axes(pin=1999, code=tuple(range(5, 69)), mute=tuple(range(100, 612)))
    placed = place(chain(6, 500), axes=axes)
    assert placed.axis[placed.netlist.pin] == 1999
    assert [placed.axis[lane] for lane in placed.netlist.code] == list(axes.code)
    others = [axis for lane, axis in placed.axis.items() if lane.group not in ("PIN", "CODE")]
    assert not set(others) & {1999, *axes.code, *axes.mute}


def test_values_survive_reuse_of_axes():
    net = Netlist()
    first, second, third = (net.lanes(name, 500, INT(0, 200)) for name in ("first", "second", "third"))
    for a, b, c in zip(first, second, third, strict=True):
        net.neuron(1, net.one[0], a + 1, {b: 1})
        net.neuron(3, net.one[0], b + 1, {c: 1})
    bench = Bench(net, [("third", 3)], proved=False)
    values = np.random.default_rng(0).integers(0, 100, (20, 500))
    scenario = Scenario({"first": values}, {("third", 3): values + 2})
    bench.check(bench.emulate(scenario), scenario)
    bench.check(bench.stock(scenario), scenario)
    assert set(bench.placed.axis[lane] for lane in first) & set(bench.placed.axis[lane] for lane in third)


def test_reading_a_lane_that_nobody_writes():
    net = Netlist()
    with net.circuit("adder"):
        net.neuron(4, net.lane("carry", BIT), 1, {net.lane("out", BIT): 1})
    with pytest.raises(CircuitError, match="lane carry is read before it is written - adder, layer 4, MLP reads"):
        place(net)


def test_reading_in_the_mixer_what_the_mlp_of_the_layer_writes():
    net = Netlist()
    late = net.lane("late", BIT)
    with net.circuit("memory"):
        net.neuron(2, net.one[0], 1, {late: 1})
        net.head(2, "cell").key(0, late)
    with pytest.raises(CircuitError, match="late is read before it is written - memory, layer 2, mixer reads"):
        place(net)


def test_writing_a_lane_that_nobody_reads():
    net = Netlist()
    with net.circuit("decode"):
        net.neuron(1, net.one[0], 1, {net.lane("unused", BIT): 1})
    with pytest.raises(CircuitError, match="lane unused is written but never read after that - decode, layer 1"):
        place(net)


def test_too_many_lanes_name_layer_and_groups():
    with pytest.raises(LimitExceeded, match=r"residual lanes in layer 1: 1,600 needed, the machine has 1,471 - group0 800"):
        place(chain(3, 800))


def test_too_many_heads():
    net = Netlist()
    out = net.lane("out", SPIN_OR_ZERO)
    with net.circuit("mirrors"):
        for i in range(17):
            net.head(5, f"mirror {i}").out(0, out, 1 / 128)
    net.neuron(5, out, 1, {net.pin: 1})
    with pytest.raises(LimitExceeded, match="heads in layer 5: 17 needed, the machine has 16 - mirrors 17"):
        place(net)


def test_too_many_neurons():
    with pytest.raises(LimitExceeded, match="neurons in layer 1: 80 needed, the machine has 64"):
        place(chain(2, 40), geometry=Geometry(neurons=64))


@torch.no_grad()
def test_a_stock_layer_is_filled_completely():
    """Every parameter of the stock layer is set, to the numbers that the netlist says."""
    net = Netlist()
    flag, out = net.lane("flag", BIT), net.lane("out", INT(-7, 0))
    net.neuron(1, flag - 0.5, 3, {out: -4})
    net.neuron(2, out, 1, {net.pin: 1})
    placed = place(net, partial=True)
    config = Qwen3_5TextConfig(
        num_hidden_layers=1,
        layer_types=["linear_attention"],
        hidden_size=2048,
        intermediate_size=6144,
        linear_num_key_heads=16,
        linear_num_value_heads=16,
    )
    module = Qwen3_5DecoderLayer(config, 0).to(torch.bfloat16)
    for parameter in module.parameters():
        parameter.data.fill_(7)
    fill_stock_layer(module, sparse_layers(placed)[1])
    one, a, b = (placed.axis[lane] for lane in (net.one[0], flag, out))
    assert module.mlp.gate_proj.weight[0].nonzero().flatten().tolist() == sorted([one, a])
    assert float(module.mlp.gate_proj.weight[0, a]) == 256 and float(module.mlp.gate_proj.weight[0, one]) == -128
    assert float(module.mlp.up_proj.weight[0, one]) == 3 and float(module.mlp.down_proj.weight[b, 0]) == -4 / 256
    assert float(module.linear_attn.dt_bias.unique()) == -128 and float(module.linear_attn.A_log.abs().max()) == 0
    assert module.linear_attn.conv1d.weight[:, 0].unique(dim=0).tolist() == [[0, 0, 0, 1]]
    assert float(module.input_layernorm.weight.unique()) == 2048 and float(module.linear_attn.norm.weight.unique()) == 1
    assert not any((parameter == 7).any() for parameter in module.parameters())
