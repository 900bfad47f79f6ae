"""The guard: rows that no direction mutes lose one axis and nothing else, in stock layers, and are named."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer, models
from transformers import AutoModelForCausalLM

from app.muting import describe
from builder import mute
from builder.base import open_base
from builder.fit import fit_machine, guarding
from builder.machinefile import GUARD_WEIGHT, MATRICES, compiled, open_machine, read_fit, sparse, token_rows, write_fitted
from builder.merge import build
from builder.report import read_report
from builder.verify import verify
from builder.workspace import Watch
from engine.compact import CompactRuntime
from engine.dense import DenseRuntime
from engine.machine.container import FILE_NAME
from engine.machine.spec import MachineSpec
from engine.weights import read_machine
from tests.engine import synthetic
from tests.fakes import LAYER, make_machine
from tests.fakes.base import Size, make_base
from tests.fakes.tables import make_table

SPEC = MachineSpec(
    layers=4, words=64, threads=16, registers=8, hidden=512, intermediate=768, heads=4, head_dim=64, mute_axes=32
)
ROWS = 1200
SIZE = Size(512, 768, 4, 4, 2, 64, 4, 64, ROWS)
KINDS = ("weak mean", "many lengths", "untrained", "opposed", "alike", "heavy tails", "lopsided axes")
SEPARABLE = ("alike", "heavy tails", "lopsided axes")


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    return open_machine(synthetic.build(tmp_path_factory.mktemp("machine") / FILE_NAME, 1, SPEC))


@pytest.fixture(scope="module", params=KINDS)
def fitted(request, machine, tmp_path_factory):
    """(kind, base, table, fit, proof) of a table."""
    table = make_table("weak mean" if request.param == "many lengths" else request.param, ROWS, SIZE.hidden)
    if request.param == "many lengths":
        table *= 2.0 ** (torch.arange(ROWS) % 17 - 8)[:, None]
    folder = make_base(tmp_path_factory.mktemp("base") / "b", SIZE, layout="text", shards=1, embedding=table)
    base = open_base(folder, machine.shape)
    return request.param, base, table, *fit_machine(base, machine, Watch())


def through_stock_layers(base, machine, fit, rows):
    """Rows [n, hidden] as one text through the compiled layers of the merged model."""
    from transformers import Qwen3_5TextConfig
    from transformers.models.qwen3_5.modeling_qwen3_5 import Qwen3_5DecoderLayer

    single, x = Qwen3_5TextConfig(**{**base.config, "num_hidden_layers": 1, "layer_types": ["linear_attention"]}), rows[None]
    for layer in range(machine.layers):
        with torch.device("meta"):
            stock = Qwen3_5DecoderLayer(single, 0)
        stock.load_state_dict({n: compiled(machine, fit, layer, n) for n in machine.shape.tensors()}, assign=True)
        with torch.no_grad():
            x = stock(x, position_embeddings=None)
    return x[0]


def test_the_rows_that_are_named_are_those_on_the_wrong_side(fitted, machine):
    """Against numpy: the sign of d . x decides, but for rows so near to 0 that the proof may leave them."""
    kind, _, table, fit, proof = fitted
    axes = fit.placement[machine.mute_axes].numpy()
    rows, d = table.double().numpy(), fit.direction.double().numpy()
    assert proof.zero_rows == tuple(np.flatnonzero(~rows.any(1))) and (kind == "alike") == bool(proof.zero_rows)
    scores = rows[:, axes] @ d / np.sqrt((rows**2).mean(1).clip(1e-30))
    # a long row is guarded from a proportionally larger product on
    clear = (np.abs(scores) > 0.02 + 2.0**-10 * np.linalg.norm(rows, axis=1)) | ~rows.any(1)
    named = np.zeros(ROWS, bool)
    named[list(proof.guarded)] = True
    assert ((scores > 0) == named)[clear].all()
    assert not clear[list(proof.violators)].any() and len(proof.violators) <= (30 if kind == "many lengths" else 2)
    assert (kind in SEPARABLE) == proof.complete == (fit.guard is None) == (not named.any())
    if fit.guard is not None:
        lost = np.abs(rows[named][:, axes[fit.guard]]) / np.linalg.norm(rows[named], axis=1)
        assert proof.loss == pytest.approx(lost, abs=1e-5)
        # the rows that it was chosen for are those of the fit without a guard, all but the same
        losses = np.sqrt((rows[named] ** 2 / (rows[named] ** 2).sum(1, keepdims=True)).mean(0))
        assert losses[axes[fit.guard]] <= np.quantile(losses, 0.02)


def test_stock_layers_leave_all_rows_as_they_are_but_for_the_guard_axis_of_those_named(fitted, machine):
    _, base, table, fit, proof = fitted
    expected = table.clone()
    if fit.guard is not None:
        expected[list(proof.guarded), fit.placement[machine.mute_axes[fit.guard]]] = 0.0
    others = sorted(set(range(ROWS)) - set(proof.guarded) - set(proof.violators))
    text = torch.tensor([*proof.guarded[:150], *others[: 300 - len(proof.guarded[:150])]])
    text = text[torch.randperm(len(text), generator=torch.Generator().manual_seed(1))]
    assert torch.equal(through_stock_layers(base, machine, fit, table[text]), expected[text])


def test_without_a_guard_the_same_rows_are_destroyed(fitted, machine):
    kind, base, _, _, _ = fitted
    if kind != "opposed":
        return
    fit, proof = fit_machine(base, replace(machine, guard=None), Watch())
    assert fit.guard is None and not proof.guarded and len(proof.violators) >= 10 and not proof.complete
    assert np.median(proof.effect) > 1e6


def test_nothing_of_a_guard_reads_or_writes_what_machine_tokens_have(fitted, machine):
    """On the axes of the circuits, a fit with a guard and one without give the same matrices, token rows included."""
    _, _, _, fit, _ = fitted
    if fit.guard is None:
        return
    plain = replace(fit, guard=None)
    muted = fit.placement[machine.mute_axes]
    for layer in range(machine.layers):
        for name in MATRICES:
            one, other = (compiled(machine, f, layer, f"{name}.weight").clone() for f in (fit, plain))
            lanes = 0 if name in ("linear_attn.out_proj", "mlp.down_proj") else 1
            different = (one != other).nonzero()[:, lanes].unique()
            assert torch.isin(different, muted).all(), (layer, name)
    assert not token_rows(machine, fit, 0, 100)[:, muted].any()


def test_a_guard_needs_places_that_no_circuit_uses(machine, tmp_path):
    raising, neuron = machine.guard.raising
    assert raising == 1 and neuron not in sparse(machine, 1, "mlp.gate_proj").row_ids()
    assert open_machine(make_machine(tmp_path / "full.safetensors", LAYER)).guard is None


def test_a_guard_that_another_layer_could_open_is_not_used(machine, fitted):
    _, _, table, fit, proof = fitted
    if fit.guard is None:
        return
    text = mute.lanes(mute.Table(ROWS, SIZE.hidden, lambda a, b: table[a:b]), fit.placement[machine.mute_axes], lambda _: None)
    wild = mute.View(("x",), torch.full((SPEC.mute_axes,), 4097.0).double(), 4097.0, 2.0**50, 4, 0.0, 90.0)
    again = mute.prove(
        text, fit.direction, fit.gain, 1e-6, [*mute.views(machine), wild], lambda _: None, guarding(machine, fit)
    )
    assert not again.guarded and set(proof.guarded) <= set(again.violators)


def test_a_fit_with_a_guard_survives_its_file(fitted, machine, tmp_path):
    _, _, _, fit, _ = fitted
    write_fitted(machine, fit, tmp_path / FILE_NAME)
    found = read_fit(open_machine(tmp_path / FILE_NAME))
    assert found.guard == fit.guard and torch.equal(found.direction, fit.direction)
    if fit.guard is not None:
        assert float(fit.direction[fit.guard]) == GUARD_WEIGHT


@pytest.fixture(scope="module", params=["untrained", "opposed", "weak mean"])
def merged(request, machine, tmp_path_factory):
    """(folder, base folder) of a checkpoint whose table has rows that cannot be muted, with a tokenizer."""
    folder = tmp_path_factory.mktemp("merged")
    make_base(folder / "base", SIZE, layout="text", shards=1, embedding=make_table(request.param, ROWS, SIZE.hidden))
    words = {f"word{row}": row for row in range(ROWS - 20)}
    Tokenizer(models.WordLevel(words, "word0")).save(str(folder / "base" / "tokenizer.json"))
    build(folder / "base", machine.path, folder / "out", [f"TOKEN({i})" for i in range(machine.codes.numel())])
    return folder / "out", folder / "base"


def test_a_merged_checkpoint_gives_the_base_s_logits_and_nothing_behind_a_guarded_row_is_lost(merged):
    """Text of muted rows: bit for bit. Text with guarded rows: as if they had been a base's rows without that axis."""
    folder, source = merged
    proof, fit = read_report(folder).mute, read_fit(machine := open_machine(folder / FILE_NAME))
    base, both = (AutoModelForCausalLM.from_pretrained(path).eval() for path in (source, folder))
    draw = torch.Generator().manual_seed(3)
    silent = torch.tensor(sorted(set(range(ROWS)) - set(proof.guarded) - set(proof.violators)))
    plain = silent[torch.randint(0, len(silent), (1, 80), generator=draw)]
    mixed = plain.clone()
    mixed[0, ::9] = torch.tensor(proof.guarded)[torch.randint(0, len(proof.guarded), (9,), generator=draw)]
    with torch.no_grad():
        assert torch.equal(base(plain).logits, both(plain).logits[..., :ROWS])
        rows = base.model.embed_tokens(mixed).clone()
        rows[:, ::9, fit.placement[machine.mute_axes[fit.guard]]] = 0.0
        assert torch.equal(base(inputs_embeds=rows).logits, both(mixed).logits[..., :ROWS])
        assert not torch.equal(base(mixed).logits, both(mixed).logits[..., :ROWS])


def test_the_machine_is_exact_in_front_of_and_behind_text_with_guarded_rows(merged, machine):
    folder, _ = merged
    proof = read_report(folder).mute
    compact, dense = CompactRuntime(read_machine(folder / FILE_NAME)), DenseRuntime.checkpoint(folder)
    stream, answers = [3, 700, 1000, 2, 555, 31], []
    for runtime in (compact, dense):
        said = [runtime.feed(stream)]
        for _ in range(8):
            said.append(runtime.feed(said[-1:]))
        answers.append(said)
    assert answers[0] == answers[1] and len(set(answers[0])) > 2
    # the same two runs, each behind a text: one of muted rows alone, one with guarded rows in it
    silent = [row for row in range(100) if row not in proof.guarded and row not in proof.violators]
    found = []
    for text in (silent[:20], [*proof.guarded[:10], *silent[10:20]]):
        runtime = DenseRuntime.checkpoint(folder)
        runtime.feed([row - runtime.first_id for row in text])  # it counts from the machine's tokens
        for layer in range(1, machine.layers):
            assert not any(runtime.recurrent_state(layer, head).any() for head in range(SPEC.heads))
        said = [runtime.feed(stream)]
        for _ in range(8):
            said.append(runtime.feed(said[-1:]))
        states = [runtime.recurrent_state(layer, head) for layer in range(1, machine.layers) for head in range(SPEC.heads)]
        found.append((said, states))
    assert found[0][0] == found[1][0] and all(np.array_equal(a, b) for a, b in zip(found[0][1], found[1][1], strict=True))


def test_verifying_finds_the_same_rows_and_they_are_told_by_name(merged):
    folder, _ = merged
    report, found = read_report(folder), verify(folder)
    assert found.mute == report.mute and report.mute.guarded and not report.mute.complete
    told = list(describe(json.loads(json.dumps(found.mute.as_json()))))
    worst = report.mute.guarded[int(np.argmax(report.mute.loss))]
    name = f"'word{worst}' ({worst})" if worst < ROWS - 20 else f"row {worst}"
    assert (
        told[0] == f"{ROWS - len(report.mute.guarded) - len(report.mute.violators):,} rows of the vocabulary are proven muted"
    )
    assert f"{len(report.mute.guarded):,} rows lose one of their axes" in told[1] and f": {name}, " in told[1]
    assert "which build_report.json names" in told[1] and "compact runtime" in told[-1]
