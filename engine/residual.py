"""The residual stream of one token and the arithmetic on it: bf16 rounding, RMSNorm, residual sums, results kept for reuse.

Values are bf16 numbers held as float32. Rounding and every nonlinear function are torch's own, as in the stock modules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar

import numpy as np
import scipy.sparse
import torch
from torch.nn import functional

from .weights import Matrix

EPSILON: Final = 1e-6
"""`rms_norm_eps` of the family, and the stock l2norm's own constant."""
UNIT_MARGIN: Final = 2.0**-9 - 2.0**-16
"""How far a factor may be from 1 and still leave every bf16 number as it is.

Half the distance to a bf16 neighbour is at least 2**-9 of the number, so rounding x * s gives x back for |s - 1| below that;
2**-16 covers the float32 errors of the stock factor (mean square, root and two products: below 2**-18).
"""
KEPT: Final = 256
"""Results kept of every pure function. They are a few kilobytes each; a kernel's loop needs far fewer."""

Result = TypeVar("Result")


def remember(known: dict[bytes, Result], key: bytes, result: Result) -> Result:
    """Keep the result of a pure function by the bytes that it depends on; forgets all when there are `KEPT`."""
    if len(known) >= KEPT:
        known.clear()
    known[key] = result
    return result


def resolve(
    known: dict[bytes, Result], keys: Sequence[bytes], compute: Callable[[list[int]], Sequence[Result]]
) -> list[Result]:
    """The results for many keys; `compute` is called at most once, with one position of every key not known yet."""
    missing = {key: position for position, key in enumerate(keys) if key not in known}
    fresh = dict(zip(missing, compute(list(missing.values())), strict=True)) if missing else {}
    results = [fresh[key] if key in fresh else known[key] for key in keys]
    for key, result in fresh.items():
        remember(known, key, result)
    return results


# ---------------------------------------------------------------- bf16
def bf16(x: np.ndarray) -> torch.Tensor:
    """float32 values rounded to bf16, nearest even."""
    return torch.from_numpy(x).bfloat16()


def round_bf16(x: np.ndarray) -> np.ndarray:
    """float32 values rounded to bf16, as float32."""
    return bf16(x).float().numpy()


def silu(x: np.ndarray) -> np.ndarray:
    """silu of values rounded to bf16, computed as the stock bf16 module does, as float32."""
    return functional.silu(bf16(x)).float().numpy()


def inverse_root(x: np.ndarray | np.float32) -> np.ndarray:
    """1 / sqrt(x + eps) in float32: the same two correctly rounded operations as torch.rsqrt on a CPU (a test holds them)."""
    return np.float32(1) / np.sqrt(x + np.float32(EPSILON))


# ---------------------------------------------------------------- residual
class Residual:
    """The residual of one token: lanes float32 [hidden] holding bf16 numbers, and the sum of their squares."""

    __slots__ = ("lanes", "squares")

    def __init__(self, lanes: np.ndarray) -> None:
        self.lanes = lanes
        self.squares = float(lanes.dot(lanes))


class Change(NamedTuple):
    """New values of some lanes."""

    lanes: np.ndarray
    values: np.ndarray

    def apply(self, residual: Residual) -> None:
        """Make the change."""
        if len(self.lanes):
            lanes = residual.lanes
            lanes[self.lanes] = self.values
            residual.squares = float(lanes.dot(lanes))


def residual_sums(lanes: np.ndarray, before: np.ndarray, added: np.ndarray) -> list[Change]:
    """What `lanes` become, by token: bf16 of the sum of two bf16 numbers; `added` is still to be rounded itself.

    before, added: float32 [tokens, lanes].
    """
    after = bf16(added).add_(torch.from_numpy(before)).float().numpy()
    changes = []
    for old, new in zip(before, after, strict=True):
        moved = np.flatnonzero(new != old)
        changes.append(Change(lanes[moved], new[moved]))
    return changes


def product(matrix: scipy.sparse.csr_array, x: np.ndarray) -> np.ndarray:
    """float32 sums [tokens, rows] of a sparse matrix and x [tokens, columns]."""
    if len(x) == 1:
        return (matrix @ x[0])[None]
    return np.ascontiguousarray((matrix @ np.ascontiguousarray(x.T)).T)


@dataclass(frozen=True)
class Norm:
    """A layer's RMSNorm on the lanes that are read.

    gain: 1 + w of them, float32. low, high: sums of squares between which gain / rms is 1 within UNIT_MARGIN on all of them,
    so that the normalised lanes are the lanes; low > high where the gains differ. size: lanes of the residual.
    """

    gain: np.ndarray
    low: float
    high: float
    size: int

    def __call__(self, lanes: np.ndarray, squares: float) -> np.ndarray:
        """The normalised lanes, bf16 numbers as float32, of a residual whose squares sum to `squares`."""
        if self.low <= squares <= self.high:
            return lanes
        return round_bf16(lanes * inverse_root(np.float32(squares / self.size)) * self.gain)


def norm_of(weight: np.ndarray, lanes: np.ndarray) -> Norm:
    """The norm with this weight [hidden] on the given lanes."""
    gain, size = np.float32(1) + weight[lanes], len(weight)
    if not len(gain) or gain.min() != gain.max() or gain[0] <= 0:
        return Norm(gain, 1.0, 0.0, size)
    low, high = ((float(gain[0]) / (1 + margin)) ** 2 * size for margin in (UNIT_MARGIN, -UNIT_MARGIN))
    return Norm(gain, low, high, size)


# ---------------------------------------------------------------- sparse matrices
def csr(matrix: Matrix) -> scipy.sparse.csr_array:
    """The matrix as scipy holds it."""
    return scipy.sparse.csr_array((matrix.values, matrix.columns, matrix.offsets), matrix.shape)


def filled_rows(matrix: scipy.sparse.csr_array) -> np.ndarray:
    """Rows that hold a nonzero."""
    return np.flatnonzero(np.diff(matrix.indptr))


def stack(*parts: scipy.sparse.csr_array) -> scipy.sparse.csr_array:
    """Matrices one below the other."""
    return scipy.sparse.csr_array(scipy.sparse.vstack(parts, format="csr"))
