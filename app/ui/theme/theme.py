"""What everything looks like now: colours, fonts, sizes and durations, which follow the user's choices and the system live."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory

from app.ui.theme.tokens import FOLDER, tokens

Scheme = Literal["light", "dark"]
TEXT_SIZES = (85, 150)
"""Smallest and largest text size, in percent."""
_PLACEHOLDER = re.compile(r"@([a-z_]+\.[a-z_]+)|@px\((-?\d+)\)")


@dataclass(frozen=True)
class Appearance:
    """The user's choices. mode: "system" follows it; text_size: percent; reduced_motion: None asks the system."""

    mode: Literal["system", "light", "dark"] = "system"
    text_size: int = 100
    reduced_motion: bool | None = None


class Theme(QObject):
    """Answers by token name. `changed` is emitted after anything a painter may have asked for is different.

    There is one, made by `install` after the QApplication; `theme()` returns it.
    """

    changed = Signal()

    def __init__(self, application: QApplication, appearance: Appearance) -> None:
        super().__init__(application)
        self._application = application
        self._appearance = appearance
        self._family = QFont(application.font()).family()
        self._mono = _mono_family()
        self.scheme: Scheme = "light"
        self.zoom = 1.0
        self.reduced_motion = False
        self._colors: dict[str, QColor] = {}
        self._fonts: dict[str, QFont] = {}
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._system_changed)
        self._apply()

    @property
    def appearance(self) -> Appearance:
        """The choices in force."""
        return self._appearance

    def set_appearance(self, appearance: Appearance) -> None:
        """Take over other choices; everything on screen follows at once."""
        if appearance != self._appearance:
            self._appearance = appearance
            self._apply()
            self.changed.emit()

    def color(self, name: str) -> QColor:
        """The colour of this name, such as "computed.text", in the present scheme. KeyError for names that are not tokens."""
        return QColor(self._colors[name])

    def font(self, style: str) -> QFont:
        """The font of a type style ("body", "code"...) at the present text size."""
        if style not in self._fonts:
            self._fonts[style] = self._make_font(style)
        return QFont(self._fonts[style])

    def line_height(self, style: str) -> float:
        """Height of a line in this style, in logical px at the present text size."""
        return tokens().styles[style].line * self.zoom

    def size(self, name: str) -> int:
        """A size of the tokens ("sidebar", "control"...) in logical px; not scaled by the text size."""
        return tokens().sizes[name]

    def extent(self, name: str) -> QSize:
        """Width and height of the tokens ("switch"); they grow with the text size."""
        width, height = tokens().sizes[name]
        return QSize(self.px(width), self.px(height))

    def px(self, pixels: float) -> int:
        """A length that grows with the text size."""
        return round(pixels * self.zoom)

    def duration(self, name: str) -> int:
        """Milliseconds of a movement ("fast", "base", "slow"); 0 when motion is reduced."""
        return 0 if self.reduced_motion else tokens().durations[name]

    def _make_font(self, name: str) -> QFont:
        style = tokens().styles[name]
        font = QFont(self._family if style.family == "ui" else self._mono)
        font.setPixelSize(max(1, round(style.size * self.zoom)))
        font.setWeight(QFont.Weight(style.weight))
        if style.tracking:
            font.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, style.tracking * self.zoom)
        if style.family == "mono":
            font.setStyleHint(QFont.StyleHint.Monospace)
            for ligatures in ("calt", "liga"):
                font.setFeature(QFont.Tag(ligatures), 0)
        elif name in ("readout", "small", "small_medium", "label"):
            font.setFeature(QFont.Tag("tnum"), 1)
        return font

    def _system_changed(self) -> None:
        if self._appearance.mode == "system":
            self._apply()
            self.changed.emit()

    def _apply(self) -> None:
        chosen, hints = self._appearance, QGuiApplication.styleHints()
        dark = hints.colorScheme() == Qt.ColorScheme.Dark if chosen.mode == "system" else chosen.mode == "dark"
        self.scheme = "dark" if dark else "light"
        self.zoom = min(max(chosen.text_size, TEXT_SIZES[0]), TEXT_SIZES[1]) / 100
        self.reduced_motion = _system_reduces_motion() if chosen.reduced_motion is None else chosen.reduced_motion
        self._colors = {name: _color(value) for name, value in tokens().colors[self.scheme].items()}
        if _high_contrast():
            self._strengthen()
        self._fonts.clear()
        self._application.setFont(self.font("ui"))
        self._application.setPalette(self._palette())
        self._application.setStyleSheet(self._stylesheet())

    def _strengthen(self) -> None:
        """The system asks for high contrast: no grey text, no faint edges."""
        for name in ("text.secondary", "text.tertiary", "border.subtle", "border.default", "border.control"):
            self._colors[name] = self._colors["text.primary"]

    def _palette(self) -> QPalette:
        role = QPalette.ColorRole
        names = {
            role.Window: "bg.canvas",
            role.Base: "bg.canvas",
            role.AlternateBase: "bg.sunken",
            role.Button: "bg.raised",
            role.WindowText: "text.primary",
            role.Text: "text.primary",
            role.ButtonText: "text.primary",
            role.PlaceholderText: "text.tertiary",
            role.ToolTipBase: "bg.tooltip",
            role.ToolTipText: "text.on_tooltip",
            role.Highlight: "accent.fill",
            role.HighlightedText: "accent.on",
            role.Link: "accent.text",
            role.LinkVisited: "accent.text",
            role.Light: "bg.raised",
            role.Midlight: "border.subtle",
            role.Mid: "border.default",
            role.Dark: "border.control",
            role.Shadow: "border.control",
            role.Accent: "accent.fill",
        }
        palette = QPalette()
        for each, name in names.items():
            palette.setColor(each, self.color(name))
        for each in (role.WindowText, role.Text, role.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, each, self.color("text.disabled"))
        return palette

    def _stylesheet(self) -> str:
        def value(found: re.Match[str]) -> str:
            if found[1]:
                return self.color(found[1]).name(QColor.NameFormat.HexArgb)
            return f"{self.px(int(found[2]))}px"

        return _PLACEHOLDER.sub(value, _template())


_current: Theme | None = None


def install(application: QApplication, appearance: Appearance | None = None) -> Theme:
    """Make the theme of this application. The font that the application has then is the one of the interface."""
    global _current
    application.setStyle(QStyleFactory.create("Fusion"))
    _current = Theme(application, appearance or Appearance())
    return _current


def theme() -> Theme:
    """The application's theme. RuntimeError before `install`."""
    if _current is None:
        raise RuntimeError("install the theme first")
    return _current


def _color(written: str) -> QColor:
    """A token's colour; alpha comes last there and first in QColor."""
    return QColor(f"#{written[7:9]}{written[1:7]}" if len(written) == 9 else written)


def _mono_family() -> str:
    for file in sorted((FOLDER / "fonts").glob("*.ttf")):
        QFontDatabase.addApplicationFont(str(file))
    known = set(QFontDatabase.families())
    return next(
        (family for family in tokens().mono_families if family in known),
        QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family(),
    )


@cache
def _template() -> str:
    return (FOLDER / "stylesheet.qss").read_text(encoding="utf-8")


def application() -> QApplication:
    """The running QApplication."""
    running = QApplication.instance()
    assert isinstance(running, QApplication), "a window needs a QApplication"
    return running


def _accessibility() -> QObject | None:
    """Qt 6.10 and later ask the system about contrast and motion."""
    ask = getattr(QGuiApplication.styleHints(), "accessibility", None)
    return ask() if ask else None


def _high_contrast() -> bool:
    wanted = getattr(_accessibility(), "contrastPreference", None)
    return wanted is not None and wanted() == Qt.ContrastPreference.HighContrast


def _system_reduces_motion() -> bool:
    wanted = getattr(_accessibility(), "motionPreference", None)
    return wanted is not None and wanted().name == "ReducedMotion"
