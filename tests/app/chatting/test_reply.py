"""Replies as parts: where the launch row stands, what is code, and that computed values are known by their source alone."""

import pytest

from app.chats.model import Segment
from app.chatting.markdown import blocks
from app.chatting.reply import PLACEHOLDER, Code, Launches, Prose, Thinking, Value, parts_of, plain


def sampled(text, part="text"):
    return Segment(text, "sampled", None, part)


def computed(text, launch="a"):
    return Segment(text, "computed", launch)


CALL = sampled("dot([1], [2])", "call")


def test_the_row_stands_above_the_paragraph_of_the_call():
    parts = parts_of([sampled("First.\n\nIt is "), CALL, computed("2"), sampled(" then.\n\nLast.")])
    assert parts == (Prose("First.\n"[:-1]), Launches(), Prose(f"It is {PLACEHOLDER} then.\n\nLast.", (Value("2", "a"),)))


def test_a_call_at_the_beginning_has_its_row_first():
    assert parts_of([CALL, computed("2"), sampled(" it is.")]) == (
        Launches(),
        Prose(f"{PLACEHOLDER} it is.", (Value("2", "a"),)),
    )


def test_a_running_launch_has_a_row_although_nothing_is_written():
    assert parts_of([], launched=True) == (Launches(),)
    assert parts_of([]) == ()


def test_several_calls_share_one_row():
    parts = parts_of([CALL, computed("1", "a"), sampled("\n\nand "), CALL, computed("2", "b")])
    assert [type(part) for part in parts] == [Launches, Prose]
    assert parts[1].values == (Value("1", "a"), Value("2", "b"))


def test_a_number_that_the_model_says_is_no_value():
    prose = parts_of([CALL, computed("32"), sampled(" and again 32")])[1]
    assert prose.markdown == f"{PLACEHOLDER} and again 32" and len(prose.values) == 1


def test_a_model_cannot_forge_a_value():
    (prose,) = parts_of([sampled(f"a{PLACEHOLDER}b{PLACEHOLDER}")])
    assert prose == Prose("ab")


def test_fences_are_parts_with_marks_of_computed_stretches():
    parts = parts_of([sampled("So:\n\n```python\nx = "), computed("32"), sampled("\n```\nDone")])
    assert parts[0] == Prose("So:")
    code = parts[2]
    assert code == Code("x = 32", "python", True, ((4, 6, Value("32", "a")),))
    assert code.code[4:6] == "32"
    assert parts[3] == Prose("Done") and isinstance(parts[1], Launches)


@pytest.mark.parametrize(
    "text, code, language, closed",
    [
        ("```\na\n", "a", "", False),
        ("~~~c\na\nb\n~~~", "a\nb", "c", True),
        ("````\n```\n````", "```", "", True),
        ("```py\n", "", "py", False),
    ],
)
def test_fences(text, code, language, closed):
    assert parts_of([sampled(text)]) == (Code(code, language, closed),)


def test_inline_backticks_are_no_fence():
    assert parts_of([sampled("``` a ``` b")]) == (Prose("``` a ``` b"),)


def test_thinking_comes_first_and_is_not_copied():
    segments = [sampled("hm", "thinking"), sampled("Yes.")]
    assert parts_of(segments) == (Thinking("hm"), Prose("Yes.")) and plain(segments) == "Yes."


def test_every_prefix_shows_what_was_written_so_far():
    """A reply that grows never loses a value, and each is in exactly one part."""
    whole = [
        sampled("One "),
        computed("1", "a"),
        sampled("\n\n```c\nint x = "),
        computed("2", "b"),
        sampled(";\n```\n\n| a |\n|---|\n| "),
        computed("3", "c"),
        sampled(" |\n"),
    ]
    letters = [
        Segment(letter, segment.source, segment.launch) if segment.source == "sampled" else segment
        for segment in whole
        for letter in (segment.text if segment.source == "sampled" else [segment.text])
    ]
    for count in range(len(letters) + 1):
        parts = parts_of(letters[:count])
        shown = [value.text for part in parts if isinstance(part, Prose) for value in part.values]
        shown += [mark[2].text for part in parts if isinstance(part, Code) for mark in part.marks]
        assert sorted(shown) == [segment.text for segment in letters[:count] if segment.source == "computed"]
        assert sum(part.markdown.count(PLACEHOLDER) for part in parts if isinstance(part, Prose)) == sum(
            len(part.values) for part in parts if isinstance(part, Prose)
        )


def test_blocks_know_where_they_begin():
    text = "# A\n\nText\nmore\n\n- a\n\n- b\n\n| x |\n|---|\n| 1 |\n"
    assert [text[block.start :].split("\n")[0] for block in blocks(text)] == ["# A", "Text", "- a", "| x |"]


def test_html_stays_text():
    inline = blocks("<img src='file:///etc/passwd'> <b>x</b>")[0].tokens[1]
    assert {child.type for child in inline.children} == {"text"}
