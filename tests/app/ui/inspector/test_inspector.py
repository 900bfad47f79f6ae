"""The inspector as a person uses it: by keys alone, by pointer, in small windows, at large sizes, with bad records."""

import json

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit

from app.inspection.records import check_record, save_record
from app.ui.inspector import InspectorPanel
from app.ui.theme import Appearance, theme
from engine.machine.tokens import TOKENS, Token
from tests.app.inspection.made import barriers, counting, dot, receipt


@pytest.fixture
def panel(qtbot):
    """A panel at its design size, shown."""
    made = InspectorPanel()
    qtbot.addWidget(made)
    made.resize(688, 800)
    made.show()
    qtbot.waitExposed(made)
    made.setFocus()
    return made


@pytest.fixture
def inspected(panel, qtbot):
    """The dot product, worked out to its end."""
    panel.open(dot().receipt, 0, "Launch 1 of 5 in this chat")
    qtbot.waitUntil(lambda: panel.player.timeline.complete)
    return panel


def said(widget):
    return " ".join(label.text() for label in widget.findChildren(QLabel))


def settled(qtbot, panel):
    qtbot.waitUntil(lambda: panel.player.timeline.complete and panel.player.index.complete)


def test_it_opens_at_the_first_token_of_the_model(inspected):
    player = inspected.player
    assert player.moment.token == player.timeline.tokens[player.timeline.host]
    assert inspected.transport._words.text() == "Block 0 runs on lanes 0, 1 and 2 (line 4)."
    assert inspected._chip.accessibleName() == "Replay exact"


def test_keys_alone(inspected, qtbot):
    player = inspected.player
    first = player.timeline.host

    def press(key, modifier=Qt.KeyboardModifier.NoModifier):
        qtbot.keyClick(inspected, key, modifier)
        return player.position

    assert press(Qt.Key.Key_Right) == first + 1 and press(Qt.Key.Key_Left) == first
    assert press(Qt.Key.Key_Left) == first - 1 and player.moment.source == "host"
    assert press(Qt.Key.Key_End) == player.last and press(Qt.Key.Key_Home) == 0
    assert press(Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier) == first
    assert press(Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier) == player.timeline.tokens.index(Token("EXEC", (1, 7)))
    assert press(Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier) == first
    qtbot.keyClick(inspected, Qt.Key.Key_Plus)
    assert player.speed == 16
    qtbot.keyClick(inspected, Qt.Key.Key_Minus)
    assert player.speed == 4
    qtbot.keyClick(inspected, Qt.Key.Key_Space)
    assert player.playing
    qtbot.keyClick(inspected, Qt.Key.Key_Space)
    assert not player.playing
    for number, name in enumerate(("result", "kernel", "machine", "proof"), 1):
        qtbot.keyClick(inspected, getattr(Qt.Key, f"Key_{number}"), Qt.KeyboardModifier.ControlModifier)
        assert inspected._tabs.tabText(inspected._tabs.currentIndex()).lower() == name
    with qtbot.waitSignal(inspected.closed):
        qtbot.keyClick(inspected, Qt.Key.Key_Escape)
    with qtbot.waitSignal(inspected.next_requested):
        qtbot.keyClick(inspected, Qt.Key.Key_BracketRight)


def test_everything_can_be_reached_by_tab_and_has_a_name(inspected, qtbot):
    for tab in ("machine", "kernel", "result", "proof"):
        inspected.show_tab(tab)
        inspected.setFocus()
        reached, widget = set(), inspected
        for _ in range(2_000):
            widget = widget.nextInFocusChain()
            if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
                reached.add(widget)
        buttons = [b for b in inspected.findChildren(QAbstractButton) if b.isVisible()]
        assert buttons and all(b.accessibleName() or b.text() for b in buttons)
        assert all(
            b in reached
            for b in buttons
            if b.isEnabled() and b.parent() is not None and b.focusPolicy() & Qt.FocusPolicy.TabFocus
        )


def test_the_machine_says_what_it_shows(inspected):
    inspected.player.go(inspected.player.last - 1)
    machine = inspected._machine
    assert machine._memory_head.caption.text() == "out[0], word 12: 14 before, 32 now"
    assert machine._layers_head.caption.text() == "wrote memory in 7, 12, 19, 27, 34 · chose END in 38–43"
    assert "lane 2: block 1" in machine._lanes.accessibleName()
    assert machine._block_head.title.text().startswith("Block 1 · dot.cu line 4")


def test_arrows_in_a_grid_choose_a_cell_and_do_not_step(inspected, qtbot):
    grid, before = inspected._machine._memory, inspected.player.position
    grid.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Right):
        qtbot.keyClick(grid, key)
    assert grid.chosen == (0, 4) and inspected.player.position == before
    assert grid.accessibleDescription() == "a[0], word 4: 1 · 0x00000001"


def test_search_and_breakpoints_by_keys(inspected, qtbot):
    player, find = inspected.player, inspected.transport.finder
    qtbot.keyClick(inspected, Qt.Key.Key_G)
    assert find.isVisible() and find.field.hasFocus()
    qtbot.keyClicks(find.field, "out[0]")
    qtbot.keyClick(find.field, Qt.Key.Key_Return)
    assert player.moment.token.kind == "MEM1"
    qtbot.keyClick(find.field, Qt.Key.Key_Return)
    assert player.position == player.timeline.tokens.index(Token("MEM1", (1, 12)))
    find._toggle()
    assert list(player.breakpoints) == [("memory", 12)] and "out[0]" in find._note.text()
    find.field.setText("nonsense")
    qtbot.keyClick(find.field, Qt.Key.Key_Return)
    assert "out[2]" in find._note.text()
    qtbot.keyClick(find.field, Qt.Key.Key_Escape)
    assert not find.isVisible()


def test_playing_stops_at_a_breakpoint(inspected, qtbot):
    from app.inspection.finding import Query

    player = inspected.player
    player.toggle_breakpoint(Query("out[0]", ("memory", 12)))
    player.set_speed(60)
    with qtbot.waitSignal(player.stopped_at):
        player.play()
    assert player.moment.token == Token("MEM1", (0, 12)) and not player.playing


def test_playing_runs_to_the_end_and_begins_again(inspected, qtbot):
    player = inspected.player
    player.set_speed(60)
    player.play()
    qtbot.waitUntil(lambda: not player.playing)
    assert player.position == player.last
    player.play()
    assert player.position == player.timeline.host
    player.pause()


def test_dragging_the_track_and_clicking_a_token(inspected, qtbot):
    track, strip, player = inspected.transport.track, inspected.transport.strip, inspected.player
    qtbot.mouseClick(track, Qt.MouseButton.LeftButton, pos=QPoint(track.width() - 8, 13))
    assert player.position == player.last
    qtbot.mouseClick(track, Qt.MouseButton.LeftButton, pos=QPoint(8, 13))
    assert player.position == 0
    player.go(player.timeline.host)
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=strip._box(3).center().toPoint())
    assert player.position == player.timeline.host + 3


def test_a_far_position_is_shown_when_it_is_worked_out(panel, qtbot):
    panel.open(counting(1_500).receipt)
    player = panel.player
    player.go(player.last)
    assert player.position < player.last and "Working out" in panel.transport._words.text()
    qtbot.waitUntil(lambda: player.position == player.last, timeout=20_000)
    assert player.moment.token.kind == "END"


def test_the_current_line_is_followed_in_all_three(inspected):
    inspected.show_tab("kernel")
    inspected.player.go(inspected.player.last - 1)
    kernel = inspected._kernel
    marked = [frame.listing._lines[i].text for frame in (kernel._cuda, kernel._blocks) for i in frame.listing._marked]
    assert any("atomicAdd" in text for text in marked) and "store T0 + r0 to out[0]" in marked
    assert any("atom" in kernel._ptx.listing._lines[i].text for i in kernel._ptx.listing._marked)
    kernel._cuda.listing.picked.emit(3)
    assert {kernel._places[i][0] for i in kernel._blocks.listing._marked} == {0, 1}


def test_result_copies_and_saves(inspected, tmp_path, qtbot):
    inspected.show_tab("result")
    inspected._result._copy()
    assert QGuiApplication.clipboard().text() == "out = [32]"
    inspected._result.save_to(str(tmp_path / "値.csv"))
    assert (tmp_path / "値.csv").read_text(encoding="utf-8").startswith("index,a (in)")
    inspected._result.save_to(str(tmp_path / "no" / "such" / "\0"))
    with qtbot.waitSignal(inspected.playground_requested) as asked:
        inspected._result.playground_asked.emit()
    assert asked.args[0].launch["kernel"] == "dot"


def test_verifying_in_the_weights(panel, qtbot, tmp_path):
    save_record(dot(), tmp_path / "r.json")
    panel.open(tmp_path / "r.json")
    settled(qtbot, panel)
    with qtbot.waitSignal(panel.verify_requested) as asked:
        qtbot.keyClick(panel, Qt.Key.Key_V)
    assert asked.args == [str(tmp_path / "r.json")]
    proof = panel._proof
    panel.show_verifying(7, 14)
    assert "7 of 14" in proof._status.text() and proof._progress.isVisible()
    with qtbot.waitSignal(panel.stop_requested):
        qtbot.mouseClick(proof._again, Qt.MouseButton.LeftButton)
    panel.show_verification({"kind": "cancelled", "message": "stopped"})
    assert proof._status.text() == "Stopped." and not proof._progress.isVisible()
    panel.show_verification({"verdict": "exact", "found": {"runtime": "compact", "device": "cpu"}})
    assert proof._status.text() == "Redone in the weights: exact · compact · cpu"
    panel.show_verification({"kind": "mismatch", "message": "token 3 differs"})
    assert proof._status.text() == "token 3 differs"
    assert proof._command.text().endswith("--runtime transformers")
    proof.save_to(str(tmp_path / "again.json"))
    panel.open(tmp_path / "again.json")
    assert panel.record.path == tmp_path / "again.json"


def test_an_altered_token_is_named_and_not_stepped_over(panel, qtbot):
    launch = dot().receipt.launches[0]
    numbers = list(launch.generated)
    numbers[5] = TOKENS.ids[Token("VAL", (3, 1, 0, 9))]
    altered = check_record(receipt(type(launch)(**{**vars(launch), "generated": tuple(numbers)})))
    panel.open(altered.receipt)
    settled(qtbot, panel)
    index = len(launch.prompt) + 5
    assert panel._chip.accessibleName() == f"Replay differs at token {index + 1}"
    panel.player.go(10**6)
    assert panel.player.position == index - 1
    panel.show_tab("proof")
    assert panel._proof._banner.accessibleName().startswith("Not exact")


@pytest.mark.parametrize("damage", ["", "{", '{"format": "qwengpu launch record 1"}', "[" * 50_000])
def test_a_record_that_is_none_is_said_in_the_panel(panel, tmp_path, damage):
    path = tmp_path / "r.json"
    path.write_text(damage)
    panel.open(path)
    assert "This record cannot be shown" in said(panel._empty) and panel.player is None
    panel.open(tmp_path / "nowhere.json")
    assert panel.record is None
    panel.open(dot().receipt)
    assert panel.player is not None


def test_an_altered_record_is_never_shown_as_computed(panel, tmp_path):
    content = json.loads(dot().receipt.to_json())
    content["launches"][0]["prompt"][20] += 1
    path = tmp_path / "r.json"
    path.write_text(json.dumps(content))
    panel.open(path)
    assert panel.record is None and not panel._value.isVisible() and not panel._chip.isVisible()


def test_the_empty_state(panel):
    panel.clear()
    assert "Open a computed value" in said(panel._empty)


@pytest.mark.parametrize(
    "size, text_size, mode", [((688, 800), 100, "light"), ((844, 600), 100, "dark"), ((560, 400), 150, "light")]
)
def test_every_tab_can_be_painted_at_every_size(panel, qtbot, size, text_size, mode):
    theme().set_appearance(Appearance(mode=mode, text_size=text_size, reduced_motion=True))
    panel.resize(*size)
    panel.open(barriers().receipt)
    for tab in ("machine", "kernel", "result", "proof"):
        panel.show_tab(tab)
        picture = panel.grab().toImage()
        colors = {picture.pixel(x, y) for x in range(0, picture.width(), 7) for y in range(60, picture.height(), 7)}
        assert len(colors) > 8
    assert panel.minimumSizeHint().width() <= 560 * text_size / 100


def test_the_find_field_takes_what_the_player_would(inspected, qtbot):
    """Digits, arrows and letters belong to the field while one types."""
    inspected.transport.open_find()
    field = inspected.findChild(QLineEdit)
    before = inspected.player.position
    qtbot.keyClicks(field, "g+-v[]")
    qtbot.keyClick(field, Qt.Key.Key_Left)
    qtbot.keyClick(field, Qt.Key.Key_Space)
    assert field.text() == "g+-v[ ]" and inspected.player.position == before and not inspected.player.playing
