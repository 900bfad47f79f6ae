"""The window with a worker that is a fake: asking, stopping, death, versions, deleting and restoring, search, keys, sizes."""

import asyncio

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QDialog, QLineEdit

from app.faults import Remedy
from app.preferences import FONT_SIZE, LAST_CHAT, SIDEBAR, WINDOW, Window
from app.ui.chat.messages import QuestionView
from app.ui.chat.rows import LaunchRow
from app.ui.chat.transcript import AHEAD
from app.worker.death import Death
from app.worker.protocol import ChatResult, Context, LaunchProgress, Segment, Token
from tests.app.fake_client import FakeClient
from tests.app.ui import samples
from tests.app.ui.stage import last_reply, said, settled, until


def done(text, launches=(), segments=None, ended="complete"):
    said = segments or (Segment(text, "sampled"),)
    return ChatResult("", ({"role": "assistant", "text": text},), said, launches, Context(59, 2048), 20.0, ended)


DOT = (
    Segment("dot([1, 2, 3], [4, 5, 6])", "sampled", None, "call"),
    Segment("32", "computed", "a1"),
    Segment(" is the dot product.", "sampled"),
)


async def dot(stage):
    call = await stage.ask("what is the dot product of [1,2,3] and [4,5,6]?")
    for segment in DOT:
        call.tell(Token("", segment.text, segment.source, segment.launch, segment.part))
    call.tell(done("32 is the dot product.", (samples.launch("a1", "dot([1, 2, 3], [4, 5, 6])"),), DOT))
    await settled()


# ---------------------------------------------------------------- asking
def test_a_question_is_answered_and_its_value_marked(stage):
    window = stage.open()

    async def scene():
        await stage.load()
        await dot(stage)
        reply = last_reply(window)
        assert said(reply) == "32 is the dot product."
        assert [anchor.value.text for view in reply.prose() for anchor in view.anchors] == ["32"]
        row = reply.findChild(LaunchRow)
        assert "14 tokens, replay exact" in row.findChild(QAbstractButton).accessibleName()
        assert window.chat.composer.text() == "" and window.chat.header.title.text().startswith("what is the dot product")

    stage.play(scene())


def test_typing_and_sending_work_while_the_model_loads(qapp, tmp_path, stage):
    window = stage.open()

    async def scene():
        stage.client._scripts.clear()
        opening = asyncio.ensure_future(stage.desk.engine.open())
        await settled()
        window.chat.composer.set_text("early")
        window.chat.composer.field.sent.emit()
        await settled()
        reply = last_reply(window)
        assert "Loading the model" in reply._waiting.label.text() and window.chat.composer.button.accessibleName() == "Stop"
        stage.client.last("load").tell(samples.qwen())
        await opening
        await settled()
        assert stage.client.last().fields["text"] == "early"

    stage.play(scene())


def test_what_streams_in_is_shown_before_it_is_finished(stage):
    window = stage.open()

    async def scene():
        await stage.load()
        call = await stage.ask("tell me")
        assert last_reply(window)._waiting.label.text() == "Reading the question..."
        call.tell(Token("", "The **first** half", "sampled"))
        await settled()
        assert said(last_reply(window)) == "The first half" and not last_reply(window)._waiting.isVisible()
        call.tell(Token("", " and the second.\n\n```c\nint x;\n", "sampled"))
        await settled()
        assert said(last_reply(window)) == "The first half and the second."

    stage.play(scene())


def test_a_running_launch_shows_where_it_is_and_can_be_stopped(stage, qtbot):
    window = stage.open()

    async def scene():
        await stage.load()
        call = await stage.ask("sort")
        call.tell(Token("", "sort(x)", "sampled", None, "call"), LaunchProgress("", "z", "sort(x)", 6, 0, 483, 71))
        await until(lambda: last_reply(window).findChild(LaunchRow) is not None)
        head = last_reply(window).findChild(LaunchRow)._head
        await until(lambda: head._stop.isVisible())
        assert "412 tokens · block 6 · warp 0" in head.accessibleName() and head._stop.isVisible()
        qtbot.mouseClick(head._stop, Qt.MouseButton.LeftButton)
        await settled()
        await until(lambda: last_reply(window)._end is not None)
        assert call.stopped.is_set() and "stopped after 412 tokens" in head.accessibleName()
        assert last_reply(window)._end.text() == "Stopped."

    stage.play(scene())


def test_escape_stops_in_mid_reply_and_keeps_it(stage):
    window = stage.open()

    async def scene():
        await stage.load()
        call = await stage.ask("long")
        call.tell(Token("", "half", "sampled"))
        await settled()
        window.leave_something()
        await settled()
        assert call.stopped.is_set() and said(last_reply(window)) == "half"
        assert window.chat.composer.button.accessibleName() == "Send"

    stage.play(scene())


def test_death_shows_a_card_where_the_reply_stopped_and_restart_goes_on(stage, qtbot):
    window = stage.open()

    async def scene():
        await stage.load()
        call = await stage.ask("do it")
        call.tell(Token("", "I was", "sampled"))
        await settled()
        window.chat.composer.set_text("the next one")
        stage.client.die(Death("crashed", "signal 11"))
        await settled()
        card = last_reply(window)._card
        assert said(last_reply(window)) == "I was" and "stopped unexpectedly" in card.accessibleName()
        assert window.chat.composer.text() == "the next one"
        qtbot.mouseClick(card.buttons[Remedy.RESTART], Qt.MouseButton.LeftButton)
        await settled()
        assert stage.client.last().fields["text"] == "do it" and last_reply(window)._card is None

    stage.play(scene())


def test_a_question_that_waits_for_a_dead_model_offers_the_restart(stage, qtbot):
    window = stage.open()

    async def scene():
        await stage.load()
        stage.client.die(Death("killed", "signal 9"))
        await settled()
        window.chat.send("hello?")
        await settled()
        qtbot.mouseClick(last_reply(window)._card.buttons[Remedy.RESTART], Qt.MouseButton.LeftButton)
        await settled()
        assert stage.client.last().fields["text"] == "hello?"
        assert len(stage.desk.chatting._queue) == 0 and last_reply(window)._card is None

    stage.play(scene())


# ---------------------------------------------------------------- versions
def test_asking_again_and_editing_make_versions_one_can_go_back_to(stage, qtbot):
    window = stage.open()

    async def scene():
        await stage.load()
        (await stage.ask("one")).tell(done("first"))
        await settled()
        window.chat.regenerate()
        await settled()
        stage.client.last().tell(done("second"))
        await settled()
        reply = last_reply(window)
        assert said(reply) == "second" and reply.versions._label.text() == "2 / 2"
        qtbot.mouseClick(reply.versions._back, Qt.MouseButton.LeftButton)
        await settled()
        assert said(last_reply(window)) == "first"
        window.chat.edit_last()
        question = next(view for view in window.chat.transcript._views if isinstance(view, QuestionView))
        question._send("uno")
        await settled()
        assert stage.client.last().fields["text"] == "uno" and stage.client.last().fields["messages"] == ()

    stage.play(scene())


# ---------------------------------------------------------------- chats
def test_deleting_can_be_undone_and_nothing_is_lost(stage):
    ids = samples.fill(stage.desk.store)
    window = stage.open()
    chat = ids["Collatz steps"]

    async def scene():
        window.open_chat(chat)
        window._delete(chat)
        await settled(0.3)
        assert chat not in {summary.id for summary in stage.desk.store.summaries()} and window.chat.chat.state.id != chat
        window.actions_by_name["undo_delete"].trigger()
        await settled(0.3)
        assert window.chat.chat.state.id == chat and len(window.chat.chat.state.branch()) == 2

    stage.play(scene())


def test_the_delete_key_asks_first(stage, qtbot):
    ids = samples.fill(stage.desk.store)
    window = stage.open()

    async def scene():
        window.open_chat(ids["Letter to the landlord"])
        await settled()
        window.sidebar.chats.setFocus()
        qtbot.keyClick(window.sidebar.chats, Qt.Key.Key_Delete)
        await settled()
        assert len(stage.desk.store.summaries()) == 10
        dialog = next(each for each in window.findChildren(QDialog) if each.isVisible())
        dialog.accept()
        await settled()
        assert len(stage.desk.store.summaries()) == 9

    stage.play(scene())


def test_renaming_in_the_list(stage, qtbot):
    ids = samples.fill(stage.desk.store)
    window = stage.open()

    async def scene():
        window.open_chat(ids["Collatz steps"])
        window.actions_by_name["rename"].trigger()
        await settled()
        editor = window.sidebar.chats.findChild(QLineEdit)
        editor.setText("Hailstones")
        qtbot.keyClick(editor, Qt.Key.Key_Return)
        await settled(0.3)
        assert stage.desk.store.chat(ids["Collatz steps"]).state.title == "Hailstones"
        assert window.chat.header.title.text() == "Hailstones"

    stage.play(scene())


def test_drafts_and_toggles_belong_to_their_chat(stage):
    ids = samples.fill(stage.desk.store)
    window = stage.open()

    async def scene():
        window.open_chat(ids["Letter to the landlord"])
        window.chat.composer.set_text("Dear ")
        window.open_chat(ids["Collatz steps"])
        assert window.chat.composer.text() == "" and window.chat.composer.advanced.isChecked()
        window.open_chat(ids["Letter to the landlord"])
        assert window.chat.composer.text() == "Dear " and not window.chat.composer.advanced.isChecked()

    stage.play(scene())


def test_the_palette_finds_chats_and_commands(stage, qtbot):
    ids = samples.fill(stage.desk.store)
    window = stage.open()

    async def scene():
        palette = window.palette_window
        window.search()
        palette.field.setText("collatz")
        palette.refresh()
        qtbot.keyClick(palette.field, Qt.Key.Key_Return)
        await settled()
        assert window.chat.chat.state.id == ids["Collatz steps"]
        window.search()
        palette.field.setText("sidebar")
        palette.refresh()
        qtbot.keyClick(palette.field, Qt.Key.Key_Return)
        assert stage.desk.choices.get(SIDEBAR) is False and window.rail.isVisible()

    stage.play(scene())


def test_what_was_open_is_open_again(stage):
    ids = samples.fill(stage.desk.store)
    window = stage.open()

    async def scene():
        window.open_chat(ids["Collatz steps"])
        window.chat.composer.set_text("next: 8400511")
        window.close()
        assert stage.desk.choices.get(LAST_CHAT) == ids["Collatz steps"]
        window.deleteLater()
        again = stage.open()
        assert again.chat.chat.state.id == ids["Collatz steps"] and again.chat.composer.text() == "next: 8400511"

    stage.play(scene())


def test_finding_words_in_a_long_chat_stays_where_it_is_while_the_rest_is_made(stage):
    chat = stage.desk.store.create()
    for number in range(40):
        samples.answer(chat, f"Question {number}?", [samples.word(f"Answer {number}.")])
    window = stage.open((900, 600))

    async def scene():
        window.open_chat(chat.state.id)
        finder, transcript = window.chat.finder, window.chat.transcript
        finder.begin()
        finder.field.setText("Answer 39")
        assert finder._count.text() == "1 / 1" and transcript._earlier
        finder.field.setText("Answer 3")
        found = int(finder._count.text().removeprefix("1 / "))
        here = finder._hits[0][0].view
        await until(lambda: not transcript._earlier and finder._count.text().endswith(" / 11"))  # 3, and 30 to 39
        assert finder._count.text() == f"{12 - found} / 11" and finder._hits[finder._place][0].view is here
        finder._go(1)
        assert finder._place == 12 - found

    stage.play(scene())


def test_finding_words_in_the_chat(stage):
    ids = samples.fill(stage.desk.store)
    window = stage.open()

    async def scene():
        window.open_chat(ids["Vectors and dot products"])
        window.chat.finder.begin()
        window.chat.finder.field.setText("dot product")
        await settled()
        assert window.chat.finder._count.text() == "1 / 3"  # in the question, the reply, and its table
        question = next(view for view in window.chat.transcript.messages() if isinstance(view, QuestionView))
        assert question.texts()[0].text().count("<span") == 1 and "dot product</span>" in question.texts()[0].text()
        assert sum(len(view.extraSelections()) for reply in window.chat.transcript.replies() for view in reply.prose()) == 2
        window.chat.finder.field.setText("for a, b")
        await settled()
        assert window.chat.finder._count.text() == "1 / 1"  # in the code
        assert "<span" not in question.texts()[0].text()
        window.chat.finder.leave()
        assert not any(view.extraSelections() for reply in window.chat.transcript.replies() for view in reply.prose())

    stage.play(scene())


# ---------------------------------------------------------------- values and the inspector
def test_a_value_opens_the_inspector_and_closing_gives_the_room_back(stage, qtbot):
    window = stage.open((1500, 800))

    async def scene():
        await stage.load()
        await dot(stage)
        view = last_reply(window).prose()[0]
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view._all_shapes()[0][0].center().toPoint())
        await settled()
        assert window._inspector.isVisible() and window.chat.isVisible() and window.chat.header.inspector.isChecked()
        window.leave_something()
        assert not window._inspector.isVisible()

    stage.play(scene())


def test_a_value_opened_by_a_key_gets_the_focus_back(stage, qtbot):
    window = stage.open((1500, 800))

    async def scene():
        await stage.load()
        await dot(stage)
        qtbot.waitUntil(window.isActiveWindow)
        window.chat.transcript.next_value(1)
        view = last_reply(window).prose()[0]
        qtbot.keyClick(view, Qt.Key.Key_Return)
        await settled()
        assert window._inspector.isVisible() and not view.hasFocus()
        window.close_inspector()
        await settled()
        assert view.hasFocus() and view.focused == 0

    stage.play(scene())


def test_brackets_go_from_value_to_value(stage, qtbot):
    ids = samples.fill(stage.desk.store)
    window = stage.open()

    async def scene():
        window.open_chat(ids["Vectors and dot products"])
        await settled()
        transcript, heard = window.chat.transcript, []
        for _ in range(3):
            transcript.next_value(1)
            view = next(view for reply in transcript.replies() for view in reply.prose() if view.focused is not None)
            heard.append(view.anchors[view.focused].value.text)
        assert heard == ["32", "108", "13"]

    stage.play(scene())


# ---------------------------------------------------------------- scrolling and size
def test_the_view_follows_only_from_the_end(stage):
    window = stage.open((900, 500))

    async def scene():
        await stage.load()
        call = await stage.ask("long")
        call.tell(Token("", "line\n\n" * 60, "sampled"))
        await settled()
        transcript = window.chat.transcript
        bar = transcript.verticalScrollBar()
        assert bar.value() == bar.maximum() > 0
        bar.setValue(10)
        call.tell(Token("", "more\n\n" * 30, "sampled"))
        await settled()
        assert bar.value() == 10 and transcript._jump.isVisible()
        transcript.to_end()
        assert bar.value() == bar.maximum() and not transcript._jump.isVisible()

    stage.play(scene())


def test_a_long_chat_is_made_as_far_as_it_is_read(stage):
    chat = stage.desk.store.create()
    for number in range(40):
        samples.answer(chat, f"Question {number}?", [samples.word(f"Answer {number}.")])
    window = stage.open((900, 600))

    async def scene():
        window.open_chat(chat.state.id)
        await settled()
        transcript = window.chat.transcript
        bar = transcript.verticalScrollBar()
        await until(lambda: bar.maximum() >= AHEAD)
        made = len(transcript._views)
        assert made < 80 and bar.maximum() >= AHEAD and said(last_reply(window)) == "Answer 39."
        assert bar.value() == bar.maximum()
        bar.setValue(bar.maximum() // 2)
        first = transcript.view(transcript._views[0].message.id)
        await settled()
        place = first.mapTo(transcript.viewport(), QPoint(0, 0)).y()
        for _ in range(30):
            bar.setValue(0)
            await settled(0.02)
        assert len(transcript._views) == 80 and transcript._views[0].message.text == "Question 0?"
        assert place < transcript.viewport().height()

    stage.play(scene())


def test_a_message_far_above_can_be_shown(stage):
    chat = stage.desk.store.create()
    for number in range(40):
        samples.answer(chat, f"Question {number}?", [samples.word(f"Answer {number}.")])
    window = stage.open((900, 600))

    async def scene():
        window.open_chat(chat.state.id)
        await settled()
        wanted = chat.state.branch()[6].id
        window.chat.show_message(wanted)
        await settled()
        view = window.chat.transcript.view(wanted)
        assert 0 <= view.mapTo(window.chat.transcript.viewport(), QPoint(0, 0)).y() < 100

    stage.play(scene())


@pytest.mark.parametrize(
    "size, rail, context",
    [
        ((1280, 800), False, "1,204 of 32,768 tokens"),
        ((900, 600), True, "1,204 of 32,768 tokens"),
        ((640, 400), True, "4% full"),
    ],
)
def test_nothing_is_cut_off_in_narrow_windows(stage, size, rail, context):
    ids = samples.fill(stage.desk.store)
    window = stage.open(size)

    async def scene():
        window.open_chat(ids["Vectors and dot products"])
        await settled()
        assert window.rail.isVisible() is rail and window.sidebar.isVisible() is not rail
        assert window.chat.header.context.text() == context
        edge = window.chat.width()
        for widget in (window.chat.composer, window.chat.composer.button, window.chat.header.more):
            corner = widget.mapTo(window.chat, QPoint(widget.width(), widget.height()))
            assert corner.x() <= edge and corner.y() <= window.chat.height()
        assert window.chat.transcript.horizontalScrollBar().maximum() == 0

    stage.play(scene())


def test_the_list_is_laid_over_a_narrow_window(stage):
    samples.fill(stage.desk.store)
    window = stage.open((800, 600))

    async def scene():
        window.toggle_sidebar()
        await settled()
        assert window._overlay.isVisible() and window._overlay.geometry().left() == 0
        window.leave_something()
        assert window._overlay is None

    stage.play(scene())


def test_it_never_opens_off_the_screen(stage):
    stage.desk.choices.set(WINDOW, Window(90_000 // 2, -5_000, 1200, 700))
    window = stage.open()
    assert QGuiApplication.primaryScreen().availableGeometry().intersects(window.geometry())


def test_the_text_size_is_changed_by_keys(stage):
    window = stage.open()
    window.actions_by_name["larger"].trigger()
    assert stage.desk.choices.get(FONT_SIZE) == 105
    for _ in range(30):
        window.actions_by_name["larger"].trigger()
    assert stage.desk.choices.get(FONT_SIZE) == 150
    window.actions_by_name["normal"].trigger()
    assert stage.desk.choices.get(FONT_SIZE) == 100


# ---------------------------------------------------------------- everybody can use it
def test_everything_that_can_be_pressed_has_a_name(stage):
    ids = samples.fill(stage.desk.store)
    window = stage.open()

    async def scene():
        for title in ("Vectors and dot products", "Collatz steps"):
            window.open_chat(ids[title])
            await settled()
            nameless = [
                button
                for button in window.findChildren(QAbstractButton)
                if not (button.accessibleName() or button.text())
                and button.objectName() != "qt_toolbar_ext_button"
                and button.parentWidget() is not window.menuBar()
            ]
            assert not nameless, nameless
        assert all(view.accessibleName() for view in window.chat.transcript._views)

    stage.play(scene())


def test_no_two_actions_have_the_same_key(stage):
    window = stage.open()
    keys = [key.toString() for action in window.actions_by_name.values() for key in action.shortcuts()]
    assert len(keys) == len(set(keys)) and QKeySequence("Ctrl+K").toString() in keys


def test_a_client_of_tests_speaks_as_the_real_one():
    from app.worker.client import WorkerClient

    for name in ("start", "request", "restart", "close"):
        assert callable(getattr(WorkerClient, name)) and callable(getattr(FakeClient, name))
