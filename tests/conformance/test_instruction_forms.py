"""Every PTX form is refused by name or exact, each accepted one has a truth, each instruction of the lowering has a form."""

import random
from collections import Counter

import pytest

from tests.conformance.instructions import FORMLESS, check, forms, operands, truth_in_python
from toolchain.translate import HANDLERS

FORMS = list(forms())
PARTS = 4


@pytest.mark.parametrize("part", range(PARTS))
def test_forms_are_exact_or_refused_by_name(part):
    verdicts = {form.opcode + form.tail: check(form) for form in FORMS[part::PARTS]}
    assert {name: verdict for name, verdict in verdicts.items() if verdict not in ("exact", "refused")} == {}
    assert Counter(verdicts.values())["exact"] >= 90


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS * 4))
def test_forms_are_exact_on_all_pairs_of_corners(part):
    verdicts = {form.opcode + form.tail: check(form, squared=True) for form in FORMS[part :: PARTS * 4]}
    assert set(verdicts.values()) <= {"exact", "refused"}


def test_no_instruction_of_the_lowering_is_without_a_form():
    named = {form.opcode.split(".")[0] for form in FORMS}
    assert set(HANDLERS) - named == set(FORMLESS)


def test_a_wrong_result_and_an_unknown_truth_are_found(monkeypatch):
    add = next(form for form in FORMS if form.opcode == "add.u32")
    monkeypatch.setattr("tests.conformance.instructions.truth_in_python", lambda form: lambda a, b: a + b + (a == 7))
    monkeypatch.setattr("tests.conformance.instructions.operands", lambda *_: [[3, 7], [5, 6]])
    assert check(add) == "[7, 6] gives 13, not 14"


def test_operands_hold_all_pairs_of_corners():
    form = next(form for form in FORMS if form.opcode == "mad.lo.u32")
    assert truth_in_python(form) is None
    columns = operands(form, True, random.Random(0))
    assert len(set(zip(*columns[:2], strict=True))) >= 22 * 22
