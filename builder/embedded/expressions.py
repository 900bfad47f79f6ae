"""Calls as trees: reading them, computing them in Python for the training data, writing results."""

import math
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from builder.embedded.signatures import SIGNATURES

_TOKEN = re.compile(r"\s*(0x[0-9a-f]+|-?\d+|[a-z]\w*|[()\[\],])", re.IGNORECASE)

Value = int | list


@dataclass(frozen=True)
class Call:
    """A function and its arguments: integers, lists or calls."""

    name: str
    arguments: tuple


class ExpressionError(ValueError):
    """The text is not an expression, or has no value within 64 bits."""


def parse(text: str) -> Call | Value:
    """The tree of an expression."""
    tokens: list[str] = []
    place = 0
    while place < len(text.rstrip()):
        match = _TOKEN.match(text, place)
        if match is None:
            raise ExpressionError(f"unexpected character at {place}")
        tokens.append(match[1])
        place = match.end()
    tree, rest = _expression(tokens, 0)
    if rest != len(tokens):
        raise ExpressionError(f"unexpected {tokens[rest]}")
    return tree


def _expression(tokens: list[str], place: int) -> tuple[Call | Value, int]:
    if place >= len(tokens):
        raise ExpressionError("it ends too early")
    token = tokens[place]
    if token == "[":
        items, place = _series(tokens, place + 1, "]")
        return items, place
    if token[0].isdigit() or token[0] == "-":
        return int(token, 0), place + 1
    if token not in SIGNATURES:
        raise ExpressionError(f"there is no function {token}")
    if tokens[place + 1 : place + 2] != ["("]:
        raise ExpressionError(f"{token} has no arguments")
    arguments, place = _series(tokens, place + 2, ")")
    if len(arguments) != len(SIGNATURES[token].arguments):
        raise ExpressionError(f"{token} takes {len(SIGNATURES[token].arguments)} arguments")
    return Call(token, tuple(arguments)), place


def _series(tokens: list[str], place: int, closing: str) -> tuple[list, int]:
    items = []
    while True:
        item, place = _expression(tokens, place)
        items.append(item)
        mark = tokens[place] if place < len(tokens) else ""
        if mark == closing:
            return items, place + 1
        if mark != ",":
            raise ExpressionError(f"expected , or {closing}")
        place += 1


def _entrywise(function: Callable[..., int]) -> Callable[..., Value]:
    def apply(*arguments: Value) -> Value:
        lengths = {len(argument) for argument in arguments if isinstance(argument, list)}
        if not lengths:
            return function(*arguments)
        if len(lengths) > 1:
            raise ExpressionError("the lists have different lengths")
        spread = [argument if isinstance(argument, list) else [argument] * min(lengths) for argument in arguments]
        return [function(*entries) for entries in zip(*spread, strict=True)]

    return apply


def _quotient(a: int, b: int) -> int:
    if b == 0:
        raise ExpressionError("division by zero")
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _power(a: int, b: int) -> int:
    if b < 0 or b > 4096:
        raise ExpressionError("no such power")
    return a**b


def _dot(a: list, b: list) -> int:
    if len(a) != len(b):
        raise ExpressionError("the lists have different lengths")
    return sum(x * y for x, y in zip(a, b, strict=True))


def _matmul(a: list, b: list) -> list:
    return [[_dot(row, list(column)) for column in zip(*b, strict=True)] for row in a]


def _fibonacci(n: int) -> int:
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def _is_prime(n: int) -> int:
    return int(n > 1 and all(n % divisor for divisor in range(2, math.isqrt(n) + 1)))


def _collatz(n: int) -> int:
    if n < 1:
        raise ExpressionError("Collatz starts at 1 or above")
    steps = 0
    while n != 1:
        n, steps = (n // 2 if n % 2 == 0 else 3 * n + 1), steps + 1
    return steps


def _convolve(signal: list, kernel: list) -> list:
    out = [0] * (len(signal) + len(kernel) - 1)
    for i, x in enumerate(signal):
        for j, y in enumerate(kernel):
            out[i + j] += x * y
    return out


def _histogram(numbers: list[int]) -> list[list[int]]:
    return [[value, times] for value, times in sorted(Counter(numbers).items())]


def _running(numbers: list) -> list:
    return [sum(numbers[: end + 1]) for end in range(len(numbers))]


_FUNCTIONS: dict[str, Callable[..., Value]] = {
    "add": _entrywise(lambda a, b: a + b),
    "sub": _entrywise(lambda a, b: a - b),
    "mul": _entrywise(lambda a, b: a * b),
    "div": _entrywise(_quotient),
    "mod": _entrywise(lambda a, b: a - b * _quotient(a, b)),
    "pow": _entrywise(_power),
    "powmod": lambda a, b, m: pow(a, b, m),
    "gcd": math.gcd,
    "lcm": math.lcm,
    "abs": _entrywise(abs),
    "neg": _entrywise(lambda x: -x),
    "min": min,
    "max": max,
    "sum": sum,
    "prod": math.prod,
    "mean": lambda numbers: _quotient(sum(numbers), len(numbers)),
    "count": lambda numbers, value: numbers.count(value),
    "histogram": _histogram,
    "sort": sorted,
    "argsort": lambda numbers: sorted(range(len(numbers)), key=numbers.__getitem__),
    "argmin": lambda numbers: numbers.index(min(numbers)),
    "argmax": lambda numbers: numbers.index(max(numbers)),
    "unique": lambda numbers: sorted(set(numbers)),
    "reverse": lambda numbers: numbers[::-1],
    "cumsum": _running,
    "diff": lambda numbers: [after - before for before, after in pairwise(numbers)],
    "dot": _dot,
    "matmul": _matmul,
    "matvec": lambda matrix, vector: [_dot(row, vector) for row in matrix],
    "transpose": lambda matrix: [list(column) for column in zip(*matrix, strict=True)],
    "outer": lambda a, b: [[x * y for y in b] for x in a],
    "trace": lambda matrix: sum(row[place] for place, row in enumerate(matrix)),
    "saxpy": lambda a, x, y: [a * one + other for one, other in zip(x, y, strict=True)],
    "clamp": _entrywise(lambda x, lo, hi: max(lo, min(hi, x))),
    "where": _entrywise(lambda mask, a, b: a if mask else b),
    "eq": _entrywise(lambda a, b: int(a == b)),
    "lt": _entrywise(lambda a, b: int(a < b)),
    "gt": _entrywise(lambda a, b: int(a > b)),
    "and": _entrywise(lambda a, b: a & b),
    "or": _entrywise(lambda a, b: a | b),
    "xor": _entrywise(lambda a, b: a ^ b),
    "not": _entrywise(lambda x: ~x),
    "shl": _entrywise(lambda a, k: a << k),
    "shr": _entrywise(lambda a, k: a >> k),
    "popcount": _entrywise(lambda x: (x & (2**64 - 1)).bit_count()),
    "fib": _fibonacci,
    "factorial": math.factorial,
    "isprime": _is_prime,
    "primes": lambda n: [number for number in range(2, n + 1) if _is_prime(number)],
    "collatz": _collatz,
    "bitreverse": lambda x: int(f"{x & 0xFFFFFFFF:032b}"[::-1], 2),
    "conv1d": _convolve,
}


def _bounded(value: Value) -> Value:
    if isinstance(value, list):
        return [_bounded(entry) for entry in value]
    if not -(2**63) <= value < 2**63:
        raise ExpressionError("the result needs more than 64 bits")
    return value


def evaluate(tree: Call | Value) -> Value:
    """The value of a tree; every step of it within 64 bits."""
    if isinstance(tree, list):
        return [evaluate(entry) for entry in tree]
    if isinstance(tree, int):
        return _bounded(tree)
    try:
        return _bounded(_FUNCTIONS[tree.name](*(evaluate(argument) for argument in tree.arguments)))
    except (TypeError, ValueError, OverflowError, IndexError) as error:
        raise ExpressionError(f"{tree.name} cannot compute that") from error


def write(value: Value) -> str:
    """A result or literal as text."""
    return "[" + ", ".join(map(write, value)) + "]" if isinstance(value, list) else str(value)
