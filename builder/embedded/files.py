"""Where the finished model lies, and what its files are called. Imports nothing heavy: the app asks before it opens a model."""

from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "embedded"
WEIGHTS, TOKENIZER, LOG = "model.safetensors", "tokenizer.json", "training.jsonl"
