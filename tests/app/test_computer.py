"""Judging the computer, with fakes in its place: memory and devices."""

from types import SimpleNamespace

import pytest

from app.cli import build
from app.cli.console import Console
from app.computer import Program, memory_warning
from app.devices import available, choose_device
from app.memory import memory
from engine.machine.errors import EnvironmentProblem

GB = 1 << 30


@pytest.mark.parametrize(
    ("total", "enough"), [(64 * GB, True), (16 * GB, True), (15.5 * GB, True), (12 * GB, False), (8 * GB, False)]
)
def test_sixteen_gigabytes_are_recommended(total, enough):
    found = memory(lambda: SimpleNamespace(total=int(total), available=GB))
    assert found.enough == enough and bool(found.remark) != enough
    assert found.as_json()["available"] == GB


def test_the_remark_names_both_numbers():
    remark = memory(lambda: SimpleNamespace(total=8 * GB, available=GB)).remark
    assert "8.0 GB" in remark and "16.0 GB" in remark


def test_the_warning_names_who_uses_the_memory():
    little, enough = (memory(lambda total=total: SimpleNamespace(total=total, available=GB)) for total in (8 * GB, 32 * GB))
    programs = (Program("browser", 3 * GB), Program("mail", GB))
    assert memory_warning(little, programs).endswith("; most of it is used by browser 3.0 GB, mail 1.0 GB; going on anyway")
    assert memory_warning(little, ()).endswith("2 GB); going on anyway") and memory_warning(enough, programs) == ""


def test_a_build_with_little_memory_warns_and_goes_on(capsys):
    little, enough = (memory(lambda total=total: SimpleNamespace(total=total, available=GB)) for total in (8 * GB, 32 * GB))
    build.warn("embedded", Console(), little)
    build.warn("Qwen/Qwen3.5-2B", Console(), enough)
    assert capsys.readouterr().err == ""
    build.warn("Qwen/Qwen3.5-2B", Console(), little)
    err = capsys.readouterr().err
    assert err.startswith("note: this computer has 8.0 GB of memory; 16.0 GB are recommended") and "going on anyway" in err


def computer(mps=False, cuda=False):
    return SimpleNamespace(
        backends=SimpleNamespace(mps=SimpleNamespace(is_available=lambda: mps)), cuda=SimpleNamespace(is_available=lambda: cuda)
    )


@pytest.mark.parametrize(
    ("torch", "order"),
    [
        (computer(), ("cpu",)),
        (computer(mps=True), ("mps", "cpu")),
        (computer(cuda=True), ("cuda", "cpu")),
        (computer(mps=True, cuda=True), ("mps", "cuda", "cpu")),
    ],
)
def test_the_best_device_comes_first(torch, order):
    assert available(torch) == order and choose_device("auto", torch) == order[0]
    assert all(choose_device(device, torch) == device for device in order)


def test_a_device_that_is_not_there_is_refused():
    with pytest.raises(EnvironmentProblem, match="'cuda' is not available") as refused:
        choose_device("cuda", computer(mps=True))
    assert refused.value.remedy == "available here: auto, mps, cpu"


def test_this_computer_answers():
    assert memory().total >= memory().available > 0 and available()[-1] == "cpu"
