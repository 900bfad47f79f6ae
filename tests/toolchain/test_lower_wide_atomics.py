"""64-bit atomics: one step for every other thread, though the machine's words have 32 bits."""

import functools
import random

import pytest

from engine.machine.interpreter import Interpreter
from tests.toolchain.lowered import array, launch, one_dimensional
from toolchain.compiler import compile_cuda

M64 = 2**64 - 1
THREADS = 13
"""Of four machine warps, the last of them not full."""


def s64(word):
    return word - 2**64 if word >> 63 else word


UPDATES = {
    "atomicAdd": ("unsigned long long", lambda old, v, w: old + v),
    "atomicAnd": ("unsigned long long", lambda old, v, w: old & v),
    "atomicOr": ("unsigned long long", lambda old, v, w: old | v),
    "atomicXor": ("unsigned long long", lambda old, v, w: old ^ v),
    "atomicExch": ("unsigned long long", lambda old, v, w: v),
    "atomicMin": ("unsigned long long", lambda old, v, w: min(old, v)),
    "atomicMax": ("unsigned long long", lambda old, v, w: max(old, v)),
    "atomicMin, signed": ("long long", lambda old, v, w: old if s64(old) < s64(v) else v),
    "atomicMax, signed": ("long long", lambda old, v, w: old if s64(old) > s64(v) else v),
    "atomicCAS": ("unsigned long long", lambda old, v, w: w if old == v else old),
}


@functools.cache
def compiled(source):
    return compile_cuda(source).ptx


def values(name, count=THREADS):
    """Words whose halves meet: equal low or high words, carries, signs."""
    rng = random.Random(name)
    halves = [0, 1, 5, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]
    return [rng.choice(halves) << 32 | rng.choice(halves) for _ in range(count)]


def orders(update, start, pairs, olds):
    """The final words of all orders of the threads which explain the old values that they saw."""
    found, seen, stack = set(), set(), [(start, frozenset(range(len(pairs))))]
    while stack:
        word, pending = stack.pop()
        if (word, pending) in seen:
            continue
        seen.add((word, pending))
        if not pending:
            found.add(word)
        for thread in pending:
            if olds[thread] == word:
                following = update(word, *pairs[thread]) & M64
                stack.append((following, pending - {thread}))
                if following == word:
                    break  # it changes nothing, so that it may as well come first
    return found


@pytest.mark.parametrize("space", ["global", "shared"])
@pytest.mark.parametrize("name", UPDATES)
def test_all_threads_on_one_word_take_turns(name, space):
    kind, update = UPDATES[name]
    call = name.split(",")[0]
    third = ", w[threadIdx.x]" if call == "atomicCAS" else ""
    place, before, after = "word", "", ""
    if space == "shared":
        place = "&cell"
        before = f"__shared__ {kind} cell; if (!threadIdx.x) cell = *word; __syncthreads();"
        after = "__syncthreads(); if (!threadIdx.x) *word = cell;"
    source = f"""__global__ void k({kind} *word, const {kind} *v, const {kind} *w, {kind} *old) {{
        {before} old[threadIdx.x] = {call}({place}, v[threadIdx.x]{third}); {after} }}"""
    first, second = values(name), values(name + space)
    start = first[7]
    sign = s64 if kind == "long long" else int
    element = "int64" if kind == "long long" else "uint64"
    args = [array("word", element, [sign(start)]), array("v", element, list(map(sign, first))),
            array("w", element, list(map(sign, second))), array("old", element, THREADS)]  # fmt: skip
    outputs = launch(compiled(source), one_dimensional(THREADS, args)).outputs
    olds = [word & M64 for word in outputs["old"]]
    assert outputs["word"][0] & M64 in orders(update, start, list(zip(first, second, strict=True)), olds)


def test_lanes_with_words_of_their_own_go_together():
    source = """__global__ void k(unsigned long long *words, const unsigned long long *v) {
        atomicMax(words + threadIdx.x % 5, v[threadIdx.x]); }"""
    v = values("own")
    outcome = launch(compiled(source), one_dimensional(THREADS, [array("words", "uint64", 5), array("v", "uint64", v)]))
    assert outcome.outputs["words"] == [max(v[i::5]) for i in range(5)]


MIXED = """__global__ void k(unsigned long long *word, unsigned long long *seen, int rounds) {
    int t = threadIdx.x;
    for (int r = 0; r < rounds; r++) {
        unsigned long long old = *(volatile unsigned *)word, assumed;
        do { assumed = old; old = atomicCAS(word, assumed, assumed * 0x100000003ull + t + 1); } while (old != assumed);
        seen[2 * (t * rounds + r)] = old;
        seen[2 * (t * rounds + r) + 1] = t % 3 ? atomicExch(word, old + 0xFFFFFFFFull * (t + 1))
                                               : atomicAdd(word, 0xFFFFFFFFull * (t + 1));
    }
}"""


def mixed(rounds=3):
    args = [array("word", "uint64", [0xFFFFFFF0]), array("seen", "uint64", 2 * rounds * THREADS),
            {"name": "rounds", "type": "int32", "value": rounds}]  # fmt: skip
    return launch(compiled(MIXED), one_dimensional(THREADS, args)), rounds


def explained(outcome, rounds):
    """Whether the updates, each with the value that it saw, are a chain from the first word to the last."""
    seen = outcome.outputs["seen"]
    steps = {}
    for thread in range(THREADS):
        for r in range(rounds):
            cas, other = seen[2 * (thread * rounds + r) :][:2]
            steps.setdefault(cas, []).append((cas * 0x100000003 + thread + 1) & M64)
            base = cas if thread % 3 else other
            steps.setdefault(other, []).append((base + 0xFFFFFFFF * (thread + 1)) & M64)
    word = 0xFFFFFFF0
    while steps.get(word):
        word = steps[word].pop()
    return word == outcome.outputs["word"][0] and not any(steps.values())


def test_loops_that_wait_do_not_come_between_the_halves():
    """Lanes that lag behind in a compare-and-swap loop and other warps meet lanes that are further on, at the same word."""
    assert explained(*mixed())


def test_the_rule_that_lanes_further_on_go_first_is_what_it_rests_on(monkeypatch):
    """On a machine without the rule, halves are torn: the test above would say so."""
    original = Interpreter._schedule

    def impatient(self, token):
        running, _ = self._lanes_now()
        return self._execute(running) if running else original(self, token)

    monkeypatch.setattr(Interpreter, "_schedule", impatient)
    assert not explained(*mixed())


def test_a_sum_and_an_exchange_of_one_word():
    """Either order of the two is possible, a carry into the exchanged word is not."""
    source = """__global__ void k(unsigned long long *words) {
        unsigned long long *p = words + (threadIdx.x & 1);
        if (threadIdx.x & 2) atomicAdd(p, 1ull); else atomicExch(p, 0ull); }"""
    outcome = launch(compiled(source), one_dimensional(4, [array("words", "uint64", [0xFFFFFFFF, 7])]))
    assert all(word in (0, 1) for word in outcome.outputs["words"])


def test_an_atomic_outside_its_array_or_on_half_a_word_faults():
    source = "__global__ void k(char *a, int at) { atomicMax((unsigned long long *)(a + at), 1ull); }"
    for at in (4, 16, 2, -8):
        args = [array("a", "int8", 16), {"name": "at", "type": "int32", "value": at}]
        assert launch(compiled(source), one_dimensional(1, args)).fault is not None
