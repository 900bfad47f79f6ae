"""A tokenizer small enough to train in a second, shared by the tests of this folder."""

import pytest
from tokenizers import Tokenizer

from builder.embedded.tokenizer import train_tokenizer


@pytest.fixture(scope="session")
def tokenizer() -> Tokenizer:
    return train_tokenizer(dialogues=300, vocabulary=700)
