"""The training data: the same for the same seed, true to its calls, and without held-out numbers or wordings."""

import ast
import re
from pathlib import Path
from random import Random

import builder.embedded
from builder.embedded.chat import MARKS
from builder.embedded.dialogue import FORMS, make_dialogue, make_single
from builder.embedded.expressions import evaluate, parse, write
from builder.embedded.measure import HELD_OUT, generated_cases, read_cases, skeleton, training_skeletons
from builder.embedded.numbers import NumberSource, is_held_out
from builder.embedded.signatures import SIGNATURES


def test_a_seed_decides_the_dialogues():
    first, second = NumberSource(Random(4)), NumberSource(Random(4))
    assert [make_dialogue(first) for _ in range(50)] == [make_dialogue(second) for _ in range(50)]


def test_every_function_is_asked_for():
    asked = {name for form in FORMS for name in re.findall(r"(\w+)\(", form.call)}
    assert asked == set(SIGNATURES)


def test_results_are_those_of_the_calls():
    source = NumberSource(Random(5))
    turns = [turn for _ in range(400) for turn in make_dialogue(source) if turn.result]
    assert len(turns) > 200
    for turn in turns:
        assert turn.result.startswith(write(evaluate(parse(turn.call))))


def test_training_never_shows_a_held_out_number():
    source = NumberSource(Random(6))
    for _ in range(800):
        call = make_single(source).turn.call
        # 100 stands in the wordings themselves: "the last two digits".
        drawn = [int(number) for number in re.findall(r"(?<![0x\w])\d+", call) if number != "100"]
        assert not any(map(is_held_out, drawn)), call


def test_the_measure_shows_held_out_numbers():
    for case in generated_cases(30, seed=1):
        assert any(is_held_out(int(number)) for number in re.findall(r"\d+", case.calls[0]))


def test_no_wording_holds_a_mark():
    source = NumberSource(Random(7))
    for _ in range(500):
        for turn in make_dialogue(source):
            assert not any(mark in turn.user for mark in MARKS)


def test_the_generator_never_reads_the_held_out_files():
    for path in Path(builder.embedded.__file__).parent.glob("*.py"):
        words = {node.value for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Constant)}
        reads = any(isinstance(word, str) and word.endswith(".jsonl") and word != "training.jsonl" for word in words)
        assert not reads or path.name == "measure.py", path


def test_enough_held_out_wordings_are_new_to_the_training():
    known = training_skeletons(dialogues=12_000)
    requests, others = (read_cases(HELD_OUT / name) for name in ("requests.jsonl", "outofscope.jsonl"))
    assert sum(skeleton(case.text) not in known for case in requests) >= 270
    assert sum(skeleton(case.text) not in known for case in others) >= 200


def test_held_out_calls_are_calls():
    for case in read_cases(HELD_OUT / "requests.jsonl"):
        assert case.calls
        evaluate(parse(case.calls[0]))
