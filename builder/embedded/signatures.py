"""The functions a call may name, with their arguments: the one table that data, grammar and evaluation read.

Kinds of arguments and results:

- ``i``  an integer
- ``l``  a list of integers
- ``m``  a matrix: a list of rows of equal length
- ``e``  an integer or a list; lists work entry by entry, and an integer beside a list meets every entry

The order of the arguments is the order in which one says it: ``sub(a, b)`` is a minus b, ``shl(a, k)`` shifts a by k bits.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Signature:
    """One function: its arguments' names and kinds, the kind of its result, and what it gives."""

    arguments: tuple[tuple[str, str], ...]
    result: str
    meaning: str

    @property
    def kinds(self) -> str:
        """The kinds of the arguments, one letter each."""
        return "".join(kind for _, kind in self.arguments)


def _signature(arguments: str, result: str, meaning: str) -> Signature:
    pairs = [argument.split(":") for argument in arguments.split()]
    return Signature(tuple((name, kind) for name, kind in pairs), result, meaning)


SIGNATURES: dict[str, Signature] = {
    "add": _signature("a:e b:e", "e", "a + b"),
    "sub": _signature("a:e b:e", "e", "a - b"),
    "mul": _signature("a:e b:e", "e", "a * b"),
    "div": _signature("a:e b:e", "e", "a / b, towards zero"),
    "mod": _signature("a:e b:e", "e", "what a / b leaves, with a's sign"),
    "pow": _signature("a:e b:e", "e", "a to the power b"),
    "powmod": _signature("a:i b:i m:i", "i", "a to the power b, modulo m"),
    "gcd": _signature("a:i b:i", "i", "greatest common divisor"),
    "lcm": _signature("a:i b:i", "i", "least common multiple"),
    "abs": _signature("x:e", "e", "x without its sign"),
    "neg": _signature("x:e", "e", "x with the other sign"),
    "min": _signature("list:l", "i", "the smallest entry"),
    "max": _signature("list:l", "i", "the largest entry"),
    "sum": _signature("list:l", "i", "all entries added"),
    "prod": _signature("list:l", "i", "all entries multiplied"),
    "mean": _signature("list:l", "i", "the sum divided by the length: quotient and remainder"),
    "count": _signature("list:l value:i", "i", "how often the value is in the list"),
    "histogram": _signature("list:l", "m", "rows of value and how often it is there, by value"),
    "sort": _signature("list:l", "l", "the entries in ascending order"),
    "argsort": _signature("list:l", "l", "the indices, from 0, that sort the list"),
    "argmin": _signature("list:l", "i", "the index, from 0, of the first smallest entry"),
    "argmax": _signature("list:l", "i", "the index, from 0, of the first largest entry"),
    "unique": _signature("list:l", "l", "every value once, in ascending order"),
    "reverse": _signature("list:l", "l", "the entries from last to first"),
    "cumsum": _signature("list:l", "l", "the running totals"),
    "diff": _signature("list:l", "l", "every entry minus the one before it"),
    "dot": _signature("a:l b:l", "i", "the sum of the products of entries"),
    "matmul": _signature("a:m b:m", "m", "the matrix product"),
    "matvec": _signature("a:m x:l", "l", "the matrix times the vector"),
    "transpose": _signature("a:m", "m", "rows and columns exchanged"),
    "outer": _signature("a:l b:l", "m", "all products of an entry of a and one of b"),
    "trace": _signature("a:m", "i", "the sum of the diagonal"),
    "saxpy": _signature("a:i x:l y:l", "l", "a * x + y, entry by entry"),
    "clamp": _signature("x:e lo:i hi:i", "e", "x, but not below lo and not above hi"),
    "where": _signature("mask:l a:e b:e", "l", "a where the mask is not 0, else b"),
    "eq": _signature("a:e b:e", "e", "1 where a equals b, else 0"),
    "lt": _signature("a:e b:e", "e", "1 where a is less than b, else 0"),
    "gt": _signature("a:e b:e", "e", "1 where a is greater than b, else 0"),
    "and": _signature("a:e b:e", "e", "bitwise and"),
    "or": _signature("a:e b:e", "e", "bitwise or"),
    "xor": _signature("a:e b:e", "e", "bitwise exclusive or"),
    "not": _signature("x:e", "e", "all bits inverted"),
    "shl": _signature("a:e k:i", "e", "a shifted left by k bits"),
    "shr": _signature("a:e k:i", "e", "a shifted right by k bits"),
    "popcount": _signature("x:e", "e", "how many bits are 1"),
    "fib": _signature("n:i", "i", "the n-th Fibonacci number, fib(1) = fib(2) = 1"),
    "factorial": _signature("n:i", "i", "1 * 2 * ... * n"),
    "isprime": _signature("n:i", "i", "1 if n is prime, else 0"),
    "primes": _signature("n:i", "l", "the primes up to n"),
    "collatz": _signature("n:i", "i", "how many Collatz steps lead from n to 1"),
    "bitreverse": _signature("x:i", "i", "the 32 bits of x in reverse order"),
    "conv1d": _signature("signal:l kernel:l", "l", "the convolution, full length"),
}
