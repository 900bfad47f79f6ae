"""The conformance document follows from result files; what is wrong, missing or old is said."""

import json
import random

from tests.conformance import __main__ as command
from tests.conformance import mutation, results
from tests.conformance.report import SECTIONS, document

LAUNCH = {"kernel": "vec_add", "launch": 0, "compiler": "clang", "tiny": True, "verdict": "exact", "tokens": 57}


def test_without_results_everything_is_said_to_be_missing(tmp_path):
    text, wrong = document(tmp_path)
    assert wrong == 0
    assert text.count("Not run. `python -m tests.conformance.") == len(SECTIONS) - 2
    assert "**Not compared with silicon.**" in text


def test_a_wrong_launch_is_counted_and_named(tmp_path):
    results.save("recorded", {"launches": [LAUNCH, {**LAUNCH, "launch": 3, "verdict": "wrong arrays"}]}, tmp_path)
    text, wrong = document(tmp_path)
    assert wrong == 1 and "**1 things are wrong; see below.**" in text
    assert "vec_add, launch 3: wrong arrays" in text and f"Holds for the sources `{results.sources()}`" in text


def test_a_value_beyond_its_threshold_is_wrong(tmp_path):
    nearest = {"gates of neurons, closed": [-128.0, -89.0, 5], "gates of neurons, open": [3.0, 6.25, 5]}
    results.save("margins", {"machine": "0" * 12, "programs": ["k"], "tokens": 9, "nearest": nearest}, tmp_path)
    text, wrong = document(tmp_path)
    assert (
        wrong == 1
        and "beyond its threshold: gates of neurons, open" in text
        and "threshold: gates of neurons, closed" not in text
    )


def test_what_text_loses_is_told_table_by_table(tmp_path):
    counts = {"rows": 1234, "guarded": 0, "undecided": 0, "loss": [0.0, 0.0], "effect": [0.0, 0.02], "wrong": []}
    kl = {"mean": 0.0, "largest": 0.0}
    mixed, bare, other = ({"mean": mean, "largest": largest} for mean, largest in ((5e-4, 2e-3), (0.3, 0.4), (0.1, 0.2)))
    lossy = {"kind": "opposed", **counts, "guarded": 10, "loss": [0.012, 0.034], "silent": kl, "mixed": mixed}
    lossy |= {"replaced": other, "bare": {"effect": [3e14, 4e14], "mixed": bare}}
    plain = {"kind": "mean", **counts, "silent": kl}
    wide = {"kind": "no mean", **counts, "undecided": 7, "launch": 79, "wrong": ["a text comes out otherwise"]}
    small = {"hidden": 512, "axes": 32, "layers": [4, 4], "tables": [plain, lossy]}
    results.save(
        "mute", {"machine": "0" * 12, "small": small, "full": {"hidden": 2048, "axes": 512, "tables": [wide]}}, tmp_path
    )
    text, wrong = document(tmp_path)
    assert wrong == 1 and "no mean: a text comes out otherwise" in text and "for 2 of 2 tables" in text
    assert "| 1,234 | 10 | 0 | 1.2 % / 3.4 % | 0.0005 / 0.002 | 0.3 / 0.4 | 0.1 / 0.2 | 3e+14 times its length |" in text
    assert "| 1,234 | 0 | 0 | nothing | - | - | - | - |" in text and "| 1,234 | 0 | 7, changed by 0 / 0.02 | nothing |" in text


def test_results_of_other_sources_are_listed(tmp_path, monkeypatch, capsys):
    results.save("recorded", {"launches": [LAUNCH]}, tmp_path)
    results.save("random", {}, tmp_path)
    path = tmp_path / "recorded.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "sources": "0123456789ab"}))
    monkeypatch.setattr(results, "FOLDER", tmp_path)
    results.main()
    assert capsys.readouterr().out.split("\n") == [results.sources(), "recorded.json: 0123456789ab", ""]


def test_a_gpu_is_named_with_what_it_gave(tmp_path):
    entry = {"kernel": "vec_add", "launch": 0, "way": "driver -O0", "arrays": {}, "exact": True}
    failed = {"kernel": "dot", "way": "driver -O0", "error": "cuLaunchKernel: out of resources"}
    found = {"gpu": "Some GPU", "compute": "90", "driver": 13000, "ways": ["driver -O0"], "launches": [entry, failed]}
    (tmp_path / "silicon-Some-GPU.json").write_text(json.dumps(found))
    text, wrong = document(tmp_path)
    assert "1 of 2 launches on Some GPU" in text and "dot, driver -O0: cuLaunchKernel: out of resources" in text and wrong == 1


def test_the_document_is_what_the_result_files_say(capsys):
    assert command.main(["--check"]) == 0, capsys.readouterr().out


def test_a_stale_document_is_noticed(tmp_path, capsys):
    target = tmp_path / "conformance.md"
    target.write_text("old")
    assert command.main(["--check"], target) == 1 and "out of date" in capsys.readouterr().out


def test_changes_of_the_definition_are_caught():
    verdicts = [entry["verdict"] for entry in mutation.definition_mutations(random.Random(5), 8)]
    assert len(verdicts) == 8 and "missed" not in verdicts


def test_a_changed_program_row_is_caught():
    _, lowered, want = mutation.probes()[0]
    assert mutation.run_with_row(lowered, want, 0, 0, 1, 1) == "no opcode: nothing is computed"
    unchanged = lowered.program.blocks[0].operations[0]
    assert mutation.change_operation(unchanged, 2, 28).destination is None
