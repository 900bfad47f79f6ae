"""Questions, their judgement, the table, and a run that is stopped and goes on."""

import json
from pathlib import Path

import pytest

from app.cli import entry
from app.compute.library import load_library
from app.conversation.loop import Services, take_turn
from app.evaluation import authoring
from app.evaluation.judging import Share, judge, numbers_in
from app.evaluation.questions import SETS, Question, QuestionSet, load_set
from app.evaluation.running import OnHost, append, described, read_results, run, table
from engine.machine.errors import Cancelled
from tests.app.conversation.scripted import Scripted
from tests.app.fast import FastMachine

LIBRARY = load_library()


def services(machine=None):
    return Services(LIBRARY, machine or FastMachine(), "0.1.0")


def reply_of(*script):
    return take_turn(Scripted(*script, repairs=0), [], "what is 6 times 7?", services())


def test_the_sets_are_what_their_script_writes():
    for name, text in authoring.sets().items():
        assert (authoring.FOLDER / f"{name}.jsonl").read_text(encoding="utf-8") == text


def test_the_sets_are_large_enough_and_varied():
    sizes = {name: len(load_set(name).questions) for name in SETS}
    assert sizes["normal"] >= 24 and sizes["advanced"] >= 5 and sizes["long"] == 200
    for name in SETS:
        questions = load_set(name).questions
        assert len({question.text for question in questions}) == len({question.id for question in questions}) == sizes[name]
    silent = [question for question in load_set("long").questions if question.answer is None]
    assert len(silent) == 40 and any(any(map(str.isdigit, question.text)) for question in silent)


@pytest.mark.parametrize(
    ("script", "answer", "verdict", "launched"),
    [
        (("(call)mul(6, 7)", " it is."), 42, "exact", True),
        (("(call)mul(6, 6)", " or 42."), 42, "wrong", True),
        (("It is 42.",), 42, "exact", False),
        (("It is 1,042.",), 1042, "exact", False),
        (("It is 142.",), 42, "wrong", False),
        (("Sorted: 1, 2 and 3.",), [1, 2, 3], "exact", False),
        (("I cannot help.",), 42, "refused", False),
        (("(call)div(6, 0)",), 42, "refused", False),
        (("Hello!",), None, "exact", False),
        (("42 is nice.",), None, "exact", False),
        (("(call)mul(6, 7)", "."), None, "wrong", True),
        (("(call)div(6, 0)",), None, "wrong", False),
    ],
)
def test_judgement(script, answer, verdict, launched):
    outcome = judge(Question("q", "?", answer), reply_of(*script))
    assert (outcome.verdict, outcome.launched) == (verdict, launched)


def test_numbers_in_a_text():
    assert list(numbers_in("1,234 and -5, \u22127; 3.5 is none, x2 neither, [8, 9].")) == [1234, -5, -7, 8, 9]


def test_wilsons_interval():
    """Numbers of Wilson's formula, computed by hand for 8 of 10 and known limits."""
    assert [round(end, 3) for end in Share(8, 10).interval()] == [0.490, 0.943]
    assert Share(0, 0).interval() == (0.0, 1.0) and Share(0, 5).interval()[0] < 1e-9 and Share(5, 5).interval()[1] > 1 - 1e-9
    assert str(Share(8, 10)) == "8/10 80 % (49–94)"


QUESTIONS = QuestionSet("tiny", (Question("a", "what is 6 times 7?", 42), Question("b", "hello", None)), "0" * 64)


class Talker(Scripted):
    """Says the same to every question of the tiny set, in each way."""

    def begin(self, tokens, *ask):
        asked = "".join(map(chr, tokens))
        self.script = ["Hi."] if asked.startswith("hello") else [" it is."] if asked.endswith("42") else ["(call)mul(6, 7)"]
        super().begin(tokens, *ask)


def test_three_ways(tmp_path):
    machine = FastMachine()
    results = run(QUESTIONS, ("alone", "python", "machine"), Talker(), services(machine), tmp_path / "r.jsonl")
    assert [(result.way, result.verdict, result.launched) for result in results] == [
        ("alone", "wrong", False),
        ("alone", "exact", False),
        ("python", "exact", True),
        ("python", "exact", False),
        ("machine", "exact", True),
        ("machine", "exact", False),
    ]
    assert machine.launches == 1  # Python computes in its own way
    rows = table(QUESTIONS, results)
    assert [(row.way, row.part, row.exact.count) for row in rows if row.part == "all"] == [
        ("alone", "all", 1),
        ("python", "all", 2),
        ("machine", "all", 2),
    ]
    assert len(described(rows)) == 10 and json.dumps([row.as_json() for row in rows])


def test_a_stopped_run_goes_on_where_it_was(tmp_path):
    file, seen = tmp_path / "deep" / "r.jsonl", []
    with pytest.raises(Cancelled):
        run(QUESTIONS, ("machine",), Talker(), services(), file, lambda *told: seen.append(told), lambda: len(seen) >= 1)
    assert len(seen) == 1 and seen[0][1:] == (1, 2) and len(read_results(file)) == 1
    with file.open("a") as torn:
        torn.write('{"id": "b", "way": "mach')
    machine = FastMachine()
    results = run(QUESTIONS, ("machine",), Talker(), services(machine), file)
    assert [result.verdict for result in results] == ["exact", "exact"] and machine.launches == 0
    assert len(read_results(file)) == 2


def test_what_is_appended_is_read(tmp_path):
    result = run(QUESTIONS, ("python",), Talker(), services(), tmp_path / "a")[0]
    append(tmp_path / "b", result)
    assert list(read_results(tmp_path / "b").values()) == [result] and read_results(tmp_path / "none") == {}


@pytest.mark.parametrize(("call", "value"), [("add([1, 2], 3)", [4, 5]), ("trace([[1, 2], [3, 4]])", 5), ("div(-7, 2)", -3)])
def test_python_on_the_host_computes_expressions(call, value):
    host = OnHost(LIBRARY, FastMachine(), "0")
    reply = take_turn(Scripted(f"(call){call}", "."), [], "?", host)
    assert reply.receipts[0].value == value and not reply.receipts[0].launches
    reply = take_turn(Scripted("(call)div(1, 0)", repairs=0), [], "?", host)
    assert reply.failures and not reply.receipts


def test_the_command(monkeypatch, capsys, paths):
    """Asks, tells every result, keeps them where the next call finds them, and shows the table."""
    machine = FastMachine()
    monkeypatch.setattr("app.checkpoints.choose", lambda *arguments, **options: None)
    monkeypatch.setattr("app.pipeline.Session.open", lambda session: machine)
    monkeypatch.setattr("app.conversation.opening.open_text", lambda *arguments: Talker())
    monkeypatch.setattr("app.conversation.opening.text_identity", lambda checkpoint: "m" * 64)
    monkeypatch.setattr("app.evaluation.questions.load_set", lambda name: QUESTIONS)
    assert entry.invoke(["eval", "--way", "machine", "--json"]) == 0
    first, second, report = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["result"]["id"], second["result"]["verdict"]) == ("a", "exact")
    assert [row["exact"]["count"] for row in report["table"]] == [1, 1, 2] and report["model"] == "m" * 64
    assert Path(report["results"]).parent == paths.data / "evaluations" and machine.launches == 1
    assert entry.invoke(["eval"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("way") and len(out) == 11 and report["results"] in out[-1]
    assert machine.launches == 1  # the machine's results were there already
