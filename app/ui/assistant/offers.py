"""Buttons for what a step offers. They stay the same widgets while the offer stays, so that focus is never lost."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from app.assistant.model import Action, Offer
from app.ui.language import shown
from app.ui.widgets import Button

ICONS = {
    Action.CHECK_AGAIN: "refresh-cw",
    Action.COPY_DETAILS: "copy",
    Action.PAUSE: "pause",
    Action.RESUME: "play",
    Action.DOWNLOAD: "download",
    Action.LOG: "file-text",
    Action.REPORT: "file-text",
    Action.TRY_SMALL: "play",
    Action.STEP_THROUGH: "step-forward",
}


class OfferRow(QWidget):
    """Offers side by side. kind, size: how the ordinary ones look. `acted(Action)` when one is taken."""

    acted = Signal(object)

    def __init__(self, kind: str = "secondary", size: str = "normal", spacing: int = 8, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kind, self._size = kind, size
        self._buttons: dict[tuple[Action, bool], Button] = {}
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(spacing)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def button(self, action: Action) -> Button | None:
        """The button of an action, if it is offered."""
        return next((button for (offered, _), button in self._buttons.items() if offered is action), None)

    def show_offers(self, offers: Sequence[Offer]) -> None:
        """Show these, in this order."""
        had_focus = any(button.hasFocus() for button in self._buttons.values())
        wanted = {(offer.action, offer.primary): offer for offer in offers}
        for key in [key for key in self._buttons if key not in wanted]:
            gone = self._buttons.pop(key)
            self._row.removeWidget(gone)
            gone.hide()
            gone.deleteLater()
        for place, (key, offer) in enumerate(wanted.items()):
            button = self._buttons.get(key) or self._make(key)
            if self._row.indexOf(button) != place:
                self._row.insertWidget(place, button)
                button.show()  # at once, so that it can take the focus
            button.setText(shown(offer.label))
            button.setEnabled(offer.enabled)
            button.setToolTip(shown(offer.reason) if offer.reason is not None else "")
        self.setVisible(bool(wanted))
        if had_focus and not any(button.hasFocus() for button in self._buttons.values()):
            self._focus_next()

    def _make(self, key: tuple[Action, bool]) -> Button:
        action, primary = key
        button = Button("", "primary" if primary else self._kind, ICONS.get(action), self._size)  # type: ignore[arg-type]
        button.setAutoDefault(primary)
        button.clicked.connect(lambda: self.acted.emit(action))
        self._buttons[key] = button
        return button

    def usable(self) -> list[Button]:
        """The buttons that can be pressed, from left to right."""
        return [button for button in self._buttons.values() if button.isEnabled()]

    def _focus_next(self) -> None:
        if self.usable():
            self.usable()[-1].setFocus(Qt.FocusReason.OtherFocusReason)
