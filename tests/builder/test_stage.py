"""Whole pipeline stages against the reference interpreter, with program, register, memory and tag writes mixed in."""

import numpy as np
import pytest
from harness import Bench, Scenario, run_both
from stage_stream import OUTPUTS, Stream

from builder.circuits.bus import TAG_LAYERS, declare
from builder.circuits.operands import clear_predicates
from builder.circuits.stage import build_stage, build_stages
from builder.netlist import Netlist
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
        if stages == STAGES:
            build_stages(net, bus, SPEC)
        else:
            if stages[0] == 0:
                clear_predicates(net, bus)
            build_stage(net, bus, SPEC, stages[0])
        last = TAG_LAYERS[stages[-1]]
        self.looks = {group: (group, last) for group in (f"{name}{k}{suffix}" for k in stages for name, suffix in (
            ("fault", ""), *(("result", f".{j}") for j in LANES)))}
        if stages == STAGES:
            self.looks = {group: (group, last) for group in OUTPUTS}
        else:
            after = stages[-1] + 1
            self.looks["predicate"] = (f"predicate before {after}" if after in STAGES else "predicate", last)
        earlier = range(stages[0])
        self.given = {f"result{k}.{j}": f"result{k}.{j}" for k in earlier for j in LANES}
        if earlier:
            self.given["predicate"] = f"predicate before {stages[0]}"
        self.bench = Bench(net, [(group, layer) for group, (_, layer) in self.looks.items()])

    def scenario(self, stream: Stream) -> Scenario:
        return stream.scenario(self.given, self.looks)


def mixed(seed: int, length: int) -> Stream:
    made = Stream(seed)
    made.prepare()
    return made.mix(length)


def test_a_row_never_written_and_a_nop_row_do_nothing():
    piece, made = StageBench(range(1)), Stream(0)
    made.prepare()
    for block in (3, 250):
        made.execute(block)
    nop = Operation("nop", immediate=7)
    made.token(Token("PROG", (250, 0)), ("PROG0",), {"broadcast": made.row(operation_row(nop))})
    made.execute(250)
    s = piece.scenario(made)
    piece.bench.check(piece.bench.emulate(s), s)


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_by_itself_in_the_emulator(stage):
    piece = StageBench(range(stage, stage + 1))
    s = piece.scenario(mixed(stage, 900))
    piece.bench.check(piece.bench.emulate(s), s)


def test_all_stages_in_the_emulator():
    piece, made = StageBench(STAGES), mixed(10, 700)
    s = piece.scenario(made)
    piece.bench.check(piece.bench.emulate(s), s)


def test_a_stage_in_stock_modules_in_a_chunk_and_in_pieces():
    piece = StageBench(range(1, 2))
    made = mixed(20, 260)
    run_both(piece.bench, piece.scenario(made), [made.length - 80, 1, 1, 63, 1, 1, 1, 1, 1, *[1] * 9])


def test_streams_reach_every_kind_of_thing():
    made = mixed(10, 3000)
    missing = [name for name in (*(e.mnemonic for e in INSTRUCTIONS if e.mnemonic != "nop"), "load", "store",
                                 "store swapped", "skipped", "faults", "EXEC", "VAL", "MEMV", "TAGROW", "PROG", "WARP")
               if not made.seen[name]]
    assert not missing
    results = np.array([row["result0.0"] for row in made.expected if "result0.0" in row])
    assert len(np.unique(results, axis=0)) > 100
