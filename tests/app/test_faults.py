"""Cards for what stopped: the sentences of the design, what is safe first, one primary action."""

import pytest

from app.computer import Program
from app.faults import Remedy, Surroundings, of_death, of_error
from app.worker.death import Death
from app.worker.protocol import Error

GB = 1 << 30


def test_out_of_memory_says_what_used_it_and_what_to_do():
    hungry = (Program("Docker Desktop", round(6.1 * GB)), Program("Firefox", round(3.9 * GB)))
    fault = of_death(
        Death("out of memory", "worker ended by the system (signal 9)", "", "Killed\n"),
        Surroundings(round(9.6 * GB), 300 << 20, hungry),
    )
    assert str(fault.title) == "The model stopped: the computer ran out of memory"
    assert str(fault.safe) == "Your chat and your question are saved. Nothing needs to be typed again."
    assert [(str(name), value) for name, value in fault.facts] == [
        ("The model held", "9.6 GB"),
        ("Free when it stopped", "300 MB"),
        ("Using the most now", "Docker Desktop 6.1 GB, Firefox 3.9 GB"),
    ]
    assert "0.9 GB" in str(fault.advice) or "900 MB" in str(fault.advice)
    assert fault.remedies == (Remedy.RESTART, Remedy.SMALL_MODEL, Remedy.COPY)
    assert "Killed" in fault.details


def test_the_small_model_is_not_offered_to_itself():
    fault = of_death(Death("out of memory", "", ""), Surroundings(small=True))
    assert Remedy.SMALL_MODEL not in fault.remedies and "small" not in str(fault.advice)


@pytest.mark.parametrize(
    ("kind", "title"), [("crashed", "The model stopped unexpectedly"), ("killed", "The model was ended from outside")]
)
def test_other_ends(kind, title):
    fault = of_death(Death(kind, "signal 11", "", "Segmentation fault"), Surroundings())
    assert str(fault.title) == title and "saved" in str(fault.safe) and fault.remedies[0] is Remedy.RESTART


def test_a_worker_that_was_asked_to_go_is_no_fault():
    assert of_death(Death("cancelled", "", "")) is None


def test_an_error_keeps_its_own_words():
    fault = of_error(Error("r1", "compile", "unknown type name 'flaot'", "kernel.cu:3", "correct line 3"))
    assert str(fault.title) == "The kernel does not compile"
    assert str(fault.safe) == "Unknown type name 'flaot'. (kernel.cu:3)"
    assert str(fault.advice) == "Correct line 3." and fault.remedies == (Remedy.TRY_AGAIN, Remedy.COPY)
    assert "kernel.cu:3" in fault.details
