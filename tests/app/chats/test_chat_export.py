"""Exports say how every value was computed, come back as they were, and hostile files are named and never believed."""

import json
from dataclasses import replace

import pytest

from app.chats.export import FORMAT, export_json, export_markdown, import_json, markdown, message_markdown
from app.chats.markdown import in_code
from app.chats.model import Segment
from app.chats.store import ChatStore
from app.compute.receipts import FORMAT as RECORD
from app.worker import protocol
from engine.machine.errors import EnvironmentProblem, InputError
from tests.app.chats.kept import full_disk


@pytest.fixture
def store(paths):
    opened = ChatStore.open(paths.chats, paths.chat_index)
    yield opened
    opened.close()


@pytest.fixture
def other(tmp_path):
    opened = ChatStore.open(tmp_path / "other", tmp_path / "index")
    yield opened
    opened.close()


def record(launches, number="7c58e2a1", **more):
    launches.mkdir(parents=True, exist_ok=True)
    content = {"format": RECORD, "id": number, "expression": "dot([1, 2, 3], [4, 5, 6])", "value": 32, **more}
    (launches / f"{number}.json").write_text(json.dumps(content))
    return content


def talk(store, segments=None):
    chat = store.create()
    reply = chat.reply(chat.ask("What is the dot product?\nOf [1,2,3] and [4,5,6]").id, "Qwen3.5-2B")
    reply.add(Segment("let me think", part="thinking"))
    reply.take(protocol.Attempt("r", 1, "bad", "line 1: no"))
    reply.take(
        protocol.ChatResult(
            "r",
            ({"role": "tool", "launch": "7c58e2a1", "value": 32}, {"role": "assistant", "text": "It is 32."}),
            segments
            or (
                protocol.Segment("let me think", "sampled", part="thinking"),
                protocol.Segment("It is ", "sampled"),
                protocol.Segment("32", "computed", "7c58e2a1"),
                protocol.Segment(".", "sampled"),
            ),
            (protocol.Summary("7c58e2a1", "dot([1, 2, 3], [4, 5, 6])", 14, 71, 85, "exact", "32", 0.5),),
            protocol.Context(90, 4096),
            12.5,
            "complete",
        )
    )
    return chat


# ---------------------------------------------------------------- Markdown
def test_every_value_has_a_footnote(store):
    assert markdown(talk(store).state) == (
        "# What is the dot product?\n\n**You**\n\n> What is the dot product?\n> Of [1,2,3] and [4,5,6]\n\n**Qwen3.5-2B**\n\n"
        "It is 32[^c1].\n\n[^c1]: computed in the weights: dot([1, 2, 3], [4, 5, 6]) = 32; 14 tokens; replay exact; "
        "receipt 7c58e2a1.\n"
    )


def test_thinking_comes_only_when_it_is_wanted(store):
    state = talk(store).state
    assert "let me think" not in markdown(state) and "let me think" in markdown(state, thinking=True)


def test_one_message_for_the_clipboard(store):
    question, reply = (state := talk(store).state).branch()
    assert message_markdown(state, reply.id).startswith("It is 32[^c1].\n\n[^c1]: computed")
    assert message_markdown(state, question.id) == question.text


def test_one_launch_is_one_footnote_and_marks_never_enter_code(store):
    kind = protocol.Segment
    state = talk(
        store,
        (
            kind("A ", "sampled"),
            kind("1", "computed", "X"),
            kind(" and ", "sampled"),
            kind("2", "computed", "Y"),
            kind(" and `", "sampled"),
            kind("3", "computed", "X"),
            kind("`\n```\nx = ", "sampled"),
            kind("4", "computed", "Z"),
            kind("\n```\n", "sampled"),
            kind("5", "computed", "X"),
        ),
    ).state
    written = markdown(state)
    assert "A 1[^c1] and 2[^c2] and `3`\n```\nx = 4\n```\n5[^c1]" in written
    assert "Computed in the code above: [^c1][^c3]" in written and written.count("[^c3]:") == 1
    assert "[^c3]: computed in the weights; receipt Z." in written


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("", False),
        ("`x", True),
        ("`x`", False),
        ("```\nx", True),
        ("```\nx\n```", False),
        ("```\nx\n```\ny", False),
        ("~~~\n```\n", True),
        ("a `b` c `d", True),
        ("`\nx", False),
    ],
)
def test_what_is_inside_code(text, inside):
    assert in_code(text) == inside


def test_a_reply_that_did_not_end_well_says_so(store):
    chat = store.create()
    reply = chat.reply(chat.ask("q").id)
    reply.add(Segment("half"))
    reply.stop()
    assert "half\n\n*(stopped here)*" in markdown(chat.state) and "**Reply**" in markdown(chat.state)


def test_files_are_named_by_titles_that_any_system_takes(store, tmp_path):
    chat = talk(store)
    chat.rename('a/b: "c"? \\ ..')
    first, second = export_markdown([chat.state, chat.state], tmp_path)
    assert (first.name, second.name) == ("a b c.md", "a b c 2.md") and first.read_text().startswith("# a/b")
    nameless = replace(chat.state, title="///")
    assert export_markdown([nameless], tmp_path)[0].name == "New chat.md"


# ---------------------------------------------------------------- JSON
def exported(store, paths, tmp_path):
    export_json(store.states(), paths.launches, tmp_path / "out.json")
    return tmp_path / "out.json"


def without_ids(state):
    return replace(state, id="", created=0.0, updated=0.0, others=[])


def test_everything_comes_back(store, other, paths, tmp_path):
    content = record(paths.launches)
    chat = talk(store)
    chat.reply(chat.state.branch()[0].id).add(Segment("another, unfinished"))
    chat.edit(chat.state.branch()[0].id, "日本語 \U0001f600")
    chat.show(chat.state.children[None][0])
    chat.pin(True)
    chat.choose(advanced=True)
    chat.rename("renamed")
    chat.keep_draft("draft")
    talk(store)
    told = []
    added = import_json(exported(store, paths, tmp_path), other, tmp_path / "launches", lambda *now: told.append(now))
    assert len(added.chats) == 2 and added.launches == ("7c58e2a1",) and added.skipped == () and told == [(1, 2), (2, 2)]
    assert json.loads((tmp_path / "launches" / "7c58e2a1.json").read_text()) == content
    for one in chat.state.messages.values():
        if one.role == "assistant" and one.ended is None:
            chat.state.messages[one.id] = replace(one, ended="interrupted", finished=one.at)
    assert {state.title: without_ids(state) for state in other.states()} == {
        state.title: without_ids(state) for state in store.states()
    }
    assert other.search("日本語")[0].title == "renamed"


def test_importing_twice_adds_copies_and_overwrites_nothing(store, paths, tmp_path):
    record(paths.launches)
    talk(store)
    file = exported(store, paths, tmp_path)
    added = import_json(file, store, paths.launches)
    assert added.launches == () and len(store.summaries()) == 2
    record(paths.launches, value=33)
    added = import_json(file, store, paths.launches)
    [renamed] = added.launches
    assert json.loads((paths.launches / "7c58e2a1.json").read_text())["value"] == 33
    assert json.loads((paths.launches / f"{renamed}.json").read_text())["id"] == renamed
    reply = store.chat(added.chats[0]).state.branch()[1]
    assert reply.segments[2].launch == reply.launches[0]["id"] == reply.turn[0]["launch"] == renamed


def test_a_record_that_is_not_there_is_said(store, other, paths, tmp_path):
    talk(store)
    assert import_json(exported(store, paths, tmp_path), other, tmp_path / "l").skipped == (
        "launch record 7c58e2a1 is not in the file",
    )


def test_the_disk_refuses_by_name(store, paths, tmp_path, monkeypatch):
    talk(store)
    (tmp_path / "file").write_text("old")
    with pytest.raises(EnvironmentProblem, match="export cannot be written"):
        export_json(store.states(), paths.launches, tmp_path / "file" / "x.json")
    file = exported(store, paths, tmp_path)
    full_disk(monkeypatch)
    with pytest.raises(EnvironmentProblem, match="No space left"):
        import_json(file, store, paths.launches)


GOOD = {"id": "m1", "role": "user", "at": 1.0, "text": "q"}
ANSWER = {"id": "m2", "parent": "m1", "role": "assistant", "at": 2.0, "ended": "complete"}


def chat_with(*messages, **more):
    return {"format": FORMAT, "chats": [{"title": "t", "messages": list(messages), **more}]}


@pytest.mark.parametrize(
    ("content", "words", "where"),
    [
        ([], "no export", ""),
        ({"format": "other"}, "no export", ""),
        ({"format": FORMAT}, "'chats' is not a list", ""),
        ({"format": FORMAT, "chats": [5]}, "a chat is not an object", "chat 1"),
        (chat_with(), "a chat is empty", "chat 1"),
        (chat_with(5), "malformed", "message 1"),
        (chat_with(GOOD, GOOD), "cannot be", "message 2"),
        (chat_with({**GOOD, "id": "../x"}), "cannot be", "message 1"),
        (chat_with({**GOOD, "role": "system"}), "cannot be", "message 1"),
        (chat_with({**GOOD, "text": 5}), "malformed", "message 1"),
        (chat_with(ANSWER, GOOD), "below one", "message 1"),
        (chat_with({**GOOD, "parent": "m9"}), "below one that is not", "message 1"),
        (chat_with({**GOOD, "parent": "m1"}), "below one", "message 1"),
        (chat_with({**GOOD, "at": 1e300}), "no time", "message 1"),
        (chat_with(GOOD, {**ANSWER, "segments": [{"text": 1}]}), "malformed", "message 2"),
        (chat_with(GOOD, {**ANSWER, "turn": "x"}), "malformed", "message 2"),
        (chat_with(GOOD, leaf="m7"), "'leaf'", "chat 1"),
        (chat_with(GOOD, draft=[]), "a text is none", "chat 1"),
        ({**chat_with(GOOD), "launches": []}, "'launches'", ""),
        ({**chat_with(GOOD), "launches": {"../../x": {}}}, "cannot be the id", ""),
        ({**chat_with(GOOD), "launches": {"a": {"format": "x"}}}, "no launch record", ""),
        ({**chat_with(GOOD), "launches": {"a": {"format": RECORD, "id": "b"}}}, "no launch record", ""),
    ],
)
def test_hostile_files_are_named_and_add_nothing(store, paths, tmp_path, content, words, where):
    (tmp_path / "in.json").write_text(json.dumps(content))
    with pytest.raises(InputError, match=words) as refused:
        import_json(tmp_path / "in.json", store, paths.launches)
    assert where in refused.value.where and store.summaries() == [] and not paths.launches.exists()


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"format": NaN}', b'{"a": 1, "a": 2}'])
def test_files_that_are_no_json_are_named(store, paths, tmp_path, content):
    (tmp_path / "in.json").write_bytes(content)
    with pytest.raises(InputError):
        import_json(tmp_path / "in.json", store, paths.launches)


def test_a_good_file_made_by_others_is_taken(store, paths, tmp_path):
    (tmp_path / "in.json").write_text(json.dumps(chat_with(GOOD, ANSWER)))
    [number] = import_json(tmp_path / "in.json", store, paths.launches).chats
    assert [message.id for message in store.chat(number).state] == ["m1", "m2"] and store.summaries()[0].title == "q"


def test_a_second_process_cannot_import(store, paths, tmp_path):
    talk(store)
    file = exported(store, paths, tmp_path)
    second = ChatStore.open(paths.chats, paths.chat_index)
    with pytest.raises(EnvironmentProblem, match="another running"):
        import_json(file, second, tmp_path / "launches")
    second.close()
    assert not (tmp_path / "launches").exists()
