"""Every string of the settings, the cards and the dialogs can be translated; the German and Chinese files are in order."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication

from app.computer import Program
from app.diagnostics import Item, Part
from app.faults import TITLES, Surroundings, of_death, of_error
from app.keychain import Keychain
from app.texts import translate
from app.ui import language
from app.ui.choices import Choices
from app.ui.diagnostics import view as view_module
from app.ui.diagnostics.about import AboutDialog, LicenceDialog, named
from app.ui.diagnostics.card import ErrorCard
from app.ui.diagnostics.view import DiagnosticsView
from app.ui.settings import storage as storage_module
from app.ui.settings.page import SettingsPage
from app.worker.death import Death
from app.worker.protocol import Error
from tests.app.ui.spoken import brackets, untranslated

ROOT = Path(__file__).parents[3]
CODES = ("de", "zh_CN")
NAMES = r"qwenGPU( Desktop)?|Qwen3\.5-2B|English|Deutsch|简体中文|hf_…|\d+ GB|/[\w/.-]+"


@pytest.fixture(autouse=True)
def keychain(monkeypatch):
    monkeypatch.setattr(Keychain, "place", lambda self: "")
    monkeypatch.setattr(Keychain, "token", lambda self, endpoint="": "")
    monkeypatch.setattr(view_module, "collect", lambda paths, worker, window: ())
    monkeypatch.setattr(storage_module, "measure", lambda paths, settings: ())


def test_the_settings(qtbot, paths):
    with brackets():
        page = SettingsPage(paths, Choices(paths.settings))
        qtbot.addWidget(page)
        page.storage.show_amounts(())
        assert untranslated(page, NAMES) == []


@pytest.mark.parametrize("kind", ["out of memory", "crashed", "killed"])
def test_the_cards_for_a_worker_that_is_gone(qtbot, kind):
    with brackets():
        card = ErrorCard(of_death(Death(kind, "SIGNAL", "", ""), Surroundings(9, 3, (Program("FIREFOX", 5),))))
        qtbot.addWidget(card)
        assert untranslated(card, "SIGNAL|FIREFOX|MB|out of memory|crashed|killed|Code") == []


@pytest.mark.parametrize("kind", [*TITLES, "unknown"])
def test_the_cards_for_requests(qtbot, kind):
    with brackets():
        card = ErrorCard(of_error(Error("1", kind, "MESSAGE", "WHERE", "REMEDY")))
        qtbot.addWidget(card)
        assert untranslated(card, f"MESSAGE|WHERE|REMEDY|Message|Remedy|Code|{kind}") == []


def test_about_and_licences(qtbot, monkeypatch):
    with brackets():
        about = AboutDialog()
        qtbot.addWidget(about)
        parts = "|".join(re.escape(button.text()) for button in about.findChildren(view_module.Button))
        names = r"[\w-]+ \d[\w.+-]*|JetBrains Mono|Lucide|[A-Z][\w.+-]*( License)?|OR|AND|MIT|Apache Software License|0BSD"
        assert untranslated(about, f"{NAMES}|{names}|{parts}") == []
        licence = LicenceDialog(named("Lucide"))
        qtbot.addWidget(licence)
        assert untranslated(licence, "Lucide") == []


def test_the_diagnostics_window(qtbot, paths):
    with brackets():
        view = DiagnosticsView(paths)
        qtbot.addWidget(view)
        view.show_parts((Part("PART", (Item("ITEM", "VALUE", True),)),))
        assert untranslated(view, "PART|ITEM|VALUE") == []


# ---------------------------------------------------------------- the test's own tool
def test_a_forgotten_string_would_be_found(qtbot):
    from app.ui.widgets import Label

    with brackets():
        label = Label("Forgotten")
        qtbot.addWidget(label)
        assert untranslated(label) == ["Forgotten"]
        label.setText(QCoreApplication.translate("X", "Not forgotten: {value}").format(value=32))
        assert untranslated(label) == []


# ---------------------------------------------------------------- choosing a language
@pytest.mark.parametrize(
    ("setting", "system", "code"),
    [
        ("de", ["en-US"], "de"),
        ("system", ["de-AT", "en"], "de"),
        ("system", ["zh-Hans-CN"], "zh_CN"),
        ("system", ["fr-FR", "zh-CN"], "zh_CN"),
        ("system", ["fr-FR"], "en"),
        ("nonsense", ["fr"], "en"),
    ],
)
def test_which_language(setting, system, code):
    assert language.resolve(setting, system) == code


@pytest.mark.parametrize(("code", "word"), [("de", "Abbrechen"), ("zh_CN", "取消")])
def test_a_language_is_loaded_and_left_again(qapp, code, word):
    text = translate("Assistant", "Cancel")
    installed = language.install(qapp, code)
    try:
        assert language.shown(text) == word
    finally:
        language.remove(qapp, installed)
    assert language.shown(text) == "Cancel"


def test_values_stand_where_the_language_wants_them(qapp):
    inner = translate("T", "{number} tokens").format(number=3)
    assert language.shown(translate("T", "{what} in {where}").format(what=inner, where="x")) == "3 tokens in x"
    assert str(inner) == "3 tokens"


# ---------------------------------------------------------------- the files
def messages(code):
    tree = ElementTree.parse(language.FOLDER / f"qwengpu_{code}.ts")
    for context in tree.getroot().iter("context"):
        for message in context.iter("message"):
            yield context.findtext("name"), message.findtext("source"), message.find("translation")


@pytest.mark.parametrize("code", CODES)
def test_translations_keep_the_places_of_values(code):
    wrong = []
    for context, source, translation in messages(code):
        texts = [form.text or "" for form in translation.iter("numerusform")] or [translation.text or ""]
        if translation.get("type") != "unfinished":
            wrong += [
                (context, source, text)
                for text in texts
                if sorted(re.findall(r"\{\w*\}|%n", text)) != sorted(re.findall(r"\{\w*\}|%n", source))
            ]
    assert wrong == []


@pytest.mark.parametrize("code", CODES)
def test_compiled_translations_are_those_of_the_source(code, tmp_path):
    tool = Path(sys.executable).with_name("pyside6-lrelease")
    made = tmp_path / "made.qm"
    source = str(language.FOLDER / f"qwengpu_{code}.ts")
    subprocess.run([str(tool), "-silent", source, "-qm", str(made)], check=True, timeout=60)
    assert made.read_bytes() == (Path(str(language.FOLDER)) / f"qwengpu_{code}.qm").read_bytes()


@pytest.mark.parametrize("code", CODES)
def test_everything_is_translated(code):
    assert [
        (context, source) for context, source, translation in messages(code) if not "".join(translation.itertext()).strip()
    ] == []
    assert [source for _, source, translation in messages(code) if translation.get("type") == "unfinished"] == []


@pytest.mark.parametrize("code", CODES)
def test_questions_that_are_offered_stay_in_the_language_of_the_small_model(code):
    offered = [(source, translation.text) for context, source, translation in messages(code) if "dot product of" in source]
    assert offered and all(source == text for source, text in offered)


@pytest.mark.parametrize("code", CODES)
def test_every_string_has_a_context(code):
    assert [source for context, source, _ in messages(code) if not context] == []
