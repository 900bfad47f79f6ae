"""Bases: the language models that a machine is put in front of.

Accepted: a folder of the vision-language repository (`Qwen3_5ForConditionalGeneration`), a folder of the plain language
model (`Qwen3_5ForCausalLM`), a hub id of either, or the word "embedded" for no language model at all. All of them become a
`Base`: the text config, and every tensor of the language model under its plain name as a byte range of a file. Whatever is
wrong with a base is found here, before any work.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builder.machinefile import LayerShape
from builder.tensorfile import Stored, Zeros, hash_file, read_header
from engine.machine.errors import EnvironmentProblem, InputError

EMBEDDED = "embedded"
TEXT_ARCHITECTURE, VISION_ARCHITECTURE = "Qwen3_5ForCausalLM", "Qwen3_5ForConditionalGeneration"
MODEL_TYPES = {"qwen3_5_text": TEXT_ARCHITECTURE, "qwen3_5": VISION_ARCHITECTURE}
LANGUAGE_PREFIX = {TEXT_ARCHITECTURE: "model.", VISION_ARCHITECTURE: "model.language_model."}
IGNORED = ("model.visual.", "mtp.")
"""Parts of the vision-language repository that the language model does not use."""
EMBEDDING, HEAD, FINAL_NORM = "embed_tokens.weight", "lm_head.weight", "norm.weight"
INDEX, SINGLE, CONFIG = "model.safetensors.index.json", "model.safetensors", "config.json"
COMPANIONS = (
    "tokenizer.json",
    "tokenizer_config.json",
    "vocab.json",
    "merges.txt",
    "special_tokens_map.json",
    "added_tokens.json",
    "chat_template.jinja",
    "chat_template.json",
    "generation_config.json",
    "LICENSE",
    "LICENSE.txt",
    "LICENSE.md",
)
"""Files that are copied as they are where a base has them."""
NOTICE = "NOTICE"
HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")
HUB_PATTERNS = [CONFIG, INDEX, "*.safetensors", *COMPANIONS, NOTICE]
SHA256 = re.compile(r"[0-9a-f]{64}")
EPSILON = 1e-6
"""rms_norm_eps that the boot circuit is solved for (a token row has mean square 2^-15, so eps is visible in it)."""
EMBEDDED_LAYERS = ("linear_attention", "linear_attention", "linear_attention", "full_attention")
FETCH_AGAIN = "fetch the base again"


@dataclass(frozen=True)
class Dimensions:
    """What the text config of a base says about its shapes."""

    hidden: int
    intermediate: int
    attention_heads: int
    key_value_heads: int
    head: int
    key_heads: int
    key_head: int
    value_heads: int
    value_head: int
    taps: int
    vocabulary: int
    epsilon: float
    layer_types: tuple[str, ...]
    attention_bias: bool

    @property
    def layer(self) -> LayerShape:
        """The stock linear-attention layer of these dimensions."""
        return LayerShape(
            self.hidden,
            self.intermediate,
            2 * self.key_heads * self.key_head + self.value_heads * self.value_head,
            self.taps,
            self.value_heads,
            self.value_head,
        )


@dataclass(frozen=True)
class Base:
    """A checked base.

    source:     how the user named it (folder name, hub id, "embedded")
    config:     its text config as a JSON object
    tensors:    every tensor of the language model under its plain name ("layers.0.mlp.up_proj.weight", "lm_head.weight")
    files:      weight files by name; companions: files that are copied as they are, by name
    expected:   sha256 of files, as far as the download recorded them
    """

    source: str
    config: Mapping[str, Any]
    dimensions: Dimensions
    tied: bool
    tensors: Mapping[str, Stored | Zeros]
    files: Mapping[str, Path]
    companions: Mapping[str, Path]
    notice: str
    expected: Mapping[str, str]


def open_base(source: str | Path, layer: LayerShape, fetch: Callable[[str], Path] | None = None) -> Base:
    """Open a base for a machine whose compiled layers have this shape.

    fetch: turns a hub id into a folder (default: `fetch_from_hub`).
    Raises InputError for anything wrong with the base, EnvironmentProblem when the hub cannot be reached.
    """
    if str(source) == EMBEDDED:
        return _embedded(layer)
    folder = Path(source)
    if folder.is_dir():
        base = _open_folder(folder, folder.resolve().name)
    elif HUB_ID.fullmatch(str(source)) and not folder.exists():
        base = _open_folder((fetch or fetch_from_hub)(str(source)), str(source))
    else:
        raise InputError(f"no base at '{source}'", "base", "give a folder, a hub id such as 'owner/name', or 'embedded'")
    for field, have in vars(base.dimensions.layer).items():
        need = getattr(layer, field)
        if have != need:
            raise InputError(
                f"the machine was compiled for {field} = {need:,}, this base has {have:,}",
                base.source,
                "use a base of the machine's dimensions or compile a machine for this base",
            )
    if base.dimensions.epsilon != EPSILON:
        raise InputError(
            f"the machine needs rms_norm_eps = {EPSILON}, this base has {base.dimensions.epsilon}",
            base.source,
            "use a Qwen3.5 model",
        )
    return base


def fetch_from_hub(repository: str, endpoint: str | None = None, cache: Path | None = None) -> Path:
    """Download a repository's weights, tokenizer and configs into the hub cache; the folder of the snapshot.

    Raises InputError for an id that is malformed, unknown or gated, EnvironmentProblem for network and disk.
    """
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import (
        GatedRepoError,
        HFValidationError,
        HTTPError,  # of whatever client this release uses, so that we need not know it
        RepositoryNotFoundError,
    )

    try:
        return Path(snapshot_download(repository, allow_patterns=HUB_PATTERNS, endpoint=endpoint, cache_dir=cache))
    except HFValidationError as error:
        raise InputError(f"'{repository}' is not a hub id", "base", "write it as 'owner/name'") from error
    except GatedRepoError as error:
        raise InputError(
            f"access to '{repository}' must be granted first", "base", "accept its terms on the hub, then log in"
        ) from error
    except RepositoryNotFoundError as error:
        raise InputError(
            f"the hub has no repository '{repository}', or it is private", "base", "check the name, or log in"
        ) from error
    except (HTTPError, OSError) as error:
        raise EnvironmentProblem(
            f"the base could not be downloaded ({_first_line(error)})",
            repository,
            "check network and disk space and run again; finished files are kept",
        ) from error


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]


def _open_folder(folder: Path, source: str) -> Base:
    whole = _read_json(folder / CONFIG)
    architecture = _architecture(whole, folder)
    config = dict(whole if architecture == TEXT_ARCHITECTURE else whole.get("text_config") or {})
    for key in ("dtype", "torch_dtype"):
        if key in whole:
            config.setdefault(key, whole[key])
    dimensions = read_dimensions(config, folder / CONFIG)
    files, stored = _weights(folder)
    tensors = _language_model(stored, architecture, folder)
    tied = bool(config.get("tie_word_embeddings", False) or whole.get("tie_word_embeddings", False))
    _check_tensors(tensors, dimensions, tied, folder)
    if tied:
        _drop_copied_head(tensors, folder)
    companions = {name: folder / name for name in COMPANIONS if (folder / name).is_file()}
    notice = (folder / NOTICE).read_text(encoding="utf-8") if (folder / NOTICE).is_file() else ""
    return Base(source, config, dimensions, tied, tensors, files, companions, notice, recorded_hashes(folder, files))


def _read_json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError(f"the base has no {path.name}", str(path.parent), FETCH_AGAIN) from error
    except (OSError, ValueError) as error:
        raise InputError(f"{path.name} is not readable JSON ({_first_line(error)})", str(path), FETCH_AGAIN) from error
    if not isinstance(value, dict):
        raise InputError(f"{path.name} is not a JSON object", str(path), FETCH_AGAIN)
    return value


def _architecture(config: Mapping[str, Any], folder: Path) -> str:
    """The accepted architecture that a config declares. Raises InputError for any other, and for quantised weights."""
    where, remedy = str(folder / CONFIG), "use a Qwen3.5 model in bfloat16"
    if "quantization_config" in config:
        raise InputError("the base is quantised; its tensors could not be kept as they are", where, remedy)
    declared, kind = config.get("architectures") or [], config.get("model_type")
    if kind not in MODEL_TYPES or any(name not in LANGUAGE_PREFIX for name in declared):
        raise InputError(
            f"the base is a {', '.join(declared) or kind or 'model of unknown kind'}, not a Qwen3.5 language model",
            where,
            remedy,
        )
    return MODEL_TYPES[kind]


def read_dimensions(config: Mapping[str, Any], where: Path) -> Dimensions:
    """The dimensions a text config declares. Raises InputError for missing fields and for what the layers cannot be."""
    try:
        layers = int(config["num_hidden_layers"])
        interval = int(config.get("full_attention_interval", 4))
        kinds = config.get("layer_types") or [
            "full_attention" if (i + 1) % interval == 0 else "linear_attention" for i in range(layers)
        ]
        found = Dimensions(
            hidden=int(config["hidden_size"]),
            intermediate=int(config["intermediate_size"]),
            attention_heads=int(config["num_attention_heads"]),
            key_value_heads=int(config["num_key_value_heads"]),
            head=int(config["head_dim"]),
            key_heads=int(config["linear_num_key_heads"]),
            key_head=int(config["linear_key_head_dim"]),
            value_heads=int(config["linear_num_value_heads"]),
            value_head=int(config["linear_value_head_dim"]),
            taps=int(config["linear_conv_kernel_dim"]),
            vocabulary=int(config["vocab_size"]),
            epsilon=float(config["rms_norm_eps"]),
            layer_types=tuple(kinds),
            attention_bias=bool(config.get("attention_bias", False)),
        )
    except KeyError as error:
        raise InputError(f"the text config lacks {error}", str(where), FETCH_AGAIN) from error
    except (TypeError, ValueError) as error:
        raise InputError(f"the text config is malformed ({_first_line(error)})", str(where), FETCH_AGAIN) from error
    if len(found.layer_types) != layers or set(found.layer_types) - {"linear_attention", "full_attention"}:
        raise InputError("layer_types does not describe the layers", str(where), FETCH_AGAIN)
    if config.get("hidden_act", "silu") != "silu":
        # the mute proof rests on silu being exactly 0 below -89
        raise InputError(f"the activation is {config['hidden_act']}, not silu", str(where), "use a Qwen3.5 model")
    return found


def _weights(folder: Path) -> tuple[dict[str, Path], dict[str, Stored]]:
    """Weight files and all stored tensors of a folder, single or sharded."""
    if not (folder / INDEX).is_file():
        if not (folder / SINGLE).is_file():
            raise InputError(f"the base has neither {SINGLE} nor {INDEX}", str(folder), "give a safetensors model")
        return {SINGLE: folder / SINGLE}, dict(read_header(folder / SINGLE).tensors)
    placed = _read_json(folder / INDEX).get("weight_map")
    if not isinstance(placed, dict) or not all(isinstance(name, str) and Path(name).name == name for name in placed.values()):
        raise InputError("the index has no usable weight_map", str(folder / INDEX), FETCH_AGAIN)
    names = sorted(set(placed.values()))
    missing = [name for name in names if not (folder / name).is_file()]
    if missing:
        raise InputError(f"shard '{missing[0]}' is missing ({len(missing)} of {len(names)})", str(folder), FETCH_AGAIN)
    headers = {name: read_header(folder / name).tensors for name in names}
    for tensor, shard in placed.items():
        if tensor not in headers[shard]:
            raise InputError(f"tensor '{tensor}' is not in '{shard}', where the index says", str(folder), FETCH_AGAIN)
    return ({name: folder / name for name in names}, {tensor: headers[shard][tensor] for tensor, shard in placed.items()})


def _language_model(stored: Mapping[str, Stored], architecture: str, folder: Path) -> dict[str, Stored | Zeros]:
    """The language model's tensors under their plain names. Raises InputError for a tensor of unknown purpose."""
    prefix = LANGUAGE_PREFIX[architecture]
    tensors: dict[str, Stored | Zeros] = {}
    for name, item in stored.items():
        if name == HEAD:
            tensors[HEAD] = item
        elif name.startswith(IGNORED):
            continue
        elif name.startswith(prefix):
            tensors[name.removeprefix(prefix)] = item
        else:
            raise InputError(f"tensor '{name}' belongs to no {architecture}", str(folder), "use a Qwen3.5 model")
    return tensors


def expected_tensors(dimensions: Dimensions, tied: bool) -> dict[str, tuple[int, ...]]:
    """Plain name and shape of every tensor of a language model, in checkpoint order."""
    d, layer = dimensions, dimensions.layer
    query, key = d.attention_heads * d.head, d.key_value_heads * d.head
    attention = {
        "q_proj": (2 * query, d.hidden),
        "k_proj": (key, d.hidden),
        "v_proj": (key, d.hidden),
        "o_proj": (d.hidden, query),
    }
    full: dict[str, tuple[int, ...]] = {f"self_attn.{name}.weight": shape for name, shape in attention.items()}
    if d.attention_bias:
        full |= {f"self_attn.{name}.bias": shape[:1] for name, shape in attention.items()}
    full |= {"self_attn.q_norm.weight": (d.head,), "self_attn.k_norm.weight": (d.head,)}
    full |= {name: shape for name, shape in layer.tensors().items() if not name.startswith("linear_attn.")}
    kinds = {"linear_attention": layer.tensors(), "full_attention": full}
    tensors: dict[str, tuple[int, ...]] = {EMBEDDING: (d.vocabulary, d.hidden)}
    for index, kind in enumerate(d.layer_types):
        tensors |= {f"layers.{index}.{name}": shape for name, shape in kinds[kind].items()}
    tensors[FINAL_NORM] = (d.hidden,)
    return tensors if tied else tensors | {HEAD: (d.vocabulary, d.hidden)}


def _check_tensors(tensors: Mapping[str, Stored | Zeros], dimensions: Dimensions, tied: bool, folder: Path) -> None:
    """Every tensor is there with its shape, none is left over, and those that are extended are bfloat16."""
    expected = expected_tensors(dimensions, tied)
    for name, shape in expected.items():
        if name not in tensors:
            raise InputError(f"the base lacks tensor '{name}'", str(folder), FETCH_AGAIN)
        if tensors[name].shape != shape:
            raise InputError(
                f"tensor '{name}' has shape {list(tensors[name].shape)}, the config says {list(shape)}",
                str(folder),
                FETCH_AGAIN,
            )
    for name in tensors:
        if name not in expected and not (tied and name == HEAD):
            raise InputError(
                f"tensor '{name}' has no place in the model that the config describes", str(folder), "use a Qwen3.5 model"
            )
    for name in (EMBEDDING, HEAD, FINAL_NORM):
        if name in tensors and tensors[name].dtype != "BF16":
            raise InputError(
                f"tensor '{name}' is {tensors[name].dtype}, not bfloat16: the machine is exact in bfloat16 only",
                str(folder),
                "use the bfloat16 model",
            )


def _drop_copied_head(tensors: dict[str, Stored | Zeros], folder: Path) -> None:
    """A tied base may store its head once more; it must be the embedding then, and is not stored again."""
    head = tensors.pop(HEAD, None)
    if head is None:
        return
    pairs = zip(head.chunks(), tensors[EMBEDDING].chunks(), strict=True)
    if head.shape != tensors[EMBEDDING].shape or any(one != other for one, other in pairs):
        raise InputError(
            "the config ties the head to the embedding, but the stored head differs",
            str(folder),
            "set tie_word_embeddings to false, or remove the head",
        )


def recorded_hashes(folder: Path, files: Mapping[str, Path]) -> dict[str, str]:
    """sha256 of weight files as their download recorded them: the hub cache names blobs so, local folders keep a note."""
    found = {}
    for name, path in files.items():
        blob = path.resolve().name if path.is_symlink() else ""
        note = folder / ".cache" / "huggingface" / "download" / f"{name}.metadata"
        lines = note.read_text(encoding="utf-8").splitlines() if note.is_file() else []
        for candidate in (blob, lines[1] if len(lines) > 1 else ""):
            if SHA256.fullmatch(candidate):
                found[name] = candidate
    return found


def hash_base(base: Base, moved: Callable[[int], None]) -> dict[str, str]:
    """sha256 of every weight file. Raises InputError when one is not what its download recorded."""
    hashes = {}
    for name, path in base.files.items():
        hashes[name] = hash_file(path, moved)
        if base.expected.get(name, hashes[name]) != hashes[name]:
            raise InputError(f"'{name}' has another sha256 than the hub recorded for it", str(path.parent), FETCH_AGAIN)
    return hashes


def _embedded(layer: LayerShape) -> Base:
    """No language model: one group of layers that adds nothing, since stock code needs a full-attention layer to cache.

    The vocabulary is empty, so the machine's tokens are all there is. All weights are zeros, output projections among them.
    """
    key = (layer.conv - layer.value) // 2
    dimensions = Dimensions(
        hidden=layer.hidden,
        intermediate=layer.intermediate,
        attention_heads=1,
        key_value_heads=1,
        head=256,
        key_heads=key // layer.value_head,
        key_head=layer.value_head,
        value_heads=layer.value_heads,
        value_head=layer.value_head,
        taps=layer.taps,
        vocabulary=0,
        epsilon=EPSILON,
        layer_types=EMBEDDED_LAYERS,
        attention_bias=False,
    )
    config = {
        "hidden_act": "silu",
        "hidden_size": dimensions.hidden,
        "intermediate_size": dimensions.intermediate,
        "num_hidden_layers": len(EMBEDDED_LAYERS),
        "num_attention_heads": dimensions.attention_heads,
        "num_key_value_heads": dimensions.key_value_heads,
        "head_dim": dimensions.head,
        "linear_num_key_heads": dimensions.key_heads,
        "linear_key_head_dim": dimensions.key_head,
        "linear_num_value_heads": dimensions.value_heads,
        "linear_value_head_dim": dimensions.value_head,
        "linear_conv_kernel_dim": dimensions.taps,
        "rms_norm_eps": dimensions.epsilon,
        "dtype": "bfloat16",
        "max_position_embeddings": 1 << 20,
    }
    tensors = {name: Zeros(name, "BF16", shape) for name, shape in expected_tensors(dimensions, tied=True).items()}
    return Base(EMBEDDED, config, dimensions, True, tensors, {}, {}, "", {})
