"""The small model's tokenizer: byte-level BPE over its own data, single digits, one token a mark."""

from random import Random

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

from builder.embedded.chat import MARKS
from builder.embedded.dialogue import make_dialogue
from builder.embedded.numbers import NumberSource

VOCABULARY = 1536
# As Qwen's: digits singly, a word with the blank before it. Other than Qwen's: a comma keeps its blank, a minus stands alone,
# so that a list costs two tokens an entry and a sign is never part of something else.
SPLIT = r"\p{N}|[,;] ?| - |-|[^\r\n\p{L}\p{N}\[\](){},;-]?[\p{L}\p{M}]+| ?[^\s\p{L}\p{M}\p{N},;-]+ ?|\s*[\r\n]+|\s+(?!\S)|\s+"


def train_tokenizer(dialogues: int = 15_000, vocabulary: int = VOCABULARY, seed: int = 7) -> Tokenizer:
    """A tokenizer of the words that the generator uses."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(SPLIT), "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    source = NumberSource(Random(seed))
    texts = (
        text for _ in range(dialogues) for turn in make_dialogue(source) for text in (turn.user, turn.call, turn.reply) if text
    )
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=list(MARKS),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer
