"""Every number of the machine, in one place.

A larger machine is a change of these numbers, not of code. A kernel or a spec that does not fit is told which number is
exceeded (`LimitExceeded`), with what is needed and what there is.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from .errors import LimitExceeded

WORD_BITS = 32
WORD_MASK = 0xFFFFFFFF
BYTES_PER_WORD = 4


@dataclass(frozen=True)
class MachineSpec:
    """The machine's parameters (top) and the transformer dimensions that carry it (bottom).

    lanes:      threads that one forward pass executes together, a *hardware warp*
    warp_size:  threads of a CUDA warp, what kernels see (`warpSize`, shuffles, votes)
    threads:    threads of one CTA; a grid has any number of CTAs, run one after another
    words:      32-bit words of the one memory that global, shared, constant, local and system arrays share
    tags:       values of the array id that every word carries; 0 means unallocated
    sites:      distinct `__syncthreads` places that the barrier can tell apart
    mute_axes:  residual axes that no machine token and no circuit ever touches; the mute direction lives there
    """

    layers: int = 45
    lanes: int = 4
    warp_size: int = 32
    stages: int = 4
    registers: int = 16
    blocks: int = 256
    words: int = 2048
    threads: int = 64
    tags: int = 16
    sites: int = 16

    hidden: int = 2048
    intermediate: int = 6144
    heads: int = 16
    head_dim: int = 128
    conv_kernel: int = 4
    code_lanes: int = 64
    mute_axes: int = 512

    def __post_init__(self) -> None:
        """Refuse a spec whose fields do not fit the token code or the rows of a head."""
        for limit, needed, available in (
            ("blocks named by a payload byte", self.blocks, 256),
            ("hardware warps named by one status row", self.warps, self.head_dim // 8),
            ("words reached by the load heads of one layer", self.words * self.lanes, self.heads * self.head_dim * self.lanes),
            ("memory lines written by the home heads of one layer", self.words, self.heads * self.head_dim),
            ("registers of all warps held by two heads", self.warps * self.registers, 2 * self.head_dim),
            ("stages whose earlier results are operands", self.stages, 4),
            ("lanes named by a token", self.lanes, 4),
            ("tag values in four bits", self.tags, 16),
            ("barrier sites in four bits", self.sites, 16),
            ("recurrent state and value width", self.heads * self.head_dim, self.hidden),
        ):
            if needed > available:
                raise LimitExceeded(
                    limit,
                    needed,
                    available,
                    "machine specification",
                    "choose a smaller number or change the circuit that names this limit",
                )

    @property
    def warps(self) -> int:
        """Hardware warps of a CTA."""
        return self.threads // self.lanes

    @property
    def cuda_warps(self) -> int:
        """CUDA warps of a full CTA, each with its own `__syncwarp` barrier."""
        return -(-self.threads // self.warp_size)

    @property
    def lines(self) -> int:
        """Memory lines: a line is one word a lane, the unit of a coalesced store."""
        return self.words // self.lanes

    @property
    def address_bits(self) -> int:
        """Bits of a word address."""
        return (self.words - 1).bit_length()

    @property
    def words_per_tag_row(self) -> int:
        """Words whose tags one TAGROW token writes (four 32-bit words of four-bit tags)."""
        return self.lanes * WORD_BITS // 4

    @property
    def tag_rows(self) -> int:
        """TAGROW tokens that cover the memory."""
        return self.words // self.words_per_tag_row

    @property
    def usable_axes(self) -> int:
        """Residual axes that circuits may use."""
        return self.hidden - self.mute_axes

    def require(self, limit: str, needed: int, available: int, where: str = "", remedy: str = "") -> None:
        """Raise `LimitExceeded` when `needed` is more than `available`."""
        if needed > available:
            raise LimitExceeded(limit, needed, available, where, remedy)

    def to_json(self) -> str:
        """A canonical JSON text: equal specs give equal bytes."""
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> MachineSpec:
        """The spec that `to_json` wrote. Raises TypeError on unknown or missing fields, LimitExceeded on bad ones."""
        return cls(**json.loads(text))


SPEC = MachineSpec()
"""The machine that this version builds."""
