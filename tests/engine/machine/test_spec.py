"""The machine's numbers: what follows from them, what they refuse, and that their JSON is canonical."""

import json
from dataclasses import asdict, fields, replace

import pytest

from engine.machine.docs import NUMBERS
from engine.machine.errors import LimitExceeded
from engine.machine.spec import SPEC, MachineSpec


def test_the_published_numbers_are_reached():
    assert (SPEC.layers, SPEC.lanes, SPEC.warp_size, SPEC.stages) == (45, 4, 32, 4)
    assert SPEC.registers >= 16 and SPEC.blocks >= 128 and SPEC.threads >= 64
    assert SPEC.words >= 1024 + 512, "global memory and shared memory"


def test_derived_numbers_of_a_small_machine():
    spec = MachineSpec(words=512, threads=48)
    assert (spec.warps, spec.cuda_warps, spec.lines, spec.address_bits) == (12, 2, 128, 9)
    assert (spec.words_per_tag_row, spec.tag_rows, spec.usable_axes) == (32, 16, 1536)
    assert MachineSpec(threads=32).cuda_warps == 1


@pytest.mark.parametrize(
    ("change", "limit", "needed", "available"),
    [
        ({"blocks": 257}, "blocks named by a payload byte", 257, 256),
        ({"threads": 68}, "hardware warps named by one status row", 17, 16),
        ({"words": 4096}, "words reached by the load heads of one layer", 16384, 8192),
        ({"registers": 17}, "registers of all warps held by two heads", 272, 256),
        ({"stages": 5}, "stages whose earlier results are operands", 5, 4),
        ({"lanes": 8}, "lanes named by a token", 8, 4),
        ({"tags": 17}, "tag values in four bits", 17, 16),
        ({"sites": 17}, "barrier sites in four bits", 17, 16),
        ({"hidden": 1024}, "recurrent state and value width", 2048, 1024),
    ],
)
def test_a_number_that_does_not_fit_is_named(change, limit, needed, available):
    with pytest.raises(LimitExceeded) as refused:
        replace(SPEC, **change)
    assert refused.value.extra == {"limit": limit, "needed": needed, "available": available}
    assert f"{needed:,} needed" in str(refused.value) and refused.value.remedy


def test_json_round_trip_is_canonical():
    spec = MachineSpec(words=1024, threads=32)
    assert MachineSpec.from_json(spec.to_json()) == spec
    assert json.loads(spec.to_json()) == asdict(spec)
    shuffled = json.dumps(dict(reversed(asdict(spec).items())))
    assert MachineSpec.from_json(shuffled).to_json() == spec.to_json()


def test_json_with_an_unknown_number_is_refused():
    with pytest.raises(TypeError):
        MachineSpec.from_json(json.dumps(asdict(SPEC) | {"cores": 2}))


def test_require_passes_what_fits_exactly():
    SPEC.require("things", 5, 5)
    with pytest.raises(LimitExceeded, match="things: 6 needed, the machine has 5 - here - do less"):
        SPEC.require("things", 6, 5, "here", "do less")


def test_every_number_has_a_documented_meaning():
    assert {entry.name for entry in fields(MachineSpec)} <= set(NUMBERS)
    assert all(isinstance(getattr(SPEC, name), int) for name in NUMBERS)
