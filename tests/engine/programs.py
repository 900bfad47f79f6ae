"""Small programs for launches, assembled by hand."""

from __future__ import annotations

from engine.machine.program import Access, Allocation, Block, Exit, Operation, Program, Register, Special, Terminator

IMMEDIATE, THREAD = Special.IMMEDIATE, Special.THREAD
T0, T1, T2 = Special.T0, Special.T1, Special.T2
LINE = 12


def dot(a: list[int], b: list[int]) -> Program:
    """out[0] = sum of a[i] * b[i], a thread each: a product, then an atomic addition."""
    n = len(a)
    width = -(-n // 4) * 4
    arrays = (Allocation("a", 0, n, 1, tuple(a)), Allocation("b", width, n, 2, tuple(b)), Allocation("out", 2 * width, 1, 3))
    product = Block(
        (
            Operation("mov", a=THREAD, access=Access.LOAD, tag=1),
            Operation("add", a=THREAD, b=IMMEDIATE, immediate=width, access=Access.LOAD, tag=2),
            Operation("mul", a=T0, b=T1, destination=0),
        ),
        Terminator(Exit.JUMP, 1),
    )
    add = Block(
        (
            Operation("mov", a=IMMEDIATE, immediate=2 * width, access=Access.LOAD, tag=3),
            Operation("add", a=T0, b=Register(0)),
            Operation("mov", a=IMMEDIATE, c=T1, immediate=2 * width, access=Access.STORE, tag=3),
        ),
        Terminator(Exit.EXIT),
        serial=True,
    )
    return Program("dot", (product, add), arrays, n)


def stores(index: int, threads: int = 4, words: int = 4) -> Program:
    """Every thread stores its number at out[index + thread]; `line` 12 of the source."""
    store = Block(
        (
            Operation(
                "add", a=THREAD, b=IMMEDIATE, c=THREAD, immediate=(8 + index) % 2**32, access=Access.STORE, tag=1, line=LINE
            ),
        ),
        Terminator(Exit.EXIT),
    )
    return Program("stores", (store,), (Allocation("out", 8, words, 1), Allocation("other", 64, 4, 2)), threads)


def endless() -> Program:
    """A loop without an end."""
    return Program("endless", (Block((), Terminator(Exit.JUMP, 0)),), (), 1)


def split_barrier() -> Program:
    """Odd and even threads wait at different barriers."""
    branch = Block(
        (Operation("and", a=THREAD, b=Special.ONE), Operation("setp.eq", a=T0, b=Special.ONE)), Terminator(Exit.BRANCH, 1, 2)
    )
    return Program(
        "split",
        (
            branch,
            Block((), Terminator(Exit.CTA_BARRIER, 3, site=0)),
            Block((), Terminator(Exit.CTA_BARRIER, 3, site=1)),
            Block((), Terminator(Exit.EXIT)),
        ),
        (),
        8,
    )


def stepping(threads: int) -> Program:
    """out[thread] = 1000 * thread + 7, then a barrier, then out[thread] += out[threads - 1 - thread] by each warp."""
    arrays = (Allocation("out", 0, threads, 1),)
    first = Block(
        (
            Operation("mad", a=THREAD, b=IMMEDIATE, c=Special.ZERO, immediate=1000),
            Operation("add", a=T0, b=IMMEDIATE, immediate=7),
            Operation("mov", a=THREAD, c=T1, access=Access.STORE, tag=1),
        ),
        Terminator(Exit.CTA_BARRIER, 1),
    )
    second = Block(
        (Operation("sub", a=IMMEDIATE, b=THREAD, immediate=threads - 1, access=Access.LOAD, tag=1, destination=3),),
        Terminator(Exit.CTA_BARRIER, 2, site=1),
    )
    third = Block(
        (
            Operation("mov", a=THREAD, access=Access.LOAD, tag=1),
            Operation("add", a=T0, b=Register(3)),
            Operation("mov", a=THREAD, c=T1, access=Access.STORE, tag=1),
        ),
        Terminator(Exit.EXIT),
    )
    return Program("stepping", (first, second, third), arrays, threads)
