"""The base widgets: everything the screens are made of. All follow `theme()` and have accessible names."""

from app.ui.widgets.buttons import Button, FoldButton, IconButton
from app.ui.widgets.codeview import CodeText, CodeView
from app.ui.widgets.controls import TONE_ICONS, Chip, Segmented, Spinner, Switch, Tone, line
from app.ui.widgets.focus import FocusRing
from app.ui.widgets.highlight import Highlighter
from app.ui.widgets.surfaces import Card, Dialog, FaultCard, Icon, Notice
from app.ui.widgets.text import Beside, Elided, Label, Paragraph

__all__ = [
    "TONE_ICONS",
    "Beside",
    "Button",
    "Card",
    "Chip",
    "CodeText",
    "CodeView",
    "Dialog",
    "Elided",
    "FaultCard",
    "FocusRing",
    "FoldButton",
    "Highlighter",
    "Icon",
    "IconButton",
    "Label",
    "Notice",
    "Paragraph",
    "Segmented",
    "Spinner",
    "Switch",
    "Tone",
    "line",
]
