"""Batches, with a session that answers as each job's launch says: order, errors per job, exit codes, one engine."""

import json
from pathlib import Path

import pytest

from app.cli import entry
from app.cli import run as command
from app.cli.run import numbered, read_jobs
from app.pipeline import Job, Result
from engine.machine.errors import Cancelled, CompileError, FaultError, InputError, MismatchError, UnsupportedError

RESULT = Result(
    outputs={"out": [32]},
    runtime="compact",
    device="cpu",
    prompt=250,
    generated=14,
    passes=264,
    replay="exact",
    compile_seconds=0.1,
    launch_seconds=0.2,
    compiler="zig clang 21.1.0",
    checkpoint="ab" * 32,
)
JSON = {
    "outputs": {"out": [32]},
    "runtime": "compact",
    "device": "cpu",
    "tokens": {"prompt": 250, "generated": 14},
    "passes": 264,
    "replay": "exact",
    "seconds": {"compile": 0.1, "launch": 0.2},
    "compiler": "zig clang 21.1.0",
    "checkpoint": "ab" * 32,
}
FAILURES = {
    "compile": CompileError("expected ';'", "k.cu:3:1", "correct the source"),
    "defect": ZeroDivisionError("odd"),
    "unsupported": UnsupportedError("float", "k.cu:2", "use integers"),
    "fault": FaultError("out of bounds"),
    "mismatch": MismatchError("token 5 differs"),
    "memory": MemoryError(),
    "stop": KeyboardInterrupt(),
}
GOOD = {"kernel": "k.cu", "launch": {}}


class FakeSession:
    """Answers every job with RESULT, or fails as its launch says."""

    def __init__(self, options, paths, note):
        self.options, self.opened, self.jobs = options, 0, []
        FakeSession.last = self

    def open(self):
        self.opened += 1

    def run(self, job, trace):
        self.jobs.append((job, trace))
        if isinstance(job.launch, dict) and "fail" in job.launch:
            raise FAILURES[job.launch["fail"]]
        return RESULT


@pytest.fixture(autouse=True)
def session(monkeypatch):
    monkeypatch.setattr(command, "Session", FakeSession)


@pytest.fixture
def run(tmp_path, capsys):
    """Run a batch of the given lines: exit code, the JSON lines of stdout, the lines of stderr."""

    def run(*lines, options=()):
        batch = tmp_path / "jobs.jsonl"
        batch.write_bytes(b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines) + b"\n")
        code = entry.invoke(["run", "--batch", str(batch), *options])
        out, err = capsys.readouterr()
        return code, [json.loads(line) for line in out.splitlines()], err.splitlines()

    return run


def failing(kind):
    return {"kernel": "k.cu", "launch": {"fail": kind}}


def test_a_result_line_a_job_in_order(run):
    code, lines, err = run(GOOD, GOOD, GOOD)
    assert (code, err) == (0, []) and lines == [{"job": number, **JSON} for number in range(3)]
    assert FakeSession.last.opened == 1


@pytest.mark.parametrize(
    ("kind", "code"), [("compile", 2), ("unsupported", 3), ("fault", 3), ("mismatch", 4), ("memory", 5), ("defect", 1)]
)
def test_a_job_that_fails_does_not_stop_the_others(run, kind, code):
    got, lines, err = run(GOOD, failing(kind), GOOD, options=["--json"])
    assert got == code and [line["job"] for line in lines] == [0, 1, 2]
    assert "error" in lines[1] and lines[0] == {"job": 0, **JSON} and lines[2] == {"job": 2, **JSON}
    assert len(err) == 1 and err[0].startswith("error: job 1: ") and lines[1]["error"]["message"].split(" - ")[0] in err[0]


def test_the_exit_code_is_the_largest(run):
    code, lines, err = run(failing("fault"), failing("compile"), GOOD, failing("mismatch"), failing("compile"))
    assert code == 4 and len(lines) == 5 and len(err) == 4
    assert [line.get("error", {}).get("kind") for line in lines] == ["fault", "compile", None, "mismatch", "compile"]


def test_broken_lines_are_jobs_that_fail(run):
    code, lines, _ = run(
        GOOD,
        b'{"kernel": "k.cu", "launch": {}',
        b"",
        b"  ",
        b"[1]",
        b'{"kernel": "k.cu"}',
        {"kernel": 5, "launch": {}},
        {"kernel": "", "launch": {}},
        {**GOOD, "extra": 1},
        b"\xff\xfe",
        b"[" * 50_000,
        GOOD,
    )
    assert code == 2 and [line["job"] for line in lines] == list(range(10))
    assert lines[0] == {"job": 0, **JSON} and lines[9] == {"job": 9, **JSON}
    messages = [line["error"]["message"] for line in lines[1:9]]
    for message, (what, number) in zip(
        messages,
        [
            ("malformed JSON", 2),
            ("a job is a JSON object", 5),
            ("no 'launch'", 6),
            ("not the path", 7),
            ("not the path", 8),
            ("no key 'extra'", 9),
            ("not UTF-8", 10),
            ("nested too deeply", 11),
        ],
        strict=True,
    ):
        assert what in message and f"jobs.jsonl:{number}" in message


def test_a_line_that_is_too_long_is_skipped_whole(run, monkeypatch):
    monkeypatch.setattr(command, "MAX_JSON_BYTES", 100)
    code, lines, _ = run(GOOD, b'"' + b"x" * 300 + b'"', GOOD)
    assert code == 2 and len(lines) == 3 and "too long" in lines[1]["error"]["message"]


@pytest.mark.parametrize("content", [b"", b"\n \n\n"])
def test_a_batch_without_jobs(tmp_path, capsys, content):
    (tmp_path / "jobs.jsonl").write_bytes(content)
    assert entry.invoke(["run", "--batch", str(tmp_path / "jobs.jsonl")]) == 2
    assert "the batch has no jobs" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "reason"), [("missing.jsonl", "No such file"), ("", "Is a directory")])
def test_a_batch_that_cannot_be_read(tmp_path, capsys, name, reason):
    assert entry.invoke(["run", "--batch", str(tmp_path / name)]) == 2
    assert reason in capsys.readouterr().err


def test_only_the_user_stops_a_batch(run):
    code, lines, err = run(GOOD, failing("stop"), GOOD, options=["--json"])
    assert code == 130 and [line.get("job") for line in lines] == [0, None]
    assert lines[1]["error"]["kind"] == "cancelled" and len(err) == 1
    FAILURES["stopped"] = Cancelled("stopped")
    assert run(failing("stopped"), GOOD)[0] == 130


def test_results_are_written_as_they_are_done(tmp_path, monkeypatch, capsys):
    seen = []
    monkeypatch.setattr(FakeSession, "run", lambda self, job, trace: seen.append(capsys.readouterr().out) or RESULT)
    (tmp_path / "jobs.jsonl").write_text(f"{json.dumps(GOOD)}\n" * 3)
    entry.invoke(["run", "--batch", str(tmp_path / "jobs.jsonl")])
    assert seen[0] == "" and [json.loads(text)["job"] for text in seen[1:]] == [0, 1]


def test_options_and_jobs_reach_the_session(run, tmp_path):
    run(
        {"kernel": "a.ptx", "launch": {"grid": [2]}},
        GOOD,
        options=[
            "--runtime",
            "transformers",
            "--device",
            "cpu",
            "--max-tokens",
            "7",
            "--checkpoint",
            "c",
            "--trace",
            str(tmp_path / "t.jsonl"),
        ],
    )
    last = FakeSession.last
    assert (last.options.checkpoint, last.options.runtime, last.options.device, last.options.max_tokens) == (
        Path("c"),
        "transformers",
        "cpu",
        7,
    )
    (first, trace), (_, second_trace) = last.jobs
    assert (first.kernel, first.launch, first.where) == (Path("a.ptx"), {"grid": [2]}, f"{tmp_path / 'jobs.jsonl'}:1")
    assert (trace, second_trace) == (tmp_path / "t-0.jsonl", tmp_path / "t-1.jsonl")


def test_trace_names():
    assert numbered(None, 3) is None and numbered(Path("a/b.jsonl"), 3) == Path("a/b-3.jsonl")


def test_jobs_are_read_as_they_are_needed(tmp_path):
    batch = tmp_path / "jobs.jsonl"
    batch.write_text(json.dumps(GOOD) + "\n{broken\n")
    jobs = read_jobs(batch)
    assert isinstance(next(jobs), Job) and isinstance(next(jobs), InputError) and next(jobs, None) is None


def test_a_single_run_for_people_and_for_machines(tmp_path, capsys):
    (tmp_path / "launch.json").write_text("{}")
    arguments = ["run", "k.cu", "--launch", str(tmp_path / "launch.json")]
    assert entry.invoke(arguments) == 0
    out, err = capsys.readouterr()
    assert err == "" and out.splitlines() == [
        "out = [32]",
        "14 tokens generated behind a prompt of 250, replay exact, 0.20 s (compact on cpu)",
    ]
    assert entry.invoke([*arguments, "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == JSON and len(out.splitlines()) == 1 and err == ""
