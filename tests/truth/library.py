"""What the functions of the library are in Python, and arguments to try them on."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise
from random import Random

LOW, HIGH = -(2**63), 2**63 - 1


def truncated(a, b):
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def product(rows, columns):
    return [[sum(map(int.__mul__, row, column)) for column in zip(*columns, strict=True)] for row in rows]


def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def prime(n):
    return int(n > 1 and all(n % d for d in range(2, math.isqrt(n) + 1)))


def collatz(n, steps=0):
    while n != 1:
        n, steps = (3 * n + 1 if n & 1 else n // 2), steps + 1
    return steps


def convolve(signal, kernel):
    return [
        sum(signal[i] * kernel[k - i] for i in range(len(signal)) if 0 <= k - i < len(kernel))
        for k in range(len(signal) + len(kernel) - 1)
    ]


def running(numbers):
    return [sum(numbers[:end]) for end in range(1, len(numbers) + 1)]


EACH = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": truncated,
    "mod": lambda a, b: a - b * truncated(a, b),
    "pow": lambda a, b: a**b,
    "powmod": pow,
    "gcd": math.gcd,
    "lcm": math.lcm,
    "abs": abs,
    "neg": lambda x: -x,
    "eq": lambda a, b: int(a == b),
    "lt": lambda a, b: int(a < b),
    "gt": lambda a, b: int(a > b),
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "not": lambda x: ~x,
    "shl": lambda a, k: a * 2**k,
    "shr": lambda a, k: a // 2**k,
    "popcount": lambda x: (x % 2**64).bit_count(),
    "clamp": lambda x, lo, hi: max(lo, min(hi, x)),
    "where": lambda mask, a, b: a if mask else b,
    "fib": fibonacci,
    "factorial": math.factorial,
    "isprime": prime,
    "collatz": collatz,
    "bitreverse": lambda x: int(f"{x % 2**32:032b}"[::-1], 2),
}
"""Functions of integers, which work on lists entry by entry."""

WHOLE = {
    "min": min,
    "max": max,
    "sum": sum,
    "prod": math.prod,
    "mean": lambda x: truncated(sum(x), len(x)),
    "count": lambda x, value: x.count(value),
    "histogram": lambda x: [list(pair) for pair in sorted(Counter(x).items())],
    "sort": sorted,
    "argsort": lambda x: sorted(range(len(x)), key=x.__getitem__),
    "argmin": lambda x: x.index(min(x)),
    "argmax": lambda x: x.index(max(x)),
    "unique": lambda x: sorted(set(x)),
    "reverse": lambda x: x[::-1],
    "cumsum": running,
    "diff": lambda x: [b - a for a, b in pairwise(x)],
    "dot": lambda a, b: sum(map(int.__mul__, a, b)),
    "matmul": product,
    "matvec": lambda a, x: [sum(map(int.__mul__, row, x)) for row in a],
    "transpose": lambda a: [list(column) for column in zip(*a, strict=True)],
    "outer": lambda a, b: [[x * y for y in b] for x in a],
    "trace": lambda a: sum(row[i] for i, row in enumerate(a)),
    "saxpy": lambda a, x, y: [a * p + q for p, q in zip(x, y, strict=True)],
    "primes": lambda n: [k for k in range(2, n + 1) if prime(k)],
    "conv1d": convolve,
}
"""Functions of lists and matrices."""

CORNERS = (0, 1, -1, 2, -2, 7, 31, 32, 33, 255, 256, 2**16, 2**31 - 1, -(2**31), 2**31 - 2, -(2**31) + 1)
WIDE_CORNERS = (
    2**31,
    -(2**31) - 1,
    2**32 - 1,
    2**32,
    2**32 + 1,
    -(2**32),
    2**53 + 1,
    2**62,
    -(2**62),
    HIGH,
    LOW,
    HIGH - 1,
    LOW + 1,
)
SPECIAL = {
    "pow": (range(-30, 31), range(0, 14)),
    "powmod": (None, range(0, 2**20), range(1, 2**31)),
    "shl": (range(-9, 10), range(0, 58)),
    "shr": (None, range(0, 70)),
    "fib": (range(0, 93),),
    "factorial": (range(0, 21),),
    "collatz": (range(1, 3000),),
    "isprime": (range(-5, 2**16),),
    "bitreverse": (range(-(2**31), 2**32),),
    "primes": (range(-5, 200),),
}
"""The arguments of functions that do not take every integer."""


def entry(random: Random, allowed, wide: bool) -> int:
    """An integer for an argument: a corner, a small or a large one."""
    if allowed is not None:
        return random.choice((allowed[0], allowed[-1], *random.choices(allowed, k=4)))
    corners = WIDE_CORNERS if wide else CORNERS
    bits = random.choice((3, 8, 16, 31, *((40, 62) if wide else ())))
    return random.choice((random.choice(corners), random.randint(-(2**bits), 2**bits - 1)))


def fits(value) -> bool:
    """Whether every entry of a value has at most 64 bits."""
    return all(map(fits, value)) if isinstance(value, list) else LOW <= value <= HIGH


def each_arguments(random: Random, name: str, wide: bool) -> list[int]:
    """Arguments of a function of integers for which it has a result of 64 bits."""
    function = EACH[name]
    count = (
        function.__code__.co_argcount
        if hasattr(function, "__code__")
        else {"gcd": 2, "lcm": 2, "abs": 1, "pow": 2}.get(function.__name__, 1)
    )
    allowed = SPECIAL.get(name, (None,) * max(count, 3 if name == "powmod" else count))
    while True:
        arguments = [entry(random, each, wide) for each in allowed]
        try:
            result = function(*arguments)
        except ZeroDivisionError:
            continue
        if fits(result):
            return arguments
