"""Sizes and times in words, against examples written by hand."""

import pytest

from app.quantities import duration, exact_duration, memory, memory_of, percent, remaining, size, size_of, speed


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1 kB"),
        (31_400, "31.4 kB"),
        (12_800_000, "12.8 MB"),
        (2_490_000_000, "2.49 GB"),
        (4_550_000_000, "4.55 GB"),
        (10_140_000_000, "10.1 GB"),
        (214_300_000_000, "214 GB"),
        (999_999_999, "1 GB"),
        (3_200_000_000_000, "3.2 TB"),
        (16_000_000_000, "16 GB"),
        (300_000_000, "300 MB"),
        (6_100_000_000, "6.1 GB"),
    ],
)
def test_sizes(count, text):
    assert size(count) == text


def test_parts_are_in_the_unit_of_the_whole():
    assert str(size_of(2_690_000_000, 4_550_000_000)) == "2.69 of 4.55 GB"
    assert str(size_of(40_000_000, 4_550_000_000)) == "0.04 of 4.55 GB"
    assert str(size_of(0, 10_100_000_000)) == "0.0 of 10.1 GB"
    assert speed(24_600_000) == "24.6 MB/s"


def test_memory_is_counted_as_it_is_sold():
    assert memory(16 << 30) == "16 GB" and memory(8 << 30) == "8 GB" and memory(900 << 20) == "900 MB"
    assert str(memory_of(int(11.2 * (1 << 30)), 32 << 30)) == "11.2 of 32 GB"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (3, "a few seconds left"),
        (44, "about 45 s left"),
        (81, "about 1 min 20 s left"),
        (119, "about 1 min 60 s left"),
        (200, "about 3 min left"),
        (59.9 * 60, "about 1 h 0 min left"),
        (None, "time left not known yet"),
    ],
)
def test_times_left(seconds, text):
    assert str(remaining(seconds)) == text.replace("1 min 60 s", "2 min 0 s")


def test_times():
    assert str(exact_duration(708)) == "11 min 48 s"
    assert str(duration(7 * 60 + 4)) == "7 min"
    assert str(duration(59.6)) == "1 min 0 s"


def test_nothing_is_complete_before_it_is():
    assert [percent(value) for value in (0, 0.5912, 0.9999999, 1)] == ["0%", "59%", "99%", "100%"]
