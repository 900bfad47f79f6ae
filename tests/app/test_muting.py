"""What becomes of text in a merged checkpoint, as people read it."""

import pytest

from app.assistant.report import _text_tokens
from app.cli.verify import describe as findings
from app.muting import describe

SILENT = {"rows": 248320, "violators": [], "effect": [], "guarded": [], "loss": [], "texts": {}}
GUARDED = {**SILENT, "guarded": [5, 9, 11], "loss": [0.004, 0.031, 0.001], "texts": {"9": " Ġfoo", "5": "bar"}}
BOTH = {**GUARDED, "violators": [70], "effect": [3.2e14]}


def test_silence_is_one_sentence():
    assert list(describe(SILENT)) == ["every row of the vocabulary is proven muted"]


def test_reports_of_before_guards_are_read():
    assert list(describe({"rows": 9, "violators": [], "effect": []})) == ["every row of the vocabulary is proven muted"]


def test_rows_are_named_with_what_they_lose_the_worst_first():
    lines = list(describe(BOTH))
    assert lines[0] == "248,316 rows of the vocabulary are proven muted"
    assert lines[1] == "3 rows lose one of their axes, at most 3.1 % of their length: ' Ġfoo' (9), 'bar' (5), row 11"
    assert lines[2] == "1 rows cannot be muted and change, by up to 3.2e+14 times their length: row 70"
    assert "compact runtime leaves text as it is" in lines[3]


def test_many_rows_are_counted():
    many = {**SILENT, "guarded": list(range(1000)), "loss": [row / 1e5 for row in range(1000)]}
    line = list(describe(many))[1]
    assert "row 999, row 998" in line and line.endswith("row 992 and 992 more, which build_report.json names")


def test_verifying_tells_sentences_and_no_lists():
    lines = list(findings({"files": 3, "mute": BOTH, "launch": "exact"}))
    assert len(lines) == 6 and lines[2].startswith("mute         3 rows lose") and lines[-1] == "launch       exact"


@pytest.mark.parametrize(
    ("mute", "told"),
    [
        (SILENT, ["all 248,320 tokens untouched"]),
        (BOTH, ["248,316 tokens untouched; 3 lose one axis and 1 change, in transformers only"]),
        ({**SILENT, "rows": 0}, []),
    ],
)
def test_the_report_of_a_build_has_a_line_for_text(mute, told):
    assert [str(fact.value) for fact in _text_tokens(mute)] == told
