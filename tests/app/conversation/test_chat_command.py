"""`qwengpu chat`: one question with its JSON, a conversation in the terminal, records on disk."""

import json
import signal

import pytest

from app.cli import entry
from app.compute.library import load_library
from app.compute.receipts import read_receipt
from app.conversation import talk as talks
from app.conversation.messages import messages_of
from tests.app.conversation.kernels import BROKEN, GOOD, LAUNCH, SQUARES
from tests.app.conversation.scripted import Scripted, kernel
from tests.app.fast import FastMachine

asked = []
"""What stood in front of every line that was typed."""


@pytest.fixture
def chat(monkeypatch, capsys, tmp_path):
    """Run the command with a scripted model: exit code, stdout, stderr."""

    def chat(*arguments, script=("(call)mul(6, 7)", " is the product."), lines=(), model=None):
        talk = talks.Talk(model or Scripted(*script), FastMachine(), load_library(), tmp_path / "launches", "0.1.0")
        monkeypatch.setattr(talks, "open_talk", lambda session, program: talk)
        typed = iter(lines)
        asked.clear()

        def answer(prompt):
            asked.append(prompt)
            line = next(typed, None)
            if line is None:
                raise EOFError
            if line is KeyboardInterrupt:
                raise line
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
    assert found["spans"] == [
        {"start": 0, "end": 2, "source": "computed", "launch": launch["id"]},
        {"start": 2, "end": 18, "source": "sampled", "launch": None},
    ]
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


def test_settings_that_mean_nothing(chat):
    code, _, err = chat("--prompt", "hi", "--temperature", "-1")
    assert code == 2 and "temperature is -1.0" in err


def test_modes_are_switched_and_kernels_written(chat):
    code, out, err = chat(
        lines=("/advanced", "square 3, 4 and 5", "/advanced", "/thinking", "6 times 7", "/thought", "/quit"),
        script=(kernel(BROKEN, LAUNCH), GOOD, ".", "I multiply.(thought)(call)mul(6, 7)", " it is."),
    )
    assert code == 0 and not err
    assert "advanced is on" in out and "attempt 1: " in out and "kernel.cu:3" in out and "[[9, 16, 25]].\n  1: squares\n" in out
    assert "advanced is off" in out and "thinking is on" in out and "[42] it is." in out and "\nI multiply.\n" in out


def test_a_model_without_modes_says_so(chat):
    class Small(Scripted):
        writes_kernels, thought_end = False, -1

    _, out, err = chat(lines=("/advanced", "/thinking", "/thought", "/again"), model=Small())
    assert [said in err for said in ("has no advanced mode", "has no thinking mode", "nothing was asked")] == [True] * 3
    assert "the model did not think" in out


def test_a_kernel_of_the_users_is_launched(chat, tmp_path):
    (tmp_path / "squares.cu").write_text(SQUARES)
    (tmp_path / "squares.json").write_text(LAUNCH)
    (tmp_path / "broken.cu").write_text(BROKEN)
    code, out, err = chat(
        lines=(
            f"/launch {tmp_path}/squares.cu",
            "/why",
            "add them",
            "/launch none.cu",
            f"/launch {tmp_path}/broken.cu {tmp_path}/squares.json",
        ),
        script=("(call)sum(v1)", "."),
    )
    assert code == 0 and "[[9, 16, 25]]\n  1: squares\n" in out and "squares = [9, 16, 25]" in out and "[50]." in out
    first, second = err.splitlines()
    assert "cannot be read" in first and "broken.cu:3" in second


def test_the_last_question_again(chat):
    _, out, _ = chat(lines=("what is 6 times 7?", "/again"), script=("(call)mul(6, 7)", "!", "(call)mul(7, 6)", "?"))
    assert "[42]!\n  1: mul(6, 7)\n" in out and "[42]?\n  2: mul(7, 6)\n" in out


def test_the_conversation_is_exported(chat, tmp_path):
    chat(lines=("what is 6 times 7?", f"/export {tmp_path}/chat.md", f"/export {tmp_path}/chat.json"))
    text = (tmp_path / "chat.md").read_text()
    assert text.startswith("**You:** what is 6 times 7?\n\n> `mul(6, 7)`\n\n> computed: 42 (record ")
    assert text.endswith("42 is the product.\n")
    messages = messages_of(json.loads((tmp_path / "chat.json").read_text()))
    assert [message.role for message in messages] == ["user", "assistant", "tool", "assistant"] and messages[2].value == 42


def test_the_prompt_shows_how_full_the_context_is(chat):
    class Small(Scripted):
        limit_context = 300

    _, _, err = chat(lines=("x" * 220, "y" * 150, "/quit"), model=Small("ok", "ok"))
    assert asked == ["> ", "74 % > ", "50 % > "]
    assert "no longer reads the first 2 messages" in err


def test_ctrl_c_stops_the_reply_and_not_the_program(chat):
    class Slow(Scripted):
        def feed(self, tokens):
            super().feed(tokens)
            if "".join(map(chr, self.read)).endswith("Hel"):
                signal.raise_signal(signal.SIGINT)

    code, out, err = chat(lines=("hi", KeyboardInterrupt, "and now?", "/quit"), model=Slow("Hello there", "Fine."))
    assert code == 0 and "Hel … (stopped)\n" in out and "Fine.\n" in out and not err and "/quit ends" in out


def test_help_and_unknown_commands(chat):
    _, out, err = chat(lines=("/help", "/why 0", "/why x y", "/export"))
    assert "/launch CU [JSON]" in out and len(err.splitlines()) == 3


def test_control_characters_of_a_model_do_not_reach_the_terminal(chat):
    _, out, _ = chat("--prompt", "hi", script=("a\x1b[31mb\x07",))
    assert out == "a\\x1b[31mb\\x07\n"


def test_a_terminal_with_colour_is_drawn_on(chat, monkeypatch):
    monkeypatch.setattr("app.cli.chat.colour", lambda: True)
    monkeypatch.setattr("app.cli.chat.REDRAW", 0.0)
    _, out, _ = chat(lines=("what is 6 times 7?",))
    assert "\x1b[4;36m42\x1b[0m is the product." in out and "computing mul(6, 7) …" in out and "\r\x1b[K" in out
