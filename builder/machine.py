"""The compiler from a machine specification to weights: circuits, placement, checks, tensors, file.

    specification -> netlist -> placed netlist -> proof -> sparse layers -> machine.safetensors

Each pass is a function of the one before; each can be read, run and tested alone.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from builder.check import prove
from builder.circuits.bus import declare
from builder.circuits.front import front
from builder.circuits.memory import HOME_LAYER
from builder.circuits.stage import build_stages
from builder.circuits.tail import build_tail
from builder.identity import builder_hash, is_proven
from builder.netlist import Netlist
from builder.place import Placed, place
from builder.tensors import SparseLayer, sparse_layer, write_layers
from engine.machine.spec import SPEC, WORD_BITS, MachineSpec
from engine.machine.state_map import StateMap, WordMap
from engine.machine.tokens import TokenSet

PASSES = 4
"""Steps of a compilation before its layers are written: three groups of circuits, and their placement."""


def _unwatched(*_: int) -> None:
    """A step of work that nobody watches."""


def build_netlist(spec: MachineSpec = SPEC, step: Callable[[], None] = _unwatched) -> Netlist:
    """All circuits of a machine. Raises LimitExceeded when the specification does not fit the circuits.

    step: called after every group of circuits; may raise to stop
    """
    netlist = Netlist()
    bus = declare(netlist, spec)
    front(netlist, spec, bus)
    step()
    build_stages(netlist, bus, spec)
    step()
    build_tail(netlist, bus, spec)
    step()
    return netlist


def compile_machine(spec: MachineSpec = SPEC, step: Callable[[], None] = _unwatched) -> Placed:
    """The placed machine. Raises LimitExceeded (lanes, heads, neurons, layers). step: called after every pass."""
    netlist = build_netlist(spec, step)
    spec.require("compiled layers", max(netlist.layers) + 1, spec.layers, "machine specification", "allow more layers")
    placed = place(netlist)
    step()
    return placed


def sparse_layers(placed: Placed, spec: MachineSpec = SPEC, step: Callable[[], None] = _unwatched) -> dict[int, SparseLayer]:
    """Every compiled layer; one that no circuit uses adds zero. step: called after every layer."""
    layers = {}
    for index in range(spec.layers):
        layers[index] = sparse_layer(placed, index)
        step()
    return layers


def state_map(placed: Placed, spec: MachineSpec = SPEC) -> StateMap:
    """Where the home memory lies: bank of a lane by bank of lines, in the order in which the circuit made its heads."""
    rows = placed.geometry.head_dim
    names = [head.name for head in placed.netlist.layers[HOME_LAYER].heads]
    heads = tuple(
        tuple(names.index(f"home memory {lane}, rows {first}..") for lane in range(spec.lanes))
        for first in range(0, spec.lines, rows)
    )
    return StateMap(WordMap(HOME_LAYER, spec.lanes, rows, heads, (tuple(range(WORD_BITS)),) * spec.lanes))


def write_machine(path: Path, spec: MachineSpec = SPEC, progress: Callable[[int, int], None] = _unwatched) -> None:
    """Compile a machine and write its file. The bytes depend on the specification and the builder's sources alone.

    A machine that has no verdict yet is proven first; raises CircuitError when a bound cannot be shown.
    progress: told (passes and layers done, of all of them) after each; may raise to stop
    """
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        progress(done, PASSES + spec.layers)

    placed = compile_machine(spec, step)
    if not is_proven(spec):
        prove(placed)
    metadata = {"spec": spec.to_json(), "builder": builder_hash(), "map": state_map(placed, spec).to_json()}
    write_layers(
        path,
        sparse_layers(placed, spec, step),
        metadata=metadata,
        token_codes=TokenSet(spec).codes,
        code_axes=placed.axes.code,
        mute_axes=placed.axes.mute,
    )
