"""Whole pipeline stages against the reference interpreter, with program, register, memory and tag writes mixed in."""

import numpy as np
import pytest
from harness import Bench, run_both
from stage_stream import OUTPUTS, Stream

from builder.check import prove
from builder.circuits.bus import LOAD_LAYERS, TAG_LAYERS, declare
from builder.circuits.operands import clear_predicates
from builder.circuits.stage import build_stage
from builder.netlist import Netlist
from builder.tensors import sparse_layer
from engine.machine.instructions import INSTRUCTIONS
from engine.machine.program import Operation, operation_row
from engine.machine.spec import SPEC
from engine.machine.tokens import Token

LANES = range(SPEC.lanes)
STAGES = range(SPEC.stages)


class StageBench:
    """One stage, or all of them, on the bench.

    looks: group -> (what is expected of it, layer). given: input group -> what the interpreter says of it
    """

    def __init__(self, stages: range) -> None:
        net = Netlist()
        bus = declare(net, SPEC)
        if stages[0] == 0:
            clear_predicates(net, bus)
        for stage in stages:
            build_stage(net, bus, SPEC, stage)
        last, after = TAG_LAYERS[stages[-1]], stages[-1] + 1
        if stages == STAGES:
            self.looks = {group: (group, last) for group in OUTPUTS}
        else:
            self.looks = {group: (group, last) for group in (f"fault{stages[0]}", *(f"result{stages[0]}.{j}" for j in LANES))}
            self.looks.update({group: (f"{group} by {stages[0]}", last) for group in OUTPUTS if "store_" in group})
            self.looks["predicate"] = (f"predicate before {after}" if after in STAGES else "predicate", last)
        self.given = {f"result{k}.{j}": f"result{k}.{j}" for k in range(stages[0]) for j in LANES}
        if stages[0]:
            self.given["predicate"] = f"predicate before {stages[0]}"
        self.bench = Bench(net, [(group, layer) for group, (_, layer) in self.looks.items()], proved=False)

    def emulate(self, stream: Stream) -> None:
        """Every lane as the interpreter says, in the emulator."""
        s = stream.scenario(self.given, self.looks)
        self.bench.check(self.bench.emulate(s), s)

    def run_in_stock_modules(self, stream: Stream, singles: int) -> None:
        """The same in stock modules, as a chunk and in pieces that end with single tokens."""
        first = (stream.length - singles) * 2 // 3
        pieces = [first, 1, 1, stream.length - singles - first - 2, *[1] * singles]
        run_both(self.bench, stream.scenario(self.given, self.looks), pieces)


def single(stage: int) -> StageBench:
    return StageBench(range(stage, stage + 1))


def test_a_row_never_written_and_a_nop_row_do_nothing():
    made = Stream(0).prepare(8, 4)
    for block in (3, 250):
        made.execute(block)
    nop = Operation("nop", immediate=7)
    made.token(Token("PROG", (250, 0)), ("PROG0",), {"broadcast": made.row(operation_row(nop))})
    made.execute(250)
    single(0).emulate(made)


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_by_itself_in_the_emulator(stage):
    single(stage).emulate(Stream(stage).prepare().mix(900))


def test_all_stages_in_the_emulator():
    StageBench(STAGES).emulate(Stream(10).prepare().mix(600))


def test_a_stage_in_stock_modules_in_a_chunk_and_in_pieces():
    single(1).run_in_stock_modules(Stream(20).prepare(6, 6).mix(64), singles=12)


def test_streams_reach_every_kind_of_thing():
    streams = [Stream(seed).prepare().mix(900) for seed in (*STAGES, 10)]
    things = [
        *(entry.mnemonic for entry in INSTRUCTIONS if entry.operands),
        "load",
        "store",
        "store swapped",
        "skipped",
        "faults",
        "EXEC",
        "VAL",
        "MEMV",
        "TAGROW",
        "PROG",
        "WARP",
    ]
    assert not [name for name in things if not any(stream.seen[name] for stream in streams)]
    for group in ("result0.0", "result3.0"):
        results = [row[group] for stream in streams for row in stream.expected if group in row]
        assert len(np.unique(results, axis=0)) > 40


def test_a_missing_neuron_is_noticed():
    """The streams tell a stage with a neuron too few from a right one."""
    piece, layer = single(1), LOAD_LAYERS[1]
    s = Stream(30).prepare().mix(700).scenario(piece.given, piece.looks)
    neurons = piece.bench.netlist.layers[layer].neurons
    for number in (0, len(neurons) // 2, len(neurons) - 1):
        removed = neurons.pop(number)
        piece.bench.sparse[layer] = sparse_layer(piece.bench.placed, layer)
        with pytest.raises(AssertionError):
            piece.bench.check(piece.bench.emulate(s), s)
        neurons.insert(number, removed)


@pytest.mark.slow
def test_every_bound_of_all_stages_is_proved():
    prove(StageBench(STAGES).bench.placed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_all_stages_on_long_streams(seed):
    StageBench(STAGES).emulate(Stream(100 + seed).prepare().mix(2500))


@pytest.mark.slow
@pytest.mark.parametrize("stage", STAGES)
def test_every_stage_in_stock_modules(stage):
    single(stage).run_in_stock_modules(Stream(200 + stage).prepare().mix(400), singles=60)


@pytest.mark.slow
def test_all_stages_in_stock_modules():
    StageBench(STAGES).run_in_stock_modules(Stream(300).prepare().mix(330), singles=40)
