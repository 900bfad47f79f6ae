"""How the sentence goes on behind a computed result."""

from builder.embedded.expressions import Call, Value

_NUMBERS = {
    "add": "the sum",
    "sub": "the difference",
    "mul": "the product",
    "div": "the quotient, rounded towards zero",
    "mod": "the remainder",
    "pow": "the power",
    "powmod": "the power modulo the last number",
    "gcd": "the greatest common divisor",
    "lcm": "the least common multiple",
    "abs": "the absolute value",
    "neg": "the negative",
    "min": "the smallest",
    "max": "the largest",
    "sum": "the sum",
    "prod": "the product",
    "mean": "the mean, rounded towards zero",
    "count": "how often it occurs",
    "argmin": "the index of the smallest, counted from 0",
    "argmax": "the index of the largest, counted from 0",
    "dot": "the dot product",
    "trace": "the trace",
    "clamp": "the clamped value",
    "and": "the bitwise and",
    "or": "the bitwise or",
    "xor": "the bitwise xor",
    "not": "the bitwise complement",
    "shl": "the number shifted left",
    "shr": "the number shifted right",
    "popcount": "the number of one bits",
    "fib": "the Fibonacci number",
    "factorial": "the factorial",
    "collatz": "the number of Collatz steps",
    "bitreverse": "the number with its 32 bits reversed",
}
_LISTS = {
    "histogram": "every value with its count",
    "sort": "the list in ascending order",
    "argsort": "the sorting order of the indices",
    "unique": "every value once",
    "reverse": "the list in reverse",
    "cumsum": "the running totals",
    "diff": "the differences",
    "matmul": "the matrix product",
    "matvec": "the matrix times the vector",
    "transpose": "the transposed matrix",
    "outer": "the outer product",
    "saxpy": "a times x plus y",
    "where": "the choice by the mask",
    "primes": "the list of primes",
    "conv1d": "the convolution",
    "eq": "1 where they are equal",
    "lt": "1 where it is less",
    "gt": "1 where it is greater",
}


def continuation(call: Call, result: Value) -> str:
    """What follows a result in the reply: " is the sum."; for questions of yes and no, the answer."""
    if call.name in ("eq", "lt", "gt", "isprime") and not isinstance(result, list):
        return ": yes." if result else ": no."
    if isinstance(result, list):
        return f" is {_LISTS.get(call.name, 'the result, entry by entry')}."
    return f" is {_NUMBERS.get(call.name, 'the result')}."
