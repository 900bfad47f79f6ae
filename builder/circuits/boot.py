"""Layer 0: a machine token's embedding row becomes the pin and 64 code lanes of exactly +-1.

The row holds +-2**-5 on the 64 code axes and 0 elsewhere, so its norm is known and the layer, whose norm weight is 0 (the
pin does not exist yet), sees +-CODE_NORMED on every code lane. One neuron raises the pin from 0 to 92672; two neurons a
code lane add the missing +-(1 - 2**-5).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from builder.geometry import PIN
from builder.netlist import CircuitError, Netlist
from builder.tensors import to_bf16

EMBEDDED: Final = 2.0**-5
"""Magnitude of a code lane in the embedding row: row norm 1/4."""
CODE_LANES: Final = 64


def _bf16(values: np.ndarray | float) -> np.ndarray:
    return to_bf16(np.atleast_1d(np.asarray(values, np.float32))).astype(np.float64)


@dataclass(frozen=True)
class BootWeights:
    """gate, up: weights on a code lane; pin, code: the down weights."""

    gate: float
    up: float
    pin: float
    code: float


def boot_weights(hidden: int = 2048) -> BootWeights:
    """Weights with which every rounding of the layer lands exactly on 92672 and on 1 - 2**-5.

    The hit gate must be 100 at least: silu is then exactly the identity on a hit and exactly 0 on a miss. Among the
    solutions the one whose unrounded products are nearest to the targets, so that accumulation order cannot matter.
    """
    normed = _bf16(EMBEDDED / float(np.sqrt(np.float32(CODE_LANES * EMBEDDED**2 / hidden + 1e-6))))[0]
    targets = (PIN, 1.0 - EMBEDDED)
    gates, ups = np.meshgrid(18 + np.arange(184) / 4, np.arange(16, 256) / 256, indexing="ij")
    hits = _bf16(normed * gates)
    products = _bf16(hits * _bf16(normed * ups))
    downs = [_bf16(target / products) for target in targets]
    errors = np.maximum(*(abs(products * d / target - 1) for d, target in zip(downs, targets, strict=True)))
    for d, target in zip(downs, targets, strict=True):
        errors[(hits < 100) | (_bf16(products * d) != target)] = np.inf
    best = np.unravel_index(errors.argmin(), errors.shape)
    if not np.isfinite(errors[best]):
        raise CircuitError("no boot weights land exactly on the pin and the code values", "boot, layer 0")
    return BootWeights(float(gates[best]), float(ups[best]), float(downs[0][best]), float(downs[1][best]))


def boot(net: Netlist) -> None:
    """Write layer 0."""
    weights, one = boot_weights(), net.one[0]
    net.layer(0).norm_weight = 0.0
    with net.circuit("boot"):
        net.raw_neuron(0, {one: weights.gate}, {one: weights.up}, {net.pin: weights.pin})
        for lane in net.code:
            for sign in (1.0, -1.0):
                net.raw_neuron(0, {lane: sign * weights.gate}, {one: weights.up}, {lane: sign * weights.code})
