"""The compact runtime: the compiled layers without their zeros, exact and fast.

It is a sparse transformer executor. It knows lanes, heads, keys and neurons, nothing of what they mean: no token kinds, no
registers. It shares no code with the reference interpreter. Every value it computes equals the stock bf16 module's, bit for
bit, because it rounds where the stock code (transformers 5.24, `modeling_qwen3_5.py`) rounds:

| step | stock code | here |
|---|---|---|
| projections | bf16 x bf16, float32 sums, one rounding | float32 CSR product, rounded once by torch |
| silu, sigmoid, products of bf16 numbers | torch, bf16 | the same torch calls on the rows that exist |
| RMSNorm | float32, times 1 + w, rounded | same, or nothing where the factor rounds to 1 (`residual.Norm`) |
| l2norm, delta rule | float32 | float32, on the rows that a key or a query touches |
| gated norm | float32, rounded, times w in bf16, times silu(z) in float32, rounded | same, on heads that are read |
| residual | bf16 sum | float32 sum of bf16 numbers, rounded once |

Only the order of float32 sums differs. The circuits' sums are integers (or quarters) far below 2**24 in units of their last
place, so every order gives the same sum; where a sum is rounded (norms), the builder asserts margins of 2**-9 relative
against the 2**-22 that an order can change.

What is skipped is exactly zero: a head whose query is 0 reads 0; a head whose key is 0 and whose decay is 1 keeps its state.
And the state apart, every part of a layer is a function of some lanes of the residual, so its results are kept by those
lanes' bytes: on most tokens most layers see nothing new. (Measured, `tests/bench/bench_runtimes.py`.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from . import weights
from .residual import Residual, csr, round_bf16
from .sparse_mixer import MixerState, compile_mixer
from .sparse_mlp import compile_mlp
from .vocabulary import Vocabulary
from .weights import Machine

PIECE: Final = 128
"""Tokens that run through the layers together: bounds the time until a cancellation is noticed."""

Watch = Callable[[int, np.ndarray], None]
"""Called with (layer, residual float32 [tokens, hidden]) after every layer."""


class CompactRuntime:
    """A machine file's layers as an engine: feed tokens, get the token that the machine says next.

    first_id: id of the machine's first token in the checkpoint (the base's vocabulary size; 0 without a base).
    layers: (mixer, MLP) of every layer, None where one adds nothing.
    Tokens are counted from 0 here.
    """

    name: Final = "compact"
    device: Final = "cpu"
    piece: Final = PIECE

    def __init__(self, machine: Machine, first_id: int = 0, watch: Watch | None = None) -> None:
        spec = machine.spec
        self.machine, self.first_id, self._watch = machine, first_id, watch
        self.layers = [(compile_mixer(layer, spec.head_dim), compile_mlp(layer)) for layer in machine.layers]
        self._states = [None if mixer is None else mixer.fresh_state(spec.conv_kernel) for mixer, _ in self.layers]
        self._vocabulary = Vocabulary(machine)

    def feed(self, tokens: Sequence[int]) -> int:
        """Consume tokens; return the argmax of the machine's logits behind the last one."""
        for start in range(0, len(tokens), self.piece):
            residuals = self._forward(tokens[start : start + self.piece])
        return self._vocabulary.argmax(residuals[-1].lanes)

    def _forward(self, tokens: Sequence[int]) -> list[Residual]:
        """The residuals of the tokens behind the last layer; they go through the layers together."""
        residuals = [Residual(lanes) for lanes in self._vocabulary.embed(tokens)]
        for index, ((mixer, mlp), state) in enumerate(zip(self.layers, self._states, strict=True)):
            if mixer is not None and state is not None:
                mixer.run(state, residuals[0]) if len(tokens) == 1 else mixer.run_many(state, residuals)
            if mlp is not None:
                mlp.run(residuals[0]) if len(tokens) == 1 else mlp.run_many(residuals)
            if self._watch is not None:
                self._watch(index, np.stack([residual.lanes for residual in residuals]))
        return residuals

    def snapshot(self) -> list[MixerState | None]:
        """The state now, for `restore`."""
        return [state and state.copy() for state in self._states]

    def restore(self, snapshot: Sequence[MixerState | None]) -> None:
        """Go back to a state that `snapshot` gave."""
        self._states = [state and state.copy() for state in snapshot]

    def recurrent_state(self, layer: int, head: int) -> np.ndarray:
        """State of a head [key rows, value dims], float32."""
        (mixer, _), state, dims = self.layers[layer], self._states[layer], self.machine.spec.head_dim
        if mixer is None or state is None or head not in mixer.heads:
            return np.zeros((dims, dims), np.float32)
        return state.heads[np.searchsorted(mixer.heads, head)].copy()

    def conv_state(self, layer: int) -> np.ndarray:
        """Conv state [channels, taps] of a layer, float32 holding bf16: the qkv projections of the last tokens."""
        (mixer, _), state, spec = self.layers[layer], self._states[layer], self.machine.spec
        full = np.zeros((spec.hidden, spec.conv_kernel), np.float32)
        if mixer is not None and state is not None:
            full[mixer.lanes] = np.stack(state.past, axis=1)
        return round_bf16(csr(self.machine.layers[layer].matrices[weights.QKV]) @ full)
