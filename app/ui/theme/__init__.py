"""The look: `theme().color("computed.text")`, `.font("body")`, `.px(8)`; icons; everything follows `theme().changed`."""

from app.ui.theme.icons import icon, paint_icon, pixmap
from app.ui.theme.theme import TEXT_SIZES, Appearance, Theme, application, install, theme
from app.ui.theme.tokens import FOLDER, tokens

__all__ = [
    "FOLDER",
    "TEXT_SIZES",
    "Appearance",
    "Theme",
    "application",
    "icon",
    "install",
    "paint_icon",
    "pixmap",
    "theme",
    "tokens",
]
