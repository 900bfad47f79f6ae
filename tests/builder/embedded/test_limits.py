"""What the small model would silently misread is refused before it is asked, with the reason."""

import pytest

from builder.embedded.limits import refusal


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ("sum of " + ", ".join(str(n) for n in range(200)), "parts"),
        ("x" * 5000, "600"),
        ("add 9223372036854775808 and 1", "64 bits"),
        ("add 12345678901234567890123456789012345678901 and 1", "64 bits"),
        ("broken \ud800 text", "surrogates"),
        ("add five hundred and three", "digits"),
        ("twenty-one plus two", "digits"),
    ],
)
def test_refused(text: str, word: str):
    assert word in refusal(text)


@pytest.mark.parametrize(
    "text",
    [
        "add 9223372036854775807 and 1",
        "sort " + ", ".join("7" * 20),
        "twenty plus two",
        "مرحبا 12 + 3 🙂",
        "\x00\x07 add 1 and 2",
        "hello",
    ],
)
def test_passed_on(text: str):
    assert refusal(text) is None
