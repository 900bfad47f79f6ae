"""The MLP of one compiled layer without its dead neurons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from struct import pack

import numpy as np
import scipy.sparse
from torch.nn import functional

from . import weights
from .residual import Change, Norm, Residual, bf16, csr, filled_rows, norm_of, product, remember, residual_sums, resolve, stack
from .weights import LayerWeights


@dataclass(frozen=True)
class Mlp:
    """An MLP as a function of some residual lanes.

    lanes: residual lanes that matter, first `read` ones that the gates and ups read, then those that are written
    inner: gate rows, then up rows, of the live neurons over the lanes read. down: over the neurons, onto the lanes written
    """

    lanes: np.ndarray
    read: int
    norm: Norm
    inner: scipy.sparse.csr_array
    down: scipy.sparse.csr_array
    known: dict[bytes, Change] = field(default_factory=dict)

    def run(self, residual: Residual) -> None:
        """Add the MLP's output to the residual."""
        lanes = residual.lanes.take(self.lanes)
        key = self._key(lanes, residual.squares)
        change = self.known.get(key)
        if change is None:
            change = remember(self.known, key, self._compute([lanes], [residual.squares])[0])
        change.apply(residual)

    def run_many(self, residuals: Sequence[Residual]) -> None:
        """The same for many tokens, computing together what is new."""
        lanes = [residual.lanes.take(self.lanes) for residual in residuals]
        squares = [residual.squares for residual in residuals]
        changes = resolve(
            self.known,
            [self._key(*pair) for pair in zip(lanes, squares, strict=True)],
            lambda new: self._compute([lanes[i] for i in new], [squares[i] for i in new]),
        )
        for change, residual in zip(changes, residuals, strict=True):
            change.apply(residual)

    def _key(self, lanes: np.ndarray, squares: float) -> bytes:
        """Everything that the output depends on: the lanes; the sum of squares where it scales them."""
        return lanes.tobytes() if self.norm.low <= squares <= self.norm.high else lanes.tobytes() + pack("d", squares)

    def _compute(self, lanes: Sequence[np.ndarray], squares: Sequence[float]) -> list[Change]:
        normed = np.stack([self.norm(row[: self.read], square) for row, square in zip(lanes, squares, strict=True)])
        pre = bf16(product(self.inner, normed))
        neurons = pre.shape[1] // 2
        inner = functional.silu(pre[:, :neurons]) * pre[:, neurons:]
        before = np.stack([row[self.read :] for row in lanes])
        return residual_sums(self.lanes[self.read :], before, product(self.down, inner.float().numpy()))


def compile_mlp(layer: LayerWeights) -> Mlp | None:
    """A layer's MLP; None when it adds nothing."""
    gate, up, down = (csr(layer.matrices[name]) for name in (weights.GATE, weights.UP, weights.DOWN))
    neurons = np.intersect1d(np.intersect1d(filled_rows(gate), filled_rows(up)), down.indices)
    if not len(neurons):
        return None
    inner = stack(gate[neurons], up[neurons])
    read, outer = np.unique(inner.indices), scipy.sparse.csr_array(down[:, neurons])
    written = filled_rows(outer)
    return Mlp(
        np.concatenate([read, written]),
        len(read),
        norm_of(layer.vectors[weights.POST_NORM], read),
        scipy.sparse.csr_array(inner[:, read]),
        scipy.sparse.csr_array(outer[written]),
    )
