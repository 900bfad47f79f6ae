"""Small stand-ins for things too large or too far away for a test: bases in the real layouts, machines, a hub."""

from __future__ import annotations

from pathlib import Path

import torch

from builder.base import read_dimensions
from tests.fakes.base import Size, make_base
from tests.fakes.machine import make_machine, token_names

torch.set_num_threads(1)

SIZE = Size()
LAYER = read_dimensions(SIZE.text_config(), Path("config.json")).layer
TOKENS = 40
NAMES = token_names(TOKENS)
SHARD = 1 << 20

__all__ = ["LAYER", "NAMES", "SHARD", "SIZE", "TOKENS", "make_base", "make_machine"]
