"""How far the compiled layers stay from everything that could tip: python -m tests.conformance.margins MACHINE.safetensors

Runs programs and recorded kernels in the compact runtime without its compiled loop and looks at every pre-activation, decay,
norm and logit as it is computed (what is computed once for many tokens is looked at once). Saves `results/margins.json`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from engine.compact import CompactRuntime
from engine.launch import launch
from engine.machine.program import Program
from engine.replay import require_exact
from engine.residual import EPSILON, Norm, product, round_bf16
from engine.sparse_mixer import Mixer
from engine.sparse_mlp import Mlp
from engine.vocabulary import TOKEN_SCALE, Vocabulary
from engine.weights import read_machine
from tests.conformance import machine_programs, results
from tests.conformance.recorded import shortest
from toolchain.launch import parse_launch
from toolchain.lower import lower
from toolchain.ptx import parse_ptx

CLOSED, OPEN, KEPT, ERASED, NORM = -89.0, 6.25, -103.0, 104.0, 2.0**-9
"""silu gives exactly 0 up to the first and its argument from the second on (bf16); a decay is exactly 1 up to the third
and exactly 0 from the fourth on; a norm whose factor is nearer to 1 than the last leaves bf16 numbers as they are."""
SHORTEST = 30
"""Recorded launches that are run: those with the fewest threads."""


class Margins:
    """The nearest values seen, by what they decide: name -> (value, threshold)."""

    def __init__(self) -> None:
        self.nearest: dict[str, tuple[float, float]] = {}
        self.looked: dict[str, int] = {}

    def below(self, name: str, values: np.ndarray, threshold: float) -> None:
        """Values that must stay below a threshold."""
        self._keep(name, values, threshold, np.max)

    def above(self, name: str, values: np.ndarray, threshold: float) -> None:
        """Values that must stay above a threshold."""
        self._keep(name, values, threshold, np.min)

    def switch(self, name: str, values: np.ndarray) -> None:
        """Pre-activations of a silu that is a switch: 0, or far on either side."""
        self.below(f"{name}, closed", values[values < 0], CLOSED)
        self.above(f"{name}, open", values[values > 0], OPEN)

    def rounding(self, name: str, values: np.ndarray) -> None:
        """Sums that bf16 must hold as they are."""
        self.below(f"{name}, rounded away by bf16", np.abs(values - round_bf16(np.ascontiguousarray(values))).ravel(), 0.0)

    def _keep(self, name: str, values: np.ndarray, threshold: float, nearest: Callable[[Any], Any]) -> None:
        if values.size:
            seen = [self.nearest[name][0]] if name in self.nearest else []
            self.nearest[name] = float(nearest([nearest(values), *seen])), threshold
            self.looked[name] = self.looked.get(name, 0) + values.size


def place(norm: Norm) -> str:
    """What is said of the first layer, whose input has no pin lane yet and is scaled by its norm."""
    return " of the first layer" if len(norm.gain) and norm.gain[0] == 1 else ""


@contextmanager
def recording(found: Margins) -> Iterator[None]:
    """Look at everything that the runtime computes meanwhile."""
    mlp, touches, decays, offers, norm, argmax = (
        Mlp._compute, Mixer._touches, Mixer._decays, Mixer._offers, Norm.__call__, Vocabulary.argmax,
    )  # fmt: skip
    told: set[bytes] = set()

    def look_mlp(self: Mlp, lanes: Any, squares: Any) -> Any:
        normed = np.stack([norm(self.norm, row[: self.read], square) for row, square in zip(lanes, squares, strict=True)])
        sums = product(self.inner, normed)
        gates, ups = np.split(sums, 2, axis=1)
        layers = place(self.norm)
        found.switch(f"gates of neurons{layers}", gates)
        found.rounding(f"sums of open neurons{layers}", np.concatenate([gates[gates > 0], ups[gates > 0]]))
        return mlp(self, lanes, squares)

    def look_touches(self: Mixer, lanes: np.ndarray) -> Any:
        placed = self.address.sums(lanes)[0]
        found.switch("keys and queries", placed)
        return touches(self, lanes)

    def look_decays(self: Mixer, rest: np.ndarray) -> Any:
        a = np.zeros(len(self.heads), np.float32)
        a[self.address.slots] = round_bf16(rest)
        pre = a + self.dt_bias.numpy()
        found.below("decays that keep", pre[pre < 0], KEPT)
        found.above("decays that erase", pre[pre >= 0], ERASED)
        return decays(self, rest)

    def look_offers(self: Mixer, lanes: Any) -> Any:
        if len(lanes):
            rest = self.value.sums(np.stack(lanes))[1]
            found.above("write strengths", rest[rest != 0], OPEN)
        return offers(self, lanes)

    def look_norm(self: Norm, lanes: np.ndarray, squares: float) -> Any:
        if self.low < self.high and not place(self):
            factor = float(self.gain[0]) / math.sqrt(squares / self.size + EPSILON)
            found.below("norms, distance of the factor from 1", np.array([abs(factor - 1)]), NORM)
        return norm(self, lanes, squares)

    def look_argmax(self: Vocabulary, residual: np.ndarray) -> int:
        lanes = residual[self._lanes]
        if (key := lanes.tobytes()) not in told:
            told.add(key)
            normed = round_bf16(lanes / np.float32(math.sqrt(residual.dot(residual) / len(residual) + EPSILON)))
            logits = np.sort(round_bf16(self._signs @ (normed * TOKEN_SCALE)))
            found.above(
                "the largest logit over the next one, relative", np.array([(logits[-1] - logits[-2]) / logits[-1]]), 0.0
            )
        return argmax(self, residual)

    with ExitStack() as stack:
        for owner, name, look in (
            (Mlp, "_compute", look_mlp), (Mixer, "_touches", look_touches), (Mixer, "_decays", look_decays),
            (Mixer, "_offers", look_offers), (Norm, "__call__", look_norm), (Vocabulary, "argmax", look_argmax),
        ):  # fmt: skip
            stack.enter_context(patch.object(owner, name, look))
        yield


def programs() -> Iterator[Program]:
    """Pairs of instructions, overwritten operands, lane masks, and the smallest recorded launches of NVIDIA's PTX."""
    rng = np.random.default_rng
    yield machine_programs.overwriting(rng(2))
    yield from machine_programs.masks(rng(3))
    yield from machine_programs.pairs(rng(1))
    for _, _, text, record in shortest(SHORTEST):
        yield lower(parse_ptx(text), parse_launch(record["launch"])).program


def main() -> int:
    """Run, save, print."""
    machine = read_machine(Path(sys.argv[1]))
    runtime, found, names, tokens = CompactRuntime(machine), Margins(), [], 0
    with recording(found):
        for program in programs():
            result = launch(runtime, program)
            require_exact(program, result.generated)
            names.append(program.kernel)
            tokens += len(result.prompt) + len(result.generated)
            nearest = {name: [*pair, found.looked[name]] for name, pair in sorted(found.nearest.items())}
            results.save("margins", {"machine": machine.content[:12], "programs": names, "tokens": tokens, "nearest": nearest})
    for name, (value, threshold, looked) in nearest.items():
        print(f"{name}: {value:.6g} (threshold {threshold:g}; {looked:,} looked at)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
