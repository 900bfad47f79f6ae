"""A search finds every chat that holds all words, in any script, and shows where they stand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from app.chats.folding import excerpt, fold, ranges, words_of
from app.chats.model import Segment
from app.chats.search import without_marks
from app.chats.store import ChatStore


@pytest.fixture
def store(paths):
    opened = ChatStore.open(paths.chats, paths.chat_index)
    for question, answer in (
        ("Vectors", "The dot product of two vectors is a number."),
        ("Café plans", "Résumé of the CAFÉ in Zürich, Straße 5"),
        ("料理", "日本語の料理を説明します。東京都の天気。"),
        ("Kernel", "__global__ void dot(int* a) { a[0] = 1; }"),
        ("한국어", "안녕하세요 세계"),
        ("ｆｕｌｌｗｉｄｔｈ", "x" * 5000 + " needle " + "y" * 5000),
    ):
        chat = opened.create()
        reply = chat.reply(chat.ask(question).id)
        reply.add(Segment(answer))
        reply.stop()
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ("dot", ["Kernel", "Vectors"]),
        ("DOT product", ["Vectors"]),
        ("product dot vectors", ["Vectors"]),
        ("cafe", ["Café plans"]),
        ("zurich strasse", ["Café plans"]),
        ("日本", ["料理"]),
        ("本語の", ["料理"]),
        ("京", ["料理"]),
        ("料理 天気", ["料理"]),
        ("세계", ["한국어"]),
        ("fullwidth", ["ｆｕｌｌｗｉｄｔｈ"]),
        ("a[0]", ["Kernel"]),
        ("needle", ["ｆｕｌｌｗｉｄｔｈ"]),
        ("nothing of it", []),
        ("", []),
        ("  ", []),
        ("%", []),
        ('"', []),
        ("_global_", ["Kernel"]),
        ("kernel vectors", []),
    ],
)
def test_what_is_found(store, query, titles):
    assert [hit.title for hit in store.search(query)] == titles


def test_the_words_are_shown_where_they_stand(store):
    [hit] = store.search("dot vectors")
    assert [hit.snippet[start:end] for start, end in hit.ranges] == ["dot", "vectors"]
    assert [hit.title[start:end] for start, end in hit.title_ranges] == ["Vectors"] and hit.message is not None
    [hit] = store.search("strasse cafe")
    assert [hit.snippet[start:end] for start, end in hit.ranges] == ["CAFÉ", "Straße"]
    [hit] = store.search("needle")
    assert "needle" in hit.snippet and len(hit.snippet) < 200 and hit.snippet[0] == "…" == hit.snippet[-1]


def test_titles_come_first_then_the_newest(store):
    for title in ("about dots", "other"):
        chat = store.create()
        chat.ask(title + (" with a dot" if title == "other" else ""))
        chat.rename(title)
    assert [hit.title for hit in store.search("dot")] == ["about dots", "other", "Kernel", "Vectors"]
    assert [hit.title for hit in store.search("dot", limit=2)] == ["about dots", "other"]


def test_a_search_follows_what_is_said_renamed_and_deleted(store):
    assert store.search("later") == []
    chat = store.create()
    reply = chat.reply(chat.ask("q").id)
    reply.add(Segment("said later"))
    reply.stop()
    assert [hit.chat for hit in store.search("later")] == [chat.state.id]
    chat.rename("renamed")
    assert store.search("renamed")[0].message is None
    store.delete(chat.state.id)
    assert store.search("later") == store.search("renamed") == []
    store.restore(chat.state.id)
    assert store.search("later")


letters = some.text(some.sampled_from("aAéÉßẞİıﬁＡ日本e\u0301한 ǅ\U0001f600x"), max_size=30)


@settings(deadline=None)
@given(letters, some.integers(0, 29), some.integers(1, 6))
def test_any_piece_of_a_text_is_found_at_its_place(text, start, length):
    piece = text[start : start + length]
    words = words_of(piece)
    if not words or any(not word for word in words):
        return
    found = ranges(text, words)
    assert found and all(0 <= first < last <= len(text) for first, last in found)
    for word in words:
        assert any(word in fold(text[first:last]) for first, last in found)


@settings(deadline=None)
@given(some.text(max_size=80), some.text(max_size=5))
def test_an_excerpt_never_fails(text, query):
    shown, where = excerpt(text, words_of(query))
    assert all(0 <= start < end <= len(shown) for start, end in where)


def test_a_snippet_has_words_and_no_markdown():
    said = "Here:\n\n| Pair | **Dot** product |\n|:--|---:|\n| `[2, 0]` | 14 |"
    assert without_marks(said).split() == ["Here:", "Pair", "Dot", "product", "[2,", "0]", "14"]
