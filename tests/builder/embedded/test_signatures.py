"""The calls that the small model learns are calls of the kernel library."""

import re
import tomllib
from pathlib import Path

import pytest

from builder.embedded.signatures import SIGNATURES

KERNELS = Path(__file__).parents[3] / "resources" / "kernels"
KINDS = {"int": "i", "list": "l", "matrix": "m", "each": "e"}


def kind_of(text: str) -> str:
    return KINDS[re.match(r"\w+", text)[0]]


@pytest.mark.parametrize("name", SIGNATURES)
def test_the_kernel_takes_what_the_call_gives(name: str):
    source = (KERNELS / f"{name}.cu").read_text("utf-8")
    manifest = tomllib.loads(re.search(r"/\*---\n(.*?)---\*/\n", source, re.DOTALL)[1])
    taken = [kind_of(argument.partition(": ")[2]) for argument in manifest["arguments"]]
    given = SIGNATURES[name].kinds
    assert len(taken) == len(given)
    assert all(kind == known or (kind == "e" and known in "il") for kind, known in zip(taken, given, strict=True))
    result = kind_of(manifest["result"])
    assert result == SIGNATURES[name].result or result == "e"


def test_no_kernel_is_unknown_to_the_model():
    assert {path.stem for path in KERNELS.glob("*.cu")} == set(SIGNATURES)
