"""Every instruction in numpy, written separately from the machine's own table: the independent truth for both the table and the
circuits.

`REFERENCE[mnemonic](a, b, c, p)` takes arrays of uint32 (p: 0 or 1) and gives words, or booleans for a predicate.
"""

import numpy as np

U, S = np.uint32, np.int32


def wide(x):
    return x.astype(np.uint64)


def signed_wide(x):
    return x.view(S).astype(np.int64)


def low(x):
    return (x & np.uint64(0xFFFFFFFF)).astype(U)


def leading_zeros(x):
    # the number of powers of two that are greater than x
    return np.sum(x[:, None] < (1 << np.arange(32, dtype=np.uint64)), axis=1).astype(U)


def reversed_bits(x):
    bits = np.unpackbits(x.astype(">u4").view(np.uint8).reshape(-1, 4), axis=1)
    return np.packbits(bits[:, ::-1], axis=1).reshape(-1).view(">u4").astype(U)


def shifted_left(x, amount):
    return np.where(amount < 32, low(wide(x) << np.minimum(wide(amount), np.uint64(32))), U(0))


REFERENCE = {
    "nop": lambda a, b, c, p: np.zeros_like(a),
    "add": lambda a, b, c, p: a + b,
    "sub": lambda a, b, c, p: a - b,
    "addp": lambda a, b, c, p: a + b + p,
    "subp": lambda a, b, c, p: a - b - p,
    "mul": lambda a, b, c, p: a * b,
    "mad": lambda a, b, c, p: a * b + c,
    "mulhi.u": lambda a, b, c, p: (wide(a) * wide(b) >> np.uint64(32)).astype(U),
    "mulhi.s": lambda a, b, c, p: (signed_wide(a) * signed_wide(b) >> np.int64(32)).astype(S).view(U),
    "and": lambda a, b, c, p: np.bitwise_and(a, b),
    "or": lambda a, b, c, p: np.bitwise_or(a, b),
    "xor": lambda a, b, c, p: np.bitwise_xor(a, b),
    "not": lambda a, b, c, p: np.invert(a),
    "mov": lambda a, b, c, p: a,
    "shl": lambda a, b, c, p: shifted_left(a, b),
    "shr": lambda a, b, c, p: np.where(b < 32, a >> np.minimum(b, U(31)), U(0)),
    "sar": lambda a, b, c, p: (a.view(S) >> np.minimum(b, U(31)).view(S)).view(U),
    "min.s": lambda a, b, c, p: np.minimum(a.view(S), b.view(S)).view(U),
    "min.u": lambda a, b, c, p: np.minimum(a, b),
    "max.s": lambda a, b, c, p: np.maximum(a.view(S), b.view(S)).view(U),
    "max.u": lambda a, b, c, p: np.maximum(a, b),
    "selp": lambda a, b, c, p: np.where(p == 1, a, b),
    "setp.eq": lambda a, b, c, p: a == b,
    "setp.ne": lambda a, b, c, p: a != b,
    "setp.lt.s": lambda a, b, c, p: a.view(S) < b.view(S),
    "setp.lt.u": lambda a, b, c, p: a < b,
    "setp.le.s": lambda a, b, c, p: a.view(S) <= b.view(S),
    "setp.le.u": lambda a, b, c, p: a <= b,
    "clz": lambda a, b, c, p: leading_zeros(a),
    "popc": lambda a, b, c, p: np.bitwise_count(a).astype(U),
    "brev": lambda a, b, c, p: reversed_bits(a),
}
