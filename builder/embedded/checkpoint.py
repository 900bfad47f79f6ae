"""The finished model as a folder that stock transformers loads, and back."""

import hashlib
import json
from pathlib import Path

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from transformers import Qwen3_5ForCausalLM

from builder.embedded.chat import ASSISTANT, CALL, CALL_END, END, PAD, RESULT, RESULT_END, USER
from builder.embedded.files import FOLDER, TOKENIZER, WEIGHTS

# What Qwen3.5's template writes with thinking off. Tools and system prompts are left out: this model knows its one tool.
TEMPLATE = (
    "{%- for message in messages %}"
    "{%- if message.role == 'user' %}{{ '" + USER + "' + message.content | lower + '" + END + "\\n' }}"
    "{%- elif message.role == 'tool' %}{{ '" + RESULT + "' + message.content + '" + RESULT_END + END + "\\n' }}"
    "{%- elif message.role == 'assistant' %}{{ '" + ASSISTANT + "' }}"
    "{%- if message.content %}{{ message.content }}{%- endif %}"
    "{%- for call in message.tool_calls or [] %}"
    "{{ '" + CALL + "' + (call.function or call).arguments.expression + '" + CALL_END + "' }}"
    "{%- endfor %}{{ '" + END + "\\n' }}"
    "{%- endif %}{%- endfor %}"
    "{%- if add_generation_prompt %}{{ '" + ASSISTANT + "' }}{%- endif %}"
).replace("\n", "\\n")


def save(model: Qwen3_5ForCausalLM, tokenizer: Tokenizer, folder: Path) -> str:
    """Writes weights in bfloat16, configuration, tokenizer and template; returns the weights' sha256."""
    folder.mkdir(parents=True, exist_ok=True)
    # The head is the embedding, so it is stored once.
    tensors = {
        name: tensor.detach().to(torch.bfloat16).contiguous()
        for name, tensor in model.state_dict().items()
        if name != "lm_head.weight"
    }
    save_file(tensors, folder / WEIGHTS, metadata={"format": "pt"})
    model.config.architectures = ["Qwen3_5ForCausalLM"]
    model.config.dtype = torch.bfloat16
    model.config.save_pretrained(folder)
    tokenizer.save(str(folder / TOKENIZER), pretty=False)
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "eos_token": END,
        "pad_token": PAD,
        "clean_up_tokenization_spaces": False,
        "model_max_length": model.config.max_position_embeddings,
    }
    _write_json(folder / "tokenizer_config.json", settings)
    ids = {"eos_token_id": model.config.eos_token_id, "pad_token_id": model.config.pad_token_id, "do_sample": False}
    _write_json(folder / "generation_config.json", ids)
    (folder / "chat_template.jinja").write_text(TEMPLATE, encoding="utf-8")
    return digest(folder / WEIGHTS)


def load(folder: Path = FOLDER) -> tuple[Qwen3_5ForCausalLM, Tokenizer]:
    """Model and tokenizer of a folder, in float32: faster on a CPU, and what the measure uses."""
    model = Qwen3_5ForCausalLM.from_pretrained(folder, dtype=torch.float32)
    return model, Tokenizer.from_file(str(folder / TOKENIZER))


def digest(path: Path) -> str:
    """The sha256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _write_json(path: Path, values: dict[str, object]) -> None:
    path.write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")
