"""Every static check refuses a circuit that breaks its rule, and accepts the same circuit put right."""

import pytest

from builder.check import find_problems, prove
from builder.netlist import (
    BIT,
    CODED,
    INT,
    SIGNED,
    SIGNED_PINNED,
    SPIN,
    SPIN_OR_ZERO,
    CircuitError,
    Head,
    Lane,
    Netlist,
    all_of,
    any_of,
    equals,
    unset,
    word,
)
from builder.place import place
from builder.tensors import sparse_layers


def problems(net: Netlist) -> str:
    return "\n".join(map(str, find_problems(place(net, partial=True))))


def present(net: Netlist, name: str, width: int) -> list[Lane]:
    """Spin lanes that every token writes."""
    lanes = net.lanes(name, width, SPIN)
    net.assume((), lanes, present=True)
    return lanes


# ---------------------------------------------------------------- neurons and what they add up to
def test_gate_in_quarter_steps():
    net = Netlist()
    flag, out = net.lane("flag", BIT), net.lane("out", BIT)
    net.neuron(1, flag * 0.25, 4, {out: 1})
    assert "the gate is not a multiple of 1/2" in problems(net)


def test_gate_beyond_256_units():
    net = Netlist()
    number, out = net.lanes("number", 2, INT(0, 200)), net.lane("out", BIT)
    net.neuron(1, number[0] + number[1] - 1, 0.5, {out: 2})
    net.neuron(1, number[0] + number[1] - 2, -0.5, {out: 2})
    assert "gate can be 257, which bf16 rounds" in problems(net)


def test_up_beyond_256_units_only_where_the_gate_can_be_on():
    net = Netlist()
    flag, numbers, out = net.lane("flag", BIT), net.lanes("number", 2, INT(0, 130)), net.lane("out", INT(0, 256))
    net.neuron(1, flag, numbers[0] + numbers[1], {out: 1})
    assert "up can be 257" in problems(net)
    net.never(flag, numbers[0])
    assert "up can be" not in problems(net)


def test_product_beyond_256_units():
    net = Netlist()
    numbers, out = net.lanes("number", 2, INT(0, 20)), net.lane("out", INT(0, 256))
    net.neuron(1, numbers[0], numbers[1], {out: 1})
    assert "gate x up can be 285" in problems(net)


def test_delta_beyond_256_though_old_and_new_value_fit():
    """The bug that random products did not show: -251 - 7 on the way from 251 to -7."""
    net = Netlist()
    flag, out = net.lane("flag", BIT), net.lane("out", INT(-7, 251))
    net.assume(flag, [out], present=True)
    net.neuron(1, net.one[0], 251, {out: 1})
    net.neuron(2, flag, -251, {out: 1})
    net.neuron(2, flag, -7, {out: 1})
    net.neuron(3, net.one[0], out, {net.lane("copy", INT(-7, 251)): 1})
    assert "the MLP adds up to 258 in steps of 1, which bf16 rounds" in problems(net)


def test_exclusive_lanes_count_once():
    net = Netlist()
    choice, out = net.lanes("choice", 3, BIT), net.lane("out", INT(0, 200))
    for lane in choice:
        net.neuron(1, lane, 200, {out: 1})
    assert "lane out (int 0..200): it becomes 400..400" in problems(net)
    net.exclusive("choice", choice)
    assert not problems(net)


def test_gates_that_exclude_each_other_count_once():
    """First of 40 slots: too many combinations to list, but no two gates are positive together."""
    net = Netlist()
    slots, first, many = net.lanes("slot", 40, BIT), net.lane("first", BIT), net.lane("many", BIT)
    for i, slot in enumerate(slots):
        net.neuron(1, slot - any_of(*slots[:i]), 1, {first: 1})
    assert not problems(net)
    for slot in slots:
        net.neuron(1, slot, 1, {many: 1})
    assert "lane many (bit): it becomes 0..40" in problems(net)


def test_ramps_of_one_form_are_seen_as_one_step():
    net = Netlist()
    numbers, step, wrong = net.lanes("number", 2, INT(0, 120)), net.lane("step", BIT), net.lane("wrong", BIT)
    total = numbers[0] + numbers[1]
    net.neuron(1, total - 99, 1, {step: 1})
    net.neuron(1, total - 100, -1, {step: 1})
    assert not problems(net)
    net.neuron(1, total - 99, 1, {wrong: 1})
    net.neuron(1, total - 101, -1, {wrong: 1})
    assert "lane wrong (bit): it becomes 2..2" in problems(net)


def test_a_lane_that_leaves_its_domain():
    net = Netlist()
    a, b, out = net.lane("a", BIT), net.lane("b", BIT), net.lane("out", BIT)
    net.neuron(1, a, 1, {out: 1})
    net.neuron(1, b, 1, {out: 1})
    assert "lane out (bit): it becomes 2..2, outside its domain, when" in problems(net)
    net.never(a, b)
    assert not problems(net)


def test_half_written_spins_are_half_bits():
    net = Netlist()
    spins, out = net.lanes("spins", 2, SPIN), net.lane("out", BIT)
    net.neuron(1, all_of(spins), 1, {out: 1})
    assert not problems(net), "both absent: the gate is 0"
    net.neuron(1, all_of(spins[0], unset(spins[1])), 1, {out: 1})
    assert not problems(net), "exclusive as long as both are written"
    net.neuron(1, word(spins[:1]), 1, {net.lane("half", BIT): 1})
    assert "lane half (bit): it becomes 0.5" in problems(net)


# ---------------------------------------------------------------- heads
def memory(net: Netlist, value: str = "spin") -> Head:
    write, address, data = net.lane("write", BIT), present(net, "address", 3), present(net, "data", 128)
    out = net.lanes("out", 128, SPIN_OR_ZERO)
    head = net.head(1, "memory")
    for row in range(8):
        head.key(row, equals(address, row), write)
        head.query(row, equals(address, row))
    for dim in range(128):
        head.spin(dim, data[dim]) if value == "spin" else head.flag(dim, *([write] if dim else []))
        head.out(dim, out[dim], SIGNED)
    return head


def test_a_sound_memory_is_accepted():
    net = Netlist()
    memory(net)
    prove(place(net, partial=True))


def test_value_of_an_absent_spin():
    net = Netlist()
    memory(net)
    net.assumptions.clear()
    assert "value 0: it can be -0.09" in problems(net)


def test_row_without_pins_must_be_full():
    net = Netlist()
    head = memory(net)
    del head.values[5]
    head.outs = [out for out in head.outs if out[0] != 5]
    assert "without pins all 128 dims" in problems(net)


def test_row_whose_pins_are_too_small():
    net = Netlist()
    data, out = present(net, "data", 100), net.lanes("out", 100, SPIN_OR_ZERO)
    head = net.head(1, "memory")
    head.key(0)
    head.query(0)
    head.pins(SIGNED_PINNED, range(120, 128))
    for dim, lane in enumerate(data):
        head.spin(dim, lane)
        head.out(dim, out[dim], SIGNED_PINNED)
    assert not problems(net)
    for dim in range(122, 128):
        del head.values[dim]
    assert "a value of 0.25 reads 2" in problems(net)


def test_row_that_can_lack_its_pins():
    net = Netlist()
    flag, out = net.lane("flag", BIT), net.lane("out", BIT)
    head = net.head(1, "memory")
    head.key(0)
    head.query(0)
    head.bit(0, flag)
    head.out(0, out, CODED)
    head.pins(CODED, range(120, 128), flag)
    assert "a written row can lack its pins" in problems(net)


def test_value_with_a_weak_disable():
    net = Netlist()
    flag, data, out = net.lane("flag", BIT), present(net, "data", 1), net.lane("out", SPIN_OR_ZERO)
    head = net.head(1, "memory")
    head.key(0)
    head.query(0)
    head.value(0, data[0] * 0.6171875 - 0.201171875 + flag * 16.0 - 16.0)
    head.out(0, out, SIGNED_PINNED)
    head.pins(SIGNED_PINNED, range(120, 128))
    assert "value 0: it can be -" in problems(net)


def test_key_with_half_a_gain():
    net = Netlist()
    head = memory(net)
    head.keys[3] = head.keys[3] * 0.5
    assert "key 3: reaches 64 in steps of 64" in problems(net)


def test_two_keys_hit_by_one_token():
    net = Netlist()
    head = memory(net)
    head.key(9, net.groups["write"][0])
    assert "key rows 0 and 9 can be hit together" in problems(net)


def test_more_query_rows_than_declared():
    net = Netlist()
    head = memory(net)
    head.query(9)
    assert "query rows 0 and 9 can be hit together" in problems(net)
    head.several_rows = 2
    assert "query rows" not in problems(net)


def test_reset_by_a_spin_that_may_be_absent():
    net = Netlist()
    head = memory(net)
    head.reset(net.lane("erase", SPIN))
    assert "decay the rows partly" in problems(net)


def test_z_gate_in_wrong_steps():
    net = Netlist()
    head = memory(net)
    head.gate(0, net.lane("select", BIT))
    assert not problems(net)
    head.gates[0] = head.gates[0] * 0.125
    assert "z 0: reaches 16" in problems(net)


def test_two_heads_read_into_one_lane():
    net = Netlist()
    head = memory(net)
    second = net.head(1, "second")
    second.values, second.keys, second.queries = head.values, head.keys, dict(head.queries)
    second.out(0, net.groups["out"][0], SIGNED)
    assert "memory and second can read -2..2 into it at once" in problems(net)
    bank = net.lane("bank", BIT)
    address = net.groups["address"]
    head.queries.clear()
    second.queries.clear()
    for row in range(8):
        head.query(row, equals(address, row), bank)
        second.query(row, equals(address, row), unset(bank))
    assert not problems(net)


def test_head_read_into_a_lane_that_holds_something():
    net = Netlist()
    head = memory(net)
    net.neuron(0, net.groups["write"][0], 1, {net.groups["out"][0]: 1})
    assert "lane out[0] may hold something when head memory is read into it" in problems(net)
    read = net.lane("read", BIT)
    head.queries = {row: query + (read - 1) * 256.0 for row, query in head.queries.items()}
    net.assume(read, net.groups["out"], present=False, layer=1, before_mixer=True)
    assert "may hold something" not in problems(net)


# ---------------------------------------------------------------- norm and weights
def test_live_lanes_that_outweigh_the_pin():
    net = Netlist()
    big, copy = net.lanes("big", 200, INT(0, 256)), net.lanes("copy", 200, INT(0, 256))
    for a, b in zip(big, copy, strict=True):
        net.neuron(1, net.one[0], a, {b: 1})
    assert not problems(net)
    placed = place(net, partial=True)
    net.pin.domain = INT(0, 1)
    for lane in big:
        lane.domain = type(lane.domain)("huge", 0.0, 256.0 * 16, 16.0)
    assert "move the norm's scale" in "\n".join(map(str, find_problems(placed)))


def test_weight_that_is_no_bf16_number():
    net = Netlist()
    net.neuron(1, net.lane("flag", BIT), 1, {net.lane("out", INT(0, 256)): 257 / 256})
    with pytest.raises(CircuitError, match="is not a bf16 number"):
        sparse_layers(place(net, partial=True))


def test_constant_that_four_lanes_cannot_hold():
    net = Netlist()
    net.neuron(1, net.lane("flag", BIT), 1 + 2.0**-40, {net.lane("out", BIT): 1})
    constant = 1 + 2.0**-9 + 2.0**-18 + 2.0**-27 + 2.0**-36
    net.neuron(1, net.lane("flag2", BIT), constant, {net.lane("out2", BIT): 1})
    with pytest.raises(CircuitError, match="needs more than 4 weights"):
        sparse_layers(place(net, partial=True))


def test_proof_names_circuit_layer_and_lane():
    net = Netlist()
    with net.circuit("adder"):
        net.neuron(7, net.one[0], 1, {net.lane("sum", BIT): 2})
    with pytest.raises(CircuitError, match=r"adder, layer 7: lane sum \(bit\): it becomes 2"):
        prove(place(net, partial=True))
