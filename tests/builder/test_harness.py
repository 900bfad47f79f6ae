"""The bench itself: a 128-row memory beside a full adder, against plain Python, in the emulator and in stock modules."""

import numpy as np
from harness import Bench, Scenario, run_both, spins

from builder.netlist import BIT, INT, SIGNED, SPIN, SPIN_OR_ZERO, Netlist, all_of, bit, equals


def memory_and_adder() -> Netlist:
    net = Netlist()
    write = net.lane("write", BIT)
    read = net.lane("read", BIT)
    address = net.lanes("address", 7, SPIN)
    data = net.lanes("data", 128, SPIN)
    found = net.lanes("found", 128, SPIN_OR_ZERO)
    ones = net.lane("ones", INT(0, 3))
    both = net.lane("both", INT(0, 2))
    net.assume((), [*address, *data], present=True)
    with net.circuit("memory"):
        head = net.head(1, "memory")
        for row in range(128):
            head.key(row, equals(address, row), write)
            head.query(row, equals(address, row), read)
        for dim in range(128):
            head.spin(dim, data[dim])
            head.out(dim, found[dim], SIGNED)
    with net.circuit("adder"):
        net.neuron(1, net.one[0], bit(data[0]) + bit(data[1]) + bit(data[2]), {ones: 1})
        net.neuron(2, all_of(data[0], data[1]), 1, {both: 1})
        net.neuron(2, ones - 2, 0.5, {both: 2})
    return net


def scenario(length: int, seed: int) -> Scenario:
    rng = np.random.default_rng(seed)
    write, read = rng.random(length) < 0.5, rng.random(length) < 0.8
    address, data = rng.integers(0, 128, length), rng.integers(0, 2, (length, 128)) * 2.0 - 1
    found, rows = np.zeros((length, 128)), {}
    for token in range(length):
        if write[token]:
            rows[address[token]] = data[token]
        if read[token] and address[token] in rows:
            found[token] = rows[address[token]]
    three = (data[:, :3] > 0).all(1)
    both = (data[:, :2] > 0).all(1) + 1.0 * three
    return Scenario(
        {"write": write, "read": read, "address": spins(address, 7), "data": data}, {("found", 1): found, ("both", 2): both}
    )


def bench() -> Bench:
    net = memory_and_adder()
    return Bench(net, [("found", 1), ("both", 2)], proved=True)


def test_memory_and_adder_exact_in_chunks_and_single_steps():
    run_both(bench(), scenario(300, 0), [100, 1, 1, 63, 1, 64, 65, 1, 1, 1, 1, 1])


def test_emulator_agrees_with_plain_python_on_many_tokens():
    b, s = bench(), scenario(5000, 1)
    b.check(b.emulate(s), s)
