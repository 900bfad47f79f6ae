"""Variants of a kernel that must give the same arrays: dead code, other names, split blocks, idle threads and blocks."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace

from tests.conformance.generator import WORDS, Kernel, Statement

MAGIC = 123_456_789
"""A word that no kernel's data holds: a comparison with it is decided when the kernel runs, not before."""


def with_dead_code(kernel: Kernel, rng: random.Random) -> Kernel:
    """Computations that nobody reads, and a way that no thread takes."""
    body = list(kernel.body)
    dead = f"d{rng.randrange(100)}"
    body.insert(rng.randrange(len(body) + 1), Statement(f"int {dead} = t * 77 + a[{rng.randrange(WORDS)}];"))
    body.append(Statement(f"if (a[t & {WORDS - 1}] == {MAGIC}) {{ o[w] = {dead}; b[w] = 1; }}"))
    return replace(kernel, body=tuple(body))


def renamed(kernel: Kernel, rng: random.Random) -> Kernel:
    """Other names in another order of declaration."""
    names = sorted({found for part in kernel.declarations for found in re.findall(r"\bv\d+\b", part.text)})
    others = [f"x{k}y" for k in range(len(names))]
    rng.shuffle(others)
    table = dict(zip(names, others, strict=True))

    def rename(part: Statement) -> Statement:
        text = re.sub(r"\bv\d+\b", lambda found: table[found[0]], part.text)
        return replace(part, text=text, body=None if part.body is None else tuple(map(rename, part.body)))

    declarations = [rename(part) for part in kernel.declarations]
    rng.shuffle(declarations)
    parts = (tuple(map(rename, part)) for part in (kernel.body, kernel.results))
    body, results = parts
    return replace(kernel, declarations=tuple(declarations), body=body, results=results)


def with_split_blocks(kernel: Kernel, rng: random.Random) -> Kernel:
    """Conditions that always hold around statements, so that there are more basic blocks."""

    def split(part: Statement) -> Statement:
        if part.meets or part.text.startswith("int d") or rng.random() < 0.4:
            return part
        return Statement(f"if (a[{rng.randrange(WORDS)}] != {MAGIC})", (part,))

    return replace(kernel, body=tuple(map(split, kernel.body)))


def with_idle_threads(kernel: Kernel, rng: random.Random) -> Kernel:
    """A block more that does nothing; threads more that exit at once, unless warps exchange something."""
    threads = 0 if kernel.meets else rng.choice([1, 4, 9])
    guard = f"if (t >= {kernel.threads} || blockIdx.x >= {kernel.blocks}) return;"
    return replace(kernel, guard=guard, padding=(1, threads))


VARIANTS: dict[str, Callable[[Kernel, random.Random], Kernel]] = {
    "dead code": with_dead_code,
    "renaming": renamed,
    "block splitting": with_split_blocks,
    "idle threads": with_idle_threads,
}
