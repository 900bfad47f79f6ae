"""Embedding tables of the kinds that a base may have, at any size."""

from __future__ import annotations

from collections.abc import Callable

import torch

SCALE = 0.02

Rows = Callable[[int, int, torch.Generator], torch.Tensor]


def around_mean(offset: float) -> Rows:
    """Gaussian rows around a common mean of `offset` deviations."""

    def rows(count: int, hidden: int, source: torch.Generator) -> torch.Tensor:
        return torch.randn(count, hidden, generator=source) + offset * torch.randn(hidden, generator=source)

    return rows


def lopsided_axes(count: int, hidden: int, source: torch.Generator) -> torch.Tensor:
    """No common mean but on four axes, 10 to 50 times the others' scale, on which all text lies to one side."""
    rows = torch.randn(count, hidden, generator=source)
    rows[:, 7 : hidden : hidden // 4] += torch.tensor([10.0, -20.0, 30.0, -50.0])
    return rows


def wide_axes(count: int, hidden: int, source: torch.Generator) -> torch.Tensor:
    """A common mean, and four axes 10 to 50 times the others' scale, with either sign."""
    rows = around_mean(0.4)(count, hidden, source)
    rows[:, 7 : hidden : hidden // 4] *= torch.tensor([10.0, 20.0, 30.0, 50.0])
    return rows


def heavy_tails(count: int, hidden: int, source: torch.Generator) -> torch.Tensor:
    """A common mean, lognormal lengths of rows and of axes."""
    rows = around_mean(0.3)(count, hidden, source)
    return rows * torch.randn(count, 1, generator=source).exp() * torch.randn(hidden, generator=source).mul(0.5).exp()


def untrained(count: int, hidden: int, source: torch.Generator) -> torch.Tensor:
    """A common mean, but a twentieth of the rows as they were initialised, which is without it."""
    rows = around_mean(0.4)(count, hidden, source)
    rows[-(count // 20) :] = torch.randn(count // 20, hidden, generator=source)
    return rows


def padding(count: int, hidden: int, source: torch.Generator) -> torch.Tensor:
    """A common mean, but the last thousandth of the rows without it: those behind the tokenizer's last token."""
    rows, some = around_mean(0.4)(count, hidden, source), -(-count // 1000)
    rows[-some:] = torch.randn(some, hidden, generator=source)
    return rows


def alike(count: int, hidden: int, source: torch.Generator) -> torch.Tensor:
    """A common mean, but a twentieth of the rows tiny and all but the same, some exactly; among them three of zeros."""
    rows, some = around_mean(0.4)(count, hidden, source), count // 20
    rows[-some:] = (torch.randn(hidden, generator=source) + 0.01 * torch.randn(some, hidden, generator=source)) * 0.001
    rows[-some // 2 :] = rows[-1].clone()
    rows[-3:] = 0.0
    return rows


def opposed(count: int, hidden: int, source: torch.Generator) -> torch.Tensor:
    """A common mean, but ten rows are others' negatives, so that no direction has all of them on one side."""
    rows = around_mean(0.6)(count, hidden, source)
    rows[-10:] = -rows[:10]
    return rows


TABLES: dict[str, tuple[str, Rows]] = {
    "mean": ("Gaussian, common mean of 0.5 deviations", around_mean(0.5)),
    "weak mean": ("Gaussian, common mean of 0.05", around_mean(0.05)),
    "no mean": ("Gaussian, no common mean", around_mean(0.0)),
    "lopsided axes": ("no mean, but four axes of 10 to 50 deviations to one side", lopsided_axes),
    "wide axes": ("mean 0.4, four axes of 10 to 50 times the scale with either sign", wide_axes),
    "heavy tails": ("mean 0.3, lognormal lengths of rows (1) and axes (0.5)", heavy_tails),
    "untrained": ("mean 0.4, a twentieth of the rows without it", untrained),
    "padding": ("mean 0.4, the last thousandth of the rows without it", padding),
    "alike": ("mean 0.4, a twentieth of the rows tiny and nearly or exactly equal, three of zeros", alike),
    "opposed": ("mean 0.6, ten rows the negatives of ten others", opposed),
}
"""What a table is like, and how to make one."""


def make_table(kind: str, count: int, hidden: int, seed: int = 0) -> torch.Tensor:
    """One of `TABLES`: bf16 [count, hidden], of deviation 0.02 where nothing else is said."""
    return (TABLES[kind][1](count, hidden, torch.Generator().manual_seed(seed)) * SCALE).bfloat16()
