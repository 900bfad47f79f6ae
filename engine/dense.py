"""The transformers runtime: the stock model, every layer dense. Slow and simple: the proof.

It runs a merged checkpoint folder as `AutoModelForCausalLM` loads it, without remote code, or, with only
`machine.safetensors` at hand, the *embedded machine*: the compiled layers in front of one group of three linear and one full
attention layer whose weights are zero, the vocabulary being the machine's tokens. (transformers 5.24 cannot cache a model
without a full-attention layer.) The next token is the argmax of the model's logits, nothing else.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from transformers import AutoModelForCausalLM
from transformers.cache_utils import Cache, DynamicCache
from transformers.models.qwen3_5.configuration_qwen3_5 import Qwen3_5TextConfig
from transformers.models.qwen3_5.modeling_qwen3_5 import Qwen3_5ForCausalLM, Qwen3_5TextRotaryEmbedding

from .machine.container import FILE_NAME
from .machine.errors import EnvironmentProblem, InputError
from .machine.spec import MachineSpec
from .machine.tokens import code_signs
from .weights import LayerWeights, Machine, read_machine

TOKEN_SCALE: Final = 2.0**-5
"""A machine token's embedding row holds its code's signs times this on the code lanes, 0 elsewhere."""
BASE_LAYERS: Final = ("linear_attention",) * 3 + ("full_attention",)
PIECE: Final = 64
"""Tokens of one forward call: one chunk of the stock chunked delta rule."""


# ---------------------------------------------------------------- embedded machine
def embedded_config(spec: MachineSpec, layers: int, vocabulary: int) -> Qwen3_5TextConfig:
    """Configuration of the embedded machine."""
    types = ["linear_attention"] * layers + list(BASE_LAYERS)
    return Qwen3_5TextConfig(
        vocab_size=vocabulary,
        hidden_size=spec.hidden,
        intermediate_size=spec.intermediate,
        num_hidden_layers=len(types),
        layer_types=types,
        num_attention_heads=8,
        num_key_value_heads=2,
        head_dim=spec.hidden // 8,
        linear_conv_kernel_dim=spec.conv_kernel,
        linear_key_head_dim=spec.head_dim,
        linear_value_head_dim=spec.head_dim,
        linear_num_key_heads=spec.heads,
        linear_num_value_heads=spec.heads,
        tie_word_embeddings=True,
    )


def layer_tensors(layer: LayerWeights) -> dict[str, torch.Tensor]:
    """A layer's parameters as the stock module names them, dense bf16."""
    dense = {}
    for name, matrix in layer.matrices.items():
        full = torch.zeros(matrix.shape, dtype=torch.bfloat16)
        full[torch.from_numpy(matrix.rows()), torch.from_numpy(matrix.columns).long()] = torch.from_numpy(
            matrix.values
        ).bfloat16()
        dense[f"{name}.weight"] = full
    return dense | {name: torch.from_numpy(vector).bfloat16() for name, vector in layer.vectors.items()}


def token_rows(machine: Machine) -> torch.Tensor:
    """Embedding rows of all machine tokens, bf16 [tokens, hidden]."""
    rows = torch.zeros(len(machine.codes), machine.spec.hidden, dtype=torch.bfloat16)
    signs = torch.tensor([code_signs(code) for code in machine.codes.tolist()], dtype=torch.bfloat16)
    rows[:, torch.from_numpy(machine.code_lanes)] = signs * TOKEN_SCALE
    return rows


def embedded_model(machine: Machine) -> Qwen3_5ForCausalLM:
    """The embedded machine in stock modules, filled in memory: 5.3 GB at full size."""
    config = embedded_config(machine.spec, len(machine.layers), len(machine.codes))
    with torch.device("meta"):
        model = Qwen3_5ForCausalLM(config)
    rows = token_rows(machine)
    state = {"model.embed_tokens.weight": rows, "lm_head.weight": rows}
    try:
        for index, layer in enumerate(machine.layers):
            state |= {f"model.layers.{index}.{name}": tensor for name, tensor in layer_tensors(layer).items()}
        for name, parameter in model.state_dict().items():
            state.setdefault(name, torch.zeros(parameter.shape, dtype=torch.bfloat16))
    except (MemoryError, RuntimeError) as error:
        raise EnvironmentProblem(
            "the embedded machine does not fit into memory", "transformers runtime", "use the compact runtime"
        ) from error
    model.load_state_dict(state, assign=True)
    model.tie_weights()
    # The rotary tables are no parameters and were made on the meta device; nothing depends on them, the base being zero.
    model.model.rotary_emb = Qwen3_5TextRotaryEmbedding(config)
    return model.eval()


# ---------------------------------------------------------------- checkpoints
def load_checkpoint(folder: Path) -> Qwen3_5ForCausalLM:
    """A merged checkpoint as stock transformers loads it, bf16. Raises InputError when it cannot."""
    try:
        model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.bfloat16, local_files_only=True)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise InputError(
            f"transformers cannot load the checkpoint ({str(error).splitlines()[0]})", str(folder), "build the checkpoint again"
        ) from error
    if not isinstance(model, Qwen3_5ForCausalLM):
        raise InputError(
            f"the checkpoint is a {type(model).__name__}, not a Qwen3_5ForCausalLM", str(folder), "build the checkpoint again"
        )
    return model.eval()


class DenseRuntime:
    """A stock model as an engine: feed tokens, get the argmax of its logits. Tokens are counted from the first machine token.

    model: the stock model. cache: its cache so far (text before the launch), or None.
    """

    name: Final = "transformers"
    piece: Final = PIECE

    def __init__(self, machine: Machine, model: Qwen3_5ForCausalLM, cache: Cache | None = None) -> None:
        self.machine, self.model = machine, model
        self.first_id = model.config.vocab_size - len(machine.codes)
        self._cache = cache if cache is not None else DynamicCache(config=model.config)
        if self.first_id < 0:
            raise InputError("the checkpoint has fewer tokens than the machine", "vocabulary", "build the checkpoint again")

    @classmethod
    def embedded(cls, machine: Machine) -> DenseRuntime:
        """The embedded machine: no base."""
        return cls(machine, embedded_model(machine))

    @classmethod
    def checkpoint(cls, folder: Path) -> DenseRuntime:
        """A merged checkpoint with its `machine.safetensors` beside the shards."""
        return cls(read_machine(folder / FILE_NAME), load_checkpoint(folder))

    @property
    def device(self) -> str:
        """Where the model runs."""
        return self.model.device.type

    @property
    def cache(self) -> Cache:
        """The model's cache as it is now."""
        return self._cache

    def feed(self, tokens: Sequence[int]) -> int:
        """Consume tokens; return the argmax of the logits behind the last one (negative for a token of the base)."""
        ids = torch.tensor([tokens], device=self.model.device) + self.first_id
        with torch.no_grad():
            for part in ids.split(self.piece, dim=1):
                output = self.model(input_ids=part, cache=self._cache, use_cache=True, logits_to_keep=1)
        return int(output.logits[0, -1].argmax()) - self.first_id

    def snapshot(self) -> Any:
        """The cache now, for `restore`."""
        return copy.deepcopy(self._cache)

    def restore(self, snapshot: Any) -> None:
        """Go back to a cache that `snapshot` gave."""
        self._cache = copy.deepcopy(snapshot)

    def recurrent_state(self, layer: int, head: int) -> np.ndarray:
        """State of a head of a linear-attention layer [key rows, value dims], float32."""
        state = self._cache.get_recurrent_state(layer)
        dims = self.model.config.linear_key_head_dim
        return np.zeros((dims, dims), np.float32) if state is None else state[0, head].float().cpu().numpy().copy()

    def conv_state(self, layer: int) -> np.ndarray:
        """Conv state [channels, taps] of a linear-attention layer, float32 holding bf16."""
        state, spec = self._cache.get_conv_state(layer), self.machine.spec
        if state is None:
            return np.zeros((3 * spec.heads * spec.head_dim, spec.conv_kernel), np.float32)
        return state[0].float().cpu().numpy().copy()
