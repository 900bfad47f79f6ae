"""The verdict of the proof belongs to exactly these sources; the full proof itself is a slow test."""

from __future__ import annotations

import pytest

from builder import identity
from builder.check import find_problems
from builder.machine import compile_machine
from engine.machine.spec import SPEC, MachineSpec


def test_the_kept_verdict_is_for_these_sources():
    assert identity.is_proven(SPEC), "run `python -m builder`: the circuits changed since they were proven"


def test_another_machine_has_no_verdict(monkeypatch):
    assert not identity.is_proven(MachineSpec(words=1536))
    monkeypatch.setattr(identity, "builder_hash", lambda: "0" * 64)
    assert not identity.is_proven(SPEC)


@pytest.mark.slow
def test_every_bound_of_the_machine_is_shown():
    assert find_problems(compile_machine()) == []
