"""The ALU of a stage by itself: every instruction on corner values squared and random operands, against numpy."""

import numpy as np
import pytest
from harness import Bench, Scenario, run_both, spins

from builder.check import prove
from builder.circuits import alu
from builder.circuits.bus import LOAD_LAYERS, OPERAND_LAYERS, declare
from builder.circuits.operands import Operands
from builder.circuits.program_rom import Row, available
from builder.netlist import BIT, SPIN, Netlist
from engine.machine.instructions import BY_MNEMONIC, COMMON_CORNERS, INSTRUCTIONS, OPCODE
from engine.machine.spec import SPEC, WORD_BITS
from tests.truth.instructions import REFERENCE

U = np.uint32
LANES = range(SPEC.lanes)
FIVE_LAYERS, SIX_LAYERS = 0, 2
"""A stage of either kind."""


class AluBench:
    """The ALU of one stage, its operands and opcode given."""

    def __init__(self, stage: int) -> None:
        net = Netlist()
        bus = declare(net, SPEC)
        opcode = {name: net.lane(f"op.{name}", BIT) for name in available(stage)}
        net.exclusive("op", opcode.values())
        unused = net.lanes("unused", 4, BIT)
        words = {name: [net.lanes(f"{name}{j}", WORD_BITS, SPIN) for j in LANES] for name in "abc"}
        for name, operand in words.items():
            net.together(name, *operand, since=0)
        net.together("predicates", bus.predicates, since=0)
        alu.build_alu(net, bus, SPEC, stage, Row(opcode, {}, [], *unused, []), Operands(*words.values(), []))
        self.stage, self.last = stage, LOAD_LAYERS[stage] - 1
        self.bench = Bench(net, [*((f"result{stage}.{j}", self.last) for j in LANES), ("predicate", self.last)], proved=False)

    def scenario(self, names: np.ndarray, a: np.ndarray, b: np.ndarray, c: np.ndarray, p: np.ndarray) -> Scenario:
        """Cases [T] of an instruction name and [T, lanes] operands."""
        results, words = np.zeros(a.shape, U), np.zeros((len(a), WORD_BITS * len(LANES)), bool)
        predicates = p.astype(bool)
        for name in np.unique(names):
            at = names == name
            want = REFERENCE[name](*(x[at].ravel() for x in (a, b, c, p))).reshape(-1, len(LANES))
            if BY_MNEMONIC[name].predicate:
                predicates[at] = want
            else:
                results[at], words[at] = want, True
        values = {f"op.{name}": (names == name)[:, None] for name in available(self.stage)}
        for name, operand in zip("abc", (a, b, c), strict=True):
            values.update({f"{name}{j}": spins(operand[:, j], WORD_BITS) for j in LANES})
        lanes = spins(results, WORD_BITS) * words.reshape(len(a), len(LANES), WORD_BITS)
        expected = {(f"result{self.stage}.{j}", self.last): lanes[:, j] for j in LANES}
        return Scenario({**values, "predicate": p * 2.0 - 1}, {**expected, ("predicate", self.last): predicates * 2.0 - 1})


@pytest.fixture(scope="module", params=(FIVE_LAYERS, SIX_LAYERS))
def unit(request) -> AluBench:
    return AluBench(request.param)


def octal_extremes(rng: np.random.Generator, count: int) -> np.ndarray:
    """Words whose octal digits are all 0 or 7: the largest column sums next to the smallest."""
    digits = 7 * (rng.random((count, 11)) < rng.random((count, 1)))
    return (digits << 3 * np.arange(11)).sum(1).astype(U)


def operands(rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of words: random, nearly equal, nearly opposite (full carries), a small second one, octal extremes."""
    a, b = rng.integers(0, 1 << 32, (2, count), dtype=U)
    near = rng.integers(-1, 2, count).astype(U)
    kind = rng.integers(0, 6, count)
    b = np.choose(
        kind,
        [
            b,
            a + near,
            near - a,
            rng.integers(0, 40, count).astype(U),
            octal_extremes(rng, count),
            b >> rng.integers(0, 32, count).astype(U),
        ],
    )
    return np.where(kind == 4, octal_extremes(rng, count), a), b


def cases(mnemonic: str, seed: int, count: int, corners: bool = True) -> tuple[np.ndarray, ...]:
    """a, b, c, p [T, lanes]: corner values squared, then `count` others."""
    rng = np.random.default_rng([OPCODE[mnemonic], seed])
    a, b = operands(rng, count)
    if corners:
        values = np.array(sorted({*COMMON_CORNERS, *BY_MNEMONIC[mnemonic].corners}), U)
        grid = np.meshgrid(values, values)
        a, b = np.concatenate([grid[0].ravel(), a]), np.concatenate([grid[1].ravel(), b])
    if mnemonic in alu.SHIFTS:
        b[-count:] = np.where(rng.random(count) < 0.8, rng.integers(0, 36, count), b[-count:])
    size = len(a) // len(LANES) * len(LANES)
    c, p = operands(rng, size)[1], rng.integers(0, 2, size).astype(U)
    order = rng.permutation(len(a))[:size]
    return tuple(x.reshape(-1, len(LANES)) for x in (a[order], b[order], c, p))


def together(names: list[str], seed: int, count: int) -> tuple[np.ndarray, ...]:
    """Cases of several instructions, shuffled."""
    parts = [cases(name, seed, count, corners=False) for name in names]
    a, b, c, p = (np.concatenate(x) for x in zip(*parts, strict=True))
    order = np.random.default_rng(seed).permutation(len(a))
    return tuple(x[order] for x in (np.repeat(names, len(parts[0][0])), a, b, c, p))


def test_every_instruction_has_a_circuit():
    assert {entry.mnemonic for entry in INSTRUCTIONS} - {"nop"} == alu.CIRCUITS
    for stage in range(SPEC.stages):
        assert len(range(OPERAND_LAYERS[stage] + 1, LOAD_LAYERS[stage])) == (6 if stage == SIX_LAYERS else 5)


@pytest.mark.parametrize("mnemonic", sorted(alu.CIRCUITS))
def test_corner_pairs_and_random_operands(unit, mnemonic):
    if mnemonic not in available(unit.stage):
        return
    a, b, c, p = cases(mnemonic, 0, 400)
    s = unit.scenario(np.full(len(a), mnemonic), a, b, c, p)
    unit.bench.check(unit.bench.emulate(s), s)


def test_no_instruction_leaves_everything_alone(unit):
    a, b, c, p = cases("add", 1, 200, corners=False)
    s = unit.scenario(np.full(len(a), "nop"), a, b, c, p)
    for j in LANES:
        s.expected[f"result{unit.stage}.{j}", unit.last][:] = 0
    unit.bench.check(unit.bench.emulate(s), s)


@pytest.mark.slow
def test_every_bound_is_proved(unit):
    prove(unit.bench.placed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_many_random_operands(unit, seed):
    s = unit.scenario(*together(available(unit.stage), seed, 400))
    unit.bench.check(unit.bench.emulate(s), s)


@pytest.mark.slow
def test_every_instruction_in_stock_modules(unit):
    s = unit.scenario(*together(available(unit.stage), 9, 16))
    run_both(unit.bench, s, [s.length - 40, 1, 1, 30, *[1] * 8])
