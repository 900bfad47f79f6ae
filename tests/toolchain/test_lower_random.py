"""Random CUDA kernels: compiled by clang, lowered, interpreted, and compared with the PTX interpreter.

Loops are bounded and indices masked, so that every kernel ends and stays in bounds. Shared memory is written at the thread's
own place and read at others' only behind a barrier.
"""

import random

import pytest

from engine.machine.errors import LimitExceeded
from tests.toolchain.lowered import array, launch, one_dimensional, scalar
from tests.truth.ptxsim import run
from toolchain.compiler import compile_cuda
from toolchain.ptx import find_entry, parse_ptx

TYPES = ("int", "unsigned", "long long", "unsigned long long", "short", "unsigned char", "signed char")


class Writer:
    """Writes one random kernel."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = {f"v{i}": self.random.choice(TYPES) for i in range(self.random.randint(3, 7))}
        self.loops = 0

    def expression(self, depth=0):
        choice = self.random.random()
        if depth > 2 or choice < 0.3:
            return self.random.choice(
                [
                    *self.names,
                    "t",
                    "n",
                    str(self.random.choice([0, 1, 2, 3, 7, 31, 100, 255, 65535, 1 << 20])),
                    "a[t]",
                    "s[t]",
                    "l[t & 3]",
                ]
            )
        left, right = self.expression(depth + 1), self.expression(depth + 1)
        if choice < 0.75:
            return f"({left} {self.random.choice(['+', '-', '*', '&', '|', '^'])} {right})"
        if choice < 0.82:
            return f"({left} {self.random.choice(['<<', '>>'])} (({right}) & 15))"
        if choice < 0.88:
            return f"({left} {self.random.choice(['/', '%'])} (({right}) | 1))"
        if choice < 0.94:
            return f"({self.condition(depth + 1)} ? {left} : {right})"
        return f"{self.random.choice(['l', 'a', 'g'])}[({left}) & 3]"

    def condition(self, depth=0):
        relation = self.random.choice(["<", ">", "<=", ">=", "==", "!="])
        text = f"{self.expression(depth + 1)} {relation} {self.expression(depth + 1)}"
        if depth < 2 and self.random.random() < 0.25:
            return f"({text} {self.random.choice(['&&', '||'])} {self.condition(depth + 1)})"
        return f"({text})"

    def assignment(self):
        name = self.random.choice(
            [
                *self.names,
                *self.names,
                "l[(t + 1) & 3]",
                "s[t]",
                f"l[{self.random.choice(list(self.names))} & 3]",
                "b[t]",
                "g[t & 3]",
            ]
        )
        return f"{name} {self.random.choice(['=', '=', '+=', '-=', '^='])} {self.expression()};"

    def statements(self, depth, uniform):
        return " ".join(self.statement(depth, uniform) for _ in range(self.random.randint(1, 3)))

    def statement(self, depth, uniform):
        choice = self.random.random()
        if depth > 2 or choice < 0.45:
            return self.assignment()
        if choice < 0.65:
            text = f"if {self.condition()} {{ {self.statements(depth + 1, False)} }}"
            return text + (f" else {{ {self.statements(depth + 1, False)} }}" if self.random.random() < 0.5 else "")
        if choice < 0.85:
            self.loops += 1
            counter = f"k{self.loops}"
            bound = self.random.choice(["n", "3", "(t & 3)"])
            inner = self.statements(depth + 1, uniform and bound != "(t & 3)")
            leave = (
                f" if {self.condition()} {self.random.choice(['break', 'continue'])};"
                if not uniform and self.random.random() < 0.4
                else ""
            )
            return f"for (int {counter} = 0; {counter} < {bound}; {counter}++) {{ {inner}{leave} {self.assignment()} }}"
        if choice < 0.93 and uniform:
            name = self.random.choice(list(self.names))
            return f"__syncthreads(); {name} += s[(t + {self.random.randint(1, 3)}) % blockDim.x]; __syncthreads();"
        cases = " ".join(
            f"case {k}: {self.assignment()} {self.random.choice(['break;', ''])}" for k in range(self.random.randint(2, 4))
        )
        return f"switch (({self.expression()}) & 3) {{ {cases} default: {self.assignment()} }}"

    def kernel(self):
        declared = " ".join(
            f"{kind} {name} = {self.random.choice(['t', 'a[t]', 'n', '5'])};" for name, kind in self.names.items()
        )
        body = self.statements(0, True) + " " + self.statements(0, True)
        result = " + ".join(f"({name})" for name in self.names)
        return f"""
        __global__ void k(const int *a, short *b, long long *o, unsigned char *c, int n) {{
            __shared__ int s[16];
            int t = threadIdx.x, l[4] = {{1, n, t, 7}};
            unsigned g[4] = {{0, 1, 2, 3}};
            s[t] = a[t];
            {declared}
            {body}
            o[t] = {result};
            c[t] = l[t & 3] + g[n & 3];
        }}"""


def check(seed):
    source = Writer(seed).kernel()
    ptx = compile_cuda(source).ptx
    rng = random.Random(seed)
    args = [array("a", "int32", [rng.choice([0, 1, -1, 5, rng.getrandbits(31), -rng.getrandbits(31)]) for _ in range(7)]),
            array("b", "int16", 7), array("o", "int64", 7), array("c", "uint8", 7), scalar("n", "int32", 2)]  # fmt: skip
    module = parse_ptx(ptx)
    try:
        outcome = launch(ptx, one_dimensional(7, args))
    except LimitExceeded as limit:  # a random kernel may be larger than the program memory, and nothing else
        assert limit.extra["limit"] == "program blocks"
        return
    assert outcome.fault is None, source
    assert outcome.outputs == run(module, find_entry(module, "k"), [1], [7], args), source


@pytest.mark.parametrize("seed", range(12))
def test_random_kernels_agree_with_the_ptx_interpreter(seed):
    check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12, 400))
def test_many_random_kernels_agree_with_the_ptx_interpreter(seed):
    check(seed)
