"""What rows of a vocabulary stand for, so that a report can name them as a reader knows them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path

TOKENIZER = "tokenizer.json"
MOST = 10_000
"""Rows that are given their text; whoever reads more has the tokenizer."""


def token_texts(tokenizer: Path | None, rows: Iterable[int]) -> dict[str, str]:
    """Text of each row's token, by the row's number in decimal. A row without a token has none: no text contains it.

    Empty where there is no tokenizer that can be read, as in a base that has no `tokenizer.json`.
    """
    chosen = list(islice(rows, MOST))
    if tokenizer is None or not chosen:
        return {}
    from tokenizers import Tokenizer

    try:
        known = Tokenizer.from_file(str(tokenizer))
    except Exception:
        return {}
    return {str(row): known.decode([row], skip_special_tokens=False) for row in chosen if known.id_to_token(row) is not None}
