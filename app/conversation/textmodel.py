"""A checkpoint of stock transformers as the language model of a conversation. Imports torch.

Of a built checkpoint only the base's layers are loaded: the compiled ones add exactly zero to text.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from transformers import AutoConfig, AutoTokenizer, PreTrainedTokenizerBase, Qwen3_5ForCausalLM
from transformers.cache_utils import DynamicCache

from app.compute.library import Function
from app.conversation.grammar import ExpressionGrammar, Grammar
from app.conversation.messages import CALL_OPEN, Conversation, Message, pieces_of, template_messages, tool_description
from app.files import reason
from engine.machine.errors import EnvironmentProblem, InputError

REPAIRS = 2
"""How often a model may correct a call that cannot be computed."""
FIRST_LOOK = 256
"""Tokens that are ranked at once; further ones only when none of these may come next."""
_LAYER = "model.layers."


class TransformersText:
    """A language model: greedy, its state a cache that begins anew with every reading of the conversation.

    limit: the first token that is not the base's
    """

    repairs = REPAIRS

    def __init__(self, model: Qwen3_5ForCausalLM, tokenizer: PreTrainedTokenizerBase, functions: Mapping[str, Function],
                 limit: int | None = None) -> None:
        self._model, self._tokenizer, self._functions = model.eval(), tokenizer, functions
        self.limit = min(limit or model.config.vocab_size, len(tokenizer), model.config.vocab_size)
        self.limit_context = int(model.config.max_position_embeddings)
        self.ends = _ends(model, tokenizer)
        self.opening = _opening(tokenizer, self.limit)
        self._cache = DynamicCache(config=model.config)
        self._logits = torch.zeros(0)
        self._spell = lru_cache(maxsize=1 << 16)(lambda token: self._text_of([token]))

    def refusal(self, text: str) -> str | None:
        """Nothing is refused."""
        return None

    def prompt(self, messages: Sequence[Message]) -> list[int]:
        """The tokens of a conversation; what people wrote is text, whatever it looks like."""
        plain, contents = template_messages(messages)
        tools = [tool_description([function.usage for function in self._functions.values()])]
        rendered = self._tokenizer.apply_chat_template(plain, tools=tools, tokenize=False, add_generation_prompt=True,
                                                       enable_thinking=False)
        return [token for piece in pieces_of(str(rendered), contents)
                for token in (self.encode(piece.text) if piece.literal else self._encode(piece.text, special=True))]

    def encode(self, text: str) -> list[int]:
        """The tokens of a text in which nothing is a special token."""
        return self._encode(text, special=False)

    def _encode(self, text: str, special: bool) -> list[int]:
        return list(self._tokenizer.encode(text, add_special_tokens=False, split_special_tokens=not special))

    def decode(self, tokens: Sequence[int]) -> str:
        """The text of tokens."""
        return self._spell(tokens[0]) if len(tokens) == 1 else self._text_of(tokens)

    def _text_of(self, tokens: Sequence[int]) -> str:
        return str(self._tokenizer.decode(list(tokens), clean_up_tokenization_spaces=False))

    def grammar(self, conversation: Conversation) -> Grammar:
        """Every call of the library."""
        return ExpressionGrammar(self._functions, conversation.names)

    def begin(self, tokens: Sequence[int]) -> None:
        """Forget everything and read tokens."""
        self._cache = DynamicCache(config=self._model.config)
        self.feed(tokens)

    @torch.no_grad()
    def feed(self, tokens: Sequence[int]) -> None:
        """Read further tokens."""
        if not tokens:
            return
        fed = torch.tensor([list(tokens)], device=self._model.device)
        output = self._model(input_ids=fed, cache=self._cache, use_cache=True, logits_to_keep=1)
        self._logits = output.logits[0, -1, :self.limit].float()

    def ranked(self) -> Sequence[int]:
        """The tokens of text that may come next, likeliest first."""
        return _Ranking(self._logits)


class _Ranking(Sequence[int]):
    """Tokens by falling logit, sorted only as far as somebody looks."""

    def __init__(self, logits: torch.Tensor) -> None:
        self._logits = logits
        self._sorted = [int(logits.argmax())]

    def __len__(self) -> int:
        return len(self._logits)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice) or place >= len(self._sorted):
            look = FIRST_LOOK if isinstance(place, int) and place < FIRST_LOOK else len(self._logits)
            self._sorted = torch.sort(self._logits, descending=True, stable=True).indices[:look].tolist()
        return self._sorted[place]


class EmbeddedText(TransformersText):
    """The small model that the product carries: only numbers that were written can stand in its calls; it knows no repair."""

    repairs = 0

    def __init__(self, model: Qwen3_5ForCausalLM, tokenizer: PreTrainedTokenizerBase, functions: Mapping[str, Function],
                 limit: int | None = None) -> None:
        # float32 is what it was measured in, and faster on a CPU
        super().__init__(model.float(), tokenizer, functions, limit)

    def refusal(self, text: str) -> str | None:
        """What the small model would read wrongly."""
        from builder.embedded.limits import refusal

        return refusal(text)

    def grammar(self, conversation: Conversation) -> Grammar:
        """The small model's own grammar."""
        from builder.embedded.grammar import CallGrammar

        said = [text for message in reversed(conversation.messages) for text in (message.text, message.call) if text]
        return CallGrammar(*said)


def load_text(folder: Path, functions: Mapping[str, Function], compiled: int = 0, limit: int | None = None,
              kind: type[TransformersText] = TransformersText) -> TransformersText:
    """A checkpoint folder as a language model. compiled: how many layers in front are the machine's.

    Raises InputError for a folder that holds none, EnvironmentProblem when it does not fit into memory.
    """
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        model = load_base(folder, compiled)
    except MemoryError as error:
        raise EnvironmentProblem("the language model does not fit into memory", str(folder), "close other programs") from error
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise InputError(f"the folder holds no language model: {reason(error)}", str(folder),
                         "give a folder that 'qwengpu build' made") from error
    if not tokenizer.chat_template:
        raise InputError("the language model has no chat template", str(folder), "use a model that is made for chats")
    return kind(model, tokenizer, functions, limit)


def load_base(folder: Path, compiled: int) -> Qwen3_5ForCausalLM:
    """The base's layers of a checkpoint."""
    config = copy.deepcopy(AutoConfig.from_pretrained(folder, local_files_only=True))
    config.layer_types = list(config.layer_types)[compiled:]
    config.num_hidden_layers = len(config.layer_types)
    with torch.device("meta"):
        model = Qwen3_5ForCausalLM(config)
    state = dict(_tensors(folder, compiled))
    if config.tie_word_embeddings:
        state.setdefault("lm_head.weight", state["model.embed_tokens.weight"])
    model.load_state_dict(state, assign=True)
    model.tie_weights()
    # The rotary tables are no parameters and were made on the meta device.
    model.model.rotary_emb = type(model.model.rotary_emb)(config)
    return model


def _tensors(folder: Path, compiled: int) -> Iterator[tuple[str, torch.Tensor]]:
    """Names and tensors of a checkpoint, the base's layers counted from 0."""
    index = folder / "model.safetensors.index.json"
    files = sorted(set(json.loads(index.read_text())["weight_map"].values())) if index.is_file() else ["model.safetensors"]
    for file in files:
        with safe_open(folder / file, framework="pt") as shard:
            for name in shard.keys():  # noqa: SIM118  a shard is no mapping
                layer, _, rest = name.removeprefix(_LAYER).partition(".") if name.startswith(_LAYER) else ("", "", "")
                if not layer:
                    yield name, shard.get_tensor(name)
                elif int(layer) >= compiled:
                    yield f"{_LAYER}{int(layer) - compiled}.{rest}", shard.get_tensor(name)


def _ends(model: Qwen3_5ForCausalLM, tokenizer: PreTrainedTokenizerBase) -> frozenset[int]:
    """The tokens that end a reply."""
    of_model = model.config.eos_token_id
    listed = of_model if isinstance(of_model, list) else [of_model]
    return frozenset(token for token in (*listed, tokenizer.eos_token_id, tokenizer.convert_tokens_to_ids("<|im_end|>"))
                     if isinstance(token, int))


def _opening(tokenizer: PreTrainedTokenizerBase, limit: int) -> int:
    """The token that begins a call: the template's own, or the whole beginning where it is one token. -1 without either."""
    known = tokenizer.get_vocab()
    return next((known[text] for text in (CALL_OPEN, "<tool_call>") if known.get(text, limit) < limit), -1)
