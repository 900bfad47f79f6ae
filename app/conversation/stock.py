"""A checkpoint folder of stock `transformers` as the language model of a conversation.

Of a built checkpoint only the base's layers are loaded: the compiled ones add exactly zero to text.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from transformers import AutoConfig, AutoTokenizer, PreTrainedTokenizerBase, Qwen3_5ForCausalLM
from transformers.cache_utils import DynamicCache
from transformers.utils import logging

from app.compute.library import Function
from app.conversation.textmodel import ModelText
from app.devices import CPU
from app.files import reason
from engine.machine.errors import EnvironmentProblem, InputError

_LAYER = "model.layers."


class StockModel:
    """A stock model, as `textmodel.Language` has it."""

    def __init__(self, model: Qwen3_5ForCausalLM) -> None:
        config = model.config
        self._model = model.eval()
        self.vocabulary, self.layers = int(config.vocab_size), int(config.num_hidden_layers)
        self.context = int(config.max_position_embeddings)
        self.ends = _integers(config.eos_token_id)
        self.device = str(model.device.type)

    def empty(self) -> DynamicCache:
        """The cache of a model that has read nothing."""
        return DynamicCache(config=self._model.config)

    @torch.no_grad()
    def read(self, tokens: Sequence[int], memory: DynamicCache) -> torch.Tensor:
        """Read further tokens; the logits of the next one. memory: brought up to date."""
        fed = torch.tensor([list(tokens)], device=self._model.device)
        output = self._model(input_ids=fed, cache=memory, use_cache=True, logits_to_keep=1)
        return torch.as_tensor(output.logits[0, -1]).float().cpu()


class StockTokenizer:
    """A stock tokenizer, as `textmodel.Tokenizer` has it."""

    def __init__(self, tokenizer: PreTrainedTokenizerBase) -> None:
        self._tokenizer = tokenizer
        self.ids: Mapping[str, int] = tokenizer.get_vocab()
        self.ends = _integers([tokenizer.eos_token_id, self.ids.get("<|im_end|>")])

    def render(self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]], thinking: bool) -> str:
        """A conversation in the words of the chat template, up to where the assistant goes on."""
        return str(
            self._tokenizer.apply_chat_template(
                list(messages), tools=list(tools), tokenize=False, add_generation_prompt=True, enable_thinking=thinking
            )
        )

    def encode(self, text: str, special: bool) -> list[int]:
        """The tokens of a text. special: whether one that looks like a special token is one."""
        return list(self._tokenizer.encode(text, add_special_tokens=False, split_special_tokens=not special))

    def decode(self, tokens: Sequence[int]) -> str:
        """The text of tokens, special ones as they are written."""
        return str(self._tokenizer.decode(list(tokens), clean_up_tokenization_spaces=False))


def _integers(ids: int | Sequence[int | None] | None) -> frozenset[int]:
    """The ids that are there."""
    return frozenset(token for token in (ids if isinstance(ids, Sequence) else [ids]) if isinstance(token, int))


def load_text(
    folder: Path, functions: Mapping[str, Function], compiled: int = 0, limit: int | None = None, device: str = CPU
) -> ModelText:
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
    return ModelText(StockModel(model), StockTokenizer(tokenizer), functions, limit)


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
