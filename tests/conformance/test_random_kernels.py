"""Random kernels and their variants on the interpreter, against the PTX interpreter; the reducer; one batch on the CPU."""

import random
import shutil
from dataclasses import replace

import pytest

from tests.conformance import random_kernels as subject
from tests.conformance.generator import Statement, kernel
from tests.conformance.variants import VARIANTS

SEEDS = 40
"""Kernels of an ordinary run: about half a second each. `python -m tests.conformance` says how many were run by hand."""


@pytest.mark.parametrize("first", range(0, SEEDS, 20))
def test_random_kernels_give_what_their_ptx_says(first):
    tally = subject.run(range(first, first + 20), subject.Tally())
    assert tally.failures == []
    assert tally.launches["interpreted"] >= 14
    assert set(tally.refused) <= {"program blocks", "memory words", "registers", "__syncthreads sites", "arrays"}


@pytest.mark.slow
@pytest.mark.parametrize("first", range(SEEDS, 5000, 100))
def test_many_random_kernels_give_what_their_ptx_says(first):
    assert subject.run(range(first, first + 100), subject.Tally(), variants=True).failures == []


def test_variants_of_a_kernel_give_its_arrays():
    tally = subject.run(range(7000, 7005), subject.Tally(), variants=True)
    assert tally.failures == []
    assert sum(tally.launches[name] for name in VARIANTS) >= 8


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_the_cpu_gives_the_same_arrays():
    tally = subject.run(range(9000, 9004), subject.Tally(), native=True)
    assert tally.failures == []
    assert tally.launches["native"] == 4


def test_variants_change_the_source():
    made = kernel(11)
    for vary in VARIANTS.values():
        assert vary(made, random.Random(1)).source() != made.source()


def test_a_failure_is_reduced_to_what_causes_it(monkeypatch):
    guilty = Statement("b[w] = 7;")
    made = kernel(3)
    nested = Statement("if (t < 2)", (Statement("o[w] += 1;"), Statement("for (int k9 = 0; k9 < 2; k9++)", (guilty,))))
    monkeypatch.setattr(subject, "fails", lambda candidate: "b[w] = 7;" in candidate.source())
    found = subject.reduced(replace(made, body=(*made.body, nested)))
    assert [part.write() for part in found.body] in (["b[w] = 7;"], ["for (int k9 = 0; k9 < 2; k9++) { b[w] = 7; }"])
