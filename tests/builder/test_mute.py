"""The mute: that it is found, that its proof never claims too much, that failures are named."""

import math

import pytest
import torch
from torch.nn import functional

from builder import mute
from builder.base import open_base
from builder.fit import fit_machine, place
from builder.machinefile import GAIN, GATED, MATRICES, Fit, compiled, open_machine, sparse, vector
from builder.mute import Table, View
from builder.workspace import Watch
from engine.machine.errors import Cancelled, InputError
from tests.fakes import LAYER, SIZE, make_base, make_machine

HIDDEN, AXES = 256, torch.arange(192, 256)


def nothing(_=0):
    """No progress, no stop."""


def table(rows):
    return Table(len(rows), rows.shape[1], lambda start, stop: rows[start:stop])


def random_rows(count, offset, seed=0, hidden=HIDDEN):
    source = torch.Generator().manual_seed(seed)
    mean = torch.randn(hidden, generator=source) * offset
    return ((torch.randn(count, hidden, generator=source) + mean) * 0.02).bfloat16()


def plain_view(gated=100.0, widest=1.0, norm=1.0, passive=100.0):
    return View(("test",), torch.full((len(AXES),), norm).double(), widest, gated, 8, passive, 89.0)


def solve(rows, axes=AXES):
    text = mute.lanes(table(rows), axes, nothing)
    return text, mute.find_direction(text, nothing)


def test_a_direction_is_found_and_its_margin_is_true():
    rows = random_rows(3000, 0.5)
    text, direction = solve(rows)
    proof = mute.prove(text, direction, GAIN, 1e-6, [plain_view()], nothing)
    normed = rows.double() * (rows.double().square().mean(1, keepdim=True)).rsqrt()
    margin = -(normed[:, AXES] @ direction.double()).max()
    assert proof.complete and proof.margin == pytest.approx(float(margin), abs=1e-4) and margin > mute.MARGIN
    assert float(direction.float().norm()) == pytest.approx(1, abs=0.01)


def test_optimising_beats_the_mean_direction():
    rows = random_rows(4000, 0.35, seed=3)
    text, direction = solve(rows)
    mean = (rows.float() * rows.float().square().mean(1, keepdim=True).rsqrt()).mean(0)[AXES]
    plain = text.scores(-mean / mean.norm())
    assert (plain > 0).any() and (text.scores(direction.float()) < -mute.MARGIN).all()


@pytest.mark.parametrize("offset", [0.0, 0.1, 0.5])
def test_rows_that_are_not_named_are_closed_in_stock_arithmetic(offset):
    """The proof against bf16 products: whatever it does not name stays at or below -89 behind dense random circuits."""
    rows = random_rows(2000, offset, seed=1)
    text, direction = solve(rows)
    weights = torch.zeros(64, HIDDEN)
    weights[:, :192] = (torch.randint(0, 2, (64, 192)) * 2 - 1) * 2.0**19
    weights = weights.bfloat16()
    weights[:, AXES] = direction * GAIN
    gated = float((192**0.5) * 2.0**19)
    view = View(("test",), torch.ones(len(AXES)).double(), 1.0, gated, 192, 0.0, 89.0)
    proof = mute.prove(text, direction, GAIN, 1e-6, [view], nothing)
    wide = rows.float()
    hidden = (wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + 1e-6)).bfloat16()
    highest = functional.linear(hidden, weights).float().max(1).values
    named = torch.zeros(len(rows), dtype=torch.bool)
    named[list(proof.violators)] = True
    assert (highest[~named] <= -89).all()
    # the bound is on the exact sum; its bf16 value may be rounded up by 2^-9
    assert float(highest[~named].max()) <= proof.preactivation * (1 - 2**-8)
    assert named.sum() == 0 if offset == 0.5 else (highest[named] > -89).any()


def test_inseparable_rows_are_few_and_named():
    rows = random_rows(2000, 0.6, seed=2)
    rows[[5, 700]] = -rows[[900, 901]]  # against two rows of the others: no direction closes both of a pair
    text, direction = solve(rows)
    proof = mute.prove(text, direction, GAIN, 1e-6, [plain_view()], nothing)
    assert proof.violators == (5, 700) and not proof.complete


def test_directions_are_moved_off_rows_that_they_cannot_tell():
    text = mute.lanes(table(random_rows(3000, 0.0, seed=9)), AXES, nothing)
    found = mute.find_direction(text, nothing)
    clear = mute.keep_clear(text, found, nothing)
    near = [int((text.scores(d.float()).abs() < mute.NEAR).sum()) for d in (found, clear)]
    assert near[1] < near[0] and float(clear.float().norm()) == pytest.approx(1, abs=0.01)
    assert torch.equal(clear, mute.keep_clear(text, found, nothing))


def test_rows_of_zeros_are_named_apart():
    rows = random_rows(500, 0.6)
    rows[[3, 499]] = 0
    text, direction = solve(rows)
    proof = mute.prove(text, direction, GAIN, 1e-6, [plain_view()], nothing)
    assert proof.complete and proof.zero_rows == (3, 499)


def test_small_rows_are_judged_with_epsilon():
    rows = random_rows(500, 0.6)
    rows[7] = (rows[7].float() * 2.0**-20).bfloat16()
    text, direction = solve(rows)
    assert mute.prove(text, direction, GAIN, 1e-6, [plain_view()], nothing).complete
    # with a gain that is just enough for rows of normal length, epsilon makes the small one too weak
    weak = mute.prove(text, direction, 2.0**10, 1e-6, [plain_view(gated=0.0)], nothing)
    assert weak.violators == (7,)


@pytest.mark.parametrize(
    "view",
    [
        plain_view(gated=2.0**45),
        plain_view(passive=2.0**125),
        plain_view(norm=-1.0),
        plain_view(norm=2.0**100, widest=2.0**100),
    ],
)
def test_circuits_that_text_could_open_or_overflow_are_not_proved(view):
    text, direction = solve(random_rows(100, 0.6))
    assert len(mute.prove(text, direction, GAIN, 1e-6, [plain_view(), view], nothing).violators) == 100


def test_a_table_without_rows_is_muted_by_nothing():
    text, direction = solve(random_rows(0, 0.5))
    proof = mute.prove(text, direction, GAIN, 1e-6, [plain_view()], nothing)
    assert not direction.any() and proof.complete and proof.rows == 0


def test_the_search_can_be_stopped():
    text = mute.lanes(table(random_rows(2000, 0.05)), AXES, nothing)
    with pytest.raises(Cancelled):
        mute.find_direction(text, Watch(cancelled=lambda: True).ask)


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    return open_machine(make_machine(tmp_path_factory.mktemp("machine") / "m.safetensors", LAYER))


def test_views_hold_the_worst_row_of_every_layer(machine):
    seen = mute.views(machine)
    assert sorted(name for view in seen for name in view.layers) == sorted(
        f"layers.{i}.{name}.weight" for i in range(3) for name in ("input_layernorm", "post_attention_layernorm")
    )
    largest = max(
        float(sparse(machine, layer, name).values.float().view(-1, 4).norm(dim=1).max())
        for layer in range(machine.layers)
        for name in GATED
    )
    assert max(view.gated for view in seen) == pytest.approx(largest)
    assert {view.widest for view in seen} == {1.0, 2049.0} and all(view.terms == 4 for view in seen)


def test_placing_gives_the_mute_the_most_separated_axes_and_the_code_ordinary_ones(machine):
    separation = torch.zeros(SIZE.hidden)
    best = torch.randperm(SIZE.hidden, generator=torch.Generator().manual_seed(0))[:64]
    separation[best] = 5 + torch.arange(64.0)
    norm = torch.zeros(SIZE.hidden)
    odd = [axis for axis in range(SIZE.hidden) if axis not in set(best.tolist())][:30]
    norm[odd] = 40.0
    placement = place(machine, separation, norm)
    assert placement.sort().values.tolist() == list(range(SIZE.hidden))
    assert set(placement[machine.mute_axes].tolist()) == set(best.tolist())
    assert not set(placement[machine.code_lanes].tolist()) & set(odd)


def test_placement_moves_every_tensor_alike(machine):
    shuffled = torch.randperm(SIZE.hidden, generator=torch.Generator().manual_seed(4))
    count = len(machine.mute_axes)
    plain = Fit(torch.arange(SIZE.hidden), torch.ones(count).bfloat16(), 4.0, torch.zeros(64).bfloat16())
    moved = Fit(shuffled, plain.direction, 4.0, plain.norm)
    for name in MATRICES:
        one, other = (compiled(machine, fit, 0, f"{name}.weight") for fit in (plain, moved))
        assert torch.equal(one, other[shuffled] if "out_proj" in name or "down" in name else other[:, shuffled])
    norms = compiled(machine, moved, 1, "input_layernorm.weight")
    assert torch.equal(norms[shuffled], vector(machine, 1, "input_layernorm.weight"))


def test_output_weights_are_divided_by_the_final_norm(machine):
    norm = (torch.arange(64) / 16 - 0.5).bfloat16()
    fit = Fit(torch.arange(SIZE.hidden), torch.zeros(64).bfloat16(), GAIN, norm)
    assert machine.output_layer == machine.layers - 2  # the last layer is a spare
    plain = sparse(machine, machine.output_layer, "mlp.down_proj")
    dense = torch.zeros(plain.shape)
    dense[plain.row_ids(), plain.columns] = plain.values.float()
    scaled = compiled(machine, fit, machine.output_layer, "mlp.down_proj.weight").float()
    rows = machine.code_lanes
    assert torch.allclose(scaled[rows] * (1 + norm.float())[:, None], dense[rows], rtol=2**-8)
    others = torch.ones(SIZE.hidden, dtype=torch.bool).index_fill(0, rows, False)
    assert torch.equal(scaled[others], dense[others])


def test_violators_get_their_effect(tmp_path, machine):
    base = open_base(make_base(tmp_path / "base", SIZE, offset=0.0), LAYER)
    fit, proof = fit_machine(base, machine, Watch())
    assert 0 < len(proof.violators) < SIZE.vocabulary / 2
    assert len(proof.effect) == len(proof.violators) and max(proof.effect) > 0
    assert len(fit.direction) == SIZE.hidden // 4
    assert all(value >= 0 and not math.isnan(value) for value in proof.effect)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"layers.1.mlp.up_proj.columns": torch.full((LAYER.intermediate * 4,), 250).short()}, "touches a mute axis"),
        ({"layers.1.mlp.up_proj.columns": torch.full((LAYER.intermediate * 4,), 256).short()}, "outside the matrix"),
        ({"layers.1.mlp.up_proj.rows": torch.ones(LAYER.intermediate + 1).int()}, "row offsets"),
        ({"layers.1.mlp.up_proj.values": torch.full((LAYER.intermediate * 4,), math.inf).bfloat16()}, "not finite"),
        ({"layers.1.mlp.up_proj.values": torch.ones(LAYER.intermediate * 4)}, "not bfloat16"),
        ({"layers.1.linear_attn.A_log": torch.full((2,), 90.0).bfloat16()}, "A_log exceeds"),
        ({"layers.1.linear_attn.dt_bias": torch.ones(3).bfloat16()}, "has shape [3]"),
        ({"tokens.code_lanes": torch.arange(63).int()}, "63 lanes"),
        ({"tokens.code_lanes": torch.arange(200, 264).int()}, "leaves the residual"),
        ({"tokens.code_lanes": torch.arange(180, 244).int()}, "code lane is a mute axis"),
        ({"tokens.codes": torch.tensor([1 << 16]).int()}, "outside 16 bits"),
    ],
)
def test_machine_files_that_break_the_rules_are_refused(tmp_path, changes, message):
    with pytest.raises(InputError) as caught:
        open_machine(make_machine(tmp_path / "m.safetensors", LAYER, changes=changes))
    assert message in str(caught.value)
