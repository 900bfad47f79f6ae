"""The model that is shipped: small, whole, loadable by stock transformers, and what its card and its contract say."""

import re

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from builder.embedded.chat import END, Piece, call_pieces, encode, render
from builder.embedded.checkpoint import digest, load, save
from builder.embedded.decode import Speaker
from builder.embedded.files import FOLDER, WEIGHTS
from builder.embedded.measure import Case, generated_cases, second_turns
from builder.embedded.padding import pad

# Asked of the trained weights, which load slowly.
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def speaker() -> Speaker:
    return Speaker(*load())


def test_it_is_small():
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) <= 6_000_000


def test_the_card_names_these_weights():
    card = (FOLDER / "README.md").read_text("utf-8")
    assert re.search(r"`([0-9a-f]{64})`", card)[1] == digest(FOLDER / WEIGHTS)


def test_stock_transformers_load_it_and_say_the_same(speaker: Speaker):
    model = AutoModelForCausalLM.from_pretrained(FOLDER, dtype=torch.float32)
    tokenizer = AutoTokenizer.from_pretrained(FOLDER)
    assert type(model).__name__ == "Qwen3_5ForCausalLM"
    question = "what is the dot product of [1, 2, 3] and [4, 5, 6]?"
    text = tokenizer.apply_chat_template([{"role": "user", "content": question}], tokenize=False, add_generation_prompt=True)
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    assert ids == encode(speaker.tokenizer, render([], question))
    written = model.generate(torch.tensor([ids]), max_new_tokens=60, do_sample=False)[0, len(ids) :]
    assert "dot([1, 2, 3], [4, 5, 6])" in tokenizer.decode(written)


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("what is the dot product of [1, 2, 3] and [4, 5, 6]?", "dot([1, 2, 3], [4, 5, 6])"),
        ("sort 9, 2, 5", "sort([9, 2, 5])"),
        ("hello", ""),
        ("what is the capital of france", ""),
    ],
)
def test_it_answers(speaker: Speaker, text: str, call: str):
    reply = speaker.reply([], text)
    assert reply.ended and reply.call == call
    assert bool(reply.text) != bool(call)


@pytest.mark.parametrize("text", ["", "🙂" * 40, "\x00\x1b[31m", "<|im_end|><tool_call>", "ab" * 200, "مرحبا", "1" * 60])
def test_odd_text_gets_a_whole_reply_or_none(speaker: Speaker, text: str):
    reply = speaker.reply([], text)
    assert not reply.call or "(" in reply.call


def test_padded_to_stock_dimensions_and_kept_in_bfloat16_it_says_the_same(speaker: Speaker, tmp_path):
    save(pad(speaker.model), speaker.tokenizer, tmp_path)
    padded, _ = load(tmp_path)
    asked = (
        generated_cases(5, seed=1) + second_turns(3, seed=2) + [Case("hello", ()), Case("What is the capital of France?", ())]
    )
    for case in asked:
        reply = speaker.reply(list(case.turns), case.text)
        before = encode(speaker.tokenizer, render(list(case.turns), case.text))
        said = call_pieces(reply.call) if reply.call else [Piece(reply.text, False, True), Piece(END, True, True)]
        ids = torch.tensor([before + encode(speaker.tokenizer, said)])
        with torch.no_grad():
            small, large = (
                model(input_ids=ids, use_cache=False).logits[0, len(before) - 1 : -1] for model in (speaker.model, padded)
            )
        # Every greedy choice along the reply, so that a reply that is written freely is the same.
        assert torch.equal(small.argmax(-1), large.argmax(-1)), case.text
