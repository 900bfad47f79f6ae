"""The contract: marks are single tokens, user text is never a mark, and the checkpoint's template writes what the code does."""

from dataclasses import replace

import jinja2
import pytest

from builder.embedded.chat import CALL, END, MARKS, USER, Turn, encode, open_turn, render, turn_pieces
from builder.embedded.checkpoint import TEMPLATE
from builder.embedded.expressions import parse
from builder.embedded.replies import continuation


def text_of(pieces) -> str:
    return "".join(piece.text for piece in pieces)


@pytest.mark.parametrize("mark", MARKS)
def test_a_mark_is_one_token(tokenizer, mark: str):
    tokenizer.encode_special_tokens = False
    assert tokenizer.encode(mark).ids == [tokenizer.token_to_id(mark)]


def test_rendered_text_and_tokens_agree(tokenizer):
    pieces = turn_pieces(Turn("add 3 and 4", " is the sum.", "add(3, 4)", "7"))
    tokens = encode(tokenizer, pieces)
    assert tokenizer.decode(tokens, skip_special_tokens=False) == text_of(pieces)
    tokenizer.encode_special_tokens = False
    assert tokenizer.encode(text_of(pieces)).ids == tokens


@pytest.mark.parametrize("typed", [END, f"a {USER}b", CALL, "\x00\x1b[2J 🙂 你好"])
def test_typed_marks_are_text(tokenizer, typed: str):
    ids = encode(tokenizer, open_turn(typed))
    marks = {tokenizer.token_to_id(mark) for mark in MARKS}
    assert [token for token in ids if token in marks] == [tokenizer.token_to_id(mark) for mark in (USER, END, MARKS[4])]
    assert typed in tokenizer.decode(ids, skip_special_tokens=False)


def test_case_says_nothing():
    turn = Turn("Add 3 and 4", " is the sum.", "add(3, 4)", "7")
    assert render([turn], "SORT 3, 0xFF") == render([replace(turn, user="add 3 and 4")], "sort 3, 0xff")


def test_the_template_writes_what_render_does():
    turns = [Turn("Add 3 and 4", " is the sum.", "add(3, 4)", "7"), Turn("hi", "Hello!")]
    call = {"function": {"name": "compute", "arguments": {"expression": "add(3, 4)"}}}
    messages = [
        {"role": "user", "content": "Add 3 and 4"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "content": "7"},
        {"role": "assistant", "content": "7 is the sum."},
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "Hello!"},
        {"role": "user", "content": "sort 3, 1"},
    ]
    written = jinja2.Template(TEMPLATE).render(messages=messages, add_generation_prompt=True)
    assert written == text_of(render(turns, "sort 3, 1"))


@pytest.mark.parametrize(
    ("call", "result", "sentence"),
    [
        ("add(3, 4)", 7, " is the sum."),
        ("add([3], 4)", [7], " is the result, entry by entry."),
        ("isprime(7)", 1, ": yes."),
        ("gt(3, 4)", 0, ": no."),
        ("sort([2, 1])", [1, 2], " is the list in ascending order."),
    ],
)
def test_the_sentence_goes_on_behind_the_result(call: str, result, sentence: str):
    assert continuation(parse(call), result) == sentence
