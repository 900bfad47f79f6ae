"""Layers 0 to 7 against the reference interpreter, from embedding rows to the broadcast row."""

import numpy as np
import pytest
from harness import Bench, Scenario, bits, run_both, spins
from streams import Moment, random_stream

from builder.circuits.bus import KINDS, declare
from builder.circuits.front import front
from builder.netlist import Netlist
from engine.machine.spec import SPEC
from engine.machine.tokens import MEM1_POSITION, MEMV_POSITION, POSITIONS, TOKENS, slot_position

LAST = 7
GROUPS = [
    "position",
    "line",
    "warp",
    "block",
    "mask",
    "running",
    "register_write",
    "broadcast",
    *(f"kind.{name}" for name in KINDS),
]


@pytest.fixture(scope="module")
def bench() -> Bench:
    net = Netlist()
    front(net, SPEC, declare(net, SPEC))
    return Bench(net, [(group, LAST) for group in GROUPS] + [("destination", LAST)], booted=False, proved=True)


def kind_bits(moment: Moment) -> dict[str, bool]:
    kind = moment.token.kind
    name = f"PROG{moment.token.fields[1]}" if kind == "PROG" else kind
    return {
        k: k == name or (k == "MEM" and kind in ("MEM1", "MEMV")) or (k == "RESET" and kind in ("START", "CTAEND", "RESTART"))
        for k in KINDS
    }


def position(moment: Moment) -> int:
    kind, fields = moment.token
    places = {
        "EXEC": lambda: -1,
        "VAL": lambda: slot_position(*fields[:3]),
        "MEMV": lambda: MEMV_POSITION,
        "MEM1": lambda: MEM1_POSITION + fields[0],
    }
    return places.get(kind, lambda: POSITIONS)()


def line(moment: Moment) -> int | None:
    kind, fields = moment.token
    return {"MEM1": lambda: fields[1] // 4, "MEMV": lambda: fields[0], "TAGROW": lambda: fields[0]}.get(kind, lambda: None)()


def broadcast(moment: Moment) -> tuple[int, ...] | None:
    if moment.token.kind in ("PROG", "TAGROW"):
        return moment.staged
    return moment.register[1] if moment.register else moment.line


def scenario(moments: list[Moment]) -> Scenario:
    zero, none = np.zeros(128), np.zeros(9)
    rows, lines = [broadcast(m) for m in moments], [line(m) for m in moments]
    expected = {
        "position": [[position(m)] for m in moments],
        "line": [none if n is None else spins(n, 9) for n in lines],
        "warp": [bits(m.warp, 4) for m in moments],
        "block": [bits(m.block, 8) for m in moments],
        "mask": [bits(m.mask, 4) for m in moments],
        "running": [[float(m.mask > 0)] for m in moments],
        "register_write": [[float(m.register is not None)] for m in moments],
        "broadcast": [zero if r is None else spins(np.array(r), 32).reshape(-1) for r in rows],
        "destination": [bits(m.register[0] if m.register else 0, 4) for m in moments],
    }
    for name in KINDS:
        expected[f"kind.{name}"] = [[float(kind_bits(m)[name])] for m in moments]
    return Scenario(
        {},
        {(group, LAST): np.array(values) for group, values in expected.items()},
        np.array([TOKENS.code(m.token) for m in moments]),
    )


def test_head_against_the_interpreter_on_many_tokens(bench: Bench):
    moments = random_stream(6000, 0)
    kinds = {m.token.kind for m in moments}
    assert kinds == set(TOKENS.kinds), "every kind of token must be in the stream"
    s = scenario(moments)
    bench.check(bench.emulate(s), s)


def test_head_in_stock_modules_in_one_chunk_and_in_single_steps(bench: Bench):
    run_both(bench, scenario(random_stream(48, 1)), [30, 1, 1, 8, *[1] * 8])


@pytest.mark.slow
def test_head_in_stock_modules_on_many_tokens(bench: Bench):
    run_both(bench, scenario(random_stream(700, 1)), [400, 1, 1, 63, 1, 64, 65, 1, *[1] * 104])
