"""From CUDA text to arrays and error lines through everything but the weights, as a user meets it."""

import json

import pytest

from app.cli import entry

pytest_plugins = ("tests.app.interpreted",)

KINDS = {2: ("usage", "input", "compile"), 3: ("unsupported", "fault")}


def array(name, values, kind="int32*"):
    return {"name": name, "type": kind, "value": values}


def scalar(name, value, kind="int32"):
    return {"name": name, "type": kind, "value": value}


def launch_of(*arguments, block=1, grid=1, kernel="k", **more):
    return {"kernel": kernel, "grid": [grid], "block": [block], "args": list(arguments), **more}


@pytest.fixture
def run(tmp_path, capsys, interpreted):
    """Run CUDA source with a launch: exit code, the JSON that was printed, the lines of stderr."""

    def run(source, launch, *options):
        kernel = tmp_path / "k.cu"
        kernel.write_bytes(source if isinstance(source, bytes) else source.encode())
        path = tmp_path / "launch.json"
        path.write_text(json.dumps(launch))
        code = entry.invoke(["run", str(kernel), "--launch", str(path), "--json", *options])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return code, json.loads(out), err.splitlines()

    return run


def test_the_dot_product(run, tmp_path):
    trace = tmp_path / "trace.jsonl"
    source = "__global__ void dot(const int *a, const int *b, int *out) { atomicAdd(out, a[threadIdx.x] * b[threadIdx.x]); }"
    launch = launch_of(
        array("a", [1, 2, 3]), array("b", [4, 5, 6]), {"name": "out", "type": "int32*", "size": 1}, block=3, kernel="dot"
    )
    code, result, err = run(source, launch, "--trace", str(trace))
    assert (code, err) == (0, []) and result["outputs"] == {"a": [1, 2, 3], "b": [4, 5, 6], "out": [32]}
    assert set(result) == {"outputs", "runtime", "device", "tokens", "passes", "replay", "seconds", "compiler", "checkpoint"}
    assert set(result["seconds"]) == {"compile", "launch"} and result["replay"] == "exact"
    assert result["tokens"]["generated"] <= 20 and result["compiler"].startswith("zig clang ")
    lines = [json.loads(line) for line in trace.read_text().splitlines()]
    assert len(lines) == sum(result["tokens"].values()) and [line["i"] for line in lines] == list(range(len(lines)))
    assert set(lines[0]) == {"i", "id", "token", "source", "block", "warp", "mask", "writes"}
    assert sum(line["source"] == "host" for line in lines) == result["tokens"]["prompt"]


@pytest.mark.parametrize(
    ("kind", "values", "added"),
    [
        ("int8", [127, -128, -1], [-128, -127, 0]),
        ("uint8", [255, 0, 7], [0, 1, 8]),
        ("int16", [32767, -1, 5], [-32768, 0, 6]),
        ("uint16", [65535, 1, 2], [0, 2, 3]),
        ("int32", [2**31 - 1, -1, 0], [-(2**31), 0, 1]),
        ("uint32", [2**32 - 1, 9], [0, 10]),
        ("int64", [2**63 - 1, -1, 2**32 - 1], [-(2**63), 0, 2**32]),
        ("uint64", [2**64 - 1, 2**40], [0, 2**40 + 1]),
    ],
)
def test_arrays_of_every_type_come_back_as_numbers_of_that_type(run, kind, values, added):
    names = {
        "int8": "signed char",
        "uint8": "unsigned char",
        "int16": "short",
        "uint16": "unsigned short",
        "int32": "int",
        "uint32": "unsigned",
        "int64": "long long",
        "uint64": "unsigned long long",
    }
    # one thread: neighbouring bytes share a word, and who writes last is another kernel's test
    source = f"__global__ void k({names[kind]} *a, int n) {{ for (int i = 0; i < n; i++) a[i] += 1; }}"
    code, result, err = run(source, launch_of(array("a", values, f"{kind}*"), scalar("n", len(values))))
    assert (code, err) == (0, []) and result["outputs"] == {"a": added}


def test_a_shared_array_with_an_arguments_name_is_not_mixed_up(run):
    source = """__global__ void k(int *out) {
        __shared__ int s[4];
        s[threadIdx.x] = 100 + threadIdx.x; __syncthreads(); out[threadIdx.x] = s[3 - threadIdx.x]; }"""
    code, result, _ = run(source, launch_of({"name": "s", "type": "int32*", "size": 4}, block=4))
    assert code == 0 and result["outputs"] == {"s": [103, 102, 101, 100]}


def test_a_template_is_instantiated_by_its_launch(run):
    code, result, _ = run("template <int N> __global__ void k(int *a) { a[0] = N; }", launch_of(array("a", [1]), kernel="k<7>"))
    assert code == 0 and result["outputs"] == {"a": [7]}


STORE = "__global__ void k(int *a) { a[0] = 1; }"
REFUSED = {
    "syntax": ("__global__ void k(int *a) {\n  a[0] = 1\n}", launch_of(array("a", [0])), 2, "compile", "k.cu:2:11"),
    "include": ("#include </etc/passwd>\n" + STORE, launch_of(array("a", [0])), 2, "compile", "k.cu:1:10"),
    "assembly": ('__global__ void k(int *a) { asm("nop;"); }', launch_of(array("a", [0])), 2, "compile", "inline assembly"),
    "unknown kernel": (STORE, launch_of(array("a", [0]), kernel="q"), 2, "input", "it has: k(int*)"),
    "unknown template": (STORE, launch_of(array("a", [0]), kernel="q<3>"), 2, "input", "'q<3>' is not a kernel of this file"),
    "empty source": ("", launch_of(array("a", [0])), 2, "input", "'k' is not a kernel of this file"),
    "not UTF-8": (b"__global__ void k(int *a) {\n\n\xff }", launch_of(array("a", [0])), 2, "input", "k.cu:3"),
    "NUL": (b"__global__ void k(int *a) {\n\0 }", launch_of(array("a", [0])), 2, "input", "k.cu:2"),
    "huge source": (b"//" + b"x" * 300_000, launch_of(array("a", [0])), 2, "input", "too large"),
    "no arguments": (STORE, launch_of(), 2, "input", "has 1 parameters, the launch gives 0"),
    "an argument too many": (STORE, launch_of(array("a", [0]), array("b", [0])), 2, "input", "the launch gives 2"),
    "scalar for pointer": (STORE, launch_of(scalar("a", 1)), 2, "input", "parameter of type int*"),
    "another element type": (STORE, launch_of(array("a", [1], "int64*")), 2, "input", "array of int64"),
    "value out of range": (STORE, launch_of(array("a", [2**31])), 2, "input", "2147483648 is outside"),
    "unknown type": (STORE, launch_of(array("a", [1], "int128*")), 2, "input", "unknown type"),
    "text for a number": (STORE, launch_of(array("a", ["1"])), 2, "input", '"1" is no int32'),
    "launch without args": (STORE, {"kernel": "k", "block": [1]}, 2, "input", "'args' is missing"),
    "launch that is a list": (STORE, [1], 2, "input", "not a JSON object"),
    "no threads": (STORE, launch_of(array("a", [0]), block=0), 2, "input", "0 is outside 1..1024"),
    "float too large": ("__global__ void k(float x) {}", launch_of(scalar("x", 1e300, "float32")), 2, "input", "1e+300"),
    "too many threads": (
        STORE,
        launch_of(array("a", [0]), block=65),
        3,
        "unsupported",
        "threads of a block: 65 needed, the machine has 64",
    ),
    "too many words": (
        STORE,
        launch_of({"name": "a", "type": "int32*", "size": 5000}),
        3,
        "unsupported",
        "the machine has 2,048",
    ),
    "too much shared memory": (
        "__global__ void k(int *a) { __shared__ int s[4000]; s[threadIdx.x] = a[0]; __syncthreads(); a[0] = s[a[1]]; }",
        launch_of(array("a", [1, 0])),
        3,
        "unsupported",
        "array s",
    ),
    "float": (
        "__global__ void k(float *a) {\n  a[0] = a[1] * 2.0f;\n}",
        launch_of(array("a", [1, 2], "float32*")),
        3,
        "unsupported",
        "line 2",
    ),
    "beyond the end": (
        "__global__ void k(int *a) {\n  a[threadIdx.x] = 1;\n}",
        launch_of(array("a", [0] * 4), block=6),
        3,
        "fault",
        "a write of a[4], which has 4 elements - kernel k, line 2, thread 4",
    ),
    "before the start": (
        "__global__ void k(long long *a) { a[-1] = 1; }",
        launch_of(array("a", [0] * 4, "int64*")),
        3,
        "fault",
        "a write of a[-1], which has 4 elements",
    ),
    "barrier": (
        "__global__ void k(int *a) { if (threadIdx.x & 1) __syncthreads(); else a[0] = 1; __syncthreads(); }",
        launch_of(array("a", [0]), block=8),
        3,
        "fault",
        "a barrier cannot complete",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_is_named(run, case):
    source, launch, code, kind, message = REFUSED[case]
    got, out, err = run(source, launch)
    assert got == code and out["error"]["kind"] == kind, err
    assert len(err) == 1 and message in err[0] and err[0] == f"error: {' '.join(out['error']['message'].split())}"


def test_an_endless_loop_ends_at_the_token_limit(run):
    source = "__global__ void k(volatile int *a) { while (a[0] == 0) a[1]++; }"
    code, out, err = run(source, launch_of(array("a", [0, 0])), "--max-tokens", "500")
    assert code == 3 and out["error"]["kind"] == "fault" and "has not ended after 500 tokens" in err[0]


def test_a_batch_opens_one_engine(tmp_path, capsys, interpreted):
    (tmp_path / "k.cu").write_text(STORE)
    jobs = [
        {"kernel": str(tmp_path / "k.cu"), "launch": launch_of(array("a", [0]))},
        {"kernel": str(tmp_path / "missing.cu"), "launch": launch_of()},
        {"kernel": str(tmp_path), "launch": launch_of()},
        {"kernel": str(tmp_path / "k.cu"), "launch": launch_of(array("a", [0]), block=65)},
        {"kernel": str(tmp_path / "k.cu"), "launch": launch_of(array("a", [5, 6]))},
    ]
    (tmp_path / "jobs.jsonl").write_text("".join(json.dumps(job) + "\n" for job in jobs))
    code = entry.invoke(["run", "--batch", str(tmp_path / "jobs.jsonl")])
    out, err = capsys.readouterr()
    lines = [json.loads(line) for line in out.splitlines()]
    assert code == 3 and len(interpreted) == 1 and len(err.splitlines()) == 3
    assert [line.get("error", {}).get("kind") for line in lines] == [None, "input", "input", "unsupported", None]
    assert lines[4]["outputs"] == {"a": [1, 6]}
    assert "No such file" in lines[1]["error"]["message"] and "directory" in lines[2]["error"]["message"].lower()


def test_ptx_is_accepted_as_it_is(tmp_path, capsys, interpreted):
    from toolchain.compiler import compile_cuda

    (tmp_path / "k.ptx").write_text(compile_cuda(STORE).ptx)
    (tmp_path / "launch.json").write_text(json.dumps(launch_of(array("a", [0]))))
    assert entry.invoke(["run", str(tmp_path / "k.ptx"), "--launch", str(tmp_path / "launch.json"), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["outputs"] == {"a": [1]} and result["compiler"] == "given"


def test_a_trace_in_a_folder_that_does_not_exist(run, tmp_path):
    code, out, _ = run(STORE, launch_of(array("a", [0])), "--trace", str(tmp_path / "no" / "trace.jsonl"))
    assert code == 2 and "the trace cannot be written" in out["error"]["message"]


def test_the_self_test(capsys, interpreted):
    assert entry.invoke(["--self-test"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("exact: ") and err == ""


def test_a_self_test_with_a_wrong_result(capsys, interpreted, monkeypatch):
    from app import selftest

    monkeypatch.setitem(selftest.EXPECTED, "out", [33])
    assert entry.invoke(["--self-test", "--json"]) == 4
    out, err = capsys.readouterr()
    assert json.loads(out)["error"]["kind"] == "mismatch" and "out is [32], not [33]" in err
