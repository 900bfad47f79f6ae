"""Launch records for tests: made by the reference interpreter, from kernels that clang compiles or from blocks written here."""

from functools import cache
from pathlib import Path

from app.compute.kernels import launch_kernel
from app.compute.launching import LaunchRecord, numbers_of
from app.compute.programs import to_plain
from app.compute.receipts import Receipt
from app.inspection.records import Record, check_record
from engine.machine.interpreter import Interpreter
from engine.machine.program import Access, Allocation, Block, Exit, Operation, Program, Register, Special, Terminator
from tests.app.fast import FastMachine

EXAMPLES = Path(__file__).parents[3] / "resources" / "examples"
BARRIER = """__global__ void total(const int *x, int *out) {
    __shared__ int sums[8];
    int i = threadIdx.x;
    sums[i] = x[i];
    __syncthreads();
    for (int step = 4; step > 0; step /= 2) {
        if (i < step) sums[i] += sums[i + step];
        __syncthreads();
    }
    if (i == 0) out[blockIdx.x] = sums[0];
}
"""
BARRIER_LAUNCH = {
    "kernel": "total",
    "grid": [2, 1, 1],
    "block": [8, 1, 1],
    "args": [
        {"name": "x", "type": "int32*", "value": [5, -3, 100, 7, 70000, 1, -9, 4]},
        {"name": "out", "type": "int32*", "size": 2},
    ],
}
DOT_LAUNCH = {
    "kernel": "dot",
    "grid": [1, 1, 1],
    "block": [3, 1, 1],
    "args": [
        {"name": "a", "type": "int32*", "value": [1, 2, 3]},
        {"name": "b", "type": "int32*", "value": [4, 5, 6]},
        {"name": "out", "type": "int32*", "size": 1},
        {"name": "n", "type": "int32", "value": 3},
    ],
}


def receipt(*launches: LaunchRecord, expression: str = "") -> Receipt:
    return Receipt(
        id="r1",
        expression=expression,
        names={},
        value=None,
        extra={},
        launches=launches,
        checkpoint="f" * 64,
        created="2026-11-30T19:00:00Z",
        program="0.1.0",
        seconds=0.2,
    )


@cache
def dot() -> Record:
    """The dot product of the examples: 14 generated tokens."""
    source = (EXAMPLES / "dot.cu").read_text()
    return check_record(receipt(launch_kernel(source, "dot.cu", DOT_LAUNCH, FastMachine())))


@cache
def barriers() -> Record:
    """Two blocks of eight threads that meet at barriers and share memory."""
    return check_record(receipt(launch_kernel(BARRIER, "total.cu", BARRIER_LAUNCH, FastMachine())))


def counting(rounds: int) -> Record:
    """A loop of three tokens a round: r0 counts down from `rounds`, then one word is stored."""
    blocks = (
        Block((Operation("mov", Special.IMMEDIATE, immediate=rounds, destination=0),), Terminator(Exit.JUMP, 1)),
        Block(
            (
                Operation("sub", Register(0), Special.ONE, destination=0, line=2),
                Operation("setp.ne", Special.T0, Special.ZERO, line=2),
            ),
            Terminator(Exit.BRANCH, 1, 2),
        ),
        Block((Operation("mov", Special.IMMEDIATE, c=Special.ONE, access=Access.STORE, tag=1, line=3),), Terminator(Exit.EXIT)),
    )
    program = Program("count", blocks, (Allocation("out", 0, 4, 1),), 1)
    ran = FastMachine().launch(program, 10_000_000)
    launch = {"kernel": "count", "grid": [1, 1, 1], "block": [1, 1, 1], "args": [{"name": "out", "type": "int32*", "size": 4}]}
    return check_record(
        receipt(
            LaunchRecord(
                function="count",
                cuda="",
                ptx="",
                compiler="",
                launch=launch,
                program=to_plain(program),
                outputs={"out": [1, 0, 0, 0]},
                prompt=numbers_of(ran.prompt),
                generated=numbers_of(ran.generated),
                replay="exact",
                passes=0,
                seconds=0.0,
            )
        )
    )


def fresh(record: Record, position: int) -> Interpreter:
    """An interpreter that has consumed the stream up to a position, and nothing else."""
    launch = record.launches[0]
    interpreter = Interpreter()
    interpreter.learn(launch.program.blocks)
    for token in (*launch.prompt, *launch.generated)[: position + 1]:
        interpreter.step(token)
    return interpreter


def state_of(machine: Interpreter) -> dict:
    """Everything of a machine's state that can be compared."""
    left_out = ("spec", "program", "terminators", "_rows", "_ends")
    return {name: value for name, value in vars(machine).items() if name not in left_out} | {"rows": len(machine.program)}
