"""The border of the program, driven as a user does: exit codes, one-line errors, JSON, no tracebacks."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.cli import entry
from app.cli.console import Console, one_line
from app.failures import InternalError, as_named
from engine.machine.errors import Cancelled, EnvironmentProblem, InputError, UsageError

ROOT = Path(__file__).parents[2]


def qwengpu(*arguments, **options):
    """The program in a process of its own, as the console script starts it."""
    return subprocess.run(
        [sys.executable, "-m", "app", *map(str, arguments)], cwd=ROOT, capture_output=True, text=True, timeout=120, **options
    )


def invoke(capsys, *arguments):
    """The program in this process: exit code, stdout, stderr."""
    code = entry.invoke([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return code, out, err


def the_error(err):
    """The one error line."""
    lines = err.splitlines()
    assert len(lines) == 1 and lines[0].startswith("error: ") and "Traceback" not in err, err
    return lines[0]


# ---------------------------------------------------------------- usage
USAGE = [
    (("chat", "--json"), "--json needs --prompt", "give --prompt TEXT"),
    (("eval", "--set", "huge"), "invalid choice: 'huge'", "--help"),
    (("eval", "--way", "guessing"), "invalid choice: 'guessing'", "--help"),
    (("launch",), "no command 'launch'", "available now: run, chat, eval, build, verify, doctor"),
    (("--json",), "no command", "available now: run"),
    (("--frobnicate",), "unrecognized arguments: --frobnicate", "see 'qwengpu --help'"),
    (("run",), "no KERNEL", "see 'qwengpu run --help'"),
    (("run", "k.cu"), "no --launch", "see 'qwengpu run --help'"),
    (("run", "--launch", "l.json"), "no KERNEL", "--batch"),
    (("run", "k.cu", "--batch", "j.jsonl"), "--batch names its own kernels", "leave out KERNEL"),
    (("run", "k.cu", "--launch"), "expected one argument", "see 'qwengpu run --help'"),
    (("run", "k.cu", "--launch", "l.json", "extra"), "unrecognized arguments: extra", "see 'qwengpu"),
    (("run", "k.cu", "--launch", "l.json", "--max-tokens", "0"), "'0' is not a positive integer", "--help"),
    (("run", "k.cu", "--launch", "l.json", "--max-tokens", "-5"), "'-5' is not a positive integer", "--help"),
    (("run", "k.cu", "--launch", "l.json", "--max-tokens", "many"), "'many' is not a positive integer", "--help"),
    (("run", "k.cu", "--launch", "l.json", "--runtime", "cuda"), "invalid choice: 'cuda'", "--help"),
    (("run", "k.cu", "--launch", "l.json", "--device", "tpu"), "invalid choice: 'tpu'", "--help"),
    (("run", "k.cu", "--laun", "l.json"), "unrecognized arguments: --laun", "--help"),
    (("doctor", "now"), "unrecognized arguments: now", "--help"),
]


@pytest.mark.parametrize(
    ("arguments", "what", "remedy"), USAGE, ids=lambda value: " ".join(value) or "nothing" if isinstance(value, tuple) else ""
)
def test_wrong_usage_says_what_and_what_to_do(capsys, arguments, what, remedy):
    code, out, err = invoke(capsys, *arguments)
    line = the_error(err)
    assert code == 2 and what in line and remedy in line and " - " in line
    assert not out or "--json" in arguments


def test_usage_errors_are_json_too(capsys):
    code, out, err = invoke(capsys, "run", "--json", "--runtime", "gpu")
    error = json.loads(out)["error"]
    assert code == 2 and error["kind"] == "usage" and "invalid choice: 'gpu'" in error["message"]
    assert the_error(err) == f"error: {error['message']}"


def test_version_and_help(capsys):
    code, out, err = invoke(capsys, "--version")
    assert (code, err) == (0, "") and out.startswith("qwengpu ") and len(out.splitlines()) == 1
    code, out, err = invoke(capsys, "--help")
    assert (code, err) == (0, "") and all(name in out for name in ("run", "build", "verify", "doctor"))
    code, out, _ = invoke(capsys, "run", "--help")
    assert code == 0 and "--max-tokens" in out and "(default: 1000000)" in out


def test_a_usage_error_comes_at_once():
    start = time.monotonic()
    answer = qwengpu("run", "k.cu", "--runtime", "gpu")
    assert answer.returncode == 2 and answer.stdout == "" and the_error(answer.stderr)
    assert time.monotonic() - start < 5, "something heavy is imported"


def test_the_console_script_is_the_same_program():
    code = "import sys; from app.__main__ import main; sys.exit(main())"
    answer = subprocess.run([sys.executable, "-c", code, "--version"], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert answer.returncode == 0 and answer.stdout == qwengpu("--version").stdout


# ---------------------------------------------------------------- files
@pytest.fixture
def launch(tmp_path):
    path = tmp_path / "launch.json"
    path.write_text("{}")
    return path


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"\xff\xfe{}", "not UTF-8"),
        (b'{"kernel": "k",}', "launch.json:1:16"),
        (b'{"kernel": NaN}', "NaN is not a JSON number"),
        (b"[" * 99_999, "nested too deeply"),
    ],
)
def test_launch_files_that_cannot_be_read(capsys, launch, content, message):
    launch.write_bytes(content)
    code, out, err = invoke(capsys, "run", "k.cu", "--launch", launch, "--json")
    assert code == 2 and message in the_error(err) and json.loads(out)["error"]["kind"] == "input"


def test_launches_that_are_no_files(capsys, tmp_path):
    for path, message in ((tmp_path / "missing.json", "No such file"), (tmp_path, "Is a directory")):
        code, _, err = invoke(capsys, "run", "k.cu", "--launch", path)
        assert code == 2 and message in the_error(err)


# ---------------------------------------------------------------- what nobody foresaw
def breaking(error):
    def execute(arguments, console):
        raise error

    return execute


@pytest.fixture
def failing(monkeypatch):
    """Lets the doctor fail as a test wishes."""
    from dataclasses import replace

    from app.cli import parser

    def fail(error):
        command = replace(parser.COMMANDS["doctor"], execute=breaking(error))
        monkeypatch.setitem(parser.COMMANDS, "doctor", command)

    return fail


@pytest.mark.parametrize(
    ("error", "code", "kind", "message"),
    [
        (KeyboardInterrupt(), 130, "cancelled", "stopped by the user"),
        (MemoryError(), 5, "environment", "out of memory"),
        (RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried"), 5, "environment", "out of memory"),
        (OSError(28, "No space left on device", "/x"), 5, "environment", "the disk is full - /x"),
        (PermissionError(13, "Permission denied", "/x"), 5, "environment", "Permission denied - /x"),
        (InputError("bad\nnews\x1b[31m", "a\tb"), 2, "input", r"bad news\x1b[31m - a b"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_exception_has_a_name(capsys, failing, error, code, kind, message):
    failing(error)
    got, out, err = invoke(capsys, "doctor", "--json")
    assert got == code and json.loads(out)["error"]["kind"] == kind and message in the_error(err)


def test_a_defect_is_logged_and_not_shown(capsys, failing, paths):
    failing(ZeroDivisionError("1 / 0"))
    code, out, err = invoke(capsys, "doctor", "--json")
    assert code == 1 and json.loads(out)["error"]["kind"] == "internal"
    line = the_error(err)
    assert "ZeroDivisionError: 1 / 0 - test_cli.py:" in line
    logs = list(paths.logs.iterdir())
    assert len(logs) == 1 and str(logs[0]) in line and "Traceback" in logs[0].read_text()


def test_a_log_that_cannot_be_written_hides_nothing(tmp_path):
    (tmp_path / "file").write_text("")
    named = as_named(ValueError("odd"), tmp_path / "file" / "logs")
    assert isinstance(named, InternalError) and "ValueError: odd" in named.what and "report" in named.remedy


def test_named_errors_stay_what_they_are(tmp_path):
    for error in (UsageError("a"), Cancelled("b"), EnvironmentProblem("c")):
        assert as_named(error, tmp_path) is error


def test_one_line_keeps_text_in_any_script():
    assert one_line("größe 漢字\r\n  x\x00") == r"größe 漢字 x\x00"


def test_fail_without_json_leaves_stdout_alone(capsys):
    assert Console().fail(InputError("what", "where", "do")) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", "error: what - where - do\n")


# ---------------------------------------------------------------- streams
def test_a_reader_that_leaves_is_no_error():
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as pipe:
        child = subprocess.run(
            [sys.executable, "-m", "app", "doctor", "--json"], cwd=ROOT, stdout=pipe, stderr=subprocess.PIPE, timeout=120
        )
    assert child.returncode == 130 and child.stderr == b""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_full_disk_behind_stdout():
    with open("/dev/full", "wb") as full:
        child = subprocess.run(
            [sys.executable, "-m", "app", "doctor", "--json"],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
        )
    assert child.returncode == 5 and "disk is full" in the_error(child.stderr)


def test_text_that_the_locale_cannot_say():
    answer = qwengpu("run", "漢字.cu", "--launch", "größe.json", env={**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"})
    assert answer.returncode == 2 and r"gr\xf6\xdfe.json" in the_error(answer.stderr)


# ---------------------------------------------------------------- doctor
def test_doctor_reports_everything(capsys, paths):
    code, out, err = invoke(capsys, "doctor", "--json")
    report = json.loads(out)
    assert code == 0 and err == "" and report["problems"] == []
    assert set(report) == {"platform", "memory", "disk", "device", "compilers", "versions", "paths", "checkpoint", "problems"}
    assert any(compiler["usable"] for compiler in report["compilers"])
    assert report["device"]["available"][-1] == "cpu" and report["memory"]["total"] > 0
    assert report["paths"]["cache"] == str(paths.cache) and report["checkpoint"]["origin"] == "embedded"
    assert {entry.name for entry in paths.cache.glob("*")} <= {"toolchain"}, (
        "looking builds nothing: it keeps the verdict on the compiler alone"
    )
    assert not paths.data.exists() and not paths.config.exists()


def test_doctor_for_people(capsys):
    code, out, err = invoke(capsys, "doctor")
    assert (code, err) == (0, "") and len(out.splitlines()) >= 10 and "zig clang" in out


def test_doctor_names_what_is_missing(capsys, monkeypatch, home):
    import toolchain.compiler

    home.joinpath("cache").write_text("in the way")
    monkeypatch.setattr(toolchain.compiler, "find_compilers", lambda: [])
    code, out, err = invoke(capsys, "doctor", "--json")
    problems = json.loads(out)["problems"]
    assert code == 5 and len(problems) == 2 and [problem["kind"] for problem in problems] == ["environment"] * 2
    assert "no usable CUDA compiler" in err and "cannot be written" in err and len(err.splitlines()) == 2
