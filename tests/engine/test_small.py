"""The small model against the stock modules, bit for bit."""

import random

import pytest
import torch
from transformers import Qwen3_5ForCausalLM, Qwen3_5TextConfig
from transformers.cache_utils import DynamicCache

from builder.embedded.files import FOLDER
from engine.small import CHUNK, SmallModel


def grouped() -> Qwen3_5ForCausalLM:
    """An untrained model with more value heads than key heads, a head of its own and another kernel."""
    torch.manual_seed(5)
    return Qwen3_5ForCausalLM(
        Qwen3_5TextConfig(
            vocab_size=1536,
            hidden_size=64,
            intermediate_size=96,
            num_hidden_layers=3,
            num_attention_heads=6,
            num_key_value_heads=2,
            head_dim=32,
            linear_num_key_heads=2,
            linear_num_value_heads=6,
            linear_key_head_dim=32,
            linear_value_head_dim=48,
            linear_conv_kernel_dim=3,
            layer_types=["full_attention", "linear_attention", "linear_attention"],
            tie_word_embeddings=False,
            max_position_embeddings=512,
            rope_parameters={"rope_type": "default", "rope_theta": 1e4, "partial_rotary_factor": 0.5},
            eos_token_id=2,
        )
    )


@pytest.fixture(scope="module", params=["shipped", "grouped"])
def pair(request, tmp_path_factory):
    """A stock model and the same one here."""
    if request.param == "shipped":
        return Qwen3_5ForCausalLM.from_pretrained(FOLDER, dtype=torch.float32).eval(), SmallModel(FOLDER)
    folder = tmp_path_factory.mktemp("model")
    model = grouped().eval()
    model.save_pretrained(folder)
    return model, SmallModel(folder)


@pytest.mark.parametrize("pieces", [[1, 1, 1], [2, 1, 3], [3, 4, 1, 1], [CHUNK, 1, CHUNK + 1], [128, 72, 1, 1], [5] * 9])
def test_logits_are_the_stock_models_bit_for_bit(pair, pieces):
    """However a text is cut, behind every piece."""
    stock, small = pair
    source = random.Random(str(pieces))
    cache, memory = DynamicCache(config=stock.config), small.empty()
    for size in pieces:
        tokens = [source.randrange(small.vocabulary) for _ in range(size)]
        with torch.no_grad():
            output = stock(input_ids=torch.tensor([tokens]), cache=cache, use_cache=True, logits_to_keep=1)
        assert torch.equal(small.read(tokens, memory), output.logits[0, -1]), f"behind {memory.length} tokens"
    assert memory.length == sum(pieces)
