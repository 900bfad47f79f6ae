"""Prose on screen: how values look, are heard, opened and copied, and that growing text is written like whole text."""

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QFont, QGuiApplication, QImage, QTextFormat
from PySide6.QtWidgets import QMenu

from app.chatting.launches import Launched
from app.chatting.reply import PLACEHOLDER, Prose, Value
from app.ui.chat.prose import ProseView
from app.ui.theme import Appearance

P = PLACEHOLDER
LAUNCHES = {"a": Launched("a", "dot([1, 2, 3], [4, 5, 6])", "exact", 14), "bad": Launched("bad", "f(1)", "differs", 3)}
LONG = (
    f"# Title\n\nThe **dot** product is {P}. See [the guide](https://example.org) and `code`.\n\n{P} begins\n\n"
    f"1. one {P}\n2. two\n   - nested\n3. three\n\n- loose\n\n- list\n\n  more\n\n> quote {P}\n\n"
    f"| A | B |\n|---|--:|\n| `x` | {P} |\n\n"
    f"After ~~it~~ {P}.\n\n---\n\nEnd *of* it.\n"
)
VALUES = tuple(Value(text, "a") for text in ("32", "108", "5", "7", "13", "2432902008176640000"))


@pytest.fixture
def view(qtbot):
    made = ProseView(LAUNCHES.get)
    qtbot.addWidget(made)
    made.resize(700, 100)
    made.show()
    qtbot.waitUntil(made.isActiveWindow)
    return made


def blocks_of(view):
    """Text, format and place of every block: what the reader sees."""
    found, block, layout = [], view.document().begin(), view.document().documentLayout()
    while block.isValid():
        box, form = layout.blockBoundingRect(block), block.blockFormat()
        item = block.textList().itemText(block) if block.textList() else ""
        place = tuple(round(number) for number in (box.x(), box.y(), box.height()))
        found.append((block.text(), form.bottomMargin(), form.leftMargin(), item, place))
        block = block.next()
    return found


def colors_in(view, shape):
    """The colours of the pixels where something is drawn."""
    image = view.viewport().grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    box = shape.toRect()
    return {image.pixelColor(x, y).name() for x in range(box.left(), box.right()) for y in range(box.top(), box.bottom() + 2)}


@pytest.mark.parametrize("step", [1, 2, 7, 40])
def test_text_that_grows_ends_as_text_that_was_there(view, qtbot, step):
    for end in range(0, len(LONG), step):
        view.set_prose(Prose(LONG[:end], VALUES[: LONG[:end].count(P)]))
    view.set_prose(Prose(LONG, VALUES))
    grown, anchors = blocks_of(view), view.anchors
    whole = ProseView(LAUNCHES.get)
    qtbot.addWidget(whole)
    whole.resize(700, 100)
    whole.show()
    whole.set_prose(Prose(LONG, VALUES))
    assert grown == blocks_of(whole) and anchors == whole.anchors
    assert view.height() == whole.height()


def test_values_are_where_the_placeholders_were(view):
    view.set_prose(Prose(LONG, VALUES))
    text = view.toPlainText()
    assert P not in text
    assert [text[anchor.start : anchor.end] for anchor in view.anchors if anchor.value] == [value.text for value in VALUES]


def test_only_what_was_computed_is_marked(view):
    view.set_prose(Prose(f"{P} and 32 and **32**", (Value("32", "a"),)))
    assert [anchor.start for anchor in view.anchors] == [0]
    fragment = view.document().begin().begin().fragment()
    assert fragment.charFormat().isAnchor() and fragment.charFormat().fontFamilies() == ["JetBrains Mono"]


def test_a_value_is_tinted_and_dotted(view, look):
    view.set_prose(Prose(f"It is {P}.", (Value("32", "a"),)))
    drawn = colors_in(view, view._all_shapes()[0][0])
    assert {look.color("computed.tint").name(), look.color("computed.line").name(), look.color("computed.text").name()} <= drawn


def test_without_highlighting_it_is_plain(view, look):
    view.set_prose(Prose(f"It is {P}.", (Value("32", "a"),)))
    view.set_highlighted(False)
    assert look.color("computed.tint").name() not in colors_in(view, view._all_shapes()[0][0])


def test_one_that_was_not_replayed_has_no_tint(view, look):
    view.set_prose(Prose(f"It is {P}.", (Value("32", "unknown"),)))
    drawn = colors_in(view, view._all_shapes()[0][0])
    assert look.color("computed.line").name() in drawn and look.color("computed.tint").name() not in drawn


def test_one_whose_replay_differs_warns_with_more_than_colour(view, look):
    view.set_prose(Prose(f"It is {P}.", (Value("32", "bad"),)))
    drawn = colors_in(view, view._all_shapes()[0][0])
    assert {look.color("error.tint").name(), look.color("error.fill").name(), look.color("error.text").name()} <= drawn
    assert view.accessibleDescription() == "32, computed by f, but the replay differs"


def test_it_can_be_heard(view):
    view.set_prose(Prose(f"{P} and {P}", (Value("32", "a"), Value("7", None))))
    assert view.accessibleDescription() == (
        "32, computed in the weights by dot, replay exact; 7, computed in the weights, not worked out again yet"
    )


def test_a_click_opens(view, qtbot):
    view.set_prose(Prose(f"It is {P}.", (Value("32", "a"),)))
    with qtbot.waitSignal(view.value_opened) as heard:
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view._all_shapes()[0][0].center().toPoint())
    assert heard.args == ["a"]


def test_a_click_beside_it_opens_nothing(view, qtbot):
    view.set_prose(Prose(f"It is {P}.", (Value("32", "a"),)))
    with qtbot.assertNotEmitted(view.value_opened):
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(10, 14))


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_tab_goes_from_value_to_value_and_a_key_opens(view, qtbot, key):
    view.set_prose(Prose(f"{P} and [x](https://example.org) and {P}", (Value("1", "a"), Value("2", "b"))))
    view.clearFocus()
    view.setFocus(Qt.FocusReason.TabFocusReason)
    assert view.focused == 0
    qtbot.keyClick(view, Qt.Key.Key_Tab)
    qtbot.keyClick(view, Qt.Key.Key_Tab)
    assert view.focused == 2
    with qtbot.waitSignal(view.value_opened) as heard:
        qtbot.keyClick(view, key)
    assert heard.args == ["b"]


def test_the_tooltip_says_how(view):
    view.set_prose(Prose(f"{P}", (Value("32", "a"),)))
    tip = view.tip(view.anchors[0])
    assert "<b>Computed in the weights</b>" in tip and "dot · 14 tokens · replay exact" in tip


def test_the_menu_copies_plain_digits_and_the_expression(view):
    view.set_prose(Prose(f"{P}", (Value("32", "a"),)))
    menu = QMenu()
    view._fill_menu(menu, 0)
    named = {action.text(): action for action in menu.actions()}
    named["Copy value"].trigger()
    assert QGuiApplication.clipboard().text() == "32"
    named["Copy expression"].trigger()
    assert QGuiApplication.clipboard().text() == "dot([1, 2, 3], [4, 5, 6])"


def test_what_is_copied_has_plain_spaces(view):
    view.set_prose(Prose(f"List {P}.", (Value("[1, 2, 3]", "a"),)))
    view.selectAll()
    assert view.createMimeDataFromSelection().text() == "List [1, 2, 3]."
    assert view.plain_text() == "List [1, 2, 3]."


def test_a_short_value_is_never_broken(view):
    view.resize(170, 100)
    view.set_prose(Prose(f"aaaa bbbb cccc {P}", (Value("[1, 2, 3, 4, 5]", "a"),)))
    assert len(view._all_shapes()[0]) == 1


def test_nothing_is_loaded(view):
    view.set_prose(Prose("![x](file:///etc/passwd) <img src='http://127.0.0.1/a.png'>"))
    assert view.loadResource(2, QUrl("file:///etc/passwd")) is None
    assert "<img" in view.toPlainText()
    assert not any(form.objectType() == QTextFormat.ObjectTypes.ImageObject.value for form in view.document().allFormats())


def test_it_follows_the_theme(view, look):
    view.set_prose(Prose(f"# T\n\n{P} is it", (Value("32", "a"),)))
    before, height = view.anchors, view.height()
    look.set_appearance(Appearance("dark", 150, True))
    assert view.anchors == before and view.height() > height
    assert look.color("computed.tint").name() == "#392c12"
    assert look.color("computed.tint").name() in colors_in(view, view._all_shapes()[0][0])


def test_headings_are_strong(view):
    view.set_prose(Prose("## Two"))
    assert view.document().begin().begin().fragment().charFormat().font().weight() == QFont.Weight.DemiBold
