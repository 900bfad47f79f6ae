"""The error card on screen."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from app.faults import Fault, Remedy, of_death
from app.ui.diagnostics.card import ErrorCard
from app.ui.widgets import FoldButton
from app.worker.death import Death


def shown_card(qtbot, fault):
    card = ErrorCard(fault)
    qtbot.addWidget(card)
    card.resize(700, card.sizeHint().height())
    card.show()
    return card


def test_the_first_remedy_is_the_primary_one(qtbot):
    card = shown_card(qtbot, of_death(Death("out of memory", "signal 9", "")))
    assert [remedy for remedy, button in card.buttons.items() if button.property("kind") == "primary"] == [Remedy.RESTART]
    with qtbot.waitSignal(card.acted) as heard:
        qtbot.mouseClick(card.buttons[Remedy.RESTART], Qt.MouseButton.LeftButton)
    assert heard.args == [Remedy.RESTART]


def test_copy_gives_everything(qtbot):
    card = shown_card(qtbot, of_death(Death("crashed", "signal 11", "", "Traceback: x")))
    qtbot.mouseClick(card.buttons[Remedy.COPY], Qt.MouseButton.LeftButton)
    assert "signal 11" in QGuiApplication.clipboard().text() and "Traceback: x" in QGuiApplication.clipboard().text()


def test_details_are_folded_until_asked_for(qtbot):
    card = shown_card(qtbot, Fault("It stopped", "Nothing is lost", technical="signal 9", details="all of it"))
    fold = card.findChild(FoldButton)
    before = card.sizeHint().height()
    qtbot.mouseClick(fold, Qt.MouseButton.LeftButton)
    assert card.sizeHint().height() > before and fold.text() == "Technical details: signal 9"


def test_it_can_be_heard(qtbot):
    card = shown_card(qtbot, Fault("It stopped", "Nothing is lost"))
    assert card.accessibleName() == "It stopped. Nothing is lost"
