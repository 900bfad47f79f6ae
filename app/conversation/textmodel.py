"""A checkpoint of stock transformers as the language model of a conversation. Imports torch.

Of a built checkpoint only the base's layers are loaded: the compiled ones add exactly zero to text.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from transformers import AutoConfig, AutoTokenizer, PreTrainedTokenizerBase, Qwen3_5ForCausalLM
from transformers.cache_utils import DynamicCache
from transformers.utils import logging

from app.compute.library import Function
from app.conversation.grammar import ExpressionGrammar, Grammar
from app.conversation.messages import (
    CALL_OPEN,
    Message,
    kernel_tool_description,
    pieces_of,
    template_messages,
    tool_description,
)
from app.conversation.options import PLAIN, Options
from app.devices import CPU
from app.expressions.tree import Value
from app.files import reason
from engine.machine.errors import EnvironmentProblem, InputError

REPAIRS = 2
"""How often a model may correct a call that cannot be computed."""
FIRST_LOOK = 256
"""Tokens that are ranked at once; further ones only when none of these may come next."""
PIECE = 128
"""Tokens that are read at a time: bounds the memory that reading takes, and the time until it can be stopped."""
KEPT = 4
"""States that are kept to go on from, beside the present one."""
_LAYER = "model.layers."


def _go_on() -> None:
    """What is asked where nobody wants to stop."""


class TransformersText:
    """A language model: its state is a cache that goes on where a new prompt begins like an earlier one.

    limit: the first token that is not the base's
    """

    repairs = REPAIRS
    writes_kernels = True
    named = True

    def __init__(
        self,
        model: Qwen3_5ForCausalLM,
        tokenizer: PreTrainedTokenizerBase,
        functions: Mapping[str, Function],
        limit: int | None = None,
    ) -> None:
        self._model, self._tokenizer, self._functions = model.eval(), tokenizer, functions
        self.limit = min(limit or model.config.vocab_size, len(tokenizer), model.config.vocab_size)
        self.limit_context = int(model.config.max_position_embeddings)
        self.ends = _ends(model, tokenizer)
        self.opening = _known(tokenizer, self.limit, CALL_OPEN, "<tool_call>")
        self.thought_end = _known(tokenizer, self.limit, "</think>")
        self._starts = {token for text, token in tokenizer.get_vocab().items() if text.startswith("<|im_start|>")}
        self._now = _Reading([], DynamicCache(config=model.config), torch.zeros(0))
        self._kept: list[_Reading] = []
        self._spell = lru_cache(maxsize=1 << 16)(lambda token: self._text_of([token]))

    @property
    def layers(self) -> int:
        """How many the language model has, the compiled ones not counted."""
        return int(self._model.config.num_hidden_layers)

    @property
    def device(self) -> str:
        """Where the text is computed."""
        return str(self._model.device.type)

    def refusal(self, text: str) -> str | None:
        """Nothing is refused."""
        return None

    def prompt(self, messages: Sequence[Message], options: Options = PLAIN) -> list[int]:
        """The tokens of a conversation; what people wrote is text, whatever it looks like."""
        plain, contents = template_messages(messages, options.system, self.named)
        tools = (
            []
            if options.alone
            else [
                kernel_tool_description()
                if options.advanced
                else tool_description([function.usage for function in self._functions.values()])
            ]
        )
        rendered = self._tokenizer.apply_chat_template(
            plain, tools=tools, tokenize=False, add_generation_prompt=True, enable_thinking=options.thinking
        )
        return [
            token
            for piece in pieces_of(str(rendered), contents)
            for token in (self.encode(piece.text) if piece.literal else self._encode(piece.text, special=True))
        ]

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

    def grammar(self, messages: Sequence[Message], names: Mapping[str, Value]) -> Grammar:
        """Every call of the library."""
        return ExpressionGrammar(self._functions, names)

    def begin(self, tokens: Sequence[int], ask: Callable[[], None] = _go_on) -> None:
        """Read tokens from the beginning; what an earlier reading has in common with them is not read again.

        ask: called before every piece; may raise to stop, and what was read stays good

        The state of a hybrid model cannot be cropped, so it is kept where later prompts are likely to part from this one: in
        front of the assistant's turn, which a template writes otherwise once it is history, and in front of the last question,
        which may be edited.
        """
        tokens = list(tokens)
        readings = [reading for reading in (self._now, *self._kept) if reading.leads_to(tokens)]
        self._now = (
            max(readings, key=lambda reading: len(reading.tokens)).copy()
            if readings
            else _Reading([], DynamicCache(config=self._model.config), torch.zeros(0))
        )
        for place in [place for place, token in enumerate(tokens) if token in self._starts][-2:]:
            if len(self._now.tokens) < place:
                self.feed(tokens[len(self._now.tokens) : place], ask)
                self._kept = [self._now.copy(), *self._kept][:KEPT]
        self.feed(tokens[len(self._now.tokens) :], ask)

    @torch.no_grad()
    def feed(self, tokens: Sequence[int], ask: Callable[[], None] = _go_on) -> None:
        """Read further tokens. ask: as for `begin`."""
        for start in range(0, len(tokens), PIECE):
            ask()
            piece = list(tokens[start : start + PIECE])
            fed = torch.tensor([piece], device=self._model.device)
            output = self._model(input_ids=fed, cache=self._now.cache, use_cache=True, logits_to_keep=1)
            self._now.tokens += piece
            self._now.logits = output.logits[0, -1, : self.limit].float().cpu()

    def ranked(self) -> Sequence[int]:
        """The tokens of text that may come next, likeliest first."""
        return _Ranking(self._now.logits)

    def candidates(self, count: int) -> Sequence[tuple[int, float]]:
        """The likeliest tokens of text with their logits, likeliest first."""
        best = torch.topk(self._now.logits, min(count, len(self._now.logits)))
        return list(zip(best.indices.tolist(), best.values.tolist(), strict=True))


@dataclass
class _Reading:
    """What a model has read: the tokens, the state behind them, the logits of the next one."""

    tokens: list[int]
    cache: DynamicCache
    logits: torch.Tensor

    def leads_to(self, tokens: Sequence[int]) -> bool:
        """Whether a text begins like this one and goes on, or is this one."""
        return bool(self.tokens) and self.tokens == tokens[: len(self.tokens)]

    def copy(self) -> _Reading:
        """The same reading, to go on from."""
        return _Reading(list(self.tokens), copy.deepcopy(self.cache), self.logits)


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
    writes_kernels = False
    named = False

    def __init__(
        self,
        model: Qwen3_5ForCausalLM,
        tokenizer: PreTrainedTokenizerBase,
        functions: Mapping[str, Function],
        limit: int | None = None,
    ) -> None:
        # float32 is what it was measured in, and faster on a CPU
        super().__init__(model.float(), tokenizer, functions, limit)
        self.thought_end = -1

    def refusal(self, text: str) -> str | None:
        """What the small model would read wrongly."""
        from builder.embedded.limits import refusal

        return refusal(text)

    def prompt(self, messages: Sequence[Message], options: Options = PLAIN) -> list[int]:
        """The small model was trained without a system prompt, and without kernels."""
        plain = [
            message
            for before, message in zip([None, *messages], messages, strict=False)
            if message.kernel is None and (before is None or before.kernel is None)
        ]
        return super().prompt(plain, replace(options, system=""))

    def grammar(self, messages: Sequence[Message], names: Mapping[str, Value]) -> Grammar:
        """The small model's own grammar."""
        from builder.embedded.grammar import CallGrammar

        said = [text for message in reversed(messages) for text in (message.text, message.call) if text]
        return CallGrammar(*said)


def load_text(
    folder: Path,
    functions: Mapping[str, Function],
    compiled: int = 0,
    limit: int | None = None,
    kind: type[TransformersText] = TransformersText,
    device: str = CPU,
) -> TransformersText:
    """A checkpoint folder as a language model. compiled: how many layers in front are the machine's.

    Raises InputError for a folder that holds none, EnvironmentProblem when it does not fit into memory.
    """
    logging.set_verbosity_error()  # which kernels it lacks for CUDA is nothing to the user
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        model = load_base(folder, compiled).to(device)
    except MemoryError as error:
        raise EnvironmentProblem("the language model does not fit into memory", str(folder), "close other programs") from error
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise InputError(
            f"the folder holds no language model: {reason(error)}", str(folder), "give a folder that 'qwengpu build' made"
        ) from error
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
    return frozenset(
        token
        for token in (*listed, tokenizer.eos_token_id, tokenizer.convert_tokens_to_ids("<|im_end|>"))
        if isinstance(token, int)
    )


def _known(tokenizer: PreTrainedTokenizerBase, limit: int, *texts: str) -> int:
    """The first of some texts that is one token of the base's; -1 where none is."""
    known = tokenizer.get_vocab()
    return next((known[text] for text in texts if known.get(text, limit) < limit), -1)
