"""The small model that the product carries, opened without `transformers`, so that a first answer does not wait for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2.sandbox import ImmutableSandboxedEnvironment
from safetensors import SafetensorError
from tokenizers import Tokenizer

from app.compute.library import Function
from app.conversation.textmodel import EmbeddedText
from app.files import reason
from engine.machine.errors import InputError
from engine.small import SmallModel

END = "<|im_end|>"


class CarriedTokenizer:
    """Tokenizer and template of a folder, as `textmodel.Tokenizer` has them and as stock `transformers` reads them."""

    def __init__(self, folder: Path) -> None:
        template = (folder / "chat_template.jinja").read_text(encoding="utf-8")
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._template = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True).from_string(template)
        self.ids: Mapping[str, int] = self._tokenizer.get_vocab()
        self.ends = frozenset({self.ids[END]})

    def render(self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]], thinking: bool) -> str:
        """A conversation in the words of the chat template, up to where the assistant goes on."""
        return self._template.render(messages=messages, tools=tools, enable_thinking=thinking, add_generation_prompt=True)

    def encode(self, text: str, special: bool) -> list[int]:
        """The tokens of a text. special: whether one that looks like a special token is one."""
        self._tokenizer.encode_special_tokens = not special
        return list(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def decode(self, tokens: Sequence[int]) -> str:
        """The text of tokens, special ones as they are written."""
        return str(self._tokenizer.decode(list(tokens), skip_special_tokens=False))


def load_carried(folder: Path, functions: Mapping[str, Function]) -> EmbeddedText:
    """The small model of a folder. Raises InputError for a folder that holds none."""
    try:
        return EmbeddedText(SmallModel(folder), CarriedTokenizer(folder), functions)
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
        raise InputError(
            f"the built-in language model is damaged: {reason(error)}", str(folder), "install the program again"
        ) from error
