"""Lane-level test bench for circuits: feed virtual-lane values, look at virtual-lane values.

`Bench` places a netlist, builds its layers and runs token sequences through

- `emulate`: a sparse re-implementation with the bf16 roundings of the stock layer, strict about what it cannot
  reproduce bit for bit (keys that are not one-hot, partial decay); fast, for large random counts;
- `stock`: `Qwen3_5DecoderLayer` modules at true dimensions with a cache, as one chunk or in any mix of pieces and
  single steps; the evidence.

Both give a `Trace` of the residual stream after every layer, which `Bench.check` compares lane by lane.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import scipy.sparse
import torch
from torch.nn import functional
from transformers.cache_utils import DynamicCache
from transformers.models.qwen3_5.configuration_qwen3_5 import Qwen3_5TextConfig
from transformers.models.qwen3_5.modeling_qwen3_5 import Qwen3_5DecoderLayer

from builder.check import prove
from builder.geometry import PIN
from builder.netlist import Lane, Literal, Netlist
from builder.place import Placed, place
from builder.tensors import Csr, SparseLayer, fill_stock_layer, sparse_layers, to_bf16
from engine.machine.tokens import code_signs

torch.set_num_threads(1)
EPSILON = np.float32(1e-6)


def code_values(codes: np.ndarray) -> np.ndarray:
    """+-1 values [T, 64] of the code lanes for 16-bit token codes [T]."""
    return np.array([code_signs(int(code)) for code in codes], np.float32)


def spins(values: np.ndarray, width: int) -> np.ndarray:
    """Integers [...] as +-1 lanes [..., width], least significant bit first."""
    return ((np.asarray(values, np.int64)[..., None] >> np.arange(width)) & 1).astype(np.float32) * 2 - 1


def bits(values: np.ndarray, width: int) -> np.ndarray:
    """Integers [...] as 0/1 lanes [..., width]."""
    return ((np.asarray(values, np.int64)[..., None] >> np.arange(width)) & 1).astype(np.float32)


@dataclass
class Trace:
    """The residual stream [T, hidden] before the first layer (-1) and after each layer; from the emulator also between
    mixer and MLP."""

    after: dict[int, np.ndarray] = field(default_factory=dict)
    between: dict[int, np.ndarray] = field(default_factory=dict)


@dataclass
class Scenario:
    """One token sequence: input lanes by group [T, width], optionally the token codes [T], and what must come out:
    (group, layer) -> [T, width] expected after that layer."""

    values: dict[str, np.ndarray]
    expected: dict[tuple[str, int], np.ndarray] = field(default_factory=dict)
    codes: np.ndarray | None = None

    @property
    def length(self) -> int:
        return len(self.codes) if self.codes is not None else len(next(iter(self.values.values())))


class Bench:
    """A placed piece of a machine on the test bench.

    looks: (group, layer) pairs that expectations may name; these lanes stay alive until then. Lanes read before they are
    written are inputs. booted: the residual starts with the pin and the ONE lanes as the boot layer leaves them.
    proved: first prove the bounds (`builder.check`).
    """

    def __init__(
        self, netlist: Netlist, looks: Iterable[tuple[str, int]] = (), *, booted: bool = True, proved: bool = False
    ) -> None:
        self.netlist, self.booted = netlist, booted
        keep: dict[Lane, int] = {}
        for group, layer in looks:
            for lane in netlist.groups[group]:
                keep[lane] = max(keep.get(lane, -1), layer)
        self.placed: Placed = place(netlist, partial=True, keep=keep)
        if proved:
            prove(self.placed)
        self.sparse: dict[int, SparseLayer] = sparse_layers(self.placed)
        self._stock: list[Qwen3_5DecoderLayer] | None = None
        self._config = Qwen3_5TextConfig(
            vocab_size=64,
            num_hidden_layers=len(self.sparse),
            layer_types=["linear_attention"] * len(self.sparse),
            hidden_size=2048,
            intermediate_size=6144,
            linear_num_key_heads=16,
            linear_num_value_heads=16,
            linear_key_head_dim=128,
            linear_value_head_dim=128,
            linear_conv_kernel_dim=4,
        )

    # ------------------------------------------------------------ running

    def residual(self, scenario: Scenario) -> np.ndarray:
        """float32 [T, hidden] that enters the first layer."""
        x = np.zeros((scenario.length, self.placed.geometry.hidden), np.float32)
        if self.booted:
            x[:, self.placed.axis[self.netlist.pin]] = PIN
            x[:, [self.placed.axis[lane] for lane in self.netlist.one]] = 1.0
        if scenario.codes is not None:
            scale = 1.0 if self.booted else 2.0**-5
            x[:, [self.placed.axis[lane] for lane in self.netlist.code]] = code_values(scenario.codes) * scale
        for group, values in scenario.values.items():
            lanes = self.netlist.groups[group]
            for lane, column in zip(lanes, np.asarray(values, np.float32).reshape(-1, len(lanes)).T, strict=True):
                if lane in self.placed.lives:  # lanes that this piece does not use are dropped
                    assert self.placed.lives[lane].birth < 0, f"{lane.name} is no input: the piece writes it first"
                    x[:, self.placed.axis[lane]] = column
        assert np.array_equal(to_bf16(x), x), "an input lane is not a bf16 number"
        return x

    def emulate(self, scenario: Scenario) -> Trace:
        """Run through the sparse emulator."""
        x = self.residual(scenario)
        trace = Trace({-1: x})
        for index, layer in self.sparse.items():
            trace.between[index] = x = emulate_mixer(layer, x)
            trace.after[index] = x = emulate_mlp(layer, x)
        return trace

    def stock(self, scenario: Scenario, pieces: Sequence[int] | None = None) -> Trace:
        """Run through stock modules with a cache. pieces: token counts of the forward calls (default: one chunk)."""
        modules = self._modules()
        x = torch.from_numpy(self.residual(scenario)).bfloat16()[None]
        pieces = [x.shape[1]] if pieces is None else pieces
        assert sum(pieces) == x.shape[1], "pieces must cover the sequence"
        cache = DynamicCache(config=self._config)
        outputs: dict[int, list[np.ndarray]] = {index: [] for index in self.sparse}
        with torch.no_grad():
            for part in x.split(list(pieces), 1):
                y = part
                for index, module in zip(self.sparse, modules, strict=True):
                    y = module(y, position_embeddings=None, cache=cache)
                    outputs[index].append(y[0].float().numpy())
        return Trace({-1: x[0].float().numpy(), **{index: np.concatenate(parts) for index, parts in outputs.items()}})

    def _modules(self) -> list[Qwen3_5DecoderLayer]:
        if self._stock is None:
            self._stock = []
            for position, layer in enumerate(self.sparse.values()):
                module = Qwen3_5DecoderLayer(self._config, position).to(torch.bfloat16).eval()
                fill_stock_layer(module, layer)
                self._stock.append(module)
        return self._stock

    # ------------------------------------------------------------ looking

    def lanes(self, trace: Trace, group: str, layer: int) -> np.ndarray:
        """Values [T, width] of a group after a layer."""
        lanes = self.netlist.groups[group]
        for lane in lanes:
            life = self.placed.lives[lane]
            assert life.birth <= 4 * layer + 3 <= life.death, f"{lane.name} is not alive after layer {layer}"
        return trace.after[layer][:, [self.placed.axis[lane] for lane in lanes]]

    def owner(self, axis: int, layer: int) -> str:
        """Name of the lane on an axis after a layer."""
        for lane, place_ in self.placed.axis.items():
            if place_ == axis and self.placed.lives[lane].birth <= 4 * layer + 3 <= self.placed.lives[lane].death:
                return lane.name
        return f"(no lane, axis {axis})"

    def check(self, trace: Trace, scenario: Scenario) -> None:
        """Assert every expectation, every lane inside its domain, and every axis without a lane 0, after every layer."""
        problems = [*self._structure(trace), *self._facts(trace)]
        for (group, layer), expected in scenario.expected.items():
            got = self.lanes(trace, group, layer)
            wrong = got != np.asarray(expected, np.float32).reshape(got.shape)
            if wrong.any():
                token, offset = (int(v[0]) for v in np.nonzero(wrong))
                problems.append(
                    f"{group}[{offset}] after layer {layer}: {int(wrong.sum())} wrong in "
                    f"{int(wrong.any(1).sum())} of {len(wrong)} tokens, first at token {token}: "
                    f"got {got[token, offset]}, expected {np.asarray(expected).reshape(got.shape)[token, offset]}"
                )
        assert not problems, "\n".join(problems[:12])

    def _structure(self, trace: Trace) -> Iterable[str]:
        for layer, x in trace.after.items():
            if layer < 0:
                continue
            free = np.ones(x.shape[1], bool)
            for lane, axis in self.placed.axis.items():
                life = self.placed.lives[lane]
                if not life.birth <= 4 * layer + 3 <= life.death:
                    continue
                free[axis] = False
                if lane is self.netlist.pin or lane.group == "CODE":
                    continue
                values = np.unique(x[:, axis])
                outside = [
                    v
                    for v in values
                    if v and not (lane.domain.low <= v <= lane.domain.high and not (v - lane.domain.low) % lane.domain.step)
                ]
                if outside:
                    token = int(np.flatnonzero(np.isin(x[:, axis], outside))[0])
                    yield (
                        f"{lane.name} leaves its domain ({lane.domain.name}) after layer {layer}: "
                        f"{outside[:4]}, first at token {token}"
                    )
            dirty = np.flatnonzero(free & (x != 0).any(0))
            if len(dirty):
                before = [lane.name for lane, axis in self.placed.axis.items() if axis == dirty[0]]
                yield f"axis {dirty[0]} is not 0 after layer {layer}, where no lane lives on it (lanes there: {before})"

    def _facts(self, trace: Trace) -> Iterable[str]:
        """Whatever the circuits declare for the static checks must be true of every token."""
        moments = {4 * layer + 3: x for layer, x in trace.after.items() if layer >= 0}
        moments.update({4 * layer + 1: x for layer, x in trace.between.items()})
        for moment, x in moments.items():
            place_ = f"layer {moment // 4}, after its {'MLP' if moment % 4 == 3 else 'mixer'}"
            alive = {
                lane: x[:, self.placed.axis[lane]]
                for lane, life in self.placed.lives.items()
                if life.birth <= moment <= life.death
            }
            since = self.netlist.present_since
            settled = {
                lane: v
                for lane, v in alive.items()
                if self.placed.settled.get(lane, -1) <= moment or 4 * since.get(lane.group, moment) < moment
            }
            for name, lanes in self.netlist.one_hot:
                if (sum((settled[lane] for lane in lanes if lane in settled), np.zeros(len(x))) > 1).any():
                    yield f"exclusive '{name}' is violated, {place_}"
            classes: dict[str, list[np.ndarray]] = {}
            for lane, values in settled.items():
                if lane.domain.name == "spin" and lane.group != "CODE":
                    classes.setdefault(self.netlist.presence.get(lane.group, lane.group), []).append(values != 0)
            for name, written in classes.items():
                if (np.logical_or.reduce(written) != np.logical_and.reduce(written)).any():
                    yield f"lanes '{name}' are written partly, {place_}"
            for literals in self.netlist.impossible:
                if all(x.lane in settled for x in literals) and self._hold(settled, literals).any():
                    yield f"never {[x.lane.name for x in literals]} is violated, {place_}"
            for fact in self.netlist.assumptions:
                now = (4 * fact.layer - 1 if fact.before_mixer else 4 * fact.layer + 1) if fact.layer is not None else -1
                known = alive if fact.layer is not None else settled
                if moment < 4 * fact.since or (fact.layer is not None and now != moment):
                    continue
                lanes = [lane for lane in fact.lanes if lane in known]
                if lanes and all(literal.lane in alive for literal in fact.when):
                    holds = self._hold(alive, fact.when)
                    wrong = [lane.name for lane in lanes if ((known[lane] != 0) != fact.present)[holds].any()]
                    if wrong:
                        yield (
                            f"assumed {'present' if fact.present else 'absent'} when "
                            f"{[x.lane.name for x in fact.when]}: {wrong[:4]}, {place_}"
                        )

    @staticmethod
    def _hold(values: Mapping[Lane, np.ndarray], literals: Iterable[Literal]) -> np.ndarray:
        held = np.ones(len(next(iter(values.values()))), bool)
        for literal in literals:
            held &= (values[literal.lane] > 0) == literal.wanted
        return held

    def same(self, one: Trace, other: Trace) -> None:
        """Assert two traces are equal on every axis after every layer; name the first difference."""
        for layer in one.after:
            wrong = one.after[layer] != other.after[layer]
            if wrong.any():
                token, axis = (int(v[0]) for v in np.nonzero(wrong))
                raise AssertionError(
                    f"{self.owner(axis, layer)} differs after layer {layer} at token {token}: "
                    f"{one.after[layer][token, axis]} and {other.after[layer][token, axis]} "
                    f"({int(wrong.sum())} lanes of {int(wrong.any(1).sum())} tokens)"
                )


# ---------------------------------------------------------------- emulator


def _matmul(matrix: Csr, x: np.ndarray) -> np.ndarray:
    """bf16(matrix @ x) for x [columns, T]: fp32 accumulation, one rounding."""
    sparse = scipy.sparse.csr_array((matrix.values, matrix.columns.astype(np.int32), matrix.offsets), matrix.shape)
    return to_bf16(sparse @ x)


def _silu_bf16(x: np.ndarray) -> np.ndarray:
    return functional.silu(torch.from_numpy(x).bfloat16()).float().numpy()


def _norm(x: np.ndarray, weight: float) -> np.ndarray:
    scale = np.float32(1) / np.sqrt((x * x).mean(1, keepdims=True, dtype=np.float32) + EPSILON)
    return to_bf16(x * scale * np.float32(1 + weight))


def emulate_mixer(layer: SparseLayer, x: np.ndarray) -> np.ndarray:
    """Residual x [T, hidden] after the mixer of a layer, over a whole sequence from empty state."""
    if not len(layer.matrices["linear_attn.out_proj"].values):
        return x
    return to_bf16(x + _mixer(layer, np.ascontiguousarray(_norm(x, layer.norm_weight).T)).T)


def emulate_mlp(layer: SparseLayer, x: np.ndarray) -> np.ndarray:
    """Residual x [T, hidden] after the MLP of a layer."""
    if not len(layer.matrices["mlp.down_proj"].values):
        return x
    normed = np.ascontiguousarray(_norm(x, layer.norm_weight).T)
    gate = _silu_bf16(_matmul(layer.matrices["mlp.gate_proj"], normed))
    hidden = to_bf16(gate * _matmul(layer.matrices["mlp.up_proj"], normed))
    return to_bf16(x + _matmul(layer.matrices["mlp.down_proj"], hidden).T)


def _mixer(layer: SparseLayer, x: np.ndarray) -> np.ndarray:
    """Mixer output [hidden, T] for normalised x [hidden, T]."""
    length = x.shape[1]
    projected = _matmul(layer.matrices["linear_attn.in_proj_qkv"], x)
    for row in np.flatnonzero(layer.conv[:, -1] != 1):
        padded = np.concatenate([np.zeros(3, np.float32), projected[row]])
        projected[row] = sum(layer.conv[row, i] * padded[i : i + length] for i in range(4))
    mixed = _silu_bf16(projected).reshape(3, 16, 128, length)
    z = _matmul(layer.matrices["linear_attn.in_proj_z"], x).reshape(16, 128, length)
    decay = _matmul(layer.matrices["linear_attn.in_proj_a"], x)
    beta = _matmul(layer.matrices["linear_attn.in_proj_b"], x)
    out = np.zeros((16, 128, length), np.float32)
    for head in range(16):
        if mixed[1, head].any() and mixed[0, head].any():
            out[head] = _head(mixed[0, head], mixed[1, head], mixed[2, head], decay[head], beta[head], head)
    core = to_bf16(out)
    variance = (core * core).mean(1, keepdims=True, dtype=np.float32)
    normed = to_bf16(core * (np.float32(1) / np.sqrt(variance + EPSILON)))
    gate = functional.silu(torch.from_numpy(z)).numpy()
    return _matmul(layer.matrices["linear_attn.out_proj"], to_bf16(normed * gate).reshape(-1, length))


def _unit(x: np.ndarray) -> np.ndarray:
    return x * (np.float32(1) / np.sqrt((x * x).sum(0, keepdims=True) + EPSILON))


def _head(query: np.ndarray, key: np.ndarray, value: np.ndarray, decay: np.ndarray, beta: np.ndarray, head: int) -> np.ndarray:
    """Reads [dims, T] of one head: the last write to a row at or before a token, unless a reset came between."""
    query, key = _unit(query), _unit(key)
    writes = np.flatnonzero(key.any(0))
    rows = key[:, writes].argmax(0)
    assert (key[rows, writes] == 1).all() and ((key != 0).sum(0) <= 1).all(), f"head {head}: a key is not one-hot"
    assert (beta[writes] >= 6.25).all(), f"head {head}: a write without beta = 1"
    reset = decay - 128 >= 104
    assert (reset | (decay - 128 <= -103)).all(), f"head {head}: a partial decay"
    length = query.shape[1]
    last_reset = np.maximum.accumulate(np.where(reset, np.arange(length), -1))
    order = np.argsort(rows * length + writes, kind="stable")
    stamps = (rows * length + writes)[order]
    read_rows, read_tokens = np.nonzero(query)
    found = np.searchsorted(stamps, read_rows * length + read_tokens, side="right") - 1
    hit = found >= 0
    hit[hit] &= stamps[found[hit]] // length == read_rows[hit]
    source = writes[order][np.maximum(found, 0)]
    hit &= source >= last_reset[read_tokens]
    weight = query[read_rows, read_tokens] * np.float32(128**-0.5)
    out = np.zeros((length, value.shape[0]), np.float32)
    np.add.at(out, read_tokens[hit], weight[hit, None] * value[:, source[hit]].T)
    return out.T


def run_both(bench: Bench, scenario: Scenario, pieces: Sequence[int] | None = None) -> Mapping[str, Trace]:
    """Emulator and stock (chunk, and pieces if given) on one scenario: all must agree and meet the expectations."""
    traces = {"emulator": bench.emulate(scenario), "chunk": bench.stock(scenario)}
    if pieces is not None:
        traces["pieces"] = bench.stock(scenario, pieces)
    for trace in traces.values():
        bench.check(trace, scenario)
        bench.same(traces["emulator"], trace)
    return traces
