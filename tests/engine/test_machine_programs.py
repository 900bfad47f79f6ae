"""The programs of `tests.conformance.machine` through the compiled layers: the short ones here, all of them by its command."""

from __future__ import annotations

import numpy as np
import pytest

from engine.machine.program import validate
from engine.native import NativeRuntime
from tests.conformance import machine_programs
from tests.conformance.machine import check, programs
from tests.conformance.machine_programs import COMPUTING, Expected, overwriting, pairs


@pytest.fixture(scope="module")
def runtime(machine, native_library):
    return NativeRuntime(machine, native_library)


@pytest.mark.parametrize("kind", ["overwriting", "masks"])
def test_short_programs_are_what_numpy_says(runtime, kind):
    tokens = [check(runtime, program) for made, program in programs() if made == kind]
    assert min(tokens) > 500


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(list(programs()))))
def test_all_programs_are_what_numpy_says(runtime, number):
    assert check(runtime, list(programs())[number][1]) > 500


def test_every_program_fits_the_machine():
    for _, program in programs():
        validate(program)


def test_every_pair_of_instructions_is_there():
    """All but those that no two stages have, or whose second result nobody could see."""
    seen = set()
    for program in pairs(np.random.default_rng(0)):
        for block in program.blocks[1:]:
            names = [operation.mnemonic for operation in block.operations if operation.mnemonic != "nop"]
            seen.add((names[0], names[1]))
    high = {"mulhi.u", "mulhi.s"}
    every = {(one.mnemonic, other.mnemonic) for one in COMPUTING for other in COMPUTING}
    assert every - seen == {(one, other) for one, other in every if one in high and (other in high or other.startswith("setp"))}


def test_every_lane_mask_is_tried():
    blocks = [block for program in machine_programs.masks(np.random.default_rng(0)) for block in program.blocks]
    immediates = [block.operations[0].immediate for block in blocks if block.operations[0].mnemonic == "shr"]
    assert immediates[:1] and {word for word in immediates if word < 16} == set(range(16))


def test_a_wrong_instruction_is_found(runtime, monkeypatch):
    """numpy's word against the machine's: with another `sub` in numpy's place they differ."""
    monkeypatch.setitem(machine_programs.REFERENCE, "sub", lambda a, b, c, p: a - b + 1)
    with pytest.raises(AssertionError, match="block"):
        check(runtime, overwriting(np.random.default_rng(2)))


def test_a_block_that_should_not_run_is_found():
    expected = Expected(overwriting(np.random.default_rng(2)))
    expected.run(0, 0, 15)
    with pytest.raises(AssertionError, match="block 2 runs"):
        expected.run(2, 0, 15)
