"""A warning for memory that is read before it is written: which reads give one, and which do not."""

import json
from pathlib import Path

import pytest

from app.kernels import Kernel
from app.pipeline import Job, Options, Session
from engine.machine.interpreter import Interpreter
from engine.replay import EarlyReads, require_exact
from tests.toolchain.lowered import array, one_dimensional
from toolchain.compiler import compile_cuda
from toolchain.launch import parse_launch
from toolchain.lower import lower
from toolchain.ptx import parse_ptx

pytest_plugins = ("tests.app.interpreted",)

HEAD = "__global__ void k(int *o, int *a) {\n int t = threadIdx.x;\n"


def warnings(source, document):
    """What a launch warns of, with the interpreter as machine."""
    lowered = lower(parse_ptx(compile_cuda(source).ptx, "kernel.cu"), parse_launch(document))
    machine = Interpreter()
    token = machine.step(machine.load(lowered.program)[-1])
    generated = []
    while token is not None:
        generated.append(token)
        token = machine.step(token)
    reads = EarlyReads(lowered.program)
    require_exact(lowered.program, generated, watch=reads.see)
    assert generated[-1].kind == "END"
    return Kernel(lowered, "", 0.0, "").warnings(list(reads.found.values()))


TRUE = {
    "shared memory that one thread left out": (
        "__shared__ int s[8];\n if (t != 5) s[t] = t; __syncthreads();\n o[t] = s[t ^ 1];",
        ["thread 4 reads s[5] before anything has written it; it is 0 here - kernel k, line 5"],
    ),
    "an atomic on shared memory": (
        # behind the barrier the warp goes first that came last
        "__shared__ int s[2];\n if (!t) s[0] = 0; __syncthreads();\natomicAdd(&s[t & 1], t); __syncthreads(); o[t] = s[t & 1];",
        ["thread 5 reads s[1] before anything has written it; it is 0 here - kernel k, line 5"],
    ),
    "an array given by its size": (
        "\n o[t] = o[t + 1 & 7];",
        ["thread 0 reads o[1] before anything has written it; it is 0 here - kernel k, line 4"],
    ),
    "a local array": (
        "int l[6]; for (int i = 0; i < a[0]; i++) l[i] = t;\n o[t] = l[a[t] & 5];",
        ["thread 0 reads local memory before anything has written it; it is 0 here - kernel k, line 4"],
    ),
}
FALSE = {
    "written in time": "__shared__ int s[8]; s[t] = t; __syncthreads(); o[t] = s[t ^ 1];",
    "a sum in an array of zeros": "atomicAdd(o, t);",
    "data that is zero": "o[t] = a[t];",
    "bytes of a word": "((char *)o)[t] = t;",
    "bytes of shared memory": "__shared__ unsigned char s[8]; s[t] = t; __syncthreads(); o[t] = s[7 - t];",
    "device memory, which begins as zero": "o[t] = table[t]; if (!t) total += 3;",
    "a read that does not happen": "__shared__ int s[8]; if (t < 4) s[t] = t; __syncthreads(); o[t] = t < 4 ? s[t] : 0;",
    "an inner loop that does not run": "int v = 0; for (int i = 0; i < a[t]; i++) v += o[i + 8]; o[t] = v;",
    "votes and shuffles": "o[t] = __shfl_xor_sync(~0u, t, 1) + __ballot_sync(~0u, t & 1) + __syncthreads_count(t & 1);",
    "a local array that is written": "int l[4]; for (int i = 0; i < 4; i++) l[i] = a[t] + i; o[t] = l[a[t] & 3];",
}


@pytest.mark.parametrize("name", TRUE)
def test_a_read_of_what_nothing_wrote_is_named(name):
    body, expected = TRUE[name]
    given = [4, 4, 4, 5, 0, 0, 0, 0]
    found = warnings(HEAD + body + "}", one_dimensional(8, [array("o", "int32", 8), array("a", "int32", given)]))
    assert found == expected


@pytest.mark.parametrize("name", FALSE)
def test_no_false_alarm(name):
    source = "__device__ int table[8], total;\n" + HEAD + FALSE[name] + "}"
    assert warnings(source, one_dimensional(8, [array("o", "int32", 16), array("a", "int32", [0] * 8)])) == []


@pytest.mark.usefixtures("interpreted")
def test_a_run_says_it_and_still_gives_its_result(tmp_path, paths):
    source = tmp_path / "kernel.cu"
    source.write_text("""__global__ void k(int *o) {
        __shared__ int s[4]; int t = threadIdx.x; if (t > 9) s[t & 3] = 7; __syncthreads(); o[t] = s[t] + 1; }""")
    notes = []
    job = Job(Path(source), json.loads(json.dumps(one_dimensional(4, [array("o", "int32", 4)]))), "launch")
    result = Session(Options(), paths, notes.append).run(job).as_json()
    assert result["outputs"] == {"o": [1, 1, 1, 1]}
    assert result["warnings"] == notes
    assert notes[0].startswith("thread 0 reads s[0] before anything has written it")
