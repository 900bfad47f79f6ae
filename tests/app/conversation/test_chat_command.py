"""`qwengpu chat`: one question with its JSON, a conversation in the terminal, records on disk."""

import json

import pytest

from app.cli import entry
from app.compute.library import load_library
from app.compute.receipts import read_receipt
from app.conversation import talk as talks
from tests.app.conversation.scripted import Scripted
from tests.app.fast import FastMachine


@pytest.fixture
def chat(monkeypatch, capsys, tmp_path):
    """Run the command with a scripted model: exit code, stdout, stderr."""
    def chat(*arguments, script=("(call)mul(6, 7)", " is the product."), lines=()):
        talk = talks.Talk(Scripted(*script), FastMachine(), load_library(), tmp_path / "launches", "0.1.0")
        monkeypatch.setattr(talks, "open_talk", lambda session, program: talk)
        typed = iter(lines)

        def answer(prompt):
            line = next(typed, None)
            if line is None:
                raise EOFError
            return line

        monkeypatch.setattr("builtins.input", answer)
        code = entry.invoke(["chat", *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return chat


def test_one_question_as_json(chat, tmp_path):
    code, out, err = chat("--prompt", "what is 6 times 7?", "--json")
    found = json.loads(out)
    (launch,) = found["launches"]
    assert (code, err, found["text"]) == (0, "", "42 is the product.")
    assert found["spans"] == [{"start": 0, "end": 2, "source": "computed", "launch": launch["id"]},
                              {"start": 2, "end": 18, "source": "sampled", "launch": None}]
    assert launch["expression"] == "mul(6, 7)" and launch["outputs"] == {"result": 42} and launch["replay"] == "exact"
    assert found["checkpoint"] == FastMachine.identity
    assert read_receipt(tmp_path / "launches" / f"{launch['id']}.json").value == 42


def test_what_is_computed_is_marked_without_colour(chat):
    assert chat("--prompt", "what is 6 times 7?") == (0, "[42] is the product.\n  1: mul(6, 7)\n", "")


def test_a_conversation(chat, tmp_path):
    file = tmp_path / "record.json"
    code, out, err = chat(lines=("what is 6 times 7?", "/why 1", f"/export 1 {file}", "/why 2", "/nonsense", "", "/quit"))
    assert code == 0 and "[42] is the product.\n  1: mul(6, 7)\n" in out and "mul(6, 7) = 42" in out and "replay exact" in out
    assert read_receipt(file).expression == "mul(6, 7)"
    assert err.splitlines()[0].startswith("error: there is no value 2") and "no command '/nonsense'" in err


def test_prompts_that_are_none(chat):
    for prompt, said in (("", "empty"), ("x" * 200_000, "200,000 characters")):
        code, out, err = chat("--prompt", prompt, "--json")
        assert code == 2 and said in err and json.loads(out)["error"]["kind"] == "input"
