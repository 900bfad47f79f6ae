"""Redoing a record tells its progress token by token, ends when it is asked to, and says the first difference."""

from types import SimpleNamespace

import pytest

from app.inspection.records import save_record
from app.verifying import verify_receipt
from engine.machine.errors import Cancelled, MismatchError
from tests.app.inspection.made import check_record, dot, receipt
from tests.app.interpreted import InterpretedEngine


def session(cancelled=lambda: False):
    return SimpleNamespace(open=InterpretedEngine, cancelled=cancelled, options=SimpleNamespace(runtime="compact"))


@pytest.fixture
def file(tmp_path):
    save_record(dot(), tmp_path / "r.json")
    return tmp_path / "r.json"


def test_every_token_is_told(file):
    told = []
    found = verify_receipt(file, session(), lambda done, total: told.append((done, total)))
    assert found["replay"] == "exact"
    assert told == [(done, 72) for done in range(1, 73)]


def test_it_stops_when_asked(file):
    told = []
    with pytest.raises(Cancelled):
        verify_receipt(file, session(lambda: len(told) > 60), lambda done, total: told.append(done))
    assert len(told) < 72


def test_an_altered_output_is_named(tmp_path):
    launch = dot().receipt.launches[0]
    altered = check_record(receipt(type(launch)(**{**vars(launch), "outputs": {"out": [33]}})))
    save_record(altered, tmp_path / "r.json")
    with pytest.raises(MismatchError, match="outputs"):
        verify_receipt(tmp_path / "r.json", session())
