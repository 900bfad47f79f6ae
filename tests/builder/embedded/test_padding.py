"""Zeros around the small model change nothing that it says."""

import pytest
import torch

from builder.embedded.model import new_model
from builder.embedded.padding import StockShape, layer_places, pad

LINEAR, FULL = "linear_attention", "full_attention"


@pytest.mark.parametrize(
    ("small", "pattern", "places", "length"),
    [
        ([LINEAR, FULL], (LINEAR, FULL), [0, 1], 2),
        ([LINEAR, FULL, FULL], (LINEAR, LINEAR, LINEAR, FULL), [0, 3, 7], 8),
        ([FULL, LINEAR], (LINEAR, LINEAR, FULL), [2, 3], 6),
    ],
)
def test_layers_keep_their_order_in_the_stock_pattern(small, pattern, places, length):
    types, found = layer_places(small, pattern)
    assert found == places
    assert len(types) == length and [types[place] for place in found] == small


def test_a_padded_model_gives_the_same_logits(tokenizer):
    model = new_model(tokenizer, seed=3).eval()
    generator = torch.Generator().manual_seed(2)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.05 * torch.randn(parameter.shape, generator=generator))
    shape = StockShape(hidden=512, intermediate=512, heads=8, key_value_heads=2, head=128, linear_heads=4, linear_head=128)
    padded = pad(model, shape, (LINEAR, LINEAR, LINEAR, FULL))
    ids = torch.randint(0, tokenizer.get_vocab_size(), (2, 70), generator=generator)
    with torch.no_grad():
        small, large = model(input_ids=ids).logits, padded(input_ids=ids).logits
    assert padded.config.num_hidden_layers == 12 and padded.config.rms_norm_eps == 1e-6
    assert (small - large).abs().max() < 2e-3 * small.abs().max()
    assert torch.equal(small.argmax(-1), large.argmax(-1))
