"""The compiled machine as a file (`machine.safetensors`) and its dense form inside a given base.

The file holds the nonzeros of the compiled layers. What a base adds to them is a `Fit`: which residual axis every axis of
the machine lives on, the mute direction, and the base's final norm where the machine writes its output. The dense tensors
of a checkpoint are a function of (machine, fit) and nothing else, which is how a finished checkpoint is verified.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from builder.tensorfile import NAMES, Stored, load, raw, read_header
from engine.machine.container import FORMAT, HASH, RawTensor, content_hash, read_container, rewrite_with_hash
from engine.machine.errors import InputError
from engine.machine.tokens import code_signs

GATED = ("linear_attn.in_proj_z", "linear_attn.in_proj_a", "linear_attn.in_proj_b", "mlp.gate_proj")
"""Matrices that get the mute term: the closed gates of a muted row (z, gate), its write (b) and its decay (a)."""
READERS = ("linear_attn.in_proj_qkv", "mlp.up_proj", *GATED)
"""Matrices whose columns are residual axes."""
WRITERS = ("linear_attn.out_proj", "mlp.down_proj")
"""Matrices whose rows are residual axes."""
MATRICES = (*READERS, *WRITERS)
NORMS = ("input_layernorm.weight", "post_attention_layernorm.weight")
VECTORS = ("linear_attn.conv1d.weight", "linear_attn.A_log", "linear_attn.dt_bias", "linear_attn.norm.weight", *NORMS)
OUTPUT = "mlp.down_proj"
"""The matrix that writes the token code; its last layer that touches a code lane is scaled for the base's final norm."""

CODE_LANES = 64
TOKEN_SCALE = 2.0**-5
MAX_A_LOG = 80.0
"""exp(A_log) must stay finite in float32 (limit 88.7), since a muted row multiplies it by 0."""
GAIN = 2.0**40
"""Of the mute term in every gated row."""
GUARD_WEIGHT = 2.0**-16
"""The mute direction on the guard axis: enough to shut everything once the axis holds what the guard writes, and far too
little to count before."""
GUARD_LEVEL = 60
"""The guard holds its axis at a bf16 number of [2^60, 2^61): its square is finite in float32."""
MIXER = tuple(name for name in MATRICES if name.startswith("linear_attn."))
MIN_OUTPUT_GAIN = 2.0**-8
"""Smallest |1 + w| of the base's final norm that an output lane can be compensated for: 2^20 / 2^-8 is still far below
what a bf16 residual holds, and the lane's share of the logit stays what the code needs."""


@dataclass(frozen=True)
class LayerShape:
    """Dimensions of one stock linear-attention layer."""

    hidden: int
    intermediate: int
    conv: int
    taps: int
    value_heads: int
    value_head: int

    @property
    def value(self) -> int:
        """Width of the value path."""
        return self.value_heads * self.value_head

    def matrix(self, name: str) -> tuple[int, int]:
        """Rows and columns of a matrix of the layer."""
        return {
            "linear_attn.in_proj_qkv": (self.conv, self.hidden),
            "linear_attn.in_proj_z": (self.value, self.hidden),
            "linear_attn.in_proj_a": (self.value_heads, self.hidden),
            "linear_attn.in_proj_b": (self.value_heads, self.hidden),
            "linear_attn.out_proj": (self.hidden, self.value),
            "mlp.gate_proj": (self.intermediate, self.hidden),
            "mlp.up_proj": (self.intermediate, self.hidden),
            "mlp.down_proj": (self.hidden, self.intermediate),
        }[name]

    def vector(self, name: str) -> tuple[int, ...]:
        """Shape of a dense tensor of the layer."""
        return {
            "linear_attn.conv1d.weight": (self.conv, 1, self.taps),
            "linear_attn.A_log": (self.value_heads,),
            "linear_attn.dt_bias": (self.value_heads,),
            "linear_attn.norm.weight": (self.value_head,),
        }.get(name, (self.hidden,))

    def tensors(self) -> dict[str, tuple[int, ...]]:
        """Every tensor of the layer with its shape, in the order in which checkpoints store them."""
        return {name: self.vector(name) for name in VECTORS} | {f"{name}.weight": self.matrix(name) for name in MATRICES}


@dataclass(frozen=True)
class Csr:
    """Nonzeros of a matrix: row offsets [rows + 1], column of each, bf16 value of each; `shape` is (rows, columns)."""

    offsets: torch.Tensor
    columns: torch.Tensor
    values: torch.Tensor
    shape: tuple[int, int]

    def row_ids(self) -> torch.Tensor:
        """The row of every nonzero."""
        return torch.repeat_interleave(torch.arange(self.shape[0]), self.offsets.diff())


@dataclass(frozen=True)
class Guard:
    """Places for the guard that no circuit uses, beside the mixer of layer 0; see `builder.mute`.

    raising, lowering: (layer, neuron) that writes the guard axis and the one that clears it.
    level: magnitude of the down weight of both.
    """

    raising: tuple[int, int]
    lowering: tuple[int, int]
    level: float


@dataclass(frozen=True)
class Machine:
    """An opened machine file.

    codes: int64 [tokens], 16-bit code of every machine token. code_lanes: int64 [64]; mute_axes: int64.
    output_layer: the last layer whose MLP writes code lanes (a spare layer may follow); -1 when none does.
    guard: where a guard fits; None when the circuits leave no place for one.
    """

    path: Path
    metadata: Mapping[str, str]
    spec: Mapping[str, Any]
    layers: int
    shape: LayerShape
    tensors: Mapping[str, Stored]
    codes: torch.Tensor
    code_lanes: torch.Tensor
    mute_axes: torch.Tensor
    output_layer: int
    guard: Guard | None = None


@dataclass(frozen=True)
class Fit:
    """How a machine sits in a base.

    placement: int64 [hidden], the residual axis of every machine axis (a permutation).
    direction: bf16 [mute axes], the mute direction d in the order of `Machine.mute_axes`; zeros where no text exists.
    gain:      the mute term of every gated row is gain x d.
    norm:      bf16 [code lanes], weight of the base's final norm where the machine writes its output.
    guard:     which of the mute axes is the guard's (d is GUARD_WEIGHT there); None where every row can be muted.
    """

    placement: torch.Tensor
    direction: torch.Tensor
    gain: float
    norm: torch.Tensor
    guard: int | None = None


def open_machine(path: Path) -> Machine:
    """Open and check a machine file: its hash, format, shapes, indices, finite values, untouched mute axes.

    Raises InputError that names the tensor.
    """
    header = read_header(path)
    where = str(path)
    if header.metadata.get("format") != FORMAT:
        raise InputError(
            f"not a machine file of this version (format {header.metadata.get('format')!r})",
            where,
            "build the machine with this version",
        )
    if header.metadata.get(HASH) != content_hash(*read_container(path)):
        raise InputError("altered file: its content does not match its hash", where, "build the machine again")
    try:
        spec, layers = json.loads(header.metadata["spec"]), int(header.metadata["layers"])
        first = {name: header.tensors[f"layers.0.{name}"] for name in VECTORS}
        gate = header.tensors["layers.0.mlp.gate_proj.rows"]
        codes, code_lanes, mute_axes = (
            load(header.tensors[name]).long() for name in ("tokens.codes", "tokens.code_lanes", "mute.axes")
        )
        conv = first["linear_attn.conv1d.weight"].shape
        shape = LayerShape(
            first[NORMS[0]].shape[0],
            gate.shape[0] - 1,
            conv[0],
            conv[2],
            first["linear_attn.A_log"].shape[0],
            first["linear_attn.norm.weight"].shape[0],
        )
    except KeyError as error:
        raise InputError(f"the machine file lacks {error}", where, "build the machine again") from error
    except (ValueError, IndexError) as error:
        raise InputError(f"the machine file is malformed ({error})", where, "build the machine again") from error
    machine = Machine(path, header.metadata, spec, layers, shape, header.tensors, codes, code_lanes, mute_axes, -1)
    _check(machine)
    writing = [
        layer for layer in range(layers) if torch.isin(sparse(machine, layer, OUTPUT).row_ids(), machine.code_lanes).any()
    ]
    return replace(machine, output_layer=max(writing, default=-1), guard=_guard(machine))


def _check(machine: Machine) -> None:
    """Everything that the mute proof and the token rows rest on."""
    hidden, where = machine.shape.hidden, str(machine.path)

    def require(condition: bool, what: str) -> None:
        if not condition:
            raise InputError(what, where, "build the machine again")

    require(machine.code_lanes.numel() == CODE_LANES, f"tokens.code_lanes has {machine.code_lanes.numel()} lanes, not 64")
    for name, axes in (("tokens.code_lanes", machine.code_lanes), ("mute.axes", machine.mute_axes)):
        require(
            axes.numel() == axes.unique().numel() and bool(((axes >= 0) & (axes < hidden)).all()),
            f"{name} repeats a lane or leaves the residual",
        )
    require(bool(((machine.codes >= 0) & (machine.codes < 1 << 16)).all()), "tokens.codes has a code outside 16 bits")
    muted = torch.zeros(hidden, dtype=torch.bool)
    muted[machine.mute_axes] = True
    require(not bool(muted[machine.code_lanes].any()), "a code lane is a mute axis")
    for layer in range(machine.layers):
        for name in MATRICES:
            label, matrix = f"layers.{layer}.{name}", sparse(machine, layer, name)
            require(
                bool((matrix.offsets.diff() >= 0).all())
                and int(matrix.offsets[0]) == 0
                and int(matrix.offsets[-1]) == matrix.columns.numel() == matrix.values.numel(),
                f"{label}: the row offsets do not fit the nonzeros",
            )
            require(
                bool(((matrix.columns >= 0) & (matrix.columns < matrix.shape[1])).all()),
                f"{label}: a column lies outside the matrix",
            )
            require(bool(matrix.values.isfinite().all()), f"{label}: a value is not finite")
            axes = matrix.columns if name in READERS else matrix.row_ids()
            require(not bool(muted[axes].any()), f"{label} touches a mute axis")
        for name in VECTORS:
            tensor = vector(machine, layer, name)
            require(bool(tensor.isfinite().all()), f"layers.{layer}.{name}: a value is not finite")
        require(
            bool((vector(machine, layer, "linear_attn.A_log") <= MAX_A_LOG).all()),
            f"layers.{layer}.linear_attn.A_log exceeds {MAX_A_LOG}",
        )


def _guard(machine: Machine) -> Guard | None:
    """The first places where a guard fits: an empty mixer in layer 0, a neuron in layer 1 and one in the last layer."""
    first, last = 1, machine.layers - 1
    if last <= first or any(len(sparse(machine, 0, name).values) for name in MIXER):
        return None
    raising, lowering = (_free_neuron(machine, layer) for layer in (first, last))
    normed = torch.cat([vector(machine, layer, NORMS[1])[machine.mute_axes] for layer in (first, last)]).float().unique()
    steady = vector(machine, 0, "linear_attn.norm.weight")[0] == 1 and vector(machine, 0, "linear_attn.A_log")[0] == 0
    if raising is None or lowering is None or len(normed) != 1 or not steady:
        return None
    # what the neurons make of the axis once it is all there is in the residual, rounding by rounding
    seen = (machine.shape.hidden**0.5 * (1 + normed)).bfloat16()
    product = float((seen * GUARD_WEIGHT * GAIN).bfloat16() * seen)
    if product <= 0:
        return None
    return Guard((first, raising), (last, lowering), 2.0 ** (GUARD_LEVEL - math.floor(math.log2(product))))


def _free_neuron(machine: Machine, layer: int) -> int | None:
    """The first neuron of a layer that no circuit uses."""
    free = torch.ones(machine.shape.intermediate, dtype=torch.bool)
    for name in ("mlp.gate_proj", "mlp.up_proj"):
        free[sparse(machine, layer, name).row_ids()] = False
    free[sparse(machine, layer, "mlp.down_proj").columns] = False
    return int(free.nonzero()[0]) if free.any() else None


def _tensor(machine: Machine, name: str, shape: tuple[int, ...] | None) -> torch.Tensor:
    stored = machine.tensors.get(name)
    if stored is None or (shape is not None and stored.shape != shape):
        found = "is missing" if stored is None else f"has shape {list(stored.shape)}, not {list(shape or ())}"
        raise InputError(f"machine tensor '{name}' {found}", str(machine.path), "build the machine again")
    return load(stored)


def sparse(machine: Machine, layer: int, name: str) -> Csr:
    """The nonzeros of a compiled matrix. Raises InputError when a part is missing or has another shape."""
    shape, prefix = machine.shape.matrix(name), f"layers.{layer}.{name}"
    return Csr(
        _tensor(machine, f"{prefix}.rows", (shape[0] + 1,)).long(),
        _tensor(machine, f"{prefix}.columns", None).long(),
        _bf16(machine, f"{prefix}.values", None),
        shape,
    )


def vector(machine: Machine, layer: int, name: str) -> torch.Tensor:
    """A dense tensor of a compiled layer, on the machine's own axes. Raises InputError when it does not fit."""
    return _bf16(machine, f"layers.{layer}.{name}", machine.shape.vector(name))


def _bf16(machine: Machine, name: str, shape: tuple[int, ...] | None) -> torch.Tensor:
    tensor = _tensor(machine, name, shape)
    if tensor.dtype != torch.bfloat16:
        raise InputError(
            f"machine tensor '{name}' is {tensor.dtype}, not bfloat16", str(machine.path), "build the machine again"
        )
    return tensor


def compiled(machine: Machine, fit: Fit, layer: int, tensor: str) -> torch.Tensor:
    """A dense tensor of a compiled layer as the checkpoint holds it: bf16, named as in `LayerShape.tensors`."""
    name = tensor.removesuffix(".weight")
    if tensor in VECTORS:
        values = vector(machine, layer, tensor)
        if fit.guard is not None and (layer, name) == (0, "linear_attn.conv1d"):
            values[_guard_channels(machine)] = torch.tensor([0.0] * (machine.shape.taps - 1) + [1.0]).bfloat16()
        return values if tensor not in NORMS else torch.empty_like(values).index_copy_(0, fit.placement, values)
    matrix = sparse(machine, layer, name)
    rows, values = matrix.row_ids(), matrix.values
    if layer == machine.output_layer and name == OUTPUT:
        values = _compensated(machine, fit, rows, values)
    dense = torch.zeros(matrix.shape, dtype=torch.bfloat16)
    if name in WRITERS:
        dense[fit.placement[rows], matrix.columns] = values
    else:
        dense[rows, fit.placement[matrix.columns]] = values
    if name in GATED:
        # gain is a power of two: the product is exact in bf16, so the term is gain x d and not a rounding of it
        dense[:, fit.placement[machine.mute_axes]] = fit.direction * fit.gain
    if fit.guard is not None:
        _add_guard(machine, fit, layer, name, dense)
    return dense


def _guard_channels(machine: Machine) -> list[int]:
    """First query, key and value channel of the first head."""
    key = (machine.shape.conv - machine.shape.value) // 2
    return [0, key, 2 * key]


def _add_guard(machine: Machine, fit: Fit, layer: int, name: str, dense: torch.Tensor) -> None:
    """The guard's part of a matrix. All that it reads lies on the mute axes, where machine tokens are exactly 0."""
    assert machine.guard is not None and fit.guard is not None
    axes = fit.placement[machine.mute_axes]
    axis = axes[fit.guard]
    if (layer, name) == (0, "linear_attn.in_proj_qkv"):
        for channel in _guard_channels(machine):
            dense[channel, axes] = fit.direction * fit.gain
    if (layer, name) == (0, "linear_attn.out_proj"):
        dense[axis, 0] = -1.0
    for (at, neuron), sign in ((machine.guard.raising, -1.0), (machine.guard.lowering, 1.0)):
        if (layer, name) == (at, "mlp.gate_proj"):
            dense[neuron, axis] = -dense[neuron, axis]
        if (layer, name) == (at, "mlp.up_proj"):
            dense[neuron, axis] = -1.0
        if (layer, name) == (at, "mlp.down_proj"):
            dense[axis, neuron] = sign * machine.guard.level


def _compensated(machine: Machine, fit: Fit, rows: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """Output weights divided by 1 + w of the base's final norm on their lane.

    The norm multiplies lane l by 1 + w_l after it has divided all lanes by one common rms, so the quotient makes every lane
    count alike in the logit, as the code's distances assume. Rounding it to bf16 is off by at most 2^-9 a lane, hence at
    most 2^-9 of the right token's logit; the nearest other Walsh code is a quarter of that logit away (notes: 0.25).
    """
    factor = torch.ones(machine.shape.hidden)
    factor[machine.code_lanes] = 1.0 + fit.norm.float()
    return (values.float() / factor[rows]).bfloat16()


def token_rows(machine: Machine, fit: Fit, start: int, stop: int) -> torch.Tensor:
    """Embedding rows of machine tokens [start, stop): bf16 [n, hidden], +-2^-5 on the code lanes, 0 elsewhere.

    The sign pattern of a code is `engine.machine.tokens.code_signs`, group by group of 16 lanes, one per nibble.
    """
    signs = torch.tensor([code_signs(nibble)[:16] for nibble in range(16)])
    nibbles = (machine.codes[start:stop, None] >> (4 * torch.arange(CODE_LANES // 16))) & 15
    rows = torch.zeros(len(nibbles), machine.shape.hidden, dtype=torch.bfloat16)
    rows[:, fit.placement[machine.code_lanes]] = (signs[nibbles].view(-1, CODE_LANES) * TOKEN_SCALE).bfloat16()
    return rows


def write_fitted(machine: Machine, fit: Fit, path: Path) -> None:
    """Write the machine's file with a fit in it: its own tensors as they are, the fit's beside them. OSError passes."""
    added = {
        "fit.placement": fit.placement.int(),
        "mute.direction": fit.direction,
        "mute.gain": torch.tensor([fit.gain]),
        "output.norm": fit.norm,
    }
    if fit.guard is not None:
        added["mute.guard"] = torch.tensor([fit.guard]).int()

    def add(tensors: dict[str, RawTensor]) -> None:
        tensors |= {name: RawTensor(NAMES[value.dtype], tuple(value.shape), bytes(raw(value))) for name, value in added.items()}

    rewrite_with_hash(machine.path, path, add)


def read_fit(machine: Machine) -> Fit:
    """The fit in a checkpoint's machine file. Raises InputError when it is missing or is no placement."""
    axes, hidden = machine.mute_axes.numel(), machine.shape.hidden
    guard = _tensor(machine, "mute.guard", None).tolist() if "mute.guard" in machine.tensors else []
    if guard and (machine.guard is None or len(guard) > 1 or not 0 <= guard[0] < axes):
        raise InputError("mute.guard is no axis of this machine's guard", str(machine.path), "build again")
    fit = Fit(
        _tensor(machine, "fit.placement", (hidden,)).long(),
        _bf16(machine, "mute.direction", (axes,)),
        float(_tensor(machine, "mute.gain", (1,))[0]),
        _bf16(machine, "output.norm", (machine.code_lanes.numel(),)),
        guard[0] if guard else None,
    )
    if not torch.equal(fit.placement.sort().values, torch.arange(hidden)):
        raise InputError("fit.placement is no permutation of the residual axes", str(machine.path), "build again")
    return fit
