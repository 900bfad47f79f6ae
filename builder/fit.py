"""Fitting a machine to a base: which residual axes it takes, which direction mutes it on text, and the proof of that."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

import torch

from builder import mute
from builder.base import EMBEDDING, FINAL_NORM, Base
from builder.machinefile import GAIN, GUARD_WEIGHT, MIN_OUTPUT_GAIN, Fit, Machine
from builder.mute import MuteProof, Table
from builder.tensorfile import Stored, Zeros, load
from builder.tokentexts import TOKENIZER, token_texts
from builder.workspace import Watch
from engine.machine.errors import InputError

EFFECT_LIMIT = 256
"""Violators whose effect is measured; all are named."""
QUIET_ROWS = 4096
"""Rows without mute that the guard's axis is chosen for."""


@contextmanager
def one_thread() -> Iterator[None]:
    """Torch on one thread: sums then come out alike on any number of cores, and chunks this small gain nothing from more."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


@one_thread()
def fit_machine(base: Base, machine: Machine, watch: Watch) -> tuple[Fit, MuteProof]:
    """Choose axes and mute direction for a base, and prove the mute for every row of its vocabulary.

    Where some rows cannot be muted and the machine has places for a guard, a second fit has one.
    Raises InputError when the base's final norm erases an output lane.
    """
    table = text_table(base.tensors[EMBEDDING], base.dimensions.vocabulary)
    seen, norm = mute.views(machine), load(base.tensors[FINAL_NORM])
    moved = watch.meter("mute", table.count * (2 + len(seen)), 2 * table.hidden)
    separation = mute.separation(table, moved)
    fit, proof = _fit(base, machine, table, _placement(machine, table, separation, norm), None, seen, watch, moved)
    if proof.violators and machine.guard is not None:
        quiet = mute.quietest(table, proof.violators[:QUIET_ROWS])
        placement = _placement(machine, table, separation, norm, quiet)
        axis = int((placement[machine.mute_axes] == quiet).nonzero()[0])
        moved = watch.meter("mute", table.count * (1 + len(seen)), 2 * table.hidden)
        fit, proof = _fit(base, machine, table, placement, axis, seen, watch, moved)
    if proof.violators:
        named = list(proof.violators[:EFFECT_LIMIT])
        rows = torch.cat([table.read(row, row + 1) for row in named])
        proof = replace(proof, effect=mute.effect(machine, fit, base.config, rows, watch.ask))
    tokenizer = base.companions.get(TOKENIZER)
    return fit, replace(proof, texts=token_texts(tokenizer, [*proof.violators, *proof.guarded]))


def _placement(
    machine: Machine, table: Table, separation: torch.Tensor, norm: torch.Tensor, quiet: int | None = None
) -> torch.Tensor:
    """`place`, with a certain axis among those of the mute whether it separates or not; the identity without text."""
    if not table.count:
        return torch.arange(machine.shape.hidden)
    if quiet is not None:
        separation = separation.index_fill(0, torch.tensor([quiet]), torch.inf)
    return place(machine, separation, norm)


def _fit(
    base: Base,
    machine: Machine,
    table: Table,
    placement: torch.Tensor,
    guard: int | None,
    seen: list[mute.View],
    watch: Watch,
    moved: mute.Moved,
) -> tuple[Fit, MuteProof]:
    """The fit on certain axes. guard: which of the mute axes is the guard's."""
    output = load(base.tensors[FINAL_NORM])[placement[machine.code_lanes]]
    if bool(((1 + output.float()).abs() < MIN_OUTPUT_GAIN).any()):
        raise InputError(
            "the base's final norm erases a lane that the machine writes its tokens on", base.source, "use another base"
        )
    text = mute.lanes(table, placement[machine.mute_axes], moved)
    if guard is None:
        direction = mute.find_direction(text, watch.ask)
    else:
        others = text.without(guard)
        direction = mute.keep_clear(others, mute.find_direction(others, watch.ask), watch.ask)
        direction[guard] = GUARD_WEIGHT
    fit = Fit(placement, direction, GAIN, output, guard)
    return fit, mute.prove(text, direction, fit.gain, base.dimensions.epsilon, seen, moved, guarding(machine, fit))


def guarding(machine: Machine, fit: Fit) -> mute.Guarding | None:
    """What the proof needs to know of a fit's guard."""
    return None if fit.guard is None else mute.Guarding(fit.guard, machine.shape.value_head)


def text_table(embedding: Stored | Zeros, count: int) -> Table:
    """The first `count` rows of a stored embedding."""
    return Table(count, embedding.shape[1], partial(load, embedding))


def place(machine: Machine, separation: torch.Tensor, norm: torch.Tensor) -> torch.Tensor:
    """The residual axis of every machine axis: int64 [hidden], a permutation.

    Circuits are exact on any axes (integer sums, no rounding, so no order), so they leave to the mute the axes where text
    lies most to one side, and the token code goes where the base's final norm is most ordinary: an axis with an extreme
    weight there is one that the base uses in an extreme way (massive activations). All choices are ordered, hence repeatable.
    """
    hidden = machine.shape.hidden
    taken = torch.zeros(hidden, dtype=torch.bool)
    muted = separation.sort(descending=True, stable=True).indices[: machine.mute_axes.numel()].sort().values
    taken[muted] = True
    weight = (1 + norm.double()).abs().clamp_min(1e-30).log()
    oddness = torch.where(taken, torch.inf, (weight - weight.median()).abs())
    code = oddness.sort(stable=True).indices[: machine.code_lanes.numel()].sort().values
    taken[code] = True
    placement = torch.full((hidden,), -1)
    placement[machine.mute_axes], placement[machine.code_lanes] = muted, code
    placement[placement < 0] = (~taken).nonzero()[:, 0]
    return placement
