"""Training: seeded data, Muon and AdamW, a constant then falling learning rate, one thread."""

import hashlib
import json
import random
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

import torch
import torch.nn.functional as functional
from tokenizers import Tokenizer
from transformers import Qwen3_5ForCausalLM

from builder.embedded.chat import CALL_END, in_small_letters, piece_ids, turn_pieces
from builder.embedded.dialogue import make_dialogue
from builder.embedded.model import new_model
from builder.embedded.muon import Muon
from builder.embedded.numbers import NumberSource

KEPT_EVERY = 25
# fmt: off
DECIDING = (
    "chat", "dialogue", "expressions", "followups", "forms", "frames", "model", "muon", "notations", "numbers", "problems",
    "replies", "signatures", "steps", "tables", "talk", "templates", "tokenizer", "train",
)
# fmt: on


@dataclass(frozen=True)
class Settings:
    """Everything that decides what a stage of the training makes of the weights before it."""

    steps: int = 5400
    tokens_a_step: int = 2048
    rate: float = 3e-3
    warm_up: int = 40
    constant_steps: int = 2700
    growing_steps: int = 390
    seed: int = 1
    longest_dialogue: int = 320
    shown_results: float = 0.3
    mix: str = "wide"
    small_letters: bool = False


# First the wordings, as people type them; then, for a seventh of that, two questions to be told apart, in the small letters
# that the model is asked in.
STAGES = (
    Settings(),
    Settings(
        steps=800,
        rate=1e-3,
        warm_up=25,
        constant_steps=0,
        growing_steps=0,
        seed=2,
        shown_results=0.12,
        mix="paired",
        small_letters=True,
    ),
)


@dataclass(frozen=True)
class Sample:
    """Token ids, and which of them the model shall write."""

    ids: list[int]
    written: list[bool]


def sources_digest() -> str:
    """sha256 over everything that decides the data and the training, so that weights can be traced to it."""
    folder = Path(__file__).resolve().parent
    digest = hashlib.sha256()
    for path in (*(folder / f"{name}.py" for name in DECIDING), *sorted((folder / "tables").glob("*.txt"))):
        digest.update(f"{path.name}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()


def make_sample(tokenizer: Tokenizer, source: NumberSource, settings: Settings) -> Sample:
    """One dialogue as tokens. Most end at the last call: what follows it is easy and need not be seen each time."""
    turns = make_dialogue(source, settings.mix)
    if settings.small_letters:
        turns = [in_small_letters(turn) for turn in turns]
    ids: list[int] = []
    written: list[bool] = []
    for place, turn in enumerate(turns):
        pieces = turn_pieces(turn)
        last = place == len(turns) - 1
        if turn.call and last and (not turn.result or source.random.random() > settings.shown_results):
            end = next(index for index, piece in enumerate(pieces) if piece.text == CALL_END)
            pieces = pieces[: end + 2]
        for piece in pieces:
            tokens = piece_ids(tokenizer, piece)
            ids += tokens
            written += [piece.written] * len(tokens)
        if not last:
            newline = tokenizer.encode("\n", add_special_tokens=False).ids
            ids += newline
            written += [False] * len(newline)
    return Sample(ids, written)


def _batches(tokenizer: Tokenizer, settings: Settings) -> Iterator[list[Sample]]:
    """Batches of like length; lists grow over the first part of the training."""
    source = NumberSource(random.Random(settings.seed))
    shuffle = random.Random(settings.seed + 1)
    step = 0
    while True:
        grown = min(1.0, step / settings.growing_steps) if settings.growing_steps else 1.0
        source.longest = round(4 + 12 * grown)
        pool = [make_sample(tokenizer, source, settings) for _ in range(480)]
        pool = sorted((sample for sample in pool if len(sample.ids) <= settings.longest_dialogue), key=lambda s: len(s.ids))
        batches: list[list[Sample]] = [[]]
        for sample in pool:
            if _width(len(sample.ids)) * (len(batches[-1]) + 1) > settings.tokens_a_step:
                batches.append([])
            batches[-1].append(sample)
        shuffle.shuffle(batches)
        step += len(batches)
        yield from batches


def _width(length: int) -> int:
    # Few different shapes keep the allocator's memory bounded.
    return -(-length // 8) * 8


def _tensors(batch: list[Sample]) -> tuple[torch.Tensor, torch.Tensor]:
    width = _width(max(len(sample.ids) for sample in batch))
    ids = torch.zeros(len(batch), width, dtype=torch.long)
    written = torch.zeros(len(batch), width, dtype=torch.bool)
    for row, sample in enumerate(batch):
        ids[row, : len(sample.ids)] = torch.tensor(sample.ids)
        written[row, : len(sample.ids)] = torch.tensor(sample.written)
    return ids, written


def _optimizers(model: Qwen3_5ForCausalLM, rate: float) -> list[torch.optim.Optimizer]:
    """Muon for the matrices, AdamW for the rest; the embedding and the two small gates are no matrices in Muon's sense."""
    others = ("embed_tokens", "in_proj_a", "in_proj_b")
    matrices = [p for name, p in model.named_parameters() if p.ndim == 2 and not any(other in name for other in others)]
    known = {id(parameter) for parameter in matrices}
    rest = [parameter for parameter in model.parameters() if id(parameter) not in known]
    return [Muon(matrices, rate), torch.optim.AdamW(rest, lr=rate, betas=(0.9, 0.95), weight_decay=0.0)]


def _rate(step: int, settings: Settings) -> float:
    left = (settings.steps - step) / max(1, settings.steps - settings.constant_steps)
    return settings.rate * min(1.0, (step + 1) / settings.warm_up) * max(0.02, min(1.0, left))


def _loss(model: Qwen3_5ForCausalLM, ids: torch.Tensor, written: torch.Tensor) -> torch.Tensor:
    hidden = model.model(input_ids=ids, use_cache=False).last_hidden_state
    chosen = written[:, 1:]
    return functional.cross_entropy(model.lm_head(hidden[:, :-1][chosen]), ids[:, 1:][chosen])


def _step(model: Qwen3_5ForCausalLM, optimizers: list[torch.optim.Optimizer], batch: list[Sample], rate: float) -> float:
    for optimizer in optimizers:
        for group in optimizer.param_groups:
            group["lr"] = rate
    loss = _loss(model, *_tensors(batch))
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    for optimizer in optimizers:
        optimizer.step()
        optimizer.zero_grad()
    return loss.item()


def _resume(model: Qwen3_5ForCausalLM, optimizers: list[torch.optim.Optimizer], state: Path) -> tuple[int, float]:
    """Loads what was kept; returns how many steps are done and the minutes they took."""
    saved = torch.load(state, weights_only=True)
    model.load_state_dict(saved["model"])
    for optimizer, values in zip(optimizers, saved["optimizers"], strict=True):
        optimizer.load_state_dict(values)
    return saved["step"], saved["cpu_minutes"]


def _keep(model: Qwen3_5ForCausalLM, optimizers: list[torch.optim.Optimizer], step: int, minutes: float, state: Path) -> None:
    optimizer_states = [optimizer.state_dict() for optimizer in optimizers]
    kept = {"model": model.state_dict(), "optimizers": optimizer_states, "step": step, "cpu_minutes": minutes}
    torch.save(kept, state.with_suffix(".new"))
    state.with_suffix(".new").replace(state)


def train(
    tokenizer: Tokenizer, settings: Settings, log: Path, state: Path | None = None, before: Qwen3_5ForCausalLM | None = None
) -> Qwen3_5ForCausalLM:
    """The model after one stage, which goes on from the model ``before`` it, or from nothing.

    Writes a line of progress every 25 steps to the log; keeps and resumes from ``state`` if given.
    """
    torch.set_num_threads(1)
    model = before or new_model(tokenizer, settings.seed)
    optimizers = _optimizers(model, settings.rate)
    first, spent = _resume(model, optimizers, state) if state is not None and state.exists() else (0, 0.0)
    seen, smooth, used = 0, 0.0, time.process_time()
    with log.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps({"settings": asdict(settings), "first": first, "sources": sources_digest()}) + "\n")
        # The data of the steps already done is drawn again, so that a resumed training sees what an unbroken one would.
        for step, batch in enumerate(islice(_batches(tokenizer, settings), settings.steps)):
            if step < first:
                continue
            loss = _step(model, optimizers, batch, _rate(step, settings))
            seen += sum(len(sample.ids) for sample in batch)
            smooth = loss if not smooth else 0.95 * smooth + 0.05 * loss
            minutes = spent + (time.process_time() - used) / 60
            if (step + 1) % 25 == 0 or step + 1 == settings.steps:
                entry = {"step": step + 1, "loss": round(smooth, 4), "tokens": seen, "cpu_minutes": round(minutes, 2)}
                lines.write(json.dumps(entry) + "\n")
                lines.flush()
                print(entry, flush=True)
            if state is not None and (step + 1) % KEPT_EVERY == 0:
                _keep(model, optimizers, step + 1, minutes, state)
    return model
