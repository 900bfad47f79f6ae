"""The language of the user interface: which there are, loading one, and showing sentences of the logic in it.

How strings are marked: `self.tr("…")` in widgets, `QCoreApplication.translate("Context", "…")` elsewhere in `app.ui`,
`translate("Context", "…")` of `app.texts` where there is no Qt. Values come in by name with `.format(…)`; English is the
source.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from app.texts import Text

LANGUAGES = {"en": "English", "de": "Deutsch", "zh_CN": "简体中文"}
"""Code -> its name in itself. English needs no file."""
SYSTEM = "system"
"""The setting that follows the computer."""
FOLDER = resources.files("resources") / "ui" / "translations"


def resolve(setting: str, system: list[str] | None = None) -> str:
    """The code of the language to use. setting: a code or "system"; system: the computer's languages, best first."""
    if setting in LANGUAGES:
        return setting
    for wish in QLocale.system().uiLanguages() if system is None else system:
        name = wish.replace("-", "_")
        for code in LANGUAGES:
            if name == code or name.split("_")[0] == code.split("_")[0]:
                return code
    return "en"


def install(application: QCoreApplication, setting: str) -> list[QTranslator]:
    """Make a language the application's: what is built afterwards speaks it. Returns what `remove` takes away again."""
    code = resolve(setting)
    if code == "en":
        return []
    installed = []
    for folder, name in (
        (QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath), f"qtbase_{code}"),
        (str(Path(str(FOLDER))), f"qwengpu_{code}"),
    ):
        translator = QTranslator(application)
        if translator.load(name, folder) and application.installTranslator(translator):
            installed.append(translator)
    return installed


def remove(application: QCoreApplication, installed: list[QTranslator]) -> None:
    """Back to English."""
    for translator in installed:
        application.removeTranslator(translator)


def shown(text: Text | str) -> str:
    """A sentence of the logic in the user's language. A plain string is shown as it is."""
    if isinstance(text, str):
        return text
    values = {name: shown(value) if isinstance(value, Text) else value for name, value in text.values.items()}
    return QCoreApplication.translate(text.context, text.source).format(**values)
