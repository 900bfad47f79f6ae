"""The composer: what sends, what does not, and that nothing written is lost."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication

from app.ui.chat.composer import Composer


@pytest.fixture
def composer(qtbot):
    made = Composer()
    qtbot.addWidget(made)
    made.resize(720, made.sizeHint().height())
    made.show()
    return made


def compose(composer, preedit, commit=""):
    event = QInputMethodEvent(preedit, [])
    event.setCommitString(commit)
    QApplication.sendEvent(composer.field, event)


def test_enter_sends(composer, qtbot):
    qtbot.keyClicks(composer.field, "hello")
    with qtbot.waitSignal(composer.sent) as heard:
        qtbot.keyClick(composer.field, Qt.Key.Key_Return)
    assert heard.args == ["hello"]


def test_shift_enter_begins_a_line(composer, qtbot):
    qtbot.keyClicks(composer.field, "a")
    with qtbot.assertNotEmitted(composer.sent):
        qtbot.keyClick(composer.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(composer.field, "b")
    assert composer.text() == "a\nb"


def test_enter_does_not_send_while_an_input_method_composes(composer, qtbot):
    compose(composer, "にほん")
    with qtbot.assertNotEmitted(composer.sent):
        qtbot.keyClick(composer.field, Qt.Key.Key_Return)
    compose(composer, "", "日本")
    with qtbot.waitSignal(composer.sent) as heard:
        qtbot.keyClick(composer.field, Qt.Key.Key_Return)
    assert heard.args == ["日本"]


@pytest.mark.parametrize("text", ["", "   ", "\n\n"])
def test_nothing_is_not_sent(composer, qtbot, text):
    composer.set_text(text)
    assert not composer.button.isEnabled()
    with qtbot.assertNotEmitted(composer.sent):
        qtbot.keyClick(composer.field, Qt.Key.Key_Return)


def test_the_button_stops_what_runs_although_something_is_written(composer, qtbot):
    composer.set_text("the next question")
    composer.set_running(True)
    assert composer.button.accessibleName() == "Stop"
    with qtbot.waitSignal(composer.stopped), qtbot.assertNotEmitted(composer.sent):
        qtbot.mouseClick(composer.button, Qt.MouseButton.LeftButton)
    assert composer.text() == "the next question"


def test_it_grows_with_the_text_up_to_a_limit(composer):
    heights = []
    for lines in (1, 3, 100):
        composer.set_text("\n".join("x" * lines))
        heights.append(composer.sizeHint().height())
    assert heights[0] < heights[1] < heights[2] <= 300


def test_up_in_an_empty_field_asks_for_the_last_question(composer, qtbot):
    with qtbot.waitSignal(composer.recalled):
        qtbot.keyClick(composer.field, Qt.Key.Key_Up)
    composer.set_text("x")
    with qtbot.assertNotEmitted(composer.recalled):
        qtbot.keyClick(composer.field, Qt.Key.Key_Up)


def test_the_toggles_are_told_only_when_the_user_moves_them(composer, qtbot):
    with qtbot.assertNotEmitted(composer.advanced_chosen), qtbot.assertNotEmitted(composer.thinking_chosen):
        composer.set_choices(True, True)
    assert composer.thinking.text() == "Thinking on"
    with qtbot.waitSignal(composer.advanced_chosen) as heard:
        qtbot.mouseClick(composer.advanced, Qt.MouseButton.LeftButton)
    assert heard.args == [False]


def test_pasted_text_is_plain(composer):
    composer.field.insertFromMimeData(_rich())
    assert composer.text() == "bold" and not composer.field.acceptRichText()


def _rich():
    from PySide6.QtCore import QMimeData

    data = QMimeData()
    data.setHtml("<b>bold</b>")
    data.setText("bold")
    return data


def test_a_low_window_has_one_line(composer):
    high = composer.sizeHint().height()
    composer.set_low(True)
    assert composer.sizeHint().height() < high and not composer.thinking.isVisible()
