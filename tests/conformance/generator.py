"""Random CUDA kernels whose results are determined: initialised data, bounded loops, disjoint or atomic writes, barriers and
warp operations only where all threads come.

A kernel is a tree (`Statement`), so that failures can be reduced and variants made of it. Every kernel has the parameters
`(const int *a, short *b, long long *o, unsigned char *c, int *g, int n)`: `a` is read anywhere, `b`, `o` and `c` are read and
written at the thread's own place, `g` is only changed atomically, each word of it by one commutative operation.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

WORDS = 16
"""Elements of `a`: a power of two, so that indices can be masked."""
N = 3
TYPES = ("int", "unsigned", "long long", "unsigned long long", "short", "unsigned char", "signed char")
ATOMICS = ("atomicAdd", "atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor")
CONSTANTS = (0, 1, 2, 3, 7, 31, 32, 100, 255, 256, 65535, 1 << 20, (1 << 31) - 1)


@dataclass(frozen=True)
class Statement:
    """A statement: `text` alone, or `text { body }`. `meets`: all threads must come here (a barrier, a warp operation)."""

    text: str
    body: tuple[Statement, ...] | None = None
    meets: bool = False

    def write(self) -> str:
        """C++."""
        if self.body is None:
            return self.text
        return f"{self.text} {{ {' '.join(part.write() for part in self.body)} }}"


@dataclass(frozen=True)
class Kernel:
    """A random kernel with its launch."""

    seed: int
    declarations: tuple[Statement, ...]
    body: tuple[Statement, ...]
    results: tuple[Statement, ...]
    blocks: int
    threads: int
    data: tuple[int, ...]
    guard: str = ""
    name: str = "k"
    padding: tuple[int, int] = field(default=(0, 0))

    def source(self) -> str:
        """The kernel as CUDA C++."""
        parts = (*self.declarations, *self.body, *self.results)
        return (
            f"__global__ void {self.name}(const int *a, short *b, long long *o, unsigned char *c, int *g, int n) {{ "
            f"__shared__ int s[64]; const int t = threadIdx.x, w = blockIdx.x * {self.threads} + t; {self.guard} "
            f"int l[4] = {{1, n, t, 7}}; s[t] = a[w & {WORDS - 1}]; __syncthreads();\n"
            + "\n".join(part.write() for part in parts)
            + "\n}\n"
        )

    def launch(self) -> dict[str, Any]:
        """LAUNCH.json."""
        total = self.blocks * self.threads
        cells = [(0, 2**31 - 1, -(2**31), -1, 0, 0)[k % 6] for k in range(len(ATOMICS))]
        arrays = (
            ("a", "int32*", list(self.data)),
            ("b", "int16*", [k * 31 - 700 for k in range(total)]),
            ("o", "int64*", [0] * total),
            ("c", "uint8*", [k % 256 for k in range(total)]),
            ("g", "int32*", cells),
        )
        args: list[dict[str, Any]] = [{"name": name, "type": kind, "value": value} for name, kind, value in arrays]
        args.append({"name": "n", "type": "int32", "value": N})
        grid, block = self.blocks + self.padding[0], self.threads + self.padding[1]
        return {"kernel": self.name, "grid": [grid], "block": [block], "args": args}

    @property
    def meets(self) -> bool:
        """Whether threads exchange something within their warp."""
        return any("_sync(" in part.write() for part in self.body)


class _Writer:
    """Draws statements."""

    def __init__(self, rng: random.Random, threads: int) -> None:
        self.random, self.threads = rng, threads
        self.types = {f"v{i}": rng.choice(TYPES) for i in range(rng.randint(2, 7))}
        self.loops = 0

    def name(self) -> str:
        return self.random.choice(list(self.types))

    def expression(self, depth: int = 0) -> str:
        choice, pick = self.random.random(), self.random.choice
        if depth > 2 or choice < 0.28:
            return pick([*self.types, "t", "n", str(pick(CONSTANTS)), f"a[w & {WORDS - 1}]", "s[t]", "l[t & 3]", "b[w]"])
        left, right = self.expression(depth + 1), self.expression(depth + 1)
        if choice < 0.62:
            return f"({left} {pick(['+', '-', '*', '&', '|', '^'])} {right})"
        if choice < 0.70:
            return f"((int)({left}) {pick(['<<', '>>'])} (({right}) & 31))"
        if choice < 0.76:
            return f"({left} {pick(['/', '%'])} ((unsigned)({right}) | 1u))"
        if choice < 0.80:
            return f"((int)({left}) {pick(['/', '%'])} (int)((({right}) & 1023) | 1))"
        if choice < 0.86:
            return f"({self.condition(depth + 1)} ? {left} : {right})"
        if choice < 0.93:
            form = pick(
                [
                    "__popc({0})",
                    "__clz({0})",
                    "__brev({0})",
                    "min({0}, {1})",
                    "max({0}, {1})",
                    "__ffs({0})",
                    "__mulhi({0}, {1})",
                    "(int)__umulhi({0}, {1})",
                    "__funnelshift_l({0}, {1}, ({0}) & 63)",
                    "abs({0})",
                    "__byte_perm({0}, {1}, 0x3175)",
                    "__popcll((long long)({0}) * ({1}))",
                ]
            )
            return form.format(f"(int)({left})", f"(int)({right})")
        return f"{pick(['l[({}) & 3]', f'a[({{}}) & {WORDS - 1}]'])}".format(left)

    def condition(self, depth: int = 0) -> str:
        relation = self.random.choice(["<", ">", "<=", ">=", "==", "!="])
        text = f"{self.expression(depth + 1)} {relation} {self.expression(depth + 1)}"
        if depth < 2 and self.random.random() < 0.2:
            return f"(({text}) {self.random.choice(['&&', '||'])} {self.condition(depth + 1)})"
        return f"({text})"

    def assignment(self) -> Statement:
        places = ["l[(t + 1) & 3]", f"l[{self.name()} & 3]", "b[w]", "o[w]", "c[w]"]
        target = self.random.choice([*self.types, *self.types, *places])
        return Statement(f"{target} {self.random.choice(['=', '=', '+=', '-=', '^='])} {self.expression()};")

    def atomic(self) -> Statement:
        cell = self.random.randrange(len(ATOMICS))
        return Statement(f"{ATOMICS[cell]}(&g[{cell}], (int)({self.expression()}));")

    def meeting(self) -> Statement:
        """Something in which all threads of a warp or block take part."""
        name, value, by = self.name(), f"(int)({self.expression(2)})", self.random.choice([0, 1, 2, 3, 5, 16, 31])
        whole = [width for width in (2, 4, 8, 16, 32) if self.threads % width == 0]  # a lane that is not there has no value
        width, full = self.random.choice(whole or [32]), "0xffffffffu"
        exchanges = [
            f"{name} += __shfl_xor_sync({full}, {value}, {by % width}, {width});",
            f"{name} ^= __shfl_up_sync({full}, {value}, {by % width}, {width});",
            f"{name} += __shfl_down_sync({full}, {value}, {by % width}, {width});",
            f"{name} += __shfl_sync({full}, {value}, {self.expression(2)} & 31, {width});",
        ]
        form = self.random.choice([
            *(exchanges if whole else ()),
            f"__syncthreads(); {name} += s[(t + {1 + by}) % {self.threads}]; __syncthreads(); s[t] = {value}; __syncthreads();",
            f"{name} += __ballot_sync({full}, {self.condition(2)});",
            f"{name} += __any_sync({full}, {self.condition(2)}) + 2 * __all_sync({full}, {self.condition(2)});",
            f"{name} += __match_any_sync({full}, {value} & 3);",
            f"{name} += __syncthreads_count({self.condition(2)});",
            f"{name} += __syncthreads_or({self.condition(2)}) - 3 * __syncthreads_and({self.condition(2)});",
        ])  # fmt: skip
        return Statement(form, meets=True)

    def some(self, depth: int, uniform: bool) -> tuple[Statement, ...]:
        return tuple(self.statement(depth, uniform) for _ in range(self.random.randint(1, 3)))

    def statement(self, depth: int, uniform: bool) -> Statement:
        choice, pick = self.random.random(), self.random.choice
        if choice < 0.12 and uniform and depth < 2:
            return self.meeting()
        if choice < 0.2:
            return self.atomic()
        if depth > 2 or choice < 0.55:
            return self.assignment()
        if choice < 0.72:
            inner = self.some(depth + 1, False)
            if pick([True, False]):
                return Statement(f"if {self.condition()}", inner)
            other = Statement("else", self.some(depth + 1, False))
            return Statement(Statement(f"if {self.condition()}", inner).write() + " " + other.write())
        if choice < 0.9:
            self.loops += 1
            counter, bound = f"k{self.loops}", pick(["n", "2", "(t & 3)"])
            inner = self.some(depth + 1, uniform and bound != "(t & 3)")
            if not any("__sync" in part.write() or "_sync(" in part.write() for part in inner) and self.random.random() < 0.3:
                inner += (Statement(f"if {self.condition()} {pick(['break', 'continue'])};"),)
            return Statement(f"for (int {counter} = 0; {counter} < {bound}; {counter}++)", (*inner, self.assignment()))
        cases = " ".join(f"case {k}: {self.assignment().text} {pick(['break;', ''])}" for k in range(self.random.randint(2, 4)))
        return Statement(f"switch ((int)({self.expression()}) & 3) {{ {cases} default: {self.assignment().text} }}")


def kernel(seed: int, name: str = "k") -> Kernel:
    """The kernel of a seed: always the same."""
    rng = random.Random(seed)
    threads = rng.choice([1, 3, 4, 7, 8, 13, 32, 33, 40])
    writer = _Writer(rng, threads)
    start: Callable[[], str] = lambda: rng.choice(["t", f"a[w & {WORDS - 1}]", "n", "5", "b[w]", "-1"])  # noqa: E731
    declared = tuple(Statement(f"{kind} {v} = {start()};") for v, kind in writer.types.items())
    body = tuple(writer.statement(0, True) for _ in range(rng.randint(2, 5)))
    total = " + ".join(f"{k + 1} * (long long)({v})" for k, v in enumerate(writer.types))
    results = (Statement(f"o[w] += {total};"), Statement("c[w] ^= l[t & 3] + l[n & 3];"))
    edges = (0, 1, -1, 5, -(2**31), 2**31 - 1)
    data = tuple(rng.choice([*edges, rng.getrandbits(31), -rng.getrandbits(31)]) for _ in range(WORDS))
    return Kernel(seed, declared, body, results, rng.choice([1, 1, 1, 2, 3]), threads, data, name=name)
