"""Chats on disk: what was kept is there again, whatever happened in between."""

import json
import os
import threading

import pytest

from app.chats.model import Segment, title_of
from app.chats.records import chat_of, compacted, decode
from app.chats.store import COMPACT_BYTES, ChatStore
from app.worker import protocol
from engine.machine.errors import EnvironmentProblem, FaultError, InputError
from tests.app.chats.kept import full_disk


@pytest.fixture
def opened(paths):
    """Opens the store; every one is closed in the end."""
    stores = []

    def again(**options):
        if stores:
            stores[-1].close()
        stores.append(ChatStore.open(paths.chats, paths.chat_index, **options))
        return stores[-1]

    yield again
    for store in stores:
        store.close()


RESULT = protocol.ChatResult(
    "r1",
    messages=(
        {"role": "user", "text": "q"},
        {"role": "assistant", "call": "dot([1], [2])"},
        {"role": "tool", "launch": "L1", "value": 2},
        {"role": "assistant", "text": "It is 2."},
    ),
    segments=(protocol.Segment("It is ", "sampled"), protocol.Segment("2", "computed", "L1"), protocol.Segment(".", "sampled")),
    launches=(protocol.Summary("L1", "dot([1], [2])", 14, 71, 85, "exact", "2", 0.5),),
    context=protocol.Context(90, 4096),
    tokens_per_second=12.5,
    ended="complete",
)


def answered(store, question="what is the dot product of [1] and [2]?"):
    chat = store.create()
    reply = chat.reply(chat.ask(question).id, model="small")
    for token in RESULT.segments:
        reply.take(protocol.Token("r1", token.text, token.source, token.launch))
    reply.take(RESULT)
    return chat


def lines(store, chat):
    return [json.loads(line) for line in (store.folder / f"{chat.state.id}.jsonl").read_text().splitlines()]


# ---------------------------------------------------------------- a conversation
def test_a_conversation_comes_back_as_it_was(opened):
    store = opened()
    chat = answered(store)
    chat.choose(advanced=True)
    chat.pin(True)
    chat.keep_draft("next")
    again = opened().chat(chat.state.id)
    assert again.state == chat.state
    question, reply = again.state.branch()
    assert question.text.startswith("what is") and reply.said == "It is 2." and reply.ended == "complete"
    assert [(part.text, part.source, part.launch) for part in reply.segments] == [
        ("It is ", "sampled", None),
        ("2", "computed", "L1"),
        (".", "sampled", None),
    ]
    assert reply.launches[0]["title"] == "dot([1], [2])" and reply.model == "small" and reply.tokens_per_second == 12.5
    assert reply.context == {"used": 90, "limit": 4096, "dropped": 0}
    assert again.state.draft == "next" and again.state.pinned and again.state.advanced


def test_what_a_request_sends_is_the_branch_above_the_question(opened):
    chat = answered(opened())
    second = chat.ask("and twice that?")
    sent = chat.state.before(second.id)
    assert [message["role"] for message in sent] == ["user", "assistant", "tool", "assistant"]
    assert sent[0]["text"].startswith("what is the dot") and sent[2] == {"role": "tool", "launch": "L1", "value": 2}


def test_the_question_is_on_disk_before_anything_is_sent(opened, monkeypatch):
    synced = []
    monkeypatch.setattr("app.files.os.fsync", lambda handle, sync=os.fsync: synced.append(sync(handle)))
    store = opened()
    chat = store.create()
    assert not list(store.folder.glob("*.jsonl")), "an empty chat is no file"
    chat.ask("first")
    assert [line["kind"] for line in lines(store, chat)] == ["chat", "question"] and synced


def test_editing_and_asking_again_are_branches(opened):
    store = opened()
    chat = answered(store, "one")
    first, old = chat.state.branch()
    edited = chat.edit(first.id, "two")
    chat.reply(edited.id).stop()
    assert next(iter(chat.state)).said == "two"
    assert chat.state.siblings(edited.id) == (first.id, edited.id)
    again = chat.reply(first.id)
    again.add(Segment("another"))
    again.stop()
    assert [message.said for message in chat.state.branch()] == ["one", "another"]
    assert chat.state.siblings(again.message) == (old.id, again.message)
    chat.show(old.id)
    assert opened().chat(chat.state.id).state.leaf == old.id
    assert opened().chat(chat.state.id).state.branch() == [first, old]


def test_only_questions_are_edited_and_answered(opened):
    chat = answered(opened())
    question, reply = chat.state.branch()
    with pytest.raises(InputError, match="only a question can be edited"):
        chat.edit(reply.id, "x")
    with pytest.raises(InputError, match="only a question can be answered"):
        chat.reply(reply.id)
    with pytest.raises(InputError, match="no such message"):
        chat.show("nothing")
    assert chat.state.branch() == [question, reply]


def test_digits_streamed_one_by_one_are_one_value(opened):
    chat = opened().create()
    reply = chat.reply(chat.ask("q").id)
    for text, launch in (("3", "A"), ("2", "A"), ("7", "B")):
        reply.add(Segment(text, "computed", launch))
    reply.stop()
    message = chat.state.messages[reply.message]
    assert [(part.text, part.launch) for part in message.segments] == [("32", "A"), ("7", "B")] and message.computed == 2


def test_attempts_and_finished_messages_are_kept_at_once(opened):
    store = opened()
    chat = store.create()
    reply = chat.reply(chat.ask("q").id)
    reply.take(protocol.Token("r", "let me", "sampled"))
    reply.take(protocol.Attempt("r", 1, "__global__ void k() {}", "line 1: no", "{}"))
    reply.take(protocol.Said("r", {"role": "user", "text": "q"}))
    reply.take(protocol.Said("r", {"role": "assistant", "text": "let me"}))
    assert [line["kind"] for line in lines(store, chat)] == ["chat", "question", "reply", "part", "attempt", "said"]
    message = chat.state.messages[reply.message]
    assert message.attempts[0].error == "line 1: no" and message.turn == ({"role": "assistant", "text": "let me"},)


@pytest.mark.parametrize(
    ("event", "ended"),
    [
        (protocol.Error("r", "cancelled", "stopped"), "stopped"),
        (protocol.Error("r", "fault", "out of bounds", "k", "look", {"line": 3}), "failed"),
    ],
)
def test_a_bad_end_keeps_what_was_written(opened, event, ended):
    chat = opened().create()
    reply = chat.reply(chat.ask("q").id)
    reply.add(Segment("so far"))
    reply.take(event)
    reply.add(Segment("nothing comes after the end"))
    reply.stop()
    message = opened().chat(chat.state.id).state.messages[reply.message]
    assert (message.said, message.ended) == ("so far", ended) and message.error["message"] == event.message


def test_an_error_of_this_process_ends_a_reply(opened):
    chat = opened().create()
    reply = chat.reply(chat.ask("q").id)
    reply.fail(FaultError("deadlock", "k", "look"))
    assert chat.state.messages[reply.message].error == {"kind": "fault", "message": "deadlock", "where": "k", "remedy": "look"}


# ---------------------------------------------------------------- the list
def test_titles_come_from_the_first_prompt_until_somebody_gives_one(opened):
    store = opened()
    chat = answered(store, "\n  How do I add   two\tvectors?\nsecond line")
    assert store.summaries()[0].title == "How do I add two vectors?"
    chat.rename("  Vectors ")
    chat.ask("more")
    assert opened().summaries()[0].title == "Vectors"
    again = opened().chat(chat.state.id)
    again.rename("")
    assert again.state.title == "How do I add two vectors?"


def test_a_long_prompt_makes_a_short_title():
    title = title_of("word " * 100)
    assert len(title) <= 60 and title.endswith("word…")
    assert title_of("x" * 100) == "x" * 59 + "…" and title_of(" \n ") == ""


def test_the_list_is_pinned_first_then_newest(opened):
    store = opened()
    chats = [answered(store, f"chat {number}") for number in range(3)]
    chats[0].pin(True)
    expected = ["chat 0", "chat 2", "chat 1"]
    assert [one.title for one in store.summaries()] == expected
    listed = opened().summaries()
    assert [one.title for one in listed] == expected
    assert listed[0].pinned and listed[0].snippet == "It is 2." and listed[0].computed == 1


def test_the_list_is_told_of_changes(opened):
    store = opened()
    told = []
    store.changed = told.append
    chat = answered(store)
    assert told and set(told) == {chat.state.id}


def test_an_index_that_is_lost_or_damaged_is_made_again(opened, paths):
    chat = answered(opened())
    listed = opened().summaries()
    for damage in (
        paths.chat_index.unlink,
        lambda: paths.chat_index.write_bytes(b"no database" * 1000),
        lambda: paths.chat_index.write_bytes(b""),
    ):
        opened().close()
        damage()
        store = opened()
        assert store.summaries() == listed and store.search("dot product")[0].chat == chat.state.id


def test_the_index_follows_files_that_changed_behind_its_back(opened):
    store = opened()
    kept, gone = answered(store, "kept"), answered(store, "gone")
    store.close()
    (store.folder / f"{gone.state.id}.jsonl").unlink()
    with (store.folder / f"{kept.state.id}.jsonl").open("a") as file:
        file.write('{"kind": "title", "at": 1, "title": "by hand"}\n')
    assert [one.title for one in opened().summaries()] == ["by hand"]


# ---------------------------------------------------------------- the trash
def test_deleting_can_be_undone(opened):
    store = opened()
    chat = answered(store, "precious")
    deleted = store.delete(chat.state.id)
    assert deleted.title == "precious" and store.summaries() == [] and store.search("precious") == []
    with pytest.raises(InputError, match="in the trash"):
        store.chat(chat.state.id)
    assert [one.id for one in store.trash()] == [chat.state.id]
    restored = store.restore(chat.state.id)
    assert restored.state.branch() == chat.state.branch() and store.trash() == []
    assert [one.title for one in opened().summaries()] == ["precious"]


def test_the_trash_survives_the_program_and_is_emptied_after_its_days(opened):
    store = opened()
    chat = answered(store, "old")
    store.delete(chat.state.id)
    store = opened(trash_days=30)
    assert [one.title for one in store.trash()] == ["old"]
    now = store.clock()
    store.clock = lambda: now + 29 * 86_400
    assert store.empty_trash(30) == 0
    store.clock = lambda: now + 31 * 86_400
    assert store.empty_trash(30) > 0 and store.trash() == []
    with pytest.raises(InputError, match="no such chat in the trash"):
        store.restore(chat.state.id)


def test_a_reply_goes_on_while_its_chat_is_in_the_trash(opened):
    store = opened()
    chat = store.create()
    reply = chat.reply(chat.ask("q").id)
    store.delete(chat.state.id)
    reply.add(Segment("still here"))
    reply.stop()
    store.restore(chat.state.id)
    assert opened().chat(chat.state.id).state.messages[reply.message].said == "still here"


# ---------------------------------------------------------------- damage
def path_of(store, chat):
    return store.folder / f"{chat.state.id}.jsonl"


def test_a_torn_last_line_is_cut_and_told(opened):
    store = opened()
    chat = answered(store)
    before = path_of(store, chat).read_bytes()
    store.close()
    path_of(store, chat).write_bytes(before + b'{"kind": "part", "id": "')
    store = opened()
    assert store.chat(chat.state.id).state == chat.state and path_of(store, chat).read_bytes() == before
    [repair] = store.repairs
    assert repair.chat == chat.state.id and repair.kept.read_bytes() == b'{"kind": "part", "id": "'


def test_a_last_line_that_lacks_only_its_end_is_kept(opened):
    store = opened()
    chat = answered(store)
    before = path_of(store, chat).read_bytes()
    store.close()
    path_of(store, chat).write_bytes(before[:-1])
    assert opened().chat(chat.state.id).state == chat.state and path_of(store, chat).read_bytes() == before


def test_zeros_at_the_end_after_a_loss_of_power(opened):
    store = opened()
    chat = answered(store)
    before = path_of(store, chat).read_bytes()
    store.close()
    path_of(store, chat).write_bytes(before + bytes(4096))
    store = opened()
    assert store.chat(chat.state.id).state == chat.state and path_of(store, chat).read_bytes() == before
    assert store.repairs[0].kept is None


def test_a_damaged_file_is_set_aside_whole_and_its_readable_lines_live_on(opened):
    store = opened()
    chat = answered(store, "hello")
    content = path_of(store, chat).read_bytes().split(b"\n")
    content.insert(2, b"\0\xff garbage")
    store.close()
    path_of(store, chat).write_bytes(b"\n".join(content))
    store = opened()
    assert store.chat(chat.state.id).state == chat.state
    [repair] = store.repairs
    assert "line 3" in repair.what and repair.kept.read_bytes() == b"\n".join(content)


def test_a_file_without_any_readable_line_is_kept_but_not_listed(opened):
    store = opened()
    store.close()
    (store.folder / "lost.jsonl").write_bytes(b"\0" * 64 + b"\n")
    store = opened()
    assert store.summaries() == [] and store.repairs[0].kept.read_bytes() == b"\0" * 64 + b"\n"


def test_a_file_that_cannot_be_read_keeps_no_other_from_being_opened(opened):
    store = opened()
    answered(store, "sound")
    store.close()
    (store.folder / "unreadable.jsonl").mkdir()
    store = opened()
    assert [one.title for one in store.summaries()] == ["sound"]
    [repair] = store.repairs
    assert repair.chat == "unreadable" and "cannot be read" in repair.what and repair.kept.is_dir()


def test_lines_of_newer_versions_are_kept(opened):
    store = opened()
    chat = answered(store)
    store.close()
    newer = '{"kind":"reaction","at":5.0,"id":"x","emoji":"👍"}\n'
    with path_of(store, chat).open("a", encoding="utf-8") as file:
        file.write(newer)
    again = opened().chat(chat.state.id)
    assert again.state.others == [json.loads(newer)] and not again._store.repairs
    again.rename("new")
    assert newer in path_of(store, chat).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "record",
    [
        {"kind": "question"},
        {"kind": "question", "id": "a", "parent": "nowhere", "text": "x", "at": 1},
        {"kind": "question", "id": ["a"], "parent": None, "text": 5, "at": 1},
        {"kind": "part", "id": "none", "segments": []},
        {"kind": "end", "id": {}, "ended": "complete"},
        {"kind": "show", "leaf": "none"},
        {"kind": "title", "title": None},
        {"kind": "chat", "format": 99, "id": "x", "at": 1},
        {"kind": "reply", "id": "r", "parent": None, "at": "noon"},
    ],
)
def test_lines_that_make_no_sense_change_nothing(record):
    good = [
        {"kind": "chat", "format": 1, "id": "c", "at": 1.0},
        {"kind": "question", "id": "q", "parent": None, "text": "t", "at": 2.0},
    ]
    damaged, sound = chat_of("c", [*good, record]), chat_of("c", good)
    assert damaged.others == [record]
    damaged.others.clear()
    assert damaged == sound


def test_a_reply_that_a_crash_cut_is_marked(opened):
    store = opened()
    chat = store.create()
    reply = chat.reply(chat.ask("q").id)
    reply.add(Segment("half of"))
    store.later.flush()
    left = path_of(store, chat).read_bytes()
    store.close()
    path_of(store, chat).write_bytes(left)
    message = opened().chat(chat.state.id).state.messages[reply.message]
    assert (message.said, message.ended) == ("half of", "interrupted")


def test_lone_surrogates_and_every_script_survive(opened):
    text = '\ud83d half an emoji, 日本語, \u2028 \0 é \\ " \N{PILE OF POO}'
    chat = opened().create()
    chat.ask(text)
    again = opened().chat(chat.state.id)
    assert again.state.branch()[0].text == text


# ---------------------------------------------------------------- who may write
def test_a_second_process_reads_and_is_refused_by_name(opened, paths):
    first = opened()
    chat = answered(first)
    second = ChatStore.open(paths.chats, paths.chat_index)
    try:
        assert not second.writable and second.chat(chat.state.id).state.branch() == chat.state.branch()
        assert [one.id for one in second.summaries()] == [chat.state.id] and second.search("dot")
        for change in (
            lambda: second.chat(chat.state.id).ask("x"),
            lambda: second.create().ask("x"),
            lambda: second.delete(chat.state.id),
            second.empty_trash,
        ):
            with pytest.raises(EnvironmentProblem, match="another running"):
                change()
        assert second.chat(chat.state.id).state.deleted is None
    finally:
        second.close()
    first.chat(chat.state.id).ask("still mine")


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() == 0, reason="the superuser may write anywhere")
def test_a_folder_that_cannot_be_written_can_be_read(opened, paths):
    chat = answered(opened())
    opened().close()
    paths.chats.chmod(0o500)
    try:
        (paths.chats / ".lock").unlink(missing_ok=True)
        store = opened()
        assert store.chat(chat.state.id).state.branch() == chat.state.branch()
    finally:
        paths.chats.chmod(0o700)


def test_a_full_disk_refuses_by_name_and_tears_nothing(opened, monkeypatch):
    store = opened()
    chat = answered(store)
    before = path_of(store, chat).read_bytes()
    room = full_disk(monkeypatch)
    with pytest.raises(EnvironmentProblem, match="cannot be saved: No space left"):
        chat.ask("more")
    with pytest.raises(EnvironmentProblem, match="No space left"):
        store.create().ask("new")
    assert path_of(store, chat).read_bytes() == before and len(chat.state.branch()) == 2
    assert len(list(store.folder.glob("*.jsonl"))) == 1
    room()
    chat.ask("more")
    assert opened().chat(chat.state.id).state.branch()[-1].text == "more"


def test_a_reply_outlives_a_full_disk(opened, monkeypatch):
    store = opened()
    told = []
    store.failed = lambda number, error: told.append(error.what)
    chat = store.create()
    reply = chat.reply(chat.ask("q").id)
    room = full_disk(monkeypatch)
    reply.add(Segment("all of "))
    reply.take(protocol.Said("r", {"role": "assistant", "text": "all of"}))
    assert told and "No space left" in told[0]
    room()
    reply.add(Segment("it"))
    reply.stop()
    message = opened().chat(chat.state.id).state.messages[reply.message]
    assert (message.said, message.ended) == ("all of it", "stopped")


def test_drafts_are_kept_without_being_asked_often(opened):
    store = opened()
    chat = store.create()
    for length in range(1, 40):
        chat.keep_draft("x" * length)
    store.later.flush()
    assert [line["kind"] for line in lines(store, chat)] == ["chat", "draft"] and lines(store, chat)[1]["text"] == "x" * 39
    assert store.summaries()[0].draft
    chat.ask("sent")
    assert opened().chat(chat.state.id).state.draft == ""


def test_a_draft_is_saved_by_itself(opened):
    store = opened()
    saved = threading.Event()
    store.changed = lambda number: saved.set()
    chat = store.create()
    chat.keep_draft("unsent")
    assert saved.wait(20) and lines(store, chat)[1]["text"] == "unsent"


def test_toggles_of_a_new_chat_are_kept_with_its_first_question(opened):
    store = opened()
    chat = store.create()
    chat.choose(advanced=True)
    chat.choose(thinking=True)
    assert not list(store.folder.glob("*.jsonl"))
    chat.reply(chat.ask("q").id).stop()
    again = opened().chat(chat.state.id)
    assert (again.state.advanced, again.state.thinking) == (True, True) and again.state.branch()[1].advanced


def test_long_files_are_shortened_without_losing_anything(opened):
    store = opened()
    chat = store.create()
    reply = chat.reply(chat.ask("q").id)
    for number in range(40):
        reply.add(Segment(f"{number} "))
        reply._save()
    reply.stop()
    for number in range(100):
        chat.keep_draft("d" * 10_000 + str(number))
        store.later.flush()
    size = path_of(store, chat).stat().st_size
    assert size > COMPACT_BYTES
    again = opened().chat(chat.state.id)
    assert again.state == chat.state and path_of(store, chat).stat().st_size < size // 10
    records = [decode(line) for line in path_of(store, chat).read_bytes().splitlines()]
    assert compacted(records) == records


def test_two_threads_write_whole_lines(opened):
    store = opened()
    chat = store.create()
    chat.ask("q")
    threads = [threading.Thread(target=lambda: [chat.rename(f"t{number}") for number in range(30)]) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(lines(store, chat)) == 62
