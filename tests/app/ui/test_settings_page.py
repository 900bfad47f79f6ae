"""The settings screen: every choice lands in the file at once, refused ones are explained, damaged files are survived."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QWidget

import app.preferences as preferences
from app.keychain import Keychain
from app.preferences import SETTINGS, Kind, Section
from app.storage import Amount, Kept
from app.texts import translate
from app.ui.choices import Choices
from app.ui.diagnostics import view as view_module
from app.ui.settings import storage as storage_module
from app.ui.settings.controls import Control
from app.ui.settings.page import SECTIONS, ModelInfo, SettingsPage, Shortcut
from app.ui.widgets import Dialog
from engine.machine.errors import InputError


@pytest.fixture(autouse=True)
def tokens(monkeypatch):
    """A keychain of this test's own: endpoint -> token."""
    kept = {}

    def keep(self, token, endpoint=""):
        if " " in token:
            raise InputError("a token has no spaces in it", "keychain", "copy it again")
        kept[endpoint] = token
        return self.place()

    monkeypatch.setattr(Keychain, "place", lambda self: "the test's keychain")
    monkeypatch.setattr(Keychain, "token", lambda self, endpoint="": kept.get(endpoint, ""))
    monkeypatch.setattr(Keychain, "keep", keep)
    monkeypatch.setattr(Keychain, "forget", lambda self, endpoint="": kept.pop(endpoint, None))
    return kept


@pytest.fixture
def amounts(monkeypatch):
    """Two things on the disk; clearing empties one."""
    there = {
        Kept.CHATS: Amount(
            Kept.CHATS, translate("T", "Chats"), translate("T", "All conversations."), (), 12_800_000, 14, False
        ),
        Kept.CACHE: Amount(Kept.CACHE, translate("T", "Cache"), translate("T", "Prepared machines."), (), 0, 0, True),
    }
    cleared = []

    def clear(kept, paths, settings):
        cleared.append(kept)
        there[kept] = Amount(kept, there[kept].title, there[kept].about, (), 0, 0, there[kept].again)
        return 12_800_000

    monkeypatch.setattr(view_module, "collect", lambda paths, worker, window: ())
    monkeypatch.setattr(storage_module, "measure", lambda paths, settings: tuple(there.values()))
    monkeypatch.setattr(storage_module, "clear", clear)
    return cleared


@pytest.fixture
def choices(paths):
    return Choices(paths.settings)


@pytest.fixture
def page(qtbot, paths, choices, amounts):
    page = SettingsPage(paths, choices, [Shortcut("Ctrl+K", "Search chats and commands")])
    qtbot.addWidget(page)
    page.resize(1032, 800)
    page.show()
    return page


def control(page, setting):
    return next(found for found in page.findChildren(Control) if found.setting is setting)


def saved(paths):
    return json.loads(paths.settings.read_text(encoding="utf-8"))


def test_every_setting_that_can_be_seen_has_a_control(page):
    seen = {found.setting.name for found in page.findChildren(Control)}
    assert seen == {setting.name for setting in SETTINGS if setting.section is not Section.HIDDEN}
    kinds = {setting.kind for setting in SETTINGS} - {Kind.DATA}
    assert kinds == {found.setting.kind for found in page.findChildren(Control)}


def test_choices_are_saved_at_once_and_shown_again(qtbot, page, paths):
    control(page, preferences.APPEARANCE).segments._group.button(2).click()
    assert saved(paths) == {"appearance": "dark"}
    page.show_section("model")
    control(page, preferences.HIGHLIGHT).switch.click()
    slider = control(page, preferences.MEMORY_LIMIT).slider
    slider.setValue(2)
    select = control(page, preferences.KEEP_LOADED).select
    select.setCurrentIndex(3)
    select.activated.emit(3)
    page.show_section("chat")
    number = control(page, preferences.TOP_K).field
    number.setText("40")
    number.editingFinished.emit()
    prompt = control(page, preferences.SYSTEM_PROMPT).field
    prompt.setPlainText("Be brief. 简短")
    prompt.done.emit()
    assert saved(paths) == {
        "appearance": "dark",
        "highlight_computed": False,
        "memory_limit": 2 << 30,
        "keep_loaded": 0,
        "top_k": 40,
        "system_prompt": "Be brief. 简短",
    }

    again = SettingsPage(paths, Choices(paths.settings))
    qtbot.addWidget(again)
    assert control(again, preferences.APPEARANCE).segments.index() == 2
    assert not control(again, preferences.HIGHLIGHT).switch.isChecked()
    assert control(again, preferences.MEMORY_LIMIT).value.text() == "2 GB"
    assert control(again, preferences.KEEP_LOADED).select.currentText() == "Always"
    assert control(again, preferences.TOP_K).field.text() == "40"
    assert control(again, preferences.SYSTEM_PROMPT).field.toPlainText() == "Be brief. 简短"


def test_what_changes_elsewhere_is_shown_here(page, choices):
    choices.set(preferences.FONT_SIZE, 120)
    assert control(page, preferences.FONT_SIZE).value.text() == "120 %"


@pytest.mark.parametrize(
    ("setting", "typed", "word"),
    [
        (preferences.ENDPOINT, "ftp://mirror", "http"),
        (preferences.ENDPOINT, "https://me:secret@mirror", "password"),
        (preferences.PROXY, "nonsense", "http"),
        (preferences.TOP_K, "many", "number"),
        (preferences.TOP_K, "5000", "1000"),
    ],
)
def test_a_refused_value_is_explained_and_not_saved(page, paths, setting, typed, word):
    row = next(
        row
        for groups in page.groups.values()
        for group in groups
        for row in group.rows
        if getattr(row, "control", None) is control(page, setting)
    )
    field = control(page, setting).findChild(QLineEdit)
    field.setText(typed)
    field.editingFinished.emit()
    assert word in row.refusal.text() and not row.refusal.isHidden()
    assert not paths.settings.exists() and field.text() == typed
    field.setText("")
    field.setText(str(setting.default))
    field.editingFinished.emit()
    assert row.refusal.isHidden()


def test_a_folder_can_be_chosen_and_given_back(page, paths, tmp_path):
    page.show_section("model")
    folder = tmp_path / "Modèle é"
    chosen = control(page, preferences.MODELS_FOLDER)
    row = chosen.parentWidget()
    assert row.note.text() == str(paths.models) and chosen.back.isHidden()
    chosen.put(folder)
    assert row.note.text() == str(folder) and Path(saved(paths)["models_folder"]) == folder
    chosen.back.click()
    assert row.note.text() == str(paths.models) and saved(paths) == {}


def test_a_damaged_file_is_kept_and_everything_works(qtbot, paths, amounts):
    paths.config.mkdir(parents=True)
    paths.settings.write_text('{"appearance": "da', encoding="utf-8")
    choices = Choices(paths.settings)
    page = SettingsPage(paths, choices)
    qtbot.addWidget(page)
    assert choices.damage is not None and control(page, preferences.APPEARANCE).segments.index() == 0
    control(page, preferences.APPEARANCE).segments._group.button(1).click()
    assert saved(paths) == {"appearance": "light"}
    kept = [path for path in paths.config.iterdir() if "damaged" in path.name]
    assert [path.read_text(encoding="utf-8") for path in kept] == ['{"appearance": "da']


def test_values_that_no_longer_fit_count_as_not_chosen(qtbot, paths, amounts):
    paths.config.mkdir(parents=True)
    paths.settings.write_text(json.dumps({"appearance": 3, "top_k": "x", "font_size": 9999, "later": [1]}), encoding="utf-8")
    page = SettingsPage(paths, Choices(paths.settings))
    qtbot.addWidget(page)
    assert control(page, preferences.FONT_SIZE).value.text() == "100 %"
    control(page, preferences.HIGHLIGHT).switch.click()
    assert saved(paths)["later"] == [1]


def test_the_token_goes_to_the_keychain_and_is_never_shown(qtbot, page, tokens, choices, paths):
    page.show_section("network")
    qtbot.waitUntil(lambda: "the test's keychain" in page.token.about.accessibleName())
    assert page.token.field.echoMode() == QLineEdit.EchoMode.Password
    page.token.field.setText("hf_secret")
    qtbot.mouseClick(page.token.save, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.token.forget.isVisible())
    assert tokens == {"": "hf_secret"} and page.token.field.text() == "" and page.token.field.isHidden()
    assert not paths.settings.exists() or "hf_secret" not in paths.settings.read_text(encoding="utf-8")
    choices.set(preferences.ENDPOINT, "https://mirror.example")
    qtbot.waitUntil(lambda: page.token.field.isVisible())
    choices.set(preferences.ENDPOINT, "")
    qtbot.waitUntil(lambda: page.token.forget.isVisible())
    page.token.forget.click()
    qtbot.waitUntil(lambda: page.token.field.isVisible())
    assert tokens == {}


def test_a_token_that_is_none_is_refused(qtbot, page, tokens):
    page.show_section("network")
    page.token.field.setText("not a token")
    page.token.save.click()
    qtbot.waitUntil(lambda: "no spaces" in page.token.refusal.text())
    assert tokens == {}


def test_clearing_says_how_much_and_asks_first(qtbot, page, amounts):
    page.show_section("storage")
    qtbot.waitUntil(lambda: bool(page.storage.groups))
    rows = page.storage.groups[0].rows
    assert rows[0].button.text() == "Clear 12.8 MB…" and rows[1].button.text() == "Empty" and not rows[1].button.isEnabled()
    rows[0].button.click()
    dialog = page.findChild(Dialog)
    assert "12.8 MB in 14 file" in dialog.body.itemAt(0).widget().accessibleName()
    dialog.reject()
    assert amounts == []
    rows[0].button.click()
    with qtbot.waitSignal(page.cleared) as heard:
        page.findChildren(Dialog)[-1].accept()
    assert heard.args == [Kept.CHATS] and amounts == [Kept.CHATS]
    qtbot.waitUntil(lambda: not page.storage.groups[0].rows[0].button.isEnabled())


def test_a_reset_asks_and_keeps_what_it_does_not_know(qtbot, page, choices, paths):
    choices.set(preferences.FONT_SIZE, 120)
    page.show_section("storage")
    qtbot.waitUntil(lambda: bool(page.storage.groups))
    page.storage.ask_reset()
    page.findChild(Dialog).accept()
    assert saved(paths) == {} and control(page, preferences.FONT_SIZE).value.text() == "100 %"


def test_the_search_finds_settings_in_every_section(page):
    page.search.setText("proxy")
    titles = [row.title.text() for groups in page.groups.values() for group in groups for row in group.rows if row.isVisible()]
    assert titles == ["Proxy"]
    page.search.setText("matrix")
    assert page.nothing.text() and page.nothing.isVisible() and "matrix" in page.nothing.accessibleName()
    page.search.clear()
    assert page.sections.currentRow() == 0 and control(page, preferences.APPEARANCE).isVisible()


@pytest.mark.parametrize("section", SECTIONS)
def test_every_section_can_be_walked_with_the_keyboard(qtbot, page, section):
    page.show_section(section)
    qtbot.wait(1)
    page.sections.setFocus(Qt.FocusReason.TabFocusReason)
    reached = []
    for _ in range(60):
        qtbot.keyClick(page.window().focusWidget() or page, Qt.Key.Key_Tab)
        focused = page.window().focusWidget()
        if focused in reached:
            break
        reached.append(focused)
    controls = [
        widget
        for found in page.findChildren(Control)
        if found.isVisible()
        for widget in found.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible() and widget.isEnabled()
    ]
    assert {id(widget) for widget in controls} <= {id(widget) for widget in reached} | {id(page.sections)}
    nameless = [widget for widget in reached if not (widget.accessibleName() or getattr(widget, "text", str)())]
    assert not nameless, nameless


def test_the_model_row_says_what_is_in_use(page):
    page.show_model(ModelInfo("Qwen3.5-2B with GPU", "Built 28 Nov · 10.1 GB · verified", True))
    page.show_section("model")
    assert page.verify.isVisible() and page.model_name.text() == "Qwen3.5-2B with GPU"
    page.show_model(ModelInfo("The small built-in model", "Comes with the app", False))
    assert not page.verify.isVisible()
