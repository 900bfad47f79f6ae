"""The hub's token: typed once, kept in the system's keychain, never shown again."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from app.keychain import Keychain
from app.preferences import ENDPOINT
from app.ui.background import run
from app.ui.choices import Choices
from app.ui.settings.rows import Row
from app.ui.theme import theme
from app.ui.widgets import Button
from engine.machine.errors import GpuError


class TokenRow(Row):
    """A field for a new token while there is none, a button to forget it while there is one."""

    def __init__(self, keychain: Keychain, choices: Choices, parent: QWidget | None = None) -> None:
        self._keychain, self._choices = keychain, choices
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setPlaceholderText("hf_…")
        self.field.setFixedWidth(theme().px(200))
        self.save, self.forget = Button(""), Button("")
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for widget in (self.field, self.save, self.forget):
            row.addWidget(widget)
        super().__init__("", "", holder, parent=parent)
        self.title.setText(self.tr("Access token"))
        self.field.setAccessibleName(self.tr("Access token"))
        self.save.setText(self.tr("Keep"))
        self.forget.setText(self.tr("Forget"))
        self.save.clicked.connect(self._keep)
        self.field.returnPressed.connect(self._keep)
        self.forget.clicked.connect(lambda: self._change(lambda: self._keychain.forget(self._endpoint())))
        choices.changed.connect(self._choice_changed)
        self._show(None)
        self.look()

    def _choice_changed(self, name: str) -> None:
        if name in ("", ENDPOINT.name):
            self.look()

    def look(self) -> None:
        """Ask the keychain whether there is a token; what it says is shown when it answers."""
        endpoint = self._endpoint()
        run(lambda: (bool(self._keychain.token(endpoint)), self._keychain.place()), self, self._show, self._fail)

    def _endpoint(self) -> str:
        return self._choices.get(ENDPOINT)

    def _keep(self) -> None:
        token, endpoint = self.field.text().strip(), self._endpoint()
        if token:
            self._change(lambda: self._keychain.keep(token, endpoint))

    def _change(self, work: Callable[[], object]) -> None:
        self.refuse("")
        run(work, self, lambda _: self._changed(), self._fail)

    def _changed(self) -> None:
        self.field.clear()
        self.look()

    def _fail(self, error: Exception) -> None:
        if not isinstance(error, GpuError):
            raise error
        self.refuse(str(error))

    def _show(self, found: tuple[bool, str] | None) -> None:
        there, place = found or (False, "")
        self.field.setVisible(not there)
        self.save.setVisible(not there)
        self.forget.setVisible(there)
        about = (
            self.tr("Kept in {place}. It is sent to this hub only.").format(place=place)
            if there
            else self.tr("Only needed where a hub asks for one. It goes to {place}, and to this hub only.").format(
                place=place or self.tr("the system keychain")
            )
        )
        self.about.setText(about)
        self.about.setVisible(True)
