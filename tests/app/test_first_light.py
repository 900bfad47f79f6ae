"""The real thing, from the command line through the compiled layers: run, trace, verify, altered weights."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from app.checkpoints import MACHINE, build_machine, embedded_folder
from app.cli import entry
from engine.machine.spec import SPEC
from engine.machine.tokens import TOKENS

ROOT = Path(__file__).parents[2]
DOT = ["run", str(ROOT / "resources" / "examples" / "dot.cu"), "--launch", str(ROOT / "resources" / "examples" / "dot.json")]


@pytest.fixture
def prepared(paths, machine_file):
    """The embedded machine in the user's cache folder."""
    folder = embedded_folder(paths)
    folder.mkdir(parents=True)
    shutil.copy(machine_file, folder / MACHINE)
    return folder


@pytest.fixture
def invoke(capsys):
    """Run a command in this process: exit code, its last JSON line, stderr."""

    def invoke(*arguments):
        code = entry.invoke([*map(str, arguments), "--json"])
        out, err = capsys.readouterr()
        return code, json.loads(out.splitlines()[-1]), err

    return invoke


def test_one_command_computes_a_dot_product_in_the_weights(prepared):
    answer = subprocess.run(
        [sys.executable, "-m", "app", *DOT, "--json"], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert (answer.returncode, answer.stderr) == (0, "")
    result = json.loads(answer.stdout)
    assert result["outputs"] == {"a": [1, 2, 3], "b": [4, 5, 6], "out": [32]}
    assert (result["runtime"], result["device"], result["replay"]) == ("compact", "cpu", "exact")
    assert result["tokens"]["generated"] <= 20 and result["passes"] >= result["tokens"]["generated"]
    assert len(result["checkpoint"]) == 64


def test_a_trace_is_redone_and_an_altered_one_is_not(prepared, invoke, tmp_path):
    trace = tmp_path / "trace.jsonl"
    assert invoke(*DOT, "--trace", trace)[0] == 0
    code, found, err = invoke("verify", "--receipt", trace)
    assert (code, err) == (0, "") and found["replay"] == "exact" and found["tokens"]["generated"] <= 20
    lines = [json.loads(line) for line in trace.read_text().splitlines()]
    value = next(line for line in lines if line["source"] == "model" and line["token"].startswith("VAL"))
    value |= {"id": value["id"] - 1, "token": str(TOKENS.tokens[value["id"] - 1])}  # another value of the same byte
    trace.write_text("".join(json.dumps(line) + "\n" for line in lines))
    code, found, err = invoke("verify", "--receipt", trace)
    assert code == 4 and found["error"]["kind"] == "mismatch" and f"token {value['i']} is {value['token']}" in err
    value["token"] = "END"
    trace.write_text("".join(json.dumps(line) + "\n" for line in lines))
    code, found, err = invoke("verify", "--receipt", trace)
    assert code == 4 and "calls otherwise" in err


def test_what_is_no_receipt(prepared, invoke, tmp_path):
    for content, message in ((b"{}\n", "not a line of a trace"), (b"\xff", "cannot read the trace")):
        (tmp_path / "receipt").write_bytes(content)
        code, found, err = invoke("verify", "--receipt", tmp_path / "receipt")
        assert code == 2 and found["error"]["kind"] == "input" and message in err
    assert invoke("verify", "--receipt", tmp_path / "missing")[0] == 2


def test_verify_launches_on_the_embedded_machine(prepared, invoke):
    code, found, err = invoke("verify")
    assert (code, err) == (0, "") and found["launch"] == "exact" and found["folder"] == str(prepared)


def test_an_altered_file_is_refused(prepared, invoke, tmp_path):
    data = bytearray((prepared / MACHINE).read_bytes())
    data[-1000] ^= 1
    given = tmp_path / "given"
    given.mkdir()
    (given / MACHINE).write_bytes(data)
    code, found, _ = invoke(*DOT, "--checkpoint", given)
    assert code == 2 and "altered" in found["error"]["message"] and str(given) in found["error"]["message"]


def test_the_embedded_machine_is_what_the_builder_compiles(tmp_path, monkeypatch):
    written = []
    monkeypatch.setattr("builder.machine.write_machine", lambda path, spec, progress: written.append((path, spec)))
    build_machine(tmp_path, SPEC)
    assert written == [(tmp_path / MACHINE, SPEC)]
