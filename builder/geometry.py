"""The stock Qwen3.5 layer that circuits are compiled into: its dimensions, its fixed residual axes, its numeric conventions.

Every number here is a property of `Qwen3_5DecoderLayer` (transformers 5.24) or a constant whose exactness was measured on
it; the static checks of `builder.check` rest on them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

PIN = 92672.0
"""Value of the pin lane. With NORM_WEIGHT the RMSNorm scale is 2049 / (92672 / sqrt(2048)) = 1 within bf16 rounding, so a
normalised lane equals the stored integer whatever the other lanes hold (drift below 2**-9, asserted)."""

NORM_WEIGHT = 2048.0
"""Weight of both RMSNorms of every compiled layer but the boot layer (the layer multiplies by 1 + weight)."""

GATE_GAIN = 256.0
"""A gate form g becomes the pre-activation 256 g. A half-integer step is 128, so silu is exactly 0 (below -89) or exactly
the identity; with 128 a half-integer miss would be silu(-64) = -1e-26."""

KEY_GAIN = 128.0
"""A condition c (1 on a hit, <= 0 on a miss) becomes 128 (2 c - 1): +128 on a hit, <= -128 on a miss, 0 for c = 1/2."""

RESET_GAIN = 384.0
"""A reset condition becomes the pre-activation 384 c: with DT_BIAS the decay alpha is exactly 0 (+256) or exactly 1
(<= -128)."""

DT_BIAS = -128.0
"""softplus(-128) is exactly 0, so alpha is exactly 1 when nothing resets (needed: <= -103)."""

WRITE_BETA = 128.0
"""Pre-activation of beta in every used head: sigmoid is exactly 1 (needed: >= 6.25). A zero key is the write disable."""

GATED_NORM_Z = 128.0
"""Pre-activation of z where a dim is read: silu(128) is exactly 128."""

SPIN_SLOPE, SPIN_OFFSET = 0.6171875, -0.201171875
"""silu(SPIN_SLOPE s + SPIN_OFFSET) rounds to exactly s / 4 in bf16 for s = +-1 (margin 1e-3 relative)."""


@dataclass(frozen=True)
class Geometry:
    """Dimensions of one stock layer. Axes are positions 0 .. hidden-1 of the residual stream."""

    hidden: int = 2048
    neurons: int = 6144
    heads: int = 16
    head_dim: int = 128
    conv_taps: int = 4

    @property
    def key_rows(self) -> int:
        """Rows of the query (and of the key) part of in_proj_qkv."""
        return self.heads * self.head_dim


@dataclass(frozen=True)
class Axes:
    """Which residual axes the machine may use.

    pin: axis of the pin lane. code: the 64 token code axes in Walsh order (nibble 0 first). mute: axes on which every
    machine token is exactly 0 (they carry the muting direction of text tokens); no lane is ever placed there.
    """

    pin: int = 0
    code: tuple[int, ...] = field(default_factory=lambda: tuple(range(1, 65)))
    mute: tuple[int, ...] = field(default_factory=lambda: tuple(range(1536, 2048)))

    def free(self, geometry: Geometry) -> list[int]:
        """Axes that lanes may be placed on, ascending."""
        taken = {self.pin, *self.code, *self.mute}
        return [axis for axis in range(geometry.hidden) if axis not in taken]
